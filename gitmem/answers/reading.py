"""Opens a repository at a revision for reading: trust, cache, index. Refuses to write anything but the cache."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import RLock

from gitmem import config
from gitmem.answers.bodies import Bodies
from gitmem.answers.session import Session as Session
from gitmem.errors import GitmemError
from gitmem.index import refresh
from gitmem.index.knowledge import Knowledge
from gitmem.index.refresh import Opened
from gitmem.index.segments import DamagedError
from gitmem.lazy import load
from gitmem.model.finding import Notice
from gitmem.record import field, record, replace
from gitmem.store import author as authors
from gitmem.store import cache as caches
from gitmem.store import gitconfig, objects, trust
from gitmem.store.cache import Cache
from gitmem.store.layout import OURS
from gitmem.store.repo import FOLDER, Repo, discover
from gitmem.store.trust import GitConfig, Held, Tip, Trusted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    from gitmem.answers.pinned import Pinned
    from gitmem.code.indexing import Shelf as CodeShelf
    from gitmem.index.fulltext import Fulltext
    from gitmem.index.words import Words
    from gitmem.store.shelf import Shelf

    Answer = TypeVar("Answer")

SNAPSHOT_PREFIX = "snapshot:"
UNAPPROVED = "unapproved-revision"
_KEPT_OPEN = 4


class ForeignFolderError(GitmemError):
    code = "foreign-folder"


@record
class Place:
    """A repository, its Git configuration and its cache: what stays the same from call to call."""

    repo: Repo
    git_config: GitConfig
    cache: Cache
    bodies: Bodies
    opened: dict[str, Opened] = field(default_factory=dict)
    opening: RLock = field(default_factory=RLock)
    shelves: list[Shelf] = field(default_factory=list)
    words: dict[str, Words] = field(default_factory=dict)
    fulltexts: dict[str, Fulltext] = field(default_factory=dict)
    code: list[CodeShelf] = field(default_factory=list)

    @property
    def shelf(self) -> Shelf:
        """Proposals that were read before, for whoever asks about any."""
        if not self.shelves:
            self.shelves.append(load("gitmem.store.shelf:Shelf")(self.cache))
        return self.shelves[0]

    @property
    def author(self) -> str:
        """``Name <email>`` of the person whom Git knows here."""
        return authors.author(self.repo, self.git_config)


@record
class Reading:
    """Knowledge at one commit. ``commit`` and ``tree`` are '' when nothing is canonical here."""

    place: Place
    trusted: Trusted
    commit: str
    tree: str
    warnings: tuple[Notice, ...]
    notices: tuple[Notice, ...]


@record
class Revision:
    """Which knowledge is meant: '' and '' for what is trusted; ``at`` names any commit, tag, date or snapshot."""

    at: str = ""
    trust: str = ""


TRUSTED = Revision()


def open_place(start: Path) -> Place:
    repo = discover(start)
    git_config = gitconfig.read_config(repo)
    tracked = objects.look_up(repo, [f"HEAD:{FOLDER}/cache"])[0] is not None
    return Place(repo, git_config, caches.open_cache(repo, is_tracked=tracked), Bodies(repo))


def read(place: Place, revision: Revision = TRUSTED) -> Reading:
    """Decides what is canonical, or finds the revision that was asked for."""
    if revision.trust:
        trust.check_policy(revision.trust)
    trusted = trust.decide(
        place.repo,
        place.git_config,
        revision.trust,
        lambda tree: _trust_setting(place, tree),
        lambda tip: _followed(place, tip),
    )
    parent = place.git_config.get("gitmem.parent", ("",))[-1]
    if parent and not trusted.tree and not trusted.head_tree:
        return _read_parent(place, parent, revision)
    if revision.at:
        return _read_at(place, trusted, revision.at)
    if not trusted.tree:
        check_ours(place.repo)
    warnings = trusted.warnings
    if trusted.commit and not trusted.tree:
        warnings = (*warnings, not_merged(trusted.label) if trusted.head_tree else not_initialised())
    elif not trusted.commit and not warnings:
        warnings = (no_commits(),)
    return _understood(Reading(place, trusted, trusted.commit, trusted.tree, warnings, trusted.notices))


def _read_parent(place: Place, parent: str, revision: Revision) -> Reading:
    """A repository without knowledge of its own reads that of the one it names; paths stay those of the asker."""
    above = open_place(place.repo.where / parent)
    if above.git_config.get("gitmem.parent", ("",))[-1]:
        raise GitmemError(
            "the parent repository names a parent itself", hint="git config --unset gitmem.parent there", place=parent
        )
    found = read(above, revision)
    notice = Notice(
        "parent",
        "the knowledge is that of the parent repository, which environment names",
        hint="set by: git config gitmem.parent",
    )
    return replace(found, notices=(*found.notices, notice))


def _understood(reading: Reading) -> Reading:
    """Serves nothing of a folder that a newer gitmem wrote, and stops at one that another tool wrote."""
    knowledge = knowledge_at(reading.place, reading.tree).knowledge
    places = knowledge.facts.counts.get("place", {})
    if places and set(places) <= {"foreign"}:
        raise ForeignFolderError(
            f"{FOLDER} at {reading.commit[:12]} holds nothing that gitmem wrote",
            hint="another tool uses the name; keep knowledge in a repository of its own: gitmem init --standalone",
            place=FOLDER,
        )
    found = knowledge.settings.format
    if found <= config.FORMAT:
        return reading
    return replace(reading, tree="", warnings=(*reading.warnings, newer_format(found)))


def newer_format(found: int) -> Notice:
    message = f"the folder has data format {found}; this gitmem reads up to {config.FORMAT}, so it serves nothing of it"
    return Notice("newer-format", message, f"{FOLDER}/config.yaml", "install a newer gitmem-kb")


def ask(reading: Reading, question: Callable[[Knowledge], Answer]) -> tuple[Answer, tuple[str, ...]]:
    """The answer of the index, and notes on how the index came to be."""
    return ask_at(reading.place, reading.tree, question)


def ask_at(place: Place, tree: str, question: Callable[[Knowledge], Answer]) -> tuple[Answer, tuple[str, ...]]:
    """As ``ask``, of any knowledge tree: a cache file that turns out to be damaged is made anew and asked again."""
    opened = knowledge_at(place, tree)
    place.opened[tree] = replace(opened, notes=())
    try:
        return question(opened.knowledge), opened.notes
    except DamagedError as damage:
        fresh = refresh.again(place.repo, place.cache, tree, damage)
        place.opened[tree] = replace(fresh, notes=())
        return question(fresh.knowledge), fresh.notes


def knowledge_at(place: Place, tree: str) -> Opened:
    """The index of a knowledge tree; the few that a process used last stay open."""
    with place.opening:
        known = place.opened.get(tree)
        if known is None:
            bases = [base for each in place.opened.values() if (base := each.knowledge.base)]
            known = refresh.open_tree(place.repo, place.cache, tree, bases)
            for old in list(place.opened)[: len(place.opened) + 1 - _KEPT_OPEN]:
                place.opened.pop(old, None)
            place.opened[tree] = known
    return known


def _trust_setting(place: Place, tree: str) -> str:
    return knowledge_at(place, tree).knowledge.settings.trust


def _followed(place: Place, tip: Tip) -> Held:
    held: Held = load("gitmem.store.signed:hold")(place.repo, place.git_config, place.cache, tip)
    return held


def _read_at(place: Place, trusted: Trusted, at: str) -> Reading:
    pinned: Pinned = load("gitmem.answers.pinned:commit_at")(place, trusted, at)
    found = objects.look_up(place.repo, [f"{pinned.commit}:{FOLDER}"])[0]
    tree = found[0] if found and found[1] == "tree" else ""
    warnings = () if tree else (replace(not_initialised(), message="there is no knowledge at this revision"),)
    return _understood(
        Reading(place, trusted, pinned.commit, tree, warnings, _unapproved(place, trusted, pinned, tree))
    )


def _unapproved(place: Place, trusted: Trusted, pinned: Pinned, tree: str) -> tuple[Notice, ...]:
    """Any revision can be read; that it is none of the trusted branch must be seen."""
    if (
        trusted.commit
        and pinned.is_kept
        and load("gitmem.answers.pinned:was_trusted")(place.repo, trusted.commit, tree)
    ):
        return ()
    if trusted.commit and objects.is_ancestor(place.repo, pinned.commit, trusted.commit):
        return ()
    message = (
        f"{pinned.commit[:12]} is no part of what is trusted here ({trusted.policy}); what it holds is not approved"
    )
    return (Notice(UNAPPROVED, message, hint="leave --at out for what is approved"),)


def check_ours(repo: Repo) -> None:
    """Stops when ``.gitmem`` in the work tree belongs to another tool."""
    if repo.root is None:
        return
    folder = repo.root / FOLDER
    names = sorted(path.name for path in folder.iterdir()) if folder.is_dir() and not folder.is_symlink() else []
    foreign = folder.is_symlink() or (folder.exists() and not folder.is_dir())
    if foreign or (set(names) - {"cache", ".gitignore"} and not any(name in names for name in OURS)):
        raise ForeignFolderError(
            f"{FOLDER} holds something that gitmem did not write: {', '.join(names[:5]) or 'not a folder'}",
            hint="another tool uses the name; move its files away, or keep knowledge apart: gitmem init --standalone",
            place=str(folder),
        )


def not_initialised() -> Notice:
    return Notice(
        "not-initialised", "this repository holds no knowledge yet", hint="start with: gitmem init, then gitmem import"
    )


def not_merged(where: str) -> Notice:
    """Whoever has just committed the first knowledge on a branch needs no word on how to start."""
    return Notice(
        "not-initialised",
        f"{where} holds no knowledge yet; what this branch holds counts once it is merged into {where}",
        hint="push it and merge it; until then preview with: gitmem compile FILE --trust head",
    )


def no_commits() -> Notice:
    return Notice(
        "no-commits", "nothing is committed yet, so nothing is canonical", hint="gitmem init, then commit .gitmem"
    )
