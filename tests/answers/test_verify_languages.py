"""Checks of imports, and the tests to run first, in languages that are read by their facts alone."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.asking import ask, knowledge, rule
from tests.conftest import MakeRepo
from tests.support import commit_all, run_inproc, start_repo, write_tree

BODY = """Domain stands alone.

```verify
layer_imports:
  domain: []
forbid_import: [std::process, "Monolog\\\\Logger", java.sql, left-pad, net/http]
```
"""
LAYERS = {".gitmem/layers.yaml": "'**/ui/**': ui\n'**/domain/**': domain\n'**/Ui/**': ui\n'**/Domain/**': domain\n"}
MANIFESTS = {
    "Cargo.toml": '[package]\nname = "shop"\n',
    "composer.json": '{"autoload": {"psr-4": {"App\\\\": "php/"}}}\n',
    "tsconfig.json": '{"compilerOptions": {"baseUrl": ".", "paths": {"@ui/*": ["web/ui/*"]}}}\n',
}
VIEWS = {
    "src/lib.rs": "mod ui;\nmod domain;\n",
    "src/ui/mod.rs": "pub mod view;\n",
    "src/ui/view.rs": "pub struct View;\n",
    "php/Ui/View.php": "<?php\nnamespace App\\Ui;\nclass View {}\n",
    "web/ui/view.ts": "export const view = 1;\n",
    "kt/ui/View.kt": "package ui\n\nclass View\n",
}
# By the file that comes: its text, and what is said of it with the line.
COMING: Mapping[str, tuple[str, list[tuple[str, int]]]] = {
    "src/domain/order.rs": (
        "use std::fs;\nuse std::process::Command;\nuse crate::ui::view::View;\n",
        [("forbidden_import", 2), ("layer_import", 3)],
    ),
    "php/Domain/Order.php": (
        "<?php\nnamespace App\\Domain;\nuse Monolog\\Logger;\nuse App\\Ui\\View;\nclass Order {}\n",
        [("forbidden_import", 3), ("layer_import", 4)],
    ),
    "web/domain/order.ts": (
        'import pad from "left-pad"\nimport { view } from "@ui/view"\n',
        [("forbidden_import", 1), ("layer_import", 2)],
    ),
    "kt/domain/Order.kt": (
        "package domain\n\nimport java.sql.Driver\nimport ui.View\n\nclass Order\n",
        [("forbidden_import", 3), ("layer_import", 4)],
    ),
    "web/domain/Order.vue": (
        '<template><p/></template>\n<script>\nimport { view } from "@ui/view"\nexport default {}\n</script>\n',
        [("layer_import", 3)],
    ),
}


@pytest.fixture(scope="module")
def verdict(tmp_path_factory: pytest.TempPathFactory) -> dict:
    root = tmp_path_factory.mktemp("languages")
    from_start(root)
    write_tree(root, {path: text for path, (text, _) in COMING.items()})
    return json.loads(run_inproc(root, "verify", "--worktree", "--json").out)


def from_start(root: Path) -> None:
    start_repo(root)
    write_tree(root, knowledge(rule("alone", 1, "**", body=BODY)) | LAYERS | MANIFESTS | VIEWS)
    commit_all(root)


@pytest.mark.capability("R-024")
@pytest.mark.capability("G-037")
@pytest.mark.parametrize("path", COMING)
def test_imports_of_any_language_are_judged_by_name_and_by_where_they_lead(verdict: dict, path: str) -> None:
    found = [(row["check"], row["line"]) for row in verdict["violations"] if row["path"] == path]

    assert found == COMING[path][1]
    assert [row for row in verdict["skipped"] if row["path"] == path] == []


@pytest.mark.capability("R-025")
def test_a_test_in_any_language_that_imports_a_changed_file_runs_first(make_repo: MakeRepo) -> None:
    tests = {
        "tests/view_test.rs": "use shop::ui::view::View;\n",
        "tests/ViewTest.php": "<?php\nuse App\\Ui\\View;\nclass ViewTest {}\n",
        "tests/far.rs": "use std::fs;\n",
    }
    repo = make_repo(knowledge() | MANIFESTS | VIEWS | tests)
    write_tree(repo, {"src/ui/view.rs": "pub struct View(i32);\n", "php/Ui/View.php": VIEWS["php/Ui/View.php"] + "\n"})

    found = {row["path"]: row["reasons"][0] for row in ask(repo, "verify", "--worktree")["affected_tests"]}

    assert found == {
        "tests/view_test.rs": "imports src/ui/view.rs at line 1",
        "tests/ViewTest.php": "imports php/Ui/View.php at line 2",
    }
