"""Intentions on the command line: what brings them up, where they are told, and how they end."""

import json
from pathlib import Path

import pytest

from gitmem.store import journal
from gitmem.store.repo import discover
from tests.conftest import MakeRepo
from tests.support import commit_all, git, run_inproc, write_tree

pytestmark = pytest.mark.capability("M-072")
START = "2026-01-02T04:00:00Z"


def intention(name: str) -> str:
    return f".gitmem/intentions/{name}.md"


def text(title: str, *when: str, own: str = "") -> str:
    lines = "".join(f"  {line}\n" for line in when)
    return f"---\ntitle: {title}\n{own}when:\n{lines}created: {{at: {START}}}\n---\nSee the page.\n"


FILES: dict[str, str | bytes] = {
    ".gitmem/config.yaml": "format: 1\n",
    "src/a.py": "1\n",
    intention("renew"): text("Renew it", "at: 2026-03-01", own="action: verify  # twice\npriority: 2\n"),
    intention("look"): text("Look first", "paths: [src/**]"),
}


def said(root: Path, *words: str, stdin: str = "") -> dict:
    return json.loads(run_inproc(root, *words, "--json", stdin=stdin).out)


def told(found: dict) -> list[str]:
    return [Path(row["place"]).stem for row in found.get("notices") or () if row["code"] == "intention"]


def states(root: Path, *words: str) -> dict[str, str]:
    found = said(root, "intentions", "list", *words, "--now", "2026-03-02")
    return {row["slug"]: row["state"] for row in found["intentions"]}


def test_what_has_come_up_is_told_beside_answers_and_changes_none_of_them(make_repo: MakeRepo) -> None:
    root = make_repo(FILES)
    early = said(root, "compile", "src/a.py", "--now", "2026-02-28")
    late = said(root, "compile", "src/a.py", "--now", "2026-03-01")
    assert (told(early), told(late)) == (["look"], ["renew", "look"])
    for key in ("compile_id", "snapshot_id", "base"):
        assert early[key] == late[key]
    assert told(said(root, "compile", "README.md", "--now", "2026-02-28")) == []
    assert told(said(root, "overview", "--now", "2026-03-01")) == ["renew"]
    assert told(said(root, "get", "intention:look", "--now", "2026-03-01")) == ["renew"]
    notice = next(row for row in late["notices"] if row["code"] == "intention")
    assert notice["message"] == "verify (since 2026-03-01): Renew it: See the page."
    assert "gitmem intentions complete renew" in notice["hint"]


def test_a_snooze_quiets_one_until_its_end_and_no_file_changes(make_repo: MakeRepo) -> None:
    root = make_repo(FILES)
    assert said(root, "intentions", "snooze", "renew", "--days", "2", "--now", "2026-03-01")["until"] == (
        "2026-03-03T00:00:00Z"
    )
    assert told(said(root, "compile", "src/a.py", "--now", "2026-03-02")) == ["look"]
    assert told(said(root, "overview", "--now", "2026-03-02")) == []
    assert states(root) == {"renew": "snoozed", "look": "pending"}
    assert told(said(root, "overview", "--now", "2026-03-03")) == ["renew"]
    said(root, "intentions", "snooze", "renew", "--until", "2026-04-01", "--now", "2026-03-03")
    journal.rotate(discover(root))
    assert said(root, "journal", "prune", "--older-than", "2026-03-20", "--now", "2026-03-30")["kept"] == 1
    assert told(said(root, "overview", "--now", "2026-03-31")) == []
    assert git(root, "status", "--porcelain") == ""


def test_an_end_stands_in_the_file_and_counts_once_it_is_committed(make_repo: MakeRepo) -> None:
    root = make_repo(FILES)
    before = (root / intention("renew")).read_text()
    assert said(root, "intentions", "complete", "renew", "--outcome", "new one")["status"] == "completed"
    after = before.replace("priority: 2\n", "priority: 2\nstatus: completed\n")
    assert (root / intention("renew")).read_text() == after.replace("}\n---", "}\noutcome: new one\n---")
    assert states(root)["renew"] == "fired"
    said(root, "intentions", "cancel", "look")
    commit_all(root)
    assert states(root) == {}
    assert states(root, "--state", "completed", "--state", "cancelled") == {"renew": "completed", "look": "cancelled"}
    assert told(said(root, "compile", "src/a.py", "--now", "2026-03-02")) == []


def test_one_is_written_and_changed_line_by_line(make_repo: MakeRepo) -> None:
    root = make_repo(FILES)
    made = said(root, "intentions", "new", "Tell them: soon", "--event", "release", "--tag", "v2.*", "--priority", "9")
    assert (made["id"], made["status"]) == ("intention:tell-them-soon", "pending")
    said(root, "intentions", "set", "tell-them-soon", "when.at", "2026-03-02")
    said(root, "intentions", "set", "tell-them-soon", "when.paths", "src/**", "docs/**")
    said(root, "intentions", "set", "tell-them-soon", "when.tag", "--unset")
    said(root, "intentions", "set", "tell-them-soon", "body", "Write to the list.")
    commit_all(root)
    assert said(root, "check")["findings"] == []
    (row, *_) = said(root, "intentions", "list", "--now", "2026-03-01")["intentions"]
    when = {name: row[name] for name in ("slug", "at", "event", "tag", "paths")}
    assert when == {
        "slug": "tell-them-soon",
        "at": "2026-03-02",
        "event": "release",
        "tag": "",
        "paths": ["src/**", "docs/**"],
    }
    assert said(root, "intentions", "show", "tell-them-soon")["content"] == "Write to the list.\n"


