"""Finds what looks like a credential in a text: known kinds by shape, the rest by name and randomness.

Refuses to show what it found: a finding carries a mask and a fingerprint, never the secret.
"""

import hashlib
import math
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from operator import concat

from gitmem.record import record
from gitmem.text.secret_kinds import KINDS

MOST_FINDINGS = 1000
_MASK_SHOWN = 4
_PEM_REACH = 16_384


@record
class Secret:
    """One likely credential. ``start`` and ``end`` are code point offsets, ``line`` is 1-based.

    ``masked`` shows at most the first four characters; ``fingerprint`` is what ``--allow-secret`` takes.
    """

    kind: str
    start: int
    end: int
    line: int
    masked: str
    fingerprint: str


def scan(text: str) -> list[Secret]:
    """The likely secrets of ``text`` in reading order, none of them overlapping, at most ``MOST_FINDINGS``."""
    taken = bytearray(len(text))
    spans: list[tuple[int, int, str]] = []
    for start, end, kind in _candidates(text):
        if any(taken[start:end]):
            continue
        taken[start:end] = b"\1" * (end - start)
        spans.append((start, end, kind))
        if len(spans) == MOST_FINDINGS:
            break
    return _described(text, sorted(spans))


def fingerprint(kind: str, value: str) -> str:
    """A name for one secret that an allow list can hold; the same wherever the secret stands."""
    return hashlib.sha256(f"{kind}\0{value}".encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _described(text: str, spans: list[tuple[int, int, str]]) -> list[Secret]:
    found: list[Secret] = []
    line, counted = 1, 0
    for start, end, kind in spans:
        line += text.count("\n", counted, start)
        counted = start
        value = text[start:end]
        found.append(Secret(kind, start, end, line, _masked(value), fingerprint(kind, value)))
    return found


def _masked(value: str) -> str:
    return value[: min(_MASK_SHOWN, len(value) // 4)] + "..."


def _candidates(text: str) -> Iterator[tuple[int, int, str]]:
    """Spans with their kind, the surest first."""
    yield from _private_keys(text)
    yield from _known_kinds(text)
    yield from _passwords_in_urls(text)
    yield from _passwords_of_curl(text)
    yield from _named_values(text)
    yield from _random_tokens(text)


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source)


_NOT_BEFORE = r"\(\?<!(?P<signs>\\w|\[[^\]]+\])\)(?P<literal>(?:[\w/-]|\\\.)+)(?![{?*+])"


@cache
def _literal_first(source: str) -> str:
    """The same pattern with what may not stand before its literal looked for behind it: one search, no trying."""
    return _pattern(_NOT_BEFORE).sub(r"\g<literal>(?<!\g<signs>\g<literal>)", source, count=1)


def _known_kinds(text: str) -> Iterator[tuple[int, int, str]]:
    for kind, literals, source in KINDS:
        if not any(literal in text for literal in literals):
            continue
        pattern = _pattern(_literal_first(source))
        group = "v" if "v" in pattern.groupindex else 0
        for match in pattern.finditer(text):
            if not _is_placeholder(match[group]):
                yield *match.span(group), kind


_PEM_HEAD = r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
_PEM_BODY = r"[A-Za-z0-9+/]{32}"


def _private_keys(text: str) -> Iterator[tuple[int, int, str]]:
    if "PRIVATE KEY" not in text:
        return
    for head in _pattern(_PEM_HEAD).finditer(text):
        end = text.find("-----", head.end(), head.end() + _PEM_REACH)
        end = min(head.end() + _PEM_REACH, len(text)) if end < 0 else end
        body = _pattern(_PEM_BODY).search(text, head.end(), end)
        if body and not _is_placeholder(body[0]):
            yield head.start(), end, "private-key"


_URL_PASSWORD = (
    r"(?<![a-zA-Z0-9+.-])[a-zA-Z][a-zA-Z0-9+.-]{1,20}://"
    r"[^\s:/@\"'<>]{0,100}:(?P<v>[^\s:/@\"'<>]{4,150})@[\w\[]"
)


def _passwords_in_urls(text: str) -> Iterator[tuple[int, int, str]]:
    if "://" not in text:
        return
    for match in _pattern(_URL_PASSWORD).finditer(text):
        if _is_strong(match["v"]):
            yield *match.span("v"), "password-in-url"


_CURL_USER = r"\s(?:-u|--user)[ =]{1,4}[\"']?[^\s\"':]{0,64}:[\"']?(?P<v>[^\s\"'`]{6,100})"
_CURL_REACH = 500


def _passwords_of_curl(text: str) -> Iterator[tuple[int, int, str]]:
    if "curl" not in text:
        return
    for match in _pattern(_CURL_USER).finditer(text):
        is_curl = text.rfind("curl", max(match.start() - _CURL_REACH, 0), match.start()) >= 0
        if is_curl and _is_strong(match["v"]):
            yield *match.span("v"), "password-of-curl"


_NAMES = (
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "secret",
    "token",
    "apikey",
    "api_key",
    "api-key",
    "access_key",
    "accesskey",
    "private_key",
    "encryption_key",
    "signing_key",
    "credential",
    "authorization",
    "auth_",
    "_auth",
)
_CALLS = ("(", "[", "{")
# Each repetition is followed by what it cannot match: none of them is tried again.
_VALUE_OF_NAME = (
    r"[\w.-]{0,40}+[\"'`\]]{0,2}+\s{0,4}+(?:=>|:=|={1,3}|[:(,>|])\s{0,4}"
    r"(?:(?:bearer|basic|token|api-token|apikey)[ ]{1,3})?[\"'`]?(?P<v>[^\s\"'`<>,;(){}\[\]\\]{8,200})(?=(?P<after>.?))"
)


def _named_values(text: str) -> Iterator[tuple[int, int, str]]:
    # U+0130 is the one letter whose lower case is longer; offsets must stay those of the text.
    lowered = text.replace("\u0130", "I").lower()
    judged: dict[str, bool] = {}
    for name in _NAMES:
        for match in _pattern(name + _VALUE_OF_NAME).finditer(lowered) if name in lowered else ():
            start, end = match.span("v")
            value = text[start:end]
            if match["after"] in _CALLS or end - start < _LEAST_LENGTH:
                continue
            if value not in judged:
                judged[value] = _is_random(value)
            if judged[value]:
                yield start, end, "named-secret"


# Behind a sign of assignment on its line, or a quote.
_TOKEN = r"(?:(?<=[\"'`:])|(?<=[=:][^\S\n]))[A-Za-z0-9+/_-]{32,128}={0,2}(?![\w+/=.~-])"
_PUBLIC = (
    "sha1",
    "sha2",
    "sha3",
    "sha5",
    "hash",
    "integrity",
    "checksum",
    "digest",
    "h1:",
    "ssh-",
    "base64",
    "etag",
    "pub",
)
_PUBLIC_REACH = 80


def _random_tokens(text: str) -> Iterator[tuple[int, int, str]]:
    """Long mixed tokens that something is set to, unless the words before them say that they are public."""
    judged: dict[str, bool] = {}
    for match in _pattern(_TOKEN).finditer(text):
        value, start = match[0], match.start()
        reach = max(start - _PUBLIC_REACH, 0)
        before = text[max(text.rfind("\n", reach, start) + 1, reach) : start].lower()
        if any(word in before for word in _PUBLIC):
            continue
        if value not in judged:
            judged[value] = _is_very_random(value)
        if judged[value]:
            yield *match.span(), "random-token"


_PLACEHOLDERS = (
    "example",
    "xxxx",
    "your",
    "placeholder",
    "redacted",
    "changeme",
    "change-me",
    "change_me",
    "dummy",
    "insert",
    "replace",
    "notreal",
    "1234567890",
    "0123456789",
    "abcdefgh",
    "00000000",
    "eyjzdwiioiixmjm0nty3odkw",
    "...",
    "****",
    "${",
    "{{",
    "<",
)
_LEAST_BITS = 2.5


def _is_placeholder(value: str) -> bool:
    lowered = value.lower()
    return any(word in lowered for word in _PLACEHOLDERS) or _bits(value) < _LEAST_BITS


# One value is asked about by several of these, one after the other.
@lru_cache(maxsize=1)
def _bits(value: str) -> float:
    """Shannon entropy of one character."""
    size = len(value)
    return math.log2(size) - sum(map(_times_its_log, map(value.count, set(value)))) / size


@cache
def _times_its_log(count: int) -> float:
    return count * math.log2(count)


def _is_strong(quoted: str) -> bool:
    """Whether a password in a place for passwords is one: no variable, no word, no placeholder."""
    value = _pattern(r"%[0-9A-Fa-f]{2}").sub("", quoted) or "%"
    if value[0] in "$%<[{*" or "${" in value or "$(" in value or _is_placeholder(value):
        return False
    if len(value) < 8 or not any(map(str.isalpha, value)):
        return False
    common, pairs = _letter_pairs(value)
    return any(map(str.isdigit, value)) or (pairs >= 8 and common * 100 <= pairs * 45)


_LEAST_LENGTH = 10
_HEX = r"[0-9a-f-]{16,}|[0-9A-F-]{16,}"
_PIN = r"sha\d{1,3}[-:=]"


def _is_random(value: str) -> bool:
    """Whether nobody would have chosen ``value`` as a name or a word: few English letter pairs, high entropy."""
    size = len(value)
    if size < _LEAST_LENGTH or not any(map(str.isalpha, value)) or value[0] in "$%":
        return False
    if "://" in value or _pattern(_PIN).match(value) or _is_placeholder(value):
        return False
    has_digit = any(map(str.isdigit, value))
    if _pattern(_HEX).fullmatch(value):
        return has_digit
    common, pairs = _letter_pairs(value)
    if _bits(value) < min(3.4, 0.8 * math.log2(size)):
        return False
    return common * 100 <= pairs * 48 if has_digit else pairs >= 8 and common * 100 <= pairs * 30


def _is_very_random(value: str) -> bool:
    """The same for a token whose name says nothing: mixed case, digits, and nearly no English letter pair."""
    if value in (value.lower(), value.upper()) or value.isalpha() or not _is_random(value) or _bits(value) < 4.2:
        return False
    common, pairs = _letter_pairs(value)
    return common * 100 <= pairs * 35


# What most often follows each letter in English, French, German and Spanish words and in identifiers: 170 pairs.
_FOLLOWERS = {
    "a": "bcdgiklmnpqrstuy",
    "b": "aeilu",
    "c": "aehiklortu",
    "d": "aeiou",
    "e": "acdefgilmnprstvx",
    "f": "aefio",
    "g": "eir",
    "h": "aeio",
    "i": "abcdefglmnoprstvz",
    "k": "e",
    "l": "aeilosty",
    "m": "aeiop",
    "n": "acdefgiost",
    "o": "cdlmnprstuw",
    "p": "aeiloprt",
    "q": "u",
    "r": "acdegimorstu",
    "s": "acehiopstu",
    "t": "aehiorstuy",
    "u": "belmnprst",
    "v": "aei",
    "z": "e",
}


# Letters in either case, but for the hump of camel case.
_FREQUENT = frozenset(
    pair
    for first, others in _FOLLOWERS.items()
    for other in others
    for pair in (first + other, first.upper() + other, first.upper() + other.upper())
)


@lru_cache(maxsize=1)
def _letter_pairs(value: str) -> tuple[int, int]:
    """How many neighbouring letters are a frequent pair, and how many there are; a hump of camel case is not one."""
    words = _pattern(r"[^\W\d_]+").findall(value)
    common = sum(map(_FREQUENT.__contains__, map(concat, value, value[1:])))
    return common, sum(map(len, words)) - len(words)
