"""The chain of signatures: which commit of a branch may be read, and where and why it ends."""

import os
import shutil
from pathlib import Path

import pytest

from gitmem.model.finding import Notice
from gitmem.store import cache as caches
from gitmem.store import chain, gitconfig, objects, signature, signed
from gitmem.store.repo import FOLDER, Repo, discover
from gitmem.store.trust import Held, Tip
from tests.conftest import MakeRepo
from tests.keys import SIGNERS, Key, commit_signed, make_key, needs_keygen, use_key
from tests.support import commit_all, git, write_tree

pytestmark = [needs_keygen, pytest.mark.capability("G-019")]
START = {".gitmem/config.yaml": "format: 1\n"}
CHAIN = 40


@pytest.fixture
def ada(tmp_path: Path) -> Key:
    return make_key(tmp_path, "ada@example.org")


@pytest.fixture
def bob(tmp_path: Path) -> Key:
    return make_key(tmp_path, "bob@example.org")


@pytest.fixture
def root(make_repo: MakeRepo, ada: Key) -> Path:
    """A repository whose only signer is Ada, and which starts from its first commit."""
    where = make_repo(START | {SIGNERS: ada.line})
    git(where, "config", "gitmem.signersRoot", tip_of(where))
    return where


def tip_of(where: Path) -> str:
    return git(where, "rev-parse", "HEAD").strip()


def hold(where: Path) -> Held:
    repo = discover(where)
    cache = caches.open_cache(repo, is_tracked=False)
    return signed.hold(repo, gitconfig.read_config(repo), cache, Tip("main", tip_of(where)))


def rule(number: int) -> dict[str, str]:
    return {f".gitmem/engrams/r{number}.md": f"rule {number}\n"}


def only(held: Held) -> Notice:
    (warning,) = held.warnings
    return warning


def ends_at(where: Path, good: str, bad: str) -> str:
    """The warning of a chain that ends at ``good`` because of ``bad``."""
    held = hold(where)
    warning = only(held)
    assert (held.commit, warning.code) == (good, "chain-broken")
    assert held.tree == git(where, "rev-parse", f"{good}:{FOLDER}").strip()
    assert good[:12] in warning.message
    assert bad[:12] in warning.message
    assert f"git config gitmem.signersRoot {bad}" in warning.hint
    return warning.message


def test_a_chain_holds_up_to_the_tip_whatever_other_folders_do(root: Path, ada: Key) -> None:
    commit_signed(root, ada, rule(1))
    commit_signed(root, None, {"src/a.py": "x = 1\n"})
    commit_signed(root, ada, rule(2))
    tip = commit_signed(root, None, {"src/a.py": "x = 2\n"})

    assert hold(root) == Held(tip, git(root, "rev-parse", f"{tip}:{FOLDER}").strip())


def test_a_break_in_the_middle_keeps_the_knowledge_before_it(root: Path, ada: Key) -> None:
    commit_signed(root, ada, rule(1))
    good = commit_signed(root, None, {"src/a.py": "x = 1\n"})
    bad = commit_signed(root, None, rule(2))
    commit_signed(root, ada, rule(3))

    assert "is not signed (committer ada@example.org)" in ends_at(root, good, bad)


def test_a_first_commit_that_is_not_signed_ends_the_chain_at_the_root(root: Path) -> None:
    start = tip_of(root)

    ends_at(root, start, commit_signed(root, None, rule(1)))


def test_without_a_root_nothing_is_served_and_the_command_is_named(root: Path, ada: Key) -> None:
    start = git(root, "config", "gitmem.signersRoot").strip()
    git(root, "config", "--unset", "gitmem.signersRoot")
    commit_signed(root, ada, rule(1))

    held = hold(root)

    assert (held.commit, held.tree) == ("", "")
    assert only(held).code == "signers-root-missing"
    assert only(held).hint.endswith(f"git config gitmem.signersRoot {start}")


def test_without_signers_the_hint_says_how_to_start(make_repo: MakeRepo) -> None:
    assert SIGNERS in only(hold(make_repo(START))).hint


