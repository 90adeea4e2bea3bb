"""Edges and their kinds by what people call them, and edges in words. Refuses to open synapse files."""

from gitmem.errors import UsageError
from gitmem.index.card import NEVER_BY_SCOPE, Card
from gitmem.index.edges import Edge
from gitmem.index.knowledge import Knowledge
from gitmem.model.synapse import SYNAPSE_KINDS
from gitmem.text.nearest import nearest

PREFIX = "syn-"


def by_id(knowledge: Knowledge, ident: str) -> Card | None:
    """The card of a synapse by its id, in either case."""
    wanted = ident.strip().lower().removesuffix(".yaml")
    if not wanted.startswith(PREFIX):
        return None
    cards = (knowledge.at_path(f"synapses/{kind}/{wanted}.yaml") for kind in SYNAPSE_KINDS)
    return next((card for card in cards if card is not None and card.edge), None)


def kind_of(text: str) -> str:
    """A kind of synapse, in any case and with either dash."""
    kind = text.strip().lower().replace("-", "_")
    if kind not in SYNAPSE_KINDS:
        near = nearest(kind, SYNAPSE_KINDS)
        hint = (f"did you mean {near!r}? " if near else "") + f"one of: {', '.join(SYNAPSE_KINDS)}"
        raise UsageError(f"unknown kind of synapse {text!r}", hint=hint)
    return kind


def named(knowledge: Knowledge, edge: Edge) -> str:
    """An edge in words, its ends by slug where that may be said."""
    start, end = (slug_or_id(knowledge, each) for each in (edge.from_, edge.to))
    return f"{start} {edge.kind} {end}"


def slug_or_id(knowledge: Knowledge, item: str) -> str:
    """The slug of an engram that may be listed, else its id."""
    return next((card.slug for card in knowledge.under(f"id:{item}") if card.visibility not in NEVER_BY_SCOPE), item)


def is_private(knowledge: Knowledge, item: str) -> bool:
    """Whether nobody may learn that there is such an end."""
    return any(card.visibility == "private" for card in knowledge.under(f"id:{item}"))
