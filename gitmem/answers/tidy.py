"""Brings engram files into the form that gitmem writes: ids for slugs. Refuses any other change."""

from gitmem.answers import naming
from gitmem.answers.admission import admit
from gitmem.answers.session import Session, decides
from gitmem.answers.working import require_started, working
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.model.finding import Notice
from gitmem.record import record
from gitmem.store import edit as edits
from gitmem.store import files, lock
from gitmem.store.layout import Place, place_of
from gitmem.store.repo import FOLDER


@record
class FmtCall:
    items: tuple[str, ...] = ()
    check: bool = False


@record
class Formatted:
    """``changed`` are repo-relative paths, written unless only checked."""

    changed: tuple[str, ...]
    checked: int
    is_check: bool
    warnings: tuple[Notice, ...] = ()

    @property
    def exit_code(self) -> int:
        return 1 if self.is_check and self.changed else 0


def fmt(session: Session, call: FmtCall) -> Formatted:
    """Only ``requires`` is rewritten, since a slug there would break when the file moves."""
    decides(session)
    place = session.place
    require_started(place)
    changed: list[str] = []
    warnings: list[Notice] = []
    with lock.held(place.repo):
        knowledge = working(place).knowledge
        cards = [naming.one(knowledge, item) for item in call.items] or [c for c in knowledge.cards() if c.id]
        warnings += [] if call.items else _unreadable(knowledge)
        root = place.repo.knowledge_dir.parent
        for card in sorted(cards, key=lambda card: card.path):
            wanted, missing = _ids(knowledge, card)
            warnings += missing
            rel = f"{FOLDER}/{card.path}"
            before = files.read_file(root, rel) if wanted != card.requires else None
            if before is None:
                continue
            changed.append(rel)
            if not call.check:
                after = edits.set_value(before, "requires", list(wanted), rel)
                admit(card.path, after)
                files.write_file(root, rel, after, expected=before)
    return Formatted(tuple(changed), len(cards), call.check, tuple(warnings))


def _unreadable(knowledge: Knowledge) -> list[Notice]:
    """Files that no format can be given to, since they cannot be read as engrams."""
    broken = [c for c in knowledge.cards() if not c.id and place_of(c.path) is Place.ENGRAM]
    message = "this file cannot be read as an engram and is left as it is"
    return [Notice("malformed", message, f"{FOLDER}/{c.path}", "see: gitmem check") for c in broken]


def _ids(knowledge: Knowledge, card: Card) -> tuple[tuple[str, ...], list[Notice]]:
    """Ids in place of slugs; a reference that names nothing, or several, stays and is named."""
    wanted, missing = [], []
    for reference in card.requires:
        found = knowledge.by_reference(reference)
        wanted.append(found[0].id if len(found) == 1 else reference)
        if len(found) != 1:
            message = f"{card.slug} requires {reference!r}, which names {len(found)} items"
            missing.append(Notice("requires-unresolved", message, f"{FOLDER}/{card.path}"))
    return tuple(wanted), missing
