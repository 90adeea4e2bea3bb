"""Decision records, Backlog.md and loose notes."""

import pytest

from gitmem.exchange.convert import convert
from gitmem.exchange.draft import Draft, Skipped
from gitmem.exchange.formats import named
from gitmem.exchange.intake import take, take_all


def one(name: str, text: str, rel: str = "docs/adr/0001-x.md") -> Draft:
    made = convert(rel, text.encode(), named(name, rel), {}.get)
    assert not isinstance(made, Skipped), made.reason
    return made[0]


@pytest.mark.capability("G-033")
@pytest.mark.parametrize(
    ("said", "status", "is_exact"),
    [
        ("Accepted", "active", True),
        ("**accepted**", "active", True),
        ("proposed", "draft", True),
        ("deprecated", "deprecated", True),
        ("rejected", "deprecated", False),
        ("Superseded by [ADR-5](0005-y.md)", "superseded", False),
        ("Accepted, supersedes 0001", "active", False),
        ("~~Proposed~~ Accepted", "active", True),
        ("{proposed | rejected | accepted}", "draft", False),
        ("Somewhere in between", "draft", False),
    ],
)
@pytest.mark.parametrize(
    "pattern",
    [
        "---\nstatus: '{0}'\n---\n# T\n\ntext\n",
        "# T\n\n## Status\n\n{0}\n\n## Context\n\nSuperseded things.\n",
        "# T\n\n* Status: {0}\n* Date: 2026-01-02\n",
        "# T\n\nStatus: {0}\n",
    ],
    ids=["header", "section", "list", "line"],
)
def test_the_status_of_a_decision_is_mapped_and_what_it_does_not_say_is_a_loss(
    said: str, status: str, is_exact: bool, pattern: str
) -> None:
    draft = one("adr", pattern.format(said))

    assert draft.status == status
    assert draft.losses == () if is_exact else "status" in draft.losses[0]


@pytest.mark.parametrize(
    "text", ["# T\n\ntext\n", "# T\n\n## Status\n\n## Context\n\nx\n", "# T\n\n```\nStatus: rejected\n```\n"]
)
def test_a_decision_without_a_status_is_active(text: str) -> None:
    assert one("adr", text).status == "active"


def test_the_tags_of_a_note_keep_their_order_and_spelling() -> None:
    draft = one("backlog", "---\ntitle: T\ntags: [no, '#web', no]\nlabels: a b, c\n---\nx\n", "backlog/docs/x.md")

    assert draft.tags == ("no", "web", "a b", "c")


FILES = {
    "backlog/tasks/task-1 - A.md": b"---\ntitle: A\nstatus: Done\n---\nx\n",
    "backlog/drafts/draft-1 - B.md": b"---\ntitle: B\n---\nx\n",
    "backlog/docs/doc-1 - C.md": b"---\ntitle: C\n---\nx\n",
    "backlog/config.yml": b"project_name: x\n",
}


def test_tasks_are_left_alone_until_they_are_named() -> None:
    bare = take_all(FILES, FILES.get)
    asked = take(FILES, FILES, FILES.get, "backlog")

    assert [draft.title for draft in bare.drafts] == ["C"]
    assert ["--format backlog" in skipped.reason for skipped in bare.skipped] == [True, True]
    assert [skipped.source for skipped in asked.skipped] == ["backlog/config.yml"]
    assert [(draft.title, draft.kind, draft.status) for draft in asked.drafts] == [
        ("A", "observation", "active"),
        ("B", "observation", "draft"),
        ("C", "reference", "active"),
    ]


def test_a_loose_note_is_a_draft_titled_by_its_first_heading() -> None:
    draft = one("markdown", "Some words.\n\n# The heading\n", "notes/x.md")

    assert (draft.kind, draft.status, draft.title, draft.paths) == ("reference", "draft", "The heading", ())


def test_a_loose_note_that_says_what_it_is_is_that() -> None:
    draft = one("markdown", "---\ntype: pattern\nstatus: active\nx: 1\n---\ntext\n", "notes/x.md")

    assert (draft.kind, draft.status) == ("pattern", "active")
    assert draft.losses == ("header keys that gitmem keeps and does not use: x",)