@pytest.mark.parametrize("value", ["main", "HEAD", "abc1234", "-x", "; rm x"])
def test_a_root_that_can_move_is_none(root: Path, value: str) -> None:
    git(root, "config", "--", "gitmem.signersRoot", value)

    held = hold(root)

    assert (held.commit, only(held).code) == ("", "signers-root-missing")


def test_the_root_may_be_any_commit_of_the_line(root: Path, ada: Key) -> None:
    commit_signed(root, None, rule(1))
    later = commit_signed(root, None, {"src/a.py": "x = 1\n"})
    git(root, "config", "gitmem.signersRoot", later)
    tip = commit_signed(root, ada, rule(2))

    assert hold(root).commit == tip


def test_a_root_of_another_history_verifies_nothing(root: Path) -> None:
    git(root, "switch", "--quiet", "--orphan", "other")
    commit_signed(root, None, {"a": "b"})

    held = hold(root)

    assert (held.commit, only(held).code) == ("", "cannot-verify")


def test_a_root_that_came_in_by_a_merge_is_not_on_the_line(root: Path, ada: Key) -> None:
    git(root, "switch", "--quiet", "--create", "side")
    side = commit_signed(root, ada, rule(1))
    git(root, "switch", "--quiet", "main")
    commit_signed(root, ada, rule(2))
    git(root, "merge", "--quiet", "--no-ff", "-m", "merge", "-S", "side")
    git(root, "config", "gitmem.signersRoot", side)

    assert only(hold(root)).code == "cannot-verify"


def test_a_new_key_counts_from_the_commit_after_the_one_that_adds_it(root: Path, ada: Key, bob: Key) -> None:
    commit_signed(root, ada, {SIGNERS: ada.line + bob.line})
    tip = commit_signed(root, bob, rule(1))

    assert hold(root) == Held(tip, git(root, "rev-parse", f"{tip}:{FOLDER}").strip())


def test_a_commit_that_adds_its_own_key_is_refused(root: Path, bob: Key, ada: Key) -> None:
    """A pull request is judged from its base: the signers that it brings do not count for it."""
    start = tip_of(root)
    bad = commit_signed(root, bob, {SIGNERS: ada.line + bob.line})
    commit_signed(root, bob, rule(1))

    message = ends_at(root, start, bad)

    assert "is signed by ED25519 SHA256:" in message
    assert "(committer bob@example.org)" in message


def test_a_key_that_was_removed_signs_nothing_more(root: Path, ada: Key, bob: Key) -> None:
    commit_signed(root, ada, {SIGNERS: ada.line + bob.line})
    commit_signed(root, bob, rule(1))
    good = commit_signed(root, ada, {SIGNERS: ada.line})
    bad = commit_signed(root, bob, rule(2))

    assert "does not allow" in ends_at(root, good, bad)


def test_a_list_of_signers_that_is_gone_allows_nobody(root: Path, ada: Key) -> None:
    (root / SIGNERS).unlink()
    good = commit_signed(root, ada, rule(1))
    bad = commit_signed(root, ada, rule(2))

    assert SIGNERS in ends_at(root, good, bad)


def merged(root: Path, key: Key | None, sign: str) -> str:
    """A branch with a commit signed by ``key``, merged as a button of a forge does."""
    git(root, "switch", "--quiet", "--create", "feature")
    commit_signed(root, key, rule(7))
    git(root, "switch", "--quiet", "main")
    commit_signed(root, None, {"src/b.py": "y = 1\n"})
    git(root, "merge", "--quiet", "--no-ff", "-m", "merge", sign, "feature")
    return tip_of(root)


def test_a_merge_by_a_button_needs_a_signature_of_its_own(root: Path, ada: Key) -> None:
    bad = merged(root, ada, "--no-gpg-sign")

    ends_at(root, git(root, "rev-parse", "HEAD^1").strip(), bad)


def test_a_signed_merge_vouches_for_what_it_brings(root: Path, ada: Key) -> None:
    use_key(root, ada)

    tip = merged(root, None, "--gpg-sign")

    assert hold(root).commit == tip


