"""The house style, measured. Each check names the file and the line; each has an example that it must refuse."""

import ast
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache

import pytest

from tests.house import conduct, sizes, words
from tests.house.source import PROJECT, Fault, Module, package, statements, without_docstring

Check = Callable[[Module], Iterator[Fault]]

MODULES = package()
LOOSE_TYPES = 10
IMPORTED_BY_MANY = re.compile(r"gitmem(\.model(\..*)?|\.errors|\.record|\.lazy|\.text(\..*)?|\.operations)?$")
PATCH = re.compile(r"monkeypatch\.setattr|\bmocker\.|\bMagicMock\b|\bmock\.patch|\bMock\(")
PATCHES_PER_1000_LINES = 2

# The check, the file that the example pretends to be, and source that the check must refuse.
REFUSED: list[tuple[Check, str, str]] = [
    (sizes.long_module, "gitmem/a.py", "x = 1\n" * 401),
    (sizes.long_function, "gitmem/a.py", "def f():\n" + "    x = 1\n" * 50),
    (sizes.many_parameters, "gitmem/a.py", "def f(a, b, c, d, *, e, f): ..."),
    (sizes.many_parameters, "gitmem/a.py", "class C:\n    def f(self, a, b, c, d, e, f): ..."),
    (sizes.fat_try, "gitmem/a.py", "try:\n    with a:\n" + "        x = 1\n" * 6 + "finally:\n    pass"),
    (words.vague_module, "gitmem/store/utils.py", ""),
    (words.vague_module, "gitmem/core/tree.py", ""),
    (words.vague_class, "gitmem/a.py", "class TreeManager: ..."),
    (words.silent_module, "gitmem/a.py", '"""Owns everything."""'),
    (words.silent_module, "gitmem/a.py", "x = 1"),
    (words.banner, "gitmem/a.py", "# ---- reading ----\n"),
    (words.banner, "gitmem/a.py", "x = 1  # Step 2: write\n"),
    (words.foreign_letter, "gitmem/store/a.py", 'x = "\u2192"\n'),
    (words.unexplained_type, "gitmem/a.py", "def f(x: Any): ..."),
    (words.unexplained_type, "gitmem/a.py", "x = cast(int, y)"),
    (words.unexplained_suppression, "gitmem/a.py", "x = 1  # type: ignore[assignment]"),
    (words.unexplained_suppression, "gitmem/a.py", "x = 1  # noqa: E501"),
    (words.loose_mapping, "gitmem/a.py", "def f(x: dict[str, Any]): ..."),
    (words.loose_mapping, "gitmem/a.py", "x: Mapping[str, list[dict[str, typing.Any]]]"),
    (conduct.broad_except, "gitmem/store/a.py", "try:\n    f()\nexcept (ValueError, Exception):\n    pass"),
    (conduct.broad_except, "gitmem/cli/output.py", "try:\n    f()\nexcept:\n    pass"),
    (conduct.broad_except, "gitmem/store/a.py", "with contextlib.suppress(Exception):\n    f()"),
    (conduct.decided_by_error_text, "gitmem/a.py", 'if "409" in str(err): ...'),
    (conduct.printing, "gitmem/mcp/server.py", "print(1)"),
    (conduct.printing, "gitmem/store/a.py", "sys.stderr.write('x')"),
    (conduct.clock, "gitmem/memory/a.py", "now = datetime.now(UTC)"),
    (conduct.surroundings, "gitmem/store/layout.py", "home = os.environ['HOME']"),
    (conduct.hidden_import, "gitmem/store/a.py", "def f():\n    import json"),
    (conduct.hidden_import, "gitmem/store/a.py", "importlib.import_module('json')"),
    (conduct.relative_import, "gitmem/store/a.py", "from . import b"),
    (conduct.wrong_door, "gitmem/store/tree.py", "from dulwich.objects import Blob"),
    (conduct.wrong_door, "gitmem/checks/schema.py", "import yaml"),
]
CHECKS: list[Check] = list(dict.fromkeys(check for check, _, _ in REFUSED))


