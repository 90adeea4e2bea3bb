"""Search: one ranking with reasons, every filter on both engines, edges, proposals, and questions nobody should ask."""

import json
import os
from pathlib import Path

import pytest

from gitmem.model.synapse import link
from tests.answers.test_neighbours import files_of
from tests.asking import ask, knowledge, refused, rule
from tests.support import commit_all, engram_id, git, run_inproc, start_repo, write_tree

NOW = "2026-06-01T00:00:00Z"
ADA, BOB = "Ada <ada@example.org>", "Bob <bob@example.org>"


def note(slug: str, number: int, body: str, **over: object) -> dict[str, str]:
    fields = {"kind": "fact", "tags": ["http"], "body": f"{body}\n", "created": {"at": "2026-05-30", "by": ADA}}
    return rule(slug, number, *over.pop("paths", ()), **(fields | over))  # type: ignore[arg-type]


FILES = knowledge(
    note("retry-calls", 1, "A failed call is tried again three times, with a growing pause.", importance=0.9),
    note("no-fetch", 2, "Components never call fetch; the client does.", kind="constraint", paths=("src/ui/**",)),
    note("money", 3, "Amounts are integers of cents.", domain="billing/core", tags=["money", "types"]),
    note("old-money", 4, "Amounts are floats.", domain="billing", tags=["money"], status="superseded"),
    note("refuted", 5, "Amounts round half up.", tags=["money"], verification={"status": "refuted"}),
    note("frozen", 6, "Amounts of the year 2019 are in francs.", tags=["money"], status="frozen"),
    note("secretly", 7, "Amounts above a million need two people.", tags=["money"], visibility="restricted"),
    note("guess", 8, "Amounts may overflow one day.", kind="hypothesis", context_tags=["audit"], status="draft"),
    note("ancient", 9, "Amounts were once texts.", created={"at": "2020-01-01", "by": BOB}, importance=0.2),
    note("claimed", 10, "The parser reads amounts.", claims=[{"path": "src/parse.py"}]),
    note("chinese", 11, "\u6211\u4eec\u4f7f\u7528\u91cd\u8bd5\u7b56\u7565\u5904\u7406\u8d85\u65f6", tags=["zh"]),
    note(
        "russian",
        12,
        "\u0434\u0430\u043d\u043d\u044b\u0435 \u043f\u0440\u043e\u0432\u0435\u0440\u0435\u043d\u044b",
        tags=["ru"],
    ),
    note("accents", 13, "Das Caf\u00e9 liegt in der Stra\u00dfe.", tags=["de"]),
    note("code-words", 14, "See src/main.py, getUserName and C++ for the odd one.", tags=["code"]),
    note("later-money", 15, "Sums are integers of cents, always.", tags=["cents"], verification={"status": "verified"}),
    note("hangul", 16, "\uc7ac\uc2dc\ub3c4\ub294 \uc138 \ubc88\uae4c\uc9c0", tags=["ko"]),
    note(
        "arabic",
        17,
        "\u0625\u0639\u0627\u062f\u0629 \u0627\u0644\u0645\u062d\u0627\u0648\u0644\u0629 \u062b\u0644\u0627\u062b",
        tags=["ar"],
    ),
    {"src/parse.py": "x = 1\n", "src/ui/a.tsx": "x\n"},
) | files_of(
    link(engram_id(15), engram_id(3), "extends"),
    link(engram_id(1), engram_id(2), "contradicts"),
)


@pytest.fixture(scope="module")
def repo(tmp_path_factory) -> Path:
    root = start_repo(tmp_path_factory.mktemp("search"))
    write_tree(root, FILES)
    commit_all(root, "start")
    return root


@pytest.fixture(params=["whoosh", "memory"])
def engine(request, monkeypatch) -> str:
    monkeypatch.setenv("GITMEM_SEARCH_ENGINE", request.param)
    return request.param


def found(repo: Path, *words: str) -> list[str]:
    return [hit["slug"] for hit in ask(repo, "search", *words, "--now", NOW)["hits"]]


