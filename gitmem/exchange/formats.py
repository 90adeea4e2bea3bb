"""The table of foreign formats: which file is which by its path. Refuses to open a file."""

import posixpath
import re
from collections.abc import Callable
from dataclasses import dataclass

from gitmem.errors import UsageError
from gitmem.exchange import claude, copilot, cursor, editors, plain, skill, spread, vault
from gitmem.exchange.draft import Document, Shape, Skipped

_BELOW = r"(?P<folder>(?:.*/)?)"
_ADR = r"(?:.*/)?(?:adrs?|(?:docs?|architecture)/(?:[^/]+/)*(?:decisions|decision-records))/(?:[^/]+/)*"
_BACKLOG = r"(?:.*/)?\.?backlog"
_TASK = "a task, not knowledge; name it with --format backlog to import it as an observation"


@dataclass(frozen=True, slots=True)
class Format:
    """One row. ``files`` says in words what ``path`` matches; its group ``folder`` is where the rules are rooted.

    ``has_imports``: its text may take in other files. ``is_rooted``: a file that was given this format by name holds
    for its own folder. ``by_name_only``: why a bare import leaves such files alone.
    """

    name: str
    family: str
    files: str
    path: str
    shape: Callable[[Document], Shape | Skipped]
    has_imports: bool = False
    is_rooted: bool = False
    by_name_only: str = ""

    def folder(self, rel: str) -> str | None:
        """Where the rules of ``rel`` are rooted, without a final slash; None when the path is not of this format."""
        found = re.fullmatch(self.path, rel, re.DOTALL)
        return found.groupdict().get("folder", "").rstrip("/") if found else None


