"""The gate of a range: decisions on record, approvals in one's own name, and rules that cannot loosen themselves."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.model.approval import Approver
from gitmem.model.ledger import Entry, ItemChange, KeyChange, Proposer
from gitmem.record import replace
from gitmem.store import approvals, ledger
from tests.answers.decided import (
    ADA,
    BOB,
    CONFIG,
    CY,
    ITEM,
    approve,
    checked,
    codes,
    commit_as,
    entry_of,
    in_range,
    land,
    put,
    rule,
)
from tests.conftest import MakeRepo
from tests.keys import SIGNERS, commit_signed, make_key, needs_keygen
from tests.support import commit_all, engram_id, git, run_inproc, write_tree

STRICT = "format: 1\npolicy:\n  require_ledger: true\n"
TWO = "format: 1\npolicy:\n  min_approvals: 2\n"
ONE = "format: 1\npolicy:\n  min_approvals: 1\n"
EDIT = {ITEM: rule(1, tags=["http"])}
UNEXPLAINED = ("no-ledger-entry", "error")
FORGED = ("ledger-mismatch", "error")
LACKING = ("approvals-missing", "error")

Started = Callable[[str], Path]


@pytest.fixture
def started(make_repo: MakeRepo) -> Started:
    """A repository with one rule, under these settings; its first commit is ``base``."""

    def start(settings: str) -> Path:
        repo = make_repo({**CONFIG, ".gitmem/config.yaml": settings, f".gitmem/{ITEM}": rule(1)})
        git(repo, "tag", "base")
        return repo

    return start


BY_HAND: dict[str, dict[str, str | None]] = {
    "an edit": EDIT,
    "a new rule": {"engrams/api/b.md": rule(2)},
    "a removal": {ITEM: None},
    "layers": {"layers.yaml": "src/**: ui\n"},
    "tags": {"tags.yaml": "auth: who may\n"},
    "a skill": {"skills/s/SKILL.md": "---\nname: s\n---\nText.\n"},
    "settings": {"config.yaml": f"{STRICT}max_entries: 9\n"},
    "an intention": {"intentions/later.md": "---\nid: x\n---\nText.\n"},
}


@pytest.mark.capability("R-052")
@pytest.mark.parametrize("name", BY_HAND)
def test_knowledge_that_no_decision_explains_is_refused_where_the_policy_asks(started: Started, name: str) -> None:
    repo = started(STRICT)
    put(repo, BY_HAND[name])
    commit_all(repo)

    assert UNEXPLAINED in in_range(repo)
    assert run_inproc(repo, "check", "--range", "base..HEAD").code == 1


@pytest.mark.parametrize("name", BY_HAND)
def test_what_a_decision_explains_passes(started: Started, name: str) -> None:
    repo = started(STRICT)
    land(repo, 7, BY_HAND[name])

    assert UNEXPLAINED not in in_range(repo)
    assert FORGED not in in_range(repo)


def test_without_the_policy_knowledge_by_hand_is_knowledge_like_any_other(started: Started) -> None:
    repo = started("format: 1\n")
    put(repo, EDIT)
    commit_all(repo)

    assert in_range(repo) == []


def test_other_files_need_no_decision(started: Started) -> None:
    repo = started(STRICT)
    write_tree(repo, {"src/b.ts": "y\n", ".gitmem/README.md": "# Notes\n"})
    commit_all(repo)

    assert in_range(repo) == []


@pytest.mark.capability("R-052")
def test_the_policy_of_the_base_counts_not_that_of_the_range(started: Started) -> None:
    repo = started(STRICT)
    put(repo, {**EDIT, "config.yaml": "format: 1\n"})
    commit_all(repo)

    assert sorted(in_range(repo)) == [UNEXPLAINED, UNEXPLAINED, ("policy-loosened", "error")]


def test_a_branch_from_before_the_policy_is_judged_by_the_policy(started: Started) -> None:
    """Three dots compare with where the branch parted, and A still says what counts."""
    repo = started("format: 1\n")
    git(repo, "checkout", "--quiet", "-b", "side")
    put(repo, EDIT)
    commit_all(repo)
    git(repo, "checkout", "--quiet", "main")
    put(repo, {"config.yaml": STRICT})
    commit_all(repo)

    assert in_range(repo, "main", "side", "...") == [UNEXPLAINED]


def test_a_newer_format_does_not_open_the_gate(started: Started) -> None:
    """F-254: what a range says of itself changes nothing about how it is judged."""
    repo = started(STRICT)
    put(repo, {**EDIT, "config.yaml": "format: 99\n"})
    commit_all(repo)

    assert UNEXPLAINED in in_range(repo)


@pytest.mark.parametrize(
    "then", [{ITEM: rule(1, tags=["https"])}, {ITEM: rule(1, tags=["http"], priority=1)}, {ITEM: None}]
)
def test_a_decision_explains_only_the_content_that_it_names(started: Started, then: dict[str, str | None]) -> None:
    repo = started(STRICT)
    land(repo, 7, EDIT)
    put(repo, then)
    commit_all(repo)

    assert UNEXPLAINED in in_range(repo)


def test_a_later_decision_of_the_range_takes_over(started: Started) -> None:
    repo = started(STRICT)
    land(repo, 7, EDIT)
    land(repo, 8, {ITEM: rule(1, tags=["https"], priority=2)})
    land(repo, 9, {ITEM: rule(1, tags=["http"], priority=2)})

    assert in_range(repo) == []


def test_a_move_is_explained_by_the_decision_that_moves(started: Started) -> None:
    repo = started(STRICT)
    data = (repo / ".gitmem" / ITEM).read_bytes()
    moved = ItemChange(engram_id(1), "engrams/web/a.md", {}, ITEM)
    files: dict[str, str | None] = {ITEM: None, "engrams/web/a.md": data.decode()}
    git(repo, "branch", "by-hand")
    land(repo, 7, files, changes=(moved,))
    git(repo, "checkout", "--quiet", "-b", "told")

    assert in_range(repo) == []
    git(repo, "checkout", "--quiet", "by-hand")
    put(repo, files)
    commit_all(repo)
    assert in_range(repo) == [UNEXPLAINED]


def forged(entry: Entry, **over: str | None) -> Entry:
    changes = [
        replace(change, keys={key: replace(each, **over) for key, each in change.keys.items()})
        for change in entry.changes
    ]
    return replace(entry, changes=tuple(changes))


@pytest.mark.parametrize(("settings", "severity"), [("format: 1\n", "warning"), (STRICT, "error"), (ONE, "error")])
@pytest.mark.parametrize("over", [{"before": "0" * 32}, {"after": "0" * 32}, {"before": None}])
def test_an_entry_that_claims_what_the_range_does_not_do_is_named(
    started: Started, settings: str, severity: str, over: dict[str, str | None]
) -> None:
    repo = started(settings)
    land(repo, 7, EDIT, changes=forged(entry_of(repo, 7, EDIT), **over).changes)

    assert ("ledger-mismatch", severity) in in_range(repo)


def test_an_entry_about_what_is_not_touched_is_named(started: Started) -> None:
    repo = started("format: 1\n")
    land(repo, 7, {}, changes=(ItemChange(engram_id(1), ITEM, {"tags": KeyChange("1" * 32, "2" * 32)}),))

    assert in_range(repo) == [("ledger-mismatch", "warning")]


def test_the_same_change_by_two_roads_is_no_forgery(started: Started) -> None:
    """The same engram approved twice: the second decision finds what it wanted."""
    repo = started(STRICT)
    git(repo, "branch", "side")
    land(repo, 7, EDIT)
    git(repo, "tag", "--force", "base")
    git(repo, "checkout", "--quiet", "side")
    land(repo, 8, EDIT)
    git(repo, "merge", "--quiet", "--no-edit", "base")

    assert in_range(repo) == []


def test_a_decision_that_waited_while_the_item_changed_is_no_forgery(started: Started) -> None:
    repo = started("format: 1\n")
    git(repo, "branch", "side")
    land(repo, 7, EDIT)
    git(repo, "tag", "--force", "base")
    git(repo, "checkout", "--quiet", "side")
    land(repo, 8, {ITEM: rule(1, tags=["https"])})
    git(repo, "merge", "--quiet", "--no-commit", "--strategy", "ours", "base")
    git(repo, "checkout", "base", "--", ".gitmem/ledger")
    commit_all(repo)

    assert in_range(repo) == []


@pytest.mark.parametrize("text", ["id: a\n", "id: [\n"])
def test_a_record_that_cannot_be_read_is_refused_where_records_count(started: Started, text: str) -> None:
    repo = started(STRICT)
    write_tree(repo, {".gitmem/ledger/2026/01-02/a.yaml": text})
    commit_all(repo)

    assert {severity for _, severity in in_range(repo)} == {"error"}


@pytest.mark.capability("R-052")
def test_a_decision_needs_as_many_people_as_the_policy_says(started: Started) -> None:
    repo = started(TWO)
    entry = land(repo, 7, EDIT)

    assert in_range(repo) == [LACKING]
    assert "has 0: 2 missing" in checked(repo, "--range", "base..HEAD")["findings"][0]["message"]
    approve(repo, entry, BOB)
    assert "has 1: 1 missing" in checked(repo, "--range", "base..HEAD")["findings"][0]["message"]
    approve(repo, entry, CY)
    assert in_range(repo) == []


SELF = Approver(ADA.name, ADA.email)
# Who approves, who commits that, and what is said of it.
VAIN: dict[str, tuple[Approver, Approver, str]] = {
    "the proposer": (SELF, SELF, "proposed it"),
    "the proposer in other case": (Approver("Ada", "ADA@Example.org"), SELF, "proposed it"),
    "in the name of another": (BOB, SELF, "in the name of somebody else"),
    "in the name of another by a third": (BOB, CY, "in the name of somebody else"),
    "nobody with an address": (Approver("Bob"), BOB, "in the name of somebody else"),
}


@pytest.mark.capability("R-052")
@pytest.mark.parametrize("name", VAIN)
def test_nobody_approves_what_is_theirs_or_in_the_name_of_another(started: Started, name: str) -> None:
    by, author, said = VAIN[name]
    repo = started(ONE)
    entry = land(repo, 7, EDIT)
    approve(repo, entry, by, author=author)

    assert in_range(repo) == [LACKING]
    assert said in checked(repo, "--range", "base..HEAD")["findings"][0]["message"]


def test_who_wrote_the_commit_of_a_decision_does_not_approve_it(started: Started) -> None:
    """A proposer who is invented frees nobody."""
    repo = started(ONE)
    entry = entry_of(repo, 7, EDIT, proposed_by=Proposer("Nobody", "nobody@example.org"))
    put(repo, EDIT)
    write_tree(repo, {f".gitmem/{ledger.path_of(entry.id)}": ledger.encode(entry)})
    commit_as(repo, BOB)
    approve(repo, entry, BOB)

    assert in_range(repo) == [LACKING]


def test_one_person_counts_once(started: Started) -> None:
    """Also with the address in other case, in another year's folder."""
    repo = started(TWO)
    entry = land(repo, 7, EDIT)
    first = approve(repo, entry, BOB)
    approval = approvals.decode((repo / first).read_bytes(), first)
    assert not isinstance(approval, tuple)
    again = approvals.encode(replace(approval, by=Approver("Bob", "BOB@example.org")))
    write_tree(repo, {first.replace("/2026/", "/2027/"): again})
    commit_as(repo, BOB)

    assert in_range(repo) == [LACKING]
    assert "has 1: 1 missing" in checked(repo, "--range", "base..HEAD")["findings"][0]["message"]


