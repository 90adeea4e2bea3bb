"""What a hostile commit may hold below `.gitmem`: refused and named, never followed, and the rest is served."""

import json
import os
import resource
import stat
import subprocess
import sys
import zlib
from hashlib import sha1
from pathlib import Path

import pytest

from tests.cli.still import state
from tests.cli.verbs import BODY, FILE, ITEM, KNOWLEDGE, READING, WRITING
from tests.support import engram_id, engram_text, git, run_cli, run_inproc, write_tree

pytestmark = pytest.mark.capability("G-039")

SECRET = "quetzal"
LONG = pytest.mark.long
SOME = (("compile", FILE), ("list",), ("overview",), ("status",), ("check",), ("show", ITEM))
LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0" * 64 + "\nsize 12345\n"


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    write_tree(
        folder, {"secret.md": engram_text(id=engram_id(9), title=SECRET, body=SECRET + "\n", scope={"paths": ["**"]})}
    )
    return folder


def commit_entries(root: Path, *entries: str) -> None:
    """Commits index entries as they are typed, `mode oid<TAB>path`, whatever the work tree holds."""
    git(root, "update-index", "-z", "--index-info", stdin="".join(f"{entry}\0" for entry in entries))
    git(root, "commit", "--quiet", "--message", "entries")


def blob(root: Path, content: str) -> str:
    return git(root, "hash-object", "-w", "--stdin", stdin=content).strip()


def link(root: Path, rel: str, target: str | Path) -> str:
    return f"120000 {blob(root, str(target))}\t{rel}"


def codes(ran_out: str) -> dict[str, str]:
    """Code by place of the warnings of a compile."""
    return {warning["place"]: warning["code"] for warning in json.loads(ran_out)["warnings"] if warning.get("place")}


def assert_others_are_served(root: Path, *, place: str, code: str) -> None:
    ran = run_inproc(root, "compile", FILE, "--json")
    assert ran.code == 0, ran.err
    assert codes(ran.out)[place] == code
    assert [each["slug"] for each in json.loads(ran.out)["base"]["documents"]] == [ITEM]
    assert SECRET not in ran.out


def assert_nothing_leaks(root: Path, outside: Path) -> None:
    """Every verb ends as documented, shows no word from outside and leaves outside as it was."""
    before = state(outside)
    for words in (*READING.values(), *WRITING.values()):
        ran = run_inproc(root, *words, stdin=BODY)
        assert ran.code in (0, 1, 2), (words, ran.err)
        assert SECRET not in ran.out + ran.err, words
        assert state(outside) == before, words


def test_a_link_in_place_of_an_engram_is_named_and_never_followed(make_repo, outside: Path) -> None:
    """F-042, F-052"""
    root = make_repo(KNOWLEDGE)
    commit_entries(root, link(root, ".gitmem/engrams/api/secret.md", outside / "secret.md"))
    git(root, "checkout", "--quiet", "--", ".")
    assert (root / ".gitmem/engrams/api/secret.md").is_symlink()

    assert_others_are_served(root, place=".gitmem/engrams/api/secret.md", code="symlink")
    assert_nothing_leaks(root, outside)


@pytest.mark.parametrize(
    "rel", ["engrams", "cache", "", *(pytest.param(rel, marks=LONG) for rel in ("engrams/stolen", "skills", "ledger"))]
)
def test_a_link_in_place_of_a_folder_is_never_entered(make_repo, outside: Path, rel: str) -> None:
    """F-042: the folder of engrams may itself be the link, or all of `.gitmem`."""
    root = make_repo({name: text for name, text in KNOWLEDGE.items() if not name.startswith(f".gitmem/{rel}")})
    commit_entries(root, link(root, f".gitmem/{rel}".rstrip("/"), outside))
    git(root, "checkout", "--quiet", "--", ".")
    assert (root / ".gitmem" / rel).is_symlink()

    assert_nothing_leaks(root, outside)


