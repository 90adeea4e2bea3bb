"""Four signals: what joins two seeds, what was learned of use, which task costs much to miss, what is held ready."""

import time
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.code import critical, flow, learning, prefetch
from gitmem.code.learning import Lesson
from gitmem.model.packet import OPEN, PATH, SKELETON, Fold, PacketFile

DAY = "2026-12-01"


def both_ways(edges: Mapping[tuple[str, str], float]) -> Mapping[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for (one, other), width in edges.items():
        found.setdefault(one, {})[other] = width
        found.setdefault(other, {})[one] = width
    return found


BRIDGE = both_ways(
    {("form", "client"): 1, ("client", "wire"): 1, ("wire", "server"): 1, ("form", "button"): 1, ("server", "log"): 1}
    | {("form", f"theme{at}"): 1 for at in range(30)}
)


@pytest.mark.capability("C-029")
def test_the_files_between_two_seeds_carry_the_flow_and_dead_ends_do_not() -> None:
    found = flow.flow({"form": 1.0, "server": 0.9}, lambda name: BRIDGE[name])

    assert found.has_run
    assert {*found.found} == {"client", "wire"}


def test_of_two_ways_the_short_one_wins_and_both_are_known() -> None:
    rows = {("a", "short"): 1.0, ("short", "b"): 1.0, ("a", "x"): 1.0, ("x", "y"): 1.0, ("y", "b"): 1.0}
    found = flow.flow({"a": 1.0, "b": 1.0}, lambda name: both_ways(rows)[name]).found

    assert next(iter(found)) == "short"
    assert found["short"] > 2 * found.get("x", 0.0)


@pytest.mark.parametrize("seeds", [{}, {"form": 1.0}])
def test_with_fewer_than_two_seeds_it_does_not_run_and_says_so(seeds: dict[str, float]) -> None:
    assert flow.flow(seeds, lambda name: BRIDGE[name]) == flow.Flow({}, has_run=False)


@pytest.mark.capability("C-026")
@pytest.mark.capability("C-029")
def test_a_hub_stays_within_the_caps_and_within_twenty_milliseconds() -> None:
    asked: list[str] = []

    def near(name: str) -> dict[str, float]:
        asked.append(name)
        return {f"{int(name) * 7 % 5000 + at}": 1.0 / (1 + at) for at in range(300)}

    times = []
    for _ in range(3):
        start = time.process_time()
        found = flow.flow({"1": 1.0, "2": 1.0, "3": 1.0, "4": 0.5, "5": 0.4}, near)
        times.append(time.process_time() - start)

    assert found.nodes <= flow.NODES_MOST
    assert found.edges <= flow.EDGES_MOST
    assert len({*asked}) <= flow.NODES_MOST
    assert min(times) < 0.02


@given(st.dictionaries(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("abcdefgh")), st.floats(0.1, 2)))
@settings(derandomize=True, deadline=None, max_examples=25)
def test_the_flow_is_a_share_and_does_not_depend_on_the_order_of_neighbours(
    edges: dict[tuple[str, str], float],
) -> None:
    rows = both_ways({pair: width for pair, width in edges.items() if pair[0] != pair[1]})
    one = flow.flow({"a": 1.0, "b": 0.5}, lambda name: rows.get(name, {}))
    other = flow.flow({"b": 0.5, "a": 1.0}, lambda name: dict(reversed(rows.get(name, {}).items())))

    assert one == other
    assert all(0 < share <= 1 for share in one.found.values())
    assert {"a", "b"}.isdisjoint(one.found)


def lesson(outcome: float = 1.0, *touched: str, day: str = DAY, context: str = "fix") -> Lesson:
    return Lesson(day, context, ("a.py", "b.py", "c.py"), touched, outcome)


@pytest.mark.capability("C-030")
@pytest.mark.capability("C-046")
def test_what_helped_rises_with_each_time_and_never_beyond_the_bound() -> None:
    doses = [learning.learned([lesson(1, "a.py")] * times, DAY) for times in (0, 1, 2, 4, 8, 400)]
    weights = [learning.weight(known, "fix", "a.py") for known in doses]

    assert weights == sorted(set(weights))
    assert weights[0] == 0
    assert weights[-1] == learning.MOST
    assert weights[1] - weights[0] > weights[4] - weights[3]
    assert learning.weight(learning.learned([lesson(-1, "a.py")], DAY), "fix", "a.py") == -weights[1]


@pytest.mark.capability("C-030")
def test_what_was_touched_after_a_file_is_gained_from_it_more_than_the_other_way_round() -> None:
    known = learning.learned([lesson(1, "a.py", "b.py", "c.py")], DAY)
    ways = known.ways["fix"]

    assert ways["a.py"]["b.py"] > ways["a.py"]["c.py"] > 0 > ways["b.py"]["a.py"]
    alone = learning.gains(known, "fix", {})
    assert learning.gains(known, "fix", {"a.py": 1.0})["b.py"] > alone["b.py"]


