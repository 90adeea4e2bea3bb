"""Sync where something is in the way: no remote, no network, a password, a protected branch, private code."""

import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from gitmem.errors import GitmemError
from gitmem.model.proposal import EventKind
from gitmem.store import gitnet
from tests.answers.team import RULE, START, Clone, Team, archive, meta, proposal, team
from tests.conftest import MakeRepo
from tests.keys import SIGNERS, commit_signed, make_key, needs_keygen, use_key
from tests.support import commit_all, engram_id, engram_text, git, run_cli, run_inproc, write_tree


@pytest.fixture
def crew(tmp_path: Path) -> Team:
    return team(tmp_path)


def codes(clone: Clone, **call: object) -> tuple[int, list[str]]:
    found = clone.sync(**call)
    assert bool(found.not_synced) == bool(found.warnings)
    return found.exit_code, [each.code for each in found.warnings]


class Locked(BaseHTTPRequestHandler):
    """Wants a password for everything."""

    def do_GET(self) -> None:
        self.send_response(401)
        self.send_header("WWW-Authenticate", 'Basic realm="here"')
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def locked_server() -> Iterator[int]:
    with HTTPServer(("127.0.0.1", 0), Locked) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def silent_server() -> Iterator[int]:
    """Takes a connection and says nothing."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield server.getsockname()[1]


def unused_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_without_a_remote_nothing_is_asked(make_repo: MakeRepo) -> None:
    clone = Clone(make_repo(START))

    assert codes(clone) == (0, ["no-remote"])


@pytest.mark.capability("M-075")
@pytest.mark.parametrize("kind", ["path", "port", "name"])
def test_a_remote_out_of_reach_is_a_notice_and_no_error(crew: Team, kind: str) -> None:
    """F-071's other half: only sync goes out, and being offline is said, not raised."""
    ada = crew.clone("ada")
    ada.propose(1)
    urls = {"path": str(crew.folder / "gone.git"), "port": f"http://127.0.0.1:{unused_port()}/x.git", "name": ""}
    git(ada.root, "remote", "set-url", "origin", urls[kind] or "https://gitmem.invalid/x.git")
    before = ada.refs("refs/")

    assert codes(ada) == (0, ["unreachable"])
    assert ada.refs("refs/") == before


def test_the_command_says_not_synced_and_exits_with_0(crew: Team) -> None:
    ada = crew.clone("ada")
    git(ada.root, "remote", "set-url", "origin", str(crew.folder / "gone.git"))

    done = run_inproc(ada.root, "sync")

    assert done.code == 0
    assert done.out.startswith("not synced: origin: origin cannot be reached: ")


def test_a_remote_that_wants_a_password_is_named_at_once_and_nobody_is_asked(crew: Team, tmp_path: Path) -> None:
    """F-061, F-078: a helper may answer; none does here. F-247: what the URL holds is not repeated."""
    ada = crew.clone("ada")
    asked = tmp_path / "asked"
    for name in ("GIT_ASKPASS", "SSH_ASKPASS"):
        write_tree(tmp_path, {name: f"#!/bin/sh\necho {name} >>'{asked}'\necho word\n"})
        (tmp_path / name).chmod(0o755)
    environment = {name: str(tmp_path / name) for name in ("GIT_ASKPASS", "SSH_ASKPASS")}
    token = "tok" + "en-word"
    with locked_server() as port:
        git(ada.root, "remote", "set-url", "origin", f"http://ada:{token}@127.0.0.1:{port}/x.git")
        start = time.monotonic()
        done = run_cli(ada.root, "sync", "--json", env=environment)

    assert time.monotonic() - start < 20
    assert done.code == 1
    assert '"needs-credentials"' in done.out
    assert "origin" in done.out
    assert token not in done.out + done.err
    assert not asked.exists()


def test_a_remote_that_never_answers_is_given_up(crew: Team) -> None:
    ada = crew.clone("ada")
    git(ada.root, "config", "gitmem.syncTimeout", "1")
    with silent_server() as port:
        git(ada.root, "remote", "set-url", "origin", f"http://127.0.0.1:{port}/x.git")
        start = time.monotonic()

        assert codes(ada) == (0, ["timeout"])

    assert time.monotonic() - start < 15


