"""The claims that a change breaks, whichever way the change was taken. Refuses to judge a claim itself."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from gitmem.answers.change import Taken
from gitmem.answers.reading import Reading, ask
from gitmem.index.knowledge import Knowledge
from gitmem.lazy import load
from gitmem.model.claimed import Drift
from gitmem.model.diff import MODIFIED, RENAMED, FileDiff
from gitmem.model.engram import Claim
from gitmem.store import gitdiff
from gitmem.store.layout import ENGRAMS
from gitmem.store.repo import FOLDER

# Files of a change that are looked into for a symbol that has left its own.
_SOURCES_MAX = 200
_KNOWLEDGE = f"{FOLDER}/{ENGRAMS}"


def drifted(reading: Reading, taken: Taken, files: Sequence[FileDiff]) -> tuple[Drift, ...]:
    """The claims that held before the change. Read is what some claim is about, where it went, and the engrams.

    Knowledge of a parent repository rests on the code that lies there.
    """
    paths = {path for each in files for path in (each.path, each.old_path) if path}
    claimed, by_name = ask(reading, lambda known: _claimed(known, paths))[0]
    if not claimed or not taken.diff.base or reading.place is not taken.place:
        return ()
    gone = {each.path for each in files if each.is_gone} | {each.old_path for each in files if each.status == RENAMED}
    readable = [each for each in files if not each.is_gone and not each.is_binary and _tells(each, claimed, gone)]
    # A symbol may go into any file.
    readable += [each for each in files if by_name and _is_source(each) and each not in readable][:_SOURCES_MAX]
    contents: Mapping[str, bytes] = gitdiff.contents(taken.place.repo, readable)
    left = {path for path in gone if path in claimed or path.startswith(_KNOWLEDGE)}
    changed = {**contents, **dict.fromkeys(left - contents.keys())}
    drifted: tuple[Drift, ...] = load("gitmem.answers.claims:drifted")(reading, changed, taken.diff.base)
    return drifted


def _claimed(knowledge: Knowledge, paths: Iterable[str]) -> tuple[set[str], bool]:
    """Those of the paths that claims are on, and whether some are on symbols."""
    claimed = {path for path in paths if knowledge.numbers(f"claim:{path}")}
    cards = (card for path in sorted(claimed) for card in knowledge.under(f"claim:{path}"))
    return claimed, any(Claim(*row).symbol for card in cards for row in card.claims)


def _is_source(file: FileDiff) -> bool:
    return not file.is_gone and not file.is_binary and load("gitmem.code.languages:row_of")(file.path) is not None


def _tells(file: FileDiff, claimed: Collection[str], gone: Collection[str]) -> bool:
    """Whether a file may say what became of a claim; where one that is claimed is gone, it may be in any new one."""
    is_new = file.status != MODIFIED and not set(claimed).isdisjoint(gone)
    return file.path in claimed or is_new or file.path.startswith(_KNOWLEDGE)