def test_a_merge_that_leaves_the_folder_needs_no_signature(root: Path, ada: Key) -> None:
    git(root, "switch", "--quiet", "--create", "feature")
    commit_signed(root, None, {"src/c.py": "z = 1\n"})
    git(root, "switch", "--quiet", "main")
    commit_signed(root, ada, rule(1))
    git(root, "merge", "--quiet", "--no-ff", "-m", "merge", "feature")

    assert hold(root).commit == tip_of(root)


def test_a_shallow_clone_names_the_fetch_that_mends_it(root: Path, ada: Key, tmp_path: Path) -> None:
    commit_signed(root, ada, rule(1))
    tip = commit_signed(root, ada, rule(2))
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", "--depth=1", root.as_uri(), str(clone))
    git(clone, "config", "gitmem.signersRoot", git(root, "config", "gitmem.signersRoot").strip())

    held = hold(clone)

    assert (held.commit, only(held).code) == ("", "cannot-verify")
    git(clone, *only(held).hint.split()[3:])
    assert hold(clone).commit == tip


def test_a_clone_without_trees_verifies_nothing_that_it_cannot_see(root: Path, ada: Key, tmp_path: Path) -> None:
    commit_signed(root, None, rule(1))
    commit_signed(root, ada, rule(2))
    git(root, "config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", "--no-checkout", "--filter=tree:0", root.as_uri(), str(clone))
    git(clone, "config", "gitmem.signersRoot", git(root, "config", "gitmem.signersRoot").strip())

    held = hold(clone)

    assert (held.commit, only(held).code) == ("", "cannot-verify")


def test_a_signature_taken_from_another_commit_does_not_fit(root: Path, ada: Key) -> None:
    good = commit_signed(root, ada, rule(1))
    head = git(root, "cat-file", "commit", good).partition("\ngpgsig ")[2].partition("-----END SSH SIGNATURE-----")[0]
    commit_signed(root, None, rule(2))
    before, gap, message = git(root, "cat-file", "commit", "HEAD").partition("\n\n")
    forged = f"{before}\ngpgsig {head}-----END SSH SIGNATURE-----{gap}{message}"
    git(
        root,
        "reset",
        "--quiet",
        "--soft",
        git(root, "hash-object", "-w", "-t", "commit", "--stdin", stdin=forged).strip(),
    )

    assert "has a signature that does not fit it" in ends_at(root, good, tip_of(root))


def test_a_signature_of_another_kind_does_not_count(root: Path) -> None:
    start = tip_of(root)
    commit_signed(root, None, rule(1))
    before, gap, message = git(root, "cat-file", "commit", "HEAD").partition("\n\n")
    block = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n aGVsbG8=\n -----END PGP SIGNATURE-----"
    oid = git(root, "hash-object", "-w", "-t", "commit", "--stdin", stdin=f"{before}\n{block}{gap}{message}").strip()
    git(root, "reset", "--quiet", "--soft", oid)

    assert "not an SSH signature" in ends_at(root, start, oid)
    assert "gpg.format ssh" in only(hold(root)).hint


@pytest.mark.parametrize(
    ("options", "date", "holds"),
    [
        ('namespaces="git"', "2026-01-02T03:04:05Z", True),
        ('namespaces="file"', "2026-01-02T03:04:05Z", False),
        ('valid-before="20260601"', "2026-01-02T03:04:05Z", True),
        ('valid-before="20260601"', "2026-07-02T03:04:05Z", False),
        ('valid-after="20260601"', "2026-01-02T03:04:05Z", False),
    ],
)
def test_limits_of_a_key_are_those_of_ssh(root: Path, ada: Key, options: str, date: str, holds: bool) -> None:
    start = commit_signed(root, ada, {SIGNERS: ada.limited(options)})
    tip = commit_signed(root, ada, rule(1), date=date)

    assert hold(root).commit == (tip if holds else start)


