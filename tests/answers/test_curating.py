"""Decisions that land at once on a person's word: create, update, move, the states, delete, restore; and the trash."""

from datetime import timedelta
from pathlib import Path

import pytest

from gitmem.answers.curating import (
    CreateCall,
    ItemCall,
    MoveCall,
    RestoreCall,
    TagsCall,
    UpdateCall,
    archive,
    create,
    delete,
    forget,
    move,
    restore,
    retire,
    set_tags,
    update,
)
from gitmem.answers.getting import GetCall, get
from gitmem.answers.linking import LinkCall, link
from gitmem.answers.reading import ask, read
from gitmem.answers.returning import TrashCall, trash
from gitmem.answers.search import SearchCall, search
from gitmem.errors import GitmemError, UsageError
from gitmem.index.edges import edges
from tests.answers.people import CLIENT, Person, alone
from tests.support import commit_all, engram_id

CLIENT_ID, RETRY_ID = engram_id(1), engram_id(2)


@pytest.fixture
def ada(tmp_path: Path) -> Person:
    found = alone(tmp_path / "ada")
    link(found.session(), LinkCall("client", "extends", "retry"))
    commit_all(found.root, "link")
    return found


def linked(ada: Person, item: str = CLIENT_ID) -> list[str]:
    """Kinds of the edges that the trusted knowledge has at an item."""
    return ask(read(ada.session().place), lambda known: [edge.kind for edge in edges(known, item)])[0]


def found(ada: Person, text: str) -> list[str]:
    return [hit.id for hit in search(ada.session(), SearchCall(text, expand=0)).hits]


def lives(ada: Person, item: str = CLIENT_ID) -> bool:
    return ask(read(ada.session().place), lambda known: bool(known.under(f"id:{item}")))[0]


@pytest.mark.capability("M-008")
def test_what_is_created_lands_and_the_next_call_finds_it(ada: Person) -> None:
    made = create(ada.session(), CreateCall("fact", "Tables are plural", "Each table is named in the plural.\n"))

    assert (made.verdict, made.commit, made.items) == ("new", ada.head(), (made.id,))
    assert lives(ada, made.id)
    assert found(ada, "plural tables") == [made.id]
    assert not ada.dirt()
    assert ada.show(made.proposal).status == "landed"


@pytest.mark.capability("M-040")
def test_what_is_there_is_not_created_again(ada: Person) -> None:
    before = ada.head()

    made = create(ada.session(), CreateCall("fact", "Twice", "Retry twice.\n"))

    assert (made.verdict, made.target, made.proposal, made.exit_code) == ("duplicate", RETRY_ID, "", 1)
    assert ada.head() == before


@pytest.mark.capability("M-008")
@pytest.mark.parametrize("surface", ["agent"])
def test_an_agent_decides_nothing(ada: Person, surface: str) -> None:
    ada.surface = surface
    calls = [
        lambda s: create(s, CreateCall("fact", "T", "B\n")),
        lambda s: update(s, UpdateCall("client", title="T")),
        lambda s: delete(s, ItemCall("client")),
        lambda s: restore(s, RestoreCall("client")),
        lambda s: move(s, MoveCall("client", "x")),
    ]

    for call in calls:
        with pytest.raises(UsageError, match="only proposes"):
            call(ada.session())


@pytest.mark.capability("M-041")
def test_an_update_changes_its_fields_and_refuses_what_was_not_seen(ada: Person) -> None:
    done = update(ada.session(), UpdateCall("client", summary="Over its client."))
    assert "Over its client." in ada.read(CLIENT)
    assert (done.id, done.items) == (CLIENT_ID, (CLIENT_ID,))

    with pytest.raises(GitmemError) as refused:
        update(ada.session(), UpdateCall("client", body="Mine.\n", seen="sha256:0"))

    assert refused.value.code == "stale"


def test_tags_and_place_are_decided_too(ada: Person) -> None:
    set_tags(ada.session(), TagsCall("client", ("http", "net")))
    assert "tags:\n  - http\n  - net\n" in ada.read(CLIENT)
    set_tags(ada.session(), TagsCall("client"))
    assert "tags" not in ada.read(CLIENT)

    move(ada.session(), MoveCall("client", "http/api-client"))

    assert CLIENT_ID in ada.read("engrams/http/api-client.md")
    assert linked(ada) == ["extends"]
    with pytest.raises(GitmemError) as gone:
        get(ada.session(), GetCall(("client",)))
    assert gone.value.hint == "it was moved: gitmem get api-client"


