"""What the daily stage drafts: patterns, edges, tags, insights, verification; each once, and no file changes."""

import json
import shutil
from collections import Counter
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

import pytest

from gitmem.answers.approve import ApproveCall, approve
from gitmem.answers.closing import RejectCall, reject
from gitmem.answers.proposals import ListCall, list_proposals
from gitmem.memory.outlines import Outline
from gitmem.store.codec import decode
from gitmem.store.refs import PROPOSALS, under
from gitmem.store.synapses import decode_synapse
from gitmem.upkeep import joining, rem
from gitmem.upkeep.report import Line, StageReport
from tests.support import commit_all, engram_id, git, run_inproc, write_tree
from tests.upkeep.grouped import APART, EDGES, INSIGHTS, QUEUE
from tests.upkeep.tended import LATER, edge, item, report, rules, session, tracked, vault

ALL = {**APART, **QUEUE, **EDGES, **INSIGHTS}
Files = Mapping[str, bytes]


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """No test here changes it."""
    return vault(tmp_path_factory.mktemp("rem") / "plain", ALL)


@pytest.fixture(scope="module")
def first(plain: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, StageReport]:
    """After one run, with its report; no test here changes it."""
    root = tmp_path_factory.mktemp("ran") / "repo"
    shutil.copytree(plain, root)
    return root, report(root, "rem")


@pytest.fixture
def root(first: tuple[Path, StageReport], tmp_path: Path) -> Path:
    shutil.copytree(first[0], tmp_path / "repo")
    return tmp_path / "repo"


def one(found: StageReport, rule: str, word: str = "") -> Line:
    (line,) = [line for line in rules(found).get(("rem", rule), []) if word in line.title]
    return line


def files(root: Path, line: Line) -> Files:
    """What a proposal adds or changes, by path."""
    ref = under(PROPOSALS, line.proposal)
    names = git(root, "diff", "--name-only", "--no-renames", "--diff-filter=d", f"{ref}^", ref).split()
    return {name: git(root, "show", f"{ref}:{name}").encode() for name in names if "/ledger/" not in name}


def engram(found: Files):
    ((rel, data),) = [(rel, data) for rel, data in found.items() if rel.endswith(".md")]
    made = decode(data, rel).engram
    assert made is not None
    return made


def seen(root: Path, id_: str) -> str:
    (row,) = [each for each in list_proposals(session(root), ListCall(status=("open",))).proposals if each.id == id_]
    return f"{row.id}@{row.patchset}"


@pytest.mark.capability("M-055")
def test_a_cluster_is_one_draft_of_a_pattern_with_an_edge_to_each_member(first: tuple[Path, StageReport]) -> None:
    line = one(first[1], "pattern", "workers")
    found = files(first[0], line)
    made = engram(found)
    edges = [decode_synapse(data, rel).synapse for rel, data in found.items() if rel.endswith(".yaml")]

    assert line.items == tuple(map(engram_id, (1, 2, 3, 4, 5)))
    assert (made.kind, made.status, made.importance, made.source_type) == ("pattern", "draft", 0.7, "inferred")
    assert made.body.startswith("What these 5 engrams have in common, as computed; nobody has put it into words yet.")
    assert {(each.from_, each.to, each.kind, each.weight) for each in edges if each} == {
        (made.id, engram_id(number), "derives_from", 0.8) for number in (1, 2, 3, 4, 5)
    }
    assert len(edges) == 5


@pytest.mark.capability("M-056")
def test_alike_and_not_joined_is_linked_with_what_was_measured(first: tuple[Path, StageReport]) -> None:
    ((rel, data),) = files(first[0], one(first[1], "link", "mail similar_to images")).items()
    made = decode_synapse(data, rel.removeprefix(".gitmem/")).synapse

    assert made is not None
    (said,) = made.evidence
    assert (made.from_, made.to, made.kind) == (engram_id(1), engram_id(2), "similar_to")
    assert (said.description, said.confidence) == ("their texts share 32 of 57 shingles (0.56)", 0.56)


@pytest.mark.capability("M-056")
def test_an_edge_between_what_is_hardly_alike_goes_and_one_within_another_extends(
    first: tuple[Path, StageReport],
) -> None:
    dropped, retyped = one(first[1], "unlink"), one(first[1], "retype")
    ref = under(PROPOSALS, retyped.proposal)
    gone = git(first[0], "diff", "--name-status", "--no-renames", f"{ref}^", ref).splitlines()
    ((rel, data),) = files(first[0], retyped).items()
    made = decode_synapse(data, rel.removeprefix(".gitmem/")).synapse

    assert dropped.title == "Unlink: tea similar_to tram"
    assert "(0.00)" in dropped.why
    assert [line for line in gone if line.startswith("D\t.gitmem/synapses/similar_to/")]
    assert made is not None
    assert (made.from_, made.to, made.kind) == (engram_id(31), engram_id(30), "extends")
    assert made.evidence[0].confidence == 1.0


