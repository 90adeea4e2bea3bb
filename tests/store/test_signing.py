"""Signing a commit with the user's own Git settings: the same commit, and never a question."""

import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitmem.errors import GitmemError
from gitmem.store import chain, gitwrite, signing
from gitmem.store.gitwrite import Draft
from gitmem.store.repo import discover
from tests.conftest import MakeRepo
from tests.keys import SIGNERS, Key, make_key, needs_keygen, use_key
from tests.support import git, write_tree

pytestmark = [needs_keygen, pytest.mark.capability("G-019")]


@pytest.fixture
def ada(tmp_path: Path) -> Key:
    return make_key(tmp_path)


@pytest.fixture
def root(make_repo: MakeRepo, ada: Key) -> Path:
    """Git signs with Ada's key where it is asked to, and not by itself."""
    where = make_repo({SIGNERS: ada.line})
    use_key(where, ada)
    use_key(where, None)
    return where


def raw(where: Path, oid: str) -> str:
    return git(where, "cat-file", "commit", oid)


def without_signature(text: str) -> str:
    head, gap, message = text.partition("\n\n")
    return head.partition("\ngpgsig")[0] + gap + message


def write_raw(where: Path, header: str, message: bytes) -> str:
    tree = git(where, "rev-parse", "HEAD^{tree}").strip()
    content = f"tree {tree}\n{header}\n\n".encode() + message
    return git(where, "hash-object", "-t", "commit", "-w", "--stdin", stdin=content).strip()


def parent_line(where: Path, revision: str = "HEAD") -> str:
    return f"parent {git(where, 'rev-parse', revision).strip()}\n"


def test_the_signed_commit_is_the_same_but_for_its_signature(root: Path) -> None:
    base = git(root, "rev-parse", "HEAD").strip()
    repo = discover(root)
    when = datetime(2026, 5, 6, 7, 8, 9, tzinfo=UTC)
    plain = gitwrite.write_commit(repo, base, Draft({"a.md": b"a\n"}, "approve: a\n\nBecause.", "Bo <bo@x.org>", when))

    made = signing.sign_commit(repo, plain)

    assert made != plain
    assert without_signature(raw(root, made)) == raw(root, plain)
    assert chain.next_holds(repo, base, made) is None
    assert git(root, "rev-parse", "HEAD").strip() == base
    assert git(root, "status", "--porcelain") == ""
    git(root, "fsck", "--strict")


@pytest.mark.parametrize(
    ("people", "message"),
    [
        ("author A <a@x> 1 -0930\ncommitter B <b@x> 4102444800 +1400", b"m\n"),
        (
            "author \xc3\xa5 <> 1767323045 +0000\ncommitter B <b@x> 1767323045 +0000",
            b"\n\n  spaces\n\n\n# no comment\n\n",
        ),
        ("author A <a@x> 99 +0000\ncommitter B <b@x> 99 +0000", b"no line end"),
        ("author A <a@x> 99 +0000\ncommitter B <b@x> 99 +0000", b"from x\n---\nSigned-off-by: A <a@x>\n"),
        ("author A <a@x> 99 +0000\ncommitter B <b@x> 99 +0000\nencoding ISO-8859-1", b"gr\xfc\xdfe\n"),
    ],
    ids=["zones", "blank-mail", "no-line-end", "trailers", "encoding"],
)
def test_whatever_a_commit_says_stays(root: Path, people: str, message: bytes) -> None:
    git(root, "config", "i18n.commitEncoding", "ISO-8859-15")
    plain = write_raw(root, parent_line(root) + people, message)

    made = signing.sign_commit(discover(root), plain)

    assert without_signature(raw(root, made)) == raw(root, plain)


def test_a_merge_keeps_its_parents_and_a_root_has_none(root: Path) -> None:
    people = "author A <a@x> 99 +0000\ncommitter B <b@x> 99 +0000"
    first = write_raw(root, people, b"root\n")
    merge = write_raw(root, f"{parent_line(root)}parent {first}\n{people}", b"merge\n")
    repo = discover(root)

    assert without_signature(raw(root, signing.sign_commit(repo, first))) == raw(root, first)
    assert without_signature(raw(root, signing.sign_commit(repo, merge))) == raw(root, merge)


