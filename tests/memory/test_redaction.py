"""What of an event may be told: nothing that is free text, and nothing of an item that the team does not know."""

import json

import pytest

from gitmem.memory import redaction
from gitmem.model.event import KINDS
from gitmem.model.plain import Plain
from tests.support import engram_id

KNOWN, PRIVATE = engram_id(1), engram_id(2)
TEXT = "some words that a person typed"
NAMES = ("note", "comment", "plan", "prompt", "query", "title", "message", "request", "receipt", "proposed_content")


@pytest.mark.parametrize("kind", KINDS)
def test_no_free_text_of_any_kind_of_event_is_told(kind: str) -> None:
    data: dict[str, Plain] = {name: TEXT for name in (*NAMES, "action", "surface", "outcome", "event_type", "range")}
    data |= {"payload": dict(data), "error": dict(data), "items": {TEXT: [TEXT], "inline": [TEXT]}, "warnings": [TEXT]}
    told = redaction.told({"kind": kind, "data": data, "session": TEXT, "agent": TEXT}, {KNOWN})

    assert TEXT not in json.dumps(told)


def test_what_is_no_text_is_told() -> None:
    data: dict[str, Plain] = {
        "files": ["src/a b.py", "bad\npath"],
        "items": {"inline": [KNOWN, PRIVATE], "deferred": [PRIVATE]},
        "budget": {"max": 10, "used": 3},
        "error": {"code": "not-found", "message": TEXT},
        "ms": 3,
        "partial": False,
    }
    told = redaction.told({"kind": "compile", "data": data, "session": "s-1", "agent": "codex/1"}, {KNOWN})

    assert told == {
        "session": "s-1",
        "data": {
            "ms": 3,
            "partial": False,
            "files": ["src/a b.py"],
            "items": {"inline": [KNOWN], "deferred": []},
            "budget": {"max": 10, "used": 3},
            "error": {"code": "not-found"},
        },
    }


@pytest.mark.parametrize("value", [None, TEXT, 3, [], [[[]]], {"items": {"inline": {"x": [TEXT]}}}])
def test_data_of_any_shape_is_borne(value: Plain) -> None:
    assert TEXT not in json.dumps(redaction.told({"kind": "compile", "data": value}, ()))


@pytest.mark.parametrize(
    ("data", "is_private"),
    [
        ({"item": PRIVATE}, True),
        ({"items": [KNOWN, PRIVATE]}, True),
        ({"items": {"omitted": [PRIVATE]}}, True),
        ({"payload": {"target_doc_id": PRIVATE}}, True),
        ({"items": [KNOWN], "query": TEXT, "private": True}, True),
        ({"item": KNOWN, "items": {"inline": [KNOWN]}}, False),
        ({"ms": 3}, False),
    ],
)
def test_a_line_that_names_an_unknown_item_is_private(data: Plain, is_private: bool) -> None:
    assert redaction.is_private({"kind": "feedback", "data": data}, {KNOWN}) is is_private


def test_what_somebody_wants_to_hear_later_is_told_to_nobody() -> None:
    snoozed = {"kind": "intention", "data": {"intention": "renew", "action": "snoozed", "until": "2027-01-01"}}

    assert redaction.is_private(snoozed, ())
    assert redaction.is_untold(snoozed, ())


@pytest.mark.parametrize(
    ("data", "is_untold"),
    [
        ({"items": [PRIVATE], "outcome": "helped"}, True),
        ({"items": [], "private": True}, True),
        ({"items": [KNOWN, PRIVATE]}, False),
        ({"items": [KNOWN], "private": True}, False),
        ({"items": []}, False),
    ],
)
def test_an_event_about_nothing_but_private_items_did_not_happen_for_others(data: Plain, is_untold: bool) -> None:
    assert redaction.is_untold({"kind": "feedback", "data": data}, {KNOWN}) is is_untold


def test_no_branch_is_named() -> None:
    """One word, and still words that a person chose."""
    row: dict[str, Plain] = {"kind": "verify", "data": {"range": "main...leave-the-bank", "passed": True}}

    assert redaction.told(row, ()) == {"data": {"passed": True}}
