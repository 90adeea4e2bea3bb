"""What code may do where: catch, print, import, ask the clock. Refuses to judge names and sizes."""

import ast
import re
from collections.abc import Iterator
from fnmatch import fnmatch

from tests.house.source import Fault, Module, name_of

SURFACES = ("gitmem/cli/", "gitmem/mcp/", "gitmem/web/", "gitmem/hooks/")
EDGES = ("gitmem/cli/main.py", "gitmem/mcp/")
LOADERS = ("gitmem/lazy.py",)
BROAD = frozenset({"Exception", "BaseException"})
CLOCK = frozenset(
    {
        "datetime.now",
        "datetime.utcnow",
        "datetime.today",
        "date.today",
        "datetime.datetime.now",
        "datetime.date.today",
        "time.time",
        "time.time_ns",
    }
)
ERROR_TEXT = re.compile(r"\bin str\((e|ex|err|exc|error|exception)\)")

# The modules that each dependency may be imported in.
DOORS = {
    "dulwich": ("gitmem.store.git*",),
    "subprocess": (
        "gitmem.store.git*",
        "gitmem.cli.*",
        "gitmem.upkeep.child",
        "gitmem.upkeep.watch",
        "gitmem.mcp.tending",
        "gitmem.code.workers",
    ),
    "yaml": ("gitmem.store.nodes", "gitmem.store.edit"),
    "ruamel": ("gitmem.store.codec", "gitmem.store.edit"),
    "frontmatter": ("gitmem.exchange.foreign",),
    "mcp": ("gitmem.mcp.*",),
    "pydantic": ("gitmem.mcp.*",),
    "whoosh": ("gitmem.index.fulltext",),
    "tree_sitter": ("gitmem.code.extract",),
    "watchfiles": ("gitmem.upkeep.watch",),
}


def broad_except(module: Module) -> Iterator[Fault]:
    if module.is_in(*EDGES):
        return
    for node in module.nodes:
        if isinstance(node, ast.ExceptHandler):
            caught = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
        elif isinstance(node, ast.Call) and name_of(node).rpartition(".")[2] == "suppress":
            caught = node.args
        else:
            continue
        if any(each is None or name_of(each) in BROAD for each in caught):
            yield module.fault(node.lineno, "only the edges catch everything: name the narrowest type")


def decided_by_error_text(module: Module) -> Iterator[Fault]:
    for line, text in enumerate(module.lines, 1):
        if ERROR_TEXT.search(text):
            yield module.fault(line, "decide by the type of an error, not by its text")


def printing(module: Module) -> Iterator[Fault]:
    if module.is_in("gitmem/cli/"):
        return
    for node in module.nodes:
        name = name_of(node) if isinstance(node, ast.Call) else ""
        if name == "print" or (name.startswith(("sys.stdout.", "sys.stderr.")) and not module.is_in(*SURFACES)):
            yield module.fault(node.lineno, f"{name}: the library never prints; return a value or log")


def clock(module: Module) -> Iterator[Fault]:
    if module.is_in(*SURFACES):
        return
    for node in module.nodes:
        if isinstance(node, ast.Call) and name_of(node) in CLOCK:
            yield module.fault(node.lineno, f"{name_of(node)}: nothing below the surfaces asks the clock; take now")


def surroundings(module: Module) -> Iterator[Fault]:
    if module.is_in(*SURFACES) or fnmatch(module.rel, "gitmem/store/git*.py"):
        return
    for node in module.nodes:
        if isinstance(node, ast.Attribute) and name_of(node) in {"os.environ", "os.getenv", "os.environb"}:
            yield module.fault(
                node.lineno, "nothing below the surfaces reads the environment; only store/git passes it on"
            )


def hidden_import(module: Module) -> Iterator[Fault]:
    if module.is_in(*LOADERS):
        return
    for function in module.functions():
        for node in ast.walk(function):
            if isinstance(node, ast.Import | ast.ImportFrom):
                yield module.fault(node.lineno, f"import inside {function.name}: imports stand at the top")
    for node in module.nodes:
        if isinstance(node, ast.Call) and name_of(node) in {"__import__", "import_module", "importlib.import_module"}:
            yield module.fault(node.lineno, "one loader resolves names at run time: gitmem.lazy")


def relative_import(module: Module) -> Iterator[Fault]:
    for node in module.nodes:
        if isinstance(node, ast.ImportFrom) and node.level:
            yield module.fault(node.lineno, "imports are absolute: gitmem.mcp and gitmem.code share names with others")


def wrong_door(module: Module) -> Iterator[Fault]:
    for node, name in module.imports():
        doors = DOORS.get(name.partition(".")[0])
        if doors and not any(fnmatch(module.dotted, door) for door in doors):
            yield module.fault(node.lineno, f"{name} enters by {' or '.join(doors)} only")
