"""Why an item stands as it does: each decision on record, by whatever road it landed, and what no decision explains."""

from pathlib import Path

import pytest

from gitmem.answers.why import Decision, Why, WhyCall, why
from tests.answers.people import CLIENT, FILES, Person
from tests.conftest import MakeRepo
from tests.support import commit_all, run_inproc, write_tree

pytestmark = pytest.mark.capability("G-013")


@pytest.fixture
def ada(make_repo: MakeRepo) -> Person:
    return Person(make_repo(FILES)).named("Ada", "ada@example.org")


def asked(person: Person, item: str = "client", **more: str) -> Why:
    return why(person.session(), WhyCall(item, **more))


def recorded(answer: Why) -> list[Decision]:
    return [each for each in answer.decisions if each.ledger]


def by_hand(answer: Why) -> list[str]:
    return [each.subject for each in answer.decisions if not each.ledger]


def ledger_of(answer: Why, text: str) -> str:
    return next(line.ledger for line in answer.lines if text in line.text)


def test_a_decision_says_who_proposed_it_on_what_grounds_and_who_let_it_in(ada: Person) -> None:
    id_ = ada.edit("client", "body", "Retry in the client.\n", rationale="seen in review", agent="bot", model="m1")
    landed = ada.named("Bob", "bob@example.org").approve(id_)

    answer = asked(ada)
    (found,) = recorded(answer)

    assert (found.ledger, found.proposal, found.commit) == (id_, id_, landed.commit)
    assert found.proposed_by == "bot m1 for Ada <ada@example.org>"
    assert found.approved_by == "Bob <bob@example.org>"
    assert (found.kind, found.rationale) == ("update", "seen in review")
    assert ledger_of(answer, "Retry in the client") == id_
    assert ledger_of(answer, "title:") == ""
    assert by_hand(answer) == ["start"]


@pytest.mark.capability("G-011")
@pytest.mark.parametrize("road", ["merge", "squash", "pick", "mail"])
def test_whatever_road_a_proposal_landed_by_its_entry_explains_the_commit(ada: Person, road: str) -> None:
    id_ = ada.edit("client", "body", "Retry in the client.\n")
    tip = ada.tip(id_)
    if road == "merge":
        ada.git("merge", "--quiet", "--no-ff", "-m", "by the button", tip)
    elif road == "squash":
        ada.git("merge", "--quiet", "--squash", tip)
        ada.git("commit", "--quiet", "-m", "squashed")
    elif road == "pick":
        write_tree(ada.root, {"src/b.py": "print(2)\n"})
        commit_all(ada.root, "code")
        ada.git("cherry-pick", tip)
    else:
        ada.git("am", "--quiet", stdin=ada.git("format-patch", "--stdout", "-1", tip) + "\n")

    answer = asked(ada)

    assert [each.ledger for each in recorded(answer)] == [id_]
    assert recorded(answer)[0].commit == ada.git("rev-parse", "HEAD")
    assert recorded(answer)[0].approved_by == ""
    assert by_hand(answer) == ["start"]
    assert ledger_of(answer, "Retry in the client") == id_


def test_what_was_edited_in_the_pull_request_landed_with_its_decision(ada: Person) -> None:
    id_ = ada.edit("client", "body", "Retry in the client.\n")
    ada.git("switch", "--quiet", "-c", "change", ada.tip(id_))
    text = ada.read(CLIENT).replace("Retry in", "Retry once in")
    write_tree(ada.root, {f".gitmem/{CLIENT}": text})
    commit_all(ada.root, "as asked for in review")
    ada.git("switch", "--quiet", "main")
    ada.git("merge", "--quiet", "--no-ff", "-m", "merged", "change")

    answer = asked(ada)

    assert [(each.ledger, len(each.commits)) for each in recorded(answer)] == [(id_, 2)]
    assert by_hand(answer) == ["start"]
    assert ledger_of(answer, "Retry once") == id_


def test_a_commit_by_hand_after_a_decision_is_called_so_and_can_be_put_on_record(ada: Person) -> None:
    ada.approve(ada.edit("client", "priority", "3"))
    write_tree(ada.root, {f".gitmem/{CLIENT}": ada.read(CLIENT).replace("Components", "All components")})
    commit = commit_all(ada.root, "by hand")

    answer = asked(ada)

    assert by_hand(answer) == ["by hand", "start"]
    warning = next(each for each in answer.warnings if each.code == "no-ledger-entry")
    assert warning.message.startswith("2 commit(s)")
    assert warning.hint == f"put one on record: gitmem propose --from-commit {commit[:12]}"

    assert run_inproc(ada.root, "propose", "--from-commit", commit, "--title", "All of them").code == 0
    (id_,) = ada.statuses("open")
    ada.approve(id_)
    answer = asked(ada)

    assert by_hand(answer) == ["start"]
    assert next(each for each in answer.decisions if each.ledger == id_).commits == (commit,)
    assert ledger_of(answer, "All components") == id_


