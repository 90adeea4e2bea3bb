"""Which texts contradict each other where both apply: the sentences, and why they cannot both be followed.

Refuses to settle it, and to read files: a candidate is shown to a person.
"""

from collections.abc import Iterable, Iterator

from gitmem.checks.stances import Stance, clash, stances
from gitmem.globs.dialect import GlobError
from gitmem.globs.overlap import overlap
from gitmem.record import record


@record
class Held:
    """What an item says and where: its scope as in ``model.engram.Scope``, its tags, and the stances of its text."""

    item: str
    stances: tuple[Stance, ...]
    paths: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


@record
class Opposition:
    """Two items that contradict each other, with a sentence of each."""

    item: str
    other: str
    mine: str
    theirs: str
    reason: str


def stances_of(title: str, body: str) -> tuple[Stance, ...]:
    """The stances of an engram: its title is a statement like any other."""
    return tuple(stances(f"{title}\n\n{body}"))


def keys_of(held: Iterable[Stance]) -> list[str]:
    """The keys under which items with a stance on the same matters are found, each once, in the order of the text."""
    return list(dict.fromkeys(stance.key for stance in held))


def oppositions(held: Held, others: Iterable[Held]) -> list[Opposition]:
    """Where ``held`` contradicts others that apply where it does, in their order; each pair of sentences once."""
    mine: dict[str, list[Stance]] = {}
    for stance in held.stances:
        mine.setdefault(stance.matter, []).append(stance)
    found: dict[tuple[str, str, str], Opposition] = {}
    for other in others:
        if other.item == held.item or mine.keys().isdisjoint(stance.matter for stance in other.stances):
            continue
        if apply_together(held, other):
            for each in _between(held.item, mine, other):
                found.setdefault((each.other, each.mine, each.theirs), each)
    return list(found.values())


def apply_together(one: Held, other: Held) -> bool:
    """Whether two items may apply to the same work: scopes that meet; without two scopes to compare, a shared tag."""
    if _paths_meet(one, other):
        return True
    if set(one.layers) & set(other.layers) or set(one.commands) & set(other.commands):
        return True
    kinds = [(one.paths, other.paths), (one.layers, other.layers), (one.commands, other.commands)]
    if any(mine and theirs for mine, theirs in kinds):
        return False
    return bool(set(one.tags) & set(other.tags))


def _between(item: str, mine: dict[str, list[Stance]], other: Held) -> Iterator[Opposition]:
    for theirs in other.stances:
        for stance in mine.get(theirs.matter, ()):
            reason = clash(stance, theirs)
            if reason:
                yield Opposition(item, other.item, stance.said, theirs.said, reason)


def _paths_meet(one: Held, other: Held) -> bool:
    return any(
        _overlap(mine, theirs) and not _is_within(mine, other.excluded) and not _is_within(theirs, one.excluded)
        for mine in one.paths
        for theirs in other.paths
    )


def _is_within(pattern: str, excluded: Iterable[str]) -> bool:
    """Whether all that ``pattern`` can match is excluded, as far as a look at the patterns' beginnings tells."""
    return any(pattern == each or (each.endswith("/**") and pattern.startswith(each[:-2])) for each in excluded)


def _overlap(left: str, right: str) -> bool:
    try:
        return overlap(left, right)
    except GlobError:
        return False
