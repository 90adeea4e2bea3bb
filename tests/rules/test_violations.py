"""Each check of a verify block passes and fails in four languages, and judges no line that was there before."""

import time
from collections.abc import Sequence

import pytest

from gitmem.model.diff import COPIED, DELETED, RENAMED, FileDiff
from gitmem.record import replace
from gitmem.rules import violations
from tests.rules.changes import changed, judged, new, rule, sight, told

# For each language: a file, an import of another module, of one below it, of one whose name only begins like it.
LANGUAGES = {
    "python": ("src/ui/a.py", "import requests\n", "from requests.sessions import Session\n", "import requests_x\n"),
    "typescript": (
        "src/ui/a.ts",
        'import f from "node-fetch"\n',
        'import { g } from "node-fetch/x"\n',
        'import h from "node-fetch-x"\n',
    ),
    "go": (
        "src/ui/a.go",
        'package ui\nimport "net/http"\n',
        'package ui\nimport (\n\t"net/http/httptest"\n)\n',
        'package ui\nimport "net/httpx"\n',
    ),
    "java": (
        "src/ui/A.java",
        "import java.net.http;\nclass A {}\n",
        "import java.net.http.HttpClient;\nclass A {}\n",
        "import java.net.httpx.Client;\nclass A {}\n",
    ),
}
MODULES = {"python": "requests", "typescript": "node-fetch", "go": "net/http", "java": "java.net.http"}
each_language = pytest.mark.parametrize("language", LANGUAGES)


@pytest.mark.capability("R-024")
@each_language
def test_a_forbidden_import_is_named_with_its_line(language: str) -> None:
    path, exact, below, alike = LANGUAGES[language]
    block = f'forbid_import: ["{MODULES[language]}"]'

    for text in (exact, below):
        (found,) = judged(block, {path: text})
        written = text.splitlines()[found.line - 1]
        assert (found.check, found.path) == ("forbidden_import", path)
        assert MODULES[language] in written
        assert found.evidence == written.strip()
    assert judged(block, {path: alike}) == []


@pytest.mark.capability("G-037")
@each_language
def test_a_required_import_is_missed_and_found(language: str) -> None:
    path, exact, below, alike = LANGUAGES[language]
    block = f'require_import: ["{MODULES[language]}"]'

    assert told(judged(block, {path: alike})) == [("missing_import", path, 1)]
    assert judged(block, {path: exact}) == []
    assert judged(block, {path: below}) == []


@pytest.mark.parametrize(
    ("path", "text", "wanted", "is_found"),
    [
        ("a.py", "from requests import sessions\n", "requests.sessions", True),
        ("a.py", "import os, requests as r\n", "requests", True),
        ("a.py", "# import requests\nx = 'import requests'\n", "requests", False),
        ("app/ui/a.py", "from ..db import session\n", "app.db", True),
        ("src/app/ui/a.py", "from ..db import session\n", "app.db", True),
        ("app/ui/a.py", "from . import b\n", "app.ui.b", True),
        ("a.ts", 'import d from "lodash.debounce"\n', "lodash", False),
        ("a.ts", 'import d from "lodash/debounce"\n', "lodash", True),
        ("a.ts", 'const d = require("lodash")\n', "lodash", True),
        ("src/ui/a.ts", 'import c from "../api/client"\n', "src/api", True),
        ("a.tsx", 'import { x } from "@angular/core"\n', "@angular/*", True),
        ("a.tsx", 'import { x } from "@angularjs/core"\n', "@angular/*", False),
        ("a.js", 'import x from "react-dom"\n', "react*", True),
        ("A.java", "import static org.junit.Assert.assertEquals;\nclass A {}\n", "org.junit", True),
    ],
)
def test_a_module_has_what_is_in_it_and_not_what_sounds_like_it(
    path: str, text: str, wanted: str, is_found: bool
) -> None:
    assert bool(judged(f'forbid_import: ["{wanted}"]', {path: text})) is is_found


