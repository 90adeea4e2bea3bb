"""The rules with a verify block that concern the files of a change. Refuses to judge the change."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from gitmem import lazy
from gitmem.answers.bodies import Bodies
from gitmem.checks import verifying
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.model.diff import UNMERGED, FileDiff
from gitmem.model.finding import Notice
from gitmem.model.moments import bounds, rfc3339
from gitmem.record import record
from gitmem.rules.match import is_live
from gitmem.rules.violations import Rule
from gitmem.store.repo import FOLDER


@record
class Scoped:
    """The cards by number with the files in their scopes, in the order of the numbers; the layer of each file.

    ``until`` is when the next rule for these files begins or ceases to be valid, '' for never.
    """

    cards: Mapping[int, Card]
    files: Mapping[int, tuple[FileDiff, ...]]
    layers: Mapping[str, str | None]
    until: str


def scoped(knowledge: Knowledge, files: Sequence[FileDiff], now: datetime) -> Scoped:
    """Constraints that are approved and valid now; each file is matched against all patterns at once."""
    cards: dict[int, Card] = {}
    found: dict[int, list[FileDiff]] = {}
    layers = _layers(knowledge, [each.path for each in files])
    for each in files:
        numbers = _numbers(knowledge, each.path, layers.get(each.path)) if each.status != UNMERGED else ()
        for number in dict.fromkeys(numbers):
            if number not in cards:
                cards[number] = knowledge.card(number)
            if cards[number].kind == verifying.KIND:
                found.setdefault(number, []).append(each)
    duplicates = knowledge.facts.duplicates
    approved = {n: cards[n] for n in sorted(found) if is_live(cards[n], duplicates, "")}
    live = {n: card for n, card in approved.items() if is_live(card, duplicates, now.isoformat())}
    return Scoped(live, {n: tuple(found[n]) for n in live}, layers, _until(approved.values(), now))


def _until(cards: Iterable[Card], now: datetime) -> str:
    return min((rfc3339(b) for card in cards for b in bounds(card.valid_from, card.valid_until) if b > now), default="")


def _layers(knowledge: Knowledge, paths: Sequence[str]) -> Mapping[str, str | None]:
    if not knowledge.facts.layers:
        return {}
    found: dict[str, str | None] = lazy.load("gitmem.rules.layers:classified")(knowledge.facts.layers, paths)
    return found


def _numbers(knowledge: Knowledge, path: str, layer: str | None) -> Iterator[int]:
    excluding = knowledge.excluding(path)
    for number, _ in knowledge.matching(path):
        if number not in excluding:
            yield number
    for number in knowledge.numbers(f"layer:{layer}") if layer is not None else ():
        if number not in excluding:
            yield number


def rules(bodies: Bodies, found: Scoped) -> tuple[list[Rule], list[Notice]]:
    """Those that have a block, and a notice for each block that cannot be read: it judges nothing."""
    read: list[Rule] = []
    broken: list[Notice] = []
    for number, body in bodies.read(found.cards).items():
        card = found.cards[number]
        block = verifying.read(body, card.kind, card.path)
        if block.block is not None:
            read.append(Rule(card.id, card.slug, block.block, found.files[number]))
        elif block.findings:
            why = block.findings[0]
            message = f"the verify block of {card.slug} cannot be read, so it judges nothing: {why.message}"
            broken.append(Notice(why.code, message, f"{FOLDER}/{card.path}", "mend it: gitmem check"))
    return read, broken
