"""On whose word an item stands: decisions, commits, who wrote each line. Refuses to call a commit an approval."""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime

from gitmem.answers import decisions, naming
from gitmem.answers.decisions import Decided, Grounds
from gitmem.answers.proposals import author_of
from gitmem.answers.reading import Reading, Revision, Session, read
from gitmem.index.card import Card
from gitmem.model.disclosed import Line
from gitmem.model.finding import Notice
from gitmem.model.moments import rfc3339
from gitmem.record import record, replace
from gitmem.store import history
from gitmem.store.commits import commits as read_commits
from gitmem.store.git import GitError
from gitmem.store.history import Commit
from gitmem.store.repo import FOLDER


@record
class WhyCall:
    item: str
    at: str = ""


@record
class Decision:
    """A decision on record, or a commit by hand: then ``ledger`` is ''.

    ``commit`` is where it came into the trusted history, ``at`` when; ``commits`` are those that changed the item.
    ``proposed_by`` names an agent beside the person it worked for; ``approved_by`` is who the approval files name, ''
    where there are none. ``reverts`` is a ledger id, ``members`` are the proposals of a bundle.
    """

    commit: str
    at: str
    proposed_by: str
    subject: str
    ledger: str = ""
    proposal: str = ""
    approved_by: str = ""
    kind: str = ""
    rationale: str = ""
    evidence: tuple[str, ...] = ()
    reverts: str = ""
    bundle: str = ""
    members: tuple[str, ...] = ()
    commits: tuple[str, ...] = ()


@record
class Why:
    """``decisions`` newest first."""

    item: str
    source_path: str
    created: str
    decisions: tuple[Decision, ...]
    lines: tuple[Line, ...]
    warnings: tuple[Notice, ...] = ()


def why(session: Session, call: WhyCall) -> Why:
    reading = read(session.place, Revision(at=call.at))
    card = naming.find(reading, call.item)
    rel = f"{FOLDER}/{card.path}"
    changed = history.commits_of(reading.place.repo, reading.commit, rel, card.id)
    lines, missing = _lines(reading, rel)
    asked = list(dict.fromkeys((*(each.oid for each in changed), *(line.commit for line in lines))))
    grounds = decisions.grounds_of(reading.place.repo, reading.commit, card, asked)
    by_hand = [each for each in changed if each.oid not in grounds.ledger_of]
    found = _decisions(reading, grounds, {each.oid for each in changed}, by_hand)
    lines = tuple(replace(line, ledger=grounds.ledger_of.get(line.commit, "")) for line in lines)
    created = f"{found[-1].at} {found[-1].proposed_by}" if found else ""
    warnings = (*reading.warnings, *_unrecorded(by_hand, rel), *missing, *_cut_off(reading))
    return Why(card.id, rel, created, found, lines, warnings)


def lines_of(reading: Reading, card: Card) -> tuple[tuple[Line, ...], tuple[Notice, ...]]:
    """Who last changed each line of the file, in which commit, by which decision."""
    lines, missing = _lines(reading, f"{FOLDER}/{card.path}")
    asked = list(dict.fromkeys(line.commit for line in lines))
    grounds = decisions.grounds_of(reading.place.repo, reading.commit, card, asked)
    return tuple(replace(line, ledger=grounds.ledger_of.get(line.commit, "")) for line in lines), missing


def _decisions(
    reading: Reading, grounds: Grounds, changed: Collection[str], by_hand: Sequence[Commit]
) -> tuple[Decision, ...]:
    """Newest first by the trusted line, which clocks that go wrong do not turn round."""
    repo = reading.place.repo
    landed = read_commits(repo, [each.commit for each in grounds.decided])
    found = [_recorded(each, landed[each.commit].time, changed) for each in grounds.decided]
    found += [Decision(c.oid, c.at, c.author, c.subject, commits=(c.oid,)) for c in by_hand]
    return tuple(sorted(found, key=lambda each: grounds.age(each.commit)))


def _recorded(each: Decided, time_s: int, changed: Collection[str]) -> Decision:
    entry = each.entry
    people = (f"{vote.by.name} <{vote.by.email}>" if vote.by.email else vote.by.name for vote in each.approvals)
    return Decision(
        commit=each.commit,
        at=rfc3339(datetime.fromtimestamp(time_s, UTC)),
        proposed_by=author_of(entry.proposed_by),
        subject=entry.title,
        ledger=entry.id,
        proposal=entry.proposal,
        approved_by=", ".join(dict.fromkeys(people)),
        kind=entry.kind,
        rationale=entry.rationale,
        evidence=entry.evidence,
        reverts=entry.reverts,
        bundle=entry.bundle,
        members=entry.members,
        commits=tuple(commit for commit in each.commits if commit in changed),
    )


def _unrecorded(by_hand: Sequence[Commit], rel: str) -> tuple[Notice, ...]:
    if not by_hand:
        return ()
    message = f"{len(by_hand)} commit(s) changed this item by hand, without a recorded proposal"
    hint = f"put one on record: gitmem propose --from-commit {by_hand[0].oid[:12]}"
    return (Notice("no-ledger-entry", message, rel, hint),)


def _cut_off(reading: Reading) -> tuple[Notice, ...]:
    """In a shallow clone the oldest commit that is here seems to have made everything."""
    if not (reading.place.repo.common_dir / "shallow").exists():
        return ()
    message = "this clone is shallow: who came before its oldest commit is not known here"
    return (Notice("shallow", message, hint="git fetch --unshallow"),)


def _lines(reading: Reading, rel: str) -> tuple[tuple[Line, ...], tuple[Notice, ...]]:
    """A list of ignored commits that the configuration names and the repository lacks makes Git refuse to blame."""
    try:
        blamed = history.blame(reading.place.repo, reading.commit, rel)
    except GitError as err:
        hint = "see: git config --get-all blame.ignoreRevsFile"
        return (), (Notice("no-blame", f"Git does not say who wrote the lines: {err.message}", rel, hint),)
    return tuple(Line(b.line, b.commit, b.author, b.text) for b in blamed), ()
