"""Why a compile came out as it did, and why an item was not in it.

Refuses to guess: each reason is one that decided.
"""

import re
from collections.abc import Mapping

from gitmem import lazy
from gitmem.answers import elsewhere, naming, targets
from gitmem.answers.compile import CompileCall, answered, to_request
from gitmem.answers.reading import Reading, Revision, Session, ask, read
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.model.compiled import Compiled, CompileRequest, Delivery, Document, Edge, NearMiss
from gitmem.model.experienced import ItemExplained
from gitmem.model.finding import Notice
from gitmem.model.ids import canonical_id
from gitmem.model.packet import PacketExplained
from gitmem.record import record, replace
from gitmem.rules import layers as layering
from gitmem.rules import near
from gitmem.rules.match import match, why_not_live
from gitmem.store import worktree
from gitmem.store.layout import ENGRAMS
from gitmem.store.repo import FOLDER

_COMPILE_ID = re.compile(r"[0-9a-f]{64}")
_PACKET = re.compile(r"[0-9a-f]{12,32}|gitmem1:[\w-]+")


@record
class ExplainCall:
    """``compile`` is the id of one that is on record; a lone id in ``files`` is taken for it."""

    files: tuple[str, ...] = ()
    plan: str = ""
    command: str = ""
    item: str = ""
    at: str = ""
    as_of: str = ""
    compile: str = ""


@record
class Explained:
    """``of`` is the id of the compile that is explained; it is there in full, without bodies. Or it is that of an item,
    and there is ``experience`` instead, or of a packet, and there is ``packet``.

    ``near_misses``, ``layers``, ``dropped`` and ``budget`` are those of ``model.compiled.Explanation``.
    """

    of: str
    near_misses: tuple[NearMiss, ...]
    layers: Mapping[str, str | None]
    dropped: tuple[Edge, ...]
    budget: Mapping[str, int]
    compile: Compiled | None
    why_not: tuple["WhyNot", ...] = ()
    experience: ItemExplained | None = None
    packet: PacketExplained | None = None


def explain(session: Session, call: ExplainCall) -> Explained:
    """The compile of these files without texts, with near misses; with ``item`` also why that one is not in it.

    Without files, or where their only name is that of an item: what experience has made of that.
    """
    packet = _lone_packet(session, call)
    if packet:
        spent = {"limit": packet.budget.limit, "used": packet.budget.used}
        return Explained(packet.packet_id, (), {}, (), spent, None, packet=packet)
    item = _lone_item(session, call)
    if item:
        found: ItemExplained = lazy.load("gitmem.answers.explain_item:explain_item")(session, item, call.at)
        return Explained(found.item.id, (), {}, (), {}, None, experience=found)
    past = call.compile or (call.files[0] if len(call.files) == 1 and _COMPILE_ID.fullmatch(call.files[0]) else "")
    if past:
        told: Compiled = lazy.load("gitmem.answers.past:compile_of")(session, past)
        return _explained(told, ())
    asked = CompileCall(
        files=call.files,
        plan=call.plan,
        command=call.command,
        at=call.at,
        as_of=call.as_of,
        explain=True,
    )
    compiled = without_texts(answered(session, asked).compiled)
    missing: tuple[WhyNot, ...] = ()
    if call.item:
        single = [WhyNotCall(call.item, file, call.command, call.at, call.as_of) for file in call.files]
        missing = tuple(why_not(session, one) for one in single)
    return _explained(compiled, missing)


def _lone_packet(session: Session, call: ExplainCall) -> PacketExplained | None:
    """A packet is named by its id or its receipt, and alone."""
    name = call.files[0] if len(call.files) == 1 else ""
    if not _PACKET.fullmatch(name) or call.plan or call.command or call.item:
        return None
    found: PacketExplained | None = lazy.load("gitmem.answers.packet_explained:of")(session, name)
    return found


def _lone_item(session: Session, call: ExplainCall) -> str:
    if call.plan or call.command or call.compile or len(call.files) + bool(call.item) != 1:
        return ""
    if call.item:
        return call.item
    (name,) = call.files
    is_item = not _COMPILE_ID.fullmatch(name) and lazy.load("gitmem.answers.explain_item:named")(session, name, call.at)
    return name if is_item else ""


def _explained(compiled: Compiled, missing: tuple["WhyNot", ...]) -> Explained:
    found = compiled.explain
    assert found is not None
    return Explained(
        of=compiled.compile_id,
        near_misses=found.near_misses,
        layers=found.layers,
        dropped=found.dropped,
        budget=found.budget,
        compile=replace(compiled, explain=None),
        why_not=missing,
    )


def without_texts(compiled: Compiled) -> Compiled:
    """Ids and hashes stay those of the compile that is explained."""

    def bare(rows: tuple[Document, ...]) -> tuple[Document, ...]:
        return tuple(replace(row, content=None) for row in rows)

    base = replace(compiled.base, documents=bare(compiled.base.documents), templates=bare(compiled.base.templates))
    return replace(compiled, base=base, expanded=bare(compiled.expanded))


@record
class WhyNotCall:
    item: str
    file: str
    command: str = ""
    at: str = ""
    as_of: str = ""


