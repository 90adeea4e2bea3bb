"""Where a proposal stands, by every status there is, and what is never asked of people a second time."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest

from gitmem.answers.approve import ApproveCall, approve
from gitmem.answers.checking import CheckCall, check
from gitmem.answers.closing import (
    CommentCall,
    RejectCall,
    SupersedeCall,
    WithdrawCall,
    comment,
    reject,
    settle,
    supersede,
    withdraw,
)
from gitmem.answers.preflight import PreflightCall, preflight
from gitmem.answers.propose import (
    ProposeCall,
    ProposeEditCall,
    ProposeItemCall,
    ProposeMoveCall,
    ProposeNewCall,
    propose,
    propose_edit,
    propose_mv,
    propose_new,
    propose_retire,
)
from gitmem.answers.showing import DiffCall, OverlapsCall, diff, overlaps
from gitmem.errors import GitmemError
from gitmem.model.proposal import Status
from gitmem.render.proposed import proposed
from tests.answers.people import CLIENT, RETRY, Crew, Person, alone, copied, crew
from tests.support import engram_id, engram_text, git, run_inproc, write_tree


@pytest.fixture
def ada(tmp_path: Path) -> Person:
    return alone(tmp_path / "ada")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pair") / "kept"


@pytest.fixture
def pair(kept: Path, tmp_path: Path) -> Crew:
    return copied(lambda folder: crew(folder, ("ada", "bob")), kept, tmp_path / "pair")


def refused(ada: Person, *ids: str, **more: object) -> GitmemError:
    """An approval that must not happen; the branch, the index and the files are as before."""
    before = (ada.git("for-each-ref"), ada.dirt())
    with pytest.raises(GitmemError) as caught:
        ada.approve(*ids, **more)
    assert (ada.git("for-each-ref"), ada.dirt()) == before
    return caught.value


def refused_closed(ada: Person, id_: str) -> GitmemError:
    """The refusal of one that has no open ref any more."""
    with pytest.raises(GitmemError) as caught:
        approve(ada.session(), ApproveCall((f"{id_}@{ada.show(id_).patchset}",)))
    return caught.value


# Each reaches its status from a repository without a remote, and returns the proposal that has it.
def is_open(ada: Person) -> str:
    return ada.edit("client", "tags", "api", "http")


def needs_resolution(ada: Person) -> str:
    id_ = ada.edit("client", "title", "Go through the client")
    ada.write({f".gitmem/{CLIENT}": ada.read(CLIENT).replace("title: Call", "title: Always call")})
    return id_


def stale(ada: Person) -> str:
    id_ = is_open(ada)
    ada.write({f".gitmem/{CLIENT}": ada.read(CLIENT).replace("title: Call", "title: Always call")})
    return id_


def blocked(ada: Person) -> str:
    below = is_open(ada)
    id_ = ada.edit("client", "tags", "api", "http", "net", needs=(below,))
    ada.reject(below)
    return id_


def landed(ada: Person) -> str:
    id_ = is_open(ada)
    ada.approve(id_)
    return id_


def landed_with_changes(ada: Person) -> str:
    id_ = landed(ada)
    ada.write({f".gitmem/{CLIENT}": ada.read(CLIENT).replace("http", "web")})
    return id_


def partially_landed(ada: Person) -> str:
    ada.git("checkout", "--quiet", "-b", "two")
    ada.write({f".gitmem/{rel}": ada.read(rel).replace("title: ", "title: Please ") for rel in (CLIENT, RETRY)}, "two")
    ada.git("checkout", "--quiet", "main")
    id_ = str(propose(ada.session(), ProposeCall(from_branch="two")).proposal)
    tip = ada.tip(id_)
    ada.git("merge", "--quiet", "--squash", tip)
    ada.git("checkout", "--quiet", "HEAD", "--", f".gitmem/{RETRY}")
    ada.git("commit", "--quiet", "-m", "one of the two")
    return id_


def reverted(ada: Person) -> str:
    id_ = landed(ada)
    ada.revert(id_)
    return id_


def superseded(ada: Person) -> str:
    id_ = is_open(ada)
    other = ada.edit("client", "tags", "api", "net")
    supersede(ada.session(), SupersedeCall(id_, other))
    return id_


def rejected(ada: Person) -> str:
    id_ = is_open(ada)
    ada.reject(id_)
    return id_


def withdrawn(ada: Person) -> str:
    id_ = is_open(ada)
    ada.withdraw(id_)
    return id_


ALONE = (
    (is_open, Status.OPEN),
    (needs_resolution, Status.NEEDS_RESOLUTION),
    (stale, Status.STALE),
    (blocked, Status.BLOCKED),
    (landed, Status.LANDED),
    (landed_with_changes, Status.LANDED_WITH_CHANGES),
    (partially_landed, Status.PARTIALLY_LANDED),
    (reverted, Status.REVERTED),
    (superseded, Status.SUPERSEDED),
    (rejected, Status.REJECTED),
    (withdrawn, Status.WITHDRAWN),
)


@pytest.mark.capability("G-016")
@pytest.mark.parametrize(("reach", "status"), ALONE, ids=[status.value for _, status in ALONE])
def test_a_proposal_comes_to_each_status_and_putting_refs_away_changes_none(
    ada: Person, reach: object, status: Status
) -> None:
    assert callable(reach)
    id_ = reach(ada)

    assert ada.status(id_) == status.value
    assert ada.statuses(status.value)[id_] == status.value
    assert ada.statuses(*(each.value for each in Status if each is not status)).get(id_) is None
    settle(ada.session())
    settle(ada.session())
    assert ada.status(id_) == status.value


@pytest.mark.capability("G-016")
def test_what_landed_on_the_local_branch_only_is_claimed_until_it_is_pushed(pair: Crew) -> None:
    ada, bob = pair.person("ada"), pair.person("bob")
    id_ = ada.edit("client", "tags", "api", "http")
    ada.sync()
    bob.sync()
    done = ada.approve(id_)

    assert done.branch == "main"
    assert {notice.code for notice in done.warnings} >= {"not-pushed"}
    assert (ada.status(id_), ada.version()) == ("claimed", 0)
    assert bob.status(id_) == "open"
    ada.git("push", "--quiet", "origin", "main")
    bob.git("fetch", "--quiet")
    assert (ada.status(id_), bob.status(id_)) == ("landed", "landed")
    assert (ada.version(), bob.version()) == (1, 1)


def test_all_statuses_are_tried() -> None:
    assert {status for _, status in ALONE} | {Status.CLAIMED} == set(Status)


@pytest.mark.capability("G-017")
def test_two_edits_of_one_item_warn_both(ada: Person) -> None:
    first = ada.edit("client", "title", "Go through the client")
    said = propose_edit(ada.session(), ProposeEditCall("client", "summary", ("Never fetch.",)))
    second = str(said.proposal)

    assert [each.proposal for each in said.overlaps] == [first]
    assert "overlap" in {notice.code for notice in said.warnings}
    for own, other in ((first, second), (second, first)):
        pairs = overlaps(ada.session(), OverlapsCall(own)).overlaps
        assert [(pair.proposal, pair.other, pair.items[0]) for pair in pairs] == [(own, other, engram_id(1))]
    assert overlaps(ada.session(), OverlapsCall()).total == 1


@pytest.mark.capability("G-017")
def test_before_hashes_tell_a_stale_proposal_from_one_that_nothing_touched(ada: Person) -> None:
    touched, other = ada.edit("client", "tags", "api", "http"), ada.edit("retry", "title", "Retry two times")
    ada.write({f".gitmem/{CLIENT}": ada.read(CLIENT).replace("title: Call", "title: Always call")})

    assert (ada.status(touched), ada.status(other)) == ("stale", "open")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"title": "Wait a second"}, {"title": "Wait a second"}),
        ({"title": "Wait a second", "slug": "one"}, {"title": "Wait a second", "slug": "two"}),
    ],
    ids=["again", "under another path"],
)
def test_a_change_that_was_declined_is_not_proposed_again(
    ada: Person, first: dict[str, str], second: dict[str, str]
) -> None:
    """A new item is known by what it says, whatever id and path it gets."""
    id_ = str(propose_new(ada.session(), new(**first)).proposal)
    reject(ada.session(), RejectCall((id_,), "we do not wait"))
    again = propose_new(ada.session(), new(**second))

    assert (again.proposal, again.verdict, again.target, again.exit_code) == (None, "duplicate", id_, 1)
    assert "we do not wait" in again.warnings[-1].message
    assert ada.statuses() == {id_: "rejected"}


def new(**over: object) -> ProposeNewCall:
    given: dict[str, object] = {"kind": "fact", "title": "Wait a second", "domain": "api", "body": "Wait.\n"}
    return ProposeNewCall(**(given | over))  # type: ignore[arg-type]  # reason: keywords are passed on


@pytest.mark.parametrize("edit", [("tags", "api", "http"), ("body", "Never fetch.\n"), ("title", "By the client")])
def test_an_edit_that_was_declined_is_not_proposed_again_under_another_name(ada: Person, edit: tuple[str, ...]) -> None:
    id_ = ada.edit("client", *edit, title="one name")
    ada.reject(id_)

    assert ada.edit("client", *edit, title="another name") == "None"
    assert ada.edit("client", *edit, evidence=(engram_id(90),)) not in ("None", id_)


def test_a_retirement_that_was_declined_is_not_proposed_again(ada: Person) -> None:
    """F-093."""
    id_ = str(propose_retire(ada.session(), ProposeItemCall("client", "gone")).proposal)
    ada.reject(id_)

    assert propose_retire(ada.session(), ProposeItemCall("client", "really")).proposal is None


def test_new_evidence_opens_the_question_and_old_evidence_does_not(ada: Person) -> None:
    id_ = ada.edit("client", "tags", "api", "http", evidence=(engram_id(90),))
    ada.reject(id_)

    assert ada.edit("client", "tags", "api", "http", evidence=(engram_id(90),)) == "None"
    assert ada.edit("client", "tags", "api", "http", evidence=(engram_id(90), engram_id(91))) != "None"


def test_a_dismissal_holds_in_another_clone(pair: Crew) -> None:
    ada, bob = pair.person("ada"), pair.person("bob")
    id_ = ada.edit("client", "tags", "api", "http")
    ada.reject(id_)
    ada.sync()
    bob.sync()

    assert bob.edit("client", "tags", "api", "http") == "None"
    assert bob.status(id_) == "rejected"


def test_a_rejection_for_some_days_ends_and_the_proposal_waits_again(ada: Person) -> None:
    id_ = is_open(ada)
    ada.reject(id_, days=30)
    other = ada.edit("client", "tags", "api", "net")
    assert ada.statuses("pending") == {other: "open"}
    assert ada.edit("client", "tags", "api", "http") == "None"
    assert ada.status(id_) == "rejected"

    ada.shift = timedelta(days=31)
    assert ada.status(id_) == "open"
    assert ada.statuses("pending") == {id_: "open", other: "open"}
    assert ada.edit("client", "tags", "api", "http") == "None"
    ada.approve(id_)
    assert ada.status(id_) == "landed"


def test_a_rejection_for_some_days_yields_to_new_evidence(ada: Person) -> None:
    id_ = is_open(ada)
    ada.reject(id_, days=30)

    assert ada.edit("client", "tags", "api", "http", evidence=(engram_id(90),)) not in ("None", id_)


def test_a_rejection_that_ended_can_be_given_again(ada: Person) -> None:
    id_ = is_open(ada)
    ada.reject(id_, days=1)
    ada.shift = timedelta(days=2)
    ada.reject(id_, "for good")
    ada.shift = timedelta(days=4000)

    assert ada.status(id_) == "rejected"


def test_the_same_change_is_proposed_once_while_it_is_open(ada: Person) -> None:
    id_ = is_open(ada)
    again = propose_edit(ada.session(), ProposeEditCall("client", "tags", ("api", "http"), evidence=(engram_id(9),)))

    assert (again.proposal, again.verdict, again.target) == (None, "duplicate", id_)


@pytest.mark.parametrize("close", ["reject", "withdraw"])
def test_what_was_closed_waits_again_when_it_is_reinstated(ada: Person, close: str) -> None:
    id_ = is_open(ada)
    seen = ada.seen(id_)
    getattr(ada, close)(id_)
    with pytest.raises(GitmemError) as caught:
        approve(ada.session(), ApproveCall((seen,)))
    assert caught.value.code == "proposal-closed"
    ada.reinstate(id_)

    assert ada.status(id_) == "open"
    ada.approve(id_)
    assert ada.status(id_) == "landed"


def test_only_whoever_proposed_withdraws(pair: Crew) -> None:
    ada, bob = pair.person("ada"), pair.person("bob")
    id_ = ada.edit("client", "tags", "api", "http")
    ada.sync()
    bob.sync()
    with pytest.raises(GitmemError) as caught:
        withdraw(bob.session(), WithdrawCall(id_))

    assert caught.value.code == "not-yours"
    assert bob.status(id_) == "open"
    ada.withdraw(id_)
    assert ada.status(id_) == "withdrawn"


def test_only_whoever_proposed_adds_a_patch_set(pair: Crew) -> None:
    ada, bob = pair.person("ada"), pair.person("bob")
    id_ = ada.edit("client", "tags", "api", "http")
    ada.sync()
    bob.sync()
    with pytest.raises(GitmemError) as caught:
        bob.edit("client", "tags", "api", "net", extend=id_)

    assert caught.value.code == "not-yours"
    assert bob.tip(id_) == ada.tip(id_)


def test_a_closed_proposal_gets_no_patch_set_and_no_second_end(ada: Person) -> None:
    id_ = rejected(ada)
    for act in (lambda: ada.extend(id_), lambda: ada.withdraw(id_), lambda: ada.reject(id_)):
        with pytest.raises(GitmemError) as caught:
            act()
        assert caught.value.code == "proposal-closed"


@pytest.mark.parametrize("other", ["itself", "a rejected one", "nothing"])
def test_a_proposal_gives_way_only_to_one_that_can_land(ada: Person, other: str) -> None:
    id_ = is_open(ada)
    by = {"itself": lambda: id_, "a rejected one": lambda: closed(ada), "nothing": lambda: engram_id(77)}[other]()
    with pytest.raises(GitmemError):
        supersede(ada.session(), SupersedeCall(id_, by))

    assert ada.status(id_) == "open"


def closed(ada: Person) -> str:
    id_ = ada.edit("retry", "tags", "net")
    ada.reject(id_)
    return id_


def test_a_comment_is_kept_and_changes_no_status(ada: Person) -> None:
    id_ = is_open(ada)
    comment(ada.session(), CommentCall(id_, "  and the tests?  "))
    comment(ada.session(), CommentCall(id_, "done"))

    assert [event.text for event in ada.show(id_).events] == ["and the tests?", "done"]
    assert ada.status(id_) == "open"


def test_several_are_declined_at_once_and_each_fails_alone(ada: Person) -> None:
    """F-214."""
    ids = (is_open(ada), closed(ada), ada.edit("retry", "tags", "slow"))
    done = reject(ada.session(), RejectCall(ids, "no"))

    assert (done.proposals, len(done.failed), done.exit_code) == ((ids[0], ids[2]), 1, 1)
    assert [(each.proposal, each.code) for each in done.failed] == [(ids[1], "proposal-closed")]
    assert done.failed[0].hint
    again = reject(ada.session(), RejectCall(ids, "no"))
    assert (again.proposal, again.status, again.proposals, len(again.failed)) == ("", "", (), 3)


def test_a_proposal_waits_for_what_it_needs(ada: Person) -> None:
    below = is_open(ada)
    above = ada.edit("client", "tags", "api", "http", "net", needs=(below,))

    assert refused(ada, above).code == "needs-open"
    assert ada.status(above) == "open"
    ada.approve(above, with_needs=True)
    assert (ada.status(below), ada.status(above), ada.version()) == ("landed", "landed", 2)
    assert "net" in ada.read(CLIENT)


def test_a_proposal_whose_ground_landed_by_itself_lands_on_it(ada: Person) -> None:
    below = is_open(ada)
    above = ada.edit("client", "tags", "api", "http", "net", needs=(below,))
    ada.approve(below)
    assert ada.status(above) == "open"
    ada.approve(above)

    assert (ada.status(below), ada.status(above), ada.version()) == ("landed", "landed", 2)


def test_a_proposal_is_blocked_when_its_ground_is_taken_back(ada: Person) -> None:
    below = is_open(ada)
    above = ada.edit("client", "tags", "api", "http", "net", needs=(below,))
    ada.withdraw(below)

    assert ada.status(above) == "blocked"
    assert ada.show(above).blocked_by == (below,)
    assert refused(ada, above).code == "proposal-closed"
    ada.reinstate(below)
    assert ada.status(above) == "open"


def test_a_new_patch_set_below_does_not_lose_the_one_above(ada: Person) -> None:
    below = is_open(ada)
    above = ada.edit("client", "tags", "api", "http", "net", needs=(below,))
    ada.edit("client", "summary", "Never fetch.", extend=below)
    ada.approve(below)
    ada.approve(above)

    assert (ada.status(below), ada.status(above)) == ("landed", "landed")
    assert "Never fetch." in ada.read(CLIENT)
    assert "net" in ada.read(CLIENT)


STEPS = (
    '{new: {kind: fact, title: Ports are fixed, domain: api, body: "8080.\\n"}}',
    "{edit: {item: client, field: tags, add: [net]}}",
    "{link: {from: client, kind: extends, to: ports-are-fixed}}",
    "{retire: {item: retry, rationale: gone}}",
)


@pytest.mark.capability("R-044")
def test_a_plan_becomes_proposals_of_one_bundle(ada: Person) -> None:
    ids = ada.plan(*STEPS)
    shown = [ada.show(id_) for id_ in ids]

    assert len({each.bundle for each in shown}) == 1
    assert [each.kind for each in shown] == ["new", "update", "link", "retire"]
    assert ids[0] in shown[2].needs
    assert ada.version() == 0


@pytest.mark.capability("R-044")
@pytest.mark.parametrize(
    "bad",
    [
        "{new: {kind: fact, title: Client, slug: client, domain: api, body: x}}",
        "{edit: {item: nobody, field: tags, add: [net]}}",
        "{rm: {item: nobody}}",
        "{unlink: {from: client, kind: extends, to: retry}}",
        "{edit: {item: client, field: title, value: ''}}",
        "{edit: {item: client, field: requires, add: [nobody]}}",
        "{fly: {item: client}}",
    ],
)
def test_a_plan_of_which_one_step_collides_opens_nothing(ada: Person, bad: str) -> None:
    for steps in ((*STEPS, bad), (bad, *STEPS), (*STEPS[:2], bad, *STEPS[2:])):
        with pytest.raises(GitmemError):
            ada.plan(*steps)

    assert ada.git("for-each-ref", "refs/gitmem") == ""


@pytest.mark.capability("R-044")
def test_a_plan_that_repeats_an_open_proposal_opens_nothing(ada: Person) -> None:
    id_ = ada.edit("client", "tags", "api", "net")
    with pytest.raises(GitmemError) as caught:
        ada.plan(*STEPS)

    assert caught.value.code == "duplicate"
    assert ada.statuses() == {id_: "open"}


@pytest.mark.capability("R-049")
def test_a_bundle_is_one_decision_in_the_order_of_its_needs(ada: Person) -> None:
    ids = ada.plan(*STEPS)
    before = preflight(ada.session(), PreflightCall((ada.show(ids[0]).bundle,)))
    tip = ada.head()
    done = ada.approve(ids[3], bundle=True)

    assert (before.ok, before.order, before.knowledge_version) == (True, ids, done.knowledge_version)
    assert before.snapshot_id == done.snapshot_id
    assert ada.git("rev-list", "--first-parent", f"{tip}..main").split() == [done.commit]
    assert ada.version() == 1
    assert [ada.status(id_) for id_ in ids] == ["landed"] * 4


@pytest.mark.capability("R-049")
def test_of_a_bundle_with_one_bad_member_nothing_lands(ada: Person) -> None:
    ids = ada.plan(*STEPS)
    ada.write({f".gitmem/{RETRY}": ada.read(RETRY).replace("---\nRetry", "status: frozen\n---\nRetry")})
    found = preflight(ada.session(), PreflightCall((ada.show(ids[0]).bundle,)))

    assert (found.ok, found.exit_code) == (False, 1)
    assert [conflict.field for conflict in found.conflicts] == ["status"]
    assert refused(ada, ids[0], bundle=True).code == "conflict"
    assert ada.version() == 0
    assert [ada.status(id_) for id_ in ids] == ["open", "open", "open", "needs-resolution"]


def test_a_bundle_with_a_declined_member_is_refused_whole(ada: Person) -> None:
    ids = ada.plan(*STEPS)
    ada.reject(ids[3])

    assert refused(ada, ids[0], bundle=True).code == "proposal-closed"
    found = preflight(ada.session(), PreflightCall((ada.show(ids[0]).bundle,)))
    assert [(each.proposal, each.reason) for each in found.obstacles] == [(ids[3], "is rejected")]
    ada.approve(ids[0])
    assert ada.status(ids[0]) == "landed"


def test_a_bundle_of_which_one_landed_before_goes_in_with_the_rest(ada: Person) -> None:
    ids = ada.plan(*STEPS)
    ada.approve(ids[3])
    done = ada.approve(ids[0], bundle=True)

    assert done.proposals == ids[:3]
    assert ([ada.status(id_) for id_ in ids], ada.version()) == (["landed"] * 4, 2)


ONE = "new: {kind: fact, title: Thing, body: It is number one and nothing else.}"


@pytest.mark.parametrize("is_edit", [False, True], ids=["another engram", "the same engram"])
def test_a_bundle_needs_what_is_outside_of_it_too(ada: Person, is_edit: bool) -> None:
    start = ada.head()
    need = ada.edit("client", "summary", "Never fetch.") if is_edit else ada.new("Ground", "It is the ground.\n")
    (first,) = ada.plan(ONE)
    second = ada.edit("client", "tags", "api", "http", needs=(need,), bundle=first)

    failed = refused(ada, first, bundle=True)
    assert (failed.code, failed.place) == ("needs-open", need)
    done = ada.approve(second, bundle=True, with_needs=True)

    assert done.proposals == (need, first, second)
    assert [ada.status(id_) for id_ in done.proposals] == ["landed"] * 3
    assert (ada.version(), ada.show(need).ledger) == (2, need)
    assert ada.show(first).ledger == ada.show(second).ledger == ada.show(first).bundle
    assert not check(ada.session(), CheckCall(range=f"{start}..HEAD")).findings
    ada.revert(second)
    assert (ada.status(second), ada.status(need)) == ("reverted", "landed")
    assert ("http" in ada.read(CLIENT), "Never fetch." in ada.read(CLIENT)) == (False, is_edit)


def test_a_bundle_and_what_it_needs_cannot_need_each_other(ada: Person) -> None:
    (first,) = ada.plan(ONE)
    between = ada.new("Between", "It is between.\n", needs=(first,))
    ada.new("Last", "It is the last.\n", needs=(between,), bundle=first)

    assert refused(ada, first, bundle=True, with_needs=True).code == "needs-open"


def test_a_bundle_is_shown_by_what_is_in_it(ada: Person) -> None:
    ids = ada.plan(*STEPS)
    bundle = ada.show(ids[0]).bundle
    said = run_inproc(ada.root, "proposals", "show", bundle.lower(), "--diff")

    assert said.code == 0
    assert [row.id for row in ada.show(bundle).members] == list(ids)
    assert all(f"{ada.seen(id_)}  open" in said.out for id_ in ids)
    assert f"gitmem proposals approve {' '.join(map(ada.seen, ids))} --bundle" in said.out
    assert "+++ b/.gitmem/engrams" in said.out
    with pytest.raises(GitmemError, match="is a bundle of") as caught:
        diff(ada.session(), DiffCall(bundle))
    assert ids[0] in caught.value.hint


def test_warnings_are_told_in_part_and_counted(ada: Person) -> None:
    step = "new: {kind: fact, title: Thing %d, body: It is number %d, path: [no/such/%d/**]}"
    found = propose(
        ada.session(), ProposeCall(file="changes:\n" + "".join(f"  - {step % (n, n, n)}\n" for n in range(15)))
    )
    more = len(found.warnings) - 10
    done = run_inproc(ada.root, "proposals", "approve", ada.seen(found.proposals[0]), "--bundle").out

    assert more > 0
    assert proposed(found).count("warning: ") == 10
    assert f"and {more} more warnings" in proposed(found)
    assert done.count("warning: ") == 10
    assert "more warnings; all of them: --json" in done


def test_what_is_added_to_a_bundle_that_has_landed_is_a_decision_of_its_own(ada: Person) -> None:
    ids = ada.plan(*STEPS)
    ada.approve(ids[0], bundle=True)
    late = ada.edit("client", "summary", "Never fetch.", bundle=ids[0])

    assert refused(ada, late, bundle=True).code == "already-landed"
    ada.approve(late)
    assert (ada.status(late), ada.version()) == ("landed", 2)


def test_a_bundle_is_taken_back_as_one(ada: Person) -> None:
    ids = ada.plan(*STEPS)
    before = ada.git("rev-parse", "main:.gitmem/engrams")
    ada.approve(ids[0], bundle=True)
    ada.revert(ids[1])

    assert [ada.status(id_) for id_ in ids] == ["reverted"] * 4
    assert ada.git("rev-parse", "main:.gitmem/engrams") == before
    assert ada.version() == 2


def test_a_batch_lands_what_it_can_and_names_the_rest(ada: Person) -> None:
    """F-214: of twenty, three conflict."""
    ids = [ada.new(f"Fact number {number}", f"It is {number}.\n") for number in range(5)]
    bad = ada.edit("client", "title", "Go through the client")
    ada.write({f".gitmem/{CLIENT}": ada.read(CLIENT).replace("title: Call", "title: Always call")})
    done = ada.approve(*ids[:2], bad, *ids[2:])

    assert (done.proposals, [each.proposal for each in done.failed]) == (tuple(ids), [bad])
    assert (done.exit_code, ada.version()) == (1, 5)


def test_edits_in_the_work_tree_are_proposed_and_stay(ada: Person) -> None:
    write_tree(ada.root, {f".gitmem/{CLIENT}": ada.read(CLIENT).replace("Call", "Please call")})
    before = ada.dirt()
    id_ = str(propose(ada.session(), ProposeCall(from_worktree=True)).proposal)

    assert (ada.dirt(), ada.status(id_), ada.version()) == (before, "open", 0)


def test_edits_in_the_work_tree_are_proposed_and_taken_out(ada: Person) -> None:
    """New, changed, removed and staged files of the knowledge; what else is dirty stays."""
    ada.git("rm", "--quiet", f".gitmem/{RETRY}")
    write_tree(
        ada.root,
        {
            f".gitmem/{CLIENT}": ada.read(CLIENT).replace("Call", "Please call"),
            ".gitmem/engrams/api/extra.md": engram_text(id=engram_id(5), title="Extra"),
            "notes.txt": "half a thought",
        },
    )
    ada.git("add", f".gitmem/{CLIENT}")
    id_ = str(propose(ada.session(), ProposeCall(from_worktree=True, clean=True)).proposal)

    assert ada.dirt() == " M notes.txt\n"
    assert len(ada.show(id_).items) == 3
    ada.approve(id_)
    assert ada.dirt() == " M notes.txt\n"
    assert not (ada.root / ".gitmem" / RETRY).exists()
    assert (ada.root / ".gitmem/engrams/api/extra.md").exists()


def test_nothing_is_taken_out_when_nothing_was_proposed(ada: Person) -> None:
    id_ = ada.edit("client", "body", "Never fetch.\n")
    write_tree(ada.root, {f".gitmem/{CLIENT}": git(ada.root, "show", f"{ada.tip(id_)}:.gitmem/{CLIENT}")})
    before = ada.dirt()
    again = propose(ada.session(), ProposeCall(from_worktree=True, clean=True))

    assert (again.proposal, again.target) == (None, id_)
    assert ada.dirt() == before


def test_a_branch_is_proposed_without_its_code(ada: Person) -> None:
    ada.git("checkout", "--quiet", "-b", "work")
    ada.write({"src/app.py": "print(9)\n", f".gitmem/{CLIENT}": ada.read(CLIENT).replace("Call", "Please call")})
    ada.git("checkout", "--quiet", "main")
    ada.write({"src/other.py": "print()\n"})
    id_ = str(propose(ada.session(), ProposeCall(from_branch="work", title="Politer")).proposal)
    ada.approve(id_)

    assert "Please call" in ada.read(CLIENT)
    assert git(ada.root, "show", "main:src/app.py") == "print(1)\n"
    assert "work" not in ada.git("branch", "--merged", "main")


def test_a_commit_that_is_trusted_gets_only_an_entry(ada: Person) -> None:
    commit = ada.write({f".gitmem/{CLIENT}": ada.read(CLIENT).replace("Call", "Please call")}, "Politer")
    id_ = str(propose(ada.session(), ProposeCall(from_commit=commit)).proposal)
    assert ada.git("diff", "--name-only", "main", ada.tip(id_)).count("\n") == 0
    ada.approve(id_)

    assert (ada.status(id_), ada.version()) == ("landed", 1)
    assert "ledger" in ada.git("diff", "--name-only", "main^", "main")
    assert "Please call" in ada.read(CLIENT)


def test_a_commit_that_is_elsewhere_is_picked(ada: Person) -> None:
    ada.git("checkout", "--quiet", "-b", "work")
    ada.write({f".gitmem/{RETRY}": ada.read(RETRY).replace("Retry twice", "Retry often")}, "not this one")
    commit = ada.write({f".gitmem/{CLIENT}": ada.read(CLIENT).replace("Call", "Please call")}, "Politer")
    ada.git("checkout", "--quiet", "main")
    id_ = str(propose(ada.session(), ProposeCall(from_commit=commit)).proposal)
    ada.approve(id_)

    assert "Please call" in ada.read(CLIENT)
    assert "often" not in ada.read(RETRY)
    assert (ada.show(id_).title, ada.version()) == ("Politer", 1)


def test_a_further_patch_set_keeps_what_the_first_one_changed(ada: Person) -> None:
    id_ = ada.edit("client", "tags", "api", "http")
    first = ada.tip(id_)
    ada.write({f".gitmem/{CLIENT}": ada.read(CLIENT).replace("title: Call", "title: Always call")})
    assert ada.status(id_) == "stale"
    ada.edit("retry", "title", "Retry two times", extend=id_)

    assert ada.status(id_) == "open"
    assert len(ada.show(id_).items) == 2
    assert [event.commit for event in ada.show(id_).events] == [first]
    assert ada.git("merge-base", "--is-ancestor", first, f"refs/gitmem/meta/{id_[-2:].lower()}/{id_}") == ""


def test_a_proposal_is_brought_up_to_date_where_both_sides_changed_a_field(ada: Person) -> None:
    id_ = needs_resolution(ada)
    ada.extend(id_)

    assert ada.status(id_) == "open"
    ada.approve(id_)
    assert "title: Go through the client" in git(ada.root, "show", f"main:{ada.show(id_).items[0].path}")


def test_a_patch_set_that_was_not_looked_at_does_not_land(ada: Person) -> None:
    id_ = is_open(ada)
    seen = ada.seen(id_)
    ada.edit("client", "tags", "api", "evil", extend=id_)
    with pytest.raises(GitmemError) as caught:
        approve(ada.session(), ApproveCall((seen,)))

    assert caught.value.code == "patchset-moved"
    assert ada.version() == 0


def test_a_move_and_an_edit_are_one_item(ada: Person) -> None:
    id_ = str(propose_mv(ada.session(), ProposeMoveCall("client", "http/the-client")).proposal)
    ada.write({f".gitmem/{CLIENT}": ada.read(CLIENT).replace('"Components', '"All components')})
    ada.approve(id_)

    assert ada.status(id_) == "landed"
    assert "All components" in ada.read("engrams/http/the-client.md")
    ada.revert(id_)
    assert "All components" in ada.read(CLIENT)


def test_a_decision_of_a_year_that_was_folded_has_landed(ada: Person) -> None:
    """Its entry is a line of the year's file now."""
    alone_, ids = landed(ada), ada.plan(*STEPS[:2])
    ada.approve(ids[0], bundle=True)
    names = [alone_, ada.show(ids[0]).bundle]
    ada.git("rm", "--quiet", "-r", ".gitmem/ledger")
    rows = "".join(f"  - id: {name}\n" for name in names)
    ada.write({".gitmem/ledger/roll/2026.yaml": f"entries:\n{rows}"}, "the year is over")

    assert ada.statuses("all") == dict.fromkeys((alone_, *ids), "landed")
    assert ada.version() == 2
    with pytest.raises(GitmemError) as caught:
        approve(ada.session(), ApproveCall((f"{alone_}@{ada.show(alone_).patchset}",)))
    assert caught.value.code == "already-landed"


