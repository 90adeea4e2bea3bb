"""What a range means, as a comment on a pull request. Refuses markup, mentions and links that a repository brings."""

from collections.abc import Iterable, Sequence

from gitmem.answers.checking import Checked, Owner
from gitmem.model.effect import Effect, FileChange, Gain
from gitmem.model.finding import Finding, Severity
from gitmem.store.layout import RECORDS
from gitmem.store.repo import FOLDER
from gitmem.text.unsafe import escape_hidden

_ROWS = 20
_NAMES = 5
_TEXT_CHARS = 300
# Hosts refuse comments over 65,536 characters.
_COMMENT_CHARS = 60_000
# By it a later run finds the comment that it replaces.
MARK = "<!-- gitmem check -->"


def markdown(result: Checked) -> str:
    effect = result.effect
    parts = [MARK, _head(result)]
    if effect is not None:
        parts += [*_rules(effect), *_contradictions(effect)]
    parts += [*_owners(result.owners or ()), *_findings(result)]
    parts += [*_notes(result)]
    text = escape_hidden("\n\n".join(parts))
    if len(text) <= _COMMENT_CHARS:
        return text
    kept = text[:_COMMENT_CHARS].rpartition("\n")[0]
    return f"{kept}\n\nThe rest is cut: see `gitmem check --range A...B`."


def _head(result: Checked) -> str:
    counts, effect = result.counts, result.effect
    verdict = "must be mended" if result.exit_code else "can be merged"
    lines = [f"### Knowledge: {verdict}", ""]
    found = f"{_count(counts['errors'], 'error')}, {_count(counts['warnings'], 'warning')}"
    if effect is not None:
        known, records = _known(effect)
        rows = [f"{sum(f.change == kind for f in known)} {kind}" for kind in dict.fromkeys(f.change for f in known)]
        changes = ", ".join([*rows, *([_count(records, "record")] if records else [])])
        more = "" if effect.files_total == len(effect.files) else f" of {effect.files_total}"
        grown = effect.tokens.after - effect.tokens.before
        lines.append(f"{changes or 'no files'}{more} - {grown:+,} tokens - {found}")
    else:
        lines.append(found)
    return "\n".join(lines)


def _known(effect: Effect) -> tuple[list[FileChange], int]:
    """The files of knowledge, and how many record decisions on it."""
    known = [each for each in effect.files if each.path.removeprefix(f"{FOLDER}/").partition("/")[0] not in RECORDS]
    return known, len(effect.files) - len(known)


def _rules(effect: Effect) -> Iterable[str]:
    """Which rules appear and disappear, with the files that get or lose them."""
    rules = effect.rules
    for title, gains, total in (
        ("Rules that appear", rules.gained, rules.gained_total),
        ("Rules that disappear", rules.lost, rules.lost_total),
    ):
        if gains:
            yield _section(title, _by_rule(gains), total - len(gains))
    if effect.commands:
        rows = [f"{code(row.slug)} {row.change} for {code(row.command)}" for row in effect.commands]
        yield _section("Commands", rows)
    if effect.unmatched:
        rows = [f"{code(row.slug)}: no file matches {code(row.pattern)} yet" for row in effect.unmatched]
        yield _section("Waiting for files", rows)


def _by_rule(gains: Sequence[Gain]) -> list[str]:
    files: dict[str, list[str]] = {}
    for gain in gains:
        files.setdefault(gain.slug, []).append(gain.file)
    return [f"{code(slug)} on {_names(paths)}" for slug, paths in sorted(files.items())]


def _contradictions(effect: Effect) -> Iterable[str]:
    if effect.contradicts:
        pairs = {(row.item, row.other): row for row in reversed(effect.contradicts)}
        rows = [
            f"{code(row.slug)} says {code(row.mine)}, {code(row.other_slug)} says {code(row.theirs)}"
            for row in reversed(pairs.values())
        ]
        yield _section("Contradictions", rows)
    if effect.alike:
        rows = [f"{code(r.slug)} shares {r.percent} % with {code(r.other_slug)}" for r in effect.alike]
        yield _section("Alike", rows)


def _owners(owners: Sequence[Owner]) -> Iterable[str]:
    """Names in code: the host is asked by the owner file itself, a comment need not call everybody again."""
    if owners:
        rows = [f"{_names(each.owners)} for {code(each.path)} (owners of {_names(each.patterns)})" for each in owners]
        yield _section("Must approve", rows)


def _findings(result: Checked) -> Iterable[str]:
    if result.findings:
        rows = [_finding(each) for each in result.findings]
        yield _section("Findings", rows, result.total - len(result.findings))


def _finding(finding: Finding) -> str:
    sign = "**error**" if finding.severity is Severity.ERROR else "warning"
    hint = f" - {plain(finding.hint)}" if finding.hint else ""
    return f"{sign} {code(finding.place)}: {plain(finding.message)} ({code(finding.code)}){hint}"


def _notes(result: Checked) -> Iterable[str]:
    notices = [*result.warnings, *(result.effect.notices if result.effect else ())]
    if notices:
        yield _section("Notes", [f"{plain(each.message)} ({code(each.code)})" for each in notices])
    if result.patch:
        yield "The record can be mended: `gitmem check --range A...B --fix --format patch | git apply`"


def _section(title: str, rows: Sequence[str], unlisted: int = 0) -> str:
    """A bounded list; long ones are folded away."""
    hidden = max(0, len(rows) - _ROWS) + unlisted
    shown = [f"- {row}" for row in rows[:_ROWS]] + ([f"- and {hidden} more"] if hidden else [])
    return "\n".join([f"#### {title}", "", *shown])


def _names(names: Sequence[str]) -> str:
    shown = ", ".join(code(name) for name in names[:_NAMES])
    return shown + (f" and {len(names) - _NAMES} more" if len(names) > _NAMES else "")


def code(text: str) -> str:
    """Text as code, which no host reads for markup; it cannot end it."""
    flat = " ".join(_short(text).replace("`", "'").split())
    return f"`{flat}`" if flat else "``(nothing)``"


def plain(text: str) -> str:
    """Text with the signs that a host would read taken out of force."""
    flat = " ".join(_short(text).split())
    escaped = "".join(f"\\{sign}" if sign in "\\`*_[]<>|~#!" else sign for sign in flat)
    return escaped.replace("@", "@<!-- -->").replace("://", ":<!-- -->//").replace("&", "&amp;")


def _short(text: str) -> str:
    return text if len(text) <= _TEXT_CHARS else text[: _TEXT_CHARS - 3] + "..."


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
