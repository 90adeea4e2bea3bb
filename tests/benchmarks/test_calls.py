"""An index of others is read as it stands on the wire, and calls are judged beside it."""

import json
from pathlib import Path

import pytest

from benchmarks.calls import tally
from benchmarks.scip import DEFINITION, OUTSIDE, UNKNOWN, VARIABLE, rows
from tests.code.called import repository

SHOP = """def add(a):
    return a


def run(tool):
    add(1)
    tool()
    len('')
    odd()
    \u00e4 = add(2); add(3)
"""
FILES = {"shop.py": SHOP}
SYMBOL = "scip-python python shop 1 `shop`/"


def _varint(value: int) -> bytes:
    found = b""
    while value >= 128:
        found, value = found + bytes([value & 127 | 128]), value >> 7
    return found + bytes([value])


def _field(number: int, value: bytes | int) -> bytes:
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    return _varint(number << 3 | 2) + _varint(len(value)) + value


def _occurrence(line: int, column: int, symbol: str, roles: int = 0) -> bytes:
    place = b"".join(map(_varint, (line, column, column + 1)))
    return _field(2, _field(1, place) + _field(2, symbol.encode()) + (_field(3, roles) if roles else b""))


INDEX = _field(
    2,
    _field(1, b"shop.py")
    + _occurrence(0, 4, f"{SYMBOL}add().", 1)
    + _occurrence(4, 8, "local 1", 1)
    + _occurrence(5, 4, f"{SYMBOL}add().")
    + _occurrence(6, 4, "local 1")
    + _occurrence(7, 4, "scip-python python python-stdlib 3.11 builtins/len().")
    + _occurrence(9, 8, f"{SYMBOL}add().")
    + _occurrence(9, 16, f"{SYMBOL}add()."),
)


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return repository(tmp_path / "shop", FILES)


def test_each_call_of_an_index_has_what_it_means_there(repo: Path) -> None:
    found = [(row["line"], row["name"], row["state"], row["places"]) for row in rows(repo, INDEX, " shop ")]

    assert found == [
        (6, "add", DEFINITION, [("shop.py", 1)]),
        (7, "tool", VARIABLE, [("shop.py", 5)]),
        (8, "len", OUTSIDE, []),
        (9, "odd", UNKNOWN, []),
        (10, "add", DEFINITION, [("shop.py", 1)]),
        (10, "add", DEFINITION, [("shop.py", 1)]),
    ]


@pytest.mark.capability("C-019")
def test_calls_are_counted_right_and_wrong_by_rule(repo: Path) -> None:
    truth = repo.parent / "shop.jsonl"
    right = [json.dumps(row) for row in rows(repo, INDEX, " shop ")]
    truth.write_text("\n".join(right).replace('["shop.py", 1]', '["shop.py", 9]', 1), encoding="utf-8")

    found = tally(repo, truth)

    assert (found.known, found.reached, dict(found.proven["file"])) == (3, 2, {"right": 2, "wrong": 1})
    assert (round(found.precision, 1), round(found.recall, 1)) == (66.7, 66.7)
