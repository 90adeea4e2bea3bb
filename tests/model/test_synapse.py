"""Synapses: one edge has one id and one file, whoever makes it and from whichever end."""

from hashlib import sha256

import pytest

from gitmem.errors import GitmemError
from gitmem.model.synapse import (
    DEFAULT_WEIGHTS,
    FAMILIES,
    SYMMETRIC,
    SYNAPSE_KINDS,
    Evidence,
    Synapse,
    link,
    synapse_id,
    unite,
)
from tests.support import engram_id

A, B = engram_id(1), engram_id(2)


@pytest.mark.capability("M-032")
def test_the_id_is_a_hash_of_ends_and_kind():
    digest = sha256(f"{B}|{A}|depends_on".encode()).hexdigest()

    assert synapse_id(B, A, "depends_on") == link(B, A, "depends_on").id == f"syn-{digest[:16]}"


@pytest.mark.capability("M-032")
@pytest.mark.parametrize("kind", SYNAPSE_KINDS)
def test_f_099_only_kinds_without_direction_are_the_same_from_both_ends(kind):
    there, back = link(B, A, kind), link(A, B, kind)

    assert (there.id == back.id) is (kind in SYMMETRIC)
    assert (there == back) is (kind in SYMMETRIC)
    assert (back.from_, back.to) == (A, B)


def test_kinds_that_share_a_beginning_have_other_ids():
    assert len({synapse_id(A, B, kind) for kind in SYNAPSE_KINDS}) == len(SYNAPSE_KINDS) == 12
    assert synapse_id(f"{A}|{B}", B, "follows") != synapse_id(A, f"{B}|{B}", "causes")


def test_each_kind_is_in_one_of_five_families_and_has_a_weight():
    assert len(FAMILIES) == 5
    assert sorted(kind for kinds in FAMILIES.values() for kind in kinds) == sorted(DEFAULT_WEIGHTS)
    assert link(A, B, "contradicts").weight == 0.9
    assert link(A, B, "causes", weight=0.2).weight == 0.2
    assert link(A, B, "supersedes").family == "temporal"


@pytest.mark.parametrize(
    ("one", "other", "kind", "code"), [(A, A, "causes", "same-ends"), (A, B, "like", "unknown-kind")]
)
def test_an_edge_needs_two_ends_and_a_known_kind(one, other, kind, code):
    with pytest.raises(GitmemError) as caught:
        link(one, other, kind)

    assert caught.value.code == code


@pytest.mark.capability("M-034")
def test_linking_twice_gives_one_edge_with_two_pieces_of_evidence():
    mine, yours = Evidence("seen in a review", "ada"), Evidence("measured", "bob", "2026-01-02")

    assert link(A, B, "causes", evidence=[mine, yours, mine]).evidence == (yours, mine)


@pytest.mark.capability("M-034")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Evidence("x", "ada", "2026-01-02T10:00:00Z"), Evidence("x", "ada", "2026-01-02T11:00:00+02:00")),
        (Evidence("x", "ada", "2026-01-02", 0.9), Evidence("x", "ada", "2026-01-02", 0.5)),
        (Evidence("x", "ada", "2020-01-01"), Evidence("x", "ada", "", 1.0)),
        (Evidence("x", "ada", confidence=0.1), Evidence("x", "ada")),
    ],
)
def test_of_two_statements_by_one_author_the_newest_stays(one, other):
    assert unite([one, other]) == unite([other, one]) == (one,)


def test_a_synapse_is_frozen_and_equal_by_value():
    synapse = link(A, B, "causes")

    assert synapse == Synapse(A, B, "causes", 0.8)
    with pytest.raises(AttributeError):
        synapse.weight = 1.0
