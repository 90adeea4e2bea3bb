"""From what somebody wants to the files that it changes, on the ground of a proposal. Refuses to write any."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from gitmem.answers import edges, naming
from gitmem.answers.admission import RefusedError, admit, free_path
from gitmem.answers.composing import NewCall, compose, domain_of, slug_of
from gitmem.answers.fields import CLAIMS, EditCall, apply_edit, check_call, doubts_of
from gitmem.answers.ground import Ground
from gitmem.answers.opening import Plan
from gitmem.errors import UsageError
from gitmem.index import edges as links
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.lazy import load
from gitmem.model.finding import Notice
from gitmem.model.ids import slugify
from gitmem.model.moments import rfc3339
from gitmem.record import replace
from gitmem.store import codec
from gitmem.store import edit as edits
from gitmem.store.layout import engram_path
from gitmem.store.repo import FOLDER

# What becomes of an item, and the status that says so.
LIFE = {"retire": "deprecated", "archive": "frozen", "forget": "forgotten", "restore": "active"}
_TITLE_VALUE_MOST = 60


def plan_new(ground: Ground, call: NewCall, by: str, now: datetime) -> Plan:
    """A new engram; on top of a proposal that creates exactly one it is another text for that one."""
    knowledge = ground.knowledge()
    there = knowledge.under(f"id:{ground.created[0]}") if len(ground.created) == 1 else ()
    if not there:
        made = compose(call, knowledge, by, now)
        return Plan("new", call.title, {made.rel: made.data}, warnings=made.warnings)
    card = there[0]
    same_place = call if call.domain or call.tag else replace(call, domain=card.domain)
    made = compose(same_place, knowledge, by, now, codec.decode(ground.data_of(card), card.path).engram)
    return Plan("new", call.title, {**_left(card, made.rel), made.rel: made.data}, warnings=made.warnings)


def _left(card: Card, target: str) -> dict[str, None]:
    return {} if target == card.path else {card.path: None}


def plan_edit(ground: Ground, call: EditCall, title: str = "") -> Plan:
    """One field of one item; a new title renames the file too, unless another name was given to it by hand."""
    knowledge = ground.knowledge()
    card = naming.one(knowledge, call.item)
    check_call(call, card, knowledge)
    rel = f"{FOLDER}/{card.path}"
    if call.field == CLAIMS and not call.unset:
        data = load("gitmem.answers.claiming:apply_at")(ground.place, ground.base, ground.data_of(card), call, rel)
    else:
        data = apply_edit(ground.data_of(card), call, rel, knowledge)
    _, warnings = admit(card.path, data, call.allow_secret)
    said = title or f"{card.title}: {_said(call)}"
    doubts = (*warnings, *doubts_of(call, card.slug))
    target = _renamed(knowledge, card, call) if call.field == "title" else card.path
    if target == card.path:
        return Plan("update", said, {card.path: data}, warnings=doubts)
    if card.id not in ground.created:
        data = edits.add_to_list(data, "aliases", [card.slug], rel)
    own = target.rpartition("/")[2].removesuffix(".md")
    data = edits.remove_from_list(data, "aliases", [own], rel)
    return Plan("update", said, {card.path: None, target: data}, moved={target: card.path}, warnings=doubts)


def _renamed(knowledge: Knowledge, card: Card, call: EditCall) -> str:
    """Where an item with a new title belongs: a slug that was chosen by hand, or that others write, stays."""
    slug = slugify(call.value[0]) if call.value else ""
    is_chosen = card.slug != slugify(card.title)
    is_written = any(knowledge.under(f"needs:{name}") for name in (card.slug, card.name))
    target = engram_path(card.domain, slug) if slug else card.path
    is_taken = any(other.id != card.id for other in knowledge.under(f"path:{target.casefold()}"))
    return card.path if is_chosen or is_written or is_taken or not slug else target


def plan_edits(ground: Ground, calls: Sequence[EditCall], title: str = "") -> Plan:
    """Several fields of one item as one change; each is laid over what the one before has made."""
    first = plan_edit(ground, calls[0], title)
    changes, moved, warnings = dict(first.changes), dict(first.moved), first.warnings
    for call in calls[1:]:
        above = ground.with_changes(changes)
        more = plan_edit(above, call)
        changes |= more.changes
        moved |= more.moved
        warnings = (*warnings, *more.warnings)
    said = first.title if title or len(calls) == 1 else f"{first.title.partition(':')[0]}: {_fields(calls)}"
    return Plan("update", said, changes, moved, warnings=warnings)


def _fields(calls: Sequence[EditCall]) -> str:
    return ", ".join(dict.fromkeys(call.field or "text" for call in calls))


def _said(call: EditCall) -> str:
    what = call.field or "text"
    if call.unset:
        return f"without {what}"
    parts = [*(f"+{value}" for value in call.add), *(f"-{value}" for value in call.remove)] or [*call.value]
    text = ", ".join(parts)
    return f"{what} {text[:_TITLE_VALUE_MOST]}".strip() if text and what != "body" else f"new {what}"


def plan_move(ground: Ground, item: str, to: str) -> Plan:
    knowledge = ground.knowledge()
    card = naming.one(knowledge, item)
    domain, _, name = to.strip().removesuffix(".md").rpartition("/")
    target = engram_path(domain_of(domain) if domain else card.domain, slug_of(name))
    if target == card.path:
        raise UsageError(f"{card.slug} is at {target} already")
    free_path(knowledge, target, card.id)
    changes = {card.path: None, target: ground.data_of(card)}
    return Plan("update", f"{card.title}: move to {target}", changes, moved={target: card.path})


def plan_life(ground: Ground, item: str, verb: str, reason: str) -> Plan:
    """``verb`` is one of ``LIFE``; what is forgotten needs a reason, since nobody will see it again by chance."""
    knowledge = ground.knowledge()
    card = naming.one(knowledge, item)
    if verb == "forget" and not reason.strip():
        raise UsageError("forgetting needs a reason", hint="say why: nobody sees it again by chance")
    status = LIFE[verb]
    if card.status == status:
        raise UsageError(f"{card.slug} is {status} already")
    data = edits.set_value(ground.data_of(card), "status", status, f"{FOLDER}/{card.path}")
    kind = "retire" if verb in ("retire", "forget") else "update"
    needed = tuple(still_needed(ground, card)) if kind == "retire" else ()
    return Plan(kind, f"{verb.capitalize()}: {card.title}", {card.path: data}, warnings=needed)


def still_needed(ground: Ground, card: Card) -> Iterable[Notice]:
    """Who requires an item that will not be delivered any more."""
    knowledge = ground.knowledge()
    users = {c.slug for key in (card.id, card.slug, card.name) for c in knowledge.under(f"needs:{key}")}
    if users:
        message = f"{card.slug} is required by {', '.join(sorted(users))}"
        yield Notice("required", message, f"{FOLDER}/{card.path}", "take it out of their requires too")


def plan_remove(ground: Ground, item: str) -> Plan:
    knowledge = ground.knowledge()
    card = naming.one(knowledge, item)
    users = {c.slug for key in (card.id, card.slug, card.name) for c in knowledge.under(f"needs:{key}")}
    if users:
        message = f"{card.slug} is required by {', '.join(sorted(users))}"
        raise RefusedError(message, hint="take it out of their requires first", code="required")
    gone = links.edges(knowledge, card.id)
    said = (Notice("edges-removed", f"{len(gone)} edge(s) go with it", f"{FOLDER}/{card.path}"),) if gone else ()
    changes = {card.path: None, **{edge.rel: None for edge in gone}}
    return Plan("retire", f"Remove: {card.title}", changes, warnings=said)


def plan_link(ground: Ground, wanted: edges.Wanted, by: str, now: datetime) -> Plan:
    made = edges.plan_link(ground.knowledge(), wanted, ground.data_of, edges.Stamp(by, rfc3339(now)))
    title = f"{wanted.start} {wanted.kind} {wanted.end}"
    return Plan("link", title, {made.rel: made.after}, warnings=made.warnings)


def plan_unlink(ground: Ground, words: tuple[str, ...]) -> Plan:
    made = edges.plan_unlink(ground.knowledge(), words, ground.data_of)
    return Plan("unlink", f"Unlink: {' '.join(words)}", {made.rel: None}, warnings=made.warnings)
