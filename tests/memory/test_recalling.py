"""The order in which traces answer: by whole numbers, the same everywhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.memory.recalling import BESIDE, FAR, JOINED, SAME, WHOLE, Query, rank, score
from gitmem.model.recalled import Trace
from gitmem.text import words

DAY = 86_400
NOW = 1000 * DAY


def trace(ref: str, *, days: int = 0, text: str = "", files: tuple[str, ...] = (), **over: object) -> Trace:
    return Trace("revert", ref, NOW - days * DAY, 0, files, text, **over)  # type: ignore[arg-type]


def asked(text: str = "", **over: object) -> Query:
    wanted = words.telling(text) if text else {}
    return Query(NOW, len(wanted), lambda present: words.hits(wanted, present), **over)  # type: ignore[arg-type]


def order(traces: list[Trace], query: Query) -> list[str]:
    return [row.trace.ref for row in rank(traces, query, words.terms)]


@pytest.mark.capability("R-040")
@pytest.mark.parametrize(
    ("found", "near", "days", "is_superseded", "expected"),
    [
        (4, SAME, 0, False, 1_000_000),
        (4, FAR, 0, False, 750_000),
        (2, FAR, 0, False, 500_000),
        (1, FAR, 90, False, 250_000),
        (0, BESIDE, 90, False, 250_000),
        (0, JOINED, 90, False, 187_500),
        (0, FAR, 1, False, 247_252),
        (4, SAME, 0, True, 500_000),
        (0, FAR, -5, False, 250_000),
    ],
)
def test_a_score_is_half_text_a_quarter_recency_a_quarter_nearness(
    found: int, near: int, days: int, is_superseded: bool, expected: int
) -> None:
    assert score(trace("a", days=days, is_superseded=is_superseded), Query(NOW, 4), (found, near)) == expected


@pytest.mark.capability("R-040")
def test_what_was_superseded_sinks() -> None:
    traces = [trace("old", text="retry the upload", is_superseded=True), trace("new", text="retry the upload", days=80)]

    assert order(traces, asked("retry the upload")) == ["new", "old"]


def test_a_text_leaves_out_what_shares_no_word() -> None:
    traces = [trace("a", text="Retry the upload"), trace("b", text="the cache"), trace("c", files=("src/upload.py",))]

    assert order(traces, asked("the upload retried")) == ["c", "a"]


def test_files_leave_out_what_is_far() -> None:
    near = {"a.py": SAME, "b.py": JOINED, "c.py": FAR}.__getitem__
    traces = [trace("c", files=("c.py",)), trace("b", files=("c.py", "b.py")), trace("a", files=("a.py",)), trace("n")]

    assert order(traces, asked(near=near)) == ["a", "b"]


@pytest.mark.parametrize(
    ("run", "found"), [("s", ["b"]), ("0123456789", ["a"]), ("0123", []), ("nobody", []), ("session", [])]
)
def test_a_run_is_asked_for_by_its_session_or_the_start_of_a_compile_id(run: str, found: list[str]) -> None:
    traces = [trace("a", runs=("session-1", "0123456789abcdef")), trace("b", runs=("s",)), trace("c")]

    assert order(traces, asked(run=run)) == found


def test_recent_keeps_the_newest_of_what_fits() -> None:
    traces = [trace("old", days=9, text="upload upload"), trace("mid", days=5, text="upload"), trace("new", text="x")]

    assert order(traces, asked("upload", recent=1)) == ["mid"]
    assert order(traces, asked(recent=2)) == ["new", "mid"]


@given(
    st.lists(
        st.tuples(st.integers(-10, 2000), st.integers(0, 3), st.booleans(), st.sampled_from(["upload", "cache", ""])),
        max_size=12,
    ),
    st.randoms(use_true_random=False),
)
def test_the_order_does_not_depend_on_the_order_of_the_source(
    rows: list[tuple[int, int, bool, str]], random: object
) -> None:
    traces = [
        Trace("undone", f"{n:03}", NOW - days * DAY, clock, (), text, is_superseded=sunk)
        for n, (days, clock, sunk, text) in enumerate(rows)
    ]
    mixed = list(traces)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    found = rank(traces, asked("upload cache"), words.terms)

    assert found == rank(mixed, asked("upload cache"), words.terms)
    assert all(0 < row.score <= WHOLE for row in found)
