"""What a task asks to be done, by its verbs as whole words. Refuses parts of words: an address is no addition."""

from __future__ import annotations

import re
from functools import cache

FIX, ADD, REMOVE, RENAME, CHANGE, TEST, DOCUMENT, EXPLAIN, REVIEW, SPEED = (
    *("fix", "add", "remove", "rename", "change"),
    *("test", "document", "explain", "review", "speed"),
)
INTENTS = (FIX, ADD, REMOVE, RENAME, CHANGE, TEST, DOCUMENT, EXPLAIN, REVIEW, SPEED)
# Verbs that ask for something wherever they stand in a sentence.
_STRONG = {
    FIX: "fix fixes fixed fixing repair resolve correct prevent avoid",
    ADD: "add adds added adding implement introduce",
    REMOVE: "remove removes removed removing delete deletes deprecate",
    RENAME: "rename renames renaming",
    CHANGE: "refactor refactors improve improves migrate upgrade rewrite simplify rework",
}
# Verbs that do so at the start of a demand alone: elsewhere they are nouns, or go on with another verb.
_LEADING = {
    FIX: "bugfix handle ensure",
    ADD: "create support provide allow enable generate feat feature",
    REMOVE: "drop disable",
    RENAME: "move",
    CHANGE: "change update make use replace convert extend set let return revert restore adjust put split merge bump "
    "keep skip stop show write read call check validate clean align limit",
    TEST: "test tests cover",
    DOCUMENT: "document docs",
    EXPLAIN: "explain find locate understand describe list investigate how where why what",
    REVIEW: "review audit",
    SPEED: "speed optimise optimize perf",
}
_NO_DEMAND = frozenset(("how", "where", "why", "what", "feat", "feature", "docs", "tests", "perf", "bugfix"))
_WORD = re.compile(r"(?<![\w.\-/])[a-z]+(?![\w\-])")


@cache
def strong() -> dict[str, str]:
    """Each verb that always asks, with its intent."""
    return {verb: intent for intent, words in _STRONG.items() for verb in words.split()}


@cache
def leading() -> dict[str, str]:
    """Each verb that asks at the start of a demand, with its intent."""
    return strong() | {verb: intent for intent, words in _LEADING.items() for verb in words.split()}


def intent_of(sentence: str) -> str:
    """By the first word, else by the first verb that always asks; '' when there is none."""
    found = _WORD.findall(sentence.lower())
    first = leading().get(found[0], "") if found else ""
    return first or next((strong()[word] for word in found if word in strong()), "")


def begins_demand(text: str) -> bool:
    """Whether a part of a sentence begins with a verb that asks for something by itself."""
    match = re.match(r"[\W_]*([a-z]+)(?![\w\-(])", text[:80].lower())
    return match is not None and match[1] in leading() and match[1] not in _NO_DEMAND
