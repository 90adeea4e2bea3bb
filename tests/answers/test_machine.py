"""What a machine proposes has one id everywhere, is raised once, and is nobody's to extend or to withdraw."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.answers.ground import ground
from gitmem.answers.machine import Cause, Raised, machine_id, raise_once
from gitmem.answers.plans import plan_life
from gitmem.answers.standing import board
from gitmem.errors import GitmemError
from gitmem.model.ids import canonical_id, moment_of
from gitmem.store import ledger
from tests.answers.people import FILES, Person
from tests.conftest import MakeRepo
from tests.support import engram_id

TEXTS = st.text(max_size=8)
IDS = st.integers(1, 1000).map(engram_id)
CAUSES = st.builds(Cause, TEXTS, TEXTS, st.lists(st.one_of(TEXTS, IDS), max_size=5).map(tuple))


@given(cause=CAUSES, time=st.integers(0, 3))
def test_the_order_of_what_it_rests_on_makes_no_difference(cause: Cause, time: int) -> None:
    found = machine_id(cause, time)

    assert canonical_id(found) == found
    assert machine_id(Cause(cause.stage, cause.rule, cause.rests_on[::-1], "other words"), time) == found
    assert machine_id(cause, time + 1) != found
    assert machine_id(Cause(cause.stage, cause.rule, (*cause.rests_on, "more")), time) != found


def test_its_entry_lies_in_the_year_of_what_it_rests_on() -> None:
    id_ = machine_id(Cause("stage", "rule", (engram_id(1), engram_id(2), "t1:x")))

    assert moment_of(id_) == moment_of(engram_id(2))
    assert ledger.path_of(id_).startswith(ledger.path_of(engram_id(2)).rpartition("/")[0])


@pytest.fixture
def ada(make_repo: MakeRepo) -> Person:
    return Person(make_repo(FILES)).named("Ada", "ada@example.org")


def raised(who: Person, *rests_on: str) -> Raised:
    session = who.session()
    under = ground(session)
    plan = plan_life(under, "retry", "archive", "")
    return raise_once(session, under, plan, Cause("tests", "why", rests_on, "Because."), board(session))


def test_it_is_in_the_name_of_the_machine_and_of_the_date_of_its_base(ada: Person) -> None:
    id_ = raised(ada, "a").proposal

    seen = ada.show(id_)
    assert (seen.proposed_by.name, seen.proposed_by.agent and seen.proposed_by.agent.name) == ("gitmem", "tests")
    dates = ada.git("log", "-1", "--format=%an %at %ct", ada.tip(id_)).split()
    assert dates == ["gitmem", *[ada.git("log", "-1", "--format=%ct", "main")] * 2]


def test_the_same_change_for_another_reason_waits_with_the_first(ada: Person) -> None:
    first = raised(ada, "a")

    assert (first.state, raised(ada, "a")) == ("proposed", Raised("waits", first.proposal))
    other = raised(ada, "b")
    assert (other.state, other.proposal) == ("waits", first.proposal)


def test_the_same_change_that_was_declined_is_dismissed_whatever_the_reason(ada: Person) -> None:
    first = raised(ada, "a").proposal
    ada.reject(first, "no")

    assert (raised(ada, "a").state, raised(ada, "b").state) == ("dismissed", "dismissed")


def test_what_was_declined_for_a_time_waits_again_after_it(ada: Person) -> None:
    first = raised(ada, "a").proposal
    ada.reject(first, "not now", days=3)
    assert raised(ada, "a").state == "dismissed"

    ada.shift += type(ada.shift)(days=4)

    assert raised(ada, "a") == Raised("waits", first)


@pytest.mark.parametrize("how", ["extend", "withdraw"])
def test_nobody_extends_or_withdraws_it(ada: Person, how: str) -> None:
    id_ = raised(ada, "a").proposal

    with pytest.raises(GitmemError) as caught:
        getattr(ada, how)(id_)

    assert caught.value.code == "not-yours"
