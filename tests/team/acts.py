"""What people do in a clone: each step draws what it is about and becomes a deed. Refuses to do it."""

import json
from collections.abc import Callable

from gitmem.answers import author, linking, moving
from gitmem.answers.composing import NewCall
from gitmem.answers.fields import EditCall
from gitmem.answers.linking import LinkCall, UnlinkCall
from gitmem.answers.moving import MvCall, RmCall
from gitmem.answers.propose import (
    ProposeCall,
    ProposeEditCall,
    ProposeItemCall,
    ProposeLinkCall,
    ProposeMoveCall,
    ProposeNewCall,
    propose,
    propose_archive,
    propose_edit,
    propose_link,
    propose_mv,
    propose_new,
    propose_restore,
    propose_retire,
    propose_rm,
)
from tests.team.atoms import engrams, items
from tests.team.world import Answer, Deed, Seat, State, World

BUSY, BUSY_PERCENT = 4, 40
DOMAINS = ("api", "ui", "api/http")
WORDS = (
    "retry",
    "cache",
    "client",
    "queue",
    "token",
    "schema",
    "index",
    "worker",
    "header",
    "clock",
    "packet",
    "route",
)
# What a person is told about the state of things, and what is not there any more.
KNOWN = frozenset({"name-taken", "required", "requires-cycle"})


def drawn_item(world: World, seat: Seat, commit: str = "HEAD") -> str:
    """A few items are what everybody is at."""
    known = sorted(engrams(seat.view(commit)))
    busy = known[:BUSY] if world.chance(BUSY_PERCENT) else known
    return world.draw.choice(busy) if known else ""


def body(world: World) -> str:
    """Lines far enough apart that edits of two of them do not touch, each unlike any other."""
    lines = (f"{world.draw.choice(WORDS)} {world.draw.choice(WORDS)} {world.fresh()}." for _ in range(8))
    return "\n\n".join(lines) + "\n"


def new_call(world: World) -> NewCall:
    """Now and then the title is one that somebody else may think of too."""
    number = world.fresh()
    title = f"Shared thought {number // 40}" if world.chance(12) else f"Rule {number} about {world.draw.choice(WORDS)}"
    return NewCall(
        kind=world.draw.choice(("constraint", "fact", "guideline")),
        title=title,
        path=(f"src/{world.draw.choice(WORDS)}/**",) if world.chance(50) else (),
        tag=(f"t-{world.fresh()}",),
        domain=world.draw.choice(DOMAINS),
        summary=f"Summary {world.fresh()}",
        body=body(world),
    )


def edit_call(world: World, seat: Seat, commit: str = "HEAD") -> EditCall | None:
    """One field of one item, to a value that nothing else has."""
    item = drawn_item(world, seat, commit)
    if not item:
        return None
    number = world.fresh()
    view = seat.view(commit)
    tags = sorted(value for each, name, value in view if each == item and name == "tags")
    field = world.draw.choice(
        ("title", "summary", "priority", "tags", "tags", "tags", "untag", "path", "body", "body", "x-note")
    )
    match field:
        case "tags":
            return EditCall(item, "tags", add=(f"t-{number}",))
        case "untag":
            return EditCall(item, "tags", remove=(world.draw.choice(tags),)) if tags else None
        case "path":
            return EditCall(item, "scope.paths", add=(f"lib/{number}/**",))
        case "body":
            return EditCall(item, "body", value=(edited_body(world, seat, item, commit),))
        case "priority":
            return EditCall(item, "priority", value=(str(number),))
    return EditCall(item, field, value=(f"{field.title()} {number} of it",))


