"""What the source may say: names, docstrings, comments, letters. Refuses to judge what the code does."""

import ast
import re
from collections.abc import Iterator

from tests.house.source import Fault, Module, name_of

VAGUE = frozenset({"utils", "util", "helpers", "helper", "common", "base", "core", "misc"})
SUFFIX = re.compile(r"(Manager|Service|Factory|Handler|Provider|Processor)$")
BANNER = re.compile(r"#\s*[-=#*~]{3,}|#.*\bStep \d", re.IGNORECASE)
SENTENCE_END = re.compile(r"[.!?](?=\s|$)")
SUPPRESSION = re.compile(r"#\s*(?:type:\s*ignore(?:\[[^\]]*\])?|noqa(?::\s*[A-Z0-9, ]+)?)\s*")


def vague_module(module: Module) -> Iterator[Fault]:
    vague = VAGUE.intersection(module.dotted.split("."))
    if vague:
        yield module.fault(1, f"{min(vague)!r} says nothing: name the module for what it owns")


def vague_class(module: Module) -> Iterator[Fault]:
    for node in module.nodes:
        if isinstance(node, ast.ClassDef) and (found := SUFFIX.search(node.name)):
            yield module.fault(node.lineno, f"class {node.name}: classes are things, not a {found[1]}")


def silent_module(module: Module) -> Iterator[Fault]:
    text = ast.get_docstring(module.tree) or ""
    if len(SENTENCE_END.findall(text)) < 2:
        yield module.fault(1, "the docstring needs one sentence for what the module owns and one for what it refuses")


def banner(module: Module) -> Iterator[Fault]:
    for line, comment in module.comments.items():
        if BANNER.match(comment):
            yield module.fault(line, "a section that needs a banner or a step number is a function or a file")


def foreign_letter(module: Module) -> Iterator[Fault]:
    if module.is_in("gitmem/text/"):
        return
    for line, text in enumerate(module.lines, 1):
        if not text.isascii() and "# non-ascii:" not in text:
            yield module.fault(line, "non-ASCII source needs its reason on the line: # non-ascii: WHY")


def unexplained_type(module: Module) -> Iterator[Fault]:
    for node in module.nodes:
        name = name_of(node.func) if isinstance(node, ast.Call) else name_of(node) if isinstance(node, ast.expr) else ""
        is_loose = name in {"Any", "typing.Any"} or (isinstance(node, ast.Call) and name in {"cast", "typing.cast"})
        if is_loose and isinstance(node, ast.expr) and not module.comments.get(node.lineno):
            yield module.fault(node.lineno, f"{name} needs its reason on the line")


def unexplained_suppression(module: Module) -> Iterator[Fault]:
    for line, comment in module.comments.items():
        found = SUPPRESSION.match(comment)
        if found and not comment[found.end() :].strip(" #"):
            yield module.fault(line, "a suppressed finding needs its reason after it on the line")


def loose_mapping(module: Module) -> Iterator[Fault]:
    for node in module.nodes:
        if isinstance(node, ast.Subscript) and name_of(node.value).rpartition(".")[2] in {"dict", "Dict", "Mapping"}:
            inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else []
            if inner and name_of(inner[-1]) in {"Any", "typing.Any"}:
                yield module.fault(node.lineno, "dict[str, Any] stops at the codec: give the value a type")
