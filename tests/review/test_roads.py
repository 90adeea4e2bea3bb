"""Whatever road a proposal takes into the trusted branch, everybody sees that it landed, and that it did so once."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.answers.checking import CheckCall, check
from gitmem.answers.why import WhyCall, why
from tests.answers.people import CLIENT, RETRY, Crew, Person, copied, crew
from tests.support import engram_id, engram_text, git, run_inproc, write_tree

Road = Callable[[Person, str], None]
RULE = engram_id(1)


def by_button(mia: Person, branch: str) -> None:
    mia.git("merge", "--quiet", "--no-ff", "-m", "Merge pull request #1", branch)


def by_fast_forward(mia: Person, branch: str) -> None:
    mia.git("merge", "--quiet", "--ff-only", branch)


def by_squash(mia: Person, branch: str) -> None:
    mia.git("merge", "--quiet", "--squash", branch)
    mia.git("commit", "--quiet", "-m", "Squashed (#1)")


def by_rebase(mia: Person, branch: str) -> None:
    mia.git("checkout", "--quiet", "-B", "rebased", branch)
    mia.git("rebase", "--quiet", "main")
    mia.git("checkout", "--quiet", "main")
    mia.git("merge", "--quiet", "--ff-only", "rebased")


def by_cherry_pick(mia: Person, branch: str) -> None:
    mia.git("cherry-pick", f"main..{branch}")


def by_queue(mia: Person, branch: str) -> None:
    """A batch: somebody's code and the proposal are merged on a branch that main is moved to."""
    mia.git("checkout", "--quiet", "-B", "queue")
    mia.write({f"src/{mia.head('HEAD')[:8]}.py": "print()\n"}, "code in the same batch")
    mia.git("merge", "--quiet", "--no-ff", "-m", "Merge into queue", branch)
    mia.git("checkout", "--quiet", "main")
    mia.git("merge", "--quiet", "--ff-only", "queue")


def by_mail(mia: Person, branch: str) -> None:
    patches = git(mia.root, "format-patch", "--stdout", f"main..{branch}")
    mia.git("am", "--quiet", stdin=patches)


ROADS: dict[str, Road] = {
    "button": by_button,
    "fast-forward": by_fast_forward,
    "squash": by_squash,
    "rebase": by_rebase,
    "cherry-pick": by_cherry_pick,
    "queue": by_queue,
    "mail": by_mail,
}
each_road = pytest.mark.parametrize("road", ROADS)


def most_roads_long(*usual: str) -> pytest.MarkDecorator:
    """Each road; those that are not named only in the long run."""
    rows = [pytest.param(name, marks=() if name in usual else pytest.mark.long) for name in ROADS]
    return pytest.mark.parametrize("road", rows)


class Town:
    """Ada proposes, Mia lets in with nothing but Git, Bob looks on; the bare repository is a clone as well."""

    def __init__(self, made: Crew) -> None:
        self.crew = made
        self.ada, self.mia, self.bob = (made.person(name) for name in ("ada", "mia", "bob"))

    def shared(self) -> None:
        for person in (self.ada, self.bob, self.mia):
            assert person.sync().exit_code == 0

    def published(self, *ids: str) -> list[str]:
        """The branches of the proposals, pushed as for a pull request."""
        made = [self.ada.publish(id_) for id_ in ids]
        for each in made:
            self.ada.git("push", "--quiet", "--force", "origin", each.branch)
        return [each.branch for each in made]

    def let_in(self, road: str, *branches: str) -> None:
        self.mia.git("checkout", "--quiet", "main")
        self.mia.git("pull", "--quiet", "--ff-only")
        for branch in branches:
            if road != "fast-forward":
                self.mia.write({f"src/{branch[-4:]}.py": "print(2)\n"}, "somebody's code")
            ROADS[road](self.mia, f"origin/{branch}")
        self.mia.git("push", "--quiet", "origin", "main")
        self.all_fetch()

    def all_fetch(self) -> None:
        for person in (self.ada, self.bob):
            person.git("pull", "--quiet", "--ff-only")

    def everybody(self) -> list[Person]:
        return [self.ada, self.mia, self.bob, Person(self.crew.remote, self.crew.clock)]

    def agree(self, id_: str, status: str, version: int) -> None:
        assert self.bob.status(id_) == status
        assert [(p.statuses("all").get(id_), p.version()) for p in self.everybody()] == [(status, version)] * 4


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("town") / "kept"


@pytest.fixture
def town(kept: Path, tmp_path: Path) -> Town:
    return Town(copied(lambda folder: crew(folder, ("ada", "mia", "bob")), kept, tmp_path / "town"))


