"""What can be amiss in a clone, one function an ailment. Refuses to change anything."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from gitmem.answers.caused import cache_tracked
from gitmem.answers.reading import ask, read
from gitmem.answers.session import Session
from gitmem.answers.whole import whole
from gitmem.index.knowledge import Knowledge
from gitmem.model.finding import Finding, Severity
from gitmem.store import files, git, gitdriver, intent, worktree
from gitmem.store.gitdriver import State
from gitmem.store.layout import CONFIG
from gitmem.store.repo import FOLDER, Repo
from gitmem.store.stale import OLD_S

_LOCKS = ("index.lock", "HEAD.lock", "packed-refs.lock", "config.lock", "shallow.lock")
_OURS = "refs/gitmem/"
_FETCH = re.compile(r"remote\.(.*)\.fetch", re.DOTALL)
_TRACKED = "cache-tracked"
_YES = frozenset({"true", "yes", "on", "1"})
_MEND = "gitmem doctor --fix"
GitConfig = Mapping[str, tuple[str, ...]]


def landing(session: Session) -> Iterator[Finding]:
    repo = session.place.repo
    path = intent.pending(repo)
    if path is not None:
        message = "a landing stopped half-way: files may be here that the branch does not have"
        yield Finding("landing-unfinished", Severity.ERROR, str(path), 0, message, _MEND)


def locks(session: Session) -> Iterator[Finding]:
    for path in stale_locks(session):
        message = "a lock that its process seems to have left; until it goes, Git refuses to write there"
        yield Finding("stale-lock", Severity.ERROR, str(path), 0, message, f"if no Git is running here: {_MEND}")


def stale_locks(session: Session) -> list[Path]:
    """Lock files of Git that are older than any command takes."""
    repo = session.place.repo
    folders = {repo.git_dir, repo.common_dir}
    paths = [folder / name for folder in sorted(folders) for name in _LOCKS]
    paths += sorted((repo.common_dir / "refs").rglob("*.lock"))
    return [path for path in paths if _age_s(session, path) > OLD_S]


def leftovers(session: Session) -> Iterator[Finding]:
    for path in unfinished_files(session.place.repo):
        message = "a file that was being written when its process was stopped; nothing reads it"
        yield Finding("write-unfinished", Severity.WARNING, str(path), 0, message, _MEND)


def unfinished_files(repo: Repo) -> list[Path]:
    """They have names of their own until they are whole."""
    return sorted(repo.knowledge_dir.rglob(f"{files.TEMPORARY}*")) if repo.root is not None else []


def _age_s(session: Session, path: Path) -> float:
    with suppress(OSError):
        return session.now.timestamp() - path.lstat().st_mtime
    return 0.0


def cache(session: Session) -> Iterator[Finding]:
    repo = session.place.repo
    tracked = worktree.tracked(repo, below=(f"{FOLDER}/cache",)) if repo.root is not None else []
    for path in tracked[:1]:
        found = cache_tracked(path)
        yield found


def derived(session: Session) -> Iterator[Finding]:
    """Damage is mended by whoever meets it; where nothing can be kept, everything is made anew by each call."""
    place = session.place
    if place.cache.note:
        hint = "give this user a folder to write to: .gitmem/cache, or .git/gitmem"
        yield Finding(
            "no-cache", Severity.WARNING, str(place.cache.folder or f"{FOLDER}/cache"), 0, place.cache.note, hint
        )
    for note in ask(read(place), Knowledge.verified)[1]:
        yield Finding("derived-damaged", Severity.WARNING, f"{FOLDER}/cache", 0, note, _MEND)


def knowledge(session: Session) -> list[Finding]:
    """What ``gitmem check`` says of HEAD and of what waits to be committed, but for what another look tells."""
    return [found for found in whole(session).findings if found.code != _TRACKED]


def trusted(session: Session) -> Iterator[Finding]:
    """Nothing is served where the trusted revision is missing or cannot be verified."""
    found = read(session.place).trusted
    stated = session.place.repo.common_dir / "config" if found.source.startswith("git config") else f"{FOLDER}/{CONFIG}"
    for each in found.warnings:
        yield Finding(each.code, Severity.ERROR, each.place or str(stated), 0, each.message, each.hint)


def refspecs(session: Session) -> Iterator[Finding]:
    """Settings by which a fetch writes over what is only here, or deletes it."""
    config = session.place.git_config
    for key, values in config.items():
        found = _FETCH.fullmatch(key)
        for value in values if found else ():
            if found and _reaches_ours(value):
                yield _refspec(session.place.repo, config, found[1], value)


def _reaches_ours(refspec: str) -> bool:
    source, _, target = refspec.removeprefix("+").partition(":")
    stem, is_pattern, _ = target.partition("*")
    return bool(source and stem) and (stem.startswith(_OURS) or (bool(is_pattern) and _OURS.startswith(stem)))


def _refspec(repo: Repo, config: GitConfig, remote: str, value: str) -> Finding:
    prunes = [config.get(f"remote.{remote}.prune", config.get("fetch.prune", ("false",)))[-1]]
    is_deadly = value.startswith("+") or prunes[0].lower() in _YES
    does = "deletes or overwrites proposals that are only here" if is_deadly else "deletes them when it prunes"
    severity = Severity.ERROR if is_deadly and repo.root is not None else Severity.WARNING
    message = f"a fetch from {remote!r} writes to {_OURS} itself ({value}) and {does}"
    hint = f"gitmem sync brings what others have; take the line out: git config --edit, [remote {remote!r}]"
    return Finding("refspec-overwrites", severity, str(repo.common_dir / "config"), 0, message, hint)


def attributes(session: Session) -> Iterator[Finding]:
    wanting = gitdriver.wanting(session.place.repo)
    if wanting.lines:
        message = f"no merge attribute for: {', '.join(line.split()[0] for line in wanting.lines)}"
        hint = f"{_MEND}, then commit the file"
        yield Finding("attributes-missing", Severity.WARNING, gitdriver.ATTRIBUTES_FILE, 0, message, hint)


_DRIVERS = {
    State.MISSING: (
        "driver-missing",
        "no merge driver: Git merges knowledge by lines and asks more often than it must",
    ),
    State.OUTDATED: ("driver-outdated", "the merge driver in this clone's settings is that of an older gitmem"),
}


def driver(session: Session) -> Iterator[Finding]:
    repo, config = session.place.repo, session.place.git_config
    if repo.root is None:
        return
    state = gitdriver.state_of(config)
    place = str(repo.common_dir / "config")
    if gitdriver.is_half(config):
        message = "half a merge driver is set: Git breaks off each merge, rebase and pick that needs it"
        yield Finding("driver-half", Severity.ERROR, place, 0, message, _MEND)
    elif state in _DRIVERS:
        code, message = _DRIVERS[state]
        yield Finding(
            code, Severity.WARNING, place, 0, message, f"{_MEND}, or for ever: git config gitmem.mergeDriver false"
        )
    elif state is State.OFF and gitdriver.is_set(config):
        message = "gitmem.mergeDriver says no, and the merge driver is set all the same"
        yield Finding("driver-unwanted", Severity.WARNING, place, 0, message, _MEND)
    elif state is State.INSTALLED and not _is_on_path(repo):
        message = "the merge driver is set, and Git finds no gitmem on PATH: every merge of two edits will stop"
        hint = "install gitmem where the shell of Git finds it; what has stopped is finished by: gitmem resolve"
        yield Finding("driver-not-found", Severity.WARNING, place, 0, message, hint)


def _is_on_path(repo: Repo) -> bool:
    """As the shell sees it in which Git runs a driver."""
    call = git.Call(settings=("alias.gitmem-where=!command -v gitmem",))
    return git.attempt(repo.where, ("gitmem-where",), call).code == 0
