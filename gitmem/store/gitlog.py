"""The commits of all branches with the paths that they change, read in one pass. Refuses to say what they mean."""

import hashlib
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import IO

from gitmem.model.past import Branch, Past, Touch
from gitmem.record import record
from gitmem.store import git, objects
from gitmem.store.gitconfig import driver_overrides
from gitmem.store.repo import Repo

# Beyond these a commit is counted, not told.
_TOUCHES_MAX = 100
_SUBJECT_MAX = 300
_BODY_MAX = 4000
# As many digits of a blob's id as tell blobs of one path apart.
_BLOB_DIGITS = 16
_MARK_BYTES = 8
_CHUNK_BYTES = 1 << 18
_NO_MODE = "000000"
_NOTHING = ""
_WITHOUT_BLOB = (_NO_MODE, "160000")
# The last second of the year 9999: no calendar goes further.
_TIME_MAX = 253_402_300_799
_TOLD_EVERY = 500
_SAID_BYTES = 1 << 16
_LOG = (
    *("-c", "log.showRoot=false", "log", "--raw", "--no-abbrev", "-z", "--no-relative", f"-O{os.devnull}"),
    *("--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-notes", "--no-decorate", "--encoding=UTF-8"),
    *("--diff-merges=off", "--ignore-submodules=none"),
)
_EXACT = ("-M100%",)
_LIKE = ("-M", "-l200")
_PATCH = (
    *("-r", "-p", "-U0", "--always", "--full-index", "--no-color", "--no-renames", "--no-ext-diff", "--no-textconv"),
    *("--no-relative", "--src-prefix=a/", "--dst-prefix=b/", f"-O{os.devnull}"),
)
_OID_LENGTHS = (40, 64)
_FIELDS = "%x00%H%x00%P%x00%at%x00%ct%x00%s%x00%b%x00"
_FIELDS_COUNT = 8


@record
class Wanted:
    """Which commits: those that ``tips`` reach and ``known`` do not, the newest ``most``.

    ``is_partial``: blobs may be missing here, so moves are told by ids alone.
    """

    tips: Sequence[str]
    known: Sequence[str] = ()
    most: int = 50_000
    is_partial: bool = False


@record
class Heads:
    """The branches, what HEAD is, and the commits that tags name; ``here`` is the branch at hand, '' for none."""

    head: str
    here: str
    branches: tuple[Branch, ...]
    tagged: tuple[str, ...]

    @property
    def tips(self) -> list[str]:
        named = [branch.tip for branch in self.branches]
        return list(dict.fromkeys([self.head, *named] if self.head else named))


def heads(repo: Repo) -> Heads:
    """Local and remote branches; never a ref of gitmem's own."""
    fields = "%(objecttype) %(objectname) %(*objectname) %(symref) %(refname)"
    args = ("for-each-ref", f"--format={fields}", "refs/heads/", "refs/remotes/", "refs/tags/")
    rows = [line.split(" ", 4) for line in git.run(repo.where, args).lines()]
    branches = tuple(
        Branch(name, oid)
        for kind, oid, _, symref, name in rows
        if kind == "commit" and not symref and not name.startswith("refs/tags/")
    )
    tagged = tuple(sorted({peeled or oid for _, oid, peeled, _, name in rows if name.startswith("refs/tags/")}))
    head = git.attempt(repo.where, ("rev-parse", "--verify", "--quiet", "HEAD^{commit}"))
    return Heads("".join(head.lines()[:1]), objects.symbolic_ref(repo, "HEAD"), branches, tagged)


def shallow_edge(repo: Repo) -> bytes:
    """Where a shallow clone ends: Git's own list, b'' for a clone that is whole."""
    try:
        return (repo.common_dir / "shallow").read_bytes()
    except OSError:
        return b""


def read(repo: Repo, wanted: Wanted, tell: Callable[[int], None] | None = None) -> Iterator[Past]:
    """Git's order: the newest first as far as clocks agree. ``tell`` hears now and then how many there were."""
    if not wanted.tips:
        # Git would take HEAD, which may be nothing yet.
        return
    # Nobody who writes a commit message can know it.
    token = os.urandom(16).hex()
    renames = _EXACT if wanted.is_partial else _LIKE
    args = (*_LOG, *renames, f"--max-count={wanted.most}", f"--format={token}{_FIELDS}", "--stdin", "--")
    revisions = [*wanted.tips, *(f"^{oid}" for oid in wanted.known)]
    number = 0
    for number, entry in enumerate(_entries(repo, args, revisions, token.encode()), 1):
        yield _past(entry)
        if tell is not None and number % _TOLD_EVERY == 0:
            tell(number)


def _entries(repo: Repo, args: Sequence[str], revisions: Sequence[str], token: bytes) -> Iterator[bytes]:
    with tempfile.TemporaryFile() as said, _started(repo, args, said) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        is_read = False
        try:
            with suppress(BrokenPipeError):
                process.stdin.write("".join(f"{each}\n" for each in revisions).encode())
                process.stdin.close()
            yield from _parts(process.stdout, token)
            is_read = True
        finally:
            if not is_read:
                process.kill()
        if process.wait():
            said.seek(0)
            err = said.read(_SAID_BYTES).decode("utf-8", "replace")
            raise git.failure(repo.where, "log", git.Finished(process.returncode, b"", err))


