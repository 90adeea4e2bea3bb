"""An approval in whatever state the repository is, and under every policy: all of it or nothing, and nobody's edits."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gitmem.answers.approve import ApproveCall, approve
from gitmem.answers.preflight import PreflightCall, preflight
from gitmem.answers.propose import ProposeCall, propose
from gitmem.answers.voting import Approvals
from gitmem.errors import GitmemError
from gitmem.store.refs import META, under
from tests.answers.people import CLIENT, RETRY, Crew, Person, alone, copied, crew
from tests.support import engram_id, engram_text, git, run_cli, run_inproc, run_program, write_tree

TOUCHED = f".gitmem/{CLIENT}"


@pytest.fixture
def ada(tmp_path: Path) -> Person:
    return alone(tmp_path / "ada")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("three") / "kept"


@pytest.fixture
def three(kept: Path, tmp_path: Path) -> Crew:
    return copied(lambda folder: crew(folder, ("ada", "bob", "cy")), kept, tmp_path / "three")


def tags(person: Person) -> str:
    return person.edit("client", "tags", "api", "http")


def refusal(person: Person, id_: str, **more: object) -> GitmemError:
    """Nothing has moved: no ref, no index entry, no file."""
    before = state(person)
    with pytest.raises(GitmemError) as caught:
        person.approve(id_, **more)
    assert state(person) == before
    return caught.value


def state(person: Person) -> tuple[object, ...]:
    files = {
        path.relative_to(person.root): path.read_bytes()
        for path in sorted(person.root.rglob("*"))
        if path.is_file() and ".git" not in path.parts and "cache" not in path.parts
    }
    return person.git("for-each-ref"), person.git("rev-parse", "HEAD"), git(person.root, "ls-files", "-s"), files


def make_dirty(person: Person, root: Path | None = None) -> str:
    """A changed file, a staged one that was changed again, and an untracked one."""
    at = root or person.root
    write_tree(at, {"notes.txt": "half a thought", "src/app.py": "print(2)\n", "untracked.md": "mine\n"})
    git(at, "add", "src/app.py")
    write_tree(at, {"src/app.py": "print(3)\n"})
    return git(at, "status", "--porcelain")


def test_in_a_bare_repository(tmp_path: Path) -> None:
    ada = alone(tmp_path / "ada")
    id_ = tags(ada)
    git(tmp_path, "clone", "--quiet", "--bare", "--mirror", str(ada.root), "bare.git")
    bare = Person(tmp_path / "bare.git", ada.clock)
    bare.approve(id_)

    assert (bare.status(id_), bare.version()) == ("landed", 1)
    assert "http" in git(bare.root, "show", f"main:{TOUCHED}")


@pytest.mark.parametrize("is_dirty", [False, True], ids=["clean", "dirty elsewhere"])
def test_where_the_branch_is_checked_out(ada: Person, is_dirty: bool) -> None:
    id_ = tags(ada)
    dirt = make_dirty(ada) if is_dirty else ""
    ada.approve(id_)

    assert (ada.dirt(), ada.status(id_)) == (dirt, "landed")
    assert "http" in (ada.root / TOUCHED).read_text()


def test_a_commit_of_everything_afterwards_keeps_what_was_approved(ada: Person) -> None:
    id_ = tags(ada)
    make_dirty(ada)
    ada.approve(id_)
    ada.git("commit", "--quiet", "-am", "x")

    assert (ada.status(id_), ada.version()) == ("landed", 1)
    assert "http" in ada.read(CLIENT)
    assert git(ada.root, "show", "HEAD:src/app.py") == "print(3)\n"
    assert ada.git("diff", "--name-only", "HEAD^", "HEAD").split() == ["notes.txt", "src/app.py"]


def test_where_the_branch_is_checked_out_in_two_worktrees(ada: Person, tmp_path: Path) -> None:
    id_ = tags(ada)
    second = tmp_path / "second"
    ada.git("worktree", "add", "--quiet", "--force", str(second), "main")
    dirts = [make_dirty(ada), make_dirty(ada, second)]
    ada.approve(id_)

    assert [git(root, "status", "--porcelain") for root in (ada.root, second)] == dirts
    assert all("http" in (root / TOUCHED).read_text() for root in (ada.root, second))


def test_from_a_worktree_on_another_branch(ada: Person, tmp_path: Path) -> None:
    """F-085: with a trusted branch by name, the place it is checked out in moves along."""
    ada.git("config", "gitmem.trust", "main")
    second = tmp_path / "second"
    ada.git("worktree", "add", "--quiet", "-b", "side", str(second))
    side = Person(second, ada.clock)
    id_ = tags(side)
    dirt = make_dirty(ada)
    done = side.approve(id_)

    assert (done.branch, side.status(id_), ada.status(id_)) == ("main", "landed", "landed")
    assert "http" in (ada.root / TOUCHED).read_text()
    assert "http" not in (second / TOUCHED).read_text()
    assert (ada.dirt(), side.dirt()) == (dirt, "")


@pytest.mark.parametrize("dirty_at", [None, "src/app.py"], ids=["clean", "dirty elsewhere"])
def test_at_a_detached_head(ada: Person, dirty_at: str | None) -> None:
    main = ada.head()
    ada.git("checkout", "--quiet", "--detach")
    id_ = tags(ada)
    if dirty_at:
        write_tree(ada.root, {dirty_at: "print(4)\n"})
    done = ada.approve(id_)

    assert (ada.head("HEAD"), ada.head(), done.branch) == (done.commit, main, "HEAD")
    assert (ada.status(id_), "http" in (ada.root / TOUCHED).read_text()) == ("landed", True)
    assert ada.dirt() == (f" M {dirty_at}\n" if dirty_at else "")


@pytest.mark.parametrize("how", ["edited", "staged", "removed", "untracked"])
def test_dirty_on_a_path_that_it_touches(ada: Person, how: str) -> None:
    id_ = tags(ada) if how != "untracked" else ada.new("Ports are fixed", slug="ports")
    path = TOUCHED if how != "untracked" else ".gitmem/engrams/api/ports.md"
    if how == "removed":
        (ada.root / path).unlink()
    else:
        write_tree(ada.root, {path: "mine\n"})
    if how == "staged":
        ada.git("add", path)
    found = refusal(ada, id_)

    assert found.code == {"removed": "dirty", "edited": "dirty"}.get(how, how)
    assert path in found.place
    assert f":{path}" in found.hint
    approved = found.hint.partition("git show ")[2]
    assert "---" in git(ada.root, "show", approved)


def test_a_proposal_that_is_stale_is_not_touched_by_an_approval_that_is_refused(ada: Person) -> None:
    below = tags(ada)
    above = ada.edit("client", "tags", "api", "http", "net", needs=(below,))
    ada.write({TOUCHED: ada.read(CLIENT).replace("title: Call", "title: Always call")})
    seen = ada.seen(above)
    write_tree(ada.root, {TOUCHED: "mine\n"})
    assert refusal(ada, above, with_needs=True).code == "dirty"
    ada.git("checkout", "--quiet", "--", TOUCHED)

    done = approve(ada.session(), ApproveCall((seen,), with_needs=True))
    assert done.proposals == (below, above)
    assert (ada.status(below), ada.status(above), ada.version()) == ("landed", "landed", 2)
    assert "Always call" in ada.read(CLIENT)
    assert "net" in ada.read(CLIENT)
    assert run_inproc(ada.root, "check", "--range", f"{done.commit}^..{done.commit}").code == 0


def test_a_refusal_for_edits_goes_once_they_are_out_of_the_way(ada: Person) -> None:
    id_ = tags(ada)
    write_tree(ada.root, {TOUCHED: "mine\n"})
    assert refusal(ada, id_).code == "dirty"
    ada.git("stash", "--quiet")

    ada.approve(id_)
    assert ada.status(id_) == "landed"


def waiting(verb: str) -> Callable[[Person], None]:
    def make(ada: Person) -> None:
        ada.git("checkout", "--quiet", "-b", "side")
        ada.write({"notes.txt": "theirs\n"}, "theirs")
        ada.git("checkout", "--quiet", "main")
        ada.write({"notes.txt": "ours\n"}, "ours")
        assert run_program(ada.root, "git", *verb.split(), "side").code != 0

    return make


@pytest.mark.parametrize("verb", ["merge", "rebase", "cherry-pick", "revert"])
def test_while_another_operation_waits_for_its_end(ada: Person, verb: str) -> None:
    id_ = tags(ada)
    if verb == "revert":
        first = ada.write({"notes.txt": "first\n"}, "first")
        ada.write({"notes.txt": "second\n"}, "second")
        assert run_program(ada.root, "git", "revert", "--no-edit", first).code != 0
    else:
        waiting(verb)(ada)
    found = refusal(ada, id_)

    assert found.code in ("operation-in-progress", "unmerged")
    ada.git(verb, "--abort")
    ada.approve(id_)
    assert ada.status(id_) == "landed"


@pytest.mark.parametrize("where", ["offline", "remote gone"])
def test_without_network_it_lands_here_and_counts_when_it_is_pushed(three: Crew, where: str) -> None:
    ada = three.person("ada")
    id_ = tags(ada)
    away = three.folder / "away.git"
    three.remote.rename(away)
    done = ada.approve(id_)

    assert (done.branch, ada.status(id_), ada.version()) == ("main", "claimed", 0)
    away.rename(three.remote)
    ada.git("push", "--quiet", "origin", "main")
    assert (ada.status(id_), ada.version()) == ("landed", 1)


def test_an_approval_that_was_not_pushed_is_seen_only_when_head_is_asked_for(three: Crew) -> None:
    ada = three.person("ada")
    id_ = ada.new("Ports are fixed", path=("src/**",))
    ada.approve(id_)

    assert "Ports are fixed" in run_inproc(ada.root, "compile", "src/app.py", "--trust", "head").out
    assert "Ports are fixed" not in run_inproc(ada.root, "compile", "src/app.py").out


def test_two_approvals_before_a_push_are_on_top_of_each_other(three: Crew) -> None:
    ada = three.person("ada")
    first, second = tags(ada), ada.edit("client", "summary", "Never fetch.")
    ada.approve(first)
    ada.approve(second)

    assert (ada.status(first), ada.status(second)) == ("claimed", "claimed")
    ada.git("push", "--quiet", "origin", "main")
    assert (ada.status(first), ada.status(second), ada.version()) == ("landed", "landed", 2)
    assert "http" in ada.read(CLIENT)
    assert "Never fetch." in ada.read(CLIENT)


@pytest.mark.parametrize("how", ["behind", "diverged"])
def test_where_the_local_branch_is_not_the_remote_one_no_code_is_lost_by_a_pull(three: Crew, how: str) -> None:
    """The approval's commit names nothing as merged that it does not hold."""
    ada, bob = three.person("ada"), three.person("bob")
    bob.write({"src/new.py": "print('new')\n", "src/app.py": "print('theirs')\n"}, "code")
    bob.git("push", "--quiet", "origin", "main")
    ada.git("fetch", "--quiet")
    if how == "diverged":
        ada.write({"src/mine.py": "print('mine')\n"}, "code of her own")
    id_ = tags(ada)
    ada.approve(id_)
    assert not (ada.root / "src/new.py").exists()
    ada.git("pull", "--quiet", "--no-rebase", "--no-edit")

    assert (ada.root / "src/new.py").read_text() == "print('new')\n"
    assert (ada.root / "src/app.py").read_text() == "print('theirs')\n"
    assert how == "behind" or (ada.root / "src/mine.py").exists()
    ada.git("push", "--quiet", "origin", "main")
    assert (ada.status(id_), ada.version()) == ("landed", 1)
    assert "http" in ada.read(CLIENT)


