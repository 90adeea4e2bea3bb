"""What groups of engrams, replaced engrams and patterns suggest beyond themselves. Refuses what cites nothing.

An insight holds only what can be read off its sources, each of which it cites by its id.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from gitmem.memory.contexts import area_of
from gitmem.memory.outlines import Member, listed
from gitmem.model.ids import canonical_id
from gitmem.record import record
from gitmem.text.words import cut

INTEGRATION, RETROSPECTIVE, INSPIRATION = "integration", "retrospective", "inspiration"
MODES = (INTEGRATION, RETROSPECTIVE, INSPIRATION)
MODES_MOST, DRAFTS_MOST = 2, 5
# A text that shares so much with another one is no insight.
DUPLICATE_PERCENT = 65
# An insight more of whose sources than this are dead says little any more.
DEAD_MOST = 0.3
DEAD = frozenset({"deprecated", "superseded", "forgotten"})
_CITED_MOST = 20
_REPLACED_LEAST, _TAGS_LEAST, _NEAR_LEAST = 2, 2, 2
_TITLE_CHARS = 200
_GLOB_SIGNS = "*?[{"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    T = TypeVar("T")


@record
class Insight:
    """``cites`` are the ids of all that the text rests on."""

    mode: str
    title: str
    text: str
    cites: tuple[str, ...]


@record
class Source:
    """How something that is cited stands now."""

    status: str
    is_refuted: bool = False

    @property
    def is_dead(self) -> bool:
        return self.status in DEAD or self.is_refuted


@record
class Replaced:
    """An item whose place another one took, and what became of it."""

    old: Member
    new: Member
    ended: str


def refusal(insight: Insight, sources: Mapping[str, Source]) -> str:
    """Why an insight is not to be proposed, '' where it may be. ``sources`` are by id all that there are."""
    if not insight.cites:
        return "it cites nothing"
    for id_ in insight.cites:
        source = sources.get(id_)
        if source is None:
            return f"it cites {id_}, which is not here"
        if source.is_refuted:
            return f"it cites {id_}, which is refuted"
        if source.status == "forgotten":
            return f"it cites {id_}, which is forgotten"
    invented = invented_ids(insight.text, insight.cites)
    return f"its text names {invented[0]}, which it does not cite" if invented else ""


def invented_ids(text: str, cites: Iterable[str]) -> list[str]:
    """The ids in a text that are none of those it rests on."""
    words = (word.strip(".,;:()[]<>`'\"*_") for word in text.split())
    named = {id_ for word in words if (id_ := canonical_id(word))}
    return sorted(named.difference(cites))


def chosen(found: Iterable[T], mode_of: Callable[[T], str], is_wanted: Callable[[T], bool]) -> list[T]:
    """The first five, of two modes at most; ``is_wanted`` is asked of no more than it takes."""
    kept: list[T] = []
    modes: set[str] = set()
    for each in found:
        if len(kept) == DRAFTS_MOST:
            break
        if (mode_of(each) in modes or len(modes) < MODES_MOST) and is_wanted(each):
            kept.append(each)
            modes.add(mode_of(each))
    return kept


def dead_share(cites: Sequence[str], sources: Mapping[str, Source]) -> float:
    """How much of what something rests on is gone, ended or refuted."""
    dead = sum(id_ not in sources or sources[id_].is_dead for id_ in cites)
    return dead / len(cites) if cites else 0.0


def integrations(groups: Sequence[Sequence[Member]], near: Mapping[str, Iterable[str]]) -> Iterator[Insight]:
    """Pairs of groups that share a path, or an item of one that is alike to an item of the other."""
    of_item = {member.id: at for at, group in enumerate(groups) for member in group}
    shared: dict[tuple[int, int], dict[str, None]] = {}
    for at, group in enumerate(groups):
        for member in group:
            for other in {of_item[id_] for id_ in near.get(member.id, ()) if id_ in of_item} - {at}:
                shared.setdefault((min(at, other), max(at, other)), {})[member.slug] = None
    for pair, paths in _common_paths(groups).items():
        shared.setdefault(pair, {}).update((f"`{path}`", None) for path in paths)
    for (first, second), joints in sorted(shared.items()):
        yield _integration(groups[first], groups[second], sorted(joints))


def _common_paths(groups: Sequence[Sequence[Member]]) -> dict[tuple[int, int], list[str]]:
    """Such as are about a part of the code, by pair of groups."""
    holders: dict[str, dict[int, None]] = {}
    for at, group in enumerate(groups):
        for path in (path for member in group for path in member.paths if _area(path) != "."):
            holders.setdefault(path, {})[at] = None
    found: dict[tuple[int, int], list[str]] = {}
    for path, held in sorted(holders.items()):
        # A pattern that many groups have says nothing about two of them; neighbours are enough.
        for first, second in zip(sorted(held), sorted(held)[1:], strict=False):
            found.setdefault((first, second), []).append(path)
    return found


def _integration(one: Sequence[Member], other: Sequence[Member], joints: Sequence[str]) -> Insight:
    names = ", ".join(joints[:3])
    rows = ["One group:", "", *listed(one), "", "The other group:", "", *listed(other)]
    head = f"Two groups of engrams meet at {', '.join(joints)}; whether one text can say both is open."
    cites = tuple(member.id for member in (*one, *other))[:_CITED_MOST]
    return Insight(INTEGRATION, _cut(f"Two groups meet at {names}"), _text(head, rows), cites)


def retrospectives(found: Iterable[Replaced]) -> Iterator[Insight]:
    """By domain, where two items or more were replaced."""
    groups: dict[str, list[Replaced]] = {}
    for each in found:
        groups.setdefault(each.new.domain, []).append(each)
    for domain, group in sorted(groups.items()):
        rows = sorted(group, key=lambda each: (each.new.id, each.old.id))[: _CITED_MOST // 2]
        if len(rows) >= _REPLACED_LEAST:
            yield _retrospective(domain, rows)


def _retrospective(domain: str, group: Sequence[Replaced]) -> Insight:
    rows = []
    for each in group:
        rows += [f"- {each.ended}: {each.old.title} ({each.old.slug})"]
        rows += [f"  in its place: {each.new.title} ({each.new.slug}): {each.new.summary}"]
    head = f"In {domain} {len(group)} engrams did not last; what they have in common is open."
    cites = tuple(dict.fromkeys(id_ for each in group for id_ in (each.old.id, each.new.id)))
    return Insight(RETROSPECTIVE, _cut(f"What did not last in {domain}"), _text(head, rows), cites)


def inspirations(patterns: Iterable[Member], others: Iterable[Member]) -> Iterator[Insight]:
    """A pattern with a scope, and another area of the code about which two items or more have two of its tags."""
    by_tag: dict[str, list[Member]] = {}
    for other in others:
        for tag in other.tags if other.paths else ():
            by_tag.setdefault(tag, []).append(other)
    for pattern in sorted(patterns, key=lambda each: each.id):
        own = areas(pattern)
        near: dict[str, list[Member]] = {}
        for other in _with_its_tags(pattern, by_tag):
            for area in sorted(areas(other)):
                near.setdefault(area, []).append(other)
        for area in sorted(area for area, group in near.items() if area not in own and len(group) >= _NEAR_LEAST):
            yield _inspiration(pattern, area, near[area][: _CITED_MOST - 1])


def _with_its_tags(pattern: Member, by_tag: Mapping[str, Sequence[Member]]) -> list[Member]:
    counts: dict[str, int] = {}
    members: dict[str, Member] = {}
    for tag in pattern.tags:
        for other in by_tag.get(tag, ()):
            counts[other.id] = counts.get(other.id, 0) + 1
            members[other.id] = other
    return [members[id_] for id_ in sorted(counts) if counts[id_] >= _TAGS_LEAST and id_ != pattern.id]


def areas(member: Member) -> frozenset[str]:
    """The parts of the code that its scope names without a sign of a pattern; a scope of everywhere names none."""
    return frozenset(area for path in member.paths if (area := _area(path)) != ".")


def _area(path: str) -> str:
    parts = path.split("/")
    plain = next((at for at, part in enumerate(parts) if any(sign in part for sign in _GLOB_SIGNS)), len(parts))
    return area_of("/".join([*parts[:plain], ""]) if plain < len(parts) else path)


def _inspiration(pattern: Member, area: str, near: Sequence[Member]) -> Insight:
    tags = ", ".join(tag for tag in pattern.tags if any(tag in member.tags for member in near))
    head = (
        f"{pattern.title} ({pattern.slug}) is about {', '.join(f'`{path}`' for path in pattern.paths)}; {len(near)} "
        f"engrams about `{area}` have tags of it ({tags}). Whether it holds there too is open."
    )
    title = _cut(f"May hold in {area} too: {pattern.title}")
    cites = (pattern.id, *(member.id for member in near))
    return Insight(INSPIRATION, title, _text(head, listed(near)), cites)


def _text(head: str, rows: Sequence[str]) -> str:
    return "\n".join([head, "", *rows]) + "\n"


def _cut(title: str) -> str:
    return cut(title, _TITLE_CHARS)
