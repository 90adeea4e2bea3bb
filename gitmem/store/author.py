"""Whose name stands on what is written: the person's, as Git knows it. Refuses names from anybody else."""

from collections.abc import Mapping

from gitmem.store import git
from gitmem.store.gitconfig import read_config
from gitmem.store.repo import Repo

UNKNOWN = "unknown"


def author(repo: Repo, known: Mapping[str, tuple[str, ...]] | None = None) -> str:
    """``Name <email>`` by Git's own order of sources; a name alone, the email in its place, or ``unknown``.

    ``known`` is Git's configuration where it was read already.
    """
    given, config = git.environment(), known if known is not None else read_config(repo)
    name = given.get("GIT_AUTHOR_NAME", "") or _last(config.get("author.name")) or _last(config.get("user.name"))
    email = (
        given.get("GIT_AUTHOR_EMAIL", "")
        or _last(config.get("author.email"))
        or _last(config.get("user.email"))
        or given.get("EMAIL", "")
    )
    name, email = clean(name), clean(email)
    return f"{name or email} <{email}>" if email else name or UNKNOWN


def clean(text: str) -> str:
    """Without what would end a name or an email in a commit."""
    return " ".join("".join(" " if c in "<>" or not c.isprintable() else c for c in text).split())


def _last(values: tuple[str, ...] | None) -> str:
    return values[-1] if values else ""
