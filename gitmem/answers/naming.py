"""From what somebody types to the one item that it names. Refuses near misses: they are named, never taken."""

from gitmem import lazy
from gitmem.answers.reading import Reading, ask
from gitmem.errors import GitmemError
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.model.ids import canonical_id
from gitmem.text.nearest import nearest


class NotFoundError(GitmemError):
    code = "not-found"


class AmbiguousError(GitmemError):
    code = "ambiguous"


def find(reading: Reading, reference: str) -> Card:
    """The card of an id (either case), a slug or a domain/slug in the knowledge that is read."""
    try:
        card, _ = ask(reading, lambda knowledge: one(knowledge, reference))
    except NotFoundError as err:
        known = lazy.load("gitmem.answers.elsewhere:hint")(reading, reference)
        raise (NotFoundError(err.message, hint=known) if known else err) from None
    return card


def one(knowledge: Knowledge, reference: str) -> Card:
    """Exactly one card, or an error with the candidates."""
    wanted = canonical_id(reference) or reference.strip().removesuffix(".md")
    found = knowledge.by_reference(wanted)
    if len(found) == 1:
        return found[0]
    if found:
        rows = ", ".join(f"{card.name} ({card.id})" for card in found)
        raise AmbiguousError(f"{reference!r} names {len(found)} items: {rows}", hint="use the id or domain/slug")
    raise NotFoundError(f"no item {reference!r} here", hint=_near(knowledge, wanted))


def _near(knowledge: Knowledge, wanted: str) -> str:
    others = [ref for ref in (f"skill:{wanted}", f"intention:{wanted}") if knowledge.named(ref)]
    if others:
        return f"no engram has that name; there is {others[0]}"
    close = nearest(wanted, (name for card in knowledge.cards() if card.id for name in (card.slug, card.name)))
    return f"did you mean {close!r}?" if close else "see: gitmem list"
