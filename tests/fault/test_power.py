"""What is acknowledged would survive a power cut: bytes are synced before their name, names before the answer."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from gitmem.errors import GitmemError
from tests.fault.points import KNOWS_PATHS, run
from tests.fault.scenes import CHANGES, SCENES, Scene

pytestmark = pytest.mark.skipif(not KNOWS_PATHS, reason="this system does not say which file a descriptor is")
NAMED = {scene.name: scene for scene in SCENES}


class Disk:
    """What a power cut would take: files whose bytes and folders whose names are not synced."""

    def __init__(self) -> None:
        self.files: set[str] = set()
        self.folders: set[str] = set()

    def apply(self, name: str, paths: Sequence[str]) -> None:
        match name:
            case "write":
                self.files.add(paths[0])
            case "fsync":
                self.files.discard(paths[0])
                self.folders.discard(paths[0])
            case "replace" | "link":
                assert paths[0] not in self.files, f"{paths[1]} gets its name before its bytes are on the disk"
                self.folders.add(str(Path(paths[1]).parent))
            case "unlink" | "mkdir":
                self.folders.add(str(Path(paths[0]).parent))

    def at_risk(self) -> set[str]:
        """Without gitmem's own folder, where only the note of a landing must last, and names that are temporary."""
        every = {path for path in self.files | self.folders if "/.git/gitmem" not in path}
        return {path for path in every if "tmp" not in Path(path).name}


def calls_of(scene: Scene, folder: Path) -> tuple[tuple[str, ...], ...]:
    place = scene.fresh(folder)
    outcome = run(lambda: scene.act(place), expected=GitmemError)
    assert outcome.is_acknowledged, outcome
    return outcome.calls


@pytest.mark.capability("G-027")
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_nothing_is_at_risk_when_the_answer_comes(scene: Scene, tmp_path: Path) -> None:
    disk = Disk()
    for name, *paths in calls_of(scene, tmp_path):
        disk.apply(name, paths)

    assert disk.at_risk() == set()


@pytest.mark.capability("G-027")
@pytest.mark.parametrize("name", ["own-ref", "new-ref", "branch"])
def test_objects_are_safe_before_a_ref_names_them(name: str, tmp_path: Path) -> None:
    disk, objects, is_named = Disk(), 0, False
    for call, *paths in calls_of(NAMED[name], tmp_path):
        if call == "git update-ref" or (call == "replace" and "/refs/" in paths[1]):
            is_named = True
            assert {path for path in disk.at_risk() if "/objects" in path} == set()
        objects += call == "replace" and "/objects/" in paths[1]
        disk.apply(call, paths)

    assert is_named
    assert objects >= 5


@pytest.mark.capability("G-027")
def test_a_landing_notes_its_intent_first_and_syncs_its_files_before_the_branch_moves(tmp_path: Path) -> None:
    calls = calls_of(NAMED["land"], tmp_path)
    names = [call[0] for call in calls]
    synced = [set(call[1:]) for call in calls]
    noted = next(at for at, call in enumerate(calls) if call[0] == "replace" and call[2].endswith("/landing.json"))
    moved, landed = names.index("git read-tree"), names.index("git update-ref")

    assert noted < moved < landed
    assert synced[noted + 1 : moved] == [{str(tmp_path / "land/repo/.git/gitmem")}] * 2
    root = tmp_path / "land/repo"
    written = {str(root / rel) for rel, content in CHANGES.items() if content is not None}
    assert written | {str(root / ".git")} <= set().union(*synced[moved:landed])
    assert names[landed:].count("fsync") >= 3
    assert [call[0] for call in calls if call[1:2] and call[1].endswith("/landing.json")][-1] == "unlink"
