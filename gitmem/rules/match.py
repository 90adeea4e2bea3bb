"""Which rules concern which files: paths, layers, commands, then what those require. Refuses to order or cut."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from gitmem import lazy
from gitmem.checks.cycles import components
from gitmem.index.card import DELIVERED, NEVER_BY_SCOPE, Card
from gitmem.index.knowledge import Knowledge
from gitmem.model.compiled import CompileRequest, Edge
from gitmem.model.finding import Notice
from gitmem.model.moments import instant, is_after, is_before
from gitmem.record import field, state

_NO_PATH = -1
# How many files are named for one item and one pattern; further ones are counted.
_FILES_NAMED = 10


@state
class Matched:
    """What a request brought in: cards by number, how specific the best path match was, and warnings.

    ``files`` has the targets, in their order, by (item, edge, pattern).
    """

    cards: dict[int, Card] = field(default_factory=dict)
    specificity: dict[int, int] = field(default_factory=dict)
    files: dict[tuple[str, str, str], list[str]] = field(default_factory=dict)
    warnings: list[Notice] = field(default_factory=list)
    layer_of: dict[str, str | None] = field(default_factory=dict)

    def bring(self, number: int, card: Card, specificity: int, how: tuple[str, str, str]) -> None:
        """``how`` is (edge, pattern, file)."""
        self.cards[number] = card
        if specificity > self.specificity.get(number, _NO_PATH - 1):
            self.specificity[number] = specificity
        files = self.files.setdefault((card.id, how[0], how[1]), [])
        if how[2] not in files[-1:]:
            files.append(how[2])

    def edges(self, items: Collection[str] | None = None) -> tuple[Edge, ...]:
        """What brought each item in, or each of ``items``, sorted; of many files under one pattern the first few, and
        how many more.
        """
        found = []
        for item, edge, pattern in sorted(how for how in self.files if items is None or how[0] in items):
            files = self.files[item, edge, pattern]
            named = files[:_FILES_NAMED]
            more = len(files) - len(named)
            found += [Edge(item, edge, pattern, file) for file in named[:-1]]
            found.append(Edge(item, edge, pattern, named[-1], more or None))
        return tuple(found)


def is_live(card: Card, duplicates: Mapping[str, object], as_of: str) -> bool:
    """Approved, readable, unambiguous, not restricted, and valid at ``as_of`` ('' judges no dates)."""
    return why_not_live(card, duplicates, as_of) == ""


def why_not_live(card: Card, duplicates: Mapping[str, object], as_of: str) -> str:
    """The first reason why a card is never delivered, '' when it may be."""
    if not card.is_served:
        return "malformed"
    if card.id in duplicates:
        return "duplicate-id"
    if card.status not in DELIVERED:
        return f"status-{card.status}"
    if card.visibility in NEVER_BY_SCOPE:
        return f"visibility-{card.visibility}"
    moment = instant(as_of) if as_of else None
    if moment is not None and is_before(moment, card.valid_from):
        return "not-yet-valid"
    if moment is not None and is_after(moment, card.valid_until):
        return "no-longer-valid"
    return ""


def match(knowledge: Knowledge, request: CompileRequest) -> Matched:
    """Steps 1 to 4 of a compile, over targets in sorted order."""
    found = Matched()
    live = _liveness(knowledge, request.as_of)
    targets = sorted(set(request.target_files))
    for target in targets:
        _by_path(knowledge, target, live, found)
    _by_layer(knowledge, (targets, request.layers), live, found)
    if request.command:
        for number in knowledge.numbers(f"command:{request.command}"):
            card = knowledge.card(number)
            if live(card):
                found.bring(number, card, _NO_PATH, ("command", request.command, ""))
    _requires(knowledge, live, found)
    return found


def require(knowledge: Knowledge, as_of: str, found: Matched) -> None:
    """Adds what the cards in ``found`` require, transitively: for cards that came in by another way than a match."""
    _requires(knowledge, _liveness(knowledge, as_of), found)


def _liveness(knowledge: Knowledge, as_of: str) -> Callable[[Card], bool]:
    duplicates = knowledge.facts.duplicates
    known: dict[str, bool] = {}

    def live(card: Card) -> bool:
        found = known.get(card.path)
        if found is None:
            found = known[card.path] = is_live(card, duplicates, as_of)
        return found

    return live


def _by_path(knowledge: Knowledge, target: str, live: Callable[[Card], bool], found: Matched) -> None:
    excluding = knowledge.excluding(target)
    for number, at in knowledge.matching(target):
        card = knowledge.card(number)
        if number not in excluding and live(card):
            found.bring(number, card, card.specificities[at], ("path", card.paths[at], target))


def _by_layer(
    knowledge: Knowledge, asked: tuple[Sequence[str], Sequence[str]], live: Callable[[Card], bool], found: Matched
) -> None:
    """Layers given in the request take the place of classification."""
    targets, given = asked
    if given:
        pairs = [(layer, "") for layer in sorted(set(given))]
        found.warnings += lazy.load("gitmem.rules.layers:strange")(knowledge, given)
    else:
        found.layer_of.update(_classified(knowledge, targets))
        pairs = [(layer, target) for target, layer in found.layer_of.items() if layer is not None]
    for layer, target in pairs:
        excluding = knowledge.excluding(target) if target else frozenset()
        for number in knowledge.numbers(f"layer:{layer}"):
            card = knowledge.card(number)
            if live(card) and number not in excluding:
                found.bring(number, card, _NO_PATH, ("layer", layer, target))


def _classified(knowledge: Knowledge, targets: Sequence[str]) -> dict[str, str | None]:
    """The layer of each target; what classifies is loaded only where there are layers."""
    if not knowledge.facts.layers:
        return dict.fromkeys(targets)
    found: dict[str, str | None] = lazy.load("gitmem.rules.layers:classified")(knowledge.facts.layers, targets)
    return found


def _requires(knowledge: Knowledge, live: Callable[[Card], bool], found: Matched) -> None:
    """The transitive closure. It ends on cycles, which ``check`` refuses and which are named here as well."""
    waiting = sorted(found.cards, key=lambda n: found.cards[n].id)
    reached = set(waiting)
    while waiting:
        number = waiting.pop(0)
        card = found.cards[number]
        for reference in card.requires:
            for wanted in _required(knowledge, card, reference, live, found):
                target = knowledge.card(wanted)
                found.bring(wanted, target, _NO_PATH, ("requires", card.id, ""))
                if wanted not in reached:
                    reached.add(wanted)
                    waiting.append(wanted)
    found.warnings += _cycles(knowledge, found.cards.values())


def _required(
    knowledge: Knowledge, card: Card, reference: str, live: Callable[[Card], bool], found: Matched
) -> list[int]:
    numbers = numbers_of(knowledge, reference)
    place = f".gitmem/{card.path}"
    if not numbers:
        found.warnings.append(
            Notice(
                "requires-missing", f"{card.slug} requires {reference!r}, which is not here", place, "run: gitmem check"
            )
        )
    elif len(numbers) > 1:
        names = ", ".join(sorted(knowledge.card(n).id for n in numbers))
        found.warnings.append(
            Notice("requires-ambiguous", f"{card.slug} requires {reference!r}: {names}", place, "use the id")
        )
    elif not live(knowledge.card(numbers[0])):
        reason = why_not_live(knowledge.card(numbers[0]), knowledge.facts.duplicates, "")
        message = f"{card.slug} requires {reference!r}, which is not delivered ({reason or 'validity'})"
        found.warnings.append(Notice("requires-not-live", message, place))
    else:
        return numbers
    return []


def numbers_of(knowledge: Knowledge, reference: str) -> list[int]:
    """Card numbers for an id, a slug or a domain/slug."""
    exact = knowledge.numbers(f"id:{reference.upper()}") if len(reference) == 26 else []
    if exact:
        return exact
    named = knowledge.numbers(f"slug:{reference.rpartition('/')[2]}")
    return [n for n in named if reference in (knowledge.card(n).slug, knowledge.card(n).name)]


def _cycles(knowledge: Knowledge, cards: Iterable[Card]) -> list[Notice]:
    """A warning for each circle among the cards that came in, told from its smallest id."""
    graph = {card.id: card for card in cards}
    edges = {
        id_: sorted(knowledge.card(n).id for reference in card.requires for n in numbers_of(knowledge, reference))
        for id_, card in graph.items()
        if card.requires
    }
    warnings = []
    for component in components(edges):
        if len(component) > 1 or component[0] in edges.get(component[0], ()):
            names = ", ".join(graph[id_].slug for id_ in component if id_ in graph)
            place = f".gitmem/{graph[component[0]].path}"
            warnings.append(Notice("requires-cycle", f"these require each other: {names}", place, "run: gitmem check"))
    return warnings
