"""What people decide about proposals, and how their clones meet. Refuses to choose between people who disagree."""

from gitmem.answers.approve import ApproveCall, approve
from gitmem.answers.closing import (
    CommentCall,
    RejectCall,
    SupersedeCall,
    WithdrawCall,
    comment,
    reject,
    supersede,
    withdraw,
)
from gitmem.answers.keeping import CreateCall, create
from gitmem.answers.undo import ReinstateCall, RevertCall, reinstate, revert
from tests.team.atoms import PATH, Atom
from tests.team.world import Answer, Deed, Seat, State, World

CLOSED = frozenset({"proposal-closed", "already-landed", "unknown-proposal"})
# What stands in the way of an approval, and is told.
IN_THE_WAY = CLOSED | {
    "nothing-new",
    "patchset-moved",
    "conflict",
    "needs-open",
    "requires-cycle",
    "requires-missing",
    "synapse-end-missing",
    "duplicate-id",
    "path-case",
    "base-missing",
}


def drawn(world: World, seat: Seat) -> tuple[str, str] | None:
    """A proposal that waits here, with its tip."""
    waiting = sorted(seat.open().items())
    return world.draw.choice(waiting) if waiting else None


def tip_of(state: State, id_: str) -> str:
    """An open ref counts before an archived one."""
    names = (f"refs/gitmem/{family}/{id_[-2:].lower()}/{id_}" for family in ("proposals", "archive"))
    return next(state.refs[name] for name in names if name in state.refs)


def own_change(seat: Seat, tip: str) -> tuple[frozenset[Atom], frozenset[Atom]]:
    """What a proposal takes away and what it adds."""
    before, after = seat.view(f"{tip}^1"), seat.view(tip)
    return before - after, after - before


def approving(world: World, seat: Seat) -> Deed | None:
    found = drawn(world, seat)
    if found is None:
        return None
    id_, tip = found
    is_bundle = "Gitmem-Bundle" in seat.git("log", "-1", "--format=%B", tip) or world.chance(20)
    call = ApproveCall((f"{id_}@{tip[:12]}",), with_needs=world.chance(50), bundle=is_bundle and world.chance(50))
    return Deed("approve", lambda: approved(world, seat, call), landing(world, seat), IN_THE_WAY | {"usage"})


def approved(world: World, seat: Seat, call: ApproveCall) -> Answer:
    done = approve(world.session(seat), call)
    return {"commit": done.commit, "ids": list(done.proposals)}


def landing(world: World, seat: Seat):
    def judge(answer: Answer, before: State, after: State) -> None:
        assert after.head == answer["commit"] != before.head
        taken: set[Atom] = set()
        given: set[Atom] = set()
        for id_ in answer["ids"]:
            # Where the ground had moved it landed as a patch set of its own.
            tips = {tip_of(state, id_) for state in (before, after)}
            for less, more in (own_change(seat, tip) for tip in sorted(tips)):
                taken |= less
                given |= more
            world.memory.decided.add(id_)
            world.memory.proposed(id_, tip_of(after, id_))
        lost, new = before.view - after.view - taken, after.view - before.view - given
        assert not lost, f"the approval took more than was proposed: {sorted(lost)}"
        assert not {atom for atom in new if atom[1] != PATH}, (
            f"the approval brought what was not proposed: {sorted(new)}"
        )
        world.memory.wrote(before.view, after.view)

    return judge


def rejecting(world: World, seat: Seat) -> Deed | None:
    found = drawn(world, seat)
    if found is None:
        return None
    days = world.draw.choice((0, 0, 1, 3))
    call = RejectCall((found[0],), f"Because {world.fresh()}", days)
    return closing("reject", world, found[0], lambda: reject(world.session(seat), call), is_for_good=not days)


def closing(name: str, world: World, id_: str, act, *, is_for_good: bool = True) -> Deed:
    def do() -> Answer:
        act()
        return {}

    def judge(answer: Answer, before: State, after: State) -> None:
        assert after.head == before.head
        if is_for_good:
            assert not [ref for ref in after.refs if ref.endswith(id_) and "/proposals/" in ref]
            world.memory.closed[id_] = name

    return Deed(name, do, judge, CLOSED | {"not-yours"})


def withdrawing(world: World, seat: Seat) -> Deed | None:
    found = drawn(world, seat)
    if found is None:
        return None
    return closing(
        "withdraw", world, found[0], lambda: withdraw(world.session(seat), WithdrawCall(found[0], "not needed"))
    )


def superseding(world: World, seat: Seat) -> Deed | None:
    waiting = sorted(seat.open())
    if len(waiting) < 2:
        return None
    old, new = world.draw.sample(waiting, 2)
    return closing("supersede", world, old, lambda: supersede(world.session(seat), SupersedeCall(old, new)))


def reinstating(world: World, seat: Seat) -> Deed | None:
    """What was declined waits again."""
    shut = sorted(name.rpartition("/")[2] for name in seat.refs("refs/gitmem/archive/"))
    if not shut:
        return None
    id_ = world.draw.choice(shut)

    def do() -> Answer:
        done = reinstate(world.session(seat), ReinstateCall(id_, "again"))
        return {"ids": [done.proposal]}

    def judge(answer: Answer, before: State, after: State) -> None:
        world.memory.closed.pop(id_, None)
        remember_tips(world, answer, after)

    refusals = CLOSED | {"not-reverted", "nothing-to-restore", "already-reverted", "requires-cycle", "dismissed"}
    return Deed("reinstate", do, judge, refusals | IN_THE_WAY, leaves=True)


def remember_tips(world: World, answer: Answer, after: State) -> None:
    for id_ in answer["ids"]:
        world.memory.proposed(id_, tip_of(after, id_))


def reverting(world: World, seat: Seat) -> Deed | None:
    """A decision of the last weeks is taken back; what changed since stays."""
    landed = seat.git("ls-tree", "-r", "--name-only", "origin/main", "--", ".gitmem/ledger").split()
    if not landed:
        return None
    id_ = world.draw.choice(sorted(landed)[-40:]).rpartition("/")[2].removesuffix(".yaml")

    def do() -> Answer:
        done = revert(world.session(seat), RevertCall(id_, f"Wrong {world.fresh()}"))
        return {"ids": [done.proposal], "commit": done.commit}

    def judge(answer: Answer, before: State, after: State) -> None:
        assert after.head == answer["commit"]
        remember_tips(world, answer, after)
        world.memory.decided.add(answer["ids"][0])
        world.memory.wrote(before.view, after.view)

    refusals = IN_THE_WAY | {"already-reverted", "nothing-to-restore", "missing-object", "usage", "dismissed"}
    return Deed("revert", do, judge, refusals, leaves=True)


def commenting(world: World, seat: Seat) -> Deed | None:
    known = sorted(name.rpartition("/")[2] for name in seat.refs() if "/proposals/" in name or "/archive/" in name)
    if not known:
        return None
    id_, text = world.draw.choice(known[-60:]), f"Word {world.fresh()}"

    def do() -> Answer:
        comment(world.session(seat), CommentCall(id_, text))
        return {}

    return Deed("comment", do, lambda _answer, _before, _after: world.memory.said(id_, text), CLOSED)


def naming(world: World, seat: Seat) -> Deed | None:
    name = f"release-{world.fresh()}"

    def do() -> Answer:
        create(world.session(seat), CreateCall(name))
        return {}

    return Deed("snapshot", do, lambda _answer, _before, _after: world.memory.snapshots.add(name))
