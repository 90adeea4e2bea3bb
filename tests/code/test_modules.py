"""From an import to the files that it reaches: tables for each language, and what a text must hold to import a file."""

import pytest

from gitmem.code.modules import Tracked, go_module, reached, tracked
from gitmem.code.testing import is_named_as_test, is_test, package_of, package_tested
from gitmem.code.traces import traces
from gitmem.model.imports import Import

PYTHON = tracked(
    [
        "setup.py",
        "src/app/__init__.py",
        "src/app/models.py",
        "src/app/models.pyi",
        "src/app/json.py",
        "src/app/sub/__init__.py",
        "src/app/sub/deep.py",
        "src/app/names/only.py",
        "src/both.py",
        "src/both/__init__.py",
        "tests/helpers.py",
        "tests/unit/__init__.py",
        "tests/unit/test_models.py",
        "packages/one/one/__init__.py",
        "packages/one/one/tool.py",
        "packages/two/src/two/__init__.py",
        "packages/two/tests/test_two.py",
    ]
)
SRC = "src/app"


@pytest.mark.parametrize(
    ("path", "module", "names", "files"),
    [
        ("tests/unit/test_models.py", "app", (), [f"{SRC}/__init__.py"]),
        ("tests/unit/test_models.py", "app.models", (), [f"{SRC}/models.py", f"{SRC}/models.pyi"]),
        ("tests/unit/test_models.py", "app.sub", ("deep",), [f"{SRC}/sub/deep.py"]),
        ("tests/unit/test_models.py", "app.sub", ("deep", "x"), [f"{SRC}/sub/__init__.py", f"{SRC}/sub/deep.py"]),
        ("tests/unit/test_models.py", "app", ("*",), [f"{SRC}/__init__.py"]),
        ("tests/unit/test_models.py", "app.names", ("only",), [f"{SRC}/names/only.py"]),
        ("tests/unit/test_models.py", "app.names.only", (), [f"{SRC}/names/only.py"]),
        ("tests/unit/test_models.py", "both", (), ["src/both/__init__.py"]),
        ("tests/unit/test_models.py", "helpers", (), ["tests/helpers.py"]),
        ("tests/unit/test_models.py", "one.tool", ("f",), ["packages/one/one/tool.py"]),
        ("packages/two/tests/test_two.py", "two", (), ["packages/two/src/two/__init__.py"]),
        (f"{SRC}/models.py", "json", (), []),
        (f"{SRC}/models.py", ".", ("json",), [f"{SRC}/json.py"]),
        (f"{SRC}/models.py", ".", ("value",), [f"{SRC}/__init__.py"]),
        (f"{SRC}/models.py", ".sub.deep", ("f",), [f"{SRC}/sub/deep.py"]),
        (f"{SRC}/sub/deep.py", "..models", ("f",), [f"{SRC}/models.py", f"{SRC}/models.pyi"]),
        (f"{SRC}/sub/__init__.py", ".deep", ("f",), [f"{SRC}/sub/deep.py"]),
        (
            f"{SRC}/sub/deep.py",
            "..",
            ("models", "value"),
            [f"{SRC}/{n}" for n in ("__init__.py", "models.py", "models.pyi")],
        ),
        (f"{SRC}/sub/deep.py", "......models", ("f",), []),
        ("setup.py", "os.path", (), []),
        ("setup.py", "app.missing", ("x",), []),
    ],
)
def test_python_modules(path: str, module: str, names: tuple[str, ...], files: list[str]) -> None:
    assert list(reached(path, Import(module, names, 1), PYTHON)) == files


ECMASCRIPT = tracked(
    [
        "index.ts",
        "src/a.ts",
        "src/a.js",
        "src/a.service.ts",
        "src/b/index.tsx",
        "src/b.d.ts",
        "src/only/index.js",
        "src/view.tsx",
        "src/mod.mts",
        "src/style.css",
        "src/data.json",
        "src/App.vue",
        "test/a.test.ts",
    ]
)


