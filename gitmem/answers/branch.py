"""What the branch at hand does to the rules of a compile, beside what is approved. Refuses texts: metadata only."""

from collections.abc import Iterable, Mapping

from gitmem.answers.reading import Reading, ask_at
from gitmem.index.card import DELIVERED, Card
from gitmem.index.knowledge import Knowledge
from gitmem.model.compiled import CompileRequest
from gitmem.rules.match import match
from gitmem.store import objects, worktree
from gitmem.store.repo import FOLDER

Marks = Mapping[str, Mapping[str, str]]


def marks(reading: Reading, request: CompileRequest, approved: Iterable[Card]) -> Marks:
    """By id: adds, changes or retires. Judged from where the branch parted, so that being behind is no change."""
    head = reading.trusted.head_tree
    if not head or not reading.commit or head == reading.tree or reading.commit != reading.trusted.commit:
        return {}
    parted = _parted(reading)
    if parted == head:
        return {}
    place = reading.place
    here, _ = ask_at(place, head, lambda knowledge: list(match(knowledge, request).cards.values()))
    listed = list(approved)
    ids = {card.id for card in (*here, *listed)}
    now, _ = ask_at(place, reading.tree, lambda knowledge: _by_id(knowledge, ids))
    before, _ = ask_at(place, parted, lambda knowledge: _by_id(knowledge, ids))
    ahead, _ = ask_at(place, head, lambda knowledge: _by_id(knowledge, ids))
    found = {c.id: _mark("changes" if c.id in now else "adds", c) for c in here if _is_own(c, now, before)}
    gone = (card for card in listed if card.id in before and card.id not in found and _is_retired(card, ahead))
    found |= {card.id: _mark("retires", card) for card in gone}
    return dict(sorted(found.items()))


def own_files(reading: Reading) -> list[str]:
    """The files below ``.gitmem`` that the branch at hand adds, changes or removes, and that are not approved yet."""
    head = reading.trusted.head_tree
    if not head or not reading.commit or head == reading.tree:
        return []
    repo = reading.place.repo
    before = _parted(reading) or worktree.empty_tree(repo)
    return [change.rel for change in objects.diff_trees(repo, before, head)] if before != head else []


def _parted(reading: Reading) -> str:
    """The knowledge tree of the commit at which HEAD left the trusted branch; '' where that cannot be told."""
    repo = reading.place.repo
    try:
        base = objects.merge_base(repo, reading.commit, reading.trusted.head_commit)
    except objects.UnknownRevisionError:
        return ""
    found = objects.look_up(repo, [f"{base}:{FOLDER}"])[0]
    return found[0] if found and found[1] == "tree" else ""


def _by_id(knowledge: Knowledge, ids: Iterable[str]) -> dict[str, list[Card]]:
    found = {id_: knowledge.under(f"id:{id_}") for id_ in ids}
    return {id_: cards for id_, cards in found.items() if cards}


def _is_own(card: Card, *others: Mapping[str, list[Card]]) -> bool:
    """Neither approved as it is, nor what the branch started from."""
    return all(card.digest != other.digest for known in others for other in known.get(card.id, ()))


def _is_retired(card: Card, ahead: Mapping[str, list[Card]]) -> bool:
    return all(other.status not in DELIVERED for other in ahead.get(card.id, ()))


def _mark(what: str, card: Card) -> Mapping[str, str]:
    return {"branch": what, "slug": card.slug, "title": card.title}
