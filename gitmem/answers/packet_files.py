"""Which files a packet is made of, in what order, and which of their bodies count. Refuses to fit them anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from gitmem.answers import delta, heard, packet_signals, packets
from gitmem.answers.coding import Graph
from gitmem.answers.session import Session
from gitmem.code import asking, bodies, fill, learning, pack, ranking, seeds, task
from gitmem.code.bodies import Body
from gitmem.code.fill import Followed
from gitmem.code.flow import NO_FLOW, Flow
from gitmem.code.ground import ground_of
from gitmem.code.pack import FILL, RANKED, SEED, Candidate
from gitmem.code.ranking import Extra, Ranked
from gitmem.code.request import Wanted
from gitmem.code.seeds import CHANGE, HINT, Seed, Seeded
from gitmem.code.source import Source
from gitmem.model.code import Place
from gitmem.model.packet import MAX_SAVINGS
from gitmem.record import replace
from gitmem.store import gitdiff

# So many files are opened to see which of their bodies the task is about.
_READ_MOST = 8
# What is added to the score of a file that the asker names, or that a diff changes.
_NAMED_SCORE = 4.0
_FOLLOWED_FROM = 4
# A file of the first ones that scores so much of the best needs no edge to be opened.
_STRONG_SCORE = 0.3
_KINDS_SCORE = 0.3
_SCORE_DIGITS = 3


class Material:
    """Everything about one request that does not depend on the room there is."""

    def __init__(self, session: Session, graph: Graph, wanted: Wanted) -> None:
        self.session, self.graph, self.wanted = session, graph, wanted
        self.atlas = graph.atlas
        self.ground = ground_of(graph.atlas)
        found = task.read(wanted.task)
        self.task = replace(found, intent=wanted.intent or found.intent)
        self._sources: dict[str, Source] = {}

    @cached_property
    def asked(self) -> asking.Asked:
        text = "\n".join([self.wanted.task, *(f"`{word}`" for word in self.wanted.keywords)])
        return asking.asked(task.read(text))

    @cached_property
    def seeded(self) -> Seeded:
        found = seeds.seeds(self.atlas, self.task, self.wanted.path_hints, self.wanted.keywords)
        changed = self._changed() if self.wanted.diff else ()
        kept = [seed for seed in found.seeds if self._is_wanted(seed.path, seed.number)]
        return replace(found, seeds=(*changed, *kept))

    def _is_wanted(self, path: str, number: int) -> bool:
        kinds = self.wanted.entity_types
        return number < 0 or not kinds or self.atlas.facts(path).symbols[number].kind in kinds

    def _changed(self) -> tuple[Seed, ...]:
        """The definitions around the lines that the diff adds or changes; the file where there is none."""
        ends = delta.ends(self.session.place.repo, self.wanted.diff)
        found: dict[tuple[str, int], Seed] = {}
        for file in gitdiff.between(self.session.place.repo, ends.old, ends.new).files:
            if not self.atlas.has(file.path):
                continue
            lines = [line for line, _ in file.added] or [0]
            for number in dict.fromkeys(self._around(file.path, line) for line in lines):
                found.setdefault((file.path, number), Seed(file.path, number, CHANGE, file.path))
        return tuple(found.values())

    def _around(self, path: str, line: int) -> int:
        symbols = self.atlas.facts(path).symbols
        around = [n for n, each in enumerate(symbols) if each.line <= line <= each.end_line and each.body_end]
        return max(around, key=lambda n: symbols[n].start, default=-1)

    @cached_property
    def gains(self) -> Mapping[str, float]:
        """What feedback on packets of before adds to files."""
        known = packets.known(self.session)
        is_on = packet_signals.LEARNING in self.wanted.signals
        return learning.gains(known, self.task.intent, dict.fromkeys(self._seed_paths if is_on else (), 1.0))

    @property
    def _seed_paths(self) -> list[str]:
        return list(dict.fromkeys(seed.path for seed in self.seeded.seeds))

    @cached_property
    def flow(self) -> Flow:
        """What joins the files that the task names, where that is asked for."""
        if packet_signals.FLOW not in self.wanted.signals:
            return NO_FLOW
        return packet_signals.joined(fill.graph_of(self.atlas), dict.fromkeys(self._seed_paths, 1.0))

    @cached_property
    def ranked(self) -> list[Ranked]:
        named = dict(self.gains)
        for path, more in packet_signals.gains_of(self.flow).items():
            named[path] = named.get(path, 0.0) + more
        for seed in self.seeded.seeds:
            if seed.by in (HINT, CHANGE):
                named[seed.path] = named.get(seed.path, 0.0) + _NAMED_SCORE
        if self.wanted.entity_types:
            for path in self._of_kinds():
                named[path] = named.get(path, 0.0) + _KINDS_SCORE
        told = heard.heard(self.session.place, self.graph.tree.commit)
        found = ranking.ranked(self.ground, self.asked, told, Extra(named))
        return [row for row in found if row.score > 0 or row.path in named]

    def _of_kinds(self) -> Iterable[str]:
        """Files that define something of the kinds asked for, by names of the task."""
        for name in self.asked.names:
            for row in self.atlas.rows(name):
                if row.kind in self.wanted.entity_types:
                    yield self.atlas.paths[row.file]

    @cached_property
    def bodies(self) -> dict[str, list[Body]]:
        """Of the first files and those that the task names; read in one go."""
        paths = [row.path for row in self.ranked[:_READ_MOST]]
        paths = list(dict.fromkeys([*paths, *(seed.path for seed in self.seeded.seeds)]))
        self._read(paths)
        kinds = self.wanted.entity_types
        found = bodies.ranked(self.task, self.asked.terms, [self.source(path) for path in paths])
        if not kinds:
            return found
        return {path: [row for row in rows if self._is_wanted(path, row.number)] for path, rows in found.items()}

    def _read(self, paths: Sequence[str]) -> None:
        missing = [path for path in paths if path not in self._sources]
        for path, content in self.atlas.texts(missing).items():
            self._sources[path] = Source(path, self.atlas.oid(path), content, self.atlas.facts(path))

    def source(self, path: str) -> Source:
        self._read([path])
        return self._sources[path]

    @cached_property
    def followed(self) -> list[Followed]:
        """What the first bodies lead to by edges that are resolved."""
        if self.wanted.mode == MAX_SAVINGS:
            return []
        starts = [Place(seed.path, seed.number) for seed in self.seeded.seeds if seed.number >= 0]
        best = [rows[0] for row in self.ranked[:_FOLLOWED_FROM] if (rows := self.bodies.get(row.path))]
        starts += [Place(body.path, body.number) for body in best]
        limits = self.wanted.follow
        around = fill.neighbourhood(
            fill.graph_of(self.atlas), list(dict.fromkeys(starts))[:_FOLLOWED_FROM], limits.hops
        )
        first = [row for row in self.ranked[: self.wanted.room(0, 0).opened] if row.score >= self._top * _STRONG_SCORE]
        return fill.chosen(around.found, [*self._seed_paths, *(row.path for row in first)], limits)

    @property
    def _top(self) -> float:
        return self.ranked[0].score if self.ranked and self.ranked[0].score > 0 else 1.0

    @cached_property
    def candidates(self) -> list[Candidate]:
        """In rank order; what was followed to and is not ranked high comes last."""
        numbers: dict[str, list[int]] = {}
        for seed in self.seeded.seeds:
            numbers.setdefault(seed.path, [])
            if seed.number >= 0:
                numbers[seed.path].append(seed.number)
        scores = {row.path: round(max(0.0, min(1.0, row.score / self._top)), _SCORE_DIGITS) for row in self.ranked}
        listed = self.wanted.room(0, 0).listed - len(self.followed)
        first = list(scores)[: max(1, listed)]
        rest = [path for path in numbers if path not in first]
        found = [self._candidate(path, scores.get(path, 0.0), numbers) for path in [*first, *rest]]
        known = {each.path for each in found}
        filled = [row for row in self.followed if row.path not in known and row.number >= 0]
        found += [Candidate(row.path, scores.get(row.path, 0.0), FILL, (row.number,)) for row in filled]
        return found

    def _candidate(self, path: str, score: float, numbers: Mapping[str, list[int]]) -> Candidate:
        if path in numbers:
            return Candidate(path, score, SEED, tuple(dict.fromkeys(numbers[path]))[:_FOLLOWED_FROM])
        followed = tuple(row.number for row in self.followed if row.path == path)
        return Candidate(path, score, FILL if followed else RANKED, followed)

    def packed(self, tokens: int, threshold_lines: int) -> pack.Packed:
        return pack.packed(self.candidates, self.bodies, self.source, self.wanted.room(tokens, threshold_lines))
