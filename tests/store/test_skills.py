"""SKILL.md files: what is read, what is refused with its line, and what comes back when it is written."""

import pytest

from gitmem.model.skill import Skill, is_one_step, is_skill_name, tools_of
from gitmem.store.skills import decode_skill, encode_skill, skill_path

pytestmark = pytest.mark.capability("M-069")
REL = "skills/cut-a-release/SKILL.md"


def text(header: str, body: str = "Tag it.\n") -> bytes:
    return f"---\n{header}---\n{body}".encode()


USUAL = "name: cut-a-release\ndescription: Cut a release.\n"


def test_every_field_is_read_where_agent_skills_or_gitmem_keep_it() -> None:
    header = (
        f"{USUAL}license: MIT\ncompatibility: Needs git\nallowed-tools: Bash(git:*, jq:*) Read, Write\nother: kept\n"
        "metadata:\n  version: 1.10\n  author: Ada\n  gitmem-stage: tuned\n  gitmem-status: retired\n"
        "  gitmem-start-when:\n    - a release is due\n  gitmem-composes:\n    - changelog\n"
        "  gitmem-engrams: one two\n  gitmem-created: 2026-01-02T03:04:05Z\n"
    )
    found = decode_skill(text(header), REL)
    assert found.findings == ()
    assert found.skill == Skill(
        name="cut-a-release",
        description="Cut a release.",
        body="Tag it.\n",
        license="MIT",
        compatibility="Needs git",
        version="1.10",
        allowed_tools=("Bash(git:*, jq:*)", "Read", "Write"),
        starts=("a release is due",),
        stage="tuned",
        status="retired",
        composes=("changelog",),
        engrams=("one", "two"),
        created_at="2026-01-02T03:04:05Z",
    )


def test_what_another_tool_wrote_is_taken_as_it_is() -> None:
    found = decode_skill(text(f"{USUAL}version: 2\nallowed-tools:\n  - Read\n  - Bash(git:*)\n"), REL).skill
    assert found is not None
    assert (found.stage, found.status, found.version) == ("compiled", "active", "2")
    assert found.allowed_tools == ("Read", "Bash(git:*)")


@pytest.mark.parametrize(
    ("header", "line", "said"),
    [
        ("description: d\n", 1, "name is missing"),
        ("name: Cut\ndescription: d\n", 2, "no name of a skill"),
        ("name: -cut\ndescription: d\n", 2, "no name of a skill"),
        ("name: a--b\ndescription: d\n", 2, "no name of a skill"),
        (f"name: {'a' * 65}\ndescription: d\n", 2, "no name of a skill"),
        ("name: other\ndescription: d\n", 2, "lies in"),
        ("name: cut-a-release\n", 1, "description is missing"),
        ("name: cut-a-release\ndescription: ''\n", 3, "description is empty"),
        (f"name: cut-a-release\ndescription: {'d' * 1025}\n", 3, "1025 characters"),
        (f"{USUAL}compatibility: {'c' * 501}\n", 4, "501 characters"),
        (f"{USUAL}metadata: text\n", 4, "not a mapping"),
        (f"{USUAL}metadata:\n  gitmem-stage: done\n", 5, "unknown metadata.gitmem-stage"),
        (f"{USUAL}metadata:\n  gitmem-status: gone\n", 5, "unknown metadata.gitmem-status"),
        (f"{USUAL}metadata:\n  gitmem-created: soon\n", 5, "not a date"),
        (f"{USUAL}name: cut-a-release\n", 4, "stands twice"),
    ],
)
def test_what_is_wrong_is_named_with_its_line_and_what_to_do(header: str, line: int, said: str) -> None:
    found = decode_skill(text(header), REL)
    assert found.skill is None
    (finding,) = found.findings
    assert (finding.line, said in finding.message) == (line, True), finding
    assert finding.hint


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"no header\n", "no-header"),
        (b"---\nname: x\n", "unclosed-header"),
        (text(USUAL, "\n"), "schema"),
        (b"\xff\xfe", "not-utf8"),
        (text(USUAL, "a\n>>>>>>> theirs\n"), "conflict-marker"),
    ],
)
def test_what_is_no_skill_at_all_is_named_too(data: bytes, code: str) -> None:
    found = decode_skill(data, REL)
    assert (found.skill, [finding.code for finding in found.findings]) == (None, [code])


def test_a_skill_comes_back_as_it_was_written() -> None:
    skill = Skill(
        *("a-b", "It does: this, 'that' and # more.", "Body\n", "MIT", "git 2", "1.0", ("Bash(git:*)", "Read")),
        *(("no", "it is 1.10"), "draft", "retired", ("c",), ("d", "e"), "2026-01-02T03:04:05Z"),
    )
    found = decode_skill(encode_skill(skill), skill_path("a-b"))
    assert (found.skill, found.findings) == (skill, ())


@pytest.mark.parametrize(
    ("name", "expected"),
    [("a", True), ("a1-b2", True), ("a" * 64, True), ("", False), ("a-", False), ("A", False), ("con", False)],
)
def test_a_name_is_lower_case_with_single_hyphens(name: str, expected: bool) -> None:
    assert is_skill_name(name) is expected


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("draft", "compiled", True),
        ("compiled", "tuned", True),
        ("draft", "tuned", False),
        ("tuned", "draft", True),
        ("draft", "draft", True),
    ],
)
def test_one_step_at_a_time_and_any_number_back(before: str, after: str, expected: bool) -> None:
    assert is_one_step(before, after) is expected


def test_tools_are_apart_by_blanks_or_commas_outside_of_brackets() -> None:
    assert tools_of("Bash(npm run *), Read  Edit,Write") == ("Bash(npm run *)", "Read", "Edit", "Write")
