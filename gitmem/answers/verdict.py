"""What a check found, with each finding brought to its line. Refuses to find anything itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from gitmem.checks.spotted import Spotted, placed
from gitmem.model.finding import Finding, Notice
from gitmem.record import record, replace
from gitmem.store.repo import FOLDER


@record
class Verdict:
    """``files`` counts those that were judged; paths of the findings are repo-relative."""

    findings: tuple[Finding, ...] = ()
    files: int = 0
    warnings: tuple[Notice, ...] = ()


def at_lines(spotted: Iterable[Spotted], texts_of: Callable[[list[str]], dict[str, str]]) -> list[Finding]:
    """``texts_of`` gives the texts of files by path below ``.gitmem``, in one go; a missing one leaves line 0."""
    found = list(spotted)
    texts = texts_of(sorted({each.finding.path for each in found if each.key}))
    return [placed(each, texts.get(each.finding.path, "")) for each in found]


def in_repository(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The same findings with repo-relative paths; ``.gitmem`` itself may be the file."""
    return tuple(replace(f, path=f"{FOLDER}/{f.path}" if f.path != FOLDER else FOLDER) for f in findings)
