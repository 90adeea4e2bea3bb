"""One document as a proposal: from a file or from words, once and again, and nothing from outside of the repository."""

from typing import Any

import pytest

from gitmem.answers.opening import Proposed
from gitmem.answers.session import Session
from gitmem.errors import GitmemError, UsageError
from gitmem.exchange.document import DocumentCall, propose_document
from tests.answers.people import CLIENT, FILES, Person
from tests.conftest import MakeRepo
from tests.support import commit_all, git, run_inproc, write_tree

pytestmark = pytest.mark.capability("R-041")

STYLE = "docs/style.md"
TEXT = "# Style\n\nUse short words.\n"


@pytest.fixture
def ada(make_repo: MakeRepo) -> Person:
    return Person(make_repo(FILES | {STYLE: TEXT}), surface="admin").named("Ada", "ada@example.org")


def offered(person: Person, **call: Any) -> Proposed:
    return propose_document(person.session(), DocumentCall(**call))


def landed(person: Person, **call: Any) -> str:
    """Proposes and approves; returns the path below ``.gitmem``."""
    id_ = str(offered(person, **call).proposal)
    person.approve(id_)
    return person.show(id_).items[0].path.removeprefix(".gitmem/")


def test_a_file_becomes_a_proposal_with_all_that_is_said_about_it(ada: Person) -> None:
    before = (ada.head(), ada.dirt())

    done = offered(
        ada,
        file=STYLE,
        item="docs/house-style",
        kind="guideline",
        title="House style",
        tags=("prose",),
        paths=("docs/**",),
        excluded=("docs/old/**",),
        layers=("ui",),
        requires=("client",),
        rationale="it is asked for in every review",
    )

    assert (ada.head(), ada.dirt()) == before
    text = ada.read("engrams/docs/house-style.md", ada.tip(str(done.proposal)))
    for part in (
        "kind: guideline",
        "title: House style",
        "- prose",
        "docs/**",
        "docs/old/**",
        "- ui",
        "status: active",
    ):
        assert part in text
    assert f"path: {STYLE}" in text
    assert "Use short words." in text
    shown = ada.show(str(done.proposal))
    assert (shown.title, shown.rationale) == (f"Import {STYLE}", "it is asked for in every review")


def test_the_same_again_changes_nothing_and_another_text_is_the_difference(ada: Person) -> None:
    rel = landed(ada, file=STYLE, paths=("docs/**", "src/**"))
    with pytest.raises(UsageError, match="nothing would change"):
        offered(ada, file=STYLE, paths=("docs/**", "src/**"))

    write_tree(ada.root, {STYLE: TEXT + "Say it once.\n"})
    assert landed(ada, file=STYLE, paths=("docs/**",)) == rel

    text = ada.read(rel)
    assert "Say it once." in text
    assert "src/**" not in text
    assert "docs/**" in text


def test_hints_that_are_not_given_leave_what_is_there(ada: Person) -> None:
    rel = landed(ada, file=STYLE, title="House style", paths=("docs/**",), tags=("prose",))
    write_tree(ada.root, {STYLE: TEXT + "Say it once.\n"})
    landed(ada, file=STYLE)

    text = ada.read(rel)
    assert [part in text for part in ("House style", "docs/**", "- prose", "Say it once.")] == [True] * 4


def test_edges_do_not_pile_up_when_a_document_comes_again(ada: Person) -> None:
    landed(ada, file=STYLE, links=("similar_to:client",))
    edges = git(ada.root, "ls-files", ".gitmem/synapses").splitlines()
    write_tree(ada.root, {STYLE: TEXT + "Say it once.\n"})

    landed(ada, file=STYLE, links=("similar_to:client", "extends:retry"))

    again = git(ada.root, "ls-files", ".gitmem/synapses").splitlines()
    assert (len(edges), len(again)) == (1, 2)