@pytest.mark.capability("G-011")
@each_road
def test_a_proposal_has_landed_by_any_road(town: Town, road: str) -> None:
    """F-082."""
    id_ = town.ada.edit("client", "tags", "api", "http", rationale="seen in review")
    town.shared()
    town.agree(id_, "open", 0)
    (branch,) = town.published(id_)
    town.let_in(road, branch)

    town.agree(id_, "landed", 1)
    decision = why(town.bob.session(), WhyCall(RULE)).decisions[0]
    assert (decision.proposal, decision.ledger, decision.proposed_by) == (id_, id_, "Ada <ada@example.org>")


@most_roads_long("squash")
def test_of_several_patch_sets_the_last_one_lands(town: Town, road: str) -> None:
    id_ = town.ada.edit("client", "tags", "api", "http")
    town.published(id_)
    town.ada.edit("client", "summary", "Never the network.", extend=id_)
    town.ada.edit("client", "tags", "api", "net", extend=id_)
    town.shared()
    town.let_in(road, *town.published(id_))

    town.agree(id_, "landed", 1)
    assert "net" in town.bob.read(CLIENT)
    assert "http" not in town.bob.read(CLIENT)


@most_roads_long("mail")
def test_an_earlier_patch_set_that_lands_is_another_text(town: Town, road: str) -> None:
    id_ = town.ada.edit("client", "tags", "api", "http")
    branches = town.published(id_)
    town.ada.edit("client", "tags", "api", "net", extend=id_)
    town.shared()
    town.let_in(road, *branches)

    town.agree(id_, "landed-with-changes", 1)


@most_roads_long("rebase")
def test_a_text_that_was_edited_in_the_pull_request_has_landed_with_changes(town: Town, road: str) -> None:
    id_ = town.ada.edit("client", "body", "Never call the network.\n")
    town.shared()
    town.published(id_)
    mia = edited_branch(town, id_)
    write_tree(mia.root, {f".gitmem/{CLIENT}": mia.read(CLIENT).replace("Never call", "Do not call")})
    town.let_in(road, pushed(mia))

    town.agree(id_, "landed-with-changes", 1)


@most_roads_long("cherry-pick")
def test_an_item_that_was_dropped_in_the_pull_request_makes_it_land_in_part(town: Town, road: str) -> None:
    town.ada.write({f".gitmem/{CLIENT}": town.ada.read(CLIENT).replace("api", "net"), f".gitmem/{RETRY}": retry()})
    id_ = from_branch(town.ada)
    town.shared()
    town.published(id_)
    mia = edited_branch(town, id_)
    mia.git("checkout", "--quiet", "main", "--", f".gitmem/{RETRY}")
    town.let_in(road, pushed(mia))

    town.agree(id_, "partially-landed", 1)
    assert town.bob.read(RETRY) != retry()


def retry() -> str:
    return engram_text(id=engram_id(2), title="Retry twice", body="Retry three times.\n")


def from_branch(ada: Person) -> str:
    """What Ada has committed on main and not pushed, as a proposal; her main is as before."""
    ran = run_inproc(ada.root, "propose", "--from-branch", "main", "--json")
    assert ran.code == 0, ran.err
    ada.git("reset", "--quiet", "--hard", "origin/main")
    return str(json.loads(ran.out)["proposal"])


def edited_branch(town: Town, id_: str) -> Person:
    """Mia has the branch of the pull request checked out."""
    town.mia.git("fetch", "--quiet")
    town.mia.git("checkout", "--quiet", "-B", town.ada.publish(id_).branch, f"origin/{town.ada.publish(id_).branch}")
    return town.mia


def pushed(mia: Person) -> str:
    mia.git("commit", "--quiet", "--all", "-m", "as said in review")
    branch = mia.git("symbolic-ref", "--short", "HEAD")
    mia.git("push", "--quiet", "origin", branch)
    return branch


@most_roads_long("squash")
def test_an_engram_that_was_changed_by_two_proposals_has_both(town: Town, road: str) -> None:
    """The second one is brought up to date by its author; the first one is what it was."""
    first = town.ada.edit("client", "tags", "api", "http")
    town.shared()
    town.let_in(road, *town.published(first))
    second = town.ada.edit("client", "tags", "api", "http", "net")
    town.shared()
    town.let_in(road, *town.published(second))

    town.agree(first, "landed", 2)
    town.agree(second, "landed", 2)


@most_roads_long("queue")
def test_two_proposals_that_change_one_engram_apart_are_both_in(town: Town, road: str) -> None:
    """Both wait at once; the second one is renewed after the first one has landed."""
    first, second = town.ada.edit("client", "tags", "api", "http"), town.ada.edit("client", "summary", "Never fetch.")
    town.shared()
    town.let_in(road, *town.published(first))
    assert town.ada.status(second) == "stale"
    town.ada.extend(second)
    town.ada.sync()
    town.let_in(road, *town.published(second))

    town.agree(first, "landed", 2)
    town.agree(second, "landed", 2)