@record
class Reason:
    """``code`` is stable: malformed, not-approved, uncommitted, duplicate-id, status-NAME, visibility-NAME,
    not-yet-valid, no-longer-valid, no-scope, excluded, wrong-path, wrong-name, no-match, other-layer, other-command,
    and for what matches deferred-budget, deferred-size, omitted-template, deferred-list or counted."""

    code: str
    message: str


@record
class WhyNot:
    """``first_reason`` is 'delivered' when it is."""

    item: str
    slug: str
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
        found = _absent(reading, call.item)
        if found is None:
            raise
        return WhyNot(call.item, call.item, file, found.code, (found,), reading.warnings)
    reasons, _ = ask(reading, lambda knowledge: _reasons(knowledge, card, request))
    if not reasons:
        reasons = _delivery(session, replace(asked, at=call.at), card)
    return WhyNot(
        card.id, card.slug, file, reasons[0].code if reasons else "delivered", tuple(reasons), reading.warnings
    )


def _absent(reading: Reading, item: str) -> Reason | None:
    """The item is not in the knowledge that is read, or cannot be read; but it is in some state."""
    wanted = item.strip().removesuffix(".md")
    malformed, _ = ask(reading, lambda knowledge: _malformed(knowledge, wanted))
    if malformed is not None:
        return malformed
    if elsewhere.is_on_branch(reading, canonical_id(wanted) or wanted):
        message = f"it is on this branch, not yet on {reading.trusted.label}; only approved knowledge is served"
        return Reason("not-approved", message)
    for edit in worktree.uncommitted(reading.place.repo):
        if _is_named(edit.rel, wanted):
            return Reason("uncommitted", f"{FOLDER}/{edit.rel} is not committed; only committed knowledge is served")
    return None


def _malformed(knowledge: Knowledge, wanted: str) -> Reason | None:
    for path, code, _, line, message, _, _ in knowledge.facts.problems:
        if _is_named(path, wanted):
            place = f"{FOLDER}/{path}:{line}" if line else f"{FOLDER}/{path}"
            return Reason("malformed", f"{place} cannot be read: {message} [{code}]")
    return None


def _is_named(rel: str, wanted: str) -> bool:
    return rel.startswith(ENGRAMS) and f"/{rel.removeprefix(ENGRAMS)}".endswith(f"/{wanted}.md")


def _reasons(knowledge: Knowledge, card: Card, request: CompileRequest) -> list[Reason]:
    dead = why_not_live(card, knowledge.facts.duplicates, request.as_of)
    reasons = [Reason(dead, f"{card.slug} is never delivered: {dead}")] if dead else []
    if not dead and card.id in {c.id for c in match(knowledge, request).cards.values()}:
        return []
    brought, unmatched = _scope(knowledge, card, request)
    return reasons if brought else reasons + unmatched


def _scope(knowledge: Knowledge, card: Card, request: CompileRequest) -> tuple[bool, list[Reason]]:
    """Whether some part of the scope asks for the card, and what keeps each of the others from it."""
    file = request.target_files[0]
    if not card.has_scope:
        return False, [Reason("no-scope", f"{card.slug} has no scope, so no file brings it in")]
    codes = {pattern: near.why_no_match(card, pattern, file)[0] for pattern in card.paths}
    found = [Reason(code, _said(code, pattern, file, card)) for pattern, code in codes.items() if code != near.FITS]
    brought = near.FITS in codes.values() or request.command in card.commands
    layer = layering.classify(layering.table(knowledge.facts.layers), file) if card.layers else None
    if card.layers and layer in card.layers:
        excepted = near.is_excepted(card, file)
        brought = brought or not excepted
        found += [Reason(near.EXCLUDED, _said(near.EXCLUDED, "", file, card))] if excepted else []
    elif card.layers:
        message = f"{file} is in layer {layer or 'none'}, the rule is for {', '.join(card.layers)}"
        found.append(Reason("other-layer", message))
    if card.commands and request.command not in card.commands:
        found.append(Reason("other-command", f"it is for the command {', '.join(card.commands)}"))
    return brought, found


def _said(code: str, pattern: str, file: str, card: Card) -> str:
    if code == near.EXCLUDED:
        return f"its scope excepts {file}: {', '.join(card.excluded)}"
    return f"{pattern} does not match {file}"


def _delivery(session: Session, asked: CompileCall, card: Card) -> list[Reason]:
    """It matched: say so when it was not inlined."""
    compiled = answered(session, asked).compiled
    for document in (*compiled.base.documents, *compiled.base.templates):
        if document.id != card.id:
            continue
        if document.delivery is Delivery.INLINE:
            return []
        reason = document.omit_reason or "list"
        message = f"{card.slug} matches and is {document.delivery.value} ({reason})"
        return [Reason(f"{document.delivery.value}-{reason}", message)]
    return [Reason("counted", f"{card.slug} matches, but so many rules do that it is only counted")]


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
    found = {file: layering.classify(table, file) for file in files}
    missing = (_no_layers(),) if files and not table else ()
    return Layers(tuple((row.pattern, row.layer) for row in table), found, (*reading.warnings, *missing))


def _no_layers() -> Notice:
    hint = "map patterns to names in .gitmem/layers.yaml, for example src/ui/**: ui"
    return Notice("no-layers", "no layers are defined, so no file is in one", hint=hint)
