"""A text is new, known or a new wording of what is known, in the numbers of the capability."""

import random
import time
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.checks.likeness import CANDIDATES_MOST, SHORTLIST_MOST, Kind, Known, Verdict, shortlist, verdict
from gitmem.text.shingles import bands, sketch

BODY = """Components call the API through the client in `src/api`, never with fetch directly.

- The client retries a failed call three times with growing pauses.
- It logs each call once, with the id of the request and without its body.
- Tests replace the client by a recorded one.
"""
OTHER = "Every migration of the database can be undone, and was tried on a copy of production before it is merged."
REFORMATTED = BODY.replace("- ", "* ").replace("client in", "client\nin").replace("Components", "**components**")
SLIP = BODY.replace("replace", "replaced")
REWORDED = BODY.replace("three times", "twice").replace("growing", "longer")
HALF = BODY.partition("- It logs")[0] + OTHER
TITLE = "Call the client"


def beside(title: str, body: str) -> Verdict:
    return verdict(title, body, [Known("A", TITLE, BODY)])


@pytest.mark.capability("M-040")
@pytest.mark.parametrize(
    ("title", "body", "kind"),
    [
        ("Another", BODY, Kind.DUPLICATE),
        ("Another", REFORMATTED, Kind.DUPLICATE),
        ("Another", SLIP, Kind.UPDATE),
        ("Another", REWORDED, Kind.NEW),
        (TITLE, REWORDED, Kind.UPDATE),
        ("call  the CLIENT", REWORDED, Kind.UPDATE),
        (TITLE, HALF, Kind.NEW),
        (TITLE, OTHER, Kind.NEW),
        (TITLE, "", Kind.NEW),
    ],
    ids=["same", "reformatted", "slip", "reworded", "same-title", "title-in-other-dress", "half", "other", "empty"],
)
def test_a_text_is_judged_beside_a_known_one(title: str, body: str, kind: Kind) -> None:
    found = beside(title, body)

    assert (found.kind, found.target) == (kind, "" if kind is Kind.NEW else "A")


@pytest.mark.capability("M-040")
@pytest.mark.parametrize(("title", "limit"), [("Another", 85), (TITLE, 70)])
def test_the_limits_are_those_of_the_capability(title: str, limit: int) -> None:
    words = [f"word{at}" for at in range(60)]
    seen = set()
    for kept in range(61):
        asked = " ".join(words[:kept] + [f"mine{at}" for at in range(60 - kept)])
        found = verdict(title, asked, [Known("A", TITLE, " ".join(words))])
        percent = found.shared * 100 / found.total
        is_update = limit <= percent < 100
        assert found.kind is (Kind.DUPLICATE if percent == 100 else Kind.UPDATE if is_update else Kind.NEW)
        assert found.candidates == () or percent >= 30
        seen.add((found.kind, bool(found.candidates)))

    assert seen == {(Kind.DUPLICATE, True), (Kind.UPDATE, True), (Kind.NEW, True), (Kind.NEW, False)}


def test_a_rewording_names_its_twin_and_how_near_it_is() -> None:
    """F-212."""
    found = beside("Another", REWORDED)

    assert [(each.item, each.title, each.percent) for each in found.candidates] == [("A", TITLE, 83)]
    assert found.reason == "83 % like 'Call the client', which is too little for a new wording of it"


def test_what_is_new_beside_nothing_like_it_has_no_candidates() -> None:
    found = beside("Another", OTHER)

    assert (found.shared, found.total, found.candidates) == (0, 1, ())


def test_signs_alone_are_a_text_too() -> None:
    known = [Known("A", "Signs", "!!!")]

    assert verdict("Signs", "!!!", known).kind is Kind.DUPLICATE
    assert verdict("Signs", "???", known).kind is Kind.NEW


def test_an_equal_body_comes_before_a_nearer_title_and_five_are_named() -> None:
    known = [Known(f"N{at}", TITLE, SLIP) for at in range(9)]
    found = verdict(TITLE, BODY, [*known, Known("Z", "Elsewhere", BODY)])

    assert (found.kind, found.target) == (Kind.DUPLICATE, "Z")
    assert [each.item for each in found.candidates] == ["Z", "N0", "N1", "N2", "N3"]
    assert len(found.candidates) == CANDIDATES_MOST


def test_what_may_be_an_update_comes_before_what_is_only_nearer() -> None:
    nearer = Known("N", "Elsewhere", SLIP.replace("twice", "") + "One line that the other has not got.")
    found = verdict(TITLE, BODY, [nearer, Known("A", TITLE, REWORDED)])

    assert (found.kind, found.target) == (Kind.UPDATE, "A")


@given(st.permutations([Known(f"N{at}", TITLE, BODY.replace("each", f"each {at % 3}")) for at in range(6)]))
def test_the_order_of_what_is_known_changes_nothing(known: list[Known]) -> None:
    found = verdict("Another", BODY, known)

    assert [each.item for each in found.candidates] == ["N0", "N1", "N2", "N3", "N4"]


def test_the_shortlist_holds_those_that_are_named_most_often() -> None:
    assert shortlist([[1, 2, 3], [2, 3], [3], ()]) == [3, 2, 1]
    assert shortlist([[5, 4, 9]]) == [4, 5, 9]
    assert shortlist([range(100)]) == list(range(SHORTLIST_MOST))
    assert shortlist([]) == []


@pytest.mark.capability("M-040")
def test_an_edited_text_is_found_among_many_by_its_bands() -> None:
    bodies = made_bodies(600)
    stored = stored_bands(bodies)
    rng = random.Random(4)
    for number in rng.sample(range(600), 40):
        edited = with_edits(bodies[number], rng, one_in=12)
        found = found_by_bands(edited, bodies, stored)
        assert str(number) in [each.item for each in found.candidates]


@pytest.mark.long
def test_a_text_is_judged_among_ten_thousand_in_20_ms() -> None:
    bodies = made_bodies(10_000)
    stored = stored_bands(bodies)
    rng = random.Random(5)
    times = []
    for number in rng.sample(range(10_000), 60):
        edited = with_edits(bodies[number], rng, one_in=12)
        start = time.process_time()
        found = found_by_bands(edited, bodies, stored)
        times.append(time.process_time() - start)
        assert str(number) in [each.item for each in found.candidates]

    assert sorted(times)[len(times) // 2] <= 0.02


def made_bodies(count: int) -> list[str]:
    """Texts of 40 to 120 words, common ones more often than rare ones, as in any language."""
    rng = random.Random(3)
    words = [f"word{at}" for at in range(3_000)]
    weights = [1 / (at + 3) for at in range(3_000)]
    return [" ".join(rng.choices(words, weights, k=rng.randint(40, 120))) for _ in range(count)]


def with_edits(body: str, rng: random.Random, one_in: int) -> str:
    return " ".join(f"edit{rng.randrange(900)}" if rng.randrange(one_in) == 0 else word for word in body.split())


def stored_bands(bodies: Sequence[str]) -> dict[str, list[int]]:
    stored: dict[str, list[int]] = {}
    for number, body in enumerate(bodies):
        for key in bands(sketch(body)):
            stored.setdefault(key, []).append(number)
    return stored


def found_by_bands(body: str, bodies: Sequence[str], stored: dict[str, list[int]]) -> Verdict:
    near = shortlist(stored.get(key, ()) for key in bands(sketch(body)))
    return verdict("A title", body, [Known(str(number), "Another", bodies[number]) for number in near])
