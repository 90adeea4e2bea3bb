"""A sync that is killed at any point where it touches the disk or starts Git is finished by the next one."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from gitmem.errors import GitmemError
from tests.answers.team import Clone, Team, archive, proposal, team
from tests.fault.points import NOWHERE, Point, run
from tests.fault.scenes import is_sound
from tests.fault.test_stops import kills, some
from tests.support import write_tree

KILLED_ONE_IN = 500


@dataclass
class Scene:
    """Ada and Bob said, proposed, closed and committed things apart; Ada has an edit that is not committed."""

    folder: Path
    kept: Path

    def fresh(self) -> tuple[Team, Clone, Clone]:
        if not self.kept.exists():
            self.folder.mkdir()
            make(self.folder)
            shutil.copytree(self.folder, self.kept, symlinks=True)
        shutil.rmtree(self.folder)
        shutil.copytree(self.kept, self.folder, symlinks=True)
        return Team(self.folder, self.folder / "remote.git"), Clone(self.folder / "ada"), Clone(self.folder / "bob")


def make(folder: Path) -> None:
    crew = team(folder)
    ada = crew.clone("ada")
    for number in (1, 2, 3):
        ada.propose(number)
    ada.sync()
    bob = crew.clone("bob")
    bob.sync()
    bob.close(1)
    bob.say(2, text="from bob")
    bob.propose(4)
    bob.write(8)
    bob.sync()
    ada.propose(1, "Retry three times.\n")
    ada.propose(3, "Retry five times.\n")
    ada.say(2, text="from ada")
    ada.write(7)
    write_tree(ada.root, {"src/app.py": "print('mine')\n"})


def judge(crew: Team, ada: Clone, bob: Clone, tips: tuple[str, str]) -> None:
    is_sound(ada.root)
    is_sound(crew.remote)
    for clone in (ada, bob, ada):
        found = clone.sync()
        assert (found.exit_code, found.not_synced) == (0, None)
    assert ada.refs() == bob.refs() == crew.refs()
    assert ada.head() == bob.head() == crew.refs("refs/heads/")["refs/heads/main"]
    assert (ada.root / "src/app.py").read_text() == "print('mine')\n"
    assert all((bob.root / f".gitmem/engrams/api/rule-{n}.md").is_file() for n in (7, 8))
    assert bob.said(2) == ["from ada", "from bob"]
    assert proposal(1) not in ada.refs()
    assert all(ada.holds(1, tip) or ada.ref(archive(1)) == tip for tip in tips)
    assert {proposal(n) for n in (2, 3, 4)} <= ada.refs().keys()


def kill_some(folder: Path, every: int) -> int:
    scene = Scene(folder / "scene", folder / "kept")
    crew, ada, bob = scene.fresh()
    tips = bob.refs()[archive(1)], ada.refs()[proposal(1)]
    outcome = run(ada.sync, NOWHERE, expected=GitmemError)
    assert (outcome.error, outcome.trace, outcome.is_acknowledged) == ("", "", True)
    judge(crew, ada, bob, tips)
    points = some(kills(outcome.names), every)
    for point in points:
        stop_at(scene, point, tips)
    return len(points)


def stop_at(scene: Scene, point: Point, tips: tuple[str, str]) -> None:
    crew, ada, bob = scene.fresh()
    outcome = run(ada.sync, point, expected=GitmemError)
    try:
        # The number of calls depends on what other processes were faster at, so the last points may not come.
        assert outcome.is_killed or outcome.is_acknowledged
        judge(crew, ada, bob, tips)
    except Exception as err:
        err.add_note(f"stopped at {point}, a call of {outcome.names[-1]}")
        raise


def test_a_sync_killed_at_a_point_is_finished_by_the_next(tmp_path: Path) -> None:
    assert kill_some(tmp_path, KILLED_ONE_IN)


@pytest.mark.long
def test_a_sync_killed_at_each_point_is_finished_by_the_next(tmp_path: Path) -> None:
    assert kill_some(tmp_path, 1) > 300