@pytest.mark.parametrize("principal", ["*@example.org", "lead@example.org,ada@example.org", "!bob@example.org,*"])
def test_principals_may_be_patterns_and_lists(root: Path, ada: Key, principal: str) -> None:
    commit_signed(root, ada, {SIGNERS: f"# who\n\n{principal} {ada.public}\n"})
    tip = commit_signed(root, ada, rule(1))

    assert hold(root).commit == tip


def test_a_signer_may_commit_under_another_address(root: Path, ada: Key) -> None:
    tip = commit_signed(root, ada._replace(email="ada@home.example"), rule(1))

    assert hold(root).commit == tip


def test_a_list_of_signers_that_is_a_link_allows_nobody(root: Path, ada: Key) -> None:
    (root / SIGNERS).unlink()
    (root / SIGNERS).symlink_to("config.yaml")
    good = commit_signed(root, ada, {})
    bad = commit_signed(root, ada, rule(1))

    ends_at(root, good, bad)


def test_no_program_and_no_path_of_the_repository_is_used(root: Path, ada: Key, bob: Key, tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path / 'ran'}\n", encoding="utf-8")
    trap.chmod(0o755)
    (tmp_path / "everybody").write_text(f"* {bob.public}\n", encoding="utf-8")
    start = tip_of(root)
    bad = commit_signed(root, bob, rule(1))
    git(root, "config", "gpg.ssh.program", str(trap))
    git(root, "config", "gpg.program", str(trap))
    git(root, "config", "gpg.ssh.allowedSignersFile", str(tmp_path / "everybody"))

    ends_at(root, start, bad)

    assert not (tmp_path / "ran").exists()


def test_without_ssh_keygen_nothing_is_verified_and_the_cache_forgets_it(
    root: Path, ada: Key, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tip = commit_signed(root, ada, rule(1))
    path = os.environ["PATH"]
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "git").symlink_to(shutil.which("git") or "")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))

    held = hold(root)

    assert (held.commit, only(held).code) == ("", "cannot-verify")
    assert "OpenSSH" in only(held).hint
    monkeypatch.setenv("PATH", path)
    assert hold(root).commit == tip