@most_roads_long("rebase")
def test_stacked_proposals_that_come_as_one_branch_have_both_landed(town: Town, road: str) -> None:
    first = town.ada.edit("client", "tags", "api", "http")
    second = town.ada.edit("client", "tags", "api", "http", "net", needs=(first,))
    town.shared()
    town.let_in(road, *town.published(second))

    town.agree(first, "landed", 2)
    town.agree(second, "landed", 2)


@most_roads_long("squash")
def test_stacked_proposals_land_one_after_the_other(town: Town, road: str) -> None:
    first = town.ada.edit("client", "tags", "api", "http")
    second = town.ada.edit("retry", "tags", "api", "http", needs=(first,))
    town.shared()
    town.let_in(road, *town.published(first))
    town.agree(first, "landed", 1)
    assert town.bob.status(second) == "open"
    town.ada.extend(second)
    town.ada.sync()
    town.let_in(road, *town.published(second))

    town.agree(second, "landed", 2)
    town.agree(first, "landed", 2)


@pytest.mark.capability("G-014")
@most_roads_long("button")
def test_a_raw_revert_is_named_and_mended_and_then_everybody_sees_a_reverted_decision(town: Town, road: str) -> None:
    """F-211."""
    id_ = town.ada.edit("client", "tags", "api", "http")
    town.shared()
    town.let_in(road, *town.published(id_))
    before = town.bob.head()
    revert_raw(town.mia)
    town.mia.git("push", "--quiet", "origin", "main")
    town.all_fetch()
    found = check(town.bob.session(), CheckCall(range=f"{before}..main")).findings
    assert "raw-revert" in {finding.code for finding in found}
    assert town.bob.status(id_) not in ("landed", "landed-with-changes")
    assert run_inproc(town.mia.root, "check", "--fix").code == 0
    town.mia.write({}, "on record again")
    town.mia.git("push", "--quiet", "origin", "main")
    town.all_fetch()

    town.agree(id_, "reverted", 2)
    assert "http" not in town.bob.read(CLIENT)


def revert_raw(mia: Person) -> None:
    """What the button of a forge does: the newest commit that brought a decision is undone."""
    commit = mia.git("log", "-1", "--first-parent", "-m", "--format=%H", "--diff-filter=A", "--", ".gitmem/ledger")
    parents = mia.git("rev-list", "--parents", "-1", commit).split()
    mia.git("revert", "--no-edit", *(["-m", "1"] if len(parents) > 2 else []), commit)


@pytest.mark.capability("G-014")
@most_roads_long("queue")
def test_a_decision_is_taken_back_and_brought_back_by_decisions(town: Town, road: str) -> None:
    id_ = town.ada.edit("client", "tags", "api", "http")
    town.shared()
    town.let_in(road, *town.published(id_))
    town.mia.revert(id_)
    town.mia.git("push", "--quiet", "origin", "main")
    town.all_fetch()
    town.agree(id_, "reverted", 2)
    assert "http" not in town.bob.read(CLIENT)

    town.bob.reinstate(id_, approve=True)
    town.bob.git("push", "--quiet", "origin", "main")
    for person in (town.ada, town.mia):
        person.git("pull", "--quiet", "--ff-only")
    town.agree(id_, "landed", 3)
    assert "http" in town.ada.read(CLIENT)


def test_a_reverted_decision_comes_back_as_a_proposal_that_goes_by_any_road(town: Town) -> None:
    id_ = town.ada.edit("client", "tags", "api", "http")
    town.shared()
    town.let_in("button", *town.published(id_))
    town.mia.revert(id_)
    town.mia.git("push", "--quiet", "origin", "main")
    town.all_fetch()
    again = town.ada.reinstate(id_).proposal
    town.shared()
    town.agree(again, "open", 2)
    town.let_in("rebase", *town.published(again))

    town.agree(again, "landed", 3)
    town.agree(id_, "landed", 3)


def test_merging_the_branch_of_a_reverted_decision_again_does_nothing(town: Town) -> None:
    id_ = town.ada.edit("client", "tags", "api", "http")
    town.shared()
    (branch,) = town.published(id_)
    town.let_in("button", branch)
    town.mia.revert(id_)
    tip = town.mia.head()

    assert "Already up to date" in town.mia.git("merge", f"origin/{branch}")
    assert town.mia.head() == tip


