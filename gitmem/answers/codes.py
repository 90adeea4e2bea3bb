"""The short codes by which a person confirms a standing rule, and what became of each. Refuses to keep a code: its
keyed hash stands on record.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from datetime import timedelta
from functools import cache

from gitmem.answers.session import Session
from gitmem.errors import GitmemError
from gitmem.model.event import STANDING, Entry, Event
from gitmem.model.moments import instant, moved, rfc3339
from gitmem.model.plain import Plain
from gitmem.record import record
from gitmem.store.journal import append
from gitmem.store.spooled import Seen, of_kind

LOCK = "standing"
LIVES_S = 15 * 60
KEEP, REPLACE, CANCEL = "keep", "replace", "cancel"
WORDS = (KEEP, REPLACE, CANCEL)
OPEN, USED, EXPIRED, UNKNOWN, UNCLEAR = "open", "used", "expired", "unknown", "unclear"
# So many codes of one prompt are carried out.
MOST = 5
_OFFERED = "offered"
# Signs that nobody takes for another one, by eye or by ear: no 0 o, 1 l i, 2 z, 5 s, 6 b 8, 9 g q, u v.
_DIGITS, _LETTERS = "23457", "acdefhjkmnprtwxy"
_LENGTH = 4
# In front of a word it says the opposite.
_DENIAL = r"(?:\b(?:not|never|cannot|dont)|n['\u2019]t)[ \t]+$"
_DENIAL_CHARS = 20
# A clock that is set right by a second is no reason to ask a person again.
_SLACK = timedelta(minutes=1)
_REMEMBERED = timedelta(days=1)


@record
class Offered:
    """A rule that a person was asked about. ``against`` are the items that it collides with; ``state`` is open, used
    or expired."""

    hash: str
    proposal: str
    patchset: str
    expires: str
    against: tuple[str, ...]
    at: str
    clock: int
    state: str


@record
class Mention:
    """``keep 7f3x`` in a prompt; ``word`` is '' where it says several things about a code, or says not to."""

    word: str
    code: str


def mentions(prompt: str) -> list[Mention]:
    """What a prompt decides, in its order, each code once."""
    found: dict[str, set[str]] = {}
    for match in _mention().finditer(prompt):
        code = match[2].lower()
        if set(code) & set(_DIGITS) and set(code) & set(_LETTERS):
            before = prompt[max(0, match.start() - _DENIAL_CHARS) : match.start()]
            is_denied = re.search(_DENIAL, before, re.IGNORECASE)
            found.setdefault(code, set()).add("" if is_denied else match[1].lower())
    return [Mention(words.pop() if len(words) == 1 else "", code) for code, words in found.items()]


@cache
def _mention() -> re.Pattern[str]:
    signs = f"[{_DIGITS}{_LETTERS}]"
    return re.compile(rf"(?<![\w-])({'|'.join(WORDS)})[ \t]+[`'\"(]?({signs}{{{_LENGTH}}})(?![\w-])", re.IGNORECASE)


def offer(session: Session, proposal: str, patchset: str, against: Iterable[str], said: Event) -> tuple[str, str]:
    """A fresh code for a patch set and when it expires; ``said`` tells session and agent. ``OSError`` or
    ``GitmemError`` where the journal cannot be written: then there is no code."""
    taken = {each.hash for each in offers(session) if each.state == OPEN}
    code = next(code for code in _codes() if _hash(session, code) not in taken)
    expires = rfc3339(moved(session.now, timedelta(seconds=LIVES_S)))
    data: dict[str, Plain] = {"act": _OFFERED, "code": _hash(session, code), "proposal": proposal}
    data |= {"patchset": patchset, "expires": expires, "against": list(against)}
    append(session.place.repo, Event(STANDING, data, said.session, said.agent), session.now, durable=True)
    return code, expires


def spend(session: Session, offered: Offered, word: str) -> None:
    """Puts on record that a code was used, before anything is done for it."""
    data = {"act": word, "code": offered.hash, "proposal": offered.proposal, "patchset": offered.patchset}
    append(session.place.repo, Event(STANDING, data), session.now, durable=True)


def find(session: Session, code: str) -> Offered | None:
    """The newest offer under a code, whatever became of it."""
    wanted = _hash(session, code.strip().lower())
    return next((each for each in reversed(offers(session)) if each.hash == wanted), None)


def is_recent(session: Session) -> bool:
    """Whether anybody was asked within a day: else a word that looks like a code is a word."""
    return any(_is_within(session, each) for each in offers(session))


def _is_within(session: Session, offered: Offered) -> bool:
    at = instant(offered.at)
    return at is not None and session.now - at < _REMEMBERED


def offers(session: Session) -> list[Offered]:
    """Every offer on record in this clone, the oldest first."""
    seen = of_kind(session.place.repo, STANDING)
    return [_offered(session, entry, seen) for entry in seen.entries if entry.data.get("act") == _OFFERED]


def _offered(session: Session, entry: Entry, seen: Seen) -> Offered:
    against = entry.data.get("against")
    return Offered(
        hash=_text(entry, "code"),
        proposal=_text(entry, "proposal"),
        patchset=_text(entry, "patchset"),
        expires=_text(entry, "expires"),
        against=tuple(each for each in against if isinstance(each, str)) if isinstance(against, list) else (),
        at=entry.at,
        clock=entry.clock,
        state=_state(session, entry, seen),
    )


def _state(session: Session, entry: Entry, seen: Seen) -> str:
    later = (each for each in seen.entries if each.order > entry.order)
    if any(_text(each, "code") == _text(entry, "code") and each.data.get("act") in WORDS for each in later):
        return USED
    at, end = instant(entry.at), instant(_text(entry, "expires"))
    if at is None or end is None or not at - _SLACK <= session.now < end:
        return EXPIRED
    # A clock that went back gives no time back: what was put on record since tells how late it was already.
    told = (instant(moment) for clock, moment in _moments(seen) if clock > entry.clock)
    return EXPIRED if any(moment is not None and moment >= end for moment in told) else OPEN


def _moments(seen: Seen) -> Iterator[tuple[int, str]]:
    yield from seen.ends
    yield from ((each.clock, each.at) for each in seen.entries)


def _codes() -> Iterator[str]:
    """With a letter and a digit at least, so that no word is one."""
    signs = _DIGITS + _LETTERS
    while True:
        # 252 = 12 * 21: what is above would favour some signs.
        found = "".join(signs[byte % len(signs)] for byte in os.urandom(4 * _LENGTH) if byte < 252)[:_LENGTH]
        if len(found) == _LENGTH and set(found) & set(_DIGITS) and set(found) & set(_LETTERS):
            yield found


def _hash(session: Session, code: str) -> str:
    """Under the key of this clone, which never leaves it: short codes could be guessed from a bare hash."""
    return hashlib.blake2b(b"standing\0" + code.encode(), key=session.place.cache.key, digest_size=16).hexdigest()


def _text(entry: Entry, key: str) -> str:
    value = entry.data.get(key)
    return value if isinstance(value, str) else ""


def refusal(code: str, state: str) -> GitmemError:
    """Why a code decides nothing."""
    why = {
        UNKNOWN: ("no standing rule waits for it", "look at the code again, or: gitmem proposals list"),
        USED: ("it was used already", "a code works once; see: gitmem proposals list"),
        EXPIRED: ("it has expired", "the rule waits as a proposal: gitmem proposals list"),
        UNCLEAR: ("the prompt says several things about it, or says not to", f"say one: {KEEP} {code}"),
    }
    message, hint = why[state]
    return GitmemError(f"the code {code!r} changes nothing: {message}", hint=hint, code=f"code-{state}")
