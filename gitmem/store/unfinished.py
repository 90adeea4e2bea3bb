"""A merge, rebase, pick or revert that waits for its user: its sides and what the index holds. Refuses to end it."""

from collections.abc import Iterable, Mapping, Sequence

from gitmem.errors import GitmemError
from gitmem.record import record
from gitmem.store import checkout, git, objects, worktrees
from gitmem.store.checkout import Place
from gitmem.store.repo import FOLDER, Repo

BASE, OURS, THEIRS = 1, 2, 3
SETTLED = 0
_HEADS = ("CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD")
# The tree that Git's merge wrote to the work tree, markers included.
_LEFT = "AUTO_MERGE"
# Patches by mail and an old kind of rebase share a folder; this is in it for mail only.
_MAILED = "rebase-apply/applying"
_PICKS = frozenset(("pick", "p", "reword", "r", "edit", "e", "squash", "s", "fixup", "f"))
_LOOKED_AT = 100
_TODO = "sequencer/todo"
_DIGITS = {"sha1": 40, "sha256": 64}


@record
class Slot:
    """One entry of the index: stage 0 is settled, 1 to 3 are base, ours and theirs of what is not."""

    mode: str
    oid: str


Index = Mapping[str, Mapping[int, Slot]]


@record
class Sides:
    """The commits that meet; ``bases`` are more than one where the histories had crossed before, none without one."""

    bases: tuple[str, ...]
    ours: str
    theirs: str


def operation(repo: Repo) -> str:
    """What is under way, in Git's own word; '' for none, or one that Git does not remember."""
    if (repo.git_dir / _MAILED).exists():
        return "am"
    found = worktrees.operation(repo)
    if found != worktrees.SEVERAL:
        return found
    return "revert" if next(iter(_lines(repo, _TODO)), "").startswith("revert") else "cherry-pick"


def _lines(repo: Repo, name: str) -> list[str]:
    """Of a file that Git keeps about what is under way."""
    path = repo.git_dir / name
    text = path.read_text("utf-8", "replace") if path.is_file() else ""
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def sides(repo: Repo) -> Sides | None:
    """The three sides of what is under way; None where commits do not tell, and only the index does."""
    asked = ["HEAD^{commit}", "MERGE_HEAD^{commit}"]
    asked += [f"{head}{parent}^{{commit}}" for head in _HEADS for parent in ("", "^1", "^2")]
    head, other, *rest = (found[0] if found else "" for found in objects.look_up(repo, asked))
    if head and other:
        _check_two_sides(repo)
        return Sides(_bases(repo, head, other), head, other)
    waiting = operation(repo)
    for name, (commit, parent, second) in zip(_HEADS, zip(*[iter(rest)] * 3, strict=True), strict=True):
        if not commit or second or not waiting or not head:
            continue
        if name == "REVERT_HEAD":
            return Sides((commit,), head, parent) if parent else None
        return Sides((parent,) if parent else (), head, commit)
    return None


def unpicked(repo: Repo) -> str:
    """The commit at which a rebase, pick or revert of several broke off before it did anything, '' for none.

    Going on skips it: Git takes it for done. One whose author, time and title a new commit has was made up for by hand.
    """
    commit = _broken_off(repo)
    if not commit or git.attempt(repo.where, ("diff", "--cached", "--quiet", "--no-ext-diff")).code:
        return ""
    show = "--format=%an%x09%ae%x09%at%x09%s"
    told = git.attempt(repo.where, ("log", "-1", show, commit, "--")).lines()
    made = git.attempt(repo.where, ("log", f"-{_LOOKED_AT}", show, "HEAD", "--")).lines()
    return commit if told and told[0] not in made else ""


def _broken_off(repo: Repo) -> str:
    """The last command of a rebase that left no note of a stop, or the first to come of a pick of several."""
    steps: str
    notes: tuple[str, ...]
    if (repo.git_dir / "rebase-merge").is_dir():
        steps, notes, at = "rebase-merge/done", ("rebase-merge/stopped-sha", "REBASE_HEAD", "CHERRY_PICK_HEAD"), -1
    else:
        steps, notes, at = _TODO, ("CHERRY_PICK_HEAD", "REVERT_HEAD"), 0
    if any((repo.git_dir / note).exists() for note in notes):
        return ""
    lines = _lines(repo, steps)
    verb, _, rest = lines[at].partition(" ") if lines else ("", "", "")
    found = objects.look_up(repo, [f"{rest.split()[0]}^{{commit}}"])[0] if verb in _PICKS and rest.split() else None
    return found[0] if found else ""


