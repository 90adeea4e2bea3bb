"""How near files are to those that somebody asks about: by name, by folder, by the rules that name them.

Refuses rules that name nearly everything, and those that are private.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from gitmem.globs import trie
from gitmem.index.card import NEVER_BY_SCOPE, Card
from gitmem.index.edges import edges
from gitmem.index.knowledge import Knowledge
from gitmem.memory.recalling import BESIDE, FAR, JOINED, SAME
from gitmem.rules.match import numbers_of

_NAMES_MAX = 20
_CARDS_MAX = 200
# A rule that names more of the paths than every fourth says nothing about what belongs together.
_BROAD_SHARE, _BROAD_LEAST = 4, 20


def earlier_names(files: Iterable[str], moves: Mapping[str, Sequence[str]]) -> list[str]:
    """The files and the names that they had before; of one file at most twenty."""
    found: dict[str, None] = {}
    for file in files:
        names = [file]
        for name in names:
            names += [each for each in moves.get(name, ()) if each not in names][: _NAMES_MAX - len(names)]
        found.update(dict.fromkeys(names))
    return list(found)


def by_name(asked: Collection[str], path: str) -> int:
    """In quarters: the file itself or one below a folder that was asked for, one beside it, another."""
    above = path.split("/")
    if any("/".join(above[:depth]) in asked for depth in range(len(above), 0, -1)):
        return SAME
    folder = path.rpartition("/")[0]
    return BESIDE if folder and any(name.rpartition("/")[0] == folder for name in asked) else FAR


def by_rules(knowledge: Knowledge, asked: Sequence[str], paths: Sequence[str]) -> dict[str, int]:
    """The paths that a rule for the files names as well, and those of rules that such a rule is joined with."""
    direct = _naming(knowledge, asked)
    joined = {id_: card for card in direct.values() for id_, card in _joined(knowledge, card).items()}
    near = dict.fromkeys(_named(list(joined.values())[:_CARDS_MAX], paths), JOINED)
    return near | dict.fromkeys(_named(list(direct.values())[:_CARDS_MAX], paths), BESIDE)


def _naming(knowledge: Knowledge, files: Sequence[str]) -> dict[str, Card]:
    """The items whose scope or claims name one of the files, by id."""
    numbers: dict[int, None] = {}
    for file in files:
        without = knowledge.excluding(file)
        numbers |= dict.fromkeys(n for n, _ in knowledge.matching(file) if n not in without)
        numbers |= dict.fromkeys(knowledge.numbers(f"claim:{file}"))
    return _shown(knowledge.card(number) for number in numbers)


def _joined(knowledge: Knowledge, card: Card) -> dict[str, Card]:
    """What an edge or a requirement joins with an item, either way."""
    ends = dict.fromkeys(edge.beyond(card.id) for edge in edges(knowledge, card.id))
    numbers = [number for end in ends for number in knowledge.numbers(f"id:{end}")]
    numbers += [number for reference in card.requires for number in numbers_of(knowledge, reference)]
    names = (card.id, card.id.lower(), card.slug, card.name)
    numbers += [number for name in dict.fromkeys(names) for number in knowledge.numbers(f"needs:{name}")]
    return _shown(knowledge.card(number) for number in numbers)


def _shown(cards: Iterable[Card]) -> dict[str, Card]:
    return {card.id: card for card in cards if card.id and card.visibility not in NEVER_BY_SCOPE}


def _named(cards: Sequence[Card], paths: Sequence[str]) -> list[str]:
    """The paths that the scope or a claim of one of the items names, without those items that name too many."""
    owners = [(card, pattern, is_out) for card in cards for pattern, is_out in _patterns(card)]
    hits: dict[str, set[str]] = {card.id: set() for card in cards}
    outs: dict[str, set[str]] = {card.id: set() for card in cards}
    for path, numbers in trie.all_matches([pattern for _, pattern, _ in owners], paths) if owners else ():
        for number in numbers:
            card, _, is_out = owners[number]
            (outs if is_out else hits)[card.id].add(path)
    most = max(len(paths) // _BROAD_SHARE, _BROAD_LEAST)
    claimed = {path for card in cards for path, *_ in card.claims}
    narrow = [hits[card.id] - outs[card.id] for card in cards if len(hits[card.id]) <= most]
    return sorted(set(paths) & claimed.union(*narrow))


def _patterns(card: Card) -> list[tuple[str, bool]]:
    return [*((pattern, False) for pattern in card.paths), *((pattern, True) for pattern in card.excluded)]
