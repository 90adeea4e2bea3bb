"""Every foreign format, by a small repository that uses it."""

from pathlib import Path

import pytest

from gitmem.errors import UsageError
from gitmem.exchange.convert import convert
from gitmem.exchange.draft import Draft, Skipped
from gitmem.exchange.formats import FORMATS, named, names, recognise
from gitmem.exchange.intake import Intake, take_all
from gitmem.exchange.original import give_back
from gitmem.globs.dialect import matches

PROJECT = Path(__file__).parents[2]
FIXTURES = PROJECT / "fixtures" / "formats"
ON_REQUEST = "attached by hand or when the agent asks for it"


def tree(name: str) -> dict[str, bytes]:
    root = FIXTURES / name
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def taken(name: str) -> Intake:
    files = tree(name)
    return take_all(files, files.get)


# repository, file, then what the draft says: format, kind, title, summary, paths, a part of each loss
MAPPED = [
    ("cursor", ".cursor/rules/typescript.mdc", "cursor guideline", "TypeScript", "How TypeScript is written here",
     ["**/*.ts", "**/*.tsx"], []),
    ("cursor", ".cursor/rules/nested/quoted.mdc", "cursor guideline", "Tests sit beside the code",
     "Tests sit beside the code", ["src/**/*.test.ts", "src/**/*.spec.{ts,tsx}"], ["owner"]),
    ("cursor", ".cursor/rules/always.mdc", "cursor guideline", "Commit messages", "Commit messages", ["**"], []),
    ("cursor", ".cursor/rules/asked.mdc", "cursor guideline", "How to cut a release", "How to cut a release", [],
     [ON_REQUEST]),
    ("cursor", ".cursor/rules/folder-rule/RULE.md", "cursor guideline", "Migrations", "Migrations",
     ["db/migrations/**"], []),
    ("cursor", "service/.cursor/rules/api.mdc", "cursor guideline", "Errors of the service", "",
     ["service/**/*.go"], []),
    ("cursorrules", ".cursorrules", "cursorrules guideline", "Cursorrules", "", ["**"], []),
    ("copilot", ".github/copilot-instructions.md", "copilot-instructions guideline", "Working here", "", ["**"], []),
    ("copilot", ".github/instructions/web.instructions.md", "copilot guideline", "Rules for the web client",
     "Rules for the web client", ["**/*.{ts,tsx}", "src/styles/*.css"], ["excludeAgent"]),
    ("copilot", "docs/everything.instructions.md", "copilot guideline", "Spelling", "", ["**"], []),
    ("copilot", "docs/by-hand.instructions.md", "copilot guideline", "Only when somebody asks",
     "Only when somebody asks", [], ["no applyTo"]),
    ("agent", ".github/agents/reviewer.agent.md", "agent template", "Reviewer", "Reads a change and asks about risks",
     [], ["tools, model"]),
    ("prompt", ".github/prompts/new-endpoint.prompt.md", "prompt template", "Scaffolds an endpoint",
     "Scaffolds an endpoint", [], ["mode"]),
    ("chatmode", ".github/chatmodes/plan.chatmode.md", "chatmode template", "Planning", "Plans and does not edit", [],
     []),
    ("claude", "CLAUDE.md", "claude guideline", "Ledger", "", ["**"], ["@../outside.md", "@docs/lost.md is not there"]),
    ("claude", "docs/money.md", "imported reference", "Money", "", [], []),
    ("claude", ".claude/rules/api.md", "claude-rules guideline", "API", "", ["src/api/**/*.ts", "*.md"], []),
    ("claude", ".claude/rules/git/history.md", "claude-rules guideline", "History", "", ["**"], []),
    ("claude", "packages/app/CLAUDE.md", "claude guideline", "The app", "", ["packages/app/**"], []),
    ("claude", "packages/[id]/.claude/CLAUDE.md", "claude guideline", "CLAUDE (packages/[id])", "",
     ["packages/\\[id]/**"], []),
    ("gemini", "GEMINI.md", "gemini guideline", "For Gemini", "", ["**"], []),
    ("agents", "AGENTS.md", "agents guideline", "Setup", "", ["**"], []),
    ("agents", "lib/core/AGENTS.md", "agents guideline", "AGENTS (lib/core)", "", ["lib/core/**"], []),
    ("windsurf", ".windsurf/rules/glob.md", "windsurf guideline", "Python", "Python", ["**/*.py", "tests/**"], []),
    ("windsurf", ".windsurf/rules/always.md", "windsurf guideline", "Always", "", ["**"], []),
    ("windsurf", ".windsurf/rules/model.md", "windsurf guideline", "When somebody touches the parser",
     "When somebody touches the parser", [], ["trigger model_decision"]),
    ("windsurf", ".windsurfrules", "windsurfrules guideline", "Windsurfrules", "", ["**"], []),
    ("cline", ".clinerules/01-style.md", "cline guideline", "Style", "", ["**"], []),
    ("cline", ".clinerules/api.md", "cline guideline", "Api", "", ["src/api/**"], []),
    ("cline", ".clinerules/workflows/deploy.md", "cline-workflow template", "Deploy", "", [], []),
    ("clinerules", ".clinerules", "clinerules guideline", "Clinerules", "", ["**"], []),
    ("roo", ".roo/rules/general.md", "roo guideline", "General", "", ["**"], []),
    ("roo", ".roo/rules-architect/plan.txt", "roo guideline", "Plan", "", ["**"], ["mode architect"]),
    ("roo", ".roorules-code", "roorules guideline", "Roorules code", "", ["**"], ["mode code"]),
    ("kiro", ".kiro/steering/product.md", "kiro guideline", "Product", "", ["**"], ["api/openapi.yaml"]),
    ("kiro", ".kiro/steering/components.md", "kiro guideline", "Components", "",
     ["components/**/*.tsx", "**/*.css"], []),
    ("kiro", ".kiro/steering/incident.md", "kiro guideline", "Incident", "", [], ["inclusion manual"]),
    ("continue", ".continue/rules/docs.md", "continue guideline", "Documentation", "How documents are written",
     ["docs/**/*.{md,mdx}"], []),
    ("continue", ".continue/rules/everywhere.md", "continue guideline", "Everywhere", "", ["**"], []),
    ("continue", ".continue/rules/imports.md", "continue guideline", "Imports", "", [], ["regex", ON_REQUEST]),
    ("ruler", ".ruler/style.md", "ruler guideline", "Style", "", ["**"], []),
    ("ruler", "apps/web/.ruler/web.md", "ruler guideline", "Web", "", ["apps/web/**"], []),
    ("rulesync", ".rulesync/rules/overview.md", "rulesync guideline", "Overview", "What this is", ["**"], []),
    ("rulesync", ".rulesync/rules/tests.md", "rulesync guideline", "Tests", "", ["tests/**/*.py"],
     ["cursor, claudecode only", "does not use: cursor"]),
    ("jetbrains", ".junie/guidelines.md", "junie guideline", "Guidelines", "", ["**"], []),
    ("jetbrains", ".aiassistant/rules/kotlin.md", "jetbrains guideline", "Kotlin", "", ["**/*.kt", "src/main/**"], []),
    ("jetbrains", ".aiassistant/rules/off.md", "jetbrains guideline", "Off", "", [], ["apply: off"]),
    ("zed", ".rules", "zed guideline", "House rules", "", ["**"], []),
    ("skill", "skills/release/SKILL.md", "skill skill", "release", "Cut a release", [], ["scripts/tag.sh"]),
    ("adr", "docs/adr/0001-record-decisions.md", "adr decision", "1. Record decisions", "", [], []),
    ("adr", "docs/decisions/0003-two-databases.md", "adr decision", "Use two databases", "", [], ["decision-makers"]),
    ("adr", "doc/arch/adr-004-queue.md", "adr decision", "A queue", "", [], ["rejected"]),
    ("backlog", "backlog/decisions/decision-1 - Use-sqlite.md", "backlog decision", "Use SQLite", "", [], ["id, date"]),
    ("backlog", "backlog/docs/doc-1 - Guide.md", "backlog reference", "Guide: how to start", "", [], ["id, type"]),
]  # fmt: skip


