"""When what experience says of an importance is proposed to be written down, and when ageing gives way to failures."""

from pathlib import Path

import pytest

from gitmem.answers.reading import ask, read
from gitmem.index.card import Card
from gitmem.upkeep import ageing, settling
from gitmem.upkeep.worth import Worth
from tests.support import run_inproc
from tests.upkeep.tended import LATER, item, report, rules, session, vault

FILES = {".gitmem/config.yaml": "format: 1\n", ".gitmem/engrams/a/one.md": item(1, "One", "It is one.\n")}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return vault(tmp_path_factory.mktemp("settling") / "repo", FILES)


def titles(root: Path, worth: Worth) -> list[str]:
    reading = read(session(root).place)
    return [draft.title for draft in ask(reading, lambda knowledge: settling.drafts(knowledge, lambda _: worth))[0]]


@pytest.mark.parametrize(
    ("worth", "wanted"),
    [
        (Worth(0.84, helped=9), []),
        (Worth(0.84, helped=10), ["One: importance 0.8"]),
        (Worth(0.69, helped=20), []),
        (Worth(0.1, helped=2, misled=8), ["One: importance 0.1"]),
    ],
)
def test_a_value_is_written_back_after_ten_uses_and_a_step_of_a_fifth(
    root: Path, worth: Worth, wanted: list[str]
) -> None:
    assert titles(root, worth) == wanted


@pytest.mark.parametrize(
    ("misled", "helped", "wanted"),
    [(2, 0, None), (3, 0, "archive"), (4, 4, None), (5, 0, "forget"), (5, 4, "forget"), (6, 7, None)],
)
def test_failures_archive_from_three_and_forget_from_five(
    root: Path, misled: int, helped: int, wanted: str | None
) -> None:
    worth = Worth(0.9, LATER.isoformat(), helped, misled)

    def weigh(_: Card) -> Worth:
        return worth

    reading = read(session(root).place)
    found = ask(reading, lambda knowledge: ageing.drafts(ageing.Sight(knowledge, LATER, weigh, {})))[0]

    assert [draft.rule for draft in found] == ([wanted] if wanted else [])


def test_feedback_that_was_given_is_what_counts(tmp_path: Path) -> None:
    root = vault(tmp_path / "repo", FILES)
    for number in range(3):
        ran = run_inproc(root, "feedback", "one", "misled", "--now", f"2026-04-1{number}T03:04:05Z")
        assert ran.code == 0, ran.err

    (line,) = rules(report(root, "deep", dry_run=True))["decay", "archive"]

    assert line.why == "It misled 3 times and helped 0 times."