def _bases(repo: Repo, head: str, other: str) -> tuple[str, ...]:
    done = git.attempt(repo.where, ("merge-base", "--all", head, other))
    if done.code > 1:
        raise git.GitError("the common history of both sides cannot be read", place=str(repo.where), stderr=done.err)
    return tuple(done.lines())


def _check_two_sides(repo: Repo) -> None:
    text = (repo.git_dir / "MERGE_HEAD").read_text("ascii", "replace")
    if len(text.split()) > 1:
        raise GitmemError(
            "more than two branches are being merged at once, and each rule of a merge knows two sides",
            hint="git merge --abort, then merge them one after the other",
            place=FOLDER,
            code="octopus",
        )


def index_of(repo: Repo) -> tuple[Index, int]:
    """What the index holds below ``.gitmem``, by path there, and how many paths elsewhere are unmerged."""
    found: dict[str, dict[int, Slot]] = {}
    for field in git.run(repo.where, ("ls-files", "-s", "-z", "--", FOLDER)).fields():
        meta, _, path = field.partition("\t")
        mode, oid, stage = meta.split(" ")
        found.setdefault(path.removeprefix(f"{FOLDER}/"), {})[int(stage)] = Slot(mode, oid)
    every = {field.partition("\t")[2] for field in git.run(repo.where, ("ls-files", "-u", "-z")).fields()}
    return found, sum(not path.startswith(f"{FOLDER}/") for path in every)


def left_by_git(repo: Repo, rels: Sequence[str]) -> dict[str, bytes]:
    """What Git wrote to the work tree for paths below ``.gitmem``, where it has kept a note of it."""
    found = objects.look_up(repo, [f"{_LEFT}:{FOLDER}/{rel}" for rel in rels])
    oids = {rel: known[0] for rel, known in zip(rels, found, strict=True) if known and known[1] == "blob"}
    blobs = dict(objects.read_blobs(repo, sorted(set(oids.values()))))
    return {rel: blobs[oid] for rel, oid in oids.items()}


def line_for(rel: str, number: int, slot: Slot) -> str:
    """The line that puts one entry at a stage; at stage 0 it takes the place of all others."""
    return f"{slot.mode} {slot.oid} {number}\t{FOLDER}/{rel}\0"


def line_without(rel: str, repo: Repo) -> str:
    """The line that takes a path out of the index, with all its stages."""
    return f"0 {'0' * _DIGITS[repo.object_format]}\t{FOLDER}/{rel}\0"


def write_blob(place: Place, data: bytes) -> str:
    done = checkout.attempt(place, ("hash-object", "-w", "--no-filters", "--stdin"), data)
    return _done(place, done).lines()[0]


def stage(place: Place, lines: Iterable[str]) -> None:
    """Writes such lines to the index, all of them or none."""
    feed = "".join(lines).encode("utf-8", "surrogateescape")
    if feed:
        _done(place, checkout.attempt(place, ("update-index", "-z", "--index-info"), feed))


def stage_files(place: Place, rels: Iterable[str]) -> None:
    """Takes files as they lie in the work tree, line ends as the attributes say, no other filter."""
    feed = "".join(f"{FOLDER}/{rel}\0" for rel in rels).encode("utf-8", "surrogateescape")
    if feed:
        _done(place, checkout.attempt(place, ("update-index", "--add", "-z", "--stdin"), feed))


def _done(place: Place, done: git.Finished) -> git.Finished:
    if done.code:
        said = next(iter(done.err.strip().splitlines()), f"exit code {done.code}")
        raise git.GitError(
            f"the index cannot be written: {said.removeprefix('fatal: ')}", place=str(place.root), stderr=done.err
        )
    return done
