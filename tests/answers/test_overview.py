"""What there is and how it stands: overview and status."""

from pathlib import Path

import pytest

from gitmem.store import journal, spool
from gitmem.store.repo import discover
from tests.asking import CONFIG, ask, codes, knowledge, refused, rule
from tests.conftest import MakeRepo
from tests.support import commit_all, engram_id, git, run_inproc, write_tree

FILES = knowledge(
    {
        ".gitmem/layers.yaml": "src/ui/**: ui\nsrc/**: core\nweb/**: ui\n",
        ".gitmem/tags.yaml": "auth: who may do what\n",
    },
    rule("one", 1, "src/**", domain="api", tags=["http"]),
    rule("two", 2, domain="api/http", tags=["http", "retry"]),
    rule("three", 3, domain="api/http/retry", kind="fact", status="draft", tags=["retry"]),
    rule("four", 4, "src/**", domain="ui", tags=[]),
    rule("five", 5, domain="", status="forgotten", tags=["http"]),
)


@pytest.fixture
def repo(make_repo: MakeRepo) -> Path:
    return make_repo(FILES)


@pytest.mark.capability("M-016")
@pytest.mark.parametrize(
    ("depth", "domains"),
    [
        ("1", [(".", 1), ("api", 3), ("ui", 1)]),
        ("2", [(".", 1), ("api", 3), ("api/http", 2), ("ui", 1)]),
        ("3", [(".", 1), ("api", 3), ("api/http", 2), ("api/http/retry", 1), ("ui", 1)]),
        ("10", [(".", 1), ("api", 3), ("api/http", 2), ("api/http/retry", 1), ("ui", 1)]),
    ],
)
def test_domains_count_all_that_lies_below_them(repo: Path, depth: str, domains: list[tuple[str, int]]) -> None:
    answer = ask(repo, "overview", "--depth", depth)

    assert [(row["name"], row["count"]) for row in answer["domains"]] == domains


@pytest.mark.capability("M-016")
def test_a_domain_says_how_much_of_it_is_in_force(repo: Path) -> None:
    answer = ask(repo, "overview", "--depth", "1")

    assert [(row["name"], row["count"], row["live"]) for row in answer["domains"]] == [
        (".", 1, 0),
        ("api", 3, 2),
        ("ui", 1, 1),
    ]
    assert "api: 3, 2 in force\n" in run_inproc(repo, "overview", "--depth", "1").out


@pytest.mark.capability("M-016")
def test_five_levels_are_shown_when_nothing_is_asked(make_repo: MakeRepo) -> None:
    repo = make_repo(knowledge(rule("deep", 1, domain="a/b/c/d/e/f")))

    assert [row["name"] for row in ask(repo, "overview")["domains"]] == ["a", "a/b", "a/b/c", "a/b/c/d", "a/b/c/d/e"]


@pytest.mark.parametrize("depth", ["0", "11", "-1"])
def test_a_depth_outside_one_to_ten_is_a_usage_error(repo: Path, depth: str) -> None:
    assert "depth must be from 1 to 10" in refused(repo, "overview", f"--depth={depth}", code=2)["message"]


def test_an_overview_says_how_much_of_everything_there_is(repo: Path) -> None:
    answer = ask(repo, "overview")

    assert (answer["items"], answer["rules"], answer["problems"]) == (5, 2, 0)
    assert answer["kinds"] == {"constraint": 4, "fact": 1}
    assert answer["statuses"] == {"active": 3, "draft": 1, "forgotten": 1}
    assert list(answer["tags"].items()) == [("http", 3), ("retry", 2)]
    assert answer["layers"] == ["ui", "core"]
    assert answer["catalogue"] == {"auth": "who may do what"}
    assert answer["environment"]["commit"] == git(repo, "rev-parse", "HEAD").strip()


@pytest.mark.capability("R-005")
def test_the_twenty_most_used_tags_are_shown_and_all_of_them_when_asked(make_repo: MakeRepo) -> None:
    repo = make_repo(knowledge(*(rule(f"r{n}", n, tags=[f"t{at:02}" for at in range(n)]) for n in range(1, 31))))

    shown, everything = ask(repo, "overview")["tags"], ask(repo, "overview", "--tags")["tags"]

    assert list(shown.items()) == [(f"t{at:02}", 30 - at) for at in range(20)]
    assert len(everything) == 30


def test_problems_are_counted_and_the_rest_is_there(make_repo: MakeRepo) -> None:
    repo = make_repo(
        knowledge(
            rule("good", 1, "src/**"), rule("twin", 2), rule("other", 2), {".gitmem/engrams/bad.md": "no header\n"}
        )
    )

    answer = ask(repo, "overview")

    assert (answer["items"], answer["problems"]) == (3, 2)


