"""Groups of engrams that are much alike, each drafted as a pattern over them. Refuses to say what a pattern means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from gitmem.answers.ground import SCAFFOLD, Ground
from gitmem.answers.opening import Plan
from gitmem.answers.patterning import EDGE, Drafted, members, plan_drafted, worded
from gitmem.answers.reading import Place
from gitmem.memory.clusters import Alike, clusters, is_covered
from gitmem.memory.outlines import Member, Outline, Word, outline, written
from gitmem.upkeep.draft import Draft
from gitmem.upkeep.joining import STAGE
from gitmem.upkeep.kin import TWINS_LEAST, Family
from gitmem.upkeep.twins import moment_of

_TAGS_MOST = 5


def groups(place: Place, family: Family, sources: Mapping[str, frozenset[str]]) -> list[list[Member]]:
    """What derives from others is no member: a pattern is not one more case of itself. ``sources``: by item what it
    derives from."""
    rows = [each for each in family.kin if each.share < TWINS_LEAST]
    rows = [each for each in rows if each.first.id not in sources and each.second.id not in sources]
    found = clusters(Alike(each.first.id, each.second.id, each.share) for each in rows)
    return [members(place, [family.cards[id_] for id_ in group]) for group in found]


def drafts(
    family: Family, found: Sequence[Sequence[Member]], sources: Iterable[frozenset[str]], word: Word | None
) -> list[tuple[Draft, Outline]]:
    """Of each group over which there is none; ``sources`` are what each pattern derives from."""
    known = list(sources)
    fresh = [group for group in found if not is_covered((member.id for member in group), known)]
    return [(_draft(family, told, word), told) for told in map(outline, fresh)]


def _draft(family: Family, told: Outline, word: Word | None) -> Draft:
    ids = tuple(member.id for member in told.members)
    slugs = ", ".join(member.slug for member in told.members)
    return Draft(
        stage=STAGE,
        rule="pattern",
        rests_on=(*ids, *(family.cards[id_].blob for id_ in ids)),
        title=told.title,
        plan=lambda under: _plan(under, told, word),
        rationale=f"Much alike, and nothing derives from them together: {slugs}. The text is still to be written.",
    )


def _plan(under: Ground, told: Outline, word: Word | None) -> Plan:
    ids = tuple(member.id for member in told.members)
    text = worded(told, word)
    drafted = Drafted(
        title=told.title,
        body=text or written(told),
        sources=ids,
        by=SCAFFOLD,
        when=moment_of(under),
        tags=told.tags[:_TAGS_MOST],
        domain=told.domain,
        is_written=bool(text),
        why=f"{EDGE}: one of {len(ids)} that are much alike",
    )
    return plan_drafted(under, drafted)