@pytest.mark.capability("M-012")
@pytest.mark.parametrize(
    ("verb", "status"), [(archive, "frozen"), (forget, "forgotten"), (retire, "deprecated")], ids=["a", "f", "r"]
)
def test_each_state_is_decided_and_taken_back(ada: Person, verb, status: str) -> None:
    """Half a character in the reason is written out, in the proposal and in its approval."""
    verb(ada.session(), ItemCall("client", "nobody needs it \ud800"))
    assert f"status: {status}" in ada.read(CLIENT)
    assert CLIENT_ID not in found(ada, "components call the api")

    restore(ada.session(), RestoreCall("client"))

    assert "status: active" in ada.read(CLIENT)


@pytest.mark.capability("M-012")
def test_delete_takes_the_file_and_its_edges_and_restore_brings_both_back(ada: Person) -> None:
    before = ada.read(CLIENT)

    gone = delete(ada.session(), ItemCall("client", "the client is gone"))

    assert "edges-removed" in [row.code for row in gone.warnings]
    assert (lives(ada), linked(ada), linked(ada, RETRY_ID)) == (False, [], [])
    assert not (ada.root / f".gitmem/{CLIENT}").exists()
    (row,) = trash(ada.session(), TrashCall()).items
    assert (row.id, row.slug, row.path, row.commit) == (CLIENT_ID, "client", f".gitmem/{CLIENT}", gone.commit)

    restore(ada.session(), RestoreCall("client"))

    assert ada.read(CLIENT) == before
    assert (linked(ada), linked(ada, RETRY_ID)) == (["extends"], ["extends"])
    assert not trash(ada.session(), TrashCall()).items


@pytest.mark.capability("M-012")
@pytest.mark.parametrize("name", [CLIENT_ID, CLIENT_ID.lower(), "client", "api/client"])
def test_what_is_gone_is_named_as_before(ada: Person, name: str) -> None:
    delete(ada.session(), ItemCall("client"))

    assert restore(ada.session(), RestoreCall(name)).id == CLIENT_ID


@pytest.mark.capability("M-012")
def test_any_commit_gives_it_back_with_the_edges_that_it_had_there(ada: Person) -> None:
    there = ada.head()
    with pytest.raises(GitmemError) as lives_here:
        restore(ada.session(), RestoreCall("client", there))
    assert lives_here.value.code == "lives"
    (ada.root / f".gitmem/{CLIENT}").unlink()
    (ada.root / ".gitmem/synapses").rename(ada.root / "elsewhere")
    commit_all(ada.root, "by hand")

    restore(ada.session(), RestoreCall("client", there))

    assert linked(ada) == ["extends"]


@pytest.mark.capability("M-012")
def test_an_edge_whose_other_end_is_gone_too_is_named_and_stays_away(ada: Person) -> None:
    delete(ada.session(), ItemCall("client"))
    delete(ada.session(), ItemCall("retry"))

    back = restore(ada.session(), RestoreCall("client"))

    assert [row.code for row in back.warnings if row.code == "synapse-end-missing"] == ["synapse-end-missing"]
    assert linked(ada) == []


@pytest.mark.capability("M-012")
def test_age_in_the_trash_comes_from_commits_and_history_is_said_to_keep_what_is_old(ada: Person) -> None:
    delete(ada.session(), ItemCall("client"))
    ada.shift = timedelta(days=400)

    found = trash(ada.session(), TrashCall())

    assert 399 <= found.items[0].days <= 401
    (notice,) = [row for row in found.warnings if row.code == "kept-by-history"]
    assert "rewriting history" in notice.hint


@pytest.mark.capability("M-012")
def test_a_file_that_is_deleted_by_hand_takes_no_edge_along(ada: Person) -> None:
    (ada.root / f".gitmem/{CLIENT}").unlink()
    commit_all(ada.root, "by hand")

    assert linked(ada, RETRY_ID) == ["extends"]
    assert [path.suffix for path in (ada.root / ".gitmem/synapses").rglob("*.yaml")] == [".yaml"]
    restore(ada.session(), RestoreCall("client"))
    assert linked(ada) == ["extends"]
