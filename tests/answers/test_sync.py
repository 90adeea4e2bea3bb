"""Sync: clones that worked apart meet again through a bare repository, and nothing is lost."""

import random
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from gitmem.answers.session import Session
from gitmem.model.plain import plain
from gitmem.model.proposal import EventKind
from gitmem.render.synced import synced
from gitmem.store.gitrefs import swap_ref
from gitmem.store.refs import JOURNAL, SNAPSHOTS
from gitmem.store.writer import writer_of
from tests.answers.team import NOW, RULE, Clone, Team, archive, meta, proposal, team
from tests.fault.crowd import together
from tests.support import commit_all, engram_id, engram_text, git, write_tree


@pytest.fixture
def crew(tmp_path: Path) -> Team:
    return team(tmp_path)


def settle(*clones: Clone, rounds: int = 2) -> None:
    for _ in range(rounds):
        for clone in clones:
            found = clone.sync()
            assert (found.not_synced, found.conflicts) == (None, ()), found


def same(crew: Team, *clones: Clone) -> None:
    """Everybody has the same refs and the same branch."""
    for clone in clones:
        assert clone.refs() == crew.refs()
        assert clone.head() == crew.refs("refs/heads/")["refs/heads/main"]


@pytest.mark.capability("M-075")
def test_what_is_said_and_proposed_in_three_clones_meets_again(crew: Team) -> None:
    """F-053; one of the three is a copy of another, and is a writer of its own."""
    ada = crew.clone("ada")
    ada.propose(1)
    ada.say(1, text="first")
    bob = crew.clone("bob")
    eve = crew.copy(ada, "eve")

    bob.propose(2)
    bob.say(2, text="from bob")
    ada.sync()
    eve.propose(3)
    eve.say(1, text="from eve")
    ada.say(1, text="from ada")
    settle(ada, bob, eve)

    assert len({writer_of(each.repo) for each in (ada, bob, eve)}) == 3
    same(crew, ada, bob, eve)
    assert {proposal(n) for n in (1, 2, 3)} <= crew.refs().keys()
    for clone in (ada, bob, eve):
        assert clone.said(1) == ["first", "from ada", "from eve"]
        assert clone.said(2) == ["from bob"]


def test_a_second_sync_has_nothing_to_do(crew: Team) -> None:
    ada = crew.clone("ada")
    ada.propose(1)
    first = ada.sync()

    again = ada.sync()

    assert first.pushed.refs == (proposal(1),)
    assert (again.pulled.total, again.merged.total, again.pushed.total) == (0, 0, 0)
    assert (again.not_synced, again.warnings, again.exit_code) == (None, (), 0)


def test_a_dismissal_closes_the_proposal_everywhere(crew: Team) -> None:
    ada, bob = crew.clone("ada"), crew.clone("bob")
    tip = ada.propose(1)
    settle(ada, bob)

    bob.close(1)
    settle(bob, ada)

    same(crew, ada, bob)
    assert ada.refs() == {archive(1): tip, meta(1): ada.refs()[meta(1)]}


def test_a_dismissal_meets_a_new_patch_set_and_neither_is_lost(crew: Team) -> None:
    ada, bob = crew.clone("ada"), crew.clone("bob")
    first = ada.propose(1)
    settle(ada, bob)

    second = ada.propose(1, "Retry three times.\n")
    bob.close(1)
    settle(ada, bob)
    settle(ada)

    same(crew, ada, bob)
    assert proposal(1) not in crew.refs()
    for clone in (ada, bob):
        assert all(clone.holds(1, tip) or clone.ref(archive(1)) == tip for tip in (first, second))


def test_two_people_close_the_same_proposal(crew: Team) -> None:
    ada, bob = crew.clone("ada"), crew.clone("bob")
    tip = ada.propose(1)
    settle(ada, bob)

    ada.close(1, EventKind.WITHDRAWN)
    bob.close(1)
    settle(ada, bob)

    same(crew, ada, bob)
    assert crew.refs()[archive(1)] == tip
    assert ada.said(1) == ["no", "no"]


