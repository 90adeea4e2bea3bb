"""Steps of verification as people and agents take them: what lands, what is refused, and what stays when edges go."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitmem.answers.evidence import Wanted, plan_verify
from gitmem.answers.ground import Ground, ground
from gitmem.answers.propose import ProposeCall, propose
from gitmem.answers.session import Session
from gitmem.answers.verification import AddEvidenceCall, SetVerificationCall, add_evidence, set_verification
from gitmem.errors import GitmemError
from gitmem.model.evidence import Evidence, typed
from gitmem.store import codec
from tests.asking import ask, codes, knowledge, refused, rule
from tests.conftest import MakeRepo
from tests.support import commit_all, engram_id, engram_text, git, run_inproc, start_repo, write_tree

NOW = datetime(2026, 1, 5, tzinfo=UTC)
ITEM = "use-it"
FILE = f".gitmem/engrams/api/{ITEM}.md"
START = knowledge(
    rule(ITEM, 1, created={"at": "2026-01-01T00:00:00Z", "by": "Ada <ada@example.org>"}),
    rule("other", 2, domain="db", kind="fact"),
    rule("seen", 3, verification={"status": "plausible", "evidence": ["as typed by hand"]}),
    rule("broken", 4, verification={"status": "refuted", "evidence": []}),
) | {"src/a.py": "print(1)\n"}


def step(repo: Path, *words: str, item: str = ITEM) -> dict:
    return ask(repo, "verification", "set", item, *words)


@pytest.fixture(scope="module")
def still(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository that no test here changes."""
    root = tmp_path_factory.mktemp("still")
    write_tree(start_repo(root), START)
    commit_all(root, "start")
    return root


REFUSED = {
    "two steps": (("set", ITEM, "probable", "--evidence", "it held"), 1, "skipped-step", "set use-it plausible"),
    "two steps by force": (("set", ITEM, "verified", "--force"), 1, "skipped-step", "set use-it plausible"),
    "back by two": (("set", "broken", "plausible", "--force"), 1, "skipped-step", "set broken unverified"),
    "without evidence": (("set", ITEM, "plausible"), 1, "evidence-missing", "--force overrules"),
    "refuted without a word": (("set", ITEM, "refuted"), 1, "evidence-missing", "evidence"),
    "one domain": (("set", "seen", "probable", "--evidence", "it held"), 1, "evidence-missing", "evidence"),
    "back without new evidence": (("set", "broken", "unverified"), 1, "evidence-missing", "evidence"),
    "where it is": (("set", "seen", "plausible"), 2, "usage", "the next step: probable"),
    "unknown status": (("set", ITEM, "true"), 2, "usage", "plausible"),
    "no status": (("set", ITEM, " "), 2, "usage", "verification show"),
    "unknown item": (("set", "nothing", "plausible"), 1, "not-found", ""),
    "unknown kind": (("add", ITEM, "it held", "--kind", "rumour"), 2, "usage", "incident"),
    "a refutation by hand": (("add", ITEM, "it broke", "--kind", "refutation"), 2, "usage", "counterexample"),
    "a domain that is none": (("add", ITEM, "it held", "--domain", "../x"), 2, "usage", "api/http"),
    "a claim that it does not make": (("add", ITEM, "it held", "--claim", "src/a.py"), 2, "usage", "claims --add"),
    "a run of two lines": (("add", ITEM, "it held", "--run", "a\nb"), 2, "usage", "an id or an address"),
    "blank evidence": (("add", ITEM, " \n "), 2, "usage", "one sentence"),
    "too long": (("add", ITEM, "x" * 1001), 2, "usage", "one sentence"),
    "about no evidence": (("set", ITEM, "plausible", "--run", "ci/1"), 2, "usage", "one sentence"),
}