def test_where_the_local_branch_is_behind_a_rebase_loses_nothing_either(three: Crew) -> None:
    ada, bob = three.person("ada"), three.person("bob")
    bob.write({"src/new.py": "print('new')\n"}, "code")
    bob.git("push", "--quiet", "origin", "main")
    ada.git("fetch", "--quiet")
    id_ = tags(ada)
    ada.approve(id_)
    ada.git("pull", "--quiet", "--rebase")
    ada.git("push", "--quiet", "origin", "main")

    assert (ada.root / "src/new.py").exists()
    assert (ada.status(id_), ada.version()) == ("landed", 1)


def test_where_knowledge_came_in_by_the_remote_the_approval_is_merged_with_it_by_a_pull(three: Crew) -> None:
    """F-081: the base moved at the same item and at another."""
    ada, bob = three.person("ada"), three.person("bob")
    first = bob.edit("client", "title", "Go through the client")
    bob.approve(first)
    bob.git("push", "--quiet", "origin", "main")
    id_ = tags(ada)
    ada.git("fetch", "--quiet")
    assert ada.status(id_) == "stale"
    ada.approve(id_)
    assert run_inproc(ada.root, "sync").code == 0

    assert (ada.status(id_), ada.version()) == ("landed", 2)
    item = ada.show(id_).items[0].item
    texts = [path.read_text() for path in (ada.root / ".gitmem/engrams").rglob("*.md")]
    (text,) = [text for text in texts if item in text]
    assert "Go through the client" in text
    assert "http" in text