def fail_on(faults: list[Fault]) -> None:
    if faults:
        pytest.fail("\n".join(["", *map(str, faults)]), pytrace=False)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_package_keeps_the_house_style(check: Check) -> None:
    fail_on([fault for module in MODULES for fault in check(module)])


@pytest.mark.parametrize(
    ("check", "rel", "text"), REFUSED, ids=[f"{check.__name__}-{n}" for n, (check, _, _) in enumerate(REFUSED)]
)
def test_each_check_refuses_its_example(check: Check, rel: str, text: str) -> None:
    assert list(check(Module(rel, text)))


@pytest.mark.parametrize(
    ("check", "rel", "text"),
    [
        (sizes.many_parameters, "gitmem/a.py", "class C:\n    def f(self, a, b, c, d, e): ..."),
        (words.foreign_letter, "gitmem/text/words.py", 'x = "\u2192"\n'),
        (words.foreign_letter, "gitmem/a.py", 'x = "\u2192"  # non-ascii: the arrow of the ledger\n'),
        (words.unexplained_type, "gitmem/a.py", "x: Any  # the library's own type is untyped"),
        (words.unexplained_suppression, "gitmem/a.py", "x = f()  # type: ignore[no-untyped-call]  # no stubs"),
        (conduct.broad_except, "gitmem/cli/main.py", "try:\n    f()\nexcept Exception:\n    pass"),
        (conduct.wrong_door, "gitmem/store/git_objects.py", "from dulwich.objects import Blob"),
        (conduct.hidden_import, "gitmem/lazy.py", "def f():\n    importlib.import_module('x')"),
        (conduct.printing, "gitmem/cli/output.py", "print(1)"),
    ],
)
def test_what_the_house_allows_passes(check: Check, rel: str, text: str) -> None:
    assert list(check(Module(rel, text))) == []


def identical_bodies(modules: list[Module]) -> list[Fault]:
    """Functions of four statements or more whose bodies are the same but for docstrings."""
    places: dict[str, list[Fault]] = defaultdict(list)
    for module in modules:
        for function in module.functions():
            body = without_docstring(function)
            if statements(body) >= 4:
                key = "\n".join(ast.dump(statement) for statement in body)
                places[key].append(module.fault(function.lineno, f"{function.name} has the body of another function"))
    return [fault for faults in places.values() if len(faults) > 1 for fault in faults]


def test_no_two_functions_have_the_same_body() -> None:
    fail_on(identical_bodies(MODULES))


def test_the_same_body_in_two_modules_is_found() -> None:
    body = "    a = 1\n    b = 2\n    c = 3\n    return a\n"
    twins = [Module("gitmem/a.py", f'def f():\n    """One."""\n{body}'), Module("gitmem/b.py", f"def g():\n{body}")]

    assert [fault.rel for fault in identical_bodies(twins)] == ["gitmem/a.py", "gitmem/b.py"]


def popular(modules: list[Module]) -> list[Fault]:
    """Modules that more than a third of the others import, but for those that everybody may."""
    names = {module.dotted: module for module in modules}
    importers = defaultdict(set)
    for module in modules:
        for _, name in module.imports():
            if name in names and name != module.dotted:
                importers[name].add(module.dotted)
    limit = (len(modules) - 1) / 3
    return [
        names[name].fault(1, f"imported by {len(by)} of {len(modules) - 1} other modules; at most a third may")
        for name, by in sorted(importers.items())
        if len(by) > limit and not IMPORTED_BY_MANY.match(name)
    ]


def test_no_module_is_imported_by_more_than_a_third() -> None:
    fail_on(popular(MODULES))


def test_a_module_that_half_the_package_imports_is_found() -> None:
    hub = Module("gitmem/store/repo.py", "")
    spokes = [Module(f"gitmem/rules/r{n}.py", "from gitmem.store.repo import Repo") for n in range(2)]
    others = [Module(f"gitmem/rules/o{n}.py", "") for n in range(2)]

    assert [fault.rel for fault in popular([hub, *spokes, *others])] == ["gitmem/store/repo.py"]


