"""The index of the code on real repositories: what is in it, what it costs to come back, what damage does to it."""

import os
import random
import subprocess
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitmem.answers import coding
from gitmem.answers.coding import Graph
from gitmem.answers.session import Session
from gitmem.errors import GitmemError
from gitmem.store import codetree
from tests.asking import ask, refused
from tests.support import commit_all, git, run_inproc, write_tree

FILES = {
    "src/shop/cart.py": "class Cart:\n    def add(self, item):\n        return price_of(item)\n",
    "src/shop/price.py": "def price_of(item):\n    return item.price\n",
    "tests/test_cart.py": "from shop.cart import Cart\n\ndef test_add():\n    Cart().add(1)\n",
    "web/app.ts": "export class App {\n  start(): void { boot(); }\n}\n",
}
MakeRepo = Callable[..., Path]


def session(root: Path, home: str = "", surface: str = "cli") -> Session:
    return Session(root, datetime(2026, 1, 1, tzinfo=UTC), surface, home=home)


def graph(root: Path, **over: object) -> Graph:
    return coding.read(session(root), str(over.get("at", "")), int(str(over.get("max_files", 0))), lambda: True)


def said(found: Graph) -> dict[str, list[str]]:
    """What the atlas says of each path, in a form that does not depend on numbers."""
    atlas = found.atlas
    return {path: [atlas.oid(path), repr(atlas.facts(path))] for path in atlas.all()}


@pytest.mark.capability("C-015", "R-031")
def test_one_edit_reads_one_file_and_a_branch_that_was_seen_reads_none(make_repo: MakeRepo) -> None:
    root = make_repo(FILES)
    first = graph(root)
    git(root, "switch", "-qc", "other")
    write_tree(root, {"src/shop/price.py": "def price_of(item, rate):\n    return item.price * rate\n"})
    commit_all(root)
    second = graph(root)
    git(root, "switch", "-q", "main")

    assert (first.counted.files, first.counted.parsed) == (4, 4)
    assert (second.counted.files, second.counted.parsed, second.counted.reused) == (4, 1, 3)
    assert graph(root).counted.parsed == 0
    assert graph(root, at="other").counted.parsed == 0
    assert [row.tail for row in graph(root, at="other").atlas.rows("price_of")] == ["price_of(2)"]


@pytest.mark.capability("C-015")
def test_a_worktree_shares_what_another_one_read(make_repo: MakeRepo, tmp_path: Path) -> None:
    root = make_repo(FILES)
    graph(root)
    git(root, "worktree", "add", "-q", "--detach", str(tmp_path / "beside"))

    assert graph(tmp_path / "beside").counted.parsed == 0


def test_the_work_tree_counts_as_it_lies_there(make_repo: MakeRepo) -> None:
    root = make_repo(FILES)
    before = graph(root)
    write_tree(root, {"src/shop/tax.py": "def tax(): ...\n", "web/app.ts": "export class Shop {}\n"})
    (root / "src/shop/price.py").unlink()
    git(root, "mv", "src/shop/cart.py", "src/shop/basket.py")
    now = graph(root)

    assert before.counted.parsed == 4
    assert now.atlas.all() == ["src/shop/basket.py", "src/shop/tax.py", "tests/test_cart.py", "web/app.ts"]
    assert (now.atlas.defined("price_of"), now.atlas.defined("App")) == ([], [])
    assert [place.path for place in now.atlas.defined("Shop")] == ["web/app.ts"]
    assert now.atlas.calling("price_of") == ["src/shop/basket.py"]
    assert graph(root, at="HEAD").atlas.all() == before.atlas.all()


def test_before_the_first_commit_files_count_as_well(make_repo: MakeRepo) -> None:
    root = make_repo(FILES, commit=False)

    assert graph(root).atlas.all() == sorted(FILES)


