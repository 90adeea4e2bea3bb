"""What a new engram's text warns of before it is committed; secrets are refused."""

import json

import pytest

from tests.conftest import MakeRepo
from tests.support import run_inproc

CONFIG = {".gitmem/config.yaml": "format: 1\n", "src/app.ts": "x\n"}


@pytest.mark.capability("R-042")
@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("x" * 4096 + "\n", "long-body"),
        ("## One\nx\n## Two\ny\n", "several-topics"),
        ("Press <script>x</script>.\n", "unsafe-html"),
        ("Zero\u200bwidth.\n", "hidden-character"),
        ("Turned \u202e round.\n", "bidi-character"),
    ],
)
def test_a_new_text_is_written_with_its_warnings(make_repo: MakeRepo, body: str, code: str) -> None:
    repo = make_repo(CONFIG)

    ran = run_inproc(repo, "new", "fact", "A title", "--body", "-", "--json", stdin=body)

    assert ran.code == 0, ran.err
    assert code in [row["code"] for row in json.loads(ran.out)["warnings"]]


def test_a_rule_without_a_scope_is_warned_of(make_repo: MakeRepo) -> None:
    ran = run_inproc(make_repo(CONFIG), "new", "constraint", "A title", "--body", "-", "--json", stdin="Text.\n")

    assert [row["code"] for row in json.loads(ran.out)["warnings"]] == ["no-scope"]