def test_an_overview_writes_nothing_but_the_cache(repo: Path) -> None:
    ask(repo, "overview")

    assert git(repo, "status", "--porcelain") == ""


def test_status_says_what_counts_on_whose_word_and_what_waits(repo: Path) -> None:
    write_tree(repo, rule("waiting", 9, "src/**"))
    (repo / ".gitmem/engrams/api/one.md").unlink()

    answer = ask(repo, "status")

    assert answer == answer | {
        "root": str(repo),
        "trust": "head",
        "trust_source": "default without a remote",
        "commit": git(repo, "rev-parse", "HEAD").strip(),
        "items": 5,
        "uncommitted": [".gitmem/engrams/api/one.md", ".gitmem/engrams/api/waiting.md"],
        "proposals": {"total": 0},
        "problems": [],
    }
    assert answer["snapshot_id"] == ask(repo, "overview")["snapshot_id"]


def test_status_names_each_problem_with_its_place(make_repo: MakeRepo) -> None:
    bad = rule("one", 1, "src/**")[".gitmem/engrams/api/one.md"].replace("constraint", "constrain")
    repo = make_repo(CONFIG | {".gitmem/engrams/api/one.md": bad} | rule("twin", 2) | rule("other", 2))

    problems = ask(repo, "status")["problems"]

    assert ("duplicate-id", ".gitmem/engrams/api/other.md") in [(row["code"], row["place"]) for row in problems]
    assert ".gitmem/engrams/api/one.md:4" in [row["place"] for row in problems]
    assert all(row["hint"] for row in problems)


def test_many_problems_are_named_twenty_at_a_time(make_repo: MakeRepo) -> None:
    repo = make_repo(knowledge({f".gitmem/engrams/bad{n:02}.md": "no header\n" for n in range(30)}))

    problems = ask(repo, "status")["problems"]

    assert len(problems) == 21
    assert (problems[-1]["code"], problems[-1]["hint"]) == ("more-problems", "list them with: gitmem check")


@pytest.mark.capability("G-003")
def test_status_lists_what_has_ended_ends_soon_or_has_not_begun(make_repo: MakeRepo) -> None:
    repo = make_repo(
        knowledge(
            rule("begins", 1, valid={"from": "2026-09-01"}),
            rule("ends-soon", 2, "src/**", valid={"until": "2026-06-20"}),
            rule("ended", 3, valid={"from": "2020-01-01", "until": "2026-05-31"}),
            rule("lasts", 4, valid={"until": "2030-01-01"}),
            rule("retired", 5, valid={"until": "2026-05-31"}, status="deprecated"),
            rule("undated", 6),
        )
    )

    found = ask(repo, "status", "--now", "2026-06-01")["notices"]

    assert [(row["code"], row["place"].rpartition("/")[2]) for row in found] == [
        ("not-yet-valid", "begins.md"),
        ("expired", "ended.md"),
        ("expiring", "ends-soon.md"),
    ]


@pytest.mark.capability("G-001")
def test_each_worktree_sees_its_own_branch_and_what_both_build_on(repo: Path) -> None:
    """F-084, F-054: the common base is seen in both, what a branch adds on it alone, and in both after the merge."""
    second = repo.parent / "second"
    git(repo, "worktree", "add", "--quiet", "-b", "side", str(second))
    write_tree(
        repo,
        {
            ".gitmem/engrams/api/one.md": FILES[".gitmem/engrams/api/one.md"].replace(
                "tags:", "status: deprecated\ntags:"
            )
        },
    )
    commit_all(repo, "retired here")
    write_tree(second, {".gitmem/engrams/api/one.md": FILES[".gitmem/engrams/api/one.md"] + "A line more.\n"})
    commit_all(second, "changed there")

    compiled = [
        [row["slug"] for row in ask(where, "compile", "src/a.ts")["base"]["documents"]] for where in (repo, second)
    ]
    assert compiled == [["four"], ["four", "one"]]

    git(repo, "merge", "--quiet", "--no-edit", "side")
    assert [row["slug"] for row in ask(repo, "compile", "src/a.ts")["base"]["documents"]] == ["four"]
    (item,) = ask(repo, "get", engram_id(1), "--tier", "content")["items"]
    assert (item["status"], item["content"].endswith("A line more.\n")) == ("deprecated", True)


@pytest.mark.capability("G-002")
@pytest.mark.parametrize(
    "words",
    [("overview",), ("list",), ("compile", "src/a.ts"), ("show", "one"), ("get", "one"), ("layers",)],
    ids=lambda w: w[0],
)
def test_any_read_as_of_a_tag_equals_what_was_read_then(repo: Path, words: tuple[str, ...]) -> None:
    git(repo, "tag", "v1.4")
    then = ask(repo, *words)
    write_tree(
        repo,
        {
            ".gitmem/engrams/api/one.md": FILES[".gitmem/engrams/api/one.md"] + "Later.\n",
            ".gitmem/layers.yaml": "a/**: b\n",
        },
    )
    git(repo, "rm", "--quiet", ".gitmem/engrams/ui/four.md")
    commit_all(repo, "later")

    assert ask(repo, *words) != then
    assert ask(repo, *words, "--at", "v1.4") == then


