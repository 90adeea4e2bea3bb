"""The card of a skill or an intention by what a search or a notice calls it. Refuses a name of an engram."""

from gitmem.answers import intentions
from gitmem.answers.reading import Reading, ask
from gitmem.answers.skills import no_skill
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.model.skill import PREFIX, SKILL


def find(reading: Reading, reference: str) -> Card:
    """``reference`` is skill:NAME or intention:SLUG."""
    return ask(reading, lambda knowledge: _one(knowledge, reference.strip()))[0]


def _one(knowledge: Knowledge, reference: str) -> Card:
    if not reference.startswith(PREFIX):
        return intentions.find(knowledge, reference)
    card = knowledge.named(reference)
    if card is None:
        raise no_skill(reference.removeprefix(PREFIX), [each.slug for each in knowledge.under(SKILL)])
    return card
