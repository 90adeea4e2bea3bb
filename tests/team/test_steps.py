"""Two people, a bare repository, and a random course of everything that they do: nothing acknowledged is lost.

The long run has 5,000 steps in five courses; ``STEPS`` and ``SEEDS`` in the environment make it longer or another one.
"""

import os
from pathlib import Path

import pytest

from tests.team.play import crew, play
from tests.team.world import World

STEPS = int(os.environ.get("STEPS", "1000"))
SEEDS = [int(text) for text in os.environ.get("SEEDS", "1,2,3,4,5").split(",")]


def told(made: World) -> str:
    return "\n".join(f"{count:6} {name}" for name, count in sorted(made.counts.items()))


@pytest.mark.capability("M-075")
def test_a_short_course_of_steps_meets_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = play(crew(tmp_path, 7, monkeypatch), steps=36, every=18)

    assert made.counts["partitions"]
    assert made.memory.must


@pytest.mark.long
@pytest.mark.capability("R-078")
@pytest.mark.parametrize("seed", SEEDS)
def test_a_long_course_of_steps_meets_within_three_rounds_and_loses_nothing(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = play(crew(tmp_path, seed, monkeypatch), steps=STEPS, every=200)

    with capsys.disabled():
        print(f"\nseed {seed}\n{told(made)}")  # noqa: T201  the counts are what the run is for
    assert made.counts["kills"]
    assert made.counts["partitions"] > STEPS / 10