class Log:
    """Counts the programs that were started, by standing before them in the search path."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.file = folder / "started"
        shims = folder / "shims"
        shims.mkdir()
        for name in ("git", "ssh-keygen"):
            shim = shims / name
            shim.write_text(
                f'#!/bin/sh\necho {name} >> {self.file}\nexec {shutil.which(name)} "$@"\n', encoding="utf-8"
            )
            shim.chmod(0o755)
        monkeypatch.setenv("PATH", f"{shims}{os.pathsep}{os.environ['PATH']}")

    def take(self) -> tuple[int, int]:
        """How often (git, ssh-keygen) ran since the last look."""
        names = self.file.read_text(encoding="utf-8").split() if self.file.exists() else []
        self.file.unlink(missing_ok=True)
        return names.count("git"), names.count("ssh-keygen")


def started(where: Path, log: Log) -> tuple[int, int]:
    repo = discover(where)
    tip, config = Tip("main", tip_of(where)), gitconfig.read_config(repo)
    cache = caches.open_cache(repo, is_tracked=False)
    log.take()
    signed.hold(repo, config, cache, tip)
    return log.take()


def test_a_chain_that_is_known_starts_no_program(
    root: Path, ada: Key, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(CHAIN):
        commit_signed(root, ada, rule(number))
    log = Log(tmp_path, monkeypatch)

    cold, warm = started(root, log), started(root, log)
    commit_signed(root, ada, rule(200))
    one_more = started(root, log)

    assert cold[1] == CHAIN
    assert cold[0] <= 10
    assert warm == (0, 0)
    assert (one_more[1], one_more[0] <= cold[0]) == (1, True)


def test_a_break_that_is_known_starts_no_program(
    root: Path, bob: Key, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit_signed(root, bob, rule(1))
    before = hold(root)
    log = Log(tmp_path, monkeypatch)

    assert started(root, log) == (0, 0)
    assert hold(root) == before


@pytest.mark.parametrize("at", [0, 16, -1])
def test_a_cache_that_somebody_changed_is_not_believed(root: Path, ada: Key, at: int) -> None:
    start = tip_of(root)
    bad = commit_signed(root, None, rule(1))
    hold(root)
    (kept,) = (root / ".gitmem/cache").glob("signed-*")
    content = bytearray(kept.read_bytes())
    content[at] ^= 1
    kept.write_bytes(content)

    ends_at(root, start, bad)


def test_a_cache_of_another_clone_is_not_believed(root: Path, make_repo: MakeRepo, ada: Key) -> None:
    start = tip_of(root)
    bad = commit_signed(root, None, rule(1))
    hold(root)
    (kept,) = (root / ".gitmem/cache").glob("signed-*")
    kept.write_bytes(b"\0" * 16 + f"1\n{start}\n{bad}\n{bad}\n{bad}\n\n".encode())

    ends_at(root, start, bad)


def test_a_branch_that_was_pushed_anew_is_verified_from_the_root(root: Path, ada: Key) -> None:
    first = commit_signed(root, ada, rule(1))
    commit_signed(root, ada, rule(2))
    hold(root)
    git(root, "reset", "--quiet", "--hard", first)

    assert hold(root) == Held(first, git(root, "rev-parse", f"{first}:{FOLDER}").strip())
    git(root, "reset", "--quiet", "--hard", git(root, "config", "gitmem.signersRoot").strip())
    bad = commit_signed(root, None, rule(3))
    ends_at(root, git(root, "rev-parse", f"{bad}^").strip(), bad)


def test_a_chain_that_was_mended_by_a_new_push_holds_again(root: Path, ada: Key) -> None:
    good = commit_signed(root, ada, rule(1))
    commit_signed(root, None, rule(2))
    hold(root)
    git(root, "reset", "--quiet", "--hard", good)
    tip = commit_signed(root, ada, rule(2))

    assert hold(root) == Held(tip, git(root, "rev-parse", f"{tip}:{FOLDER}").strip())


def test_a_repository_of_the_new_object_format_is_verified_too(tmp_path: Path, ada: Key) -> None:
    where = tmp_path / "sha256"
    where.mkdir()
    git(where, "init", "--quiet", "--object-format=sha256", "--initial-branch=main")
    write_tree(where, START | {SIGNERS: ada.line})
    git(where, "config", "gitmem.signersRoot", commit_all(where, "start"))
    good = commit_signed(where, ada, rule(1))

    assert hold(where).commit == good
    ends_at(where, good, commit_signed(where, None, rule(2)))


def test_whoever_lands_can_ask_before(root: Path, ada: Key, bob: Key) -> None:
    repo, base = discover(root), tip_of(root)
    mine = commit_signed(root, ada, rule(1))
    theirs = commit_signed(root, bob, rule(2))

    assert chain.next_holds(repo, base, mine) is None
    refused = chain.next_holds(repo, mine, theirs)
    assert refused is not None
    assert "does not allow" in refused.message


def parts(repo: Repo, oid: str) -> signature.Signed:
    return signature.split(dict(objects.read_blobs(repo, [oid]))[oid], repo.object_format)


def test_a_commit_with_two_signatures_has_none(root: Path, ada: Key) -> None:
    raw = git(root, "cat-file", "commit", commit_signed(root, ada, rule(1)))
    head, gap, message = raw.partition("\n\n")
    block = head[head.index("gpgsig ") :]

    assert signature.split(raw.encode(), "sha1").is_ssh
    assert signature.split(f"{head}\n{block}{gap}{message}".encode(), "sha1").signature == b""


def test_what_was_signed_is_the_commit_without_its_signature(root: Path, ada: Key) -> None:
    plain = tip_of(root)
    oid = commit_signed(root, ada, rule(1))

    found = parts(discover(root), oid)

    assert found.values(b"parent") == [plain.encode()]
    assert b"gpgsig" not in found.payload
    assert parts(discover(root), plain).signature == b""
