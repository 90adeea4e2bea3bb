"""Rows by what they share: the same rows are found loose, gathered into a base, and loaded again."""

from collections import Counter
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from gitmem.index import sketches
from gitmem.index.sketches import Row, Sketches
from gitmem.record import replace
from gitmem.store.cache import Cache

WORDS = st.sampled_from(["retry", "client", "never", "log", "token", "use", "tabs", "spaces", "for", "code.", "not"])
BODIES = st.lists(st.lists(WORDS, max_size=12).map(" ".join), min_size=1, max_size=12)


def rows_of(bodies: list[str]) -> list[Row]:
    return [sketches.row_of(f"item-{n}", f"blob-{n}", f"Use {n} spaces", body) for n, body in enumerate(bodies)]


def told(kept: Sketches, row: Row) -> list[dict[tuple[str, str], int]]:
    counters = (kept.near(row), Counter(kept.same(row)), kept.opposed(row))
    return [{kept.entry(number): count for number, count in counter.items()} for counter in counters]


@given(BODIES, st.integers(0, 12))
def test_a_base_and_loose_rows_find_what_loose_rows_find(bodies: list[str], cut: int) -> None:
    rows = rows_of(bodies)
    nowhere = Cache(None, b"k" * 32)
    loose = Sketches(loose=tuple(rows))

    based, _ = sketches.gathered(nowhere, Sketches(loose=tuple(rows[:cut])))
    mixed = replace(based, loose=tuple(rows[cut:]))
    gathered, _ = sketches.gathered(nowhere, mixed)

    for row in rows:
        assert told(loose, row) == told(mixed, row) == told(gathered, row)


def test_a_gathered_base_keeps_only_the_rows_that_are_asked_for() -> None:
    rows = rows_of(["one text of a few words", "another text of a few words", "one text of a few words"])
    whole = Sketches(loose=tuple(rows))

    kept, _ = sketches.gathered(Cache(None, b"k" * 32), whole, frozenset({"blob-2"}))

    assert kept.blobs() == {"blob-2"}
    assert [kept.entry(number) for number in kept.same(rows[0])] == [("item-2", "blob-2")]


def test_what_is_saved_is_loaded_as_it_was(tmp_path: Path) -> None:
    cache = Cache(tmp_path, b"k" * 32)
    rows = rows_of(["never log the token", "", "use tabs for code"])
    based, note = sketches.gathered(cache, Sketches("tree", ("engrams/a.md",), tuple(rows[:2])))
    wanted = replace(based, loose=tuple(rows[2:]))

    assert (note, sketches.save(cache, wanted)) == ("", "")

    found = sketches.load(cache)
    assert (found.tree, found.pending, found.loose, found.entries) == (
        "tree",
        ("engrams/a.md",),
        tuple(rows[2:]),
        based.entries,
    )
    assert [told(found, row) for row in rows] == [told(wanted, row) for row in rows]


def test_texts_on_one_side_of_a_matter_do_not_oppose_each_other() -> None:
    same, other = (
        sketches.row_of("i", "b", "Style", f"Always use {what} for indentation.") for what in ("tabs", "spaces")
    )
    kept = Sketches(loose=(same, other))

    assert list(kept.opposed(same)) == [1]
    assert list(kept.opposed(other)) == [0]


def test_a_text_without_words_is_near_to_nothing() -> None:
    empty = sketches.row_of("i", "b", "T", "")
    kept = Sketches(loose=(empty, sketches.row_of("j", "c", "T", "words")))

    assert (empty.bands, kept.near(empty)) == ((), Counter())