@pytest.mark.parametrize("rel", ["engrams", pytest.param("engrams/api", marks=LONG), ""])
def test_a_link_put_in_place_of_a_tracked_folder_is_never_entered(make_repo, outside: Path, rel: str) -> None:
    """F-052: the commit is sound; somebody changed the work tree afterwards."""
    root = make_repo(KNOWLEDGE)
    folder = root / ".gitmem" / rel
    folder.rename(root / "aside")
    folder.symlink_to(outside)
    told = engram_text(title=SECRET, scope={"paths": [f"{SECRET}/**"]})
    write_tree(outside, {"api/use-the-client.md": told, "use-the-client.md": told, "config.yaml": f"{SECRET}: 1\n"})

    assert_nothing_leaks(root, outside)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_in_place_of_an_engram_does_not_stop_anybody(make_repo) -> None:
    root = make_repo(KNOWLEDGE)
    path = root / ".gitmem/engrams/api/use-the-client.md"
    path.unlink()
    os.mkfifo(path)

    for words in (*SOME, ("edit", ITEM, "title", "X")):
        ran = run_cli(root, *words)
        assert ran.code in (0, 1), (words, ran.err)
    assert stat.S_ISFIFO(path.lstat().st_mode)


def test_a_submodule_is_named(make_repo) -> None:
    """F-256: a gitlink below `.gitmem`."""
    root = make_repo(KNOWLEDGE)
    commit_entries(root, f"160000 {git(root, 'rev-parse', 'HEAD').strip()}\t.gitmem/engrams/sub.md")

    assert_others_are_served(root, place=".gitmem/engrams/sub.md", code="submodule")


def test_a_pointer_to_large_file_storage_is_named(make_repo) -> None:
    root = make_repo(KNOWLEDGE | {".gitmem/engrams/large.md": LFS})

    assert_others_are_served(root, place=".gitmem/engrams/large.md", code="lfs-pointer")


@pytest.mark.parametrize("rel", ["config.yaml", "layers.yaml", "tags.yaml"])
def test_settings_are_not_read_through_a_link(make_repo, rel: str) -> None:
    """What a link points to is a text as well, and this one would be valid settings."""
    root = make_repo({name: text for name, text in KNOWLEDGE.items() if name != f".gitmem/{rel}"})
    commit_entries(root, link(root, f".gitmem/{rel}", "trust: elsewhere"))

    assert_others_are_served(root, place=f".gitmem/{rel}", code="symlink")


@pytest.mark.parametrize(
    "rel",
    [
        "engrams/zeros.md",
        pytest.param("config.yaml", marks=pytest.mark.long),
        pytest.param("layers.yaml", marks=pytest.mark.long),
    ],
)
def test_a_blob_that_inflates_to_gigabytes_is_refused_by_its_size(make_repo, rel: str) -> None:
    """F-253: the size is asked before anything is read, so neither time nor memory grows."""
    root = make_repo(KNOWLEDGE)
    commit_entries(root, f"100644 {plant_zeros(root, 300 << 20)}\t.gitmem/{rel}")
    for path, size in ((root / ".gitmem" / rel, 2 << 20), (root / "AGENTS.md", 300 << 20)):
        with path.open("wb") as file:
            file.truncate(size)

    ran = frugal(root, "compile", FILE, "--json")
    assert ran.returncode == 0, ran.stderr
    assert codes(ran.stdout)[f".gitmem/{rel}"] == "too-large"
    for words in (("status",), ("check",), ("import", "--dry-run")):
        ran = frugal(root, *words)
        assert ran.returncode in (0, 1), (words, ran.stderr)


def plant_zeros(root: Path, size: int) -> str:
    """A loose object of ``size`` zeros: a few hundred kilobytes on the disk."""
    head = b"blob %d\0" % size
    chunk = bytes(1 << 20)
    digest, packer = sha1(head, usedforsecurity=False), zlib.compressobj(1)
    packed = [packer.compress(head)]
    for _ in range(size >> 20):
        digest.update(chunk)
        packed.append(packer.compress(chunk))
    packed.append(packer.flush())
    oid = digest.hexdigest()
    write_tree(root, {f".git/objects/{oid[:2]}/{oid[2:]}": b"".join(packed)})
    return oid