def test_a_proposal_that_is_opened_again_is_open_everywhere(crew: Team) -> None:
    ada, bob = crew.clone("ada"), crew.clone("bob")
    tip = ada.propose(1)
    settle(ada, bob)
    bob.close(1)
    settle(bob, ada)

    ada.reopen(1)
    settle(ada, bob)

    same(crew, ada, bob)
    assert crew.refs()[proposal(1)] == tip
    assert archive(1) not in crew.refs()


def test_what_is_approved_here_goes_out_with_the_branch(crew: Team) -> None:
    ada, bob = crew.clone("ada"), crew.clone("bob")
    tip = ada.propose(1)
    settle(ada, bob)

    landed = bob.land(1)
    settle(bob, ada)

    same(crew, ada, bob)
    assert (ada.head(), ada.ref(archive(1)), ada.ref(proposal(1))) == (landed, tip, None)


def test_what_is_approved_here_stays_open_for_the_others_until_they_have_it(crew: Team) -> None:
    """The branch is protected: what landed here has not landed there."""
    ada, bob = crew.clone("ada"), crew.clone("bob")
    tip = ada.propose(1)
    settle(ada, bob)
    crew.hook("update", 'case "$1" in refs/heads/*) exit 1;; esac')

    bob.land(1)
    assert bob.sync().exit_code == 1
    assert (crew.refs(), bob.ref(proposal(1))) == ({proposal(1): tip}, None)

    (crew.remote / "hooks/update").unlink()
    settle(bob, ada)
    same(crew, ada, bob)
    assert proposal(1) not in crew.refs()


def test_what_a_merge_button_landed_is_archived_everywhere(crew: Team) -> None:
    ada, bob, forge = crew.clone("ada"), crew.clone("bob"), crew.clone("forge")
    tip = ada.propose(1)
    settle(ada, bob)
    git(forge.root, "fetch", "--quiet", "origin", proposal(1))
    git(forge.root, "merge", "--quiet", "--squash", "FETCH_HEAD")
    commit_all(forge.root, "squashed")
    git(forge.root, "push", "--quiet")

    settle(ada, bob)

    same(crew, ada, bob)
    assert (crew.refs()[archive(1)], proposal(1) in crew.refs()) == (tip, False)


def test_the_writers_patch_set_wins_and_the_other_tip_is_kept(crew: Team) -> None:
    ada, bob = crew.clone("ada"), crew.clone("bob")
    ada.propose(1)
    settle(ada, bob)

    mine = ada.propose(1, "Retry three times.\n", minute=6)
    other = bob.propose(1, "Never retry.\n", minute=5)
    bob.sync()
    settle(ada, bob)

    same(crew, ada, bob)
    assert crew.refs()[proposal(1)] == mine
    for clone in (ada, bob):
        assert clone.holds(1, other)


def test_an_older_patch_set_does_not_come_back(crew: Team) -> None:
    """A clone that was put back from a backup has the writer's id and an old tip."""
    ada = crew.clone("ada")
    old = ada.propose(1)
    new = ada.propose(1, "Retry three times.\n")
    ada.sync()
    assert swap_ref(ada.repo, proposal(1), new, old)

    ada.sync()

    assert (ada.ref(proposal(1)), crew.refs()[proposal(1)]) == (new, new)


def test_a_proposal_that_somebody_deleted_at_the_remote_comes_back(crew: Team) -> None:
    ada = crew.clone("ada")
    tip = ada.propose(1)
    ada.sync()
    git(crew.remote, "update-ref", "-d", proposal(1))

    ada.sync()

    assert crew.refs()[proposal(1)] == tip


