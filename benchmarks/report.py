"""Figures and the tables that show them. Refuses a figure that does not say what it was measured against."""

import os
import platform
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace

from benchmarks.measure import PROJECT, Sample

PAGE = PROJECT / "docs" / "performance.md"
BEGIN, END = "<!-- measured -->", "<!-- end -->"


_HEAD = ("what", "median (quartiles)", "beside it", "median (quartiles)", "ratio", "limit")


@dataclass(frozen=True, slots=True)
class Figure:
    """One row. ``other`` names the other side of the comparison; ``limit`` is for ``value``, a ratio or a median.

    With ``is_floor`` more is better, and the limit is the least that will do.
    """

    benchmark: str
    what: str
    ours: Sample
    unit: str
    other: str = ""
    theirs: Sample | None = None
    limit: float | None = None
    is_ratio: bool = False
    note: str = ""
    is_floor: bool = False

    @property
    def ratio(self) -> float | None:
        return self.ours.median / self.theirs.median if self.theirs is not None and self.theirs.median > 0 else None

    @property
    def holds(self) -> bool | None:
        """Whether the limit is kept; None without a limit."""
        value = self.ratio if self.is_ratio else self.ours.median
        if self.limit is None or value is None:
            return None
        return value >= self.limit if self.is_floor else value <= self.limit

    def as_data(self) -> dict[str, object]:
        return asdict(self) | {"median": self.ours.median, "ratio": self.ratio, "holds": self.holds}


@dataclass(frozen=True, slots=True)
class Table:
    """What one benchmark found, with the command that finds it again."""

    name: str
    title: str
    command: str
    figures: tuple[Figure, ...]
    is_grid: bool = False


def without_limits(table: Table) -> Table:
    """For runs that are too small to say anything about them."""
    return replace(table, figures=tuple(replace(figure, limit=None) for figure in table.figures))


def lines(table: Table) -> list[str]:
    """The table in Markdown, readable in a terminal as well; a grid has a row for each note."""
    rows = _grid(table.figures) if table.is_grid else [_HEAD, *(_row(figure) for figure in table.figures)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    padded = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in rows
    ]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return [f"### {table.title}", "", f"`{table.command}`", "", padded[0], rule, *padded[1:], ""]


def _grid(figures: Sequence[Figure]) -> list[tuple[str, ...]]:
    columns = list(dict.fromkeys(figure.what for figure in figures))
    cells = {(figure.note, figure.what): figure for figure in figures}
    notes = dict.fromkeys(figure.note for figure in figures)
    return [("", *columns), *((note, *(_cell(cells[note, what]) for what in columns)) for note in notes)]


def _cell(figure: Figure) -> str:
    beside = f" ({_ratio(figure.ratio)} x {figure.other})" if figure.is_ratio else ""
    limit = f" ({_limit(figure)})" if figure.is_floor and figure.limit is not None else ""
    return f"{_short(figure.ours.median)} {figure.unit}{beside}{limit}"


def _row(figure: Figure) -> tuple[str, ...]:
    what = f"{figure.what} ({figure.note})" if figure.note else figure.what
    theirs = _spread(figure.theirs, figure.unit) if figure.theirs is not None else ""
    return what, _spread(figure.ours, figure.unit), figure.other, theirs, _ratio(figure.ratio), _limit(figure)


def _ratio(ratio: float | None) -> str:
    if ratio is None:
        return ""
    return f"{ratio:.2f}" if ratio >= 0.1 else f"1/{1 / ratio:,.0f}"


def _limit(figure: Figure) -> str:
    if figure.limit is None:
        return ""
    of = "x" if figure.is_ratio else f" {figure.unit}"
    missed = "UNDER" if figure.is_floor else "OVER"
    return f"{figure.limit:g}{of} {'kept' if figure.holds else missed}"


def _spread(sample: Sample, unit: str) -> str:
    if len(sample.values) == 1:
        return f"{_short(sample.median)} {unit}"
    low, high = sample.quartiles
    return f"{_short(sample.median)} {unit} ({_short(low)}-{_short(high)})"


def _short(value: float) -> str:
    if abs(value) >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def surroundings() -> dict[str, str]:
    """What the figures depend on, without naming the machine."""
    return {
        "commit": _commit(),
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "git": _said("git", "version").removeprefix("git version "),
    }


def _commit() -> str:
    changed = _said("git", "-C", str(PROJECT), "status", "--porcelain", "--", "gitmem", "benchmarks")
    return _said("git", "-C", str(PROJECT), "rev-parse", "--short=12", "HEAD") + (
        " and uncommitted edits" if changed else ""
    )


def _said(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def summary(where: dict[str, str]) -> str:
    return (
        f"Commit {where['commit']}; {where['cores']} cores, {where['system']}, {where['python']}, Git {where['git']}."
    )


def write_page(tables: Iterable[Table], where: dict[str, str]) -> None:
    """Puts the tables between the marks of the page; the text around them is somebody's own."""
    text = PAGE.read_text(encoding="utf-8")
    head, begin, rest = text.partition(f"{BEGIN}\n")
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{PAGE.name} has no marks {BEGIN} and {END}")
    body = "\n".join([summary(where), "", *(line for table in tables for line in lines(table))])
    PAGE.write_text(f"{head}{begin}{body}{end}{tail}", encoding="utf-8", newline="\n")


def show(tables: Sequence[Table], where: dict[str, str]) -> None:
    print(summary(where))
    for table in tables:
        print("", *lines(table), sep="\n")
    sys.stdout.flush()
