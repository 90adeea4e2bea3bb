"""A person at a terminal decides about proposals: shown first, asked, and taken at their word only."""

import json
import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.answers.people import Person, alone
from tests.asking import ask, refused
from tests.support import run_inproc

WAIT_S = 60


@pytest.fixture
def ada(tmp_path: Path) -> Person:
    return alone(tmp_path / "ada").named("Ada", "ada@example.org")


def at_terminal(root: Path, words: tuple[str, ...], answers: list[tuple[str, str]], **env: str) -> tuple[int, str]:
    """Runs gitmem on a terminal of its own; each answer is typed when its question is on the screen."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "gitmem", *words],
        cwd=root,
        env={**os.environ, **env},
        stdin=follower,
        stdout=follower,
        stderr=follower,
        start_new_session=True,
    )
    os.close(follower)
    screen, waiting, end = "", list(answers), time.monotonic() + WAIT_S
    while time.monotonic() < end:
        if waiting and waiting[0][0] in screen:
            question, text = waiting.pop(0)
            screen = screen.replace(question, question.upper(), 1)
            os.write(leader, f"{text}\n".encode())
        if select.select([leader], [], [], 0.1)[0]:
            try:
                screen += os.read(leader, 65536).decode("utf-8", "replace")
            except OSError:
                break
        elif process.poll() is not None:
            break
    code = process.wait(timeout=WAIT_S)
    os.close(leader)
    assert not waiting, f"never asked: {waiting[0][0]}\n{screen}"
    return code, screen.replace("\r\n", "\n")


def test_approve_without_a_patch_set_shows_the_change_and_asks(ada: Person) -> None:
    id_ = ada.edit("client", "priority", "7")
    before = ada.head()

    code, screen = at_terminal(ada.root, ("proposals", "approve", id_), [("[y/N]", "y")])

    assert code == 0
    assert "+priority: 7" in screen
    assert "tokens:" in screen
    assert ada.head() != before
    assert ada.status(id_) == "landed"


@pytest.mark.parametrize("answer", ["n", "", "nope"])
def test_anything_but_a_yes_approves_nothing(ada: Person, answer: str) -> None:
    id_ = ada.edit("client", "priority", "7")
    before = ada.head()

    code, screen = at_terminal(ada.root, ("proposals", "approve", id_), [("[y/N]", answer)])

    assert code == 1
    assert "nothing was approved" in screen
    assert (ada.head(), ada.status(id_)) == (before, "open")


def test_with_a_patch_set_and_yes_nobody_is_asked(ada: Person) -> None:
    id_ = ada.edit("client", "priority", "7")

    code, screen = at_terminal(ada.root, ("proposals", "approve", ada.seen(id_), "--yes"), [])

    assert code == 0
    assert "[y/N]" not in screen
    assert ada.status(id_) == "landed"


def test_yes_without_a_patch_set_is_usage_also_on_a_terminal(ada: Person) -> None:
    id_ = ada.edit("client", "priority", "7")

    code, screen = at_terminal(ada.root, ("proposals", "approve", id_, "--yes"), [])

    assert code == 2
    assert "@PATCHSET" in screen
    assert ada.status(id_) == "open"


def test_without_a_terminal_the_patch_set_is_needed(ada: Person) -> None:
    id_ = ada.edit("client", "priority", "7")

    assert "@PATCHSET" in refused(ada.root, "proposals", "approve", id_, code=2)["message"]
    assert ada.status(id_) == "open"
    assert ask(ada.root, "proposals", "approve", ada.seen(id_))["commit"] == ada.head()


def test_an_editor_changes_what_lands_and_that_is_on_record(ada: Person, tmp_path: Path) -> None:
    id_ = ada.edit("client", "priority", "7")
    editor = tmp_path / "editor.sh"
    editor.write_text("#!/bin/sh\nsed -i 's/priority: 7/priority: 9/' \"$1\"\n", encoding="utf-8")
    editor.chmod(0o755)

    words = ("proposals", "approve", id_, "--edit")
    code, screen = at_terminal(ada.root, words, [("[y/N]", "y")], EDITOR=str(editor), VISUAL="")

    assert code == 0, screen
    assert "priority: 9" in ada.read("engrams/api/client.md")
    assert [event.kind.value for event in ada.show(id_).events] == ["patchset", "landed"]


def editor(folder: Path, command: str) -> dict[str, str]:
    """The environment of somebody whose editor does one thing to the file."""
    path = folder / "editor.sh"
    path.write_text(f"#!/bin/sh\n{command}\n", encoding="utf-8")
    path.chmod(0o755)
    return {"EDITOR": str(path), "VISUAL": ""}


@pytest.mark.parametrize("words", [("edit", "client"), ("new", "fact", "Thing"), ("propose", "edit", "client")])
@pytest.mark.parametrize("name", ["nosuchprog", "vi 'unclosed", " "])
def test_an_editor_that_cannot_be_started_is_named(ada: Person, words: tuple[str, ...], name: str) -> None:
    code, screen = at_terminal(ada.root, words, [], EDITOR=name, VISUAL="")

    assert code == 1, screen
    assert "nothing was changed" in screen
    assert "export EDITOR=" in screen
    assert ada.git("status", "--porcelain") == ""


def test_approve_edit_without_an_editor_approves_nothing(ada: Person) -> None:
    id_ = ada.edit("client", "priority", "7")

    code, screen = at_terminal(ada.root, ("proposals", "approve", id_, "--edit"), [], EDITOR="nosuchprog", VISUAL="")

    assert (code, ada.status(id_)) == (1, "open"), screen
    assert "'nosuchprog' cannot be started" in screen


def test_edit_of_an_item_alone_opens_the_editor(ada: Person, tmp_path: Path) -> None:
    by = editor(tmp_path, "sed -i 's/^kind: .*/&\\npriority: 9/' \"$1\"")

    code, screen = at_terminal(ada.root, ("edit", "client"), [], **by)

    assert code == 0, screen
    assert "priority: 9" in (ada.root / ".gitmem/engrams/api/client.md").read_text(encoding="utf-8")


def test_propose_edit_of_an_item_alone_opens_the_editor_with_what_is_trusted(ada: Person, tmp_path: Path) -> None:
    (ada.root / ".gitmem/engrams/api/client.md").write_text("not committed\n", encoding="utf-8")
    by = editor(tmp_path, "sed -i 's/^kind: .*/&\\npriority: 9/' \"$1\"")

    code, screen = at_terminal(ada.root, ("propose", "edit", "client", "--rationale", "so"), [], **by)

    assert code == 0, screen
    (row,) = ask(ada.root, "proposals", "list")["proposals"]
    assert "client.md (priority)\n" in run_inproc(ada.root, "proposals", "diff", row["id"]).out


@pytest.mark.parametrize("words", [("edit", "client"), ("propose", "edit", "client")])
def test_edit_of_an_item_alone_without_a_terminal_asks_for_the_field(ada: Person, words: tuple[str, ...]) -> None:
    assert "which field" in refused(ada.root, *words, code=2)["message"]


def test_what_lands_along_is_shown_too(ada: Person) -> None:
    plan = "new: {kind: fact, title: Thing %d, body: It is number %d and nothing else.}"
    ids = ada.plan(plan % (1, 1), plan % (2, 2))

    words = ("proposals", "approve", ids[0], "--bundle")
    code, screen = at_terminal(ada.root, words, [(f"approve {ids[0]}", "y"), (f"approve {ids[1]}", "y")])

    assert code == 0, screen
    assert [ada.status(id_) for id_ in ids] == ["landed", "landed"]


def test_review_goes_through_what_waits(ada: Person) -> None:
    first, second, third = (ada.new(f"Thing {n}", f"Number {n} is its own thing.\n") for n in (1, 2, 3))

    answers = [("[a/r/s/q]", "a"), ("[a/r/s/q]", "r"), ("why?", "not needed"), ("[a/r/s/q]", "q")]
    code, screen = at_terminal(ada.root, ("proposals", "review"), answers)

    assert code == 0
    assert re.findall(r"(\d) of 3", screen) == ["1", "2", "3"]
    assert [ada.status(each) for each in (first, second, third)] == ["landed", "rejected", "open"]


def test_review_without_a_terminal_lists(ada: Person) -> None:
    id_ = ada.new("Thing")

    assert [row["id"] for row in ask(ada.root, "proposals", "review")["proposals"]] == [id_]


def test_a_noun_alone_lists_and_an_unknown_action_names_the_known_ones(ada: Person) -> None:
    id_ = ada.new("Thing")

    assert id_ in run_inproc(ada.root, "proposals").out
    ran = run_inproc(ada.root, "proposals", "aprove")
    assert ran.code == 2
    assert "did you mean 'approve'" in ran.err
    assert "proposals approve" in run_inproc(ada.root, "help", "proposals").out


def test_a_standing_rule_is_confirmed_by_its_code_on_a_terminal_alone(ada: Person) -> None:
    words = ("observe", "manual_note", "--note", "Answer in German.", "--standing", "--json")
    code = json.loads(run_inproc(ada.root, *words).out)["code"]
    before = ada.head()

    piped = run_inproc(ada.root, "observations", "confirm", code)
    typed, screen = at_terminal(ada.root, ("observations", "confirm", code), [])

    assert (piped.code, "a person on a terminal" in piped.err) == (2, True)
    assert (typed, "holds from now on" in screen) == (0, True)
    assert ada.head() != before
    assert at_terminal(ada.root, ("observations", "confirm", code), [])[0] == 1