@pytest.mark.capability("M-017")
def test_a_word_that_stands_only_in_a_body_is_found_and_named(repo: Path, engine: str) -> None:
    answer = ask(repo, "search", "growing", "--now", NOW)
    (hit,) = answer["hits"]
    assert (hit["slug"], hit["kind"], hit["status"], answer["total"]) == ("retry-calls", "fact", "active", 1)
    assert {(reason["field"], reason["term"]) for reason in hit["reasons"]} >= {("body", "growing")}
    assert 0 < hit["score"] <= 1
    assert hit["tokens"] > 0


@pytest.mark.capability("M-021")
@pytest.mark.parametrize(
    ("words", "slugs"),
    [
        (("amounts",), {"money", "guess", "ancient", "claimed"}),
        (("amounts", "--kind", "Hypothesis"), {"guess"}),
        (("amounts", "--status", "FROZEN"), {"frozen"}),
        (("amounts", "--status", "superseded"), {"old-money"}),
        (("amounts", "--verification", "refuted"), {"refuted"}),
        (("amounts", "--visibility", "restricted"), {"secretly"}),
        (("amounts", "--freshness", "forgotten"), {"ancient"}),
        (("amounts", "--author", "bob"), {"ancient"}),
        (("amounts", "--created-after", "2026-01-01", "--kind", "fact"), {"money", "claimed"}),
        (("amounts", "--created-before", "2020-01-01"), {"ancient"}),
        (("amounts", "--min-importance", "0.4", "--kind", "fact"), {"money", "claimed"}),
        (("amounts", "--tag", "money", "--tag", "types"), {"money"}),
        (("amounts", "--context-tag", "audit"), {"guess"}),
        (("amounts", "--domain", "billing/"), {"money"}),
        (("amounts", "--path", "src/parse.py"), {"claimed"}),
        (("call", "--path", "src/ui/a.tsx"), {"no-fetch"}),
        (("call", "--rules"), {"no-fetch"}),
    ],
)
def test_every_filter_on_both_engines(repo: Path, engine: str, words: tuple[str, ...], slugs: set[str]) -> None:
    answer = ask(repo, "search", *words, "--expand", "0", "--now", NOW)
    assert {hit["slug"] for hit in answer["hits"]} == slugs
    assert answer["total"] == len(slugs)


@pytest.mark.capability("M-021")
@pytest.mark.parametrize(
    ("flag", "value", "known"),
    [
        ("--kind", "knid", "hypothesis"),
        ("--status", "actve", "active"),
        ("--freshness", "old", "stale"),
        ("--verification", "proven", "verified"),
        ("--visibility", "secret", "restricted"),
        ("--created-after", "soon", "2026-01-31"),
        ("--min-importance", "2", "0 to 1"),
        ("--limit", "0", "20"),
        ("--limit", "10000", "20"),
        ("--expand", "4", "usually"),
    ],
)
def test_what_no_filter_knows_is_an_error_that_names_the_valid(repo: Path, flag: str, value: str, known: str) -> None:
    """F-105, F-106: no filter is dropped in silence."""
    error = refused(repo, "search", "amounts", flag, value, code=2)
    assert known in f"{error['message']} {error['hint']}"


def test_an_unknown_filter_is_an_error(repo: Path) -> None:
    assert run_inproc(repo, "search", "x", "--knid", "fact").code == 2


@pytest.mark.capability("M-024")
@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("\u91cd\u8bd5\u7b56\u7565\u662f\u4ec0\u4e48", "chinese"),
        ("\u8d85", "chinese"),
        ("\u0434\u0430\u043d\u043d\u044b\u0435", "russian"),
        ("CAFE strasse", "accents"),
        ("\uc138 \ubc88", "hangul"),
        ("\u0627\u0644\u0645\u062d\u0627\u0648\u0644\u0629", "arabic"),
        ("src/main.py", "code-words"),
        ("C++", "code-words"),
        ("user name", "code-words"),
        ("getUserName()", "code-words"),
    ],
)
def test_words_of_every_script_and_of_code(repo: Path, engine: str, text: str, first: str) -> None:
    """F-122, F-124, F-129."""
    assert found(repo, text)[0] == first