def test_an_approval_of_something_else_does_not_count(started: Started) -> None:
    """The entry changes between the look and the landing."""
    repo = started(ONE)
    entry = land(repo, 7, EDIT)
    approve(repo, entry, BOB)
    again = entry_of(repo, 7, EDIT)
    changed = replace(entry, rationale="other grounds", changes=again.changes or entry.changes)
    write_tree(repo, {f".gitmem/{ledger.path_of(entry.id)}": ledger.encode(changed)})
    commit_as(repo, SELF)

    assert in_range(repo) == [LACKING]
    assert "other content" in checked(repo, "--range", "base..HEAD")["findings"][0]["message"]


def test_an_approval_that_somebody_changed_later_does_not_count(started: Started) -> None:
    repo = started(ONE)
    entry = land(repo, 7, EDIT)
    rel = approve(repo, entry, CY, author=CY)
    approval = approvals.decode((repo / rel).read_bytes(), rel)
    assert not isinstance(approval, tuple)
    write_tree(repo, {rel: approvals.encode(replace(approval, by=BOB))})
    commit_as(repo, SELF)

    assert in_range(repo) == [LACKING]


def test_knowledge_that_changes_after_its_approval_is_refused(started: Started) -> None:
    repo = started(ONE)
    entry = land(repo, 7, EDIT)
    approve(repo, entry, BOB)
    put(repo, {ITEM: rule(1, tags=["evil"])})
    commit_as(repo, SELF)

    assert in_range(repo) == [FORGED]


