"""Contradictions on record: listed with advice, settled in one proposal, overdue where nobody decides."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitmem.answers.contradictions import overdue
from gitmem.answers.session import Session
from gitmem.model.synapse import Evidence, Synapse, link
from gitmem.record import replace
from gitmem.store.synapses import decode_synapse
from tests.answers.test_neighbours import files_of
from tests.asking import ask, codes, knowledge, refused, rule
from tests.support import commit_all, engram_id, run_inproc, write_tree

TABS, SPACES, MINE, LOOSE = (engram_id(n) for n in range(1, 5))
RULES = (
    rule("tabs", 1, "src/**", "lib/**", body="Always use tabs for indentation.\n", created={"at": "2026-01-01"}),
    rule("spaces", 2, "src/**", body="Always use spaces for indentation.\n", created={"at": "2026-02-01"}),
    rule("loose", 4, kind="fact", requires=[TABS], body="What counts is that all do the same.\n"),
)
PRIVATE = rule("mine", 3, visibility="private")
SINCE = "2026-03-01T00:00:00Z"
EDGE = replace(link(TABS, SPACES, "contradicts", None, [Evidence("one file has both", "Ada", SINCE)]), created_at=SINCE)


def made(make_repo, *edges: Synapse, name: str = "repo") -> Path:
    return make_repo(knowledge(*RULES) | files_of(*edges), name=name)


def listed(repo: Path, *words: str, now: str = "2026-03-05") -> list[dict]:
    return ask(repo, "contradictions", "list", "--now", now, *words)["contradictions"]


def settle(repo: Path, *words: str, name: str = EDGE.id) -> dict:
    return ask(repo, "contradictions", "resolve", name, "--rationale", "as agreed", "--now", "2026-03-20", *words)


def approve(repo: Path, answer: dict) -> None:
    seen = f"{answer['proposal']}@{answer['patchset']}"
    assert run_inproc(repo, "proposals", "approve", seen, "--yes").code == 0


def statuses(repo: Path) -> dict[str, str]:
    items = ask(repo, "get", "tabs", "spaces", "--tier", "digest")["items"]
    return {item["slug"]: item["status"] for item in items}


def edge_of(repo: Path) -> Synapse:
    path = repo / f".gitmem/synapses/contradicts/{EDGE.id}.yaml"
    found = decode_synapse(path.read_bytes(), f"synapses/contradicts/{EDGE.id}.yaml").synapse
    assert found is not None
    return found


@pytest.mark.capability("M-038")
def test_the_list_says_who_is_newer_how_long_it_waits_and_what_is_advised(make_repo):
    weak = rule("tabs", 1, "src/**", body="Always use tabs.\n", created={"at": "2026-01-01"}, confidence=0.4)
    repo = make_repo(knowledge(*RULES, weak, PRIVATE) | files_of(EDGE, link(TABS, MINE, "contradicts")))

    (row,) = listed(repo)

    assert (row["state"], row["age_days"], row["said"]) == ("pending", 4, ["one file has both"])
    assert (row["newer"], row["older"]) == (SPACES, TABS)
    assert row["advice"] == {
        "verdict": "keep_new",
        "certainty": 0.85,
        "reason": "confidence 0.85 against 0.40",
    }
    assert [row["state"] for row in listed(repo, now="2026-03-08")] == ["escalated"]
    assert "advice: keep_new, 0.85 sure" in run_inproc(repo, "contradictions", "list").out


@pytest.mark.capability("M-038")
@pytest.mark.parametrize(("kind", "verdict"), [("counterexample", "merge"), ("incident", "keep_old")])
def test_what_speaks_against_an_engram_is_no_advice_to_keep_it(make_repo, kind, verdict):
    told = {"status": "unverified", "evidence": [{"description": f"seen {n}", "kind": kind} for n in range(3)]}
    known = rule("tabs", 1, "src/**", created={"at": "2026-01-01"}, verification=told)

    (row,) = listed(make_repo(knowledge(*RULES, known) | files_of(EDGE)))

    assert row["advice"]["verdict"] == verdict


@pytest.mark.capability("M-038")
@pytest.mark.parametrize(("day", "wanted"), [(7, []), (8, ["contradiction-overdue"])])
def test_doctor_lists_what_has_waited_for_a_week(make_repo, day, wanted):
    repo = made(make_repo, EDGE)
    session = Session(repo, datetime(2026, 3, day, tzinfo=UTC))

    assert [finding.code for finding in overdue(session)] == wanted
    found = ask(repo, "doctor", "--now", f"2026-03-{day:02}T00:00:00Z")["findings"]
    assert [row["code"] for row in found if row["code"] == "contradiction-overdue"] == wanted


@pytest.mark.capability("M-037")
@pytest.mark.parametrize(
    ("verdict", "after", "edges"),
    [
        ("keep_new", {"tabs": "superseded", "spaces": "active"}, {"contradicts", "supersedes"}),
        ("keep_old", {"tabs": "active", "spaces": "superseded"}, {"contradicts", "supersedes"}),
        ("archive", {"tabs": "deprecated", "spaces": "deprecated"}, {"contradicts"}),
    ],
)
def test_a_verdict_changes_edge_and_loser_in_one_decision(make_repo, verdict, after, edges):
    """F-216."""
    repo = made(make_repo, EDGE)
    answer = settle(repo, "--verdict", verdict)

    assert (codes(answer["warnings"]).count("contradicts"), statuses(repo)["tabs"]) == (0, "active")
    approve(repo, answer)

    assert statuses(repo) == after
    live = {slug for slug, status in after.items() if status == "active"}
    assert {hit["slug"] for hit in ask(repo, "search", "indentation")["hits"]} == live
    assert set(ask(repo, "overview")["edges"]) == edges
    resolution = edge_of(repo).resolution
    assert resolution == resolution | {"state": "resolved", "verdict": verdict, "rationale": "as agreed"}
    assert listed(repo) == []
    assert [row["resolution"]["verdict"] for row in listed(repo, "--state", "resolved")] == [verdict]
    assert ask(repo, "check")["counts"]["errors"] == 0
    (ledger,) = (path for path in (repo / ".gitmem/ledger").rglob("*.yaml"))
    assert all(word in ledger.read_text() for word in ("synapses/contradicts", "engrams/api", "as agreed"))


@pytest.mark.capability("M-037")
def test_a_merge_takes_the_text_that_both_come_to(make_repo):
    repo = made(make_repo, EDGE)
    words = ("contradictions", "resolve", "tabs", "--against", "spaces", "--verdict", "merge", "--rationale", "r")

    assert "the text" in refused(repo, *words, code=2)["message"]
    done = run_inproc(repo, *words, "--body", "-", "--json", stdin="Tabs in makefiles, spaces elsewhere.\n")
    approve(repo, json.loads(done.out))

    assert (statuses(repo)["tabs"], statuses(repo)["spaces"]) == ("superseded", "active")
    (item,) = ask(repo, "get", "spaces")["items"]
    assert item["content"] == "Tabs in makefiles, spaces elsewhere.\n"
    assert ask(repo, "overview")["edges"] == {"consolidates": 1, "contradicts": 1}
    assert [node["slug"] for node in ask(repo, "lineage", "spaces")["nodes"]] == ["tabs", "spaces"]
    assert ask(repo, "get", "tabs")["items"][0]["superseded_by"] == [SPACES], "what it went into"


@pytest.mark.capability("M-037")
def test_a_verdict_the_other_way_round_leaves_one_of_the_two(make_repo):
    """The loser once took the winner's place: with both edges each would be superseded by the other."""
    repo = made(make_repo, EDGE, link(TABS, SPACES, "supersedes"))
    assert ask(repo, "get", "spaces")["items"][0]["superseded_by"] == [TABS]

    approve(repo, settle(repo, "--verdict", "KEEP_NEW"))

    assert "superseded_by" not in ask(repo, "get", "spaces")["items"][0]
    assert ask(repo, "lineage", "tabs")["has_cycle"] is False
    assert [hit["slug"] for hit in ask(repo, "search", "indentation")["hits"]] == ["spaces"]