@pytest.mark.capability("G-033")
@pytest.mark.parametrize(
    ("name", "rel", "what", "title", "summary", "paths", "losses"), MAPPED, ids=[row[1] for row in MAPPED]
)
def test_a_foreign_file_becomes_a_draft_and_says_what_it_loses(
    name: str, rel: str, what: str, title: str, summary: str, paths: list[str], losses: list[str]
) -> None:
    draft = next(draft for draft in taken(name).drafts if draft.source == rel)

    assert f"{draft.format} {draft.kind}" == what
    assert (draft.title, draft.summary, list(draft.paths)) == (title, summary, paths)
    assert len(draft.losses) == len(losses), draft.losses
    assert all(part in loss for part, loss in zip(losses, draft.losses, strict=True)), draft.losses


@pytest.mark.capability("G-033")
@pytest.mark.parametrize("name", [path.name for path in sorted(FIXTURES.iterdir())])
def test_the_source_is_kept_byte_for_byte(name: str) -> None:
    files = tree(name)
    drafts = taken(name).drafts

    assert drafts
    assert {draft.source: give_back(draft.origin, draft.body) for draft in drafts} == {
        draft.source: files[draft.source] for draft in drafts
    }


@pytest.mark.parametrize("name", [path.name for path in sorted(FIXTURES.iterdir())])
def test_every_file_that_a_format_knows_is_a_draft_or_skipped_with_a_reason(name: str) -> None:
    intake = taken(name)
    accounted = [*(draft.source for draft in intake.drafts), *(skipped.source for skipped in intake.skipped)]

    assert {rel for rel in tree(name) if recognise(rel)} <= set(accounted)
    assert len(accounted) == len(set(accounted))
    assert all(skipped.reason for skipped in intake.skipped)


