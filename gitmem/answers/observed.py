"""Observations with what has become of each, as the journals tell it. Refuses to keep a list of its own, and to write.

Those of other writers count where they share them; each counts once, however many copies of its line there are.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import timedelta

from gitmem.answers.session import Session
from gitmem.answers.unprocessed import reports
from gitmem.errors import GitmemError, UsageError
from gitmem.globs.dialect import matches
from gitmem.model import observation as forms
from gitmem.model.event import COMPILE, OBSERVATION, RETRIEVAL, TRIAGE, Entry
from gitmem.model.moments import moved, rfc3339
from gitmem.model.observation import Conflict, Observation
from gitmem.model.plain import Plain
from gitmem.record import field, record
from gitmem.review.triage import KEEP_BOTH, Triaged, fold, shared_id
from gitmem.store import shared
from gitmem.store.objects import may_have_refs
from gitmem.store.refs import JOURNAL, REMOTES
from gitmem.store.uncollected import uncollected
from gitmem.store.writer import kept_names
from gitmem.text.words import cut

_LIMIT, _LIMIT_MOST = 50, 1000
_TEXT_CHARS = 120
_SHORTEST = 4
_NAMED = 5
_FILES_NAMED = 20
_LATELY_DAYS = 7
_PLACES = 10
# The fields that say best what a report is about, in this order.
_TELLING = ("abstract", "note", "review_comment", "pr_title", "missing_doc", "title", "plan", "path", "description")


class UnknownObservationError(GitmemError):
    code = "unknown-observation"


def _told(session: Session, *more: bytes) -> list[Entry]:
    """What this clone can read of observations, in the order of the journals; what others share counts too. ``more``
    are words of further lines of its own."""
    repo = session.place.repo
    own = reports(repo, *more)
    if not _is_shared(session):
        return own
    names = kept_names(repo)
    here = {id_ for entry in own for id_ in (entry.id, shared_id(entry.id))}
    seals = (seal for chain in shared.chains(repo) if chain.writer not in names for seal in chain.seals)
    news = (entry for seal in seals for entry in seal.entries if entry.kind in (OBSERVATION, TRIAGE))
    theirs = {entry.id: entry for entry in news if entry.id not in here}
    return sorted((*own, *theirs.values()), key=lambda entry: entry.order)


def _is_shared(session: Session) -> bool:
    return any(may_have_refs(session.place.repo, family) for family in (JOURNAL, REMOTES))


def triaged(session: Session) -> list[Triaged]:
    """Every observation, in the order in which they came."""
    with uncollected():
        return fold(_told(session))


def named(known: Sequence[Triaged], text: str) -> Triaged:
    """One observation by its id, or by the end of one as long as that names one."""
    wanted = text.strip().casefold()
    found = [each for each in known if each.observation.id.casefold() == wanted]
    if not found and len(wanted) >= _SHORTEST:
        found = [each for each in known if each.observation.id.casefold().endswith(wanted)]
    if len(found) == 1:
        return found[0]
    if found:
        some = ", ".join(each.observation.id for each in found[:_NAMED])
        message = f"{text[:80]!r} names {len(found)} observations: {some}"
        raise UnknownObservationError(message, hint="use more of it")
    raise UnknownObservationError(f"no observation {text[:80]!r} here", hint="see: gitmem observations list")


def kept_beside(session: Session, told: Observation) -> frozenset[str]:
    """The items beside which the same words were decided to be kept."""
    mark = words_mark(told)
    same = (each for each in triaged(session) if words_mark(each.observation) == mark)
    return frozenset(item for each in same for item, choice in each.choices.items() if choice == KEEP_BOTH)


def words_mark(told: Observation) -> str:
    """The same for the same words, whatever their case and spaces."""
    words = " ".join(told.text("note", "proposed_content").casefold().split())
    text = f"{told.event_type}\0{told.text('target_doc_id')}\0{words}"
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


@record
class ListCall:
    """All filters must hold; without a state those that are open. ``file`` is a path or a glob."""

    type: str = ""
    state: str = ""
    file: str = ""
    limit: int = _LIMIT
    cursor: str = ""


@record
class Row:
    """An observation in short. ``by`` is the agent, '' for a person; ``text`` begins what it says."""

    id: str
    event_type: str
    state: str
    at: str
    by: str
    files: tuple[str, ...]
    text: str
    proposals: tuple[str, ...] = ()
    reason: str = ""
    conflicts: int = 0


@record
class Listed:
    """The oldest first. ``next`` is the cursor of the next page, '' at the end."""

    observations: tuple[Row, ...]
    total: int
    next: str


def list_observations(session: Session, call: ListCall) -> Listed:
    if not 1 <= call.limit <= _LIMIT_MOST:
        raise UsageError(f"{session.word('--limit', 'limit')} takes 1 to {_LIMIT_MOST}")
    if call.type:
        forms.check_type(call.type)
    if call.state not in ("", "all", *forms.STATES):
        raise UsageError(f"unknown state {call.state[:80]!r}", hint=f"one of: {', '.join(forms.STATES)}, all")
    rows = [each for each in triaged(session) if _is_meant(each, call)]
    start = _start(rows, call.cursor)
    page = rows[start : start + call.limit]
    more = page[-1].observation.id if start + call.limit < len(rows) else ""
    return Listed(tuple(row_of(each) for each in page), len(rows), more)


def _start(rows: Sequence[Triaged], cursor: str) -> int:
    if not cursor:
        return 0
    at = next((n for n, each in enumerate(rows) if each.observation.id == cursor), -1)
    if at < 0:
        raise UsageError(f"not a cursor of this list: {cursor[:80]!r}", hint="start again without one")
    return at + 1


def _is_meant(each: Triaged, call: ListCall) -> bool:
    told = each.observation
    return (
        each.state in ((call.state or forms.OPEN,) if call.state != "all" else forms.STATES)
        and (not call.type or told.event_type == call.type)
        and (not call.file or any(file == call.file or matches(call.file, file) for file in told.files))
    )


def row_of(each: Triaged) -> Row:
    told = each.observation
    return Row(
        id=told.id,
        event_type=told.event_type,
        state=each.state,
        at=told.at,
        by=told.agent,
        files=told.files[:_FILES_NAMED],
        text=cut(" ".join(told.text(*_TELLING).split()), _TEXT_CHARS),
        proposals=each.proposals,
        reason=each.reason,
        conflicts=len(each.unsettled),
    )


@record
class ShowCall:
    observation: str


@record
class Shown:
    """One observation in full: ``payload`` has its fields as they were kept."""

    observation: str
    event_type: str
    state: str
    at: str
    by: str
    session: str
    writer: str
    payload: Mapping[str, Plain]
    proposals: tuple[str, ...]
    reason: str
    conflicts: tuple[Conflict, ...] = ()
    choices: Mapping[str, str] = field(default_factory=dict)


def show(session: Session, call: ShowCall) -> Shown:
    each = named(triaged(session), call.observation)
    told = each.observation
    return Shown(
        observation=told.id,
        event_type=told.event_type,
        state=each.state,
        at=told.at,
        by=told.agent,
        session=told.session,
        writer=told.writer,
        payload=told.payload,
        proposals=each.proposals,
        reason=each.reason,
        conflicts=told.conflicts,
        choices=each.choices,
    )


@record
class Activity:
    """What the journal tells at a glance: open observations by type with their ``total``, how many compiles the last
    days had, by the folder of their files, and what was looked for in this clone, in the order of the journal."""

    open: Mapping[str, int]
    compiles: Mapping[str, int]
    retrievals: tuple[Entry, ...] = ()


def activity(session: Session) -> Activity:
    """Nothing is written, and no journal begun; of a long journal only the lines that matter are read."""
    days = [rfc3339(moved(session.now, -timedelta(days=back)))[:10] for back in range(_LATELY_DAYS + 1)]
    with uncollected():
        told = _told(session, *(f'"at":"{day}'.encode() for day in days))
        waiting = [each.observation.event_type for each in fold(told) if each.state == forms.OPEN]
    by_type = {name: waiting.count(name) for name in forms.EVENT_TYPES if name in waiting}
    places: dict[str, int] = {}
    since = rfc3339(moved(session.now, -timedelta(days=_LATELY_DAYS)))
    for entry in told:
        for folder in _folders(entry.data.get("files")) if entry.kind == COMPILE and entry.at >= since else ():
            places[folder] = places.get(folder, 0) + 1
    busiest = sorted(places.items(), key=lambda row: (-row[1], row[0]))[:_PLACES]
    asked = tuple(entry for entry in told if entry.kind == RETRIEVAL and entry.at >= since)
    return Activity({"total": len(waiting), **by_type} if waiting else {}, dict(busiest), asked)


def _folders(files: Plain) -> set[str]:
    """The folder of each file, '.' for the root: one compile counts once for each."""
    rows = files if isinstance(files, list) else []
    return {file.rpartition("/")[0] or "." for file in rows if isinstance(file, str)}