def merged(root: Path, name: str, path: str, date: str) -> None:
    git(root, "checkout", "--quiet", "-b", name)
    write_tree(root, {path: f"{name}\n"})
    commit_all(root, date=date)
    git(root, "checkout", "--quiet", "main")
    git(root, "merge", "--quiet", "--no-ff", "-m", name, name, date=date)


def test_a_merge_a_release_and_a_touched_file_count_from_when_it_was_made(make_repo: MakeRepo) -> None:
    root = make_repo({"src/a.py": "1\n"})
    git(root, "tag", "v1.0")
    merged(root, "old", "src/old.py", "2026-01-01T00:00:00Z")
    events = {
        intention("m"): text("M", "event: merge"),
        intention("r"): text("R", "event: release"),
        intention("r2"): text("R", "event: release", "tag: x*"),
        intention("t"): text("T", "event: touched", "paths: [src/**]"),
    }
    write_tree(root, {".gitmem/config.yaml": "format: 1\n", **events})
    commit_all(root, date="2026-01-03T00:00:00Z")
    git(root, "tag", "nightly")
    assert set(states(root).values()) == {"pending"}
    merged(root, "new", "docs/a.md", "2026-02-01T00:00:00Z")
    assert states(root) == {"m": "fired", "r": "pending", "r2": "pending", "t": "pending"}
    git(root, "-c", "user.name=A", "-c", "user.email=a@b", "tag", "-m", "x", "v1.1", date="2026-02-02T00:00:00Z")
    write_tree(root, {"src/b.py": "2\n"})
    commit_all(root, date="2026-02-02T00:00:00Z")
    assert states(root) == {"m": "fired", "r": "fired", "r2": "pending", "t": "fired"}
    told_of = {row["slug"]: row["because"] for row in said(root, "intentions", "list")["intentions"]}
    assert (told_of["r"], told_of["t"]) == (["release: v1.1"], ["touched: src/b.py"])


def test_the_oldest_commit_of_a_shallow_clone_touches_nothing(make_repo: MakeRepo) -> None:
    """There it has no parent, so that every file looks new."""
    waits = {intention("t"): text("T", "event: touched", "paths: [src/**]")}
    root = make_repo({"src/a.py": "1\n", ".gitmem/config.yaml": "format: 1\n", **waits})
    write_tree(root, {"docs/a.md": "1\n"})
    commit_all(root, date="2026-02-02T00:00:00Z")
    git(root.parent, "clone", "--quiet", "--depth=1", root.as_uri(), "shallow")

    assert states(root) == states(root.parent / "shallow") == {"t": "pending"}


def test_what_waits_for_one_event_counts_each_from_its_own_day(make_repo: MakeRepo) -> None:
    """A day alone begins at midnight, at whatever hour somebody asks."""
    root = make_repo({"src/a.py": "1\n"})
    waits = {
        intention(f"{event}-{day}"): text("T", *when).replace(START, f"2026-02-0{day}")
        for event, *when in (("t", "event: touched", "paths: [src/**]"), ("m", "event: merge"), ("r", "event: release"))
        for day in (1, 2, 3)
    }
    write_tree(root, {".gitmem/config.yaml": "format: 1\n", **waits})
    commit_all(root, date="2026-01-03T00:00:00Z")
    write_tree(root, {"src/b.py": "2\n"})
    commit_all(root, date="2026-02-02T00:00:00Z")
    merged(root, "new", "docs/a.md", "2026-02-02T00:00:00Z")
    git(root, "tag", "v1.1")

    assert {name for name, state in states(root).items() if state == "pending"} == {"t-3", "m-3", "r-3"}


REFUSED: tuple[tuple[tuple[str, ...], str], ...] = (
    (("new", "T", "--action", "run", "--at", "2027-01-01"), "usage"),
    (("new", "T", "--event", "birth"), "usage"),
    (("new", "T"), "usage"),
    (("new", "T", "--at", "soon"), "usage"),
    (("new", "T", "--event", "touched"), "schema"),
    (("new", "T", "--path", "src/[a"), "schema"),
    (("new", "Renew", "--at", "2027-01-01"), "name-taken"),
    (("set", "renew", "status", "completed"), "usage"),
    (("set", "renew", "action"), "usage"),
    (("set", "renew", "action", "run"), "schema"),
    (("snooze", "renew", "--until", "2020-01-01"), "usage"),
    (("snooze", "renew", "--days", "0"), "usage"),
    (("snooze", "renew", "--now", "9999-12-31T00:00:00Z"), "usage"),
    (("snooze", "rename"), "not-found"),
    (("complete", "none"), "not-found"),
    (("list", "--state", "done"), "usage"),
    (("list", "--limit", "0"), "usage"),
)


def test_what_cannot_be_is_refused_and_nothing_is_written(make_repo: MakeRepo) -> None:
    root = make_repo(FILES)
    for words, code in REFUSED:
        assert (words, said(root, "intentions", *words)["error"]["code"]) == (words, code)
    assert git(root, "status", "--porcelain") == ""


def test_a_check_names_one_that_nothing_brings_up(make_repo: MakeRepo) -> None:
    root = make_repo(FILES | {intention("never"): "---\ntitle: Never\n---\nNo.\n"})
    (finding,) = said(root, "check")["findings"]
    assert (finding["code"], finding["path"]) == ("schema", intention("never"))