def edited_body(world: World, seat: Seat, item: str, commit: str) -> str:
    """A line put in, or one line changed."""
    path = engrams(seat.view(commit))[item]
    lines = seat.git("show", f"{commit}:.gitmem/engrams/{path}").split("---\n", 2)[2].splitlines()
    spots = [at for at, line in enumerate(lines) if line.strip()]
    at = world.draw.choice(spots) if spots else 0
    fresh = f"Line {world.fresh()}."
    if world.chance(60) and len(lines) < 60:
        return "\n".join([*lines[: at + 1], "", fresh, *lines[at + 1 :]]) + "\n"
    return "\n".join([*lines[:at], fresh, *lines[at + 1 :]]) + "\n"


def by_hand(name: str, world: World, seat: Seat, act: Callable[[], object]) -> Deed:
    """In the work tree, and committed as people do."""

    def do() -> Answer:
        act()
        seat.git("add", "--all", ".gitmem")
        seat.git("commit", "--quiet", "--allow-empty", "--message", name)
        return {}

    return Deed(name, do, lambda _answer, before, after: world.memory.wrote(before.view, after.view), KNOWN)


def write_new(world: World, seat: Seat) -> Deed | None:
    call = new_call(world)
    return by_hand("new", world, seat, lambda: author.new(world.session(seat), call))


def write_edit(world: World, seat: Seat) -> Deed | None:
    call = edit_call(world, seat)
    return call and by_hand("edit", world, seat, lambda: author.edit(world.session(seat), call))


def write_rm(world: World, seat: Seat) -> Deed | None:
    """Few engrams are left alone, many are thinned out."""
    if len(engrams(seat.view())) < world.draw.randint(10, 60):
        return None
    call = RmCall(drawn_item(world, seat))
    return by_hand("rm", world, seat, lambda: moving.rm(world.session(seat), call))


def write_mv(world: World, seat: Seat) -> Deed | None:
    call = MvCall(drawn_item(world, seat), moved_to(world))
    return by_hand("mv", world, seat, lambda: moving.mv(world.session(seat), call))


def moved_to(world: World) -> str:
    return f"{world.draw.choice(DOMAINS)}/name-{world.fresh()}"


def ends(world: World, seat: Seat, commit: str = "HEAD") -> tuple[str, str] | None:
    known = sorted(engrams(seat.view(commit)))
    return tuple(world.draw.sample(known, 2)) if len(known) > 1 else None


def write_link(world: World, seat: Seat) -> Deed | None:
    pair = ends(world, seat)
    if pair is None:
        return None
    call = LinkCall(
        pair[0], world.draw.choice(("extends", "similar_to", "causes")), pair[1], description=f"Link {world.fresh()}"
    )
    return by_hand("link", world, seat, lambda: linking.link(world.session(seat), call))


def write_unlink(world: World, seat: Seat) -> Deed | None:
    known = sorted(item for item in items(seat.view()) if item.startswith("syn-"))
    if not known:
        return None
    call = UnlinkCall(world.draw.choice(known))
    return by_hand("unlink", world, seat, lambda: linking.unlink(world.session(seat), call))


TRUSTED = "origin/main"
NOT_NEW = frozenset({"duplicate"})


def proposing(name: str, world: World, act: Callable[[], object], may_refuse: frozenset[str] = KNOWN) -> Deed:
    """Nothing that is trusted or checked out changes; each id with its tip is acknowledged."""

    def do() -> Answer:
        found = act()
        return {"ids": list(found.proposals or ((found.proposal,) if found.proposal else ())), "verdict": found.verdict}

    def judge(answer: Answer, before: State, after: State) -> None:
        assert after.head == before.head
        tips = {ref.rpartition("/")[2]: oid for ref, oid in after.refs.items() if "/proposals/" in ref}
        if not answer["ids"]:
            assert answer["verdict"] == "duplicate"
            world.counts[f"duplicate {name}"] += 1
        for id_ in answer["ids"]:
            world.memory.proposed(id_, tips[id_])

    return Deed(name, do, judge, may_refuse)


