"""New files as a patch: Git makes of it the very bytes that went in, whatever they are."""

from pathlib import Path

import pytest

from gitmem.text.patch import adding
from tests.conftest import MakeRepo
from tests.support import git

ODD = {
    "a.yaml": b"id: a\n",
    "no end": b"one\ntwo",
    "empty": b"",
    "one line": b"x",
    'blank\nline end\t"quoted" \\ \u00fc': b"x\n",
    "carriage": b"a\r\nb\r\n",
    "blanks": b"\n\n\n",
    "dashes": b"--- a\n+++ b\n@@ -1 +1 @@\n\\ No newline\n",
    "letters": "\u00fc\u2028\x0b\x0c\x85\n".encode(),
}


@pytest.mark.capability("G-014")
def test_git_makes_the_same_bytes_of_it(make_repo: MakeRepo) -> None:
    repo = make_repo({"x": "1\n"})

    git(repo, "apply", "--index", stdin=adding(ODD))

    assert {name: (Path(repo) / name).read_bytes() for name in ODD} == ODD


def test_nothing_is_no_patch() -> None:
    assert adding({}) == ""
