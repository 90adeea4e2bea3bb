"""Ledger entries as files: the same entry is the same bytes, and a decision knows what it changed by its hashes."""

from datetime import UTC, datetime

import pytest

from gitmem.model.ids import ulid
from gitmem.model.ledger import Agent, Entry, ItemChange, KeyChange, Proposer
from gitmem.store import ledger
from tests.support import engram_id, engram_text

REL = "engrams/api/one.md"


def entry(**over: object) -> Entry:
    change = ItemChange(engram_id(1), REL, {"body": KeyChange(None, "1" * 32), "tags": KeyChange("2" * 32, None)})
    usual = {
        "id": engram_id(7),
        "kind": "update",
        "proposal": engram_id(7),
        "title": "A title: with signs \u00fc",
        "rationale": "two\nlines",
        "proposed_by": Proposer("Ada", "ada@example.org"),
        "changes": (change,),
    }
    return Entry(**(usual | over))


@pytest.mark.parametrize(
    "over",
    [
        {},
        {"evidence": ("no", "1.10", "null"), "needs": (engram_id(3),), "members": (engram_id(4),), "bundle": "b"},
        {"proposed_by": Proposer("Ada", "", Agent("claude", "m-1", "s-1"))},
        {"kind": "revert", "reverts": engram_id(5)},
    ],
)
def test_an_entry_reads_back_as_it_was_written(over: dict[str, object]) -> None:
    written = entry(**over)

    assert ledger.decode(ledger.encode(written), "ledger/x.yaml") == written
    assert ledger.encode(written) == ledger.encode(entry(**over))


@pytest.mark.parametrize("data", [b"", b"id: x\n", b"a: [", b"\xff", ledger.encode(entry(id="nobody"))])
def test_what_is_no_entry_is_a_finding(data: bytes) -> None:
    found = ledger.decode(data, "ledger/x.yaml")

    assert isinstance(found, tuple)
    assert found[0].path == "ledger/x.yaml"


def test_only_the_keys_that_differ_are_in_a_change() -> None:
    before = engram_text(id=engram_id(1), title="One", tags=["a"]).encode()
    after = engram_text(id=engram_id(1), title="Two", tags=["a"]).encode()

    change = ledger.change_of(engram_id(1), REL, before, after)

    assert list(change.keys) == ["title"]
    assert change.keys["title"].before != change.keys["title"].after
    assert ledger.change_of("x", REL, before, before.replace(b"\n", b"\r\n")).keys == {}


def test_a_new_file_has_no_before_and_a_removed_one_no_after() -> None:
    data = engram_text(id=engram_id(1)).encode()

    assert {each.before for each in ledger.change_of("x", REL, None, data).keys.values()} == {None}
    assert {each.after for each in ledger.change_of("x", REL, data, None).keys.values()} == {None}
    assert list(ledger.change_of("x", "layers.yaml", None, b"a: b\n").keys) == ["file"]


def test_the_path_is_by_the_day_of_the_id_in_utc() -> None:
    late = datetime(2026, 3, 4, 23, 59, tzinfo=UTC)
    id_ = ulid(int(late.timestamp() * 1000), bytes(10))

    assert ledger.path_of(id_) == f"ledger/2026/03-04/{id_}.yaml"
    assert ledger.path_of("7ZZZZZZZZZ0000000000000000").startswith("ledger/9999/12-31/")
