"""Reads what of the code was not read yet. Refuses to stop half way without keeping what it has."""

from __future__ import annotations

from gitmem.answers import coding
from gitmem.answers.session import Session
from gitmem.model.finding import Notice
from gitmem.record import record


@record
class IndexCall:
    at: str = ""
    max_files: int = 0


@record
class SkippedFile:
    path: str
    reason: str


@record
class Indexed:
    """``parsed`` were read now, ``reused`` are known by the id of their bytes; ``omitted`` lie over the limit of files,
    which makes the index ``truncated``. ``fallback`` were read by line patterns, as their grammar does not load."""

    files: int
    parsed: int
    reused: int
    skipped: tuple[SkippedFile, ...]
    truncated: bool
    omitted: int = 0
    fallback: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()


def index(session: Session, call: IndexCall) -> Indexed:
    """For as long as it takes."""
    graph = coding.read(session, call.at, call.max_files, lambda: True)
    atlas, counted = graph.atlas, graph.counted
    return Indexed(
        files=counted.files,
        parsed=counted.parsed,
        reused=counted.reused,
        skipped=tuple(SkippedFile(path, why) for path, why in atlas.skipped),
        truncated=atlas.omitted > 0,
        omitted=atlas.omitted,
        fallback=tuple(atlas.plain),
        notices=tuple(each for each in graph.notices if each.code != "files-skipped"),
    )
