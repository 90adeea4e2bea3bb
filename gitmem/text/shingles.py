"""How alike two texts are: shingles, their Jaccard index, sketches that find near texts by key, a hash of the wording.

Refuses to decide what alike means: numbers leave as whole numbers, and whoever asks compares them.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise

from gitmem.text.fences import code_lines
from gitmem.text.words import terms

SKETCH_SIZE = 48
BAND_ROWS = 2

# Every word is a shingle, but one pair of neighbours in three. Pairs tell texts apart that use the same few words in
# another order; all of them would hide a rule that was only said in other words (4 of 10 such pairs below 0.3, not 2).
_PAIRS_SAMPLED = 3
_ODD = 0x9E3779B97F4A7C15
_WORD = (1 << 64) - 1
_VALUE = (1 << 32) - 1

_INDENTED = r"(?: {4}| {0,3}\t)[ \t]*\S"
_MARKED = r" {0,3}([-*+]|#{1,6}|>|\d{1,9}[.)])(?=\s|$)"
_CODE_SPAN = r"(?<!`)`++([^`]++)`++"
_EMPHASIS = r"(?<![\w*])(\*{1,3})(?=[^\s*])([^*]*+)(?<=[^\s*])\1(?![\w*])"


def shingles(text: str) -> frozenset[int]:
    """The 64-bit hashes of the terms of ``text`` and of a fixed third of the pairs of terms that follow each other."""
    found = terms(text)
    hashes = [_digest(term) for term in found]
    pairs = {_mixed(first * _ODD + second) for first, second in pairwise(hashes)}
    return frozenset(hashes).union(pair for pair in pairs if pair % _PAIRS_SAMPLED == 0)


def jaccard(left: frozenset[int], right: frozenset[int]) -> tuple[int, int]:
    """(shared, all): the size of the intersection and of the union; (0, 1) when both are empty."""
    shared = len(left & right)
    return shared, len(left) + len(right) - shared or 1


def sketch(text: str) -> tuple[int, ...]:
    """``SKETCH_SIZE`` 32-bit numbers of which two texts share about as many as they share shingles; () without terms.

    One-permutation MinHash, empty bins filled from others (Li, Owen, Zhang 2012; Shrivastava 2017).
    """
    return sketch_of(shingles(text))


def sketch_of(found: frozenset[int]) -> tuple[int, ...]:
    """The sketch of a text whose shingles are at hand."""
    if not found:
        return ()
    least: list[int] = [-1] * SKETCH_SIZE
    for shingle in found:
        place, value = shingle % SKETCH_SIZE, shingle // SKETCH_SIZE
        if least[place] < 0 or value < least[place]:
            least[place] = value
    return tuple(next(least[at] for at in walk if least[at] >= 0) & _VALUE for walk in _walks())


def bands(numbers: Sequence[int]) -> list[str]:
    """The keys of a sketch: texts that share one are worth comparing.

    A text with Jaccard index 0.3 shares one with 90 % probability, with 0.4 with 98 %, with 0.7 always (1 in 10^7).
    """
    keys = []
    for start in range(0, len(numbers), BAND_ROWS):
        key = start
        for number in numbers[start : start + BAND_ROWS]:
            key = _mixed(key * _ODD + number)
        keys.append(f"{key & _VALUE:08x}")
    return keys


def text_hash(text: str) -> str:
    """32 hexadecimal digits, equal for texts that differ only in their dress.

    Dress is wrapping, blank lines, line ends, letter case outside code, emphasis with stars, the look of bullets and
    headings, a last full stop. Other signs, order, accents and all of code count: of two equal texts one is dropped.
    """
    canonical = "\n".join(_blocks(text))
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()[:32]


@lru_cache(maxsize=32_768)
def _digest(term: str) -> int:
    return int.from_bytes(hashlib.blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def _mixed(number: int) -> int:
    """The finalizer of MurmurHash3: each bit of the number changes half of the bits of the result."""
    number &= _WORD
    number = (number ^ number >> 33) * 0xFF51AFD7ED558CCD & _WORD
    number = (number ^ number >> 33) * 0xC4CEB9FE1A85EC53 & _WORD
    return number ^ number >> 33


@cache
def _walks() -> list[list[int]]:
    """For each bin all bins, itself first: the order in which an empty one looks for a value, alike for all texts."""
    return [_walk_from(start) for start in range(SKETCH_SIZE)]


def _walk_from(start: int) -> list[int]:
    return sorted(range(SKETCH_SIZE), key=lambda at: (at != start, _mixed(start << 32 | at)))


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source)


def _blocks(text: str) -> Iterator[str]:
    """Code line by line behind a tab, and between it paragraphs, headings and items on one line each, undressed."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    block: list[str] = []
    for line, is_code in zip(lines, code_lines(lines), strict=True):
        is_verbatim = is_code or bool(_pattern(_INDENTED).match(line))
        mark = "" if is_verbatim else _mark(line)
        is_border = is_verbatim or mark or not line.strip() or block[:1] == ["#"]
        if block and is_border:
            yield _undressed(block)
            block = []
        if is_verbatim:
            yield f"\t{line.rstrip()}"
        else:
            block += [mark, *line.split()[1:]] if mark else line.split()
    if block:
        yield _undressed(block)


def _mark(line: str) -> str:
    """The sign of an item, heading or quote at the start of a line, those that mean the same alike; "" without one."""
    match = _pattern(_MARKED).match(line)
    sign = match[1] if match else ""
    return "#" if sign[:1] == "#" else "-" if sign in ("-", "*", "+") else sign


def _undressed(words: Sequence[str]) -> str:
    """The words in small letters, without emphasis and full stop; code spans lose their back-quotes only."""
    parts = _pattern(_CODE_SPAN).split(" ".join(words))
    parts[::2] = [_pattern(_EMPHASIS).sub(r"\2", part.lower()) for part in parts[::2]]
    parts[-1] = parts[-1].removesuffix(".")
    return "".join(parts)
