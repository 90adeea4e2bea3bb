"""What the newest commits of a history say, with the paths that they change. Refuses to weigh it."""

from __future__ import annotations

import os

from gitmem.record import record
from gitmem.store import git
from gitmem.store.gitconfig import driver_overrides
from gitmem.store.repo import Repo

COMMITS_MOST = 5_000
_LOG = (
    *("-c", "log.showRoot=true", "log", "--name-only", "-z", "--no-renames", "--no-relative", f"-O{os.devnull}"),
    *("--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-notes", "--no-decorate", "--encoding=UTF-8"),
    # What a merge brings in is said in its message.
    *(
        "--diff-merges=first-parent",
        "--ignore-submodules=all",
    ),
)


@record
class Message:
    text: str
    paths: tuple[str, ...]


def messages(repo: Repo, commit: str, most: int = COMMITS_MOST) -> list[Message]:
    """Of at most ``most`` commits that ``commit`` reaches, the newest first, those without paths too.

    None of them where Git cannot read the history, as in a partial clone.
    """
    # Nobody who writes a commit message can know it.
    token = os.urandom(16).hex()
    args = (*_LOG, f"--max-count={most}", f"--format={token}%B%x00{token}", "--end-of-options", commit, "--")
    done = git.attempt(repo.where, args, git.Call(env=driver_overrides(repo)))
    if done.code:
        return []
    parts = done.out.split(token.encode())
    return [_message(text, rest) for text, rest in zip(parts[1::2], parts[2::2], strict=False)]


def _message(text: bytes, rest: bytes) -> Message:
    names = rest.decode("utf-8", "surrogateescape").strip("\0\n").split("\0")
    return Message(text.rstrip(b"\0").decode("utf-8", "replace"), tuple(name for name in names if name))
