"""Tests that take what is in a file from the front of its package: ``__init__.py``, ``index.ts``."""

from pathlib import Path

import pytest

from gitmem.answers.affected import affected_tests
from gitmem.answers.reading import open_place
from tests.asking import CONFIG, ask
from tests.conftest import MakeRepo

PYTHON = {
    **CONFIG,
    "src/web/__init__.py": "from .app import App as App\nfrom .tools import *\nfrom . import inner\n",
    "src/web/app.py": "from . import helper\n\nclass App: ...\n",
    "src/web/helper.py": "def helped(): ...\n",
    "src/web/tools.py": "def hammer(): ...\n",
    "src/web/inner/__init__.py": "from .deep import Deep\nfrom web.app import App\n",
    "src/web/inner/deep.py": "class Deep: ...\n",
    "src/web/cli.py": "from web import App\n",
    "tests/test_name.py": "from web import App\n",
    "tests/test_whole.py": "import web\n\nweb.App()\n",
    "tests/test_other.py": "import web\n\nweb.Nothing()\n",
    "tests/test_star.py": "from web import hammer\n",
    "tests/test_no_star.py": "from web import saw\n",
    "tests/test_deep.py": "from web.inner import Deep\n",
    "tests/test_both.py": "from web import App\nfrom web.app import App\n",
}
SCRIPT = {
    **CONFIG,
    "ui/index.ts": "export { default as Form } from './Form';\nexport * from './list';\nexport { go } from './nav';\n",
    "ui/Form.tsx": "export default 1;\n",
    "ui/list.ts": "export const rows = [];\n",
    "ui/nav.ts": "export const go = 1;\n",
    "all/index.js": "export * from '../ui';\n",
    "test/form.test.ts": "import { Form } from '../ui';\n",
    "test/list.test.ts": "import { rows } from '../ui/index.js';\n",
    "test/nav.test.ts": "import { go as went } from '../all';\n",
    "test/whole.test.ts": "import * as ui from '../ui';\nui.go;\n",
}


@pytest.mark.capability("R-025")
@pytest.mark.parametrize(
    ("files", "changed", "expected"),
    [
        (PYTHON, "src/web/app.py", ["test_both", "test_name", "test_whole"]),
        (PYTHON, "src/web/helper.py", []),
        (PYTHON, "src/web/tools.py", ["test_other", "test_star", "test_whole"]),
        (PYTHON, "src/web/inner/deep.py", ["test_deep"]),
        (SCRIPT, "ui/Form.tsx", ["form.test"]),
        (SCRIPT, "ui/list.ts", ["list.test", "whole.test"]),
        (SCRIPT, "ui/nav.ts", ["nav.test", "whole.test"]),
    ],
)
def test_a_test_that_takes_it_from_the_front_of_the_package_is_listed(
    make_repo: MakeRepo, files: dict[str, str], changed: str, expected: list[str]
) -> None:
    found = affected_tests(open_place(make_repo(files)), "HEAD", [changed])

    assert sorted(Path(row.path).stem for row in found.rows) == expected


def test_a_use_comes_first_then_a_direct_import_and_the_front_is_named(make_repo: MakeRepo) -> None:
    through = "imports src/web/app.py through src/web/__init__.py at line 1"
    answer = ask(make_repo(PYTHON), "impact", "src/web/app.py")

    assert [(row["path"], row["reasons"], row["score"]) for row in answer["tests"]] == [
        ("tests/test_whole.py", ["calls App of src/web/app.py at line 3", through], 800),
        ("tests/test_both.py", ["imports src/web/app.py at line 2"], 700),
        ("tests/test_name.py", [through], 500),
    ]
    assert answer["code"]["files"] == [
        {"path": "src/web/__init__.py", "line": 1, "reaches": "src/web/app.py"},
        {"path": "src/web/cli.py", "line": 1, "reaches": "src/web/app.py", "via": "src/web/__init__.py"},
        {"path": "src/web/inner/__init__.py", "line": 2, "reaches": "src/web/app.py"},
    ]


def test_fronts_that_import_each_other_end(make_repo: MakeRepo) -> None:
    files = {
        **CONFIG,
        "a/__init__.py": "from b import x\nfrom .m import x\n",
        "a/m.py": "x = 1\n",
        "b/__init__.py": "from a import x\n",
        "test_it.py": "from b import x\n",
    }
    found = affected_tests(open_place(make_repo(files)), "HEAD", ["a/m.py"])

    assert [row.reasons for row in found.rows] == [("imports a/m.py through b/__init__.py at line 1",)]


def test_of_a_front_that_is_taken_whole_only_the_names_that_stand_there_count(make_repo: MakeRepo) -> None:
    files = {
        **CONFIG,
        "web/__init__.py": "from .one import g\nfrom .two import saw\n",
        "web/one.py": "g = 1\n",
        "web/two.py": "saw = 1\n",
        "test_one.py": "import web\n\nweb.g = seesaw\n",
        "test_two.py": "from web import *\n\nsaw.go()\n",
    }
    found = affected_tests(open_place(make_repo(files)), "HEAD", ["web/one.py", "web/two.py"])

    assert [(row.path, row.reasons) for row in found.rows] == [
        ("test_one.py", ("imports web/one.py through web/__init__.py at line 1",)),
        ("test_two.py", ("imports web/two.py through web/__init__.py at line 1",)),
    ]
