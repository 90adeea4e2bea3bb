"""The journals of two clones brought together: others' are taken in, the own one is sealed and given.

Refuses to write to another writer's ref, and to be refused for ever: where two clones go by one name, this one takes
another.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from gitmem.answers import sharing
from gitmem.answers.reading import Session, read
from gitmem.answers.sync_sides import Sides
from gitmem.errors import GitmemError
from gitmem.model.finding import Notice
from gitmem.record import record
from gitmem.store import disk, folding, gitnet, journal, lamport, objects, seals, shared, spool
from gitmem.store.gitnet import Failed, Fate, Remote, Update
from gitmem.store.gitrefs import read_ref, swap_ref
from gitmem.store.lock import held
from gitmem.store.refs import JOURNAL
from gitmem.store.repo import Repo
from gitmem.store.writer import names_of, rename


@record
class Given:
    """``update`` went to the remote, or would; ``verdict`` is how it took it."""

    update: Update | None = None
    notices: tuple[Notice, ...] = ()
    is_moved: bool = False
    failed: Failed | None = None


def part(repo: Repo, both: Sides) -> tuple[Notice, ...]:
    """Where the remote has another history under our name, another clone writes it: we go on under a new one.

    What the remote has under the old name counts, here too; what of ours it lacks is sealed again under the new name.
    """
    if not any(name.startswith(f"{JOURNAL}/") for name in both.ours):
        return ()
    name = seals.ref_of(names_of(repo)[0])
    ours, theirs = both.of(name)
    if not (ours and theirs) or objects.is_ancestor(repo, ours, theirs) or objects.is_ancestor(repo, theirs, ours):
        return ()
    swap_ref(repo, name, ours, theirs, reason="gitmem: another writer of that name")
    journal.rotate(repo)
    new = rename(repo)
    message = f"another clone, a copy or a restored backup, writes the journal {name}; this one is now {new}"
    return (Notice("journal-renamed", message, name, "nothing is lost, and there is nothing to do"),)


def take_in(repo: Repo, moved: Sequence[str]) -> tuple[Notice, ...]:
    """Sets the clock past what others wrote, and names what of theirs cannot be believed."""
    names = {each.rpartition("/")[2] for each in moved if each.startswith(f"{JOURNAL}/")}
    chains = [chain for chain in shared.chains(repo) if chain.writer in names] if names else []
    faults = [fault for chain in chains for fault in chain.faults]
    notices = [Notice(each.code, each.message, each.path, "the seals before it count") for each in faults]
    folder = journal.folder_of(repo)
    latest, absurd = shared.greatest_clock(chains, lamport.now(folder))
    for chain in absurd:
        message = "its clock is further ahead than any work gets, so it sets no clock here"
        notices.append(Notice("clock-ahead", message, chain.ref))
    if latest > lamport.now(folder):
        _raise(repo, latest)
    return tuple(notices)


def _raise(repo: Repo, latest: int) -> None:
    """Where the journal cannot be written, nothing will be written that would need the clock."""
    folder = journal.folder_of(repo)
    with suppress(OSError, GitmemError), held(repo, journal.LOCK):
        disk.private_folder(folder)
        least = latest if lamport.is_set(folder) else max(latest, spool.latest_clock(repo))
        lamport.raise_to(folder, least)


def give(session: Session, remote: Remote, both: Sides, *, is_dry: bool) -> Given:
    """Seals what is new and pushes the own ref; nothing is written or pushed where nothing is new."""
    repo = session.place.repo
    reading = read(session.place)
    level = sharing.level(session, reading)
    chains = shared.chains(repo)
    if level.share == sharing.NONE or not (chains or spool.paths(repo)):
        return Given(notices=level.notices)
    name = seals.ref_of(names_of(repo)[0])
    theirs = both.of(name)[1]
    if is_dry:
        is_new = bool(seals.unsealed(repo, chains, names_of(repo)))
        tip = read_ref(repo, name) or ""
        return Given(Update(name, theirs, tip) if is_new or tip not in ("", theirs) else None)
    notices: tuple[Notice, ...] = ()
    try:
        sharing.seal(session, chains, reading, level.share)
        folding.pack(repo)
    except (OSError, GitmemError) as err:
        notices = (_unsealed(name, err),)
    tip = read_ref(repo, name) or ""
    if not tip or tip == theirs:
        return Given(notices=notices)
    return _pushed(repo, remote, Update(name, theirs, tip), notices)


def _pushed(repo: Repo, remote: Remote, update: Update, notices: tuple[Notice, ...]) -> Given:
    verdicts = gitnet.push(repo, remote, [update])
    if isinstance(verdicts, Failed):
        return Given(notices=notices, failed=verdicts)
    verdict = verdicts[update.ref]
    if verdict.fate is Fate.DONE:
        return Given(update, notices)
    if verdict.fate is Fate.MOVED:
        return Given(notices=notices, is_moved=True)
    message = f"{remote.name} does not take the journal: {verdict.said}"
    hint = f"it stays here and works as before; say no more of it: git config {sharing.SETTING} none"
    return Given(notices=(*notices, Notice("journal-refused", message, update.ref, hint)))


def _unsealed(name: str, err: OSError | GitmemError) -> Notice:
    said = err.message if isinstance(err, GitmemError) else (err.strerror or "unknown reason").lower()
    return Notice(
        "journal-unsealed", f"nothing new of the journal was sealed: {said}", name, "see: gitmem journal check"
    )
