"""What was tried, told and missed: runs and notes of the journal, attempts of the history. Refuses contents: it points.

Nothing here becomes part of a compile.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gitmem.answers import targets, told
from gitmem.answers.audit import damage
from gitmem.answers.misses import missed
from gitmem.answers.reading import Place, Reading, Session, ask, read
from gitmem.answers.recall_near import by_name, by_rules, earlier_names
from gitmem.answers.tried import Tried, tried
from gitmem.errors import UsageError
from gitmem.index.knowledge import Knowledge
from gitmem.memory import runs
from gitmem.memory.recalling import WHOLE, Nearness, Query, Ranked, rank
from gitmem.model.event import Entry as Line
from gitmem.model.finding import Notice
from gitmem.model.moments import rfc3339_of
from gitmem.model.past import Attempt
from gitmem.model.recalled import Trace
from gitmem.record import record, replace
from gitmem.store import spool
from gitmem.store.uncollected import uncollected
from gitmem.text import words
from gitmem.text.unsafe import escape_hidden

_LIMIT, _LIMIT_MAX = 20, 200
_RECENT, _RECENT_MAX = 10, 50
_ASKED_CHARS_MAX = 10_000
_TEXT_CHARS = 200
_FILES_SHOWN = 20
_OID_SHOWN = 12
_MISSES_MOST = 200
_GONE = ("superseded", "deprecated", "forgotten")


@record
class RecallCall:
    """``recent`` 0: any age, or the newest ten where nothing else is asked. ``run`` is a session or a compile id."""

    files: tuple[str, ...] = ()
    text: str = ""
    run: str = ""
    recent: int = 0
    gaps: bool = False
    limit: int = _LIMIT


@record
class Entry:
    """``ref`` is a commit, a branch, a compile id, the id of a journal entry or a pattern, as ``kind`` has it;
    ``score`` is from 0 to 1."""

    kind: str
    ref: str
    when: str
    files: tuple[str, ...]
    text: str
    score: float
    superseded: bool


@record
class Recalled:
    """``truncated``: more fits than ``limit`` lets through."""

    entries: tuple[Entry, ...]
    truncated: bool
    warnings: tuple[Notice, ...] = ()


def recall(session: Session, call: RecallCall) -> Recalled:
    _check(call)
    with uncollected():
        return _recalled(session, call)


def _recalled(session: Session, call: RecallCall) -> Recalled:
    place = session.place
    files = _paths(place, call.files)
    reading = read(place)
    if call.gaps:
        parts = spool.parts(place.repo)
        history, faults = None, damage(parts)
        known = _gaps(reading, sorted((line for part in parts for line in part.entries), key=lambda line: line.order))
    else:
        history = tried(session, reading.trusted.commit)
        known, faults = told.traces(session)
        known += _traces(history)
    known = _judged(reading, known)
    near = _nearness(reading, (files, history), known) if files else None
    found = rank(known, _query(session, call, near), words.terms)
    # Where nothing is found, that nothing is committed, or nothing known, may be why.
    warnings = (*(() if found else reading.warnings), *(history.warnings if history else ()), *faults)
    return Recalled(tuple(map(_entry, found[: call.limit])), len(found) > call.limit, warnings)


def _paths(place: Place, names: Sequence[str]) -> tuple[str, ...]:
    """As paths from the root; a folder may end in a slash, and the root stands for everything."""
    bare = [name.rstrip("/") if name.strip("/") else name for name in names]
    here = place.repo.prefix.rstrip("/")
    if any(name == "." and not here for name in bare):
        return ()
    own, others = [here for name in bare if name == "."], tuple(name for name in bare if name != ".")
    return (*own, *(targets.normalise(place, others) if others else ()))


def _check(call: RecallCall) -> None:
    if not 0 < call.limit <= _LIMIT_MAX:
        raise UsageError(f"limit must be from 1 to {_LIMIT_MAX}, not {call.limit}", hint=f"usually {_LIMIT}")
    if not 0 <= call.recent <= _RECENT_MAX:
        raise UsageError(f"recent goes from 1 to {_RECENT_MAX}, not {call.recent}", hint=f"usually {_RECENT}")
    if len(call.text) > _ASKED_CHARS_MAX:
        message = f"a text of {len(call.text)} characters, and at most {_ASKED_CHARS_MAX} are looked for"
        raise UsageError(message, hint="a few words are enough")
    if call.text and not words.telling(call.text):
        raise UsageError(f"no word to look for in {call.text[:40]!r}", hint="for example: --text 'retry the upload'")
    if call.run and call.gaps:
        raise UsageError("gaps belong to no run", hint="leave out one of the two")


def _query(session: Session, call: RecallCall, near: Nearness | None) -> Query:
    wanted = words.telling(call.text) if call.text else {}
    is_open = not (call.files or call.text or call.run or call.gaps)
    return Query(
        now=int(session.now.timestamp()),
        asked=len(wanted),
        found=lambda present: words.hits(wanted, present),
        near=near,
        run=call.run,
        recent=call.recent or (_RECENT if is_open else 0),
    )


def _traces(history: Tried) -> Iterable[Trace]:
    for attempt, terms in zip(history.attempts, history.terms, strict=True):
        yield Trace(
            kind=attempt.kind,
            ref=attempt.ref,
            time=attempt.time,
            order=attempt.rank,
            files=attempt.files,
            text=_told(attempt),
            terms=terms,
            is_superseded=attempt.is_superseded,
        )


def _told(attempt: Attempt) -> str:
    of = f" [{attempt.of[:_OID_SHOWN]}]" if attempt.of and attempt.of != attempt.ref else ""
    return f"{attempt.text}: {attempt.why}{of}" if attempt.why else f"{attempt.text}{of}"


def _gaps(reading: Reading, lines: Sequence[Line]) -> list[Trace]:
    """Files are held against every pattern; the same files are held once, and of many misses the newest."""
    known: dict[tuple[str, ...], list[tuple[str, str]]] = {}

    def near(files: tuple[str, ...]) -> list[tuple[str, str]]:
        if files not in known:
            is_room = len(known) < _MISSES_MOST
            known[files] = [(row.pattern, row.slug) for row in missed(reading, files).near] if is_room else []
        return known[files]

    return runs.gaps(lines, near)


def _judged(reading: Reading, traces: Iterable[Trace]) -> list[Trace]:
    """What is about knowledge that no longer holds sinks."""
    known = list(traces)
    items = {trace.item for trace in known if trace.item}
    if not items or not reading.tree:
        return known
    gone = ask(reading, lambda knowledge: {item for item in items if _is_gone(knowledge, item)})[0]
    return [replace(trace, is_superseded=True) if trace.item in gone else trace for trace in known]


def _is_gone(knowledge: Knowledge, item: str) -> bool:
    return all(card.status in _GONE for card in knowledge.under(f"id:{item}"))


def _nearness(reading: Reading, asked: tuple[Sequence[str], Tried | None], traces: Sequence[Trace]) -> Nearness:
    files, history = asked
    names = earlier_names(files, history.moves if history else {})
    paths = sorted({rel for trace in traces for rel in trace.files})
    rules = ask(reading, lambda knowledge: by_rules(knowledge, names, paths))[0] if reading.tree else {}
    named = frozenset(names)
    known = {path: max(by_name(named, path), rules.get(path, 0)) for path in paths}
    return known.__getitem__


def _entry(row: Ranked) -> Entry:
    trace = row.trace
    return Entry(
        kind=trace.kind,
        ref=trace.ref,
        when=rfc3339_of(trace.time),
        files=trace.files[:_FILES_SHOWN],
        text=words.cut(escape_hidden(" ".join(trace.text.split())), _TEXT_CHARS),
        score=round(row.score / WHOLE, 4),
        superseded=trace.is_superseded,
    )
