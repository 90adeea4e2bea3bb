"""Which files of the repository gain and lose which rules. Refuses to look at rules that the change cannot touch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from gitmem.answers.relations import folders_of
from gitmem.answers.turn import Pair, Turn, may_be_delivered
from gitmem.globs import trie
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.model.effect import GAINED, LOST, CommandRule, Gain, Rules, Unmatched
from gitmem.record import record
from gitmem.rules import layers
from gitmem.rules.match import numbers_of
from gitmem.store.repo import FOLDER

# Rules that only lead to a changed one by what they require; beyond this they are not followed.
_LEADING_MAX = 2000

Tracked = Callable[[Sequence[str]], Sequence[str]]
# The patterns that a file matches, and whether it is a file of the folder itself.
Signature = tuple[bool, tuple[int, ...]]


@record
class Reached:
    """``files`` holds the tracked files that an item of the later revision matches; ``is_cut``: required rules were
    not followed."""

    rules: Rules
    commands: tuple[CommandRule, ...]
    unmatched: tuple[Unmatched, ...]
    files: Callable[[Card], list[str]]
    is_cut: bool


@record
class Side:
    """One revision, seen from the rules in question.

    ``brings`` has, by number, the ids in question that a rule brings to a file that it matches, its own among them.
    """

    cards: Mapping[int, Card]
    brings: Mapping[int, frozenset[str]]
    by_pattern: Mapping[str, Sequence[int]]
    by_layer: Mapping[str, Sequence[int]]
    table: Sequence[layers.Row]

    def delivered(self, patterns: frozenset[str], *, is_ours: bool) -> frozenset[str]:
        """The ids in question that come with a file which matches these patterns."""
        if is_ours:
            named = [pattern for pattern in patterns if pattern.startswith(FOLDER)]
            direct = {n for pattern in named for n in self.by_pattern.get(pattern, ())}
        else:
            direct = {n for pattern in patterns for n in self.by_pattern.get(pattern, ())}
            layer = next((row.layer for row in self.table if row.pattern in patterns), "")
            direct.update(self.by_layer.get(layer, ()))
        kept = [n for n in direct if patterns.isdisjoint(self.cards[n].excluded)]
        return frozenset().union(*(self.brings[n] for n in kept))


def reach(turn: Turn, tracked: Tracked, limit: int) -> Reached:
    """``tracked`` lists the files of the repository, or those below some paths; the folder's own files count only
    where a pattern names the folder."""
    seeds = _seeds(turn)
    wanted = frozenset().union(*(_ids_below(side, seeds) for side in (turn.before, turn.after)))
    sides = [_side(side, wanted) for side in (turn.before, turn.after)]
    is_cut = max(len(side.cards) for side in sides) > len(seeds) + _LEADING_MAX
    if is_cut:
        sides = [_side(side, seeds, is_alone=True) for side in (turn.before, turn.after)]
    patterns, groups = _groups(sides, turn.pairs, tracked)
    found = {group: frozenset(patterns[n] for n in group[1]) for group in groups}
    moved = {group: _moved(sides, hit, is_ours=group[0]) for group, hit in found.items()}
    slugs = [{card.id: card.slug for card in side.cards.values()} for side in sides]
    gained = _rows({g: gain for g, (gain, _) in moved.items()}, groups, slugs[1], limit)
    lost = _rows({g: loss for g, (_, loss) in moved.items()}, groups, slugs[0], limit)
    return Reached(
        rules=Rules(gained[0], lost[0], gained[1], lost[1]),
        commands=tuple(_commands(turn)),
        unmatched=tuple(_unmatched(turn, frozenset().union(*found.values()))),
        files=lambda card: _files_of(card, found, groups),
        is_cut=is_cut,
    )


def _seeds(turn: Turn) -> frozenset[str]:
    """The ids whose delivery the change may touch by itself."""
    before, after = turn.before, turn.after
    touched = [pair for pair in turn.pairs if _delivery(before, pair.old) != _delivery(after, pair.new)]
    found = {pair.either.id for pair in touched}
    doubled = before.facts.duplicates.items() ^ after.facts.duplicates.items()
    found.update(id_ for id_, _ in doubled)
    # Another item of the same slug may be what a reference means from now on, or no longer.
    slugs = {card.slug for pair in touched for card in (pair.old, pair.new) if card}
    keys = [f"slug:{slug}" for slug in sorted(slugs)]
    if before.facts.layers != after.facts.layers:
        names = {layer for side in (before, after) for _, layer in layers.pairs(side.facts.layers)}
        keys += [f"layer:{name}" for name in sorted(names)]
    found.update(card.id for side in (before, after) for key in keys for card in side.under(key))
    return frozenset(found - {""})


def _delivery(knowledge: Knowledge, card: Card | None) -> object:
    """All that decides to which files a card is delivered; None when it never is."""
    if card is None or not may_be_delivered(knowledge, card):
        return None
    return card.name, card.paths, card.excluded, card.layers, card.requires


def _live(knowledge: Knowledge, ids: Iterable[str]) -> list[int]:
    numbers = (number for id_ in sorted(ids) for number in knowledge.numbers(f"id:{id_}"))
    return [number for number in numbers if may_be_delivered(knowledge, knowledge.card(number))]


def _closure(starts: Iterable[int], onward: Callable[[int], Iterable[int]], most: int) -> dict[int, None]:
    """``starts`` and all that is reached from them, in that order; ends soon after ``most``."""
    found = dict.fromkeys(starts)
    waiting = list(found)
    while waiting and len(found) <= most:
        fresh = [number for number in onward(waiting.pop()) if number not in found]
        found.update(dict.fromkeys(fresh))
        waiting += fresh
    return found


def _required(knowledge: Knowledge, number: int) -> list[int]:
    """What compile brings in with a card: what its references name without doubt."""
    named = (numbers_of(knowledge, reference) for reference in knowledge.card(number).requires)
    single = (numbers[0] for numbers in named if len(numbers) == 1)
    return [each for each in single if may_be_delivered(knowledge, knowledge.card(each))]


def _requiring(knowledge: Knowledge, number: int) -> list[int]:
    card = knowledge.card(number)
    names = sorted({card.id, card.id.lower(), card.slug, card.name})
    numbers = dict.fromkeys(each for name in names for each in knowledge.numbers(f"needs:{name}"))
    live = (each for each in numbers if may_be_delivered(knowledge, knowledge.card(each)))
    return [each for each in live if number in _required(knowledge, each)]


def _ids_below(knowledge: Knowledge, seeds: frozenset[str]) -> frozenset[str]:
    starts = _live(knowledge, seeds)
    below = _closure(starts, lambda n: _required(knowledge, n), len(starts) + _LEADING_MAX)
    return seeds | {knowledge.card(n).id for n in below}


def _side(knowledge: Knowledge, wanted: frozenset[str], *, is_alone: bool = False) -> Side:
    """``is_alone``: what requires a rule in question, and what that requires, is not followed."""
    starts = _live(knowledge, wanted)
    if is_alone:
        numbers = {n: frozenset([knowledge.card(n).id]) for n in starts}
    else:
        most = len(starts) + _LEADING_MAX
        above = _closure(starts, lambda n: _requiring(knowledge, n), most)
        numbers = {n: _brought(knowledge, n, wanted) for n in above}
    cards = {n: knowledge.card(n) for n in numbers}
    by_pattern: dict[str, list[int]] = {}
    by_layer: dict[str, list[int]] = {}
    for n, card in cards.items():
        for pattern in card.paths:
            by_pattern.setdefault(pattern, []).append(n)
        for layer in card.layers:
            by_layer.setdefault(layer, []).append(n)
    table = layers.table(knowledge.facts.layers) if by_layer else ()
    return Side(cards, numbers, by_pattern, by_layer, table)


def _brought(knowledge: Knowledge, number: int, wanted: frozenset[str]) -> frozenset[str]:
    if not knowledge.card(number).requires:
        return wanted & {knowledge.card(number).id}
    below = _closure([number], lambda n: _required(knowledge, n), _LEADING_MAX)
    return wanted & {knowledge.card(n).id for n in below}


def _groups(
    sides: Sequence[Side], pairs: Sequence[Pair], tracked: Tracked
) -> tuple[list[str], dict[Signature, list[str]]]:
    """The patterns in question, and the tracked files by those that they match."""
    held = [card for side in sides for card in side.cards.values()]
    found = {pattern for card in held for pattern in (*card.paths, *card.excluded)}
    found.update(pattern for pair in pairs if pair.new for pattern in pair.new.paths)
    found.update(row.pattern for side in sides for row in side.table)
    patterns = sorted(found)
    groups: dict[Signature, list[str]] = {}
    files = tracked(folders_of(patterns)) if patterns else ()
    for path, numbers in trie.all_matches(patterns, files):
        groups.setdefault((path.startswith(f"{FOLDER}/"), tuple(numbers)), []).append(path)
    return patterns, groups


def _moved(sides: Sequence[Side], hit: frozenset[str], *, is_ours: bool) -> tuple[frozenset[str], frozenset[str]]:
    """The ids that files of one signature gain and lose."""
    was, is_now = (side.delivered(hit, is_ours=is_ours) for side in sides)
    return is_now - was, was - is_now


def _rows(
    moved: Mapping[Signature, frozenset[str]],
    groups: Mapping[Signature, list[str]],
    slugs: Mapping[str, str],
    limit: int,
) -> tuple[tuple[Gain, ...], int]:
    """The first rows and the number of all."""
    told = [group for group, ids in moved.items() if ids]
    total = sum(len(groups[group]) * len(moved[group]) for group in told)
    rows: list[Gain] = []
    by_file = {file: group for group in told for file in groups[group][:limit]}
    for file in sorted(by_file):
        named = sorted((slugs[id_], id_) for id_ in moved[by_file[file]])
        rows += [Gain(file, id_, slug) for slug, id_ in named]
        if len(rows) >= limit:
            break
    return tuple(rows[:limit]), total


def _commands(turn: Turn) -> Iterable[CommandRule]:
    for pair in turn.pairs:
        card = pair.either
        was = set(pair.old.commands) if pair.old and may_be_delivered(turn.before, pair.old) else set()
        now = set(pair.new.commands) if pair.new and may_be_delivered(turn.after, pair.new) else set()
        yield from (CommandRule(name, card.id, card.slug, GAINED) for name in sorted(now - was))
        yield from (CommandRule(name, card.id, card.slug, LOST) for name in sorted(was - now))


def _unmatched(turn: Turn, hit: frozenset[str]) -> Iterable[Unmatched]:
    for pair in turn.pairs:
        card = pair.new
        if card is not None and may_be_delivered(turn.after, card):
            known = pair.old.paths if pair.old else ()
            yield from (Unmatched(card.id, card.slug, p) for p in card.paths if p not in known and p not in hit)


def _files_of(
    card: Card, found: Mapping[Signature, frozenset[str]], groups: Mapping[Signature, list[str]]
) -> list[str]:
    """Sorted; exceptions are not taken off."""
    own = frozenset(card.paths)
    return sorted(file for group, hit in found.items() if not own.isdisjoint(hit) for file in groups[group])
