"""What an approver changes about a proposal before it lands: a patch set of its own, on record. Refuses to hide it."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.answers.extending import renewed, replace_tip
from gitmem.answers.fields import LISTS, EditCall
from gitmem.answers.ground import Ground
from gitmem.answers.needs import named
from gitmem.answers.opening import Plan, Terms, proposer
from gitmem.answers.plans import plan_edit
from gitmem.answers.session import Session
from gitmem.answers.standing import Standing
from gitmem.errors import UsageError
from gitmem.model.ids import canonical_id
from gitmem.record import replace


def modified(session: Session, standing: Standing, fields: Sequence[str], text: str | None) -> Standing:
    """The proposal with ``FIELD=VALUE`` laid over the engram that it changes, or with its whole ``text`` replaced."""
    old = standing.proposal
    items = [change.item for change in old.entry.changes if canonical_id(change.item)]
    if len(items) != 1:
        raise UsageError(f"proposal {old.id} changes {len(items)} engrams", hint="--modify and --edit go with one")
    calls = [_call(items[0], field) for field in fields]
    if text is not None:
        calls.append(EditCall(items[0], file=text))
    made = renewed(session, old, lambda above: _plan(above, calls), Terms())
    replace_tip(session, old, made, proposer(session, Terms()))
    return named(session, old.id)[1]


def _call(item: str, text: str) -> EditCall:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise UsageError(f"not FIELD=VALUE: {text!r}", hint='for example: --modify "title=New title"')
    name = name.strip()
    values = tuple(part.strip() for part in value.split(",") if part.strip()) if name in LISTS else (value,)
    return EditCall(item, name, file=value) if name == "body" else EditCall(item, name, values)


def _plan(above: Ground, calls: Sequence[EditCall]) -> Plan:
    """All modifications as one change; each is laid over what the one before has made."""
    whole = plan_edit(above, calls[0])
    for call in calls[1:]:
        more = plan_edit(above.with_changes(whole.changes), call)
        whole = replace(whole, changes={**whole.changes, **more.changes}, warnings=(*whole.warnings, *more.warnings))
    return whole
