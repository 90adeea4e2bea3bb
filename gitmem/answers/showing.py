"""One proposal in full: what it says, what it would do, who else is at the same items. Refuses to decide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gitmem.answers import voting
from gitmem.answers.alike import Overlap, overlapping
from gitmem.answers.effect import effect
from gitmem.answers.needs import NoProposalError, full_id, named
from gitmem.answers.proposals import Row, row_of
from gitmem.answers.reading import read
from gitmem.answers.session import Session
from gitmem.answers.standing import Board, Standing, board
from gitmem.answers.voting import Approvals
from gitmem.model.effect import Effect
from gitmem.model.effect import Overlap as Touched
from gitmem.model.finding import Notice
from gitmem.model.ledger import Entry, ItemChange, Proposer
from gitmem.model.proposal import PENDING, Event, Status
from gitmem.record import record, replace
from gitmem.store import git, gitconfig, ledger, objects, worktree
from gitmem.store.repo import FOLDER, Repo
from gitmem.text import secrets, unsafe

_PAIRS_MOST = 1000


@record
class ShowCall:
    proposal: str
    diff: bool = False


@record
class Shown:
    """``secrets`` are findings in what it changes, ``events`` what was said and done, oldest first; ``evidence`` are
    ids of observations, None where it names none. ``warnings`` tell what in it could mislead a reader or a tool.

    ``approvals`` only where the policy asks for some; ``members`` are those of a bundle, if that is what was named.
    """

    NULLS = ("evidence",)
    proposal: str
    patchset: str
    status: Status
    title: str
    kind: str
    rationale: str
    evidence: tuple[str, ...] | None
    proposed_by: Proposer
    needs: tuple[str, ...]
    bundle: str
    items: tuple[ItemChange, ...]
    opened: str
    base: str
    supersedes: tuple[str, ...] = ()
    blocked_by: tuple[str, ...] = ()
    ledger: str = ""
    events: tuple[Event, ...] = ()
    secrets: tuple[str, ...] = ()
    warnings: tuple[Notice, ...] = ()
    diff: str | None = None
    approvals: Approvals | None = None
    members: tuple[Row, ...] = ()


def show(session: Session, call: ShowCall) -> Shown:
    """One proposal in full; with ``diff`` the text of its change too. A bundle by what is in it."""
    found, standing = _found(session, call.proposal)
    if standing is None:
        return _bundle(session, found, call)
    proposal, entry = standing.proposal, standing.proposal.entry
    texts = _texts(session.place.repo, standing)
    return Shown(
        proposal=proposal.id,
        patchset=proposal.patchset,
        status=standing.status,
        title=entry.title,
        kind=entry.kind,
        rationale=entry.rationale,
        evidence=entry.evidence or None,
        proposed_by=entry.proposed_by,
        needs=entry.needs,
        bundle=entry.bundle,
        items=tuple(_placed(change) for change in entry.changes),
        opened=proposal.opened,
        base=proposal.base,
        supersedes=entry.supersedes,
        blocked_by=standing.blocked_by,
        ledger=standing.ledger_id,
        events=found.events.get(proposal.id, ()),
        secrets=tuple(_secrets(texts)),
        warnings=tuple(_doubtful(entry, texts)),
        diff=text_of(session.place.repo, standing) if call.diff else None,
        approvals=voting.given(session, found, proposal) if standing.status in PENDING else None,
    )


def _placed(change: ItemChange) -> ItemChange:
    """With its paths as the repository has them: those of an entry are below ``.gitmem``."""
    was = f"{FOLDER}/{change.moved_from}" if change.moved_from else ""
    return replace(change, path=f"{FOLDER}/{change.path}", moved_from=was)


def _found(session: Session, text: str) -> tuple[Board, Standing | None]:
    """The proposal of that id, or, without one, the board whose bundle has the id."""
    try:
        return named(session, text)
    except NoProposalError:
        found = board(session)
        if not any(each.proposal.entry.bundle == text.strip().upper() for each in found.standings):
            raise
        return found, None


def _bundle(session: Session, found: Board, call: ShowCall) -> Shown:
    """What is said of all members together; each of them is shown by its own id."""
    bundle = call.proposal.strip().upper()
    those = sorted((s for s in found.standings if s.proposal.entry.bundle == bundle), key=lambda s: s.proposal.id)
    first = next((each for each in those if each.status in PENDING), those[0])
    return Shown(
        proposal=bundle,
        patchset="",
        status=first.status,
        title=first.proposal.entry.title,
        kind="bundle",
        rationale=first.proposal.entry.rationale,
        evidence=None,
        proposed_by=first.proposal.entry.proposed_by,
        needs=(),
        bundle=bundle,
        items=(),
        opened=those[0].proposal.opened,
        base=first.proposal.base,
        diff="\n".join(text_of(session.place.repo, each) for each in those) if call.diff else None,
        members=tuple(row_of(each) for each in those),
    )


def _texts(repo: Repo, standing: Standing) -> dict[str, str]:
    """The files that it changes as it proposes them, by path in the repository."""
    tip = standing.proposal.tip
    rels = [f"{FOLDER}/{change.path}" for change in standing.proposal.entry.changes]
    there = objects.look_up(repo, [f"{tip}:{rel}" for rel in rels])
    blobs = dict(objects.read_blobs(repo, sorted({known[0] for known in there if known and known[1] == "blob"})))
    return {
        rel: blobs[known[0]].decode("utf-8", "replace")
        for rel, known in zip(rels, there, strict=True)
        if known and known[0] in blobs
    }


def _secrets(texts: Mapping[str, str]) -> Iterator[str]:
    """Looked for now: what is known as a secret today may not have been when it was proposed."""
    for rel, text in texts.items():
        yield from (f"{rel}:{secret.line}: {secret.kind}: {secret.masked}" for secret in secrets.scan(text))


def _doubtful(entry: Entry, texts: Mapping[str, str]) -> Iterator[Notice]:
    """Hidden characters, active HTML and words aimed at tools, in the grounds and in what it changes."""
    for place, text in {"title": entry.title, "rationale": entry.rationale, **texts}.items():
        yield from (Notice(each.code, each.message, f"{place}:{each.line}") for each in unsafe.scan(text))


def text_of(repo: Repo, standing: Standing) -> str:
    """The change as Git prints it, without the ledger entry."""
    rels = [f"{FOLDER}/{rel}" for c in standing.proposal.entry.changes for rel in (c.path, c.moved_from) if rel]
    flags = ("--no-color", "--no-ext-diff", "--no-textconv", "--find-renames", "-U3")
    base = standing.proposal.base or worktree.empty_tree(repo)
    call = git.Call(env=gitconfig.driver_overrides(repo))
    done = git.run(repo.where, ("diff-tree", "-p", *flags, base, standing.proposal.tip, "--", *rels), call)
    return done.out.decode("utf-8", "replace")


@record
class DiffCall:
    proposal: str


def diff(session: Session, call: DiffCall) -> Effect:
    """What it would do: rules by file, tokens, contradictions, and the open proposals at the same items."""
    found_on, standing = _found(session, call.proposal)
    if standing is None:
        rows = _bundle(session, found_on, ShowCall(call.proposal)).members
        raise NoProposalError(
            f"{call.proposal} is a bundle of {', '.join(row.id for row in rows)}",
            hint=f"each by its own id: gitmem proposals diff {rows[0].id}; all: gitmem proposals show {call.proposal}",
        )
    proposal = standing.proposal
    files_of = read(session.place).commit or proposal.base
    found = effect(session, proposal.base, proposal.tip, files_of=files_of)
    own = f"{FOLDER}/{ledger.path_of(proposal.id)}"
    files = tuple(row for row in found.files if row.path != own)
    return replace(
        found,
        files=files,
        files_total=found.files_total - (len(found.files) - len(files)),
        overlaps=tuple(
            Touched(each.proposal, item, "") for each in _overlaps(session, standing) for item in each.items
        ),
    )


@record
class OverlapsCall:
    proposal: str = ""


@record
class Pair:
    """Two open proposals at the same items."""

    proposal: str
    title: str
    other: str
    other_title: str
    items: tuple[str, ...]


@record
class Overlaps:
    overlaps: tuple[Pair, ...]
    total: int


def overlaps(session: Session, call: OverlapsCall) -> Overlaps:
    """All pairs of open proposals at the same items, or those of one."""
    found = [s.proposal for s in board(session, PENDING).standings if s.status in PENDING]
    wanted = full_id(session, call.proposal) if call.proposal else ""
    pairs = []
    for at, one in enumerate(found):
        if wanted and one.id != wanted:
            continue
        others = [p for p in found if p.id != one.id] if wanted else found[at + 1 :]
        for each in overlapping(one.entry, others):
            pairs.append(Pair(one.id, one.entry.title, each.proposal, each.title, each.items))
    return Overlaps(tuple(pairs[:_PAIRS_MOST]), len(pairs))


def _overlaps(session: Session, standing: Standing) -> tuple[Overlap, ...]:
    others = [p.proposal for p in board(session, PENDING).standings if p.status in PENDING]
    return overlapping(standing.proposal.entry, [each for each in others if each.id != standing.proposal.id])
