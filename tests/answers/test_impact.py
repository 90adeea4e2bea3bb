"""What a change of files touches: items by every edge and along requires, importing files, tests, claims."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from gitmem.answers.reached_code import risk_of
from gitmem.text.spans import digest
from tests.asking import CONFIG, ask, codes, refused
from tests.conftest import MakeRepo
from tests.mcp.talk import structure_of, talk
from tests.support import commit_all, engram_id, engram_text, git, run_inproc, write_tree

CODE = "import os\n\n\ndef send(x):\n    return os.write(1, x)\n"
SEND = "def send(x):\n    return os.write(1, x)\n"
BY_PATH, BY_LAYER, BY_COMMAND, CHAINED, LAST, CLAIMING, MIRROR, DRAFT = (engram_id(number) for number in range(1, 9))
HUB_MOST = 12_000


def engrams(rows: Mapping[str, Mapping[str, object]]) -> dict[str, str]:
    return {
        f".gitmem/engrams/api/{slug}.md": engram_text(title=slug, body=f"About {slug}.\n", **row)  # type: ignore[arg-type]
        for slug, row in rows.items()
    }


ITEMS = engrams(
    {
        "by-path": {"id": BY_PATH, "scope": {"paths": ["src/**"]}, "requires": [CHAINED]},
        "by-layer": {"id": BY_LAYER, "kind": "fact", "scope": {"layers": ["code"]}, "requires": ["missing"]},
        "by-command": {"id": BY_COMMAND, "kind": "template", "scope": {"commands": ["scaffold"]}, "requires": [LAST]},
        "chained": {"id": CHAINED, "kind": "decision", "requires": ["last"]},
        "last": {"id": LAST, "kind": "fact"},
        "claiming": {"id": CLAIMING, "kind": "fact", "claims": "CLAIMS", "requires": [LAST]},
        "mirror": {"id": MIRROR, "kind": "reference", "source": {"path": "docs/api.md", "anchor": "send"}},
        "draft": {"id": DRAFT, "status": "draft", "scope": {"paths": ["src/**"]}},
    }
)
ITEMS = {
    path: text.replace("claims: CLAIMS", f"claims:\n  - {{path: src/a.py, lines: 4-5, hash: '{digest(SEND)}'}}")
    for path, text in ITEMS.items()
}
FILES = {
    **CONFIG,
    **ITEMS,
    ".gitmem/layers.yaml": "src/**: code\n",
    "src/a.py": CODE,
    "src/b.py": "from a import send\n",
    "docs/api.md": "# send\n\nIt sends.\n",
    "tests/test_a.py": "from src.a import send\n",
}


@pytest.fixture
def repo(make_repo: MakeRepo) -> Path:
    return make_repo(FILES)


def chains(answer: Mapping) -> dict[str, list[str]]:
    names = {row["id"]: row["slug"] for row in answer["rules"]}
    return {row["slug"]: [names[id_] for id_ in row["via_dependency_chain"]] for row in answer["rules"]}


def evidence(answer: Mapping, slug: str) -> list[tuple[str, str, str, str]]:
    (row,) = [row for row in answer["rules"] if row["slug"] == slug]
    return [(each["edge"], each["id"], each["pattern"], each["file"]) for each in row["evidence"]]


@pytest.mark.capability("R-027")
def test_items_are_reached_by_path_layer_claim_and_along_requires(repo: Path) -> None:
    answer = ask(repo, "impact", "src/a.py")

    # Both claiming and by-path lead to the last one; the shorter way is told.
    assert chains(answer) == {
        "by-layer": [],
        "by-path": [],
        "claiming": [],
        "chained": ["by-path"],
        "last": ["claiming"],
    }
    assert evidence(answer, "by-path") == [("path", BY_PATH, "src/**", "src/a.py")]
    assert evidence(answer, "by-layer") == [("layer", BY_LAYER, "code", "src/a.py")]
    assert evidence(answer, "claiming") == [("claim", CLAIMING, "4-5", "src/a.py")]
    assert evidence(answer, "last") == [("requires", CHAINED, LAST, ""), ("requires", CLAIMING, LAST, "")]
    assert [row["kind"] for row in answer["rules"]] == ["fact", "constraint", "fact", "decision", "fact"]
    assert codes(answer["warnings"]) == ["requires-missing"]


@pytest.mark.capability("R-027")
def test_a_chain_of_two_names_both_ids_from_the_direct_one_on(repo: Path) -> None:
    answer = ask(repo, "impact", "src/new.py")

    (row,) = [row for row in answer["rules"] if row["slug"] == "last"]
    assert row["via_dependency_chain"] == [BY_PATH, CHAINED]


@pytest.mark.capability("R-027")
def test_an_item_that_is_reached_both_ways_is_direct_and_has_both_edges(make_repo: MakeRepo) -> None:
    repo = make_repo(CONFIG | engrams({
        "one": {"id": BY_PATH, "scope": {"paths": ["src/**"]}, "requires": [CHAINED]},
        "two": {"id": CHAINED, "scope": {"paths": ["src/a.py"]}, "requires": [BY_PATH]},
    }))  # fmt: skip

    answer = ask(repo, "impact", "src/a.py")

    assert chains(answer) == {"one": [], "two": []}
    assert evidence(answer, "two") == [("path", CHAINED, "src/a.py", "src/a.py"), ("requires", BY_PATH, CHAINED, "")]
    assert codes(answer["warnings"]) == ["requires-cycle"]


def test_a_command_and_layers_of_the_request_bring_in_their_own(repo: Path) -> None:
    answer = ask(repo, "impact", "docs/other.md", "--command", "scaffold", "--layer", "code")

    assert chains(answer) == {"by-command": [], "by-layer": [], "last": ["by-command"]}
    assert evidence(answer, "by-command") == [("command", BY_COMMAND, "scaffold", "")]


def test_what_mirrors_a_source_is_reached_by_it(repo: Path) -> None:
    answer = ask(repo, "impact", "docs/api.md")

    assert evidence(answer, "mirror") == [("source", MIRROR, "send", "docs/api.md")]


def test_nothing_that_is_not_approved_is_reached(repo: Path) -> None:
    write_tree(repo, engrams({"uncommitted": {"id": engram_id(9), "scope": {"paths": ["src/**"]}}}))

    assert not {"draft", "uncommitted"} & set(chains(ask(repo, "impact", "src/a.py")))


@pytest.mark.capability("R-025")
def test_importing_files_and_tests_are_told_apart(repo: Path) -> None:
    answer = ask(repo, "impact", "src/a.py")

    assert answer["code"] == {
        "files": [{"path": "src/b.py", "line": 1, "reaches": "src/a.py"}],
        "files_total": 1,
        "symbols": [],
        "symbols_total": 0,
        "radius": 0,
        "risk": "low",
        "uses": [],
        "uses_total": 0,
    }
    assert [(row["path"], row["reasons"]) for row in answer["tests"]] == [
        ("tests/test_a.py", ["imports src/a.py at line 1"])
    ]
    assert codes(answer["notices"]) == []


@pytest.mark.capability("G-007")
def test_claims_that_the_work_tree_breaks_are_drifted(repo: Path) -> None:
    assert ask(repo, "impact", "src/a.py")["drifted"] == []
    write_tree(repo, {"src/a.py": CODE.replace("1, x", "2, x")})

    (row,) = ask(repo, "impact", "src/a.py")["drifted"]

    assert (row["slug"], row["path"], row["after"]) == ("claiming", "src/a.py", "drifted")
    assert ask(repo, "impact", "src/b.py")["drifted"] == []
    assert ask(repo, "impact", "src/a.py", "--at", "HEAD")["drifted"] == []


def test_at_reads_knowledge_and_code_of_that_commit(repo: Path) -> None:
    write_tree(
        repo, {"src/c.py": "import a\n", **engrams({"later": {"id": engram_id(9), "scope": {"paths": ["src/**"]}}})}
    )
    commit_all(repo)

    now, then = ask(repo, "impact", "src/a.py"), ask(repo, "impact", "src/a.py", "--at", "HEAD~1")

    assert [row["path"] for row in now["code"]["files"]] == ["src/b.py", "src/c.py"]
    assert [row["path"] for row in then["code"]["files"]] == ["src/b.py"]
    assert ("later" in chains(now), "later" in chains(then)) == (True, False)


def test_lists_are_cut_at_the_limit_and_say_how_many_there_are(repo: Path) -> None:
    write_tree(repo, {f"src/m{number}.py": "import a\n" for number in range(5)})
    commit_all(repo)

    answer = ask(repo, "impact", "src/a.py", "--limit", "2")
    text = run_inproc(repo, "impact", "src/a.py", "--limit", "2").out

    assert (len(answer["rules"]), answer["rules_total"]) == (2, 5)
    assert (len(answer["code"]["files"]), answer["code"]["files_total"]) == (2, 6)
    assert "and 3 more: --limit" in text
    assert "and 4 more: --limit" in text


def test_readers_see_each_item_with_what_joins_it(repo: Path) -> None:
    text = run_inproc(repo, "impact", "src/a.py").out

    assert "- by-path (constraint): by-path\n    path src/** for src/a.py\n" in text
    assert "- chained (decision): chained\n    through by-path\n" in text
    assert "- src/b.py:1 imports src/a.py\n" in text
    assert "- tests/test_a.py: imports src/a.py at line 1\n" in text


def test_languages_and_files_that_were_not_read_are_named(repo: Path) -> None:
    write_tree(repo, {"src/big.py": "import a\n" + "#" * (1 << 20), "src/a.ex": "import B\n"})
    commit_all(repo)

    answer = ask(repo, "impact", "src/a.py", "src/a.ex")

    assert codes(answer["notices"]) == ["files-skipped", "imports-unread", "file-skipped"]
    assert [row["place"] for row in answer["notices"]] == ["", "src/a.ex", "src/big.py"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "no file was named"),
        (("a.py", "--limit", "0"), "limit must be from 1 to 500"),
        (("a.py", "--limit", "501"), "limit must be from 1 to 500"),
        (("../a.py",), "not a path inside the repository"),
        (("/etc/passwd",), "not a path inside the repository"),
        ((".git/config",), "not a path inside the repository"),
        (tuple(f"a{number}.py" for number in range(201)), "more than 200 files"),
    ],
)
def test_wrong_input_is_refused_with_what_is_wrong(repo: Path, words: tuple[str, ...], message: str) -> None:
    assert message in refused(repo, "impact", *words, code=2)["message"]


def test_an_unknown_revision_is_an_error(repo: Path) -> None:
    assert refused(repo, "impact", "a.py", "--at", "nowhere")["code"] == "unknown-revision"


@pytest.mark.parametrize("path", ["-A.py", "--output=x.py"])
def test_f_044_a_name_that_looks_like_an_option_is_a_path(repo: Path, path: str) -> None:
    write_tree(repo, {path: "import a\n", f"src/{path}": "import a\n"})
    commit_all(repo)

    done = run_inproc(repo, "impact", "--json", "--", path)

    assert json.loads(done.out)["files"] == [path]
    assert list(repo.glob("x.py")) == []


def test_f_167_backslashes_mean_the_same_path(repo: Path) -> None:
    assert ask(repo, "impact", "src\\a.py") == ask(repo, "impact", "./src/a.py")


def test_a_repository_without_commits_is_answered(make_repo: MakeRepo) -> None:
    answer = ask(make_repo(), "impact", "a.py")

    assert (answer["rules"], answer["tests"], answer["code_commit"]) == ([], [], "")


def test_a_bare_repository_is_answered_from_its_commits(repo: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", "--bare", str(repo), "bare.git")

    expected = ask(repo, "impact", "src/a.py")
    answer = ask(tmp_path / "bare.git", "impact", "src/a.py")

    assert {**answer, "notices": [], "warnings": []} == {**expected, "notices": [], "warnings": []}


@pytest.mark.capability("R-027")
def test_an_agent_asks_by_its_tool(repo: Path) -> None:
    with talk(repo) as server:
        server.start()
        answer = structure_of(server.call("impact", {"target_files": ["src/a.py"], "limit": 10}))
        server.close()

    assert chains(answer) == chains(ask(repo, "impact", "src/a.py"))
    assert [row["path"] for row in answer["tests"]] == ["tests/test_a.py"]


def test_a_name_begins_no_line_and_hides_nothing(make_repo: MakeRepo) -> None:
    names = ["test_a\n- use: anything.py", "test_\u202eb.py", "test_\x1b[2Jc.py"]
    root = make_repo({"a.py": "x = 1\n", **dict.fromkeys(names, "import a\n")})

    lines = run_inproc(root, "impact", "a.py").out.splitlines()

    shown = [line for line in lines if line.startswith("- ")]
    assert [line.partition(":")[0] for line in shown] == [
        "- test_\\u001b[2Jc.py",
        "- test_a\\n- use",
        "- test_\\u202eb.py",
    ]


@pytest.mark.capability("C-043")
def test_what_uses_the_definitions_of_a_file_stands_apart_from_what_they_use(tmp_path: Path) -> None:
    root = tmp_path / "used"
    root.mkdir()
    git(root, "-c", "init.defaultBranch=main", "init", "--quiet")
    write_tree(
        root,
        {
            "src/money.py": "from rates import rate\n\n\ndef price():\n    return rate()\n",
            "src/rates.py": "def rate():\n    return 1\n",
            **{f"src/page_{n}.py": f"from money import price\n\n\ndef show_{n}():\n    price()\n" for n in range(5)},
            "src/site.py": "import page_0\n\n\ndef run():\n    page_0.show_0()\n",
            "tests/test_money.py": "from money import price\n\n\ndef test_price():\n    assert price() == 1\n",
        },
    )
    commit_all(root)

    answer = ask(root, "impact", "src/money.py")
    code = answer["code"]

    assert [(row["id"], row["depth"]) for row in code["symbols"]] == [
        *((f"src/page_{n}.py::show_{n}(0)", 1) for n in range(5)),
        ("src/site.py::run(0)", 2),
    ]
    assert (code["radius"], code["risk"], code["uses"]) == (2, "medium", ["src/rates.py::rate(0)"])
    assert [row["path"] for row in code["files"]] == [*(f"src/page_{n}.py" for n in range(5)), "src/site.py"]
    assert answer["tests"][0]["reasons"][0] == "calls price of src/money.py at line 5"


@pytest.mark.capability("C-043")
def test_the_impact_of_a_hub_is_a_small_answer_that_counts_what_it_leaves_out(tmp_path: Path) -> None:
    """F-198: what a hub is used by has no end."""
    root = tmp_path / "hub"
    root.mkdir()
    git(root, "-c", "init.defaultBranch=main", "init", "--quiet")
    used = "".join(f"def caller_with_a_name_that_goes_on_{n}():\n    hub()\n\n\n" for n in range(4))
    users = {f"src/with_a_long_name_{n}.py": f"from hub import hub\n\n\n{used}" for n in range(60)}
    tests = {f"tests/test_{n}.py": "from hub import hub\n\n\ndef test():\n    hub()\n" for n in range(60)}
    many = "".join(f"def made_{n}():\n    pass\n" for n in range(2001))
    write_tree(root, {"src/hub.py": "def hub():\n    pass\n", "src/many.py": many, **users, **tests})
    commit_all(root)

    answer = ask(root, "impact", "src/hub.py")
    code = answer["code"]

    assert len(json.dumps(answer)) < HUB_MOST
    assert (code["symbols_total"], code["files_total"], answer["tests_total"]) == (240, 60, 60)
    assert min(len(rows) for rows in (code["symbols"], code["files"], answer["tests"])) > 10
    assert len(ask(root, "impact", "src/hub.py", "--limit", "500")["code"]["symbols"]) == 240
    told = [row["message"] for row in ask(root, "impact", "src/many.py")["notices"]]
    assert "of 2001 definitions that these files have, the first 2000 were looked for" in told


@pytest.mark.capability("C-043")
@pytest.mark.parametrize(("files", "risk"), [(0, "low"), (4, "low"), (5, "medium"), (11, "medium"), (12, "high")])
def test_the_risk_is_that_of_the_number_of_files(files: int, risk: str) -> None:
    assert risk_of(files) == risk
