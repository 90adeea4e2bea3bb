"""Which change is meant: staged, in the work tree, of a range, given, files as they lie. Refuses to judge it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gitmem.answers import delta, targets
from gitmem.answers.reading import Place
from gitmem.answers.session import Session
from gitmem.errors import GitmemError, UsageError
from gitmem.lazy import load
from gitmem.model.diff import Diff
from gitmem.model.finding import Notice
from gitmem.record import record
from gitmem.store import gitdiff, objects
from gitmem.store.repo import Repo

DIFF_MAX_BYTES = 50 << 20
STAGED, WORKTREE, RANGE, GIVEN, FILES = "staged", "worktree", "range", "diff", "files"
_NAMED = 20


@record
class Change:
    """Where a change is taken from: one of the sources, and the files to which it is narrowed.

    ``text`` is the range, or the diff itself.
    """

    source: str
    text: str = ""
    files: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What a reader calls it."""
        if self.source == RANGE:
            return f"range {self.text}"
        if self.source == FILES:
            return self.files[0] if len(self.files) == 1 else f"{len(self.files)} files"
        return self.source


@record
class Taken:
    """A change with its diff. ``judged`` are the paths to which it is narrowed, None for all of it; ``place`` is where
    the code lies, which is not where the knowledge does when that is of a parent repository."""

    place: Place
    change: Change
    diff: Diff
    judged: frozenset[str] | None
    warnings: tuple[Notice, ...] = ()


def asked(session: Session, given: Sequence[tuple[str, str]], files: tuple[str, ...]) -> Change:
    """``given`` are the sources that were named, each with its text; the files come out relative to the root."""
    names = session.word("--staged, --worktree, --range A..B, --diff FILE", "staged, worktree, range, diff")
    if len(given) > 1:
        both = " and ".join(session.word(f"--{source}", source) for source, _ in given)
        raise UsageError(f"{both} exclude each other", hint=f"one of {names}")
    paths = targets.normalise(session.place, files) if files else ()
    if given:
        return Change(*given[0], files=paths)
    if paths:
        return Change(FILES, files=paths)
    example = session.word("gitmem verify --staged", "staged: true")
    hint = f"one of {names}, or files to look at as they lie; for example {example}"
    raise UsageError("nothing to verify was named", hint=hint)


def take(session: Session, change: Change) -> Taken:
    diff = _diff(session, change)
    if change.source == FILES:
        return Taken(session.place, change, diff, None, _unknown(session.place.repo, diff))
    if not change.files:
        return Taken(session.place, change, diff, None)
    named = frozenset(change.files)
    # A folder stands for what is below it.
    ways = {each.path: named.intersection(_above(each.path)) for each in diff.files}
    strange = sorted(named.difference(*ways.values()))
    notices = [Notice("not-changed", "the change leaves this file alone", path) for path in strange[:_NAMED]]
    return Taken(session.place, change, diff, frozenset(p for p, way in ways.items() if way), tuple(notices))


def _above(path: str) -> Iterator[str]:
    """A path, and each folder that it lies in."""
    while path:
        yield path
        path = path.rpartition("/")[0]


def _diff(session: Session, change: Change) -> Diff:
    repo = session.place.repo
    if change.source == RANGE:
        ends = delta.ends(repo, change.text)
        return gitdiff.between(repo, ends.old, ends.new)
    if change.source == GIVEN:
        if len(change.text) > DIFF_MAX_BYTES:
            raise too_large()
        given: Diff = load("gitmem.store.givendiff:given")(repo, change.text)
        return given
    gitdiff.check_has_tree(repo)
    if change.source == STAGED:
        return gitdiff.staged(repo, delta.own_index(repo, session.hook_index))
    if change.source == WORKTREE:
        return gitdiff.in_worktree(repo)
    return gitdiff.of_files(repo, _lying(repo, change.files))


def _lying(repo: Repo, paths: tuple[str, ...]) -> tuple[str, ...]:
    """The paths themselves; raises for a folder."""
    assert repo.root is not None
    for path in paths:
        lies = repo.root / path
        if lies.is_dir() and not lies.is_symlink():
            raise UsageError(f"{path} is a folder", hint="name files, or the folder together with --worktree")
    return paths


def _unknown(repo: Repo, diff: Diff) -> tuple[Notice, ...]:
    """Files that were named and lie nowhere, neither in the work tree nor at HEAD: a slip of the pen, most likely."""
    gone = [each.path for each in diff.files if each.is_gone][:_NAMED]
    known = objects.entries_at(repo, diff.base, gone) if diff.base and gone else {}
    return tuple(Notice("no-such-file", "there is no such file", path) for path in gone if path not in known)


def too_large() -> GitmemError:
    hint = "verify it in parts, or commit it and give a range"
    return GitmemError(f"a diff of more than {DIFF_MAX_BYTES >> 20} MB", hint=hint, code="diff-too-large")