def test_a_merge_that_approves_is_an_approval(started: Started) -> None:
    """As approve makes it: the merge of the proposal brings the file."""
    repo = started(ONE)
    git(repo, "checkout", "--quiet", "-b", "proposal")
    entry = land(repo, 7, EDIT)
    git(repo, "checkout", "--quiet", "main")
    write_tree(repo, {"src/app.ts": "y\n"})
    commit_all(repo)
    git(repo, "merge", "--quiet", "--no-commit", "proposal")
    approve(repo, entry, BOB)

    assert in_range(repo) == []


LOOSER = [
    ("trust: signed\n", "trust: main\n"),
    ("trust: main\n", "trust: head\n"),
    ("trust: main\n", "trust: other\n"),
    ("trust: main\n", ""),
    ("", "trust: head\n"),
    (f"{STRICT}", "format: 1\n"),
    (TWO, ONE),
    (TWO, "format: [\n"),
]


@pytest.mark.capability("G-019")
@pytest.mark.parametrize(("before", "after"), LOOSER)
def test_a_change_that_loosens_the_policy_is_judged_by_the_policy(started: Started, before: str, after: str) -> None:
    """F-254: a warning where the policy before leaves it to whoever merges, else an error."""
    repo = started(before or "format: 1\n")
    git(repo, "config", "remote.origin.url", "../nowhere")
    put(repo, {"config.yaml": after or "format: 1\n"})
    commit_all(repo)

    is_open = "policy" not in before and "signed" not in before
    assert ("policy-loosened", "warning" if is_open else "error") in in_range(repo)


