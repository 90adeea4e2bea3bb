"""What ``doctor --fix`` does, one function an ailment; each says what it did. Refuses what could lose anything."""

from collections.abc import Iterator

from gitmem.answers.ailments import stale_locks, unfinished_files
from gitmem.answers.session import Session
from gitmem.record import replace
from gitmem.store import gitconfig, gitdriver, intent, lock, stale
from gitmem.store.gitdriver import State


def landing(session: Session) -> Iterator[str]:
    found = intent.recover(session.place.repo)
    if found is not None:
        end = "had reached its branch" if found.is_landed else f"was taken back ({len(found.restored)} file(s))"
        yield f"the landing of {found.intent.new[:12]} {end}"


def locks(session: Session) -> Iterator[str]:
    """Moves them aside, those that no process has open."""
    repo = session.place.repo
    with lock.held(repo):
        for path in stale_locks(session):
            if stale.set_aside(repo, path):
                yield f"moved aside {path}"


def leftovers(session: Session) -> Iterator[str]:
    """Whoever writes holds our own lock, so that under it none is being written."""
    repo = session.place.repo
    with lock.held(repo):
        for path in unfinished_files(repo):
            path.unlink(missing_ok=True)
            yield f"removed {path}, which was never finished"


def derived(session: Session) -> Iterator[str]:
    """Whoever met the damage has mended it."""
    if not session.place.cache.note:
        yield "made the index anew"


def attributes(session: Session) -> Iterator[str]:
    repo = session.place.repo
    gitdriver.add_attributes(repo, gitdriver.wanting(repo))
    yield f"wrote {gitdriver.ATTRIBUTES_FILE}; commit it"


def driver(session: Session) -> Iterator[str]:
    place = session.place
    if gitdriver.state_of(place.git_config) is State.OFF:
        gitdriver.uninstall(place.repo, place.git_config)
        yield "took the merge driver out of this clone's settings"
    elif gitdriver.install(place.repo, place.git_config):
        yield "set the merge driver in this clone's settings"
    session.held = replace(place, git_config=gitconfig.read_config(place.repo))
