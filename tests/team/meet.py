"""How clones meet: by sync, by plain Git, and by the word of a person where people disagree. Refuses to lose a word."""

from gitmem.answers import author, linking
from gitmem.answers.checking import CheckCall, check
from gitmem.answers.fields import EditCall
from gitmem.answers.linking import UnlinkCall
from gitmem.answers.resolve import ResolveCall, resolve
from gitmem.answers.session import Session
from gitmem.answers.sync import SyncCall, sync
from gitmem.model.finding import Finding, Severity
from tests.team.atoms import PATH, Atom
from tests.team.memory import View, is_beside
from tests.team.world import Answer, Deed, Seat, State, World, try_git

THEIRS = "origin/main"
# Two sides that are each right and wrong together, and what a person takes out then.
MEANING = {"requires-missing", "requires-cycle", "synapse-end-missing"}
NO_DRIVER = "merge-driver-missing"
MENDS_MAX = 20


def syncing(world: World, seat: Seat) -> Deed:
    def do() -> Answer:
        done = sync(world.session(seat), SyncCall())
        codes = [notice.code for notice in done.warnings]
        conflicts = [[each.path, each.item, each.field] for each in done.conflicts]
        return {"code": done.exit_code, "not_synced": done.not_synced, "codes": codes, "conflicts": conflicts}

    def judge(answer: Answer, before: State, after: State) -> None:
        if world.is_cut_off:
            assert answer["code"] == 0, answer
            assert answer["not_synced"], answer
            assert {*answer["codes"]} - {NO_DRIVER} == {"unreachable"}, answer
            assert (after.head, after.refs) == (before.head, before.refs)
            return
        if answer["conflicts"]:
            world.counts["syncs that people had to settle"] += 1
            settle(world, seat)
            return
        if "check-failed" in answer["codes"]:
            assert MEANING & {*answer["codes"]}, answer
            world.counts["syncs with a meaning to mend"] += 1
            settle(world, seat)
            return
        assert (answer["code"], answer["not_synced"]) == (0, None), answer
        merged(world, seat, before.view)

    return Deed("sync", do, judge)


def merged(world: World, seat: Seat, before: View, given_up: frozenset[Atom] = frozenset()) -> None:
    """A merge keeps the word of both sides and has no words of its own."""
    after, theirs = seat.view(), seat.view(THEIRS)
    # Of a text only the lines of the conflict are given up.
    world.memory.lost(given_up - after)
    world.memory.set_aside(after)
    lost = ((before | theirs) & world.memory.must) - after
    assert not lost, f"the merge in {seat.name} lost {sorted(lost)}"
    known = {item: path for item, name, path in before | theirs if name == PATH}
    odd = {a for a in after - before - theirs if not (a[1] == PATH and is_beside(a[0], known.get(a[0], ""), a[2]))}
    assert not odd, f"the merge in {seat.name} made up {sorted(odd)}"


def pulling(world: World, seat: Seat) -> Deed:
    """Plain Git, and `gitmem resolve` where that stops."""

    def do() -> Answer:
        pull(world, seat)
        return {}

    def judge(_answer: Answer, before: State, after: State) -> None:
        if world.is_cut_off:
            assert after.head == before.head

    return Deed("pull", do, judge)


def pushing(world: World, seat: Seat) -> Deed:
    """Plain `git push`, which the remote may refuse."""

    def do() -> Answer:
        world.counts["pushes by Git"] += try_git(seat.root, "push", "--quiet", "origin", "main") == 0
        return {}

    return Deed("push", do, lambda _answer, before, after: None)


def pull(world: World, seat: Seat) -> None:
    before = seat.view()
    is_behind = try_git(seat.root, "fetch", "--quiet") == 0
    code = try_git(seat.root, "pull", "--quiet", "--no-rebase", "--no-edit")
    if world.is_cut_off:
        assert code, "a pull without its remote"
        return
    assert is_behind
    how = "with the driver" if seat.has_driver else "without the driver"
    world.counts[f"pulls {how}"] += 1
    given_up: frozenset[Atom] = frozenset()
    if code:
        world.counts[f"pulls {how} that Git stopped"] += 1
        given_up = resolved(world, seat)
        seat.git("commit", "--quiet", "--no-edit")
    merged(world, seat, before, given_up)


def resolved(world: World, seat: Seat) -> frozenset[Atom]:
    """What theirs had in fields that only a person can settle; there we take ours."""
    assert seat.git("ls-files", "-u"), "Git stopped and left no conflict"
    first = resolve(world.session(seat), ResolveCall())
    if not first.conflicts:
        assert first.exit_code == 0
        world.counts["conflicts of Git that resolve cleared without a question"] += 1
        return frozenset()
    ours, theirs = seat.view(), seat.view("MERGE_HEAD")
    bases = [seat.view(base) for base in seat.git("merge-base", "--all", "HEAD", "MERGE_HEAD").split()]
    given_up: set[Atom] = set()
    for conflict in first.conflicts:
        assert conflict.item, conflict
        assert is_true(conflict.item, conflict.field, (ours, theirs), bases), f"no disagreement: {conflict}"
        world.counts[f"true disagreements: {conflict.field}"] += 1
        given_up |= about(conflict.item, conflict.field, theirs - ours)
    second = resolve(world.session(seat), ResolveCall(ours=True))
    assert (second.exit_code, second.conflicts) == (0, ()), second
    world.counts["merges with a true disagreement"] += 1
    return frozenset(given_up)


def about(item: str, name: str, view: View) -> View:
    """What a view says in a field, or in the parts of one."""
    return frozenset(a for a in view if a[0] == item and (a[1] == name or a[1].startswith(f"{name}.")))


def is_true(item: str, name: str, sides: tuple[View, View], bases: list[View]) -> bool:
    """Whether both sides changed it, and differently."""
    ours, theirs = (about(item, name, side) for side in sides)
    before = [about(item, name, base) for base in bases]
    return ours != theirs and (len(bases) != 1 or ours != before[0] != theirs)


def settle(world: World, seat: Seat) -> None:
    """As people do whom sync tells about a disagreement: Git's own pull, resolve, what is wrong in meaning, sync."""
    before_merge = seat.head()
    pull(world, seat)
    mend(world, seat)
    world.note(f"  settled in {seat.name}: {before_merge[:10]}..{seat.head()[:10]}")
    deed = syncing(world, seat)
    deed.judge(deed.do(), world.state(seat), world.state(seat))


def mend(world: World, seat: Seat) -> None:
    """Takes out what leads nowhere or round in circles; each is a decision by hand."""
    for _ in range(MENDS_MAX):
        session = world.session(seat)
        wrong = [each for each in check(session, CheckCall()).findings if each.severity is Severity.ERROR]
        if not wrong:
            return
        before = seat.view()
        mend_one(session, seat, wrong[0])
        seat.git("add", "--all", ".gitmem")
        seat.git("commit", "--quiet", "--message", f"mend {wrong[0].code}")
        world.memory.wrote(before, seat.view())
        world.counts[f"mended: {wrong[0].code}"] += 1
    raise AssertionError("there is no end of what is wrong")


def mend_one(session: Session, seat: Seat, wrong: Finding) -> None:
    if wrong.code == "synapse-end-missing":
        linking.unlink(session, UnlinkCall(wrong.path.rpartition("/")[2].removesuffix(".yaml")))
        return
    assert wrong.code in ("requires-missing", "requires-cycle"), wrong
    item = wrong.item or next(a[0] for a in seat.view() if a[1] == PATH and a[2].endswith(wrong.path))
    author.edit(session, EditCall(item, "requires", unset=True))