@pytest.mark.parametrize(
    ("path", "module", "files"),
    [
        ("src/view.tsx", "./a", ["src/a.ts"]),
        ("src/view.tsx", "./a.js", ["src/a.js"]),
        ("src/view.tsx", "./view.jsx", ["src/view.tsx"]),
        ("src/view.tsx", "./mod.mjs", ["src/mod.mts"]),
        ("src/view.tsx", "./a.service", ["src/a.service.ts"]),
        ("src/view.tsx", "./a.service.js", ["src/a.service.ts"]),
        ("src/view.tsx", "./b", ["src/b.d.ts"]),
        ("src/view.tsx", "./b/", ["src/b/index.tsx"]),
        ("src/view.tsx", "./only", ["src/only/index.js"]),
        ("src/only/index.js", "..", []),
        ("src/b/index.tsx", "../..", ["index.ts"]),
        ("src/b/index.tsx", ".", ["src/b/index.tsx"]),
        ("test/a.test.ts", "../src/a", ["src/a.ts"]),
        ("test/a.test.ts", "../src/style.css?inline", ["src/style.css"]),
        ("test/a.test.ts", "../src/data.json", ["src/data.json"]),
        ("test/a.test.ts", "../src/App.vue", ["src/App.vue"]),
        ("test/a.test.ts", "../../outside", []),
        ("test/a.test.ts", "src/a", []),
        ("test/a.test.ts", "react", []),
        ("test/a.test.ts", "/src/a", []),
        ("test/a.test.ts", "", []),
    ],
)
def test_paths_of_typescript_and_javascript(path: str, module: str, files: list[str]) -> None:
    assert list(reached(path, Import(module, (), 1), ECMASCRIPT)) == files


GO = tracked(
    [
        "go.mod",
        "a.go",
        "a_test.go",
        "tool/t.go",
        "tool/t_test.go",
        "tool/README.md",
        "sub/go.mod",
        "sub/x/x.go",
        "x/y.go",
    ],
    {
        "go.mod": "// what it is\nmodule example.com/team/app // name\n\ngo 1.22\n",
        "sub/go.mod": 'module "example.com/team/app/sub"\n',
    },
)


@pytest.mark.parametrize(
    ("module", "files"),
    [
        ("example.com/team/app", ["a.go"]),
        ("example.com/team/app/tool", ["tool/t.go"]),
        ("example.com/team/app/sub/x", ["sub/x/x.go"]),
        ("example.com/team/app/none", []),
        ("example.com/team/application", []),
        ("fmt", []),
    ],
)
def test_packages_of_go(module: str, files: list[str]) -> None:
    assert list(reached("b/b.go", Import(module, (), 1), GO)) == files


@pytest.mark.parametrize(
    ("text", "module"),
    [
        ("module a/b\n", "a/b"),
        ("module\ta\r\n", "a"),
        ("modules a\n", ""),
        ("", ""),
        ("// module a\n", ""),
        ("module a b", ""),
    ],
)
def test_a_go_mod_declares_its_module(text: str, module: str) -> None:
    assert go_module(text) == module


JAVA = tracked(
    [
        "core/src/main/java/org/acme/Tool.java",
        "core/src/main/java/org/acme/Other.java",
        "core/src/test/java/org/acme/ToolTest.java",
        "web/src/main/java/org/acme/Tool.java",
        "web/src/main/java/org/acme/web/Page.java",
    ]
)


