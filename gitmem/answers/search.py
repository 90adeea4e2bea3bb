"""What is known about something: one ranking over engrams, rules, skills and open proposals, with its reasons.

Refuses to write anything but a line of the journal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gitmem import config
from gitmem.answers import expanding, finding, notices, retrieved, searching, targets
from gitmem.answers.finding import Found
from gitmem.answers.notices import Look
from gitmem.answers.reading import Reading, Revision, Session, ask, read
from gitmem.answers.rereading import reread
from gitmem.answers.retrieved import Question
from gitmem.errors import UsageError
from gitmem.index.knowledge import Knowledge
from gitmem.index.segments import DamagedError
from gitmem.lazy import load
from gitmem.memory import filters, query
from gitmem.memory.filters import Filters
from gitmem.memory.query import Query
from gitmem.model.finding import Notice
from gitmem.model.hit import Hit
from gitmem.record import record, replace
from gitmem.store import layout, private
from gitmem.store.repo import FOLDER

LIMIT, LIMIT_MAX = 20, 100
EXPAND, EXPAND_MAX = 1, 3
PHRASES_MAX = 32
_WEIGHTS = "search.weights"


@record
class SearchCall:
    """``plain``: quotes and ``field:`` in ``text`` are signs like any other, as they always are for an agent."""

    text: str = ""
    domain: str = ""
    kind: tuple[str, ...] = ()
    status: tuple[str, ...] = ()
    freshness: tuple[str, ...] = ()
    author: str = ""
    created_after: str = ""
    created_before: str = ""
    min_importance: float = 0.0
    tag: tuple[str, ...] = ()
    context_tag: tuple[str, ...] = ()
    verification: tuple[str, ...] = ()
    visibility: tuple[str, ...] = ()
    path: str = ""
    rules: bool = False
    at: str = ""
    expand: int = EXPAND
    limit: int = LIMIT
    explain: bool = False
    plain: bool = False


@record
class Searched:
    """``hits`` best first; ``total`` counts what matches and passes the filters, before ``limit`` and without what came
    in by an edge. ``suggested`` is what was perhaps meant, where nothing or little was found."""

    hits: tuple[Hit, ...]
    total: int
    snapshot_id: str
    suggested: tuple[str, ...] | None = None
    warnings: tuple[Notice, ...] = ()
    notices: tuple[Notice, ...] = ()
    environment: Mapping[str, str] | None = None


def search(session: Session, call: SearchCall) -> Searched:
    """Without a text, what the filters admit, as it stands beside its words."""
    call, asked = _checked(session, call)
    reading = read(session.place, Revision(at=call.at)) if call.at else reread(session.place)
    wanted = filters.checked(filters.of(call))
    if wanted.path:
        wanted = replace(wanted, path=targets.one(session.place, wanted.path))
    found, notes = ask(reading, lambda knowledge: _found(session, reading, knowledge, (call, asked, wanted)))
    (snapshot_id, unweighed), _ = ask(reading, lambda known: (known.facts.snapshot_id, _unweighed(known)))
    named = [(hit.id, hit.score) for hit in found.hits]
    audit = "" if call.explain else retrieved.note(session, _question(session, call, asked), *_columns(named))
    look = Look(session, reading)
    root = str(reading.place.repo.where)
    environment = {"root": root, "engine": found.engine, **({"audit": audit} if audit else {})}
    said = (*found.notes, *notes)
    return Searched(
        hits=found.hits,
        total=found.total,
        snapshot_id=snapshot_id,
        suggested=found.suggested or None,
        warnings=(*reading.warnings, *unweighed),
        notices=(*reading.notices, *notices.waiting(look), *notices.intended(look), *found.notices),
        environment={**environment, **({"search": "; ".join(dict.fromkeys(said))} if said else {})},
    )


def _question(session: Session, call: SearchCall, asked: Query) -> Question:
    is_narrowed = bool(call.at) or not filters.of(call).is_default
    return Question(retrieved.SEARCH, call.text, _is_private(session, asked), is_narrowed)


def _unweighed(knowledge: Knowledge) -> list[Notice]:
    """Why the weights that the team has written are not in force."""
    faults = config.from_text(knowledge.facts.config)[1] if knowledge.facts.config else ()
    place = f"{FOLDER}/{layout.CONFIG}"
    named = [fault for fault in faults if fault.key == _WEIGHTS]
    return [Notice("setting", f"{fault.message}; the default is in force", place, fault.hint) for fault in named]


def _is_private(session: Session, asked: Query) -> bool:
    """Whether words of it stand in a private item, even one that a filter, a revision or the limit leaves out."""
    repo = session.place.repo
    return private.is_used(repo) and bool(load("gitmem.answers.touching:holds_private")(session.place, asked.forms))


def _columns(named: Sequence[tuple[str, float]]) -> tuple[list[str], list[float]]:
    return [id_ for id_, _ in named], [score for _, score in named]


def _checked(session: Session, call: SearchCall) -> tuple[SearchCall, Query]:
    if not 0 < call.limit <= LIMIT_MAX:
        raise UsageError(f"limit goes from 1 to {LIMIT_MAX}, not {call.limit}", hint=f"usually {LIMIT}")
    if not 0 <= call.expand <= EXPAND_MAX:
        raise UsageError(f"expand goes from 0 (off) to {EXPAND_MAX}, not {call.expand}", hint=f"usually {EXPAND}")
    is_plain = call.plain or session.surface == "agent"
    asked = query.words(call.text) if is_plain else query.read(call.text)
    if len(asked.phrases) > PHRASES_MAX:
        hint = session.word("--plain takes quotes and field: as signs", "leave the quotes and field: out")
        raise UsageError(f"at most {PHRASES_MAX} phrases in one question, not {len(asked.phrases)}", hint=hint)
    if not asked.forms and call.text.strip():
        raise UsageError("the text holds no word", hint="name what it is about, in words of any language")
    if not asked.forms and filters.of(call).is_default:
        hint = session.word("a few words, or filters alone: gitmem search --kind decision", "a text, or filters: kind")
        raise UsageError("say what to search for", hint=hint)
    return call, asked


def _found(session: Session, reading: Reading, knowledge: Knowledge, asked: tuple[SearchCall, Query, Filters]) -> Found:
    call, wanted, admitted = asked
    opened = searching.opened(session, reading, knowledge)
    try:
        found = finding.find(session, reading, opened, (call, wanted, admitted))
    except DamagedError:
        opened = searching.again(session, reading, knowledge)
        found = finding.find(session, reading, opened, (call, wanted, admitted))
    return expanding.expanded(found, (call, admitted))
