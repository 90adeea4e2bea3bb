"""Manifests say where imports lead; a broken one says nothing."""

import pytest

from gitmem.code.manifests import is_manifest, manifests
from gitmem.code.modules import reached, tracked
from gitmem.model.imports import Import

MANIFESTS = {
    "go.mod": "module example.com/a\n",
    "tsconfig.json": """{
  "compilerOptions": {"paths": {"@/*": ["./src/*", "./lib/*"], "exact": ["./src/one.ts"]}} // end
}
""",
    "app/jsconfig.json": '{"compilerOptions": {"baseUrl": "code",}}\n',
    "packages/ui/package.json": '{"name": "@a/ui", "main": "dist/index.js", "imports": {"#own/*": "./src/own/*"}}\n',
    "packages/api/package.json": """{
  "name": "api",
  "exports": {".": {"types": "./types.d.ts", "import": "./entry.mjs"}}
}
""",
    "composer.json": '{"autoload": {"psr-4": {"A\\\\B\\\\": "src/b/", "A\\\\": ["src"]}}}\n',
    "pyproject.toml": '[tool.setuptools.packages.find]\nwhere = ["source"]\n',
    "crates/fast/Cargo.toml": '[package]\nversion = "1"\nname = "fast-scan"\n',
    "pkgs/ink/pubspec.yaml": "name: ink\nversion: 1.0.0\n",
}
SOURCES = (
    *("src/one.ts", "lib/two.ts", "app/code/three.js", "app/main.js", "packages/ui/src/index.ts"),
    *("packages/ui/src/own/four.ts", "packages/ui/src/a.ts", "packages/api/types.d.ts", "packages/api/entry.mjs"),
    *("src/b/Five.php", "src/C/Six.php", "source/pkg/__init__.py", "source/pkg/seven.py", "tools/run.py"),
    *("crates/fast/src/lib.rs", "crates/fast/src/scan/mod.rs", "crates/use/src/main.rs", "crates/use/src/args.rs"),
    *("pkgs/ink/lib/pen.dart", "pkgs/app/lib/main.dart", "pkgs/app/lib/side.dart"),
    *("kt/src/main/kotlin/a/b/Note.kt", "kt/src/main/kotlin/a/b/Extra.kt", "kt/src/test/kotlin/c/T.kt"),
    *("rb/lib/tool/run.rb", "rb/lib/tool.rb", "rb/bin/go.rb", "c/include/list.h", "c/src/list.c", "c/src/local.h"),
)
KOTLIN = "kt/src/main/kotlin/a/b"
KNOWN = tracked([*SOURCES, *MANIFESTS], MANIFESTS)


@pytest.mark.capability("C-014")
@pytest.mark.parametrize(
    ("path", "module", "names", "files"),
    [
        ("src/a.ts", "@/one", (), ["src/one.ts"]),
        ("src/a.ts", "@/two", (), ["lib/two.ts"]),
        ("src/a.ts", "exact", (), ["src/one.ts"]),
        ("src/a.ts", "@/none", (), []),
        ("src/a.ts", "react", (), []),
        ("app/main.js", "three", (), ["app/code/three.js"]),
        ("src/a.ts", "three", (), []),
        ("src/a.ts", "@a/ui", (), ["packages/ui/src/index.ts"]),
        ("src/a.ts", "@a/ui/src/a", (), ["packages/ui/src/a.ts"]),
        ("packages/ui/src/a.ts", "#own/four", (), ["packages/ui/src/own/four.ts"]),
        ("src/a.ts", "#own/four", (), []),
        ("src/a.ts", "api", (), ["packages/api/types.d.ts"]),
        ("src/x.php", "A\\B\\Five", (), ["src/b/Five.php"]),
        ("src/x.php", "A\\C", ("Six",), ["src/C/Six.php"]),
        ("src/x.php", "Other\\Six", (), []),
        ("tools/run.py", "pkg.seven", (), ["source/pkg/seven.py"]),
        ("crates/use/src/main.rs", "fast_scan::scan", ("go",), ["crates/fast/src/scan/mod.rs"]),
        ("crates/use/src/main.rs", "crate::args", ("Args",), ["crates/use/src/args.rs"]),
        ("crates/use/src/args.rs", "super", ("run",), ["crates/use/src/main.rs"]),
        ("crates/use/src/main.rs", "std::io", (), []),
        ("pkgs/app/lib/main.dart", "package:ink/pen.dart", (), ["pkgs/ink/lib/pen.dart"]),
        ("pkgs/app/lib/main.dart", "side.dart", (), ["pkgs/app/lib/side.dart"]),
        ("pkgs/app/lib/main.dart", "dart:io", (), []),
        ("kt/src/test/kotlin/c/T.kt", "a.b", ("Note",), ["kt/src/main/kotlin/a/b/Note.kt"]),
        ("kt/src/test/kotlin/c/T.kt", "a.b", ("*",), [f"{KOTLIN}/Extra.kt", f"{KOTLIN}/Note.kt"]),
        ("rb/bin/go.rb", "tool/run", (), ["rb/lib/tool/run.rb"]),
        ("rb/lib/tool.rb", "./tool/run", (), ["rb/lib/tool/run.rb"]),
        ("c/src/list.c", "list.h", (), ["c/include/list.h"]),
        ("c/src/list.c", "local.h", (), ["c/src/local.h"]),
        ("c/src/list.c", "stdio.h", (), []),
    ],
)  # fmt: skip
def test_an_import_leads_where_the_manifest_says(
    path: str, module: str, names: tuple[str, ...], files: list[str]
) -> None:
    assert list(reached(path, Import(module, names, 1), KNOWN)) == files


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"name": 3}', "\ufeff{}", "[" * 100_000, '{"exports": 7}'])
def test_a_broken_manifest_says_nothing(text: str) -> None:
    names = ("go.mod", "tsconfig.json", "package.json", "composer.json", "pyproject.toml", "Cargo.toml", "pubspec.yaml")

    found = manifests({f"a/{name}": text for name in names})

    assert (found.aliases, dict(found.packages), found.namespaces, found.sources) == ((), {}, (), ())


@pytest.mark.parametrize(
    ("path", "is_one"),
    [("a/tsconfig.base.json", True), ("package.json", True), ("a/other.json", False), ("Cargo.toml", True)],
)
def test_manifests_are_known_by_their_names(path: str, is_one: bool) -> None:
    assert is_manifest(path) is is_one
