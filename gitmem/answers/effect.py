"""What one revision of the knowledge changes against another, by meaning: rules by file, tokens, contradictions.

Refuses to judge it, and to read what did not change.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gitmem import config
from gitmem.answers import clashes, reach
from gitmem.answers.reading import Place, Session, ask_at, newer_format
from gitmem.answers.turn import Pair, Turn, may_be_delivered, turned
from gitmem.index.knowledge import Knowledge
from gitmem.model.effect import CHANGED, MOVED, NEW, REMOVED, Effect, FileChange, Tokens
from gitmem.model.finding import Notice
from gitmem.record import record, replace
from gitmem.store import objects, worktree
from gitmem.store.canonical import body_of
from gitmem.store.ledger import change_of
from gitmem.store.objects import Change
from gitmem.store.repo import FOLDER, Repo
from gitmem.text.tokens import estimate

_LISTED = 500
_BATCH = 1000


@record
class _Ends:
    """The two revisions: commits, and their knowledge trees, '' for none; ``files_of`` has the repository's files."""

    commits: tuple[str, str]
    trees: tuple[str, str]
    files_of: str


def effect(session: Session, before: str, after: str, limit: int = _LISTED, *, files_of: str = "") -> Effect:
    """Of two commits, '' for nothing at all. ``limit`` bounds each list; totals stand beside them.

    The files that gain and lose rules are those of ``files_of``, by default of ``after``.
    """
    place = session.place
    ends = _ends(place.repo, (before, after), files_of)
    whole = Effect(before, after)
    changes = _changes(place.repo, ends.trees)
    if not changes:
        return whole

    def told(old: Knowledge, new: Knowledge) -> Effect:
        newest = max(old.settings.format, new.settings.format)
        if newest > config.FORMAT:
            return replace(whole, notices=(newer_format(newest),))
        return _told(place, ends, turned(old, new, changes), limit)

    found, _ = ask_at(place, ends.trees[0], lambda old: ask_at(place, ends.trees[1], lambda new: told(old, new))[0])
    return found


def _ends(repo: Repo, commits: tuple[str, str], files_of: str) -> _Ends:
    named = [commit for commit in commits if commit]
    found = objects.look_up(repo, [f"{commit}:{FOLDER}" for commit in named])
    trees = {c: row[0] if row and row[1] == "tree" else "" for c, row in zip(named, found, strict=True)}
    files_of = files_of or commits[1] or commits[0]
    return _Ends(commits, (trees.get(commits[0], ""), trees.get(commits[1], "")), files_of)


def _changes(repo: Repo, trees: tuple[str, str]) -> list[Change]:
    if trees[0] == trees[1]:
        return []
    empty = "" if all(trees) else worktree.empty_tree(repo)
    return objects.diff_trees(repo, *(tree or empty for tree in trees))


def _told(place: Place, ends: _Ends, turn: Turn, limit: int) -> Effect:
    repo = place.repo
    reached = reach.reach(turn, lambda below: objects.tracked_paths(repo, ends.files_of, below), limit)
    clash = clashes.clashes(turn, place.bodies, reached.files)
    rows, tokens = _files(repo, turn, limit)
    return Effect(
        before=ends.commits[0],
        after=ends.commits[1],
        files=rows,
        files_total=len(turn.pairs),
        rules=reached.rules,
        commands=reached.commands[:limit],
        unmatched=reached.unmatched[:limit],
        tokens=tokens,
        contradicts=clash.contradicts[:limit],
        alike=clash.alike[:limit],
        notices=tuple(_notices(reached, clash, limit)),
    )


def _notices(reached: reach.Reached, clash: clashes.Clashes, limit: int) -> Iterator[Notice]:
    if reached.is_cut:
        yield Notice("requires-not-followed", "too many rules require each other: what comes by them is not compared")
    if clash.is_cut or max(len(clash.contradicts), len(clash.alike)) > limit:
        message = "not every item that may contradict a changed one was held against it"
        yield Notice("contradictions-cut", message, hint="compare fewer changes at once")
    rest = max(len(reached.commands), len(reached.unmatched)) - limit
    if rest > 0:
        yield Notice("list-cut", f"{rest} further commands or patterns are not listed")


def _files(repo: Repo, turn: Turn, limit: int) -> tuple[tuple[FileChange, ...], Tokens]:
    """The first files by path, and the tokens of all."""
    rows: list[FileChange] = []
    before = after = 0
    for at in range(0, len(turn.pairs), _BATCH):
        batch = turn.pairs[at : at + _BATCH]
        blobs = dict(objects.read_blobs(repo, sorted(set(_wanted(batch)))))
        for pair in batch:
            if pair.old and may_be_delivered(turn.before, pair.old):
                before += estimate(body_of(blobs[pair.old.blob]))
            if pair.new and may_be_delivered(turn.after, pair.new):
                after += estimate(body_of(blobs[pair.new.blob]))
        rows += [_row(pair, blobs) for pair in batch[: max(0, limit - at)]]
    return tuple(rows), Tokens(before, after)


def _wanted(pairs: Sequence[Pair]) -> Iterator[str]:
    """The blobs of what is an engram: anything else is told without its content."""
    for pair in pairs:
        yield from (card.blob for card in (pair.old, pair.new) if card and card.id)


def _row(pair: Pair, blobs: dict[str, bytes]) -> FileChange:
    card, old, new = pair.either, pair.old, pair.new
    item = card.id or (old.id if old else "")
    slug = card.slug if item else ""
    path = f"{FOLDER}/{card.path}"
    if old is None or new is None:
        return FileChange(path, item, slug, REMOVED if new is None else NEW)
    keys: tuple[str, ...] = ()
    if old.blob != new.blob:
        is_engram = bool(old.id and new.id)
        keys = tuple(change_of(item, new.path, blobs[old.blob], blobs[new.blob]).keys) if is_engram else ("file",)
    is_moved = old.path != new.path
    return FileChange(
        path, item, slug, MOVED if is_moved else CHANGED, keys, f"{FOLDER}/{old.path}" if is_moved else None
    )
