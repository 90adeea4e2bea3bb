"""Runs the benchmarks, all or by name, and prints their tables."""

import argparse
import compileall
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks import (
    calls,
    checks,
    coding_knowledge,
    cold,
    globs,
    graph,
    journal,
    localisation,
    locomo,
    packets,
    parse,
    recall,
    refresh,
    report,
    review,
    search,
    signals,
    sizes,
    upkeep,
    verify,
    warm,
)
from benchmarks.measure import PROJECT
from benchmarks.setting import Benchmark, Setting

BENCHMARKS: dict[str, Benchmark] = {
    module.NAME: module.measured
    for module in (warm, cold, refresh, checks, parse, sizes, globs, review, recall, verify, journal, upkeep, search)
}
# These read what is not ours to ship: each needs --data.
FROM_DATA: dict[str, Benchmark] = {
    module.NAME: module.measured for module in (locomo, coding_knowledge, graph, calls, packets, localisation, signals)
}
EVERY = BENCHMARKS | FROM_DATA


def main(argv: Sequence[str] | None = None) -> int:
    args = _parser().parse_args(argv)
    data = _data(args.data)
    unknown = [name for name in (*args.names, *data) if name not in EVERY]
    if unknown:
        print(f"no such benchmark: {', '.join(unknown)}; there are: {', '.join(EVERY)}", file=sys.stderr)
        return 2
    lacking = [name for name in args.names if name in FROM_DATA and name not in data]
    if lacking:
        print("\n".join(f"{name} needs --data {name}=PATH" for name in lacking), file=sys.stderr)
        return 2
    compileall.compile_dir(PROJECT / "gitmem", quiet=2)
    where = report.surroundings()
    with tempfile.TemporaryDirectory(prefix="gitmem-bench-") as scratch:
        setting = _setting(args, Path(args.home or scratch))
        tables = [EVERY[name](setting) for name in args.names or (*BENCHMARKS, *data)]
    if args.quick:
        tables = [report.without_limits(table) for table in tables]
    report.show(tables, where)
    if args.json:
        rows = [figure.as_data() for table in tables for figure in table.figures]
        Path(args.json).write_text(json.dumps({**where, "figures": rows}, indent=2) + "\n", encoding="utf-8")
    if args.write:
        report.write_page(tables, where)
    return int(any(figure.holds is False for table in tables for figure in table.figures))


def _setting(args: argparse.Namespace, home: Path) -> Setting:
    home.mkdir(parents=True, exist_ok=True)
    if args.quick:
        return Setting(home, rounds=1, rules=60, files=100, sizes=(20,), data=_data(args.data))
    return Setting(home, rounds=args.rounds, data=_data(args.data))


def _data(given: Sequence[str]) -> dict[str, Path]:
    return {name: Path(path) for name, _, path in (each.partition("=") for each in given)}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of: {', '.join(EVERY)}; all without a name")
    parser.add_argument(
        "--data",
        action="append",
        default=[],
        metavar="NAME=PATH",
        help="what benchmark NAME reads; those that read what we do not ship run only with it",
    )
    parser.add_argument("--quick", action="store_true", help="a small run that shows that everything works")
    parser.add_argument("--rounds", type=int, default=15, help="how often each command runs (15)")
    parser.add_argument("--json", metavar="FILE", help="also write every sample to FILE")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/performance.md")
    parser.add_argument("--in", dest="home", metavar="DIR", help="keep the repositories in DIR and use those there")
    return parser


if __name__ == "__main__":
    sys.exit(main())
