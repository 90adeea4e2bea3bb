"""Findings, Git hooks and settings as a reader sees them: places first, as compilers print them. Refuses colours."""

from gitmem.answers.checking import Checked
from gitmem.model.finding import Finding
from gitmem.render.notices import notes


def text(result: Checked) -> str:
    lines = [_line(finding) for finding in result.findings]
    lines += [f"mended: {each.path}: {each.what}" for each in result.fixed]
    lines += notes("warning", result.warnings)
    counts = result.counts
    if result.findings:
        found = f"{_count(counts['errors'], 'error')}, {_count(counts['warnings'], 'warning')}"
        lines.append(f"{found} in {_count(counts['files'], 'file')}")
    elif counts["files"]:
        lines.append(f"{_count(counts['files'], 'file')} checked, nothing to mend")
    return "\n".join(lines)


def _line(finding: Finding) -> str:
    hint = f"\n  hint: {finding.hint}" if finding.hint else ""
    return f"{finding.place}: {finding.severity.value}: {finding.message} [{finding.code}]{hint}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
