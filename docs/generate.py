"""Writes the generated parts of the pages; with ``--check`` says which are stale. Leaves the rest of a page alone."""

import ast
import sys
import tomllib
from pathlib import Path

from gitmem.cli.parser import parser_of
from gitmem.config import DEFAULTS, KEYS, as_text
from gitmem.mcp import schema
from gitmem.mcp.coerce import offered
from gitmem.mcp.prompts import prompts as prompts_of
from gitmem.operations import every
from gitmem.operations.table import ADMIN, AGENT, Operation, Param

PROJECT = Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- generated: {} -->", "<!-- end -->"


def main(args: list[str]) -> int:
    stale = [
        page for page in sorted((PROJECT / "docs").rglob("*.md")) if fresh(page) != page.read_text(encoding="utf-8")
    ]
    if "--check" in args:
        for page in stale:
            print(f"{page.relative_to(PROJECT)}: a generated part is stale; run: make docs", file=sys.stderr)
        return int(bool(stale))
    for page in stale:
        page.write_text(fresh(page), encoding="utf-8", newline="\n")
    return 0


def fresh(page: Path) -> str:
    """Returns the page as it should be: the text between each pair of marks made anew."""
    text = page.read_text(encoding="utf-8")
    for name, render in PARTS.items():
        begin = BEGIN.format(name)
        head, mark, rest = text.partition(f"{begin}\n")
        if mark:
            _, end, tail = rest.partition(END)
            text = f"{head}{mark}{render()}{end}{tail}"
    return text


def layers() -> str:
    """The layers as import-linter holds them; a room in parentheses may not exist yet."""
    config = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    drawn = next(each["layers"] for each in config["tool"]["importlinter"]["contracts"] if each["type"] == "layers")
    return "```\n" + "".join(f"{layer.replace(' : ', ', ')}\n" for layer in drawn) + "```\n"


def modules() -> str:
    """One line a module: its import name and the first sentence of its docstring."""
    root = PROJECT / "gitmem"
    paths = [path for path in sorted(root.rglob("*.py")) if "data" not in path.relative_to(root).parts]
    rows = [f"| `{dotted(path)}` | {first_sentence(path)} |\n" for path in paths]
    return "| module | owns |\n|---|---|\n" + "".join(rows)


def dotted(path: Path) -> str:
    rel = path.relative_to(PROJECT).as_posix()
    return rel.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def first_sentence(path: Path) -> str:
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    sentence = " ".join(docstring.split()).partition(". ")[0].removesuffix(".")
    return sentence.replace("``", "`").replace("|", "\\|")


def commands() -> str:
    """One section a verb, as ``--help`` prints it."""
    sections = (f"## gitmem {row.verb}\n\n```\n{parser_of(row).format_help().rstrip()}\n```\n" for row in every())
    return "\n" + "\n".join(sections)


def settings() -> str:
    defaults = as_text(DEFAULTS) | {"trust": "(by remote)"}
    rows = (f"| `{key}` | {defaults[key] or '(none)'} | {text} |\n" for key, text in KEYS.items())
    return "| key | default | is |\n|---|---|---|\n" + "".join(rows)


def prompts() -> str:
    known = prompts_of(schema.tools(AGENT, "full")).values()
    rows = (f"| `{row.name}` | `{row.argument.name}`: {row.argument.help} | {row.help} |\n" for row in known)
    return "\n## Prompts\n\n| prompt | argument | does |\n|---|---|---|\n" + "".join(rows)


def tools() -> str:
    """One section a tool, with the arguments that it takes; those of the agent surface first."""
    agent, admin = schema.tools(AGENT, "full"), schema.tools(ADMIN, "full")
    sections = [tool_section(row, "") for row in agent.values()]
    sections += [tool_section(row, ", admin surface only") for name, row in admin.items() if name not in agent]
    return "\n## Tools\n\n" + "\n".join(sections)


def tool_section(operation: Operation, note: str) -> str:
    found = schema.tool(operation)
    rows = (
        f"| `{name}` | {kind_of(param)}{', required' if param.is_required else ''} | {param.help} |\n"
        for name, param in offered(operation).items()
    )
    head = f"### {found['name']}\n\n{found['description']} (`gitmem {operation.verb}`{note})\n\n"
    return f"{head}| argument | type | is |\n|---|---|---|\n" + "".join(rows)


def kind_of(param: Param) -> str:
    return " or ".join(f"`{choice}`" for choice in param.choices) or param.kind


PARTS = {
    "layers": layers,
    "modules": modules,
    "commands": commands,
    "settings": settings,
    "prompts": prompts,
    "tools": tools,
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