def test_a_remote_that_takes_fast_forwards_only_gets_new_patch_sets_too(crew: Team) -> None:
    git(crew.remote, "config", "receive.denyNonFastForwards", "true")
    ada, bob = crew.clone("ada"), crew.clone("bob")
    ada.propose(1)
    settle(ada, bob)

    new = ada.propose(1, "Retry three times.\n")
    settle(ada, bob)

    assert bob.ref(proposal(1)) == new


def test_a_snapshot_of_the_same_name_with_other_content_is_a_conflict_and_both_stay(crew: Team) -> None:
    ada, bob = crew.clone("ada"), crew.clone("bob")
    name = f"{SNAPSHOTS}/release"
    mine, yours = ada.head(), bob.write(7, push=True)
    assert swap_ref(ada.repo, name, None, mine)
    assert swap_ref(bob.repo, name, None, yours)
    bob.sync()

    found = ada.sync()

    assert [(c.path, c.field, c.ours, c.theirs) for c in found.conflicts] == [(name, "snapshot", mine, yours)]
    assert found.exit_code == 1
    assert ada.ref(name) == mine
    assert ada.ref("refs/gitmem-remotes/origin/snapshots/release") == yours
    assert crew.refs()[name] == yours


def test_a_snapshot_of_the_same_content_is_none(crew: Team) -> None:
    ada, bob = crew.clone("ada"), crew.clone("bob")
    tree = git(ada.root, "rev-parse", "HEAD:.gitmem").strip()
    for clone, date in ((ada, "2026-01-02T03:04:05Z"), (bob, "2026-01-03T03:04:05Z")):
        oid = git(clone.root, "mktree", stdin=f"040000 tree {tree}\t.gitmem\n").strip()
        commit = git(clone.root, "commit-tree", oid, "-m", "snapshot", date=date).strip()
        assert swap_ref(clone.repo, f"{SNAPSHOTS}/release", None, commit)

    settle(ada, bob)

    assert len(crew.refs(f"{SNAPSHOTS}/")) == 1


def test_machines_proposals_stay_here_and_their_dismissals_travel(crew: Team) -> None:
    ada, bob = crew.clone("ada"), crew.clone("bob")
    ada.propose(1, machine=True)
    ada.say(1, text="measured")
    ada.propose(2)

    ada.sync()
    assert crew.refs().keys() == {proposal(2)}

    ada.close(1)
    settle(ada, bob)
    assert {archive(1), meta(1)} <= bob.refs().keys()


@pytest.mark.parametrize(("share", "pushed"), [("all", {1, 2}), ("none", set()), ("people", {2}), ("sometimes", set())])
def test_the_setting_says_whose_proposals_go_out(crew: Team, share: str, pushed: set[int]) -> None:
    ada = crew.clone("ada")
    git(ada.root, "config", "gitmem.shareProposals", share)
    ada.propose(1, machine=True)
    ada.propose(2)

    found = ada.sync()

    assert set(found.pushed.refs) == {proposal(n) for n in pushed}
    assert [each.code for each in found.warnings] == (["unknown-setting"] if share == "sometimes" else [])


def test_what_is_no_proposal_is_named_and_stays_at_the_remote(crew: Team) -> None:
    git(crew.remote, "update-ref", proposal(1), "main")
    ada = crew.clone("ada")

    found = ada.sync()

    assert [each.code for each in found.warnings] == ["broken-proposal"]
    assert (found.exit_code, ada.refs()) == (0, {})


def test_names_that_gitmem_would_not_give_are_left_alone(crew: Team) -> None:
    for name in ("refs/gitmem/proposals/zz/nothing", "refs/gitmem/snapshots/a/b", "refs/gitmem/other/x"):
        git(crew.remote, "update-ref", name, "main")
    ada = crew.clone("ada")

    assert ada.sync().exit_code == 0
    assert ada.refs() == {}


