"""The rules for the files at hand, as a surface asks for them. Refuses to decide anything that assembly decides."""

import time

from gitmem import lazy
from gitmem.answers import assembly, notices, recorded, targets
from gitmem.answers.assembly import Outcome
from gitmem.answers.journal import RECEIPT_ONLY
from gitmem.answers.reading import Reading, Revision, Session, ask, read
from gitmem.answers.receipt import receipt
from gitmem.answers.recorded import Answered
from gitmem.errors import GitmemError, UsageError
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.model.compiled import MODES, Compiled, CompileRequest, Explanation, Marks
from gitmem.model.moments import instant
from gitmem.record import record, replace

_THOUSANDTHS = 1000


@record
class CompileCall:
    """A compile as it is asked for. 0 and '' mean the default; ``min_relevance`` is a decimal from 0 to 1."""

    files: tuple[str, ...] = ()
    plan: str = ""
    command: str = ""
    layer: tuple[str, ...] = ()
    tag: tuple[str, ...] = ()
    no_tags: bool = False
    min_relevance: float | None = None
    max_inline_bytes: int | None = None
    max_tokens: int | None = None
    mode: str = "auto"
    max_entries: int | None = None
    as_of: str = ""
    at: str = ""
    trust: str = ""
    notices: str = ""
    explain: bool = False
    agent_id: str = ""


def compile_context(session: Session, call: CompileCall) -> Compiled:
    """Compiles at what is trusted, or at the revision asked for, and puts it on record, also when it failed."""
    began = time.perf_counter()
    try:
        found = answered(session, call)
    except GitmemError as err:
        lazy.load("gitmem.answers.recorded:failed_compile")(session, call, err)
        raise
    audit = recorded.compiled(session, call, found, time.perf_counter() - began)
    return replace(found.compiled, environment={**found.compiled.environment, "audit": audit})


def answered(session: Session, call: CompileCall) -> Answered:
    """The same without a line in the journal; it adds what varies in time and by machine."""
    notices.check_choice(call.notices)
    request = to_request(call, targets.normalise(session.place, call.files))
    look = notices.Look(session, read(session.place, Revision(call.at, call.trust)), call.notices == notices.FRESH)
    return answer(look, request, is_explained=call.explain)


def answer(look: notices.Look, request: CompileRequest, *, is_explained: bool = False) -> Answered:
    """Answers a request that was understood before, at a reading: how a receipt is recomputed, too."""
    reading = look.reading

    def assemble(knowledge: Knowledge) -> tuple[Outcome, dict[str, int], Explanation | None]:
        outcome = assembly.compile_rules(reading.place.bodies, knowledge, request, reading.warnings)
        budget = assembly.budget_row(outcome.laid, request, knowledge.settings)
        return (
            outcome,
            budget,
            lazy.load("gitmem.answers.explanation:explanation")(knowledge, outcome, request) if is_explained else None,
        )

    (outcome, budget, explanation), notes = ask(reading, assemble)
    brought = tuple(outcome.matched.cards.values())
    found = notices.gather(look, request, brought)
    compiled = _marked(outcome.compiled, _marks(reading, request, brought, outcome.compiled), request)
    compiled = replace(
        compiled,
        notices=(*reading.notices, *found),
        environment=_environment(reading, notes),
        receipt=receipt(compiled, reading.commit, request),
    )
    if request.max_tokens and compiled.notices:
        compiled = lazy.load("gitmem.answers.fitting:with_notices")(compiled, request.max_tokens)
    return Answered(replace(compiled, explain=explanation), request, reading.commit, budget)


def _marks(reading: Reading, request: CompileRequest, brought: tuple[Card, ...], compiled: Compiled) -> Marks:
    """Most compiles read what HEAD has, and most rules rest on no claim: nothing to load then."""
    is_ahead = reading.trusted.head_tree not in ("", reading.tree)
    if not is_ahead and not compiled.expanded and not any(card.claims for card in brought):
        return {}
    found: Marks = lazy.load("gitmem.answers.marks:marks")(reading, request, brought, compiled)
    return found


def _marked(compiled: Compiled, marks: Marks, request: CompileRequest) -> Compiled:
    if not request.max_tokens or not marks:
        return replace(compiled, marks=marks)
    found: Compiled = lazy.load("gitmem.answers.fitting:with_marks")(compiled, marks, request)
    return found


def to_request(call: CompileCall, files: tuple[str, ...]) -> CompileRequest:
    """Checks every limit and closed value; a wrong one is a usage error that names what is allowed."""
    if call.mode not in MODES:
        raise UsageError(f"unknown mode {call.mode!r}", hint=f"one of: {', '.join(MODES)}")
    for name in ("max_inline_bytes", "max_tokens", "max_entries"):
        value = getattr(call, name)
        if value is not None and value <= 0:
            raise UsageError(f"{name} must be above 0, not {value}", hint="leave it out for the default")
    if call.min_relevance is not None and not call.plan:
        raise UsageError("min_relevance needs a plan to be relevant to", hint='add --plan "what you are about to do"')
    if call.min_relevance is not None and not 0 <= call.min_relevance <= 1:
        raise UsageError(f"min_relevance goes from 0 to 1, not {call.min_relevance}", hint="for example 0.2")
    if call.as_of and instant(call.as_of) is None:
        raise UsageError(f"not a date: {call.as_of!r}", hint="for example 2026-01-31 or 2026-01-31T10:00:00Z")
    return CompileRequest(
        target_files=files,
        plan=call.plan,
        command=call.command,
        layers=call.layer,
        tags=() if call.no_tags else call.tag or None,
        min_relevance=round((call.min_relevance or 0) * _THOUSANDTHS),
        max_inline_bytes=call.max_inline_bytes or 0,
        max_tokens=call.max_tokens or 0,
        mode=call.mode,
        max_entries=call.max_entries or 0,
        as_of=call.as_of,
    )


def _environment(reading: Reading, notes: tuple[str, ...]) -> dict[str, str]:
    place = reading.place
    found = {"root": str(place.repo.where), "commit": reading.commit, "trust": reading.trusted.policy}
    found["trust_source"] = reading.trusted.source
    if place.repo.prefix:
        found["prefix"] = place.repo.prefix
    # The longest of its values, for whoever counts; the journal tells which it is.
    found["audit"] = RECEIPT_ONLY
    kept = "; ".join(note for note in (place.cache.note, *notes) if note)
    return found | ({"cache": kept} if kept else {})