@pytest.mark.capability("M-056")
def test_a_placeholder_gives_way_to_the_tag_of_what_is_like_it(first: tuple[Path, StageReport]) -> None:
    line = one(first[1], "retag", "search")

    assert line.title == "Tags of search: +queue, -imported"
    assert "queue: confidence 0.75" in line.why
    assert engram(files(first[0], line)).tags == ("queue",)


@pytest.mark.capability("M-056")
def test_a_tag_that_stands_nowhere_is_named_and_stays(first: tuple[Path, StageReport]) -> None:
    line = one(first[1], "retag", "exports")

    assert "1 of its 1 tags (1.00) stand neither in its text nor at engrams like it: sheets." in line.why
    assert engram(files(first[0], line)).tags == ("sheets", "queue")
    assert not [each for each in rules(first[1])["rem", "retag"] if "mail" in each.title]


@pytest.mark.capability("M-057")
def test_insights_cite_what_they_rest_on(first: tuple[Path, StageReport]) -> None:
    line = one(first[1], "retrospective")
    found = files(first[0], line)
    made = engram(found)

    assert line.items == tuple(map(engram_id, (41, 42, 43, 44)))
    assert all(id_ in line.why for id_ in line.items)
    assert (made.kind, made.tags, made.status, made.source_type) == ("hypothesis", ("insight",), "draft", "inferred")
    assert len([rel for rel in found if "/derives_from/" in rel]) == 4
    assert one(first[1], "inspiration").items == tuple(map(engram_id, (51, 52, 53)))


@pytest.mark.capability("M-057")
def test_a_pattern_whose_evidence_has_died_is_to_be_retired(first: tuple[Path, StageReport]) -> None:
    line = one(first[1], "dead-evidence")

    assert line.title == "Retire: A pattern of old"
    assert "1 of the 3 engrams" in line.why
    assert "(0.33)" in line.why


@pytest.mark.capability("M-055")
@pytest.mark.capability("M-056")
def test_a_second_run_and_another_clone_propose_nothing_anew(root: Path) -> None:
    refs = git(root, "for-each-ref", "refs/gitmem/proposals")
    before = tracked(root)

    again = report(root, "rem", LATER + timedelta(days=1))
    shutil.rmtree(root / ".git/refs/gitmem")
    elsewhere = report(root, "rem", LATER + timedelta(days=2))

    assert (again.proposed, again.closed) == ((), ())
    assert {line.outcome for line in again.lines} <= {"waits", "left"}
    assert set(refs.split()) == set(git(root, "for-each-ref", "refs/gitmem/proposals").split())
    assert len(elsewhere.proposed) == len(git(root, "for-each-ref", "refs/gitmem/proposals").splitlines())
    assert tracked(root) == before


@pytest.mark.capability("M-055")
def test_what_landed_is_not_drafted_again(root: Path) -> None:
    pattern = one(report(root, "rem"), "pattern", "workers")
    approve(session(root), ApproveCall((seen(root, pattern.proposal),)))

    found = report(root, "rem", LATER + timedelta(days=1))

    assert not [line for line in rules(found).get(("rem", "pattern"), []) if set(pattern.items) & set(line.items)]


@pytest.mark.capability("M-056")
def test_what_was_dismissed_is_left_out_until_a_text_is_another(root: Path) -> None:
    line = one(report(root, "rem"), "link", "mail similar_to images")
    reject(session(root), RejectCall((line.proposal,), "they differ"))

    after = report(root, "rem", LATER + timedelta(days=1), dry_run=True)
    path = root / ".gitmem/engrams/queue/mail.md"
    path.write_text(path.read_text().replace("next morning", "morning after"))
    commit_all(root, "reworded")
    later = report(root, "rem", LATER + timedelta(days=2), dry_run=True)

    assert "mail similar_to images" not in str([each.title for each in after.lines])
    assert one(later, "link", "mail similar_to images").outcome == ""


