"""Merges YAML mappings key by key, as blocks, so that what one side changed keeps its bytes. Refuses to read YAML."""

from collections.abc import Callable, Mapping
from datetime import datetime

from gitmem.model.vocabulary import Text
from gitmem.record import record
from gitmem.review.blocks import NULL, Block, comments_of, shifted, written_item, written_key
from gitmem.review.outcome import Clash, Piece, pick
from gitmem.review.rules import Rules, arranged
from gitmem.review.texts import merge_comments, merge_sets
from gitmem.store.written import flow, key

_INDENT = 2


@record
class Part:
    """A merged key or item: its lines, and its value; None where it is absent or in conflict."""

    pieces: tuple[Piece, ...]
    value: Text | None = None


@record
class Three:
    """One key or item in the base and on both sides; None where it is absent."""

    base: Block | None
    ours: Block | None
    theirs: Block | None

    @property
    def all(self) -> tuple[Block | None, Block | None, Block | None]:
        return self.base, self.ours, self.theirs

    @property
    def present(self) -> list[Block]:
        return [each for each in self.all if each]

    @property
    def above(self) -> str:
        return merge_comments(*(each.above if each else "" for each in self.all))

    @property
    def tail(self) -> str:
        return merge_comments(*(each.tail if each else "" for each in self.all))


def merge_keys(three: Three, rules: Rules, forced: frozenset[str]) -> Part:
    """Merges whole mappings; keys in ``forced`` are conflicts wherever the sides differ."""
    return _Weaving(rules, forced).root(three)


class _Weaving:
    """One merge on its way down through the keys. Each step is the same with the sides exchanged."""

    def __init__(self, rules: Rules, forced: frozenset[str]) -> None:
        self.rules = rules
        self.forced = forced

    def root(self, three: Three) -> Part:
        head = merge_comments(*(each.own if each else "" for each in three.all))
        parts = self.keys(three, "", _child_column(three, 0))
        return _joined((head,), parts, three.tail)

    def keys(self, three: Three, path: str, column: int) -> dict[str, Part]:
        """The merged keys of one mapping, in their order, those that are gone left out."""
        base, ours, theirs = (_children(each, column, lambda child: child.name) for each in three.all)
        parts = {}
        for name in arranged([*base], {*ours, *theirs}, self.rules.order_of(path)):
            here = Three(base.get(name), ours.get(name), theirs.get(name))
            part = self.key(here, f"{path}.{name}" if path else name)
            if part.pieces:
                parts[name] = part
        return parts

    def key(self, three: Three, path: str) -> Part:
        if self.must_clash(three, path):
            return _clash(three, path)
        unchanged = _one_sided(three)
        if unchanged is not None:
            return unchanged
        return _with_comments(self.both_changed(three, path), three)

    def must_clash(self, three: Three, path: str) -> bool:
        ours, theirs = three.ours, three.theirs
        if ours and theirs and path in self.rules.agreed:
            return ours.value != theirs.value
        return path in self.forced and (ours and ours.value) != (theirs and theirs.value)

    def both_changed(self, three: Three, path: str) -> Part:
        base, ours, theirs = three.all
        if self.rules.is_set(path, (each.value for each in three.present)):
            return self.items(three, path)
        if path in self.rules.latest:
            return _chosen(three, max((each for each in (ours, theirs) if each), key=self.rank))
        if ours is None or theirs is None:
            kept = ours or theirs
            is_edited = base is None or kept is None or kept.value != base.value
            return _clash(three, path) if is_edited else Part(())
        if ours.value != theirs.value and path in self.rules.earliest:
            return _chosen(three, min(ours, theirs, key=self.rank))
        if isinstance(ours.value, dict) and isinstance(theirs.value, dict):
            return self.mapping(three, path)
        return _scalar(three, ours, theirs) or _clash(three, path)

    def mapping(self, three: Three, path: str) -> Part:
        parts = self.keys(three, path, _child_column(three, _column(three) + _INDENT))
        head = _head(three) if parts else _written(three, {})
        return _joined((three.above, head), parts, three.tail)

    def items(self, three: Three, path: str) -> Part:
        column = _child_column(three, _column(three) + _INDENT)
        base, ours, theirs = (
            _children(each, column, lambda child: self.rules.identity(path, child.value)) for each in three.all
        )
        parts = []
        for name in merge_sets([*base], [*ours, *base], [*theirs, *base]):
            part = self.item(Three(base.get(name), ours.get(name), theirs.get(name)))
            if part.pieces and part.value is not None:
                parts.append(part)
        if not parts and not (three.ours and three.theirs):
            return Part(())
        head = _head(three) if parts else _written(three, [])
        pieces = (piece for part in parts for piece in part.pieces)
        return Part((three.above, head, *pieces, three.tail), [part.value for part in parts if part.value is not None])

    def item(self, three: Three) -> Part:
        """What one side removed stays only when the other changed it, which evidence alone can."""
        base, ours, theirs = three.all
        unchanged = _one_sided(three)
        if unchanged is not None:
            return unchanged
        if ours is None or theirs is None:
            kept = ours or theirs
            return _whole(kept if kept and base and kept.value != base.value else None)
        part = _scalar(three, ours, theirs) or _chosen(three, max(ours, theirs, key=self.rank))
        return _with_comments(part, three)

    def rank(self, block: Block) -> tuple[datetime, float, str, str]:
        """By time, then by text, so that two that differ are never equal: not in value, at least in bytes."""
        return *self.rules.rank(block.value), block.entry


