"""What knowledge lacks, each kind of gap by a fixture of its own, and what is no gap beside it."""

import pytest

from gitmem.memory.gaps import KINDS, Gap, Links, Row, gaps, links_of

JOINED = links_of([("x", "a", "extends")])


def row(kind: str = "decision", **over) -> Row:
    return Row(**({"id": "a", "name": "a", "kind": kind, "importance": 0.5} | over))


def found(*rows: Row, links: Links = JOINED) -> list[tuple[str, str]]:
    return [(gap.kind, gap.item) for gap in gaps(rows, links)]


@pytest.mark.capability("M-064")
@pytest.mark.parametrize(
    ("kind", "evidence", "is_thin"),
    [
        ("fact", 1, True),
        ("fact", 2, False),
        ("hypothesis", 2, True),
        ("hypothesis", 3, False),
        ("pattern", 2, True),
        ("pattern", 3, False),
        ("observation", 0, False),
        ("decision", 0, False),
    ],
)
def test_a_fact_wants_two_pieces_of_evidence_a_pattern_and_a_hypothesis_three(kind, evidence, is_thin) -> None:
    assert (("gap-evidence", "a") in found(row(kind, evidence=evidence))) is is_thin


@pytest.mark.capability("M-064")
def test_what_it_derives_from_and_what_exemplifies_it_is_evidence_too() -> None:
    edges = [("a", "b", "derives_from"), ("a", "c", "derives_from"), ("d", "a", "exemplifies")]

    assert found(row("pattern"), links=links_of(edges)) == []
    assert found(row("pattern"), links=links_of(edges[:2])) == [("gap-evidence", "a")]
    assert found(row("pattern"), links=links_of([(b, a, kind) for a, b, kind in edges])) == [("gap-evidence", "a")]


@pytest.mark.capability("M-064")
def test_five_items_about_one_thing_and_no_procedure() -> None:
    five = [row(id=f"i{n}", name=f"i{n}", tags=("http", "net"), is_joined=True) for n in range(5)]

    assert found(*five) == [("gap-procedure", "i0")]
    assert found(*five[:4]) == []
    assert found(*five, row("procedure", id="p", tags=("http", "net"), is_joined=True)) == []


@pytest.mark.capability("M-064")
def test_what_is_important_and_was_never_challenged() -> None:
    assert found(row(importance=0.7)) == [("gap-challenge", "a")]
    assert found(row(importance=0.69)) == []
    assert found(row(importance=0.9, verification="plausible")) == []
    assert found(row(importance=0.9, misled=1)) == []
    assert found(row(importance=0.9), links=links_of([("z", "a", "contradicts")])) == []


@pytest.mark.capability("M-064")
def test_an_item_that_nothing_leads_to() -> None:
    alone = Links()

    assert found(row(), links=alone) == [("gap-orphan", "a")]
    assert found(row(is_rule=True), links=alone) == []
    assert found(row(is_joined=True), links=alone) == []


@pytest.mark.capability("M-064")
@pytest.mark.parametrize(
    ("freshness", "is_stale"), [("", False), ("fresh", False), ("aging", False), ("stale", True), ("forgotten", True)]
)
def test_an_active_item_that_has_aged(freshness: str, is_stale: bool) -> None:
    assert found(row(freshness=freshness)) == ([("gap-stale", "a")] if is_stale else [])


@pytest.mark.capability("M-064")
@pytest.mark.parametrize(
    ("kind", "evidence", "helped", "becomes"),
    [
        ("observation", 2, 0, "fact"),
        ("observation", 1, 9, ""),
        ("fact", 3, 2, "pattern"),
        ("fact", 3, 1, ""),
        ("pattern", 3, 3, "procedure"),
        ("pattern", 3, 2, ""),
        ("procedure", 9, 9, ""),
    ],
)
def test_what_has_earned_a_firmer_kind_is_advised(kind: str, evidence: int, helped: int, becomes: str) -> None:
    advised = [gap for gap in gaps([row(kind, evidence=evidence, helped=helped)], JOINED) if gap.kind == KINDS[-1]]

    assert [gap.hint for gap in advised] == ([f"gitmem propose edit a kind {becomes}"] if becomes else [])


def test_gaps_come_by_kind_and_the_most_important_item_first() -> None:
    rows = [row(id=name, name=name, importance=weight) for name, weight in (("a", 0.1), ("b", 0.9), ("c", 0.4))]

    assert [(gap.kind, gap.item) for gap in gaps(rows, Links())] == [
        ("gap-challenge", "b"),
        ("gap-orphan", "b"),
        ("gap-orphan", "c"),
        ("gap-orphan", "a"),
    ]
    assert all(isinstance(gap, Gap) and gap.hint for gap in gaps(rows, Links()))
