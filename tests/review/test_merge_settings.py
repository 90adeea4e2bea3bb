"""The merge of synapses and settings: maps key by key, the same edge once."""

import pytest

from gitmem.model.synapse import Evidence, Synapse, link
from gitmem.record import replace
from gitmem.review.merge import merge_file
from gitmem.review.outcome import Conflicted, Merged, Outcome
from gitmem.store.synapses import decode_synapse, encode_synapse, synapse_path
from tests.support import engram_id

A, B = engram_id(1), engram_id(2)
MINE, YOURS = Evidence("seen in review", "ada", "2026-01-01"), Evidence("measured", "bob", "2026-01-02")


def merged(base: bytes | None, ours: bytes, theirs: bytes, rel: str) -> Outcome:
    outcome, mirrored = merge_file(base, ours, theirs, rel), merge_file(base, theirs, ours, rel)
    assert outcome.data == mirrored.data
    assert type(outcome) is type(mirrored)
    return outcome


def edge(*evidence: Evidence, at: str = "2026-01-01T00:00:00Z", by: str = "Ada <ada@example.org>") -> Synapse:
    return replace(link(A, B, "depends_on", evidence=evidence), created_at=at, created_by=by)


def joined(base: Synapse | None, ours: Synapse, theirs: Synapse) -> Synapse:
    rel = synapse_path(ours)
    outcome = merged(base and encode_synapse(base), encode_synapse(ours), encode_synapse(theirs), rel)
    assert isinstance(outcome, Merged), outcome
    found = decode_synapse(outcome.data, rel).synapse
    assert found
    return found


@pytest.mark.capability("M-032", "M-034", "G-023")
def test_f_090_the_same_edge_made_on_both_sides_is_one_with_the_evidence_of_both():
    ours, theirs = edge(MINE), edge(YOURS, at="2025-12-31T23:00:00Z", by="Bob <bob@example.org>")

    both = joined(None, ours, theirs)

    assert both == edge(YOURS, MINE, at="2025-12-31T23:00:00Z", by="Bob <bob@example.org>")
    assert joined(None, both, ours) == both


@pytest.mark.capability("M-034")
@pytest.mark.parametrize(
    ("base", "ours", "theirs", "left"),
    [
        ([MINE], [MINE, YOURS], [], [YOURS]),
        ([MINE, YOURS], [YOURS], [MINE], []),
        ([MINE], [replace(MINE, at="2026-03-01")], [replace(MINE, at="2026-02-01")], [replace(MINE, at="2026-03-01")]),
        ([MINE], [replace(MINE, confidence=0.4)], [replace(MINE, confidence=0.7)], [replace(MINE, confidence=0.7)]),
        ([MINE], [replace(MINE, at="2026-03-01")], [YOURS], [replace(MINE, at="2026-03-01"), YOURS]),
        ([], [MINE], [replace(MINE, by="bob")], [MINE, replace(MINE, by="bob")]),
    ],
    ids=["removed-and-added", "both-removed", "newest", "surest", "removed-and-stated-again", "two-authors"],
)
def test_evidence_is_told_apart_by_description_and_author_and_the_newest_stays(base, ours, theirs, left):
    assert joined(edge(*base), edge(*ours), edge(*theirs)) == edge(*left)


def test_two_weights_are_a_conflict_and_one_is_not():
    base, rel = edge(MINE), synapse_path(edge())
    ours, theirs = replace(base, weight=0.1), replace(base, weight=0.2)

    outcome = merged(encode_synapse(base), encode_synapse(ours), encode_synapse(theirs), rel)

    assert isinstance(outcome, Conflicted)
    assert [(each.field, each.item) for each in outcome.conflicts] == [("weight", base.id)]
    assert outcome.data.decode().count("\n") == encode_synapse(base).decode().count("\n") + 4
    assert joined(base, ours, edge(MINE, YOURS)) == replace(edge(MINE, YOURS), weight=0.1)