def test_every_row_of_the_table_has_a_fixture() -> None:
    used = {recognise(rel) for folder in FIXTURES.iterdir() for rel in tree(folder.name)}
    missing = {row.files for row in FORMATS} - {row.files for row in used if row}

    assert missing == {
        "any file, by name only",
        "**/*.mdc",
        ".rulesync/*.md",
        ".cline/rules/**/*.md, *.txt",
        ".continuerules",
    }


PLACES = [
    ("rules/shared.mdc", "cursor", ""),
    ("web/.cursorrules", "cursorrules", "web"),
    ("a/b/.windsurf/rules/x/y.md", "windsurf", "a/b"),
    (".rulesync/old.md", "rulesync", ""),
    ("x/.cline/rules/a.txt", "cline", "x"),
    (".continuerules", "continuerules", ""),
    ("docs/architecture/decisions/0001-x.md", "adr", ""),
    ("adr/0001-x.md", "adr", ""),
    (".backlog/tasks/a.md", "backlog-task", ""),
    (".ruler/AGENTS.md", "ruler", ""),
    (".junie/AGENTS.md", "junie", ""),
    (".claude/skills/x/SKILL.md", "skill", ""),
    ("CLAUDE.local.md", "claude-local", ""),
    ("README.md", None, ""),
    ("docs/arch/overview.md", None, ""),
    ("src/decisions/a.md", None, ""),
    ("src/agents.md", None, ""),
    ("a.mdc.ts", None, ""),
    (".gitmem/engrams/a/AGENTS.md", None, ""),
    (".git/CLAUDE.md", None, ""),
    ("MY-CLAUDE.md", None, ""),
]  # fmt: skip


@pytest.mark.parametrize(("rel", "name", "folder"), PLACES, ids=[row[0] for row in PLACES])
def test_a_file_is_known_by_its_name_and_place(rel: str, name: str | None, folder: str) -> None:
    known = recognise(rel)

    assert (known.name if known else None) == name
    assert (known.folder(rel) if known else "") == folder


def one(rel: str, text: str, name: str = "") -> Draft:
    fmt = named(name, rel) if name else recognise(rel)
    assert fmt
    made = convert(rel, text.encode(), fmt, {}.get)
    assert not isinstance(made, Skipped), made.reason
    return made[0]


@pytest.mark.parametrize(
    ("globs", "paths"),
    [
        ("**/*.ts", ["**/*.ts"]),
        ("*.ts,*.tsx", ["**/*.ts", "**/*.tsx"]),
        ("*.ts, *.tsx,", ["**/*.ts", "**/*.tsx"]),
        ('"*.ts", "*.tsx"', ["**/*.ts", "**/*.tsx"]),
        ('["*.ts","*.tsx"]', ["**/*.ts", "**/*.tsx"]),
        ("[*.ts, src/**]", ["**/*.ts", "src/**"]),
        ("\n  - *.ts\n  - src/**", ["**/*.ts", "src/**"]),
        ("\n- '*.ts'\n- \"src/**\"", ["**/*.ts", "src/**"]),
        ("src/**/*.{ts,tsx},lib/*.js # the code", ["src/**/*.{ts,tsx}", "lib/*.js"]),
        ("src/[ab]*.ts", ["src/[ab]*.ts"]),
        ("*", ["**"]),
        ("**/*", ["**"]),
        ("src/*", ["src/*"]),
        ("src/components", ["src/components/**"]),
        ("build/", ["**/build/**"]),
        ("temp", ["**/temp/**"]),
        ("/*.py", ["/*.py"]),
        ("Dockerfile", ["**/Dockerfile/**"]),
    ],
)
def test_globs_are_read_in_every_way_that_cursor_files_write_them(globs: str, paths: list[str]) -> None:
    draft = one(".cursor/rules/x.mdc", f"---\ndescription: d\nglobs: {globs}\nalwaysApply: false\n---\ntext\n")

    assert list(draft.paths) == paths
    assert draft.losses == ()


