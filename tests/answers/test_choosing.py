"""What becomes of a reported rule that contradicts one in force: a choice that is made once and kept."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitmem.answers.choosing import ResolveCall
from gitmem.answers.observe import ObserveCall, observe
from gitmem.answers.session import Session
from gitmem.errors import GitmemError, UsageError
from gitmem.exchange.observed import resolve
from tests.answers.test_triaging import approved, refs, states, worked
from tests.asking import ask, compiled, knowledge, refused, rule, slugs
from tests.conftest import MakeRepo

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
TABS = "indent-with-tabs"
NOTE = "Indent code with spaces."


@pytest.fixture
def root(make_repo: MakeRepo) -> Path:
    return make_repo(knowledge(rule(TABS, 1, "src/**", body="Indent code with tabs.\n")) | {"src/a.py": "1\n"})


def noted(root: Path, note: str = NOTE) -> str:
    found = observe(Session(root, NOW), ObserveCall("manual_note", note=note))
    assert [row.slug for row in found.conflicts or ()] == [TABS]
    return found.observation


@pytest.mark.capability("R-037")
def test_what_collides_waits_for_a_choice(root: Path) -> None:
    id_ = noted(root)

    answer = worked(root)

    assert (answer["proposed"], answer["coverage"]["waiting"]) == ([], 1)
    assert f"collides with {TABS}" in answer["skipped"][0]["reason"]
    assert states(root) == {id_: "open"}


@pytest.mark.capability("R-037")
def test_replacing_is_one_bundle_with_the_edge_that_says_so(root: Path) -> None:
    id_ = noted(root)

    answer = ask(root, "observations", "resolve", id_, "replace", "--item", TABS)

    shown = ask(root, "proposals", "show", answer["bundle"])
    assert [row["kind"] for row in shown["members"]] == ["new", "retire", "link"]
    assert (states(root), worked(root)["proposed"]) == ({id_: "analysed"}, [])
    approved(root, *answer["proposals"])
    old = ask(root, "get", TABS, "--tier", "synapses")["items"][0]
    new = ask(root, "get", "indent-code-with-spaces")["items"][0]
    assert old["status"] == "superseded"
    assert [(edge["from"], edge["kind"]) for edge in old["synapses"]] == [(new["id"], "supersedes")]
    assert TABS not in slugs(compiled(root, file="src/a.py"))


@pytest.mark.capability("R-037")
def test_keeping_both_is_asked_once(root: Path) -> None:
    id_ = noted(root)

    ask(root, "observations", "resolve", id_, "keep-both")
    again = observe(Session(root, NOW), ObserveCall("manual_note", note=f"  {NOTE.upper()} "))
    other = observe(Session(root, NOW), ObserveCall("manual_note", note="Indent code with spaces, always."))

    assert again.conflicts is None
    assert [row.slug for row in other.conflicts or ()] == [TABS]
    assert worked(root, id_)["coverage"]["proposed"] == 1
    assert ask(root, "observations", "show", id_)["choices"] == {ask(root, "get", TABS)["items"][0]["id"]: "keep-both"}


@pytest.mark.capability("R-037")
def test_cancelling_puts_the_report_away(root: Path) -> None:
    id_ = noted(root)
    before = refs(root)

    answer = ask(root, "observations", "resolve", id_, "cancel")

    assert (answer["state"], states(root)) == ("archived", {id_: "archived"})
    assert (refs(root), worked(root)["proposed"]) == (before, [])
    assert "archived" in refused(root, "observations", "resolve", id_, "replace", code=2)["message"]


def test_a_correction_that_collides_replaces_too(root: Path, make_repo: MakeRepo) -> None:
    more = knowledge(
        rule(TABS, 1, "src/**", body="Indent code with tabs.\n"), rule("style", 2, "src/**", body="Be brief.\n")
    )
    both = make_repo(more, name="both")
    call = ObserveCall("review_correction", target_doc_id="style", proposed_content=f"{NOTE}\n", review_comment="x")
    found = observe(Session(both, NOW), call)

    answer = ask(both, "observations", "resolve", found.observation, "replace")

    assert [row.slug for row in found.conflicts or ()] == [TABS]
    shown = ask(both, "proposals", "show", answer["bundle"])
    assert [row["kind"] for row in shown["members"]] == ["update", "retire", "link"]


@pytest.mark.parametrize(
    ("choice", "items", "says"),
    [
        ("maybe", (), "unknown choice 'maybe'"),
        ("replace", ("nope",), "it does not collide with 'nope'"),
    ],
)
def test_what_cannot_be_chosen_is_refused(root: Path, choice: str, items: tuple[str, ...], says: str) -> None:
    id_ = noted(root)

    with pytest.raises(UsageError, match=says):
        resolve(Session(root, NOW), ResolveCall(id_, choice, items))
    assert states(root) == {id_: "open"}


def test_what_collides_with_nothing_has_no_choice(root: Path) -> None:
    id_ = observe(Session(root, NOW), ObserveCall("manual_note", note="Tables have plural names.")).observation

    with pytest.raises(UsageError, match="collides with nothing"):
        resolve(Session(root, NOW), ResolveCall(id_, "keep-both"))


def test_an_agent_does_not_choose(root: Path) -> None:
    id_ = noted(root)

    with pytest.raises(GitmemError) as caught:
        resolve(Session(root, NOW, surface="agent"), ResolveCall(id_, "keep-both"))
    assert caught.value.code == "not-on-surface"