@pytest.mark.capability("C-002")
def test_git_alone_says_what_is_ignored(make_repo: MakeRepo) -> None:
    """F-199, F-206: usual names are no reason, a later line overrides an earlier one, deeper files go before."""
    source = {path: "def f(): ...\n" for path in ("build/a.py", "coverage/b.py", "dist/c.py", "vendor/d.py")}
    root = make_repo({**source, ".gitignore": "*.log.py\n!keep.log.py\nout/\n/only.py\n"})
    write_tree(
        root,
        {
            **{path: "def g(): ...\n" for path in ("a.log.py", "keep.log.py", "out/x.py", "only.py", "sub/only.py")},
            "sub/.gitignore": "!*.log.py\ntmp?.py\n",
            **{path: "def h(): ...\n" for path in ("sub/b.log.py", "sub/tmp1.py", "sub/tmp12.py")},
        },
    )
    listed = git(root, "ls-files", "-co", "--exclude-standard").splitlines()

    assert graph(root).atlas.all() == sorted(path for path in listed if path.endswith(".py"))
    assert {"build/a.py", "keep.log.py", "sub/b.log.py", "sub/only.py", "sub/tmp12.py"} <= set(listed)


@pytest.mark.capability("C-003")
def test_links_submodules_and_repositories_inside_are_left_out(make_repo: MakeRepo, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    write_tree(outside, {"secret.py": "def secret(): ...\n"})
    root = make_repo(FILES)
    (root / "linked").symlink_to(outside)
    (root / "loop").symlink_to(root)
    (root / "one.py").symlink_to(outside / "secret.py")
    git(root, "init", "-q", "inner")
    write_tree(root, {"inner/deep.py": "def deep(): ...\n"})
    git(root, "add", "linked", "loop", "one.py")

    assert graph(root).atlas.all() == sorted(FILES)


@pytest.mark.capability("C-003")
def test_a_home_folder_is_refused(make_repo: MakeRepo) -> None:
    """F-201"""
    root = make_repo(FILES)

    with pytest.raises(GitmemError, match="home folder"):
        coding.graph(session(root, home=str(root)))

    (linked := root.parent / "home").symlink_to(root)
    with pytest.raises(GitmemError, match="home folder"):
        coding.graph(session(root, home=str(linked)))


@pytest.mark.capability("C-004")
def test_a_limit_keeps_production_first_and_says_how_many_are_left_out(make_repo: MakeRepo) -> None:
    """F-190"""
    many = {f"src/m{number:02}.py": "def f(): ...\n" for number in range(12)}
    tests = {f"tests/test_m{number:02}.py": "def f(): ...\n" for number in range(5)}
    root = make_repo({**tests, **many})

    answer = ask(root, "index", "--max-files", "10")

    assert (answer["files"], answer["omitted"], answer["truncated"]) == (10, 7, True)
    assert graph(root, max_files=13).atlas.all() == sorted([*many, "tests/test_m00.py"])
    assert "7 files are over the limit" in run_inproc(root, "symbols", "f", "--max-files", "10").out
    assert refused(root, "index", "--max-files", "50001", code=2)["message"].startswith("max-files must be")


@pytest.mark.capability("C-004", "R-031")
def test_a_limit_is_kept_where_a_file_comes_over_what_was_read_before(make_repo: MakeRepo) -> None:
    """The same files as on a machine that never saw the tree without it."""
    root = make_repo({name: "def f(): ...\n" for name in ("b.py", "c.py", "d.py", "e.py")})
    graph(root, max_files=2), graph(root, max_files=5)
    write_tree(root, {"a.py": "def g(): ...\n", "aa.py": "def g(): ...\n"})

    assert [graph(root, max_files=2).atlas.all(), graph(root, max_files=2).atlas.omitted] == [["a.py", "aa.py"], 4]
    assert [graph(root, max_files=5).atlas.all()[-1], graph(root, max_files=5).atlas.omitted] == ["d.py", 1]


@pytest.mark.capability("C-004")
def test_an_edit_below_the_limit_is_read_over_what_is_kept(make_repo: MakeRepo) -> None:
    root = make_repo({name: "def f(): ...\n" for name in ("b.py", "c.py", "d.py")})
    kept = graph(root, max_files=2).atlas.parts.name
    write_tree(root, {"b.py": "def edited(): ...\n"})
    found = graph(root, max_files=2).atlas

    assert found.parts.name == kept
    assert [found.all(), found.omitted, len(found.defined("edited"))] == [["b.py", "c.py"], 1, 1]


@pytest.mark.capability("R-031")
@pytest.mark.parametrize("after", ['{"dependencies": {"express": "4"}}', '{"dependencies": {}}'])
def test_a_manifest_that_is_edited_decides_which_frameworks_count(make_repo: MakeRepo, after: str) -> None:
    server = {"server.js": "app.get('/users', list)\nfunction list() {}\n"}
    before = '{"dependencies": {}}' if "express" in after else '{"dependencies": {"express": "4"}}'
    root = make_repo({**server, "package.json": before})
    assert bool(graph(root).atlas.seen()) == ("express" in before)
    write_tree(root, {"package.json": after})

    assert bool(graph(root).atlas.seen()) == ("express" in after)
    assert graph(root).atlas.frameworks == (frozenset({"express"}) if "express" in after else frozenset())


@pytest.mark.capability("C-016")
def test_a_reading_that_was_stopped_answers_from_what_there_is_and_goes_on_later(make_repo: MakeRepo) -> None:
    root = make_repo({f"src/m{number:04}.py": f"def f{number}(): ...\n" for number in range(400)})
    part = coding.read(session(root), "", 0, lambda: False)
    whole = graph(root)

    assert (part.state, part.counted.files, part.counted.pending) == ("partial", 300, 100)
    assert any("100 files are not read yet" in notice.message for notice in part.notices)
    assert (whole.state, whole.counted.parsed) == ("ready", 100)
    assert graph(root).counted.parsed == 0


def test_equal_bytes_under_two_paths_are_two_files(make_repo: MakeRepo) -> None:
    """F-202"""
    root = make_repo({"a/x.py": "def same(): ...\n", "b/x.py": "def same(): ...\n", "c/x.js": "def same(): ...\n"})

    assert [place.path for place in graph(root).atlas.defined("same")] == ["a/x.py", "b/x.py"]


def test_a_repository_that_moves_keeps_what_was_read(make_repo: MakeRepo, tmp_path: Path) -> None:
    """F-203"""
    root = make_repo(FILES)
    before = said(graph(root))
    moved = root.rename(tmp_path / "elsewhere")
    after = graph(moved)

    assert (after.counted.parsed, said(after)) == (0, before)


def test_a_file_that_changes_all_the_time_is_read_as_it_was_committed(make_repo: MakeRepo) -> None:
    """F-197"""
    root = make_repo(FILES)
    quiet = said(graph(make_repo(FILES, name="quiet")))
    loop = "import sys\nwhile True:\n    open(sys.argv[1], 'w').write('def other(): ...\\n' * 50)\n"
    writer = subprocess.Popen(["python3", "-c", loop, str(root / "src/shop/price.py")])
    try:
        found = said(graph(root, at="HEAD"))
    finally:
        writer.kill()
        writer.wait()

    assert found == quiet


ODD = {
    "crlf.py": b"class A:\r\n    def f(self):\r\n        return 1\r\n",
    "bom.py": b"\xef\xbb\xbfdef after_bom():\n    return 1\n",
    "latin.py": b"# caf\xe9\ndef latin(): ...\n",
    "utf16.py": "def wide(): ...\n".encode("utf-16"),
    "nul.py": b"def zero(): ...\n\0",
    "empty.py": b"",
    "large.py": b"def large(): ...\n" + b"#" * (1 << 20),
    "min.js": b"function m(){" + b"a=1;" * 20_000 + b"}",
}


def test_odd_files_are_read_or_named(make_repo: MakeRepo) -> None:
    root = make_repo(ODD)
    (root / os.fsdecode(b"n\xe4me.py")).write_bytes(b"def strange_name(): ...\n")
    found = graph(root).atlas

    assert dict(found.skipped) == {"large.py": "larger than 1 MiB", "nul.py": "binary", "utf16.py": "UTF-16"}
    assert {name for name in ("A", "after_bom", "latin", "strange_name", "m") if found.defined(name)} == {
        *("A", "after_bom", "latin", "strange_name", "m")
    }
    (symbol,) = found.facts("bom.py").symbols
    assert ODD["bom.py"][symbol.start : symbol.end].startswith(b"def after_bom")


@pytest.mark.capability("C-016")
def test_a_partial_clone_answers_from_what_it_has_and_names_the_rest(make_repo: MakeRepo, tmp_path: Path) -> None:
    root = make_repo({**FILES, "docs/tool.py": "def tool(): ...\n"})
    git(root, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "--quiet", "--no-checkout", "--filter=blob:none", root.as_uri(), "part")
    part = tmp_path / "part"
    git(part, "sparse-checkout", "set", "src")
    git(part, "checkout", "--quiet")
    before = graph(part)

    missing = ["docs/tool.py", "tests/test_cart.py", "web/app.ts"]
    assert before.atlas.skipped == [(path, codetree.MISSING) for path in missing]
    assert [place.path for place in before.atlas.defined("Cart")] == ["src/shop/cart.py"]
    assert "web/app.ts (its bytes are not in this clone)" in run_inproc(part, "symbols", "Cart").out
    git(part, "sparse-checkout", "disable")
    assert said(graph(part)) == said(graph(root))
    commit_all(part, "more")
    assert graph(part).atlas.skipped == []


@pytest.mark.capability("C-009")
def test_files_whose_grammar_does_not_load_are_read_by_lines_and_named(
    make_repo: MakeRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of the last commit, and one that is edited."""
    root = make_repo(FILES)
    write_tree(
        tmp_path / "broken", {"tree_sitter_language_pack/__init__.py": "raise ImportError('not for this one')\n"}
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "broken"))
    assert ask(root, "index")["fallback"] == sorted(FILES)
    write_tree(root, {"src/shop/cart.py": "class Basket:\n    pass\n", "new.py": "def new(): ...\n"})

    assert ask(root, "index")["fallback"] == sorted([*FILES, "new.py"])
    assert [row["name"] for row in ask(root, "symbols", "Basket")["symbols"]] == ["Basket"]


def test_damaged_and_cut_files_of_the_cache_change_no_answer(make_repo: MakeRepo) -> None:
    root = make_repo(FILES)
    whole = said(graph(root))
    kept = [path for path in (root / ".git/gitmem/cache").iterdir() if path.name.startswith("code-")]
    rng = random.Random(6)
    for path in kept:
        for _ in range(12):
            if not path.exists():
                break
            data = bytearray(path.read_bytes())
            if rng.random() < 0.3:
                del data[rng.randrange(len(data)) :]
            else:
                data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
            path.write_bytes(data)
            again = graph(root)
            assert said(again) == whole, path.name
            assert [place.path for place in again.atlas.defined("Cart")] == ["src/shop/cart.py"]

    assert len(kept) == 2


def test_without_a_cache_the_answer_is_the_same(make_repo: MakeRepo, tmp_path: Path) -> None:
    root = make_repo(FILES)
    whole = said(graph(root))
    folder = root / ".git/gitmem/cache"
    for path in folder.iterdir():
        path.unlink()
    folder.chmod(0o500)
    try:
        assert said(graph(root)) == whole
    finally:
        folder.chmod(0o700)


NAMES: Mapping[str, str] = {
    "src/store/save.py": "def save(): ...\n\ndef save_all(): ...\n\ndef autosave(): ...\n",
    "src/store/Save.py": "class Save:\n    def save(self): ...\n",
    "src/legacy/save.py": "def save(): ...\n",
    "tests/test_save.py": "def save(): ...\n\nclass SaveCase: ...\n",
    "examples/save.py": "def save(): ...\n",
    "web/form.ts": "export class Form {\n  save(): void {}\n  saveDraft(): void {}\n}\n",
    "web/list.ts": "export class List {\n  save(): void {}\n}\n",
}
RANKING = (
    (("save",), ["src/store/save.py::save(0)"]),
    (("Save",), ["src/store/Save.py::Save"]),
    (("save", "--path", "tests"), ["tests/test_save.py::save(0)"]),
    (("legacy/save.py::save",), ["src/legacy/save.py::save(0)"]),
    (("Form.save",), ["web/form.ts::Form.save(0)"]),
    (("Form::save()",), ["web/form.ts::Form.save(0)"]),
    (("save", "--kind", "class"), ["src/store/Save.py::Save", "tests/test_save.py::SaveCase"]),
    (("saveD",), ["web/form.ts::Form.saveDraft(0)"]),
    (("tosav",), ["src/store/save.py::autosave(0)"]),
    (("draftSave",), ["web/form.ts::Form.saveDraft(0)"]),
    (("save", "--path", "web/l*.ts"), ["web/list.ts::List.save(0)"]),
)


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("names")
    write_tree(root, NAMES)
    git(root, "init", "-q", "-b", "main")
    commit_all(root)
    return root


@pytest.mark.capability("C-041")
@pytest.mark.parametrize(("words", "first"), RANKING, ids=[" ".join(words) for words, _ in RANKING])
def test_symbols_come_in_the_order_in_which_they_are_meant(
    named: Path, words: tuple[str, ...], first: list[str]
) -> None:
    rows = ask(named, "symbols", *words)["symbols"]

    assert [row["id"] for row in rows][: len(first)] == first
    assert [row["score"] for row in rows] == sorted((row["score"] for row in rows), reverse=True)
    assert all(0 < row["score"] <= 1 and row["reason"] for row in rows)


@pytest.mark.capability("C-041")
def test_symbols_say_what_there_is_beyond_the_limit_and_what_was_meant(named: Path) -> None:
    assert ask(named, "symbols", "save", "--limit", "2")["total"] >= 8
    assert len(ask(named, "symbols", "save", "--limit", "2")["symbols"]) == 2
    assert ask(named, "symbols", "saveDrapt")["suggested"] == "saveDraft"
    assert refused(named, "symbols", "save", "--limit", "81", code=2)["hint"] == "the default is 20"
    assert "kinds are" in refused(named, "symbols", "save", "--kind", "spell", code=2)["hint"]
    for nothing in ((), ("::",), (".",)):
        assert refused(named, "symbols", *nothing, code=2)["message"] == "no name was given"
    assert "a path outside" in refused(named, "symbols", "save", "--path", "src/../..", code=2)["message"]
    (first, *_) = ask(named, "symbols", "save")["symbols"]
    assert ask(named, "symbols", "save", "--path", f"./{first['path']}")["symbols"][0] == first


def test_very_many_new_files_are_read_once_and_need_no_memory_to_come_back(
    make_repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_repo(FILES)
    write_tree(root, {f"gen/m{number:03}.py": f"def f{number}(): ...\n" for number in range(250)})
    monkeypatch.setattr(codetree, "_HELD_MOST_BYTES", 1_000)
    first, again = graph(root), graph(root)

    assert (first.counted.parsed, again.counted.parsed, again.counted.files) == (254, 0, 254)
    assert again.atlas.text("gen/m249.py") == b"def f249(): ...\n"
    (root / "gen/m249.py").write_text("def other(): ...\n")
    assert graph(root).counted.parsed == 1
