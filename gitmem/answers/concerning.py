"""Which approved items some files concern, with what joins them. Refuses what is not delivered here."""

from collections import deque
from collections.abc import Iterator, Sequence

from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.model.compiled import CompileRequest
from gitmem.model.finding import Notice
from gitmem.model.impact import Evidence, Reached
from gitmem.record import record
from gitmem.rules.match import Matched, is_live, match, require
from gitmem.store.repo import FOLDER

_REQUIRES, _CLAIM, _SOURCE = "requires", "claim", "source"
_NO_PATH = -1


@record
class Concerned:
    """The items that are reached directly first, then by the length of their chain, then by slug."""

    items: tuple[Reached, ...]
    warnings: tuple[Notice, ...]


def concerned(knowledge: Knowledge, request: CompileRequest) -> Concerned:
    """By path, layer and command as a compile has them, by what rests on or mirrors a file, and by what these require.

    The files, layers and command are those of ``request``; the rest of it is not looked at.
    """
    found = match(knowledge, request)
    if _bring(knowledge, request, found):
        require(knowledge, request.as_of, found)
    chains = _chains(found)
    edges = _evidence(found)
    rows = [_reached(card, edges[card.id], chains[card.id]) for card in found.cards.values()]
    rows.sort(key=lambda row: (len(row.via_dependency_chain), row.slug, row.id))
    return Concerned(tuple(rows), tuple(dict.fromkeys(found.warnings)))


def _bring(knowledge: Knowledge, request: CompileRequest, found: Matched) -> bool:
    """Brings in what rests on one of the files or mirrors it; whether any of that is new."""
    before = len(found.cards)
    for number, edge, place, file in _resting(knowledge, request.target_files):
        card = knowledge.card(number)
        if is_live(card, knowledge.facts.duplicates, request.as_of):
            found.bring(number, card, _NO_PATH, (edge, place, file))
    return len(found.cards) > before


def _resting(knowledge: Knowledge, files: Sequence[str]) -> Iterator[tuple[int, str, str, str]]:
    """(card number, edge, where in the file, file)."""
    for file in sorted(set(files)):
        for number in knowledge.numbers(f"claim:{file}"):
            for path, symbol, _, lines in knowledge.card(number).claims:
                if path == file:
                    yield number, _CLAIM, symbol or lines, file
    for number in knowledge.numbers("sourced"):
        source = knowledge.card(number).source
        if source and source[0] in files:
            yield number, _SOURCE, source[1] or source[2], source[0]


def _chains(found: Matched) -> dict[str, tuple[str, ...]]:
    """For each item the shortest way by which it comes, () where it is reached directly."""
    requirers: dict[str, list[str]] = {}
    direct = set()
    for item, edge, pattern in sorted(found.files):
        if edge == _REQUIRES:
            requirers.setdefault(pattern, []).append(item)
        else:
            direct.add(item)
    chains: dict[str, tuple[str, ...]] = dict.fromkeys(sorted(direct), ())
    waiting = deque(chains)
    while waiting:
        item = waiting.popleft()
        for required in requirers.get(item, ()):
            if required not in chains:
                chains[required] = (*chains[item], item)
                waiting.append(required)
    return chains


def _evidence(found: Matched) -> dict[str, list[Evidence]]:
    rows: dict[str, list[Evidence]] = {}
    for edge in found.edges():
        is_required = edge.edge == _REQUIRES
        owner, pattern = (edge.pattern, edge.item) if is_required else (edge.item, edge.pattern)
        rows.setdefault(edge.item, []).append(Evidence(edge.edge, owner, pattern, edge.file, edge.more))
    return rows


def _reached(card: Card, evidence: Sequence[Evidence], chain: tuple[str, ...]) -> Reached:
    place = f"{FOLDER}/{card.path}"
    return Reached(card.id, card.slug, card.title, card.kind, card.summary, place, tuple(evidence), chain)
