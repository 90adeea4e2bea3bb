"""Documents that engrams mirror: drift, renames, loss, and proposals of a machine that are the same everywhere."""

import json
from pathlib import Path

import pytest

from gitmem.answers.session import Session
from gitmem.answers.sourcing import Drift, SyncedSources, SyncSourcesCall, sync_sources
from gitmem.errors import GitmemError, UsageError
from gitmem.text import regions
from gitmem.text.spans import digest
from tests.answers.decided import checked
from tests.answers.people import FILES, Crew, Person, crew
from tests.conftest import MakeRepo
from tests.support import engram_id, engram_text, run_inproc, write_tree

pytestmark = pytest.mark.capability("R-045")

DOC = "docs/api.md"
GUIDE = """# API

Intro.

## The \u00e9tag

Send it back.

```sh
# not a heading
```

### Why

So that edits meet.

## Same

First.

## Same

Second.
"""
ITEM = "engrams/api/etag.md"
ANCHOR = "the-\u00e9tag"


def mirror(text: str = GUIDE, *, anchor: str = ANCHOR, lines: str = "", body: str = "", **over: str) -> str:
    """An engram whose body is a region of ``text``, with its hash."""
    found = regions.region(text, anchor, lines)
    assert found is not None
    parts = {"path": DOC, "anchor": anchor, "lines": lines, "hash": digest(found.text)} | over
    source = {name: value for name, value in parts.items() if value}
    return engram_text(id=engram_id(3), title="Send the tag", body=body or f"{found.text}\n", source=source)


def person(make_repo: MakeRepo, engram: str, text: str | bytes = GUIDE) -> Person:
    files = FILES | {DOC: text, f".gitmem/{ITEM}": engram}
    return Person(make_repo(files)).named("Ada", "ada@example.org")


@pytest.fixture
def ada(make_repo: MakeRepo) -> Person:
    return person(make_repo, mirror())


def synced(who: Person, *items: str, **more: bool) -> SyncedSources:
    return sync_sources(who.session(), SyncSourcesCall(items, **more))


def only(done: SyncedSources) -> Drift:
    assert len(done.drifted) == 1, done
    return done.drifted[0]


def changed(who: Person, old: str, new: str) -> None:
    text = (who.root / DOC).read_text(encoding="utf-8")
    assert old in text
    who.write({DOC: text.replace(old, new)})


def test_nothing_is_proposed_while_the_source_is_as_it_was(ada: Person) -> None:
    done = synced(ada)

    assert (done.unchanged, done.drifted, done.proposed, done.errors) == (1, (), (), ())


def test_an_edit_of_the_section_is_one_proposal_with_the_new_text_and_its_hash(ada: Person) -> None:
    changed(ada, "So that edits meet.", "So that edits never meet.")
    before = (ada.head(), ada.dirt())

    done = synced(ada)

    row = only(done)
    assert (row.state, row.outcome, row.path, row.anchor, row.edited) == ("drifted", "proposed", DOC, ANCHOR, False)
    assert done.proposed == (row.proposal,)
    text = ada.read(ITEM, ada.tip(row.proposal))
    assert "never meet" in text
    assert "Intro" not in text
    assert "## Same" not in text
    assert (ada.head(), ada.dirt()) == before
    ada.approve(row.proposal)
    assert synced(ada).unchanged == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("Intro.", "Another intro.", id="above the section"),
        pytest.param("First.", "The first.", id="below it"),
        pytest.param("\n", "\r\n", id="line ends"),
        pytest.param("Send it back.", "Send it back.  ", id="blanks at the end of a line"),
    ],
)
def test_what_is_not_in_the_region_is_no_drift(ada: Person, old: str, new: str) -> None:
    text = GUIDE.replace(old, new)
    ada.write({DOC: text.encode()})

    assert synced(ada).drifted == ()


