"""Truth as it is measured on a repository: use, commits, edges, authors, claims and verdicts; and what follows."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.answers import journal
from gitmem.answers.authors import author_name, records
from gitmem.answers.contexts import contexts
from gitmem.answers.ground import ground
from gitmem.answers.held import TOUCHES_MOST, held
from gitmem.answers.machine import Cause, raise_once
from gitmem.answers.reading import ask as asked
from gitmem.answers.reading import open_place, read
from gitmem.answers.recommending import Recommended, recommendations
from gitmem.answers.session import Session
from gitmem.answers.standing import board
from gitmem.answers.truth import of_item
from gitmem.index.card import Card
from gitmem.memory import truth
from gitmem.memory.truth import Held
from gitmem.model.event import COMPILE, FEEDBACK, VERIFY, Event
from gitmem.model.synapse import link
from gitmem.model.truth import Truth
from gitmem.record import replace
from gitmem.store.synapses import encode_synapse, synapse_path
from gitmem.text.spans import digest
from tests.asking import ask, knowledge, rule
from tests.conftest import MakeRepo
from tests.support import commit_all, engram_id, git, run_inproc, start_repo, write_tree

NOW = datetime(2026, 3, 1, tzinfo=UTC)
ADA, BOB, EVE = "Ada <ada@example.org>", "Bob <bob@example.org>", "Eve <eve@example.org>"
SEND = "def send(x):\n    return os.write(1, x)\n"


def session(repo: Path) -> Session:
    return Session(repo, NOW)


def card(repo: Path, slug: str) -> Card:
    return asked(read(open_place(repo)), lambda known: known.under(f"slug:{slug}"))[0][0]


def truth_of(repo: Path, slug: str) -> Truth:
    return of_item(session(repo), card(repo, slug))


def edge(one: int, kind: str, other: int, weight: float | None = None, resolution: str = "") -> dict[str, str]:
    made = replace(link(engram_id(one), engram_id(other), kind, weight), resolution=resolution)
    return {f".gitmem/{synapse_path(made)}": encode_synapse(made).decode()}


def claim(text: str, lines: str = "", path: str = "src/a.py") -> dict[str, str]:
    return {"path": path, "hash": digest(text)} | ({"lines": lines} if lines else {})


def by(who: str, status: str = "unverified") -> dict[str, object]:
    return {"created": {"at": "2026-01-01T00:00:00Z", "by": who}, "verification": {"status": status, "evidence": []}}


def with_claims(number: int, slug: str, *claims: dict[str, str], **over: object) -> dict[str, str]:
    """The helper writes lists of texts; claims are mappings."""
    ((path, text),) = rule(slug, number, **over).items()  # type: ignore[arg-type]
    rows = "".join("  - {" + ", ".join(f"{k}: '{v}'" for k, v in each.items()) + "}\n" for each in claims)
    return {path: text.replace("tags:", f"claims:\n{rows}tags:")}


@pytest.fixture(scope="module")
def aged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Code with a past: ``send`` came through four commits to its file, ``recv`` was changed two commits ago."""
    root = tmp_path_factory.mktemp("aged")
    recv = "def recv():\n    return os.read(0, 9)\n"
    claims = {"send": claim(SEND, "2-3"), "recv": claim(recv, "5-6"), "whole": claim("text\n", path="b.txt")}
    claims |= {"never": claim("no such text in here\n", "2-2"), "gone": claim("to be removed one day\n", path="c.txt")}
    claims |= {"symbol": {"path": "src/a.py", "symbol": "send"}}
    files = {"src/a.py": f"import os\n{SEND}\n{recv}", "b.txt": "text\n", "c.txt": "to be removed one day\n"}
    for number, (slug, made) in enumerate(claims.items(), 1):
        files |= with_claims(number, slug, made)
    write_tree(start_repo(root), knowledge() | files)
    commit_all(root, "start")
    code = root / "src/a.py"
    for old, new in (
        ("import os\n", "import os\nimport re\n"),
        ("read(0, 9)", "read(0, 8)"),
        ("import re", "import ast"),
    ):
        code.write_text(code.read_text().replace(old, new))
        git(root, "rm", "--quiet", "--ignore-unmatch", "c.txt")
        commit_all(root, "work")
    return root


