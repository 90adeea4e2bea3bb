"""The same commit gives the same answer however its repository is laid out: one test of reads for each layout."""

import json
import os
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.asking import index_files
from tests.cli.still import state
from tests.cli.verbs import ABSENT, BODY, FILE, ITEM, KNOWLEDGE, READING
from tests.support import commit_all, git, run_inproc, write_tree

# One commit before the last, so that a shallow clone lacks something.
FIRST = {FILE: "0\n", "README.md": "x\n", "docs/a.md": "a\n"}
RULE = ".gitmem/engrams/api/use-the-client.md"


@pytest.fixture
def source(make_repo) -> Path:
    root = make_repo(FIRST, name="source")
    write_tree(root, KNOWLEDGE)
    commit_all(root, "knowledge")
    git(root, "config", "uploadpack.allowFilter", "true")
    return root


def clone(source: Path, *options: str, name: str = "clone") -> Path:
    """A clone that trusts its HEAD, as the source does."""
    target = source.parent / name
    git(source.parent, "clone", "--quiet", *options, source.as_uri(), str(target))
    git(target, "config", "gitmem.trust", "head")
    return target


def linked(source: Path) -> Path:
    git(source, "worktree", "add", "--quiet", "--detach", str(source.parent / "linked"))
    return source.parent / "linked"


def linked_inside(source: Path) -> Path:
    git(source, "worktree", "add", "--quiet", "--detach", str(source / "wt"))
    return source / "wt"


def bare(source: Path) -> Path:
    return clone(source, "--bare", name="bare.git")


def worktree_of_bare(source: Path) -> Path:
    git(bare(source), "worktree", "add", "--quiet", str(source.parent / "wt"), "main")
    return source.parent / "wt"


def bare_named_git(source: Path) -> Path:
    """A bare repository called .git with its worktrees beside it: a usual way to work on many branches."""
    folder = source.parent / "project"
    folder.mkdir()
    clone(source, "--bare", name="project/.git")
    git(folder / ".git", "worktree", "add", "--quiet", str(folder / "main"), "main")
    return folder / "main"


