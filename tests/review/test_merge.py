"""The merge of one engram: what both people wrote is there, and only what they disagree about is asked."""

import pytest

from gitmem.review.merge import merge_engram
from gitmem.review.outcome import Conflicted, Merged, Side
from tests.review.pairs import API, BASE, FROM, HTTP, PATHS, REL, TEAM, changed, clean, fields, merged
from tests.support import engram_id


@pytest.mark.capability("G-023", "M-076")
@pytest.mark.parametrize(
    ("ours", "theirs", "result"),
    [
        ([(HTTP, "  - http\n  - z\n")], [(HTTP, "  - http\n  - b\n")], [(HTTP, "  - http\n  - b\n  - z\n")]),
        ([(HTTP, "")], [(HTTP, "  - http\n  - b # new\n")], [(HTTP, "  - b # new\n")]),
        ([(HTTP, "")], [(API, "")], [(f"tags:\n{API}{HTTP}", "tags: []\n")]),
        (
            [(PATHS, "[lib/**]")],
            [(PATHS, "[src/**, lib/**, doc/**]")],
            [(f" {PATHS}", "\n    - lib/**\n    - doc/**")],
        ),
        ([(PATHS, "[lib/**]")], [("- ui", "- ui\n    - db")], [(PATHS, "[lib/**]"), ("- ui", "- ui\n    - db")]),
        (
            [(FROM, "valid: {from: 2026-02-01}")],
            [(FROM, "valid: {from: 2026-01-01, until: 2027-01-01}")],
            [(FROM, 'valid:\n  from: "2026-02-01"\n  until: "2027-01-01"')],
        ),
        ([("room: 5", "room: 6")], [("ops", "dev")], [(f" {TEAM}", "\n  owner: dev\n  room: 6")]),
        (
            [("# beside", "# near")],
            [("the API", "it")],
            [("title: Call the API   # beside", "# near title\ntitle: Call it   # beside")],
        ),
        (
            [("# the end", "# the end\n# more")],
            [("# one", "# 1")],
            [("# the end", "# the end\n# more"), ("# one", "# 1")],
        ),
        ([("One.", "1."), (HTTP, "")], [("Three.", "3.")], [("One.", "1."), ("Three.", "3."), (HTTP, "")]),
        ([("x-team", "x-a: 1\nx-team")], [("x-team", "x-b: 2\nx-team")], [(TEAM, f"{TEAM}\nx-a: 1\nx-b: 2")]),
        (
            [("kind: con", "summary: S\nkind: con")],
            [("One.", "1.")],
            [("kind: con", "summary: S\nkind: con"), ("One.", "1.")],
        ),
        (
            [(HTTP, f"{HTTP}summary: S\n")],
            [("One.", "1."), (API, "")],
            [("kind: constraint", "kind: constraint\nsummary: S"), ("One.", "1."), (API, "")],
        ),
    ],
    ids=[
        *("f-087-tags", "remove-and-add", "both-remove", "list-in-brackets", "parts-of-a-map", "map-in-braces"),
        *(
            "unknown-map",
            "comment-beside",
            "comments-alone",
            "paragraphs",
            "f-088-unknown-keys",
            "one-header",
            "new-key",
        ),
    ],
)
def test_different_changes_are_both_there(ours, theirs, result):
    assert clean(changed(*ours), changed(*theirs)) == changed(*result).decode()


@pytest.mark.capability("G-023")
@pytest.mark.parametrize(
    ("ours", "theirs", "names"),
    [
        ([("the API", "it")], [("the API", "them")], ["title"]),
        ([("constraint", "fact")], [("kind: constraint\n", "")], ["kind"]),
        ([("room: 5", "room: 6")], [("room: 5", "room: 7"), ("ops", "dev")], ["x-team.room"]),
        ([(f"{FROM}\n", "")], [(FROM, "valid: {from: 2026-05-05}")], ["valid"]),
        ([(f"scope:\n  # in scope\n  paths: {PATHS}\n  layers:\n    - ui\n", "")], [("- ui", "- db")], ["scope"]),
        ([("N6000001", "N6000002")], [("One.", "1.")], ["id"]),
        ([("by: Ada", "by: Bob")], [("One.", "1.")], ["created"]),
        ([("Two.", "2.")], [("Two.", "II.")], ["body"]),
        ([("Two.", "2."), ("the API", "it")], [("Two.", "II."), ("the API", "that")], ["title", "body"]),
        ([("One.", "1.")], [("One.\n\nTwo.\n\nThree.\n", "1.\n")], ["body"]),
    ],
)
def test_what_both_changed_to_different_things_is_a_conflict_that_names_the_field(ours, theirs, names):
    outcome = merged(changed(*ours), changed(*theirs))

    assert fields(outcome) == names
    assert {each.item for each in outcome.conflicts} <= {engram_id(1), engram_id(2)}
    assert {each.path for each in outcome.conflicts} == {REL}