@pytest.mark.capability("M-058")
@pytest.mark.parametrize(
    ("slug", "fate"),
    [
        ("send", (Held(True, 3),)),
        ("recv", (Held(False, 2),)),
        ("whole", (Held(True, 0),)),
        ("never", (Held(False, TOUCHES_MOST),)),
        ("gone", (Held(False, 1),)),
        ("symbol", None),
    ],
)
def test_a_claim_counts_the_commits_that_it_came_through_or_missed(
    aged: Path, slug: str, fate: tuple[Held, ...] | None
) -> None:
    reading = read(open_place(aged))
    every = asked(reading, lambda known: [each for each in known.cards() if each.id])[0]

    assert held(reading, [card(aged, slug)]).get(card(aged, slug).id) == fate
    assert held(reading, every).get(card(aged, slug).id) == fate, "alone and among others, read or kept"


@pytest.mark.capability("M-058")
def test_claims_that_hold_make_truth_stable_and_executable(aged: Path) -> None:
    assert truth_of(aged, "send").of(truth.TIME_STABLE) == pytest.approx(0.75)
    assert truth_of(aged, "send").of(truth.EXECUTABLE) == 1
    assert truth_of(aged, "recv").of(truth.TIME_STABLE) == pytest.approx(0.125)
    assert truth_of(aged, "recv").of(truth.EXECUTABLE) == 0
    assert truth_of(aged, "symbol").of(truth.EXECUTABLE) == 0.5, "what cannot be judged speaks neither way"


def tell(repo: Path, *events: Event) -> None:
    for event in events:
        assert journal.note(session(repo), event) == "journal"


