"""The one token estimator: how much of a model's window a text takes, erring high.

Refuses vocabularies, downloads and exact counts: see docs/decisions/0007.
"""

import re
from functools import cache

_TENTHS = 10
# Tenths of a token for one character outside ASCII, by the worst common byte-pair vocabulary.
_WEIGHTS = (
    ("\u0080-\u024f\u0300-\u036f", 18),
    ("\u0250-\u02ff", 20),
    ("\u0370-\u03ff\u1f00-\u1fff", 11),
    ("\u0400-\u052f", 5),
    ("\u0530-\u058f\u0e80-\u10ff", 23),
    ("\u0590-\u05ff", 13),
    ("\u0600-\u08ff", 9),
    ("\u0900-\u097f\u2000-\u2fff", 12),
    ("\u0980-\u0dff\u1780-\u17ff", 20),
    ("\u0e00-\u0e7f\u3000-\u30ff\uac00-\ud7ff", 11),
    ("\u1100-\u177f\u1800-\u1dff", 30),
    ("\u1e00-\u1eff", 9),
    ("\u3100-\uabff", 14),
    ("\ud800-\uffff", 25),
    ("\U00010000-\U0010ffff", 35),
)
_DENSE_MIXED, _DENSE_PLAIN = 3, 1


def estimate(text: str) -> int:
    """Tokens of ``text``: 1.1 to 1.3 times a byte-pair count for English prose and code, never 0 for what is there."""
    tenths = _TENTHS * _count(_piece_pattern(), text)
    tenths += sum(map(_surcharge, _dense_pattern().findall(text)))
    if not text.isascii():
        tenths += sum(weight * _count(pattern, text) for pattern, weight in _weight_patterns())
    return -(-tenths // _TENTHS)


def _count(pattern: re.Pattern[str], text: str) -> int:
    return pattern.subn("", text)[1]


def _surcharge(run: str) -> int:
    """Tenths to add for a run without blanks: keys, hashes and encoded bytes split far finer than words do."""
    if not any(char.isdigit() for char in run) or run.isdigit():
        return 0
    return len(run) * (_DENSE_PLAIN if run in (run.lower(), run.upper()) else _DENSE_MIXED)


@cache
def _piece_pattern() -> re.Pattern[str]:
    """Matches once for each token that English or code is expected to take."""
    words = r"(?<=[a-z])[a-z]{1,4}| ?[A-Z]?[a-z]{1,7}| ?[A-Z]{1,3}|[0-9]{1,3}"
    controls = r"[\0-\x08\x0b-\x1f\x7f]"
    return re.compile(words + r"| ?[!-/:-@\[-`{-~]{1,2}|\n{1,16}|[ \t]{1,32}|" + controls)


@cache
def _dense_pattern() -> re.Pattern[str]:
    return re.compile(r"[A-Za-z0-9+/]{20,}")


@cache
def _weight_patterns() -> tuple[tuple[re.Pattern[str], int], ...]:
    return tuple((re.compile(f"[{ranges}]"), weight) for ranges, weight in _WEIGHTS)