@pytest.mark.capability("M-037")
def test_whoever_needs_the_loser_and_what_it_alone_was_for_are_named(make_repo):
    repo = made(make_repo, EDGE)

    warnings = settle(repo, "--verdict", "keep_new")["warnings"]

    assert {"required", "scope-lost"} <= set(codes(warnings))
    assert "lib/**" in next(row["message"] for row in warnings if row["code"] == "scope-lost")


@pytest.mark.capability("M-038")
def test_without_a_verdict_clear_advice_decides_and_unclear_advice_does_not(make_repo):
    weak = rule("tabs", 1, "src/**", body="Always use tabs.\n", created={"at": "2026-01-01"}, source_type="inferred")
    repo = make_repo(knowledge(*RULES, weak) | files_of(EDGE))
    approve(repo, settle(repo))

    assert edge_of(repo).resolution["state"] == "auto_resolved"
    assert statuses(repo)["tabs"] == "superseded"
    other = made(make_repo, EDGE, name="other")
    assert (
        "none is advised"
        in refused(other, *("contradictions", "resolve", EDGE.id, "--rationale", "r"), code=2)["message"]
    )


@pytest.mark.capability("M-038")
def test_a_loser_that_comes_back_makes_it_contested(make_repo):
    repo = made(make_repo, EDGE)
    approve(repo, settle(repo, "--verdict", "keep_new"))
    ask(repo, "edit", "tabs", "status", "active")
    commit_all(repo, "back")

    (row,) = listed(repo, "--overdue")

    assert (row["state"], row["resolution"]["verdict"]) == ("contested", "keep_new")
    assert codes(ask(repo, "get", "tabs")["notices"]) == ["superseded", "contradicted"]


