"""The parts of a task that ask for something by themselves. Refuses to split a report of what went wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from gitmem.code import intents

MOST = 6
_LONGEST = 400
# A longer text, or one with headings, is a report: its lists tell of versions and steps.
_REPORT_CHARS = 1500
_HEADING = re.compile(r"^\s*(?:#{1,6} |\*\*[^*]+\*\*\s*$)", re.MULTILINE)
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_BULLET = re.compile(r"^\s*(?:[-*+\u2022]|\d{1,2}[.)])\s+(?P<text>\S.*)$")
_MERGE = re.compile(r"^(?:Merge (?:pull request|branch)|\(?cherry picked|Signed-off-by|Co-authored-by)", re.IGNORECASE)


def clusters(text: str) -> tuple[str, ...]:
    """The demands of a task in the order of its text; a task that is one demand is one cluster: its first line."""
    title, bullets = _read(text)
    found = [part for part in _split(title)] if title else []
    if len(text) <= _REPORT_CHARS and not _HEADING.search(text):
        found.extend(part for bullet in bullets for part in _split(bullet))
    kept = dict.fromkeys(part for part in found if _is_telling(part))
    return tuple(kept)[:MOST] or ((title,) if re.search(r"\w", title) else ())


def _read(text: str) -> tuple[str, list[str]]:
    """The first line, and the list items outside code that begin with a demand."""
    title, bullets, is_code = "", [], False
    for row in text.splitlines():
        if _FENCE.match(row):
            is_code = not is_code
            continue
        if is_code or not row.strip():
            continue
        bullet = _BULLET.match(row)
        if bullet and intents.begins_demand(bullet["text"]):
            bullets.append(bullet["text"].strip()[:_LONGEST])
        elif not title:
            title = (bullet["text"] if bullet else row).strip(" \t#*_")[:_LONGEST]
    return ("" if _MERGE.match(title) else title), bullets


def _split(sentence: str) -> Iterator[str]:
    """At words that always begin a part, and at those that do so only before a verb that asks for something."""
    for part in _always().split(sentence):
        pieces = _before_demand().split(part)
        grown = pieces[0]
        for joint, piece in zip(pieces[1::2], pieces[2::2], strict=True):
            if intents.begins_demand(piece):
                yield grown.strip(" ,.:")
                grown = piece
            else:
                grown += joint + piece
        yield grown.strip(" ,.:")


@cache
def _always() -> re.Pattern[str]:
    return re.compile(r",? (?:including|and how|as well as|and also|plus also) |; |\uff1b|\u3002", re.IGNORECASE)


@cache
def _before_demand() -> re.Pattern[str]:
    return re.compile(r"(,? and |,? then |, |\. (?=[A-Z]))", re.IGNORECASE)


def _is_telling(part: str) -> bool:
    """Whether a part says more than a verb."""
    return len(re.findall(r"\w+", part)) > 1 or bool(re.search(r"[^\x00-\u024f]", part))