@pytest.mark.capability("M-025")
def test_any_word_may_match_and_ranking_decides(repo: Path, engine: str) -> None:
    """F-101: six of eight words occur in the item, so it is first."""
    assert found(repo, "why is a failed call tried again with growing zebras")[0] == "retry-calls"


@pytest.mark.capability("M-020")
def test_a_neighbour_comes_in_by_its_edge(repo: Path, engine: str) -> None:
    hits = {hit["slug"]: hit for hit in ask(repo, "search", "sums always", "--now", NOW)["hits"]}
    assert "money" in hits
    assert (hits["money"]["via"], hits["money"]["via_item"]) == ("extends", engram_id(15))
    assert hits["money"]["score"] < hits["later-money"]["score"]
    assert "money" not in found(repo, "sums always", "--expand", "0")


def test_a_contradiction_is_shown_beside_what_it_contradicts(repo: Path) -> None:
    hits = {hit["slug"]: hit for hit in ask(repo, "search", "growing pause", "--now", NOW)["hits"]}
    assert hits["retry-calls"]["contradicts"] == [engram_id(2)]


@pytest.mark.capability("M-018")
def test_the_parts_of_a_score_add_up(repo: Path, engine: str) -> None:
    weights = {"relevance": 0.5, "recency": 0.15, "importance": 0.25, "strength": 0.05, "heat": 0.05}
    for hit in ask(repo, "search", "amounts cents", "--explain", "--expand", "0", "--now", NOW)["hits"]:
        total = sum(weights[name] * value for name, value in hit["parts"].items())
        assert hit["score"] == pytest.approx(total, abs=2e-4)


@pytest.mark.parametrize(
    ("text", "slugs"),
    [
        ('"never call fetch"', ["no-fetch"]),
        ('"call never"', []),
        ("title:money cents", ["later-money", "money"]),
        ("body:francs", []),
        ("tags:code", ["code-words"]),
        ("path:src/parse.py amounts", ["claimed"]),
    ],
)
def test_quotes_and_fields_narrow_on_the_command_line(repo: Path, engine: str, text: str, slugs: list[str]) -> None:
    assert found(repo, text, "--expand", "0") == slugs


@pytest.mark.parametrize("text", ["a:b", "foo-bar", "-x", "*", '"', "(", "AND OR", "(a+)+$", "(" * 5000, "title:"])
def test_signs_are_never_operators(repo: Path, text: str) -> None:
    """F-103: nothing crashes; what holds no word is said to hold none."""
    done = run_inproc(repo, "search", "--json", "--", text)
    assert done.code in (0, 2), done.err
    assert done.code == 0 or "no word" in json.loads(done.out)["error"]["message"]


def test_questions_that_hold_nothing_or_too_much(repo: Path) -> None:
    assert "search for" in refused(repo, "search", code=2)["message"]
    assert "no word" in refused(repo, "search", "  ?! ", code=2)["message"]
    assert found(repo, "what is the")  # stop words alone still answer
    assert found(repo, " ".join(f"word{n}" for n in range(10_000)) + " cents")[0] in ("money", "later-money")
    assert found(repo, "cents\0cents")[0] in ("money", "later-money")


@pytest.mark.capability("M-013")
def test_filters_without_a_text_list_what_they_admit(repo: Path, engine: str) -> None:
    assert set(found(repo, "--tag", "money", "--status", "active", "--status", "frozen")) == {"money", "frozen"}


@pytest.mark.capability("M-022")
def test_the_memory_engine_leaves_no_file_and_a_typo_is_named(repo: Path, tmp_path: Path, monkeypatch) -> None:
    root = start_repo(tmp_path)
    write_tree(root, FILES)
    commit_all(root, "start")
    monkeypatch.setenv("GITMEM_SEARCH_ENGINE", "memory")
    answer = ask(root, "search", "cents")
    assert answer["environment"]["engine"] == "memory"
    assert not [path.name for path in (root / ".gitmem/cache").iterdir() if path.name.startswith(("words", "whoosh"))]
    monkeypatch.setenv("GITMEM_SEARCH_ENGINE", "wosh")
    answer = ask(root, "search", "cents")
    assert answer["environment"]["engine"] == "whoosh"
    assert "wosh" in answer["environment"]["search"]
    assert [path.name for path in (root / ".gitmem/cache").iterdir() if path.name.startswith("words")]