def test_what_two_clones_proposed_alike_lands_once(pair: Crew) -> None:
    ada, bob = pair.person("ada"), pair.person("bob")
    first, second = (person.edit("client", "tags", "api", "http") for person in (ada, bob))
    ada.sync()
    bob.sync()
    ada.sync()
    assert ada.statuses() == bob.statuses() == {first: "open", second: "open"}
    bob.approve(first)
    bob.git("push", "--quiet", "origin", "main")
    ada.git("pull", "--quiet")

    assert (ada.status(second), ada.version()) == ("stale", 1)
    assert refused(ada, second).code == "nothing-new"
    supersede(ada.session(), SupersedeCall(second, first))
    assert ada.statuses() == {first: "landed", second: "superseded"}


def test_a_declined_reinstatement_is_not_proposed_again_beside_itself(ada: Person) -> None:
    id_ = landed(ada)
    ada.revert(id_)
    again = ada.reinstate(id_).proposal
    ada.reject(again, "not again")

    with pytest.raises(GitmemError, match=r"declined by [A-Za-z ]+: not again") as caught:
        ada.reinstate(id_)
    assert (caught.value.code, caught.value.place) == ("dismissed", again)
    assert f"reinstate {again}" in caught.value.hint
    assert ada.statuses("open") == {}
    assert ada.reinstate(again).proposal == again
    assert ada.statuses("open") == {again: "open"}


