"""Synapse files: the same edge is written as the same bytes, and what is wrong is named with its line."""

import pytest

from gitmem.model.synapse import SYNAPSE_KINDS, Evidence, link
from gitmem.record import replace
from gitmem.store.synapses import decode_synapse, encode_synapse, synapse_path
from tests.support import engram_id

A, B = engram_id(1), engram_id(2)
FULL = replace(
    link(A, B, "causes", 0.25, [Evidence("tests: red", "ada", "2026-01-02T03:04:05Z", 0.5), Evidence("no")]),
    resolution="keep_new",
    created_at="2026-01-01T00:00:00Z",
    created_by="Ada <ada@example.org>",
    extra={"x-note": "1.10", "x-map": {"a": ["b"]}},
)


@pytest.mark.capability("M-033")
@pytest.mark.parametrize("kind", SYNAPSE_KINDS)
def test_each_kind_comes_back_as_it_was(kind):
    synapse = replace(FULL, kind=kind, weight=link(A, B, kind).weight)

    assert decode_synapse(encode_synapse(synapse), synapse_path(synapse)).synapse == synapse


def test_a_file_has_its_keys_in_order_and_evidence_one_item_a_line():
    assert encode_synapse(FULL).decode() == (
        f"id: {FULL.id}\nfrom: {A}\nto: {B}\nkind: causes\nweight: 0.25\nevidence:\n"
        '  - description: "no"\n'
        '  - description: "tests: red"\n    by: ada\n    at: "2026-01-02T03:04:05Z"\n    confidence: 0.5\n'
        'resolution: keep_new\ncreated:\n  at: "2026-01-01T00:00:00Z"\n  by: Ada <ada@example.org>\n'
        'x-note: "1.10"\nx-map:\n  a:\n    - b\n'
    )
    assert synapse_path(FULL) == f"synapses/causes/{FULL.id}.yaml"


@pytest.mark.capability("M-032")
def test_f_099_ends_written_the_other_way_round_are_the_same_edge():
    synapse = link(A, B, "contradicts")
    turned = encode_synapse(synapse).replace(f"from: {A}\nto: {B}".encode(), f"from: {B}\nto: {A}".encode())

    assert decode_synapse(turned, synapse_path(synapse)).synapse == synapse
    assert encode_synapse(replace(synapse, from_=B, to=A)) == encode_synapse(synapse)


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        (f"from: {A}", "from: auth", 2, "from is"),
        (f"to: {B}\n", "", 1, "to is missing"),
        (f"to: {B}", f"to: {A}", 3, "both ends"),
        ("kind: causes", "kind: cause", 4, "unknown kind"),
        ("weight: 0.25", "weight: 2", 5, "weight is"),
        (f"id: {FULL.id}", "id: syn-0000000000000000", 1, "the ends and the kind make"),
        ('description: "no"', "by: bob", 7, "has no description"),
        ('at: "2026-01-02T03:04:05Z"', "at: soon", 10, "not a date"),
        ("confidence: 0.5", "confidence: high", 11, "not a number"),
        ("confidence: 0.5", "certainty: 0.5", 11, "unknown key"),
        ("weight: 0.25", "<<<<<<< a\nweight: 1\n=======\nweight: 0\n>>>>>>> b", 5, "conflict marker"),
        ("weight: 0.25", "kind: causes", 5, "stands twice"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(old, new, line, said):
    data = encode_synapse(FULL).decode()
    assert data.count(old) == 1

    decoded = decode_synapse(data.replace(old, new).encode(), synapse_path(FULL))

    assert decoded.synapse is None
    assert (decoded.findings[0].line, said in decoded.findings[0].message) == (line, True), decoded.findings


def test_a_file_that_is_not_named_after_its_id_is_refused():
    decoded = decode_synapse(encode_synapse(FULL), "synapses/causes/mine.yaml")

    assert decoded.synapse is None
    assert synapse_path(FULL) in decoded.findings[0].hint
