"""Lists the standing rules in force and retires one softly: out of every delivery, still on record.

Refuses what is no standing rule: that is changed by a proposal that somebody looks at.
"""

from __future__ import annotations

from gitmem.answers import naming
from gitmem.answers.deciding import approved, opened
from gitmem.answers.ground import Ground, ground
from gitmem.answers.landing import decider
from gitmem.answers.opening import Plan
from gitmem.answers.plans import plan_life
from gitmem.answers.reading import ask, read
from gitmem.answers.reminding import standing
from gitmem.answers.session import Session
from gitmem.answers.terms import spoken
from gitmem.errors import GitmemError
from gitmem.index.card import Card
from gitmem.index.edges import edges
from gitmem.model.finding import Notice
from gitmem.model.vocabulary import STANDING
from gitmem.record import record, replace
from gitmem.store.lock import held
from gitmem.store.repo import FOLDER

# Where a rule came from is told also of one that holds no more.
_LINEAGE = frozenset({"supersedes", "derives_from"})


class NotStandingError(GitmemError):
    code = "not-standing"


@record
class StandingListCall:
    pass


@record
class StandingRow:
    """``paths`` are those of its scope; without any it comes with the words of a prompt."""

    id: str
    slug: str
    title: str
    paths: tuple[str, ...]
    path: str


@record
class StandingListed:
    rules: tuple[StandingRow, ...]
    total: int
    warnings: tuple[Notice, ...] = ()


def list_standing(session: Session, call: StandingListCall) -> StandingListed:
    reading = read(session.place)
    cards, _ = ask(reading, lambda knowledge: standing(knowledge, session.now))
    rows = tuple(StandingRow(c.id, c.slug, c.title, c.paths, f"{FOLDER}/{c.path}") for c in cards)
    return StandingListed(rows, len(rows), reading.warnings)


@record
class StandingRetireCall:
    item: str
    reason: str = ""
    propose: bool = False
    sign: bool = False


@record
class Retired:
    """``commit`` is '' while it only waits as a proposal; ``edges`` are the synapses that went with it."""

    item: str
    slug: str
    proposal: str
    patchset: str
    commit: str
    knowledge_version: str
    edges: tuple[str, ...] = ()
    warnings: tuple[Notice, ...] = ()


def retire_standing(session: Session, call: StandingRetireCall) -> Retired:
    """One decision of its own: a revert of it brings rule and edges back."""
    decider(session)
    reason = spoken("reason", call.reason)
    with held(session.place.repo):
        under = ground(session)
        card = _standing_card(under, call.item)
        plan, gone = retirement(under, card)
        made = opened(session, under, plan, reason or "The standing rule holds no more.")
        done = Retired(card.id, card.slug, made.proposal or "", made.patchset, "", "", gone, made.warnings)
        if call.propose:
            return done
        landed = approved(session, made, reason, sign=call.sign)
    warnings = tuple(dict.fromkeys((*made.warnings, *landed.warnings)))
    return replace(done, commit=landed.commit, knowledge_version=landed.knowledge_version, warnings=warnings)


def _standing_card(under: Ground, item: str) -> Card:
    card = naming.one(under.knowledge(), item)
    if STANDING not in card.tags:
        raise NotStandingError(
            f"{card.slug} is no standing rule",
            hint=f"propose it: gitmem propose retire {card.slug}",
            place=f"{FOLDER}/{card.path}",
        )
    return card


def retirement(under: Ground, card: Card) -> tuple[Plan, tuple[str, ...]]:
    """Its status, and the edges that would lead to what is delivered no more; and the ids of these."""
    plan = plan_life(under, card.id, "retire", "")
    gone = [edge for edge in edges(under.knowledge(), card.id) if edge.kind not in _LINEAGE]
    changes = {**plan.changes, **{edge.rel: None for edge in gone}}
    return replace(plan, changes=changes), tuple(edge.id for edge in gone)
