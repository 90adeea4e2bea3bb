"""The one tokenizer: the terms of a text, the share of a plan's terms in a text, and where a text may be cut.

Refuses stemming, ranking and every list of weights: those belong to whoever searches.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from functools import cache

MAX_TERM = 100
ELLIPSIS = "..."

_CONNECTORS = "_/.:@'\\-"
_CJK = (
    (0x1100, 0x11FF),
    (0x2E80, 0x2FDF),
    (0x3005, 0x3007),
    (0x3021, 0x3029),
    (0x3031, 0x303C),
    (0x3040, 0x318F),
    (0x31A0, 0x31BF),
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xA960, 0xA97F),
    (0xAC00, 0xD7FF),
    (0xF900, 0xFAFF),
    (0x1AFF0, 0x1B16F),
    (0x20000, 0x3FFFF),
)
# Thai, Lao, Myanmar, Khmer and the Tai scripts write sentences without spaces.
_UNSPACED = ((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x1950, 0x19DF), (0x1A20, 0x1AAF))
# Letters that Unicode does not decompose, though people type them either way.
_LETTERS = str.maketrans("\u00f8\u00d8\u0111\u0110\u0142\u0141\u0127\u0126\u0131\u2019\u02bc", "oOdDlLhHi''") | {
    0xE6: "ae",
    0xC6: "Ae",
    0x153: "oe",
    0x152: "Oe",
}
_STOP = (
    " a an and are as at be but by can do for from has have how i if in into is it its me my no not of on or our s so "
    "t that the their then there these this to up us was we what when where which will with you your "
)


def terms(text: str) -> list[str]:
    """The terms of ``text`` in reading order, casefolded, without accents; a compound is followed by its parts.

    CJK runs give each character and each pair, unspaced scripts the run and each pair of syllables.
    """
    found: list[str] = []
    for run, classes, kind in _runs(text):
        if kind == _PLAIN:
            found.append(run[:MAX_TERM])
        elif kind == _COMPOUND:
            found.extend(_compound_terms(run, classes))
        else:
            found.extend(_unspaced_terms(run, classes, kind))
    return found


def share(plan: str, text: str) -> tuple[int, int]:
    """How many of the distinct terms of ``plan`` occur in ``text``, as (found, total); stop words count only alone."""
    wanted = telling(plan)
    return (hits(wanted, frozenset(terms(text))), len(wanted)) if wanted else (0, 0)


def telling(plan: str) -> dict[str, str]:
    """The distinct terms that a plan is about, each with the word that it is a part of."""
    wanted = _smallest_terms(plan)
    return {term: word for term, word in wanted.items() if f" {term} " not in _STOP} or wanted


def hits(wanted: Mapping[str, str], present: Collection[str]) -> int:
    """How many of ``telling`` terms are among those of a text."""
    return sum(term in present or word in present for term, word in wanted.items())


def fold(text: str) -> str:
    """``text`` without case, accents and joiners; line ends stay, other lengths may change."""
    return _folded(text)[1]


def cut(text: str, limit: int) -> str:
    """``text`` when it has at most ``limit`` code points, else its start up to a whole character, and three dots."""
    if len(text) <= limit:
        return text
    end = max(limit - len(ELLIPSIS), 0)
    while end and not _is_border(text, end):
        end -= 1
    return text[:end] + ELLIPSIS[: max(limit, 0)]


_PLAIN, _CJK_RUN, _UNSPACED_RUN, _COMPOUND = range(4)


class _Classes(dict[int, str]):
    """The class of each code point met so far: A upper, a lower, 0 digit, c CJK, t and n unspaced letter and mark."""

    def __missing__(self, code: int) -> str:
        self[code] = found = _class_of(chr(code))
        return found


def _class_of(char: str) -> str:
    code, category = ord(char), unicodedata.category(char)
    if category[0] in "LN" and any(low <= code <= high for low, high in _CJK):
        return "c"
    if category[0] in "LM" and any(low <= code <= high for low, high in _UNSPACED):
        return "t" if category[0] == "L" else "n"
    if category in ("Lu", "Lt"):
        return "A"
    if category[0] == "N":
        return "0"
    if category[0] in "LM":
        return "a"
    return char if char in _CONNECTORS or char in "+#" else " "


_CLASSES = _Classes()


@cache
def _run_pattern() -> re.Pattern[str]:
    joint = rf"[{re.escape(_CONNECTORS)}]{{1,2}}"
    word = "[Aa0n]+"
    suffix = r"(?:\+\+|\#)(?![Aa0])"
    plain = rf"([Aa0n][a0n]*+)(?!A|{joint}[Aa0n]|{suffix})"
    return re.compile(rf"{plain}|(c+)|(t[tn]*)|{word}(?:{joint}{word})*(?:{suffix})?")


@cache
def _word_pattern() -> re.Pattern[str]:
    return re.compile(r"[Aa0n]+(?:\+\+|\#)?")


@cache
def _camel_pattern() -> re.Pattern[str]:
    return re.compile(r"A+(?=Aa)|A?[a0n]+|A+[0n]*")


@cache
def _dropped_pattern() -> re.Pattern[str]:
    """Latin, Greek and Cyrillic accents, Hebrew points, Arabic vowel signs, joiners, soft hyphens, selectors."""
    marks = "\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8"
    return re.compile(f"[{marks}\u0640\u00ad\u200c\u200d\u2060\ufe00-\ufe0f\ufeff]+")


@cache
def _slice_pattern() -> re.Pattern[str]:
    """Pieces that end at a space where there is one: ordering a run of marks costs its square in ``unicodedata``."""
    return re.compile(r"(?s:.{1,1000}(?:\s|$)|.{1,1000})")


def _folded(text: str) -> tuple[str, str]:
    """``text`` without accents, and the same casefolded, character by character of the first."""
    if text.isascii():
        return text, text.lower()
    bare = "".join(map(_unaccented, _slice_pattern().findall(text)))
    lowered = bare.casefold()
    if len(lowered) != len(bare):
        bare = "".join(char if len(char.casefold()) == 1 else char.casefold() for char in bare)
        lowered = bare.casefold()
    return bare, lowered


def _unaccented(text: str) -> str:
    plain = _dropped_pattern().sub("", unicodedata.normalize("NFKD", text))
    return unicodedata.normalize("NFC", plain).translate(_LETTERS)


def _runs(text: str) -> Iterator[tuple[str, str, int]]:
    bare, lowered = _folded(text)
    for match in _run_pattern().finditer(bare.translate(_CLASSES)):
        start, end = match.span()
        yield lowered[start:end], match.group(), (match.lastindex or _COMPOUND + 1) - 1


def _compound_terms(run: str, classes: str) -> Iterator[str]:
    yield run[:MAX_TERM]
    for match in _word_pattern().finditer(classes):
        start, end = match.span()
        if end - start < len(run):
            yield run[start:end][:MAX_TERM]
        parts = _camel_parts(run[start:end], match.group())
        if len(parts) > 1:
            yield from parts


def _camel_parts(word: str, classes: str) -> list[str]:
    if classes[-1] in "+#":
        return [word[:MAX_TERM]]
    return [word[m.start() : m.end()][:MAX_TERM] for m in _camel_pattern().finditer(classes)]


def _unspaced_terms(run: str, classes: str, kind: int) -> Iterator[str]:
    units = list(run) if kind == _CJK_RUN else _syllables(run, classes)
    if kind == _UNSPACED_RUN:
        yield run[:MAX_TERM]
        if len(units) < 3:
            return
    for position, unit in enumerate(units):
        if kind == _CJK_RUN:
            yield unit
        if position + 1 < len(units):
            yield unit + units[position + 1]


def _syllables(run: str, classes: str) -> list[str]:
    starts = [position for position, kind in enumerate(classes) if kind == "t"]
    return [run[start:end] for start, end in zip(starts, [*starts[1:], len(run)], strict=True)]


def _smallest_terms(text: str) -> dict[str, str]:
    """Each term that has no parts, with the word that it is a part of."""
    smallest: dict[str, str] = {}
    for run, classes, kind in _runs(text):
        if kind == _PLAIN:
            smallest.setdefault(run[:MAX_TERM], run)
        elif kind == _COMPOUND:
            for match in _word_pattern().finditer(classes):
                word = run[match.start() : match.end()]
                smallest.update(dict.fromkeys(_camel_parts(word, match.group()), word[:MAX_TERM]))
        else:
            found = list(_unspaced_terms(run, classes, kind))
            pairs = found[1::2] if kind == _CJK_RUN else found[1:]
            smallest.update(dict.fromkeys(pairs or found, run))
    return smallest


def _is_border(text: str, position: int) -> bool:
    """Whether ``text`` may be cut before ``position``: outside clusters, joined emoji, flags and surrogate pairs."""
    before, after = text[position - 1], text[position]
    if before.isascii() and after.isascii():
        return (before, after) != ("\r", "\n")
    if _extends(after) or before == "\u200d" or unicodedata.combining(before) == 9:
        return False
    if _is_flag_letter(before) and _is_flag_letter(after):
        return _flag_letters_before(text, position) % 2 == 0
    if "\ud800" <= before <= "\udbff" and "\udc00" <= after <= "\udfff":
        return False
    return not ("\u1160" <= after <= "\u11ff" and ("\u1100" <= before <= "\u11ff" or "\uac00" <= before <= "\ud7a3"))


def _extends(char: str) -> bool:
    return (
        unicodedata.category(char)[0] == "M"
        or char in "\u200c\u200d\u0e33\u0eb3"
        or "\U0001f3fb" <= char <= "\U0001f3ff"
        or "\U000e0020" <= char <= "\U000e007f"
    )


def _is_flag_letter(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _flag_letters_before(text: str, position: int) -> int:
    start = position
    while start and _is_flag_letter(text[start - 1]):
        start -= 1
    return position - start
