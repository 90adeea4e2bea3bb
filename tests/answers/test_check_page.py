"""The page about check describes the findings that the code can make, and no other."""

import ast
import re
from pathlib import Path

from tests.answers.test_checking import CASES, TURNS

PROJECT = Path(__file__).resolve().parents[2]
ROOMS = ("checks", "answers", "index", "store", "text")


def described() -> set[str]:
    page = (PROJECT / "docs" / "check.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    return {code for row in rows for code in re.findall(r"`([a-z0-9-]+)`", row)}


def literals() -> set[str]:
    """Every text constant of the rooms that find something."""
    paths = [path for room in ROOMS for path in (PROJECT / "gitmem" / room).rglob("*.py")]
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in paths]
    nodes = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return {node.value for node in nodes if isinstance(node.value, str)}


def test_every_described_code_is_made_somewhere() -> None:
    of_records = {f"{what}-{how}" for what in ("ledger", "approval") for how in ("deleted", "edited")}

    assert described() - literals() - of_records == set()


def test_every_code_that_a_test_provokes_is_described() -> None:
    tables = [expected for _, expected in CASES.values()] + [expected for _, _, expected in TURNS.values()]

    assert {code for expected in tables for code, _ in expected} - described() == set()
