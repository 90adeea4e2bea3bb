"""An approval is of what was looked at: what lands along with it too."""

from pathlib import Path

import pytest

from gitmem.answers.propose import ProposeEditCall, propose_edit
from gitmem.errors import GitmemError
from tests.answers.people import Person, alone

STEP = "new: {kind: fact, title: Thing %d, body: It is number %d and nothing else.}"


@pytest.fixture
def ada(tmp_path: Path) -> Person:
    return alone(tmp_path / "ada")


def extended(ada: Person, id_: str) -> None:
    """A further patch set, as an agent could slip it in between."""
    item = ada.show(id_).items[0].item
    propose_edit(ada.session(), ProposeEditCall(item, "summary", ("Other words.",), extend=id_))


def test_a_member_of_a_bundle_that_moved_since_must_be_named_itself(ada: Person) -> None:
    first, second = ada.plan(STEP % (1, 1), STEP % (2, 2))
    extended(ada, second)

    with pytest.raises(GitmemError, match="lands along and is newer") as caught:
        ada.approve(first, bundle=True)
    assert ada.seen(second) in caught.value.hint

    done = ada.approve(first, second, bundle=True)
    assert done.proposals == (first, second)
    assert ada.version() == 1


def test_a_needed_proposal_that_moved_since_must_be_named_itself(ada: Person) -> None:
    first = ada.new("Thing", "It is number one.\n")
    second = ada.new("Other", "It is number two.\n", needs=(first,))
    extended(ada, first)

    with pytest.raises(GitmemError, match="lands along and is newer"):
        ada.approve(second, with_needs=True)

    assert ada.approve(second, first, with_needs=True).failed == ()
    assert ada.statuses() == {first: "landed", second: "landed"}


def test_what_did_not_move_lands_along(ada: Person) -> None:
    first, second = ada.plan(STEP % (1, 1), STEP % (2, 2))

    assert ada.approve(second, bundle=True).proposals == (first, second)


def test_the_flags_are_in_the_hint_that_names_what_lands_along(ada: Person) -> None:
    first, second = ada.plan(STEP % (1, 1), STEP % (2, 2))
    extended(ada, second)

    with pytest.raises(GitmemError) as caught:
        ada.approve(first, bundle=True, with_needs=True)
    assert caught.value.hint.endswith(f"{ada.seen(first)} {ada.seen(second)} --bundle --with-needs")
