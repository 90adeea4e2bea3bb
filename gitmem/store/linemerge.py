"""A merge line by line as Git makes it, seen from both sides. Refuses to know what the lines mean."""

import tempfile
from pathlib import Path

from gitmem.store import git
from gitmem.store.canonical import canonical
from gitmem.store.repo import Repo

_WIDTH = 7
# From the part of a conflict that a line stands in, and a marker, to the part that follows.
_NEXT = {
    ("both", b"<" * _WIDTH): "ours",
    ("ours", b"|" * _WIDTH): "base",
    ("ours", b"=" * _WIDTH): "theirs",
    ("base", b"=" * _WIDTH): "theirs",
    ("theirs", b">" * _WIDTH): "both",
}


def sides_of(repo: Repo, base: bytes, ours: bytes, theirs: bytes) -> tuple[bytes, bytes] | None:
    """The merged text with our lines where both disagree, and with theirs; None for what is no text."""
    with tempfile.TemporaryDirectory(prefix="gitmem-") as folder:
        paths = [Path(folder) / name for name in ("ours", "base", "theirs")]
        for path, data in zip(paths, (ours, base, theirs), strict=True):
            path.write_bytes(canonical(data))
        names = [str(path) for path in paths]
        taken = [git.attempt(repo.where, ("merge-file", "-p", "-q", side, *names)) for side in ("--ours", "--theirs")]
    return None if any(done.code for done in taken) else (taken[0].out, taken[1].out)


def taken_apart(data: bytes) -> tuple[bytes, bytes] | None:
    """What a text with conflict markers says on either side of them; None where they do not pair up."""
    sides: tuple[list[bytes], list[bytes]] = ([], [])
    part = "both"
    for line in data.splitlines(keepends=True):
        sign = line.rstrip(b"\r\n") if line[:1] == b"=" else line[:_WIDTH]
        part, is_marker = _NEXT.get((part, sign), part), (part, sign) in _NEXT
        for name, side in zip(("ours", "theirs"), sides, strict=True):
            if not is_marker and part in ("both", name):
                side.append(line)
    return (b"".join(sides[0]), b"".join(sides[1])) if part == "both" else None
