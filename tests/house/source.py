"""The package's own source as parsed modules, and the faults that checks find in them. Refuses to judge."""

import ast
import io
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Fault:
    rel: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.rel}:{self.line}: {self.message}"


@dataclass(frozen=True)
class Module:
    """One file of the package; ``rel`` is relative to the project, ``dotted`` is its import name."""

    rel: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        return list(ast.walk(self.tree))

    @cached_property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    @cached_property
    def comments(self) -> dict[int, str]:
        tokens = tokenize.generate_tokens(io.StringIO(self.text).readline)
        return {token.start[0]: token.string for token in tokens if token.type == tokenize.COMMENT}

    @property
    def dotted(self) -> str:
        return self.rel.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    def is_in(self, *places: str) -> bool:
        """Tells whether the module is one of these files, or below one of these folders (which end in a slash)."""
        return any(self.rel.startswith(place) if place.endswith("/") else self.rel == place for place in places)

    def fault(self, line: int, message: str) -> Fault:
        return Fault(self.rel, line, message)

    def functions(self) -> Iterator[Function]:
        return (node for node in self.nodes if isinstance(node, Function))

    def imports(self) -> Iterator[tuple[ast.stmt, str]]:
        """Yields each absolute import with its dotted name; ``from a import b`` gives ``a`` and ``a.b``."""
        for node in self.nodes:
            if isinstance(node, ast.Import):
                yield from ((node, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                source = node.module or ""
                yield node, source
                yield from ((node, f"{source}.{alias.name}") for alias in node.names)


def package() -> list[Module]:
    paths = sorted((PROJECT / "gitmem").rglob("*.py"))
    return [
        Module(path.relative_to(PROJECT).as_posix(), path.read_text(encoding="utf-8"))
        for path in paths
        if "data" not in path.relative_to(PROJECT / "gitmem").parts
    ]


def statements(nodes: list[ast.stmt]) -> int:
    """Counts statements, those inside compound ones too."""
    return sum(isinstance(inner, ast.stmt) for node in nodes for inner in ast.walk(node))


def without_docstring(function: Function) -> list[ast.stmt]:
    first = function.body[0]
    is_docstring = (
        isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    )
    return function.body[1:] if is_docstring else function.body


def name_of(node: ast.expr) -> str:
    """Returns the dotted name of a name or attribute expression, else an empty string."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attr):
            return f"{name_of(value)}.{attr}".lstrip(".")
        case ast.Call(func=func):
            return name_of(func)
        case _:
            return ""
