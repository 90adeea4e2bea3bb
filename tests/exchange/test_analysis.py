"""Documents looked at before anything is proposed: topics, guesses, repeats, and a plan that propose takes."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.exchange import infer, split
from gitmem.exchange.plan import Step, written
from gitmem.store import codec
from tests.answers.people import FILES, Person
from tests.asking import ask
from tests.conftest import MakeRepo
from tests.support import git, run_inproc, write_tree

GUIDE = """---
tags: [style]
---
# Guide

Read all of it before you start.

## Never call fetch

Components in `src/` must never call fetch themselves; the client in `src/app.py` does it for them.

## How to release

1. Tag it.
2. Push it.
3. Wait.

## Names

```
## no heading
```
We prefer short names in `*.py`, in `none/**` and in `[broken`.
"""


@pytest.fixture
def ada(make_repo: MakeRepo) -> Person:
    return Person(make_repo(FILES | {"docs/guide.md": GUIDE})).named("Ada", "ada@example.org")


def analyzed(person: Person, *words: str) -> dict[str, Any]:
    return ask(person.root, "analyze", *words)


def state(root: Path) -> tuple[str, str]:
    return git(root, "for-each-ref"), git(root, "status", "--porcelain", "--untracked-files=all")


@pytest.mark.capability("R-043")
def test_each_topic_has_a_kind_tags_and_the_files_that_it_names(ada: Person) -> None:
    rows = analyzed(ada, "docs/guide.md")["topics"]

    assert [(row["title"], row["line"], row["kind"], row["paths"]) for row in rows] == [
        ("Guide", 4, "reference", []),
        ("Never call fetch", 8, "constraint", ["src/**", "src/app.py"]),
        ("How to release", 12, "procedure", []),
        ("Names", 18, "guideline", ["**/*.py"]),
    ]
    assert {tuple(row["tags"]) for row in rows} == {("style",)}
    assert {row["verdict"] for row in rows} == {"new"}


@pytest.mark.capability("R-043")
def test_a_batch_tells_what_repeats_the_approved_and_what_repeats_each_other(ada: Person) -> None:
    words = "Every request goes out with a deadline of ten seconds, and is tried again twice before it fails."
    other = "Tables in the reports are sorted by the day on which they were made, the newest of them first."
    id_ = ada.new("Deadlines", f"{words}\n")
    ada.approve(id_)
    write_tree(
        ada.root,
        {
            "docs/one.md": f"# One\n\n## Requests\n\n{words} Really.\n\n## Reports\n\n{other}\n",
            "docs/two.md": f"# Two\n\n## Sorting\n\n{other}\n\n## Words\n\nUse short words in every text.\n",
        },
    )
    before = state(ada.root)

    answer = analyzed(ada, "docs/one.md", "docs/two.md")

    rows = {row["title"]: row for row in answer["topics"]}
    item = ada.show(id_).items[0].item
    assert (rows["Requests"]["verdict"], rows["Requests"]["target"]) == ("update", item)
    assert (rows["Sorting"]["verdict"], rows["Sorting"]["target"]) == ("duplicate", "docs/one.md:7")
    assert [each["item"] for each in rows["Reports"]["overlaps"]] == ["docs/two.md:3"]
    assert (rows["Words"]["verdict"], rows["Words"]["overlaps"]) == ("new", [])
    assert answer["counts"] == {"update": 1, "new": 2, "duplicate": 1}
    assert state(ada.root) == before


@pytest.mark.capability("R-043", "R-044")
def test_the_answer_is_a_plan_that_becomes_one_bundle(ada: Person) -> None:
    told = run_inproc(ada.root, "analyze", "docs/guide.md").out

    ran = run_inproc(ada.root, "propose", "--file", "-", stdin=told)

    assert ran.code == 0, ran.err
    shown = [ada.show(id_) for id_ in sorted(ada.statuses("open"))]
    assert [each.title for each in shown] == ["Guide", "Never call fetch", "How to release", "Names"]
    assert len({each.bundle for each in shown}) == 1
    names = ada.read("engrams/style/names.md", ada.tip(shown[3].proposal))
    assert "```\n## no heading\n```\n" in names
    assert {row["verdict"] for row in analyzed(ada, "docs/guide.md")["topics"]} == {"waits"}


@pytest.mark.capability("R-044")
def test_one_collision_in_a_plan_leaves_no_ref_at_all(ada: Person) -> None:
    plan = analyzed(ada, "docs/guide.md")["plan"]
    taken = plan.replace("slug: names", "slug: guide")
    assert taken != plan
    before = state(ada.root)

    ran = run_inproc(ada.root, "propose", "--file", "-", stdin=taken)

    assert ran.code == 1
    assert "the name is taken" in ran.err
    assert state(ada.root) == before


def test_an_update_in_a_plan_changes_the_engram_that_it_rewords(ada: Person) -> None:
    words = "Every request goes out with a deadline of ten seconds, and is tried again twice before it fails."
    ada.approve(ada.new("Deadlines", f"{words}\n"))
    answer = analyzed_text(ada, f"# Deadlines\n\n{words} Really.\n")

    ran = run_inproc(ada.root, "propose", "--file", "-", "--json", stdin=answer["plan"])

    assert ran.code == 0, ran.err
    (id_,) = ada.statuses("open")
    assert "Really." in ada.read("engrams/api/deadlines.md", ada.tip(id_))


def analyzed_text(person: Person, text: str) -> dict[str, Any]:
    return ask(person.root, "analyze", "--text", "-", stdin=text)


def test_topics_of_one_name_get_names_of_their_own(ada: Person) -> None:
    answer = analyzed_text(ada, "# A\n\n## Notes\n\nFirst of them.\n\n## Notes\n\nAnother one, of other things.\n")

    assert [row["slug"] for row in answer["topics"]] == ["notes", "notes-2"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("analyze",), 2),
        (("analyze", "../x"), 2),
        (("analyze", "none.md"), 1),
        (("analyze", "src", "--format", "x"), 2),
    ],
)
def test_what_cannot_be_looked_at_is_refused(ada: Person, words: tuple[str, ...], code: int) -> None:
    assert run_inproc(ada.root, *words).code == code


def test_a_file_that_is_no_document_is_named_and_stands_in_no_others_way(ada: Person) -> None:
    write_tree(ada.root, {"docs/empty.md": "", "docs/bytes.md": b"\xff\xfe\x00"})
    (ada.root / "docs/link.md").symlink_to("guide.md")

    answer = analyzed(ada, "docs")

    assert [row["source"] for row in answer["skipped"]] == ["docs/bytes.md", "docs/empty.md", "docs/link.md"]
    assert len(answer["topics"]) == 4


@pytest.mark.parametrize(
    ("title", "text", "kind"),
    [
        ("Queries", "You must never build them by hand.", "constraint"),
        ("Queries", "Prefer the builder.", "guideline"),
        ("Queries", "`must` in code says nothing.\n\n```\nmust\n```\nThey are fast.", "constraint"),
        ("Storage", "We decided to keep files, and never a database.", "decision"),
        ("ADR 7: files", "Files are kept.", "decision"),
        ("Release", "1. Tag.\n2. Push.\n3. Wait.\n", "procedure"),
        ("Pull request template", "What, why, how.", "template"),
        ("Repository pattern", "One class a table.", "pattern"),
        ("Colours", "Red is red.", "reference"),
    ],
)
def test_the_kind_is_guessed_from_the_words(title: str, text: str, kind: str) -> None:
    assert infer.kind_of(title, text, "reference") == kind


def test_tags_are_those_in_use_that_the_text_is_about() -> None:
    known = {"http": 3, "db": 9, "ui": 1, "retry": 2}

    assert infer.tags_of("HTTP and retry", "The db is not it; the db again. One ui.", known) == ("http", "retry", "db")


@given(st.lists(st.sampled_from(["# A", "## B", "### C", "text", "", "```", "Under", "---", "  ## D"]), max_size=30))
def test_no_line_of_a_document_is_lost_but_headings_and_blanks(lines: list[str]) -> None:
    found = split.sections("T", "\n".join(lines))

    kept = [line for each in found for line in each.text.split("\n") if line.strip()]
    whole = [line for line in lines if line.strip()]
    heads = {"# A", "## B", "  ## D", "Under", "---", "text"}
    assert [line for line in kept if line not in heads] == [line for line in whole if line not in heads]


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1), min_size=1, max_size=4))
def test_whatever_a_text_holds_a_plan_gives_it_back(bodies: list[str]) -> None:
    tree, findings = codec.decode_mapping(written("why", [Step("new", {"title": b}, b) for b in bodies]).encode(), "")

    assert findings == ()
    assert tree["changes"] == [{"new": {"title": each, "body": each}} for each in bodies]
