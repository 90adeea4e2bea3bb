"""What must be true when all have met: the same everywhere, and everything that was acknowledged. Refuses to mend."""

import re
from pathlib import Path

from gitmem.answers.checking import CheckCall, check
from gitmem.answers.reading import ask, read
from gitmem.answers.standing import board
from gitmem.model.finding import Severity
from gitmem.model.proposal import IN_FORCE, Status
from gitmem.store import events
from gitmem.store.repo import discover
from tests.support import git, run_program
from tests.team.atoms import blobs, engrams
from tests.team.meet import syncing
from tests.team.world import OWN, Seat, World

ROUNDS_MAX = 3
FAMILIES = tuple(f"{OWN}{family}/" for family in ("proposals", "meta", "archive", "snapshots"))
MARKER = re.compile(rb"^(<{7,}|>{7,}|={7,}$)", re.MULTILINE)
SHUT = {Status.REJECTED, Status.WITHDRAWN, Status.SUPERSEDED, Status.REVERTED, *IN_FORCE}


def all_meet(world: World) -> int:
    """Everybody syncs in turn; after how many rounds nothing differs any more."""
    for number in range(1, ROUNDS_MAX + 1):
        for seat in world.seats:
            world.tick()
            deed = syncing(world, seat)
            assert world.perform(seat, deed) == "done"
        if not differing(world):
            world.counts[f"met after {number} round(s)"] += 1
            judge(world)
            return number
    raise AssertionError(f"not the same after {ROUNDS_MAX} rounds: {differing(world)}")


def differing(world: World) -> list[str]:
    remote = shared(Seat("remote", world.remote, world.seats[0].reader))
    found = []
    for seat in world.seats:
        own = shared(seat)
        found += [f"{seat.name}: {name}" for name in {*own, *remote} if own.get(name) != remote.get(name)]
    return found


def shared(seat: Seat) -> dict[str, str]:
    refs = {name: oid for name, oid in seat.refs().items() if name.startswith(FAMILIES)}
    return refs | seat.refs("refs/heads/main")


def judge(world: World) -> None:
    """Once for the remote's refs, since all have the same, and for what only a clone has."""
    memory, first = world.memory, world.seats[0]
    view = first.view()
    lost, returned = memory.missing(view), memory.returned(view)
    assert not lost, f"acknowledged, and lost: {lost}"
    assert not returned, f"taken away, and back: {returned}"
    singles = ("title", "summary", "priority", "status", "path", "kind")
    for name in singles:
        owners = [item for item, field, _ in view if field == name]
        assert len(owners) == len(set(owners)), f"two values of {name}"
    for seat in world.seats:
        judge_clone(world, seat)
    judge_proposals(world, first)
    for seat in (*world.seats, Seat("remote", world.remote, first.reader)):
        no_markers(world, seat.root)
    assert len({snapshot_id(world, seat) for seat in world.seats}) == 1


def snapshot_id(world: World, seat: Seat) -> str:
    return ask(read(world.session(seat).place), lambda knowledge: knowledge.facts.snapshot_id)[0]


def judge_clone(world: World, seat: Seat) -> None:
    wrong = [each for each in check(world.session(seat), CheckCall()).findings if each.severity is Severity.ERROR]
    assert wrong == []
    assert seat.git("status", "--porcelain") == " M src/app.py\n"
    assert leftovers(seat.root) == []
    ledger = {Path(each).stem for each in seat.git("ls-tree", "-r", "--name-only", "HEAD", ".gitmem/ledger").split()}
    assert world.memory.decided <= ledger | members(seat), "a decision is off the record"
    assert engrams(seat.view())


def members(seat: Seat) -> set[str]:
    """Proposals that landed as part of a bundle: the entry is the bundle's."""
    found = run_program(seat.root, "git", "grep", "-h", "-E", "^ *- [0-9A-Z]{26}$", "HEAD", "--", ".gitmem/ledger")
    return set(found.out.replace("-", " ").split())


def leftovers(root: Path) -> list[Path]:
    """Files of writes that stopped. The locks in gitmem's own folder go with their process and stay as files."""
    found = [path for path in root.rglob("*") if path.name.startswith(".gitmem-tmp-") or path.name == "landing.json"]
    return found + [path for path in (root / ".git").rglob("*.lock") if path.parent.name != "gitmem"]


def judge_proposals(world: World, seat: Seat) -> None:
    memory, refs = world.memory, seat.refs()
    kept = {name.rpartition("/")[2] for name in refs if "/proposals/" in name or "/archive/" in name}
    assert set(memory.tips) <= kept, "a proposal is lost"
    for root in (*(each.root for each in world.seats), world.remote):
        reachable = set(git(root, "rev-list", "--all").split())
        lost = {tip for tips in memory.tips.values() for tip in tips} - reachable
        assert not lost, f"patch sets that no ref of {root.name} keeps: {lost}"
    metas = {name.rpartition("/")[2]: oid for name, oid in refs.items() if "/meta/" in name}
    said = events.read_events(discover(seat.root), sorted(metas.values()))
    for id_, texts in memory.comments.items():
        assert id_ in metas, f"what was said about {id_} is lost"
        assert texts <= {event.text for event in said[metas[id_]]}
    assert {f"{OWN}snapshots/{name}" for name in memory.snapshots} <= set(refs)
    stand = [{s.proposal.id: s.status for s in board(world.session(each)).standings} for each in world.seats]
    assert all(each == stand[0] for each in stand), "a proposal has two statuses"
    odd = {id_: stand[0][id_] for id_ in memory.closed if stand[0][id_] not in SHUT}
    assert not odd, f"closed, and open again: {odd}"


def no_markers(world: World, root: Path) -> None:
    """In no version of any file of the knowledge, in any commit of any ref."""
    rows = git(root, "rev-list", "--all", "--objects", "--", ".gitmem").splitlines()
    paths = {oid: path for oid, _, path in (row.partition(" ") for row in rows) if path.rpartition("/")[2].count(".")}
    fresh = sorted(set(paths) - world.scanned)
    for oid, data in blobs(root, fresh):
        assert not MARKER.search(data), f"{paths[oid]} has a conflict marker: {oid}"
    world.scanned |= set(fresh)


def is_sound(root: Path) -> None:
    git(root, "fsck", "--connectivity-only", "--no-dangling")
