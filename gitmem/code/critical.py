"""Quality gate: whether a task reads as one where a miss costs much, by whole words. Refuses parts of words.

An "author list" is none: ``author`` is not ``auth``.
"""

from __future__ import annotations

import re
from functools import cache

from gitmem.record import record

SECURITY, AUTH, MONEY, MIGRATION, DATA_LOSS = "security", "auth", "money", "migration", "data loss"
_WORDS = {
    SECURITY: "security vulnerability vulnerabilities vulnerable exploit exploits exploitable xss csrf ssrf rce "
    "xxe cve injection sanitize sanitise sanitization encryption encrypt encrypted decrypt decryption cryptography "
    "cryptographic privilege privileges",
    AUTH: "auth authn authz authentication authenticate authenticated authorization authorisation authorize authorise "
    "login logins logout signin password passwords passwd credential credentials oauth oauth2 oidc saml sso jwt 2fa "
    "mfa permission permissions",
    MONEY: "payment payments billing invoice invoices refund refunds checkout payout payouts chargeback money currency "
    "currencies tax taxes",
    MIGRATION: "migration migrations",
    DATA_LOSS: "corruption corrupt corrupts corrupted",
}
_PHRASES = {
    DATA_LOSS: r"data[ -]loss|los(?:e|es|ing|t) (?:\w+ )?(?:data|records?|rows?|writes?|transactions?|updates?)"
    r"|drops? (?:the |a )?(?:table|column|database)|overwrit(?:e|es|ing) (?:\w+ )?data",
    MIGRATION: r"migrat(?:e|es|ing) (?:\w+ ){0,3}(?:database|schema|data|tables?|columns?|users?|records?|rows?)"
    r"|(?:schema|database) (?:change|upgrade)s?",
    MONEY: r"credit[ -]cards?|(?:bank|wire) transfers?|account balances?|double[ -]charg\w+",
    SECURITY: r"access[ -]control|path traversal|directory traversal|(?:api|private|secret|signing)[ -]keys?"
    r"|security[ -]fix\w*|remote code execution",
}
# The first lines say what is to be done; a report that goes on tells of many things.
_CHARS = 2_000
_NAMED = 4


@record
class Critical:
    """``areas`` in the order of the text, ``words`` what was read as such."""

    areas: tuple[str, ...]
    words: tuple[str, ...]

    @property
    def why(self) -> str:
        said = ", ".join(f'"{word}"' for word in self.words[:_NAMED])
        return f"the task reads as critical ({', '.join(self.areas)}: {said}), so it gets the fullest packet"


def critical(text: str) -> Critical | None:
    """Of a task in words; None for most of them."""
    areas: dict[str, None] = {}
    words: dict[str, None] = {}
    for match in _pattern().finditer(text[:_CHARS].lower()):
        word, group = match.group(), match.lastgroup or ""
        area = _by_word().get(word) or group.rpartition("_")[0].replace("_", " ")
        areas[area] = None
        words[word] = None
    return Critical(tuple(areas), tuple(words)) if areas else None


@cache
def _by_word() -> dict[str, str]:
    return {word: area for area, words in _WORDS.items() for word in words.split()}


@cache
def _pattern() -> re.Pattern[str]:
    """Whole words: no letter, digit or underscore beside them, and no dot as within a name of a file or a domain."""
    phrases = [f"(?P<{area.replace(' ', '_')}_{number}>{text})" for number, (area, text) in enumerate(_PHRASES.items())]
    words = "|".join(sorted(_by_word(), key=lambda word: (-len(word), word)))
    return re.compile(rf"(?<![\w.])(?:{'|'.join(phrases)}|(?:{words}))(?![\w]|\.\w)")
