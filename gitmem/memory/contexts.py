"""In which contexts engrams were of use, and what verdicts named, from events. Refuses texts, days and weights."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from gitmem.memory.tally import HELPED, MISLED, Tally, touched
from gitmem.model.event import COMPILE, FEEDBACK, VERIFY, Entry
from gitmem.model.plain import Plain
from gitmem.model.verified import NOTHING
from gitmem.record import field, record

VERDICTS_MOST = 100
_FILES_MOST = 200
_AREA_FOLDERS = 2
_OUTCOMES = {HELPED: 1, MISLED: -1}

Net = Counter[tuple[str, str]]


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


def of_events(entries: Iterable[Entry], counts: Iterable[tuple[str, Tally]] = ()) -> Contexts:
    """``entries`` in their order; ``counts`` by writer of what only counts tell of.

    An event that names no files is about those for which its writer last got the item.
    """
    by_writer, by_area, total = Net(), Net(), Net()
    verdicts: list[Verdict] = []
    at_work: dict[tuple[str, str], tuple[str, ...]] = {}
    for entry in entries:
        if entry.kind == COMPILE:
            at_work |= dict.fromkeys(_delivered(entry), _areas(entry.data))
        elif entry.kind == VERIFY:
            verdicts += _verdict(entry.data)
        elif entry.kind == FEEDBACK:
            for item, outcome in _outcomes(entry):
                total[item, outcome] += 1
                by_writer[item, entry.writer] += _OUTCOMES[outcome]
                for area in _areas(entry.data) or at_work.get((entry.writer, item), ()):
                    by_area[item, area] += _OUTCOMES[outcome]
    for writer, item, action, count in _counted(counts):
        total[item, action] += count
        by_writer[item, writer] += count * _OUTCOMES[action]
    return Contexts(_items(total, _above(by_writer), _above(by_area)), tuple(reversed(verdicts[-VERDICTS_MOST:])))


def _items(
    total: Net, authors: Mapping[str, tuple[str, ...]], areas: Mapping[str, tuple[str, ...]]
) -> dict[str, Context]:
    items = sorted({item for item, _ in total})
    return {i: Context(authors.get(i, ()), areas.get(i, ()), total[i, HELPED], total[i, MISLED]) for i in items}


def _counted(counts: Iterable[tuple[str, Tally]]) -> Iterator[tuple[str, str, str, int]]:
    for writer, tally in counts:
        for (_, item, action), count in tally.counts.items():
            if item and action in _OUTCOMES:
                yield writer, item, action, count


def _delivered(entry: Entry) -> Iterator[tuple[str, str]]:
    return ((entry.writer, item) for _, items in touched(entry.kind, entry.data) for item in items)


def _outcomes(entry: Entry) -> Iterator[tuple[str, str]]:
    rows = touched(entry.kind, entry.data)
    return ((item, outcome) for outcome, items in rows if outcome in _OUTCOMES for item in dict.fromkeys(items))


def _areas(data: Mapping[str, Plain]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(area_of, _texts(data.get("files")))))


def _verdict(data: Mapping[str, Plain]) -> list[Verdict]:
    if data.get("verdict") == NOTHING or not isinstance(data.get("passed"), bool):
        return []
    return [Verdict(data["passed"] is True, _texts(data.get("files")), _texts(data.get("items")))]


def _texts(value: Plain) -> tuple[str, ...]:
    return tuple(each for each in value[:_FILES_MOST] if isinstance(each, str)) if isinstance(value, list) else ()


def _above(net: Net) -> dict[str, tuple[str, ...]]:
    """By item, sorted, where the good outweighs the bad."""
    found: dict[str, tuple[str, ...]] = {}
    for item, where in sorted(key for key, count in net.items() if count > 0):
        found[item] = (*found.get(item, ()), where)
    return found
