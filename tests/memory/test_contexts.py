"""In which contexts items helped, as events and counts tell it."""

from collections.abc import Iterable, Mapping

import pytest

from gitmem.memory.contexts import Context, Contexts, Fold, Told, area_of
from gitmem.memory.tally import Tally
from gitmem.model.event import COMPILE, FEEDBACK, MAINTENANCE, VERIFY
from gitmem.model.plain import Plain

Event = tuple[str, str, Mapping[str, Plain]]


def told(*rows: Event, counts: Iterable[tuple[str, Tally]] = ()) -> Contexts:
    """(kind, writer, data), one after the other."""
    fold = Fold()
    for clock, (kind, writer, data) in enumerate(rows):
        fold.add(Told(writer, kind, clock, data))
    for writer, tally in counts:
        fold.add_counts(writer, tally)
    return fold.contexts()


def compiled(writer: str, *files: str) -> Event:
    return COMPILE, writer, {"files": list(files), "items": {"inline": ["X", "Y"]}}


def said(writer: str, outcome: str, *files: str) -> Event:
    return FEEDBACK, writer, {"items": ["X"], "outcome": outcome, **({"files": list(files)} if files else {})}


def verdict(said: str, passed: bool, items: list[Plain]) -> Event:
    return VERIFY, "w", {"verdict": said, "passed": passed, "files": ["a.py"], "items": items}


@pytest.mark.parametrize(
    ("path", "area"), [("a.py", "."), ("src/a.py", "src"), ("src/api/a.py", "src/api"), ("a/b/c/d.py", "a/b")]
)
def test_an_area_of_the_code_is_two_folders_deep(path: str, area: str) -> None:
    assert area_of(path) == area


@pytest.mark.capability("M-058")
def test_feedback_counts_for_the_files_for_which_its_writer_last_got_the_item() -> None:
    found = told(
        *(said("w1", "helped"), compiled("w1", "src/api/a.py"), compiled("w2", "db/t.sql", "docs/x.md")),
        *(said("w1", "helped"), said("w2", "helped"), said("w2", "helped", "lib/z.py")),
    )

    assert found.of("X") == Context(("w1", "w2"), ("db", "docs", "lib", "src/api"), 4, 0)
    assert found.of("Y") == Context(), "to be delivered is no evidence"


@pytest.mark.capability("M-058")
def test_feedback_on_a_compile_counts_for_the_files_of_that_one() -> None:
    asked: Event = (COMPILE, "w1", {"compile": "c1", "files": ["src/a.py"], "items": {"inline": ["X"]}})
    told_of: Event = (FEEDBACK, "w1", {"items": ["X"], "outcome": "helped", "compile": "c1"})

    assert told(asked, compiled("w1", "lib/b.py"), told_of).of("X").areas == ("src",)


@pytest.mark.capability("M-058")
def test_a_use_that_was_watched_counts_by_how_it_ended_and_a_success_without_effect_for_nothing() -> None:
    ends: Event = (MAINTENANCE, "w1", {"items": {"effective": ["X"], "failed": ["Y"], "inconclusive": ["Z"]}})
    void: Event = (FEEDBACK, "w2", {"items": ["Z"], "outcome": "helped", "effectiveness": 0.0})

    found = told(ends, void)

    assert {item: use.net for item, use in found.items.items()} == {"X": 1, "Y": -1}


@pytest.mark.capability("M-058")
def test_where_it_misled_as_often_it_was_of_no_use() -> None:
    found = told(said("w1", "helped", "src/a.py"), said("w1", "misled", "src/a.py"), said("w2", "misled", "lib/a.py"))

    assert found.of("X") == Context((), (), 1, 2)
    assert found.of("X").net == -1


@pytest.mark.capability("M-058")
def test_what_only_counts_tell_of_adds_an_author_and_no_area() -> None:
    counts = Tally(
        {("2026-01-01", "X", "helped"): 2, ("2026-01-01", "X", "delivered"): 9, ("2026-01-01", "", "feedback"): 2}
    )

    found = told(said("w1", "helped", "src/a.py"), counts=[("w2", counts)])

    assert found.of("X") == Context(("w1", "w2"), ("src",), 3, 0)


def test_verdicts_come_newest_first_without_those_that_judged_nothing() -> None:
    rows: list[tuple[str, bool, list[Plain]]] = [
        ("pass", True, []),
        ("nothing-to-check", True, []),
        ("fail", False, ["X"]),
    ]
    found = told(*(verdict(*row) for row in rows))

    assert [(each.passed, each.items) for each in found.verdicts] == [(False, ("X",)), (True, ())]


def test_what_is_not_as_expected_counts_for_nothing() -> None:
    odd: list[Mapping[str, Plain]] = [{}, {"items": 3, "outcome": "helped"}, {"items": [7], "outcome": ["helped"]}]

    assert told(*((FEEDBACK, "w", row) for row in odd), (VERIFY, "w", {"passed": "yes"})).items == {}
