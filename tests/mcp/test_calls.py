"""Arguments in every form that clients send, errors that stay errors, answers that stay small."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.errors import GitmemError, UsageError
from gitmem.mcp import calls, coerce, results
from gitmem.mcp.calls import Caller, Desk
from gitmem.model.plain import Plain, canonical
from gitmem.operations import every, find
from gitmem.operations.table import AGENT, FLAG, INTEGER, NUMBER, TEXT, TEXTS, Operation, Param
from gitmem.record import replace
from tests.asking import CONFIG
from tests.conftest import MakeRepo
from tests.mcp.talk import KNOWLEDGE, MINIMAL_ARGUMENTS

COMPILE = find("compile")
assert COMPILE is not None
PROBE = Operation(
    verb="probe",
    tool="probe",
    help="a tool of this test",
    request="tests.mcp.test_calls:Ask",
    target="tests.mcp.test_calls:fail",
    render="tests.mcp.test_calls:show",
    surfaces=(AGENT,),
    params=(
        Param("names", TEXTS, "some names", tool_name="target_files"),
        Param("text", TEXT, "a text", is_required=True),
        Param("count", INTEGER, "a number"),
        Param("share", NUMBER, "a share"),
        Param("dry_run", FLAG, "or not"),
        Param("secret", TEXT, "not for agents", in_tool=False),
    ),
)


def one(name: str, value: object) -> object:
    field = {"target_files": "names"}.get(name, name)
    return coerce.values(PROBE, {"text": "x", name: value})[field]


@pytest.mark.parametrize(
    ("name", "value", "meant"),
    [
        ("target_files", ["a.py", "b.py"], ("a.py", "b.py")),
        ("target_files", '["a.py", "b.py"]', ("a.py", "b.py")),
        ("target_files", ' ["a.py"] ', ("a.py",)),
        ("target_files", "a.py", ("a.py",)),
        ("target_files", "a.py, b.py", ("a.py", "b.py")),
        ("target_files", "a, b.py\nc.py\n", ("a, b.py", "c.py")),
        ("target_files", "[slug].tsx", ("[slug].tsx",)),
        ("target_files", [], ()),
        ("target_files", "[]", ()),
        ("target_files", [1, "b"], ("1", "b")),
        ("count", 8192, 8192),
        ("count", "8192", 8192),
        ("count", " 8192 ", 8192),
        ("count", 8192.0, 8192),
        ("count", "-1", -1),
        ("share", "0.25", 0.25),
        ("share", 1, 1.0),
        ("dry_run", True, True),
        ("dry_run", "true", True),
        ("dry_run", "False", False),
        ("dry_run", 0, False),
        ("text", "2026", "2026"),
        ("text", 2026, "2026"),
    ],
)
def test_the_form_that_a_client_sends_is_understood(name: str, value: object, meant: object) -> None:
    """F-132"""
    found = one(name, value)

    assert found == meant
    assert type(found) is type(meant)


@pytest.mark.parametrize("name", ["target_files", "count", "share", "dry_run"])
@pytest.mark.parametrize("value", [None, ""])
def test_nothing_is_not_a_value(name: str, value: object) -> None:
    assert coerce.values(PROBE, {"text": "x", name: value}) == {"text": "x"}


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("target_files", {"a": 1}, "target_files must be a list of texts, not an object"),
        ("target_files", [None], "target_files must be a text, not null"),
        ("target_files", [["a"]], "target_files must be a text, not a list"),
        ("count", "many", 'count must be a whole number, not "many"'),
        ("count", 1.5, "count must be a whole number, not 1.5"),
        ("count", True, "count must be a whole number, not true"),
        ("count", "1" * 40, "count must be a whole number"),
        ("count", 10**40, "count must be a whole number"),
        ("share", "nan", "share must be a number"),
        ("share", "inf", "share must be a number"),
        ("dry_run", "maybe", 'dry_run must be true or false, not "maybe"'),
        ("dry_run", 2, "dry_run must be true or false, not 2"),
        ("text", ["a"], "text must be a text, not a list"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_what_was_sent(name: str, value: object, says: str) -> None:
    with pytest.raises(UsageError) as refused:
        one(name, value)

    assert says in refused.value.message
    assert len(refused.value.message) < 120


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        ({}, "probe needs: text", "a text"),
        ({"text": ""}, "probe needs: text", "a text"),
        (
            {"text": "x", "target_file": "a"},
            "probe has no argument 'target_file'",
            "did you mean 'target_files'? known: ",
        ),
        ({"text": "x", "names": ["a"]}, "probe has no argument 'names'", "known: target_files, text, count"),
        ({"text": "x", "secret": "s"}, "probe has no argument 'secret'", "share, dry_run"),
    ],
)
def test_what_is_missing_or_unknown_is_named_with_what_there_is(
    arguments: Mapping[str, object], message: str, hint: str
) -> None:
    with pytest.raises(UsageError) as refused:
        coerce.values(PROBE, arguments)

    assert refused.value.message == message
    assert hint in refused.value.hint


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["target_files", "text", "count", "share", "dry_run", "x"]), JSON, max_size=4))
def test_any_json_is_a_request_or_a_usage_error(arguments: dict[str, object]) -> None:
    try:
        found = coerce.values(PROBE, arguments)
    except UsageError:
        return
    assert set(found) <= {"names", "text", "count", "share", "dry_run"}


class Ask:
    def __init__(self, text: str) -> None:
        self.text = text


def fail(_session: object, asked: Ask) -> object:
    if asked.text == "bug":
        raise ZeroDivisionError("nobody thought of this")
    if asked.text == "git":
        raise GitmemError("it is gone", hint="bring it back", place="a.md:3", code="gone")
    return {"items": [{"id": str(number), "content": asked.text, "title": "t" * 40} for number in range(2000)]}


def show(result: Mapping[str, object]) -> str:
    rows = result["items"]
    assert isinstance(rows, list)
    return "\n".join(f"{row['id']} {row['content']} {row['title']}" for row in rows)


def ask(root: Path, text: str, desk: Desk | None = None) -> results.Answer:
    return calls.answer(desk or Desk(AGENT), PROBE, {"text": text}, Caller([root]))


def test_an_error_keeps_its_message_place_hint_and_code(make_repo) -> None:
    root = make_repo(KNOWLEDGE)
    found = ask(root, "git")

    assert found.is_error
    assert found.text == "error: a.md:3: it is gone [gone]\nhint: bring it back"
    assert found.structure == {
        "error": {"code": "gone", "message": "it is gone", "place": "a.md:3", "hint": "bring it back"},
        "environment": {"root": str(root)},
    }


def test_a_bug_of_ours_is_a_tool_error_that_names_the_line(make_repo, capsys: pytest.CaptureFixture[str]) -> None:
    found = ask(make_repo(KNOWLEDGE), "bug")

    error = found.structure["error"]
    assert isinstance(error, dict)
    assert found.is_error
    assert error["code"] == "internal"
    assert "ZeroDivisionError: nobody thought of this" in str(error["message"])
    assert str(error["place"]).startswith("test_calls.py:")
    assert "Traceback" in capsys.readouterr().err


def test_a_long_answer_is_cut_and_says_what_it_left_out(make_repo) -> None:
    """F-141"""
    found = ask(make_repo(KNOWLEDGE), "word " * 30)

    assert len(found.text.encode()) < results.TEXT_MAX_BYTES + 200
    assert "[left out: " in found.text.splitlines()[-1]
    assert len(canonical(found.structure)) <= results.STRUCTURE_MAX_BYTES + 100
    kept, omitted = found.structure["items"], found.structure["omitted"]
    assert isinstance(kept, list)
    assert isinstance(omitted, dict)
    assert len(kept) + int(str(omitted["items"])) == 2000
    assert all(isinstance(row, dict) and "content" not in row for row in kept)


def test_a_short_answer_is_whole() -> None:
    structure: Plain = {"tags": {"id": 1, "content": 2}, "environment": {"root": "/a"}}
    found = results.success("all of it\n", structure, "/b")

    assert found == results.Answer("all of it\n", {"tags": {"id": 1, "content": 2}, "environment": {"root": "/a"}})


def test_half_characters_become_visible_escapes() -> None:
    found = results.success("na\udcefve", {"files": {"a\udcff": ["\udcff"]}}, "/b")

    assert found.text == "na\\udcefve"
    assert json.loads(canonical(found.structure)) == {"files": {"a\\udcff": ["\\udcff"]}, "environment": {"root": "/b"}}


@pytest.mark.parametrize("operation", [row for row in every() if AGENT not in row.surfaces], ids=lambda row: row.verb)
def test_a_call_asks_again_whether_the_surface_may(make_repo, operation: Operation) -> None:
    root = make_repo(KNOWLEDGE)
    found = calls.answer(Desk(AGENT), operation, {}, Caller([root]))

    assert found.is_error
    assert "is not on the agent surface" in found.text


def test_a_tool_that_an_agent_has_is_refused_where_the_table_takes_it_away(make_repo) -> None:
    withdrawn = replace(COMPILE, surfaces=("admin",))
    found = calls.answer(Desk(AGENT), withdrawn, {"target_files": "a.py"}, Caller([make_repo(KNOWLEDGE)]))

    assert "compile_context is not on the agent surface" in found.text


# What each event type has to say at the least.
REPORTS: Mapping[str, Mapping[str, Plain]] = {
    "compile_miss": {"target_files": ["src/a.ts"], "review_comment": "no rule came"},
    "review_correction": {"target_doc_id": "retry-twice", "proposed_content": "Once.", "review_comment": "too often"},
    "pr_merged": {"changed_files": ["src/a.ts"]},
    "manual_note": {"note": "Tables are plural."},
    "document_import": {"data": '{"path": "AGENTS.md"}'},
    "doc_gap_detected": {"data": '{"about": "retries"}'},
    "session_note": {"data": '{"outcome": "kept", "files": ["src/a.ts"], "plan": "retry"}'},
}


@pytest.mark.parametrize(
    ("operation", "param"),
    [
        (row, param)
        for row in every()
        if AGENT in row.surfaces
        for param in row.params
        if param.choices and param.in_tool
    ],
    ids=lambda each: each.tool if isinstance(each, Operation) else each.name,
)
def test_each_choice_of_the_table_is_taken_and_another_is_refused_with_them(
    make_repo, operation: Operation, param: Param
) -> None:
    desk, root = Desk(AGENT), make_repo(KNOWLEDGE)
    least = dict(MINIMAL_ARGUMENTS[operation.tool])
    name = param.tool_name or param.name
    more = {"new": {}, "retire": {"item": "retry-twice"}, "update": {"item": "retry-twice"}}
    more |= {each: {"from": "retry-twice", "kind": "extends", "to": "use-the-client"} for each in ("link", "unlink")}
    more["verify"] = {"item": "retry-twice", "description": "It was seen in a test."}
    if operation.tool == "observe":
        least, more = {}, REPORTS
    found = [
        calls.answer(desk, operation, least | {name: choice} | more.get(choice, {}), Caller([root]))
        for choice in param.choices
    ]
    refused = calls.answer(desk, operation, least | {name: "something-else"}, Caller([root]))

    assert [answer.text for answer in found if answer.is_error and "no edge" not in answer.text] == []
    assert refused.is_error
    assert all(choice in refused.text for choice in param.choices)


@pytest.mark.parametrize(
    ("surface", "verb", "arguments"),
    [
        ("agent", "propose", {}),
        ("admin", "propose", {}),
        ("admin", "proposals approve", {"proposals": ["01J6XQK5P7R2V8Y3M4N6ZH0WQT"]}),
        ("admin", "proposals reject", {"proposals": ["01J6XQK5P7R2V8Y3M4N6ZH0WQT"]}),
    ],
)
def test_what_a_tool_misses_is_asked_for_in_the_words_of_tools(
    make_repo: MakeRepo, surface: str, verb: str, arguments: Mapping[str, Plain]
) -> None:
    operation = find(verb)
    assert operation is not None

    answer = calls.answer(Desk(surface), operation, arguments, Caller([make_repo(CONFIG)], "client"))

    assert answer.is_error
    assert "--" not in answer.text
    assert "terminal" not in answer.text
    assert "gitmem " not in answer.text