@pytest.mark.capability("M-055")
def test_a_dry_run_writes_nothing_and_says_what_it_would(plain: Path, first: tuple[Path, StageReport]) -> None:
    before = git(plain, "count-objects", "-v"), git(plain, "for-each-ref")

    found = report(plain, "rem", dry_run=True)

    assert (git(plain, "count-objects", "-v"), git(plain, "for-each-ref")) == before
    assert [line.title for line in found.lines] == [line.title for line in first[1].lines]


@pytest.mark.capability("M-055")
def test_a_language_model_may_word_a_pattern_and_may_not_invent_a_source(tmp_path: Path) -> None:
    vault(tmp_path / "one", {**APART, **QUEUE})
    vault(tmp_path / "two", {**APART, **QUEUE})

    def word(found: Outline) -> str:
        return f"A lock that runs out gives the job back, as {found.members[0].id} says.\n"

    good = rem.run(session(tmp_path / "one"), is_dry=False, word=word)
    bad = rem.run(session(tmp_path / "two"), is_dry=False, word=lambda _: f"As {engram_id(77)} says.\n")

    made = engram(files(tmp_path / "one", one(good, "pattern", "workers")))
    assert made.body.startswith("A lock that runs out")
    assert made.status == "active"
    assert one(bad, "pattern", "workers").outcome == "left"
    assert "uncited" in {finding.code for finding in bad.findings}


@pytest.mark.capability("M-056")
def test_a_node_gets_five_edges_and_a_run_thirty(tmp_path: Path) -> None:
    text = "Each {} goes through the gate, shows its paper, waits for the bell, and leaves by the other door"
    things = [f"w{number:02}" for number in range(30)]
    many = {
        f".gitmem/engrams/g/{thing}.md": item(at + 100, f"About {thing}", f"{text.format(thing)} {thing * 2}.\n")
        for at, thing in enumerate(things)
    }
    root = vault(tmp_path / "repo", {".gitmem/config.yaml": "format: 1\n", **many})

    lines = rules(report(root, "rem", dry_run=True))["rem", "link"]

    ends = Counter(id_ for line in lines for id_ in line.items)
    assert len(lines) == joining.A_RUN_MOST
    assert max(ends.values()) == joining.A_NODE_MOST


@pytest.mark.capability("M-059")
def test_what_evidence_speaks_for_is_proposed_with_its_score_in_the_report_alone(tmp_path: Path) -> None:
    root = vault(tmp_path / "repo", {".gitmem/config.yaml": "format: 1\n", **CONTRADICTED})

    found = report(root, "rem")

    line = one(found, "verify refuted")
    assert "Its measured truth is 0." in line.why
    shown = json.loads(run_inproc(root, "proposals", "show", line.proposal, "--json").out)
    assert "0." not in shown["rationale"]


def by(name: str, status: str) -> dict[str, object]:
    author = f"{name} <{name.lower()}@example.org>"
    return {"created": {"at": "2026-01-01T00:00:00Z", "by": author}, "verification": {"status": status}}


CONTRADICTED = {
    ".gitmem/engrams/a/one.md": item(
        1, "One", "It is so.\n", claims=[{"path": "src/gone.py", "hash": f"t1:{'0' * 40}"}], **by("Eve", "plausible")
    ),
    ".gitmem/engrams/a/two.md": item(2, "Two", "Nobody saw that; the other way is right.\n", **by("Bob", "verified")),
    **{
        f".gitmem/engrams/a/wrong-{n}.md": item(n, f"Wrong {n}", f"Untrue {n * 77}.\n", **by("Eve", "refuted"))
        for n in (11, 12, 13)
    },
    **edge(1, "contradicts", 2),
}


def test_the_stage_is_one_word_to_whoever_lists_proposals(first: tuple[Path, StageReport]) -> None:
    told = json.loads(run_inproc(first[0], "proposals", "list", "--source", "rem", "--limit", "100", "--json").out)

    assert {row["id"] for row in told["proposals"]} == set(first[1].proposed)


@pytest.mark.capability("M-057")
def test_what_is_private_or_refuted_is_part_of_nothing(root: Path) -> None:
    for name, was, now in (
        ("mail", "kind: fact", "visibility: restricted\nkind: fact"),
        ("images", "kind: fact", "kind: fact\nstatus: deprecated"),
    ):
        path = root / f".gitmem/engrams/queue/{name}.md"
        path.write_text(path.read_text().replace(was, now))
    write_tree(root, {})
    commit_all(root, "fewer")

    found = report(root, "rem", LATER + timedelta(days=1), dry_run=True)

    named = {id_ for line in found.lines for id_ in line.items}
    assert engram_id(1) not in named
    assert engram_id(2) not in named