def test_the_second_of_two_headings_is_told_from_the_first(make_repo: MakeRepo) -> None:
    ada = person(make_repo, mirror(anchor="same-1"))
    changed(ada, "First.", "The first.")
    assert synced(ada).unchanged == 1

    changed(ada, "Second.", "The second.")

    assert "The second." in ada.read(ITEM, ada.tip(only(synced(ada)).proposal))


def test_a_whole_file_is_mirrored_without_its_header(make_repo: MakeRepo) -> None:
    ada = person(make_repo, mirror(anchor=""), "---\ntitle: x\n---\n" + GUIDE)
    assert synced(ada).unchanged == 1
    changed(ada, "title: x", "title: y")
    assert synced(ada).unchanged == 1

    changed(ada, "Intro.", "A new intro.")

    text = ada.read(ITEM, ada.tip(only(synced(ada)).proposal))
    assert "A new intro." in text
    assert "title: y" not in text


def test_a_file_with_carriage_returns_is_mirrored_like_any_other(make_repo: MakeRepo) -> None:
    ada = person(make_repo, mirror(), GUIDE.replace("\n", "\r\n").encode())
    assert synced(ada).unchanged == 1

    ada.write({DOC: GUIDE.replace("edits meet", "edits part").replace("\n", "\r\n").encode()})

    text = ada.read(ITEM, ada.tip(only(synced(ada)).proposal))
    assert "edits part" in text
    assert "\r" not in text


def test_lines_that_only_moved_are_named_anew_and_the_body_stays(make_repo: MakeRepo) -> None:
    ada = person(make_repo, mirror(anchor="", lines="5-7"))
    changed(ada, "Intro.", "Intro.\n\nMore of it.")

    row = only(synced(ada))

    assert (row.state, row.now) == ("moved", f"{DOC}:7-9")
    text = ada.read(ITEM, ada.tip(row.proposal))
    assert 'lines: "7-9"' in text
    ada.approve(row.proposal)
    assert synced(ada).unchanged == 1


def test_lines_that_changed_drift(make_repo: MakeRepo) -> None:
    ada = person(make_repo, mirror(anchor="", lines="5-7"))
    changed(ada, "Send it back.", "Send it twice.")

    row = only(synced(ada))

    assert row.state == "drifted"
    assert "Send it twice." in ada.read(ITEM, ada.tip(row.proposal))


def test_a_source_that_was_renamed_gets_its_new_path_and_no_new_body(ada: Person) -> None:
    ada.git("mv", DOC, "docs/http.md")
    ada.write({})
    ada.git("mv", "docs", "manual")
    ada.write({})

    row = only(synced(ada))

    assert (row.state, row.now) == ("moved", f"manual/http.md#{ANCHOR}")
    before, after = ada.read(ITEM), ada.read(ITEM, ada.tip(row.proposal))
    assert after == before.replace(DOC, "manual/http.md")


def test_a_source_that_was_renamed_and_edited_gets_both(ada: Person) -> None:
    ada.git("mv", DOC, "docs/http.md")
    ada.write({"docs/http.md": GUIDE.replace("edits meet", "edits part")})

    row = only(synced(ada))

    assert row.state == "drifted"
    text = ada.read(ITEM, ada.tip(row.proposal))
    assert "edits part" in text
    assert "docs/http.md" in text


def test_a_heading_that_counts_differently_now_is_found_by_its_text(make_repo: MakeRepo) -> None:
    ada = person(make_repo, mirror(anchor="same"))
    changed(ada, "Intro.\n", "Intro.\n\n# Top\n\n## Same\n\nZeroth.\n")
    changed(ada, "# Top", "Top")

    done = synced(ada)

    # The first of its name is another section now, and what was mirrored is the second.
    assert only(done).state in ("drifted", "moved")


def test_a_lost_file_proposes_to_retire_what_was_its_words(ada: Person) -> None:
    (ada.root / DOC).unlink()
    ada.write({})

    row = only(synced(ada))

    assert (row.state, row.outcome) == ("gone", "proposed")
    assert ada.show(row.proposal).title == "Retire: Send the tag"
    assert "status: deprecated" in ada.read(ITEM, ada.tip(row.proposal))