@pytest.mark.capability("G-037")
@pytest.mark.parametrize(
    ("block", "texts", "expected"),
    [
        ("forbid_pattern: ['eval\\(']", {"a.py": "x\neval(y)\n"}, ("forbidden_pattern", "a.py", 2)),
        ("forbid_pattern: ['^import \\*$']", {"a.ts": "x\r\nimport *\r\n"}, ("forbidden_pattern", "a.ts", 2)),
        ("forbid_pattern: ['\\Apanic']", {"a.go": "x\npanic(1)\n"}, ("forbidden_pattern", "a.go", 2)),
        ("forbid_pattern: ['(?i)SYSTEM.OUT']", {"A.java": "System.out\n"}, ("forbidden_pattern", "A.java", 1)),
        ("require_pattern: ['^__all__ =']", {"a.py": "x = 1\n"}, ("missing_pattern", "a.py", 1)),
        ("require_pattern: [\"use strict\"]", {"a.js": "x\n"}, ("missing_pattern", "a.js", 1)),
        ("require_pattern: ['^package \\w+$']", {"a.go": "x\n"}, ("missing_pattern", "a.go", 1)),
        ("require_pattern: ['@NonNull']", {"A.java": "class A {}\n"}, ("missing_pattern", "A.java", 1)),
        ("forbid_path: [\"src/old/**\"]", {"src/old/a.py": "x\n"}, ("forbidden_path", "src/old/a.py", 1)),
        ("forbid_path: [\"**/*.js\"]", {"src/a.js": "x\n"}, ("forbidden_path", "src/a.js", 1)),
        ("max_lines: 2", {"a.py": "1\n2\n3\n"}, ("too_many_lines", "a.py", 3)),
        ("max_lines: 2", {"a.go": "1\r\n2\r\n3"}, ("too_many_lines", "a.go", 3)),
        ("header: '# (c) {year} A'", {"a.py": "# (c) A\n"}, ("missing_header", "a.py", 1)),
        ("header: |\n  // (c) A\n  // MIT", {"a.ts": "// (c) A\nx\n"}, ("missing_header", "a.ts", 1)),
    ],
)  # fmt: skip
def test_a_check_fails(block: str, texts: dict[str, str], expected: tuple[str, str, int]) -> None:
    assert told(judged(block, texts)) == [expected]


@pytest.mark.capability("G-037")
@pytest.mark.parametrize(
    ("block", "texts"),
    [
        ("forbid_pattern: ['eval\\(']", {"a.py": "evaluate(y)\n"}),
        ("forbid_pattern: ['a\\sb']", {"a.ts": "a\nb\n"}),
        ("forbid_pattern: ['.']", {"a.go": ""}),
        ("require_pattern: ['^__all__ = \\[$']", {"a.py": "x\r\n__all__ = [\r\n]\r\n"}),
        ("require_pattern: ['x']", {"empty.py": ""}),
        ("forbid_path: [\"src/old/**\"]", {"src/older/a.py": "x\n"}),
        ("max_lines: 3", {"a.py": "1\n2\n3\n"}),
        ("max_lines: 3", {"a.go": "1\r\n2\r\n3"}),
        ("header: '# (c) {year} A'", {"a.py": "#!/usr/bin/env python\n# (c) 2024 A\n"}),
        ("header: |\n  // (c) A\n  // MIT", {"a.ts": "\ufeff// (c) A\r\n// MIT\r\nx\r\n"}),
        ("header: '// (c)'", {"a.go": ""}),
    ],
)  # fmt: skip
def test_a_check_passes(block: str, texts: dict[str, str]) -> None:
    assert judged(block, texts) == []


@pytest.mark.capability("R-024")
@pytest.mark.parametrize(
    ("wanted", "paths", "missing"),
    [
        ("src/ui/**/*.test.tsx", ["src/ui/a.tsx"], "src/ui/**/*.test.tsx"),
        ("src/ui/**/*.test.tsx", ["src/ui/a.tsx", "src/ui/x/b.test.tsx"], ""),
        ("src/ui/**/*.test.tsx", ["src/ui/a.test.tsx"], ""),
        ("{dir}/{stem}.test.{ext}", ["src/a.ts", "src/b.test.ts"], "src/a.test.ts"),
        ("{dir}/{stem}.test.{ext}", ["src/a.ts", "src/a.test.ts"], ""),
        ("{dir}/{stem}.test.{ext}", ["src/a.test.ts"], ""),
        ("tests/**/test_{name}", ["src/deep/a.py", "tests/deep/test_a.py"], ""),
        ("tests/**/test_{name}", ["src/deep/a.py", "tests/test_b.py"], "tests/**/test_a.py"),
        ("{dir}/{stem}_test.go", ["a.go", "a_test.go"], ""),
        ("{dir}/{stem}_test.go", ["a.go", "x/a_test.go"], "a_test.go"),
        ("{dir}/{stem}.md", ["x/.env"], "x/.env.md"),
        ("src/test/**/{stem}Test.java", ["src/main/A.java"], "src/test/**/ATest.java"),
        ("{dir}/{stem}.md", ["src/[id]{x},.ts", "src/[id]{x},.md"], ""),
        ("docs/*.{md,txt}", ["a.py", "docs/x.txt"], ""),
    ],
)
def test_a_companion_is_another_touched_file(wanted: str, paths: list[str], missing: str) -> None:
    found = judged(f"require_companion: ['{wanted}']", dict.fromkeys(paths, "x\n"))

    assert told(found) == ([("missing_companion", paths[0], 1)] if missing else [])
    assert [each.evidence for each in found] == ([missing] if missing else [])


