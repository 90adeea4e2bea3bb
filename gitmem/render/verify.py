"""A verdict as a reader sees it: places first, as compilers print them. Refuses colours."""

from __future__ import annotations

from gitmem.lazy import load
from gitmem.model.claimed import Drift
from gitmem.model.verified import FAIL, NOTHING, Unjudged, Verified, Violation
from gitmem.render.checked import in_a_line, readable
from gitmem.render.notices import first_notes

_FORMATS = {"sarif": "gitmem.render.sarif:of_verdict", "markdown": "gitmem.render.verify_markdown:markdown"}
_TESTS_SHOWN = 10


def text(result: Verified) -> str:
    if result.format is not None:
        found: str = load(_FORMATS[result.format])(result)
        return found
    lines = [*_last(result), *(_line(each) for each in result.violations)]
    if result.total > len(result.violations):
        lines.append(f"and {result.total - len(result.violations)} more; mend these first")
    lines += [_skipped(each) for each in result.skipped]
    if result.skipped_total > len(result.skipped):
        lines.append(f"not judged: {result.skipped_total - len(result.skipped)} more")
    lines += [_drifted(each) for each in result.drifted]
    tests = result.affected_tests[:_TESTS_SHOWN]
    lines += [in_a_line(f"run first: {each.path} ({each.reasons[0]})") for each in tests]
    lines += first_notes("warning", result.warnings)
    lines.append(_verdict(result))
    return readable("\n".join(lines))


def _last(result: Verified) -> list[str]:
    last = result.last
    lines = [f"verdicts removed: {result.pruned}"] if result.pruned is not None else []
    if last is not None:
        lines.append(f"last verdict ({last.source}, {last.when}): {'holds' if last.holds else f'stale: {last.why}'}")
    return lines


def _drifted(each: Drift) -> str:
    lines = f":{each.lines}" if each.lines else ""
    settle = "".join(f"\n    {command}" for command in each.next_)
    rests = f"{each.path}{lines}: what {each.slug} rests on is {each.after} with this change; settle it by one of"
    return f"{in_a_line(rests)}{settle}"


def _line(each: Violation) -> str:
    found = in_a_line(f"{each.place}: {each.check}: {each.evidence} [{each.slug}]")
    return f"{found}\n  hint: {in_a_line(each.hint)}"


def _skipped(each: Unjudged) -> str:
    return in_a_line(f"not judged: {each.path}{f' ({each.check})' if each.check else ''}: {each.reason}")


def _verdict(result: Verified) -> str:
    counts = result.counts
    if not counts:
        return "no verdict yet"
    if result.verdict == NOTHING and not counts["files"]:
        return "nothing to check: the change is empty"
    if result.verdict == NOTHING:
        return f"nothing to check: no rule with a verify block concerns {_count(counts['files'], 'file')}"
    found = _count(result.total, "violation") if result.verdict == FAIL else "no violation"
    judged = f"{_count(counts['judged'], 'file')} judged by {_count(counts['rules'], 'rule')}"
    return f"{result.verdict}: {found}; {judged}{', not in full' if result.skipped_total else ''}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
