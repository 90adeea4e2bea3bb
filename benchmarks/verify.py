"""What a commit of many files waits for: the verdict on it, given and kept."""

import sys

from benchmarks import blocks
from benchmarks.measure import PROJECT, bare_python, cpu, gitmem, interleaved
from benchmarks.report import Figure, Table
from benchmarks.setting import Setting

NAME = "verify"
LIMIT_MS = 1000
_RULES, _FILES = 300, 200


def measured(setting: Setting) -> Table:
    rules, files = min(_RULES, setting.rules), min(_FILES, setting.files)
    root = blocks.repository(setting.home, rules, files)
    forget = "rm -f .gitmem/cache/verdict-*; exec "
    loop = f"cd '{PROJECT}'; exec '{sys.executable}' -m benchmarks.plain_lines '{root}' {rules}"
    commands = {
        "first": ["sh", "-c", forget + " ".join(f"'{word}'" for word in gitmem("verify", "--staged"))],
        "again": gitmem("verify", "--staged"),
        "loop": ["sh", "-c", loop],
        "diff": ["git", "diff", "--cached", "-U0"],
        "bare": bare_python(),
    }
    costs = {name: cpu(rows) for name, rows in interleaved(commands, root, setting.rounds).items()}
    figures = (
        Figure(NAME, "verify --staged", costs["first"], "ms", "patterns alone, plain loop", costs["loop"], LIMIT_MS),
        Figure(NAME, "verify --staged", costs["first"], "ms", "`git diff --cached`", costs["diff"]),
        Figure(NAME, "verify --staged, kept verdict", costs["again"], "ms", "`python -c pass`", costs["bare"]),
    )
    title = f"Verify of {files} staged files against {rules} constraints, CPU with Git"
    return Table(NAME, title, f"python -m benchmarks {NAME}", figures)