def test_what_nobody_has_put_on_record_is_settled_with_an_edge_of_its_own(make_repo):
    repo = made(make_repo)
    approve(repo, settle(repo, "--against", "spaces", "--verdict", "keep_old", name="tabs"))

    assert edge_of(repo).resolution["kept"] == [TABS]
    assert ask(repo, "check")["counts"]["errors"] == 0


@pytest.mark.capability("M-037")
def test_a_file_of_a_persons_own_keeps_comments_and_keys(make_repo):
    repo = made(make_repo, EDGE)
    path = repo / f".gitmem/synapses/contradicts/{EDGE.id}.yaml"
    path.write_text(f"# seen by Ada\n{path.read_text()}x-team: core\n")
    commit_all(repo, "by hand")

    approve(repo, settle(repo, "--verdict", "keep_new"))

    text = path.read_text()
    assert text.startswith("# seen by Ada\n")
    assert "x-team: core\n" in text
    assert edge_of(repo).resolution["verdict"] == "keep_new"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((EDGE.id, "--verdict", "keep_new"), 2, "rationale"),
        ((EDGE.id, "--verdict", "keep_new", "--rationale", " "), 2, "rationale"),
        ((EDGE.id, "--verdict", "keep_new", "--rationale", "x" * 1001), 2, "1001"),
        ((EDGE.id, "--verdict", "shrug", "--rationale", "r"), 2, "shrug"),
        ((EDGE.id, "--against", "tabs", "--verdict", "keep_new", "--rationale", "r"), 2, "both ends"),
        (("tabs", "--verdict", "keep_new", "--rationale", "r"), 2, "other engram"),
        (("tabs", "--against", "tabs", "--verdict", "keep_new", "--rationale", "r"), 1, "itself"),
        (("tabs", "--against", "mine", "--verdict", "keep_new", "--rationale", "r"), 1, "no item"),
        (("syn-0123456789abcdef", "--verdict", "keep_new", "--rationale", "r"), 1, "no edge"),
        ((link(TABS, LOOSE, "extends").id, "--verdict", "keep_new", "--rationale", "r"), 2, "no contradiction"),
    ],
)
def test_what_settles_nothing_is_refused(make_repo, words, code, said):
    repo = make_repo(knowledge(*RULES, PRIVATE) | files_of(EDGE, link(TABS, LOOSE, "extends")))

    assert said in refused(repo, "contradictions", "resolve", *words, code=code)["message"]


def test_what_does_not_hold_cannot_win(make_repo):
    repo = made(make_repo, EDGE)
    write_tree(repo, rule("spaces", 2, status="deprecated", created={"at": "2026-02-01"}))
    commit_all(repo, "retired")

    words = ("contradictions", "resolve", EDGE.id, "--verdict", "keep_new", "--rationale", "r")
    assert refused(repo, *words)["code"] == "not-in-force"
    assert listed(repo) == []
    write_tree(
        repo, rule("spaces", 2, verification={"status": "refuted", "evidence": []}, created={"at": "2026-02-01"})
    )
    commit_all(repo, "refuted")
    assert "verification set spaces unverified" in refused(repo, *words)["hint"]
    assert listed(repo) == [], "what was refuted contradicts nothing"


@pytest.mark.parametrize("words", [("--limit", "0"), ("--state", "open"), ("--cursor", "nowhere")])
def test_a_list_that_cannot_be_is_usage(make_repo, words):
    repo = made(make_repo, EDGE)

    assert run_inproc(repo, "contradictions", "list", *words, "--json").code == 2


def test_pages_go_on_where_the_last_one_ended(make_repo):
    edges = [
        replace(link(LOOSE, end, "contradicts"), created_at=f"2026-01-0{n}") for n, end in ((1, TABS), (2, SPACES))
    ]
    repo = made(make_repo, EDGE, *edges)

    first = ask(repo, "contradictions", "list", "--limit", "2")
    rest = ask(repo, "contradictions", "list", "--limit", "2", "--cursor", first["next"])

    assert [row["since"] for row in first["contradictions"]] == ["2026-01-01", "2026-01-02"]
    assert (first["total"], [row["id"] for row in rest["contradictions"]], rest["next"]) == (3, [EDGE.id], "")
    assert len(listed(repo, "--item", "tabs")) == 2
