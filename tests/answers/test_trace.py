"""Who calls what: both directions, the shortest ways, and answers that stay small and say what they leave out."""

import json
from pathlib import Path

import pytest

from tests.asking import ask
from tests.code.called import repository
from tests.support import run_inproc

MIDDLES = 60
DIAMOND = """def top():
    left()
    right()


def left():
    bottom()


def right():
    bottom()


def bottom():
    raise Spilled()


class Spilled(Exception):
    pass


def alone():
    pass


def turning():
    again()


def again():
    turning()


def falling():
    falling()
"""
FILES = {
    "shop/diamond.py": DIAMOND,
    "shop/store.py": "\n\n".join(f"class {name}:\n    def save(self):\n        pass\n" for name in ("Store", "Log")),
    "shop/hub.py": "def hub():\n    pass\n",
    **{
        f"shop/use_{number:03}.py": "from shop.hub import hub\n\n\n"
        + "".join(f"def caller_with_a_long_name_{each}():\n    hub()\n\n\n" for each in range(10))
        for number in range(MIDDLES)
    },
    "shop/wide.py": "".join(f"import shop.use_{number:03}\n" for number in range(MIDDLES))
    + "\n\ndef wide():\n    pass\n",
    "tests/test_diamond.py": "from shop.diamond import top\n\n\ndef test_top():\n    top()\n",
}
DEEP = {
    "deep.py": "".join(f"def step_{number}():\n    step_{number + 1}()\n\n\n" for number in range(15))
    + "def step_15():\n    pass\n"
}
WEB = {
    "web/Child.vue": "<template><p/></template>\n",
    "web/Page.vue": "<template><Child/></template>\n<script setup>\nimport Child from './Child.vue'\n</script>\n",
    "web/users.service.ts": "export default class Users {}\n",
    "web/app.ts": "import Known from './users.service.js'\n\nexport const known = new Known()\n",
    "native/list.h": "int list(void);\n",
    "native/main.c": '#include "list.h"\n\nint main(void) { return list(); }\n',
}
REPLY_MOST = 21_000


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return repository(tmp_path_factory.mktemp("traced") / "repo", {**FILES, **DEEP, **WEB})


def names(hops: list[dict]) -> list[tuple[str, int]]:
    return [(hop["id"].partition("::")[2].partition("(")[0], hop["depth"]) for hop in hops]


@pytest.mark.capability("C-042")
def test_callers_and_callees_stand_apart_with_their_depth_and_lines(repo: Path) -> None:
    answer = ask(repo, "trace", "shop/diamond.py::left")

    assert (answer["origin"]["id"], answer["origin_reliable"]) == ("shop/diamond.py::left(0)", True)
    assert names(answer["callers"]) == [("top", 1), ("test_top", 2)]
    assert names(answer["callees"]) == [("bottom", 1), ("Spilled", 2)]
    assert [hop["sites"] for hop in answer["callers"]] == [[2], [5]]
    assert [hop.get("is_test") for hop in answer["callers"]] == [None, True]


@pytest.mark.capability("C-042")
@pytest.mark.parametrize(
    ("direction", "callers", "callees"), [("callers", True, False), ("callees", False, True), ("both", True, True)]
)
def test_a_direction_can_be_left_out(repo: Path, direction: str, callers: bool, callees: bool) -> None:
    answer = ask(repo, "trace", "shop/diamond.py::left", "--direction", direction)

    assert (bool(answer["callers"]), bool(answer["callees"])) == (callers, callees)


def test_the_depth_is_how_far_it_goes(repo: Path) -> None:
    found = [names(ask(repo, "trace", "step_0", "--depth", str(depth))["callees"]) for depth in (1, 6)]

    assert found == [[("step_1", 1)], [(f"step_{number}", number) for number in range(1, 7)]]


@pytest.mark.capability("C-021")
def test_who_throws_an_exception_is_a_caller_of_it(repo: Path) -> None:
    (hop,) = ask(repo, "trace", "Spilled", "--direction", "callers", "--depth", "1")["callers"]

    assert (hop["id"], hop["edge"], hop["sites"]) == ("shop/diamond.py::bottom(0)", "throws", [15])


@pytest.mark.capability("C-042")
def test_a_hub_is_told_in_a_small_answer_that_says_what_it_leaves_out(repo: Path) -> None:
    """F-198: a walk is bounded."""
    done = run_inproc(repo, "trace", "hub", "--json")
    answer = json.loads(done.out)

    assert len(done.out.encode()) <= REPLY_MOST
    assert 0 < len(answer["callers"]) <= 25
    assert len(answer["callers"]) + answer["cut"]["callers"] == 10 * MIDDLES
    assert "left out: " in run_inproc(repo, "trace", "hub").out


@pytest.mark.capability("C-042")
def test_imports_of_the_origin_are_told_up_to_forty(repo: Path) -> None:
    answer = ask(repo, "trace", "shop/wide.py::wide")

    assert len(answer["dependencies"]) + answer["cut"]["dependencies"] == MIDDLES
    assert len(answer["dependencies"]) <= 40


@pytest.mark.capability("C-042")
@pytest.mark.parametrize("name", ["save", "caller_with", "SAVE", "shop/diamond.py::left(3)"])
def test_an_origin_that_is_guessed_is_said_to_be(repo: Path, name: str) -> None:
    answer = ask(repo, "trace", name)

    assert answer["origin_reliable"] is False


