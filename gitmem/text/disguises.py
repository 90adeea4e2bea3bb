"""Takes the disguise off a text: look-alike letters, digits for letters, split, spaced, reversed or encoded words.

Refuses to judge what comes out, and to look more than one disguise deep.
"""

import binascii
import re
from collections.abc import Iterator
from functools import cache

from gitmem.record import record
from gitmem.text.words import fold


@record
class Reading:
    """A folded text as a model would read it.

    ``start`` is the offset of the run that was decoded; None: the lines are those of the text.
    """

    text: str
    start: int | None = None
    disguise: str = ""


def readings(text: str) -> Iterator[Reading]:
    """``text`` itself, and once more for each disguise that something in it hints at."""
    folded = fold(text)
    yield Reading(folded)
    if not folded.isascii():
        yield from _look_alikes(folded)
        yield from _tag_letters(text)
        if _pattern(_INVISIBLE).search(folded):
            yield Reading(_pattern(_INVISIBLE).sub("", folded), disguise="invisible characters")
    if len(_pattern(_LEET_WORD).findall(folded)) > _FEW:
        yield Reading(folded.translate(_LEET), disguise="digits for letters")
    if len(_pattern(_SPLIT_WORD).findall(folded)) > 1:
        yield Reading(_pattern(_SPLIT_WORD).sub("", folded), disguise="split words")
    if len(_pattern(_ESCAPE).findall(folded)) > _FEW:
        yield Reading(_pattern(_ESCAPE).sub(_unescaped, folded), disguise="escaped letters")
    if any(word.translate(_ROT13) in folded for word in _TELLING):
        yield Reading(folded.translate(_ROT13), disguise="rot13")
    if any(word[::-1] in folded for word in _TELLING):
        yield Reading("\n".join(line[::-1] for line in folded.split("\n")), disguise="backwards")
    yield from _spaced_out(folded)
    yield from _encoded(text)


_FEW = 2
_TELLING = ("ignore", "disregard", "forget", "instruction", "override", "previous", "former", "rules")
_ROT13 = str.maketrans("abcdefghijklmnopqrstuvwxyz", "nopqrstuvwxyzabcdefghijklm")
_LEET = str.maketrans("0134578@$!|", "oieastbasil")
_INVISIBLE = "[\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2061-\u2069\u3164\uffa0]+"
_LEET_WORD = r"[0134578@$!|](?<=[a-z].)[0134578@$!|]{0,2}[a-z]"
_SPLIT_WORD = r"[*~\\<](?<=[a-z].)(?:(?<=<)(?:!--[^>]{0,60}--|/?[a-z]{1,8}/?)>|(?<=[*~\\])[*~]{0,2})(?=[a-z])"
_ESCAPE = r"&#x?[0-9a-f]{1,6};?|%[2-7][0-9a-f]|\\u00[2-7][0-9a-f]|\\x[2-7][0-9a-f]"
_SPACED = r"[a-z](?<!\w.)[ .*_|-]{1,3}(?:[a-z][ .*_|-]{1,3}){7,400}[a-z](?!\w)"
_ENCODED = r"[A-Za-z0-9+/](?<![\w+/].)[A-Za-z0-9+/_-]{19,4000}={0,2}"


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source)


@cache
def _alike_letters() -> dict[int, str]:
    """Cyrillic and Greek letters that look Latin, written each before the letter that it looks like."""
    cyrillic = "\u0430a\u0435e\u043eo\u0440p\u0441c\u0443y\u0445x\u0456i\u0458j\u0455s\u04bbh\u0501d\u051bq\u051dw"
    cyrillic += "\u04cfl\u043ak\u043cm\u043dh\u0442t\u0432b\u0433r\u043fn"
    greek = "\u03bfo\u03b1a\u03b5e\u03c1p\u03bdv\u03c5u\u03b9i\u03bak\u03c4t\u03c7x\u03c9w\u03b7n"
    pairs = cyrillic + greek
    return str.maketrans(dict(zip(pairs[::2], pairs[1::2], strict=True)))


def _look_alikes(folded: str) -> Iterator[Reading]:
    if _pattern("[a-z][\u0370-\u052f]|[\u0370-\u052f][a-z]").search(folded):
        yield Reading(folded.translate(_alike_letters()), disguise="look-alike letters")


def _tag_letters(text: str) -> Iterator[Reading]:
    for run in _pattern("[\U000e0020-\U000e007e]{6,4000}").finditer(text):
        letters = "".join(chr(ord(char) - 0xE0000) for char in run[0])
        yield Reading(fold(letters), run.start(), "in tag characters")


def _unescaped(match: re.Match[str]) -> str:
    escape = match[0].rstrip(";")
    digits = escape.lstrip("&#%\\xu")
    is_decimal = escape.startswith("&#") and not escape.startswith("&#x")
    number = int(digits or "0", 10 if is_decimal and digits.isdigit() else 16)
    return chr(number).lower() if 0x20 <= number < 0x7F else " "


def _spaced_out(folded: str) -> Iterator[Reading]:
    """Letters with one mark between them; two marks or more are taken for the space between words."""
    for run in _pattern(_SPACED).finditer(folded):
        words = _pattern(r"[ .*_|-]{2,3}").split(run[0])
        joined = [_pattern(r"[^a-z]").sub("", word) for word in words]
        squeezed = " ".join(joined) if len(joined) > 1 else _spelled(joined[0])
        yield Reading(squeezed, run.start(), "spaced letters")


def _spelled(letters: str) -> str:
    """Sets the words that matter free from a run of letters without spaces."""
    words = "ignore|disregard|forget|override|all|any|every|the|your|previous|prior|former|earlier|above"
    return _pattern(f"({words}|instructions?|rules?)").sub(r" \1 ", letters)


def _encoded(text: str) -> Iterator[Reading]:
    for run in _pattern(_ENCODED).finditer(text):
        decoded = _decoded(run[0])
        if decoded and " " in decoded:
            yield Reading(fold(decoded), run.start(), "encoded")


def _decoded(run: str) -> str:
    """The plain text that ``run`` is the hexadecimal or base64 form of, or nothing."""
    try:
        if _pattern(r"(?:[0-9a-fA-F]{2})+").fullmatch(run):
            raw = binascii.unhexlify(run)
        else:
            bare = run.rstrip("=").replace("-", "+").replace("_", "/")
            raw = binascii.a2b_base64(bare[: len(bare) - (len(bare) % 4 == 1)] + "=" * (-len(bare) % 4))
        plain = raw.decode("utf-8")
    except (ValueError, binascii.Error):
        return ""
    return plain if sum(char.isprintable() or char in "\n\t" for char in plain) * 10 >= len(plain) * 9 else ""
