"""Feedback on a packet: what was used of it weighs more in later ones, what misled weighs less, and it can be seen."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gitmem.answers import packets
from gitmem.answers.packets import Given
from gitmem.answers.session import Session
from gitmem.code import learning
from tests.asking import ask, knowledge
from tests.conftest import MakeRepo
from tests.support import run_inproc

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
PACKET = "4f0c2ad1b7e95521"
FILES = {
    "src/retry.py": "class RetryPolicy:\n    def next_delay(self, count):\n        return 2**count\n",
    "src/session.py": "from src.retry import RetryPolicy\n\n\ndef open_session():\n    return RetryPolicy()\n",
    "src/other.py": "def unrelated():\n    return 0\n",
    "src/one.py": "def run():\n    pass\n",
    "src/two.py": "def run():\n    pass\n",
    "src/three.py": "def run():\n    pass\n",
    "src/four.py": "def run():\n    pass\n",
}


@pytest.fixture
def repo(make_repo: MakeRepo) -> Path:
    root = make_repo(knowledge() | FILES)
    session = Session(root, NOW)
    packets.note(session, Given(PACKET, "fix", "balanced", ("src/retry.py", "src/session.py", "src/other.py")))
    return root


def told(repo: Path, *words: str) -> dict:
    return ask(repo, "feedback", PACKET[:12], *words, "--now", NOW.isoformat())


@pytest.mark.capability("C-046")
def test_what_was_touched_gains_weight_and_what_names_nothing_is_listed(repo: Path) -> None:
    found = told(
        repo, "helped", "--touched", "RetryPolicy.next_delay", "--touched", "src/session.py", "--touched", "no_such"
    )

    assert (found["packet"], found["unresolved"], found["items"]) == (PACKET, ["no_such"], [])
    rows = [(row["path"], row["context"], row["before"], row.get("touched")) for row in found["nodes"]]
    assert rows == [
        ("src/retry.py", "fix", 0, "RetryPolicy.next_delay"),
        ("src/session.py", "fix", 0, "src/session.py"),
    ]
    assert all(0 < row["after"] < learning.MOST for row in found["nodes"])


@pytest.mark.capability("C-046")
def test_each_dose_moves_the_weight_further_and_each_one_less(repo: Path) -> None:
    rows = [told(repo, "helped", "--touched", "RetryPolicy")["nodes"][0] for _ in range(4)]

    assert [row["before"] for row in rows[1:]] == [row["after"] for row in rows[:-1]]
    steps = [row["after"] - row["before"] for row in rows]
    assert steps == sorted(steps, reverse=True)
    assert steps[-1] > 0


@pytest.mark.capability("C-046")
def test_half_an_effect_moves_half_and_what_misled_moves_the_other_way(repo: Path) -> None:
    full = told(repo, "helped", "--touched", "RetryPolicy")["nodes"][0]
    back = told(repo, "misled", "--touched", "RetryPolicy")["nodes"][0]
    half = told(repo, "helped", "--effectiveness", "0.5", "--touched", "RetryPolicy")["nodes"][0]

    assert (back["before"], back["after"]) == (full["after"], 0)
    assert half["after"] == pytest.approx(full["after"] / 2, abs=0.01)


@pytest.mark.capability("C-046")
def test_a_packet_that_misled_as_a_whole_loses_on_each_of_its_files(repo: Path) -> None:
    found = told(repo, "misled")

    assert [row["path"] for row in found["nodes"]] == ["src/retry.py", "src/session.py", "src/other.py"]
    assert len({row["after"] for row in found["nodes"]}) == 1
    assert found["nodes"][0]["after"] < 0


def test_a_name_of_many_files_and_names_that_are_all_unknown_move_nothing(repo: Path) -> None:
    found = told(repo, "misled", "--touched", "run", "--touched", "nobody")

    assert (found["unresolved"], found["nodes"]) == (["run", "nobody"], [])
    assert packets.lessons(Session(repo, NOW)) == ()


def test_what_was_learned_fades_and_stays_with_the_kind_of_task(repo: Path) -> None:
    told(repo, "helped", "--touched", "RetryPolicy")
    today = packets.known(Session(repo, NOW))
    later = packets.known(Session(repo, NOW + timedelta(days=90)))

    assert learning.weight(today, "fix", "src/retry.py") > 3 * learning.weight(later, "fix", "src/retry.py") > 0
    assert learning.weight(today, "add", "src/retry.py") < learning.weight(today, "fix", "src/retry.py")


def test_a_packet_that_is_not_on_record_is_unresolved(repo: Path) -> None:
    done = run_inproc(repo, "feedback", "00000000ffff", "helped", "--json")

    assert done.code == 1
    assert '"unresolved": [\n    "00000000ffff"' in done.out


def test_people_read_the_weights_before_and_after(repo: Path) -> None:
    done = run_inproc(repo, "feedback", PACKET, "helped", "--touched", "RetryPolicy", "--touched", "nobody")

    assert "src/retry.py: weight +0.000 -> +0.08" in done.out
    assert "for tasks that fix" in done.out
    assert "no symbol or file here: nobody" in done.out


def test_no_text_of_a_task_is_put_on_record(repo: Path) -> None:
    told(repo, "helped", "--touched", "RetryPolicy")
    rows = ask(repo, "journal", "show", "--kind", "packet")["events"]

    assert {*rows[0]["data"]} == {"packet", "intent", "mode", "files", "tokens", "signals", "surface"}


@pytest.mark.capability("C-046")
def test_what_feedback_on_a_packet_moved_can_be_told_again(repo: Path) -> None:
    told(repo, "helped", "--touched", "RetryPolicy")
    told(repo, "misled", "--touched", "RetryPolicy")
    first, second = packets.feedback_on(Session(repo, NOW), PACKET)

    assert (first.outcome, second.outcome) == ("helped", "misled")
    ((path, before, after),) = first.weights
    assert (path, before) == ("src/retry.py", 0)
    assert second.weights == ((path, after, 0.0),)
