"""What this clone tells the team of its journal, and the sealing of that. Refuses to tell more on an untrusted word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gitmem.answers.journal import is_on
from gitmem.answers.reading import Reading, Revision, Session, ask, read
from gitmem.config import CHOICES, TRUST_HEAD
from gitmem.index.knowledge import Knowledge
from gitmem.memory import redaction, tally
from gitmem.model.finding import Notice
from gitmem.model.plain import Plain
from gitmem.record import record
from gitmem.store import proposals, seals
from gitmem.store.refs import PROPOSALS, is_placed, listed
from gitmem.store.repo import Repo
from gitmem.store.seal import Piece
from gitmem.store.seals import Terms
from gitmem.store.segments import Row
from gitmem.store.shared import Chain
from gitmem.store.trust import default_branch
from gitmem.store.writer import names_of

SETTING = "gitmem.journalShare"
NONE = "none"
_LEVELS = CHOICES["journal.share"]


@record
class Level:
    """``share`` is none, counts, events or full; ``notices`` say what was amiss with the setting of this clone."""

    share: str
    notices: tuple[Notice, ...] = ()


def level(session: Session, reading: Reading) -> Level:
    """A person's own setting wins; else that of the trusted tree. A journal that is off shares nothing.

    Where HEAD is trusted, a branch of anybody's is trusted as soon as it is looked at: it may share less than the
    default branch of the remote says, and never more.
    """
    if not is_on(session):
        return Level(NONE)
    own = session.place.git_config.get(SETTING.lower(), ("",))[-1]
    if own and own not in _LEVELS:
        message = f"{SETTING} is {own[:40]!r}, so nothing of the journal is shared"
        return Level(NONE, (Notice("unknown-setting", message, SETTING, f"use {', '.join(_LEVELS)}"),))
    if own:
        return Level(own)
    place, found = session.place, _stated(reading)
    if reading.trusted.policy == TRUST_HEAD:
        branch = default_branch(place.repo, place.git_config)
        found = min(found, _stated(read(place, Revision(trust=branch))), key=_LEVELS.index) if branch else found
    return Level(found)


def _stated(reading: Reading) -> str:
    return ask(reading, lambda knowledge: knowledge.settings.share)[0]


def seal(session: Session, chains: Sequence[Chain], reading: Reading, share: str) -> str:
    """Seals what is new at a level that shares something; the new tip of the own ref, '' where nothing is new."""
    repo = session.place.repo
    return seals.seal(
        repo, chains, names_of(repo), lambda pieces: _terms(share, known_items(repo, reading, pieces)), session.now
    )


def _terms(share: str, known: frozenset[str]) -> Terms:
    return Terms(
        share,
        lambda rows, folds: counted(rows, folds).only(known).plain(),
        tell=lambda row: None if redaction.is_untold(row, known) else redaction.told(row, known),
        withholds=lambda row: redaction.is_private(row, known),
    )


def counted(rows: Sequence[Row], folds: Sequence[Mapping[str, Plain]]) -> tally.Tally:
    return tally.total((tally.of_rows(rows), *map(tally.read, folds)))


def known_items(repo: Repo, reading: Reading, pieces: Sequence[Piece]) -> frozenset[str]:
    """The items among those that events name which the team knows: in the trusted tree or in an open proposal."""
    lines = [line for piece in pieces for line in piece.lines]
    named = {item for line in lines if line.fold is None for item in redaction.mentioned(line.row)}
    named |= {item for line in lines if line.fold for item in tally.read(line.fold.tally).items()}
    known, _ = ask(reading, lambda knowledge: {item for item in named if _is_public(knowledge, item)})
    return frozenset(known | (_proposed(repo) & named if named - known else set()))


def _is_public(knowledge: Knowledge, item: str) -> bool:
    found = knowledge.under(f"id:{item}")
    return bool(found) and all(card.visibility != "private" for card in found)


def _proposed(repo: Repo) -> set[str]:
    loaded = proposals.load(repo, [ref for ref in listed(repo, PROPOSALS) if is_placed(ref)])
    return {change.item for each in loaded.proposals for change in each.entry.changes}