def test_a_text_without_a_file_is_known_again_by_its_name(ada: Person) -> None:
    rel = landed(ada, content="# Retries\n\nTwice, then stop.\n", item="net/retries", kind="constraint")
    landed(ada, content="# Retries\n\nThree times, then stop.\n", item="retries")

    assert rel == "engrams/net/retries.md"
    assert "Three times" in ada.read(rel)
    assert "x-origin" not in ada.read(rel)


def test_an_engram_that_is_there_takes_the_text(ada: Person) -> None:
    landed(ada, content="Call it through the client, always.\n", item="client", title="Call the client")

    text = ada.read(CLIENT)
    assert "always" in text
    assert "title: Call the client" in text


def test_what_waits_gets_a_patch_set_and_the_same_text_is_told_apart(ada: Person) -> None:
    first = offered(ada, file=STYLE)
    same = offered(ada, file=STYLE)
    write_tree(ada.root, {STYLE: TEXT + "Say it once.\n"})
    second = offered(ada, file=STYLE)

    assert (same.proposal, same.verdict, same.target) == (None, "duplicate", first.proposal)
    assert second.proposal == first.proposal
    assert second.patchset != first.patchset
    assert len(ada.statuses("open")) == 1


def test_an_edit_by_hand_is_said_before_it_is_replaced(ada: Person) -> None:
    rel = landed(ada, file=STYLE)
    write_tree(ada.root, {f".gitmem/{rel}": ada.read(rel).replace("short", "plain"), STYLE: TEXT + "More.\n"})
    commit_all(ada.root, "by hand")

    assert "overwrites" in [notice.code for notice in offered(ada, file=STYLE).warnings]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("../outside.md", "unsafe-path"),
        ("docs/../../outside.md", "unsafe-path"),
        ("/etc/hostname", "unsafe-path"),
        ("C:/x.md", "unsafe-path"),
        ("~/x.md", "unsafe-path"),
        (".git/config", "unsafe-path"),
        (".gitmem/config.yaml", "not-found"),
        ("docs/none.md", "not-found"),
        ("ignored/secret.md", "not-found"),
        ("link.md", "link-in-path"),
        ("docs", "usage"),
    ],
)
def test_only_a_file_of_the_repository_is_read(ada: Person, name: str, code: str) -> None:
    write_tree(ada.root.parent, {"outside.md": TEXT})
    write_tree(ada.root, {".gitignore": "ignored/\n", "ignored/secret.md": TEXT, "docs/other.md": TEXT})
    (ada.root / "link.md").symlink_to("../outside.md")

    with pytest.raises(GitmemError) as raised:
        offered(ada, file=name)

    assert raised.value.code == code
    assert ada.statuses() == {}


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ({}, "give the document"),
        ({"file": STYLE, "content": "x"}, "give the document"),
        ({"content": "No heading.\n"}, "needs a title"),
        ({"file": STYLE, "kind": "rule"}, "unknown kind"),
        ({"file": STYLE, "links": ("client",)}, "not a link"),
        ({"file": STYLE, "links": ("likes:client",)}, "kind"),
        ({"file": STYLE, "requires": ("nobody",)}, "no item"),
        ({"file": STYLE, "item": "api/client/x y"}, "not a slug"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_anything_is_opened(
    ada: Person, call: dict[str, Any], said: str
) -> None:
    with pytest.raises(GitmemError, match=said):
        offered(ada, **call)
    assert ada.statuses() == {}


def test_an_agent_has_no_such_tool_and_the_function_behind_it_asks_again(ada: Person) -> None:
    with pytest.raises(UsageError, match="an agent only proposes"):
        propose_document(Session(ada.root, ada.session().now, "agent"), DocumentCall(file=STYLE))


def test_the_command_line_takes_the_text_from_a_pipe(ada: Person) -> None:
    ran = run_inproc(ada.root, "propose", "document", "--text", "-", "--item", "net/retries", stdin="# R\n\nTwice.\n")

    assert ran.code == 0, ran.err
    assert ran.out.startswith("proposed ")
