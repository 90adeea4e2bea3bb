"""Three clones, one of them made with ``cp -r``: what is proposed, said and declined in each is in all."""

import shutil
from pathlib import Path

import pytest

from gitmem.answers.approve import ApproveCall, approve
from gitmem.answers.closing import CommentCall, RejectCall, comment, reject
from gitmem.answers.propose import ProposeEditCall, ProposeNewCall, propose_edit, propose_new
from gitmem.answers.standing import board
from gitmem.answers.sync import SyncCall, sync
from gitmem.errors import GitmemError
from gitmem.model.proposal import Status
from gitmem.store.repo import discover
from gitmem.store.writer import writer_of
from tests.team.acts import fields_of, new_call
from tests.team.judge import all_meet, judge
from tests.team.meet import NO_DRIVER
from tests.team.play import crew, play
from tests.team.world import Seat, World, own, world


def copied(made: World, seat: Seat, name: str) -> Seat:
    """``cp -r``: refs, settings and the writer's id come along."""
    shutil.copytree(seat.root, made.folder / name, symlinks=True)
    own(made.folder / name, name)
    made.seats.append(Seat(name, made.folder / name, seat.reader, seat.has_driver))
    return made.seats[-1]


def opened(made: World, seat: Seat) -> tuple[str, str]:
    made.tick()
    done = propose_new(made.session(seat), ProposeNewCall(**fields_of(new_call(made))))
    assert done.proposal
    made.memory.proposed(done.proposal, seat.open()[done.proposal])
    return done.proposal, done.patchset


def says(made: World, seat: Seat, id_: str) -> None:
    made.tick()
    text = f"{seat.name} has seen it, {made.fresh()}"
    comment(made.session(seat), CommentCall(id_, text))
    made.memory.said(id_, text)


@pytest.mark.capability("M-075")
def test_what_three_clones_did_apart_meets_and_no_push_is_blocked(tmp_path: Path) -> None:
    """F-053."""
    made = world(tmp_path, 5)
    ada, bob = made.seats
    first, second = opened(made, ada), opened(made, ada)
    says(made, ada, first[0])
    eve = copied(made, ada, "eve")
    all_meet(made)
    for seat in (ada, bob, eve):
        says(made, seat, first[0])
        says(made, seat, second[0])
        opened(made, seat)
    made.tick()
    reject(made.session(eve), RejectCall((first[0],), "not so"))
    made.memory.closed[first[0]] = "reject"
    made.tick()
    before = bob.view()
    approve(made.session(bob), ApproveCall((f"{second[0]}@{second[1]}",)))
    made.memory.wrote(before, bob.view())
    made.memory.decided.add(second[0])

    for seat in (ada, bob, eve):
        done = sync(made.session(seat), SyncCall())
        codes = {notice.code for notice in done.warnings} - {NO_DRIVER}
        assert (done.exit_code, done.not_synced, codes) == (0, None, set())

    assert all_meet(made) == 1
    judge(made)
    assert len({writer_of(discover(seat.root)) for seat in made.seats}) == 3
    for seat in made.seats:
        stand = {each.proposal.id: each.status for each in board(made.session(seat)).standings}
        assert (stand[first[0]], stand[second[0]], len(stand)) == (Status.REJECTED, Status.LANDED, 5)


def test_a_copy_of_a_clone_does_not_extend_what_the_clone_proposed(tmp_path: Path) -> None:
    made = world(tmp_path, 6)
    ada = made.seats[0]
    id_, _ = opened(made, ada)
    eve = copied(made, ada, "eve")
    item = next(iter(ada.view()))[0]

    with pytest.raises(GitmemError) as caught:
        propose_edit(made.session(eve), ProposeEditCall(item, "title", value=("Mine",), extend=id_))

    assert caught.value.code == "not-yours"


@pytest.mark.long
@pytest.mark.parametrize("seed", [11, 12])
def test_a_course_of_steps_of_three_clones_meets(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = play(crew(tmp_path, seed, monkeypatch), steps=60, every=60)
    copied(made, made.seats[0], "eve")

    play(made, steps=400, every=100)