def propose_a_new(world: World, seat: Seat) -> Deed | None:
    call = ProposeNewCall(
        **fields_of(new_call(world)), rationale=f"Reason {world.fresh()}", agent=world.draw.choice(("", "bot"))
    )
    return proposing("propose new", world, lambda: propose_new(world.session(seat), call))


def fields_of(call: NewCall | EditCall) -> dict[str, object]:
    return {name: getattr(call, name) for name in type(call).__match_args__ if name != "private"}


def propose_an_edit(world: World, seat: Seat, extend: str = "") -> Deed | None:
    call = edit_call(world, seat, TRUSTED)
    if call is None:
        return None
    wanted = ProposeEditCall(**fields_of(call), rationale=f"Reason {world.fresh()}", extend=extend)
    name = "extend" if extend else "propose edit"
    return proposing(
        name,
        world,
        lambda: propose_edit(world.session(seat), wanted),
        KNOWN | {"not-yours", "proposal-closed", "synapse-end-missing", "not-found"},
    )


def propose_a_move(world: World, seat: Seat) -> Deed | None:
    call = ProposeMoveCall(drawn_item(world, seat, TRUSTED), moved_to(world))
    return proposing("propose mv", world, lambda: propose_mv(world.session(seat), call))


def propose_a_life(world: World, seat: Seat) -> Deed | None:
    act = world.draw.choice((propose_retire, propose_retire, propose_archive, propose_restore))
    call = ProposeItemCall(drawn_item(world, seat, TRUSTED), rationale=f"Reason {world.fresh()}")
    return proposing("propose retire", world, lambda: act(world.session(seat), call), KNOWN | {"usage"})


def propose_a_removal(world: World, seat: Seat) -> Deed | None:
    if len(engrams(seat.view(TRUSTED))) < world.draw.randint(10, 60):
        return None
    call = ProposeItemCall(drawn_item(world, seat, TRUSTED))
    refusals = KNOWN | {"synapse-end-missing"}
    return proposing("propose rm", world, lambda: propose_rm(world.session(seat), call), refusals)


def propose_a_link(world: World, seat: Seat) -> Deed | None:
    pair = ends(world, seat, TRUSTED)
    if pair is None:
        return None
    call = ProposeLinkCall(pair[0], "causes", pair[1], description=f"Link {world.fresh()}")
    return proposing("propose link", world, lambda: propose_link(world.session(seat), call))


def propose_on_top(world: World, seat: Seat) -> Deed | None:
    """A change that needs another proposal that waits."""
    waiting = sorted(seat.open())
    call = edit_call(world, seat, TRUSTED)
    if not waiting or call is None:
        return None
    wanted = ProposeEditCall(**fields_of(call), needs=(world.draw.choice(waiting),))
    # The proposal below may be older than the item, or than the tag that is taken out.
    refusals = KNOWN | {"unknown-proposal", "conflict", "not-found", "usage"}
    return proposing("propose on top", world, lambda: propose_edit(world.session(seat), wanted), refusals)


def propose_a_bundle(world: World, seat: Seat) -> Deed | None:
    one = new_call(world)
    call = edit_call(world, seat, TRUSTED)
    if call is None or call.field == "body":
        return None
    step = {"item": call.item, "field": call.field}
    step |= {name: [*getattr(call, name)] for name in ("value", "add", "remove") if getattr(call, name)}
    new = {"kind": one.kind, "title": one.title, "domain": one.domain, "body": one.body, "tag": [*one.tag]}
    plan = json.dumps({"rationale": "They belong together.", "changes": [{"new": new}, {"edit": step}]})
    wanted = ProposeCall(file=plan)
    return proposing("propose a bundle", world, lambda: propose(world.session(seat), wanted), KNOWN | NOT_NEW)


def extend(world: World, seat: Seat) -> Deed | None:
    """Of the clone's own proposals and of others, which is refused."""
    waiting = sorted(seat.open())
    if not waiting:
        return None
    id_ = world.draw.choice(waiting)
    return propose_an_edit(world, seat, id_)
