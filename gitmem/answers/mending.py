"""What ``check --fix`` mends without a question: what interrupted writes of our own left behind. Refuses all else.

Everything else that a finding names is somebody's text, and which of two texts is meant is not ours to say.
"""

import os

from gitmem.answers.checking import Fixed
from gitmem.answers.session import Session
from gitmem.store import files, lock, worktree
from gitmem.store.repo import FOLDER


def mend(session: Session) -> tuple[Fixed, ...]:
    """Removes untracked temporary files of writes that never ended: under the writers' lock nobody is using one."""
    repo = session.place.repo
    if repo.root is None:
        return ()
    with lock.held(repo):
        tracked = frozenset(worktree.tracked(repo))
        rels = sorted(rel for rel in _temporaries(repo.root / FOLDER) if f"{FOLDER}/{rel}" not in tracked)
        for rel in rels:
            files.remove_file(repo.root, f"{FOLDER}/{rel}", expected=files.ANY)
    return tuple(Fixed(f"{FOLDER}/{rel}", "removed what an interrupted write left") for rel in rels)


def _temporaries(folder: os.PathLike[str]) -> list[str]:
    found = []
    for parent, _, names in os.walk(folder):
        below = os.path.relpath(parent, folder).replace(os.sep, "/")
        found += [name if below == "." else f"{below}/{name}" for name in names if name.startswith(files.TEMPORARY)]
    return found