def test_the_text_of_a_status_is_for_people(repo: Path) -> None:
    commit_all(repo, "nothing")

    lines = run_inproc(repo, "status").out.splitlines()

    assert lines[0] == "trust: head (default without a remote)"
    assert lines[2].startswith("knowledge: 5 item(s), v0")


@pytest.mark.capability("G-012")
def test_the_version_counts_decisions_wherever_the_clocks_stood(make_repo: MakeRepo, tmp_path: Path) -> None:
    """F-077: commits dated before their parents, long ago and far ahead; 5 + 1 merged with 5 + 1 is 7."""
    entries = {
        f".gitmem/ledger/2026/01-0{n}/01J6XQK5P7R2V8Y3M4N600000{n}.yaml": f"id: 01J6XQK5P7R2V8Y3M4N600000{n}\n"
        for n in range(1, 6)
    }
    repo = make_repo(CONFIG | entries)
    git(repo, "branch", "side")
    write_tree(repo, {".gitmem/ledger/2026/01-06/01J6XQK5P7R2V8Y3M4N6000006.yaml": "id: 6\n"})
    commit_all(repo, "here", date="1970-01-02T00:00:00Z")
    git(repo, "switch", "--quiet", "side")
    write_tree(repo, {".gitmem/ledger/2026/01-06/01J6XQK5P7R2V8Y3M4N6000007.yaml": "id: 7\n"})
    commit_all(repo, "there", date="2099-01-01T00:00:00Z")
    git(repo, "switch", "--quiet", "main")
    git(repo, "merge", "--quiet", "--no-edit", "side", date="1999-01-01T00:00:00Z")
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{repo}", "shallow")

    whole, shallow = ask(repo, "status"), ask(tmp_path / "shallow", "status")

    assert ask(repo, "compile", "a.py")["knowledge_count"] == 7
    assert whole["knowledge_version"] == shallow["knowledge_version"] == f"v7\u00b7{whole['snapshot_id'][:6]}"


@pytest.mark.capability("M-003")
def test_a_repository_of_its_own_serves_two_code_repositories(make_repo: MakeRepo, tmp_path: Path) -> None:
    home = tmp_path / "team-memory"
    home.mkdir()
    assert run_inproc(home, "init", "--standalone").code == 0
    assert run_inproc(home, "new", "constraint", "Ask first", "--path", "src/**", stdin="Ask.\n").code == 0
    commit_all(home, "ask first")
    for name in ("first", "second"):
        code = make_repo({"src/a.py": "x\n"}, name=name)
        git(code, "config", "gitmem.parent", str(home))

        answer = ask(code, "compile", "src/a.py")

        assert [row["slug"] for row in answer["base"]["documents"]] == ["ask-first"]
        assert codes(answer["notices"]) == ["parent"]
        assert ask(code, "get", "ask-first")["items"][0]["title"] == "Ask first"
        assert ask(code, "overview")["items"] == 1
        assert ask(code, "list")["total"] == 1
    assert ask(home, "status")["items"] == 1


@pytest.mark.capability("R-032")
def test_the_board_tells_of_open_reports_recent_work_and_the_latest_snapshot_and_leaves_no_trace(repo: Path) -> None:
    """The log too is as long as before."""
    untouched = ask(repo, "overview")
    ask(repo, "compile", "src/app.py", "src/deep/b.py")
    ask(repo, "observe", "compile_miss", "--file", "lib/a.py", "--comment", "no rule came")
    ask(repo, "observe", "manual_note", "--note", "Tables have plural names.")
    ask(repo, "snapshots", "create", "first")
    own = discover(repo)
    before = len(spool.entries(own))

    board = ask(repo, "overview")
    shown = run_inproc(repo, "overview").out

    assert untouched.keys().isdisjoint({"observations", "compiles", "latest_snapshot"})
    assert board["observations"] == {"total": 2, "compile_miss": 1, "manual_note": 1}
    assert board["compiles"] == {"src": 1, "src/deep": 1}
    assert board["latest_snapshot"] == "first"
    assert "open observations: 1 compile_miss, 1 manual_note" in shown
    assert "compiles in the last week: src 1, src/deep 1" in shown
    assert len(spool.entries(own)) == before


def test_the_board_begins_no_journal(repo: Path) -> None:

    ask(repo, "overview")

    assert not journal.folder_of(discover(repo)).exists()
