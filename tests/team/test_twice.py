"""What both clones did with the same proposals meets as one decision, whichever way the histories had crossed."""

from pathlib import Path

import pytest

from gitmem.answers import author, moving
from gitmem.answers.approve import ApproveCall, approve
from gitmem.answers.checking import CheckCall, check
from gitmem.answers.fields import EditCall
from gitmem.answers.moving import RmCall
from gitmem.answers.propose import ProposeCall, ProposeEditCall, propose, propose_edit
from gitmem.answers.resolve import ResolveCall, resolve
from gitmem.answers.sync import SyncCall, sync
from tests.support import engram_id, engram_text, git, run_program, write_tree
from tests.team.judge import all_meet
from tests.team.world import Seat, World, world

RULE = engram_id(1)
DOOMED = engram_id(9)


def landed_in(made: World, seat: Seat, id_: str) -> str:
    """Approves what the clone has of a proposal now."""
    made.tick()
    tip = seat.open()[id_]
    return approve(made.session(seat), ApproveCall((f"{id_}@{tip[:12]}",))).commit


def tagged(made: World, seat: Seat, tag: str, item: str = RULE) -> str:
    made.tick()
    done = propose_edit(made.session(seat), ProposeEditCall(item, "tags", add=(tag,)))
    assert done.proposal
    return done.proposal


def by_hand(made: World, seat: Seat, field: str, value: str) -> None:
    author.edit(made.session(seat), EditCall(RULE, field, value=(value,)))
    seat.git("add", ".gitmem")
    seat.git("commit", "--quiet", "--message", "by hand")


def met(made: World, *seats: Seat) -> None:
    for seat in seats:
        made.tick()
        done = sync(made.session(seat), SyncCall())
        assert (done.exit_code, done.not_synced) == (0, None), done


@pytest.fixture
def made(tmp_path: Path) -> World:
    return world(tmp_path, 1)


def approved_apart(made: World) -> str:
    """One proposal, approved by two people on grounds of their own: each has a record of its own."""
    ada, bob = made.seats
    id_ = tagged(made, ada, "both")
    met(made, ada, bob)
    author.edit(made.session(ada), EditCall(RULE, "tags", add=("a",)))
    author.edit(made.session(bob), EditCall(RULE, "tags", add=("b",)))
    for seat in made.seats:
        seat.git("add", ".gitmem")
        seat.git("commit", "--quiet", "--message", "by hand")
        landed_in(made, seat, id_)
    return id_


def tags(seat: Seat) -> list[str]:
    return sorted(value for item, field, value in seat.view() if (item, field) == (RULE, "tags"))


def test_a_proposal_that_two_clones_approved_on_grounds_of_their_own_is_one_decision(made: World) -> None:
    ada, bob = made.seats
    approved_apart(made)

    all_meet(made)

    assert tags(ada) == tags(bob) == ["a", "api", "b", "both"]
    assert len(ada.git("ls-files", ".gitmem/ledger").split()) == 1
    assert len(ada.git("ls-files", ".gitmem/approvals").split()) == 2


@pytest.mark.capability("R-078")
def test_after_a_plain_pull_resolve_takes_the_record_that_is_published(made: World) -> None:
    ada, bob = made.seats
    id_ = approved_apart(made)
    met(made, ada)
    published = bob.git("fetch") + ada.git("show", f"HEAD:{ledger_of(ada)}")

    ran = run_program(bob.root, "git", "pull", "--quiet", "--no-rebase", "--no-edit")
    answer = resolve(made.session(bob), ResolveCall())
    found = check(made.session(bob), CheckCall(staged=True))
    bob.git("commit", "--quiet", "--no-edit")

    assert (ran.code, answer.conflicts, found.exit_code) == (1, (), 0)
    assert bob.git("show", f"HEAD:{ledger_of(bob)}") == published
    assert id_ in ledger_of(bob)
    met(made, bob, ada)


def ledger_of(seat: Seat) -> str:
    (path,) = seat.git("ls-files", ".gitmem/ledger").split()
    return path


def test_what_was_removed_stays_away_where_old_proposals_landed_on_both_sides(made: World) -> None:
    """Each tip that both have among their parents is a place where the histories parted, and knows less than the
    newest: of all of them only one would bring back what one side removed since."""
    ada, bob = made.seats
    other = engram_text(id=engram_id(8), title="Apart from it all")
    write_tree(ada.root, {".gitmem/engrams/api/other.md": other})
    by_hand(made, ada, "importance", "0.7")
    met(made, ada)
    proposals = [tagged(made, ada, "one", engram_id(8)), tagged(made, ada, "two", engram_id(8))]
    met(made, ada, bob)
    write_tree(ada.root, {".gitmem/engrams/api/doomed.md": engram_text(id=DOOMED, title="Short lived")})
    by_hand(made, ada, "summary", "Changed since")
    met(made, ada, bob)
    for seat in made.seats:
        for id_ in proposals:
            landed_in(made, seat, id_)
    moving.rm(made.session(ada), RmCall(DOOMED))
    ada.git("add", "--all", ".gitmem")
    ada.git("commit", "--quiet", "--message", "away")
    by_hand(made, ada, "title", "Changed by Ada")
    by_hand(made, bob, "priority", "7")

    met(made, ada, bob, ada)

    assert DOOMED not in {item for item, _, _ in ada.view()}
    assert {(RULE, "title", "Changed by Ada"), (RULE, "summary", "Changed since")} <= ada.view()
    assert (RULE, "priority", "7") in ada.view()
    assert git(ada.root, "rev-parse", "main") == git(bob.root, "rev-parse", "main")


def test_a_proposal_on_top_of_a_member_lands_after_the_bundle_has(made: World) -> None:
    """The member's own record gave way to the bundle's; who stands on it still brings it along."""
    ada, bob = made.seats
    plan = "changes: [{edit: {item: ITEM, field: tags, add: [one]}}, {new: {kind: fact, title: Two, body: Two.}}]"
    made.tick()
    bundle = propose(made.session(ada), ProposeCall(file=plan.replace("ITEM", RULE)))
    member = bundle.proposals[0]
    made.tick()
    above = propose_edit(made.session(ada), ProposeEditCall(RULE, "summary", value=("On top",), needs=(member,)))
    made.tick()
    approve(made.session(ada), ApproveCall((f"{member}@{ada.open()[member][:12]}",), bundle=True))
    met(made, ada, bob)

    landed_in(made, ada, str(above.proposal))

    met(made, ada, bob)
    assert (RULE, "summary", "On top") in bob.view()
    assert tags(bob) == ["api", "one"]
