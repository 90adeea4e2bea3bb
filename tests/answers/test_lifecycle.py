"""The states of an engram, reached by proposals: archived, forgotten, retired, restored."""

from pathlib import Path

import pytest

from gitmem.answers.propose import (
    ProposeItemCall,
    propose_archive,
    propose_forget,
    propose_restore,
    propose_retire,
    propose_rm,
)
from gitmem.errors import GitmemError, UsageError
from tests.answers.people import CLIENT, Person, alone
from tests.asking import compiled, slugs
from tests.support import engram_id, engram_text

VERBS = {
    "archive": (propose_archive, "frozen"),
    "forget": (propose_forget, "forgotten"),
    "retire": (propose_retire, "deprecated"),
}


@pytest.fixture
def ada(tmp_path: Path) -> Person:
    return alone(tmp_path / "ada")


def change(ada: Person, verb: str, rationale: str = "") -> str:
    done = VERBS[verb][0](ada.session(), ProposeItemCall("client", rationale))
    return str(done.proposal)


@pytest.mark.capability("M-007")
@pytest.mark.parametrize("verb", sorted(VERBS))
def test_a_state_waits_for_approval_and_is_taken_back_by_restore(ada: Person, verb: str) -> None:
    id_ = change(ada, verb, rationale="nobody needs it")
    assert "status:" not in ada.read(CLIENT) or "status: active" in ada.read(CLIENT)

    ada.approve(id_)
    assert f"status: {VERBS[verb][1]}" in ada.read(CLIENT)
    assert ("client" in slugs(compiled(ada.root, file="src/app.py"))) == (verb == "archive")

    back = propose_restore(ada.session(), ProposeItemCall("client"))
    ada.approve(str(back.proposal))
    assert "status: active" in ada.read(CLIENT)
    assert "client" in slugs(compiled(ada.root, file="src/app.py"))


@pytest.mark.capability("M-007")
def test_forgetting_needs_a_reason_and_leaves_history(ada: Person) -> None:
    with pytest.raises(UsageError, match="reason"):
        change(ada, "forget")

    id_ = change(ada, "forget", rationale="the client is gone")
    ada.approve(id_)

    assert ada.show(id_).rationale == "the client is gone"
    assert "Components call the API" in ada.read(CLIENT)


def test_what_is_so_already_is_no_proposal(ada: Person) -> None:
    with pytest.raises(UsageError, match="already"):
        propose_restore(ada.session(), ProposeItemCall("client"))


def test_what_another_one_requires_is_not_removed_and_is_named_when_it_is_retired(ada: Person) -> None:
    user = engram_text(id=engram_id(3), title="User", requires=["client"], body="It uses the client.\n")
    ada.write({".gitmem/engrams/api/user.md": user})

    with pytest.raises(GitmemError, match="is required by user"):
        propose_rm(ada.session(), ProposeItemCall("client"))
    done = propose_retire(ada.session(), ProposeItemCall("client"))

    assert "required" in [warning.code for warning in done.warnings]
