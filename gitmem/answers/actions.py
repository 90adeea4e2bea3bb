"""A proposal as an agent words it: one action and flat arguments. Refuses sources that only a person has."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gitmem.answers import edges, plans
from gitmem.answers.composing import NewCall
from gitmem.answers.evidence import Wanted, plan_verify
from gitmem.answers.fields import LISTS, EditCall
from gitmem.answers.ground import Ground
from gitmem.answers.opening import Plan
from gitmem.answers.rewording import plan_new
from gitmem.answers.session import Session
from gitmem.answers.stale import refuse_stale
from gitmem.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.answers.propose import ProposeCall

ACTIONS = ("new", "update", "retire", "verify", "link", "unlink")
# Of a request for an update: the field of the request, and the key that it sets.
_TEXTS = (("title", "title"), ("kind", "kind"), ("summary", "summary"))
_LISTED = (
    ("tags", "tags"),
    ("paths", "scope.paths"),
    ("excluded", "scope.except"),
    ("layers", "scope.layers"),
    ("commands", "scope.commands"),
    ("requires", "requires"),
)


def planner(session: Session, call: ProposeCall) -> Callable[[Ground], Plan]:
    """What plans the action on the ground that it will get."""
    by = session.place.author
    if call.action == "new":
        _need(call, "kind", "title", "body")
        made = _new(call)
        return lambda under: plan_new(under, made, by, session.now)
    if call.action == "update":
        _need(call, "item")
        calls = list(_edits(call))
        if not calls:
            raise UsageError("say what to change", hint="title, body, summary, tags, paths, ... or field and value")
        return lambda under: _updated(call, calls, under)
    if call.action == "retire":
        _need(call, "item")
        return lambda under: plans.plan_life(under, call.item, "retire", call.rationale)
    if call.action == "verify":
        _need(call, "item", "description")
        step = Wanted(call.item, call.value.strip().lower(), call.description, domain=call.domain)
        return lambda under: plan_verify(under, step, by, session.now)
    if call.action == "link":
        _need(call, "from_", "kind", "to")
        wanted = edges.Wanted(call.from_, call.kind, call.to, description=call.description)
        return lambda under: plans.plan_link(under, wanted, by, session.now)
    if call.action == "unlink":
        words = (call.synapse,) if call.synapse else (call.from_, call.kind, call.to)
        if not all(words):
            raise UsageError("unlink needs synapse, or from, kind and to")
        return lambda under: plans.plan_unlink(under, words)
    raise UsageError(f"unknown action {call.action!r}", hint=f"one of: {', '.join(ACTIONS)}")


def _updated(call: ProposeCall, calls: list[EditCall], under: Ground) -> Plan:
    refuse_stale(under, call.item, call.seen, call.body)
    return plans.plan_edits(under, calls)


def _need(call: ProposeCall, *names: str) -> None:
    missing = [name.rstrip("_") for name in names if not getattr(call, name).strip()]
    if missing:
        raise UsageError(f"{call.action} needs {', '.join(missing)}")


def _new(call: ProposeCall) -> NewCall:
    return NewCall(
        kind=call.kind,
        title=call.title,
        path=call.paths,
        excluded=call.excluded,
        layer=call.layers,
        command=call.commands,
        requires=call.requires,
        tag=call.tags,
        domain=call.domain,
        summary=call.summary,
        body=call.body,
        allow_secret=(),
    )


def _edits(call: ProposeCall) -> Iterator[EditCall]:
    """Field by field; the title last, since it may move the file."""
    if call.body:
        yield EditCall(call.item, "body", file=call.body)
    for name, key in _LISTED:
        values: tuple[str, ...] = getattr(call, name)
        if values:
            yield EditCall(call.item, key, values)
    if call.field:
        values = tuple(part.strip() for part in call.value.split(",") if part.strip()) if call.field in LISTS else ()
        yield EditCall(call.item, call.field, values or (call.value,))
    for name, key in reversed(_TEXTS):
        value: str = getattr(call, name)
        if value:
            yield EditCall(call.item, key, (" ".join(value.split()),))
