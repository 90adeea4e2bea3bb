"""What an approver changes about a proposal before it lands: a patch set of its own, on record. Refuses to hide it."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.answers.extending import renewed, replace_tip
from gitmem.answers.fields import LISTS, EditCall
from gitmem.answers.needs import named
from gitmem.answers.plans import plan_edits
from gitmem.answers.session import Session
from gitmem.answers.standing import Standing
from gitmem.answers.terms import Terms, proposer
from gitmem.errors import UsageError
from gitmem.model.ids import canonical_id
from gitmem.model.ledger import ItemChange
from gitmem.store import objects
from gitmem.store.repo import FOLDER


def proposed_text(session: Session, standing: Standing) -> str:
    """The file of the one engram that a proposal changes, as it proposes it."""
    change = _one(standing)
    name = f"{standing.proposal.tip}:{FOLDER}/{change.path}"
    found = objects.look_up(session.place.repo, [name])[0]
    if found is None:
        raise UsageError(f"proposal {standing.proposal.id} removes its engram", hint="there is no text to change")
    return dict(objects.read_blobs(session.place.repo, [found[0]]))[found[0]].decode("utf-8", "replace")


def _one(standing: Standing) -> ItemChange:
    changes = [change for change in standing.proposal.entry.changes if canonical_id(change.item)]
    if len(changes) != 1:
        message = f"proposal {standing.proposal.id} changes {len(changes)} engrams"
        raise UsageError(message, hint="--modify, --text and --edit go with one")
    return changes[0]


def modified(session: Session, standing: Standing, fields: Sequence[str], text: str | None) -> Standing:
    """The proposal with ``FIELD=VALUE`` laid over the engram that it changes, or with its whole ``text`` replaced."""
    old = standing.proposal
    item = _one(standing).item
    calls = [_call(item, field) for field in fields]
    if text is not None:
        calls.append(EditCall(item, file=text))
    made = renewed(session, old, lambda above: plan_edits(above, calls), Terms())
    replace_tip(session, old, made.tip, proposer(session, Terms()))
    return named(session, old.id)[1]


def _call(item: str, text: str) -> EditCall:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise UsageError(f"not FIELD=VALUE: {text!r}", hint='for example: --modify "title=New title"')
    name = name.strip()
    values = tuple(part.strip() for part in value.split(",") if part.strip()) if name in LISTS else (value,)
    return EditCall(item, name, file=value) if name == "body" else EditCall(item, name, values)
