"""Facts in a shape that people read and compare, and how stored ones are renewed. Refuses to say which are right.

python -m tests.code.shapes FOLDER...      writes the .json beside each source; read each line of it before you commit
"""

import json
import sys
from pathlib import Path

from gitmem.code import extract
from gitmem.model.code import Facts, qualified

FOLDER = Path(__file__).parent / "golden"


def sources(folder: Path = FOLDER) -> list[Path]:
    return sorted(path for path in folder.rglob("*.*") if path.suffix != ".json")


def stored(source: Path) -> Path:
    return source.with_name(f"{source.name}.json")


def pretty(shape: dict[str, list[str]]) -> str:
    return json.dumps(shape, indent=1, ensure_ascii=False) + "\n"


def shape(facts: Facts, content: bytes) -> dict[str, list[str]]:
    """A line for each fact; what there is none of is left out. ``texts`` begin and end with what the spans hold."""
    rows = {
        "symbols": [symbol(facts, number) for number in range(len(facts.symbols))],
        "texts": [text(facts, number, content) for number, row in enumerate(facts.symbols) if row.body_end],
        "imports": [
            f"{row.line}: {row.module or '.'}" + f" {row.name}" * bool(row.name) + f" as {row.alias}" * bool(row.alias)
            for row in facts.imports
        ],
        "calls": [
            f"{row.line}: {owner(facts, row.owner)} -> {'new ' * row.is_new}"
            + f"{row.receiver} . " * bool(row.receiver)
            + f"{row.name}({row.arity if row.arity >= 0 else ''})"
            for row in facts.calls
        ],
        "bindings": [f"{row.line}: {owner(facts, row.owner)} | {row.name}: {row.type}" for row in facts.bindings],
        "references": [f"{row.line}: {owner(facts, row.owner)} {row.kind} {row.name}" for row in facts.references],
        "decorators": [
            f"{row.line}: {owner(facts, row.owner)} {row.text}" for row in facts.hints if row.kind == "decorator"
        ],
        "comments": [first_line(content[start:end]) for start, end in facts.comments],
    }
    return {key: value for key, value in rows.items() if value}


def symbol(facts: Facts, number: int) -> str:
    row = facts.symbols[number]
    arity = f"({row.arity})" if row.arity >= 0 else ""
    bases = f" extends {', '.join(row.extends)}" if row.extends else ""
    bases += f" implements {', '.join(row.implements)}" if row.implements else ""
    ordinal = f"#{row.ordinal}" if row.ordinal > 1 else ""
    name = qualified(facts.symbols, number)
    return f"{row.line}-{row.end_line}: {row.kind} {name}{arity}{ordinal}{bases}"


def text(facts: Facts, number: int, content: bytes) -> str:
    """The first line, the first line of the body, and the last line."""
    row = facts.symbols[number]
    whole, body = content[row.start : row.end], content[row.body_start : row.body_end]
    return f"{first_line(whole)} | {first_line(body)} | {last_line(whole)}"


def first_line(content: bytes) -> str:
    return content.decode("utf-8").partition("\n")[0].rstrip()


def last_line(content: bytes) -> str:
    return content.decode("utf-8").rpartition("\n")[2].strip()


def owner(facts: Facts, number: int) -> str:
    return qualified(facts.symbols, number) if number >= 0 else "-"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        for path in sources(FOLDER / name):
            found = path.read_bytes()
            text_ = pretty(shape(extract.facts(path.name, found), found))
            stored(path).write_text(text_, encoding="utf-8", newline="\n")