@pytest.mark.capability("M-060")
@pytest.mark.parametrize(("words", "code", "name", "hint"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused_says_what_lacks(still: Path, words: tuple[str, ...], code: int, name: str, hint: str) -> None:
    found = refused(still, "verification", *words, code=code)

    assert found["code"] == name
    assert hint in found["hint"]


ODD = {
    "nothing": "",
    "a word of nothing": "verification: ~\n",
    "on one line": "verification: {status: unverified, evidence: []}\n",
    "a lone text": "verification:\n  evidence: as typed\n",
    "a lone piece": "verification:\n  evidence: {description: as typed}\n",
    "with remarks": "verification:\n  status: unverified # why\n  evidence:\n    - description: typed\n    # after\n",
}


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    root = tmp_path_factory.mktemp("odd")
    files = {}
    for number, header in enumerate(ODD.values(), 1):
        ((path, text),) = rule(f"odd-{number}", number).items()
        files[path] = text.replace("tags:", f"{header}tags:")
    write_tree(start_repo(root), knowledge(files))
    commit_all(root, "start")
    return ground(Session(root, NOW))


@pytest.mark.capability("M-061")
@pytest.mark.parametrize("number", range(1, len(ODD) + 1), ids=ODD)
def test_a_step_is_written_into_whatever_form_the_header_has(odd: Ground, number: int) -> None:
    plan = plan_verify(odd, Wanted(f"odd-{number}", "plausible", 'it "held": #1', "test", run="ci/8"), "Ada", NOW)

    ((rel, data),) = plan.changes.items()
    engram = codec.decode(data or b"", rel).engram
    assert engram is not None
    assert engram.verification == "plausible"
    made = Evidence('it "held": #1', "test", "Ada", "2026-01-05T00:00:00Z", "api", run="ci/8")
    assert engram.evidence[-1] == typed(made)
    assert len(engram.evidence) == 1 + ("typed" in list(ODD.values())[number - 1])


def test_a_key_that_takes_the_place_of_the_status_is_refused(make_repo: MakeRepo) -> None:
    ((path, text),) = rule(ITEM, 1).items()
    repo = make_repo(knowledge({path: text.replace("tags:", "verification.status: x\ntags:")}))

    found = refused(repo, "verification", "set", ITEM, "plausible", "--evidence", "it held")

    assert found["code"] == "cannot-edit"


@pytest.fixture
def repo(make_repo: MakeRepo) -> Path:
    return make_repo(START)


def header(repo: Path, file: str = FILE) -> tuple[str, list[str]]:
    """Status, and the words of the evidence, as the trusted file has them."""
    engram = codec.decode(git(repo, "show", f"HEAD:{file}").encode(), file).engram
    assert engram is not None
    return engram.verification, [each["description"] if isinstance(each, dict) else each for each in engram.evidence]


@pytest.mark.capability("M-060")
def test_it_goes_up_step_by_step_and_each_step_is_a_decision_that_can_be_taken_back(repo: Path) -> None:
    first = step(repo, "plausible", "--evidence", "held in the outage", "--kind", "incident", "--now", "2026-01-02")
    ask(repo, "verification", "add", ITEM, "held there too", "--domain", "db", "--run", "ci/812", "--now", "2026-01-03")
    step(repo, "probable", "--now", "2026-01-04")
    early = refused(
        repo, "verification", "set", ITEM, "verified", "--evidence", "third", "--now", "2026-01-07T23:59:59Z"
    )
    last = step(repo, "verified", "--evidence", "third", "--now", "2026-01-08")

    assert "7 days" in early["message"]
    assert (first["before"], first["after"]) == ("unverified", "plausible")
    assert header(repo) == ("verified", ["held in the outage", "held there too", "third"])
    assert git(repo, "status", "--porcelain") == ""
    ledger = git(repo, "show", f"HEAD:.gitmem/ledger/2026/01-08/{last['proposal']}.yaml")
    assert "kind: verify" in ledger
    assert last["knowledge_version"].startswith("v4")

    ask(repo, "revert", last["proposal"], "--reason", "too early", "--now", "2026-01-09")
    assert header(repo) == ("probable", ["held in the outage", "held there too"])


@pytest.mark.capability("M-060")
def test_a_refuted_one_starts_again_at_the_bottom_with_new_evidence(repo: Path) -> None:
    """Force overrules what lacks, and no step."""
    step(repo, "plausible", "--force", "--now", "2026-02-01")
    step(repo, "refuted", "--rationale", "it broke twice", "--now", "2026-02-02")
    assert header(repo) == ("refuted", ["it broke twice"])

    repeated = {".gitmem/engrams/api/again.md": engram_text(id=engram_id(8), title="Use it", kind="fact")}
    write_tree(repo, repeated)
    commit_all(repo, "the same once more")
    back = step(repo, "unverified", "--evidence", "that was another fault", "--now", "2026-02-03")
    assert codes(back["warnings"]) == ["no-scope"], "its text is not new"
    shown = ask(repo, "verification", "show", ITEM, "--now", "2026-02-04")

    assert (back["before"], back["after"]) == ("refuted", "unverified")
    assert (shown["next"], shown["missing"], shown["age_days"]) == ("plausible", [], 2)
    assert [each["kind"] for each in shown["evidence"]] == ["refutation", "observation"]
    step(repo, "plausible", "--now", "2026-02-04")
    assert header(repo)[0] == "plausible"


@pytest.mark.capability("M-061")
def test_evidence_outlives_the_edges_and_comes_together_from_two_sides(repo: Path) -> None:
    ask(repo, "link", ITEM, "similar_to", "other", "--description", "seen together")
    commit_all(repo, "link")
    one = ask(repo, "verification", "add", ITEM, "held", "--propose")
    two = ask(repo, "verification", "add", ITEM, "held as well", "--domain", "db", "--propose")
    for each in (one, two):
        assert each["commit"] == ""
        ask(repo, "proposals", "approve", f"{each['proposal']}@{each['patchset']}", "--yes")
    ask(repo, "unlink", ITEM, "similar_to", "other")
    commit_all(repo, "unlink")

    status, evidence = header(repo)
    assert (status, sorted(evidence)) == ("unverified", ["held", "held as well"])
    assert refused(repo, "verification", "add", ITEM, "Held", code=2)["code"] == "usage"


@pytest.mark.capability("M-060")
def test_an_agent_proposes_a_step_and_takes_none(repo: Path) -> None:
    agent = Session(repo, NOW, "agent", client="helper")
    for call in (SetVerificationCall(ITEM, "plausible", "it held"), AddEvidenceCall(ITEM, "it held")):
        with pytest.raises(GitmemError) as stopped:
            set_verification(agent, call) if isinstance(call, SetVerificationCall) else add_evidence(agent, call)
        assert stopped.value.code == "not-on-surface"
    for field in ("verification.status", "verification", "verification.evidence"):
        with pytest.raises(GitmemError, match="step by step"):
            propose(agent, ProposeCall("update", item=ITEM, field=field, value="verified"))
    with pytest.raises(GitmemError, match="more than one step"):
        propose(agent, ProposeCall("verify", item=ITEM, value="verified", description="it held"))

    made = propose(agent, ProposeCall("verify", item=ITEM, value="plausible", description="it held"))

    assert header(repo) == ("unverified", [])
    shown = ask(repo, "proposals", "show", str(made.proposal))
    assert shown["proposed_by"]["agent"]["name"] == "helper"


@pytest.mark.capability("M-060")
def test_a_status_typed_into_the_file_is_no_decision(repo: Path) -> None:
    """F-228: what the header claims is looked at, and a step that it skips is refused."""
    path = repo / FILE
    path.write_text(path.read_text().replace("tags:", "verification: {status: verified, evidence: []}\ntags:"))
    assert refused(repo, "propose", "--from-worktree")["code"] == "skipped-step"

    path.write_text(path.read_text().replace("verified,", "plausible,"))
    assert "verification-undecided" in codes(ask(repo, "propose", "--from-worktree", "--clean")["warnings"])

    seen = repo / ".gitmem/engrams/api/seen.md"
    seen.write_text(seen.read_text().replace("as typed by hand", "in other words"))
    (lost,) = (row for row in ask(repo, "propose", "--from-worktree")["warnings"] if row["code"] == "evidence-lost")
    assert lost["message"] == "1 piece(s) of evidence are taken out: as typed by hand"


@pytest.mark.capability("M-060")
def test_steps_that_a_commit_skips_are_an_error_unless_decisions_of_the_same_range_make_them(repo: Path) -> None:
    """By hand, by a merge, by a proposal of some other program: whoever checks the range sees it."""
    start = commit_all(repo, "start")
    step(repo, "plausible", "--evidence", "it held")
    step(repo, "probable", "--evidence", "it held there", "--domain", "db", "--force")
    assert "verification-step" not in checked(repo, f"{start}..HEAD")
    git(repo, "revert", "--no-edit", "--mainline", "1", "HEAD")
    path = repo / FILE
    path.write_text(path.read_text().replace("status: plausible", "status: verified"))
    commit_all(repo, "by hand")

    assert "verification-step" in checked(repo, "HEAD^..HEAD")
    assert "verification-step" not in checked(repo, "HEAD^^..HEAD^")


def checked(repo: Path, given: str) -> list[str]:
    return codes(json.loads(run_inproc(repo, "check", "--range", given, "--json").out)["findings"])
