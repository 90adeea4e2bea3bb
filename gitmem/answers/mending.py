"""What ``check --fix`` mends without a question: leftovers of our own writes, and raw reverts. Refuses all else.

Everything else that a finding names is somebody's text, and which of two texts is meant is not ours to say.
"""

import os
from pathlib import Path

from gitmem.answers import undone
from gitmem.answers.checking import Fixed
from gitmem.answers.session import Session, decides
from gitmem.store import author as authors
from gitmem.store import files, lock, objects, worktree
from gitmem.store.repo import FOLDER, Repo


def mend(session: Session) -> tuple[Fixed, ...]:
    """Under the writers' lock; what it writes waits to be committed."""
    decides(session)
    repo = session.place.repo
    if repo.root is None:
        return ()
    with lock.held(repo):
        return (*_without_temporaries(repo, repo.root), *_with_decisions(session, repo, repo.root))


def _with_decisions(session: Session, repo: Repo, root: Path) -> tuple[Fixed, ...]:
    """Puts the decisions that a revert of Git took back on record, and records that they were reverted."""
    found = objects.look_up(repo, [f"HEAD:{FOLDER}"])[0]
    tree = found[0] if found and found[1] == "tree" else ""
    lost = undone.of_edits(repo, tree, worktree.uncommitted(repo))
    if not lost:
        return ()
    written = undone.restored(lost, undone.person(authors.author(repo)), session.now)
    for rel, data in written.items():
        files.write_file(root, f"{FOLDER}/{rel}", data, expected=files.ANY)
    back = {rel for each in lost for rel in (each.gone.rel, *(rel for rel, _ in each.approvals))}
    return tuple(
        Fixed(f"{FOLDER}/{rel}", "put back on record" if rel in back else "records the revert") for rel in written
    )


def _without_temporaries(repo: Repo, root: Path) -> tuple[Fixed, ...]:
    """Removes untracked temporary files of writes that never ended: nobody is using one."""
    tracked = frozenset(worktree.tracked(repo))
    rels = sorted(rel for rel in _temporaries(root / FOLDER) if f"{FOLDER}/{rel}" not in tracked)
    for rel in rels:
        files.remove_file(root, f"{FOLDER}/{rel}", expected=files.ANY)
    return tuple(Fixed(f"{FOLDER}/{rel}", "removed what an interrupted write left") for rel in rels)


def _temporaries(folder: os.PathLike[str]) -> list[str]:
    found = []
    for parent, _, names in os.walk(folder):
        below = os.path.relpath(parent, folder).replace(os.sep, "/")
        found += [name if below == "." else f"{below}/{name}" for name in names if name.startswith(files.TEMPORARY)]
    return found