def test_knowledge_committed_on_both_sides_is_merged_and_pushed(crew: Team) -> None:
    ada, bob = crew.clone("ada"), crew.clone("bob")
    bob.write(8, push=True)
    mine = ada.write(7)

    found = ada.sync()

    assert found.exit_code == 0
    assert found.merged.refs == found.pushed.refs == ("refs/heads/main",)
    assert (ada.root / ".gitmem/engrams/api/rule-8.md").is_file()
    assert git(ada.root, "status", "--porcelain") == ""
    assert mine in git(crew.remote, "rev-list", "main").split()
    settle(bob)
    same(crew, ada, bob)


def test_the_code_of_a_merge_is_the_remotes(crew: Team) -> None:
    ada, bob = crew.clone("ada"), crew.clone("bob")
    write_tree(bob.root, {"src/app.py": "print(2)\n", "src/new.py": "new\n"})
    commit_all(bob.root)
    git(bob.root, "push", "--quiet")
    ada.write(7)

    assert ada.sync().exit_code == 0

    assert (ada.root / "src/app.py").read_text() == "print(2)\n"
    assert (ada.root / "src/new.py").exists()


def test_a_true_disagreement_is_listed_and_nothing_moves(crew: Team) -> None:
    ada, bob = crew.clone("ada"), crew.clone("bob")
    write_tree(bob.root, {RULE: engram_text(title="Use the client")})
    commit_all(bob.root)
    git(bob.root, "push", "--quiet")
    write_tree(ada.root, {RULE: engram_text(title="Never call the network")})
    mine = commit_all(ada.root)
    before = crew.refs("refs/heads/")

    found = ada.sync()

    assert found.exit_code == 1
    assert [(c.path, c.field, c.ours, c.theirs) for c in found.conflicts] == [
        (RULE, "title", "Never call the network", "Use the client")
    ]
    (notice,) = found.warnings
    assert (notice.code, notice.message) == ("conflict", found.not_synced)
    assert "gitmem resolve" in notice.hint
    assert notice.hint in synced(found)
    assert "is_wrong" not in plain(found)
    assert (ada.head(), crew.refs("refs/heads/")) == (mine, before)
    assert git(ada.root, "status", "--porcelain") == ""


def test_what_check_finds_wrong_is_not_pushed(crew: Team) -> None:
    ada = crew.clone("ada")
    write_tree(ada.root, {".gitmem/engrams/api/twin.md": engram_text(title="The same id again")})
    commit_all(ada.root)
    before = crew.refs("refs/heads/")

    found = ada.sync()

    assert found.exit_code == 1
    assert {"check-failed", "duplicate-id"} <= {each.code for each in found.warnings}
    assert crew.refs("refs/heads/") == before


def test_two_clean_sides_that_make_a_circle_are_not_merged(crew: Team) -> None:
    ada = crew.clone("ada")
    ada.write(7)
    ada.write(8)
    settle(ada)
    bob = crew.clone("bob")
    for clone, own, other in ((ada, 7, 8), (bob, 8, 7)):
        path = f".gitmem/engrams/api/rule-{own}.md"
        text = engram_text(id=engram_id(own), title=f"Rule number {own}", requires=[engram_id(other)], body="x\n")
        write_tree(clone.root, {path: text})
        commit_all(clone.root)
    git(bob.root, "push", "--quiet")
    mine = ada.head()

    found = ada.sync()

    assert found.exit_code == 1
    assert "requires-cycle" in {each.code for each in found.warnings}
    assert ada.head() == mine


def test_clones_that_push_at_once_lose_nothing(crew: Team) -> None:
    """F-062."""
    ada = crew.clone("ada")
    ada.propose(1)
    settle(ada)
    clones = [ada, crew.clone("bob"), crew.clone("eve")]
    settle(*clones)
    for number, clone in enumerate(clones):
        clone.say(1, text=f"word {number}")
        clone.propose(10 + number)
        clone.write(20 + number)

    together([lambda clone=clone: clone.sync() for clone in clones])  # type: ignore[misc]
    settle(*clones)

    same(crew, *clones)
    assert ada.said(1) == ["word 0", "word 1", "word 2"]
    assert {proposal(10 + n) for n in range(3)} <= crew.refs().keys()
    assert all((ada.root / f".gitmem/engrams/api/rule-{20 + n}.md").is_file() for n in range(3))


