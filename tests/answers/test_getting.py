"""What `get` gives beside the text of an item, and how it keeps within a budget."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.answers.getting import ALL_TIERS, GetCall, get
from gitmem.answers.session import Session
from gitmem.errors import UsageError
from gitmem.mcp.results import success
from gitmem.model.plain import plain
from gitmem.model.synapse import link
from gitmem.render.disclosed import got
from gitmem.store import spool
from gitmem.store.repo import discover
from gitmem.text.tokens import estimate
from tests.answers.test_neighbours import files_of
from tests.asking import ask, codes, knowledge, refused, rule
from tests.conftest import MakeRepo
from tests.mcp.talk import talk
from tests.support import commit_all, engram_id, engram_text, git, run_inproc, start_repo, write_tree

ONE, TWO, THREE, FOUR, FIVE = (engram_id(n) for n in range(1, 6))
NAMES = ("one", "two", "three", "four", "five", "six", "seven")
FULL = {
    ".gitmem/engrams/api/full.md": engram_text(
        id=engram_id(20),
        title="Full",
        kind="fact",
        scope={"paths": ["src/**"], "commands": ["test"]},
        priority=3,
        source={"path": "docs/a.md", "hash": "h"},
        verification={"status": "plausible", "evidence": [{"description": "seen in May", "kind": "incident"}]},
        confidence=0.4,
        importance=0.9,
        valid={"from": "2026-01-01"},
        created={"at": "2026-01-02", "by": "Ada"},
        aliases=["whole"],
        team="core",
        **{"x-note": "kept"},
    )
}


@pytest.fixture(scope="module")
def repo(tmp_path_factory) -> Path:
    root = start_repo(tmp_path_factory.mktemp("getting"))
    rules = [
        rule(name, n, kind="fact", body=f"{name} {'word ' * 150}\n", summary=f"Of {name}. {'s ' * 30}")
        for n, name in enumerate(NAMES, 1)
    ]
    edges = (link(TWO, ONE, "supersedes"), link(THREE, FOUR, "contradicts"), link(FIVE, engram_id(6), "extends"))
    gone = rule("gone", 9, status="deprecated")
    wide = rule("wide", 10, kind="fact", title="\u6f22\u5b57", body="\u6f22\u5b57\u304b\u306a \U0001f600\n" * 500)
    write_tree(root, knowledge(*rules, gone, wide, FULL) | files_of(*edges))
    commit_all(root, "start")
    return root


@pytest.mark.capability("M-015")
@pytest.mark.parametrize("budget", [8000, 4096, 2500, 1700, 1000, 700, 600])
def test_a_batch_never_takes_more_than_its_budget(repo: Path, budget: int) -> None:
    said = run_inproc(repo, "get", *NAMES, "--budget", str(budget), "--json").out
    answer = json.loads(said)

    assert estimate(said) <= answer["tokens"] <= budget
    tiers = [item["tier"] for item in answer["items"]]
    assert tiers.count("content") <= 5
    assert (len(tiers) < len(NAMES)) is ("budget" in codes(answer["warnings"]))


@pytest.mark.capability("M-015")
@given(
    st.integers(300, 12_000),
    st.lists(st.sampled_from([*NAMES, "full", "gone", "wide"]), min_size=2, max_size=9),
    st.sampled_from(ALL_TIERS),
    st.sampled_from(["cli", "agent"]),
    st.booleans(),
)
@settings(derandomize=True, deadline=None, max_examples=24)
def test_no_answer_is_over_its_budget(
    repo: Path, budget: int, names: list[str], tier: str, surface: str, blame: bool
) -> None:
    session = Session(repo, datetime(2026, 6, 1, tzinfo=UTC), surface)
    try:
        found = get(session, GetCall(tuple(names), tier, budget, blame=blame))
    except UsageError as err:
        found, refusal = None, err
    if found is None:
        assert (refusal.code, refusal.hint.startswith("at least ")) == ("budget", True)
        return

    if surface == "cli":
        taken = estimate(json.dumps(plain(found), ensure_ascii=False, indent=2) + "\n")
    else:
        answer = success(got(found), plain(found), str(repo))
        taken = estimate(answer.text) + estimate(json.dumps(answer.structure, ensure_ascii=False))
    assert taken <= found.tokens <= budget


@pytest.mark.capability("M-015")
def test_the_best_come_first_whatever_their_place(repo: Path) -> None:
    scores = ("0.1", "0.9", "0.3", "0.6", "0.1", "0.1", "0.1")
    answer = ask(repo, "get", *NAMES, *(f"--score={each}" for each in scores))

    assert [item["slug"] for item in answer["items"]] == list(NAMES)
    assert [item["tier"][:2] for item in answer["items"]] == ["ca", "co", "di", "co", "ca", "ca", "ca"]


@pytest.mark.capability("M-014")
def test_what_is_reserved_is_not_spent(repo: Path) -> None:
    whole = ask(repo, "get", "one", "--budget", "4096")
    less = ask(repo, "get", "one", "--budget", "4096", "--reserved", str(4096 - whole["tokens"] + 1))

    assert (whole["tier"], less["tier"]) == ("content", "digest")
    assert "reserved" in refused(repo, "get", "one", "--budget", "100", "--reserved", "100", code=2)["message"]


@pytest.mark.capability("M-014")
def test_a_tier_by_name_is_given_whole_unless_a_budget_is_named_too(repo: Path) -> None:
    named = ask(repo, "get", *NAMES, "--tier", "content")
    bounded = ask(repo, "get", *NAMES, "--tier", "content", "--budget", "2000")

    assert {item["tier"] for item in named["items"]} == {"content"}
    assert named["tokens"] > 2000 >= bounded["tokens"]
    assert codes(bounded["warnings"]) == ["budget"]


def test_several_items_that_do_not_fit_by_name_are_refused_and_one_is_named_all_the_same(repo: Path) -> None:
    assert refused(repo, "get", *NAMES, "--budget", "1", code=2)["hint"].startswith("at least ")
    said = run_inproc(repo, "get", "one", "--budget", "1", "--json").out
    answer = json.loads(said)
    assert estimate(said) <= answer["tokens"], "with the warning"
    assert (answer["tier"], codes(answer["warnings"])) == ("catalog", ["budget"])


@pytest.mark.capability("M-015")
def test_what_is_to_be_said_of_many_items_leaves_room_for_their_names(make_repo: MakeRepo) -> None:
    """Each contradicts the next; told one by one that would take the whole budget."""
    names = [f"item-{n:02}" for n in range(1, 13)]
    ring = [link(engram_id(n), engram_id(n % 12 + 1), "contradicts") for n in range(1, 13)]
    rules = (rule(name, n, kind="fact", body=f"Of {name}.\n") for n, name in enumerate(names, 1))
    repo = make_repo(knowledge(*rules) | files_of(*ring))

    answer = ask(repo, "get", *names, "--budget", "2200")

    (notice,) = answer["notices"]
    assert notice["message"] == f"contradicted: 12 of these items: {', '.join(names)}"
    assert len(answer["items"]) == 12
    assert answer["tokens"] <= 2200
    assert len(ask(repo, "get", "item-01")["notices"]) == 2, "alone each is told whole"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--score", "2"), "not a score"),
        (("--score", "nan"), "not a score"),
        (("--score", "0.1", "--score", "0.2"), "2 score(s) for 1 item(s)"),
        (("--reserved", "-1"), "reserved must be"),
        (("--lineage", "--edges", "in"), "a lineage has edges of its own"),
        (("--lineage", "--depth", "21"), "depth must be from 1 to 20"),
        (("--lineage", "--direction", "up"), "direction"),
        (("--tier", "all"), "tier"),
    ],
)
def test_what_cannot_be_asked_is_usage(repo: Path, words: tuple[str, ...], said: str) -> None:
    error = refused(repo, "get", "one", *words, code=2)

    assert said in error["message"]


@pytest.mark.capability("M-014")
def test_meta_is_the_whole_header_with_what_experience_made_of_it(repo: Path) -> None:
    (item,) = ask(repo, "get", "full", "--tier", "meta")["items"]

    assert (item["tier"], item["status"], "content" in item) == ("meta", "active", False)
    meta = item["meta"]
    assert meta == meta | {
        "scope": {"paths": ["src/**"], "commands": ["test"]},
        "priority": 3,
        "source": {"path": "docs/a.md", "hash": "h"},
        "verification": "plausible",
        "confidence": 0.4,
        "importance": 0.9,
        "valid": {"from": "2026-01-01"},
        "created_at": "2026-01-02",
        "created_by": "Ada",
        "aliases": ["whole"],
        "extra": {"team": "core", "x-note": "kept"},
    }
    assert meta["evidence"][0]["description"] == "seen in May"
    assert meta["effective"]["importance"] == 0.9
    assert meta["effective"]["freshness"] == "fresh"
    assert "verification: plausible" in run_inproc(repo, "get", "full", "--tier", "meta").out


@pytest.mark.capability("M-039")
def test_blame_names_author_and_commit_of_each_line(repo: Path) -> None:
    (item,) = ask(repo, "get", "one", "--tier", "catalog", "--blame")["items"]

    head = git(repo, "rev-parse", "HEAD").strip()
    author = git(repo, "log", "-1", "--format=%an <%ae>").strip()
    assert {(row["commit"], row["author"]) for row in item["lines"]} == {(head, author)}
    assert [row["line"] for row in item["lines"]] == list(range(1, len(item["lines"]) + 1))
    assert ask(repo, "get", "one", "--blame")["items"][0]["tier"] == "content"


def test_what_holds_no_more_is_marked_at_any_tier(repo: Path) -> None:
    for tier in ("catalog", "digest", "content"):
        answer = ask(repo, "get", "one", "gone", "--tier", tier)
        assert [item.get("superseded_by") for item in answer["items"]] == [[TWO], None]
        assert answer["items"][1]["status"] == "deprecated"
        assert codes(answer["notices"]) == ["superseded", "deprecated"]
    assert f"superseded by {TWO}" in run_inproc(repo, "get", "one").out


def test_an_open_contradiction_is_named_with_whom(repo: Path) -> None:
    (notice,) = ask(repo, "get", "three")["notices"]

    assert (notice["code"], "three and four contradict each other" in notice["message"]) == ("contradicted", True)


def test_what_was_read_is_on_record_and_no_evidence(repo: Path) -> None:
    ask(repo, "get", "five", "six")

    last = spool.entries(discover(repo))[-1]
    assert (last.kind, last.data["tool"], last.data["items"]) == ("retrieval", "get", [FIVE, engram_id(6)])
    assert git(repo, "status", "--porcelain") == ""


@pytest.mark.capability("M-015")
def test_over_mcp_text_and_structure_together_keep_to_the_budget(repo: Path) -> None:
    with talk(repo) as server:
        server.start()
        for budget in (4096, 1500):
            answer = server.call("get", {"items": list(NAMES), "budget": budget})
            structure = json.dumps(answer["structuredContent"], separators=(",", ":"))
            text = "".join(part["text"] for part in answer["content"])
            assert estimate(structure) + estimate(text) <= budget
            assert "content" not in answer["structuredContent"]["items"][0]
