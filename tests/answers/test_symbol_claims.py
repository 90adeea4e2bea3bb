"""What a rule rests on by the name of a symbol: it holds, has moved, drifted or gone, whatever moves around it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.answers.claims import drifted, judged, state_of
from gitmem.answers.code import Code
from gitmem.answers.reading import Place, open_place, read
from gitmem.answers.reading import ask as known
from gitmem.code import extract, signing
from gitmem.model.engram import Claim
from tests.asking import ask, knowledge, refused
from tests.conftest import MakeRepo
from tests.support import commit_all, git, start_repo, write_tree

from .test_claims import RULE, changed, rows, with_claims

CODE = '''import os


class Client:
    """Talks."""

    def send(self, text):
        # one descriptor for all
        return os.write(1, text.encode("utf-8"))

    def close(self):
        os.close(1)


def receive(count):
    return os.read(0, count) + os.read(0, count)
'''
SEND = CODE[CODE.index("    def send") : CODE.index("    def close")]
OTHER = "import os\n\n\n" + "\n".join(row[4:] for row in SEND.rstrip().split("\n")) + "\n"


@pytest.fixture
def repo(make_repo: MakeRepo) -> Path:
    root = make_repo(knowledge() | {"src/a.py": CODE, RULE: with_claims()})
    ask(root, "edit", "use-the-client", "claims", "--add", "src/a.py#Client.send")
    commit_all(root)
    return root


EDITS = {
    "nothing": (lambda t: t, "holds", ""),
    "another comment": (lambda t: t.replace("one descriptor for all", "the first descriptor"), "holds", ""),
    "other blanks": (lambda t: t.replace("(1, text", "(1,\n            text"), "holds", ""),
    "another indentation": (lambda t: t.replace("    ", "\t"), "holds", ""),
    "a method before it": (
        lambda t: t.replace("    def send", "    def first(self):\n        pass\n\n    def send"),
        "holds",
        "",
    ),
    "another line ending": (lambda t: t.replace("\n", "\r\n"), "holds", ""),
    "its body": (lambda t: t.replace("write(1", "write(2"), "drifted", ""),
    "its parameters": (lambda t: t.replace("send(self, text)", "send(self, text, more)"), "drifted", ""),
    "a name that it has now": (lambda t: t.replace("def send", "def transmit"), "moved", "src/a.py#Client.transmit"),
    "out of the class": (lambda t: t.replace(SEND, "") + OTHER[len("import os") :], "moved", "src/a.py#send"),
    "away": (lambda t: t.replace(SEND, ""), "gone", ""),
}


@pytest.fixture(scope="module")
def claimed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Place, str, Claim]:
    """A repository where nothing changes, its commit, and the claim that was made in it."""
    root = start_repo(tmp_path_factory.mktemp("claimed"))
    write_tree(root, knowledge() | {"src/a.py": CODE, RULE: with_claims()})
    ask(root, "edit", "use-the-client", "claims", "--add", "src/a.py#Client.send")
    commit_all(root)
    place = open_place(root)
    card = known(read(place), lambda knowledge: knowledge.under("claimed")[0])[0]
    return place, git(root, "rev-parse", "HEAD").strip(), Claim(*card.claims[0])


@pytest.mark.capability("G-007")
@pytest.mark.parametrize(("edit", "state", "now"), EDITS.values(), ids=EDITS)
def test_an_edit_tells_what_became_of_the_symbol(
    claimed: tuple[Place, str, Claim], edit: Callable[[str], str], state: str, now: str
) -> None:
    place, commit, claim = claimed
    (found,) = judged(Code(place, commit, {"src/a.py": edit(CODE).encode()}), [claim])
    told = state_of(claim, found)

    assert (told.state, told.symbol, told.now) == (state, "Client.send", now or None)


@pytest.mark.capability("G-007")
def test_a_compile_marks_the_rule_by_its_symbol(repo: Path) -> None:
    changed(repo, lambda text: text.replace("write(1", "write(2"))

    assert rows(repo) == [("drifted", "src/a.py", "", "")]


@pytest.mark.capability("G-007")
def test_a_symbol_that_moves_to_another_file_is_found_there(repo: Path) -> None:
    write_tree(
        repo, {"src/a.py": CODE.replace(SEND, ""), "lib/wire.py": OTHER, "lib/near.py": "def send():\n    pass\n"}
    )
    commit_all(repo)

    assert rows(repo) == [("moved", "src/a.py", "", "lib/wire.py#send")]


@pytest.mark.capability("G-008")
def test_a_change_that_edits_a_symbol_drifts_its_claim_and_one_that_moves_it_does_not(repo: Path) -> None:
    reading = read(open_place(repo))
    moved = {"src/a.py": CODE.replace(SEND, "").encode(), "lib/wire.py": OTHER.encode()}

    assert drifted(reading, moved) == ()
    (found,) = drifted(reading, {"src/a.py": CODE.replace("write(1", "write(2").encode()})
    assert (found.after, found.next_[1]) == ("drifted", "gitmem claims confirm use-the-client --path src/a.py")


@pytest.mark.capability("G-007")
def test_an_id_of_symbols_names_it_as_well(repo: Path) -> None:
    for spec in ("src/a.py::receive(1)", "src/a.py#Client.close"):
        ask(repo, "edit", "use-the-client", "claims", "--add", spec)
    ask(repo, "edit", "use-the-client", "claims", "--remove", "src/a.py::receive(1)")
    commit_all(repo)

    assert [row["symbol"] for row in ask(repo, "claims", "list")["items"][0]["claims"]] == [
        "Client.send",
        "Client.close",
    ]


@pytest.mark.capability("G-009")
def test_verify_names_the_claim_on_a_symbol_that_a_change_breaks_and_not_one_that_it_moves(repo: Path) -> None:
    write_tree(repo, {"src/b.py": "import sys\n"})
    commit_all(repo)
    write_tree(repo, {"src/a.py": CODE.replace(SEND, ""), "src/b.py": "import sys\n" + OTHER})
    assert ask(repo, "verify", "--worktree")["drifted"] == []
    write_tree(repo, {"src/b.py": "import sys\n"})
    (found,) = ask(repo, "verify", "--worktree")["drifted"]
    assert (found["path"], found["before"], found["after"]) == ("src/a.py", "holds", "gone")


def test_people_confirm_a_symbol_as_it_is_now(repo: Path) -> None:
    changed(repo, lambda text: text.replace("write(1", "write(2"))
    done = ask(repo, "claims", "confirm", "use-the-client")
    commit_all(repo)

    assert ([row["state"] for row in done["renewed"]], done["left"]) == (["drifted"], [])
    assert rows(repo) == [("holds", "src/a.py", "", "")]


def test_a_claim_is_taken_off_by_the_words_that_made_it(repo: Path) -> None:
    ask(repo, "edit", "use-the-client", "claims", "--remove", "src/a.py#Client.send")

    assert "src/a.py" not in (repo / RULE).read_text()


@pytest.mark.parametrize(
    ("spec", "code", "said"),
    [
        ("src/a.py#Client.missing", "no-such-symbol", "Client.send"),
        ("src/none.py#send", "no-such-file", "a symbol"),
        ("notes.md#Title", "no-symbols", "lines"),
        ("src/two.py#same", "several-symbols", "same(1)#2"),
    ],
)
def test_what_names_no_symbol_or_several_is_refused(repo: Path, spec: str, code: str, said: str) -> None:
    twice = "def same(x):\n    return 1\n\n\ndef same(x):\n    return 2\n"
    write_tree(repo, {"notes.md": "# Title\n", "src/two.py": twice})
    error = refused(repo, "edit", "use-the-client", "claims", "--add", spec)

    assert error["code"] == code
    assert said in error["hint"]


@pytest.mark.parametrize("language", ["py", "ts", "go", "java", "rs", "php"])
def test_a_digest_is_of_the_words_of_a_symbol_in_any_language(language: str) -> None:
    bodies = {
        "py": "def first(x):\n    return x + 1  # one more\n",
        "ts": "function first(x: number) { return x + 1 /* one more */ }\n",
        "go": "package a\n\nfunc first(x int) int {\n\treturn x + 1 // one more\n}\n",
        "java": "class A { int first(int x) { return x + 1; /* one more */ } }\n",
        "rs": "fn first(x: i32) -> i32 { x + 1 /* one more */ }\n",
        "php": "<?php\nfunction first($x) { return $x + 1; /* one more */ }\n",
    }

    def of(text: str) -> str:
        found = signing.parts(extract.facts(f"a.{language}", text.encode()), text.encode(), frozenset({"first"}))
        return found[0].digest

    text = bodies[language]
    assert of(text) == of(text.replace("one more", "another")) == of(text.replace(" + ", "  + "))
    assert of(text) != of(text.replace("+ 1", "+ 2"))