def test_a_lost_file_leaves_alone_what_somebody_wrote_since(make_repo: MakeRepo) -> None:
    ada = person(make_repo, mirror(body="In our own words.\n"))
    (ada.root / DOC).unlink()
    ada.write({})

    done = synced(ada)

    assert done.drifted == ()
    assert [(each.code, "retire" in each.hint) for each in done.errors] == [("source-gone", True)]


def test_a_lost_heading_is_for_a_person_and_the_nearest_one_is_named(ada: Person) -> None:
    changed(ada, "## The \u00e9tag", "## The \u00e9tags")

    done = synced(ada)

    assert (done.drifted, done.proposed) == ((), ())
    assert done.errors[0].code == "source-gone"
    assert "source.anchor the-\u00e9tags" in done.errors[0].hint


def test_a_source_that_is_empty_is_for_a_person(make_repo: MakeRepo) -> None:
    ada = person(make_repo, mirror(anchor=""))
    ada.write({DOC: "\n\n"})

    done = synced(ada)

    assert (done.proposed, [each.code for each in done.errors]) == ((), ["source-gone"])
    assert "is empty" in done.errors[0].message


def test_a_body_that_was_edited_by_hand_is_replaced_only_with_a_word(make_repo: MakeRepo) -> None:
    ada = person(make_repo, mirror(body="In our own words.\n"))
    assert synced(ada).drifted == ()
    changed(ada, "edits meet", "edits part")

    done = synced(ada)

    assert only(done).edited
    assert "overwrites" in [notice.code for notice in done.warnings]


def test_a_body_that_says_it_already_gets_the_hash_alone(make_repo: MakeRepo) -> None:
    new = GUIDE.replace("edits meet", "edits part")
    ahead = regions.region(new, ANCHOR)
    assert ahead is not None
    ada = person(make_repo, mirror(body=f"{ahead.text}\n"))
    ada.write({DOC: new})

    done = synced(ada)

    assert not only(done).edited
    assert "overwrites" not in [notice.code for notice in done.warnings]
    assert ada.read(ITEM).partition("---\n#")[2] == ada.read(ITEM, ada.tip(done.proposed[0])).partition("---\n#")[2]


def test_a_dry_run_shows_it_and_writes_nothing(ada: Person) -> None:
    changed(ada, "edits meet", "edits part")
    before = ada.git("for-each-ref")

    done = synced(ada, dry_run=True)

    assert (only(done).outcome, done.proposed, done.dry_run) == ("", (), True)
    assert ada.git("for-each-ref") == before


def test_twice_is_once(ada: Person) -> None:
    changed(ada, "edits meet", "edits part")
    first = synced(ada)
    before = ada.git("for-each-ref")

    again = synced(ada)

    assert (only(again).outcome, only(again).proposal) == ("waits", first.proposed[0])
    assert (again.proposed, ada.git("for-each-ref")) == ((), before)


def test_what_was_declined_stays_so_until_the_source_changes_again(ada: Person) -> None:
    changed(ada, "edits meet", "edits part")
    first = synced(ada).proposed[0]
    ada.reject(first)
    assert (only(synced(ada)).outcome, synced(ada).proposed) == ("dismissed", ())

    changed(ada, "edits part", "edits meet twice")

    assert only(synced(ada)).outcome == "proposed"


def test_a_further_change_replaces_the_proposal_that_waits(ada: Person) -> None:
    changed(ada, "edits meet", "edits part")
    first = synced(ada).proposed[0]
    changed(ada, "edits part", "edits meet twice")

    done = synced(ada)

    assert done.closed == (first,)
    assert first not in {notice.place for notice in done.warnings}
    assert ada.status(first) == "superseded"
    assert ada.status(done.proposed[0]) == "open"


