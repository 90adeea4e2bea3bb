"""The one glob dialect: what a pattern means, how specific it is, foreign patterns in its terms. Refuses the disk."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import prod

from gitmem.globs.paths import PathMatcher, segments_of
from gitmem.globs.segments import Segment, segment_of
from gitmem.globs.syntax import PATTERN_MAX, GlobError, Group, Slash, Token, Tokens, Wild, joined, tokenize
from gitmem.record import record

__all__ = [
    "ALTERNATIVES_MAX",
    "Glob",
    "GlobError",
    "alternatives",
    "from_gitignore",
    "from_vscode",
    "literal_prefix",
    "matches",
    "parse",
    "specificity",
]

ALTERNATIVES_MAX = 1_000
_TOKENS_MAX = 1_000_000
_DOUBLE_STAR = segment_of((Wild.DOUBLE,))
_NOT_IN_EXTENSIONS = str.maketrans("", "", "{},_")
# A segment of plain characters with at most one star.
_PLAIN = r"(?:[^*?\[\]{},\\/\0]+(?:\*[^*?\[\]{},\\/\0]*)?|\*[^*?\[\]{},\\/\0]*)"
# Compiled by the first parse: a compile from the cache parses nothing.
_USUAL = rf"(?:\*\*|{_PLAIN})(?:/(?:\*\*|{_PLAIN}))*"

Segments = tuple[Segment, ...]


@record
class Glob:
    """A pattern and the sequences of segments that it stands for: more than one only when braces hold a slash."""

    pattern: str
    sequences: tuple[Segments, ...]


@lru_cache(maxsize=32_768)
def parse(pattern: str) -> Glob:
    """Reads a pattern; raises GlobError with the position of what is wrong."""
    usual = _usual(pattern)
    if usual is not None:
        return Glob(pattern, (usual,))
    return _parsed(pattern)


def _usual(pattern: str) -> Segments | None:
    """The one sequence of a pattern without braces, classes and escapes; None for one that takes a closer look."""
    if len(pattern) > PATTERN_MAX or not re.fullmatch(_USUAL, pattern):
        return None
    segments = [_segment(text) for text in pattern.split("/")]
    if any(segment.literal in (".", "..") for segment in segments):
        return None
    return _with_single_double_stars(segments)


@lru_cache(maxsize=8_192)
def _segment(text: str) -> Segment:
    return segment_of(tokenize(text))


def _parsed(pattern: str) -> Glob:
    tokens = tokenize(pattern)
    count = _count(tokens)
    if count > ALTERNATIVES_MAX or count * len(tokens) > _TOKENS_MAX:
        raise _too_many(pattern)
    sequences = [sequence for path in _unrolled(tokens) for sequence in _sequences(pattern, path)]
    if not sequences:
        raise GlobError("only empty segments", pattern, 0, hint="give each alternative a name or a wildcard")
    if len(sequences) > ALTERNATIVES_MAX:
        raise _too_many(pattern)
    return Glob(pattern, tuple(dict.fromkeys(sequences)))


def matches(pattern: str, path: str) -> bool:
    """Whether a pattern matches a repo-relative POSIX path, in time linear in the path; raises GlobError."""
    return bool(_matcher(pattern).matching(segments_of(path)))


def specificity(pattern: str) -> int:
    """2 for each literal segment, 1 for each with a wildcard, 0 for ``**``; of several alternatives the highest."""
    return max(sum(_weight(segment) for segment in sequence) for sequence in parse(pattern).sequences)


def literal_prefix(pattern: str) -> tuple[str, ...]:
    """The names with which every path that matches starts, as far as all alternatives agree."""
    first, *others = (literal_names(sequence) for sequence in parse(pattern).sequences)
    for names in others:
        agreed = (n for n, pair in enumerate(zip(first, names, strict=False)) if pair[0] != pair[1])
        first = first[: next(agreed, min(len(first), len(names)))]
    return first


def literal_names(sequence: Segments) -> tuple[str, ...]:
    """The names of the literal segments at the start of a sequence."""
    names = []
    for segment in sequence:
        if segment.literal is None:
            break
        names.append(segment.literal)
    return tuple(names)


def alternatives(glob: Glob) -> tuple[tuple[str, ...], ...]:
    """The segments of each sequence in pattern form."""
    return tuple(tuple(segment.text for segment in sequence) for sequence in glob.sequences)


@lru_cache(maxsize=4_096)
def _matcher(pattern: str) -> PathMatcher:
    return PathMatcher(parse(pattern).sequences)


def _weight(segment: Segment) -> int:
    if segment.literal is not None:
        return 2
    return 0 if segment.is_double_star else 1


def _too_many(pattern: str) -> GlobError:
    position = pattern.find("{")
    return GlobError(
        f"more than {ALTERNATIVES_MAX} alternatives with a slash",
        pattern,
        position,
        hint="split it into several patterns",
    )


def _count(tokens: Tokens) -> int:
    """How many token sequences ``_unrolled`` would give."""
    groups = (token for token in tokens if isinstance(token, Group) and token.has_slash)
    return prod(sum(_count(each) for each in group.alternatives) for group in groups)


def _unrolled(tokens: Tokens) -> list[Tokens]:
    """The token sequences without groups that hold a slash, in the order of the alternatives."""
    paths: list[list[Token]] = [[]]
    for token in tokens:
        if isinstance(token, Group) and token.has_slash:
            choices = [path for each in token.alternatives for path in _unrolled(each)]
            paths = [[*path, *choice] for path in paths for choice in choices]
        else:
            for path in paths:
                path.append(token)
    return [tuple(path) for path in paths]


def _sequences(pattern: str, path: Tokens) -> list[Segments]:
    """The sequences that a path of tokens stands for; none when each choice of alternatives leaves a segment empty."""
    parts = _split(path)
    sequences: list[list[Segment]] = [[]]
    for number, (start, tokens) in enumerate(parts):
        choices = _choices(tokens, _when_empty(number, len(parts)))
        if any(segment.literal in (".", "..") for choice in choices for segment in choice):
            raise GlobError("a segment . or ..", pattern, start, hint="patterns start at the repository's root")
        if len(choices) == 1:
            for sequence in sequences:
                sequence.extend(choices[0])
        else:
            sequences = [[*sequence, *choice] for sequence in sequences for choice in choices]
        if len(sequences) > ALTERNATIVES_MAX:
            raise _too_many(pattern)
    return [_with_single_double_stars(sequence) for sequence in sequences]


def _split(path: Tokens) -> list[tuple[int, list[Token]]]:
    """The tokens of each segment, and where it starts."""
    parts: list[tuple[int, list[Token]]] = [(0, [])]
    for token in path:
        if isinstance(token, Slash):
            parts.append((token.position + 1, []))
        else:
            parts[-1][1].append(token)
    return parts


def _when_empty(number: int, count: int) -> list[Segments]:
    """What an empty segment means: before the first slash the root, behind the last ``**``, elsewhere nothing."""
    if count == 1:
        return []
    if number == 0:
        return [()]
    return [(_DOUBLE_STAR,)] if number == count - 1 else []


def _choices(tokens: Sequence[Token], when_empty: list[Segments]) -> list[Segments]:
    """The segment that tokens make, and what else it may be once a side of each group is chosen."""
    if not tokens:
        return when_empty
    segment = segment_of(joined(tokens))
    if segment.literal is not None or segment.is_double_star:
        return [(segment,)]
    reduction = _reduction(tokens)
    as_double_star: list[Segments] = [(_DOUBLE_STAR,)] if reduction.to_double_star else []
    return [(segment,), *as_double_star, *(when_empty if reduction.to_nothing else [])]


def _with_single_double_stars(segments: Iterable[Segment]) -> Segments:
    kept: list[Segment] = []
    for segment in segments:
        if not (segment.is_double_star and kept and kept[-1].is_double_star):
            kept.append(segment)
    return tuple(kept)


@record
class _Reduction:
    """What a choice of alternatives can reduce tokens to: nothing at all, two stars alone."""

    to_nothing: bool
    to_double_star: bool


def _reduction(tokens: Iterable[Token]) -> _Reduction:
    """``{**,a}`` can be a whole segment ``**`` without being written as one."""
    to_nothing, to_double_star = True, False
    for token in tokens:
        if isinstance(token, Group):
            each = [_reduction(alternative) for alternative in token.alternatives]
            found = _Reduction(any(e.to_nothing for e in each), any(e.to_double_star for e in each))
        else:
            found = _Reduction(to_nothing=False, to_double_star=token is Wild.DOUBLE)
        to_double_star = (to_double_star and found.to_nothing) or (to_nothing and found.to_double_star)
        to_nothing = to_nothing and found.to_nothing
    return _Reduction(to_nothing, to_double_star)


def from_gitignore(pattern: str) -> str:
    """The pattern that means what ``pattern`` means in a gitignore-like file.

    A name without a slash holds at any depth, and what names a folder holds for all below it. Whether a name is a
    folder is not known here: a last segment with an extension (``*.py``, ``README.md``) is taken for a file. Braces
    are alternatives, as in the rule files of editors; Git's own ignore files have none.
    """
    line = _positive(_without_end_blanks(pattern))
    if line.startswith("#"):
        raise GlobError("a comment", pattern, 0, hint="escape the sign if the name starts with it: \\#")
    body = _with_our_classes(line)
    name = body.removeprefix("/").removesuffix("/")
    if not name:
        raise GlobError("nothing", pattern, 0, hint="write * for every file")
    last = name.rpartition("/")[2]
    rewritten = name if "/" in body[:-1] else f"**/{name}"
    if last == "**" or name == "*":
        rewritten = name if last == "**" else "**"
    elif body.endswith("/") or not _has_extension(last):
        rewritten += "/**"
    return parse(rewritten).pattern


def from_vscode(pattern: str) -> str:
    """The pattern that means what ``pattern`` means to Copilot (``applyTo``) and Cursor (``globs``).

    A pattern without a slash holds at any depth there, ``*`` for every file. One with a slash starts at the root, as
    GitHub documents it; the editor itself would also try it at any depth, which its documentation does not promise.
    """
    body = _with_our_classes(_positive(pattern.strip())).removeprefix("./")
    if body in ("*", "**", "**/*"):
        return "**"
    return parse(f"**/{body}" if body and "/" not in body else body).pattern


def _positive(pattern: str) -> str:
    if pattern.startswith("!"):
        raise GlobError("a negation", pattern, 0, hint="list it as an exception: scope.except")
    return pattern


def _without_end_blanks(line: str) -> str:
    kept = line.rstrip(" ")
    is_escaped = (len(kept) - len(kept.rstrip("\\"))) % 2 == 1
    return line[: len(kept) + 1] if is_escaped else kept


def _with_our_classes(pattern: str) -> str:
    """``[^a]`` as ``[!a]``, and a bracket at the start of a class escaped."""
    pieces: list[str] = []
    at = 0
    while at < len(pattern):
        is_class = pattern[at] == "["
        end = _class_end(pattern, at) if is_class else at + 1 + (pattern[at] == "\\")
        pieces.append(_our_class(pattern[at:end]) if is_class else pattern[at:end])
        at = end
    return "".join(pieces)


def _class_end(pattern: str, opened: int) -> int:
    at = opened + 1
    at += pattern.startswith(("!", "^"), at)
    at += pattern.startswith("]", at)
    while at < len(pattern) and pattern[at] != "]":
        at += 1 + (pattern[at] == "\\")
    return at + 1


def _our_class(written: str) -> str:
    negation = "!" if written.startswith(("[!", "[^")) else ""
    members = written[1 + len(negation) :]
    escape = "\\" if members.startswith("]") and len(members) > 1 else ""
    return f"[{negation}{escape}{members}"


def _has_extension(name: str) -> bool:
    stem, _, extension = name.rpartition(".")
    letters = extension.translate(_NOT_IN_EXTENSIONS)
    return bool(stem) and letters[:1].isalpha() and letters.isalnum()
