"""What calls say of a use: each signal, its weight, and that a use is judged once, when it is over."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from gitmem.memory.learning import WEIGHTS, Call, Learned, Watch, learn

START = datetime(2026, 1, 2, 10, tzinfo=UTC)
OVER = START + timedelta(days=2)
DAY = {"A": timedelta(hours=24), "B": timedelta(hours=24)}
SCORED = Call("search", START, ("A", "B"), {"A": 0.5, "B": 0.9})


def calls(*words: str, minutes: int = 1) -> list[Call]:
    """``get A`` opens A; one call a minute after the search that found it."""
    found = [SCORED]
    for number, word in enumerate(words, 1):
        kind, _, item = word.partition(" ")
        found.append(Call(kind, START + timedelta(minutes=number * minutes), (item,) if item else (), id=str(number)))
    return found


def judged(found: Sequence[Call], now: datetime = OVER) -> list[Learned]:
    return list(learn(found, Watch(now, DAY)))


@pytest.mark.capability("M-048")
@pytest.mark.parametrize(
    ("words", "signals"),
    [
        (("get A", "search"), ("searched-on",)),
        (("get A", "other", "other", "search"), ("searched-on",)),
        (("get A", "other", "other", "other", "search"), ()),
        (("get A", "other"), ("searched-no-more",)),
        (("get A", "action"), ("worked", "searched-no-more")),
        (("get A", "action", "action"), ("worked", "searched-no-more")),
        (("get A", "get A"), ("opened-again", "searched-no-more")),
        (("get A", "search", "action"), ("searched-on", "worked")),
        (("get A", "correction A", "search"), ("searched-on", "corrected")),
        (("get A", "correction B"), ("searched-no-more",)),
        (("get A", "contradiction A"), ("contradicted", "searched-no-more")),
        (("get A", *["other"] * 10, "search"), ("searched-no-more",)),
        (("get A", *["other"] * 9, "action"), ("worked", "searched-no-more")),
        (("get A", *["other"] * 10, "action"), ("searched-no-more",)),
        (("get A",), ()),
    ],
)
def test_signals(words: tuple[str, ...], signals: tuple[str, ...]) -> None:
    (found,) = judged(calls(*words))
    assert found.signals == signals


@pytest.mark.capability("M-048")
def test_weights() -> None:
    assert WEIGHTS == {
        "contradicted": -0.8,
        "searched-on": -0.7,
        "corrected": -0.4,
        "worked": 0.8,
        "opened-again": 0.6,
        "searched-no-more": 0.4,
    }


@pytest.mark.capability("M-049")
@pytest.mark.parametrize(
    ("words", "outcome", "surprise"),
    [
        (("get A", "action"), "effective", 0.5),
        (("get A", "search"), "failed", -0.35),
        (("get A", "search", "action"), "inconclusive", 0.0),
        (("get A", "contradiction A", "search"), "contradicted", -0.5),
        (("get B", "search"), "failed", -0.75),
        (("get B", "other"), "failed", -0.2),
        (("get B", "action"), "effective", 0.1),
        (("get A",), "inconclusive", 0.0),
    ],
)
def test_outcomes(words: tuple[str, ...], outcome: str, surprise: float) -> None:
    """A was found with a score of 0.5, B with 0.9."""
    (found,) = judged(calls(*words))
    assert found.outcome == outcome
    assert found.surprise == pytest.approx(surprise)


def test_what_was_found_and_not_opened_says_nothing() -> None:
    assert judged(calls("action", "search", "correction A")) == []


def test_without_a_score_a_half_is_predicted() -> None:
    (found,) = judged(calls("get A", "action")[1:])
    assert found.predicted is None
    assert found.surprise == pytest.approx(0.5)


def test_a_use_is_judged_when_its_window_is_over_and_not_before() -> None:
    found = calls("get A", "action")
    assert judged(found, START + timedelta(hours=24)) == []
    assert len(judged(found, START + timedelta(hours=24, minutes=1))) == 1


def test_calls_after_the_window_are_no_part_of_it() -> None:
    (found,) = judged(calls("get A", "action", minutes=60 * 25), OVER + timedelta(days=9))
    assert found.signals == ()


def test_opening_it_again_within_the_window_is_the_same_use_and_later_another() -> None:
    found = calls("get A", "get A", "other")
    later = Call("get", START + timedelta(days=2), ("A",))
    assert len(judged(found)) == 1
    assert len(judged([*found, later], OVER + timedelta(days=9))) == 2


@pytest.mark.capability("M-045")
def test_feedback_closes_the_use_and_is_the_only_word_on_it() -> None:
    assert judged(calls("get A", "action", "feedback A")) == []
    assert [each.signals for each in judged(calls("get A", "feedback A", "get A", "action"))] == [
        ("worked", "searched-no-more")
    ]


def test_what_was_judged_is_not_judged_again() -> None:
    found = calls("get A", "action")
    (first,) = judged(found)
    assert list(learn(found, Watch(OVER, DAY, {"A": first.until}))) == []


def test_an_item_that_is_gone_is_not_watched() -> None:
    assert list(learn(calls("get A", "action"), Watch(OVER, {}))) == []
