"""Items by name and by filter: get, show, list."""

from pathlib import Path

import pytest

from tests.asking import CONFIG, ask, codes, knowledge, refused, rule
from tests.conftest import MakeRepo
from tests.support import commit_all, engram_id, git, run_inproc, write_tree

TIERS = ("catalog", "digest", "content")
FILES = knowledge(
    rule(
        "client", 1, "src/ui/**", summary="Through the client.", body="Body of the client.\n", requires=[engram_id(3)]
    ),
    rule("client", 2, "src/api/**", domain="http", importance=0.9),
    rule("note", 3, domain="http/retry", kind="fact", tags=["http", "retry"], importance=0.2),
    rule("old", 4, "src/**", status="deprecated", kind="guideline"),
    rule("lost", 5, status="forgotten"),
    rule("hidden", 6, "src/**", visibility="restricted"),
    rule("draft", 7, "src/**", status="draft"),
)


@pytest.fixture
def repo(make_repo: MakeRepo) -> Path:
    return make_repo(FILES)


@pytest.mark.capability("M-002")
@pytest.mark.parametrize(
    "name", [engram_id(3), engram_id(3).lower(), f" {engram_id(3)} ", "note", "http/retry/note", "note.md"]
)
def test_an_item_is_named_by_id_slug_or_domain_and_slug(repo: Path, name: str) -> None:
    assert [item["id"] for item in ask(repo, "get", name)["items"]] == [engram_id(3)]


@pytest.mark.capability("M-002")
def test_a_name_of_several_items_lists_them(repo: Path) -> None:
    error = refused(repo, "get", "client")

    assert error["code"] == "ambiguous"
    assert error["message"] == f"'client' names 2 items: api/client ({engram_id(1)}), http/client ({engram_id(2)})"
    assert ask(repo, "get", "http/client")["items"][0]["id"] == engram_id(2)


@pytest.mark.parametrize("name", ["clien", "http", "*", "../client", "", "engrams/api/client"])
def test_what_is_near_is_named_and_never_taken(repo: Path, name: str) -> None:
    assert refused(repo, "get", name)["code"] == "not-found"


@pytest.mark.capability("M-002")
def test_a_move_by_git_keeps_the_id_and_what_refers_to_it(repo: Path) -> None:
    (repo / ".gitmem/engrams/elsewhere").mkdir()
    git(repo, "mv", ".gitmem/engrams/http/retry/note.md", ".gitmem/engrams/elsewhere/renamed.md")
    commit_all(repo, "move")

    assert ask(repo, "get", engram_id(3))["items"][0]["slug"] == "renamed"
    edges = ask(repo, "compile", "src/ui/a.ts")["base"]["resolution_path"]
    assert {"item": engram_id(3), "edge": "requires", "pattern": engram_id(1), "file": ""} in edges


@pytest.mark.capability("M-014")
def test_each_tier_holds_more_than_the_one_before(repo: Path) -> None:
    found = {tier: ask(repo, "get", "api/client", "--tier", tier)["items"][0] for tier in TIERS}

    assert set(found["catalog"]) == {"id", "slug", "title", "kind", "tags", "tier"}
    assert set(found["digest"]) == set(found["catalog"]) | {"summary", "importance", "status"}
    assert found["content"]["content"] == "Body of the client.\n"
    assert found["content"]["paths"] == ["src/ui/**"]
    assert found["content"]["requires"] == [engram_id(3)]
    assert all(found["content"][key] == value for key, value in found["digest"].items() if key != "tier")


