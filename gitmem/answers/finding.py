"""From a question to the documents that answer it, ranked and with reasons. Refuses edges: they come in afterwards."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.answers.experience import Experience, experience
from gitmem.answers.reading import Reading, Session
from gitmem.answers.searching import WHOOSH, Opened, with_extra
from gitmem.index import bookmaking
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.index.postings import Document
from gitmem.index.wording import FIELDS, wording
from gitmem.index.words import Words, document_of
from gitmem.lazy import load
from gitmem.memory import filters, relevance
from gitmem.memory.filters import Filters, Traits
from gitmem.memory.query import Query
from gitmem.memory.ranking import Lived, Ranked, Standing, Weights, code_of, hidden, most_beside, ranked
from gitmem.memory.relevance import Asked
from gitmem.model.finding import Notice
from gitmem.model.hit import Hit, Reason
from gitmem.record import field, record, replace, state
from gitmem.store import objects, private
from gitmem.store.refs import PROPOSALS
from gitmem.store.repo import FOLDER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.answers.private import Own
    from gitmem.answers.search import SearchCall
    from gitmem.index.fulltext import Fulltext

_DIGITS = 4
_REASONS_MOST = 12
# With fewer hits than this a word may be misspelt.
_FEW = 3
# Bytes of text that a token takes, so that the estimate errs high.
_BYTES_A_TOKEN = 3
_SUPERSEDES, _SUPERSEDED = "edge:supersedes", "superseded"
_PRIVATE = "private/"
_NAME, _NAME_CHARS_MAX = "name", 200
# Of what is proposed so many are shown below a full page of what is approved, and a quarter of a short page.
_PROPOSALS_LEAST = 3
_A_QUARTER = 4


@record
class Found:
    """``desk`` is what the ranking was made with, for whoever adds to the hits."""

    desk: Desk
    hits: tuple[Hit, ...]
    total: int
    engine: str
    suggested: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()


@state
class Desk:
    """One question at one revision. ``own`` are cards that are in no tree, by their numbers, and
    ``texts`` the bodies of those that are in no object either."""

    session: Session
    reading: Reading
    knowledge: Knowledge
    words: Words
    weights: Weights
    lived: Experience
    own: dict[int, Card]
    texts: dict[int, str]
    gone: frozenset[str]
    made: list[Standing] = field(default_factory=list)

    @property
    def standing(self) -> Standing:
        if not self.made:
            self.made.append(Standing(*self.words.traits(), self.session.now, self._all_lived(), self.words.ids()))
        return self.made[0]

    def card(self, number: int) -> Card:
        """What an item in force supersedes has that status, whatever its file says."""
        own = self.own.get(number)
        if own is not None:
            return own
        card = self.knowledge.card(number)
        is_gone = card.id in self.gone and card.status in filters.SHOWN_STATUSES
        return replace(card, status=_SUPERSEDED) if is_gone else card

    def body(self, number: int) -> str:
        own = self.texts.get(number)
        return self.reading.place.bodies.read({number: self.card(number)})[number] if own is None else own

    def _all_lived(self) -> dict[int, Lived]:
        """Every document to which something happened."""
        uses = self.lived.uses
        found = {}
        for item in {*uses.days, *uses.hits, *self.lived.received}:
            number = self.words.number_of(item)
            if number is not None:
                each = self.lived.effective(self.card(number))
                found[number] = Lived(each.importance, each.strength, each.hits, each.last_use, each.last_hit)
        return found

    def admitted(self, wanted: Filters, numbers: list[int]) -> list[int]:
        """Those that pass."""
        if not wanted.is_default:
            return [number for number in numbers if self.admits(wanted, number)]
        gone = {number for item in self.gone if (number := self.words.number_of(item)) is not None}
        out = _hidden(self.words) | gone
        return [number for number in numbers if number not in out] if out else numbers

    def admits(self, wanted: Filters, number: int) -> bool:
        card, lived = self.card(number), self.standing.lived.get(number)
        importance, last_use = (lived.importance, lived.last_use) if lived else (card.importance, "")
        is_about = not wanted.path or number in self._about(wanted.path)
        aged = filters.age(wanted, card, importance, last_use, self.session.now)
        return filters.admits(wanted, card, Traits(importance, aged, is_about))

    def _about(self, path: str) -> frozenset[int]:
        known = self.words.about.get(path)
        if known is None:
            numbers = sorted(self.own)
            beside = filters.about_beside(self.knowledge, [self.own[number] for number in numbers], path)
            own = {numbers[at] for at in beside}
            known = self.words.about[path] = filters.about(self.knowledge, path) | own
        return known


def find(session: Session, reading: Reading, opened: Opened, asked: tuple[SearchCall, Query, Filters]) -> Found:
    call, question, wanted = asked
    desk, notices = desk_of(session, reading, opened, call)
    terms = relevance.asked(desk.words, question.forms)
    scores = relevance.whole(desk.words, terms)
    named = frozenset(_named(desk, call.text))
    if question.phrases:
        numbers = desk.admitted(wanted, load("gitmem.answers.quoting:holding")(desk, opened.engine, question.phrases))
        numbers = load("gitmem.answers.quoting:standing")(desk, numbers, question.phrases)
    else:
        numbers = relevance.matching(desk.words, terms, scores) if question.forms else _every(desk.words)
        numbers = desk.admitted(wanted, sorted(named.union(numbers)) if named else numbers)
    head = relevance.best(scores, numbers, max(relevance.HEAD, call.limit), desk.words.ids())
    relevance.raise_head(desk.words, terms, scores, head)
    numbers = _one_a_proposal(desk, scores, numbers)
    best = _best(desk, scores, numbers, call.limit)
    top = max(map(scores.__getitem__, head), default=0.0)
    told = (Reason(_NAME, call.text.strip(), 1.0),)
    hits = tuple(
        hit_of(desk, each, _reasons(desk, terms, each.number, top) or told * (each.number in named), call)
        for each in best
    )
    suggested = load("gitmem.answers.spelling:suggested")(desk, opened.engine, question) if len(numbers) < _FEW else ()
    return Found(desk, hits, len(numbers), opened.engine, suggested, opened.notes, tuple(notices))


def _named(desk: Desk, text: str) -> list[int]:
    """The documents that the whole of a text names by id, slug or domain/slug; their words may be others."""
    name = text.strip()
    if not name or len(name) > _NAME_CHARS_MAX or " " in name:
        return []
    ids = [card.ref for card in desk.knowledge.by_reference(name.lower())] or [name.upper()]
    numbers = [number for each in ids if (number := desk.words.number_of(each)) is not None]
    return [number for number in numbers if number not in desk.knowledge.removed]


def desk_of(session: Session, reading: Reading, opened: Opened, call: SearchCall) -> tuple[Desk, list[Notice]]:
    """The documents of the revision; beside those of now what is private here, and what is proposed."""
    words, knowledge = opened.words, opened.words.knowledge
    extra: list[tuple[Card, Document]] = []
    found: list[Notice] = []
    is_used = not call.at and private.is_used(reading.place.repo)
    mine: Sequence[Own] = load("gitmem.answers.private:of_place")(reading.place) if is_used else ()
    if not call.at:
        extra += [(o.card, document_of(o.card, wording(o.card, o.text), code_of(o.card))) for o in mine]
        if objects.may_have_refs(reading.place.repo, PROPOSALS):
            proposed, found = load("gitmem.answers.offered:documents")(session, reading)
            extra += proposed
    words = with_extra(words, [document for _, document in extra])
    own = {words.first_extra + at: card for at, (card, _) in enumerate(extra)}
    texts = {words.first_extra + at: each.text for at, each in enumerate(mine)}
    weights, lived = Weights(*knowledge.settings.weights), experience(session, reading)
    return Desk(session, reading, knowledge, words, weights, lived, own, texts, _gone(knowledge)), found


def _every(words: Words) -> list[int]:
    gone = words.knowledge.removed
    return [number for number, length in enumerate(words.lengths()) if length and number not in gone]


def _hidden(words: Words) -> frozenset[int]:
    if not words.hidden:
        words.hidden.append(hidden(words.traits()[2]))
    return words.hidden[0]


def _most_beside(words: Words) -> float:
    if not words.beside:
        importance, _, codes = words.traits()
        words.beside.append(most_beside(importance, codes))
    return words.beside[0]


def _gone(knowledge: Knowledge) -> frozenset[str]:
    """The ids of what another item, which is in force, supersedes."""
    found = set()
    for card in knowledge.under(_SUPERSEDES):
        later = knowledge.under(f"id:{card.edge[0]}") if card.edge else []
        if card.edge and any(filters.is_shown(each) for each in later):
            found.add(card.edge[1])
    return frozenset(found)


def _one_a_proposal(desk: Desk, scores: Sequence[float], numbers: list[int]) -> list[int]:
    """Of the engrams of one proposal the one that answers best: an id is one hit."""
    if not desk.own:
        return numbers
    best: dict[str, int] = {}
    for number in numbers:
        card = desk.own.get(number)
        if card is not None and (card.id not in best or scores[number] > scores[best[card.id]]):
            best[card.id] = number
    kept = frozenset(best.values())
    return [number for number in numbers if number not in desk.own or number in kept]


def _best(desk: Desk, scores: Sequence[float], numbers: Sequence[int], limit: int) -> list[Ranked]:
    """As many as the limit: what is approved, and below it what is only proposed."""
    approved: list[Ranked] = []
    proposed: list[Ranked] = []
    for each in ranked(desk.standing, desk.weights, scores, numbers, _most_beside(desk.words)):
        is_proposal = each.number in desk.own and desk.own[each.number].kind == filters.PROPOSAL
        (proposed if is_proposal else approved).append(each)
        if len(approved) == limit:
            break
    kept = min(len(proposed), max(min(_PROPOSALS_LEAST, limit // _A_QUARTER), limit - len(approved)))
    return [*approved[: limit - kept], *proposed[:kept]]


def fulltext_of(desk: Desk, engine: str) -> Fulltext | None:
    """Whoosh's index of the base, where it was built already; Whoosh is loaded for nothing else."""
    base, place = desk.knowledge.base, desk.reading.place
    if base is None or engine != WHOOSH or not bookmaking.has_fulltext(place.cache, base):
        return None
    found: Fulltext | None = load("gitmem.answers.whooshed:of_base")(place, base)
    return found


