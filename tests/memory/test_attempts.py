"""Work that did not last, as found in real histories."""

from pathlib import Path

import pytest

from gitmem.memory.attempts import attempts
from gitmem.memory.timeline import Timeline, fitting, timeline
from gitmem.model.past import FIXUP, REINSTATED, REVERT, UNDONE, Attempt, Past
from gitmem.store import gitlog
from gitmem.store.repo import discover
from tests.past import History


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "repo")


def line_of(root: Path) -> Timeline:
    repo = discover(root)
    return timeline(gitlog.read(repo, gitlog.Wanted(gitlog.heads(repo).tips)))


def found(root: Path) -> list[Attempt]:
    return attempts(line_of(root))


def short(root: Path) -> list[tuple[str, str, str, bool]]:
    return [(each.kind, each.ref, each.of, each.is_superseded) for each in found(root)]


@pytest.mark.capability("G-029")
def test_a_git_revert_names_what_it_takes_back_and_its_files(history: History) -> None:
    tried = history.commit("Cache the parser", {"src/parse.py": "cache = {}\n"})
    back = history.revert(tried, after=30)

    (attempt,) = found(history.root)

    assert (attempt.kind, attempt.ref, attempt.of, attempt.files) == (REVERT, back, tried, ("src/parse.py",))
    assert attempt.text == 'Revert "Cache the parser"'


def test_the_reason_of_a_revert_is_told(history: History) -> None:
    tried = history.commit("Cache the parser", {"src/parse.py": "cache = {}\n"})
    history.run("revert", "--no-commit", tried)
    history.commit(f'Revert "Cache the parser"\n\nThis reverts commit {tried}.\n\nIt ate all the memory.')

    assert found(history.root)[0].why == "It ate all the memory."


def test_a_revert_of_a_revert_brings_back_and_a_third_takes_back_again(history: History) -> None:
    tried = history.commit("Cache", {"a.py": "1\n"})
    first = history.revert(tried)
    second = history.revert(first)
    third = history.revert(second)

    assert short(history.root) == [
        (REVERT, first, tried, True),
        (REINSTATED, second, tried, True),
        (REVERT, third, tried, False),
    ]


@pytest.mark.parametrize(
    "message",
    [
        'Revert "Cache the parser"',
        'Revert "Cache the parser" (#12)',
        "revert: Cache the parser",
        "Drop it\n\nThis reverts commit {cut}.",
        "Drop it\n\nThis partially reverts commit {cut} since it is slow.",
        "Back to plain parsing\n\nReverts acme/parser#7",
    ],
)
def test_a_revert_is_known_by_what_it_says(history: History, message: str) -> None:
    tried = history.commit("Cache the parser (#7)", {"a.py": "1\n"})
    # More than what was tried, so that the content alone does not tell.
    back = history.commit(message.format(cut=tried[:9]), {"a.py": "2\n", "b.py": "3\n"})

    assert short(history.root) == [(REVERT, back, tried, False)]


def test_of_several_commits_of_one_subject_the_newest_is_meant(history: History) -> None:
    history.commit("Tune", {"a.py": "1\n"})
    tried = history.commit("Tune", {"a.py": "2\n"}, after=30)
    back = history.commit('Revert "Tune"', {"a.py": "3\n"}, after=30)

    assert short(history.root) == [(REVERT, back, tried, False)]


def test_a_message_that_only_speaks_of_a_revert_is_none(history: History) -> None:
    tried = history.commit("Cache", {"a.py": "1\n"})
    history.commit(f"Explain why\n\nIt was reverted in {tried[:9]} by mistake.", {"b.py": "1\n"})
    history.commit("Allow to revert an order\n\nA button reverts the order.", {"c.py": "1\n"})

    assert found(history.root) == []


def test_an_exact_inverse_is_a_revert_whatever_it_says(history: History) -> None:
    history.commit("one", {"a.py": "old\n", "b.py": "old\n"})
    tried = history.commit("Try it the new way", {"a.py": "new\n", "b.py": "new\n", "c.py": "made\n"})
    back = history.commit("Never mind", {"a.py": "old\n", "b.py": "old\n", "c.py": None}, after=100)

    assert short(history.root) == [(REVERT, back, tried, False)]


