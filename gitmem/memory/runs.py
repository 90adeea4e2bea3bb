"""Runs, notes and gaps out of the entries of a journal. Refuses to open it, and tells nothing of what was delivered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from gitmem.model.event import COMPILE, OBSERVATION, Entry
from gitmem.model.moments import instant
from gitmem.model.observation import COMPILE_MISS, SESSION_NOTE, Observation, observation_of
from gitmem.model.past import Attempt
from gitmem.model.recalled import FAILED, GAP, NOTE, REVERTED, RUN, Trace
from gitmem.record import field, record, state

_FILES_MAX = 100

Plan = Callable[[Entry], str]
Patterns = Callable[[tuple[str, ...]], Sequence[tuple[str, str]]]


def traces(entries: Iterable[Entry], plan_of: Plan) -> list[Trace]:
    """Runs by session, or by compile where a client names none, and what was noted; ``entries`` in their order."""
    runs: dict[str, _Run] = {}
    found = []
    for entry in entries:
        if entry.kind == COMPILE:
            key = entry.session or str(entry.data.get("compile") or entry.id)
            runs.setdefault(key, _Run(key)).add(entry, plan_of(entry))
        elif entry.kind == OBSERVATION:
            found += _noted(entry)
    return [*(run.trace() for run in runs.values()), *found]


@state
class _Run:
    key: str
    compiles: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    plans: list[str] = field(default_factory=list)
    last: Entry | None = None

    def add(self, entry: Entry, plan: str) -> None:
        self.last = entry
        self.compiles.append(str(entry.data.get("compile") or ""))
        self.files += texts(entry.data, "files")
        self.plans += [plan] if plan else []

    def trace(self) -> Trace:
        """``ref`` is the newest compile, which ``journal audit`` tells in full."""
        assert self.last is not None
        compiles = [each for each in dict.fromkeys(self.compiles) if each]
        plans = list(dict.fromkeys(self.plans))
        said = "; ".join(reversed(plans)) or "no plan was given"
        by = f" by {self.last.agent}" if self.last.agent else ""
        where = f" in {self.last.session}" if self.last.session else ""
        count = f"{len(self.compiles)} compile(s){by}{where}"
        ref = compiles[-1] if compiles else self.last.id
        files = tuple(dict.fromkeys(self.files))[:_FILES_MAX]
        known = tuple(dict.fromkeys((self.key, *compiles)))
        return Trace(RUN, ref, seconds(self.last), self.last.clock, files, f"{said} ({count})", runs=known)


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