def test_a_local_branch_that_is_not_here_is_made(three: Crew) -> None:
    ada = three.person("ada")
    ada.git("checkout", "--quiet", "-b", "side")
    ada.git("branch", "--quiet", "-D", "main")
    id_ = tags(ada)
    done = ada.approve(id_)

    assert (done.branch, ada.git("rev-parse", "main")) == ("main", done.commit)
    assert ada.git("symbolic-ref", "--short", "HEAD") == "side"
    assert "http" not in (ada.root / TOUCHED).read_text()


def test_under_head_the_branch_that_is_checked_out_decides(three: Crew) -> None:
    ada = three.person("ada")
    ada.git("config", "gitmem.trust", "head")
    ada.git("checkout", "--quiet", "-b", "side")
    id_ = tags(ada)
    done = ada.approve(id_)

    assert (done.branch, ada.status(id_), ada.version()) == ("side", "landed", 1)


ONE, TWO = ({".gitmem/config.yaml": f"format: 1\npolicy:\n  min_approvals: {n}\n"} for n in (1, 2))


@pytest.fixture(scope="module", params=[1, 2], ids=["one approval", "two approvals"])
def needed(request: pytest.FixtureRequest) -> int:
    return int(request.param)


with_one = pytest.mark.parametrize("needed", [1], indirect=True, ids=["one approval"])
with_two = pytest.mark.parametrize("needed", [2], indirect=True, ids=["two approvals"])