def test_a_move_and_a_move_back_is_a_revert(history: History) -> None:
    history.commit("one", {"a.py": "x\n" * 30})
    history.run("mv", "a.py", "b.py")
    tried = history.commit("Rename")
    history.run("mv", "b.py", "a.py")
    back = history.commit("Old name")

    assert short(history.root) == [(REVERT, back, tried, False)]


def test_what_is_applied_again_is_reinstated(history: History) -> None:
    tried = history.commit("Cache", {"a.py": "1\n"})
    back = history.revert(tried)
    again = history.commit("Now with care", {"a.py": "1\n"}, after=40)

    assert short(history.root) == [(REVERT, back, tried, True), (REINSTATED, again, tried, False)]


def test_the_same_revert_on_a_second_branch_is_told_once(history: History) -> None:
    tried = history.commit("Cache", {"a.py": "1\n"})
    history.run("branch", "old")
    back = history.revert(tried)
    history.checkout("old")
    history.revert(tried)

    assert short(history.root) == [(REVERT, back, tried, False)]


def test_a_revert_of_a_merge_tells_its_own_files(history: History) -> None:
    history.branch("topic")
    history.commit("Cache", {"a.py": "1\n"})
    history.checkout("main")
    merge = history.merge("topic")
    history.run("revert", "--no-edit", "-m", "1", merge)

    (attempt,) = found(history.root)

    assert (attempt.kind, attempt.of, attempt.files) == (REVERT, merge, ("a.py",))


def test_a_file_that_goes_back_within_days_is_undone(history: History) -> None:
    history.commit("one", {"a.py": "old\n"})
    tried = history.commit("Try", {"a.py": "new\n", "b.py": "other\n"})
    history.commit("More", {"a.py": "newer\n"})
    back = history.commit("Simplify", {"a.py": "old\n"}, after=3)

    (attempt,) = found(history.root)

    assert (attempt.kind, attempt.ref, attempt.of, attempt.files) == (UNDONE, back, tried, ("a.py",))


def test_a_file_that_goes_back_after_a_month_is_not(history: History) -> None:
    history.commit("one", {"a.py": "old\n"})
    history.commit("Try", {"a.py": "new\n", "b.py": "other\n"})
    history.commit("More", {"a.py": "newer\n"})
    history.commit("Simplify", {"a.py": "old\n"}, after=30)

    assert found(history.root) == []


def test_a_file_that_moves_on_is_not_undone(history: History) -> None:
    history.commit("one", {"a.py": "x = 1\n"})
    history.commit("two", {"a.py": "x = 1\ny = 2\n"})
    history.commit("Split", {"a.py": "x = 1\n", "b.py": "y = 2\n"})

    assert found(history.root) == []


def test_a_backport_is_no_way_back(history: History) -> None:
    history.commit("one", {"a.py": "1\n"})
    history.run("branch", "stable")
    history.commit("two", {"a.py": "2\n"})
    history.commit("three", {"a.py": "3\n"})
    history.checkout("stable")
    history.commit("two, for stable", {"a.py": "2\n"})

    assert found(history.root) == []


def test_repairs_on_the_same_file_within_days_are_one_chain(history: History) -> None:
    first = history.commit("Add retries", {"net.py": "1\n"})
    history.commit("Fix retries", {"net.py": "2\n"})
    last = history.commit("Really fix retries", {"net.py": "3\n"})

    (attempt,) = found(history.root)

    assert (attempt.kind, attempt.ref, attempt.of, attempt.files) == (FIXUP, last, first, ("net.py",))
    assert attempt.why.startswith("2 repairs within 2 day(s)")


@pytest.mark.parametrize("subject", ["Fix a typo", "Tell more", "Fix lint"])
def test_small_things_make_no_chain(history: History, subject: str) -> None:
    history.commit("Add retries", {"net.py": "1\n"})
    history.commit(subject, {"net.py": "2\n"})
    history.commit(subject, {"net.py": "3\n"})

    assert found(history.root) == []


