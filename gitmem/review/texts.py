"""Three texts merged line by line, the same whichever side comes first. Refuses to know keys and files."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from gitmem.review.outcome import Clash, Piece

# A stretch without a unique common line is compared line by line up to this product of line counts; beyond it, and
# once a text has cost its share of steps, what is left counts as changed as a whole.
_COMPARED_MAX = 250_000
_STEPS_MIN = 2_000_000
_STEPS_A_LINE = 40

Lines = Sequence[str]


def merge_texts(base: str, ours: str, theirs: str, field: str) -> list[Piece]:
    """Merges texts of whole lines: each line that is there ends with a line feed, an empty text has none."""
    if ours == theirs or base == theirs:
        return [ours]
    if base == ours:
        return [theirs]
    pieces: list[Piece] = []
    for b, o, t in _chunks(_lines(base), _lines(ours), _lines(theirs)):
        pieces += _settled(b, o, t, field)
    return pieces


def is_clean(pieces: Sequence[Piece]) -> bool:
    return all(isinstance(each, str) for each in pieces)


def merge_comments(base: str, ours: str, theirs: str) -> str:
    """Merges lines that no value depends on: never a conflict, at worst in another order."""
    pieces = merge_texts(base, ours, theirs, "")
    if is_clean(pieces):
        return "".join(map(str, pieces))
    lines = merge_sets(*([line for line in _lines(text) if line.strip()] for text in (base, ours, theirs)))
    return "".join(lines)


def merge_sets(base: Lines, ours: Lines, theirs: Lines) -> list[str]:
    """The order of the base less what a side removed, then what a side added, sorted by bytes."""
    in_ours, in_theirs, in_base = set(ours), set(theirs), set(base)
    kept = [each for each in dict.fromkeys(base) if each in in_ours and each in in_theirs]
    return kept + sorted((in_ours | in_theirs) - in_base, key=str.encode)


def _lines(text: str) -> list[str]:
    return [line + "\n" for line in text.split("\n")[:-1]]


def _chunks(base: Lines, ours: Lines, theirs: Lines) -> Iterator[tuple[Lines, Lines, Lines]]:
    """The texts cut at the lines that both sides kept; each such line is a chunk of its own."""
    left, right = _matched(base, ours), _matched(base, theirs)
    b = o = t = 0
    for at, line in enumerate(base):
        if left[at] < 0 or right[at] < 0:
            continue
        yield base[b:at], ours[o : left[at]], theirs[t : right[at]]
        yield (line,), (line,), (line,)
        b, o, t = at + 1, left[at] + 1, right[at] + 1
    yield base[b:], ours[o:], theirs[t:]


def _settled(base: Lines, ours: Lines, theirs: Lines, field: str) -> Iterator[Piece]:
    if ours == theirs or base == theirs:
        yield "".join(ours)
    elif base == ours:
        yield "".join(theirs)
    else:
        head = _common(ours, theirs)
        tail = _common(ours[head:][::-1], theirs[head:][::-1])
        mine, yours = "".join(ours[head : len(ours) - tail]), "".join(theirs[head : len(theirs) - tail])
        yield "".join(ours[:head])
        yield Clash(field, "".join(base), mine, yours, mine, yours)
        yield "".join(ours[len(ours) - tail :])


def _common(left: Lines, right: Lines) -> int:
    count = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        count += 1
    return count


def _matched(old: Lines, new: Lines) -> list[int]:
    """For each line of ``old`` its place in ``new``, -1 when it is gone; places only grow."""
    places = [-1] * len(old)
    steps = _STEPS_MIN + _STEPS_A_LINE * (len(old) + len(new))
    windows = [(0, len(old), 0, len(new))]
    while windows and steps > 0:
        a, a_end, b, b_end = windows.pop()
        steps -= a_end - a + b_end - b
        head = _common(old[a:a_end], new[b:b_end])
        tail = _common(old[a + head : a_end][::-1], new[b + head : b_end][::-1])
        places[a : a + head] = range(b, b + head)
        places[a_end - tail : a_end] = range(b_end - tail, b_end)
        a, a_end, b, b_end = a + head, a_end - tail, b + head, b_end - tail
        anchors = _anchors(old[a:a_end], new[b:b_end]) if a < a_end and b < b_end else []
        product = (a_end - a) * (b_end - b)
        if not anchors and 0 < product <= _COMPARED_MAX:
            steps -= product
            _compare(places, old[a:a_end], new[b:b_end], (a, b))
        for one, other in anchors:
            places[a + one] = b + other
        corners = [(-1, -1), *anchors, (a_end - a, b_end - b)] if anchors else []
        windows += [(a + i + 1, a + k, b + j + 1, b + m) for (i, j), (k, m) in pairwise(corners)]
    return places


def _compare(places: list[int], old: Lines, new: Lines, offset: tuple[int, int]) -> None:
    a, b = offset
    for i, j, size in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
        places[a + i : a + i + size] = range(b + j, b + j + size)


def _anchors(old: Lines, new: Lines) -> list[tuple[int, int]]:
    """Pairs of places of lines that both have exactly once, the most of them that are in the same order in both."""
    in_old, in_new = Counter(old), Counter(new)
    place = {line: at for at, line in enumerate(new) if in_new[line] == 1}
    pairs = [(at, place[line]) for at, line in enumerate(old) if in_old[line] == 1 and line in place]
    tops: list[int] = []
    chain: list[int] = []
    before = [-1] * len(pairs)
    for at, (_, other) in enumerate(pairs):
        length = bisect_left(tops, other)
        before[at] = chain[length - 1] if length else -1
        tops[length : length + 1] = [other]
        chain[length : length + 1] = [at]
    return _chain(pairs, before, chain)


def _chain(pairs: list[tuple[int, int]], before: list[int], tops: list[int]) -> list[tuple[int, int]]:
    at = tops[-1] if tops else -1
    found = []
    while at >= 0:
        found.append(pairs[at])
        at = before[at]
    return found[::-1]
