"""Runs the benchmarks, all or by name, and prints their tables."""

import argparse
import compileall
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks import checks, cold, globs, journal, parse, recall, refresh, report, review, sizes, verify, warm
from benchmarks.measure import PROJECT
from benchmarks.setting import Benchmark, Setting

BENCHMARKS: dict[str, Benchmark] = {
    module.NAME: module.measured
    for module in (warm, cold, refresh, checks, parse, sizes, globs, review, recall, verify, journal)
}


def main(argv: Sequence[str] | None = None) -> int:
    args = _parser().parse_args(argv)
    unknown = [name for name in args.names if name not in BENCHMARKS]
    if unknown:
        print(f"no such benchmark: {', '.join(unknown)}; there are: {', '.join(BENCHMARKS)}", file=sys.stderr)
        return 2
    compileall.compile_dir(PROJECT / "gitmem", quiet=2)
    where = report.surroundings()
    with tempfile.TemporaryDirectory(prefix="gitmem-bench-") as scratch:
        setting = _setting(args, Path(args.home or scratch))
        tables = [BENCHMARKS[name](setting) for name in args.names or BENCHMARKS]
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
        return Setting(home, rounds=1, rules=60, files=100, sizes=(20,))
    return Setting(home, rounds=args.rounds)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of: {', '.join(BENCHMARKS)}; all without a name")
    parser.add_argument("--quick", action="store_true", help="a small run that shows that everything works")
    parser.add_argument("--rounds", type=int, default=15, help="how often each command runs (15)")
    parser.add_argument("--json", metavar="FILE", help="also write every sample to FILE")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/performance.md")
    parser.add_argument("--in", dest="home", metavar="DIR", help="keep the repositories in DIR and use those there")
    return parser


if __name__ == "__main__":
    sys.exit(main())
