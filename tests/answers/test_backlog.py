"""What waits for a decision, as status and overview count it."""

import pytest

from gitmem.answers.overview import OverviewCall, StatusCall, overview, status
from tests.answers.people import FILES, Person
from tests.asking import ask
from tests.conftest import MakeRepo
from tests.support import git, run_inproc


@pytest.fixture
def ada(make_repo: MakeRepo) -> Person:
    return Person(make_repo(FILES)).named("Ada", "ada@example.org")


def counted(person: Person) -> dict[str, int]:
    found = dict(status(person.session(), StatusCall()).proposals)
    assert overview(person.session(), OverviewCall()).proposals == found
    return found


def test_what_waits_is_counted_by_status_and_what_was_decided_is_not(ada: Person) -> None:
    first = ada.edit("client", "priority", "3")
    stale = ada.edit("client", "priority", "4")
    ada.edit("retry", "priority", "5")
    ada.reject(ada.edit("retry", "summary", "Short"))
    assert counted(ada) == {"total": 3, "open": 3}

    ada.approve(first)

    assert ada.status(stale) == "needs-resolution"
    assert counted(ada) == {"total": 2, "open": 1, "needs-resolution": 1}


def test_a_ref_that_holds_no_proposal_is_counted_apart(ada: Person) -> None:
    git(ada.root, "update-ref", "refs/gitmem/proposals/01/01J6XQK5P7R2V8Y3M4N6ZH0W01", "HEAD")

    assert counted(ada) == {"total": 0, "broken": 1}


def test_the_text_form_says_what_waits_and_is_silent_where_nothing_does(ada: Person) -> None:
    assert "wait" not in run_inproc(ada.root, "status").out

    ada.edit("client", "priority", "3")

    for verb in ("status", "overview"):
        assert "proposals that wait: 1 open; see gitmem proposals list" in run_inproc(ada.root, verb).out
    assert ask(ada.root, "status")["proposals"] == {"total": 1, "open": 1}