@pytest.mark.parametrize(
    "url",
    [
        "ext::sh -c touch% {canary}",
        "fd::17",
        "-oProxyCommand=touch {canary}",
        "ssh://-oProxyCommand=touch%20{canary}/x",
    ],
)
def test_a_url_starts_no_program(crew: Team, tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-241."""
    canary = tmp_path / "canary"
    ada = crew.clone("ada")
    git(ada.root, "config", "remote.origin.url", url.format(canary=canary))
    git(ada.root, "config", "protocol.ext.allow", "always")
    monkeypatch.setenv("GIT_ALLOW_PROTOCOL", "ext:fd:ssh:file")

    done = run_inproc(ada.root, "sync")

    assert done.code in (0, 1)
    assert "Traceback" not in done.err
    assert not canary.exists()


@pytest.mark.parametrize("name", ["--upload-pack=touch x", "-x", "nobody", "a..b", "https://example.org/x.git"])
def test_a_name_that_is_no_remote_is_refused(crew: Team, name: str) -> None:
    ada = crew.clone("ada")

    with pytest.raises(gitnet.RemoteNameError):
        ada.sync(remote=name)


def test_an_empty_remote_is_left_to_the_first_push(make_repo: MakeRepo, tmp_path: Path) -> None:
    """F-073: nothing private goes out by itself."""
    clone = Clone(make_repo(START))
    git(tmp_path, "init", "--quiet", "--bare", "empty.git")
    git(clone.root, "remote", "add", "origin", str(tmp_path / "empty.git"))
    clone.propose(1, base="main")

    code, found = codes(clone)

    assert (code, found) == (1, ["empty-remote", "unpublished-base"])
    assert Clone(tmp_path / "empty.git").refs("refs/") == {}


def test_a_remote_without_the_branch_says_so(crew: Team) -> None:
    ada = crew.clone("ada")
    git(ada.root, "config", "gitmem.trust", "release")

    assert codes(ada) == (0, ["no-upstream"])


@pytest.mark.capability("G-028")
def test_a_protected_branch_leaves_the_rest_synced(crew: Team) -> None:
    crew.hook("update", 'case "$1" in refs/heads/*) echo "main is protected" >&2; exit 1;; esac')
    ada = crew.clone("ada")
    tip = ada.propose(1)
    ada.write(7)
    before = crew.refs("refs/heads/")

    assert codes(ada) == (1, ["push-refused"])
    assert (crew.refs(), crew.refs("refs/heads/")) == ({proposal(1): tip}, before)


@pytest.mark.capability("G-028")
def test_a_forge_that_refuses_our_refs_is_named_with_the_way_round(crew: Team) -> None:
    crew.hook("pre-receive", 'while read a b ref; do case "$ref" in refs/gitmem/*) exit 1;; esac; done')
    ada = crew.clone("ada")
    ada.propose(1)
    ada.say(1)
    ada.write(7)

    found = ada.sync()

    assert found.exit_code == 1
    assert [each.code for each in found.warnings] == ["refs-refused"]
    assert "gitmem proposals publish" in found.warnings[0].hint
    assert found.pushed.refs == ("refs/heads/main",)


def test_one_ref_that_a_hook_refuses_holds_up_no_other(crew: Team) -> None:
    """The hook judges a push as a whole, as many forges do."""
    ada = crew.clone("ada")
    for number in range(1, 7):
        ada.propose(number)
        ada.say(number)
    crew.hook("pre-receive", f'while read a b ref; do case "$ref" in {meta(3)}) exit 1;; esac; done')

    found = ada.sync()

    assert [each.code for each in found.warnings] == ["refs-refused"]
    assert {*ada.refs()} - {*crew.refs()} == {meta(3), proposal(3)}


def test_gerrit_gets_the_branch_for_review(crew: Team) -> None:
    crew.hook("update", 'case "$1" in refs/heads/*) echo "prohibited by Gerrit: not permitted" >&2; exit 1;; esac')
    ada = crew.clone("ada")
    mine = ada.write(7)

    assert codes(ada) == (0, ["for-review"])
    assert crew.refs("refs/for/") == {"refs/for/main": mine}


@pytest.mark.parametrize("setting", [("gitmem.pushTo", "refs/for/"), ("remote.origin.push", "HEAD:refs/for/main")])
def test_a_remote_that_is_set_up_for_review_gets_no_branch(crew: Team, setting: tuple[str, str]) -> None:
    ada = crew.clone("ada")
    git(ada.root, "config", *setting)
    mine, before = ada.write(7), crew.refs("refs/heads/")

    assert codes(ada) == (0, ["for-review"])
    assert crew.refs("refs/for/") == {"refs/for/main": mine}
    assert crew.refs("refs/heads/") == before


def test_code_of_its_own_is_left_to_git(crew: Team) -> None:
    ada, bob = crew.clone("ada"), crew.clone("bob")
    write_tree(ada.root, {"src/mine.py": "private\n"})
    mine = commit_all(ada.root)
    before = crew.refs("refs/heads/")

    assert codes(ada) == (0, ["code-of-its-own"])
    bob.write(7, push=True)
    assert codes(ada) == (0, ["code-of-its-own"])

    assert ada.head() == mine
    assert before != crew.refs("refs/heads/")
    assert mine not in git(crew.remote, "rev-list", "--all").split()


def test_code_that_was_taken_back_is_still_code_in_history(crew: Team) -> None:
    ada = crew.clone("ada")
    write_tree(ada.root, {"src/mine.py": "private\n"})
    mine = commit_all(ada.root)
    git(ada.root, "revert", "--no-edit", "HEAD")
    ada.write(7)

    assert codes(ada) == (0, ["code-of-its-own"])
    assert mine not in git(crew.remote, "rev-list", "--all").split()


def test_a_proposal_on_private_code_is_not_pushed_and_named(crew: Team) -> None:
    ada = crew.clone("ada")
    git(ada.root, "switch", "--quiet", "--create", "feature")
    write_tree(ada.root, {"src/mine.py": "private\n"})
    commit_all(ada.root)
    ada.propose(1, base="feature")
    ada.close(1)
    ada.propose(2)
    ada.propose(3, base="feature")

    found = ada.sync()

    named = {each.place for each in found.warnings if each.code == "unpublished-base"}
    assert found.exit_code == 1
    assert named == {archive(1), meta(1), proposal(3)}
    assert crew.refs().keys() == {proposal(2)}

    git(ada.root, "push", "--quiet", "origin", "feature")
    assert codes(ada) == (0, [])
    assert crew.refs().keys() == {archive(1), meta(1), proposal(2), proposal(3)}


def test_a_proposal_on_knowledge_that_is_not_out_yet_goes_along(crew: Team) -> None:
    ada = crew.clone("ada")
    git(ada.root, "switch", "--quiet", "--create", "stack")
    ada.write(7)
    tip = ada.propose(1, base="stack")

    assert codes(ada) == (0, [])
    assert crew.refs() == {proposal(1): tip}


@pytest.mark.capability("G-028")
def test_pruning_by_the_user_or_by_sync_keeps_what_is_not_pushed(crew: Team) -> None:
    ada = crew.clone("ada")
    for setting in ("fetch.prune", "remote.origin.prune", "fetch.pruneTags"):
        git(ada.root, "config", setting, "true")
    git(ada.root, "tag", "mine")
    git(ada.root, "config", "gitmem.shareProposals", "none")
    ada.propose(1)
    ada.say(1)
    before = ada.refs()

    ada.sync()
    assert ada.refs("refs/tags/")
    git(ada.root, "fetch", "--prune", "--quiet")

    assert ada.refs() == before


def test_a_mirror_keeps_its_refs_in_a_sync_and_is_warned(crew: Team) -> None:
    bob = crew.clone("bob")
    bob.propose(2)
    bob.sync()
    mirror = crew.clone("mirror.git", "--mirror")
    git(mirror.root, "config", "remote.origin.prune", "true")
    mirror.propose(1, base="main")

    found = mirror.sync()

    assert [each.code for each in found.warnings] == ["mirror-fetch"]
    assert (found.exit_code, crew.refs().keys()) == (0, {proposal(1), proposal(2)})
    assert mirror.refs().keys() == {proposal(1), proposal(2)}


def test_what_the_remote_deleted_is_pruned_from_the_tracking_refs_alone(crew: Team) -> None:
    ada, bob = crew.clone("ada"), crew.clone("bob")
    ada.propose(1)
    ada.sync()
    bob.sync()
    ada.close(1)
    ada.sync()

    bob.sync()

    kept = bob.refs("refs/gitmem-remotes/")
    assert {name.split("/")[3] for name in kept} == {"archive", "meta"}


def test_the_fork_is_not_the_project(crew: Team) -> None:
    """`origin` is a fork; what is trusted, and where knowledge goes, is upstream."""
    git(crew.folder, "clone", "--quiet", "--bare", str(crew.remote), "fork.git")
    ada, bob = crew.clone("ada"), crew.clone("bob")
    git(ada.root, "remote", "rename", "origin", "upstream")
    git(ada.root, "remote", "add", "origin", str(crew.folder / "fork.git"))
    git(ada.root, "fetch", "--quiet", "origin")
    tip = ada.propose(1, base="upstream/main")
    landed = bob.write(7, push=True)

    assert codes(ada) == (0, [])

    fork = Clone(crew.folder / "fork.git")
    assert (crew.refs(), fork.refs()) == ({proposal(1): tip}, {})
    assert ada.head() == landed
    assert ada.sync(remote="origin").pushed.refs == (proposal(1),)
    assert (ada.head(), fork.head() != landed) == (landed, True)


def test_unrelated_histories_are_refused_and_nothing_moves(crew: Team, make_repo: MakeRepo) -> None:
    """F-064."""
    other = Clone(make_repo({**START, RULE: engram_text(title="Another start")}))
    git(other.root, "remote", "add", "origin", str(crew.remote))
    tip = other.propose(1, base="main")
    before = other.refs()

    with pytest.raises(GitmemError) as caught:
        other.sync()

    assert caught.value.code == "unrelated-histories"
    assert (other.refs(), crew.refs()) == (before, {})
    assert before == {proposal(1): tip}


def test_a_shallow_clone_says_what_it_cannot_know(crew: Team) -> None:
    bob = crew.clone("bob")
    bob.write(7, push=True)
    ada = Clone(crew.folder / "ada")
    git(crew.folder, "clone", "--quiet", "--depth=1", f"file://{crew.remote}", "ada")
    ada.write(9)
    write_tree(bob.root, {".gitmem/engrams/api/x.md": engram_text(title="Other")})
    git(bob.root, "rm", "--quiet", RULE)
    git(bob.root, "reset", "--quiet", "--hard", "HEAD~1")
    bob.write(8)
    git(bob.root, "push", "--quiet", "--force", "origin", "main")

    code, found = codes(ada)

    assert (code, found) == (0, ["shallow"])
    git(ada.root, "fetch", "--quiet", "--unshallow")


@pytest.mark.parametrize("state", ["other branch", "detached", "worktree"])
def test_the_branch_comes_up_wherever_it_is_checked_out_or_not(crew: Team, state: str) -> None:
    ada, bob = crew.clone("ada"), crew.clone("bob")
    if state == "detached":
        git(ada.root, "switch", "--quiet", "--detach")
    else:
        git(ada.root, "switch", "--quiet", "--create", "feature")
    if state == "worktree":
        git(ada.root, "worktree", "add", "--quiet", "../beside", "main")
    landed = bob.write(7, push=True)

    assert codes(ada) == (0, [])
    assert ada.head("main") == landed
    assert (ada.root / ".gitmem/engrams/api/rule-7.md").exists() is False
    if state == "worktree":
        assert (crew.folder / "beside/.gitmem/engrams/api/rule-7.md").exists()


def test_an_edit_in_the_way_is_named_and_kept(crew: Team) -> None:
    ada, bob = crew.clone("ada"), crew.clone("bob")
    write_tree(bob.root, {RULE: engram_text(title="Use the client")})
    commit_all(bob.root)
    git(bob.root, "push", "--quiet")
    write_tree(ada.root, {RULE: engram_text(title="Mine")})
    tip = ada.propose(1)
    before = ada.head()

    found = ada.sync()

    assert [each.code for each in found.warnings] == ["dirty"]
    assert RULE in str(found.not_synced)
    assert (ada.head(), "Mine" in (ada.root / RULE).read_text()) == (before, True)
    assert crew.refs() == {proposal(1): tip}


def test_files_that_a_filter_writes_are_left_to_git(crew: Team) -> None:
    ada, bob = crew.clone("ada"), crew.clone("bob")
    write_tree(bob.root, {".gitattributes": "*.bin filter=large\n", "a.bin": "pointer\n"})
    commit_all(bob.root)
    git(bob.root, "push", "--quiet")
    git(ada.root, "config", "filter.large.smudge", "tr a-z A-Z")

    assert codes(ada) == (0, ["filtered-files"])
    git(ada.root, "pull", "--quiet")
    bob.write(7, push=True)
    assert codes(ada) == (0, [])
    assert (ada.root / "a.bin").read_text() == "POINTER\n"


def test_a_bare_repository_syncs_too(crew: Team) -> None:
    bare = crew.clone("hub.git", "--bare")
    bob = crew.clone("bob")
    landed = bob.write(7, push=True)
    tip = bare.propose(1, base="main")

    assert codes(bare) == (0, [])
    assert (bare.head(), crew.refs()) == (landed, {proposal(1): tip})


def test_a_dry_run_moves_tracking_refs_alone(crew: Team) -> None:
    ada, bob = crew.clone("ada"), crew.clone("bob")
    bob.propose(2)
    bob.sync()
    bob.write(8, push=True)
    ada.propose(1)
    ada.write(7)
    mine, theirs = {**ada.refs(), **ada.refs("refs/heads/")}, crew.refs("refs/")

    found = ada.sync(dry_run=True)

    assert {**ada.refs(), **ada.refs("refs/heads/")} == mine
    assert crew.refs("refs/") == theirs
    assert proposal(2) in ada.sync(dry_run=True).merged.refs
    assert found.pulled.refs == (proposal(2), "refs/heads/main")
    assert found.merged.refs == (proposal(2), "refs/heads/main")
    assert found.pushed.refs == (proposal(1), "refs/heads/main")


def test_no_push_pushes_nothing(crew: Team) -> None:
    ada = crew.clone("ada")
    ada.propose(1)
    ada.write(7)
    before = crew.refs("refs/")

    assert codes(ada, no_push=True) == (0, [])
    assert crew.refs("refs/") == before


def test_neither_hooks_nor_tags_nor_submodules_take_part(crew: Team, tmp_path: Path) -> None:
    """F-184: a sync that a hook of `git push` starts runs no hook again."""
    ada = crew.clone("ada")
    canary = tmp_path / "canary"
    for name in ("pre-push", "reference-transaction", "post-merge", "post-checkout"):
        write_tree(ada.root, {f".git/hooks/{name}": f"#!/bin/sh\ntouch '{canary}'\n"})
        (ada.root / ".git/hooks" / name).chmod(0o755)
    git(ada.root, "-c", "core.hooksPath=/dev/null", "tag", "--annotate", "--message=x", "mine")
    git(ada.root, "config", "push.followTags", "true")
    ada.propose(1)

    assert codes(ada) == (0, [])
    assert not canary.exists()
    assert crew.refs("refs/tags/") == {}


def test_a_sync_that_stops_in_its_push_is_finished_by_the_next(crew: Team) -> None:
    """The remote's hook kills the client: what the remote has taken and what not, the next sync sees."""
    ada, bob = crew.clone("ada"), crew.clone("bob")
    ada.propose(1)
    ada.say(1, text="first")
    ada.write(7)
    bob.write(8, push=True)
    crew.hook("pre-receive", f'kill -9 "$(cat "{crew.folder}/pid")"; sleep 0.2')
    child = os.fork()
    if child == 0:
        (crew.folder / "pid").write_text(str(os.getpid()))
        ada.sync()
        os._exit(0)
    assert os.WIFSIGNALED(os.waitpid(child, 0)[1])
    (crew.remote / "hooks/pre-receive").unlink()
    time.sleep(0.5)

    assert codes(ada) == (0, [])
    assert codes(bob) == (0, [])
    assert ada.refs() == bob.refs() == crew.refs()
    assert ada.head() == bob.head() == crew.refs("refs/heads/")["refs/heads/main"]
    ada.close(1, EventKind.WITHDRAWN)
    assert codes(ada) == (0, [])


@needs_keygen
def test_what_breaks_the_chain_of_signatures_is_not_pushed(crew: Team, tmp_path: Path) -> None:
    ada = crew.clone("ada")
    key = make_key(tmp_path)
    root = commit_signed(ada.root, key, {SIGNERS: key.line, ".gitmem/config.yaml": "format: 1\ntrust: signed\n"})
    git(ada.root, "config", "gitmem.signersRoot", root)
    git(ada.root, "push", "--quiet", "origin", "main")
    git(ada.root, "config", "gitmem.trust", "signed")
    bob = crew.clone("bob")

    signed = commit_signed(ada.root, key, {".gitmem/engrams/api/a.md": engram_text(id=engram_id(7), title="Signed")})
    assert codes(ada) == (0, [])
    assert crew.refs("refs/heads/")["refs/heads/main"] == signed

    use_key(ada.root, None)
    ada.write(8)
    assert codes(ada) == (1, ["chain-broken"])
    assert crew.refs("refs/heads/")["refs/heads/main"] == signed

    git(bob.root, "config", "gitmem.signersRoot", root)
    bob.write(9)
    assert codes(bob) == (0, ["needs-signature"])
