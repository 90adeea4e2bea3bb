"""Ids and slugs: their alphabets and how text becomes one. Refuses randomness: callers pass it in."""

import re
import unicodedata

from gitmem.errors import UsageError

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_ULID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")
_SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,79}")
_DEVICES = frozenset({"con", "prn", "aux", "nul", *(f"{d}{n}" for d in ("com", "lpt") for n in range(10))})
SLUG_MAX = 80
ULID_CHARS = 26
_READ_CHARS = 400
_CYRILLIC = "a b v g d e zh z i y k l m n o p r s t u f kh ts ch sh shch _ y _ e yu ya"
_SPELLED = {chr(0x430 + at): "" if text == "_" else text for at, text in enumerate(_CYRILLIC.split())} | {
    "\u0451": "e",
    "\u0454": "ie",
    "\u0456": "i",
    "\u0457": "i",
    "\u00df": "ss",
    "\u00e6": "ae",
    "\u0153": "oe",
    "\u00fe": "th",
    "\u00f0": "d",
    "\u0131": "i",
}
ID_LENGTH = 26


def ulid(now_ms: int, entropy: bytes) -> str:
    """Makes a ULID from milliseconds since the epoch and ten random bytes (github.com/ulid/spec)."""
    if now_ms < 0:
        raise UsageError("an id cannot be made before 1970", hint="give --now a later time")
    return _digits((now_ms << 80) | int.from_bytes(entropy[:10], "big"))


def _digits(number: int) -> str:
    return "".join(CROCKFORD[(number >> shift) & 31] for shift in range(125, -1, -5))


def following(id_: str) -> str:
    """The smallest ULID after a given one; that one itself when there is none."""
    number = 0
    for sign in id_:
        number = number * 32 + CROCKFORD.index(sign)
    return _digits(number + 1) if number + 1 < 1 << 128 else id_


def moment_of(id_: str) -> int:
    """The milliseconds since the epoch that a ULID begins with, at most the end of the year 9999."""
    number = 0
    for sign in id_[:10]:
        number = number * 32 + CROCKFORD.index(sign)
    return min(number, 253_402_300_799_000)


def canonical_id(text: str) -> str | None:
    """The upper-case id that ``text`` spells, or None; surrounding blanks and either case are accepted."""
    candidate = text.strip().upper()
    return candidate if _ULID.fullmatch(candidate) else None


def is_slug(text: str) -> bool:
    return bool(_SLUG.fullmatch(text)) and text not in _DEVICES


def _latin(char: str) -> str:
    """Latin letters without a decomposition, and Cyrillic ones, as plain Latin; any other sign as it is."""
    if char.isascii():
        return char
    low = char.lower()
    if low in _SPELLED:
        return _SPELLED[low]
    name = unicodedata.name(low, "").split(" ")
    is_crossed = name[:3] == ["LATIN", "SMALL", "LETTER"] and len(name) > 4 and len(name[3]) == 1
    return name[3].lower() if is_crossed and not unicodedata.decomposition(low) else char


def slugify(title: str) -> str:
    """A slug from a title, by Unicode decomposition; empty when nothing of the title can be kept."""
    # Normalising takes time quadratic in a run of combining marks, and a slug needs only the beginning.
    begun = "".join(_latin(char) for char in title[:_READ_CHARS])
    folded = unicodedata.normalize("NFKD", begun).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-z0-9]+", "-", folded.lower()).strip("-")[:SLUG_MAX].strip("-")
    return slug if is_slug(slug) else ""
