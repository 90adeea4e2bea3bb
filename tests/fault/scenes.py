"""The writes that are stopped at each of their points, and what must hold afterwards. Refuses to stop them itself."""

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from gitmem.answers.resolve import ResolveCall, resolve
from gitmem.answers.session import Session
from gitmem.store import checkout, files, gitwrite, intent, land
from gitmem.store.gitrefs import read_ref
from gitmem.store.repo import discover
from tests.support import commit_all, engram_id, engram_text, git, run_cli, write_tree

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
AUTHOR = "Ada Example <ada@example.org>"
START: dict[str, str | bytes] = {
    "src/app.py": "print(1)\n",
    "notes.txt": "as committed\n",
    ".gitmem/engrams/api/client.md": "Call the API through the client.\n",
    ".gitmem/engrams/api/retry.md": "Retry twice.\n",
    ".gitmem/engrams/old.md": "Gone soon.\n",
}
CHANGES = {
    ".gitmem/engrams/api/client.md": b"Call the API through the client.\nAlways, and with a time limit.\n",
    ".gitmem/engrams/new/deep/rule.md": b"A rule in two new folders.\n" * 40,
    ".gitmem/engrams/old.md": None,
}
MORE = {".gitmem/engrams/api/retry.md": b"Retry three times.\n"}


def draft(changes: gitwrite.Changes) -> gitwrite.Draft:
    return gitwrite.Draft(changes, "change what is known\n", AUTHOR, NOW)


def head(root: Path) -> str:
    return git(root, "rev-parse", "HEAD").strip()


def content(root: Path, commit: str, rel: str) -> bytes | None:
    done = subprocess.run(["git", "cat-file", "blob", f"{commit}:{rel}"], cwd=root, capture_output=True, check=False)
    return done.stdout if done.returncode == 0 else None


