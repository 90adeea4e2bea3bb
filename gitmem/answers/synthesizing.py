"""Proposes a pattern over engrams that somebody names. Refuses to invent: without a text it says what can be computed.

What the draft lacks an agent or a person writes, as a further patch set of the proposal.
"""

from __future__ import annotations

from gitmem.answers import naming
from gitmem.answers.ground import Ground, ground
from gitmem.answers.opening import Plan, draft, publish
from gitmem.answers.patterning import Drafted, members, plan_drafted, worded
from gitmem.answers.session import Session, decides
from gitmem.answers.terms import Terms, checked, said
from gitmem.errors import GitmemError, UsageError
from gitmem.index.card import NEVER_BY_SCOPE, Card
from gitmem.memory.outlines import Outline, Word, outline, written
from gitmem.model.finding import Notice
from gitmem.model.verification import REFUTED
from gitmem.record import record, replace
from gitmem.store import codec
from gitmem.store.layout import Place, place_of

ITEMS_LEAST, ITEMS_MOST = 2, 20
TAGS_MOST, HINT_CHARS = 5, 500
_ENDED = ("deprecated", "superseded", "forgotten")


@record
class SynthesizeCall:
    """``body`` is the text of the pattern, '' for a draft of what can be computed; ``hint``: what is to be said."""

    items: tuple[str, ...]
    title: str = ""
    tags: tuple[str, ...] = ()
    hint: str = ""
    body: str = ""
    rationale: str = ""
    agent: str = ""
    model: str = ""
    dry_run: bool = False


@record
class Synthesized:
    """``proposal`` is '' in a dry run, and where the verdict is duplicate: then ``target`` is what there is.

    ``status`` draft: the text is still to be written. ``sources`` are the ids that it derives from, ``shared`` the
    terms of most of them.
    """

    id: str
    title: str
    text: str
    status: str
    tags: tuple[str, ...]
    sources: tuple[str, ...]
    shared: tuple[str, ...]
    proposal: str = ""
    patchset: str = ""
    verdict: str = "new"
    target: str = ""
    dry_run: bool = False
    warnings: tuple[Notice, ...] = ()

    @property
    def exit_code(self) -> int:
        return 0 if self.proposal or self.dry_run else 1


def synthesize(session: Session, call: SynthesizeCall, word: Word | None = None) -> Synthesized:
    """``word`` puts the outline into words, as a language model may; none does by default."""
    decides(session)
    _check(session, call)
    terms = checked(session, Terms(rationale=call.rationale, agent=call.agent, model=call.model))
    under = ground(session)
    found = _outline(under, call)
    drafted = _drafted(session, found, call, word)
    plan = plan_drafted(under, drafted)
    told = _told(found, drafted, plan)
    if call.dry_run:
        return replace(told, dry_run=True)
    opened = publish(session, draft(session, under, plan, terms))
    return replace(
        told,
        proposal=opened.proposal or "",
        patchset=opened.patchset,
        verdict=opened.verdict,
        target=opened.target or "",
        warnings=opened.warnings,
    )


def _check(session: Session, call: SynthesizeCall) -> None:
    if not ITEMS_LEAST <= len(call.items) <= ITEMS_MOST:
        message = f"a pattern is made of {ITEMS_LEAST} to {ITEMS_MOST} engrams, not of {len(call.items)}"
        raise UsageError(message, hint=session.word("gitmem synthesize ITEM ITEM ...", "items: a list of names"))
    if len(call.tags) > TAGS_MOST:
        raise UsageError(f"a pattern takes at most {TAGS_MOST} tags, not {len(call.tags)}", hint="name the widest ones")
    if len(call.hint) > HINT_CHARS:
        raise UsageError(f"a hint has at most {HINT_CHARS} characters, not {len(call.hint)}", hint="say it shorter")


def _outline(under: Ground, call: SynthesizeCall) -> Outline:
    knowledge = under.knowledge()
    cards = [_source(naming.one(knowledge, name)) for name in call.items]
    twice = next((card.slug for at, card in enumerate(cards) if card.id in {each.id for each in cards[:at]}), "")
    if twice:
        raise UsageError(f"{twice} is named twice", hint="name each engram once")
    return outline(members(under.place, cards), " ".join(call.title.split()), said(call.hint))


def _source(card: Card) -> Card:
    """What everybody may read, and what holds."""
    if card.visibility in NEVER_BY_SCOPE:
        raise GitmemError(f"{card.slug} is {card.visibility}: nothing for everybody is made of it", code="hidden")
    state = REFUTED if card.verification == REFUTED else card.status if card.status in _ENDED else ""
    if state:
        hint = "leave it out, or bring it back: gitmem propose restore"
        raise GitmemError(f"{card.slug} is {state}: nothing rests on it", hint=hint, code="not-live")
    return card


def _drafted(session: Session, found: Outline, call: SynthesizeCall, word: Word | None) -> Drafted:
    text = call.body or worded(found, word)
    return Drafted(
        title=found.title,
        body=text or written(found),
        sources=tuple(member.id for member in found.members),
        by=session.place.author,
        when=session.now,
        tags=call.tags or found.tags[:TAGS_MOST],
        domain=found.domain,
        why="the pattern was made of it",
        is_written=bool(text),
    )


def _told(found: Outline, drafted: Drafted, plan: Plan) -> Synthesized:
    (data,) = [data for rel, data in plan.changes.items() if data is not None and place_of(rel) is Place.ENGRAM]
    engram = codec.decode(data, "").engram
    assert engram is not None
    return Synthesized(
        id=engram.id,
        title=engram.title,
        text=drafted.body,
        status=engram.status,
        tags=drafted.tags,
        sources=drafted.sources,
        shared=tuple(term for term, _ in found.terms),
        warnings=plan.warnings,
    )
