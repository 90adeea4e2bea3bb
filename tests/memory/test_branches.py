"""Which branches count as given up: those whose work never came in, in whatever form."""

from pathlib import Path

import pytest

from gitmem.memory.branches import Landed, abandoned
from gitmem.memory.timeline import timeline
from gitmem.model.past import Attempt
from gitmem.store import gitlog
from gitmem.store.repo import discover
from tests.past import DAY_ONE, History
from tests.support import git

OLD = "".join(f"line {number}\n" for number in range(30))
TOP = OLD.replace("line 2\n", "line two\n")
END = OLD.replace("line 28\n", "line twenty-eight\n")
BOTH = TOP.replace("line 28\n", "line twenty-eight\n")


@pytest.fixture
def history(tmp_path: Path) -> History:
    history = History(tmp_path / "repo")
    history.commit("old", {"a.py": OLD, "b.py": OLD})
    return history


def left(root: Path, main: str = "main") -> list[Attempt]:
    repo = discover(root)
    heads = gitlog.heads(repo)
    line = timeline(gitlog.read(repo, gitlog.Wanted(heads.tips)))
    tips = [branch.tip for branch in heads.branches if branch.name == f"refs/heads/{main}"]
    landed = Landed(frozenset(line.reach(tips)), frozenset(line.reach(heads.tagged)), heads.here)
    return abandoned(line, heads.branches, landed, lambda keys: gitlog.patches(repo, keys))


def names(root: Path) -> list[str]:
    return [each.ref for each in left(root)]


def topic(history: History, *texts: str) -> None:
    """A branch of one commit for each text of a.py; back on main afterwards."""
    history.branch("topic")
    for number, text in enumerate(texts):
        history.commit(f"Topic {number}", {"a.py": text})
    history.checkout("main")


@pytest.mark.capability("G-029")
def test_a_branch_that_never_came_in_is_told_with_its_files(history: History) -> None:
    topic(history, TOP, BOTH)
    tip = history.run("rev-parse", "topic").strip()
    history.commit("Meanwhile", {"b.py": TOP})

    (attempt,) = left(history.root)

    assert (attempt.ref, attempt.of, attempt.files) == ("topic", tip, ("a.py",))
    assert attempt.why == "2 commit(s) that never came in"


def test_a_merged_branch_is_not(history: History) -> None:
    topic(history, TOP)
    history.merge("topic")

    assert names(history.root) == []


def test_a_squash_merged_branch_is_not(history: History) -> None:
    topic(history, TOP, BOTH)
    history.squash("topic", "All of topic (#7)")

    assert names(history.root) == []


def test_a_squash_merged_branch_is_not_when_main_had_changed_the_file(history: History) -> None:
    topic(history, TOP)
    history.commit("Meanwhile", {"a.py": END})
    history.squash("topic", "Under another name")
    history.commit("Later", {"a.py": OLD + "more\n"})

    assert names(history.root) == []


def test_a_squash_merged_branch_that_was_reviewed_further_is_known_by_its_name(history: History) -> None:
    topic(history, TOP)
    history.commit("Topic 0 (#7)", {"a.py": TOP + "and a test\n"})

    assert names(history.root) == []


def test_a_rebased_branch_is_not(history: History) -> None:
    topic(history, TOP, BOTH)
    history.commit("Meanwhile", {"b.py": TOP})
    history.run("cherry-pick", "topic~1", "topic")

    assert names(history.root) == []


def test_a_part_that_came_in_does_not_make_the_rest_come_in(history: History) -> None:
    history.branch("topic")
    history.commit("One", {"a.py": TOP})
    history.commit("Two", {"b.py": TOP, "c.py": "c\n", "d.py": "d\n"})
    history.checkout("main")
    history.run("cherry-pick", "topic~1")

    assert names(history.root) == ["topic"]


def test_a_released_line_is_not(history: History) -> None:
    topic(history, TOP)
    history.run("tag", "--annotate", "--message", "1.0", "v1.0", "topic")
    history.commit("Meanwhile", {"b.py": TOP})

    assert names(history.root) == []


def test_a_branch_of_another_history_is_not(history: History) -> None:
    history.run("checkout", "--quiet", "--orphan", "pages")
    history.commit("Pages", {"index.html": "<p>\n"})
    history.checkout("main")

    assert names(history.root) == []


def test_the_branch_at_hand_is_not(history: History) -> None:
    topic(history, TOP)
    history.run("branch", "a-copy-of-it", "topic")
    history.checkout("topic")

    assert names(history.root) == []


def test_a_branch_on_which_another_builds_is_told_once(history: History) -> None:
    topic(history, TOP)
    history.branch("topic-2", "topic")
    history.commit("Go on", {"a.py": BOTH})
    history.run("branch", "copy-of-topic-2")
    history.checkout("main")

    assert names(history.root) == ["copy-of-topic-2"]


def test_a_branch_whose_changes_cancel_each_other_is_not(history: History) -> None:
    topic(history, TOP, OLD)
    history.commit("Meanwhile", {"b.py": TOP})

    assert names(history.root) == []


def test_a_branch_that_took_main_in_is_measured_by_its_own_work(history: History) -> None:
    history.branch("topic")
    history.commit("Topic", {"a.py": TOP})
    history.checkout("main")
    history.commit("Meanwhile", {"b.py": TOP})
    history.checkout("topic")
    history.merge("main")
    history.checkout("main")
    assert [attempt.files for attempt in left(history.root)] == [("a.py",)]

    history.squash("topic", "All of it")
    assert names(history.root) == []


def test_a_remote_branch_is_told_by_the_name_of_its_remote(history: History) -> None:
    topic(history, TOP)
    clone = history.clone("clone")

    assert names(clone) == ["origin/topic"]


def test_a_binary_file_is_compared_too(history: History) -> None:
    history.commit("Logo", {"logo.png": b"\0\1\2"})
    history.branch("topic")
    history.commit("New logo", {"logo.png": b"\0\3\4", "b.py": TOP})
    history.checkout("main")
    history.commit("Meanwhile", {"b.py": END})
    history.commit("Another logo", {"logo.png": b"\0\5\6", "b.py": BOTH})

    assert names(history.root) == ["topic"]


def test_where_blobs_are_missing_what_may_have_come_in_is_not_told(history: History) -> None:
    topic(history, TOP)
    history.commit("Meanwhile", {"a.py": END})
    history.squash("topic", "Under another name")
    history.commit("Later", {"a.py": OLD + "more\n"})
    history.branch("never", "main~3")
    history.commit("Never", {"b.py": END, "c.py": "c\n"})
    history.checkout("main")
    history.run("config", "uploadpack.allowFilter", "true")
    clone = history.clone("partial", "--bare", "--filter=blob:none")

    assert names(clone) == ["never"]


def test_a_long_line_of_its_own_is_no_attempt(history: History) -> None:
    day = int(DAY_ONE.timestamp())
    feed = "".join(
        f"commit refs/heads/fork\ncommitter A <a@b> {day + number} +0000\ndata 1\nx\n"
        + ("" if number else "from refs/heads/main^0\n")
        + f"M 644 inline fork.py\ndata 3\n{number:03}\n"
        for number in range(301)
    )
    git(history.root, "fast-import", "--quiet", stdin=feed)
    assert names(history.root) == []

    history.run("update-ref", "refs/heads/fork", "fork~1")
    assert names(history.root) == ["fork"]
