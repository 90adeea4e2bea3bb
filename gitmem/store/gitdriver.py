"""The merge driver of a clone: the attributes that ask for it, the settings that name it. Refuses to replace another's.

Attributes are part of the repository and shared; the settings are this clone's own, and never the user's global ones.
"""

from collections.abc import Mapping
from enum import StrEnum

from gitmem.record import record
from gitmem.store import files, git
from gitmem.store.repo import FOLDER, Repo

ATTRIBUTES_FILE = f"{FOLDER}/.gitattributes"
# ``diff`` and ``-filter`` by name: no driver that a configuration defines touches these files.
_EVERY_FILE = "* text eol=lf diff -filter -ident -working-tree-encoding"
# Pattern of the attributes file, and a path for which it must hold.
_MERGED = {
    "engrams/**/*.md": "engrams/a/a.md",
    "synapses/**/*.yaml": "synapses/aa/a.yaml",
    "skills/**/SKILL.md": "skills/a/SKILL.md",
    "intentions/**/*.md": "intentions/a.md",
    "layers.yaml": "layers.yaml",
    "tags.yaml": "tags.yaml",
    "config.yaml": "config.yaml",
}
_LINES = {f"{FOLDER}/{sample}": f"{pattern} merge=gitmem" for pattern, sample in _MERGED.items()}
ATTRIBUTES = "".join(f"{line}\n" for line in (_EVERY_FILE, *_LINES.values()))
COMMAND = "gitmem merge-driver %O %A %B %L %P"
_VERSION = 1
_SECTION = "merge.gitmem"
_WANTED = "gitmem.mergedriver"
_NO = frozenset({"false", "no", "off", "0", ""})


class State(StrEnum):
    """OWN: somebody wrote another command there. OFF: this clone wants none. HALF: settings without the command, at
    which Git breaks off instead of merging lines.
    """

    INSTALLED = "installed"
    MISSING = "missing"
    OUTDATED = "outdated"
    OWN = "own"
    OFF = "off"
    HALF = "half"


@record
class Wanting:
    """Lines of attributes that nothing in the repository says; ``held`` is what the file holds, None for no file."""

    lines: tuple[str, ...]
    held: bytes | None


def state_of(config: Mapping[str, tuple[str, ...]]) -> State:
    """What the configuration of a clone (``gitconfig.read_config``) says about the driver."""
    if config.get(_WANTED, ("true",))[-1].lower() in _NO:
        return State.OFF
    command = config.get(f"{_SECTION}.driver", ("",))[-1]
    version = config.get(f"{_SECTION}.version", ("",))[-1]
    if not command:
        return State.HALF if any(name.startswith(f"{_SECTION}.") for name in config) else State.MISSING
    if version.isdecimal() and int(version) < _VERSION:
        return State.OUTDATED
    if version.isdecimal() and int(version) > _VERSION:
        return State.INSTALLED
    if command != COMMAND:
        return State.OWN
    return State.INSTALLED if version else State.OUTDATED


def is_set(config: Mapping[str, tuple[str, ...]]) -> bool:
    """Whether the configuration holds what ``install`` wrote, or the rest of it."""
    wanted = {name: values for name, values in config.items() if name.startswith(f"{_SECTION}.")}
    return state_of(wanted) in (State.INSTALLED, State.OUTDATED, State.HALF)


def is_half(config: Mapping[str, tuple[str, ...]]) -> bool:
    """Whether settings of a driver are left without its command, whatever this clone wants."""
    return state_of({name: values for name, values in config.items() if name != _WANTED}) is State.HALF


def install(repo: Repo, config: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Sets the driver where there is none or an older one of ours; the settings that it wrote."""
    if state_of(config) not in (State.MISSING, State.OUTDATED, State.HALF):
        return ()
    # The version comes last: a stop before it leaves what is done again.
    wanted = {"name": "knowledge, merged by its keys", "driver": COMMAND, "version": str(_VERSION)}
    for name, value in wanted.items():
        git.run(repo.where, ("config", "--local", "--replace-all", f"{_SECTION}.{name}", value))
    return tuple(f"{_SECTION}.{name}" for name in wanted)


def uninstall(repo: Repo, config: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Takes out of the clone's settings what ``install`` put there; the settings that are gone."""
    if not is_set(config):
        return ()
    # Exit code 128 where the section is not in this clone's own file.
    done = git.attempt(repo.where, ("config", "--local", "--remove-section", _SECTION))
    return () if done.code else tuple(sorted(name for name in config if name.startswith(f"{_SECTION}.")))


def wanting(repo: Repo) -> Wanting:
    """Which kinds of file have no merge attribute at all; one that a person gave them stays theirs."""
    if repo.root is None:
        return Wanting((), None)
    fields = git.run(repo.root, ("check-attr", "-z", "merge", "--", *_LINES)).out.decode().split("\0")
    values = zip(fields[::3], fields[2::3], strict=False)
    lines = tuple(_LINES[path] for path, value in values if value == "unspecified")
    return Wanting(lines, files.read_file(repo.root, ATTRIBUTES_FILE))


def add_attributes(repo: Repo, found: Wanting) -> None:
    """Writes what is wanting at the end of the file, every byte of it kept."""
    assert repo.root is not None
    held = found.held or f"{_EVERY_FILE}\n".encode()
    gap = b"" if held.endswith(b"\n") else b"\n"
    content = held + gap + "".join(f"{line}\n" for line in found.lines).encode()
    files.write_file(repo.root, ATTRIBUTES_FILE, content, expected=found.held)
