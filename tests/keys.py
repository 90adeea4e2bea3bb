"""SSH keys made on the spot, and commits signed with them. Refuses to keep a key in the project."""

import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support import FIXED_DATE, commit_all, git, run_program, write_tree

SIGNERS = ".gitmem/allowed_signers"
needs_keygen = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")


class Key(NamedTuple):
    """``path`` is the private key; ``line`` what an allowed-signers file says of it."""

    path: Path
    email: str
    public: str

    @property
    def line(self) -> str:
        return self.limited("")

    def limited(self, options: str) -> str:
        return " ".join(part for part in (self.email, options, self.public) if part) + "\n"


def make_key(folder: Path, email: str = "ada@example.org", passphrase: str = "") -> Key:
    path = folder / f"key-{len(list(folder.glob('key-*.pub')))}"
    args = ("-q", "-t", "ed25519", "-C", email, "-N", passphrase, "-f", str(path))
    done = run_program(folder, "ssh-keygen", *args)
    assert done.code == 0, done.err
    return Key(path, email, path.with_suffix(".pub").read_text(encoding="utf-8").strip())


def use_key(repo: Path, key: Key | None) -> None:
    """Every commit that Git makes in ``repo`` from now on is signed with the key, or not signed."""
    git(repo, "config", "commit.gpgSign", "false" if key is None else "true")
    if key is not None:
        git(repo, "config", "gpg.format", "ssh")
        git(repo, "config", "user.signingKey", str(key.path))
        git(repo, "config", "user.email", key.email)


def commit_signed(repo: Path, key: Key | None, files: dict[str, str], *, date: str = FIXED_DATE) -> str:
    use_key(repo, key)
    write_tree(repo, files)
    return commit_all(repo, "change", date=date)
