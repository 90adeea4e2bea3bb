"""What Git's configuration says, and how to keep its programs from running. Refuses to write configuration."""

from collections.abc import Mapping

from gitmem.store import git
from gitmem.store.repo import Repo

_ENDS_WITH_PROGRAM = {
    "filter": ("clean", "smudge", "process"),
    "diff": ("command", "textconv"),
    "merge": ("driver",),
}


def read_config(repo: Repo) -> Mapping[str, tuple[str, ...]]:
    """Every setting in force in this worktree, all values in Git's order: the last one counts for single settings.

    Keys are as Git prints them: section and name in lower case, the part between them as it was written. A setting
    without a value is ``true``. What gitmem itself passes to Git is not among them.
    """
    fields = git.run(repo.where, ("config", "--list", "--show-scope", "-z")).out.decode("utf-8", "surrogateescape")
    parts = fields.split("\0")
    found: dict[str, tuple[str, ...]] = {}
    for scope, setting in zip(parts[::2], parts[1::2], strict=False):
        key, has_value, value = setting.partition("\n")
        if scope != "command":
            found[key] = (*found.get(key, ()), value if has_value else "true")
    return found


def driver_overrides(repo: Repo) -> tuple[tuple[str, str], ...]:
    """Environment for ``git.Call``: every filter, diff and merge driver of the configuration, emptied by name.

    By the environment and not by ``-c``, which cannot name a driver that has an equals sign in its name.
    """
    settings = [setting for key in read_config(repo) for setting in _emptied(key)]
    pairs = [("GIT_CONFIG_COUNT", str(len(settings)))]
    for at, (key, value) in enumerate(settings):
        pairs += [(f"GIT_CONFIG_KEY_{at}", key), (f"GIT_CONFIG_VALUE_{at}", value)]
    return tuple(pairs)


def _emptied(key: str) -> list[tuple[str, str]]:
    if key == "diff.external":
        return [(key, "")]
    section, _, rest = key.partition(".")
    driver, _, name = rest.rpartition(".")
    # A driver may have the empty name: `filter=` in an attributes file puts [filter ""] in force.
    if "." not in rest or name not in _ENDS_WITH_PROGRAM.get(section, ()):
        return []
    settings = [(key, "")]
    if section == "filter":
        settings.append((f"filter.{driver}.required", "false"))
    return settings