def frugal(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs gitmem in 200 MB of address space for itself and for each Git that it starts."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_DATA, (200 << 20, 200 << 20))

    command = [sys.executable, "-P", "-m", "gitmem", *words]
    return subprocess.run(command, cwd=root, preexec_fn=limit, capture_output=True, text=True, check=False, timeout=20)


Item = tuple[str, bytes, str]


def tree_of(root: Path, *items: Item) -> str:
    """A tree object of (mode, name, oid) as typed: Git's own commands refuse to make most of these."""
    content = b"".join(mode.encode() + b" " + name + b"\0" + bytes.fromhex(oid) for mode, name, oid in items)
    path = root / "typed-tree"
    path.write_bytes(content)
    oid = git(root, "hash-object", "-t", "tree", "-w", "--literally", str(path)).strip()
    path.unlink()
    return oid


def commit_engrams(root: Path, *items: Item) -> None:
    """A commit whose `.gitmem/engrams` holds the sample and these items."""
    api = git(root, "rev-parse", "HEAD:.gitmem/engrams/api").strip()
    engrams = tree_of(root, ("40000", b"api", api), *items)
    layers = git(root, "rev-parse", "HEAD:.gitmem/layers.yaml").strip()
    knowledge = tree_of(root, ("40000", b"engrams", engrams), ("100644", b"layers.yaml", layers))
    whole = tree_of(root, ("40000", b".gitmem", knowledge))
    git(root, "update-ref", "HEAD", git(root, "commit-tree", whole, "-m", "typed").strip())


NAMES = [
    b"..",
    b".",
    b".git",
    b".GIT",
    b"git~1",
    b"a/../../../b.md",
    b"/etc/passwd.md",
    b"\xff\xfe.md",
    b"line\nbreak.md",
    b"tab\there.md",
    b"back\\slash.md",
    b"C:\\x.md",
    b"a.md:stream.md",
    b"con.md",
    b"dot.",
    b"esc\x1b[31m.md",
    b"\xe2\x80\xaetxt.md",
    b".g\xe2\x80\x8cit",
    b"-n.md",
    b"*.md",
    b"api",
]


@pytest.mark.parametrize("name", NAMES, ids=repr)
def test_a_tree_with_a_name_that_no_checkout_makes_is_read_by_ids_alone(make_repo, tmp_path: Path, name: bytes) -> None:
    """F-257, F-048, F-050, F-068: such a file is served or named; its path is never opened."""
    root = make_repo(KNOWLEDGE)
    oid = blob(root, engram_text(id=engram_id(3), title="From a typed tree", scope={"paths": ["src/**"]}))
    commit_engrams(root, ("100644", name, oid))
    before = state(tmp_path)

    for words in (*SOME, ("get", engram_id(3)), ("why", engram_id(3))):
        ran = run_inproc(root, *words, "--json")
        assert ran.code in (0, 1), (words, ran.err)
        json.loads(ran.out)
    for words in (("edit", engram_id(3), "title", "X"), ("mv", engram_id(3), "other"), ("rm", engram_id(3)), ("fmt",)):
        ran = run_inproc(root, *words)
        assert ran.code in (0, 1, 2), (words, ran.err)
    assert state(tmp_path) == before
    ran = run_inproc(root, "compile", FILE, "--json")
    assert ITEM in [each["slug"] for each in json.loads(ran.out)["base"]["documents"]]


@pytest.mark.parametrize(
    "items",
    [
        [("100644", b"twice.md", "rule"), ("100644", b"twice.md", "other")],
        [("100664", b"group.md", "rule")],
        [("100755", b"program.md", "rule")],
        [("644", b"short.md", "rule")],
        [("100644", b"folder.md", "tree")],
        [("40000", b"file", "rule")],
        [("100644", b"commit.md", "commit")],
        [("100644", b"absent.md", "absent")],
        [("40000", b"absent", "absent")],
        [("160000", b"rule.md", "rule")],
        [("120000", b"absent.md", "absent")],
    ],
    ids=lambda items: f"{items[0][0]} {items[0][1].decode()}",
)
def test_a_tree_that_lies_about_its_entries_is_an_answer_or_one_error(make_repo, items: list[Item]) -> None:
    root = make_repo(KNOWLEDGE)
    oids = {
        "rule": blob(root, engram_text(id=engram_id(3), title="From a typed tree", scope={"paths": ["src/**"]})),
        "other": blob(root, engram_text(id=engram_id(4), title="Another", scope={"paths": ["src/**"]})),
        "tree": git(root, "rev-parse", "HEAD:.gitmem").strip(),
        "commit": git(root, "rev-parse", "HEAD").strip(),
        "absent": "12" * 20,
    }
    commit_engrams(root, *((mode, name, oids[what]) for mode, name, what in items))

    for words in SOME:
        ran = run_inproc(root, *words, "--json")
        assert ran.code in (0, 1), (words, ran.err)
        if ran.code:
            assert json.loads(ran.out).get("error", {}).get("code", "") != "internal"
            assert ran.err.startswith("error: ") or words[0] in ("check", "fmt"), (words, ran.err)
