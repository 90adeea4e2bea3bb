"""What was acknowledged in any clone, and what must be there for it in the end. Refuses to know how clones meet.

Every value that a step writes is unlike all others, so a write over a value names the write that it takes the place of.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.team.atoms import PATH, Atom, items

View = frozenset[Atom]
SUFFIX_MIN = 4


@dataclass
class Memory:
    """``must`` are atoms that were acknowledged and that nobody took back; ``may`` those of commands that were killed,
    and what was taken back and came again; ``gone`` those that somebody wrote over or removed."""

    must: set[Atom] = field(default_factory=set)
    may: set[Atom] = field(default_factory=set)
    gone: set[Atom] = field(default_factory=set)
    removed: set[str] = field(default_factory=set)
    tips: dict[str, set[str]] = field(default_factory=dict)
    comments: dict[str, set[str]] = field(default_factory=dict)
    decided: set[str] = field(default_factory=set)
    closed: dict[str, str] = field(default_factory=dict)
    snapshots: set[str] = field(default_factory=set)

    def wrote(self, before: View, after: View) -> None:
        for atom in after - before:
            (self.may if atom in self.gone else self.must).add(atom)
        self.lost(before - after)
        self.removed |= items(before) - items(after)

    def lost(self, atoms: Iterable[Atom]) -> None:
        """By somebody's will."""
        for atom in atoms:
            self.must.discard(atom)
            self.gone.add(atom)

    def may_have_written(self, before: View, after: View) -> None:
        """A command that was killed: what is there of it may stay, and what it took away may come again."""
        self.may |= (after - before) | (before - after)
        self.must -= before - after
        self.removed |= items(before) - items(after)

    def proposed(self, id_: str, tip: str) -> None:
        self.tips.setdefault(id_, set()).add(tip)

    def said(self, id_: str, text: str) -> None:
        self.comments.setdefault(id_, set()).add(text)

    def set_aside(self, view: View) -> None:
        """An engram that got another name since two were given one: its own name with a part of its id."""
        wanted = {item: path for item, name, path in self.must if name == PATH}
        for item, name, path in view:
            own = wanted.get(item, "")
            if name == PATH and path != own and is_beside(item, own, path):
                self.lost([(item, PATH, own)])
                self.may.add((item, PATH, path))

    def missing(self, view: View) -> list[Atom]:
        """What must be there and is not."""
        return sorted(self.must - view)

    def returned(self, view: View) -> list[Atom]:
        """What somebody took away and what is there all the same; a deleted engram comes back with an edit."""
        return sorted(atom for atom in view & (self.gone - self.may) if atom[0] not in self.removed)


def is_beside(item: str, own: str, path: str) -> bool:
    stem, _, tail = path.removesuffix(".md").rpartition("-")
    return len(tail) >= SUFFIX_MIN and own.removesuffix(".md").startswith(stem) and item.lower().endswith(tail)
