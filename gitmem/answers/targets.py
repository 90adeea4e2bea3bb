"""Turns the files that somebody names into repository paths, one check for all. Refuses to clean up what is wrong."""

from pathlib import Path

from gitmem.answers.reading import Place
from gitmem.errors import UsageError
from gitmem.model.finding import Notice
from gitmem.store import objects, paths

_PATH_MAX_BYTES = 4096
_LINK, _REPOSITORY = "link", "repository"
_NAMED = 20


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
    if len(name.encode("utf-8", "surrogatepass")) > _PATH_MAX_BYTES:
        raise UsageError(f"a path of more than {_PATH_MAX_BYTES} bytes: {name[:60]}...", hint="give a repository path")
    prefix = "" if name.startswith("/") else place.repo.prefix
    return paths.target_path(prefix + name.removeprefix("./"))


def oddities(place: Place, targets: tuple[str, ...]) -> list[Notice]:
    """Targets that lie behind a link, or in another repository inside this one: their rules may be elsewhere."""
    root = place.repo.root
    if root is None:
        return []
    seen: dict[str, str] = {}
    found: list[Notice] = []
    for target in targets:
        parts = target.split("/")
        above = ("/".join(parts[:depth]) for depth in range(1, len(parts) + 1))
        odd = next((rel for rel in above if _odd(root, rel, seen)), "")
        if odd and seen[odd] == _LINK:
            found.append(Notice("symlinked-target", f"{target} goes through a symbolic link", odd))
        elif odd:
            message = f"{target} lies in another repository; its own rules are not among these"
            found.append(Notice("other-repository", message, odd, f"run gitmem in {odd}"))
        if len(found) == _NAMED:
            found.append(Notice("more-odd-targets", "further targets were not looked at"))
            break
    return found


def _odd(root: Path, rel: str, seen: dict[str, str]) -> str:
    """What is odd about one path; each folder is looked at once."""
    known = seen.get(rel)
    if known is None:
        path = root / rel
        known = seen[rel] = _LINK if path.is_symlink() else _REPOSITORY if (path / ".git").exists() else ""
    return known