@pytest.mark.capability("M-058")
def test_use_with_success_is_counted_by_code_area_and_author_and_evidence_by_domain(make_repo: MakeRepo) -> None:
    proof = {"status": "plausible", "evidence": []}
    repo = make_repo(knowledge(rule("used", 1, verification=proof), rule("idle", 2)))
    files = ["src/api/a.py", "lib/b.py"]
    before = truth_of(repo, "used").of(truth.CROSS_CONTEXT)
    tell(
        repo,
        Event(COMPILE, {"files": files, "items": {"inline": [engram_id(1), engram_id(2)]}}),
        Event(FEEDBACK, {"items": [engram_id(1)], "outcome": "helped"}),
    )
    helped = truth_of(repo, "used")
    tell(repo, Event(COMPILE, {"files": ["doc/x.md"], "items": {"inline": [engram_id(1)]}}))
    again = contexts(session(repo))
    ask(repo, "verification", "add", "used", "held there", "--domain", "db")

    assert before == 0
    assert helped.of(truth.CROSS_CONTEXT) == pytest.approx((1 / 3 + 1 / 3 + 2 / 3) / 3)
    assert again.of(engram_id(1)).areas == ("lib", "src/api"), "a delivery alone changes nothing"
    assert truth_of(repo, "used").of(truth.CROSS_CONTEXT) == pytest.approx((2 / 3 + 1 / 3 + 2 / 3) / 3)
    assert truth_of(repo, "idle").of(truth.CROSS_CONTEXT) == 0
    tell(repo, Event(FEEDBACK, {"items": [engram_id(1)], "outcome": "misled"}))
    used = truth_of(repo, "used")
    assert used.of(truth.CROSS_CONTEXT) == pytest.approx((1 / 3 + 1 / 3 + 2 / 3) / 3), "it misled in doc"


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Engrams with edges of every sort, by authors good and bad."""
    root = tmp_path_factory.mktemp("web")
    files = knowledge(
        rule("middle", 1, **by(ADA)),
        rule("friend", 2, **by(ADA)),
        rule("foe", 3, **by(ADA)),
        rule("wrong", 4, **by(EVE, "refuted")),
        rule("asleep", 5, status="forgotten", **by(ADA)),
        rule("alone", 6, **by(ADA)),
        *(rule(f"proved-{n}", 10 + n, **by(BOB, "verified" if n else "probable")) for n in range(3)),
        *(rule(f"failed-{n}", 20 + n, **by(EVE, "refuted")) for n in range(2)),
        rule("eves", 30, **by(EVE)),
        rule("derived", 31, **by(BOB)),
        rule("shy", 40, visibility="restricted", **by(EVE)),
        rule("heir", 41, **by(BOB)),
        rule("settled", 42, **by(ADA)),
    )
    edges = (
        *(
            edge(1, "exemplifies", 2, 0.8),
            edge(2, "similar_to", 1, 0.5),
            edge(3, "contradicts", 1),
            edge(1, "extends", 4),
        ),
        *(edge(1, "extends", 5), edge(1, "depends_on", 6), edge(31, "derives_from", 30)),
        *(edge(41, "derives_from", 40), edge(42, "contradicts", 6, resolution="both hold, each in its own module")),
    )
    for each in edges:
        files |= each
    write_tree(start_repo(root), files)
    commit_all(root, "start")
    return root


# Of an engram that nothing speaks for or against: (0 * .25 + .5 * .2 + .5 * .15 + .5 * .2) / .8
ALONE = 0.34375


@pytest.mark.capability("M-058")
def test_edges_support_and_contradict_by_their_weight_and_the_truth_at_the_other_end(web: Path) -> None:
    """Each edge once; what is refuted or asleep says nothing, nor do edges that are about order or causes."""
    support, against = (0.8 + 0.5) * ALONE, 0.9 * ALONE

    assert truth_of(web, "middle").of(truth.MUTUAL_SUPPORT) == pytest.approx((support + 0.5) / (support + against + 1))
    assert truth_of(web, "settled").of(truth.MUTUAL_SUPPORT) == 0.5, "somebody has decided that both hold"
    assert truth_of(web, "foe").of(truth.MUTUAL_SUPPORT) == pytest.approx(0.5 / (1 + 0.9 * ALONE))
    assert truth_of(web, "alone").of(truth.MUTUAL_SUPPORT) == 0.5
    assert truth_of(web, "alone").score == pytest.approx(0.375)


@pytest.mark.capability("M-058")
def test_explain_shows_the_parts_of_the_truth_of_an_item(web: Path) -> None:
    found = ask(web, "explain", "middle")["experience"]["truth"]

    assert [part["name"] for part in found["parts"]] == list(truth.WEIGHTS)
    assert found["score"] == pytest.approx(sum(part["score"] * part["weight"] for part in found["parts"]))
    assert found == ask(web, "verification", "show", "middle")["truth"]
    said = run_inproc(web, "explain", "eves").out
    assert "mutual-support: edges that support it: 1, that contradict it: 0" in said
    assert "executable: no claim, check or test to judge" in said


@pytest.mark.capability("M-061")
def test_a_source_is_as_reliable_as_what_its_author_wrote_proved(web: Path) -> None:
    known = records(read(open_place(web)), contexts(session(web)))

    assert {name: (r.effective, r.failed) for name, r in known.items()} == {
        "bob@example.org": (3, 0),
        "eve@example.org": (0, 3),
    }
    assert truth_of(web, "derived").of(truth.SOURCE_RELIABILITY) == 1
    assert truth_of(web, "eves").of(truth.SOURCE_RELIABILITY) == 0
    assert truth_of(web, "alone").of(truth.SOURCE_RELIABILITY) == 0.5
    assert author_name("  Eve <EVE@example.org> ") == "eve@example.org"


@pytest.mark.capability("M-061")
def test_what_derives_from_an_unreliable_source_is_flagged(web: Path) -> None:
    assert truth_of(web, "eves").doubts == ("its author's record is 0.00: 3 that failed",)
    assert truth_of(web, "derived").doubts == ("it derives from eves, whose author's record is 0.00",)
    assert truth_of(web, "heir").doubts == (f"it derives from {engram_id(40)}, whose author's record is 0.00",)
    assert truth_of(web, "middle").doubts == ()
    places = [notice.place for notice in recommendations(session(web)).doubtful]
    assert places.count(".gitmem/engrams/api/derived.md") == 1


@pytest.mark.capability("M-058")
def test_a_verdict_speaks_for_a_rule_that_passed_and_against_one_that_was_broken(make_repo: MakeRepo) -> None:
    block = "Rule.\n\n```verify\nforbid_import: [os]\n```\n"
    repo = make_repo(knowledge(rule("checked", 1, "src/**", body=block), rule("unchecked", 2, "src/**")))

    def after(passed: bool, *items: str, path: str = "src/a.py") -> float:
        row = {"verdict": "pass" if passed else "fail", "passed": passed, "files": [path], "items": list(items)}
        tell(repo, Event(VERIFY, row))
        return truth_of(repo, "checked").of(truth.EXECUTABLE)

    assert after(True, path="lib/a.py") == 0.5, "another file"
    assert after(True) == 1
    assert after(False) == 1, "another rule was broken"
    assert after(False, engram_id(1)) == 0
    assert truth_of(repo, "unchecked").of(truth.EXECUTABLE) == 0.5


@pytest.mark.capability("M-059")
@given(
    st.lists(st.from_regex(r"[a-z]{1,8}", fullmatch=True), unique=True, max_size=6),
    st.dates(datetime(1990, 1, 1).date(), datetime(2026, 2, 28).date()),
)
@settings(derandomize=True, deadline=None, max_examples=6)
def test_neither_age_nor_tags_change_truth(
    tmp_path_factory: pytest.TempPathFactory, tags: list[str], day: object
) -> None:
    root = tmp_path_factory.mktemp("old")
    aged = {"created": {"at": f"{day}T00:00:00Z", "by": ADA}, "tags": ["api", *tags], "context_tags": tags}
    write_tree(start_repo(root), knowledge(rule("new", 1, **by(ADA)), rule("old", 2, **by(ADA) | aged)))  # type: ignore[arg-type]
    commit_all(root, "start")

    assert truth_of(root, "old") == truth_of(root, "new")
    assert recommendations(session(root)).items == ()


def proved(status: str, *domains: str) -> str:
    """The header of what was seen in these domains, by three people, on claims of three areas."""
    people = (ADA, BOB, EVE)
    rows = "".join(
        f"    - {{description: seen in {each}, kind: test, by: {people[n % 3]}, at: 2026-01-0{n + 1}T00:00:00Z, "
        f"domain: {each}, claim: a{n}/b/c.py}}\n"
        for n, each in enumerate(domains)
    )
    return f"verification:\n  status: {status}\n  evidence:\n{rows}"


def borne_out(number: int, slug: str, status: str, *domains: str, day: str = "2026-01-01") -> dict[str, str]:
    made = with_claims(number, slug, claim(SEND, "2-3"), created={"at": f"{day}T00:00:00Z", "by": BOB})
    ((path, text),) = made.items()
    return {path: text.replace("created:", proved(status, *domains) + "created:")}


@pytest.mark.capability("M-059")
def test_what_is_borne_out_is_recommended_by_one_step_and_lands_only_on_acceptance(make_repo: MakeRepo) -> None:
    files = knowledge(
        borne_out(1, "ready", "probable", "api", "db", "ui"),
        borne_out(2, "young", "probable", "api", "db", "ui", day="2026-02-27"),
        borne_out(3, "next", "unverified", "api", "db", "ui"),
        borne_out(4, "unseen", "plausible"),
        rule("plain", 5, **by(BOB)),
        *(rule(f"proved-{n}", 10 + n, **by(BOB, "verified")) for n in range(3)),
        *(edge(one, "similar_to", 10 + n, 1.0) for one in (1, 2, 3) for n in range(3)),
        *(edge(one, "extends", 10 + n, 1.0) for one in (1, 2, 3) for n in range(3)),
    )
    repo = make_repo(files | {"src/a.py": f"import os\n{SEND}"})
    for n in range(9):
        (repo / "src/a.py").write_text(f"import os\n{SEND}# {n}\n")
        commit_all(repo, "work")

    found = recommendations(session(repo)).items

    assert [(each.slug, each.status) for each in found] == [("ready", "verified"), ("next", "plausible")]
    assert found[0].score >= truth.VERIFY_LEAST
    assert git(repo, "status", "--porcelain") == ""
    raised = raise_it(repo, found[1])
    assert card(repo, "next").verification == "unverified"
    assert raise_it(repo, found[1]) == raised, "once"
    shown = ask(repo, "proposals", "show", raised)
    ask(repo, "proposals", "approve", f"{raised}@{shown['patchset']}")
    after = ask(repo, "verification", "show", "next")
    assert (after["status"], after["evidence"][-1]["by"]) == ("plausible", "gitmem")
    assert len(after["evidence"]) == 4


@pytest.mark.capability("M-059")
def test_what_is_contradicted_and_not_borne_out_is_recommended_to_be_refuted(make_repo: MakeRepo) -> None:
    files = knowledge(
        with_claims(1, "false", claim("nothing like it is here\n", "2-2"), **by(EVE, "plausible")),
        rule("true", 2, **by(BOB, "verified")),
        with_claims(3, "lonely", claim("nothing like it is here\n", "2-2"), **by(EVE)),
        *(rule(f"failed-{n}", 20 + n, **by(EVE, "refuted")) for n in range(3)),
        edge(1, "contradicts", 2),
    )
    repo = make_repo(files | {"src/a.py": f"import os\n{SEND}"})

    (found,) = recommendations(session(repo)).items

    assert (found.slug, found.status) == ("false", "refuted")
    raised = raise_it(repo, found)
    ask(repo, "proposals", "approve", f"{raised}@{ask(repo, 'proposals', 'show', raised)['patchset']}")
    assert ask(repo, "verification", "show", "false")["status"] == "refuted"
    assert recommendations(session(repo)).items == ()
    ask(repo, "verification", "set", "false", "unverified", "--evidence", "a fluke")
    assert recommendations(session(repo)).items == (), "whoever brought it back knew of the measurement"


def raise_it(repo: Path, found: Recommended) -> str:
    here = session(repo)
    under = ground(here)
    cause = Cause("rem", found.rule, found.rests_on, found.rationale)
    return raise_once(here, under, found.plan(under), cause, board(here)).proposal