@pytest.mark.parametrize(
    ("path", "module", "names", "files"),
    [
        ("web/src/main/java/org/acme/web/Page.java", "org.acme.Tool", (), ["web/src/main/java/org/acme/Tool.java"]),
        ("core/src/test/java/org/acme/ToolTest.java", "org.acme.Tool", (), ["core/src/main/java/org/acme/Tool.java"]),
        ("core/A.java", "org.acme.Tool.Inner", (), ["core/src/main/java/org/acme/Tool.java"]),
        ("core/A.java", "org.acme.Tool", ("use",), ["core/src/main/java/org/acme/Tool.java"]),
        ("core/A.java", "org.acme.web", ("*",), ["web/src/main/java/org/acme/web/Page.java"]),
        ("core/A.java", "acme.Missing", (), []),
        ("core/A.java", "java.util.List", (), []),
        ("A.java", "org.acme.Tool", (), [f"{p}/src/main/java/org/acme/Tool.java" for p in ("core", "web")]),
    ],
)
def test_classes_of_java(path: str, module: str, names: tuple[str, ...], files: list[str]) -> None:
    assert list(reached(path, Import(module, names, 1), JAVA)) == files


@pytest.mark.parametrize(
    ("path", "known", "words", "folder"),
    [
        ("src/app/models.py", PYTHON, ("models",), None),
        ("src/app/__init__.py", PYTHON, ("__init__", "app"), "src/app"),
        ("src/b.d.ts", ECMASCRIPT, ("b",), None),
        ("src/a.service.ts", ECMASCRIPT, ("a.service",), None),
        ("index.ts", ECMASCRIPT, ("index",), ""),
        ("src/style.css", ECMASCRIPT, ("style",), None),
        ("Makefile", ECMASCRIPT, ("Makefile",), None),
        (".env", ECMASCRIPT, (".env",), None),
        ("tool/t.go", GO, ("example.com/team/app/tool",), None),
        ("sub/x/x.go", GO, ("example.com/team/app/sub/x",), None),
        ("core/src/main/java/org/acme/Tool.java", JAVA, ("Tool", "acme.*"), None),
    ],
)
def test_what_an_importer_must_hold(path: str, known: Tracked, words: tuple[str, ...], folder: str | None) -> None:
    found = traces(path, known)

    assert (found.words, found.folder) == (words, folder)


@pytest.mark.parametrize(
    ("path", "is_one", "is_named"),
    [
        ("tests/test_a.py", True, True),
        ("pkg/test_a.py", True, True),
        ("pkg/a_test.py", True, True),
        ("app/tests.py", True, True),
        ("tests/helpers.py", True, False),
        ("tests/conftest.py", False, False),
        ("tests/__init__.py", False, False),
        ("tests/fixtures/test_a.py", False, True),
        ("tests/data.json", False, False),
        ("src/latest.py", False, False),
        ("src/contest.py", False, False),
        ("a/b_test.go", True, True),
        ("a/b.go", False, False),
        ("test/b.go", False, False),
        ("src/a.test.ts", True, True),
        ("src/a.spec.tsx", True, True),
        ("src/__tests__/a.js", True, False),
        ("test/setup.ts", False, False),
        ("src/a.ts", False, False),
        ("src/test/java/org/acme/ToolTest.java", True, True),
        ("src/test/java/org/acme/Helper.java", False, False),
        ("src/main/java/org/acme/Latest.java", False, False),
        ("spec/a_spec.rb", True, True),
    ],
)
def test_tests_are_known_by_their_names(path: str, is_one: bool, is_named: bool) -> None:
    assert (is_test(path), is_named_as_test(path)) == (is_one, is_named)


@pytest.mark.parametrize(
    ("test", "path", "is_one"),
    [
        ("a/b_test.go", "a/c.go", True),
        ("a/b_test.go", "b/c.go", False),
        ("core/src/test/java/org/acme/ToolTest.java", "core/src/main/java/org/acme/Tool.java", True),
        ("core/src/test/java/org/acme/TestTool.java", "core/src/main/java/org/acme/Tool.java", True),
        ("core/src/test/java/org/acme/ToolsTest.java", "core/src/main/java/org/acme/Tool.java", False),
        ("core/src/test/java/org/other/ToolTest.java", "core/src/main/java/org/acme/Tool.java", False),
        ("tests/test_a.py", "a.py", False),
    ],
)
def test_some_tests_need_no_import(test: str, path: str, is_one: bool) -> None:
    assert (package_of(path) != "" and package_tested(test) == package_of(path)) is is_one
