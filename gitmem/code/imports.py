"""The imports of a source file, by its syntax tree.

Refuses to guess: what a text or a comment names is no import, and a file over a limit is said to be skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from gitmem.code import extract as syntax
from gitmem.code.extract import BINARY, LARGEST_BYTES, TOO_LARGE, TOO_NESTED, TOO_SLOW
from gitmem.code.languages import row_of
from gitmem.model.imports import Extracted, Import

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.code.extract import Node

# Of what is read here; it counts up when the same bytes may give other imports.
IMPORTS_VERSION = 1
# Imports stand at the top of a Java file.
_JAVA_BYTES = 1 << 16

_LANGUAGES = {
    "py": "python",
    "pyi": "python",
    "pyw": "python",
    "js": "javascript",
    "jsx": "javascript",
    "mjs": "javascript",
    "cjs": "javascript",
    "ts": "typescript",
    "mts": "typescript",
    "cts": "typescript",
    "tsx": "tsx",
    "go": "go",
    "java": "java",
}
# Sources in these import one another as well; where no query reads how, nobody does.
_C_LIKE = {"c", "cc", "cpp", "cs", "cxx", "h", "hpp", "m", "mm", "rs", "swift", "zig"}
_UNREAD = _C_LIKE | {"dart", "erl", "ex", "exs", "kt", "kts", "lua", "php", "pl", "rb", "scala", "svelte", "vue"}
_ECMASCRIPT = ("import_statement", "import_require_clause", "export_statement", "call_expression")
# What the syntax tree of a language calls an import.
_KINDS = {
    "python": ("import_statement", "import_from_statement", "future_import_statement"),
    "javascript": _ECMASCRIPT,
    "typescript": _ECMASCRIPT,
    "tsx": _ECMASCRIPT,
    "go": ("import_spec",),
    "java": ("import_declaration",),
}


def language_of(path: str) -> str:
    """The language of a file by its name: python, javascript, typescript, tsx, go or java; '' for any other."""
    stem, dot, ending = path.rpartition("/")[2].rpartition(".")
    return _LANGUAGES.get(ending.lower(), "") if stem and dot else ""


def is_unread(path: str) -> bool:
    """Whether the file is of a language whose imports are read nowhere."""
    return row_of(path) is None and path.rpartition("/")[2].rpartition(".")[2].lower() in _UNREAD


def imports(path: str, content: bytes) -> tuple[Import, ...]:
    """What the file imports, in the order of its text; nothing for a language that is not read here."""
    return extract(path, content).imports


def extract(path: str, content: bytes) -> Extracted:
    """As ``imports``, and why the file was skipped when it was."""
    language = language_of(path)
    if not language:
        return Extracted()
    if len(content) > LARGEST_BYTES:
        return Extracted(skipped=TOO_LARGE)
    if content.startswith(syntax.UTF16):
        content = content.decode("utf-16", "replace").encode()
    if b"\0" in content[: syntax.LOOKED_AT_BYTES]:
        return Extracted(skipped=BINARY)
    content = content[:_JAVA_BYTES] if language == "java" else content
    if syntax.is_too_nested(content, language):
        return Extracted(skipped=TOO_NESTED)
    root = syntax.parse(language, content)
    if root is None:
        return Extracted(skipped=TOO_SLOW)
    read = _READERS[language]
    return Extracted(
        tuple(
            row for node in syntax.nodes(root, syntax.kinds(language, _KINDS[language])) for row in read(node, content)
        )
    )


def _text(node: Node, content: bytes) -> str:
    return content[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _line(node: Node) -> int:
    return node.start_point[0] + 1


def _import(node: Node, module: tuple[str, int], names: Sequence[tuple[str, int]]) -> Import:
    """``module`` and ``names`` have their lines."""
    line = _line(node)
    lines = (module[1], *(at for _, at in names))
    return Import(module[0], tuple(name for name, _ in names), line, () if {*lines} == {line} else lines)


def _dotted(node: Node, content: bytes) -> str:
    """The name without what may stand between its parts: blanks, comments, line ends."""
    return ".".join(_text(child, content) for child in node.named_children if child.type == "identifier")


def _python(node: Node, content: bytes) -> Iterator[Import]:
    names = [(name, _line(child)) for child in node.named_children if (name := _python_name(child, content))]
    if node.type == "import_statement":
        yield from (_import(node, name, ()) for name in names)
    elif node.type == "future_import_statement":
        yield _import(node, ("__future__", _line(node)), names)
    else:
        source = node.child_by_field_name("module_name")
        module = _python_module(source, content) if source is not None else ""
        taken = names[1:] if source is not None and source.type == "dotted_name" else names
        if source is not None and module and taken:
            yield _import(node, (module, _line(source)), taken)


def _python_name(node: Node, content: bytes) -> str:
    """The name itself, where an alias follows it; '' for what is no name."""
    if node.type == "wildcard_import":
        return "*"
    inner = node.child_by_field_name("name") if node.type == "aliased_import" else node
    return _dotted(inner, content) if inner is not None and inner.type == "dotted_name" else ""


def _python_module(node: Node, content: bytes) -> str:
    if node.type != "relative_import":
        return _dotted(node, content)
    dots, rest = "", ""
    for child in node.named_children:
        if child.type == "import_prefix":
            dots = "." * _text(child, content).count(".")
        elif child.type == "dotted_name":
            rest = _dotted(child, content)
    return dots + rest


def _ecmascript(node: Node, content: bytes) -> Iterator[Import]:
    source = node.child_by_field_name("source")
    if source is None and node.type == "call_expression":
        source = _loaded(node, content)
    module = _constant(source, content) if source is not None else ""
    if source is not None and module:
        yield _import(node, (module, _line(source)), list(_taken(node, content)))


def _loaded(node: Node, content: bytes) -> Node | None:
    """What a call of ``import()`` or ``require()`` names."""
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or arguments is None:
        return None
    if function.type != "import" and not (function.type == "identifier" and _text(function, content) == "require"):
        return None
    return next((child for child in arguments.named_children if child.type != "comment"), None)


def _constant(node: Node, content: bytes) -> str:
    """The text between the quotes, '' for a text that is put together when it runs."""
    if node.type not in ("string", "template_string"):
        return ""
    is_made = any(part.type == "template_substitution" for part in node.named_children)
    return "" if is_made else _text(node, content)[1:-1]


def _taken(node: Node, content: bytes) -> Iterator[tuple[str, int]]:
    """The names that an import or an export-from takes, with their lines; ``default`` for the default export."""
    for child in node.children:
        if child.type in ("*", "namespace_export"):
            yield "*", _line(child)
        elif child.type == "export_clause":
            yield from _specified(child, content)
        elif child.type == "import_clause":
            yield from _imported(child, content)


def _imported(clause: Node, content: bytes) -> Iterator[tuple[str, int]]:
    for child in clause.named_children:
        if child.type == "identifier":
            yield "default", _line(child)
        elif child.type == "namespace_import":
            yield "*", _line(child)
        elif child.type == "named_imports":
            yield from _specified(child, content)


def _specified(clause: Node, content: bytes) -> Iterator[tuple[str, int]]:
    for child in clause.named_children:
        if child.type in ("import_specifier", "export_specifier"):
            name = child.child_by_field_name("name") or child
            yield _text(name, content).strip("\"'"), _line(child)


def _go(node: Node, content: bytes) -> Iterator[Import]:
    path, name = node.child_by_field_name("path"), node.child_by_field_name("name")
    module = _text(path, content)[1:-1] if path is not None else ""
    if module:
        yield Import(module, ("*",) if name is not None and name.type == "dot" else (), _line(node))


def _java(node: Node, content: bytes) -> Iterator[Import]:
    """``import a.B;`` is of a.B; with ``.*`` everything of what stands before; a static one takes a member."""
    name = next((child for child in node.named_children if child.type in ("scoped_identifier", "identifier")), None)
    if name is None or node.has_error:
        return
    parts, at = _chain(name, content), _line(name)
    if any(child.type == "asterisk" for child in node.named_children):
        yield _import(node, (".".join(parts), at), [("*", at)])
    elif len(parts) > 1 and any(child.type == "static" for child in node.children):
        yield _import(node, (".".join(parts[:-1]), at), [(parts[-1], at)])
    else:
        yield _import(node, (".".join(parts), at), ())


def _chain(node: Node, content: bytes) -> list[str]:
    """The parts of a name with dots, without recursion: it may have thousands."""
    parts = []
    current: Node | None = node
    while current is not None and current.type == "scoped_identifier":
        name = current.child_by_field_name("name")
        parts.append(_text(name, content) if name is not None else "")
        current = current.child_by_field_name("scope")
    return [*([_text(current, content)] if current is not None else []), *reversed(parts)]


_READERS: dict[str, Callable[[Node, bytes], Iterator[Import]]] = {
    "python": _python,
    "javascript": _ecmascript,
    "typescript": _ecmascript,
    "tsx": _ecmascript,
    "go": _go,
    "java": _java,
}
