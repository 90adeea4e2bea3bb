"""Moves and removes engram files for the user to commit. Refuses to break what refers to them unsaid."""

from gitmem.answers import edges, naming
from gitmem.answers.admission import RefusedError, free_path
from gitmem.answers.author import Changed, on_disk
from gitmem.answers.composing import domain_of, slug_of
from gitmem.answers.session import Session, decides
from gitmem.answers.working import require_started, working
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.lazy import load
from gitmem.model.finding import Notice
from gitmem.record import record
from gitmem.store import files, lock
from gitmem.store.layout import ENGRAMS, engram_path
from gitmem.store.repo import FOLDER


@record
class MvCall:
    item: str
    to: str


def mv(session: Session, call: MvCall) -> Changed:
    """Moves the file; id and references stay, so no other file changes."""
    decides(session)
    place = session.place
    require_started(place)
    wanted = call.to.strip().removesuffix(".md")
    domain, _, name = wanted.rpartition("/")
    slug = slug_of(name)
    with lock.held(place.repo):
        found = working(place).knowledge
        card = naming.one(found, call.item)
        target = engram_path(domain_of(domain) if domain else card.domain, slug)
        rel = f"{FOLDER}/{target}"
        if target == card.path:
            return Changed(card.id, card.slug, rel, changed=False)
        free_path(found, target, card.id)
        root, old = place.repo.knowledge_dir.parent, f"{FOLDER}/{card.path}"
        files.move_file(root, old, rel, expected=on_disk(root, old))
    return Changed(card.id, slug, rel, changed=True, warnings=_named_by_slug(found, card, target))


def _named_by_slug(knowledge: Knowledge, card: Card, target: str) -> tuple[Notice, ...]:
    """Hand-written references by a name that goes with the move."""
    kept = {target.rpartition("/")[2].removesuffix(".md"), target.removeprefix(ENGRAMS).removesuffix(".md")}
    gone = {card.slug, card.name} - kept
    users = sorted({user.name for name in gone for user in knowledge.under(f"needs:{name}")})
    if not users:
        return ()
    message = f"{', '.join(users)} requires it by the name that it had"
    hint = f"give them the id: gitmem edit ITEM requires --add {card.id}, and --remove the old name"
    return (Notice("requires-missing", message, f"{FOLDER}/{target}", hint),)


@record
class RmCall:
    item: str


def rm(session: Session, call: RmCall) -> Changed:
    """Removes the file when nothing requires it; history keeps it."""
    decides(session)
    place = session.place
    require_started(place)
    with lock.held(place.repo):
        found = working(place).knowledge
        own = load("gitmem.answers.private:named")(place, found, call.item)
        if own is not None:
            gone = load("gitmem.answers.private:remove")(place, own)
            return Changed(own.card.id, own.card.slug, own.path, changed=True, warnings=gone)
        card = naming.one(found, call.item)
        needing = {c.slug for key in (card.id, card.slug, card.name) for c in found.under(f"needs:{key}")}
        if needing:
            raise RefusedError(
                f"{card.slug} is required by {', '.join(sorted(needing))}",
                hint="take it out of their requires first",
                code="required",
            )
        root, rel = place.repo.knowledge_dir.parent, f"{FOLDER}/{card.path}"
        files.remove_file(root, rel, expected=on_disk(root, rel))
    return Changed(card.id, card.slug, rel, changed=True, warnings=edges.left_behind(found, card))
