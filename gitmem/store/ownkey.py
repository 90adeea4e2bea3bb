"""The line by which a list of signers would allow the user's own key. Refuses to read a private key, or to make one."""

import re
from pathlib import Path

from gitmem.store.git import attempt
from gitmem.store.regular import read_at_most
from gitmem.store.repo import Repo
from gitmem.store.trust import GitConfig

_PUBLIC = re.compile(r"((?:sk-)?(?:ssh|ecdsa)-[a-z0-9@.-]{3,60} [A-Za-z0-9+/]{40,2000}={0,2})(?: .*)?")
_LARGEST_BYTES = 4096


def own_line(repo: Repo, config: GitConfig) -> str:
    """'' where Git is not set to sign with an SSH key of which the public part is at hand."""
    key, email = config.get("user.signingkey", ("",))[-1], config.get("user.email", ("",))[-1]
    if config.get("gpg.format", ("",))[-1] != "ssh" or not key or not re.fullmatch(r"[^\s\",*?!]+@[^\s\",*?!]+", email):
        return ""
    found = _PUBLIC.fullmatch(key.removeprefix("key::")) or _PUBLIC.fullmatch(_public_file(repo))
    return f'{email} namespaces="git" {found[1]}' if found else ""


def _public_file(repo: Repo) -> str:
    """Git takes the private key's path and that of its public part alike."""
    done = attempt(repo.where, ("config", "--type=path", "--get", "user.signingKey"))
    named = Path(done.out.decode("utf-8", "surrogateescape").removesuffix("\n"))
    path = named if named.suffix == ".pub" else named.with_name(f"{named.name}.pub")
    try:
        return read_at_most(repo.where / path, _LARGEST_BYTES).decode("ascii", "replace").strip()
    except (OSError, ValueError):
        return ""
