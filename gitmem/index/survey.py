"""Finds out what holds for a knowledge tree as a whole: snapshot id, settings, problems, counts.

Refuses single requests.
"""

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from gitmem.index.card import DELIVERED, Card
from gitmem.index.facts import Counts, Facts, Problem, empty, load, snapshot_of
from gitmem.index.knowledge import Knowledge, added_keys
from gitmem.model.finding import Severity
from gitmem.model.vocabulary import Text
from gitmem.record import record, replace
from gitmem.store import codec
from gitmem.store.layout import IN_SNAPSHOT, place_of


@record
class Settings:
    """The bytes of the settings files, None where there is no such file."""

    config: bytes | None
    layers: bytes | None
    tags: bytes | None


@record
class Difference:
    """A tree seen as a base without ``removed`` (card numbers), with ``added``."""

    before: Knowledge
    tree: str
    removed: tuple[int, ...]
    added: tuple[Card, ...]


def manifest_lines(cards: Iterable[Card]) -> list[bytes]:
    """One line a file that can change a compile: kind, id, path, hash of the canonical bytes."""
    lines = []
    for card in cards:
        place = place_of(card.path)
        if place in IN_SNAPSHOT:
            path = card.path.replace("\n", "\\n")
            lines.append(f"{place.value}\0{card.id}\0{path}\0{card.digest}\n".encode("utf-8", "surrogatepass"))
    return lines


def of_whole(tree: str, cards: Sequence[Card], manifest: Sequence[bytes], settings: Settings) -> Facts:
    ids: dict[str, list[str]] = {}
    for card in cards:
        if card.id:
            ids.setdefault(card.id, []).append(card.path)
    return Facts(
        tree=tree,
        snapshot_id=snapshot_of(manifest),
        ledger_count=_ledger_count(cards),
        problems=tuple(sorted(_problems(cards))),
        duplicates={id_: tuple(paths) for id_, paths in sorted(ids.items()) if len(paths) > 1},
        counts=_counts(cards),
        **_read(settings),
    )


def of_changed(difference: Difference, settings: Settings | None) -> Facts:
    """The facts of a tree that differs little from its base, at the cost of the difference and one hash.

    ``settings`` None means that they are those of the base.
    """
    before, added = difference.before, difference.added
    base = before.base
    whole = load(base.facts()) if base else empty()
    gone = [before.card(number) for number in difference.removed]
    manifest = _changed(base.manifest() if base else [], manifest_lines(gone), manifest_lines(added))
    same = {"config": whole.config, "layers": whole.layers, "tags": whole.tags}
    gone_paths = {card.path for card in gone}
    return Facts(
        tree=difference.tree,
        snapshot_id=snapshot_of(manifest),
        ledger_count=_recounted(difference, gone, whole.ledger_count),
        problems=tuple(sorted([*_problems(added), *(row for row in whole.problems if row[0] not in gone_paths)])),
        duplicates=_duplicates(difference, whole),
        counts=_moved(whole.counts, _counts(gone), _counts(added)),
        **(same if settings is None else _read(settings)),
    )


def _changed(manifest: list[bytes], gone: Iterable[bytes], added: Iterable[bytes]) -> list[bytes]:
    """The sorted lines after a change; a line may be there several times."""
    for line in gone:
        at = bisect_left(manifest, line)
        assert manifest[at] == line
        del manifest[at]
    for line in added:
        insort(manifest, line)
    return manifest


def _duplicates(difference: Difference, whole: Facts) -> dict[str, tuple[str, ...]]:
    after = replace(difference.before, removed=frozenset(difference.removed), added=difference.added)
    after = replace(after, keys=added_keys(after.first_added, difference.added))
    suspects = sorted({*whole.duplicates, *(card.id for card in difference.added if card.id)})
    paths = {id_: tuple(sorted(card.path for card in after.under(f"id:{id_}"))) for id_ in suspects}
    return {id_: found for id_, found in paths.items() if len(found) > 1}


def _moved(counts: Counts, gone: Counts, added: Counts) -> Counts:
    moved = {}
    for name in {**counts, **added}:
        counter = Counter(counts.get(name, {}))
        counter.subtract(gone.get(name, {}))
        counter.update(added.get(name, {}))
        moved[name] = {key: n for key, n in sorted(counter.items()) if n}
    return moved


def _read(settings: Settings) -> dict[str, Mapping[str, Text]]:
    """What the settings files say; what is wrong with them is known to their cards."""
    named = (("config", settings.config), ("layers", settings.layers), ("tags", settings.tags))
    return {name: codec.decode_mapping(data, f"{name}.yaml")[0] for name, data in named if data is not None}


def _problems(cards: Iterable[Card]) -> list[Problem]:
    """The errors of what could change a compile and is not served as it stands."""
    return [
        (card.path, code, severity, line, message, hint, card.id)
        for card in cards
        if place_of(card.path) in IN_SNAPSHOT
        for code, severity, line, message, hint in card.findings
        if severity == Severity.ERROR.value
    ]


def _ledger_count(cards: Iterable[Card]) -> int:
    """Decisions, each once: a merge may bring one as a file and in a folded year."""
    return len({id_ for card in cards for id_ in card.decisions})


def _recounted(difference: Difference, gone: Iterable[Card], count: int) -> int:
    """The number of decisions after a change, by looking up those that it touches."""
    removed = frozenset(difference.removed)
    fresh = {id_ for card in difference.added for id_ in card.decisions}
    for id_ in fresh.union(*(card.decisions for card in gone)):
        numbers = difference.before.numbers(f"decided:{id_}")
        was, remains = bool(numbers), not removed.issuperset(numbers)
        count += (remains or id_ in fresh) - was
    return count


def _counts(cards: Iterable[Card]) -> Counts:
    cards = list(cards)
    engrams = [card for card in cards if card.id]
    found = {
        "place": Counter(place_of(card.path).value for card in cards),
        "domain": Counter(card.domain for card in engrams),
        "live": Counter(card.domain for card in engrams if card.status in DELIVERED),
        "kind": Counter(card.kind for card in engrams),
        "status": Counter(card.status for card in engrams),
        "tag": Counter(tag for card in engrams for tag in card.tags),
        "rules": Counter("all" for card in engrams if card.has_scope),
        "edge": Counter(card.edge[2] for card in cards if card.edge),
    }
    return {name: dict(sorted(counter.items())) for name, counter in found.items()}
