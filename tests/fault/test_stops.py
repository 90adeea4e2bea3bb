"""A write is killed, or fails, at each point where it touches the disk: old state or new, never half."""

import errno
import random
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from gitmem.errors import GitmemError
from tests.fault.points import NOWHERE, How, Outcome, Point, run
from tests.fault.scenes import SCENES, Scene

KILLED_ONE_IN = 80
FAILED_ONE_IN = 160
KILLS = (How.BEFORE, How.MIDDLE, How.AFTER)
ERRORS = (errno.ENOSPC, errno.EROFS, errno.EACCES)
# A failing Git is placed by its folder or its ref.
GIT_WORDS = ("/repo", "/second", "refs/")
by_name = pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)


def names_of(scene: Scene, folder: Path) -> tuple[str, ...]:
    place = scene.fresh(folder)
    outcome = run(lambda: scene.act(place), NOWHERE, expected=GitmemError)
    assert (outcome.error, outcome.trace, outcome.is_acknowledged) == ("", "", True)
    scene.judge(place, True)
    return outcome.names


def kills(names: tuple[str, ...]) -> Iterator[Point]:
    """Half-way there is only in a write and in a run of Git."""
    for number, name in enumerate(names):
        for how in KILLS:
            if how is not How.MIDDLE or name == "write" or name.startswith("git "):
                yield Point(number, how)


def failures(names: tuple[str, ...]) -> Iterator[Point]:
    for number, name in enumerate(names):
        if name.startswith("git "):
            yield Point(number, How.FAIL)
            yield Point(number, How.FAIL_AFTER)
        else:
            yield from (Point(number, How.FAIL, error) for error in ERRORS)


def some(points: Iterable[Point], every: int) -> list[Point]:
    """One in ``every``, at least one, always the same."""
    found = list(points)
    return random.Random(every).sample(found, -(-len(found) // every))


def stop_at(scene: Scene, folder: Path, point: Point) -> Outcome:
    place = scene.fresh(folder)
    outcome = run(lambda: scene.act(place), point, expected=GitmemError)
    try:
        scene.judge(place, outcome.is_acknowledged and outcome.answer != "Refused")
    except Exception as err:
        err.add_note(f"stopped at {point}, a call of {outcome.names[point.number]}: {outcome}")
        raise
    return outcome


def kill_all(scene: Scene, folder: Path, every: int) -> int:
    points = some(kills(names_of(scene, folder)), every)
    for point in points:
        outcome = stop_at(scene, folder, point)
        assert outcome.is_killed, point
    return len(points)


def fail_all(scene: Scene, folder: Path, every: int) -> int:
    names = names_of(scene, folder)
    points = some(failures(names), every)
    for point in points:
        outcome = stop_at(scene, folder, point)
        assert outcome.trace == "", point
        assert not outcome.is_killed
        if not outcome.is_acknowledged:
            words = GIT_WORDS if names[point.number].startswith("git ") else scene.words
            assert any(word in outcome.error for word in words), (point, names[point.number], outcome.error)
    return len(points)


@pytest.mark.capability("G-027")
@by_name
def test_a_write_killed_at_a_point_is_whole_or_absent(scene: Scene, tmp_path: Path) -> None:
    """F-063, F-153, F-161: one point in 80, one at least."""
    assert kill_all(scene, tmp_path, KILLED_ONE_IN)


@pytest.mark.capability("G-027")
@by_name
def test_a_write_that_fails_at_a_point_says_where_and_leaves_the_old_state_or_the_new(
    scene: Scene, tmp_path: Path
) -> None:
    """Disk full, read-only, permission denied; Git failing before or after its work: one in 160."""
    assert fail_all(scene, tmp_path, FAILED_ONE_IN)


@pytest.mark.long
@by_name
def test_a_write_killed_at_each_point_is_whole_or_absent(scene: Scene, tmp_path: Path) -> None:
    """F-063, F-153, F-161."""
    assert kill_all(scene, tmp_path, 1)


@pytest.mark.long
@by_name
def test_a_write_that_fails_at_each_point_says_where(scene: Scene, tmp_path: Path) -> None:
    assert fail_all(scene, tmp_path, 1)


@pytest.mark.long
def test_the_points_are_many(tmp_path: Path) -> None:
    names = [names_of(scene, tmp_path) for scene in SCENES]

    assert sum(len(list(kills(each))) for each in names) >= 900
    assert {"write", "fsync", "replace", "link", "unlink", "mkdir", "git read-tree", "git update-ref"} <= set().union(
        *names
    )