def test_a_bundle_is_one_decision_for_the_commits_of_all_its_members(ada: Person) -> None:
    ids = ada.plan(
        "edit: {item: client, field: priority, value: '3'}", "edit: {item: client, field: summary, value: Short}"
    )
    landed = ada.approve(ids[0], bundle=True)

    answer = asked(ada)
    (found,) = recorded(answer)

    assert (found.kind, found.members, found.commit) == ("bundle", ids, landed.commit)
    assert found.ledger == found.bundle == found.proposal
    assert found.approved_by == "Ada <ada@example.org>"
    assert by_hand(answer) == ["start"]
    assert {ledger_of(answer, "priority:"), ledger_of(answer, "summary:")} == {found.ledger}


def test_a_revert_and_what_brings_it_back_are_decisions_of_their_own(ada: Person) -> None:
    id_ = ada.edit("client", "body", "Retry in the client.\n")
    ada.approve(id_)
    taken = ada.revert(id_)
    again = ada.reinstate(id_, approve=True)

    found = recorded(asked(ada))

    assert [each.kind for each in found] == ["reinstate", "revert", "update"]
    assert [each.proposal for each in found] == [again.proposal, taken.proposal, id_]
    assert [each.reverts for each in found] == [taken.proposal, id_, ""]


def test_a_raw_revert_that_was_put_on_record_is_a_decision_too(ada: Person) -> None:
    landed = ada.approve(ada.edit("client", "body", "Retry in the client.\n"))
    ada.git("revert", "--no-edit", "-m1", landed.commit)
    assert run_inproc(ada.root, "check", "--fix").code == 0
    commit_all(ada.root, "on record")

    answer = asked(ada)

    assert [each.kind for each in recorded(answer)] == ["revert", "update"]
    assert by_hand(answer) == ["start"]


def test_clocks_that_go_wrong_turn_no_order_round(ada: Person) -> None:
    first = ada.edit("client", "priority", "3")
    ada.approve(first)
    ada.shift -= ada.shift.resolution * 10**6 * 86400 * 3650
    second = ada.edit("client", "priority", "4")
    ada.approve(second)

    assert [each.proposal for each in recorded(asked(ada))] == [second, first]


def test_an_entry_on_another_branch_explains_nothing_here(ada: Person) -> None:
    id_ = ada.edit("client", "body", "Retry in the client.\n")

    assert recorded(asked(ada)) == []
    assert [each.ledger for each in recorded(asked(ada, at=ada.tip(id_)))] == [id_]


def test_a_text_that_only_names_the_item_is_no_decision_about_it(ada: Person) -> None:
    item = asked(ada).item
    ada.approve(ada.edit("retry", "priority", "3", rationale=f"because of {item}"))

    assert recorded(asked(ada)) == []


def test_the_text_form_tells_of_decision_and_approval(ada: Person) -> None:
    id_ = ada.edit("client", "priority", "3", rationale="it matters")
    ada.approve(id_)

    shown = run_inproc(ada.root, "why", "client").out.splitlines()

    assert f"  update {id_}, approved by Ada <ada@example.org>" in shown
    assert "  because: it matters" in shown


def test_a_shallow_clone_names_the_decisions_that_its_tree_holds(ada: Person, tmp_path: Path) -> None:
    id_ = ada.edit("client", "priority", "3")
    ada.approve(id_)
    ada.git("clone", "--quiet", "--depth=1", f"file://{ada.root}", str(tmp_path / "shallow"))

    answer = why(Person(tmp_path / "shallow").session(), WhyCall("client"))

    assert [each.ledger for each in recorded(answer)] == [id_]
    assert "shallow" in [each.code for each in answer.warnings]


def test_the_entry_of_a_bundle_excuses_no_deletion_of_a_decision_that_was_trusted(ada: Person) -> None:
    id_ = ada.edit("client", "priority", "3")
    ada.approve(id_)
    base = ada.head()
    ids = ada.plan("edit: {item: retry, field: priority, value: '3'}")
    ada.approve(ids[0], bundle=True)
    (bundle,) = (ada.root / ".gitmem/ledger").rglob(f"{ada.show(ids[0]).bundle}.yaml")
    bundle.write_text(bundle.read_text().replace(f"- {ids[0]}", f"- {ids[0]}\n  - {id_}"))
    next((ada.root / ".gitmem/ledger").rglob(f"{id_}.yaml")).unlink()
    commit_all(ada.root, "hidden")

    checked = run_inproc(ada.root, "check", "--range", f"{base}..HEAD")

    assert id_ in bundle.read_text()
    assert checked.code == 1
    assert "the ledger entry is deleted" in checked.out