@pytest.mark.capability("G-023", "M-076")
def test_f_092_markers_stand_around_the_lines_of_the_field_and_the_rest_is_merged():
    ours = changed(("the API", "it"), (HTTP, ""), ("Two.", "2."))
    theirs = changed(("the API", "them"), ("One.", "1."), ("Two.", "II."))
    text = merged(ours, theirs).data.decode()
    blocks = [block.partition(">>>>>>> ") for block in text.split("<<<<<<< ")]

    assert len(blocks) == 3
    assert blocks[0][0] == BASE.partition("title:")[0]
    assert sorted(blocks[1][0].split("\n")[1:-1]) == [
        "=======",
        "title: Call it   # beside title",
        "title: Call them   # beside title",
    ]
    assert HTTP not in text
    assert blocks[1][2].endswith("---\n1.\n\n")
    assert sorted(blocks[2][0].split("\n")[1:-1]) == ["2.", "=======", "II."]
    assert blocks[2][2].endswith("\n\nThree.\n")


def test_a_conflict_value_has_the_three_values_as_text():
    ours, theirs = (
        changed(("the API", "it"), (f"{FROM}\n", "")),
        changed(("the API", "them"), ("2026-01-01}", "2026-02-02}")),
    )
    outcome = merge_engram(BASE.encode(), ours, theirs, REL)

    assert isinstance(outcome, Conflicted)
    assert [(each.base, each.ours, each.theirs) for each in outcome.conflicts] == [
        ("Call the API", "Call it", "Call them"),
        ('{from: "2026-01-01"}', None, '{from: "2026-02-02"}'),
    ]


@pytest.mark.parametrize("side", Side)
def test_a_side_settles_its_conflicts_and_nothing_else(side):
    ours = changed(("the API", "it"), (HTTP, ""), ("Two.", "2."))
    theirs = changed(("the API", "them"), ("One.", "1."), ("Two.", "II."))
    title, line = ("it", "2.") if side is Side.OURS else ("them", "II.")

    outcome = merge_engram(BASE.encode(), ours, theirs, REL, side)

    assert outcome == Merged(changed(("the API", title), (HTTP, ""), ("Two.", line), ("One.", "1.")))


@pytest.mark.parametrize(
    "other", [b"", BASE.encode(), changed(("One.", "1.")), b"not an engram", b"\xff\xfe", changed(("title:", "titel:"))]
)
@pytest.mark.capability("G-023")
def test_f_089_the_same_change_on_both_sides_or_on_one_is_no_conflict(other):
    x = changed(("the API", "it"), ("One.", "1."))

    assert merged(x, other, other) == Merged(x)
    assert merged(x, x, other) == Merged(x)


def test_both_made_the_same_change_among_others():
    both = [("the API", "it"), (HTTP, HTTP + "  - z\n"), ("Two.", "2.")]

    assert (
        clean(changed(*both, (API, "")), changed(*both, ("One.", "1.")))
        == changed(*both, (API, ""), ("One.", "1.")).decode()
    )


@pytest.mark.capability("M-076")
def test_one_id_added_on_both_sides_is_one_engram():
    ours, theirs = changed((HTTP, ""), ("ui", "db"), ("x-team", "x-a: 1\nx-team")), changed((API, ""))

    text = clean(ours, theirs, None)

    assert "- api" in text
    assert "- http" in text
    assert "- db\n    - ui\n" in text
    assert "x-a: 1" in text
    assert clean(ours, theirs, b"") == text


@pytest.mark.parametrize(
    ("ours", "theirs", "kept"),
    [
        ("2026-01-02T10:00:00Z", "2026-01-02T11:30:00+02:00", "2026-01-02T10:00:00Z"),
        ("2026-01-02", "2026-01-03", "2026-01-03"),
        ("2026-01-02", "2026-01-02T00:00:00Z", "2026-01-02T00:00:00Z"),
        ("", "2026-01-02", "2026-01-02"),
    ],
)
def test_f_091_times_of_a_change_decide_nothing_and_the_later_is_kept(ours, theirs, kept):
    text = BASE.replace("x-team", "updated: 2026-01-01\nx-team")

    def touched(at: str, edit: tuple[str, str]) -> bytes:
        return changed(edit, ("updated: 2026-01-01\n", f"updated: {at}\n" if at else ""), text=text)

    result = clean(touched(ours, ("One.", "1.")), touched(theirs, ("Three.", "3.")), text.encode())

    assert result == touched(kept, ("One.", "1.")).decode().replace("Three.", "3.")
