"""Which items form a group: sizes, thresholds, one group an item, and the same groups in whatever order pairs come."""

import random

import pytest

from gitmem.memory.clusters import Alike, clusters, is_covered


def pairs(*rows: tuple[str, float]) -> list[Alike]:
    return [Alike(ends[0], ends[1], share) for ends, share in rows]


def whole(items: str, share: float = 0.5) -> list[Alike]:
    return [Alike(one, other, share) for at, one in enumerate(items) for other in items[at + 1 :]]


@pytest.mark.capability("M-055")
@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param(pairs(("ab", 0.9)), [], id="two are no group"),
        pytest.param(pairs(("ab", 0.3), ("bc", 0.3), ("ac", 0.3)), ["abc"], id="three at the least share"),
        pytest.param(pairs(("ab", 0.29), ("bc", 0.3), ("ac", 0.3)), ["abc"], id="alike to half of a group is enough"),
        pytest.param(pairs(("ab", 0.29), ("bc", 0.29), ("ac", 0.3)), [], id="under the least share"),
        pytest.param(whole("abc") + whole("xyz"), ["abc", "xyz"], id="two groups"),
        pytest.param(whole("abcdefghijkl"), ["abcdefghij"], id="of twelve ten, and two are left"),
        pytest.param(whole("abcdefghijklm"), ["abcdefghij", "klm"], id="of thirteen ten and three"),
        pytest.param(
            whole("abcd", 0.6) + pairs(("de", 0.4), ("ef", 0.4)), ["abcd"], id="a chain that hangs on one is no group"
        ),
    ],
)
def test_groups(given: list[Alike], expected: list[str]) -> None:
    assert ["".join(group) for group in clusters(given)] == expected


@pytest.mark.capability("M-055")
def test_the_order_of_the_pairs_decides_nothing() -> None:
    rng = random.Random(3)
    items = "abcdefghijklmnopqrstuvwxyz"
    rows = [Alike(*rng.sample(items, 2), rng.choice((0.2, 0.3, 0.5, 0.7))) for _ in range(120)]
    rows = list({tuple(sorted((row.one, row.other))): row for row in rows}.values())
    expected = clusters(rows)

    for _ in range(5):
        rng.shuffle(rows)
        assert clusters(Alike(row.other, row.one, row.share) for row in rows) == expected
    assert len({item for group in expected for item in group}) == sum(map(len, expected))


@pytest.mark.parametrize(
    ("sources", "expected"),
    [(["abc"], True), (["ab"], False), (["ab", "bc"], False), (["abcxyz"], True), ([], False)],
)
def test_a_group_is_covered_by_what_derives_from_most_of_it(sources: list[str], expected: bool) -> None:
    assert is_covered("abc", map(frozenset, sources)) is expected
