"""At the start of a session the index of the code is brought up to date beside it, where somebody uses it."""

import json
import os
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitmem.answers.session import Session
from gitmem.hooks import refresh
from tests.asking import ask, knowledge
from tests.conftest import MakeRepo
from tests.support import commit_all, run_cli, write_tree

FILES = {"src/a.py": "def a():\n    return 1\n", "src/b.py": "def b():\n    return 2\n"}


def session(root: Path) -> Session:
    return Session(root, datetime(2026, 1, 1, tzinfo=UTC))


@pytest.mark.capability("R-031")
def test_a_start_reads_what_is_new_and_only_where_the_code_was_read_before(make_repo: MakeRepo) -> None:
    root = make_repo(knowledge() | FILES)
    assert refresh.refresh(session(root)) is False
    assert ask(root, "index")["parsed"] == 2
    assert refresh.refresh(session(root)) is False

    write_tree(root, {"src/a.py": "def a():\n    return 3\n"})
    commit_all(root)
    given = json.dumps({"source": "startup", "session_id": "s", "cwd": str(root)})
    started = run_cli(root, "hook", "session-start", stdin=given)
    assert (started.code, started.out) == (0, "")

    assert ended(root)
    assert ask(root, "doctor")["index"]["state"] == "fresh"
    assert ask(root, "index")["parsed"] == 0


def ended(root: Path) -> bool:
    """The process that was started reads one file, in a second or two."""
    for _ in range(100):
        if ask(root, "doctor")["index"]["state"] == "fresh":
            return True
        time.sleep(0.1)
    return False


def test_where_no_process_can_be_started_a_session_starts_all_the_same(
    make_repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_repo(knowledge() | FILES)
    ask(root, "index")
    write_tree(root, {"src/a.py": "def a():\n    return 3\n"})
    commit_all(root)

    def refuse(*_: object, **__: object) -> int:
        raise PermissionError

    monkeypatch.setattr(os, "posix_spawn", refuse)
    assert refresh.refresh(session(root)) is False
