"""How often which item was delivered, helped or misled on which day: counts, which add up. Refuses texts and order.

Counts add up in any order and grouping, so those of several clones, of pruned lines and of lines that are still there
make one sum. What is no whole number is counted in thousandths.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping

from gitmem.model.event import COMPILE, DELIVERY, FEEDBACK, MAINTENANCE, RETRIEVAL, Entry
from gitmem.model.plain import Plain
from gitmem.record import field, record, state

DELIVERED, DEFERRED, OMITTED, RETRIEVED = "delivered", "deferred", "omitted", "retrieved"
HELPED, MISLED, IRRELEVANT = "helped", "misled", "irrelevant"
# How a use ended that was watched, as ``memory.windows`` tells it.
EFFECTIVE, FAILED, CONTRADICTED, INCONCLUSIVE = "effective", "failed", "contradicted", "inconclusive"
ENDS = (EFFECTIVE, FAILED, CONTRADICTED, INCONCLUSIVE)
ACTIONS = (DELIVERED, DEFERRED, OMITTED, RETRIEVED, HELPED, MISLED, IRRELEVANT, *ENDS)
# In thousandths: by how much successes were less than full ones, and by how much uses were better or worse than
# was predicted. So an event without a number of its own counts as before.
SHORTFALL, GAINED, LOST = "shortfall", "gained", "lost"
THOUSAND = 1000
_TOLD_IN = (FEEDBACK, MAINTENANCE)
# In the place of an item: how many events of a kind there were.
EVENTS = ""
_CALLED = {"inline": DELIVERED, **{action: action for action in ACTIONS}}
_USUAL = {COMPILE: DELIVERED, DELIVERY: DELIVERED, RETRIEVAL: RETRIEVED}
_DAY_CHARS = 10
_NAME_CHARS_MAX = 80
_COUNT_MAX = 10**12

# (day, item, action); the day is that of the clock that wrote the line, in UTC.
Key = tuple[str, str, str]


@record
class Tally:
    """``counts`` has only what is above 0; under the item ``EVENTS`` the action is a kind of event."""

    counts: Mapping[Key, int] = field(default_factory=dict)

    def __add__(self, other: "Tally") -> "Tally":
        return total((self, other))

    def only(self, items: Collection[str]) -> "Tally":
        """Without the counts of any item that is not among ``items``."""
        kept = {key: count for key, count in self.counts.items() if key[1] == EVENTS or key[1] in items}
        return Tally(kept)

    def items(self) -> set[str]:
        return {item for _, item, _ in self.counts if item != EVENTS}

    def of(self, item: str) -> dict[str, int]:
        """By action, over all days."""
        found: Counter[str] = Counter()
        for (_, each, action), count in self.counts.items():
            if each == item:
                found[action] += count
        return dict(sorted(found.items()))

    def plain(self) -> dict[str, Plain]:
        """As JSON: day, then item, then action."""
        days: dict[str, Plain] = {}
        for (day, item, action), count in sorted(self.counts.items()):
            items = days.setdefault(day, {})
            assert isinstance(items, dict)
            actions = items.setdefault(item, {})
            assert isinstance(actions, dict)
            actions[action] = count
        return days


def total(tallies: Iterable[Tally]) -> Tally:
    found: Counter[Key] = Counter()
    for each in tallies:
        found.update(each.counts)
    return Tally(dict(found))


def of_entries(entries: Iterable[Entry]) -> Tally:
    return of_rows({"at": each.at, "kind": each.kind, "data": dict(each.data)} for each in entries)


def of_rows(rows: Iterable[Mapping[str, Plain]]) -> Tally:
    """The same of the rows of lines as they were written, which need not become entries for it."""
    found = Heap()
    found.add(rows)
    return found.tally()


@state
class Heap:
    """Rows to be counted when all are there, which costs less than to add up many tallies."""

    kinds: dict[str, list[str]] = field(default_factory=dict)
    named: dict[str, dict[str, list[Plain]]] = field(default_factory=dict)
    amounts: dict[Key, int] = field(default_factory=dict)

    def add(self, rows: Iterable[Mapping[str, Plain]]) -> None:
        for row in rows:
            kind, data = row.get("kind"), row.get("data")
            if not isinstance(kind, str):
                continue
            day = day_of(row)
            if day not in self.kinds:
                self.kinds[day], self.named[day] = [], {}
            self.kinds[day].append(kind)
            here, items = self.named[day], data.get("items") if isinstance(data, dict) else None
            if kind in _TOLD_IN:
                _weigh(day, kind, data, self.amounts)
            # Nearly every line has such a map: it is gone through here, where it costs no call.
            for name, ids in items.items() if isinstance(items, dict) else _touched(kind, data):
                if name in _CALLED and isinstance(ids, list):
                    here.setdefault(name, []).extend(ids)

    def tally(self) -> Tally:
        counts: dict[Key, int] = {}
        for day, each in self.kinds.items():
            counts |= {(day, EVENTS, kind): count for kind, count in Counter(each).items()}
        return Tally(counts | _by_item(self.named) | self.amounts)


def _by_item(named: Mapping[str, Mapping[str, list[Plain]]]) -> dict[Key, int]:
    counts: dict[Key, int] = {}
    for day, here in named.items():
        for name, ids in here.items():
            for item, count in _counted(ids).items():
                found = day, item, _CALLED[name]
                counts[found] = counts.get(found, 0) + count
    return counts


def day_of(row: Mapping[str, Plain]) -> str:
    """That of the clock that wrote the line; where a line tells of another day (``on``), that one."""
    at, data = row.get("at"), row.get("data")
    if row.get("kind") == MAINTENANCE and isinstance(data, dict) and isinstance(data.get("on"), str):
        at = data["on"]
    return at[:_DAY_CHARS] if isinstance(at, str) else ""


def _weigh(day: str, kind: str, data: Plain, found: dict[Key, int]) -> None:
    """Adds the thousandths that an event tells of its items."""
    for action, amount in _amounts(kind, data):
        for _, ids in _touched(kind, data):
            for item in _ids(ids):
                found[day, item, action] = found.get((day, item, action), 0) + amount


def _amounts(kind: str, data: Plain) -> list[tuple[str, int]]:
    """(action, thousandths above 0) that an event tells of each of its items."""
    if not isinstance(data, dict):
        return []
    if kind == FEEDBACK and data.get("outcome") == HELPED:
        given = _thousandths(data.get("effectiveness"))
        return [(SHORTFALL, THOUSAND - given)] if given is not None and 0 <= given < THOUSAND else []
    surprise = _thousandths(data.get("surprise")) if kind == MAINTENANCE and data.get("outcome") in ENDS else None
    return [(GAINED if surprise > 0 else LOST, abs(surprise))] if surprise else []


def _thousandths(value: Plain) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= 1:
        return None
    return round(value * THOUSAND)


def _counted(ids: list[Plain]) -> Mapping[str, int]:
    try:
        found = Counter(ids)
    except TypeError:
        return Counter(_ids(ids))
    return {item: count for item, count in found.items() if type(item) is str and item}


def touched(kind: str, data: object) -> list[tuple[str, list[str]]]:
    """(action, ids) for what an event says of items.

    ``items`` is a map from actions to ids, or a list of ids: to these its ``outcome`` happened, else what is usual for
    the kind. Where it is about one, that is ``item``.
    """
    return [(action, _ids(ids)) for action, ids in _touched(kind, data)]


def _touched(kind: str, data: object) -> list[tuple[str, list[Plain]]]:
    if not isinstance(data, dict):
        return []
    items = data.get("items")
    if isinstance(items, dict):
        return [(_CALLED[name], ids) for name, ids in items.items() if name in _CALLED and isinstance(ids, list)]
    outcome = data.get("outcome")
    is_said = (kind == FEEDBACK and outcome in ACTIONS) or (kind == MAINTENANCE and outcome in ENDS)
    action = outcome if is_said else _USUAL.get(kind)
    return [(str(action), [*(items if isinstance(items, list) else ()), data.get("item")])] if action else []


def _ids(values: list[Plain]) -> list[str]:
    return [each for each in values if type(each) is str and each]


def read(plain: object) -> Tally:
    """The tally of a JSON form; whatever in it is no count is left out."""
    found: dict[Key, int] = {}
    for day, items in _rows(plain):
        for item, actions in _rows(items):
            for action, count in _rows(actions):
                if type(count) is int and 0 < count <= _COUNT_MAX:
                    found[day, item, action] = count
    return Tally(found)


def _rows(value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, Mapping):
        yield from ((name, each) for name, each in value.items() if isinstance(name, str) and _fits(name))


def _fits(name: str) -> bool:
    return len(name) <= _NAME_CHARS_MAX