def test_a_companion_that_goes_is_none() -> None:
    files = [new("src/a.ts", "x\n"), FileDiff("src/a.test.ts", DELETED)]

    found = violations.judge([rule("require_companion: ['**/*.test.ts']", files)], sight({"src/a.ts": "x\n"}, files))

    assert told(found) == [("missing_companion", "src/a.ts", 1)]


@pytest.mark.capability("G-037")
@pytest.mark.parametrize(
    ("path", "text", "target", "line"),
    [
        ("src/domain/a.py", "import os\nfrom src.ui import view\n", "src/ui/view.py", 2),
        ("src/domain/a.ts", 'import v from "../ui/view"\n', "src/ui/view.ts", 1),
        ("domain/a.go", 'package domain\n\nimport "example.com/shop/ui"\n', "ui/view.go", 3),
        ("src/domain/A.java", "package domain;\nimport ui.View;\nclass A {}\n", "src/ui/View.java", 2),
    ],
)
def test_a_layer_imports_from_its_own_and_from_those_that_it_may(path: str, text: str, target: str, line: int) -> None:
    forbidden = judged("layer_imports:\n  domain: [db]", {path: text}, [target])
    allowed = judged("layer_imports:\n  domain: [ui]", {path: text}, [target])
    of_another = judged("layer_imports:\n  ui: []", {path: text}, [target])
    unresolved = judged("layer_imports:\n  domain: []", {path: text})

    assert told(forbidden) == [("layer_import", path, line)]
    assert forbidden[0].evidence.endswith("(domain -> ui)")
    assert "db" in forbidden[0].hint
    assert allowed == of_another == unresolved == []


@pytest.mark.parametrize(
    ("wanted", "is_found"),
    [("src/ui", True), ("src/ui/View", True), ("src/ui/View.java", True), ("src/*", True), ("src/u", False)],
)
def test_a_path_in_a_rule_is_meant_however_the_import_is_written(wanted: str, is_found: bool) -> None:
    files = {"src/domain/A.java": "package domain;\nimport ui.View;\nclass A {}\n"}

    assert bool(judged(f"forbid_import: ['{wanted}']", files, ["src/ui/View.java"])) is is_found
    assert bool(judged(f"require_import: ['{wanted}']", files, ["src/ui/View.java"])) is not is_found


@pytest.mark.parametrize("lines", [(), (3,), (1, 3)])
def test_of_a_changed_file_only_the_lines_that_come_have_patterns_and_imports(lines: Sequence[int]) -> None:
    text = "import requests\nimport requests\nprint(1)\n"
    file = changed("a.py", text, lines)
    asked = rule("forbid_import: [requests]\nforbid_pattern: ['print']", [file])

    found = violations.judge([asked], sight({"a.py": text}, [file]))

    expected = [("forbidden_import", 1)] if 1 in lines else []
    expected += [("forbidden_pattern", 3)] if 3 in lines else []
    assert [(each.check, each.line) for each in found] == expected


LONG_PYTHON = "from shop import (\n    cart,\n    secret,\n    till,\n)\n"
LONG_TYPESCRIPT = 'import {\n  a,\n  b,\n} from "node-fetch"\n'