def test_repairs_weeks_apart_make_no_chain(history: History) -> None:
    history.commit("Add retries", {"net.py": "1\n"})
    history.commit("Fix retries", {"net.py": "2\n"}, after=20)
    history.commit("Fix retries again", {"net.py": "3\n"}, after=20)

    assert found(history.root) == []


def test_fixup_commits_name_what_they_repair(history: History) -> None:
    first = history.commit("Add retries", {"net.py": "1\n"})
    last = history.commit("fixup! fixup! Add retries", {"net.py": "2\n"})

    assert short(history.root) == [(FIXUP, last, first, False)]


@pytest.mark.parametrize("rel", ["with\ttab.py", "line\nend.py", "r\r\nn.py", "\u00e9.py", "with space.py"])
def test_names_of_every_kind_come_through(history: History, rel: str) -> None:
    tried = history.commit("Odd", {rel: "1\n"})
    history.revert(tried)

    assert found(history.root)[0].files == (rel,)


def test_a_name_that_is_no_utf_8_comes_through(history: History) -> None:
    rel = b"\xff.py".decode("utf-8", "surrogateescape")
    tried = history.commit("Odd", {rel: "1\n"})
    history.revert(tried)

    assert found(history.root)[0].files == (rel,)


def test_a_message_cannot_pass_for_another_commit(history: History) -> None:
    forged = "0" * 40
    history.commit(f"Odd\n\n\x01\x02{forged}\x1e\n:100644 100644 {forged} {forged} M\tsecret.py", {"a.py": "1\n"})

    assert {commit.oid for commit in line_of(history.root).commits} == set(history.run("rev-list", "HEAD").split())


def test_a_clock_that_jumped_ten_years_does_not_bury_the_rest(history: History) -> None:
    history.commit("one", {"a.py": "1\n"})
    history.day += 3650
    ahead = history.commit("two", {"a.py": "2\n"}, after=0)
    history.day -= 3650
    history.commit("three", {"a.py": "3\n"})
    history.day = -3650
    behind = history.commit("four", {"a.py": "4\n"})
    history.day = 5
    history.commit("five", {"a.py": "5\n"})

    line = line_of(history.root)
    times = list(line.times)

    assert [commit.subject for commit in line.commits] == ["start", "one", "two", "three", "four", "five"]
    assert times == sorted(times)
    assert times[-1] - times[0] < 10 * 86400
    assert line.time(ahead) == line.times[3]
    assert line.time(behind) == line.times[3]


@pytest.mark.parametrize(
    ("times", "fits"),
    [
        ([], []),
        ([5], [5]),
        ([1, 2, 3], [1, 2, 3]),
        ([1, 2, 99, 3], [1, 2, 3, 3]),
        ([1, 2, 0, 3], [1, 2, 2, 3]),
        ([99, 98, 1, 2, 3], [1, 1, 1, 2, 3]),
        ([3, 3, 3], [3, 3, 3]),
        ([1, 2, 99], [1, 2, 99]),
    ],
)
def test_times_are_made_to_fit(times: list[int], fits: list[int]) -> None:
    assert fitting(times) == fits


def test_commits_without_their_parents_are_a_line_too() -> None:
    commits = [Past("b" * 40, ("a" * 40,), 0, 0, "b"), Past("c" * 40, ("b" * 40,), 0, 0, "c")]

    assert [commit.subject for commit in timeline(reversed(commits)).commits] == ["b", "c"]


def test_the_oldest_commit_of_a_shallow_clone_brings_nothing_in(history: History) -> None:
    history.commit("one", {"a.py": "1\n", "b.py": "1\n"})
    history.commit("two", {"a.py": "2\n"})
    clone = history.clone("shallow", "--depth", "1")

    (commit,) = line_of(clone).commits

    assert commit.touches == ()


def test_what_a_rebase_copied_is_told_once(history: History) -> None:
    history.branch("topic")
    tried = history.commit("Cache", {"a.py": "1\n"})
    history.revert(tried)
    history.run("branch", "before-rebase")
    history.checkout("main")
    history.commit("Meanwhile", {"b.py": "1\n"})
    history.checkout("topic")
    history.day += 1
    history.run("rebase", "--quiet", "main")

    assert len(found(history.root)) == 1
