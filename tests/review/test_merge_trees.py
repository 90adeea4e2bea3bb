"""The merge of trees by id: moves, deletions, names given twice, records that only grow."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.review.identity import id_of
from gitmem.review.outcome import Side
from gitmem.review.trees import TreeMerge, merge_trees
from tests.review.groves import Grove, applied, three_groves
from tests.support import engram_id, engram_text

A, B, C = (f"engrams/{name}.md" for name in ("x/a", "x/b", "y/c"))
NORMAL, LONG = 400, 20_000


def engram(number: int, **over: str | list[str]) -> bytes:
    return engram_text(id=engram_id(number), **over).encode()


ONE, TWO = engram(1), engram(2)
ONE_EDITED, TWO_EDITED = engram(1, tags=["api", "new"]), engram(2, tags=[])


def merged(base: Grove, ours: Grove, theirs: Grove) -> tuple[Grove, TreeMerge]:
    """The merged tree; with the sides exchanged it must be the same one."""
    merge, mirrored = merge_trees(base, ours, theirs), merge_trees(base, theirs, ours)
    assert merge.conflicts == mirrored.conflicts == ()
    assert merge.notes == mirrored.notes
    after = applied(ours, dict(merge.changes))
    assert after == applied(theirs, dict(mirrored.changes))
    return after, merge


@pytest.mark.capability("G-023")
@pytest.mark.parametrize(
    ("base", "ours", "theirs", "result"),
    [
        pytest.param({A: ONE}, {B: ONE}, {A: ONE_EDITED}, {B: ONE_EDITED}, id="edit-follows-the-move"),
        pytest.param({A: ONE}, {C: ONE_EDITED}, {C: ONE}, {C: ONE_EDITED}, id="both-moved-alike"),
        pytest.param({A: ONE}, {B: ONE}, {A: ONE, B: TWO}, {B: ONE, "engrams/x/b-0002.md": TWO}, id="moved-onto-new"),
        pytest.param(
            {A: ONE, B: TWO}, {A: TWO, B: ONE}, {A: ONE_EDITED, B: TWO}, {A: TWO, B: ONE_EDITED}, id="exchanged"
        ),
        pytest.param({A: ONE}, {}, {A: ONE}, {}, id="deleted"),
        pytest.param({A: ONE}, {}, {}, {}, id="deleted-twice"),
        pytest.param({A: ONE}, {A: TWO}, {A: ONE}, {A: TWO}, id="replaced"),
        pytest.param({}, {A: ONE}, {A: ONE}, {A: ONE}, id="added-alike"),
        pytest.param(
            {},
            {A: ONE_EDITED},
            {A: engram(1, tags=["b"])},
            {A: engram_text(id=engram_id(1), tags=["api", "b", "new"]).encode()},
            id="added-and-united",
        ),
        pytest.param(
            {A: ONE},
            {A: ONE, "README.md": b"a\n"},
            {A: ONE, "tags.yaml": b"a: b\n"},
            {A: ONE, "README.md": b"a\n", "tags.yaml": b"a: b\n"},
            id="support-files",
        ),
    ],
)
def test_items_are_followed_by_their_id(base, ours, theirs, result):
    assert merged(base, ours, theirs)[0] == result


@pytest.mark.capability("G-023")
@pytest.mark.parametrize(
    ("kept", "did"), [({A: ONE_EDITED}, "edited"), ({B: ONE}, "moved"), ({C: ONE_EDITED}, "edited")]
)
def test_f_094_what_one_side_deleted_and_the_other_changed_stays_and_is_noted(kept, did):
    after, merge = merged({A: ONE}, {}, kept)

    assert after == kept
    assert [(note.code, note.place, did in note.message) for note in merge.notes] == [("kept-edit", *kept, True)]


@pytest.mark.capability("G-023")
@pytest.mark.parametrize("other", [B, "engrams/X/B.md"])
def test_f_095_of_two_engrams_with_one_name_the_later_moves_aside(other):
    after, merge = merged({A: ONE}, {A: ONE, B: TWO}, {A: ONE, other: engram(3)})
    aside = other.replace(".md", "-0003.md")

    assert after == {A: ONE, B: TWO, aside: engram(3)}
    assert [(note.code, note.place) for note in merge.notes] == [("moved-aside", aside)]
    assert engram_id(3) in merge.notes[0].message


def test_an_engram_that_had_the_name_before_keeps_it():
    old, new = engram(9), engram(3)

    after, _ = merged({A: old}, {A: new}, {A: old.replace(b"api", b"ui")})

    assert after == {A: old.replace(b"api", b"ui"), "engrams/x/a-0003.md": new}


def test_a_name_that_is_taken_gets_more_of_the_id():
    taken = ["engrams/x/b-0003.md", "engrams/x/B-00003.md"]

    merge = merge_trees({}, {B: TWO}, {B: engram(3)}, taken)

    assert [*merge.changes] == ["engrams/x/b-000003.md"]


def test_a_long_name_stays_a_slug():
    rel = f"engrams/x/{'a' * 80}.md"

    merge = merge_trees({}, {rel: TWO}, {rel: engram(3)})

    assert [*merge.changes] == [f"engrams/x/{'a' * 75}-0003.md"]


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "conflict"),
    [
        pytest.param({A: ONE}, {B: ONE}, {C: ONE}, (engram_id(1), "path", A, B, C), id="moved-to-two-places"),
        pytest.param({}, {B: ONE}, {C: ONE}, (engram_id(1), "path", None, B, C), id="one-id-added-at-two-paths"),
        pytest.param(
            {A: ONE},
            {A: ONE.replace(b"Call", b"Do")},
            {A: ONE.replace(b"Call", b"Use")},
            (engram_id(1), "title", *(f"{word} the API through the client" for word in ("Call", "Do", "Use"))),
            id="title",
        ),
        pytest.param({}, {"a": b"x\n"}, {"a/b": b"y\n"}, ("", "path", None, "a/b", "a"), id="file-and-folder"),
    ],
)
def test_a_disagreement_is_a_value_and_writes_nothing(base, ours, theirs, conflict):
    merge = merge_trees(base, ours, theirs)

    assert [(each.item, each.field, each.base, each.ours, each.theirs) for each in merge.conflicts] == [conflict]
    assert {rel: data for rel, data in merge.changes.items() if rel in ours} == {}
    assert not any(b"<<<<<<<" in (data or b"") for data in merge.changes.values())


def test_what_is_in_conflict_is_listed_alike_from_both_sides():
    ours, theirs = {B: ONE.replace(b"Call", b"Do")}, {C: ONE.replace(b"Call", b"Use")}

    for base in ({A: ONE}, {}):
        listed = [merge_trees(base, *sides).conflicts for sides in ((ours, theirs), (theirs, ours))]
        assert [[(each.path, each.field) for each in conflicts] for conflicts in listed] == [
            [(min(base, default=B), "path"), (min(base, default=B), "title")]
        ] * 2


@pytest.mark.parametrize(("side", "rel"), [(Side.OURS, B), (Side.THEIRS, C)])
def test_a_side_settles_the_path(side, rel):
    merge = merge_trees({A: ONE}, {B: ONE_EDITED}, {C: ONE}, (), side)

    assert applied({B: ONE_EDITED}, dict(merge.changes)) == {rel: ONE_EDITED}
    assert merge.conflicts == ()


@pytest.mark.parametrize("rel", ["ledger/2026/01-02/a.yaml", "approvals/2026/a.ada.yaml"])
@pytest.mark.parametrize("side", [None, *Side])
@pytest.mark.parametrize(
    ("ours", "theirs"), [(None, b"id: a\n"), (b"id: a\n", None), (None, None), (b"id: b\n", b"id: a\n")]
)
def test_f_100_a_record_that_one_side_lost_is_refused(rel, side, ours, theirs):
    trees = [{} if data is None else {rel: data} for data in (b"id: a\n", ours, theirs)]

    merge = merge_trees(*trees, (), side)

    assert [(each.path, each.field) for each in merge.conflicts] == [(rel, "file")]


def test_records_of_both_sides_are_united():
    one, two = "ledger/2026/01-02/a.yaml", "ledger/2026/01-02/b.yaml"

    assert merged({}, {one: b"id: a\n"}, {two: b"id: b\n"})[0] == {one: b"id: a\n", two: b"id: b\n"}


@pytest.mark.parametrize(
    "broken", [ONE.replace(b"---\n", b"--\n", 1), ONE.replace(b"id: ", b"ident: "), ONE.replace(b"kind: ", b"kind: [")]
)
def test_a_file_that_cannot_be_read_is_still_the_engram_that_was_there(broken):
    after, merge = merged({A: ONE, B: TWO}, {A: broken, B: TWO}, {C: ONE, B: TWO_EDITED})

    assert after == {C: broken, B: TWO_EDITED}
    assert merge.notes == ()


@pytest.mark.parametrize("at", [A, B])
def test_a_copy_that_kept_the_id_takes_nothing_from_the_original(at):
    after, _ = merged({A: ONE}, {A: ONE, C: ONE}, {at: ONE_EDITED})

    assert after == {at: ONE_EDITED, C: ONE}


@pytest.mark.parametrize(
    ("line", "ident"),
    [
        (f"id: {engram_id(1)}", engram_id(1)),
        (f"id: '{engram_id(1).lower()}'   # mine", engram_id(1)),
        (f'"id": {engram_id(1)}', engram_id(1)),
        (f"x: |\n  id: {engram_id(2)}\nid: {engram_id(1)}", engram_id(1)),
        ("id: a", ""),
        ("x: 1", ""),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_id_of_a_file_is_found_as_it_is_typed(line, ident, end):
    assert id_of(f"---\n{line}\n---\nBody.\n".replace("\n", end).encode()) == ident


def check_groves(seed: int) -> None:
    base, ours, theirs = three_groves(seed)
    merge, mirrored = merge_trees(base, ours, theirs), merge_trees(base, theirs, ours)
    assert [(each.item, each.field) for each in merge.conflicts] == [
        (each.item, each.field) for each in mirrored.conflicts
    ]
    assert not merge_trees(base, ours, base).changes
    assert applied(base, dict(merge_trees(base, base, theirs).changes)) == theirs
    if merge.conflicts:
        return
    after = applied(ours, dict(merge.changes))
    assert after == applied(theirs, dict(mirrored.changes))
    assert not merge_trees(base, after, after).changes
    assert len({rel.casefold() for rel in after}) == len(after)
    assert items(after).keys() == expected_items(*map(items, (base, ours, theirs)))
    assert {rel for rel in (*ours, *theirs) if rel.startswith("ledger/")} <= after.keys()
    assert not any(line.startswith(b"<<<<<<<") for data in after.values() for line in data.splitlines())


def items(grove: Grove) -> dict[str, tuple[str, bytes]]:
    found = {id_of(data): (rel, data) for rel, data in grove.items() if rel.startswith("engrams/")}
    assert len(found) == sum(rel.startswith("engrams/") for rel in grove)
    return found


Items = dict[str, tuple[str, bytes]]


def expected_items(base: Items, ours: Items, theirs: Items) -> set[str]:
    """What both have, what is new, and what was changed by one and deleted by the other."""
    both = ours.keys() & theirs.keys()
    return both | {ident for side in (ours, theirs) for ident in side if side[ident] != base.get(ident)}


@settings(max_examples=NORMAL)
@given(st.integers(0, 2**48))
@pytest.mark.capability("G-023")
def test_trees_merge_alike_in_both_orders_and_nothing_is_lost(seed):
    check_groves(seed)


@pytest.mark.long
@settings(max_examples=LONG)
@given(st.integers(0, 2**48))
def test_very_many_trees_merge_alike_in_both_orders(seed):
    check_groves(seed)