@pytest.mark.capability("G-019")
def test_a_policy_that_is_gone_is_loosened(started: Started) -> None:
    repo = started(TWO)
    put(repo, {"config.yaml": None})
    commit_all(repo)

    assert ("policy-loosened", "error") in in_range(repo)


@pytest.mark.parametrize(
    ("before", "after"), [("trust: head\n", "trust: main\n"), ("format: 1\n", TWO), ("format: 1\n", "trust: main\n")]
)
def test_a_tighter_policy_is_no_finding(started: Started, before: str, after: str) -> None:
    repo = started(before)
    put(repo, {"config.yaml": after})
    commit_all(repo)

    assert in_range(repo) == []


@pytest.mark.capability("G-019")
def test_a_policy_is_loosened_by_a_decision_that_was_approved(started: Started) -> None:
    repo = started(f"{STRICT}  min_approvals: 1\n")
    entry = land(repo, 7, {"config.yaml": "format: 1\n"})

    assert ("policy-loosened", "error") in in_range(repo)
    approve(repo, entry, BOB)
    assert in_range(repo) == [("policy-loosened", "warning")]


@pytest.mark.capability("G-019")
@pytest.mark.parametrize(
    ("settings", "severity"), [("format: 1\n", "warning"), ("trust: signed\n", "error"), (STRICT, "error")]
)
@pytest.mark.parametrize("road", ["added", "edited", "removed"])
def test_a_change_of_the_signers_is_judged_by_those_before(
    make_repo: MakeRepo, settings: str, severity: str, road: str
) -> None:
    signers = "ada@example.org ssh-ed25519 AAAA\n"
    start = {"allowed_signers": signers} if road != "added" else {}
    files = {**CONFIG, ".gitmem/config.yaml": settings, f".gitmem/{ITEM}": rule(1)}
    repo = make_repo({**files, **{f".gitmem/{rel}": text for rel, text in start.items()}})
    git(repo, "tag", "base")
    put(repo, {"allowed_signers": None if road == "removed" else signers + "eve@example.org ssh-ed25519 BBBB\n"})
    commit_all(repo)

    assert in_range(repo) == [("signer-added", severity)]


