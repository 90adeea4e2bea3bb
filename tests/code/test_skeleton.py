"""Files with bodies open or folded whole: nothing is lost, folds name their bytes."""

import hashlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.code import cuts, extract, folds, skeleton
from gitmem.code.source import Source
from gitmem.model.packet import Fold

SHOP = b'''"""What a till does."""

import os
import sys
from shop.money import (
    Cent,
    Euro,
)

LIMIT = 3
PRICES = {
    "tea": 1,
    "milk": 2,
    "bread": 3,
}


class Till:
    """Holds coins.

    And notes.
    """

    size = 4

    def open(self, key):
        """Opens."""
        if not key:
            return None
        return Euro(key)

    @property
    def total(self):
        found = 0
        for coin in self.coins:
            found += coin
        return found

    class Drawer:
        def write(self, text):
            first = text
            second = first
            return second


def write(path):
    with open(path) as file:
        file.write("x")
        file.write("y")
    return os.path


if __name__ == "__main__":
    till = Till()
    till.open(1)
    till.open(2)
    sys.exit(0)
'''
BRACES = b"""import { Euro } from './money';
export class Till {
  private coins = 0;
  open(key: string): number {
    const found = key.length;
    this.coins += found;
    return found;
  }
  close(): void {
    this.coins = 0;
    this.coins += 1;
    return;
  }
}
export const total = (tills: Till[]) => {
  let sum = 0;
  sum += 1;
  return sum;
};
"""


def source(content: bytes, path: str = "shop/till.py") -> Source:
    oid = hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
    return Source(path, oid, content, extract.facts(path, content))


def opened(found: Source, *names: str) -> frozenset[int]:
    return frozenset(n for n in range(len(found.facts.symbols)) if found.name(n) in names)


@pytest.mark.capability("C-033")
def test_every_body_but_the_open_one_is_folded_whole() -> None:
    found = source(SHOP)

    told = skeleton.skeleton(found, opened(found, "Till.open"))

    assert "return Euro(key)" in told.text
    assert "file.write" not in told.text
    assert {fold.symbol for fold in told.folds} >= {"Till.total", "Till.Drawer.write", "write"}
    compile(told.text, "till.py", "exec")


@pytest.mark.capability("C-033")
def test_the_threshold_says_which_bodies_are_worth_a_fold() -> None:
    found = source(SHOP)

    told = skeleton.skeleton(found, frozenset(), 4)

    assert {fold.symbol for fold in told.folds} <= {"Till.total", "write", "Till.open", ""}
    assert "second = first" in told.text


@pytest.mark.capability("C-034")
def test_a_window_has_the_type_around_what_is_open_and_the_imports_that_it_names() -> None:
    found = source(SHOP)

    told = skeleton.window(found, opened(found, "Till.open"))

    assert "class Till:" in told.text
    assert "    Euro,\n)" in told.text
    assert "import os" not in told.text
    assert "Drawer" in " ".join(fold.symbol for fold in told.folds)
    assert len(told.folds) <= 3


@pytest.mark.capability("C-033")
def test_bodies_in_braces_keep_them() -> None:
    found = source(BRACES, "till.ts")

    told = skeleton.skeleton(found, opened(found, "Till.close"))

    assert "open(key: string): number { /* [gitmem:fold " in told.text
    assert "this.coins += 1;" in told.text
    assert told.text.count("{") == told.text.count("}")


@pytest.mark.capability("C-035")
def test_f_191_functions_of_one_name_have_folds_of_their_own() -> None:
    found = source(SHOP)

    told = [fold for fold in skeleton.skeleton(found, frozenset()).folds if fold.symbol.endswith("write")]

    texts = [_text(found, fold) for fold in told]
    assert len({fold.fold_id for fold in told}) == 2
    assert "second = first" in texts[0]
    assert "file.write" in texts[1]


@pytest.mark.capability("C-035")
@pytest.mark.parametrize(
    "frame", ["{}", "`{}`", "# [gitmem:fold {} write lines 1-2 tokens 3]", '"[gitmem:fold {} a', " {}\n"]
)
def test_a_name_is_read_from_a_marker_line_and_from_quotes(frame: str) -> None:
    found = source(SHOP)
    fold = skeleton.skeleton(found, frozenset()).folds[-1]

    named = folds.parse(frame.format(fold.fold_id))

    assert named is not None
    assert folds.is_of(named, found.oid)
    assert folds.is_at(named, found.path)
    assert not folds.is_of(named, found.oid[:10] + "0" * 30)


@pytest.mark.capability("C-034")
def test_f_196_what_is_open_is_there_however_far_down_it_stands() -> None:
    rows = b"".join(b"def f%d(a):\n    x = a\n    y = x\n    return y\n\n" % n for n in range(400))
    found = source(rows)

    told = skeleton.window(found, opened(found, "f360"))

    assert "def f360(a):\n    x = a" in told.text
    assert len(told.folds) == 2
    assert "+" in told.folds[0].symbol


@pytest.mark.parametrize("path", sorted(Path(skeleton.__file__).parent.glob("*.py"))[:12], ids=lambda path: path.name)
def test_parts_leave_out_no_byte_of_a_real_file(path: Path) -> None:
    found = source(path.read_bytes(), path.name)

    for number in range(0, len(found.facts.symbols), 7):
        parts = cuts.Cut(found, frozenset({number}), 2).parts()
        assert b"".join(found.content[part.start : part.end] for part in parts) == found.content


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.data())
def test_parts_leave_out_no_byte_of_a_damaged_file(data: st.DataObject) -> None:
    base = data.draw(st.sampled_from([SHOP, BRACES, SHOP.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + SHOP]))
    cut = data.draw(st.integers(0, len(base)))
    more = data.draw(st.binary(max_size=12))
    content = base[:cut] + more + base[cut + len(more) :]
    found = source(content, "a.ts" if b"export" in base else "a.py")
    open_ = frozenset(data.draw(st.sets(st.integers(0, max(0, len(found.facts.symbols) - 1)), max_size=2)))
    open_ = frozenset(n for n in open_ if n < len(found.facts.symbols))

    parts = cuts.Cut(found, open_, 2).parts()

    assert b"".join(content[part.start : part.end] for part in parts) == content
    for told in (skeleton.skeleton(found, open_), skeleton.window(found, open_)):
        assert all(0 < fold.start_line <= fold.end_line for fold in told.folds)


def test_a_file_without_definitions_is_folded_as_a_whole() -> None:
    found = source(b"one\ntwo\nthree\nfour\nfive\n", "notes.txt")

    told = skeleton.skeleton(found, frozenset())

    assert [(fold.start_line, fold.end_line) for fold in told.folds] == [(1, 5)]
    assert _text(found, told.folds[0]) == "one\ntwo\nthree\nfour\nfive\n"


def test_an_outline_takes_no_more_than_it_may() -> None:
    assert skeleton.outline(source(SHOP), 40).splitlines()[0].startswith("10: LIMIT")
    assert len(skeleton.outline(source(SHOP), 20)) < len(skeleton.outline(source(SHOP), 250))


def _text(found: Source, fold: Fold) -> str:
    named = folds.parse(fold.fold_id)
    assert named is not None
    return found.text(named.start, named.start + named.size)
