"""Histories for the tests of what was tried: real commits at any time, on any branch. Refuses to judge them."""

import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.support import git, head_of, start_repo, write_tree

DAY_ONE = datetime(2026, 3, 1, 12, tzinfo=UTC)


def at(days: float) -> str:
    """So many days after the first, as Git reads it."""
    return (DAY_ONE + timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ")


class History:
    """A repository that grows commit by commit; ``day`` is when the next one is made."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.day = 0.0
        root.mkdir()
        start_repo(root)
        self.commit("start", {"README.md": "A project.\n"})

    def commit(self, message: str, files: Mapping[str, str | bytes | None] | None = None, *, after: float = 1) -> str:
        """One commit ``after`` so many days; a file of None is taken away."""
        for rel, text in (files or {}).items():
            if text is None:
                (self.root / rel).unlink()
        write_tree(self.root, {rel: text for rel, text in (files or {}).items() if text is not None})
        git(self.root, "add", "--all")
        return self._committed("commit", "--quiet", "--allow-empty", "--message", message, after=after)

    def revert(self, oid: str, *, after: float = 1) -> str:
        return self._committed("revert", "--no-edit", oid, after=after)

    def merge(self, branch: str, *, after: float = 1) -> str:
        return self._committed("merge", "--quiet", "--no-ff", "--no-edit", branch, after=after)

    def squash(self, branch: str, message: str, *, after: float = 1) -> str:
        git(self.root, "merge", "--quiet", "--squash", branch)
        return self._committed("commit", "--quiet", "--message", message, after=after)

    def branch(self, name: str, start: str = "HEAD") -> None:
        git(self.root, "checkout", "--quiet", "-b", name, start)

    def checkout(self, name: str) -> None:
        git(self.root, "checkout", "--quiet", name)

    def run(self, *words: str) -> str:
        return git(self.root, *words, date=at(self.day))

    def clone(self, name: str, *flags: str) -> Path:
        where = self.root.parent / name
        subprocess.run(["git", "clone", "--quiet", *flags, self.root.as_uri(), str(where)], check=True)
        return where

    def _committed(self, *words: str, after: float) -> str:
        self.day += after
        git(self.root, *words, date=at(self.day))
        return head_of(self.root)