@pytest.mark.capability("C-030")
def test_it_fades_with_the_days_and_counts_less_for_another_kind_of_task() -> None:
    fresh = learning.learned([lesson(1, "a.py")], DAY)
    old = learning.learned([lesson(1, "a.py", day="2026-06-01")], DAY)

    assert learning.weight(fresh, "fix", "a.py") > 10 * learning.weight(old, "fix", "a.py") >= 0
    assert learning.weight(fresh, "fix", "a.py") > 3 * learning.weight(fresh, "add", "a.py") > 0
    assert learning.learned([lesson(1, "a.py", day="yesterday")], DAY).files == {}


def test_a_packet_that_misled_as_a_whole_lowers_each_of_its_files_a_little() -> None:
    known = learning.learned([lesson(-1)], DAY)

    assert learning.weight(known, "fix", "a.py") == learning.weight(known, "fix", "c.py") < 0
    assert abs(learning.weight(known, "fix", "a.py")) < learning.weight(
        learning.learned([lesson(1, "a.py")], DAY), "fix", "a.py"
    )


@given(st.permutations([lesson(1, "a.py", "b.py"), lesson(-1, "b.py"), lesson(0.5, "c.py", context="add"), lesson(-1)]))
@settings(derandomize=True, deadline=None, max_examples=20)
def test_the_order_in_which_lessons_are_read_changes_nothing(lessons: list[Lesson]) -> None:
    assert learning.learned(lessons, DAY) == learning.learned(sorted(lessons, key=repr), DAY)


CRITICAL = {
    "Fix the login retry that gives up too early": ("auth",),
    "Refund is charged twice when the payment gateway times out": ("money",),
    "XSS in the comment preview": ("security",),
    "Add a migration for the orders table": ("migration",),
    "Saving twice may lose data of the draft": ("data loss",),
    "migrate all user records to the new schema": ("migration",),
    "oauth2: leaks of access tokens": ("auth",),
    "drop table users is run without asking": ("data loss",),
    "Rotate the API keys; the signing key too": ("security",),
}
PLAIN = (
    *("Fix the author list on the about page", "Show the authors in the footer", "authority of sources", ""),
    *(
        "tokenizer drops the last token",
        "the moneyed classes example",
        "monetdb driver",
        "Rename Injector",
    ),
    *("docs/auth.md has a typo in its title", "use a taxonomy for tags", "cve_parser.name is empty", "securely"),
    *("Sort the passwordless.txt fixtures", "migrate the tests to pytest", "a checkered background"),
)


@pytest.mark.capability("C-031")
@pytest.mark.parametrize(("task", "areas"), CRITICAL.items())
def test_a_task_that_costs_much_to_miss_is_told_with_the_word_that_says_so(task: str, areas: tuple[str, ...]) -> None:
    found = critical.critical(task)

    assert found is not None
    assert found.areas == areas
    assert all(word in task.lower() for word in found.words)
    assert f'"{found.words[0]}"' in found.why


@pytest.mark.capability("C-031")
@pytest.mark.parametrize("task", PLAIN)
def test_part_of_a_word_makes_no_task_critical(task: str) -> None:
    assert critical.critical(task) is None


def row(path: str, tier: str, folds: int = 1) -> PacketFile:
    return PacketFile(path, 1.0, tier, 9, "x", tuple(Fold(f"{path}-{at}", "f", 1, 2, 9) for at in range(folds)))


@pytest.mark.capability("C-032")
def test_folds_of_open_files_are_held_ready_first_and_files_without_any_never() -> None:
    files = [row("a", SKELETON), row("b", PATH, 0), row("c", OPEN), row("d", SKELETON)]

    assert prefetch.likely(files) == ("c", "a", "d")


@pytest.mark.capability("C-032")
def test_a_hit_is_counted_when_it_was_served_and_at_no_other_time() -> None:
    ready = prefetch.Ready()
    ready.fill(["aa11", "aa22", "bb33"], lambda oids: {oid: oid.encode() for oid in oids if oid != "bb33"})

    assert ready.take("aa11") == ("aa11", b"aa11")
    assert [ready.take(begun) for begun in ("aa", "bb33", "")] == [None] * 3
    assert (ready.hits, ready.asked, ready.held) == (1, 4, 2)
    assert ready.fill(["aa11"], lambda oids: {}) == 0


def test_what_is_held_ready_stays_within_its_bounds() -> None:
    ready = prefetch.Ready()
    for at in range(0, 200, 10):
        ready.fill([f"{n:04}" for n in range(at, at + 10)], lambda oids: {oid: b"x" * 400_000 for oid in oids})

    assert len(ready.texts) <= prefetch.BLOBS_MOST
    assert ready.size_bytes == sum(map(len, ready.texts.values())) <= 16 << 20
    assert ready.take("0199") is not None
    assert ready.take("0000") is None
