"""Opens proposals: the ledger entry, the check of the whole resulting tree, one commit, one ref. Refuses to decide."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from threading import Lock

from gitmem.answers import alike, checking
from gitmem.answers.admission import RefusedError
from gitmem.answers.alike import Overlap
from gitmem.answers.ground import SCAFFOLD, Ground
from gitmem.answers.likeness import Candidate
from gitmem.answers.session import Session
from gitmem.answers.steps import undecided
from gitmem.answers.terms import Terms, one_line, proposer, refuse_unproposable
from gitmem.errors import GitmemError, UsageError
from gitmem.lazy import load
from gitmem.model.finding import Finding, Notice, Severity
from gitmem.model.ids import canonical_id, ulid
from gitmem.model.ledger import Entry, ItemChange
from gitmem.model.proposal import PATCHSET_DIGITS, Changes
from gitmem.record import field, record, replace
from gitmem.review.identity import id_of
from gitmem.store import ledger, private, proposals
from gitmem.store.gitrefs import swap_ref
from gitmem.store.layout import Place, place_of
from gitmem.store.proposals import Written
from gitmem.store.refs import PROPOSALS, under
from gitmem.store.writer import writer_of

_NAMED_FINDINGS = 5
# What the policy asks of an approval is no fault of a proposal.
_TO_APPROVE = frozenset({"approvals-missing", "policy-loosened", "signer-added", "owners-changed"})
_COUNTING = Lock()
_LAST = [(0, 0)]


@record
class Plan:
    """A change to knowledge: bytes by path below ``.gitmem``, None removes; ``moved`` tells the old path of a new one.

    ``recorded`` are changes that the trusted tree has already and that only lack an entry. ``taken``: why an engram of
    its own cannot be called so; as a change of what has the name it can. ``is_shared``: it was private until now.
    """

    kind: str
    title: str
    changes: Changes
    moved: Mapping[str, str] = field(default_factory=dict)
    recorded: tuple[ItemChange, ...] = ()
    reverts: str = ""
    warnings: tuple[Notice, ...] = ()
    taken: GitmemError | None = None
    is_shared: bool = False


@record
class Hint:
    """An edge that the words of a text ask for and that nobody has made: ``words`` are those of the text."""

    kind: str
    from_: str
    to: str
    slug: str
    words: str


@record
class Proposed:
    """``proposal`` is None when the verdict is duplicate: then nothing was opened and ``target`` is what there is.

    ``items`` are ids of what it changes, ``id`` that of the one engram that it is about; ``warnings`` are no obstacle.
    ``reason``, ``confidence`` (0 to 1) and ``candidates`` are those of the verdict.
    """

    NULLS = ("proposal",)
    proposal: str | None
    patchset: str
    ref: str
    verdict: str
    target: str | None = None
    overlaps: tuple[Overlap, ...] = ()
    items: tuple[str, ...] = ()
    bundle: str = ""
    proposals: tuple[str, ...] = ()
    warnings: tuple[Notice, ...] = ()
    id: str = ""
    reason: str = ""
    confidence: float = 1.0
    candidates: tuple[Candidate, ...] = ()
    hints: tuple[Hint, ...] = ()

    @property
    def exit_code(self) -> int:
        return 0 if self.proposal else 1


@record
class Draft:
    """A proposal that is written as a commit and has no ref yet."""

    entry: Entry
    tip: str
    verdict: str = "new"
    target: str | None = None
    overlaps: tuple[Overlap, ...] = ()
    warnings: tuple[Notice, ...] = ()
    reason: str = ""
    confidence: float = 1.0
    candidates: tuple[Candidate, ...] = ()


def new_id(session: Session) -> str:
    """Of two ids that one process makes in one millisecond the later one is the greater."""
    moment = int(session.now.timestamp() * 1000)
    with _COUNTING:
        before, number = _LAST[0]
        # The first bit stays free, so that counting on never runs over.
        number = number + 1 if before == moment else int.from_bytes(os.urandom(10), "big") >> 1
        _LAST[0] = (moment, number)
    return ulid(moment, number.to_bytes(10, "big"))


def draft(session: Session, ground: Ground, plan: Plan, terms: Terms, id_: str = "") -> Draft:
    """Writes the commit of a proposal after every check that needs no ref; nothing points at it yet."""
    found, changes = compared(session, ground, plan, terms, id_)
    return found if found.verdict == alike.DUPLICATE else written(session, ground, (found, changes), terms)


def written(session: Session, ground: Ground, made: tuple[Draft, Changes], terms: Terms) -> Draft:
    """What was compared, as a commit."""
    found, changes = made
    made_of = _commit(session, ground, (found.entry, changes), terms)
    tip = proposals.write_proposal(ground.repo, ground.base or None, made_of)
    doubts = validated(session, ground.base, tip, what="the proposal", waiting=_TO_APPROVE)
    return replace(found, tip=tip, warnings=tuple(dict.fromkeys((*found.warnings, *doubts))))


def compared(session: Session, ground: Ground, plan: Plan, terms: Terms, id_: str = "") -> tuple[Draft, Changes]:
    """A draft that is not written yet, with what it changes: the verdict on it is that of the one that would be."""
    changes = _wanted(ground, plan)
    refuse_unproposable(session, changes, terms)
    private_texts = _private_texts(ground, plan, changes, terms)
    items = plan.recorded or tuple(_items(ground, plan, changes))
    if not items:
        raise UsageError("nothing would change", hint="the trusted knowledge is like that already")
    id_ = id_ or new_id(session)
    entry = Entry(
        id=id_,
        kind=plan.kind,
        proposal=id_,
        title=one_line(plan.title),
        rationale=terms.rationale,
        proposed_by=terms.by or proposer(session, terms),
        changes=items,
        evidence=terms.evidence,
        needs=terms.needs,
        reverts=plan.reverts,
        bundle=terms.bundle,
        supersedes=terms.supersedes,
    )
    known = alike.compare(session, ground, (entry, changes), with_texts=not terms.without_dedup)
    warnings = (*plan.warnings, *private_texts, *undecided(ground, plan.kind, items, changes), *known.warnings)
    verdict = known.verdict, known.target, known.overlaps, warnings, known.reason, known.confidence, known.candidates
    return Draft(entry, "", *verdict), changes


def _private_texts(ground: Ground, plan: Plan, changes: Changes, terms: Terms) -> tuple[Notice, ...]:
    """A person who shares a private item knows what it says, and a machine has read none."""
    if plan.is_shared or terms.machine is not None or not private.is_used(ground.repo):
        return ()
    return tuple(load("gitmem.answers.touching:repeated")(ground, changes, terms.agent))


def _commit(session: Session, ground: Ground, made: tuple[Entry, Changes], terms: Terms) -> Written:
    """A machine's proposal is the same commit wherever it is made on the same ground."""
    if terms.machine is not None:
        return Written(*made, SCAFFOLD, terms.machine)
    by, writer = terms.author or ground.place.author, terms.writer or writer_of(ground.repo)
    return Written(*made, by, session.now, writer)


