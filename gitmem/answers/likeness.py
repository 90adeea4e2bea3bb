"""What a text that is about to be written repeats, rewords or contradicts. Refuses to act on it, and to block on it.

Sketches of all engrams lie in a cache of their own; where most of them are still to be made, the answer says what it
did not compare.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from gitmem.answers.reading import Place, ask_at
from gitmem.answers.working import Working
from gitmem.checks import likeness, opposition
from gitmem.checks.likeness import Kind, Known
from gitmem.checks.opposition import Held
from gitmem.checks.stances import Stance
from gitmem.index import sketches, sketching
from gitmem.index.card import NEVER_BY_SCOPE, Card
from gitmem.index.knowledge import Knowledge
from gitmem.index.parse import card_of
from gitmem.index.sketches import Sketches
from gitmem.index.sketching import Ground, Others
from gitmem.model.finding import Notice
from gitmem.model.ids import ID_LENGTH
from gitmem.record import field, record
from gitmem.store.canonical import body_of, canonical
from gitmem.store.objects import Entry, read_blobs
from gitmem.store.repo import FOLDER

_LIVE = ("draft", "active", "frozen")
# Cards that are looked at, and bodies that are read, for contradictions.
_CARDS_MOST, _HELD_MOST = 200, 40
_EXACT_MOST = 5


@record
class Draft:
    """A text to compare. ``item`` is its own id, which is left out, '' for a new one; scope and tags say where it
    applies, as in ``model.engram``."""

    title: str
    body: str
    item: str = ""
    paths: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


@record
class Waiting:
    """A text that is not in the tree: of an open proposal or an uncommitted file. ``label`` is what the answer calls
    it, '' for the id of its engram; ``data`` None is read from Git by ``blob``."""

    label: str
    rel: str
    blob: str
    data: bytes | None = None


@record
class Against:
    """What drafts are compared with: what is live in the committed ``tree``, or in ``over``, which builds on it, and
    what waits. ``hides_restricted``: whoever asks may not learn of such engrams."""

    place: Place
    tree: str
    waiting: tuple[Waiting, ...] = ()
    over: Knowledge | None = None
    hides_restricted: bool = False


@record
class Candidate:
    """A text that is like the draft. ``item`` is the id of its engram, or the label of what waits; ``path`` is
    repo-relative."""

    item: str
    slug: str
    path: str
    title: str
    percent: int


@record
class Contradiction:
    """A sentence of the draft and one of ``item`` that cannot both be followed."""

    item: str
    slug: str
    path: str
    mine: str
    theirs: str
    reason: str


@record
class Alike:
    """``verdict`` is new, duplicate or update; ``target`` what is repeated or reworded, '' when it is new."""

    verdict: str
    target: str
    percent: int
    reason: str
    candidates: tuple[Candidate, ...]
    contradictions: tuple[Contradiction, ...]
    warnings: tuple[Notice, ...]


@record
class _Met:
    """A live text with the name that the answer gives it."""

    label: str
    card: Card


@record
class _Look:
    """One draft against the sketches of what there is."""

    against: Against
    live: Knowledge
    found: Sketches
    draft: Draft
    waiting: Mapping[str, Waiting]
    read: dict[str, bytes] = field(default_factory=dict)

    def fetch(self, *counts: Counter[int]) -> None:
        """Reads what waits among these rows, all of it in one call."""
        blobs = {self.found.entry(number)[1] for rows in counts for number in rows}
        wanted = sorted(blob for blob in blobs & self.waiting.keys() if self.waiting[blob].data is None)
        self.read.update(read_blobs(self.against.place.repo, wanted))

    def met(self, counts: Counter[int], most: int) -> list[_Met]:
        """The live texts among these rows, those that share most first; of equal ones in the order of their ids."""
        ranked = sorted((-count, self.found.entry(number)) for number, count in counts.items())
        met: dict[str, _Met] = {}
        for _, (item, blob) in ranked:
            each = self.live_at(item, blob) if blob not in met and item != self.draft.item else None
            if each is not None:
                met[blob] = each
            if len(met) == most:
                break
        return list(met.values())

    def live_at(self, item: str, blob: str) -> _Met | None:
        held = self.waiting.get(blob)
        if held is not None:
            card = card_of(Entry(held.rel, "100644", blob, 0), self.data_of(held))
            return _Met(held.label or card.id, card) if self._is_live(card) else None
        cards = (card for card in self.live.under(f"id:{item}") if card.blob == blob and self._is_live(card))
        return next((_Met(card.id, card) for card in cards), None)

    def _is_live(self, card: Card) -> bool:
        hidden = NEVER_BY_SCOPE if self.against.hides_restricted else ("private",)
        return card.status in _LIVE and card.visibility not in hidden

    def data_of(self, held: Waiting) -> bytes:
        if held.data is not None:
            return held.data
        if held.blob not in self.read:
            self.read.update(read_blobs(self.against.place.repo, [held.blob]))
        return self.read[held.blob]

    def bodies(self, mets: Iterable[_Met]) -> dict[str, str]:
        """The bodies by blob."""
        cards = {met.card.blob: met.card for met in mets}
        in_tree = dict(enumerate(card for blob, card in cards.items() if blob not in self.waiting))
        read = self.against.place.bodies.read(in_tree)
        found = {in_tree[number].blob: body for number, body in read.items()}
        return found | {blob: body_of(self.data_of(self.waiting[blob])) for blob in cards if blob in self.waiting}


def against_working(place: Place, found: Working) -> Against:
    """What the work tree would commit."""
    cards = {card.path: card for card in found.knowledge.added if card.id}
    edits = [edit for edit in found.edits if edit.rel in cards and edit.data is not None]
    waiting = tuple(Waiting("", edit.rel, cards[edit.rel].blob, edit.data) for edit in edits)
    return Against(place, found.tree, waiting, found.knowledge)


def draft_of(card: Card, body: str) -> Draft:
    return Draft(card.title, body, card.id, card.paths, card.excluded, card.layers, card.commands, card.tags)


def likeness_of(against: Against, draft: Draft) -> Alike:
    """The verdict on a draft, its nearest texts, and what it contradicts; deterministic once the cache is warm."""
    found, _ = ask_at(against.place, against.tree, lambda committed: _alike(against, committed, draft))
    return found


def _alike(against: Against, committed: Knowledge, draft: Draft) -> Alike:
    place = against.place
    ground = Ground(place.repo, place.cache, against.tree, committed)
    waiting = {held.blob: held for held in against.waiting}
    found = sketching.kept_up(ground, _others(place, waiting))
    look = _Look(against, against.over or committed, found, draft, waiting)
    row = sketches.row_of(draft.item, "", draft.title, draft.body)
    alike, same, opposed = found.near(row), Counter(found.same(row)), found.opposed(row)
    look.fetch(alike, same, opposed)
    near = look.met(alike, likeness.SHORTLIST_MOST) + look.met(same, _EXACT_MOST)
    near += _equal_and_pending(look, committed)
    near = list({(met.label, met.card.blob): met for met in near}.values())
    against_it, cut = _opposed(look, opposed)
    bodies = look.bodies([*near, *against_it])
    verdict = likeness.verdict(
        draft.title, draft.body, [Known(met.label, met.card.title, bodies[met.card.blob]) for met in near]
    )
    cards = {met.label: met.card for met in near}
    return Alike(
        verdict=verdict.kind.value,
        target=verdict.target,
        percent=verdict.shared * 100 // verdict.total,
        reason=verdict.reason,
        candidates=tuple(
            Candidate(e.item, cards[e.item].slug, _path(cards[e.item]), e.title, e.percent) for e in verdict.candidates
        ),
        contradictions=_contradictions(draft, against_it, bodies),
        warnings=(*_cold(found, committed), *cut),
    )


def _others(place: Place, waiting: Mapping[str, Waiting]) -> Others:
    def texts_of(blobs: Sequence[str]) -> Iterator[tuple[Card, str]]:
        read = dict(read_blobs(place.repo, [blob for blob in blobs if waiting[blob].data is None]))
        for blob in blobs:
            held = waiting[blob]
            data = read[blob] if held.data is None else held.data
            card = card_of(Entry(held.rel, "100644", blob, len(data)), data)
            if card.id:
                yield card, body_of(data)

    return Others(tuple(waiting), texts_of)


def _equal_and_pending(look: _Look, committed: Knowledge) -> list[_Met]:
    """Equal bodies among what has no sketch yet: one pass over the index."""
    if not look.found.pending:
        return []
    body = canonical(look.draft.body.encode("utf-8", "surrogatepass"))
    digest = f"sha256:{hashlib.sha256(body).hexdigest()}"
    equal = [card for card in committed.cards() if card.content_hash == digest and card.id != look.draft.item]
    met = [each for card in equal if (each := look.live_at(card.id, card.blob))]
    return met[:_EXACT_MOST]


def _opposed(look: _Look, counts: Counter[int]) -> tuple[list[_Met], tuple[Notice, ...]]:
    """The live texts that apply where the draft does and take another side on a matter of it."""
    mine = _held(look.draft.item or "draft", look.draft, ())
    met = look.met(counts, _CARDS_MOST)
    together = [each for each in met if opposition.apply_together(mine, _held(each.label, each.card, ()))]
    if len(met) < _CARDS_MOST and len(together) <= _HELD_MOST:
        return together, ()
    message = f"only the {_HELD_MOST} engrams that share most with it were read for contradictions"
    return together[:_HELD_MOST], (Notice("contradictions-cut", message, hint="see: gitmem check --alike"),)


def _contradictions(draft: Draft, met: Sequence[_Met], bodies: Mapping[str, str]) -> tuple[Contradiction, ...]:
    mine = _held(draft.item or "draft", draft, opposition.stances_of(draft.title, draft.body))
    cards = {each.label: each.card for each in met}
    others = [
        _held(each.label, each.card, opposition.stances_of(each.card.title, bodies[each.card.blob])) for each in met
    ]
    found = opposition.oppositions(mine, others)
    return tuple(
        Contradiction(e.other, cards[e.other].slug, _path(cards[e.other]), e.mine, e.theirs, e.reason) for e in found
    )


def _path(card: Card) -> str:
    return f"{FOLDER}/{card.path}"


def _held(label: str, text: Card | Draft, stances: tuple[Stance, ...]) -> Held:
    return Held(label, stances, text.paths, text.excluded, text.layers, text.commands, text.tags)


def _cold(found: Sketches, committed: Knowledge) -> tuple[Notice, ...]:
    if not found.pending:
        return ()
    items = sum(committed.facts.counts.get("status", {}).values())
    message = f"{len(found.pending)} of {items} engrams were compared for equal bodies only so far"
    return (Notice("likeness-cold", message, hint="each call makes some; all of them: gitmem check --alike"),)


def doubts_about(place: Place, found: Working, rel: str, data: bytes) -> list[Notice]:
    """What is said to somebody who has just written a file beside those of the work tree."""
    card = card_of(Entry(rel, "100644", "", len(data)), data)
    return notices_of(likeness_of(against_working(place, found), draft_of(card, body_of(data)))) if card.id else []


def _instead(alike: Alike, proposed: Container[str]) -> str:
    if alike.target in proposed:
        edit = f"gitmem propose edit {alike.candidates[0].slug} ... --extend {alike.target}"
        return f"see: gitmem proposals show {alike.target}; change that one instead: {edit}"
    return f"change that one instead: gitmem edit {alike.target}" if len(alike.target) == ID_LENGTH else ""


def notices_of(alike: Alike, proposed: Container[str] = ()) -> list[Notice]:
    """The same as warnings, for somebody who writes; one for each item, with the first pair of sentences.

    ``proposed`` are the targets that are no engrams but proposals.
    """
    found = []
    if alike.verdict != Kind.NEW.value:
        found.append(Notice(alike.verdict, f"this {alike.reason}", alike.candidates[0].path, _instead(alike, proposed)))
    firsts: dict[str, Contradiction] = {}
    for each in alike.contradictions:
        firsts.setdefault(each.item, each)
    for first in firsts.values():
        message = f"{first.mine!r} against {first.theirs!r} in {first.slug}: {first.reason}"
        hint = "change one of them, or say where each applies"
        found.append(Notice("contradicts", message, first.path, hint))
    return [*found, *alike.warnings]
