"""In which contexts engrams were of use, and what verdicts named, from events. Refuses texts, days and weights."""

from collections import Counter
from collections.abc import Iterator, Mapping

from gitmem.memory.tally import CONTRADICTED, EFFECTIVE, FAILED, HELPED, MISLED, Tally, touched
from gitmem.model.event import COMPILE, FEEDBACK, MAINTENANCE, VERIFY
from gitmem.model.plain import Plain
from gitmem.model.verified import NOTHING
from gitmem.record import field, record, state

VERDICTS_MOST = 100
_FILES_MOST = 200
_AREA_FOLDERS = 2
# Of the compiles that feedback may name.
COMPILES_MOST = 1000
_NOWHERE: tuple[int, tuple[str, ...]] = (-1, ())
# What somebody says, and how a use ended that was watched.
GOOD, BAD = (HELPED, EFFECTIVE), (MISLED, FAILED, CONTRADICTED)
_OUTCOMES = {**dict.fromkeys(GOOD, 1), **dict.fromkeys(BAD, -1)}
_TELLING = (FEEDBACK, MAINTENANCE)
# The events that are looked at.
KINDS = (COMPILE, VERIFY, *_TELLING)

Pair = tuple[str, str]


@record
class Told:
    """One event, as far as it is looked at."""

    writer: str
    kind: str
    clock: int
    data: Mapping[str, Plain]


@record
class Context:
    """Of one item. ``authors`` are the writers of journals with whom it helped more often than it misled, ``areas`` the
    folders of the code where it did; ``helped`` and ``misled`` are counts."""

    authors: tuple[str, ...] = ()
    areas: tuple[str, ...] = ()
    helped: int = 0
    misled: int = 0

    @property
    def net(self) -> int:
        return self.helped - self.misled


@record
class Verdict:
    """``items`` are those that it named: of one that failed, the rules that were broken."""

    passed: bool
    files: tuple[str, ...]
    items: tuple[str, ...]


@record
class Contexts:
    """``items`` by id; ``verdicts`` are the newest first."""

    items: Mapping[str, Context] = field(default_factory=dict)
    verdicts: tuple[Verdict, ...] = ()

    def of(self, item: str) -> Context:
        return self.items.get(item, _NONE)


_NONE = Context()


def area_of(path: str) -> str:
    """The part of the code that a file lies in: its first two folders."""
    return "/".join(path.split("/")[:-1][:_AREA_FOLDERS]) or "."


@state
class Fold:
    """What was counted so far: net uses by (item, writer) and (item, area), sums by (item, outcome); the areas of each
    of the last compiles, and by (writer, item) those for which it was delivered last, each with its clock."""

    total: Counter[Pair] = field(default_factory=Counter)
    by_writer: Counter[Pair] = field(default_factory=Counter)
    by_area: Counter[Pair] = field(default_factory=Counter)
    verdicts: list[tuple[int, Verdict]] = field(default_factory=list)
    asked: dict[str, tuple[str, ...]] = field(default_factory=dict)
    at_work: dict[Pair, tuple[int, tuple[str, ...]]] = field(default_factory=dict)

    def add(self, told: Told) -> None:
        """Events come in the order of each journal. One that names no files is about those of the compile that it
        names, or for which its writer last got the item."""
        if told.kind == COMPILE:
            self._ask(told)
        elif told.kind == VERIFY:
            self.verdicts += ((told.clock, verdict) for verdict in _verdict(told.data))
        elif told.kind in _TELLING:
            known = _areas(told.data) or self.asked.get(str(told.data.get("compile", "")), ())
            for item, outcome in _outcomes(told):
                self._count(told.writer, item, outcome, 1)
                for area in known or self.at_work.get((told.writer, item), _NOWHERE)[1]:
                    self.by_area[item, area] += _OUTCOMES[outcome]

    def _ask(self, told: Told) -> None:
        now = told.clock, _areas(told.data)
        for item in _delivered(told):
            if self.at_work.get((told.writer, item), _NOWHERE)[0] <= told.clock:
                self.at_work[told.writer, item] = now
        self.asked[str(told.data.get("compile"))] = now[1]
        if len(self.asked) > 2 * COMPILES_MOST:
            self.asked = dict([*self.asked.items()][-COMPILES_MOST:])

    def _count(self, writer: str, item: str, outcome: str, count: int) -> None:
        self.total[item, outcome] += count
        self.by_writer[item, writer] += count * _OUTCOMES[outcome]

    def add_counts(self, writer: str, tally: Tally) -> None:
        for (_, item, action), count in tally.counts.items():
            if item and action in _OUTCOMES:
                self._count(writer, item, action, count)

    def contexts(self) -> Contexts:
        authors, areas = _above(self.by_writer), _above(self.by_area)
        found = {}
        for item in sorted({item for item, _ in self.total}):
            helped, misled = (sum(self.total[item, outcome] for outcome in outcomes) for outcomes in (GOOD, BAD))
            found[item] = Context(authors.get(item, ()), areas.get(item, ()), helped, misled)
        self.verdicts = sorted(self.verdicts, key=lambda each: each[0])[-VERDICTS_MOST:]
        return Contexts(found, tuple(verdict for _, verdict in reversed(self.verdicts)))


def _delivered(told: Told) -> Iterator[str]:
    return (item for _, items in touched(told.kind, told.data) for item in items)


def _outcomes(told: Told) -> Iterator[Pair]:
    """A success without any effect is none."""
    rows = touched(told.kind, told.data) if told.data.get("effectiveness", 1) else []
    return ((item, outcome) for outcome, items in rows if outcome in _OUTCOMES for item in dict.fromkeys(items))


def _areas(data: Mapping[str, Plain]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(area_of, _texts(data.get("files")))))


def _verdict(data: Mapping[str, Plain]) -> list[Verdict]:
    if data.get("verdict") == NOTHING or not isinstance(data.get("passed"), bool):
        return []
    return [Verdict(data["passed"] is True, _texts(data.get("files")), _texts(data.get("items")))]


def _texts(value: Plain) -> tuple[str, ...]:
    return tuple(each for each in value[:_FILES_MOST] if isinstance(each, str)) if isinstance(value, list) else ()


def _above(net: Mapping[Pair, int]) -> dict[str, tuple[str, ...]]:
    """By item, sorted, where the good outweighs the bad."""
    found: dict[str, list[str]] = {}
    for item, where in sorted(key for key, count in net.items() if count > 0):
        found.setdefault(item, []).append(where)
    return {item: tuple(each) for item, each in found.items()}