def _wanted(ground: Ground, plan: Plan) -> Changes:
    """Without the changes that are none on this ground."""
    before = ground.data_at(sorted(plan.changes))
    return {rel: data for rel, data in plan.changes.items() if before.get(rel) != data}


def _items(ground: Ground, plan: Plan, changes: Changes) -> Iterator[ItemChange]:
    """What changed in each file, key by key; a file that moved is one item."""
    gone = {old for new, old in plan.moved.items() if new in changes}
    before = ground.data_at(sorted({*changes, *gone}))
    for rel in sorted(set(changes) - gone):
        old_rel = plan.moved.get(rel, rel)
        old, new = before.get(old_rel), changes[rel]
        item = id_of(new or old or b"") if place_of(rel) is Place.ENGRAM else ""
        change = ledger.change_of(item or rel, rel, old, new)
        yield replace(change, moved_from=old_rel) if old_rel != rel else change


def validated(
    session: Session, base: str, tip: str, *, what: str, waiting: frozenset[str] = frozenset()
) -> tuple[Notice, ...]:
    """The warnings about what ``tip`` changes; its errors are refused, but those whose code is ``waiting``."""
    if not base:
        return ()
    found = checking.check(session, checking.CheckCall(range=f"{base}..{tip}"))
    errors = [each for each in found.findings if each.severity is Severity.ERROR and each.code not in waiting]
    if errors:
        raise refused(what, errors)
    return tuple(Notice(f.code, f.message, f.place, f.hint) for f in found.findings)


def refused(what: str, errors: Sequence[Finding]) -> GitmemError:
    first = errors[0]
    rest = [f"{finding.place}: {finding.message}" for finding in errors[1:_NAMED_FINDINGS]]
    more = f" (and {len(errors) - 1} more: {'; '.join(rest)})" if rest else ""
    message = f"{what} would break the knowledge: {first.message}{more}"
    return RefusedError(message, hint=first.hint, place=first.place, code=first.code)


def publish(session: Session, made: Draft) -> Proposed:
    """Gives a draft its ref: from here on it is a proposal."""
    if made.verdict == alike.DUPLICATE:
        return replace(_told(made), proposal=None, id="", items=(), bundle="")
    ref = under(PROPOSALS, made.entry.proposal)
    if not swap_ref(session.place.repo, ref, None, made.tip, reason="gitmem: propose"):
        raise GitmemError(f"{ref} is there already", hint="propose again", place=ref, code="ref-moved")
    return replace(_told(made), patchset=made.tip[:PATCHSET_DIGITS], ref=ref)


def _told(made: Draft) -> Proposed:
    items = tuple(change.item for change in made.entry.changes)
    engrams = [item for item in items if canonical_id(item)]
    return Proposed(
        proposal=made.entry.proposal,
        patchset="",
        ref="",
        verdict=made.verdict,
        target=made.target,
        overlaps=made.overlaps,
        items=items,
        bundle=made.entry.bundle,
        warnings=made.warnings,
        id=engrams[0] if len(engrams) == 1 else "",
        reason=made.reason,
        confidence=made.confidence,
        candidates=made.candidates,
    )