@pytest.mark.capability("R-024")
@pytest.mark.parametrize(
    ("path", "text", "wanted", "line", "found"),
    [
        ("a.py", LONG_PYTHON, "shop.secret", 3, [3]),
        ("a.py", LONG_PYTHON, "shop.secret", 4, []),
        ("a.py", LONG_PYTHON, "shop.secret", 5, []),
        ("a.py", LONG_PYTHON, "shop.secret", 1, [1]),
        ("a.py", LONG_PYTHON, "shop", 4, [4]),
        ("a.py", "import os, \\\n    requests\n", "requests", 2, [2]),
        ("a.ts", LONG_TYPESCRIPT, "node-fetch", 4, [4]),
        ("a.ts", LONG_TYPESCRIPT, "node-fetch", 3, [3]),
        ("a.js", 'const f = require(\n  "node-fetch",\n)\n', "node-fetch", 2, [2]),
        ("a.js", 'const f = require(\n  "node-fetch",\n)\n', "node-fetch", 3, []),
        ("a.go", 'package a\nimport (\n\t"os"\n\t"net/http"\n)\n', "net/http", 4, [4]),
        ("a.go", 'package a\nimport (\n\t"os"\n\t"net/http"\n)\n', "net/http", 3, []),
        ("A.java", "import static\n    com.shop.Till.open;\nclass A {}\n", "com.shop", 2, [2]),
    ],
)
def test_of_an_import_over_several_lines_what_comes_is_judged(
    path: str, text: str, wanted: str, line: int, found: list[int]
) -> None:
    file = changed(path, text, [line])

    violated = violations.judge([rule(f'forbid_import: ["{wanted}"]', [file])], sight({path: text}, [file]))

    assert [each.line for each in violated] == found
    assert all(each.evidence == text.splitlines()[line - 1].strip() for each in violated)


@pytest.mark.parametrize(("status", "count"), [(RENAMED, 0), (COPIED, 1), (DELETED, 0)])
def test_a_renamed_file_brings_nothing_and_a_deleted_one_breaks_nothing(status: str, count: int) -> None:
    text = "import requests\n"
    file = FileDiff("b.py", status, old_path="a.py", new_mode="100644")
    asked = rule("forbid_import: [requests]", [file])

    assert len(violations.judge([asked], sight({"b.py": text}, [file]))) == count


def test_what_cannot_be_judged_is_said() -> None:
    files = [new("a.rb", "require 'x'\n"), new("b.bin", "")]
    seen = sight({"a.rb": "require 'x'\n"}, files)

    found = violations.judge([rule("forbid_import: [x]\nmax_lines: 9", files)], seen)

    assert found == []
    assert [(each.path, each.reason, each.check) for each in seen.unjudged] == [
        ("a.rb", violations.LANGUAGE, "forbid_import"),
        ("b.bin", violations.CONTENT, ""),
    ]


def test_lines_that_are_no_utf8_are_judged_too() -> None:
    file = replace(new("a.py", "x"), added=((1, "caf\udce9 eval(1)"),))

    found = violations.judge([rule("forbid_pattern: ['eval\\(']", [file])], sight({}, [file]))

    assert [each.line for each in found] == [1]


def test_the_hint_of_a_block_is_what_its_reader_is_told() -> None:
    (found,) = judged("forbid_pattern: ['print']\nhint: log through app.log", {"a.py": "print(1)\n"})

    assert found.hint == "write it without print: log through app.log"


def test_violations_come_by_file_and_line_whatever_the_order_of_rules() -> None:
    texts = {"b.py": "print(1)\nprint(2)\n", "a.py": "print(3)\n"}
    files = [new(path, text) for path, text in texts.items()]
    rules = [rule("max_lines: 1", files), rule("forbid_pattern: ['print']", files)]

    found = [violations.judge(order, sight(texts, files)) for order in (rules, rules[::-1])]

    assert found[0] == found[1]
    assert [(each.path, each.line, each.check) for each in found[0]] == [
        ("a.py", 1, "forbidden_pattern"),
        ("b.py", 1, "forbidden_pattern"),
        ("b.py", 2, "forbidden_pattern"),
        ("b.py", 2, "too_many_lines"),
    ]


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|aa)*b", "(.*a){20}"])
def test_a_pattern_takes_time_in_proportion_to_the_text(pattern: str) -> None:
    text = "a" * 200_000 + "!\n"
    files = [new("a.py", text)]
    asked = rule(f"forbid_pattern: ['{pattern}']\nrequire_pattern: ['{pattern}']", files)
    before = time.process_time()

    violations.judge([asked], sight({"a.py": text}, files))

    assert time.process_time() - before < 2
