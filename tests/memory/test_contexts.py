"""In which contexts items helped, as events and counts tell it."""

from collections.abc import Mapping

import pytest

from gitmem.memory.contexts import Context, area_of, of_events
from gitmem.memory.tally import Tally
from gitmem.model.event import COMPILE, FEEDBACK, VERIFY, Entry
from gitmem.model.plain import Plain


def told(*rows: tuple[str, str, Mapping[str, Plain]]) -> list[Entry]:
    """(kind, writer, data), one after the other."""
    return [
        Entry(f"S-{n}", n, "2026-01-02T00:00:00Z", kind, "", "", data, by) for n, (kind, by, data) in enumerate(rows)
    ]


def compiled(writer: str, *files: str) -> tuple[str, str, Mapping[str, Plain]]:
    return COMPILE, writer, {"files": list(files), "items": {"inline": ["X", "Y"]}}


def said(writer: str, outcome: str, *files: str) -> tuple[str, str, Mapping[str, Plain]]:
    return FEEDBACK, writer, {"items": ["X"], "outcome": outcome, **({"files": list(files)} if files else {})}


def verdict(said: str, passed: bool, items: list[Plain]) -> tuple[str, str, Mapping[str, Plain]]:
    return VERIFY, "w", {"verdict": said, "passed": passed, "files": ["a.py"], "items": items}


@pytest.mark.parametrize(
    ("path", "area"), [("a.py", "."), ("src/a.py", "src"), ("src/api/a.py", "src/api"), ("a/b/c/d.py", "a/b")]
)
def test_an_area_of_the_code_is_two_folders_deep(path: str, area: str) -> None:
    assert area_of(path) == area


@pytest.mark.capability("M-058")
def test_feedback_counts_for_the_files_for_which_its_writer_last_got_the_item() -> None:
    found = of_events(
        told(
            *(said("w1", "helped"), compiled("w1", "src/api/a.py"), compiled("w2", "db/t.sql", "docs/x.md")),
            *(said("w1", "helped"), said("w2", "helped"), said("w2", "helped", "lib/z.py")),
        )
    )

    assert found.of("X") == Context(("w1", "w2"), ("db", "docs", "lib", "src/api"), 4, 0)
    assert found.of("Y") == Context(), "to be delivered is no evidence"


@pytest.mark.capability("M-058")
def test_where_it_misled_as_often_it_was_of_no_use() -> None:
    found = of_events(
        told(said("w1", "helped", "src/a.py"), said("w1", "misled", "src/a.py"), said("w2", "misled", "lib/a.py"))
    )

    assert found.of("X") == Context((), (), 1, 2)
    assert found.of("X").net == -1


@pytest.mark.capability("M-058")
def test_what_only_counts_tell_of_adds_an_author_and_no_area() -> None:
    counts = Tally(
        {("2026-01-01", "X", "helped"): 2, ("2026-01-01", "X", "delivered"): 9, ("2026-01-01", "", "feedback"): 2}
    )

    found = of_events(told(said("w1", "helped", "src/a.py")), [("w2", counts)])

    assert found.of("X") == Context(("w1", "w2"), ("src",), 3, 0)


def test_verdicts_come_newest_first_without_those_that_judged_nothing() -> None:
    rows: list[tuple[str, bool, list[Plain]]] = [
        ("pass", True, []),
        ("nothing-to-check", True, []),
        ("fail", False, ["X"]),
    ]
    found = of_events(told(*(verdict(*row) for row in rows)))

    assert [(each.passed, each.items) for each in found.verdicts] == [(False, ("X",)), (True, ())]


def test_what_is_not_as_expected_counts_for_nothing() -> None:
    odd: list[Mapping[str, Plain]] = [{}, {"items": 3, "outcome": "helped"}, {"items": [7], "outcome": ["helped"]}]

    assert of_events(told(*((FEEDBACK, "w", row) for row in odd), (VERIFY, "w", {"passed": "yes"}))).items == {}
