"""The notices of a compile about proposals that wait: those on its rules and files, and how many there are besides."""

import shutil
from datetime import timedelta

import pytest

from gitmem.answers.compile import CompileCall, compile_context
from gitmem.answers.propose import ProposeNewCall, propose_new
from gitmem.model.finding import Notice
from tests.answers.people import FILES, Person
from tests.asking import ask, compiled
from tests.conftest import MakeRepo
from tests.support import git

CODES = ("pending", "backlog", "pending-unknown")


@pytest.fixture
def ada(make_repo: MakeRepo) -> Person:
    return Person(make_repo(FILES)).named("Ada", "ada@example.org")


def told(person: Person, *files: str, is_fresh: bool = True, at: str = "") -> list[Notice]:
    call = CompileCall(files=files or ("src/app.py",), notices="fresh" if is_fresh else "", at=at)
    return [each for each in compile_context(person.session(), call).notices if each.code in CODES]


def rule(person: Person, title: str, *paths: str, **more: object) -> str:
    call = ProposeNewCall("constraint", title, path=paths, domain="api", body="So.\n", **more)  # type: ignore[arg-type]
    return str(propose_new(person.session(), call).proposal)


def test_nothing_is_said_where_nothing_waits(ada: Person) -> None:
    assert told(ada) == []


@pytest.mark.capability("R-016")
def test_a_proposal_on_a_rule_that_was_brought_in_is_named_by_its_id(ada: Person) -> None:
    id_ = ada.edit("client", "summary", "Quite another text")

    (found,) = told(ada)

    assert (found.code, id_ in found.message, found.message[:2]) == ("pending", True, "1 ")
    assert "gitmem proposals list --touches src/app.py" in found.hint
    assert "another text" not in f"{found}"


@pytest.mark.capability("R-016")
@pytest.mark.parametrize(
    ("paths", "code"),
    [(("src/**",), "pending"), (("src/*.py", "lib/**"), "pending"), (("lib/**",), "backlog"), ((), "backlog")],
)
def test_a_proposed_rule_counts_when_its_scope_matches(ada: Person, paths: tuple[str, ...], code: str) -> None:
    rule(ada, "Another", *paths)

    assert [each.code for each in told(ada)] == [code]


def test_an_exception_of_a_proposed_scope_counts(ada: Person) -> None:
    rule(ada, "Another", "src/**", excluded=("src/app.py",))

    assert [each.code for each in told(ada)] == ["backlog"]


def test_what_would_take_a_rule_out_of_the_files_touches_it(ada: Person) -> None:
    id_ = ada.edit("client", "scope.paths", "lib/**")

    assert [(each.code, id_ in each.message) for each in told(ada)] == [("pending", True)]


@pytest.mark.capability("R-016")
def test_the_rest_is_a_backlog_and_is_counted(ada: Person) -> None:
    ada.edit("client", "priority", "3")
    ada.edit("retry", "priority", "4")
    ada.edit("retry", "summary", "Another one")

    assert [(each.code, each.message[:2]) for each in told(ada)] == [("pending", "1 "), ("backlog", "2 ")]


def test_what_was_decided_waits_no_more(ada: Person) -> None:
    first, second = ada.edit("client", "priority", "3"), ada.edit("client", "priority", "4")
    before = [each.message[:2] for each in told(ada)]
    ada.approve(first)
    ada.reject(second)

    assert (before, told(ada)) == (["2 "], [])


def test_five_are_named_and_the_rest_is_counted(ada: Person) -> None:
    ids = sorted(ada.edit("client", "priority", str(at)) for at in range(1, 8))

    (found,) = told(ada)

    assert [id_ in found.message for id_ in ids] == [True] * 5 + [False] * 2
    assert "and 2 more" in found.message


def test_a_look_is_kept_for_two_seconds_and_not_longer(ada: Person) -> None:
    ada.edit("client", "priority", "3")
    told(ada)
    ada.clock = iter([100, 101, 102, 103])
    told(ada)
    ada.edit("client", "priority", "4")

    kept = told(ada, is_fresh=False)
    later = told(ada, is_fresh=False)

    assert ([each.message[:2] for each in kept], [each.message[:2] for each in later]) == (["1 "], ["2 "])


def test_a_clock_that_went_back_makes_no_look_older_than_it_is(ada: Person) -> None:
    ada.edit("client", "priority", "3")
    ada.shift = timedelta(days=3650)
    told(ada)
    ada.shift = timedelta()
    ada.edit("client", "priority", "4")

    assert [each.message[:2] for each in told(ada, is_fresh=False)] == ["2 "]


def test_packed_refs_and_a_lost_cache_change_no_answer(ada: Person) -> None:
    ada.edit("client", "priority", "3")
    rule(ada, "Another", "src/**")
    before = told(ada)
    git(ada.root, "pack-refs", "--all", "--prune")
    packed = told(ada)
    shutil.rmtree(ada.root / ".gitmem/cache")

    assert (packed, told(ada)) == (before, before)


def test_a_proposal_changes_nothing_but_the_notices(ada: Person) -> None:
    call = CompileCall(files=("src/app.py",))
    before = compile_context(ada.session(), call)
    rule(ada, "Another", "src/**")
    after = compile_context(ada.session(), call)

    assert (after.base, after.warnings, after.marks, after.receipt) == (
        before.base,
        before.warnings,
        before.marks,
        before.receipt,
    )


def test_a_ref_that_holds_no_proposal_is_no_reason_to_fail(ada: Person) -> None:
    git(ada.root, "update-ref", "refs/gitmem/proposals/01/01J6XQK5P7R2V8Y3M4N6ZH0W01", "HEAD")

    assert told(ada) == []


def test_a_budget_in_tokens_counts_these_notices_too(ada: Person) -> None:
    ada.edit("client", "priority", "3")
    small = compile_context(ada.session(), CompileCall(files=("src/app.py",), max_tokens=700, notices="fresh"))

    assert [each.code for each in small.notices] in (["more-notices"], ["pending"])


def test_over_mcp_the_hint_names_the_tool(ada: Person) -> None:
    ada.edit("client", "priority", "3")
    ada.surface = "agent"

    assert "list_proposals" in told(ada)[0].hint


def open_notes(person: Person, *words: str) -> list[str]:
    return [
        each["message"]
        for each in compiled(person.root, *words, file="src/app.py")["notices"]
        if each["code"] == "observations"
    ]


@pytest.mark.capability("R-016")
def test_observations_that_wait_are_counted_until_they_are_processed(ada: Person) -> None:
    """What was reported must not be forgotten for want of anybody who looks."""
    before = open_notes(ada)
    for at in range(3):
        ask(ada.root, "observe", "manual_note", "--note", f"Note {at} says something about tables.")
    reported = open_notes(ada)
    id_ = ask(ada.root, "observations", "list")["observations"][0]["id"]
    ask(ada.root, "observations", "archive", id_, "--reason", "known")

    assert (before, reported) == ([], ["3 observation(s) wait to be processed"])
    assert open_notes(ada) == open_notes(ada, "--notices", "fresh") == ["2 observation(s) wait to be processed"]


def test_a_count_of_observations_is_kept_for_ten_minutes(ada: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    compile_context(ada.session(), CompileCall(files=("src/app.py",)))
    monkeypatch.setattr("gitmem.answers.unprocessed.entries_with", lambda *_: pytest.fail("the journal was read"))

    compile_context(ada.session(), CompileCall(files=("src/app.py",)))