@pytest.mark.capability("M-031")
def test_a_search_changes_no_tracked_byte_and_is_on_record(tmp_path: Path) -> None:
    root = start_repo(tmp_path)
    write_tree(root, FILES)
    commit_all(root, "start")
    for _ in range(3):
        found(root, "cents")
    assert git(root, "status", "--porcelain") == ""
    rows = ask(root, "journal", "show", "--kind", "retrieval")["events"]
    assert [row["data"]["tool"] for row in rows] == ["search"] * 3
    assert rows[0]["data"]["items"][0] in (engram_id(3), engram_id(15))
    assert len(rows[0]["data"]["items"]) == len(rows[0]["data"]["scores"])


@pytest.mark.capability("M-027")
@pytest.mark.capability("M-028")
def test_any_damage_to_the_cache_gives_the_same_hits(tmp_path: Path) -> None:
    """F-107, F-108, F-118: a cold start, a warm one, and one on damaged files answer alike."""
    root = start_repo(tmp_path)
    write_tree(root, FILES)
    commit_all(root, "start")
    fresh = ask(root, "search", "amounts cents call", "--explain", "--now", NOW)
    files = [path for path in (root / ".gitmem/cache").iterdir() if path.suffix == ".seg"]
    for path in files:
        whole = path.read_bytes()
        for at in range(0, len(whole), max(1, len(whole) // 4)):
            path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x41]) + whole[at + 1 :])
            again = ask(root, "search", "amounts cents call", "--explain", "--now", NOW)
            assert again["hits"] == fresh["hits"]
            path.write_bytes(whole[:at])
            again = ask(root, "search", "amounts cents call", "--explain", "--now", NOW)
            assert again["hits"] == fresh["hits"]
            assert "damaged" in again["environment"]["search"]


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
@pytest.mark.capability("M-028")
def test_a_cache_that_nobody_may_write_is_named(tmp_path: Path) -> None:
    root = start_repo(tmp_path)
    write_tree(root, FILES)
    commit_all(root, "start")
    cache = root / ".gitmem/cache"
    cache.mkdir(exist_ok=True)
    cache.chmod(0)
    try:
        assert found(root, "cents")[0] in ("money", "later-money")
    finally:
        cache.chmod(0o700)


def test_what_was_just_committed_is_found_and_what_is_gone_is_not(tmp_path: Path) -> None:
    """F-109, F-110, F-115."""
    root = start_repo(tmp_path)
    write_tree(root, FILES)
    commit_all(root, "start")
    assert found(root, "zebra") == []
    write_tree(root, note("zebra", 30, "A zebra crosses."))
    commit_all(root, "zebra")
    assert found(root, "zebra") == ["zebra"]
    git(root, "rm", "-q", ".gitmem/engrams/api/zebra.md")
    commit_all(root, "gone")
    assert found(root, "zebra") == []
    assert found(root, "zebra", "--at", "HEAD~1") == ["zebra"]


def test_an_open_proposal_is_found_below_what_is_approved(tmp_path: Path) -> None:
    """F-245, F-259: what nobody approved is marked and never stands above what somebody did."""
    root = start_repo(tmp_path)
    write_tree(root, FILES)
    commit_all(root, "start")
    body = root / "body.md"
    body.write_text("cents " * 400 + "\n", encoding="utf-8")
    proposal = ask(root, "propose", "new", "fact", "Cents cents cents", "--body", str(body))["proposal"]
    hits = ask(root, "search", "cents")["hits"]
    assert [hit["id"] for hit in hits][-1] == proposal
    assert (hits[-1]["kind"], hits[-1]["status"]) == ("proposal", "open")
    assert [hit["kind"] for hit in ask(root, "search", "cents", "--kind", "proposal")["hits"]] == ["proposal"]


def test_did_you_mean(repo: Path, engine: str) -> None:
    assert ask(repo, "search", "growin pausee")["suggested"]