def test_a_signature_of_somebody_else_is_replaced(root: Path, tmp_path: Path, ada: Key) -> None:
    repo, base = discover(root), git(root, "rev-parse", "HEAD").strip()
    git(root, "commit", "--quiet", "--allow-empty", "-m", "x")
    git(root, "config", "user.signingKey", str(make_key(tmp_path, "bob@example.org").path))
    theirs = signing.sign_commit(repo, git(root, "rev-parse", "HEAD").strip())
    git(root, "config", "user.signingKey", str(ada.path))

    mine = signing.sign_commit(repo, theirs)

    assert chain.next_holds(repo, base, theirs) is not None
    assert chain.next_holds(repo, base, mine) is None


def refused(where: Path) -> GitmemError:
    began = time.monotonic()
    with pytest.raises(GitmemError) as caught:
        signing.sign_commit(discover(where), git(where, "rev-parse", "HEAD").strip())
    assert time.monotonic() - began < 20
    assert caught.value.code == "cannot-sign"
    assert "ssh-add" in caught.value.hint
    return caught.value


def test_a_key_that_wants_a_passphrase_is_not_asked_for_it(root: Path, tmp_path: Path) -> None:
    git(root, "config", "user.signingKey", str(make_key(tmp_path, passphrase="a b c").path))

    refused(root)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("user.signingKey", "/nowhere/key"),
        ("gpg.ssh.program", "false"),
        ("gpg.ssh.program", "/nowhere/program"),
        ("gpg.format", "openpgp"),
        ("gpg.format", "nonsense"),
    ],
)
def test_settings_that_do_not_sign_are_named(root: Path, key: str, value: str) -> None:
    git(root, "config", "gpg.program", "false")
    git(root, "config", key, value)

    assert "could not be signed" in refused(root).message


def test_a_program_that_signs_nothing_is_found_out(root: Path, tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text('#!/bin/sh\nfor file; do :; done\n: > "$file.sig"\n', encoding="utf-8")
    program.chmod(0o755)
    git(root, "config", "gpg.ssh.program", str(program))

    refused(root)


def test_a_commit_that_git_would_change_is_left_alone(root: Path) -> None:
    people = "author A <a@x> 99 +0000\ncommitter B <b@x> 99 +0000\nmergetag object x"
    plain = write_raw(root, parent_line(root) + people, b"m\n")

    with pytest.raises(GitmemError, match="would change") as caught:
        signing.sign_commit(discover(root), plain)

    assert caught.value.code == "cannot-sign"


@pytest.mark.long
def test_a_program_that_waits_is_ended_with_all_that_it_started(root: Path, tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\nsleep 300\n", encoding="utf-8")
    program.chmod(0o755)
    git(root, "config", "gpg.ssh.program", str(program))

    with pytest.raises(GitmemError, match="did not end") as caught:
        signing.sign_commit(discover(root), git(root, "rev-parse", "HEAD").strip())

    assert caught.value.code == "cannot-sign"


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_what_git_signs_by_itself_is_no_concern_of_our_commits(tmp_path: Path, ada: Key, object_format: str) -> None:
    """F-060: signing that is set in the user's configuration, with a program that never ends, holds up no commit."""
    root, program = tmp_path / "r", tmp_path / "program"
    root.mkdir()
    git(root, "init", "--quiet", f"--object-format={object_format}")
    program.write_text(f"#!/bin/sh\ntouch {tmp_path / 'ran'}\nsleep 300\n", encoding="utf-8")
    program.chmod(0o755)
    use_key(root, ada)
    for key in ("gpg.program", "gpg.ssh.program", "gpg.ssh.defaultKeyCommand"):
        git(root, "config", key, str(program))
    repo, when = discover(root), datetime(2026, 5, 6, tzinfo=UTC)
    write_tree(root, {"a.md": "a\n"})

    first = gitwrite.write_commit(repo, None, Draft({"a.md": b"a\n"}, "one", "A <a@x>", when))
    gitwrite.commit_files(repo, "refs/gitmem/proposals/aa/x", None, Draft({"a.md": b"b\n"}, "two", "A <a@x>", when))

    assert "gpgsig" not in raw(root, first)
    assert not (tmp_path / "ran").exists()
