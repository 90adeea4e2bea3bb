"""A proposal or a decision that is killed at any point is there or it is not, and the next command works."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from gitmem.errors import GitmemError
from gitmem.store import intent
from tests.answers.people import CLIENT, RETRY, Person, alone
from tests.fault.points import NOWHERE, How, Point, run
from tests.fault.scenes import EDITS, Scene, is_sound, judge_edits, make_edits
from tests.fault.test_stops import some
from tests.support import git, run_inproc, write_tree

KILLED_ONE_IN = 400
WRITING = frozenset({"git read-tree", "git update-ref", "git update-index", "git checkout-index", "git add"})
Act = Callable[[Person], object]


def person(place: Path) -> Person:
    """What is said after the stop is said later than what was said before it."""
    return Person(place / "repo", count(500))


def make(prepare: Act, place: Path) -> None:
    """A repository in which somebody has edits everywhere but where the decision goes, with what it is about."""
    ada = alone(place / "repo")
    (place / "about").write_text(str(prepare(ada)))
    make_edits(ada.root)
    ada.statuses()


def make_two(prepare: Act, place: Path) -> None:
    make(prepare, place)
    git(place / "repo", "worktree", "add", "--quiet", "--force", str(place / "second"), "main")
    write_tree(place / "second", {"notes.txt": "another thought"})


def about(place: Path) -> list[str]:
    return (place / "about").read_text().split()


def tags(ada: Person) -> str:
    return ada.edit("client", "tags", "api", "http")


def stale(ada: Person) -> str:
    id_ = tags(ada)
    ada.write({f".gitmem/{CLIENT}": ada.read(CLIENT).replace("title: Call", "title: Always call")})
    return id_


def bundle(ada: Person) -> str:
    steps = ("{edit: {item: client, field: tags, add: [net]}}", "{mv: {item: retry, to: net/retry}}")
    return " ".join(ada.plan(*steps))


def landed(ada: Person) -> str:
    id_ = tags(ada)
    ada.approve(id_)
    return id_


def propose_bundle(ada: Person) -> object:
    return bundle(ada)


def act(what: Callable[[Person, list[str]], object], place: Path) -> object:
    return what(person(place), about(place))


def sound(place: Path) -> None:
    """The edits are as they were, no file is half-written, and nothing waits."""
    ada = person(place)
    is_sound(ada.root)
    intent.recover(ada.session().place.repo)
    judge_edits(ada.root, EDITS)
    assert (ada.root / "notes.txt").read_text() == "half a thought"
    assert git(ada.root, "show", ":src/app.py") == "print(2)\n"
    if (place / "second").exists():
        judge_edits(place / "second", " M notes.txt\n")
    assert run_inproc(ada.root, "check").code == 0


def unlocked(place: Path) -> None:
    """What the stopped process had locked is free, and no longer in the way of Git."""
    root = place / "repo/.git"
    assert [path for path in root.rglob("*.lock") if root / "gitmem" not in path.parents] == []


def judge_approval(place: Path, is_acknowledged: bool) -> None:
    sound(place)
    ada, ids = person(place), about(place)
    found = {ada.status(id_) for id_ in ids}
    assert found in ({"landed"}, {"open"}, {"stale"})
    assert found == {"landed"} or not is_acknowledged
    version = ada.version()
    assert version == int(found == {"landed"})
    if not version:
        ada.approve(ids[0], bundle=len(ids) > 1)
    assert {ada.status(id_) for id_ in ids} == {"landed"}
    assert ada.version() == 1
    sound(place)
    other = ada.new("One more", "More.\n")
    ada.approve(other)
    assert ada.statuses("pending") == {}
    ada.git("commit", "--quiet", "-am", "x")
    assert (ada.version(), {ada.status(id_) for id_ in ids}) == (2, {"landed"})
    unlocked(place)


def judge_proposal(place: Path, is_acknowledged: bool) -> None:
    sound(place)
    ada = person(place)
    before = ada.statuses()
    assert set(before.values()) <= {"open"}
    assert len(before) in ((1,) if is_acknowledged else (0, 1))
    assert tags(ada) == "None" if before else tags(ada) != "None"
    assert list(ada.statuses().values()) == ["open"]
    ada.approve(*ada.statuses())
    assert list(ada.statuses().values()) == ["landed"]


def judge_bundle(place: Path, is_acknowledged: bool) -> None:
    """All refs of the plan, or none."""
    sound(place)
    ada = person(place)
    before = ada.statuses()
    assert len(before) in ((2,) if is_acknowledged else (0, 2))
    ids = list(before) or bundle(ada).split()
    ada.approve(ids[0], bundle=True)
    assert [ada.status(id_) for id_ in ids] == ["landed", "landed"]


def judge_extension(place: Path, is_acknowledged: bool) -> None:
    sound(place)
    ada, (id_,) = person(place), about(place)
    items = {change.path.removeprefix(".gitmem/") for change in ada.show(id_).items}
    assert items in ({CLIENT}, {CLIENT, RETRY})
    assert len(items) == 2 or not is_acknowledged
    assert ada.status(id_) == "open"
    ada.edit("retry", "tags", "slow", extend=id_)
    assert len(ada.show(id_).items) == 2
    ada.approve(id_)
    assert ada.statuses() == {id_: "landed"}


def judge_rejection(place: Path, is_acknowledged: bool) -> None:
    sound(place)
    ada, (id_,) = person(place), about(place)
    status = ada.status(id_)
    assert status in (("rejected",) if is_acknowledged else ("open", "rejected"))
    if status == "open":
        ada.reject(id_)
    assert ada.statuses() == {id_: "rejected"}
    assert ada.statuses("pending") == {}
    assert tags(ada) == "None"
    ada.reinstate(id_)
    ada.approve(id_)
    assert ada.statuses() == {id_: "landed"}
    unlocked(place)


def judge_reversal(place: Path, is_acknowledged: bool) -> None:
    sound(place)
    ada, (id_,) = person(place), about(place)
    status = ada.status(id_)
    assert status in (("reverted",) if is_acknowledged else ("landed", "reverted"))
    if status == "landed":
        ada.revert(id_)
    assert (ada.status(id_), ada.version(), ada.statuses("pending")) == ("reverted", 2, {})
    assert "http" not in ada.read(CLIENT)
    ada.reinstate(id_, approve=True)
    assert (ada.status(id_), ada.version()) == ("landed", 3)
    sound(place)
    unlocked(place)


SCENES = (
    Scene("approve", partial(make, tags), partial(act, lambda ada, ids: ada.approve(*ids)), judge_approval),
    Scene("approve-in-two", partial(make_two, tags), partial(act, lambda ada, ids: ada.approve(*ids)), judge_approval),
    Scene("approve-stale", partial(make, stale), partial(act, lambda ada, ids: ada.approve(*ids)), judge_approval),
    Scene(
        "approve-bundle",
        partial(make, bundle),
        partial(act, lambda ada, ids: ada.approve(ids[0], bundle=True)),
        judge_approval,
    ),
    Scene("propose", partial(make, lambda ada: ""), partial(act, lambda ada, _: tags(ada)), judge_proposal),
    Scene("plan", partial(make, lambda ada: ""), partial(act, lambda ada, _: bundle(ada)), judge_bundle),
    Scene(
        "extend",
        partial(make, tags),
        partial(act, lambda ada, ids: ada.edit("retry", "tags", "net", extend=ids[0])),
        judge_extension,
    ),
    Scene("reject", partial(make, tags), partial(act, lambda ada, ids: ada.reject(ids[0])), judge_rejection),
    Scene("revert", partial(make, landed), partial(act, lambda ada, ids: ada.revert(ids[0])), judge_reversal),
)
by_name = pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)


def at_writes(calls: tuple[tuple[str, ...], ...]) -> Iterator[Point]:
    """Where what is decided shows: refs, index, files, notes of ours. Right after a call is right before the next one.

    How objects and caches are written is stopped at each point by tests of their own; here one in ten must do.
    """
    for number, (name, *paths) in enumerate(calls):
        if name.startswith("git ") and name not in WRITING:
            continue
        if any("/objects/" in path or "/cache/" in path for path in paths) and number % 10:
            continue
        yield Point(number)
        if name.startswith("git "):
            yield Point(number, How.MIDDLE)


def kill_some(scene: Scene, folder: Path, every: int) -> int:
    place = scene.fresh(folder)
    outcome = run(lambda: scene.act(place), NOWHERE, expected=GitmemError)
    assert (outcome.error, outcome.trace, outcome.is_acknowledged) == ("", "", True)
    scene.judge(place, True)
    points = some(at_writes(outcome.calls), every)
    for point in points:
        stop_at(scene, folder, point)
    return len(points)


def stop_at(scene: Scene, folder: Path, point: Point) -> None:
    place = scene.fresh(folder)
    outcome = run(lambda: scene.act(place), point, expected=GitmemError)
    try:
        assert outcome.is_killed or outcome.is_acknowledged
        scene.judge(place, outcome.is_acknowledged)
    except Exception as err:
        err.add_note(f"stopped at {point}, a call of {outcome.names[-1]}: {outcome.calls[-1]}")
        raise


@by_name
def test_a_decision_killed_at_a_point_is_made_or_not(scene: Scene, tmp_path: Path) -> None:
    """F-161: a point of each."""
    assert kill_some(scene, tmp_path, KILLED_ONE_IN)


@pytest.mark.long
@by_name
def test_a_decision_killed_at_each_point_is_made_or_not(scene: Scene, tmp_path: Path) -> None:
    """F-161."""
    assert kill_some(scene, tmp_path, 1) > 20
