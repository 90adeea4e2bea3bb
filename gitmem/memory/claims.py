"""Whether what an engram rests on is still so, judged from the lines of files. Refuses to open one."""

from collections.abc import Iterable, Sequence

from gitmem.checks.claims import fault
from gitmem.model.claimed import DRIFTED, GONE, HOLDS, MOVED, UNKNOWN
from gitmem.model.engram import Claim
from gitmem.record import record
from gitmem.text.spans import Span, digest_of, folded, is_digest, places, span_of

# Text of less than this many bytes is no evidence when it turns up elsewhere: every file has a line that says "}".
_TELLING_BYTES = 24
# Lines that a search for one span may hash: a tenth of a second at the most.
_STEPS = 50_000
_LOOKED_FOR_NUL = 8000


@record
class Sight:
    """What is at a path: the folded lines of a file, or in ``why`` the reason why it has none."""

    lines: Sequence[bytes] = ()
    why: str = ""
    is_binary: bool = False


@record
class Found:
    """``path``, ``lines`` and ``symbol`` say where the text is now, '' where nothing changed; ``why`` what keeps it
    unknown."""

    state: str
    path: str = ""
    lines: str = ""
    why: str = ""
    symbol: str = ""


def sight_of(data: bytes) -> Sight:
    """A binary file is one line, taken as it is."""
    if b"\0" in data[:_LOOKED_FOR_NUL]:
        return Sight((data,), is_binary=True)
    return Sight(folded(data))


def unjudged(claim: Claim) -> Found | None:
    """What no file can answer; None when one has to be looked at."""
    if fault(claim) is not None:
        return Found(UNKNOWN, why="malformed")
    if not claim.digest:
        return Found(UNKNOWN, why="no-hash")
    return None if is_digest(claim.digest) or claim.symbol else Found(UNKNOWN, why="symbol")


def here(claim: Claim, sight: Sight) -> Found:
    """The state of a claim whose file is there."""
    if sight.why or (sight.is_binary and claim.lines):
        return Found(UNKNOWN, why=sight.why or "binary")
    span = span_of(claim.lines)
    if span is None:
        return Found(HOLDS if digest_of(sight.lines) == claim.digest else DRIFTED)
    if digest_of(sight.lines[span.start - 1 : span.end]) == claim.digest:
        return Found(HOLDS)
    found = _nearest(claim, span, sight.lines)
    if not isinstance(found, Span):
        return found or Found(DRIFTED)
    return Found(HOLDS if found.start == span.start else MOVED, lines=str(found))


def elsewhere(claim: Claim, others: Iterable[tuple[str, Sight]]) -> Found:
    """The state of a claim whose file is not there: moved to the first of the other files with the same text."""
    span = span_of(claim.lines)
    for path, sight in others:
        if sight.why or (sight.is_binary and span):
            continue
        if span is None:
            if digest_of(sight.lines) == claim.digest and _is_telling(sight.lines):
                return Found(MOVED, path)
            continue
        found = _nearest(claim, span, sight.lines)
        if isinstance(found, Span) and _is_telling(sight.lines[found.start - 1 : found.end]):
            return Found(MOVED, path, str(found))
    return Found(GONE)


def _nearest(claim: Claim, span: Span, lines: Sequence[bytes]) -> Span | Found | None:
    """Where the text is in a file: the only place, or the nearest of several when the text is no commonplace."""
    seen = list(places(lines, claim.digest, span.end - span.start + 1, _STEPS))
    if seen and seen[-1] is None:
        return Found(UNKNOWN, why="search")
    found = [each for each in seen if each is not None]
    if len(found) > 1 and not _is_telling(lines[found[0].start - 1 : found[0].end]):
        return None
    return min(found, key=lambda each: (abs(each.start - span.start), each.start), default=None)


def _is_telling(lines: Sequence[bytes]) -> bool:
    return sum(map(len, lines)) >= _TELLING_BYTES
