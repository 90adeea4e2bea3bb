"""The cards of one whole tree in a segmented file: by number and by key. Refuses to change once built."""

import json
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence

from gitmem.globs import trie
from gitmem.index.card import Card
from gitmem.index.segments import Segments
from gitmem.record import field, record

VERSION = 14
CARDS_A_PART = 16
_KEYS_A_PART = 32
_SUPERSEDES = "supersedes"
# A trie value is card number << PATTERN_BITS | number of the pattern in that card.
PATTERN_BITS = 12
_HEAD, _MANIFEST, _FACTS, _SLOTS, _FIXED = range(5)
_SLOT = struct.Struct(">I")

Value = list[int] | trie.Node
Keys = dict[str, Value]


@record
class Base:
    """A reader. Card numbers run from 0 in the order of paths; cards lie in slots, those of like scope side by side."""

    parts: Segments
    count: int
    card_parts: int
    values_seen: dict[str, Value | None] = field(default_factory=dict)
    cards_seen: dict[int, Card] = field(default_factory=dict)

    def card(self, number: int) -> Card:
        known = self.cards_seen.get(number)
        if known is None:
            known = self.cards_seen[number] = self._read_card(number)
        return known

    def _read_card(self, number: int) -> Card:
        (slot,) = _SLOT.unpack_from(self.parts.part(_SLOTS), number * _SLOT.size)
        part = self.parts.part(_FIXED + slot // CARDS_A_PART)
        return Card.load(part.split(b"\n")[slot % CARDS_A_PART])

    def cards(self) -> Iterator[Card]:
        lines = [line for at in range(self.card_parts) for line in self.parts.part(_FIXED + at).split(b"\n")]
        for (slot,) in _SLOT.iter_unpack(self.parts.part(_SLOTS)):
            yield Card.load(lines[slot])

    def value(self, key: str) -> Value | None:
        """Card numbers, or the node of a bucket of patterns; None for a key that is not here."""
        if key not in self.values_seen:
            self.values_seen[key] = self._read_value(key)
        return self.values_seen[key]

    def _read_value(self, key: str) -> Value | None:
        first = _FIXED + self.card_parts
        part = self.parts.part(first + _shard(key, len(self.parts) - first))
        if _quoted(key) + b":" not in part:
            return None
        found: Keys = json.loads(part)
        return found.get(key)

    def manifest(self) -> list[bytes]:
        """The sorted lines that the snapshot id is the hash of."""
        return [line + b"\n" for line in self.parts.part(_MANIFEST).split(b"\n")[:-1]]

    def facts(self) -> bytes:
        """What ``parts_of`` was given as the facts of the whole tree."""
        return self.parts.part(_FACTS)


def open_base(parts: Segments) -> Base | None:
    """A reader over a segmented file, or None when another version wrote it."""
    head = json.loads(parts.part(_HEAD))
    return Base(parts, head["count"], head["card_parts"]) if head["version"] == VERSION else None


def parts_of(cards: Sequence[Card], manifest: Iterable[bytes], facts: bytes) -> list[bytes]:
    """The parts of a base over ``cards``, which come sorted by path."""
    placed = sorted(range(len(cards)), key=lambda n: _neighbourhood(cards[n], n))
    shares = (placed[at : at + CARDS_A_PART] for at in range(0, len(placed), CARDS_A_PART))
    chunks = [b"\n".join([cards[number].dump() for number in share]) for share in shares]
    head = {"version": VERSION, "count": len(cards), "card_parts": len(chunks)}
    slots = b"".join(_SLOT.pack(slot) for _, slot in sorted((number, slot) for slot, number in enumerate(placed)))
    fixed = (json.dumps(head).encode(), b"".join(manifest), facts, slots)
    return [*fixed, *chunks, *_key_parts(keys_of(enumerate(cards)))]


def _neighbourhood(card: Card, number: int) -> tuple[object, ...]:
    """Rules for the same files lie side by side, and so do the edges from one engram."""
    return card.paths, card.layers, card.commands, card.edge[:1], number


def keys_of(numbered: Iterable[tuple[int, Card]]) -> Keys:
    """Every key under which cards are found;

    Patterns under ``p:`` and exceptions under ``x:`` and their literal prefix.
    """
    keys: dict[str, list[int]] = {}
    patterns: list[tuple[str, int]] = []
    excluded: list[tuple[str, int]] = []
    for number, card in numbered:
        for key in card_keys(card):
            keys.setdefault(key, []).append(number)
        patterns += [(pattern, number << PATTERN_BITS | at) for at, pattern in enumerate(card.paths)]
        excluded += [(pattern, number) for pattern in card.excluded]
    buckets = {f"p:{prefix}": node for prefix, node in trie.build(patterns).items()}
    excluding = {f"x:{prefix}": node for prefix, node in trie.build(excluded).items()}
    return {**keys, **buckets, **excluding}


def card_keys(card: Card) -> list[str]:
    """``path:`` without regard to case; ``id:`` and ``slug:`` name it, ``needs:`` what it requires; ``dated`` all that
    begins or ends, ``sourced`` all that mirrors a source, ``claimed`` all that rests on a file, ``claim:`` that file;
    ``from:`` and ``to:`` the ends of an edge, ``edge:supersedes`` all of that kind, ``decided:`` a ledger
    entry; ``skill`` all skills, ``cited:`` what they rest on; ``intention`` all intentions, ``pending`` those that are
    not done yet."""
    keys = [f"path:{card.path.casefold()}"]
    if card.id:
        keys += [f"id:{card.id}", f"slug:{card.slug}"]
        keys += [f"layer:{layer}" for layer in card.layers]
        keys += [f"command:{command}" for command in card.commands]
        keys += [f"needs:{target}" for target in card.requires]
        keys += [f"tag:{tag}" for tag in card.tags]
        keys += [f"origin:{card.origin}"] if card.origin else []
        keys += ["dated"] if card.valid_from or card.valid_until else []
        keys += ["sourced"] if card.source else []
        keys += ["claimed", *dict.fromkeys(f"claim:{path}" for path, *_ in card.claims)] if card.claims else ()
    elif card.cue:
        keys += [f"id:{card.ref}", *(f"cited:{target}" for target in card.requires)]
        keys += [card.kind, *(["pending"] if card.kind == "intention" and card.status == "active" else ())]
    keys += [f"decided:{id_}" for id_ in card.decisions]
    if card.edge:
        keys += [f"from:{card.edge[0]}", f"to:{card.edge[1]}"]
        keys += [f"edge:{_SUPERSEDES}"] if card.edge[2] == _SUPERSEDES else []
    return keys


def _key_parts(keys: Mapping[str, Value]) -> list[bytes]:
    count = max(1, len(keys) // _KEYS_A_PART)
    shards: list[Keys] = [{} for _ in range(count)]
    for key, value in keys.items():
        shards[_shard(key, count)][key] = value
    return [
        json.dumps(shard, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
        for shard in shards
    ]


def _quoted(key: str) -> bytes:
    return json.dumps(key, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _shard(key: str, count: int) -> int:
    return zlib.crc32(key.encode("utf-8", "surrogatepass")) % count