def test_a_glob_that_the_dialect_refuses_is_named_and_kept() -> None:
    draft = one(".cursor/rules/x.mdc", "---\nglobs: src/{a,b, *.ts\n---\ntext\n")

    assert draft.paths == ()
    assert any("glob src/{a,b, *.ts" in loss for loss in draft.losses)
    assert draft.origin["header"] == ["globs: src/{a,b, *.ts"]


def test_globs_with_an_exclamation_mark_are_exceptions() -> None:
    draft = one(".cursor/rules/x.mdc", "---\nglobs: '**/*.ts, !**/*.test.ts'\n---\ntext\n")

    assert (draft.paths, draft.excluded) == (("**/*.ts",), ("**/*.test.ts",))


def test_exceptions_of_nothing_are_a_loss() -> None:
    draft = one(".cursor/rules/x.mdc", "---\nglobs: '!**/*.test.ts'\n---\ntext\n")

    assert (draft.paths, draft.excluded) == ((), ())
    assert any("**/*.test.ts" in loss for loss in draft.losses)


def test_always_apply_wins_over_globs_and_says_so() -> None:
    draft = one(".cursor/rules/x.mdc", "---\nglobs: **/*.ts\nalwaysApply: true\n---\ntext\n")

    assert draft.paths == ("**",)
    assert "**/*.ts" in draft.losses[0]


def test_the_scope_of_a_folder_is_that_folder_whatever_it_is_called() -> None:
    draft = one("app/[slug]/{x}/a*b/AGENTS.md", "text\n")

    assert matches(draft.paths[0], "app/[slug]/{x}/a*b/page.tsx")
    assert not matches(draft.paths[0], "app/s/x/aab/page.tsx")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("```sh\n# install\n```\n\n# Real title\n", "Real title"),
        ("~~~\n# no\n```\n# no\n~~~\n# Yes #\n", "Yes"),
        ("<!-- # no -->\n# Yes\n", "Yes"),
        ("    # code\n\nUnderlined\n===\n", "Underlined"),
        ("text\n\n## Later\n\n# First of its level\n", "First of its level"),
        ("## Opens the file\n\n## Other\n", "Opens the file"),
        ("text\n\n## Only a topic\n", "Code style"),
        ("```\n# never closed\n", "Code style"),
        ("#no-heading\n", "Code style"),
        ("#\n\ntext\n", "Code style"),
    ],
)
def test_f018_the_title_is_the_first_heading_outside_of_code(text: str, title: str) -> None:
    assert one(".ruler/code-style.md", text).title == title


@pytest.mark.parametrize("value", ["", "null", "~", "''", "[a]", "{a: b}", "   "])
def test_f008_a_title_that_is_no_text_is_not_a_title(value: str) -> None:
    assert one("backlog/docs/x.md", f"---\ntitle: {value}\n---\n# Heading\n").title == "Heading"


def test_what_is_too_long_is_cut_and_said() -> None:
    draft = one("skills/a/SKILL.md", f"---\nname: {'n' * 300}\ndescription: {'d ' * 300}\n---\ntext\n")

    assert (len(draft.title), len(draft.summary)) == (200, 300)
    assert ["title" in loss or "summary" in loss for loss in draft.losses] == [True, True]


def test_a_title_is_one_line_without_control_characters() -> None:
    draft = one("backlog/docs/x.md", '---\ntitle: "a\\n b\\e[31m c"\n---\ntext\n')

    assert draft.title == "a b [31m c"


def test_another_name_is_read_as_the_format_that_is_named() -> None:
    assert one("team/GUIDE.md", "text\n", "agents").paths == ("team/**",)
    assert one("team/GUIDE.md", "---\napplyTo: '*.py'\n---\ntext\n", "copilot").paths == ("**/*.py",)
    assert one("notes/a.md", "# A\n", "markdown").status == "draft"
    assert one("backlog/readme.md", "# A\n", "backlog").kind == "reference"


@pytest.mark.parametrize("name", names())
def test_every_format_can_be_named_for_any_file(name: str) -> None:
    made = convert("any/where.txt", b"---\na: 1\n---\ntext\n", named(name, "any/where.txt"), {}.get)

    assert isinstance(made, Skipped) or made[0].body == "text\n"


def test_an_unknown_format_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError) as raised:
        named("curser", "a.md")

    assert "cursor" in raised.value.hint


def test_the_page_on_formats_names_every_row_of_the_table() -> None:
    page = (PROJECT / "docs" / "formats.md").read_text(encoding="utf-8")

    assert [row.name for row in FORMATS if f"`{row.name}`" not in page or row.files not in page] == []
    assert [row.family for row in FORMATS if f"| {row.family} |" not in page] == []
