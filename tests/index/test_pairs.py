"""Pairs of texts worth comparing: all that are near and all that take sides, without going through every pair."""

from hypothesis import given
from hypothesis import strategies as st

from gitmem.index import sketches
from gitmem.index.pairs import pairs
from gitmem.index.sketches import Sketches
from gitmem.store.cache import Cache
from gitmem.text import shingles

WORDS = [f"word{n}" for n in range(90)]
TEXTS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)), min_size=2, max_size=14)


def gathered(texts: list[str]) -> Sketches:
    rows = tuple(sketches.row_of(f"i{n}", f"b{n}", "T", text) for n, text in enumerate(texts))
    return sketches.gathered(Cache(None, b"k" * 32), Sketches(loose=rows))[0]


@given(TEXTS)
def test_every_pair_that_shares_most_of_its_words_is_found(drawn: list[tuple[int, int]]) -> None:
    texts = [" ".join(WORDS[20 * start + cut : 20 * start + 20]) for start, cut in drawn]
    found = set(pairs(gathered(texts), range(len(texts)), lambda one, other: True).near)

    for first in range(len(texts)):
        for second in range(first + 1, len(texts)):
            shared, total = shingles.jaccard(shingles.shingles(texts[first]), shingles.shingles(texts[second]))
            assert shared * 100 < total * 85 or (first, second) in found


def test_of_many_equal_texts_each_is_paired_with_one() -> None:
    found = pairs(gathered(["Lamps are lit at dusk."] * 400), range(400), lambda one, other: True)

    assert found.near == tuple((n, n + 1) for n in range(399))


def test_the_order_that_is_given_is_that_of_the_pairs_and_what_is_not_given_is_left_out() -> None:
    found = pairs(gathered(["Lamps are lit at dusk."] * 4), [3, 0, 2], lambda one, other: True)

    assert found.near == ((3, 0), (3, 2), (0, 2))


def test_texts_oppose_each_other_only_where_they_meet() -> None:
    kept = gathered(["Use tabs for indentation.", "Use spaces for indentation.", "Use tabs for indentation."])

    assert pairs(kept, range(3), lambda one, other: True).opposed == ((0, 1), (1, 2))
    assert pairs(kept, range(3), lambda one, other: one != 0).opposed == ((1, 2),)


def test_more_sides_on_a_matter_than_can_be_paired_are_said() -> None:
    kept = gathered([f"Use {('tabs', 'spaces')[n % 2]} for indentation." for n in range(80)])
    found = pairs(kept, range(80), lambda one, other: True)

    assert (len(found.opposed), found.is_cut) == (200, True)
