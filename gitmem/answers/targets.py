"""Turns the files that somebody names into repository paths, one check for all. Refuses to clean up what is wrong."""

from gitmem.answers.reading import Place
from gitmem.errors import UsageError
from gitmem.model.finding import Notice
from gitmem.store import objects, paths

_PATH_MAX_BYTES = 4096


def normalise(place: Place, names: tuple[str, ...]) -> tuple[str, ...]:
    """Repo-relative POSIX paths; a name is read from the folder in which the call was made."""
    if not names:
        raise UsageError(
            "no target file was named", hint="for example: gitmem compile src/app.py (it need not exist yet)"
        )
    targets = tuple(one(place, name) for name in names)
    if place.git_config.get("core.ignorecase", ("false",))[-1] == "true":
        return objects.spelled_as_tracked(place.repo, targets)
    return targets


def one(place: Place, name: str) -> str:
    """One path, checked; ``./`` is the only prefix that is taken off."""
    if len(name.encode("utf-8", "surrogateescape")) > _PATH_MAX_BYTES:
        raise UsageError(f"a path of more than {_PATH_MAX_BYTES} bytes: {name[:60]}...", hint="give a repository path")
    return paths.target_path(place.repo.prefix + name.removeprefix("./"))


def oddities(place: Place, targets: tuple[str, ...]) -> list[Notice]:
    """Targets that lie behind a link, or in another repository inside this one: their rules may be elsewhere."""
    root = place.repo.root
    found = []
    for target in targets if root is not None else ():
        assert root is not None
        path = root
        for part in target.split("/"):
            path = path / part
            if path.is_symlink():
                found.append(
                    Notice("symlinked-target", f"{target} goes through a symbolic link", str(path.relative_to(root)))
                )
                break
            if (path / ".git").exists():
                message = f"{target} lies in another repository; its own rules are not among these"
                found.append(
                    Notice("other-repository", message, str(path.relative_to(root)), f"run gitmem in {path.name}")
                )
                break
    return found