@pytest.mark.capability("M-014")
def test_auto_steps_down_as_the_budget_shrinks(make_repo: MakeRepo) -> None:
    rules = [rule(f"r{n}", n, "src/**", body="word " * 300 + "\n", summary="s " * 60) for n in range(1, 5)]
    repo = make_repo(knowledge(*rules))
    names = [f"r{n}" for n in range(1, 5)]

    seen = []
    for budget in (8000, 1700, 900, 500):
        answer = ask(repo, "get", *names, "--budget", str(budget))
        tiers = [item["tier"] for item in answer["items"]]
        seen.append((answer["tier"], tiers.count("content"), tiers.count("digest"), tiers.count("catalog")))
        assert tiers == sorted(tiers, key=TIERS.index, reverse=True)
        assert answer["tokens"] <= budget

    assert seen[0] == ("content", 4, 0, 0)
    assert seen[-1] == ("catalog", 0, 0, 4)
    assert seen == sorted(seen, key=lambda row: -row[1])
    assert {row[0] for row in seen} == set(TIERS)


def test_a_tier_that_is_asked_for_is_given_whatever_it_takes(make_repo: MakeRepo) -> None:
    long = rule("long", 1, body="word " * 6000 + "\n")
    repo = make_repo(knowledge(long), name="long")

    answer = ask(repo, "get", "long", "--tier", "content")

    assert (answer["items"][0]["tier"], answer["tokens"] > 4096) == ("content", True)


def test_get_reads_any_revision_without_a_checkout(repo: Path) -> None:
    """G-002, F-083: one id in versions, and nobody calls it ambiguous."""
    git(repo, "tag", "v1")
    git(repo, "switch", "--quiet", "--create", "feature")
    write_tree(repo, rule("note", 3, domain="http/retry", title="Changed"))
    commit_all(repo, "change", date="2026-05-01T00:00:00Z")

    titles = {
        at: ask(repo, "get", "note", "--at", at)["items"][0]["title"] for at in ("v1", "main", "feature", "HEAD^")
    }

    assert titles == {"v1": "Note", "main": "Note", "feature": "Changed", "HEAD^": "Note"}
    assert ask(repo, "get", "note", "--at", "2026-01-31")["items"][0]["title"] == "Note"
    assert ask(repo, "get", "note", "--at", "2026-05-01")["items"][0]["title"] == "Changed"
    listed = {at: ask(repo, "list", "--kind", "fact", "--at", at)["items"] for at in ("main", "feature")}
    assert [[row["id"] for row in rows] for rows in listed.values()] == [[engram_id(3)], []]


def test_what_waits_is_counted_and_the_committed_text_served(repo: Path) -> None:
    """F-058."""
    rel = ".gitmem/engrams/http/retry/note.md"
    before = (repo / rel).read_text()
    (repo / rel).write_text(before + "Waiting.\n")

    for words in (("get", "note"), ("show", "note")):
        assert codes(ask(repo, *words)["notices"]) == ["uncommitted"]
    assert ask(repo, "show", "note")["text"] == before


def test_show_gives_the_whole_file_as_it_is_committed(repo: Path) -> None:
    answer = ask(repo, "show", "note")

    assert answer["text"] == FILES[".gitmem/engrams/http/retry/note.md"]
    assert answer["commit"] == git(repo, "rev-parse", "HEAD").strip()
    assert run_inproc(repo, "show", "note").out.startswith(
        f"# .gitmem/engrams/http/retry/note.md at {answer['commit'][:12]}\n\n---\n"
    )


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ((), ["http/client", "api/client", "api/draft", "http/retry/note"]),
        (("--kind", "fact"), ["http/retry/note"]),
        (("--kind", "FACT", "--kind", "guideline"), ["http/retry/note"]),
        (("--status", "forgotten"), ["api/lost"]),
        (("--status", "deprecated", "--status", "draft"), ["api/old", "api/draft"]),
        (("--tag", "http"), ["http/retry/note"]),
        (("--tag", "http", "--tag", "api"), []),
        (("--domain", "http"), ["http/client", "http/retry/note"]),
        (("--domain", "http/retry/"), ["http/retry/note"]),
        (("--domain", "htt"), []),
        (("--rules",), ["http/client", "api/client", "api/draft"]),
        (("--path", "src/ui/new.ts"), ["api/client", "api/draft"]),
        (("--path", "docs/a.md"), []),
        (("--path", "src/api/a.ts", "--kind", "constraint", "--status", "active"), ["http/client"]),
    ],
)
def test_every_filter_narrows_and_the_most_important_come_first(
    repo: Path, words: tuple[str, ...], found: list[str]
) -> None:
    answer = ask(repo, "list", *words)

    assert [row["path"].removeprefix(".gitmem/engrams/").removesuffix(".md") for row in answer["items"]] == found
    assert (answer["total"], answer["next"]) == (len(found), "")


