"""Writes and changes engram files for the user to commit. Refuses to commit, and to touch other bytes."""

from collections.abc import Callable
from pathlib import Path

from gitmem.answers import naming
from gitmem.answers.admission import RefusedError, admit
from gitmem.answers.composing import NewCall, checked_kind, compose
from gitmem.answers.fields import CLAIMS, EditCall, apply_edit, check_call, doubts_of
from gitmem.answers.reading import Place
from gitmem.answers.session import Session, decides
from gitmem.answers.working import require_started, working
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.lazy import load
from gitmem.model.finding import Notice
from gitmem.record import record, replace
from gitmem.store import files, lock
from gitmem.store.repo import FOLDER


@record
class New:
    """``path`` is repo-relative; the file waits to be committed, unless it begins with ``private/``."""

    id: str
    slug: str
    path: str
    warnings: tuple[Notice, ...]


def new(session: Session, call: NewCall) -> New:
    decides(session)
    place = session.place
    require_started(place)
    call = replace(call, kind=checked_kind(call.kind))
    if call.private:
        kept = load("gitmem.answers.private:write")(session, call)
        return New(kept.id, kept.slug, kept.path, kept.warnings)
    with lock.held(place.repo):
        found = working(place)
        made = compose(call, found.knowledge, place.author, session.now)
        rel = f"{FOLDER}/{made.rel}"
        files.write_file(place.repo.knowledge_dir.parent, rel, made.data, expected=None)
    doubts = load("gitmem.answers.likeness:doubts_about")(place, found, made.rel, made.data)
    return New(made.id, made.slug, rel, (*made.warnings, *doubts))


@record
class Changed:
    """``changed`` is False when everything was already as asked; ``paths`` are repo-relative."""

    id: str
    slug: str
    path: str
    changed: bool
    warnings: tuple[Notice, ...] = ()


def edit(session: Session, call: EditCall) -> Changed:
    """Changes the lines of one field; the file on disk is what is edited, whoever changed it last."""
    decides(session)
    place = session.place
    require_started(place)
    with lock.held(place.repo):
        found = working(place).knowledge
        own = load("gitmem.answers.private:named")(place, found, call.item)
        if own is not None:
            is_other, warnings = load("gitmem.answers.private:edit")(place, own, call, found)
            return Changed(own.card.id, own.card.slug, own.path, changed=is_other, warnings=warnings)
        card = naming.one(found, call.item)
        check_call(call, card, found)
        changed = edited(place, card, (lambda data: _applied(place, data, call, (card, found))), call.allow_secret)
    doubts = doubts_of(call, changed.slug) if changed.changed else []
    return replace(changed, warnings=(*changed.warnings, *doubts))


def _applied(place: Place, data: bytes, call: EditCall, what: tuple[Card, Knowledge]) -> bytes:
    """Claims take their digests from the code as it lies in the work tree: both are committed together."""
    card, knowledge = what
    rel = f"{FOLDER}/{card.path}"
    if call.field == CLAIMS and not call.unset:
        found: bytes = load("gitmem.answers.claiming:apply_here")(place, data, call, rel)
        return found
    return apply_edit(data, call, rel, knowledge)


def edited(place: Place, card: Card, change: Callable[[bytes], bytes], allowed: tuple[str, ...]) -> Changed:
    root, rel = place.repo.knowledge_dir.parent, f"{FOLDER}/{card.path}"
    before = on_disk(root, rel)
    after = change(before)
    if after == before:
        return Changed(card.id, card.slug, rel, changed=False)
    _, warnings = admit(card.path, after, allowed)
    files.write_file(root, rel, after, expected=before)
    return Changed(card.id, card.slug, rel, changed=True, warnings=warnings)


def on_disk(root: Path, rel: str) -> bytes:
    found = files.read_file(root, rel)
    if found is None:
        raise RefusedError(
            "the file is not in the work tree",
            hint=f"bring it back: git checkout HEAD -- {rel}",
            place=rel,
            code="not-on-disk",
        )
    return found
