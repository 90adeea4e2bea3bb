"""What the calls after a use say of it: did the reader go on working, or go on searching. Refuses clocks and journals.

A use begins when an item is opened; that it was found is no evidence of anything. It is over after the window of its
kind, and what counts are the ten calls after it in the same session. Each source of evidence counts once:

    an edge says that it is contradicted        -0.8
    opened, then another search within 3 calls  -0.7
    its text was corrected                      -0.4
    opened, then work: a verdict that passed    +0.8
    opened again                                +0.6
    no further search                           +0.4
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from gitmem.memory import plasticity
from gitmem.memory.tally import CONTRADICTED, EFFECTIVE, FAILED, INCONCLUSIVE
from gitmem.model.moments import moved
from gitmem.record import field, record, replace

SEARCH, GET, ACTION, CORRECTION, CONTRADICTION, FEEDBACK, OTHER = (
    *("search", "get", "action", "correction", "contradiction"),
    *("feedback", "other"),
)
WINDOW_CALLS, SOON_CALLS = 10, 3
IS_CONTRADICTED, SEARCHED_ON, CORRECTED = "contradicted", "searched-on", "corrected"
WORKED, OPENED_AGAIN, SEARCHED_NO_MORE = "worked", "opened-again", "searched-no-more"
WEIGHTS: Mapping[str, float] = {
    IS_CONTRADICTED: -0.8,
    SEARCHED_ON: -0.7,
    CORRECTED: -0.4,
    WORKED: 0.8,
    OPENED_AGAIN: 0.6,
    SEARCHED_NO_MORE: 0.4,
}


@record
class Call:
    """One thing that was done in a session. ``scores`` are those of a search by item; ``id`` is that of its line."""

    kind: str
    at: datetime
    items: tuple[str, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict)
    id: str = ""


@record
class Learned:
    """How one use ended. ``surprise`` is 0 where nothing was learned; ``signals`` are the sources that spoke."""

    item: str
    outcome: str
    surprise: float
    since: datetime
    until: datetime
    signals: tuple[str, ...] = ()
    predicted: float | None = None
    opened: str = ""


@record
class Watch:
    """``window`` of an item; ``told`` says until when uses of an item were judged before, ``said`` when feedback came
    from elsewhere."""

    now: datetime
    window: Mapping[str, timedelta]
    told: Mapping[str, datetime] = field(default_factory=dict)
    said: Mapping[str, Sequence[datetime]] = field(default_factory=dict)


def learn(calls: Sequence[Call], watch: Watch) -> Iterator[Learned]:
    """Of the calls of one session in their order: the uses that are over at ``now`` and were not judged before.

    A use that somebody gave feedback on is judged by that, and tells nothing here.
    """
    open_until, given, scores = dict(watch.told), _given(calls), dict[str, float]()
    for at, call in enumerate(calls):
        scores.update(call.scores)
        for item in call.items if call.kind == GET else ():
            window = watch.window.get(item)
            if window is None or (item in open_until and call.at <= open_until[item]):
                continue
            until = moved(call.at, window)
            heard = [moment for number, moment in given.get(item, ()) if number > at and moment <= until]
            heard += [moment for moment in watch.said.get(item, ()) if call.at < moment <= until]
            open_until[item] = min(heard, default=until)
            if not heard and until <= watch.now:
                after = [each for each in calls[at + 1 : at + 1 + WINDOW_CALLS] if each.at <= until]
                use = Learned(item, INCONCLUSIVE, 0.0, call.at, until, predicted=scores.get(item), opened=call.id)
                yield _judged(use, after)


def _given(calls: Sequence[Call]) -> dict[str, list[tuple[int, datetime]]]:
    """By item the feedback on it: its place among the calls, and when."""
    found: dict[str, list[tuple[int, datetime]]] = {}
    for at, call in enumerate(calls):
        for item in call.items if call.kind == FEEDBACK else ():
            found.setdefault(item, []).append((at, call.at))
    return found


def _judged(use: Learned, after: Sequence[Call]) -> Learned:
    found = signals(use.item, after)
    error = plasticity.surprise((WEIGHTS[name] for name in found), use.predicted) if found else 0.0
    outcome = {plasticity.EFFECTIVE: EFFECTIVE, plasticity.FAILED: FAILED}.get(plasticity.learned(error), INCONCLUSIVE)
    outcome = CONTRADICTED if IS_CONTRADICTED in found else outcome
    return replace(use, outcome=outcome, surprise=error, signals=found)


def signals(item: str, after: Sequence[Call]) -> tuple[str, ...]:
    """The sources of evidence in what came after an item was opened, each once.

    Where nothing came after it nobody can say whether the reader had enough or went away.
    """
    if not after:
        return ()
    searches = [at for at, each in enumerate(after) if each.kind == SEARCH]
    found = {
        IS_CONTRADICTED: _any(after, CONTRADICTION, item),
        SEARCHED_ON: bool(searches) and searches[0] < SOON_CALLS,
        CORRECTED: _any(after, CORRECTION, item),
        WORKED: any(each.kind == ACTION for each in after),
        OPENED_AGAIN: _any(after, GET, item),
        SEARCHED_NO_MORE: not searches,
    }
    return tuple(name for name, is_there in found.items() if is_there)


def _any(calls: Iterable[Call], kind: str, item: str) -> bool:
    return any(_is_about(each, kind, item) for each in calls)


def _is_about(call: Call, kind: str, item: str) -> bool:
    return call.kind == kind and item in call.items
