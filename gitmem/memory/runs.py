"""Runs, notes and gaps out of the entries of a journal. Refuses to open it, and tells nothing of what was delivered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from gitmem.model.event import COMPILE, OBSERVATION, Entry
from gitmem.model.moments import instant
from gitmem.model.observation import COMPILE_MISS, SESSION_NOTE, Observation, observation_of
from gitmem.model.past import Attempt
from gitmem.model.recalled import FAILED, GAP, NOTE, REVERTED, RUN, Trace
from gitmem.record import field, record, replace, state

_FILES_MAX = 100

Plan = Callable[[Entry], str]
Terms = Callable[[str], Iterable[str]]
Patterns = Callable[[tuple[str, ...]], Sequence[tuple[str, str]]]


def traces(entries: Iterable[Entry], plan_of: Plan) -> list[Trace]:
    """Runs by session, or by compile where a client names none, and what was noted; ``entries`` in their order."""
    return united([told(entries, plan_of)])


@record
class Part:
    """What some entries tell of one run: ``clock``, ``id`` and the rest are of the last of them; ``terms`` as in
    ``Trace``."""

    key: str
    clock: int
    id: str
    time: int
    session: str
    agent: str
    count: int
    compiles: tuple[str, ...]
    files: tuple[str, ...]
    plans: tuple[str, ...]
    terms: str = ""


@record
class Told:
    """The runs and notes of some entries, to be put together with those of others."""

    parts: tuple[Part, ...] = ()
    notes: tuple[Trace, ...] = ()


def told(entries: Iterable[Entry], plan_of: Plan, terms: Terms | None = None) -> Told:
    """``entries`` in their order; ``terms`` splits a text into what is looked for, so that it is done once."""
    runs: dict[str, _Run] = {}
    notes: list[Trace] = []
    for entry in entries:
        if entry.kind == COMPILE:
            key = entry.session or str(entry.data.get("compile") or entry.id)
            runs.setdefault(key, _Run(key, entry)).add(entry, plan_of(entry))
        elif entry.kind == OBSERVATION:
            notes += _noted(entry)
    if terms is not None:
        notes = [replace(each, terms=_joined(terms, (each.text, *each.files))) for each in notes]
    return Told(tuple(run.part(terms) for run in runs.values()), tuple(notes))


def united(many: Iterable[Told]) -> list[Trace]:
    """The runs, each whole, and the notes."""
    runs: dict[str, list[Part]] = {}
    notes: list[Trace] = []
    for each in many:
        notes += each.notes
        for part in each.parts:
            runs.setdefault(part.key, []).append(part)
    return [*map(_run, runs.values()), *notes]


def _run(parts: list[Part]) -> Trace:
    """``ref`` is the newest compile, which ``journal audit`` tells in full."""
    run = parts[0] if len(parts) == 1 else _whole(parts)
    said = "; ".join(reversed(run.plans)) or "no plan was given"
    by = f" by {run.agent}" if run.agent else ""
    where = f" in {run.session}" if run.session else ""
    return Trace(
        kind=RUN,
        ref=run.compiles[-1] if run.compiles else run.id,
        time=run.time,
        order=run.clock,
        files=run.files,
        text=f"{said} ({run.count} compile(s){by}{where})",
        terms=run.terms,
        runs=run.compiles if run.key in run.compiles else (run.key, *run.compiles),
    )


def _whole(parts: list[Part]) -> Part:
    parts = sorted(parts, key=lambda part: (part.clock, part.id))
    return replace(
        parts[-1],
        count=sum(part.count for part in parts),
        compiles=tuple(dict.fromkeys(each for part in parts for each in part.compiles)),
        files=tuple(dict.fromkeys(file for part in parts for file in part.files))[:_FILES_MAX],
        plans=tuple(dict.fromkeys(plan for part in parts for plan in part.plans)),
        terms=" ".join(part.terms for part in parts).strip(),
    )


@state
class _Run:
    key: str
    last: Entry
    count: int = 0
    compiles: dict[str, None] = field(default_factory=dict)
    files: dict[str, None] = field(default_factory=dict)
    plans: dict[str, None] = field(default_factory=dict)

    def add(self, entry: Entry, plan: str) -> None:
        self.last = entry
        self.count += 1
        compile_id = str(entry.data.get("compile") or "")
        self.compiles |= {compile_id: None} if compile_id else {}
        self.files |= dict.fromkeys(texts(entry.data, "files"))
        self.plans |= {plan: None} if plan else {}

    def part(self, terms: Terms | None) -> Part:
        last = self.last
        said = (*self.plans, *self.files, last.agent, last.session)
        return Part(
            key=self.key,
            clock=last.clock,
            id=last.id,
            time=seconds(last),
            session=last.session,
            agent=last.agent,
            count=self.count,
            compiles=tuple(self.compiles),
            files=tuple(self.files)[:_FILES_MAX],
            plans=tuple(self.plans),
            terms=_joined(terms, said) if terms else "",
        )


def _joined(terms: Terms, texts_: Iterable[str]) -> str:
    return " ".join(sorted(set(terms("\n".join(texts_)))))


def _noted(entry: Entry) -> list[Trace]:
    """A miss counts as a gap and is no note; the outcome of a turn is a kind of its own."""
    said = _observation(entry)
    if said is None or said.event_type == COMPILE_MISS:
        return []
    kind = said.text("outcome") if said.event_type == SESSION_NOTE else NOTE
    words = [said.text(name) for name in ("plan", "abstract", "note", "pr_title", "review_comment")]
    text = ": ".join(dict.fromkeys(word for word in words if word)) or said.event_type
    runs = (entry.session,) if entry.session else ()
    item = said.text("target_doc_id")
    return [Trace(kind, entry.id, seconds(entry), entry.clock, said.files[:_FILES_MAX], text, runs=runs, item=item)]


def _observation(entry: Entry) -> Observation | None:
    return observation_of(entry.id, entry.at, entry.data, (entry.agent, entry.session, entry.writer))


def failures(entries: Iterable[Entry]) -> list[Attempt]:
    """The turns that somebody said had failed or were taken back, in the order of ``entries``."""
    noted = (trace for entry in entries if entry.kind == OBSERVATION for trace in _noted(entry))
    return [
        Attempt(trace.kind, trace.ref, trace.time, trace.order, trace.files, trace.text)
        for trace in noted
        if trace.kind in (FAILED, REVERTED)
    ]


@record
class _Missed:
    files: tuple[str, ...]
    entry: Entry
    comment: str


def gaps(entries: Iterable[Entry], patterns_of: Patterns) -> list[Trace]:
    """How often something was missed, by the pattern that is nearest to the files, or by file where none is near.

    ``patterns_of`` gives (pattern, slug of its rule) for files, the nearest first.
    """
    missed: dict[str, list[_Missed]] = {}
    rules: dict[str, str] = {}
    for entry in entries:
        said = _observation(entry) if entry.kind == OBSERVATION else None
        if said is None or said.event_type != COMPILE_MISS:
            continue
        near = list(patterns_of(said.files))[:1]
        rules.update(near)
        for name in [pattern for pattern, _ in near] or said.files:
            missed.setdefault(name, []).append(_Missed(said.files, entry, said.text("review_comment")))
    return [_gap(name, rows, rules.get(name, "")) for name, rows in missed.items()]


def _gap(name: str, rows: Sequence[_Missed], slug: str) -> Trace:
    counts = Counter(rel for row in rows for rel in row.files)
    files = tuple(rel for rel, _ in sorted(counts.items(), key=lambda each: (-each[1], each[0])))
    last = rows[-1]
    where = f"near {name} of {slug}" if slug else f"on {name}, with no pattern near"
    text = f"missed {len(rows)} time(s) {where}: {last.comment}"
    return Trace(GAP, name, seconds(last.entry), last.entry.clock, files[:_FILES_MAX], text)


def texts(data: Mapping[str, object], name: str) -> list[str]:
    value = data.get(name)
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def seconds(entry: Entry) -> int:
    moment = instant(entry.at)
    return int(moment.timestamp()) if moment else 0
