"""A report or a run over reports that is stopped at any point: kept or not, proposed once, and the next call works."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gitmem.answers.choosing import ResolveCall
from gitmem.answers.observe import ObserveCall, observe
from gitmem.answers.observed import ListCall, list_observations
from gitmem.answers.proposals import ListCall as ProposalsCall
from gitmem.answers.proposals import list_proposals
from gitmem.answers.session import Session
from gitmem.answers.triaging import ProcessCall
from gitmem.errors import GitmemError
from gitmem.exchange.observed import process, resolve
from gitmem.store import journal
from gitmem.store.repo import discover
from tests.asking import knowledge, rule
from tests.fault.points import NOWHERE, How, Point, run
from tests.fault.scenes import NOW, Scene, is_sound
from tests.fault.test_stops import failures, some
from tests.support import commit_all, git, write_tree

KILLED_ONE_IN = 200
TABS = "indent-with-tabs"
NOTE, MISS = "Indent code with spaces.", "src/http/b.ts"
FILES = knowledge(
    rule("use-the-client", 1, "src/api/*.ts", body="Call the API through the client.\n"),
    rule(TABS, 2, "src/**", body="Indent code with tabs.\n"),
)


def session(place: Path) -> Session:
    return Session(place / "repo", NOW)


def make(place: Path) -> None:
    root = place / "repo"
    root.mkdir()
    git(root, "init", "--quiet", "--initial-branch=main", "--template=")
    write_tree(root, FILES)
    commit_all(root, "start")


def make_reported(place: Path) -> None:
    make(place)
    report(place)
    journal.rotate(discover(place / "repo"))


def make_noted(place: Path) -> None:
    make(place)
    observe(session(place), ObserveCall("manual_note", note=NOTE))
    journal.rotate(discover(place / "repo"))


def report(place: Path) -> object:
    return observe(session(place), ObserveCall("compile_miss", target_files=(MISS,), review_comment="no rule came"))


def states(place: Path) -> list[str]:
    return [row.state for row in list_observations(session(place), ListCall(state="all")).observations]


def work(place: Path) -> object:
    return process(session(place), ProcessCall())


def replace(place: Path) -> object:
    (row,) = list_observations(session(place), ListCall()).observations
    return resolve(session(place), ResolveCall(row.id, "replace"))


def judge_report(place: Path, is_acknowledged: bool) -> None:
    """F-162: what was acknowledged is on record."""
    kept = states(place)
    assert kept in ((["open"],) if is_acknowledged else ([], ["open"]))
    report(place)
    assert states(place) == [*kept, "open"]


def judge_work(place: Path, is_acknowledged: bool) -> None:
    assert states(place) in ((["analysed"],) if is_acknowledged else (["open"], ["analysed"]))
    again = process(session(place), ProcessCall())
    assert again.errors == ()
    assert states(place) == ["analysed"]
    assert len(list_proposals(session(place), ProposalsCall()).proposals) == 1
    is_sound(place / "repo")


def judge_replacement(place: Path, is_acknowledged: bool) -> None:
    """All of the bundle or nothing of it; once more is no second one."""
    found = list_proposals(session(place), ProposalsCall()).proposals
    assert len(found) in ((3,) if is_acknowledged else (0, 3))
    if states(place) == ["open"]:
        replace(place)
    assert states(place) == ["analysed"]
    found = list_proposals(session(place), ProposalsCall()).proposals
    assert [row.kind for row in found] == ["new", "retire", "link"]
    is_sound(place / "repo")


SCENES = (
    Scene("observe", make, report, judge_report),
    Scene("process", make_reported, work, judge_work),
    Scene("replace", make_noted, replace, judge_replacement),
)
by_name = pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)


def kills(calls: tuple[tuple[str, ...], ...]) -> Iterator[Point]:
    """How objects and caches are written is stopped by tests of their own; here one in ten must do."""
    for number, (_, *paths) in enumerate(calls):
        if any("/objects/" in path or "/cache/" in path for path in paths) and number % 10:
            continue
        yield Point(number)
        yield Point(number, How.AFTER)


def kill_some(scene: Scene, folder: Path, every: int) -> int:
    points = some(kills(calls_of(scene, folder)), every)
    for point in points:
        judged(scene, folder, point)
    return len(points)


def calls_of(scene: Scene, folder: Path) -> tuple[tuple[str, ...], ...]:
    place = scene.fresh(folder)
    outcome = run(lambda: scene.act(place), NOWHERE, expected=GitmemError)
    assert (outcome.error, outcome.trace, outcome.is_acknowledged) == ("", "", True)
    scene.judge(place, True)
    return outcome.calls


def judged(scene: Scene, folder: Path, point: Point) -> None:
    place = scene.fresh(folder)
    outcome = run(lambda: scene.act(place), point, expected=GitmemError)
    try:
        assert outcome.trace == ""
        scene.judge(place, outcome.is_acknowledged and not outcome.error)
    except Exception as err:
        err.add_note(f"stopped at {point}, a call of {outcome.names[-1]}: {outcome.calls[-1]}")
        raise


@by_name
def test_what_is_killed_at_a_point_is_kept_or_not_and_proposed_once(scene: Scene, tmp_path: Path) -> None:
    """F-161, F-162: one point in 200, one at least."""
    assert kill_some(scene, tmp_path, KILLED_ONE_IN)


@pytest.mark.long
@by_name
def test_what_is_killed_at_each_point_is_kept_or_not_and_proposed_once(scene: Scene, tmp_path: Path) -> None:
    """F-161, F-162."""
    assert kill_some(scene, tmp_path, 1) > 20


@pytest.mark.parametrize("every", [30, pytest.param(1, marks=pytest.mark.long)])
def test_a_report_whose_call_fails_is_an_error_or_on_record(every: int, tmp_path: Path) -> None:
    """F-162: no space, a read-only disk, a Git that ends badly."""
    scene = SCENES[0]
    names = tuple(name for name, *_ in calls_of(scene, tmp_path))

    for point in some(failures(names), every):
        failed(scene, tmp_path, point)


def failed(scene: Scene, folder: Path, point: Point) -> None:
    place = scene.fresh(folder)
    outcome = run(lambda: scene.act(place), point, expected=GitmemError)
    assert outcome.trace == "", point
    assert outcome.is_acknowledged is not bool(outcome.error)
    scene.judge(place, outcome.is_acknowledged)