def test_what_is_restricted_is_given_by_name_and_not_listed(repo: Path) -> None:
    assert ask(repo, "get", "hidden")["items"][0]["id"] == engram_id(6)
    assert "hidden" not in run_inproc(repo, "list", "--path", "src/a.ts", "--json").out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("list", "--kind", "thing"), "unknown kind: thing"),
        (("list", "--status", "live"), "unknown status: live"),
        (("list", "--limit", "0"), "limit must be from 1 to 500"),
        (("list", "--limit", "501"), "limit must be from 1 to 500"),
        (("list", "--cursor", "nowhere"), "not a cursor of this list"),
        (("list", "--path", "../a"), "../a"),
        (("get",), "name 1 to 100 items"),
        (("get", *("note",) * 101), "name 1 to 100 items"),
        (("get", "note", "--tier", "deep"), "unknown tier 'deep'"),
        (("get", "note", "--budget", "0"), "budget must be above 0"),
    ],
)
def test_limits_and_closed_values_are_usage_errors(repo: Path, words: tuple[str, ...], says: str) -> None:
    assert says in refused(repo, *words, code=2)["message"]


def pages(repo: Path, limit: int) -> list[list[str]]:
    found, cursor = [], ""
    while cursor or not found:
        answer = ask(repo, "list", "--limit", str(limit), *(("--cursor", cursor) if cursor else ()))
        found.append([row["path"] for row in answer["items"]])
        cursor = answer["next"]
        assert len(found) < 50
    return found


def test_pages_hold_each_item_once(make_repo: MakeRepo) -> None:
    repo = make_repo(knowledge(*(rule(f"r{n:02}", n, importance=n % 3 / 4) for n in range(1, 24))))
    (everything,) = pages(repo, 500)

    for limit in (1, 5, 23, 24):
        found = pages(repo, limit)
        assert [path for page in found for path in page] == everything
        assert len(found) == -(-23 // limit)


def test_pages_end_although_two_files_have_one_id(make_repo: MakeRepo) -> None:
    """F-240."""
    repo = make_repo(knowledge(rule("a", 1), rule("b", 1), rule("c", 1), rule("d", 2)))

    assert [len(page) for page in pages(repo, 1)] == [1, 1, 1, 1]


def test_a_file_made_by_hand_is_there_as_soon_as_it_is_committed(make_repo: MakeRepo) -> None:
    """F-110, F-120: nothing but Git has to know."""
    repo = make_repo(CONFIG)
    write_tree(repo, rule("by-hand", 1, "src/**"))
    commit_all(repo, "by hand")

    assert ask(repo, "get", "by-hand")["items"][0]["id"] == engram_id(1)
    assert ask(repo, "edit", "by-hand", "title", "Renamed")["changed"] is True


def test_what_was_removed_outside_of_the_tool_is_gone_and_what_was_renamed_is_found(repo: Path) -> None:
    """F-109: nothing outlives its file."""
    ask(repo, "list")
    git(repo, "rm", "--quiet", ".gitmem/engrams/api/old.md")
    git(repo, "mv", ".gitmem/engrams/api/draft.md", ".gitmem/engrams/api/plan.md")
    commit_all(repo, "by git")

    names = [row["slug"] for row in ask(repo, "list")["items"]]

    assert names == ["client", "client", "plan", "note"]
    assert refused(repo, "get", "old")["code"] == "not-found"
