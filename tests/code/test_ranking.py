"""Which files a task is about: what its words count, what each part of a ranking sees, and that it is one ranking."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitmem.answers import coding
from gitmem.answers.heard import heard
from gitmem.answers.session import Session
from gitmem.code import asking, ground, past, pieces, ranking, task
from gitmem.code.ground import Ground
from gitmem.code.past import Told
from gitmem.code.ranking import Extra, Ranked
from gitmem.model.code import Facts
from gitmem.store.messages import Message, messages
from tests.support import commit_all, git, write_tree

UPLOAD = """def send(parts, retries):
    for part in parts:
        try_once(part, retries)


def try_once(part, retries):
    raise UploadError("the server closed the connection early")
"""
FILES = {
    "src/shop/upload.py": UPLOAD,
    "src/shop/retry_policy.py": "class RetryPolicy:\n    def next_delay(self, attempt):\n        return 2 ** attempt\n",
    "src/shop/clock.py": "def tick():\n    return 1\n",
    "src/shop/__init__.py": "",
    "tests/test_upload.py": "from shop.upload import send\n\n\ndef test_send_retries_upload():\n    send([], 3)\n",
    "examples/upload.py": "from shop.upload import send\n\nsend(['upload'], 3)\n",
    "web/style.css": ".upload { color: red }\n",
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("ranking") / "shop"
    write_tree(made, {"src/old/clock.py": "def tick():\n    return 0\n", "src/shop/upload.py": UPLOAD})
    git(made, "init", "-q", "-b", "main")
    commit_all(made, "Daylight saving moves the timetable")
    git(made, "rm", "-q", "src/old/clock.py")
    write_tree(made, FILES)
    commit_all(made, "Take over the rest")
    return made


@pytest.fixture(scope="module")
def known(root: Path) -> tuple[Ground, Told | None]:
    session = Session(root, datetime(2026, 1, 1, tzinfo=UTC), "agent")
    graph = coding.read(session, "HEAD", 0, lambda: True)
    return ground.ground_of(graph.atlas), heard(session.place, graph.tree.commit)


Known = tuple[Ground, Told | None]


def rank(known: Known, text: str, extra: Extra | None = None) -> list[Ranked]:
    return ranking.ranked(known[0], asking.asked(task.read(text)), known[1], extra or Extra())


def first(known: Known, text: str, extra: Extra | None = None) -> str:
    return rank(known, text, extra)[0].path


@pytest.mark.capability("C-020")
@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("the upload gives up after a few retries", "src/shop/upload.py"),
        ("RetryPolicy waits too long", "src/shop/retry_policy.py"),
        ("`next_delay` is wrong", "src/shop/retry_policy.py"),
        ("the retry policy is odd", "src/shop/retry_policy.py"),
        ("It says: the server closed the connection early", "src/shop/upload.py"),
        ("look into shop/clock.py, the upload is late", "src/shop/clock.py"),
        ('Late\n\nTraceback:\n  File "/srv/app/src/shop/clock.py", line 2, in tick\n', "src/shop/clock.py"),
        ("The timetable is off when daylight saving begins", "src/shop/clock.py"),
        ("Fix the upload in examples/upload.py", "examples/upload.py"),
    ],
)
def test_the_file_that_a_task_is_about_comes_first(known: Known, text: str, path: str) -> None:
    assert first(known, text) == path


def test_production_comes_before_tests_unless_the_task_is_about_them(known: Known) -> None:
    paths = [row.path for row in rank(known, "sending an upload is slow")]
    assert paths.index("src/shop/upload.py") < paths.index("examples/upload.py") < paths.index("tests/test_upload.py")
    assert first(known, "test that `test_send_retries_upload` sends") == "tests/test_upload.py"


def test_what_somebody_knows_beside_is_added_and_a_part_can_be_switched_off(known: Known) -> None:
    text = "The timetable is off when daylight saving begins"
    assert first(known, text, Extra(named={"src/shop/upload.py": 3.0})) == "src/shop/upload.py"
    without = Extra(weights={**ranking.WEIGHTS, ranking.HISTORY: 0.0})
    assert "src/shop/clock.py" not in [row.path for row in rank(known, text, without) if row.score > 0]


def test_the_parts_of_a_score_are_its_sum_and_equal_scores_go_by_path(known: Known) -> None:
    rows = rank(known, "the upload gives up after a few retries in RetryPolicy")
    assert all(abs(row.score - sum(row.parts.values())) < 0.001 for row in rows)
    assert [(-row.score, row.path) for row in rows] == sorted((-row.score, row.path) for row in rows)
    assert rows == rank(known, "the upload gives up after a few retries in RetryPolicy")


@pytest.mark.parametrize("text", ["", "   \n", "the of and", "???", "\u4fee\u590d\u767b\u5f55", "x" * 50_000])
def test_a_task_that_says_nothing_ranks_nothing_for_sure(known: Known, text: str) -> None:
    assert not [row for row in rank(known, text) if row.score > 0.5]


def test_what_a_form_asks_counts_for_nothing() -> None:
    form = (
        "Upload hangs\n<!-- please read the parser manual -->\n### Environment\n- kernel 5.4\n### What happens\n"
        "It stops after `flush_all`.\nIt stops after `flush_all`.\nrequests==2.31.0\nhttps://example.org/parser\n"
        "```\nsend(queue)\n```\n"
    )
    found = asking.asked(task.read(form))
    assert {"upload", "hang", "flush", "send", "queue"} <= found.terms.keys()
    assert not {"parser", "kernel", "manual", "request", "environ"} & found.terms.keys()
    assert found.terms["upload"] == 2 * found.terms["send"]
    assert found.names.keys() == {"flush_all", "send"}


@pytest.mark.parametrize("row", ["word" + " " * 30_000 + "x", "#" * 30_000, "*" * 30_000, "`" * 30_001, "![" * 9_000])
def test_a_hostile_line_costs_no_time(row: str) -> None:
    started = datetime.now(UTC)
    asking.asked(task.read(f"title\n{row}\n"))
    assert (datetime.now(UTC) - started).total_seconds() < 1


def test_the_innermost_frame_comes_first_whatever_the_language() -> None:
    python = 'Boom\n  File "a.py", line 1, in f\n  File "b.py", line 2, in g\n'
    node = "Boom\n    at g (b.js:2:1)\n    at f (a.js:1:1)\n"
    assert [asking.asked(task.read(text)).frames[0].path for text in (python, node)] == ["b.py", "b.js"]


def test_old_commits_and_commits_of_many_files_say_less() -> None:
    filler = [Message(f"unrelated {n}", (f"x{n}.py",)) for n in range(4_000)]
    old = past.decode(
        past.encode([Message("mend the parser", ("a.py",)), *filler, Message("mend the parser", ("b.py",))])
    )
    wide = past.decode(past.encode([Message("mend", tuple(f"f{n}.py" for n in range(31))), Message("mend", ("a.py",))]))
    assert old is not None
    assert wide is not None
    assert old.share[0] > 2 * old.share[-1]
    assert list(wide.paths) == ["a.py"]


def test_a_history_of_another_version_is_not_read() -> None:
    content = past.encode([Message("mend\n\nSigned-off-by: Ann Other <ann@example.org>", ("a.py",))])
    found = past.decode(content)
    assert found is not None
    assert found.terms.keys() == {"mend"}
    assert past.decode(content.replace(b"[1,", b"[0,", 1)) is None


def test_messages_tell_what_a_merge_brings_in(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.py": "1\n"})
    git(tmp_path, "init", "-q", "-b", "main")
    commit_all(tmp_path, "one")
    git(tmp_path, "switch", "-qc", "side")
    write_tree(tmp_path, {"b.py": "2\n"})
    commit_all(tmp_path, "two")
    git(tmp_path, "switch", "-q", "main")
    git(tmp_path, "merge", "-q", "--no-ff", "-m", "bring in b", "side")
    session = Session(tmp_path, datetime(2026, 1, 1, tzinfo=UTC), "agent")
    found = messages(session.place.repo, git(tmp_path, "rev-parse", "HEAD").strip())
    assert found[0].text.strip() == "bring in b"
    assert {row.text.strip(): row.paths for row in found} == {
        "bring in b": ("b.py",),
        "two": ("b.py",),
        "one": ("a.py",),
    }
    assert messages(session.place.repo, "0" * 40) == []


def test_a_piece_is_about_as_long_as_a_function_and_tells_its_line() -> None:
    asked = asking.asked(task.read("parse the header"))
    content = b"x = 1\n" * 200 + b"def parse(header):\n    return header\n" + b"y = 2\n" * 10
    found = pieces.Reader(asked).read(content, Facts())
    assert [piece.line for piece in found.pieces] == [161]
    assert pieces.best(found, {"pars": 1.0, "header": 1.0}) > pieces.best(found, {"pars": 1.0})


def test_a_run_of_words_that_every_file_has_says_nothing() -> None:
    asked = asking.asked(task.read("connection closed too early here"))
    read = pieces.Reader(asked).read
    texts = [read(b"connection closed too", Facts()), *(read(b"closed too early", Facts()) for _ in range(7))]
    assert [value > 0 for value in pieces.in_common(texts)] == [True, *[False] * 7]


def test_the_history_is_kept_by_commit_and_damage_is_read_anew(root: Path, known: Iterator[object]) -> None:
    session = Session(root, datetime(2026, 1, 1, tzinfo=UTC), "agent")
    commit = git(root, "rev-parse", "HEAD").strip()
    folder = session.place.cache.folder
    assert folder is not None
    (kept,) = folder.glob("code-past-*.json")
    kept.write_bytes(b"damaged")
    found = heard(session.place, commit)
    assert found is not None
    assert "src/old/clock.py" in found.paths
    assert heard(session.place, "") is None
