"""What insights cite, which are refused, how many a run makes, and how much of their evidence may die."""

from collections.abc import Mapping

import pytest

from gitmem.memory import insights
from gitmem.memory.insights import INSPIRATION, INTEGRATION, RETROSPECTIVE, Insight, Replaced, Source
from gitmem.memory.outlines import Member, outline, written
from tests.support import engram_id

A, B, GONE = engram_id(1), engram_id(2), engram_id(99)
SOURCES: Mapping[str, Source] = {
    A: Source("active"),
    B: Source("superseded"),
    engram_id(3): Source("active", is_refuted=True),
    engram_id(4): Source("forgotten"),
}


def member(number: int, *, domain: str = "d", tags: tuple[str, ...] = (), paths: tuple[str, ...] = ()) -> Member:
    slug = f"item-{number}"
    return Member(engram_id(number), slug, f"Item {number}", "It is.", f"Item {number} is.", domain, tags, paths)


@pytest.mark.capability("M-057")
@pytest.mark.parametrize(
    ("cites", "text", "why"),
    [
        ((), "Something.", "cites nothing"),
        ((A, GONE), "Something.", "not here"),
        ((A, engram_id(3)), "Something.", "refuted"),
        ((A, engram_id(4)), "Something.", "forgotten"),
        ((A,), f"As ({B}) says.", "does not cite"),
        ((A, B), f"As ({B}) says.", ""),
    ],
)
def test_an_insight_without_sound_sources_is_refused(cites: tuple[str, ...], text: str, why: str) -> None:
    said = insights.refusal(Insight(INTEGRATION, "T", text, cites), SOURCES)

    assert why in said
    assert bool(said) == bool(why)


@pytest.mark.capability("M-057")
def test_a_run_makes_five_of_two_modes_and_asks_no_more_than_it_takes() -> None:
    asked: list[str] = []

    def is_wanted(row: str) -> bool:
        asked.append(row)
        return row != "a1"

    rows = ["a1", "b1", "b2", "c1", "b3", "d1", "c2", "c3", "c4"]

    assert insights.chosen(rows, lambda row: row[0], is_wanted) == ["b1", "b2", "c1", "b3", "c2"]
    assert "d1" not in asked
    assert "c3" not in asked


@pytest.mark.capability("M-057")
@pytest.mark.parametrize(
    ("cites", "share"),
    [((A,), 0.0), ((A, B), 0.5), ((A, GONE), 0.5), ((engram_id(3),), 1.0), ((), 0.0)],
)
def test_what_ended_what_is_refuted_and_what_is_gone_is_dead_evidence(cites: tuple[str, ...], share: float) -> None:
    assert insights.dead_share(cites, SOURCES) == share


@pytest.mark.capability("M-057")
def test_groups_meet_at_an_item_that_is_alike_or_at_a_common_path() -> None:
    one = [member(1), member(2, paths=("src/**",)), member(3)]
    other = [member(4), member(5, paths=("src/**",)), member(6)]
    far = [member(7), member(8), member(9)]

    (met,) = insights.integrations([one, other, far], {engram_id(1): [engram_id(4)]})

    assert met.cites == tuple(each.id for each in (*one, *other))
    assert met.title == "Two groups meet at `src/**`, item-1"


@pytest.mark.capability("M-057")
def test_what_did_not_last_is_told_by_domain_with_what_took_its_place() -> None:
    rows = [
        Replaced(member(1), member(2), "superseded"),
        Replaced(member(3), member(4), "deprecated, after a decision was reverted"),
        Replaced(member(5, domain="e"), member(6, domain="e"), "superseded"),
    ]

    (found,) = insights.retrospectives(rows)

    assert (found.mode, found.title) == (RETROSPECTIVE, "What did not last in d")
    assert found.cites == tuple(map(engram_id, (1, 2, 3, 4)))
    assert "deprecated, after a decision was reverted: Item 3 (item-3)\n  in its place: Item 4" in found.text


@pytest.mark.capability("M-057")
def test_a_pattern_may_fit_another_area_about_which_items_bear_two_of_its_tags() -> None:
    pattern = member(1, tags=("http", "retry"), paths=("src/api/**",))
    others = [
        member(2, tags=("http", "retry"), paths=("src/jobs/**",)),
        member(3, tags=("retry", "http", "x"), paths=("src/jobs/run.py",)),
        member(4, tags=("http",), paths=("src/jobs/**",)),
        member(5, tags=("http", "retry"), paths=("src/mail/**",)),
        member(6, tags=("http", "retry"), paths=("src/api/old.py",)),
        member(7, tags=("http", "retry"), paths=("**/*.py",)),
    ]

    (found,) = insights.inspirations([pattern], [pattern, *others])

    assert (found.mode, found.title) == (INSPIRATION, "May hold in src/jobs too: Item 1")
    assert found.cites == tuple(map(engram_id, (1, 2, 3)))


@pytest.mark.capability("M-055")
def test_an_outline_says_what_can_be_computed_and_no_more() -> None:
    rows = [
        Member(engram_id(number), f"s{number}", f"T{number}", "It is.", text, domain, tags, ("src/**",))
        for number, text, domain, tags in (
            (1, "The lock of a job runs out, and the job is taken again", "q/a", ("queue", "lock")),
            (2, "Each job has a lock", "q/b", ("lock", "queue")),
            (3, "Nobody waits for a lock", "q/b/c", ("lock",)),
        )
    ]

    found = outline(rows, hint="Locks end.")

    assert found.title == "Common to 3 engrams: lock, job"
    assert found.terms == (("lock", 3), ("job", 2))
    assert (found.tags, found.paths, found.domain) == (("lock",), ("src/**",), "q")
    assert written(found).splitlines() == [
        "What these 3 engrams have in common, as computed; nobody has put it into words yet.",
        "",
        "- terms, and how many have them: lock (3), job (2)",
        "- tags of all: lock",
        "- paths of all: `src/**`",
        "- domain of all: q",
        "- to be said: Locks end.",
        "",
        "- T1 (s1): It is.",
        "- T2 (s2): It is.",
        "- T3 (s3): It is.",
    ]
