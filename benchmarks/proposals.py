"""What there is to decide about, in a repository that is measured. Refuses to time anything."""

from datetime import UTC, datetime
from pathlib import Path

from gitmem.answers.ground import Ground, ground
from gitmem.answers.reading import Session
from gitmem.index.card import Card
from gitmem.model.ids import ulid
from gitmem.model.ledger import Entry, Proposer
from gitmem.store import edit, git, ledger, proposals
from gitmem.store.proposals import Written
from gitmem.store.refs import PROPOSALS, listed, under


def proposed(root: Path, count: int) -> list[str]:
    """The commits of ``count`` open proposals, each a new summary of one engram; made where they are not there yet."""
    session = Session(root, datetime.now(UTC))
    foot = ground(session)
    there = [ref.oid for ref in listed(foot.repo, PROPOSALS)]
    cards = [card for card in foot.knowledge().cards() if card.id][len(there) : count]
    made = [_tip(foot, card, number) for number, card in enumerate(cards)]
    feed = "".join(f"create {under(PROPOSALS, id_)}\0{tip}\0" for id_, tip in made)
    git.run(foot.repo.where, ("update-ref", "-z", "--stdin"), git.Call(stdin=feed.encode()))
    return [*there, *(tip for _, tip in made)]


def _tip(foot: Ground, card: Card, number: int) -> tuple[str, str]:
    before = foot.data_of(card)
    after = edit.set_value(before, "summary", f"What this one says in short, worded anew for number {number}.")
    id_ = ulid(1_790_000_000_000 + number, number.to_bytes(10, "big"))
    change = ledger.change_of(card.id, card.path, before, after)
    entry = Entry(id_, "update", id_, f"Summary {number}", "measured", Proposer("Ada", "ada@example.org"), (change,))
    wanted = Written(entry, {card.path: after}, "Ada <ada@example.org>", datetime.now(UTC))
    return id_, proposals.write_proposal(foot.repo, foot.base, wanted)