def hit_of(desk: Desk, found: Ranked, reasons: tuple[Reason, ...], call: SearchCall) -> Hit:
    card = desk.card(found.number)
    hit = Hit(
        id=card.ref,
        slug=card.slug,
        title=card.title,
        kind=card.kind,
        score=round(found.score, _DIGITS),
        reasons=reasons,
        tokens=-(-card.content_bytes // _BYTES_A_TOKEN),
        status=card.status,
        tags=card.tags,
        path=f"{FOLDER}/{card.path}",
    )
    if found.number in desk.own and card.kind != filters.PROPOSAL:
        hit = replace(hit, visibility=card.visibility, path=f"{_PRIVATE}{card.path}")
    if call.explain:
        parts: dict[str, float] = {}
        for name in found.parts.__match_args__:
            parts[name] = round(getattr(found.parts, name), _DIGITS)
        hit = replace(hit, parts=parts)
    return hit


def _reasons(desk: Desk, terms: Sequence[Asked], number: int, top: float) -> tuple[Reason, ...]:
    """By weight; a word that stands in several fields has a reason for each, of equal share."""
    found = []
    for each in terms:
        row = desk.words.row(each.term, number)
        if row is None:
            continue
        weight, bits = row
        fields = [name for at, name in enumerate(FIELDS) if bits >> at & 1]
        share = relevance.part_of(desk.words, each, number, weight) / top if top else 0.0
        word = min(each.forms)
        found += [Reason(name, word, round(share / len(fields), _DIGITS)) for name in fields]
    return tuple(sorted(found, key=lambda reason: (-reason.weight, reason.term, reason.field))[:_REASONS_MOST])