def submodule(source: Path) -> Path:
    host = source.parent / "host"
    host.mkdir()
    git(host, "init", "--quiet")
    git(host, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", source.as_uri(), "vendor/sub")
    git(host / "vendor/sub", "config", "gitmem.trust", "head")
    return host / "vendor/sub"


def sparse(source: Path) -> Path:
    root = clone(source)
    git(root, "sparse-checkout", "set", "src")
    assert not (root / ".gitmem").exists()
    return root


def sparse_without_cones(source: Path) -> Path:
    root = clone(source)
    git(root, "sparse-checkout", "set", "--no-cone", "/src/", "!/.gitmem/engrams/")
    assert not (root / ".gitmem").exists()
    return root


def sparse_index(source: Path) -> Path:
    root = clone(source)
    git(root, "sparse-checkout", "set", "--cone", "--sparse-index", "src")
    assert ".gitmem/\n" in git(root, "ls-files", "--sparse")
    return root


def shallow(source: Path) -> Path:
    return clone(source, "--depth=1")


def partial(source: Path) -> Path:
    return clone(source, "--filter=blob:none")


def split_index(source: Path) -> Path:
    git(source, "update-index", "--split-index")
    write_tree(source, {"later.py": "1\n"})
    git(source, "add", "later.py")
    assert list((source / ".git").glob("sharedindex.*"))
    return source


def index_of_version_4(source: Path) -> Path:
    git(source, "update-index", "--index-version", "4", "--untracked-cache")
    return source


def packed(source: Path) -> Path:
    git(source, "repack", "-a", "-d", "-q")
    git(source, "pack-refs", "--all", "--prune")
    git(source, "commit-graph", "write", "--reachable", "--changed-paths")
    git(source, "multi-pack-index", "write", "--bitmap")
    assert not (source / ".git/refs/heads/main").exists()
    return source


def detached(source: Path) -> Path:
    git(source, "checkout", "--quiet", "--detach")
    return source


def shared(source: Path) -> Path:
    root = source.parent / "shared"
    git(source.parent, "clone", "--quiet", "--shared", str(source), str(root))
    git(root, "config", "gitmem.trust", "head")
    assert (root / ".git/objects/info/alternates").exists()
    return root


def git_folder_elsewhere(source: Path) -> Path:
    root = source.parent / "root"
    clone(source, f"--separate-git-dir={source.parent / 'elsewhere'}", name="root")
    assert (root / ".git").is_file()
    return root


def line_ends_of_windows(source: Path) -> Path:
    root = clone(source, "--config", "core.autocrlf=true")
    assert b"\r\n" in (root / RULE).read_bytes()
    return root


def other_case(source: Path) -> Path:
    git(source, "config", "core.ignoreCase", "true")
    git(source, "config", "core.fileMode", "false")
    git(source, "config", "core.symlinks", "false")
    return source


def inside_dot_folders(source: Path) -> Path:
    """F-086: neither the folder of a configuration nor one that is named as ours hides what lies below it."""
    (source.parent / ".gitmem/.config").mkdir(parents=True)
    return clone(source, name=".gitmem/.config/app")


def behind_a_link(source: Path) -> Path:
    (source.parent / "link").symlink_to(source)
    return source.parent / "link"


def worktree_settings(source: Path) -> Path:
    git(source, "config", "extensions.worktreeConfig", "true")
    git(source, "config", "--worktree", "core.bare", "false")
    return source


def branch_with_a_long_name(source: Path) -> Path:
    git(source, "switch", "--quiet", "--create", "team/\u00fcber/" + "x" * 100)
    return source


Layout = Callable[[Path], Path]


def named(lay_out: Layout) -> str:
    return lay_out.__name__


LAYOUTS: list[Layout] = [
    linked,
    linked_inside,
    bare,
    worktree_of_bare,
    bare_named_git,
    submodule,
    sparse,
    sparse_without_cones,
    sparse_index,
    shallow,
    partial,
    split_index,
    index_of_version_4,
    packed,
    detached,
    shared,
    git_folder_elsewhere,
    line_ends_of_windows,
    other_case,
    inside_dot_folders,
    behind_a_link,
    worktree_settings,
    branch_with_a_long_name,
]
EDITS = (("new", "fact", "T"), ("edit", ITEM, "title", "T"), ("rm", ITEM), ("mv", ITEM, "x"), ("fmt",))
SOME = (("list",), ("check",), ("why", ITEM), ("show", ITEM), ("overview",))
SHARING = (submodule, shallow, split_index)


def told(lay_out: Layout) -> Sequence[tuple[str, ...]]:
    """Every verb that reads in a linked work tree, and once more in three other layouts, which share them."""
    every = [words for words in READING.values() if not ABSENT.intersection(words)]
    if lay_out is linked:
        return every
    return every[SHARING.index(lay_out) :: len(SHARING)] if lay_out in SHARING else SOME


def compiled(root: Path) -> dict[str, object]:
    ran = run_inproc(root, "compile", FILE, "--json")
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


def bytes_of(answer: dict[str, object], *keys: str) -> bytes:
    return json.dumps([answer[key] for key in keys]).encode()


@pytest.mark.capability("G-006")
@pytest.mark.parametrize("lay_out", LAYOUTS, ids=named)
def test_a_layout_changes_no_answer(source: Path, lay_out: Layout) -> None:
    """F-069, F-017, F-058: nothing waits to be committed in any of them, and no read leaves a trace."""
    same_answers(source, lay_out, told(lay_out))


@pytest.mark.long
@pytest.mark.parametrize("lay_out", SHARING, ids=named)
def test_a_layout_changes_no_answer_of_any_verb(source: Path, lay_out: Layout) -> None:
    same_answers(source, lay_out, told(linked))


def same_answers(source: Path, lay_out: Layout, verbs: Sequence[tuple[str, ...]]) -> None:
    expected = compiled(source)
    assert expected["base"]["documents"]
    root = lay_out(source)
    before = state(root)

    answer = compiled(root)

    same = ("compile_id", "snapshot_id", "knowledge_version", "base", "expanded", "warnings", "receipt", "notices")
    assert bytes_of(answer, *same) == bytes_of(expected, *same)
    for words in verbs:
        ran = run_inproc(root, *words)
        assert ran.code == 0, (words, ran.err)
    assert "through its client" in run_inproc(root, "get", ITEM).out
    assert json.loads(run_inproc(root, "status", "--json").out)["uncommitted"] == []
    assert {path: facts for path, facts in state(root).items() if "gitmem" not in path} == {
        path: facts for path, facts in before.items() if "gitmem" not in path
    }


@pytest.mark.capability("G-006")
@pytest.mark.parametrize("kind", ["sha256", "reftable"])
def test_another_format_of_the_repository_changes_no_answer(source: Path, kind: str) -> None:
    expected = compiled(source)
    root = source.parent / kind
    option = "--object-format=sha256" if kind == "sha256" else "--ref-format=reftable"
    done = subprocess.run(
        ["git", "init", "--quiet", "--initial-branch=main", option, str(root)], capture_output=True, check=False
    )
    if done.returncode:
        pytest.skip(f"this Git has no {kind}")
    for text in (FIRST, KNOWLEDGE):
        write_tree(root, text)
        commit_all(root)

    answer = compiled(root)

    same = ("compile_id", "snapshot_id", "knowledge_version", "base", "warnings", "notices")
    assert bytes_of(answer, *same) == bytes_of(expected, *same)
    for words in SOME:
        assert run_inproc(root, *words).code == 0, words
    assert len(answer["environment"]["commit"]) == (64 if kind == "sha256" else 40)


@pytest.mark.parametrize("lay_out", [linked, linked_inside, bare_named_git], ids=named)
def test_worktrees_share_one_cache(source: Path, lay_out: Layout) -> None:
    """F-056: the common folder is the identity; a second worktree builds nothing again."""
    compiled(source)
    root = lay_out(source)
    compiled(root)
    again = linked_to(root)
    common = Path(git(root, "rev-parse", "--path-format=absolute", "--git-common-dir").strip())
    folders = [common.parent / ".gitmem/cache", common / "gitmem/cache"]
    before = [index_files(folder) for folder in folders]
    assert any(before)

    assert compiled(again)["base"] == compiled(root)["base"]

    assert [index_files(folder) for folder in folders] == before
    assert not (again / ".gitmem/cache").exists()


def linked_to(root: Path) -> Path:
    target = root.parent / "third"
    git(root, "worktree", "add", "--quiet", "--detach", str(target))
    return target


@pytest.mark.parametrize("lay_out", [linked, submodule, worktree_of_bare, git_folder_elsewhere], ids=named)
def test_what_is_written_in_a_layout_is_read_there(source: Path, lay_out: Layout) -> None:
    """F-074, F-069: from a folder inside too."""
    root = lay_out(source)
    ran = run_inproc(root / "src", "new", "constraint", "Written here", "--path", "src/**", "--json", stdin=BODY)
    assert ran.code == 0, ran.err
    assert (root / json.loads(ran.out)["path"]).is_file()
    assert json.loads(run_inproc(root, "status", "--json").out)["uncommitted"] == [
        ".gitmem/engrams/general/written-here.md"
    ]
    commit_all(root)

    assert "written-here" in [each["slug"] for each in compiled(root)["base"]["documents"]]


@pytest.mark.parametrize("lay_out", [sparse, sparse_index, sparse_without_cones], ids=named)
def test_a_write_says_that_the_folder_is_not_on_the_disk(source: Path, lay_out: Layout) -> None:
    """What is committed must not be written anew because a sparse checkout leaves it out."""
    root = lay_out(source)
    before = state(root)

    for words in EDITS:
        ran = run_inproc(root, *words, "--json", stdin=BODY)
        assert (ran.code, json.loads(ran.out)["error"]["code"]) == (1, "not-on-disk"), words
        assert "git sparse-checkout add .gitmem" in ran.err
    assert state(root) == before
    ran = run_inproc(root, "init", "--json")
    assert ran.code == 0
    assert not set(json.loads(ran.out)["written"]) & set(KNOWLEDGE)
    assert not (root / ".gitmem/config.yaml").exists()


def test_a_bare_repository_has_nothing_to_write_in(source: Path) -> None:
    root = bare(source)
    for words in (
        ("new", "fact", "T"),
        ("edit", ITEM, "title", "T"),
        ("rm", ITEM),
        ("mv", ITEM, "x"),
        ("fmt",),
        ("init",),
    ):
        ran = run_inproc(root, *words, "--json", stdin=BODY)
        assert (ran.code, json.loads(ran.out)["error"]["code"]) == (1, "no-work-tree"), words


def test_a_shallow_clone_says_that_an_older_commit_may_have_to_be_fetched(source: Path) -> None:
    root = shallow(source)
    for at in ("HEAD~1", "2000-01-01", git(source, "rev-parse", "HEAD~1").strip()):
        ran = run_inproc(root, "compile", FILE, "--at", at, "--json")
        assert ran.code == 1
        assert "git fetch --unshallow" in json.loads(ran.out)["error"]["hint"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_cannot_be_read_is_named_and_not_taken_for_removed(source: Path) -> None:
    """F-160"""
    (source / ".git/objects").chmod(0)
    try:
        ran = run_inproc(source, "compile", FILE, "--json")
    finally:
        (source / ".git/objects").chmod(0o755)
    assert ran.code == 1


def test_a_broken_pack_is_named(source: Path) -> None:
    """F-160: damage is an error, never an empty answer."""
    git(source, "repack", "-a", "-d", "-q")
    pack = next((source / ".git/objects/pack").glob("*.pack"))
    pack.chmod(0o644)
    data = bytearray(pack.read_bytes())
    data[12:-20] = os.urandom(len(data) - 32)
    pack.write_bytes(data)

    ran = run_inproc(source, "compile", FILE, "--json")

    assert ran.code == 1, ran.out
    assert json.loads(ran.out)["error"]["code"] in ("git-failed", "missing-object", "not-a-repository")


DAMAGE = {
    "index": b"garbage",
    "index without a byte": b"",
    "HEAD": b"garbage\n",
    "HEAD without a byte": b"",
    "HEAD that climbs": b"ref: refs/heads/../../x\n",
    "HEAD of no object": b"0" * 40 + b"\n",
    "HEAD of an absent object": b"1" * 40 + b"\n",
    "config": b"[core\n",
    "config of the future": b"[core]\n\trepositoryformatversion = 1\n[extensions]\n\tfuture = 1\n",
    "packed-refs": b"garbage\n",
    "shallow": b"garbage\n",
    "commondir": b"/nowhere\n",
    "info/exclude": b"\0\xff[",
    "info/attributes": b"\0\xff[*",
    "objects/info/alternates": b"/nowhere\n",
}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_repository_is_an_answer_or_one_error_with_its_place(source: Path, name: str) -> None:
    """F-160, F-118: and what does not need the damaged part is answered."""
    expected = compiled(source)
    path = source / ".git" / name.partition(" ")[0]
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(DAMAGE[name])

    for words in (
        ("compile", FILE),
        ("get", ITEM),
        ("list",),
        ("status",),
        ("check",),
        ("why", ITEM),
        ("new", "fact", "T"),
    ):
        ran = run_inproc(source, *words, "--json", stdin=BODY)
        assert ran.code in (0, 1), (words, ran.err)
        found = json.loads(ran.out)
        if "error" in found:
            assert found["error"]["code"] != "internal", words
            assert found["error"]["message"], words
        elif words[0] == "compile" and not name.startswith("HEAD"):
            assert found["base"] == expected["base"]
    if name.startswith("index"):
        assert run_inproc(source, "compile", FILE).code == 0
        assert "uncommitted-unknown" in run_inproc(source, "compile", FILE).out


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("status.showStash", "true"),
        ("status.branch", "true"),
        ("status.short", "true"),
        ("status.showUntrackedFiles", "no"),
        ("status.renames", "copies"),
        ("status.relativePaths", "true"),
        ("status.submoduleSummary", "true"),
        ("status.aheadBehind", "true"),
        ("status.displayCommentPrefix", "true"),
        ("column.ui", "always"),
        ("color.ui", "always"),
        ("core.untrackedCache", "true"),
        ("core.preloadIndex", "true"),
        ("core.quotePath", "true"),
        ("core.ignoreStat", "true"),
        ("core.trustctime", "false"),
        ("diff.ignoreSubmodules", "none"),
        ("diff.renames", "copies"),
        ("submodule.recurse", "true"),
        ("advice.statusHints", "true"),
        ("index.threads", "2"),
        ("feature.manyFiles", "true"),
        ("core.excludesFile", "not-here"),
    ],
)
def test_a_personal_setting_hides_no_edit_that_waits(source: Path, key: str, value: str) -> None:
    """F-058: edits of each kind, while something lies in the stash."""
    write_tree(source, {FILE: "stashed\n"})
    git(source, "stash", "--quiet")
    git(source, "config", key, value)
    git(source, "mv", ".gitmem/engrams/api/name-the-table.md", ".gitmem/engrams/moved.md")
    write_tree(source, {RULE: KNOWLEDGE[RULE] + "More.\n", ".gitmem/engrams/new.md": KNOWLEDGE[RULE]})

    ran = run_inproc(source / ".gitmem/engrams", "status", "--json")

    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["uncommitted"] == [
        ".gitmem/engrams/api/name-the-table.md",
        ".gitmem/engrams/api/use-the-client.md",
        ".gitmem/engrams/moved.md",
        ".gitmem/engrams/new.md",
    ]