def _one_sided(three: Three) -> Part | None:
    """The side that changed, as it is; None when both changed differently."""
    base, ours, theirs = (each and each.text for each in three.all)
    if theirs in (ours, base):
        return _whole(three.ours)
    return _whole(three.theirs) if base == ours else None


def _whole(block: Block | None) -> Part:
    return Part((block.text,), block.value) if block else Part(())


def _scalar(three: Three, ours: Block, theirs: Block) -> Part | None:
    """Three-way by value; None when both sides changed it to different ones."""
    base = three.base
    if ours.value == theirs.value:
        entry = pick(base.entry if base else "", ours.entry, theirs.entry, min)
        return _chosen(three, ours if entry == ours.entry else theirs)
    if base and base.value in (ours.value, theirs.value):
        return _chosen(three, theirs if base.value == ours.value else ours)
    return None


def _chosen(three: Three, block: Block) -> Part:
    return Part((three.above, block.entry), block.value)


def _clash(three: Three, path: str) -> Part:
    base, ours, theirs = (_as_text(each.value) if each else None for each in three.all)
    if three.ours and three.theirs:
        return Part((three.above, Clash(path, base, ours, theirs, three.ours.entry, three.theirs.entry)))
    mine, yours = (each.text if each else "" for each in (three.ours, three.theirs))
    return Part((Clash(path, base, ours, theirs, mine, yours),))


def _with_comments(part: Part, three: Three) -> Part:
    """``part`` with the comments that its lines lost, on lines of their own above it."""
    if not part.pieces:
        return part
    wanted = merge_sets(*(comments_of(each.text) if each else [] for each in three.all))
    if not wanted:
        return part
    lines = (p if isinstance(p, str) else p.our_lines + p.their_lines for p in part.pieces)
    there = set(comments_of("".join(lines)))
    lost = [f"{' ' * _column(three)}{each}\n" for each in wanted if each not in there]
    if not lost:
        return part
    is_above_first = part.pieces[0] == three.above
    above, rest = (three.above, part.pieces[1:]) if is_above_first else ("", part.pieces)
    old = three.base.above if three.base and is_above_first else ""
    return Part((merge_comments(old, above, old + "".join(lost)), *rest), part.value)


def _joined(head: tuple[str, ...], parts: Mapping[str, Part], tail: str) -> Part:
    pieces = (piece for part in parts.values() for piece in part.pieces)
    values = {name: part.value for name, part in parts.items() if part.value is not None}
    return Part((*head, *pieces, tail), values)


def _children(block: Block | None, column: int, name_of: Callable[[Block], str]) -> dict[str, Block]:
    """The keys or items of a block by name, moved to ``column``; of two with one name the first."""
    if block is None:
        return {}
    lone = isinstance(block.value, str) and block.name and block.value != NULL
    children = (written_item(block.value, column),) if lone else block.children
    named = ((name_of(child), shifted(child, column - child.column)) for child in children)
    found: dict[str, Block] = {}
    for name, child in named:
        found.setdefault(name, child)
    return found


def _column(three: Three) -> int:
    return three.present[-1].column


def _child_column(three: Three, otherwise: int) -> int:
    """Where the children stand; ``otherwise`` when they have no lines of their own."""
    base, ours, theirs = (
        each.children[0].column if each and each.is_split and each.children else None for each in three.all
    )
    if ours is None or theirs is None:
        return next((each for each in (ours, theirs) if each is not None), otherwise)
    return pick(base, ours, theirs, lambda one, other: min(one or 0, other or 0)) or 0


def _head(three: Three) -> str:
    """The line of a key whose children stand below it."""
    base, ours, theirs = (each.own if each and each.is_split else None for each in three.all)
    if ours is None or theirs is None:
        return ours or theirs or f"{' ' * _column(three)}{key(three.present[-1].name)}:\n"
    return pick(base, ours, theirs, lambda one, other: min(one or "", other or "")) or ""


def _written(three: Three, value: Text) -> str:
    return written_key(three.present[-1].name, value, _column(three)).own


def _as_text(value: Text) -> str:
    if isinstance(value, str):
        return "null" if value == NULL else value
    return flow(_shown(value))


def _shown(value: Text) -> Text:
    if isinstance(value, dict):
        return {name: _shown(each) for name, each in value.items()}
    return [_shown(each) for each in value] if isinstance(value, list) else _as_text(value)
