"""Which repository a call is about, kept open between calls. Refuses a folder that nobody named."""

import os
import time
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit

from gitmem.answers.reading import Place, check_ours, open_place
from gitmem.record import field, record, replace, state
from gitmem.store import gitconfig
from gitmem.store.repo import NotARepositoryError, Repo

_FRESH_SECONDS = 2.0
_KEPT_PLACES = 16


@record
class Held:
    """``looked_at`` is monotonic seconds: when Git's configuration and the folder were last looked at."""

    place: Place
    looked_at: float


@state
class Places:
    """The repositories that this process has opened, by the folder that led to them."""

    held: dict[str, Held] = field(default_factory=dict)

    def find(self, folders: Sequence[Path], names: Sequence[str]) -> tuple[Path, Place]:
        """The first folder that lies in a repository, those first that hold an absolute name among ``names``."""
        absolute = next((name for name in names if Path(name).is_absolute()), "")
        ordered = sorted(folders, key=lambda folder: not (absolute and _is_below(absolute, folder)))
        refusal: NotARepositoryError | None = None
        for folder in ordered:
            try:
                return folder, self.at(folder)
            except NotARepositoryError as err:
                refusal = refusal or err
        raise refusal or NotARepositoryError("the client names no folder", hint="start with: gitmem -C DIR mcp")

    def at(self, folder: Path) -> Place:
        """The repository of a folder. What another process can change is at most two seconds old."""
        key, now = str(folder), time.monotonic()
        known = self.held.get(key)
        if known is not None and now - known.looked_at < _FRESH_SECONDS and _is_there(known.place):
            return known.place
        place = _looked_at_again(known.place) if known is not None and _is_there(known.place) else open_place(folder)
        check_ours(place.repo)
        if len(self.held) >= _KEPT_PLACES:
            self.held.clear()
        self.held[key] = Held(place, now)
        return place


def _is_there(place: Place) -> bool:
    """Whether repository and cache are still where they were; either may vanish under a running server."""
    cache = place.cache.folder
    return (place.repo.git_dir / "HEAD").exists() and (cache is None or cache.is_dir())


def _looked_at_again(place: Place) -> Place:
    return replace(place, git_config=gitconfig.read_config(place.repo))


def in_repository(folder: Path, place: Place, names: Sequence[str]) -> tuple[Place, tuple[str, ...]]:
    """Names as they are; when one is absolute, all as paths below the repository's root, and the place seen from there.

    An absolute name that is not below the root stays as it is, for the answer to refuse.
    """
    if place.repo.root is None or not any(Path(name).is_absolute() for name in names):
        return place, tuple(names)
    tops = (place.repo.root, _top(folder, place.repo))
    found = tuple(_below(name, tops) if Path(name).is_absolute() else place.repo.prefix + name for name in names)
    return replace(place, repo=replace(place.repo, prefix="")), found


def _top(folder: Path, repo: Repo) -> Path:
    """The root as the client spells it, links and all."""
    depth = len(Path(repo.prefix).parts)
    return folder.parents[depth - 1] if depth else folder


def _below(name: str, tops: Sequence[Path]) -> str:
    path = Path(os.path.normpath(name))
    return next((path.relative_to(top).as_posix() for top in tops if path.is_relative_to(top)), name)


def _is_below(name: str, folder: Path) -> bool:
    return Path(os.path.normpath(name)).is_relative_to(folder)


def folder_of(uri: str) -> Path | None:
    """The folder of a ``file:`` URI as clients give their roots, None for any other."""
    parts = urlsplit(uri)
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return None
    text = unquote(parts.path)
    is_drive = os.name == "nt" and text[:1] == "/" and text[2:3] == ":"
    return Path(text[1:] if is_drive else text)
