"""Insights as drafts that cite what they rest on, and those whose evidence has died. Refuses one without sources."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from gitmem.answers import plans
from gitmem.answers.ground import SCAFFOLD, Ground
from gitmem.answers.likeness import Against, Waiting, likeness_of
from gitmem.answers.likeness import Draft as Text
from gitmem.answers.machine import DISMISSED, WAITS
from gitmem.answers.opening import Plan
from gitmem.answers.patterning import Drafted, members, plan_drafted
from gitmem.answers.reading import Reading
from gitmem.answers.standing import Board
from gitmem.checks import likeness
from gitmem.checks.likeness import Known
from gitmem.index.card import NEVER_BY_SCOPE, Card
from gitmem.index.knowledge import Knowledge
from gitmem.memory import insights as seen
from gitmem.memory.clusters import ALIKE_LEAST, is_covered
from gitmem.memory.insights import DEAD_MOST, DUPLICATE_PERCENT, MODES, Insight, Replaced, Source
from gitmem.memory.outlines import Member
from gitmem.model.finding import Finding, Severity
from gitmem.model.proposal import PENDING, Status
from gitmem.model.verification import REFUTED
from gitmem.record import record
from gitmem.store.layout import Place, place_of
from gitmem.store.repo import FOLDER
from gitmem.upkeep.draft import Draft
from gitmem.upkeep.joining import STAGE, Before
from gitmem.upkeep.kin import TWINS_LEAST, Family
from gitmem.upkeep.twins import moment_of
from gitmem.upkeep.unread import Unread

TAG, KIND, IMPORTANCE = "insight", "hypothesis", 0.5
PATTERN = "pattern"
_ENDED = ("superseded", "deprecated")


@record
class Sight:
    """What insights are made of: the knowledge with its groups, what each item derives from, what waits and what was
    decided before, and the texts that this run proposes already."""

    reading: Reading
    knowledge: Knowledge
    family: Family
    groups: Sequence[Sequence[Member]]
    derived: Mapping[str, frozenset[str]]
    known: Board
    before: Before
    texts: Sequence[Known]


@record
class Seen:
    drafts: list[Draft]
    findings: list[Finding]


@record
class _Row:
    insight: Insight
    draft: Draft
    outcome: str


def found(sight: Sight) -> Seen:
    """Those that wait already come first, then one mode after another."""
    sources = _sources(sight.knowledge)
    every = sorted(candidates(sight), key=lambda each: MODES.index(each.mode))
    refused = [(each, why) for each in every if (why := seen.refusal(each, sources))]
    rows = [_row(sight, each) for each in every if not seen.refusal(each, sources)]
    rows.sort(key=lambda row: row.outcome != WAITS)
    kept = seen.chosen(rows, lambda row: row.insight.mode, lambda row: _is_wanted(sight, row))
    return Seen([row.draft for row in kept], [_finding(each, why) for each, why in refused])


def _finding(insight: Insight, why: str) -> Finding:
    return Finding("uncited", Severity.WARNING, "", 0, f"{insight.title}: {why}", "cite what it rests on, by id")


def candidates(sight: Sight) -> Iterator[Insight]:
    near: dict[str, list[str]] = {}
    for each in sight.family.kin:
        if ALIKE_LEAST <= each.share < TWINS_LEAST:
            near.setdefault(each.first.id, []).append(each.second.id)
            near.setdefault(each.second.id, []).append(each.first.id)
    yield from seen.integrations(sight.groups, near)
    yield from seen.retrospectives(_replaced(sight))
    yield from _inspirations(sight)


def _replaced(sight: Sight) -> Iterator[Replaced]:
    """What took the place of what ended, by the edges that say so; and whether a decision about it was reverted."""
    knowledge, cards = sight.knowledge, sight.family.cards
    rows: list[tuple[Card, Card]] = []
    for card in knowledge.cards():
        if card.edge and card.edge[2] == "supersedes" and card.edge[0] in cards:
            olds = [each for each in knowledge.under(f"id:{card.edge[1]}") if _has_ended(each)]
            rows += [(old, cards[card.edge[0]]) for old in olds]
    reverted = _reverted(sight.known)
    texts = members(sight.reading.place, [card for row in rows for card in row])
    for at, (old, _) in enumerate(rows):
        ended = f"{old.status}, after a decision was reverted" if old.id in reverted else old.status
        yield Replaced(texts[2 * at], texts[2 * at + 1], ended)


def _has_ended(card: Card) -> bool:
    return card.status in _ENDED and card.visibility not in NEVER_BY_SCOPE and card.verification != REFUTED


def _reverted(known: Board) -> set[str]:
    undone = [each for each in known.standings if each.status is Status.REVERTED]
    return {change.item for each in undone for change in each.proposal.entry.changes}


def _inspirations(sight: Sight) -> Iterator[Insight]:
    scoped = [card for card in sight.family.cards.values() if card.status == "active" and card.paths and card.tags]
    if any(card.kind == PATTERN for card in scoped):
        every = members(sight.reading.place, scoped)
        patterns = [each for each, card in zip(every, scoped, strict=True) if card.kind == PATTERN]
        yield from seen.inspirations(patterns, every)


def _row(sight: Sight, insight: Insight) -> _Row:
    draft = _draft(sight, insight)
    return _Row(insight, draft, sight.before(draft).outcome)


def _draft(sight: Sight, insight: Insight) -> Draft:
    blobs = [card.blob for id_ in insight.cites for card in sight.knowledge.under(f"id:{id_}")[:1]]
    return Draft(
        stage=STAGE,
        rule=insight.mode,
        rests_on=(*insight.cites, *blobs),
        title=insight.title,
        plan=lambda under: _plan(under, insight, _domain(sight, insight)),
        rationale=f"It rests on {', '.join(insight.cites)}. The text is still to be written.",
    )


def _domain(sight: Sight, insight: Insight) -> str:
    domains = {card.domain for id_ in insight.cites for card in sight.knowledge.under(f"id:{id_}")}
    return domains.pop() if len(domains) == 1 else ""


def _plan(under: Ground, insight: Insight, domain: str) -> Plan:
    drafted = Drafted(
        title=insight.title,
        body=insight.text,
        sources=insight.cites,
        by=SCAFFOLD,
        when=moment_of(under),
        kind=KIND,
        tags=(TAG,),
        domain=domain,
        importance=IMPORTANCE,
        why=f"{insight.mode}: it is cited",
    )
    return plan_drafted(under, drafted)


def _is_wanted(sight: Sight, row: _Row) -> bool:
    """Neither dismissed nor there already, and like nothing that is live, proposed or about to be."""
    if row.outcome == DISMISSED:
        return False
    mine = [sight.derived[id_] for id_ in sight.derived if is_insight(sight.knowledge, id_)]
    return not is_covered(row.insight.cites, mine) and not _is_repeated(sight, row.insight)


def is_insight(knowledge: Knowledge, id_: str) -> bool:
    return any(TAG in card.tags for card in knowledge.under(f"id:{id_}"))


def _is_repeated(sight: Sight, insight: Insight) -> bool:
    beside = likeness.verdict(insight.title, insight.text, sight.texts)
    if any(each.percent >= DUPLICATE_PERCENT for each in beside.candidates):
        return True
    against = Against(sight.reading.place, sight.reading.tree, tuple(_waiting(sight.known)))
    near = likeness_of(against, Text(insight.title, insight.text))
    return any(each.percent >= DUPLICATE_PERCENT for each in near.candidates)


def _waiting(known: Board) -> Iterator[Waiting]:
    """The texts of open proposals but for those of this stage, which stand beside each other in each run."""
    for each in known.standings:
        agent = each.proposal.entry.proposed_by.agent
        is_own = bool(agent and agent.name == STAGE) and not each.proposal.writer
        if each.status in PENDING and not is_own and each.proposal.entry.kind == "new":
            for rel, blob in each.proposal.blobs.items():
                if place_of(rel) is Place.ENGRAM:
                    yield Waiting(each.proposal.id, rel, blob)


def _sources(knowledge: Knowledge) -> dict[str, Source]:
    return {card.id: Source(card.status, card.verification == REFUTED) for card in knowledge.cards() if card.id}


def decayed(family: Family, knowledge: Knowledge, derived: Mapping[str, frozenset[str]], left: Unread) -> list[Draft]:
    """Patterns and insights more than three in ten of whose sources are gone, ended or refuted."""
    known = _sources(knowledge)
    cited = frozenset[str]().union(*derived.values())
    sources = known | {id_: Source("draft") for id_ in cited if id_ not in known and left.may_have(id_)}
    cards = [family.cards[id_] for id_ in sorted(derived) if id_ in family.cards]
    return [draft for card in cards if _rests(card) for draft in _decayed(card, sorted(derived[card.id]), sources)]


def _rests(card: Card) -> bool:
    return card.status != "frozen" and (card.kind == PATTERN or TAG in card.tags)


def _decayed(card: Card, cites: Sequence[str], sources: Mapping[str, Source]) -> Iterable[Draft]:
    share = seen.dead_share(cites, sources)
    if share <= DEAD_MOST:
        return
    dead = [id_ for id_ in cites if id_ not in sources or sources[id_].is_dead]
    yield Draft(
        stage=STAGE,
        rule="dead-evidence",
        rests_on=(card.id, card.blob, *dead),
        title=f"Retire: {card.title}",
        plan=lambda under: plans.plan_life(under, card.id, "retire", ""),
        rationale=f"{len(dead)} of the {len(cites)} engrams that {FOLDER}/{card.path} derives from ({share:.2f}) are "
        f"gone, ended or refuted: {', '.join(dead)}.",
    )
