"""Whether a change was proposed or declined before, and who else is at the same items. Refuses to stop anybody."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gitmem.answers.ground import Ground
from gitmem.answers.likeness import Against, Alike, Candidate, Waiting, draft_of, likeness_of, notices_of
from gitmem.answers.session import Session
from gitmem.index.card import Card
from gitmem.index.parse import card_of
from gitmem.lazy import load
from gitmem.model.finding import Notice
from gitmem.model.ledger import Entry
from gitmem.model.proposal import Changes, EventKind, Proposal
from gitmem.record import record, replace
from gitmem.review.signature import signature
from gitmem.review.status import closing_of
from gitmem.store import ledger, objects, proposals
from gitmem.store.canonical import body_of
from gitmem.store.gitrefs import read_ref
from gitmem.store.layout import Place, place_of
from gitmem.store.objects import Entry as Object
from gitmem.store.refs import ARCHIVE, META, PROPOSALS, is_placed, listed, under
from gitmem.store.repo import FOLDER, Repo

NEW, DUPLICATE, UPDATE = "new", "duplicate", "update"
_OVERLAPS_MOST = 50
# Keys that say nothing of what an engram says, or of where it applies.
_SILENT = frozenset({"verification", "confidence", "importance", "priority", "claims", "aliases"})
_TEXTS_MOST = 20


@record
class Overlap:
    """Another open proposal at the same items or paths."""

    proposal: str
    title: str
    items: tuple[str, ...]


@record
class Known:
    """``confidence`` in the verdict is from 0 to 1: with an equal text it is 1, with half of it alike a half."""

    verdict: str
    target: str | None
    overlaps: tuple[Overlap, ...]
    warnings: tuple[Notice, ...]
    reason: str = ""
    confidence: float = 1.0
    candidates: tuple[Candidate, ...] = ()


def compare(session: Session, ground: Ground, made: tuple[Entry, Changes], *, with_texts: bool = True) -> Known:
    """Against every proposal that is open and every one that was declined; ``with_texts``: against all texts too."""
    entry = made[0]
    repo = ground.repo
    refs = listed(repo, PROPOSALS)
    opened = [each for each in proposals.load(repo, refs, ground.place.shelf).proposals if each.id != entry.proposal]
    mark, own = signature(entry.changes), places_of(entry)
    alike = [each for each in opened if signature(each.entry.changes) == mark]
    # A ref may be left of what has landed by another road, and of what was declined for a time.
    near = [*alike, *(each for each in opened if own & places_of(each.entry))]
    ended = _ended(session, ground, list({each.id: each for each in near}.values()))
    opened = [each for each in opened if each.id not in ended]
    # What takes a decision back is told from a change that happens to look like it.
    same = next((each for each in alike if each.id not in ended and each.entry.reverts == entry.reverts), None)
    overlaps = overlapping(entry, opened)
    if same is not None:
        message = f"proposal {same.id} makes the same change"
        notice = Notice("duplicate", message, same.id, f"gitmem proposals show {same.id}")
        return Known(DUPLICATE, same.id, overlaps, (notice,), notice.message)
    declined = _declined(session, entry, mark)
    if declined is not None:
        return Known(DUPLICATE, declined.place, overlaps, (declined,), declined.message)
    known = Known(NEW, None, overlaps, tuple(_said(overlaps)))
    return _with_texts(session, ground, made, opened, known) if with_texts else known


def _ended(session: Session, ground: Ground, found: Sequence[Proposal]) -> set[str]:
    """Those of proposals with an open ref that wait for nobody: the trusted tree has them, or they were closed."""
    if not found:
        return set()
    names = [
        f"{ground.reading.tree}:{ledger.path_of(id_)}"
        for each in found
        for id_ in (each.id, each.entry.bundle or each.id)
    ]
    there = objects.look_up(ground.repo, names) if ground.reading.tree and names else [None] * len(names)
    landed = {each.id for each, own, whole in zip(found, there[::2], there[1::2], strict=True) if own or whole}
    metas = {each.id: tip for each in found if (tip := read_ref(ground.repo, under(META, each.id)))}
    said = ground.place.shelf.said(ground.repo, sorted(set(metas.values())))
    return landed | {id_ for id_, tip in metas.items() if closing_of(said[tip], session.now)}


def _with_texts(
    session: Session, ground: Ground, wanted: tuple[Entry, Changes], opened: Sequence[Proposal], known: Known
) -> Known:
    """The verdict with what the texts themselves repeat, reword or contradict, in the tree and in open proposals."""
    entry, changes = wanted
    silent = {each.path for each in entry.changes if each.keys and _SILENT.issuperset(each.keys)}
    texts = {
        rel: data
        for rel, data in changes.items()
        if data is not None and rel not in silent and place_of(rel) is Place.ENGRAM
    }
    waiting = tuple(
        Waiting(each.id, rel, blob)
        for each in opened
        for rel, blob in each.blobs.items()
        if place_of(rel) is Place.ENGRAM and each.entry.kind == "new"
    )
    against = Against(ground.place, ground.tree, waiting, hides_restricted=session.surface == "agent")
    warnings = list(known.warnings)
    for rel, data in list(texts.items())[:_TEXTS_MOST]:
        card = card_of(Object(rel, "100644", "", len(data)), data)
        if not card.id:
            continue
        draft = draft_of(card, body_of(data))
        found = likeness_of(against, draft)
        if found.verdict == DUPLICATE and not _applies_where(ground, waiting, found, card):
            found = replace(found, verdict=UPDATE, reason=f"{found.reason}, which applies elsewhere")
        warnings += notices_of(found, {each.label for each in waiting})
        if entry.kind == "new" and (found.verdict != NEW or not known.reason):
            known = _told(known, found)
            declined, said = load("gitmem.answers.dismissed:near")(session, entry, draft)
            known = replace(known, candidates=(*known.candidates, *declined))
            warnings += said
    if len(texts) > _TEXTS_MOST:
        message = f"{len(texts) - _TEXTS_MOST} further texts were not compared with what there is"
        warnings.append(Notice("likeness-cut", message, hint="propose fewer at once, or: gitmem check --alike"))
    return replace(known, warnings=tuple(dict.fromkeys(warnings)))


def _told(known: Known, found: Alike) -> Known:
    """With the verdict on one text: the first that is not new stands for all."""
    nearest = max((each.percent for each in found.candidates), default=0)
    sure = nearest if found.verdict != NEW else 100 - nearest
    return replace(
        known,
        verdict=found.verdict,
        target=found.target or known.target,
        reason=found.reason,
        confidence=sure / 100,
        candidates=found.candidates,
    )


def _applies_where(ground: Ground, waiting: Sequence[Waiting], found: Alike, card: Card) -> bool:
    """Whether the text that is repeated has the same scope: for another one it is a rule of its own. What has none is
    found by the words that both have."""
    if not card.has_scope:
        return True
    path = found.candidates[0].path
    held = next((w for w in waiting if w.label == found.target and f"{FOLDER}/{w.rel}" == path), None)
    if held is not None:
        data = dict(objects.read_blobs(ground.repo, [held.blob]))[held.blob]
        return scope_of(card_of(Object(held.rel, "100644", held.blob, len(data)), data)) == scope_of(card)
    return any(scope_of(each) == scope_of(card) for each in ground.knowledge().under(f"id:{found.target}"))


def scope_of(card: Card) -> tuple[list[str], ...]:
    return tuple(sorted(part) for part in (card.paths, card.excluded, card.layers, card.commands))


def _declined(session: Session, entry: Entry, mark: str) -> Notice | None:
    """A tombstone for the same change; evidence that it does not know opens the question again."""
    repo = session.place.repo
    metas = {ref.id: ref.oid for ref in listed(repo, META) if is_placed(ref)}
    ids = sorted(id_ for id_ in metas if id_ != entry.proposal)
    said = session.place.shelf.said(repo, sorted({metas[id_] for id_ in ids}))
    for id_ in ids:
        closing = closing_of(said[metas[id_]], session.now)
        if closing is None or closing.kind is not EventKind.REJECTED or closing.change != mark:
            continue
        if set(entry.evidence) - set(closing.evidence) or not _undoes_the_same(repo, id_, entry):
            continue
        until = f" until {closing.until}" if closing.until else ""
        message = f"the same change was declined by {closing.by.name}{until}: {closing.text or 'no reason given'}"
        return Notice("dismissed", message, id_, "propose it again with new evidence: --evidence ID")
    return None


def _undoes_the_same(repo: Repo, id_: str, entry: Entry) -> bool:
    """What takes a decision back is told from a change that happens to look like it, also where that was declined."""
    if not entry.reverts:
        return True
    known = proposals.load(repo, [ref for ref in listed(repo, PROPOSALS, ARCHIVE) if ref.id == id_]).proposals
    return any(each.entry.reverts == entry.reverts for each in known)


def overlapping(entry: Entry, others: Iterable[Proposal]) -> tuple[Overlap, ...]:
    """Who else changes the same items, or wants the same paths; what a proposal needs is no overlap."""
    own = places_of(entry)
    found = []
    for other in others:
        shared = own & places_of(other.entry)
        if shared and other.id not in entry.needs and entry.proposal not in other.entry.needs:
            found.append(Overlap(other.id, other.entry.title, tuple(sorted(shared))))
    return tuple(found[:_OVERLAPS_MOST])


def places_of(entry: Entry) -> set[str]:
    """Ids of items and, where somebody wants to put one, paths without regard to case."""
    rows = [(change.item, change.path.casefold()) for change in entry.changes]
    return {item for item, _ in rows} | {path for item, path in rows if item.casefold() != path}


def _said(overlaps: Sequence[Overlap]) -> Iterable[Notice]:
    for each in overlaps:
        message = f"proposal {each.proposal} ({each.title}) changes the same: {', '.join(each.items)}"
        yield Notice("overlap", message, each.proposal, f"gitmem proposals show {each.proposal}")