def test_loose_types_are_fewer_than_ten_in_the_project() -> None:
    loose = re.compile(r"\bAny\b(?!.*\bimport\b)|\bcast\(|#\s*type:\s*ignore")
    found = [
        module.fault(line, text.strip())
        for module in MODULES
        for line, text in enumerate(module.lines, 1)
        if loose.search(text) and not text.lstrip().startswith(("from ", "import ", '"""', "#"))
    ]

    if len(found) >= LOOSE_TYPES:
        fail_on(found)


def test_the_operations_table_loads_no_third_party_module_and_no_room() -> None:
    script = (
        "import sys; before = set(sys.modules); import gitmem.operations; print(*sorted(set(sys.modules) - before))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", script], cwd=PROJECT, capture_output=True, text=True, check=True
    ).stdout

    ours = re.compile(r"gitmem(\.operations(\..*)?|\.model(\..*)?|\.errors|\.lazy|\.record)?$")
    foreign = [name for name in loaded.split() if name.partition(".")[0] not in sys.stdlib_module_names]

    assert [name for name in foreign if not ours.match(name)] == []


def retired_words() -> list[tuple[str, str, str]]:
    """Rows of the glossary's table: the retired word, what to say, and where the word is looked for."""
    page = (PROJECT / "docs/glossary.md").read_text(encoding="utf-8")
    table = page.partition("## Retired words")[2]
    rows = re.findall(r"^\| ([^|]+?) \| ([^|]+?) \| (everywhere|names) \|$", table, re.MULTILINE)
    return [(word, instead, where) for word, instead, where in rows]


@cache
def defined_names(module: Module) -> list[tuple[int, list[str]]]:
    """Each by its line and its parts."""
    found = []
    for node in module.nodes:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.append((node.lineno, parts(name)))
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
                found.append((node.lineno, parts(name)))
    return found


def parts(name: str) -> list[str]:
    return [part.lower() for part in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+", name)]


def spoken(module: Module, word: str, where: str) -> Iterator[int]:
    if where == "names":
        wanted = word.split("_")
        for line, said in defined_names(module):
            if any(said[at : at + len(wanted)] == wanted for at in range(len(said))):
                yield line
    else:
        pattern = re.compile(rf"(?<![a-z]){re.escape(word)}(?![a-z])", re.IGNORECASE)
        yield from (line for line, text in enumerate(module.lines, 1) if pattern.search(text))


def test_the_glossary_has_retired_words() -> None:
    assert len(retired_words()) >= 5


@pytest.mark.parametrize(("word", "instead", "where"), retired_words())
def test_retired_words_are_not_used(word: str, instead: str, where: str) -> None:
    fail_on(
        [
            module.fault(line, f"{word!r} is retired: {instead}")
            for module in MODULES
            for line in spoken(module, word, where)
        ]
    )


def test_retired_words_are_found_in_names_and_in_text() -> None:
    module = Module("gitmem/a.py", 'def dream_cycle(blob_sha):\n    """Runs the Incubator."""\n')

    assert list(spoken(module, "sha", "names")) == [1]
    assert list(spoken(module, "incubator", "everywhere")) == [2]
    assert list(spoken(module, "blob_sha1", "names")) == []


def test_tests_patch_next_to_nothing() -> None:
    files = [
        path for path in (PROJECT / "tests").rglob("*.py") if "fault" not in path.parts and path.name != "test_house.py"
    ]
    texts = {path: path.read_text(encoding="utf-8").splitlines() for path in files}
    patches = [
        Fault(path.relative_to(PROJECT).as_posix(), number, "patch only the clock and the environment")
        for path, lines in texts.items()
        for number, line in enumerate(lines, 1)
        if PATCH.search(line)
    ]

    if len(patches) * 1000 > PATCHES_PER_1000_LINES * sum(map(len, texts.values())):
        fail_on(patches)