# The first row that matches wins: special places stand above general names.
FORMATS = (
    Format("skill", "skill", "**/SKILL.md", r"(?:.*/)?SKILL\.md", skill.skill),
    Format("cursor", "cursor", ".cursor/rules/**/*.mdc", rf"{_BELOW}\.cursor/rules/.+\.mdc", cursor.rule),
    Format("cursor", "cursor", ".cursor/rules/**/RULE.md", rf"{_BELOW}\.cursor/rules/.+/RULE\.md", cursor.rule),
    Format("cursor", "cursor", "**/*.mdc", r".+\.mdc", cursor.rule),
    Format("cursorrules", "cursor", ".cursorrules", rf"{_BELOW}\.cursorrules", plain.instructions, is_rooted=True),
    Format(
        "copilot-instructions",
        "copilot",
        ".github/copilot-instructions.md",
        rf"{_BELOW}\.github/copilot-instructions\.md",
        plain.instructions,
    ),
    Format("copilot", "copilot", "**/*.instructions.md", r".+\.instructions\.md", copilot.instructions),
    Format("agent", "copilot", "**/*.agent.md", r".+\.agent\.md", plain.template),
    Format("prompt", "copilot", "**/*.prompt.md", r".+\.prompt\.md", plain.template),
    Format("chatmode", "copilot", "**/*.chatmode.md", r".+\.chatmode\.md", plain.template),
    Format("claude-local", "claude", "CLAUDE.local.md", r"(?:.*/)?CLAUDE\.local\.md", plain.personal),
    Format("claude-rules", "claude", ".claude/rules/**/*.md", rf"{_BELOW}\.claude/rules/.+\.md", claude.rule),
    Format(
        "claude",
        "claude",
        ".claude/CLAUDE.md",
        rf"{_BELOW}\.claude/CLAUDE\.md",
        plain.instructions,
        has_imports=True,
        is_rooted=True,
    ),
    Format(
        "claude",
        "claude",
        "**/CLAUDE.md",
        rf"{_BELOW}CLAUDE\.md",
        plain.instructions,
        has_imports=True,
        is_rooted=True,
    ),
    Format(
        "gemini",
        "gemini",
        "**/GEMINI.md",
        rf"{_BELOW}GEMINI\.md",
        plain.instructions,
        has_imports=True,
        is_rooted=True,
    ),
    Format("ruler", "ruler", ".ruler/**/*.md", rf"{_BELOW}\.ruler/.+\.md", plain.instructions),
    Format("rulesync", "rulesync", ".rulesync/rules/**/*.md", rf"{_BELOW}\.rulesync/rules/.+\.md", spread.rulesync),
    Format("rulesync", "rulesync", ".rulesync/*.md", rf"{_BELOW}\.rulesync/[^/]+\.md", spread.rulesync),
    Format(
        "junie",
        "jetbrains",
        ".junie/guidelines.md, .junie/AGENTS.md",
        rf"{_BELOW}\.junie/(?:guidelines|AGENTS)\.md",
        plain.instructions,
    ),
    Format(
        "jetbrains",
        "jetbrains",
        ".aiassistant/rules/**/*.md",
        rf"{_BELOW}\.aiassistant/rules/.+\.md",
        editors.jetbrains,
    ),
    Format("agents", "agents", "**/AGENTS.md", rf"{_BELOW}AGENTS\.md", plain.instructions, is_rooted=True),
    Format("windsurf", "windsurf", ".windsurf/rules/**/*.md", rf"{_BELOW}\.windsurf/rules/.+\.md", editors.windsurf),
    Format(
        "windsurfrules", "windsurf", ".windsurfrules", rf"{_BELOW}\.windsurfrules", plain.instructions, is_rooted=True
    ),
    Format(
        "cline-workflow", "cline", ".clinerules/workflows/*.md", r"(?:.*/)?\.clinerules/workflows/.+", plain.template
    ),
    Format("cline", "cline", ".clinerules/**/*.md, *.txt", rf"{_BELOW}\.clinerules/.+\.(?:md|txt)", editors.cline),
    Format("cline", "cline", ".cline/rules/**/*.md, *.txt", rf"{_BELOW}\.cline/rules/.+\.(?:md|txt)", editors.cline),
    Format("clinerules", "cline", ".clinerules", rf"{_BELOW}\.clinerules", plain.instructions, is_rooted=True),
    Format("roo", "roo", ".roo/rules/**, .roo/rules-MODE/**", rf"{_BELOW}\.roo/rules(?:-[^/]+)?/.+", editors.roo),
    Format("roorules", "roo", ".roorules, .roorules-MODE", rf"{_BELOW}\.roorules(?:-[^/]+)?", editors.roo),
    Format("kiro", "kiro", ".kiro/steering/**/*.md", rf"{_BELOW}\.kiro/steering/.+\.md", editors.kiro),
    Format(
        "continue", "continue", ".continue/rules/**/*.md", rf"{_BELOW}\.continue/rules/.+\.md", editors.continue_rule
    ),
    Format(
        "continuerules", "continue", ".continuerules", rf"{_BELOW}\.continuerules", plain.instructions, is_rooted=True
    ),
    Format("zed", "zed", ".rules", rf"{_BELOW}\.rules", plain.instructions, is_rooted=True),
    Format("backlog", "backlog", "backlog/docs/**/*.md", rf"{_BACKLOG}/docs/.+\.md", vault.reference),
    Format("backlog", "backlog", "backlog/decisions/**/*.md", rf"{_BACKLOG}/decisions/.+\.md", vault.decision),
    Format(
        "backlog-task",
        "backlog",
        "backlog/{tasks,completed,drafts,milestones,archive}/**/*.md",
        rf"{_BACKLOG}/(?:tasks|completed|drafts|milestones|archive)/.+\.md",
        vault.task,
        by_name_only=_TASK,
    ),
    Format(
        "adr-index",
        "adr",
        "README.md, index.md, *template*.md beside decision records",
        rf"{_ADR}(?i:readme|index|[^/]*template[^/]*)\.md",
        vault.index,
    ),
    Format("adr", "adr", "adr/**/*.md, docs/**/decisions/**/*.md", rf"{_ADR}[^/]+\.md", vault.decision),
    Format("adr", "adr", "docs/arch/adr-*.md", r"(?:.*/)?docs?/arch/(?i:adr)?-?[0-9][^/]*\.md", vault.decision),
    Format("markdown", "markdown", "any file, by name only", r"(?!)", vault.note),
)


def recognise(rel: str) -> Format | None:
    """The format of a path, by its name and place alone."""
    if not _is_candidate(rel):
        return None
    return next((row for row in FORMATS if row.folder(rel) is not None), None)


def named(name: str, rel: str) -> Format:
    """The row of the format or family ``name`` for ``rel``: the one that its path fits, else the first."""
    rows = sorted((row for row in FORMATS if name in (row.name, row.family)), key=lambda row: row.name != name)
    if not rows:
        raise UsageError(f"no format is called {name}", hint=f"use one of {', '.join(names())}", code="unknown-format")
    return next((row for row in rows if row.folder(rel) is not None), rows[0])


def names() -> list[str]:
    """Every word that `named` knows."""
    return sorted({word for row in FORMATS for word in (row.name, row.family)})


def root_of(fmt: Format, rel: str) -> str:
    """The folder that the rules of ``rel`` hold for, also when its name is not the usual one."""
    folder = fmt.folder(rel)
    if folder is not None:
        return folder
    return posixpath.dirname(rel) if fmt.is_rooted else ""


def _is_candidate(rel: str) -> bool:
    """Cheap, so that a scan of fifty thousand paths stays short."""
    if rel.startswith((".gitmem/", ".git/")):
        return False
    return rel.endswith((".md", ".mdc", ".txt")) or rel.startswith(".") or "/." in rel
