"""What the doctor finds amiss in the knowledge as a whole, one function an ailment. Refuses to change anything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import combinations

from gitmem.answers.reading import Reading, ask, read
from gitmem.answers.repeats import Twin
from gitmem.answers.repeats import twins as every_twin
from gitmem.answers.session import Session
from gitmem.checks import cycles
from gitmem.index.card import Card
from gitmem.index.edges import edge_of
from gitmem.index.edges import edges as edges_at
from gitmem.index.knowledge import Knowledge
from gitmem.model.finding import Finding, Severity
from gitmem.model.moments import rfc3339
from gitmem.store import changed
from gitmem.store.repo import FOLDER
from gitmem.upkeep import repairs
from gitmem.upkeep.draft import Draft
from gitmem.upkeep.maintain import SETTING, is_on
from gitmem.upkeep.repairs import last_changes
from gitmem.upkeep.runs import STOPPED, last_runs

_LIVE = ("draft", "active")
_ENDED = ("deprecated", "superseded", "forgotten")
# Edges that tell where something came from lead to what is no more.
_LINEAGE = frozenset({"supersedes", "consolidates", "derives_from", "contradicts"})
_ONE_WAY = ("extends", "part_of", "depends_on", "derives_from", "supersedes", "consolidates")
# About two thousand tokens: what one delivery has room for beside anything else.
OVERSIZED_BYTES = 8_000
# Who tends nothing for so long has nobody who does; a weekend is no neglect.
_OVERDUE = timedelta(days=4)
# So often two engrams change in one commit before anybody says so, and a commit of more is no sign of anything.
_TOGETHER_LEAST, _AT_ONCE_MOST = 3, 12
_COMMITS_MOST = 2_000
_NAMED = 5
_DEEP = "gitmem maintain deep"


def _of(card: Card, code: str, message: str, hint: str) -> Finding:
    return Finding(code, Severity.WARNING, f"{FOLDER}/{card.path}", 0, message, hint, card.id)


def runs(session: Session) -> Iterator[Finding]:
    """Work that stopped, or that was done here once and is done no more."""
    known = last_runs(session.place)
    for stage, last in known.items():
        if last.outcome == STOPPED:
            message = f"the last run of {stage}, at {rfc3339(last.at)}, stopped half-way"
            yield Finding("upkeep-stopped", Severity.WARNING, "", 0, message, f"gitmem maintain {stage}")
    newest = max((last.at for last in known.values()), default=session.now)
    if is_on(session) and session.now - newest > _OVERDUE:
        message = f"upkeep has not run since {rfc3339(newest)}"
        hint = f"gitmem maintain --due, gitmem watch, or for ever: git config {SETTING} off"
        yield Finding("upkeep-overdue", Severity.WARNING, "", 0, message, hint)


def edges(session: Session) -> Sequence[Finding]:
    """Edges that lead to what is delivered no more, and circles of edges that can only go one way."""
    return ask(read(session.place), lambda knowledge: [*_dead(knowledge), *_circles(knowledge)])[0]


def _dead(knowledge: Knowledge) -> Iterator[Finding]:
    for card in knowledge.cards():
        edge = edge_of(card)
        if edge is None or edge.kind in _LINEAGE:
            continue
        ends = [end for item in (edge.from_, edge.to) for end in knowledge.under(f"id:{item}")[:1]]
        ended = [end for end in ends if end.status in _ENDED]
        if ended and len(ends) == 2:
            message = f"{ends[0].slug} {edge.kind} {ends[1].slug}: {ended[0].slug} is {ended[0].status}"
            yield _of(card, "edge-dead", message, f"gitmem unlink {edge.id}, or bring the engram back")


def _circles(knowledge: Knowledge) -> Iterator[Finding]:
    for kind in _ONE_WAY:
        ways: dict[str, list[str]] = {}
        for card in knowledge.cards():
            if card.edge and card.edge[2] == kind:
                ways.setdefault(card.edge[0], []).append(card.edge[1])
        for circle in cycles.components(ways):
            cards = [card for item in circle for card in knowledge.under(f"id:{item}")[:1]]
            if len(circle) > 1 and cards:
                named = ", ".join(card.slug for card in cards[:_NAMED])
                message = f"{kind} goes round in a circle: {named}"
                yield _of(cards[0], "edge-cycle", message, "take one edge out: gitmem unlink FROM KIND TO")


def twins(session: Session) -> list[Finding]:
    reading = read(session.place)
    return [_twin(each) for each in every_twin(reading.place, reading.tree)]


def _twin(twin: Twin) -> Finding:
    code = twin.kind if twin.kind == "duplicate" else "near-duplicate"
    message = f"{twin.reason} ({FOLDER}/{twin.first.path})"
    return _of(twin.second, code, message, f"have it proposed to merge them: {_DEEP}; or say what sets them apart")


def claims(session: Session) -> list[Finding]:
    """What the code does not bear out any more."""
    reading = read(session.place)
    found, _ = ask(reading, lambda knowledge: repairs.of_claims(reading, knowledge, ()))
    return [*found.findings, *_of_drafts(reading, found.drafts, "claim-broken")]


def rules(session: Session) -> list[Finding]:
    """Rules that are about no file."""
    reading = read(session.place)
    times, now_s = last_changes(reading), session.now.timestamp()
    drafts, _ = ask(reading, lambda knowledge: repairs.of_rules(reading, knowledge, times, now_s))
    return _of_drafts(reading, drafts, "rule-unused")


def _of_drafts(reading: Reading, drafts: Sequence[Draft], code: str) -> list[Finding]:
    """What would be proposed about one engram each, as findings."""

    def found(knowledge: Knowledge) -> list[Finding]:
        rows = ((card, draft) for draft in drafts for card in knowledge.under(f"id:{draft.items[0]}")[:1])
        return [_of(card, code, draft.rationale, f"have it proposed: {_DEEP}") for card, draft in rows]

    return ask(reading, found)[0]


def items(session: Session) -> list[Finding]:
    """Engrams that nothing leads to, and texts that are too long for what brings them in."""
    return ask(read(session.place), lambda knowledge: [*_isolated(knowledge), *_oversized(knowledge)])[0]


def _isolated(knowledge: Knowledge) -> Iterator[Finding]:
    for card in knowledge.cards():
        is_live = card.id and card.status in _LIVE and card.visibility != "private"
        leads = card.has_scope or card.tags or card.claims or card.source or card.requires
        if is_live and not leads and not _is_tied(knowledge, card):
            hint = f"tag it: gitmem edit {card.slug} tags --add TAG; or link it: gitmem link {card.slug} KIND OTHER"
            yield _of(card, "isolated", "no scope, tag, claim or edge leads to it, and no item requires it", hint)


def _is_tied(knowledge: Knowledge, card: Card) -> bool:
    keys = (*(f"needs:{name}" for name in (card.id, card.slug, card.name)), f"from:{card.id}", f"to:{card.id}")
    return any(knowledge.numbers(key) for key in keys)


def _oversized(knowledge: Knowledge) -> Iterator[Finding]:
    for card in knowledge.cards():
        if card.id and card.status in _LIVE and card.content_bytes > OVERSIZED_BYTES:
            message = f"its text has {card.content_bytes:,} bytes, and one delivery has room for {OVERSIZED_BYTES:,}"
            yield _of(card, "oversized", message, "make several of it, each with a scope of its own: gitmem new")


def together(session: Session) -> list[Finding]:
    """Engrams that commits change together again and again, and that nothing links."""
    reading = read(session.place)
    if not reading.commit:
        return []
    history = changed.below(reading.place.repo, reading.commit, f"{FOLDER}/engrams", _COMMITS_MOST)
    counts = Counter(pair for each in history if len(each.rels) <= _AT_ONCE_MOST for pair in combinations(each.rels, 2))
    often = [(pair, count) for pair, count in counts.items() if count >= _TOGETHER_LEAST]
    return ask(reading, lambda knowledge: [*_untied(knowledge, sorted(often))])[0] if often else []


def _untied(knowledge: Knowledge, often: Sequence[tuple[tuple[str, str], int]]) -> Iterator[Finding]:
    for rels, count in often:
        cards = [knowledge.at_path(rel.removeprefix(f"{FOLDER}/")) for rel in rels]
        one, other = cards[0], cards[1]
        if one is None or other is None or not (one.id and other.id) or _are_tied(knowledge, one, other):
            continue
        message = f"{count} commits changed it together with {other.slug}, and nothing links the two"
        yield _of(one, "changed-together", message, f"gitmem link {one.slug} similar_to {other.slug}, or merge them")


def _are_tied(knowledge: Knowledge, one: Card, other: Card) -> bool:
    names = {other.id, other.slug, other.name}, {one.id, one.slug, one.name}
    if not names[0].isdisjoint(one.requires) or not names[1].isdisjoint(other.requires):
        return True
    return any(edge.beyond(one.id) == other.id for edge in edges_at(knowledge, one.id))
