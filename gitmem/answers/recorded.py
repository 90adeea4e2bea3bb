"""How a compile is put on record: what was asked, what was told and in which way. Refuses texts of rules."""

from collections.abc import Mapping

from gitmem.answers import journal
from gitmem.answers.receipt import asked_row, carried
from gitmem.answers.session import Session
from gitmem.errors import GitmemError
from gitmem.model.compiled import Compiled, CompileRequest
from gitmem.model.event import COMPILE, Event
from gitmem.model.plain import Plain, canonical, plain
from gitmem.record import record

# After the name of a field that was cut: how long it was.
CUT = "_total"
_TEXT_CHARS = 500
_FILES = 200
_REQUEST_BYTES_MAX = 64 << 10
_MS = 1000
TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.answers.compile import CompileCall


@record
class Answered:
    """A compile with what its record needs: the request as it was understood, the commit, and the use of the budget."""

    compiled: Compiled
    request: CompileRequest
    commit: str
    budget: Mapping[str, int]


def compiled(session: Session, call: "CompileCall", found: Answered, seconds: float) -> str:
    """What ``environment.audit`` says. The receipt carries the request; where it does not, the record does."""
    if not journal.is_on(session):
        return journal.OFF
    told = found.compiled
    data: dict[str, Plain] = {
        "compile": told.compile_id,
        "receipt": told.receipt,
        "commit": found.commit,
        "files": _files(found.request),
        "items": _items(told),
        "budget": plain(found.budget),
        "partial": told.partial,
        "ms": round(seconds * _MS),
        "surface": session.surface,
    }
    if carried(found.request) is None:
        asked = asked_row(found.request)
        data["request"] = asked if len(canonical(asked)) <= _REQUEST_BYTES_MAX else _bounded(asked)
    counted = sum(row.count for row in told.base.more)
    named = {"warnings": told.warnings, "notices": told.notices}
    data |= {name: [row.code for row in rows] for name, rows in named.items() if rows}
    data |= {"counted": counted} if counted else {}
    return journal.note(session, Event(COMPILE, data, agent=call.agent_id or session.client))


def _files(request: CompileRequest) -> list[Plain]:
    return list(request.target_files[:_FILES])


def failed_compile(session: Session, call: "CompileCall", err: GitmemError) -> str:
    """A compile that had no answer is on record too; outside a repository there is no journal."""
    usual = type(call)()
    row = {name: getattr(call, name) for name in call.__match_args__}
    data: dict[str, Plain] = {
        "request": _bounded({name: plain(value) for name, value in row.items() if value != getattr(usual, name)}),
        "error": {"code": err.code, "message": err.message[:_TEXT_CHARS]},
        "surface": session.surface,
    }
    try:
        return journal.note(session, Event(COMPILE, data, agent=call.agent_id or session.client))
    except GitmemError:
        return journal.RECEIPT_ONLY


def _items(told: Compiled) -> dict[str, Plain]:
    """Ids by the way in which they were delivered, each list in the order of the answer."""
    found: dict[str, list[Plain]] = {}
    for row in (*told.base.documents, *told.base.templates, *told.expanded):
        found.setdefault(row.delivery.value, []).append(row.id)
    return {name: plain(ids) for name, ids in found.items()}


def _bounded(asked: dict[str, Plain]) -> dict[str, Plain]:
    """Long texts and lists are cut, and beside each stands how long it was."""
    row: dict[str, Plain] = {}
    for name, value in asked.items():
        most = _TEXT_CHARS if isinstance(value, str) else _FILES
        row[name] = value
        if isinstance(value, str | list) and len(value) > most:
            row[name], row[f"{name}{CUT}"] = value[:most], len(value)
    return row
