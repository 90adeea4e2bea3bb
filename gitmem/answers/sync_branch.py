"""The trusted branch, here and at a remote: what becomes of it. Refuses to touch code that is not published."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from gitmem.answers.checking import CheckCall, check
from gitmem.answers.meeting import crossed
from gitmem.answers.session import Session
from gitmem.errors import GitmemError
from gitmem.lazy import load
from gitmem.model.finding import Notice, Severity
from gitmem.record import record, replace
from gitmem.review.joining import Three, join, trees_of
from gitmem.review.outcome import Conflict
from gitmem.store import git, objects, worktrees
from gitmem.store.author import author
from gitmem.store.gitwrite import Draft, write_commit
from gitmem.store.land import Landed, Reason, Refused, land
from gitmem.store.published import own_code, same_code
from gitmem.store.repo import FOLDER, Repo
from gitmem.store.trust import quoted
from gitmem.store.unfinished import Sides

_FINDINGS_MAX = 5
_WHY = {
    Reason.MOVED: "the branch moved meanwhile",
    Reason.OPERATION: "a {operation} waits there",
    Reason.UNMERGED: "a merge waits there",
    Reason.STAGED: "staged there and changed by the remote",
    Reason.DIRTY: "edited there and changed by the remote",
    Reason.UNTRACKED: "untracked there, and the remote adds it",
    Reason.INDEX_LOCKED: "another Git command runs there",
    Reason.AWAY: "that worktree is away",
    Reason.NOT_A_FILE: "the remote changes what is no plain file",
}


@record
class Branch:
    """A branch here and at the remote; '' where it is not. ``may_merge``: its policy needs no signed commits."""

    name: str
    ours: str
    theirs: str
    may_merge: bool = True

    @property
    def ref(self) -> str:
        return f"refs/heads/{self.name}"


@record
class Course:
    """What becomes of a branch: it moves here to ``land``, and the remote gets ``push``; '' for neither.

    ``left`` says why it is left as it is. ``is_wrong``: for a reason that somebody must mend.
    """

    land: str = ""
    push: str = ""
    conflicts: tuple[Conflict, ...] = ()
    left: tuple[Notice, ...] = ()
    is_wrong: bool = False


def course(session: Session, branch: Branch) -> Course:
    """Decides, and writes no ref. Histories that have nothing in common are an error."""
    repo = session.place.repo
    ours, theirs = branch.ours, branch.theirs
    if not ours or not theirs or ours == theirs:
        return Course()
    if objects.is_ancestor(repo, ours, theirs):
        filtered = _filtered(session, branch)
        return Course(left=(_filters(branch, filtered),)) if filtered else Course(land=theirs)
    stray = own_code(repo, ours, [theirs])
    if objects.is_ancestor(repo, theirs, ours):
        if stray or not same_code(repo, ours, theirs):
            return Course(left=(_own_code(branch, stray or ours, "git push"),))
        broken = None if branch.may_merge else _broken_chain(repo, branch)
        if broken:
            return Course(left=(broken,), is_wrong=True)
        return _checked(session, branch, Course(push=ours))
    bases = _bases(repo, branch)
    if not bases:
        return Course(left=(_shallow(branch),))
    if stray or not any(same_code(repo, ours, base) for base in bases):
        return Course(left=(_own_code(branch, stray or ours, "git pull"),))
    return _merged(session, branch, bases) if branch.may_merge else Course(left=(_unsigned(branch),))


def _broken_chain(repo: Repo, branch: Branch) -> Notice | None:
    """Why readers would stop before what is here, where only signed commits count."""
    args = ("rev-list", "--first-parent", "--reverse", f"{branch.theirs}..{branch.ours}", "--", FOLDER)
    before = branch.theirs
    for commit in git.run(repo.where, args).lines():
        broken: Notice | None = load("gitmem.store.chain:next_holds")(repo, before, commit)
        if broken:
            return replace(broken, message=f"{branch.name} is not pushed: {broken.message}", place=branch.ref)
        before = commit
    return None


def _bases(repo: Repo, branch: Branch) -> tuple[str, ...]:
    """None where the history that would tell is not in this clone; a proposal that landed on both sides is one more."""
    try:
        return objects.merge_bases(repo, branch.ours, branch.theirs)
    except objects.UnknownRevisionError as err:
        if (repo.common_dir / "shallow").exists():
            return ()
        raise GitmemError(
            f"the branch {branch.name} here and that of the remote have nothing in common; nothing was moved",
            hint="is it the right remote? see: git remote -v",
            place=branch.ref,
            code="unrelated-histories",
        ) from err


def _merged(session: Session, branch: Branch, bases: tuple[str, ...]) -> Course:
    """Knowledge merged by id; the code is the remote's, since none was changed here."""
    repo = session.place.repo
    if len(bases) == 1:
        base, published, own = trees_of(repo, [*bases, branch.theirs, branch.ours])
        joined = join(repo, Three(base, published, own, is_published=True))
    else:
        joined = crossed(repo, Sides(bases, branch.theirs, branch.ours))
    if joined.conflicts:
        # To the merge ours is what it builds on, the remote's; to the reader ours is what is here.
        swapped = tuple(
            replace(each, path=f"{FOLDER}/{each.path}", ours=each.theirs, theirs=each.ours) for each in joined.conflicts
        )
        return Course(conflicts=swapped, left=(_disagreeing(branch, len(swapped)),))
    changes = {f"{FOLDER}/{rel}": data for rel, data in joined.changes.items()}
    message = f"merge {branch.name}: knowledge from here and from the remote"
    draft = Draft(changes, message, author(repo), _in_zone(session.now), (branch.ours,))
    commit = write_commit(repo, branch.theirs, draft)
    return _checked(session, branch, Course(land=commit, push=commit))


