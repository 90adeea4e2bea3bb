"""What is on record: events as they were written, and one compile in full. Refuses to write a line about it."""

from collections.abc import Iterable, Mapping, Sequence

from gitmem.answers.compile import answer
from gitmem.answers.notices import Look
from gitmem.answers.proof import BadReceiptError, parse, request_of
from gitmem.answers.reading import TRUSTED, Session, read
from gitmem.errors import GitmemError, UsageError
from gitmem.lazy import load
from gitmem.model.compiled import NearMiss
from gitmem.model.event import COMPILE, KINDS, Entry
from gitmem.model.finding import Notice
from gitmem.model.moments import instant, rfc3339
from gitmem.model.plain import Plain
from gitmem.record import record, replace
from gitmem.store import spool
from gitmem.store.git import GitError
from gitmem.store.objects import UnknownRevisionError
from gitmem.store.segments import Fault

_LIMIT, _LIMIT_MAX = 50, 1000
_PREFIX_LEAST = 8
_TIMES = 20
_DATE_CHARS = len("2026-01-31")


@record
class ShowCall:
    """``item`` is an id or slug; ``failed`` keeps compiles that had no answer; ``cursor`` is the ``next`` before."""

    kind: tuple[str, ...] = ()
    item: str = ""
    agent: str = ""
    session: str = ""
    since: str = ""
    until: str = ""
    failed: bool = False
    limit: int = _LIMIT
    cursor: str = ""


@record
class Shown:
    """The newest first by Lamport time. ``faults`` are segments that cannot be believed from some line on."""

    events: tuple[Entry, ...]
    total: int
    next: str
    warnings: tuple[Notice, ...] = ()


def show(session: Session, call: ShowCall) -> Shown:
    """Events of this clone that fit every filter that was given."""
    _check(call)
    found, faults = spool.told(session.place.repo)
    item = _item_id(session, call.item) if call.item else ""
    rows = [entry for entry in reversed(found) if _fits(entry, call, item)]
    start = _after(rows, call.cursor) if call.cursor else 0
    page = rows[start : start + call.limit]
    more = page[-1].id if start + call.limit < len(rows) else ""
    return Shown(tuple(page), len(rows), more, warned(faults))


def _check(call: ShowCall) -> None:
    unknown = [kind for kind in call.kind if kind not in KINDS]
    if unknown:
        raise UsageError(f"unknown kind of event: {unknown[0]!r}", hint=f"one of: {', '.join(KINDS)}")
    if not 0 < call.limit <= _LIMIT_MAX:
        raise UsageError(f"limit goes from 1 to {_LIMIT_MAX}, not {call.limit}", hint=f"usually {_LIMIT}")
    for name in ("since", "until"):
        text = getattr(call, name)
        if text and instant(text) is None:
            raise UsageError(f"not a date: {text!r}", hint="for example 2026-01-31 or 2026-01-31T10:00:00Z")


def _item_id(session: Session, text: str) -> str:
    """Also of what is no longer there."""
    found: tuple[str, str] = load("gitmem.answers.activity:item_of")(read(session.place), text)
    return found[0]


def _fits(entry: Entry, call: ShowCall, item: str) -> bool:
    if call.kind and entry.kind not in call.kind:
        return False
    if (call.agent and entry.agent != call.agent) or (call.session and entry.session != call.session):
        return False
    if call.failed and "error" not in entry.data:
        return False
    if item and not names(entry.data, item):
        return False
    return not ((call.since and entry.at < _bound(call.since)) or (call.until and entry.at > _bound(call.until, "~")))


def _bound(text: str, end: str = "") -> str:
    """Times in a journal are UTC and by the second, so texts compare as times do; a date as the end is its last."""
    moment = instant(text)
    return text + end if moment is None or len(text) == _DATE_CHARS else rfc3339(moment)


def names(data: Mapping[str, Plain], item: str) -> bool:
    """Whether an event tells about an item, wherever in it the id stands."""
    for value in data.values():
        if value == item or (isinstance(value, list) and item in value):
            return True
        if isinstance(value, dict) and names(value, item):
            return True
    return False


def _after(rows: Sequence[Entry], cursor: str) -> int:
    for at, entry in enumerate(rows):
        if entry.id == cursor:
            return at + 1
    raise UsageError(f"not a cursor of this list: {cursor[:80]!r}", hint="start again without --cursor")


