"""@path imports of CLAUDE.md and GEMINI.md."""

import pytest

from gitmem.exchange.claude import MAX_HOPS, import_tree
from gitmem.exchange.intake import Intake, take, take_all


def requires(files: dict[str, str]) -> dict[str, tuple[str, ...]]:
    data = {rel: text.encode() for rel, text in files.items()}
    return {draft.source: draft.requires for draft in take_all(data, data.get).drafts}


def taken(files: dict[str, bytes], *rels: str) -> Intake:
    return take(rels or ["CLAUDE.md"], files, files.get)


@pytest.mark.capability("G-033")
def test_imports_are_followed_and_required() -> None:
    files = {"CLAUDE.md": "See @docs/a.md.\n", "docs/a.md": "And @./deep/b.md, too.\n", "docs/deep/b.md": "End.\n"}

    assert requires(files) == {"CLAUDE.md": ("docs/a.md",), "docs/a.md": ("docs/deep/b.md",), "docs/deep/b.md": ()}


@pytest.mark.parametrize(
    "text",
    [
        "`@a.md`",
        "``x ` @a.md``",
        "```\n@a.md\n```",
        "~~~ sh\n@a.md\n~~~",
        "<!-- @a.md -->",
        "``` @a.md",
        "**@a.md**",
        "ada@a.md",
        "\\@a.md",
    ],
)
def test_what_looks_like_an_import_in_code_is_none(text: str) -> None:
    assert requires({"CLAUDE.md": f"text\n{text}\n", "a.md": "A\n"}) == {"CLAUDE.md": ()}


@pytest.mark.parametrize(
    "text", ["@a.md", "- @a.md", "see @a.md, then", "@./a.md", "`code` @a.md `code`", "@x/../a.md", "@a.md#top"]
)
def test_a_path_behind_a_blank_is_an_import(text: str) -> None:
    assert requires({"CLAUDE.md": f"{text}\n", "a.md": "A\n"})["CLAUDE.md"] == ("a.md",)


def test_a_circle_of_imports_ends_and_leaves_no_circle_of_requirements() -> None:
    files = {"CLAUDE.md": "@a.md\n@CLAUDE.md\n", "a.md": "@b.md\n", "b.md": "@CLAUDE.md\n@a.md\n"}

    assert requires(files) == {"CLAUDE.md": ("a.md",), "a.md": ("b.md",), "b.md": ()}


def test_two_files_that_import_each_other_do_not_require_each_other() -> None:
    found = requires({"CLAUDE.md": "@x/CLAUDE.md\n", "x/CLAUDE.md": "@../CLAUDE.md\n"})

    assert sorted(found) == ["CLAUDE.md", "x/CLAUDE.md"]
    assert sum(bool(names) for names in found.values()) == 1


def test_a_file_that_two_others_import_becomes_one_draft() -> None:
    files = {"CLAUDE.md": "@a.md @b.md\n", "a.md": "@c.md\n", "b.md": "@c.md\n", "c.md": "C\n"}

    assert requires(files) == {"CLAUDE.md": ("a.md", "b.md"), "a.md": ("c.md",), "b.md": ("c.md",), "c.md": ()}


def test_imports_are_followed_five_times_and_the_sixth_is_a_loss() -> None:
    files = {"CLAUDE.md": b"@f1.md\n"} | {f"f{n}.md": f"@f{n + 1}.md\n".encode() for n in range(1, 8)}
    drafts = taken(files).drafts

    assert [draft.source for draft in drafts] == ["CLAUDE.md", *(f"f{n}.md" for n in range(1, MAX_HOPS + 1))]
    assert "more than 5 imports away" in drafts[-1].losses[0]


@pytest.mark.parametrize(
    "name", ["../x.md", "x/../../y.md", "~/.claude/me.md", "/etc/notes.md", ".git/config", ".gitmem/engrams/a.md"]
)
def test_nothing_outside_of_the_repository_is_read(name: str) -> None:
    asked: list[str] = []

    def read(rel: str) -> bytes | None:
        asked.append(rel)
        return b"secret\n"

    tree = import_tree("CLAUDE.md", f"@{name}\n", read)

    assert asked == []
    assert [each.rel for each in tree] == ["CLAUDE.md"]
    assert "outside of the repository" in tree[0].losses[0]


def test_an_import_that_cannot_become_a_draft_is_a_loss_with_its_reason() -> None:
    files = {
        "CLAUDE.md": b"@logo.png @me/CLAUDE.local.md @gone.md @ada\n",
        "logo.png": b"\x89PNG\0",
        "me/CLAUDE.local.md": b"x",
    }
    draft, *others = taken(files).drafts

    assert others == []
    assert draft.requires == ()
    assert [loss.partition(" ")[0] for loss in draft.losses] == ["@gone.md", "@logo.png", "@me/CLAUDE.local.md"]


def test_an_imported_file_with_a_format_of_its_own_keeps_it() -> None:
    files = {"CLAUDE.md": b"@AGENTS.md\n", "AGENTS.md": b"# Agents\n"}

    claude, agents = taken(files).drafts

    assert claude.requires == ("AGENTS.md",)
    assert (agents.format, agents.kind, agents.paths) == ("agents", "guideline", ("**",))


def test_agents_files_import_nothing() -> None:
    assert requires({"AGENTS.md": "@a.md\n", "a.md": "A\n"}) == {"AGENTS.md": ()}