def test_a_reinstatement_is_taken_back_with_what_it_brought_again(ada: Person) -> None:
    id_ = landed(ada)
    ids = [ada.reinstate(id_, approve=True).proposal for _ in range(3) if ada.revert(id_)]
    last = ada.revert(id_)

    assert [ada.status(each) for each in (id_, *ids)] == ["reverted"] * 4
    assert (ada.status(last.proposal), last.reverts) == ("landed", ids[-1])
    assert "http" not in ada.read(CLIENT)
    with pytest.raises(GitmemError) as caught:
        ada.revert(id_)
    assert caught.value.code == "already-reverted"
    ada.reinstate(id_, approve=True)
    assert (ada.status(id_), "http" in ada.read(CLIENT)) == ("landed", True)
    assert run_inproc(ada.root, "check").code == 0


def test_a_decision_is_taken_back_once_by_whoever_comes_first(ada: Person) -> None:
    id_ = landed(ada)

    def take_back(_: int) -> str:
        try:
            return ada.revert(id_).commit
        except GitmemError as err:
            return err.code

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(take_back, range(4)))
    assert sorted(found) == sorted([ada.head(), *["already-reverted"] * 3])


def test_what_was_reinstated_and_what_took_a_place_are_named(ada: Person) -> None:
    id_ = landed(ada)
    ada.revert(id_)
    said = run_inproc(ada.root, "proposals", "reinstate", id_, "--approve").out
    assert said.startswith(f"reinstated {id_}: ")

    old, new = ada.edit("client", "summary", "Never fetch."), ada.edit("client", "summary", "Do not fetch.")
    run_inproc(ada.root, "proposals", "supersede", old, new)
    assert f", in favour of {new}" in run_inproc(ada.root, "proposals", "show", old).out
    failed = refused_closed(ada, old)
    assert f"superseded by {new}" in failed.message
    run_inproc(ada.root, "proposals", "reinstate", old, "--approve")
    assert ada.status(old) == "landed"


def test_a_blocked_proposal_names_what_blocks_it_and_how_to_open_that(ada: Person) -> None:
    id_ = blocked(ada)
    (need,) = ada.show(id_).blocked_by
    failed = refused(ada, id_)

    assert need in failed.message
    assert f"gitmem proposals reinstate {need}" in failed.hint


@pytest.mark.parametrize("is_bundle", [False, True], ids=["alone", "as a member"])
def test_what_waits_for_a_push_is_not_approved_again(pair: Crew, is_bundle: bool) -> None:
    ada = pair.person("ada")
    first, second = ada.plan(ONE, "edit: {item: client, field: priority, value: '3'}")
    ada.approve(first, bundle=is_bundle)
    if not is_bundle:
        ada.approve(second)
    assert ada.status(second) == "claimed"

    for more in ({}, {"bundle": True} if is_bundle else {}):
        failed = refused(ada, second, **more)
        assert failed.code == "already-landed"
        assert "on the local main already" in failed.message
        assert "git push" in failed.hint