def damage(parts: Sequence[spool.Part]) -> tuple[Notice, ...]:
    """What of the journal cannot be believed, each segment named."""
    return warned(fault for part in parts for fault in part.faults)


def warned(faults: Iterable[Fault]) -> tuple[Notice, ...]:
    hint = "what stands before that line is shown; the file is left as it is"
    return tuple(Notice(each.code, each.message, f"{each.path}:{each.line}", hint) for each in faults)


@record
class AuditCall:
    compile_id: str


@record
class Occurrence:
    """One time that the compile was asked for."""

    event: str
    at: str
    clock: int
    agent: str = ""
    surface: str = ""
    ms: int | None = None


@record
class Audited:
    """``compile`` is the record itself; ``items`` names the slugs of what it told, by id. What explains it beside the
    record (``near_misses``, ``layers``) is computed again at its commit, and absent where that is not here."""

    compile: Mapping[str, Plain]
    receipt: str
    occurrences: tuple[Occurrence, ...]
    total: int
    request: Mapping[str, Plain]
    items: Mapping[str, str]
    near_misses: tuple[NearMiss, ...] | None = None
    layers: Mapping[str, str | None] | None = None
    warnings: tuple[Notice, ...] = ()


def audit(session: Session, call: AuditCall) -> Audited:
    """One compile by its id (8 digits do where they are enough), or by the id of its event."""
    found = recorded(session, call.compile_id.strip())
    newest = found[-1]
    data, receipt = newest.data, str(newest.data.get("receipt", ""))
    asked, notes = asked_of(data, receipt)
    told = tuple(_occurrence(entry) for entry in reversed(found[-_TIMES:]))
    result = Audited(data, receipt, told, len(found), asked, {}, warnings=notes)
    return _explained(session, result, str(data.get("commit", ""))) if receipt and not notes else result


def recorded(session: Session, wanted: str) -> list[Entry]:
    if len(wanted) < _PREFIX_LEAST:
        raise UsageError(f"too short for the id of a compile: {wanted!r}", hint=f"give {_PREFIX_LEAST} digits or more")
    rows = [entry for entry in spool.entries(session.place.repo) if entry.kind == COMPILE]
    found = [entry for entry in rows if entry.id == wanted or str(entry.data.get("compile", "")).startswith(wanted)]
    ids = sorted({str(entry.data.get("compile", entry.id)) for entry in found})
    if len(ids) > 1:
        raise GitmemError(f"{wanted} begins the ids of {len(ids)} compiles", hint=f"such as: {', '.join(ids[:3])}")
    if not found:
        hint = "see: gitmem journal show --kind compile; a receipt is checked without a record by: journal verify"
        raise GitmemError(f"no compile {wanted[:80]} is on record here", hint=hint, code="unknown-compile")
    return found


def asked_of(data: Mapping[str, Plain], receipt: str) -> tuple[Mapping[str, Plain], tuple[Notice, ...]]:
    asked = data.get("request")
    if isinstance(asked, dict):
        return asked, ()
    try:
        return parse(receipt).request or {}, ()
    except BadReceiptError as err:
        return {}, (Notice("bad-receipt", f"the receipt on record cannot be read: {err.message}"),)


def _occurrence(entry: Entry) -> Occurrence:
    ms = entry.data.get("ms")
    surface = str(entry.data.get("surface", ""))
    return Occurrence(entry.id, entry.at, entry.clock, entry.agent, surface, ms if isinstance(ms, int) else None)


def _explained(session: Session, found: Audited, commit: str) -> Audited:
    try:
        request = request_of(found.request)
        reading = read(session.place, replace(TRUSTED, at=commit) if commit else TRUSTED)
    except (UnknownRevisionError, BadReceiptError, GitError) as err:
        message = f"near misses are not told: {err.message}"
        return replace(found, warnings=(*found.warnings, Notice("not-explained", message, hint=err.hint)))
    again = answer(Look(session, reading), request, is_explained=True).compiled
    rows = (*again.base.documents, *again.base.templates, *again.expanded)
    explained = again.explain
    assert explained is not None
    return replace(
        found,
        items={row.id: row.slug for row in rows},
        near_misses=explained.near_misses,
        layers=explained.layers,
    )
