"""Questions to one knowledge tree: cards by id, slug, path, layer, command, tag.

Refuses to know how the tree was read.
"""

from collections.abc import Iterator, Sequence

from gitmem.config import Config
from gitmem.globs import trie
from gitmem.index.card import Card
from gitmem.index.facts import Facts
from gitmem.index.tables import PATTERN_BITS, Base, Keys, keys_of
from gitmem.record import record, replace


@record
class Knowledge:
    """A base tree and what differs from it.

    Card numbers below ``base.count`` are the base's, the rest are ``added``.
    """

    facts: Facts
    settings: Config
    base: Base | None
    removed: frozenset[int]
    added: tuple[Card, ...]
    keys: Keys

    @property
    def first_added(self) -> int:
        return self.base.count if self.base else 0

    def card(self, number: int) -> Card:
        base = self.base
        if base is None:
            return self.added[number]
        return base.card(number) if number < base.count else self.added[number - base.count]

    def verified(self) -> "Knowledge":
        """Itself, once every part of its base was read and found intact."""
        for number in range(len(self.base.parts) if self.base is not None else 0):
            assert self.base is not None
            self.base.parts.part(number)
        return self

    def cards(self) -> Iterator[Card]:
        """All cards: those of the base in the order of their paths, then what was added."""
        if self.base is not None:
            for number, card in enumerate(self.base.cards()):
                if number not in self.removed:
                    yield card
        yield from self.added

    def numbers(self, key: str) -> list[int]:
        """The numbers of the live cards under a key (see ``tables.card_keys``), ascending."""
        found = self.base.value(key) if self.base is not None else None
        kept = [n for n in found if n not in self.removed] if isinstance(found, list) else []
        added = self.keys.get(key)
        return kept + added if isinstance(added, list) else kept

    def under(self, key: str) -> list[Card]:
        return [self.card(number) for number in self.numbers(key)]

    def by_reference(self, reference: str) -> list[Card]:
        """Cards that an id, a slug or a domain/slug names; exact, several only when the name is ambiguous."""
        found = self.under(f"id:{reference.upper()}") if len(reference) == 26 else []
        if found:
            return found
        named = self.under(f"slug:{reference.rpartition('/')[2]}")
        return [card for card in named if reference in (card.slug, card.name)]

    def named(self, ref: str) -> Card | None:
        """The skill or the intention that a reference as ``Card.ref`` names."""
        return next((card for card in self.under(f"id:{ref}") if card.cue), None)

    def at_path(self, rel: str) -> Card | None:
        return next((card for card in self.under(f"path:{rel.casefold()}") if card.path == rel), None)

    def matching(self, target: str) -> list[tuple[int, int]]:
        """(card number, number of the pattern in that card) for each scope path that matches the target file."""
        mask = (1 << PATTERN_BITS) - 1
        return [(value >> PATTERN_BITS, value & mask) for value in self._values("p", target, PATTERN_BITS)]

    def excluding(self, target: str) -> frozenset[int]:
        """The numbers of the cards whose scope excepts the target file."""
        return frozenset(self._values("x", target, 0))

    def _values(self, family: str, target: str, shift: int) -> list[int]:
        values: list[int] = []
        for key in trie.lookup_keys(target):
            of_base = self.base.value(f"{family}:{key}") if self.base is not None else None
            if isinstance(of_base, dict):
                values += [v for v in trie.match(of_base, key, target) if v >> shift not in self.removed]
            of_added = self.keys.get(f"{family}:{key}")
            if isinstance(of_added, dict):
                values += trie.match(of_added, key, target)
        return values


def added_keys(first: int, added: tuple[Card, ...]) -> Keys:
    return keys_of((first + at, card) for at, card in enumerate(added))


def overlaid(before: Knowledge, changed: Sequence[str], cards: Sequence[Card]) -> Knowledge:
    """``before`` without the files at ``changed``, with ``cards``; its facts stay those of the tree it came from."""
    gone = {n for rel in changed for n in before.numbers(f"path:{rel.casefold()}") if before.card(n).path == rel}
    first = before.first_added
    kept = tuple(card for at, card in enumerate(before.added) if first + at not in gone)
    added = (*kept, *cards)
    removed = before.removed | {n for n in gone if n < first}
    return replace(before, removed=removed, added=added, keys=added_keys(first, added))
