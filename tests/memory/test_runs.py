"""Runs, notes and gaps as they come out of the entries of a journal."""

from collections.abc import Mapping

from gitmem.memory.runs import gaps, traces
from gitmem.model.event import COMPILE, FEEDBACK, OBSERVATION, Entry
from gitmem.model.plain import Plain


def line(number: int, kind: str, data: Mapping[str, Plain], *, session: str = "", agent: str = "") -> Entry:
    return Entry(f"S-{number}", number, f"2026-03-{number:02}T10:00:00Z", kind, session, agent, data, "W")


def compiled(number: int, compile_id: str, *files: str, session: str = "", plan: str = "") -> Entry:
    return line(
        number, COMPILE, {"compile": compile_id, "files": list(files), "plan": plan}, session=session, agent="x"
    )


def observed(number: int, event_type: str, payload: dict[str, Plain], session: str = "") -> Entry:
    return line(number, OBSERVATION, {"event_type": event_type, "payload": payload}, session=session)


def plan_of(entry: Entry) -> str:
    return str(entry.data.get("plan", ""))


def test_compiles_of_one_session_are_one_run() -> None:
    entries = [
        compiled(1, "c1", "a.py", session="one", plan="add retries"),
        compiled(2, "c2", "b.py", session="two"),
        compiled(3, "c3", "a.py", "c.py", session="one", plan="fix retries"),
    ]

    one, two = traces(entries, plan_of)

    assert (one.kind, one.ref, one.files, one.runs) == ("run", "c3", ("a.py", "c.py"), ("one", "c1", "c3"))
    assert one.text == "fix retries; add retries (2 compile(s) by x in one)"
    assert (two.text, two.order) == ("no plan was given (1 compile(s) by x in two)", 2)


def test_without_a_session_the_same_compile_is_one_run() -> None:
    entries = [compiled(1, "c1", "a.py"), compiled(2, "c2", "b.py"), compiled(3, "c1", "a.py")]

    assert [(each.ref, each.order) for each in traces(entries, plan_of)] == [("c1", 3), ("c2", 2)]


def test_a_compile_that_failed_has_no_id_and_is_still_a_run() -> None:
    (found,) = traces([line(1, COMPILE, {"error": {"code": "x"}})], plan_of)

    assert (found.ref, found.files) == ("S-1", ())


def test_notes_and_outcomes_of_turns_are_told_and_misses_are_not() -> None:
    entries = [
        observed(1, "session_note", {"files": ["a.py"], "outcome": "reverted", "plan": "cache it"}, session="one"),
        observed(2, "manual_note", {"note": "Tables are plural"}),
        observed(3, "compile_miss", {"target_files": ["a.py"], "review_comment": "no rule"}),
        observed(4, "review_correction", {"target_doc_id": "ID", "proposed_content": "x", "review_comment": "wrong"}),
        line(5, FEEDBACK, {"item": "ID"}),
        line(6, OBSERVATION, {"event_type": "of a later version"}),
    ]

    found = traces(entries, plan_of)

    assert [(each.kind, each.ref, each.files, each.text, each.item) for each in found] == [
        ("reverted", "S-1", ("a.py",), "cache it", ""),
        ("note", "S-2", (), "Tables are plural", ""),
        ("note", "S-4", (), "wrong", "ID"),
    ]
    assert found[0].runs == ("one",)


def test_gaps_are_counted_by_the_nearest_pattern_or_by_file() -> None:
    def near(files: tuple[str, ...]) -> list[tuple[str, str]]:
        return [("src/**", "use-the-client"), ("*.py", "other")] if files[0].startswith("src") else []

    misses = [("src/a.py", "one"), ("src/b.py", "two"), ("src/a.py", "three"), ("etc/x", "four")]
    entries = [
        observed(number, "compile_miss", {"target_files": [rel], "review_comment": said})
        for number, (rel, said) in enumerate(misses, 1)
    ]

    by_pattern, by_file = gaps(entries, near)

    assert (by_pattern.kind, by_pattern.ref, by_pattern.files) == ("gap", "src/**", ("src/a.py", "src/b.py"))
    assert by_pattern.text == "missed 3 time(s) near src/** of use-the-client: three"
    assert by_file.text == "missed 1 time(s) on etc/x, with no pattern near: four"
