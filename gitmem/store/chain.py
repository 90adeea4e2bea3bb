"""Walks the chain of signatures along a branch. Refuses the word of the commit that it judges.

Each commit on the first-parent line that changes ``.gitmem`` must be signed by a key that the allowed signers of the
one before it allow. The first is the root, which a person named.
"""

import re
from collections.abc import Iterator

from gitmem.errors import GitmemError
from gitmem.model.finding import Notice
from gitmem.record import record, replace
from gitmem.store import git, objects, signature, signers
from gitmem.store.cache import Cache
from gitmem.store.gitkeys import CannotVerifyError
from gitmem.store.repo import FOLDER, Repo
from gitmem.store.signed import Kept, keep
from gitmem.store.signers import Desk, Refusal
from gitmem.store.trust import Held, Tip

_OID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
# A first look at a long history is kept in between, so that whoever interrupts it goes on from there.
_BATCH = 200
_TREE_MODE = "040000"


class GapError(GitmemError):
    """The history between the root and the tip is not here, or is no line."""

    code = "cannot-verify"


@record
class _Step:
    """A commit on the line that changes the folder; ``tree`` is '' where it leaves none."""

    commit: str
    parent: str
    tree: str


def follow(repo: Repo, cache: Cache, ends: tuple[str, str], start: str) -> Held:
    """How far signatures hold between a root and a tip; up to ``start`` they are known to hold."""
    try:
        return _walk(repo, cache, ends, start)
    except (GapError, CannotVerifyError) as err:
        return Held("", "", (Notice("cannot-verify", f"{err.message}; nothing is canonical here", hint=err.hint),))


def next_holds(repo: Repo, base: str, commit: str) -> Notice | None:
    """None when ``commit`` may follow ``base`` in the chain; else why readers would stop before it."""
    with signers.desk() as desk:
        ((_, refusal),) = _judged(repo, desk, [_Step(commit, base, "")])
    return Notice("chain-broken", f"{commit[:12]} {refusal.reason}", hint=refusal.hint) if refusal else None


def _walk(repo: Repo, cache: Cache, ends: tuple[str, str], start: str) -> Held:
    root, tip = ends
    try:
        line = _line(repo, start, tip)
    except GapError:
        # The branch was pushed anew: what held before may be no part of it.
        if start == root:
            raise
        start, line = root, _line(repo, root, tip)
    steps = _changes(repo, line)
    found = objects.look_up(repo, [f"{start}:{FOLDER}"])[0]
    good = Kept(start, start, found[0] if found and found[1] == "tree" else "")
    with signers.desk() as desk:
        for at in range(0, len(steps), _BATCH):
            for step, refusal in _judged(repo, desk, steps[at : at + _BATCH]):
                if refusal:
                    return _broken(cache, ends, replace(good, commit=step.parent), (step.commit, refusal))
                good = Kept(step.commit, step.commit, step.tree)
            keep(cache, root, good)
    return keep(cache, root, Kept(tip, tip, good.tree))


def _broken(cache: Cache, ends: tuple[str, str], good: Kept, broken: tuple[str, Refusal]) -> Held:
    """``good.tip`` is not the tip: unless the refusal is final, the next reader looks again."""
    root, tip = ends
    commit, refusal = broken
    message = f"the chain of signatures ends at {good.commit[:12]}, for {commit[:12]} {refusal.reason}"
    advice = f"{refusal.hint}; " if refusal.hint else ""
    look = f"git show {commit} -- {FOLDER}"
    hint = f"{advice}look at it: {look}; a person who accepts it: git config gitmem.signersRoot {commit}"
    found = replace(good, tip=tip, warning=(message, hint))
    keep(cache, root, found if refusal.is_final else replace(good, tip=good.commit))
    return found.held()


def _line(repo: Repo, start: str, tip: str) -> list[tuple[str, str]]:
    """(commit, first parent) from the one after ``start`` up to ``tip``, oldest first."""
    if start == tip:
        return []
    if objects.look_up(repo, [f"{start}^{{commit}}"])[0] is None:
        raise _gap(repo, start, tip)
    done = git.run(repo.where, ("rev-list", "--first-parent", "--parents", f"{start}..{tip}"))
    rows = [row.split(" ") for row in done.lines()]
    line = [(row[0], row[1] if len(row) > 1 else "") for row in rows]
    expected = tip
    for commit, parent in line:
        if commit != expected:
            break
        expected = parent
    if expected != start:
        raise _gap(repo, start, tip)
    return line[::-1]


def _gap(repo: Repo, start: str, tip: str) -> GapError:
    if git.run(repo.where, ("rev-parse", "--is-shallow-repository")).out.startswith(b"true"):
        message = f"the history between {start[:12]} and {tip[:12]} is not in this shallow clone"
        return GapError(message, hint="fetch it: git fetch --unshallow")
    message = f"{start[:12]}, the root of the signatures, is not on the first-parent line of {tip[:12]}"
    return GapError(message, hint="fetch the branch, or look again at: git config gitmem.signersRoot")


def _changes(repo: Repo, line: list[tuple[str, str]]) -> list[_Step]:
    """The commits of the line that leave another folder than their first parent has."""
    if not line:
        return []
    asked = git.Call(stdin="".join(f"{commit} {parent}\n" for commit, parent in line).encode())
    flags = ("diff-tree", "--stdin", "-m", "-z", "--raw", "--no-renames", "--no-abbrev", "--no-ext-diff")
    done = git.attempt(repo.where, (*flags, "--no-textconv", "--", FOLDER), asked)
    if done.code:
        raise GapError("this clone lacks folders of its own history", hint="fetch them: git fetch --refetch")
    parents = dict(line)
    steps: list[_Step] = []
    commit = ""
    for part in done.fields():
        if part.startswith(":"):
            _, mode, _, tree, _ = part.split(" ")
            steps.append(_Step(commit, parents[commit], tree if mode == _TREE_MODE else ""))
        elif _OID.fullmatch(part.strip()):
            commit = part.strip()
    return steps


def _judged(repo: Repo, desk: Desk, steps: list[_Step]) -> Iterator[tuple[_Step, Refusal | None]]:
    """The signers at the first parent are those of the last commit before that changed the folder."""
    sized = objects.look_up(repo, [f"{step.parent}:{signers.REL}" for step in steps])
    lists = [found[0] if found and found[1] == "blob" and found[2] <= signers.LARGEST_BYTES else "" for found in sized]
    texts = dict(objects.read_blobs(repo, dict.fromkeys(oid for oid in lists if oid)))
    commits = objects.read_blobs(repo, [step.commit for step in steps])
    for step, oid, (_, raw) in zip(steps, lists, commits, strict=True):
        yield step, signers.judge(desk, signature.split(raw, repo.object_format), texts.get(oid, b""))


def root_missing(repo: Repo, tip: Tip, root: str) -> Notice:
    """The commit to look at is the one that brought the first list of signers."""
    if root:
        message = f"gitmem.signersRoot is {root[:80]!r}, which is no full commit id, so nothing is canonical here"
    else:
        message = f"trust is 'signed', and nobody has said which commit of {tip.name} to start from"
    found = git.run(repo.where, ("rev-list", "--first-parent", tip.commit, "--", signers.REL)).lines()
    if not found:
        return Notice(
            "signers-root-missing", message, hint=f"commit {signers.REL} first: a line a signer, as in docs/trust.md"
        )
    command = f"git config gitmem.signersRoot {found[-1]}"
    return Notice("signers-root-missing", message, hint=f"look at: git show {found[-1]}; then: {command}")
