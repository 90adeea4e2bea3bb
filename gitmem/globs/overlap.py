"""Whether two patterns can match one and the same path. Refuses to look at a disk: no path need exist.

"No" is certain. "Yes" is certain but for segments in which both sides have wildcards between literal ends that fit.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from gitmem.globs.dialect import Segments, parse
from gitmem.globs.segments import Segment, matcher_of, segment_of
from gitmem.globs.syntax import Group, Literal, Tokens, joined, tokenize

_SPELLINGS_MOST = 64
_PAIRS_MOST = 10_000


@lru_cache(maxsize=4_096)
def overlap(left: str, right: str) -> bool:
    """Whether some path matches both patterns; raises GlobError."""
    mine, theirs = parse(left).sequences, parse(right).sequences
    if sum(map(len, mine)) * sum(map(len, theirs)) > _PAIRS_MOST:
        return True
    return any(_can_meet(one, other) for one in mine for other in theirs)


def _can_meet(left: Segments, right: Segments) -> bool:
    """Whether some path matches both sequences; ``row[j]`` says so of what is left of ``left`` and of ``right[j:]``."""
    row = [all(each.is_double_star for each in right[j:]) for j in range(len(right) + 1)]
    for segment in reversed(left):
        below, row = row, [False] * (len(right) + 1)
        row[-1] = segment.is_double_star and below[-1]
        for j in reversed(range(len(right))):
            if segment.is_double_star:
                row[j] = below[j] or row[j + 1]
            elif right[j].is_double_star:
                row[j] = row[j + 1] or below[j]
            else:
                row[j] = below[j + 1] and _fit(segment, right[j])
    return row[0]


@lru_cache(maxsize=4_096)
def _fit(left: Segment, right: Segment) -> bool:
    """Whether some name matches both segments."""
    if left.literal is not None and right.literal is not None:
        return left.literal == right.literal
    if left.literal is not None:
        return bool(matcher_of((right.text,)).matching(left.literal))
    if right.literal is not None:
        return bool(matcher_of((left.text,)).matching(right.literal))
    mine, theirs = _spellings(left.text), _spellings(right.text)
    if max(len(mine), len(theirs)) == _SPELLINGS_MOST:
        return True
    return any(_ends_fit(one, other) for one in mine for other in theirs)


def _ends_fit(left: Tokens, right: Tokens) -> bool:
    """Whether two spellings agree at both ends, which is all that is asked where both have wildcards between."""
    one, other = segment_of(left), segment_of(right)
    if one.literal is not None or other.literal is not None:
        return _fit(one, other)
    (head, tail), (other_head, other_tail) = _ends(left), _ends(right)
    heads = head.startswith(other_head) or other_head.startswith(head)
    return heads and (tail.endswith(other_tail) or other_tail.endswith(tail))


def _ends(tokens: Tokens) -> tuple[str, str]:
    first, last = tokens[0], tokens[-1]
    return first.text if isinstance(first, Literal) else "", last.text if isinstance(last, Literal) else ""


def _spellings(text: str) -> list[Tokens]:
    """The segment once for each choice of its alternatives that leaves a name, at most ``_SPELLINGS_MOST``."""
    chosen = (joined(tokens) for tokens in _chosen(tokenize(text)) if tokens)
    return list(islice(chosen, _SPELLINGS_MOST))


def _chosen(tokens: Tokens) -> Iterator[Tokens]:
    at = next((n for n, token in enumerate(tokens) if isinstance(token, Group)), len(tokens))
    group = tokens[at] if at < len(tokens) else None
    if not isinstance(group, Group):
        yield tokens
        return
    for alternative in group.alternatives:
        yield from _chosen((*tokens[:at], *alternative, *tokens[at + 1 :]))
