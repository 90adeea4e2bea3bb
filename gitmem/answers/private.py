"""Items that live in this clone alone: written, changed, removed and read. Refuses to give any of them to Git."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence

from gitmem.answers.admission import IN_TREE, RefusedError, admit, free_path
from gitmem.answers.composing import NewCall, compose
from gitmem.answers.fields import EditCall, apply_edit, check_call
from gitmem.answers.ground import Ground
from gitmem.answers.naming import AmbiguousError, NotFoundError
from gitmem.answers.opening import Plan
from gitmem.answers.reading import Place, Reading, ask
from gitmem.answers.session import Session
from gitmem.answers.working import working
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge, overlaid
from gitmem.index.parse import card_of
from gitmem.model.finding import Finding, Notice
from gitmem.model.ids import canonical_id, ulid
from gitmem.record import record, replace
from gitmem.store import codec, private
from gitmem.store.canonical import body_of
from gitmem.store.lock import held
from gitmem.store.objects import Entry

PREFIX = "private/"
PRIVATE = "private"


@record
class Own:
    """An item of this clone; ``card.blob`` is no object of Git."""

    card: Card
    data: bytes

    @property
    def text(self) -> str:
        """The body, as a reader gets it."""
        return body_of(self.data)

    @property
    def path(self) -> str:
        """How answers call the file: below the folder ``private`` of gitmem in Git's common directory."""
        return f"{PREFIX}{self.card.path}"


def cards(session: Session) -> tuple[Own, ...]:
    """All private items that can be read, by path; nothing where there are none."""
    return of_place(session.place)


def of_place(place: Place) -> tuple[Own, ...]:
    return tuple(own for own in _every(place) if own.card.id)


def ailments(session: Session) -> Iterator[Finding]:
    """What is wrong with files that nobody finds for it."""
    for own in _every(session.place):
        if not own.card.id:
            yield from (replace(each, path=own.path) for each in own.card.own_findings(""))


def _every(place: Place) -> Iterator[Own]:
    if private.is_used(place.repo):
        yield from (Own(_card(rel, data), data) for rel, data in private.entries(place.repo).items())


def _card(rel: str, data: bytes) -> Card:
    """With the one finding less that says where it must not be."""
    card = card_of(Entry(rel, "100644", f"{PRIVATE}-{hashlib.sha256(data).hexdigest()}", len(data)), data)
    return replace(card, findings=tuple(row for row in card.findings if row[0] != IN_TREE))


def named(place: Place, knowledge: Knowledge, reference: str) -> Own | None:
    """The private item of that id, slug or domain/slug, ``private/`` before it or not; what is shared comes first."""
    wanted = reference.strip().removesuffix(".md")
    known = of_place(place)
    if not known or (not wanted.startswith(PREFIX) and knowledge.by_reference(canonical_id(wanted) or wanted)):
        return None
    wanted = wanted.removeprefix(PREFIX)
    found = [own for own in known if canonical_id(wanted) == own.card.id or wanted in (own.card.slug, own.card.name)]
    if len(found) > 1:
        rows = ", ".join(f"{own.card.name} ({own.card.id})" for own in found)
        raise AmbiguousError(f"{reference!r} names {len(found)} private items: {rows}", hint="use the id")
    return found[0] if found else None


def found(reading: Reading, references: Sequence[str]) -> dict[int, Own]:
    """Those among what somebody named, by the number of the name, beside the knowledge that is read."""
    if not private.is_used(reading.place.repo):
        return {}
    rows, _ = ask(reading, lambda knowledge: [named(reading.place, knowledge, each) for each in references])
    return {number: own for number, own in enumerate(rows) if own is not None}


def plan_shared(session: Session, under: Ground, reference: str) -> Plan:
    """What everybody gets to read once it is approved: the same under an id of its own; the private one stays."""
    knowledge = under.knowledge()
    own = named(session.place, knowledge, reference)
    if own is None:
        raise NotFoundError(f"no private item {reference!r} here", hint="see: gitmem list")
    engram = codec.decode(own.data, own.card.path).engram
    assert engram is not None
    _refuse_unshared(knowledge, own, engram.requires)
    id_ = ulid(int(session.now.timestamp() * 1000), os.urandom(10))
    data = codec.encode(replace(engram, id=id_, visibility="team"))
    free_path(knowledge, own.card.path, id_)
    _, warnings = admit(own.card.path, data)
    stays = Notice("private-stays", "the private one stays", own.path, f"take it out later: gitmem rm {own.card.id}")
    return Plan("new", engram.title, {own.card.path: data}, warnings=(*warnings, stays), is_shared=True)


def _refuse_unshared(knowledge: Knowledge, own: Own, requires: Sequence[str]) -> None:
    """Before anything of it is written: what nobody else can read must not be named to them either."""
    for name in requires:
        if not knowledge.by_reference(canonical_id(name) or name):
            raise RefusedError(
                f"{own.card.slug} requires {name}, which the others do not have",
                hint=f"propose that first, or: gitmem edit {own.card.slug} requires --remove {name}",
                place=own.path,
                code="requires-missing",
            )


def file_text(session: Session, reference: str) -> str | None:
    """The whole file of a private item; None where the name is no private item's."""
    own = named(session.place, working(session.place).knowledge, reference)
    return own.data.decode("utf-8", "replace") if own is not None else None


@record
class Kept:
    """``path`` is below ``private/``; the file is there for this clone and its worktrees."""

    id: str
    slug: str
    path: str
    warnings: tuple[Notice, ...] = ()


def write(session: Session, call: NewCall) -> Kept:
    """A new private item beside the shared and the private ones that there are."""
    place = session.place
    with held(place.repo):
        beside = _beside(working(place).knowledge, of_place(place))
        made = compose(call, beside, place.author, session.now)
        private.write(place.repo, made.rel, made.data, expected=None)
    return Kept(made.id, made.slug, f"{PREFIX}{made.rel}", made.warnings)


def _beside(knowledge: Knowledge, owns: Sequence[Own]) -> Knowledge:
    return overlaid(knowledge, (), [own.card for own in owns]) if owns else knowledge


def edit(place: Place, own: Own, call: EditCall, knowledge: Knowledge) -> tuple[bool, tuple[Notice, ...]]:
    """Whether something changed, and what is odd about it; the caller holds the lock."""
    if call.field == "visibility":
        raise RefusedError(
            f"{own.card.slug} is private, and becomes another's to read by a proposal only",
            hint=f"gitmem propose private {own.card.slug}",
            place=own.path,
            code=PRIVATE,
        )
    check_call(call, own.card, knowledge)
    after = apply_edit(own.data, call, own.path, knowledge)
    if after == own.data:
        return False, ()
    card, warnings = admit(own.card.path, after, call.allow_secret, is_private=True)
    if card.id != own.card.id:
        raise RefusedError("id never changes", hint="history holds who made it", place=own.path, code="id-changed")
    private.write(place.repo, own.card.path, after, expected=own.data)
    return True, warnings


def remove(place: Place, own: Own) -> tuple[Notice, ...]:
    """No history keeps it, and the answer says so."""
    private.remove(place.repo, own.card.path, expected=own.data)
    return (Notice("gone-for-good", "it was private: nothing keeps it", own.path),)
