"""The index of a real repository and what is asked of it at once. Refuses to fetch one: whoever has it names it."""

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.measure import PROJECT, bare_python, cpu, environment, gitmem, interleaved, peak, sample
from benchmarks.report import Figure, Table
from benchmarks.setting import Setting

NAME = "graph"
_INDEX_LIMIT, _COLD_LIMIT, _EDIT_LIMIT_MS = 2.5, 12.0, 100
_PEAK_LIMIT_MB = 1024
_ROUNDS_MOST = 5


def measured(setting: Setting) -> Table:
    root = cloned(setting)
    rounds = min(setting.rounds, _ROUNDS_MOST)
    caches = "rm -f .git/gitmem/cache/code-*; exec "
    commands = {
        "index": ["sh", "-c", caches + " ".join(f"'{word}'" for word in gitmem("index"))],
        "pure": [sys.executable, "-P", "-c", f"import sys; sys.path.insert(0, {str(PROJECT)!r}); {_PURE}", str(root)],
    }
    if shutil.which("ctags"):
        commands["ctags"] = ["ctags", "-R", "-f", str(setting.home / "tags"), "--exclude=.git", "."]
    costs = interleaved(commands, root, rounds)
    name = subject(root)
    cold = interleaved({"symbols": gitmem("symbols", name), "bare": bare_python()}, root, 3 * rounds)
    warm = {key: sample(values) for key, values in inside(root).items()}
    figures = [
        Figure(
            NAME,
            "full index",
            cpu(costs["index"]),
            "ms",
            "parse and captures alone",
            cpu(costs["pure"]),
            _INDEX_LIMIT,
            is_ratio=True,
        ),
        Figure(NAME, "full index, largest process", peak(costs["index"]), "MB", limit=_PEAK_LIMIT_MB),
        Figure(
            NAME,
            f"cold `symbols {name}`",
            cpu(cold["symbols"]),
            "ms",
            "`python -c pass`",
            cpu(cold["bare"]),
            _COLD_LIMIT,
            is_ratio=True,
        ),
        Figure(
            NAME,
            "one changed file, in a server",
            warm["edit"],
            "ms",
            "the same without a change",
            warm["same"],
            _EDIT_LIMIT_MS,
        ),
        Figure(NAME, "files parsed after a switch of branches and back", warm["parsed"], "files", limit=0),
        Figure(NAME, "a server after all of this", warm["server_mb"], "MB"),
    ]
    if "ctags" in costs:
        figures.insert(1, Figure(NAME, "full index", cpu(costs["index"]), "ms", "universal-ctags", cpu(costs["ctags"])))
    title = f"The code of a repository of {int(warm['files'].median):,} source files, CPU with children"
    return Table(NAME, title, f"python -m benchmarks {NAME} --data {NAME}=REPOSITORY", tuple(figures))


_PURE = "from benchmarks.graph_inside import parse_all; parse_all(sys.argv[1])"


def cloned(setting: Setting) -> Path:
    root = setting.home / NAME
    if not root.exists():
        subprocess.run(
            ["git", "clone", "-q", "--no-hardlinks", str(setting.data[NAME]), str(root)], check=True, env=environment()
        )
        # Files as young as the index are read anew at each look: a clone that was just made is no usual work tree.
        time.sleep(1.1)
        subprocess.run(["git", "update-index", "-q", "--really-refresh"], cwd=root, check=True, env=environment())
    return root


def subject(root: Path) -> str:
    """A name of one definition."""
    script = "from benchmarks.graph_inside import common; import sys; print(common(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", script, str(root)], cwd=PROJECT, env=environment(), capture_output=True, check=True
    )
    return done.stdout.decode().strip()


def inside(root: Path) -> dict[str, list[float]]:
    script = "from benchmarks.graph_inside import figures; import sys; figures(sys.argv[1])"
    done = subprocess.run(
        [sys.executable, "-c", script, str(root)], cwd=PROJECT, env=environment(), capture_output=True, check=True
    )
    found: dict[str, list[float]] = json.loads(done.stdout)
    return found
