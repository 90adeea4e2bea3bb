"""What the code at a commit, and the branch at hand, say about the items of a compile. Refuses to change the items."""

from collections.abc import Iterable, Sequence

from gitmem.answers import branch, claims
from gitmem.answers.reading import Reading, ask
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.model.claimed import DRIFTED, GONE, HOLDS, MOVED, UNKNOWN, ClaimState
from gitmem.model.compiled import Compiled, CompileRequest, Mark, Marks

# Of one item; what is broken comes first, and the rest is counted.
_LISTED_MOST = 20
_WORST_FIRST = {state: at for at, state in enumerate((GONE, DRIFTED, MOVED, UNKNOWN, HOLDS))}


def marks(reading: Reading, request: CompileRequest, brought: Iterable[Card], compiled: Compiled) -> Marks:
    """By id: what the branch does to it, and whether that holds on which it rests; only what is listed has claims."""
    found: dict[str, Mark] = dict(branch.marks(reading, request, brought))
    listed = (*compiled.base.templates, *compiled.base.documents, *compiled.expanded)
    ids = {document.id for document in listed}
    cards = {card.id: card for card in brought if card.id in ids}
    cards |= ask(reading, lambda known: _others(known, ids - cards.keys()))[0]
    for id_, rows in claims.states(reading, cards.values()).items():
        card = cards[id_]
        named = found.get(id_) or {"slug": card.slug, "title": card.title}
        found[id_] = {**named, **_rows(rows, len(card.claims))}
    return dict(sorted(found.items()))


def _others(knowledge: Knowledge, ids: Iterable[str]) -> dict[str, Card]:
    """What tags added is not among the cards that were matched."""
    return {id_: card for id_ in ids for card in knowledge.under(f"id:{id_}")}


def _rows(rows: Sequence[ClaimState], total: int) -> dict[str, int | tuple[ClaimState, ...]]:
    listed = tuple(sorted(rows, key=lambda row: _WORST_FIRST[row.state])[:_LISTED_MOST])
    return {"claims": listed} | ({"claims_total": total} if total > len(listed) else {})
