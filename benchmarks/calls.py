"""How many calls lead to their definition, and how many to a wrong one, beside an indexer of others, for each rule.

Refuses to judge what the indexer does not know. The folder that is named holds a repository and its truth, made by
``benchmarks.scip``, for each name: ``flask/`` and ``flask.jsonl``. ``python -m benchmarks.calls FOLDER`` prints the
table of rules.
"""

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.measure import sample
from benchmarks.report import Figure, Table
from benchmarks.scip import DEFINITION, UNKNOWN
from benchmarks.setting import Setting
from gitmem.answers import coding
from gitmem.answers.session import Session
from gitmem.code.atlas import Atlas
from gitmem.code.graph import CodeGraph
from gitmem.model.code import Place, Symbol
from gitmem.model.graph import LIKELY, PROVEN, Resolved

NAME = "calls"
PRECISION, RECALL = 97.0, 70.0
_CONSTRUCTORS = ("__init__", "__new__", "constructor")
RIGHT, WRONG, UNJUDGED = "right", "wrong", "not judged"


@dataclass(frozen=True, slots=True)
class Truth:
    """``places`` are path and line of each definition that the indexer names."""

    state: str
    places: tuple[tuple[str, int], ...]


@dataclass(slots=True)
class Tally:
    """Counts by rule and outcome; ``known`` are calls whose definition the indexer has in the repository."""

    proven: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    likely: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    known: int = 0
    reached: int = 0
    guessed: int = 0

    @property
    def precision(self) -> float:
        return _share(sum(each[RIGHT] for each in self.proven.values()), sum(map(_judged, self.proven.values())))

    @property
    def recall(self) -> float:
        return _share(self.reached, self.known)


def _judged(counts: Counter[str]) -> int:
    return counts[RIGHT] + counts[WRONG]


def _share(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 0.0


def measured(setting: Setting) -> Table:
    figures = []
    for name, tally in tallies(setting.data[NAME]):
        figures.append(_figure(f"{name}: proven calls that are right", tally.precision, PRECISION))
        figures.append(_figure(f"{name}: calls that are proven, of those known", tally.recall, RECALL))
        with_guesses = _share(tally.reached + tally.guessed, tally.known)
        figures.append(_figure(f"{name}: the same with likely ones of one candidate", with_guesses, None))
    return Table(NAME, "Calls, beside an indexer", f"python -m benchmarks {NAME} --data {NAME}=FOLDER", tuple(figures))


def _figure(what: str, value: float, limit: float | None) -> Figure:
    return Figure(NAME, what, sample([value]), "%", limit=limit, is_floor=True)


def tallies(folder: Path) -> Iterator[tuple[str, Tally]]:
    for truth in sorted(folder.glob("*.jsonl")):
        yield truth.stem, tally(folder / truth.stem, truth)


def tally(repository: Path, truth: Path) -> Tally:
    """Of the code at HEAD."""
    session = Session(start=repository, now=datetime.now(UTC))
    atlas = coding.read(session, "HEAD", 0, lambda: True).atlas
    graph = CodeGraph(atlas)
    found = Tally()
    for (path, line, name), rows in sorted(_read(truth).items()):
        facts = atlas.facts(path)
        numbers = [n for n, call in enumerate(facts.calls) if (call.line, call.name) == (line, name)]
        for order, row in enumerate(rows):
            resolved = graph.resolved(path, numbers[order]) if order < len(numbers) else None
            _count(found, atlas, row, resolved)
    return found


def _read(truth: Path) -> dict[tuple[str, int, str], list[Truth]]:
    rows: dict[tuple[str, int, str], list[Truth]] = defaultdict(list)
    for line in truth.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        places = tuple((path, number) for path, number in row["places"])
        rows[row["path"], row["line"], row["name"]].append(Truth(row["state"], places))
    return rows


def _count(found: Tally, atlas: Atlas, row: Truth, resolved: Resolved | None) -> None:
    is_hit = bool(resolved) and any(_is(atlas, target, row) for target in (resolved.targets if resolved else ()))
    is_proven = resolved is not None and resolved.confidence == PROVEN
    # A field that is called is a variable to the indexer; who finds it is right.
    found.known += row.state == DEFINITION or (is_proven and is_hit)
    if resolved is None:
        return
    outcome = RIGHT if is_hit else UNJUDGED if row.state == UNKNOWN else WRONG
    if is_proven:
        found.reached += is_hit
        found.proven[resolved.rule][outcome] += 1
    elif resolved.confidence == LIKELY:
        found.guessed += is_hit and len(resolved.targets) == 1
        found.likely[resolved.rule][outcome] += 1


def _is(atlas: Atlas, target: Place, row: Truth) -> bool:
    """Whether a symbol is the definition at one of the places: itself, its constructor, or one of its overloads."""
    symbols = atlas.facts(target.path).symbols
    meant = symbols[target.number]
    for path, line in row.places:
        if path != target.path:
            continue
        around = [symbol for symbol in symbols if symbol.line <= line <= symbol.end_line]
        named = [each for each in around if each.name in (meant.name, *_CONSTRUCTORS) or each.kind == "constructor"]
        if not named:
            continue
        inner = min(named, key=lambda each: each.end_line - each.line)
        is_made = inner.owner == target.number and (inner.kind == "constructor" or inner.name in _CONSTRUCTORS)
        is_same = (inner.name, inner.owner) == (meant.name, meant.owner)
        if inner == meant or is_made or (is_same and (_is_declared(inner) or _is_declared(meant))):
            return True
    return False


def _is_declared(symbol: Symbol) -> bool:
    """Whether it only says how a function may be called, whose body stands elsewhere."""
    return not symbol.body_end or any("overload" in text for text in symbol.decorators)


def table(folder: Path) -> str:
    """Markdown: a row for each rule, and one for each repository."""
    proven: dict[str, Counter[str]] = defaultdict(Counter)
    likely: dict[str, Counter[str]] = defaultdict(Counter)
    lines = [
        "| repository | calls known | precision of proven | recall of proven | with likely ones |",
        "|---|--:|--:|--:|--:|",
    ]
    for name, each in tallies(folder):
        guessed = _share(each.reached + each.guessed, each.known)
        lines.append(f"| {name} | {each.known:,} | {each.precision:.1f} % | {each.recall:.1f} % | {guessed:.1f} % |")
        for rule in each.proven:
            proven[rule].update(each.proven[rule])
        for rule in each.likely:
            likely[rule].update(each.likely[rule])
    lines += [
        "",
        "| rule | proven, judged | right | not judged | likely, judged | right |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for rule in sorted(proven.keys() | likely.keys(), key=lambda rule: (-_judged(proven[rule]), rule)):
        sure, maybe = proven[rule], likely[rule]
        proven_cells = f"{_judged(sure):,} | {_right(sure)} | {sure[UNJUDGED]:,}"
        lines.append(f"| `{rule}` | {proven_cells} | {_judged(maybe):,} | {_right(maybe)} |")
    return "\n".join(lines)


def _right(counts: Counter[str]) -> str:
    return f"{_share(counts[RIGHT], _judged(counts)):.1f} %" if _judged(counts) else ""


if __name__ == "__main__":
    print(table(Path(sys.argv[1])))
