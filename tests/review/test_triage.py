"""The state of an observation is a fold over the journal: each once, in Lamport order, whoever wrote it."""

import random

import pytest

from gitmem.model.event import OBSERVATION, TRIAGE, Entry
from gitmem.model.plain import Plain
from gitmem.review.triage import fold, shared_id
from tests.support import engram_id

ONE, TWO = f"{engram_id(1)}-1", f"{engram_id(2)}-1"


def entry(id_: str, clock: int, kind: str, **data: Plain) -> Entry:
    return Entry(id_, clock, f"2026-01-02T03:04:{clock:02}Z", kind, "", "", data, "w")


def seen(id_: str = ONE, clock: int = 1) -> Entry:
    return entry(id_, clock, OBSERVATION, event_type="manual_note", payload={"note": "x"})


def acted(action: str, clock: int, on: str = ONE, **more: Plain) -> Entry:
    return entry(f"{engram_id(9)}-{clock}", clock, TRIAGE, action=action, observation=on, **more)


@pytest.mark.capability("R-050")
@pytest.mark.parametrize(
    ("actions", "state"),
    [
        ([], "open"),
        (["analysed"], "analysed"),
        (["analysed", "requeued"], "open"),
        (["analysed", "requeued", "analysed"], "analysed"),
        (["archived"], "archived"),
        (["archived", "requeued"], "open"),
        (["shrugged"], "open"),
    ],
)
def test_the_last_word_counts(actions: list[str], state: str) -> None:
    rows = fold([seen(), *(acted(action, 2 + at) for at, action in enumerate(actions))])

    assert [each.state for each in rows] == [state]


def test_what_is_there_twice_counts_once_and_what_nobody_reported_is_passed_over() -> None:
    rows = fold([seen(), seen(), acted("analysed", 2, TWO), acted("analysed", 3, proposals=["P"])])

    assert [(each.observation.id, each.state, each.proposals) for each in rows] == [(ONE, "analysed", ("P",))]


def test_proposals_and_choices_add_up() -> None:
    entries = [
        seen(),
        acted("resolved", 2, choice="keep-both", items=["A"]),
        acted("analysed", 3, proposals=["P"]),
        acted("requeued", 4),
        acted("analysed", 5, proposals=["P", "Q"], reason="why"),
    ]

    (found,) = fold(entries)

    assert (found.proposals, dict(found.choices), found.reason) == (("P", "Q"), {"A": "keep-both"}, "why")
    assert found.at == "2026-01-02T03:04:05Z"


def test_a_line_that_is_told_without_its_segment_gets_the_same_words() -> None:
    rows = fold([seen(shared_id(ONE)), acted("analysed", 2)])

    assert [(each.observation.id, each.state) for each in rows] == [(shared_id(ONE), "analysed")]


@pytest.mark.parametrize(
    ("choice", "state"), [("keep-both", "open"), ("replace", "analysed"), ("cancel", "archived"), ("x", "open")]
)
def test_a_choice_says_in_one_line_what_becomes_of_it(choice: str, state: str) -> None:
    (found,) = fold([seen(), acted("resolved", 2, choice=choice, items=["A"], proposals=["P"])])

    assert (found.state, dict(found.choices), found.proposals) == (state, {"A": choice}, ("P",))


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"event_type": "unheard_of", "payload": {}},
        {"event_type": ["manual_note"], "payload": {}},
        {"event_type": "manual_note", "payload": "x"},
        {"event_type": "manual_note"},
    ],
)
def test_a_line_in_another_form_is_no_observation(data: dict[str, Plain]) -> None:
    assert fold([entry(ONE, 1, OBSERVATION, **data)]) == []


def test_odd_values_of_another_writer_do_no_harm() -> None:
    chance = random.Random(1)
    odd: list[Plain] = [None, 5, True, "x", [], ["a", 1], {"a": 1}, [None]]
    names = ("observation", "action", "proposals", "reason", "choice", "items", "event_type", "payload", "conflicts")

    for clock in range(500):
        data = {name: chance.choice(odd) for name in names if chance.random() < 0.7}
        rows = fold([seen(), entry(TWO, 2, chance.choice((OBSERVATION, TRIAGE)), **{"observation": ONE, **data})])
        assert ONE in [each.observation.id for each in rows], (clock, data)
