"""Whether a packet was of use, and of what in it: on record, and what it moves. Refuses what names nothing here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gitmem.answers import coding, packets
from gitmem.answers.assessing import Said
from gitmem.answers.journal import write
from gitmem.answers.packets import Node
from gitmem.answers.session import Session
from gitmem.code import learning
from gitmem.code.atlas import Atlas
from gitmem.code.learning import Learned, Lesson
from gitmem.code.locate import locate
from gitmem.model.event import FEEDBACK, Entry, Event
from gitmem.model.plain import Plain
from gitmem.record import record

# A name that means more than so many files says nothing of any of them.
_NAMESAKES_MOST = 3
_SHOWN_MOST = 50


@record
class Heard:
    """``packet`` is its whole id; ``unresolved`` are the names that mean nothing here, or too much."""

    packet: str
    nodes: tuple[Node, ...]
    unresolved: tuple[str, ...]
    event: str


def heard(session: Session, wanted: str, told: Said) -> Heard | None:
    """None where no packet of that id is on record."""
    entry = packets.find(session, wanted)
    if entry is None:
        return None
    delivered = tuple(path for path in _files(entry) if isinstance(path, str))
    named = [name for name in _list(told.given.get("touched")) if isinstance(name, str)]
    found = _resolved(coding.graph(session).atlas, named, delivered) if named else {}
    unresolved = tuple(name for name in named if not found.get(name))
    touched = tuple(dict.fromkeys(path for paths in found.values() for path in paths))
    effectiveness = told.given.get("effectiveness", 1.0)
    outcome = packets.outcome_of(told.verdict, float(effectiveness) if isinstance(effectiveness, int | float) else 1.0)
    lesson = Lesson(packets.today(session), str(entry.data.get("intent", "")), delivered, touched, outcome)
    # Where every name that was given is unknown, the packet as a whole is not blamed for it.
    lessons = () if named and not touched else (lesson,)
    before, after = packets.known(session), packets.known(session, lessons)
    nodes = _nodes(lesson, (before, after), {path: name for name, paths in found.items() for path in paths})
    data: dict[str, Plain] = {"items": [], "outcome": told.verdict, "packet": str(entry.data["packet"])}
    data |= {"lesson": packets.taught(lesson)} if lessons else {}
    data |= {"weights": [[node.path, node.before, node.after] for node in nodes], "surface": session.surface}
    event = write(session, Event(FEEDBACK, data | dict(told.given), session=session.run, agent=session.client))
    return Heard(str(entry.data["packet"]), nodes, unresolved, event)


def _files(entry: Entry) -> list[Plain]:
    return _list(entry.data.get("files"))


def _list(value: Plain) -> list[Plain]:
    return value if isinstance(value, list) else []


def _resolved(atlas: Atlas, names: Sequence[str], delivered: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The files that each name means: those that the packet showed before others."""
    shown = frozenset(delivered)
    found = {}
    for name in names:
        located = locate(atlas, name)
        paths = dict.fromkeys(place.path for place in located.places) if located.is_exact else {}
        closer = [path for path in paths if path in shown] or list(paths)
        found[name] = tuple(closer) if len(closer) <= _NAMESAKES_MOST else ()
    return found


def _nodes(lesson: Lesson, known: tuple[Learned, Learned], names: dict[str, str]) -> tuple[Node, ...]:
    """The files whose weight moves, in the order in which they were touched or shown."""
    before, after = known
    rows = []
    for path in dict.fromkeys((*lesson.touched, *lesson.delivered)):
        was, is_now = (learning.weight(each, lesson.context, path) for each in (before, after))
        if was != is_now or path in names:
            rows.append(Node(path, lesson.context, was, is_now, names.get(path)))
    return tuple(rows[:_SHOWN_MOST])
