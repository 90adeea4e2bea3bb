"""What of an event may be told to the team without its texts, and which events are nobody else's. Refuses free text.

Each key that goes out is named here; whatever is not named stays in the clone that wrote it.
"""

import re
from collections.abc import Collection, Iterator, Mapping

from gitmem.model.event import (
    COMPILE,
    DELIVERY,
    EXPANSION,
    FEEDBACK,
    INTENTION,
    KINDS,
    MAINTENANCE,
    OBSERVATION,
    PACKET,
    RETRIEVAL,
    SKILL,
    STANDING,
    TRIAGE,
    VERIFY,
)
from gitmem.model.plain import Plain

_EVERYWHERE = ("surface", "ms", "action", "partial", "counted", "total", "warnings", "notices")
_KEYS: Mapping[str, tuple[str, ...]] = {
    COMPILE: ("compile", "commit", "files", "items", "budget"),
    DELIVERY: ("compile", "items"),
    RETRIEVAL: ("items",),
    FEEDBACK: ("compile", "packet", "item", "items", "outcome", "effectiveness"),
    PACKET: ("packet", "files", "mode", "intent", "tokens", "signals"),
    EXPANSION: ("ready",),
    MAINTENANCE: ("item", "outcome", "surprise"),
    OBSERVATION: ("event_type",),
    TRIAGE: ("observation", "observations", "proposal", "proposals", "outcome"),
    STANDING: ("item",),
    SKILL: ("items", "reward"),
    # Not its range, which may hold the names of branches.
    VERIFY: ("commit", "files", "items", "passed", "violations"),
}
# Of a payload: which files and which item it is about.
_OF_PAYLOAD = ("target_files", "changed_files", "files", "target_doc_id", "outcome")
_PATHS = frozenset({"files", "target_files", "changed_files"})
_ITEMS = frozenset({"item", "target_doc_id", "items"})
_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:@+-]{0,127}")
_PATH_CHARS_MAX = 512
_LISTED_MAX = 500

Row = Mapping[str, Plain]


def told(row: Row, known: Collection[str]) -> dict[str, Plain]:
    """``session``, ``agent`` and ``data`` of an event as they may be told; of items only those that are ``known``."""
    kind, data = row.get("kind"), row.get("data")
    found: dict[str, Plain] = {}
    for name in ("session", "agent"):
        value = row.get(name)
        found |= {name: value} if _is_word(value) else {}
    if isinstance(data, dict) and isinstance(kind, str) and kind in KINDS:
        kept = dict(_kept(data, (*_EVERYWHERE, *_KEYS.get(kind, ())), known))
        payload, error = data.get("payload"), data.get("error")
        if isinstance(payload, dict):
            kept["payload"] = dict(_kept(payload, _OF_PAYLOAD, known))
        if isinstance(error, dict):
            kept["error"] = dict(_kept(error, ("code",), known))
        found["data"] = kept
    return found


def _kept(data: Row, keys: Collection[str], known: Collection[str]) -> Iterator[tuple[str, Plain]]:
    for key in keys:
        value = _value(key, data.get(key), known)
        if value is not None:
            yield key, value


def _value(key: str, value: Plain, known: Collection[str]) -> Plain:
    """None for what is not told."""
    if isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return value if _fits(key, value, known) else None
    if isinstance(value, list):
        return [each for each in value[:_LISTED_MAX] if isinstance(each, str) and _fits(key, each, known)]
    if isinstance(value, dict):
        inner = {name: _value(key, each, known) for name, each in value.items() if _is_word(name)}
        return {name: each for name, each in inner.items() if each is not None and not isinstance(each, dict)}
    return None


def _fits(key: str, text: str, known: Collection[str]) -> bool:
    if key in _ITEMS:
        return text in known
    if key in _PATHS:
        return len(text) <= _PATH_CHARS_MAX and text.isprintable()
    return _is_word(text)


def _is_word(value: Plain) -> bool:
    return isinstance(value, str) and _WORD.fullmatch(value) is not None


def mentioned(row: Row) -> set[str]:
    """The items that an event names, wherever an item has its place."""
    data = row.get("data")
    return set(_named(data)) if isinstance(data, dict) else set()


def _named(data: Row) -> Iterator[str]:
    for key in _ITEMS:
        yield from _texts(data.get(key))
    payload = data.get("payload")
    if isinstance(payload, dict):
        yield from _texts(payload.get("target_doc_id"))


def _texts(value: Plain) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for each in value if isinstance(value, list) else value.values() if isinstance(value, dict) else ():
        yield from _texts(each)


def is_private(row: Row, known: Collection[str]) -> bool:
    """Whether an event says that it is, names an item that the team does not know, or is nobody else's matter
    by its kind: then its hash is told and no word of it."""
    data = row.get("data")
    is_own = row.get("kind") == INTENTION or (isinstance(data, dict) and bool(data.get("private")))
    return is_own or not mentioned(row) <= set(known)


def is_untold(row: Row, known: Collection[str]) -> bool:
    """Whether an event is about nothing but what the team does not know: then that it happened is not told either."""
    return is_private(row, known) and mentioned(row).isdisjoint(known)
