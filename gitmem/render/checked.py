"""Findings, Git hooks and settings as a reader sees them: places first, as compilers print them. Refuses colours."""

from __future__ import annotations

from gitmem.lazy import load
from gitmem.model.finding import Finding
from gitmem.render.notices import notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.answers.checking import Checked, Owner
    from gitmem.answers.examined import Examined
    from gitmem.answers.settings import Setting, Settings
    from gitmem.model.health import IndexHealth
    from gitmem.model.hooks import Hooks


_FORMATS = {"sarif": "gitmem.render.sarif:sarif", "markdown": "gitmem.render.request:markdown"}


def text(result: Checked) -> str:
    """In the format that was asked for; a patch is all that is printed of one."""
    if result.format == "patch":
        return (result.patch or "").removesuffix("\n")
    if result.format is not None:
        found: str = load(_FORMATS[result.format])(result)
        return found
    lines = [_line(finding) for finding in result.findings]
    if result.total > len(result.findings):
        lines.append(f"and {result.total - len(result.findings)} more; mend these first")
    lines += [f"mended: {each.path}: {each.what}" for each in result.fixed]
    lines += notes("warning", result.warnings)
    lines += [f"must approve: {_asked(each)}" for each in result.owners or ()]
    lines += [result.patch] if result.patch else []
    counts = result.counts
    if result.findings:
        found = f"{_count(counts['errors'], 'error')}, {_count(counts['warnings'], 'warning')}"
        lines.append(f"{found} in {_count(counts['files'], 'file')}")
    elif not lines or counts["files"]:
        lines.append(f"{_count(counts['files'], 'file')} checked, nothing to mend")
    return readable("\n".join(lines))


def _asked(owner: Owner) -> str:
    return f"{', '.join(owner.owners)} for {owner.path} (owners of {', '.join(owner.patterns)})"


def readable(text: str) -> str:
    """The text for a terminal: what a file could hide or do in a message is spelt out."""
    is_plain = text.replace("\n", "").isprintable()
    return text if is_plain else str(load("gitmem.text.unsafe:escape_hidden")(text))


def in_a_line(text: str) -> str:
    """The same of what must not begin another line, such as the name of a file."""
    return readable(text).replace("\n", "\\n")


def _line(finding: Finding) -> str:
    hint = f"\n  hint: {finding.hint}" if finding.hint else ""
    place = f"{finding.place}: " if finding.place else ""
    return f"{place}{finding.severity.value}: {finding.message} [{finding.code}]{hint}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def hooks(result: Hooks) -> str:
    lines = [f"hooks folder: {result.folder}"]
    lines += [f"{hook.name}: {hook.state}" for hook in result.hooks]
    gone = {hook.path for hook in result.hooks if hook.state == "absent"}
    lines += [f"{'removed' if path in gone else 'wrote'} {path}" for path in result.written]
    lines += ["set the merge driver in the Git settings of this clone"] if result.configured else []
    lines += ["took the merge driver out of the Git settings of this clone"] if result.unset else []
    lines += [f"{each.name} looks after hooks here ({each.file}); {each.advice}" for each in result.managers]
    return readable("\n".join((*lines, *notes("warning", result.warnings))))


def examined(result: Examined) -> str:
    lines = [_line(finding) for finding in result.findings] + [f"mended: {what}" for what in result.fixed]
    lines += notes("warning", result.warnings)
    rows = _index(result.index) if result.index else []
    return readable("\n".join([*(lines or ["nothing is amiss in this clone"]), *rows]))


def _index(found: IndexHealth) -> list[str]:
    """Where this runs, and how the index of the code stands against HEAD."""
    states = {"fresh": "all of HEAD is read", "behind": "some of HEAD is not read yet", "none": "nothing is read yet"}
    lines = [f"gitmem {found.gitmem} on {found.system}, Python {found.python}, in {found.root}"]
    if not found.files:
        return lines
    over = f", but for {_count(found.omitted, 'file')} over the limit" if found.omitted else ""
    lines.append(f"code: {_count(found.files, 'file')}, {found.kept} looked at; {states[found.state]}{over}")
    lines += [f"  {_count(found.changed, 'file')} changed since {found.commit[:12]}"] if found.changed else []
    for name, counts in (("skipped", found.skipped), ("not read", found.unread)):
        if counts:
            lines.append(f"  {name}: {', '.join(f'{why} {count}' for why, count in counts.items())}")
    return lines


def settings(result: Settings) -> str:
    """For ``get`` the value alone, so that a script can take it."""
    if result.action == "get":
        return readable(result.settings[0].value)
    lines = [_setting(row) for row in result.settings]
    lines += [f"wrote {result.written}"] if result.written else []
    return readable("\n".join((*lines, *notes("warning", result.warnings))))


def _setting(row: Setting) -> str:
    origin = f"  ({row.origin})" if row.origin else ""
    return f"{row.key}: {row.value}{origin}"