def is_sound(root: Path) -> None:
    """Git finds nothing missing or broken; what nobody names is fine."""
    done = subprocess.run(["git", "fsck", "--no-dangling", "--no-progress"], cwd=root, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def has_all(root: Path, commit: str, changes: gitwrite.Changes) -> None:
    for rel, wanted in changes.items():
        assert content(root, commit, rel) == wanted, rel


@dataclass
class Scene:
    """``make`` builds it below a folder; ``act`` is the write; ``judge`` looks at it, told if it was acknowledged.

    One of ``words`` must stand in the error of a failing call: what names the path.
    """

    name: str
    make: Callable[[Path], None]
    act: Callable[[Path], object]
    judge: Callable[[Path, bool], None]
    words: tuple[str, ...] = ()

    def fresh(self, folder: Path) -> Path:
        """The scene as it was made, always in the same place, since worktrees know their place."""
        place, kept = folder / self.name, folder / f"{self.name}.kept"
        if not kept.exists():
            place.mkdir()
            self.make(place)
            shutil.copytree(place, kept, symlinks=True)
        shutil.rmtree(place)
        shutil.copytree(kept, place, symlinks=True)
        return place


def make_repo(place: Path) -> None:
    root = place / "repo"
    root.mkdir()
    git(root, "init", "--quiet", "--initial-branch=main", "--template=")
    write_tree(root, START)
    commit_all(root, "start")
    git(root, "update-ref", OURS, "HEAD")
    git(root, "branch", "side")


OURS = "refs/gitmem/proposals/aa/one"
FRESH = "refs/gitmem/proposals/bb/two"
SIDE = "refs/heads/side"


def commit_on(ref: str) -> Callable[[Path], object]:
    def act(place: Path) -> object:
        repo = discover(place / "repo")
        return gitwrite.commit_files(repo, ref, read_ref(repo, ref), draft(CHANGES))

    return act


def judge_commit(ref: str) -> Callable[[Path, bool], None]:
    def judge(place: Path, is_acknowledged: bool) -> None:
        root = place / "repo"
        repo = discover(root)
        start = head(root) if ref != FRESH else None
        tip = read_ref(repo, ref)
        is_sound(root)
        if tip != start or is_acknowledged:
            assert tip is not None
            has_all(root, tip, CHANGES)
        again = gitwrite.commit_files(repo, ref, tip, draft(MORE))
        has_all(root, again, MORE)
        assert read_ref(repo, ref) == again
        is_sound(root)
        assert not list((root / ".git/refs").rglob("*.lock"))
        assert git(root, "status", "--porcelain") == ""

    return judge


def make_dirty(place: Path) -> None:
    """A person has edits everywhere but on the paths of the landing."""
    make_repo(place)
    root = place / "repo"
    repo = discover(root)
    landing = gitwrite.write_commit(repo, head(root), draft(CHANGES))
    (place / "landing").write_text(f"{head(root)} {landing}")
    make_edits(root)


def make_edits(root: Path) -> None:
    write_tree(root, {"notes.txt": "half a thought", "src/app.py": "print(2)\n", "untracked.md": "mine\n"})
    git(root, "add", "src/app.py")
    write_tree(root, {"src/app.py": "print(3)\n"})


EDITS = " M notes.txt\nMM src/app.py\n?? untracked.md\n"


def make_two(place: Path) -> None:
    make_dirty(place)
    git(place / "repo", "checkout", "--quiet", "--ignore-other-worktrees", "main")
    git(place / "repo", "worktree", "add", "--quiet", "--force", str(place / "second"), "main")
    write_tree(place / "second", {"notes.txt": "another thought"})


def make_bare(place: Path) -> None:
    make_dirty(place)
    (place / "repo/.git").rename(place / "bare.git")
    shutil.rmtree(place / "repo")
    (place / "bare.git").rename(place / "repo")
    git(place / "repo", "config", "core.bare", "true")


def land_it(place: Path) -> object:
    old, new = (place / "landing").read_text().split()
    return type(land.land(discover(place / "repo"), "main", old, new)).__name__


def judge_edits(root: Path, edits: str) -> None:
    assert git(root, "status", "--porcelain") == edits


def judge_landing(roots: dict[str, str]) -> Callable[[Path, bool], None]:
    """``roots``: what ``git status`` must say in each worktree, whether the landing is in or not."""

    def judge(place: Path, is_acknowledged: bool) -> None:
        root = place / "repo"
        repo = discover(root)
        old, new = (place / "landing").read_text().split()
        is_sound(root)
        intent.recover(repo)
        tip = read_ref(repo, "refs/heads/main")
        assert tip == new if is_acknowledged else tip in (old, new)
        for name, edits in roots.items():
            judge_edits(place / name, edits)
        if roots and "notes" in roots["repo"]:
            assert (root / "notes.txt").read_text() == "half a thought"
            assert (root / "src/app.py").read_text() == "print(3)\n"
            assert git(root, "show", ":src/app.py") == "print(2)\n"
        assert land.land(repo, "main", tip, new) == land.Landed(new)
        more = gitwrite.write_commit(repo, new, draft(MORE))
        assert land.land(repo, "main", new, more) == land.Landed(more)
        for name, edits in roots.items():
            judge_edits(place / name, edits)
            assert (place / name / ".gitmem/engrams/api/retry.md").read_bytes() == MORE[".gitmem/engrams/api/retry.md"]
            assert not (place / name / ".gitmem/engrams/old.md").exists()
        assert not (repo.private_dir / "landing.json").exists()
        is_sound(root)

    return judge


def judge_stopped(place: Path, is_acknowledged: bool) -> None:
    root = place / "repo"
    old = head(root)
    if is_acknowledged:
        judge_edits(root, EDITS)
    intent.recover(discover(root))
    judge_edits(root, EDITS)
    assert head(root) == old
    judge_landing({"repo": EDITS})(place, False)


def make_stopped(place: Path) -> None:
    """A landing was killed when it had moved the files and not yet the branch."""
    make_dirty(place)
    old, new = (place / "landing").read_text().split()
    repo = discover(place / "repo")
    intent.begin(repo, intent.Intent("refs/heads/main", old, new, (str(repo.where),)))
    assert checkout.switch(checkout.open_place(repo), old, new).code == 0


def make_folder(place: Path) -> None:
    write_tree(place, {"engrams/a.md": "first\n", "engrams/other.md": "not touched\n"})


def judge_file(rel: str, old: bytes | None, new: bytes | None) -> Callable[[Path, bool], None]:
    def judge(place: Path, is_acknowledged: bool) -> None:
        found = files.read_file(place, rel)
        assert found == new if is_acknowledged else found in (old, new)
        files.write_file(place, rel, b"next\n", expected=found)
        assert files.read_file(place, rel) == b"next\n"
        assert (place / "engrams/other.md").read_bytes() == b"not touched\n"
        seen = {path.name for path in place.rglob("*") if path.is_file() and not path.name.startswith(files.TEMPORARY)}
        assert seen <= {"a.md", "b.md", "other.md", "new.md"}

    return judge


def judge_move(place: Path, is_acknowledged: bool) -> None:
    found = (files.read_file(place, "engrams/a.md"), files.read_file(place, "engrams/down/b.md"))
    assert found == (None, b"first\n") if is_acknowledged else found in ((None, b"first\n"), (b"first\n", None))


MERGED = {
    ".gitmem/engrams/api/moved.md": engram_text(title="Ours", tags=["api", "http", "web"]),
    ".gitmem/engrams/two.md": engram_text(id=engram_id(2), tags=["api", "http", "web"]),
}


def make_merging(place: Path) -> None:
    """A move and an edit that Git does not see as one, a list that both sides added to, and an edit beside it."""
    root = place / "repo"
    make_repo(place)
    one, two = ".gitmem/engrams/one.md", ".gitmem/engrams/two.md"
    write_tree(root, {one: engram_text(), two: engram_text(id=engram_id(2))})
    commit_all(root)
    git(root, "config", "merge.renames", "false")
    git(root, "switch", "--quiet", "--create", "theirs")
    write_tree(root, {one: engram_text(title="Theirs", tags=["api", "web"])})
    write_tree(root, {two: engram_text(id=engram_id(2), tags=["api", "web"])})
    commit_all(root)
    git(root, "switch", "--quiet", "main")
    (root / one).unlink()
    write_tree(root, {".gitmem/engrams/api/moved.md": engram_text(title="Ours", tags=["api", "http"])})
    write_tree(root, {two: engram_text(id=engram_id(2), tags=["api", "http"])})
    commit_all(root)
    subprocess.run(["git", "merge", "--quiet", "theirs"], cwd=root, capture_output=True, check=False)
    write_tree(root, {"notes.txt": "as edited\n"})


def resolve_it(place: Path) -> object:
    return resolve(Session(place / "repo", NOW), ResolveCall(ours=True))


def judge_resolved(place: Path, is_acknowledged: bool) -> None:
    """Both sides are in the repository all the time; called again, it ends what it had begun."""
    root = place / "repo"
    is_sound(root)
    waiting = git(root, "ls-files", "-u")
    assert not (is_acknowledged and waiting)
    if (root / ".git/index.lock").exists():
        (root / ".git/index.lock").unlink()
    # In a process of its own: what this one remembers of objects would shift the points of the next call.
    ran = run_cli(root, "resolve", "--ours")
    assert ran.code == 0, ran
    assert git(root, "ls-files", "-u") == ""
    for rel, wanted in MERGED.items():
        assert (root / rel).read_text(encoding="utf-8") == git(root, "show", f":{rel}") == wanted
    assert not (root / ".gitmem/engrams/one.md").exists()
    assert git(root, "diff", "--name-only") == "notes.txt\n"


SCENES = (
    Scene("resolve", make_merging, resolve_it, judge_resolved, (".git", "/repo", ".gitmem/engrams/")),
    Scene("own-ref", make_repo, commit_on(OURS), judge_commit(OURS), (".git",)),
    Scene("new-ref", make_repo, commit_on(FRESH), judge_commit(FRESH), (".git",)),
    Scene("branch", make_repo, commit_on(SIDE), judge_commit(SIDE), (".git",)),
    Scene("land", make_dirty, land_it, judge_landing({"repo": EDITS}), (".git", "/repo")),
    Scene(
        "land-in-two",
        make_two,
        land_it,
        judge_landing({"repo": EDITS, "second": " M notes.txt\n"}),
        (".git", "/repo", "/second"),
    ),
    Scene(
        "recover",
        make_stopped,
        lambda place: intent.recover(discover(place / "repo")) and None,
        judge_stopped,
        (".git", "/repo", ".gitmem/engrams/"),
    ),
    Scene("land-bare", make_bare, land_it, judge_landing({}), ("/repo",)),
    Scene(
        "new-file",
        make_folder,
        lambda place: files.write_file(place, "engrams/x/y/new.md", b"new\n" * 500, expected=None),
        judge_file("engrams/x/y/new.md", None, b"new\n" * 500),
        ("engrams/x/y/new.md",),
    ),
    Scene(
        "edit-file",
        make_folder,
        lambda place: files.write_file(place, "engrams/a.md", b"second\n" * 500, expected=b"first\n"),
        judge_file("engrams/a.md", b"first\n", b"second\n" * 500),
        ("engrams/a.md",),
    ),
    Scene(
        "remove-file",
        make_folder,
        lambda place: files.remove_file(place, "engrams/a.md", expected=b"first\n"),
        judge_file("engrams/a.md", b"first\n", None),
        ("engrams/a.md",),
    ),
    Scene(
        "move-file",
        make_folder,
        lambda place: files.move_file(place, "engrams/a.md", "engrams/down/b.md", expected=b"first\n"),
        judge_move,
        ("engrams/a.md",),
    ),
)