def test_a_source_that_is_as_it_was_needs_no_proposal_any_more(ada: Person) -> None:
    changed(ada, "edits meet", "edits part")
    first = synced(ada).proposed[0]
    changed(ada, "edits part", "edits meet")

    done = synced(ada)

    assert (done.unchanged, done.closed) == (1, (first,))
    assert ada.status(first) == "withdrawn"
    changed(ada, "edits meet", "edits part")
    assert only(synced(ada)).outcome == "proposed"


def test_what_landed_and_is_needed_again_is_proposed_again(ada: Person) -> None:
    for old, new in (("edits meet", "edits part"), ("edits part", "edits meet"), ("edits meet", "edits part")):
        changed(ada, old, new)
        done = synced(ada)
        assert only(done).outcome == "proposed"
        ada.approve(done.proposed[0])

    assert synced(ada).unchanged == 1


def test_two_clones_make_the_same_proposal_and_a_dismissal_holds_for_both(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {DOC: GUIDE, f".gitmem/{ITEM}": mirror()}
    team: Crew = crew(tmp_path / "team", ("ada", "bob"), files)
    ada, bob = team.person("ada"), team.person("bob")
    changed(ada, "edits meet", "edits part")
    ada.git("push", "--quiet", "origin", "main")
    bob.git("pull", "--quiet")

    mine, theirs = synced(ada).proposed[0], synced(bob).proposed[0]

    assert (mine, ada.tip(mine)) == (theirs, bob.tip(theirs))
    ada.reject(mine, "we keep our words")
    ada.sync()
    bob.sync()
    assert only(synced(bob)).outcome == "dismissed"


def test_the_source_is_read_where_the_knowledge_is_trusted(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {DOC: GUIDE, f".gitmem/{ITEM}": mirror()}
    ada = crew(tmp_path / "team", ("ada",), files).person("ada")
    ada.git("checkout", "--quiet", "-b", "side")

    changed(ada, "edits meet", "edits part")

    assert synced(ada).unchanged == 1


def test_a_source_without_a_hash_is_taken_only_by_name(make_repo: MakeRepo) -> None:
    source = f"source: {DOC}\n"
    engram = engram_text(id=engram_id(3), title="Send the tag", body="In short.\n").replace("tags:", f"{source}tags:")
    ada = person(make_repo, engram)
    assert (synced(ada).unpinned, synced(ada).drifted) == (1, ())

    row = only(synced(ada, "etag"))

    assert (row.state, row.edited) == ("unpinned", True)
    text = ada.read(ITEM, ada.tip(row.proposal))
    assert f"path: {DOC}" in text
    assert "hash: t1:" in text.replace('"', "")
    ada.approve(row.proposal)
    assert synced(ada).unchanged == 1


@pytest.mark.parametrize(
    ("over", "code"),
    [
        pytest.param({"path": "../outside.md"}, "bad-source", id="outside"),
        pytest.param({"path": "/etc/hosts"}, "bad-source", id="absolute"),
        pytest.param({"hash": "t1:short"}, "bad-source", id="no hash of ours"),
        pytest.param({"lines": "9-2"}, "bad-source", id="no range"),
        pytest.param({"lines": "1-2"}, "bad-source", id="anchor and lines"),
        pytest.param({"path": "docs"}, "unreadable-source", id="a folder"),
        pytest.param({"path": "docs/photo.png"}, "unreadable-source", id="no text"),
        pytest.param({"path": "docs/link.md"}, "unreadable-source", id="a link"),
    ],
)
def test_a_source_that_cannot_be_judged_is_named_and_stops_no_other(
    make_repo: MakeRepo, over: dict[str, str], code: str
) -> None:
    ada = person(make_repo, mirror(**over))
    (ada.root / "docs/link.md").symlink_to("api.md")
    second = mirror().replace(engram_id(3), engram_id(4))
    ada.write({"docs/photo.png": b"\x89PNG\0", ".gitmem/engrams/api/other.md": second})
    changed(ada, "edits meet", "edits part")

    done = synced(ada)

    assert [each.code for each in done.errors] == [code]
    assert only(done).item == engram_id(4)


def test_a_secret_in_the_source_is_not_proposed(ada: Person) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    changed(ada, "edits meet", f"token {token}")

    done = synced(ada)

    assert [each.code for each in done.errors] == ["secret"]
    assert token not in done.errors[0].message


def test_a_retired_or_frozen_engram_is_left_alone(make_repo: MakeRepo) -> None:
    ada = person(make_repo, mirror().replace("tags:", "status: frozen\ntags:"))
    changed(ada, "edits meet", "edits part")

    assert (synced(ada).drifted, synced(ada).unchanged) == ((), 0)


def test_an_item_without_a_source_is_refused_by_name(ada: Person) -> None:
    with pytest.raises(UsageError, match="client mirrors no source"):
        synced(ada, "client")


@pytest.mark.parametrize(("files", "code"), [({}, "no-commits"), ({DOC: GUIDE}, "not-initialised")])
def test_where_there_is_no_knowledge_there_is_nothing_to_do(
    make_repo: MakeRepo, files: dict[str, str], code: str
) -> None:
    done = synced(Person(make_repo(files)))

    assert (done.drifted, done.errors, [notice.code for notice in done.warnings]) == ((), (), [code])


def test_an_agent_does_not_sync_sources(ada: Person) -> None:
    with pytest.raises(GitmemError, match="decides"):
        sync_sources(Session(ada.root, ada.session().now, "agent"), SyncSourcesCall())


def test_a_rename_in_the_work_tree_alone_is_not_seen(ada: Person) -> None:
    write_tree(ada.root, {DOC: GUIDE.replace("edits meet", "edits part")})

    assert synced(ada).unchanged == 1


def stale(who: Person) -> list[tuple[str, str, str]]:
    rows = checked(who.root)["findings"]
    return [(row["code"], row["message"], row["hint"]) for row in rows if "source" in row["code"]]


def test_check_warns_of_a_stale_source_with_the_way_out(ada: Person) -> None:
    assert stale(ada) == []
    changed(ada, "edits meet", "edits part")

    ((code, message, hint),) = stale(ada)

    assert (code, hint) == ("stale-source", "look at the update: gitmem sync-sources etag --dry-run")
    assert f"{DOC}#{ANCHOR} has changed" in message
    (row,) = (row for row in checked(ada.root)["findings"] if row["code"] == "stale-source")
    assert (row["severity"], row["path"]) == ("warning", f".gitmem/{ITEM}")
    assert ada.read(ITEM).split("\n")[row["line"] - 1] == "source:"


def test_check_names_where_a_source_went_and_one_that_is_gone(ada: Person) -> None:
    ada.git("mv", DOC, "docs/http.md")
    ada.write({})
    assert "is docs/http.md#" in stale(ada)[0][1]

    (ada.root / "docs/http.md").unlink()
    ada.write({})

    assert "is not there any more" in stale(ada)[0][1]
    assert "gitmem propose retire etag" in stale(ada)[0][2]


def test_check_names_a_source_that_nobody_can_judge(make_repo: MakeRepo) -> None:
    ada = person(make_repo, mirror(hash="md5:1"))

    assert [row[0] for row in stale(ada)] == ["bad-source"]


def test_every_path_of_the_command_line_tells_the_same(ada: Person) -> None:
    changed(ada, "edits meet", "edits part")

    ran = run_inproc(ada.root, "sync-sources", "--json")

    answer = json.loads(ran.out)
    assert (ran.code, answer["drifted"][0]["state"], answer["unchanged"], answer["errors"]) == (0, "drifted", 0, [])
    text = run_inproc(ada.root, "sync-sources").out
    assert f"etag: drifted from {DOC}#{ANCHOR}; waits {answer['proposed'][0]}" in text
