"""Changes to one engram of a repository that is measured. Refuses to know gitmem: who measures memory stays small."""

import subprocess
from pathlib import Path

from benchmarks.measure import environment


def an_engram(root: Path) -> Path:
    return min((root / ".gitmem" / "engrams").rglob("*.md"))


def commit_change(root: Path, path: Path, text: str) -> None:
    """Commits one more line at the end of one engram."""
    with path.open("a", encoding="utf-8") as file:
        file.write(f"Changed {text}.\n")
    command = ["git", "-c", "gc.auto=0", "commit", "--quiet", "--no-verify", "--message", text, "--", str(path)]
    subprocess.run(command, cwd=root, env=environment(), check=True, stdin=subprocess.DEVNULL)


def stage(root: Path, path: Path) -> None:
    subprocess.run(["git", "add", "--", str(path)], cwd=root, env=environment(), check=True, stdin=subprocess.DEVNULL)


def merge(root: Path, commit: str) -> None:
    """What a merge button does, with the files of the work tree."""
    command = ["git", "-c", "gc.auto=0", "merge", "--quiet", "--no-ff", "--no-verify", "--no-edit", commit]
    subprocess.run(command, cwd=root, env=environment(), check=True, stdin=subprocess.DEVNULL)
