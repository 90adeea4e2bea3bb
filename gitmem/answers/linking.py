"""Writes and removes synapse files in the work tree for the user to commit. Refuses to commit."""

from __future__ import annotations

from collections.abc import Callable

from gitmem.answers import edges
from gitmem.answers.admission import refuse_secrets
from gitmem.answers.author import on_disk
from gitmem.answers.edges import EdgePlan, Read, Stamp, Wanted
from gitmem.answers.session import Session, decides
from gitmem.answers.working import require_started, working
from gitmem.index.knowledge import Knowledge
from gitmem.model.finding import Notice
from gitmem.model.moments import rfc3339
from gitmem.record import record
from gitmem.store.author import author
from gitmem.store.files import remove_file, write_file
from gitmem.store.lock import held
from gitmem.store.repo import FOLDER


@record
class LinkCall:
    """``from_`` and ``to`` are engrams by any name."""

    from_: str
    kind: str
    to: str
    weight: float | None = None
    description: str = ""
    confidence: float | None = None
    allow_secret: tuple[str, ...] = ()


@record
class UnlinkCall:
    """``synapse`` is its id; with ``kind`` and ``to`` it is the engram that the edge leads from."""

    synapse: str
    kind: str = ""
    to: str = ""


@record
class Linked:
    """``path`` is repo-relative; ``changed`` is False when everything was already as asked."""

    id: str
    from_: str
    kind: str
    to: str
    weight: float
    path: str
    changed: bool
    warnings: tuple[Notice, ...] = ()


def link(session: Session, call: LinkCall) -> Linked:
    decides(session)
    wanted = Wanted(call.from_, call.kind, call.to, call.weight, call.description, call.confidence)
    by = author(session.place.repo)
    stamp = Stamp(by, rfc3339(session.now))
    return _done(session, call.allow_secret, lambda known, read: edges.plan_link(known, wanted, read, stamp))


def unlink(session: Session, call: UnlinkCall) -> Linked:
    decides(session)
    words = tuple(word for word in (call.synapse, call.kind, call.to) if word)
    return _done(session, (), lambda known, read: edges.plan_unlink(known, words, read))


def _done(session: Session, allowed: tuple[str, ...], plan_of: Callable[[Knowledge, Read], EdgePlan]) -> Linked:
    place = session.place
    require_started(place)
    root = place.repo.knowledge_dir.parent
    with held(place.repo):
        plan = plan_of(working(place).knowledge, lambda card: on_disk(root, f"{FOLDER}/{card.path}"))
        rel = f"{FOLDER}/{plan.rel}"
        if plan.after is None:
            remove_file(root, rel, expected=plan.before or b"")
        elif plan.is_change:
            refuse_secrets(rel, plan.after, allowed)
            write_file(root, rel, plan.after, expected=plan.before)
    edge = plan.edge
    return Linked(edge.id, edge.from_, edge.kind, edge.to, edge.weight, rel, plan.is_change, plan.warnings)