def test_a_branch_that_was_forced_to_another_patch_set_lands_as_that(town: Town) -> None:
    id_ = town.ada.edit("client", "tags", "api", "http")
    town.shared()
    town.published(id_)
    town.mia.git("fetch", "--quiet")
    town.ada.write({"src/app.py": "print(5)\n"}, "code moved on")
    town.ada.git("push", "--quiet", "origin", "main")
    town.ada.edit("client", "summary", "Never the network.", extend=id_)
    town.ada.sync()
    town.let_in("button", *town.published(id_))
    town.bob.sync()
    town.mia.sync()

    town.agree(id_, "landed", 1)
    assert "Never the network" in town.bob.read(CLIENT)


@most_roads_long("button")
def test_a_shallow_clone_sees_what_a_whole_one_sees(town: Town, road: str) -> None:
    ids = [town.ada.edit("client", "tags", "api", "http")]
    town.shared()
    town.let_in(road, *town.published(*ids))
    ids.append(town.ada.edit("client", "tags", "api", "http", "net"))
    town.shared()
    town.let_in(road, *town.published(ids[1]))
    town.mia.revert(ids[1])
    town.mia.git("push", "--quiet", "origin", "main")
    town.all_fetch()
    shallow = town.crew.clone("shallow", "--depth", "1")
    assert shallow.sync().exit_code == 0

    assert shallow.git("rev-list", "--count", "main") == "1"
    assert [shallow.status(id_) for id_ in ids] == [town.bob.status(id_) for id_ in ids] == ["landed", "reverted"]
    assert shallow.version() == town.bob.version() == 3


def test_a_pull_request_from_a_fork_lands_like_any_other(town: Town, tmp_path: Path) -> None:
    """``origin`` is the fork and ``upstream`` is where the knowledge is."""
    git(tmp_path, "clone", "--quiet", "--bare", town.crew.remote.as_uri(), "fork.git")
    fay = town.crew.clone("fay")
    fay.git("remote", "rename", "origin", "upstream")
    fay.git("remote", "add", "origin", (tmp_path / "fork.git").as_uri())
    id_ = fay.edit("client", "tags", "api", "http")
    branch = fay.publish(id_).branch
    fay.git("push", "--quiet", "origin", branch)
    town.mia.git("fetch", "--quiet", (tmp_path / "fork.git").as_uri(), f"{branch}:refs/remotes/origin/{branch}")
    town.let_in("squash", branch)
    fay.git("fetch", "--quiet", "upstream")

    assert (fay.status(id_), fay.version()) == ("landed", 1)
    assert town.bob.version() == 1
    assert why(town.bob.session(), WhyCall(RULE)).decisions[0].proposal == id_


def test_a_decision_that_was_picked_to_a_release_branch_is_in_force_on_each(town: Town) -> None:
    """F-082: it counts once on each branch, whatever other branch has it too."""
    town.mia.git("branch", "release")
    town.mia.git("push", "--quiet", "origin", "release")
    id_ = town.ada.edit("client", "tags", "api", "http")
    town.shared()
    tip = town.ada.tip(id_)
    town.let_in("button", *town.published(id_))
    rel = town.crew.clone("rel")
    rel.git("config", "gitmem.trust", "release")
    rel.sync()
    rel.git("checkout", "--quiet", "release")
    rel.git("update-ref", f"refs/gitmem/proposals/{id_[-2:].lower()}/{id_}", tip)
    assert (rel.status(id_), rel.version()) == ("open", 0)
    rel.git("cherry-pick", "-m", "1", "origin/main")
    assert rel.status(id_) == "claimed"
    rel.git("push", "--quiet", "origin", "release")

    assert (rel.status(id_), rel.version()) == ("landed", 1)
    town.agree(id_, "landed", 1)


@pytest.mark.capability("G-018")
def test_a_pull_request_made_by_hand_is_knowledge_and_why_says_that_it_has_no_entry(town: Town) -> None:
    town.ada.git("checkout", "--quiet", "-b", "by-hand")
    town.ada.write({f".gitmem/{RETRY}": retry()})
    town.ada.git("push", "--quiet", "origin", "by-hand")
    town.ada.git("checkout", "--quiet", "main")
    town.let_in("squash", "by-hand")

    answer = why(town.bob.session(), WhyCall(engram_id(2)))
    assert town.bob.version() == 0
    assert "Retry three times" in town.bob.read(RETRY)
    assert answer.decisions[0].ledger == ""
    assert "no-ledger-entry" in {notice.code for notice in answer.warnings}


@pytest.mark.capability("G-018")
def test_nothing_under_our_refs_is_knowledge(town: Town) -> None:
    id_ = town.ada.new("A rule that nobody let in", path=("src/**",))
    town.shared()

    for person in town.everybody():
        assert "nobody let in" not in run_inproc(person.root, "compile", "src/app.py").out
    town.agree(id_, "open", 0)
