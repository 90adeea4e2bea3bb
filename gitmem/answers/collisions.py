"""What is live and says the opposite of words that somebody reports. Refuses to decide which of them holds."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.answers.likeness import Against, Draft, likeness_of
from gitmem.answers.reading import Reading
from gitmem.answers.session import Session
from gitmem.model.observation import Conflict
from gitmem.model.vocabulary import STANDING, TITLE_MAX
from gitmem.text.words import cut

# A word without a scope is meant for all files.
_EVERYWHERE = ("**",)
_NAMED = 10
_SENTENCE = 200


def everywhere(title: str, body: str, tags: Sequence[str] = ()) -> Draft:
    """Words that were said without a scope, as a rule for everything."""
    return Draft(cut(title, TITLE_MAX), body, paths=_EVERYWHERE, tags=(*tags, STANDING))


def collisions(session: Session, reading: Reading, draft: Draft) -> tuple[Conflict, ...]:
    """Each item once, with the first pair of sentences that cannot both be followed; at most ten items."""
    if not reading.tree:
        return ()
    against = Against(session.place, reading.tree, hides_restricted=session.surface == "agent")
    found: dict[str, Conflict] = {}
    for each in likeness_of(against, draft).contradictions:
        why = f"{cut(each.mine, _SENTENCE)!r} against {cut(each.theirs, _SENTENCE)!r}: {each.reason}"
        found.setdefault(each.item, Conflict(each.item, each.slug, why))
    return tuple(list(found.values())[:_NAMED])
