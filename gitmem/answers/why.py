"""On whose word an item stands: its commits, and who wrote each line. Refuses to call a commit an approval."""

from gitmem.answers import naming
from gitmem.answers.reading import Reading, Revision, Session, read
from gitmem.model.finding import Notice
from gitmem.record import record
from gitmem.store import history
from gitmem.store.git import GitError
from gitmem.store.repo import FOLDER


@record
class WhyCall:
    item: str
    at: str = ""


@record
class Decision:
    """A commit that changed the item; '' where no ledger entry says which decision it was and who approved it."""

    commit: str
    at: str
    proposed_by: str
    subject: str
    ledger: str = ""
    proposal: str = ""
    approved_by: str = ""


@record
class Line:
    """``line`` counts from 1 in the file; ``author`` is who last changed it, in ``commit``."""

    line: int
    commit: str
    author: str
    text: str


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
    commits = history.commits_of(reading.place.repo, reading.commit, rel, card.id)
    decisions = tuple(Decision(c.oid, c.at, c.author, c.subject) for c in commits)
    lines, missing = _lines(reading, rel)
    unrecorded = Notice(
        "no-ledger-entry", f"{len(decisions)} commit(s) changed this item by hand, without a recorded proposal", rel
    )
    created = f"{decisions[-1].at} {decisions[-1].proposed_by}" if decisions else ""
    return Why(card.id, rel, created, decisions, lines, (*reading.warnings, unrecorded, *missing, *_cut_off(reading)))


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
