"""Why a compile came out as it did, and why an item was not in it.

Refuses to guess: each reason is one that decided.
"""

from collections.abc import Mapping

from gitmem.answers import naming, targets
from gitmem.answers.compile import CompileCall, compile_context, to_request
from gitmem.answers.reading import Place, Reading, Revision, Session, ask, read
from gitmem.errors import UsageError
from gitmem.globs import dialect as globs
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.model.compiled import Compiled, CompileRequest, Delivery
from gitmem.model.finding import Notice
from gitmem.record import record
from gitmem.rules import layers as layering
from gitmem.rules.match import match, why_not_live
from gitmem.rules.near import why_no_match
from gitmem.store import worktree
from gitmem.store.repo import FOLDER


@record
class ExplainCall:
    files: tuple[str, ...] = ()
    plan: str = ""
    command: str = ""
    item: str = ""
    at: str = ""
    as_of: str = ""


@record
class Explained:
    """``of`` is what is explained; the compile is there in full, without bodies."""

    of: str
    compile: Compiled
    why_not: tuple["WhyNot", ...] = ()


def explain(session: Session, call: ExplainCall) -> Explained:
    """The compile of these files as metadata, with near misses; with ``item`` also why that one is not in it."""
    asked = CompileCall(
        files=call.files,
        plan=call.plan,
        command=call.command,
        at=call.at,
        as_of=call.as_of,
        mode="metadata",
        explain=True,
    )
    compiled = compile_context(session, asked)
    missing: tuple[WhyNot, ...] = ()
    if call.item:
        single = [WhyNotCall(call.item, file, call.command, call.at, call.as_of) for file in call.files]
        missing = tuple(why_not(session, one) for one in single)
    return Explained(compiled.compile_id, compiled, missing)


@record
class WhyNotCall:
    item: str
    file: str
    command: str = ""
    at: str = ""
    as_of: str = ""


@record
class Reason:
    """``code`` is stable: uncommitted, not-approved, status-NAME, no-scope, excluded, wrong-path, deferred-budget."""

    code: str
    message: str


@record
class WhyNot:
    """``first_reason`` is 'delivered' when it is."""

    item: str
    file: str
    first_reason: str
    reasons: tuple[Reason, ...]
    warnings: tuple[Notice, ...] = ()


def why_not(session: Session, call: WhyNotCall) -> WhyNot:
    """Every reason, in the order in which a compile meets them."""
    place = session.place
    file = targets.one(place, call.file)
    reading = read(place, Revision(at=call.at))
    asked = CompileCall(files=(call.file,), command=call.command, as_of=call.as_of)
    request = to_request(asked, (file,))
    try:
        card = naming.find(reading, call.item)
    except naming.NotFoundError:
        found = _absent(place, reading, call.item)
        if found is None:
            raise
        return WhyNot(call.item, file, found.code, (found,), reading.warnings)
    reasons, _ = ask(reading, lambda knowledge: _reasons(knowledge, card, request))
    if not reasons:
        reasons = _delivery(session, asked, card)
    return WhyNot(card.id, file, reasons[0].code if reasons else "delivered", tuple(reasons), reading.warnings)


def _absent(place: Place, reading: Reading, item: str) -> Reason | None:
    """The item is not in the knowledge that is read, but in the work tree."""
    wanted = f"{item.strip().removesuffix('.md')}.md"
    for edit in worktree.uncommitted(place.repo):
        if edit.rel.removeprefix("engrams/") == wanted or edit.rel.endswith(f"/{wanted}"):
            return Reason("uncommitted", f"{FOLDER}/{edit.rel} is not committed; only committed knowledge is served")
    return None


def _reasons(knowledge: Knowledge, card: Card, request: CompileRequest) -> list[Reason]:
    dead = why_not_live(card, knowledge.facts.duplicates, request.as_of)
    reasons = [Reason(dead, f"{card.slug} is never delivered: {dead}")] if dead else []
    matched = {c.id for c in match(knowledge, request).cards.values()}
    return reasons if card.id in matched else reasons + _unmatched(knowledge, card, request)


def _unmatched(knowledge: Knowledge, card: Card, request: CompileRequest) -> list[Reason]:
    file = request.target_files[0]
    if not card.has_scope:
        return [Reason("no-scope", f"{card.slug} has no scope, so no file brings it in")]
    if any(globs.matches(pattern, file) for pattern in card.excluded):
        return [Reason("excluded", f"its scope excludes {file}: {', '.join(card.excluded)}")]
    found = []
    for pattern in card.paths:
        code, _ = why_no_match(card, pattern, file)
        found.append(Reason(code, f"{pattern} does not match {file}"))
    if card.layers:
        layer = layering.classify(layering.table(knowledge.facts.layers), file)
        found.append(
            Reason("other-layer", f"{file} is in layer {layer or 'none'}, the rule is for {', '.join(card.layers)}")
        )
    if card.commands:
        found.append(Reason("other-command", f"it is for the command {', '.join(card.commands)}"))
    return found


def _delivery(session: Session, asked: CompileCall, card: Card) -> list[Reason]:
    """It matched: say so when it was not inlined."""
    compiled = compile_context(session, asked)
    for document in (*compiled.base.documents, *compiled.base.templates):
        if document.id == card.id and document.delivery is not Delivery.INLINE:
            code = f"{document.delivery.value}-{document.omit_reason or 'list'}"
            return [Reason(code, f"{card.slug} matches and is {document.delivery.value} ({document.omit_reason})")]
    return []


@record
class LayersCall:
    files: tuple[str, ...] = ()
    at: str = ""


@record
class Layers:
    """``rows`` are (pattern, layer), most specific first; ``files`` maps each file asked for to its layer or None."""

    rows: tuple[tuple[str, str], ...]
    files: Mapping[str, str | None]
    warnings: tuple[Notice, ...] = ()


def layers(session: Session, call: LayersCall) -> Layers:
    reading = read(session.place, Revision(at=call.at))
    table, _ = ask(reading, lambda knowledge: layering.table(knowledge.facts.layers))
    files = targets.normalise(session.place, call.files) if call.files else ()
    if call.files and not table:
        raise UsageError(
            "no layers are defined", hint="map patterns to names in .gitmem/layers.yaml, for example src/ui/**: ui"
        )
    found = {file: layering.classify(table, file) for file in files}
    return Layers(tuple((row.pattern, row.layer) for row in table), found, reading.warnings)