@pytest.mark.capability("R-078")
def test_a_plain_pull_brings_the_knowledge(crew: Team) -> None:
    """F-075."""
    ada, bob = crew.clone("ada"), crew.clone("bob")
    ada.write(7)
    ada.sync()

    git(bob.root, "pull", "--quiet")

    assert bob.head() == ada.head()
    assert Session(bob.root, NOW).place.repo.root == bob.root


def test_a_journal_moves_forward_only_and_is_not_pushed(crew: Team) -> None:
    """One writer a ref: whoever else moves it is named."""
    ada = crew.clone("ada")
    name = f"{JOURNAL}/abc"
    segments = [ada.head()]
    for number in (1, 2):
        segments.append(git(ada.root, "commit-tree", "HEAD^{tree}", "-p", segments[-1], "-m", str(number)).strip())
    git(ada.root, "push", "--quiet", "origin", f"{segments[1]}:{name}")
    assert swap_ref(ada.repo, name, None, segments[0])

    ada.sync()
    assert ada.ref(name) == segments[1]

    git(ada.root, "update-ref", name, segments[2])
    assert ada.sync().pushed.total == 0

    other = git(ada.root, "commit-tree", "HEAD^{tree}", "-p", segments[0], "-m", "rewritten").strip()
    git(ada.root, "push", "--quiet", "--force", "origin", f"{other}:{name}")
    found = ada.sync()
    assert [each.code for each in found.warnings] == ["journal-rewritten"]
    assert ada.ref(name) == segments[2]


@dataclass
class Walk:
    """What was done at random, and so must be there in the end: patch sets by proposal, words, commits."""

    chance: random.Random
    tips: dict[int, set[str]] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)
    rules: set[int] = field(default_factory=set)

    def step(self, clone: Clone, at: int) -> None:
        number, here = self.chance.randint(1, 5), clone.refs().keys()
        is_open, is_shut = proposal(number) in here, archive(number) in here
        match self.chance.choice(["propose", "say", "close", "open", "write", "sync", "sync"]):
            case "propose" if not is_shut:
                tip = clone.propose(number, f"Body {at}.\n", minute=at % 60)
                self.tips.setdefault(number, set()).add(tip)
            case "say" if number in self.tips:
                clone.say(number, text=f"word {at}")
                self.words.add(f"word {at}")
            case "close" if is_open and not is_shut:
                clone.close(number)
            case "open" if is_shut and not is_open:
                clone.reopen(number)
            case "write":
                clone.write(100 + at)
                self.rules.add(100 + at)
            case "sync":
                clone.sync()

    def judge(self, clone: Clone) -> None:
        for number, made in self.tips.items():
            alive = {clone.ref(archive(number)), clone.ref(proposal(number))}
            assert all(tip in alive or clone.holds(number, tip) for tip in made), number
        assert self.words <= {text for number in self.tips for text in clone.said(number)}
        assert all((clone.root / f".gitmem/engrams/api/rule-{number}.md").is_file() for number in self.rules)


def wander(crew: Team, seed: int, steps: int) -> None:
    walk = Walk(random.Random(seed))
    ada = crew.clone("ada")
    clones = [ada, crew.clone("bob"), crew.copy(ada, "eve")]
    for at in range(steps):
        walk.step(walk.chance.choice(clones), at)
    for _ in range(3):
        for clone in clones:
            assert clone.sync().exit_code == 0
    same(crew, *clones)
    walk.judge(ada)


def test_clones_that_do_things_at_random_converge_within_three_rounds(crew: Team) -> None:
    """Proposals, patch sets by anybody, comments, closings, openings and commits in three clones."""
    wander(crew, 7, 25)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_clones_that_do_many_things_at_random_converge_within_three_rounds(crew: Team, seed: int) -> None:
    wander(crew, seed, 120)
