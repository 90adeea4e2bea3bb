"""Trust `signed` as its readers see it: what is served, what is said, and who may loosen it."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.asking import ask, codes, compiled, slugs
from tests.conftest import MakeRepo
from tests.keys import SIGNERS, Key, commit_signed, make_key, needs_keygen, use_key
from tests.support import engram_id, engram_text, git, write_tree

pytestmark = [needs_keygen, pytest.mark.capability("G-019")]
CONFIG = ".gitmem/config.yaml"
SIGNED = {CONFIG: "format: 1\ntrust: signed\n"}


def rule(slug: str, number: int) -> dict[str, str]:
    return {f".gitmem/engrams/api/{slug}.md": engram_text(id=engram_id(number), scope={"paths": ["src/**"]})}


@pytest.fixture
def ada(tmp_path: Path) -> Key:
    return make_key(tmp_path)


@pytest.fixture
def eve(tmp_path: Path) -> Key:
    return make_key(tmp_path, "eve@example.org")


@pytest.fixture
def origin(make_repo: MakeRepo, ada: Key) -> Path:
    origin = make_repo(SIGNED | {SIGNERS: ada.line} | rule("first", 1), name="origin")
    git(origin, "config", "receive.denyCurrentBranch", "updateInstead")
    return origin


@pytest.fixture
def clone(origin: Path) -> Path:
    """A clone in which a person has named the first commit as the root."""
    where = origin.parent / "clone"
    git(origin.parent, "clone", "--quiet", str(origin), str(where))
    git(where, "config", "gitmem.signersRoot", git(origin, "rev-parse", "HEAD").strip())
    return where


def pulled(clone: Path, *words: str) -> dict:
    git(clone, "fetch", "--quiet")
    return compiled(clone, *words)


def test_what_a_signer_lands_is_served(origin: Path, clone: Path, ada: Key) -> None:
    commit_signed(origin, ada, rule("second", 2))

    answer = pulled(clone)

    assert slugs(answer) == ["first", "second"]
    assert answer["warnings"] == []
    status = ask(clone, "status")
    assert (status["trust"], status["commit"]) == ("signed", git(origin, "rev-parse", "HEAD").strip())


def test_what_nobody_signed_is_not_served_and_is_named(origin: Path, clone: Path, ada: Key) -> None:
    bad = commit_signed(origin, None, rule("second", 2))
    commit_signed(origin, ada, rule("third", 3))

    answer = pulled(clone)

    assert slugs(answer) == ["first"]
    assert codes(answer["warnings"]) == ["chain-broken"]
    assert bad[:12] in answer["warnings"][0]["message"]
    assert codes(ask(clone, "status")["warnings"]) == ["chain-broken"]
    assert slugs(compiled(clone, "--trust", "main")) == ["first", "second", "third"]


def test_a_clone_without_a_root_serves_nothing_until_a_person_names_it(origin: Path, clone: Path) -> None:
    git(clone, "config", "--unset", "gitmem.signersRoot")

    answer = compiled(clone)

    assert slugs(answer) == []
    assert codes(answer["warnings"]) == ["signers-root-missing"]
    git(clone, *answer["warnings"][0]["hint"].rpartition("then: git ")[2].split())
    assert slugs(compiled(clone)) == ["first"]


def test_a_pull_request_that_adds_its_own_key_is_judged_from_its_base(
    origin: Path, clone: Path, ada: Key, eve: Key
) -> None:
    git(clone, "switch", "--quiet", "--create", "feature")
    commit_signed(clone, eve, {SIGNERS: ada.line + eve.line} | rule("of-eve", 2))
    on_branch = compiled(clone)

    git(clone, "push", "--quiet", "origin", "feature:main")
    merged = compiled(clone)

    assert slugs(on_branch) == slugs(merged) == ["first"]
    assert on_branch["warnings"] == []
    assert [mark["branch"] for mark in on_branch["marks"].values()] == ["adds"]
    assert codes(merged["warnings"]) == ["chain-broken"]
    assert "eve@example.org" in merged["warnings"][0]["message"]


@pytest.mark.parametrize("text", ["format: 1\ntrust: main\n", "format: 1\n", "format: 1\ntrust: head\n", None])
def test_nobody_but_a_signer_loosens_the_policy(origin: Path, clone: Path, eve: Key, text: str | None) -> None:
    use_key(origin, eve)
    if text is None:
        git(origin, "rm", "--quiet", CONFIG)
    else:
        write_tree(origin, {CONFIG: text})
    commit_signed(origin, eve, rule("of-eve", 2))

    answer = pulled(clone)

    assert slugs(answer) == ["first"]
    assert codes(answer["warnings"]) == ["chain-broken"]


def test_a_signer_may_loosen_the_policy(origin: Path, clone: Path, ada: Key) -> None:
    commit_signed(origin, ada, {CONFIG: "format: 1\ntrust: main\n"})
    commit_signed(origin, None, rule("second", 2))
    git(clone, "pull", "--quiet")

    assert slugs(compiled(clone)) == ["first", "second"]


def test_a_branch_that_says_head_loosens_nothing(clone: Path) -> None:
    git(clone, "switch", "--quiet", "--create", "feature")
    commit_signed(clone, None, {CONFIG: "format: 1\ntrust: head\n"} | rule("mine", 2))

    answer = compiled(clone)

    assert slugs(answer) == ["first"]
    assert codes(ask(clone, "status")["notices"]).count("trust-loosened") == 1


def test_another_branch_may_be_the_signed_one(origin: Path, clone: Path, ada: Key) -> None:
    git(origin, "switch", "--quiet", "--create", "release")
    commit_signed(origin, ada, rule("second", 2))
    git(clone, "config", "gitmem.signedBranch", "release")

    missing = compiled(clone)

    assert codes(missing["warnings"]) == ["trusted-ref-missing"]
    assert slugs(pulled(clone)) == ["first", "second"]
    git(clone, "config", "gitmem.signedBranch", "../release")
    assert codes(compiled(clone)["warnings"]) == ["trust-unknown"]


def test_without_a_remote_the_branch_at_hand_is_followed(origin: Path, ada: Key) -> None:
    git(origin, "config", "gitmem.signersRoot", git(origin, "rev-parse", "HEAD").strip())
    commit_signed(origin, ada, rule("second", 2))
    commit_signed(origin, None, rule("third", 3))

    answer = compiled(origin)

    assert slugs(answer) == ["first", "second"]
    assert [mark["branch"] for mark in answer["marks"].values()] == ["adds"]


def test_a_revision_behind_the_break_can_be_read_and_says_so(origin: Path, clone: Path) -> None:
    commit_signed(origin, None, rule("second", 2))

    answer = pulled(clone, "--at", "origin/main")

    assert slugs(answer) == ["first", "second"]
    assert "unapproved-revision" in codes(answer["notices"])


def test_init_offers_the_key_that_git_signs_with(make_repo: MakeRepo, ada: Key) -> None:
    repo = make_repo({"a.py": ""})
    use_key(repo, ada)

    (warning,) = ask(repo, "init", "--trust", "signed")["warnings"]

    assert warning["code"] == "trust-signed"
    key = " ".join(ada.public.split()[:2])
    assert f'{ada.email} namespaces="git" {key}; commit it' in warning["hint"]
    assert not (repo / SIGNERS).exists()


@pytest.mark.parametrize("key", ["", "/nowhere/id", "ABCDEF0123456789"])
def test_init_invents_no_key(make_repo: MakeRepo, key: str) -> None:
    repo = make_repo({"a.py": ""})
    git(repo, "config", "gpg.format", "ssh")
    git(repo, "config", "user.signingKey", key)

    (warning,) = ask(repo, "init", "--trust", "signed")["warnings"]

    assert "EMAIL PUBLIC-KEY" in warning["hint"]


def test_the_first_steps_that_init_names_lead_to_served_knowledge(make_repo: MakeRepo, ada: Key) -> None:
    repo = make_repo({"src/a.py": ""})
    use_key(repo, ada)
    hint = ask(repo, "init", "--trust", "signed")["warnings"][0]["hint"]
    line = hint.partition("each signer: ")[2].partition("; commit it")[0]
    start = commit_signed(repo, ada, {SIGNERS: f"{line}\n"})
    git(repo, "config", "gitmem.signersRoot", start)
    commit_signed(repo, ada, rule("first", 1))

    assert slugs(compiled(repo)) == ["first"]
    assert ask(repo, "check")["findings"] == []


def test_signatures_cost_other_policies_nothing(make_repo: MakeRepo) -> None:
    repo = make_repo({CONFIG: "format: 1\n"} | rule("first", 1))
    program = (
        "import sys; from gitmem.cli.main import run; run(['compile', 'src/a.py']);"
        "sys.exit(any(name.startswith('gitmem.store.sign') or name in ('gitmem.store.chain', 'gitmem.store.gitkeys')"
        " for name in sys.modules))"
    )

    done = subprocess.run([sys.executable, "-P", "-c", program], cwd=repo, capture_output=True, check=False)

    assert done.returncode == 0
