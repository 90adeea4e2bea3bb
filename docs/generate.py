"""Writes the generated parts of the pages; with ``--check`` says which are stale. Leaves the rest of a page alone."""

import ast
import sys
import tomllib
from pathlib import Path

from gitmem.cli.arguments import parser_of
from gitmem.config import DEFAULTS, KEYS, as_text
from gitmem.operations import every

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
    rows = (f"| `{key}` | {as_text(DEFAULTS)[key] or '(by remote)'} | {text} |\n" for key, text in KEYS.items())
    return "| key | default | is |\n|---|---|---|\n" + "".join(rows)


PARTS = {"layers": layers, "modules": modules, "commands": commands, "settings": settings}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
