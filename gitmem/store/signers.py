"""Whether one commit is signed by a key that a list of signers allows. Refuses any program that a repository names."""

import re
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gitmem.record import field, record
from gitmem.store.gitkeys import CannotVerifyError, keygen
from gitmem.store.signature import Person, Signed

REL = ".gitmem/allowed_signers"
LARGEST_BYTES = 1 << 20
_FINGERPRINT = re.compile(rb"with (\S{1,40}) key (SHA256:[A-Za-z0-9+/=]{20,60})")
_NOT_PLAIN = re.compile(rb"[^A-Za-z0-9._+@-]")


@record
class Refusal:
    """Why a commit does not count; ``is_final`` is False where another ssh-keygen might see it otherwise."""

    reason: str
    hint: str = ""
    is_final: bool = True


@record
class Desk:
    """A private folder in which signatures are checked; ``lists`` are the files of signers, by content."""

    folder: Path
    lists: dict[bytes, str] = field(default_factory=dict)

    def list_file(self, signers: bytes) -> str:
        if signers not in self.lists:
            name = f"signers-{len(self.lists)}"
            (self.folder / name).write_bytes(signers)
            self.lists[signers] = name
        return self.lists[signers]


@contextmanager
def desk() -> Iterator[Desk]:
    try:
        with tempfile.TemporaryDirectory(prefix="gitmem-") as folder:
            yield Desk(Path(folder))
    except OSError as err:
        raise CannotVerifyError(
            f"signatures cannot be checked: there is no room for a temporary file: {err.strerror}",
            hint="make room, or name a folder that can be written: TMPDIR",
        ) from err


def judge(desk: Desk, commit: Signed, signers: bytes) -> Refusal | None:
    """None when a key that ``signers`` (an OpenSSH allowed-signers file) allows for Git has signed the commit."""
    if not commit.signature:
        return Refusal(f"is not signed (committer {_who(commit)})", "sign with: git config commit.gpgSign true")
    if not commit.is_ssh:
        return Refusal(
            f"carries a signature that is not an SSH signature (committer {_who(commit)})",
            "only SSH signatures count: git config gpg.format ssh",
        )
    if not signers.strip():
        return Refusal(f"is signed, and the knowledge before it has no {REL} that could allow the key")
    (desk.folder / "signature").write_bytes(commit.signature)
    if _is_allowed(desk, commit, signers):
        return None
    return _key_refused(desk, commit)


def _is_allowed(desk: Desk, commit: Signed, signers: bytes) -> bool:
    committer = commit.person(b"committer")
    usual = committer.email.decode("utf-8", "surrogateescape") if committer else ""
    listed = ("-f", desk.list_file(signers), *_at(committer, signers), "-s", "signature")
    # Most people sign under the address that they commit with, which saves asking for the name.
    if usual and _holds(desk, commit, listed, usual):
        return True
    found = keygen(desk.folder, ("-Y", "find-principals", *listed), commit.payload)
    names = [name for line in found.lines() if not found.code for name in line.split(",")]
    return any(_holds(desk, commit, listed, name) for name in dict.fromkeys(names) if name and name != usual)


def _holds(desk: Desk, commit: Signed, listed: tuple[str, ...], name: str) -> bool:
    return keygen(desk.folder, ("-Y", "verify", "-n", "git", "-I", name, *listed), commit.payload).code == 0


def _at(committer: Person | None, signers: bytes) -> tuple[str, ...]:
    """Limits in time are held against the commit's own date, as Git does. Old versions know no such option."""
    if b"valid-" not in signers.lower() or committer is None or committer.seconds >= 1 << 33:
        return ()
    return ("-O", time.strftime("verify-time=%Y%m%d%H%M%S", time.localtime(committer.seconds)))


def _key_refused(desk: Desk, commit: Signed) -> Refusal:
    args = ("-Y", "check-novalidate", "-n", "git", "-s", "signature")
    known = keygen(desk.folder, args, commit.payload)
    found = _FINGERPRINT.search(known.out)
    if known.code or found is None:
        return Refusal(f"has a signature that does not fit it (committer {_who(commit)})", is_final=False)
    key = f"{found[1].decode('ascii', 'replace')} {found[2].decode()}"
    return Refusal(f"is signed by {key} (committer {_who(commit)}), which {REL} before it does not allow")


def _who(commit: Signed) -> str:
    """Only what cannot be a sentence: whoever reads the warning may be an agent."""
    committer = commit.person(b"committer")
    return _NOT_PLAIN.sub(b"?", committer.email)[:80].decode() if committer else "unknown"
