"""Whether a clone lacks the merge driver that its knowledge asks for. Refuses to set it."""

from gitmem.answers.session import Session
from gitmem.model.finding import Notice
from gitmem.store import files, gitdriver
from gitmem.store.gitdriver import State


def driverless(session: Session) -> tuple[Notice, ...]:
    """One notice where the attributes name the driver and the settings of this clone have none."""
    repo, settings = session.place.repo, session.place.git_config
    if repo.root is None or gitdriver.state_of(settings) not in (State.MISSING, State.HALF):
        return ()
    if b"merge=gitmem" not in (files.read_file(repo.root, gitdriver.ATTRIBUTES_FILE) or b""):
        return ()
    message = "this clone has no merge driver, which no clone gets from Git: two edits of one file meet by lines"
    hint = "set it: gitmem doctor --fix; or want none: git config gitmem.mergeDriver false"
    return (Notice("merge-driver-missing", message, str(repo.common_dir / "config"), hint),)
