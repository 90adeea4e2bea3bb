"""The index part of the doctor: where it runs, what is read, left out and unread, and what is amiss, each by name."""

import pytest

from gitmem import __version__
from gitmem.code import extract
from tests.asking import ask, codes, knowledge
from tests.conftest import MakeRepo
from tests.support import commit_all, run_inproc, write_tree

FILES: dict[str, str | bytes] = {
    "src/a.py": "def a():\n    return 1\n",
    "src/b.ts": "export const b = 1\n",
    "src/blob.py": b"\0" * 40,
    "big.py": "x = 1\n" * 200_000,
    "deep.py": "(" * 40_000,
    "logo.png": b"\x89PNG",
    "notes.md": "# Notes\n",
    "LICENSE": "free\n",
}


@pytest.mark.capability("C-052")
def test_the_doctor_tells_where_it_runs_and_how_the_index_stands(make_repo: MakeRepo) -> None:
    repo = make_repo(knowledge() | FILES)
    before = ask(repo, "doctor")["index"]
    ask(repo, "index")
    after = ask(repo, "doctor")
    write_tree(repo, {"src/a.py": "def a():\n    return 2\n"})
    changed = ask(repo, "doctor")["index"]
    commit_all(repo)
    behind = ask(repo, "doctor")["index"]

    assert (before["state"], before["kept"], before["files"], before["gitmem"]) == ("none", 0, 5, __version__)
    index = after["index"]
    assert (index["state"], index["kept"], index["changed"], index["omitted"]) == ("fresh", 5, 0, 0)
    assert index["skipped"] == {"binary": 1, "larger than 1 MiB": 1, "too deeply nested": 1}
    assert index["unread"] == {".md": 1, ".png": 1, "LICENSE": 1}
    assert index["root"] == str(repo)
    assert index["system"]
    assert index["python"]
    assert [each["path"] for each in after["findings"] if each["code"] == "file-unparsed"] == ["deep.py"]
    assert (changed["state"], changed["changed"]) == ("fresh", 1)
    assert behind["state"] == "behind"
    out = run_inproc(repo, "doctor").out
    assert "some of HEAD is not read yet" in out
    assert "not read: .md 1, .png 1, LICENSE 1" in out


@pytest.mark.capability("C-052")
def test_a_grammar_that_does_not_load_and_a_cut_are_told_by_name(
    make_repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = make_repo(knowledge() | {"src/a.py": "x = 1\n", "src/b.go": "package b\n", "src/c.go": "package c\n"})
    monkeypatch.setenv("GITMEM_MAX_FILES", "2")
    monkeypatch.setattr(extract, "why_not_loaded", lambda grammar: "no such file" if grammar == "go" else "")

    found = ask(repo, "doctor")

    assert {"grammar-missing", "files-omitted"} <= set(codes(found["findings"]))
    assert found["index"]["grammars"] == {"go": "no such file"}