def _started(repo: Repo, args: Sequence[str], said: IO[bytes]) -> subprocess.Popen[bytes]:
    command = ["git", "-C", str(repo.where), *git.SAFE, *args]
    env = git.environment(git.Call(env=driver_overrides(repo)))
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=said,
            env=env,
            creationflags=git.NO_WINDOW,
        )
    except FileNotFoundError as err:
        raise git.GitError("the git program was not found", hint="install Git 2.34 or newer") from err
    except OSError as err:
        raise git.GitError(f"git log could not be started: {err.strerror}", place=str(repo.where)) from err


def _parts(stream: IO[bytes], token: bytes) -> Iterator[bytes]:
    """What stands between one token and the next, without the nothing before the first."""
    held = b""
    while chunk := stream.read(_CHUNK_BYTES):
        *whole, held = (held + chunk).split(token)
        yield from filter(None, whole)
    if held:
        yield held


def _past(entry: bytes) -> Past:
    _, oid, parents, made, at, subject, body, rest = entry.split(b"\0", _FIELDS_COUNT - 1)
    changes = _changes(rest.decode("utf-8", "surrogateescape"))
    sides = [side for change in changes for side in _sides(change)]
    return Past(
        oid=oid.decode(),
        parents=tuple(parents.decode().split()),
        made=_seconds(made),
        at=_seconds(at),
        subject=_text(subject)[:_SUBJECT_MAX],
        body=_text(body)[:_BODY_MAX],
        touches=tuple(map(_touch, changes[:_TOUCHES_MAX])),
        count=len(changes),
        mark=_digest(sides),
        inverse=_digest([(rel, new, old) for rel, old, new in sides]),
    )


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace").strip()


def _seconds(digits: bytes) -> int:
    return min(int(digits), _TIME_MAX) if digits.isdigit() else 0


def _changes(raw: str) -> list[tuple[list[str], str, str]]:
    """(modes, ids and status, path, where it was moved to or '') from Git's own raw form."""
    fields = iter(raw.lstrip("\0\n").split("\0"))
    found = []
    for meta in fields:
        if meta.startswith(":"):
            row = meta[1:].split(" ")
            found.append((row, next(fields, ""), next(fields, "") if row[-1][0] in "RC" else ""))
    return found


def _sides(change: tuple[list[str], str, str]) -> list[tuple[str, str, str]]:
    """(path, mode and blob before, the same after); a move is a removal and an addition."""
    (old_mode, new_mode, old, new, _), rel, to = change
    if to:
        return [(rel, old_mode + old, _NOTHING), (to, _NOTHING, new_mode + new)]
    return [(rel, _present(old_mode, old), _present(new_mode, new))]


def _present(mode: str, oid: str) -> str:
    return mode + oid if mode != _NO_MODE else _NOTHING


def _touch(change: tuple[list[str], str, str]) -> Touch:
    (old_mode, new_mode, old, new, _), rel, to = change
    sides = (old_mode, old), (new_mode, new)
    # A pointer to another repository moves by chance; it says nothing of what was tried here.
    before, after = (oid[:_BLOB_DIGITS] if mode not in _WITHOUT_BLOB else "" for mode, oid in sides)
    return Touch(to, before, after, rel) if to else Touch(rel, before, after)


def _digest(sides: list[tuple[str, str, str]]) -> str:
    text = "\n".join(sorted(map("\0".join, sides))).encode("utf-8", "surrogateescape")
    return hashlib.blake2b(text, digest_size=_MARK_BYTES).hexdigest() if sides else ""


def patches(repo: Repo, wanted: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], str]:
    """The hash of what each commit changes, or a commit against another one named after it: blind to line numbers and
    to context. Nothing for any of them where something cannot be read.
    """
    feed = "".join(f"{' '.join(each)}\n" for each in wanted).encode()
    done = git.attempt(repo.where, ("diff-tree", "--stdin", *_PATCH), git.Call(stdin=feed))
    hashes = _patch_hashes(done.out) if done.code == 0 else []
    return dict(zip(wanted, hashes, strict=False)) if len(hashes) == len(wanted) else {}


def _patch_hashes(out: bytes) -> list[str]:
    """One for each line that is an id alone: no line of a patch is."""
    found: list[hashlib.blake2b] = []
    index = b""
    for line in out.split(b"\n"):
        if len(line) in _OID_LENGTHS and not line.strip(b"0123456789abcdef"):
            found.append(hashlib.blake2b(digest_size=_MARK_BYTES))
        elif line.startswith(b"index "):
            index = line
        elif found and line.startswith((b"+", b"-", b"diff ", b"Binary ")):
            found[-1].update((index if line.startswith(b"Binary ") else b"") + line + b"\n")
    return [each.hexdigest() for each in found]