LAYERS = "# pattern: layer name\nsrc/ui/**: ui\nsrc/db/**: db\n"
TAGS = "# closed\nauth: who may do what\n"
CONFIG = "# every key: gitmem config show\nformat: 1\nallow_secrets:\n  - a\nmax_entries: 50\n"


@pytest.mark.capability("M-076", "G-023")
@pytest.mark.parametrize(
    ("rel", "base", "ours", "theirs", "result"),
    [
        (
            "layers.yaml",
            LAYERS,
            LAYERS + "src/z/**: z\n",
            LAYERS + "lib/**: lib\n",
            LAYERS + "lib/**: lib\nsrc/z/**: z\n",
        ),
        (
            "layers.yaml",
            LAYERS,
            LAYERS.replace("src/db/**: db\n", ""),
            LAYERS + "b: c\n",
            "# pattern: layer name\nsrc/ui/**: ui\nb: c\n",
        ),
        ("layers.yaml", "# none yet\n", "# none yet\na: b\n", "# none yet\nc: d\n", "# none yet\na: b\nc: d\n"),
        (
            "layers.yaml",
            "layers:\n  ui: [a/**]\n",
            "layers:\n  ui: [a/**, c/**]\n",
            "layers:\n  ui: [a/**, b/**]\n  db: [d]\n",
            "layers:\n  ui:\n    - a/**\n    - b/**\n    - c/**\n  db: [d]\n",
        ),
        (
            "tags.yaml",
            TAGS,
            TAGS + "pay: money\n",
            TAGS.replace("who", "whoever"),
            "# closed\nauth: whoever may do what\npay: money\n",
        ),
        ("tags.yaml", "tags: [a, b]\n", "tags: [a, b, z]\n", "tags: [b]\n", "tags:\n  - b\n  - z\n"),
        (
            "config.yaml",
            CONFIG,
            CONFIG.replace("  - a\n", "  - a\n  - c\n"),
            CONFIG.replace("  - a\n", "  - b\n"),
            CONFIG.replace("  - a\n", "  - b\n  - c\n"),
        ),
        (
            "config.yaml",
            CONFIG,
            CONFIG.replace("format: 1\n", "format: 1\ntrust: main\n"),
            CONFIG.replace("50", "40"),
            CONFIG.replace("format: 1\n", "format: 1\ntrust: main\n").replace("50", "40"),
        ),
        ("config.yaml", CONFIG, CONFIG + "x: 1\n", CONFIG + "x: 1\n# more\n", CONFIG + "x: 1\n# more\n"),
    ],
)
def test_settings_are_merged_key_by_key(rel, base, ours, theirs, result):
    assert merged(base.encode(), ours.encode(), theirs.encode(), rel) == Merged(result.encode())


@pytest.mark.parametrize(
    ("rel", "base", "ours", "theirs", "field"),
    [
        ("config.yaml", CONFIG, CONFIG.replace("50", "40"), CONFIG.replace("50", "60"), "max_entries"),
        ("layers.yaml", LAYERS, LAYERS.replace(": ui", ": web"), LAYERS.replace("src/ui/**: ui\n", ""), "src/ui/**"),
        ("layers.yaml", "layers: {a: [b]}\n", "layers: {a: c}\n", "layers: {a: {d: e}}\n", "layers.a"),
        ("tags.yaml", "", "auth: a\n", "auth: b\n", "auth"),
    ],
)
def test_one_setting_given_two_values_is_a_conflict_on_its_lines(rel, base, ours, theirs, field):
    outcome = merged(base.encode(), ours.encode(), theirs.encode(), rel)

    assert isinstance(outcome, Conflicted)
    assert [(each.path, each.field) for each in outcome.conflicts] == [(rel, field)]
    assert outcome.data.count(b"<<<<<<< ") == outcome.data.count(b">>>>>>> ") == 1
    outside = outcome.data.decode().partition("<<<<<<<")[0] + outcome.data.decode().partition(">>>>>>> ")[2]
    assert field.rpartition(".")[2] + ":" not in outside
