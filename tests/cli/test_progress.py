"""How far long work is: told on a terminal only, and gone when the answer comes."""

import contextlib
import io
import json
from datetime import timedelta

from gitmem.answers.session import Session
from gitmem.answers.tried import tried
from gitmem.cli import output
from tests.past import DAY_ONE, History
from tests.support import git, run_inproc


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def told(stream: io.StringIO, *texts: str) -> str:
    with contextlib.redirect_stderr(stream):
        for text in texts:
            output.progress(text)
    return stream.getvalue()


def test_the_next_line_takes_the_place_of_the_one_before() -> None:
    first, second, last = told(Terminal(), "500 commits, and a longer line", "1000 commits", "").split("\r\r")

    assert first.strip("\r").rstrip() == "500 commits, and a longer line"
    assert second.rstrip() == "1000 commits"
    assert len(first.strip("\r")) == len(second) == len(last.strip("\r"))


def test_a_log_gets_none_of_it() -> None:
    assert told(io.StringIO(), "500 commits", "") == ""


def test_a_long_history_tells_how_far_it_is(tmp_path) -> None:
    history = History(tmp_path / "repo")
    feed = "".join(
        f"commit refs/heads/main\ncommitter A <a@b> {int(DAY_ONE.timestamp()) + number} +0000\ndata 1\nx\n"
        + ("" if number else "from refs/heads/main^0\n")
        for number in range(1200)
    )
    git(history.root, "fast-import", "--quiet", stdin=feed)
    said: list[str] = []
    tried(Session(history.root, DAY_ONE + timedelta(days=9), tell=said.append), "")

    assert [text.rpartition(": ")[2] for text in said] == ["500 commits", "1000 commits", ""]
    ran = run_inproc(history.root, "recall", "--json")
    assert (json.loads(ran.out)["entries"], ran.err) == ([], "")
