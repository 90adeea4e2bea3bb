"""Intention files: what is read, what is refused with its line, and what comes back when it is written."""

import pytest

from gitmem.model.intention import Intention, When
from gitmem.store.intentions import decode_intention, encode_intention, intention_path

pytestmark = pytest.mark.capability("M-072")
REL = "intentions/renew-it.md"
DUE = "when:\n  at: 2026-01-02\n"


def text(header: str) -> bytes:
    return f"---\n{header}---\nDo it.\n".encode()


def test_an_intention_comes_back_as_it_was_written() -> None:
    when = When("2027-01-02T00:00:00Z", "release", "v2.*", ("src/**", "*.md"))
    intention = Intention(
        *("renew-it", "Renew: it", "Do it.\n", "execute", when, -3, "cancelled", "no need"),
        *("2026-01-02T03:04:05Z", "A <a@b>"),
    )
    found = decode_intention(encode_intention(intention), intention_path("renew-it"))
    assert (found.intention, found.findings) == (intention, ())


def test_what_is_not_said_has_its_default() -> None:
    found = decode_intention(text(f"title: Renew it\n{DUE}mine: kept\n"), REL).intention
    assert found == Intention("renew-it", "Renew it", "Do it.\n", "remind", When("2026-01-02"))


@pytest.mark.parametrize(
    ("header", "line", "said"),
    [
        (DUE, 1, "title is missing"),
        (f"title: ' '\n{DUE}", 2, "no line of text"),
        (f"title: {'t' * 201}\n{DUE}", 2, "201 characters"),
        (f"title: t\naction: run\n{DUE}", 3, "unknown action"),
        ("title: t\n", 1, "nothing ever brings this up"),
        ("title: t\nwhen: {}\n", 3, "nothing ever brings this up"),
        ("title: t\nwhen:\n  at: soon\n  paths: [a]\n", 4, "not a date"),
        ("title: t\nwhen:\n  on: x\n  paths: [a]\n", 4, "unknown key"),
        ("title: t\nwhen:\n  event: birth\n  paths: [a]\n", 4, "unknown when.event"),
        ("title: t\nwhen:\n  event: merge\n", 4, "counts from when"),
        ("title: t\ncreated: {at: 2026-01-01}\nwhen:\n  event: touched\n", 5, "no paths"),
        ("title: t\nwhen:\n  at: 2026-01-01\n  tag: v1\n", 5, "only with event"),
        ("title: t\nwhen:\n  paths:\n    - '[a'\n", 5, ""),
        (f"title: t\nstatus: fired\n{DUE}", 3, "unknown status"),
        (f"title: t\npriority: high\n{DUE}", 3, "not a whole number"),
    ],
)
def test_what_is_wrong_is_named_with_its_line_and_what_to_do(header: str, line: int, said: str) -> None:
    found = decode_intention(text(header), REL)
    assert found.intention is None
    (finding,) = found.findings
    assert (finding.line, said in finding.message) == (line, True), finding
    assert finding.hint


def test_its_file_is_named_as_a_slug() -> None:
    (finding,) = decode_intention(text(f"title: t\n{DUE}"), "intentions/a/b.md").findings
    assert "no slug" in finding.message