@needs_keygen
@pytest.mark.capability("G-019")
def test_a_signer_who_is_let_in_by_one_of_those_before_is_a_warning(started: Started, tmp_path: Path) -> None:
    ada, eve = make_key(tmp_path), make_key(tmp_path, "eve@example.org")
    repo = started("trust: signed\n")
    commit_signed(repo, ada, {SIGNERS: ada.line})
    git(repo, "tag", "--force", "base")

    commit_signed(repo, ada, {SIGNERS: ada.line + eve.line})
    assert in_range(repo) == [("signer-added", "warning")]

    git(repo, "reset", "--quiet", "--hard", "base")
    commit_signed(repo, eve, {SIGNERS: ada.line + eve.line})
    assert in_range(repo) == [("signer-added", "error")]


def test_staged_and_bare_know_nothing_of_the_gate(started: Started) -> None:
    repo = started(STRICT)
    put(repo, EDIT)
    git(repo, "add", "--all")

    assert codes(repo, "--staged") == []
    assert codes(repo) == []


@pytest.mark.capability("G-025")
def test_two_clean_branches_that_make_a_circle_are_named_after_the_merge(started: Started) -> None:
    repo = started("format: 1\n")
    put(repo, {"engrams/api/b.md": rule(2)})
    commit_all(repo)
    git(repo, "branch", "side")
    put(repo, {ITEM: rule(1, requires=[engram_id(2)])})
    commit_all(repo)
    git(repo, "checkout", "--quiet", "side")
    put(repo, {"engrams/api/b.md": rule(2, requires=[engram_id(1)])})
    commit_all(repo)
    git(repo, "merge", "--quiet", "--no-edit", "main")

    assert in_range(repo, "HEAD^1") == [("requires-cycle", "error")]
    assert in_range(repo, "HEAD^2") == [("requires-cycle", "error")]
    assert codes(repo) == [("requires-cycle", "error")]


@pytest.mark.parametrize(("remote", "found"), [(True, ["policy-loosened"]), (False, [])])
def test_to_name_head_loosens_only_where_a_remote_counted(make_repo: MakeRepo, remote: bool, found: list[str]) -> None:
    root = make_repo({".gitmem/config.yaml": "format: 1\n"})
    if remote:
        git(root, "config", "remote.origin.url", "../nowhere")
    write_tree(root, {".gitmem/config.yaml": "format: 1\ntrust: head\n"})
    commit_all(root, "head")

    answer = json.loads(run_inproc(root, "check", "--range", "HEAD~1..HEAD", "--json").out)

    assert [row["code"] for row in answer["findings"]] == found