def _disagreeing(branch: Branch, count: int) -> Notice:
    message = f"{branch.name} here and that of the remote disagree in {count} place(s), which only people can settle"
    return Notice("conflict", message, branch.ref, "git pull --no-rebase, then: gitmem resolve, and gitmem sync again")


def _in_zone(now: datetime) -> datetime:
    return now.replace(microsecond=0)


def _checked(session: Session, branch: Branch, wanted: Course) -> Course:
    """Nothing that ``check`` finds wrong is brought together or sent."""
    result = check(session, CheckCall(range=f"{branch.theirs}..{wanted.push}"))
    wrong = [finding for finding in result.findings if finding.severity is Severity.ERROR]
    if not wrong:
        return wanted
    notices = [Notice(each.code, each.message, each.place, each.hint) for each in wrong[:_FINDINGS_MAX]]
    more = f", {_FINDINGS_MAX} of them here" if len(wrong) > _FINDINGS_MAX else ""
    verb = "merged" if wanted.land else "pushed"
    message = f"{branch.name} is not {verb}: gitmem check finds {len(wrong)} error(s){more}"
    hint = f"see: gitmem check --range {branch.theirs[:12]}..{quoted(branch.name)}"
    return Course(left=(Notice("check-failed", message, branch.ref, hint), *notices), is_wrong=True)


def move(repo: Repo, branch: Branch, wanted: Course) -> tuple[Notice, ...]:
    """Lands what was decided. What stands in the way is the answer, empty where nothing does."""
    done = land(repo, branch.name, branch.ours, wanted.land)
    if isinstance(done, Landed):
        return ()
    return (_in_the_way(branch, done),)


def _in_the_way(branch: Branch, refused: Refused) -> Notice:
    why = _WHY[refused.reason].format(operation=refused.operation)
    paths = ", ".join(refused.paths[:_FINDINGS_MAX]) + (" ..." if len(refused.paths) > _FINDINGS_MAX else "")
    message = f"{branch.name} is not brought up: {why}{f': {paths}' if paths else ''}"
    hint = "git pull" if refused.reason is Reason.NOT_A_FILE else "finish, commit or stash it, then: gitmem sync"
    return Notice(str(refused.reason), message, refused.where, hint)


def _filtered(session: Session, branch: Branch) -> Sequence[str]:
    """Code that the landing would write and that only Git's filters can write right, as for LFS."""
    repo, config = session.place.repo, session.place.git_config
    has_filters = any(key.startswith("filter.") and key.endswith((".smudge", ".process")) for key in config)
    if not has_filters or not worktrees.holders(repo, branch.ref).present:
        return ()
    changes = [c for c in objects.diff_trees(repo, branch.ours, branch.theirs) if not c.rel.startswith(f"{FOLDER}/")]
    rels = [c.rel for c in changes if c.new_oid]
    attributes = [rel for rel in rels if rel.rpartition("/")[2] == ".gitattributes"]
    if attributes or not rels:
        return attributes
    feed = "".join(f"{rel}\0" for rel in rels).encode("utf-8", "surrogateescape")
    fields = git.run(repo.where, ("check-attr", "--stdin", "-z", "filter"), git.Call(stdin=feed)).fields()
    rows = zip(fields[::3], fields[2::3], strict=True)
    return [rel for rel, value in rows if value not in ("unspecified", "unset")]


def _filters(branch: Branch, rels: Sequence[str]) -> Notice:
    message = f"{branch.name} is not brought up: the remote changes files that Git writes by filters, as {rels[0]}"
    return Notice("filtered-files", message, branch.ref, "git pull")


def _own_code(branch: Branch, commit: str, command: str) -> Notice:
    message = f"{branch.name} has code of its own that is not published, in {commit[:12]}; gitmem leaves it to Git"
    return Notice("code-of-its-own", message, branch.ref, f"{command}, then: gitmem sync")


def _shallow(branch: Branch) -> Notice:
    message = f"this clone is shallow and does not reach back to where {branch.name} parted from the remote's"
    return Notice("shallow", message, branch.ref, "git fetch --unshallow, then: gitmem sync")


def _unsigned(branch: Branch) -> Notice:
    message = f"{branch.name} takes signed commits only, and a merge by sync would not be signed"
    return Notice("needs-signature", message, branch.ref, "git pull --rebase, or merge with: git merge -S")
