"""How each rule is delivered within a budget: inline, deferred or omitted.

Refuses to fail: what does not fit is deferred.
"""

from collections.abc import Mapping, Sequence

from gitmem.index.card import Card
from gitmem.model.compiled import Delivery, Ratio
from gitmem.record import record
from gitmem.rules.order import claims_order

GROUPS = ("template", "document", "expanded")
_CLAIMS = {group: at for at, group in enumerate(GROUPS)}
SCAFFOLD = "scaffold"


@record
class Candidate:
    """A card that asks for room; ``group`` is one of GROUPS, in the order in which they may claim it."""

    number: int
    card: Card
    group: str
    relevance: Ratio | None


@record
class Limits:
    """``mode`` is auto, always or metadata. ``cost`` gives what inlining a card takes, in the unit of ``room``."""

    mode: str
    command: str
    auto_inline_bytes: int
    room: int
    cost: Mapping[int, int]


@record
class Decision:
    """``reason`` is '' for inline; size, mode or budget for deferred; template for omitted."""

    delivery: Delivery
    reason: str = ""


_INLINE = Decision(Delivery.INLINE)
_TEMPLATE = Decision(Delivery.OMITTED, "template")
_BY_MODE = Decision(Delivery.DEFERRED, "mode")
_TOO_LARGE = Decision(Delivery.DEFERRED, "size")
_NO_ROOM = Decision(Delivery.DEFERRED, "budget")


@record
class Budget:
    """What became of each candidate by number, and the room that was used."""

    decisions: Mapping[int, Decision]
    used: int


def decide(candidates: Sequence[Candidate], limits: Limits) -> Budget:
    """Goes through the candidates in the order of their claims; one that does not fit leaves room for a smaller one."""
    used = 0
    decisions: dict[int, Decision] = {}
    for candidate in sorted(candidates, key=_claim):
        decision = _without_budget(candidate, limits)
        if decision is None:
            cost = limits.cost[candidate.number]
            if used + cost <= limits.room:
                used += cost
                decision = _INLINE
            else:
                decision = _NO_ROOM
        decisions[candidate.number] = decision
    return Budget(decisions, used)


def _claim(candidate: Candidate) -> tuple[int, tuple[int, int, str, str]]:
    return (_CLAIMS[candidate.group], claims_order(candidate.card, candidate.relevance))


def _without_budget(candidate: Candidate, limits: Limits) -> Decision | None:
    """The decision that the mode makes, whatever room there is."""
    if candidate.card.kind == "template" and limits.mode != "always" and limits.command != SCAFFOLD:
        return _TEMPLATE
    if limits.mode == "metadata":
        return _BY_MODE
    if limits.mode == "auto" and candidate.card.content_bytes > limits.auto_inline_bytes:
        return _TOO_LARGE
    return None
