"""What a proposal is made on: a revision, its knowledge, its files. Refuses to change any of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from gitmem.answers import naming
from gitmem.answers.reading import Place, Reading, Session, ask_at, read
from gitmem.errors import GitmemError
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.model.finding import Notice
from gitmem.model.proposal import Changes, Proposal
from gitmem.record import record, replace
from gitmem.review.joining import Joined, Three, join, trees_of
from gitmem.review.outcome import Side
from gitmem.store import ledger, objects
from gitmem.store.gitwrite import Draft, write_commit
from gitmem.store.repo import FOLDER, Repo
from gitmem.store.trust import quoted

SCAFFOLD = "gitmem <gitmem@localhost>"


@record
class Ground:
    """``base`` is the commit that a proposal will stand on, '' in a repository without any; ``tree`` its knowledge.

    ``created`` are the ids of the engrams that the proposal creates which is extended on it.
    """

    place: Place
    reading: Reading
    base: str
    tree: str
    created: tuple[str, ...] = ()

    @property
    def repo(self) -> Repo:
        return self.place.repo

    def knowledge(self) -> Knowledge:
        """Verified, so that nothing asked of it later meets a damaged part."""
        return ask_at(self.place, self.tree, Knowledge.verified)[0]

    def data_of(self, card: Card) -> bytes:
        return dict(objects.read_blobs(self.repo, [card.blob]))[card.blob]

    def data_at(self, rels: Sequence[str]) -> dict[str, bytes]:
        """Bytes by path below ``.gitmem``, of the paths that are there."""
        found = objects.look_up(self.repo, [f"{self.tree}:{rel}" for rel in rels]) if self.tree else []
        oids = {rel: known[0] for rel, known in zip(rels, found, strict=False) if known and known[1] == "blob"}
        blobs = dict(objects.read_blobs(self.repo, sorted(set(oids.values()))))
        return {rel: blobs[oid] for rel, oid in oids.items()}

    def with_changes(self, changes: Changes) -> Ground:
        """The same ground after a change; its commit is on no ref."""
        when = datetime.fromtimestamp(0, UTC)
        return at_commit(self, write_commit(self.repo, self.base or None, Draft(in_root(changes), "", SCAFFOLD, when)))


def ground(session: Session, needs: Sequence[Proposal] = ()) -> Ground:
    """The trusted revision; on top of it the needed proposals that have not landed."""
    reading = read(session.place)
    if reading.place.repo.common_dir != session.place.repo.common_dir:
        named = session.place.git_config["gitmem.parent"][-1]
        raise GitmemError(
            f"the knowledge is that of the parent repository {named}, and proposals wait where it is",
            hint=f"propose there: gitmem -C {quoted(named)} propose ...",
            place=str(reading.place.repo.where),
            code="parent",
        )
    if not reading.commit:
        reason = reading.warnings[0] if reading.warnings else None
        raise GitmemError(
            reason.message if reason else "nothing is canonical here",
            hint=reason.hint if reason else "",
            code=reason.code if reason else "nothing-trusted",
        )
    if reading.tree != reading.trusted.tree and reading.commit == reading.trusted.commit:
        # The folder is there and not understood, so that nothing of it is served.
        raise GitmemError(reading.warnings[-1].message, hint=reading.warnings[-1].hint, code=reading.warnings[-1].code)
    start = Ground(session.place, reading, reading.commit, reading.tree)
    if not needs:
        return start
    if len(needs) == 1:
        return at_commit(start, needs[0].tip)
    tip = needs[0].tip
    for need in needs[1:]:
        tip = stacked(start.repo, tip, need, session.now)
    return at_commit(start, tip)


def missing_ground(session: Session) -> tuple[Notice, ...]:
    """Why nothing is canonical here, () where something is: what only follows knowledge has nothing to do without."""
    reading = read(session.place)
    return () if reading.commit else reading.warnings


def trusted_text(session: Session, item: str) -> str:
    """The file of an item as it is trusted."""
    under = ground(session)
    return under.data_of(naming.one(under.knowledge(), item)).decode("utf-8", "replace")


def at_commit(start: Ground, commit: str) -> Ground:
    return replace(start, base=commit, tree=trees_of(start.repo, [commit])[0])


def stacked(repo: Repo, onto: str, proposal: Proposal, now: datetime) -> str:
    """A commit, on no ref, that has both what ``onto`` has and what a proposal changes; its parents are the two."""
    joined = merged(repo, onto, proposal)
    if joined.conflicts:
        first = joined.conflicts[0]
        raise GitmemError(
            f"the needed proposals do not fit together: {proposal.id} at {first.field} of {first.path}",
            hint="land one of them first",
            place=f"{FOLDER}/{first.path}",
            code="conflict",
        )
    return write_commit(repo, onto, Draft(in_root(joined.changes), "needed proposals", SCAFFOLD, now, (proposal.tip,)))


def merged(repo: Repo, onto: str, proposal: Proposal, favour: Side | None = None) -> Joined:
    """What a proposal makes of another commit than the one that it was made on."""
    base, ours, theirs = trees_of(repo, [proposal.base, onto, proposal.tip])
    return join(repo, Three(base, ours, theirs, is_proposal=True), favour)


def in_root(changes: Changes) -> Mapping[str, bytes | None]:
    """Paths below ``.gitmem`` as paths of the repository."""
    return {f"{FOLDER}/{rel}": data for rel, data in changes.items()}


def without_entry(changes: Changes, id_: str) -> Changes:
    own = ledger.path_of(id_)
    return {rel: data for rel, data in changes.items() if rel != own}
