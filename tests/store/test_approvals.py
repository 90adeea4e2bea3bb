"""Approvals as files: the same approval is the same bytes, everybody has a file of their own, others are findings."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.model.approval import Approval, Approver
from gitmem.model.ledger import Entry
from gitmem.record import replace
from gitmem.store import approvals, ledger
from tests.support import engram_id

ADA = Approver("Ada", "ada@example.org")
ONE = Approval(engram_id(1), engram_id(2), "0123456789ab", ADA, "2026-01-02T03:04:05Z")


@pytest.mark.parametrize(
    "over", [{}, {"comment": "yes: with\ntwo lines"}, {"by": Approver("Ada")}, {"patchset": "1" * 12}]
)
def test_an_approval_reads_back_as_it_was_written(over: dict[str, object]) -> None:
    written = replace(ONE, **over)

    assert approvals.decode(approvals.encode(written), "approvals/x.yaml") == written


@given(name=st.text(max_size=60), email=st.text(max_size=60))
def test_a_name_for_a_file_is_one_whatever_the_person_is_called(name: str, email: str) -> None:
    found = approvals.who(Approver(name, email))

    assert found.isascii()
    assert not set(found) - set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert found == approvals.who(Approver(name, email))


def test_everybody_has_a_file_of_their_own() -> None:
    people = [
        ADA,
        Approver("Ada", "ada@example.com"),
        Approver("Ada"),
        Approver("\u0410\u0434\u0430"),
        Approver("\u6c49"),
    ]

    assert len({approvals.who(each) for each in people}) == len(people)
    assert approvals.who(ADA) == approvals.who(Approver("A. L.", "ADA@example.org"))
    assert approvals.path_of(ONE, datetime(2026, 3, 4, tzinfo=UTC)).startswith(f"approvals/2026/{engram_id(1)}.ada-")


@pytest.mark.parametrize(
    "over", [{"proposal": "x"}, {"ledger": ""}, {"patchset": "12"}, {"by": Approver(" ")}, {"at": "soon"}]
)
def test_what_is_no_approval_is_a_finding(over: dict[str, object]) -> None:
    found = approvals.decode(approvals.encode(replace(ONE, **over)), "approvals/x.yaml")

    assert isinstance(found, tuple)
    assert found[0].path == "approvals/x.yaml"
    assert found[0].hint


@pytest.mark.parametrize("data", [b"", b"a: [", b"\xff", b"by: me\n"])
def test_a_file_of_something_else_is_a_finding(data: bytes) -> None:
    assert isinstance(approvals.decode(data, "approvals/x.yaml"), tuple)


def test_the_page_shows_a_decision_and_an_approval_that_can_be_read() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "data-format.md").read_text(encoding="utf-8")
    shown = [part.partition("```")[0].encode() for part in page.split("```yaml\n")[1:]]

    decision = next(each for each in shown if b"proposed_by:" in each)
    text = next(each for each in shown if b"patchset:" in each)

    assert isinstance(ledger.decode(decision, "docs/data-format.md"), Entry)
    approval = approvals.decode(text, "docs/data-format.md")
    assert isinstance(approval, Approval)
    assert approvals.encode(approval) == text