@pytest.fixture(scope="module")
def strict(needed: int, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp(f"strict{needed}") / "kept"


@pytest.fixture
def voters(needed: int, strict: Path, tmp_path: Path) -> Crew:
    files = ONE if needed == 1 else TWO
    return copied(lambda folder: crew(folder, ("ada", "bob", "cy"), dict(files)), strict, tmp_path / "voters")


def test_the_proposer_alone_is_not_enough(voters: Crew, needed: int) -> None:
    ada = voters.person("ada")
    id_ = tags(ada)

    assert refusal(ada, id_).code == "own-proposal"
    assert f"[0 of {needed} approvals]" in run_inproc(ada.root, "proposals", "list").out


def test_as_many_people_as_the_policy_asks_for(voters: Crew, needed: int) -> None:
    ada, bob, cy = (voters.person(name) for name in ("ada", "bob", "cy"))
    id_ = tags(ada)
    ada.sync()
    bob.sync()
    done = bob.approve(id_)
    if needed == 2:
        assert (done.commit, done.waiting_for, bob.status(id_)) == ("", 1, "open")
        again = bob.approve(id_)
        assert (again.commit, again.waiting_for) == ("", 1)
        assert bob.show(id_).approvals == Approvals(("Bob",), 2)
        assert "approvals 1 of 2 by Bob" in run_inproc(bob.root, "proposals", "show", id_).out
        assert "[1 of 2 approvals]" in run_inproc(bob.root, "proposals", "list").out
        bob.sync()
        cy.sync()
        done = cy.approve(id_)
        bob = cy
    assert done.commit
    bob.git("push", "--quiet", "origin", "main")

    ada.git("pull", "--quiet", "--ff-only")
    assert (ada.status(id_), ada.version()) == ("landed", 1)
    files = git(ada.root, "ls-tree", "-r", "--name-only", "HEAD", ".gitmem/approvals").split()
    assert [name.rpartition("/")[2].split(".")[1].rpartition("-")[0] for name in files] == (
        ["bob"] if needed == 1 else ["bob", "cy"]
    )
    assert run_inproc(ada.root, "check", "--range", "HEAD^..HEAD").code == 0


@with_two
def test_a_vote_that_somebody_else_wrote_does_not_count(voters: Crew, needed: int) -> None:
    """Ada writes a vote in Bob's name; its commit is hers."""
    ada, cy = voters.person("ada"), voters.person("cy")
    id_ = tags(ada)
    ada.sync()
    bob = voters.person("bob")
    bob.sync()
    bob.approve(id_)
    forge(bob)
    bob.git("push", "--quiet", "origin", under(META, id_))
    cy.sync()
    done = cy.approve(id_)

    assert (done.commit, done.waiting_for) == ("", 1)


def forge(bob: Person) -> None:
    """The vote's commit is rewritten with another author; the event points at that one."""
    (name,) = bob.git("for-each-ref", "--format=%(refname)", META).split("\n")
    path = bob.git("ls-tree", "--name-only", name)
    text = git(bob.root, "show", f"{name}:{path}")
    vote = text.partition("commit: ")[2].split("\n")[0].strip("'\"")
    tree, parent = bob.git("rev-parse", f"{vote}^{{tree}}"), bob.git("rev-parse", f"{vote}^")
    forged = bob.git(
        "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit-tree", tree, "-p", parent, "-m", "Approve"
    )
    blob = bob.git("hash-object", "-w", "--stdin", stdin=text.replace(vote, forged))
    made = bob.git("mktree", stdin=f"100644 blob {blob}\t{path}\n")
    commit = bob.git("commit-tree", made, "-p", forged, "-m", "vote")
    bob.git("update-ref", name, commit)


@with_two
@pytest.mark.capability("G-017")
def test_a_vote_is_void_on_new_content_and_kept_on_a_plain_rebase(voters: Crew, needed: int) -> None:
    ada, bob, cy = (voters.person(name) for name in ("ada", "bob", "cy"))
    rebased, changed = tags(ada), ada.edit("retry", "title", "Retry two times")
    ada.sync()
    bob.sync()
    for id_ in (rebased, changed):
        assert bob.approve(id_).waiting_for == 1
    bob.sync()
    ada.sync()
    ada.write({"src/app.py": "print(8)\n", f".gitmem/{CLIENT}": ada.read(CLIENT).replace('"Comp', '"All comp')}, "on")
    ada.git("push", "--quiet", "origin", "main")
    ada.extend(rebased)
    ada.edit("retry", "title", "Retry three times", extend=changed)
    ada.sync()
    cy.sync()

    assert cy.approve(rebased).commit
    assert (cy.approve(changed).commit, cy.approve(changed).waiting_for) == ("", 1)


def test_an_approval_of_what_is_stale_stays_the_work_of_its_proposer(voters: Crew, needed: int) -> None:
    ada, bob, cy = (voters.person(name) for name in ("ada", "bob", "cy"))
    id_ = tags(ada)
    ada.sync()
    ada.write({TOUCHED: ada.read(CLIENT).replace("title: Call", "title: Always call")}, "by hand")
    ada.git("push", "--quiet", "origin", "main")
    bob.git("pull", "--quiet")
    cy.git("pull", "--quiet")
    bob.sync()
    assert bob.status(id_) == "stale"
    refs = bob.git("for-each-ref")
    found = preflight(bob.session(), PreflightCall((id_,)))
    assert (found.ok, found.conflicts) == (needed == 1, ())
    assert {finding.code for finding in found.findings} <= {"approvals-missing", "no-scope"}
    assert bob.git("for-each-ref") == refs
    done = bob.approve(id_)
    if needed == 2:
        bob.sync()
        cy.sync()
        done = cy.approve(id_)
        bob = cy

    assert done.commit
    bob.git("push", "--quiet", "origin", "main")
    ada.git("pull", "--quiet")
    assert (ada.status(id_), bob.status(id_), ada.version()) == ("landed", "landed", 1)
    assert run_inproc(ada.root, "check", "--range", "HEAD^..HEAD").code == 0


@with_two
def test_votes_reach_the_history_as_commits_of_their_people(voters: Crew, needed: int) -> None:
    ada, bob, cy = (voters.person(name) for name in ("ada", "bob", "cy"))
    id_ = tags(ada)
    ada.sync()
    bob.sync()
    bob.approve(id_)
    bob.sync()
    cy.sync()
    done = cy.approve(id_)

    authors = cy.git("log", "--format=%an", f"{done.commit}^..{done.commit}").split("\n")
    assert set(authors) == {"Ada", "Bob", "Cy"}


def test_knowledge_without_an_entry_is_refused_where_the_policy_asks_for_one(tmp_path: Path) -> None:
    ada = alone(tmp_path / "ada", {".gitmem/config.yaml": "format: 1\npolicy:\n  require_ledger: true\n"})
    start = ada.head()
    id_ = tags(ada)
    ada.approve(id_)
    assert run_inproc(ada.root, "check", "--range", f"{start}..HEAD").code == 0
    middle = ada.head()
    ada.write({f".gitmem/{RETRY}": ada.read(RETRY).replace("Retry twice.", "Retry often.")}, "by hand")

    assert run_inproc(ada.root, "check", "--range", f"{middle}..HEAD").code == 1
    other = ada.edit("retry", "tags", "net")
    ada.approve(other)
    assert ada.status(other) == "landed"


def test_an_approval_is_one_commit_with_the_proposal_among_its_parents(ada: Person) -> None:
    before, id_ = ada.head(), tags(ada)
    tip = ada.tip(id_)
    done = ada.approve(id_)

    assert ada.git("rev-parse", f"{done.commit}^1", f"{done.commit}^2").split("\n") == [before, tip]
    assert ada.git("log", "-1", "--format=%an <%ae>") == "Ada Example <ada@example.org>"
    assert f"Gitmem-Proposal: {id_}@{tip[:12]}" in ada.git("log", "-1", "--format=%B")


def test_people_who_approve_at_once_stand_on_each_other(three: Crew) -> None:
    ada = three.person("ada")
    ids = [ada.new(f"Fact {number}", f"Number {number}.\n") for number in range(4)]
    with ThreadPoolExecutor(4) as pool:
        ran = list(pool.map(lambda id_: run_cli(ada.root, "proposals", "approve", ada.seen(id_)), ids))

    assert [each.code for each in ran] == [0] * 4, ran
    assert {ada.status(id_) for id_ in ids} == {"claimed"}
    assert ada.git("rev-list", "--count", "--first-parent", "origin/main..main") == "4"
    assert ada.dirt() == ""


def test_an_approval_counts_from_a_branch_that_is_behind(voters: Crew, needed: int) -> None:
    """What the proposal stands on is no part of the local branch yet."""
    ada, bob, cy = (voters.person(name) for name in ("ada", "bob", "cy"))
    ada.write({"src/new.py": "print('new')\n"}, "code")
    ada.git("push", "--quiet", "origin", "main")
    id_ = tags(ada)
    ada.sync()
    if needed == 2:
        cy.sync()
        assert cy.approve(id_).waiting_for == 1
        cy.sync()
    start = bob.head()
    bob.git("fetch", "--quiet", "origin", "refs/gitmem/*:refs/gitmem/*", "main:refs/remotes/origin/main")
    done = bob.approve(id_)

    assert bob.git("rev-parse", "main^") == start
    assert done.commit == bob.head()
    assert not (bob.root / "src/new.py").exists()
    bob.git("pull", "--quiet", "--no-rebase", "--no-edit")
    assert (bob.root / "src/new.py").exists()
    assert run_inproc(bob.root, "check", "--range", "origin/main..main").code == 0


@with_one
def test_a_bundle_counts_as_proposed_by_its_proposer(voters: Crew, needed: int) -> None:
    ada, bob = voters.person("ada"), voters.person("bob")
    ids = ada.plan("{edit: {item: client, field: tags, add: [net]}}", "{retire: {item: retry, rationale: gone}}")
    ada.sync()
    bob.sync()
    start = bob.head()
    bob.approve(ids[0], bundle=True)

    assert [bob.status(id_) for id_ in ids] == ["claimed", "claimed"]
    assert run_inproc(bob.root, "check", "--range", f"{start}..main").code == 0
    assert bob.git("log", "--format=%an", "-1", "main^2") == "Ada"


@with_two
def test_a_bundle_that_needs_votes_goes_in_one_by_one(voters: Crew, needed: int) -> None:
    ada, bob, cy = (voters.person(name) for name in ("ada", "bob", "cy"))
    ids = ada.plan("{edit: {item: client, field: tags, add: [net]}}", "{retire: {item: retry, rationale: gone}}")
    ada.sync()
    bob.sync()
    with pytest.raises(GitmemError) as caught:
        bob.approve(ids[0], bundle=True)
    assert caught.value.code == "votes-by-member"
    assert [bob.approve(id_).waiting_for for id_ in ids] == [1, 1]
    bob.sync()
    cy.sync()
    for id_ in ids:
        assert cy.approve(id_).commit
    cy.git("push", "--quiet", "origin", "main")
    assert [cy.status(id_) for id_ in ids] == ["landed", "landed"]


@pytest.mark.parametrize("how", ["from the index", "as a bundle"])
def test_a_decision_that_removes_more_than_a_fifth_asks_for_a_flag(ada: Person, how: str) -> None:
    """F-079."""
    for number in range(3):
        write_tree(ada.root, {f".gitmem/engrams/more/e{number}.md": engram_text(id=engram_id(50 + number))})
    ada.write({}, "five engrams")
    if how == "from the index":
        ada.git("rm", "--quiet", "-r", ".gitmem/engrams")
        id_ = str(propose(ada.session(), ProposeCall(from_worktree=True, clean=True)).proposal)
    else:
        id_ = ada.plan(*(f"{{rm: {{item: e{number}}}}}" for number in range(3)))[0]
    assert refusal(ada, id_, bundle=how == "as a bundle").code == "removes-many"

    ada.approve(id_, bundle=how == "as a bundle", remove_many=True)
    assert ada.status(id_) == "landed"
    ada.revert(id_)
    assert len(list((ada.root / ".gitmem/engrams").rglob("*.md"))) == 5


def test_what_landed_on_the_local_branch_does_not_land_there_again(three: Crew) -> None:
    ada = three.person("ada")
    id_ = tags(ada)
    seen = ada.seen(id_)
    ada.approve(id_)
    tip, dirt = ada.head(), ada.dirt()
    with pytest.raises(GitmemError) as caught:
        approve(ada.session(), ApproveCall((seen,)))

    assert caught.value.code == "already-landed"
    assert "push" in caught.value.hint
    assert (ada.head(), ada.dirt(), ada.status(id_)) == (tip, dirt, "claimed")


def test_what_another_branch_claims_can_be_approved(three: Crew) -> None:
    """An entry on a branch of somebody's own is no decision."""
    ada = three.person("ada")
    id_ = tags(ada)
    ada.git("checkout", "--quiet", "-b", "mine")
    ada.git("merge", "--quiet", ada.tip(id_))
    assert ada.status(id_) == "claimed"
    done = ada.approve(id_)

    assert (done.branch, ada.git("show", "--no-patch", "--format=%s", "main")) == (
        "main",
        ada.git("show", "--no-patch", "--format=%s", done.commit),
    )
    ada.git("push", "--quiet", "origin", "main")
    assert (ada.status(id_), ada.version()) == ("landed", 1)
