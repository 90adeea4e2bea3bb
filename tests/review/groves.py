"""Random trees of knowledge files and what two people do to them. Nothing here knows how a merge works."""

import random

from gitmem.review.identity import id_of
from tests.review.versions import Version, first_version, next_version, written
from tests.support import engram_id

Grove = dict[str, bytes]
LEDGER = "ledger/2026/01-02/"


class Gardener:
    """One who changes trees; ids that are new come from a row of its own."""

    def __init__(self, draw: random.Random, first_id: int) -> None:
        self.draw = draw
        self.next_id = first_id
        self.versions: dict[str, Version] = {}

    def path(self) -> str:
        return f"engrams/{self.draw.choice('ab')}/{self.draw.choice(('one', 'two', 'three', 'four', 'five', 'six'))}.md"

    def plant(self, grove: Grove) -> None:
        """Adds an engram where there is room."""
        rel = self.path()
        if rel not in grove:
            version = first_version(self.draw)
            ident = engram_id(self.next_id)
            self.next_id += 1
            self.versions[ident] = version._replace(values={**version.values, "id": ident})
            grove[rel] = written(self.versions[ident])

    def edit(self, grove: Grove) -> None:
        rel = self.some(grove)
        ident = id_of(grove[rel]) if rel else ""
        if ident:
            self.versions[ident] = next_version(self.draw, self.versions[ident])
            grove[rel] = written(self.versions[ident])

    def move(self, grove: Grove) -> None:
        rel, new = self.some(grove), self.path()
        if rel and new not in grove:
            grove[new] = grove.pop(rel)

    def exchange(self, grove: Grove) -> None:
        one, other = self.some(grove), self.some(grove)
        if one and other:
            grove[one], grove[other] = grove[other], grove[one]

    def cut(self, grove: Grove) -> None:
        rel = self.some(grove)
        if rel:
            del grove[rel]

    def decide(self, grove: Grove) -> None:
        grove[f"{LEDGER}{self.next_id}.yaml"] = f"id: {self.next_id}\n".encode()
        self.next_id += 1

    def some(self, grove: Grove) -> str:
        rels = [rel for rel in grove if rel.startswith("engrams/")]
        return self.draw.choice(rels) if rels else ""

    def work(self, old: Grove, known: dict[str, Version]) -> Grove:
        """A copy of a tree after a few random steps."""
        self.versions = dict(known)
        grove = dict(old)
        steps = (self.plant, self.edit, self.edit, self.move, self.exchange, self.cut, self.decide)
        for _ in range(self.draw.randint(0, 4)):
            self.draw.choice(steps)(grove)
        return grove


def three_groves(seed: int) -> tuple[Grove, Grove, Grove]:
    """A base and two trees that were made from it apart from each other."""
    draw = random.Random(seed)
    founder = Gardener(draw, 1000)
    base: Grove = {}
    for _ in range(draw.randint(1, 6)):
        founder.plant(base)
    founder.decide(base)
    sides = (Gardener(draw, 2000).work(base, founder.versions), Gardener(draw, 3000).work(base, founder.versions))
    return base, *sides


def applied(grove: Grove, changes: dict[str, bytes | None]) -> Grove:
    after = {**grove, **changes}
    return {rel: data for rel, data in after.items() if data is not None}
