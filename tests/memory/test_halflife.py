"""The half-life of items, by the changes of the files that they are about."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.memory.halflife import half_life

pytestmark = pytest.mark.capability("G-009")


@pytest.mark.parametrize(
    ("lives", "wanted"),
    [
        pytest.param([], None, id="no item"),
        pytest.param([(4, False), (9, False)], None, id="none was changed"),
        pytest.param([(3, True)], 3, id="one, changed"),
        pytest.param([(1, True), (2, True), (3, True), (4, True)], 2, id="the median where all were changed"),
        pytest.param([(1, True), (5, False), (5, False)], None, id="fewer than half"),
        pytest.param([(1, False), (2, True), (3, True)], 2, id="one that left early does not count later"),
        pytest.param([(1, True), (2, False), (3, True), (4, True), (5, True)], 4, id="between"),
    ],
)
def test_half_of_the_items_were_changed_after_so_many_commits(
    lives: list[tuple[int, bool]], wanted: int | None
) -> None:
    assert half_life(lives) == wanted


@given(st.lists(st.tuples(st.integers(0, 50), st.booleans()), max_size=30))
def test_it_is_the_length_of_a_life_that_ended_and_order_does_not_matter(lives: list[tuple[int, bool]]) -> None:
    found = half_life(lives)

    assert found is None or (found, True) in lives
    assert half_life(lives[::-1]) == found
