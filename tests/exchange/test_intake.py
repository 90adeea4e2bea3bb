"""A whole repository taken in: what is found, what is skipped, what is warned about."""

import pytest

from gitmem.exchange.advice import LONG_BYTES, warnings
from gitmem.exchange.draft import Draft
from gitmem.exchange.intake import scan, take, take_all

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"


def one(rel: str, text: str) -> Draft:
    files = {rel: text.encode()}
    return take_all(files, files.get).drafts[0]


def codes(draft: Draft) -> list[str]:
    return [warning.code for warning in warnings(draft)]


@pytest.mark.capability("R-042")
@pytest.mark.parametrize(
    ("rel", "text", "code"),
    [
        ("AGENTS.md", "x" * (LONG_BYTES + 1), "long"),
        ("AGENTS.md", "# A\n\n## B\n\n## C\n", "many-topics"),
        (".cursor/rules/a.mdc", "---\nalwaysApply: false\n---\ntext\n", "no-scope"),
        ("AGENTS.md", f"# A\n\nUse {SECRET} to log in.\n", "secret"),
    ],
    ids=["long", "many-topics", "no-scope", "secret"],
)
def test_an_import_warns_of_what_a_person_should_look_at(rel: str, text: str, code: str) -> None:
    draft = one(rel, text)

    assert codes(draft) == [code]
    assert all(warning.message and warning.hint and warning.place.startswith(rel) for warning in warnings(draft))


@pytest.mark.capability("R-042")
@pytest.mark.parametrize(
    ("rel", "text"),
    [
        ("AGENTS.md", "x" * (LONG_BYTES - 1)),
        ("AGENTS.md", "# A\n\n## B\n\n```\n## not a heading\n```\n\n### C\n"),
        ("docs/adr/0001-a.md", "# A decision needs no scope\n"),
    ],
)
def test_an_import_is_silent_about_what_is_fine(rel: str, text: str) -> None:
    assert codes(one(rel, text)) == []


def test_a_secret_is_warned_about_without_being_shown_and_with_its_line() -> None:
    draft = one(".cursor/rules/a.mdc", f"---\nalwaysApply: true\ntoken: {SECRET}\n---\ntext\n")
    warning = warnings(draft)[0]

    assert (warning.code, warning.place) == ("secret", ".cursor/rules/a.mdc:3")
    assert SECRET not in warning.message


def test_a_document_is_never_split() -> None:
    files = {"AGENTS.md": b"# A\n\n## B\n\n## C\n" * 500}

    assert len(take_all(files, files.get).drafts) == 1


def test_a_scan_finds_the_known_files_by_path() -> None:
    found = scan(["z/AGENTS.md", "src/a.ts", ".cursorrules", "README.md", "z/AGENTS.md"])

    assert [(rel, fmt.name) for rel, fmt in found] == [(".cursorrules", "cursorrules"), ("z/AGENTS.md", "agents")]


def test_fifty_thousand_paths_are_scanned() -> None:
    paths = [f"src/pkg{n % 100}/mod{n % 1000}/file{n}.py" for n in range(50_000)] + ["src/pkg1/AGENTS.md"]

    assert [rel for rel, _ in scan(paths)] == ["src/pkg1/AGENTS.md"]


@pytest.mark.parametrize(
    ("rel", "data", "reason"),
    [
        ("AGENTS.md", b"", "empty"),
        ("AGENTS.md", b"caf\xe9", "byte 3"),
        ("AGENTS.md", None, "cannot be read"),
        ("notes.md", b"text", "--format"),
        ("CLAUDE.local.md", b"text", "personal"),
        (".cursor/rules/a.mdc", b"---\nglobs: a\n---\n", "no text"),
    ],
)
def test_a_file_that_was_asked_for_and_gives_no_draft_is_skipped_with_a_reason(
    rel: str, data: bytes | None, reason: str
) -> None:
    intake = take([rel], [rel], {rel: data}.get)

    assert intake.drafts == ()
    assert [skipped.source for skipped in intake.skipped] == [rel]
    assert reason in intake.skipped[0].reason


def test_a_path_that_is_not_unicode_is_skipped() -> None:
    rel = b"caf\xe9/AGENTS.md".decode("utf-8", "surrogateescape")
    intake = take_all([rel], {rel: b"text\n"}.get)

    assert intake.drafts == ()
    assert "UTF-8" in intake.skipped[0].reason


def test_a_file_that_was_asked_for_twice_and_imported_once_more_is_one_draft() -> None:
    files = {"CLAUDE.md": b"@AGENTS.md\n", "AGENTS.md": b"A\n"}
    intake = take(["AGENTS.md", "CLAUDE.md", "AGENTS.md"], files, files.get)

    assert [draft.source for draft in intake.drafts] == ["AGENTS.md", "CLAUDE.md"]


def test_f189_the_same_files_give_the_same_drafts_and_an_edit_changes_one() -> None:
    before = {"CLAUDE.md": b"# A\n\none\n", "AGENTS.md": b"# B\n"}
    after = before | {"CLAUDE.md": b"# A\n\ntwo\n"}

    drafts = take_all(before, before.get).drafts

    assert take_all(before, before.get).drafts == drafts
    assert [new.source for new, old in zip(take_all(after, after.get).drafts, drafts, strict=True) if new != old] == [
        "CLAUDE.md"
    ]


def test_f004_a_mark_and_windows_line_ends_change_nothing_but_the_origin() -> None:
    text = "---\ndescription: d\nglobs: **/*.ts\n---\n\n# T\n\nbody\n"
    forms = [mark + text.replace("\n", end).encode() for mark in (b"", b"\xef\xbb\xbf") for end in ("\n", "\r\n")]
    drafts = [take_all(["a.mdc"], {"a.mdc": data}.get).drafts[0] for data in forms]

    assert {(draft.title, draft.summary, draft.paths, draft.body) for draft in drafts} == {
        ("T", "d", ("**/*.ts",), "\n# T\n\nbody\n")
    }


def test_the_files_beside_a_skill_are_those_of_no_other_skill() -> None:
    files = (
        {
            "s/a/SKILL.md": b"---\nname: a\n---\nx\n",
            "s/a/run.py": b"",
            "s/a/inner/SKILL.md": b"---\nname: i\n---\nx\n",
            "s/a/inner/deep/x.sh": b"",
        }
        | {f"s/many/{n}.py": b"" for n in range(30)}
        | {"s/many/SKILL.md": b"x\n"}
    )
    losses = {draft.source: draft.losses for draft in take_all(files, files.get).drafts}

    assert losses["s/a/SKILL.md"] == ("run.py lies beside it and is not taken in",)
    assert losses["s/a/inner/SKILL.md"] == ("deep/x.sh lies beside it and is not taken in",)
    assert losses["s/many/SKILL.md"][-1] == "10 more files lie beside it and are not taken in"