def test_namesakes_are_listed(repo: Path) -> None:
    answer = ask(repo, "trace", "save")

    assert {answer["origin"]["id"], *answer["others"]} == {
        f"shop/store.py::{owner}.save(0)" for owner in ("Store", "Log")
    }


@pytest.mark.capability("R-028")
def test_a_diamond_has_two_shortest_ways(repo: Path) -> None:
    answer = ask(repo, "trace", "top", "--to", "bottom")

    ways = [[step["target"].partition("::")[2] for step in way] for way in answer["paths"]]
    assert (answer["depth"], ways) == (2, [["left(0)", "bottom(0)"], ["right(0)", "bottom(0)"]])
    assert [step["sites"] for step in answer["paths"][0]] == [[2], [7]]


def test_what_calls_itself_is_its_own_caller_and_callee_once(repo: Path) -> None:
    answer = ask(repo, "trace", "falling", "--depth", "4")

    assert [names(answer[side]) for side in ("callers", "callees")] == [[("falling", 1)], [("falling", 1)]]


@pytest.mark.capability("R-028")
@pytest.mark.parametrize(("name", "depth"), [("falling", 1), ("turning", 2)])
def test_a_way_back_to_where_it_began_is_a_way(repo: Path, name: str, depth: int) -> None:
    answer = ask(repo, "trace", name, "--to", name)

    assert (answer["depth"], len(answer["paths"]), len(answer["paths"][0])) == (depth, 1, depth)


@pytest.mark.capability("R-028")
@pytest.mark.parametrize(
    ("start", "end"),
    [("alone", "alone"), ("bottom", "top"), ("top", "alone"), ("turning", "bottom"), ("step_0", "step_11")],
)
def test_no_way_within_ten_calls_is_none(repo: Path, start: str, end: str) -> None:
    answer = ask(repo, "trace", start, "--to", end)

    assert (answer["depth"], answer["paths"]) == (None, [])


def test_ten_calls_are_found(repo: Path) -> None:
    assert ask(repo, "trace", "step_0", "--to", "step_10")["depth"] == 10
    assert ask(repo, "trace", "step_0", "--to", "step_10", "--depth", "9")["depth"] is None


@pytest.mark.capability("R-029")
@pytest.mark.parametrize(
    ("start", "end", "field"), [("top", "save", "ambiguous_to"), ("save", "top", "ambiguous_from")]
)
def test_an_ambiguous_end_is_listed_and_nothing_is_searched(repo: Path, start: str, end: str, field: str) -> None:
    answer = ask(repo, "trace", start, "--to", end)

    assert sorted(answer[field]) == ["shop/store.py::Log.save(0)", "shop/store.py::Store.save(0)"]
    assert (answer["depth"], answer["paths"]) == (None, [])


def test_a_file_is_an_origin_with_those_that_import_it(repo: Path) -> None:
    answer = ask(repo, "trace", "shop/diamond.py")

    assert (answer["origin"]["kind"], names(answer["callers"])) == ("file", [("", 1)])
    assert answer["callers"][0]["id"] == "tests/test_diamond.py"


@pytest.mark.parametrize(
    ("name", "importer"),
    [
        ("web/Child.vue", "web/Page.vue"),
        ("web/users.service.ts", "web/app.ts"),
        ("Users", "web/app.ts"),
        ("native/list.h", "native/main.c"),
    ],
)
def test_who_imports_a_file_by_its_ending_is_found(repo: Path, name: str, importer: str) -> None:
    (hop,) = ask(repo, "trace", name, "--direction", "callers")["callers"]

    assert (hop["id"].partition("::")[0], hop["confidence"]) == (importer, "proven")


def test_a_line_of_a_file_means_the_definition_around_it(repo: Path) -> None:
    assert ask(repo, "trace", "shop/diamond.py:7")["origin"]["name"] == "left"


def test_the_code_of_a_revision_can_be_asked(repo: Path) -> None:
    assert names(ask(repo, "trace", "left", "--at", "HEAD", "--direction", "callers", "--depth", "1")["callers"]) == [
        ("top", 1)
    ]


def test_readers_see_who_calls_and_the_ways(repo: Path) -> None:
    text = run_inproc(repo, "trace", "shop/diamond.py::left").out
    ways = run_inproc(repo, "trace", "top", "--to", "bottom").out

    assert (
        "function shop/diamond.py::left(0):6\nCallers (2)\n- 1 shop/diamond.py::top(0):1 calls at 2 (proven, file)\n"
        in text
    )
    assert "2 shortest ways, 2 calls each\n" in ways
    assert "no way leads there" in run_inproc(repo, "trace", "bottom", "--to", "top").out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "no definition was named"),
        (("nobody_is_called_this",), "no definition is called 'nobody_is_called_this'"),
        (("top", "--to", "nobody_is_called_this"), "no definition is called"),
        (("top", "--depth", "7"), "depth must be from 1 to 6, not 7"),
        (("top", "--depth", "-1"), "depth must be from 1 to 6"),
        (("top", "--to", "bottom", "--depth", "11"), "depth must be from 1 to 10, not 11"),
        (("top", "--direction", "sideways"), "there is no direction 'sideways'"),
        (("x" * 501,), "a name has at most 500 characters"),
        (("shop/none.py::top",), "no definition is called"),
        (("top", "--at", "nowhere"), "nowhere"),
    ],
)
def test_what_cannot_be_answered_says_why(repo: Path, words: tuple[str, ...], message: str) -> None:
    done = run_inproc(repo, "trace", *words)

    assert (done.code != 0, message in done.err) == (True, True)
