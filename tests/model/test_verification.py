"""The ladder of verification: which step is one, what each takes, and the way back from a refutation."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.model import evidence
from gitmem.model.evidence import COUNTEREXAMPLE, REFUTATION, Evidence
from gitmem.model.moments import rfc3339
from gitmem.model.verification import Case, above, age_days, domains, is_step, missing, support
from gitmem.model.vocabulary import VERIFICATIONS

NOW = datetime(2026, 6, 30, tzinfo=UTC)
UP = ("unverified", "plausible", "probable", "verified")


def day(days: float) -> str:
    return rfc3339(NOW - timedelta(days=days))


def piece(text: str, days: float = 1, domain: str = "", kind: str = "observation", by: str = "Ada") -> Evidence:
    return Evidence(text, kind, by, day(days), domain)


@pytest.mark.capability("M-060")
@pytest.mark.parametrize("end", VERIFICATIONS)
@pytest.mark.parametrize("start", VERIFICATIONS)
def test_a_decision_is_one_step_a_refutation_or_the_way_back_from_one(start: str, end: str) -> None:
    steps = {*pairwise(UP), *zip(UP[1:], UP, strict=False)}
    steps |= {(each, "refuted") for each in UP} | {("refuted", "unverified")}

    assert is_step(start, end) == ((start, end) in steps)


@pytest.mark.parametrize(("start", "end"), [*zip(UP, (*UP[1:], ""), strict=True), ("refuted", "unverified")])
def test_the_next_step_up(start: str, end: str) -> None:
    assert above(start) == end


TWO = (piece("a", domain="api"), piece("b", domain="db"))
THREE = (*TWO, piece("c", domain="api"))
STEPS = {
    "nothing for the first": ("unverified", "plausible", (), 30, ("1 piece of evidence (it has 0)",)),
    "one is enough for the first": ("unverified", "plausible", TWO[:1], 0, ()),
    "a counterexample is none": (
        *("unverified", "plausible", (piece("no", kind=COUNTEREXAMPLE),), 30),
        ("1 piece of evidence (it has 0)",),
    ),
    "one is not enough for the second": (
        *("plausible", "probable", TWO[:1], 30),
        ("2 pieces of evidence (it has 1)", "evidence from 2 domains (it has api)"),
    ),
    "the same words of the same person are one": (
        *("plausible", "probable", (piece("Held  it", domain="api"), piece("held it", domain="db")), 30),
        ("2 pieces of evidence (it has 1)", "evidence from 2 domains (it has api)"),
    ),
    "the same words of two are two": (
        *("plausible", "probable", (piece("held", domain="api"), piece("held", domain="db", by="Bob")), 0),
        (),
    ),
    "two of one domain": (
        *("plausible", "probable", (piece("a", domain="api"), piece("b", domain="api")), 30),
        ("evidence from 2 domains (it has api)",),
    ),
    "without a domain it is the engram's own": ("plausible", "probable", (piece("a"), piece("b", domain="db")), 0, ()),
    "two of two": ("plausible", "probable", TWO, 0, ()),
    "two are not enough for the third": ("probable", "verified", TWO, 7, ("3 pieces of evidence (it has 2)",)),
    "six days are not enough": (
        *("probable", "verified", THREE, 6.99),
        ("7 days since it was recorded or refuted (it has 6)",),
    ),
    "seven are": ("probable", "verified", THREE, 7, ()),
    "recorded tomorrow": (
        *("probable", "verified", THREE, -1),
        ("7 days since it was recorded or refuted (it has 0)",),
    ),
    "down": ("verified", "probable", (), 0, ()),
    "refuted without a word": ("verified", "refuted", THREE, 30, ("evidence against it",)),
    "refuted": ("verified", "refuted", (*THREE, piece("d", kind=REFUTATION)), 30, ()),
    "refuted again by a refutation that was answered": (
        *("unverified", "refuted", (piece("no", 9, kind=COUNTEREXAMPLE), piece("d", 8, kind=REFUTATION), *THREE), 30),
        ("evidence against it",),
    ),
    "refuted again by a new counterexample": (
        *("unverified", "refuted", (piece("d", 8, kind=REFUTATION), *THREE, piece("no", kind=COUNTEREXAMPLE)), 30, ()),
    ),
}


@pytest.mark.capability("M-060")
@pytest.mark.parametrize(("start", "end", "pieces", "age", "lacking"), STEPS.values(), ids=STEPS)
def test_what_a_step_takes(
    start: str, end: str, pieces: tuple[Evidence, ...], age: float, lacking: tuple[str, ...]
) -> None:
    assert missing(Case(start, pieces, "own", day(age)), end, NOW) == lacking


@pytest.mark.capability("M-060")
def test_a_refuted_one_comes_back_with_what_is_newer_than_its_refutation() -> None:
    refuted = (*THREE, piece("it broke", kind=REFUTATION))
    case = Case("refuted", refuted, "own", day(90))

    assert missing(case, "unverified", NOW) == ("evidence for it that is newer than the refutation",)

    back = Case("refuted", (*refuted, piece("a fluke")), "own", day(90))
    assert missing(back, "unverified", NOW) == ()
    assert [each.description for each in support(back)] == ["a fluke"], "in the same second the order decides"
    assert age_days(back, NOW) == 1, "the days begin anew"


def test_evidence_of_no_known_time_is_older_than_any_refutation() -> None:
    case = Case("refuted", (piece("it broke", kind=REFUTATION), Evidence("undated")), "own")

    assert support(case) == ()


def test_what_has_no_date_of_its_own_is_as_old_as_its_first_support() -> None:
    assert age_days(Case("plausible", (piece("a", 3), piece("b", 9))), NOW) == 9
    assert age_days(Case("plausible", (Evidence("undated"),)), NOW) is None


@pytest.mark.capability("M-060")
@given(st.lists(st.tuples(st.sampled_from(["a", "b", "c"]), st.sampled_from(["x", "y"]), st.integers(0, 40))))
@settings(derandomize=True, deadline=None)
def test_more_evidence_never_lacks_more_and_age_alone_lacks_the_same(rows: list[tuple[str, str, int]]) -> None:
    pieces = tuple(piece(text, days, domain) for text, domain, days in rows)
    for start, end in pairwise(UP):
        case = Case(start, pieces, "own", day(8))
        more = Case(start, (*pieces, piece("new", domain="z")), "own", day(8))

        assert len(missing(more, end, NOW)) <= len(missing(case, end, NOW))
        assert missing(Case(start, (), "own", day(10_000)), end, NOW), "no age stands for evidence"
        assert len(support(case)) == len({text for text, _, _ in rows})
        assert len(domains(case)) <= 2


@pytest.mark.capability("M-061")
def test_evidence_is_a_record_of_its_own_in_the_header() -> None:
    whole = Evidence("held", "run", "Ada", day(1), "api", "src/a.py#L3-L9", "ci/812")

    assert evidence.read(evidence.typed(whole)) == whole
    assert evidence.read("by hand") == Evidence("by hand")
    assert evidence.read({"description": " ", "kind": "test"}) is None
    assert evidence.read(["a"]) is None
