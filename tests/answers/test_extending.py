"""A proposal gets a further patch set: what it creates is written anew, and stays what it was proposed as."""

import json
from pathlib import Path

import pytest

from tests.asking import ask, knowledge, refused, rule
from tests.conftest import MakeRepo
from tests.support import git, run_inproc

FIRST = "Ask the address book for a number before you dial it.\n"
BETTER = "Ask the address book for a number before you dial it, and write down whom you asked for it.\n"


@pytest.fixture
def repo(make_repo: MakeRepo) -> Path:
    return make_repo(knowledge(rule("use-the-client", 1, "src/**", tags=["api"])))


def new(repo: Path, title: str, body: str, *words: str) -> dict:
    return ask(repo, "propose", "new", "constraint", title, "--path", "src/**", *words, stdin=body)


def landed(repo: Path, answer: dict) -> dict[str, str]:
    """Approves it, and gives the texts of the engrams that it brought, by path."""
    before = git(repo, "rev-parse", "HEAD").strip()
    ask(repo, "proposals", "approve", f"{answer['proposal']}@{answer['patchset']}")
    rels = git(repo, "diff", "--name-only", before, "HEAD", "--", ".gitmem/engrams").split()
    there = git(repo, "ls-tree", "-r", "--name-only", "HEAD").split()
    return {rel.removeprefix(".gitmem/engrams/"): git(repo, "show", f"HEAD:{rel}") for rel in rels if rel in there}


def value(text: str, key: str) -> str:
    return next(line for line in text.splitlines() if line.startswith(f"{key}:"))


@pytest.mark.parametrize("title", ["Ask the book", "Ask the address book"])
def test_proposing_the_new_engram_again_writes_it_anew(repo: Path, title: str) -> None:
    first = new(repo, "Ask the book", FIRST)
    old = git(repo, "show", f"{first['ref']}:.gitmem/engrams/general/ask-the-book.md")

    second = new(repo, title, BETTER, "--extend", first["proposal"])

    shown = ask(repo, "proposals", "show", first["proposal"])
    assert (shown["kind"], shown["title"]) == ("new", title)
    assert second["items"] == first["items"]
    assert second["patchset"] != first["patchset"]
    ((rel, text),) = landed(repo, second).items()
    assert rel == f"general/{title.lower().replace(' ', '-')}.md"
    assert text.endswith(BETTER)
    assert old.partition("created:")[2].partition("---")[0] == text.partition("created:")[2].partition("---")[0]
    assert value(old, "id") == value(text, "id")
    assert "aliases" not in text


def test_an_edit_of_a_proposed_engram_leaves_it_new_and_names_the_proposal(repo: Path) -> None:
    first = new(repo, "Ask the book", FIRST)

    words = ("propose", "edit", "ask-the-book", "title", "Ask the address book", "--extend", first["proposal"])
    second = ask(repo, *words)

    shown = ask(repo, "proposals", "show", first["proposal"])
    assert (shown["kind"], shown["title"]) == ("new", "Ask the address book")
    ((rel, text),) = landed(repo, second).items()
    assert rel == "general/ask-the-address-book.md"
    assert "aliases" not in text


def test_a_change_of_another_engram_makes_a_proposal_of_a_new_one_an_update(repo: Path) -> None:
    first = new(repo, "Ask the book", FIRST)

    ask(repo, "propose", "edit", "use-the-client", "tags", "--add", "http", "--extend", first["proposal"])

    shown = ask(repo, "proposals", "show", first["proposal"])
    assert (shown["kind"], shown["title"]) == ("update", "Ask the book")


def test_on_top_of_a_proposal_that_creates_none_a_new_engram_is_one_more(repo: Path) -> None:
    first = ask(repo, "propose", "edit", "use-the-client", "tags", "--add", "http")

    second = new(repo, "Ask the book", FIRST, "--extend", first["proposal"])

    assert len(second["items"]) == 2


def test_the_name_of_another_proposed_engram_stays_taken(repo: Path) -> None:
    first = new(repo, "Ask the book", FIRST)

    ran = run_inproc(
        repo,
        *("propose", "new", "constraint", "Use the client", "--path", "src/**", "--domain", "api"),
        *("--extend", first["proposal"], "--json"),
        stdin=BETTER,
    )

    assert json.loads(ran.out)["error"]["code"] == "name-taken"


def retitled(repo: Path, item: str, title: str) -> str:
    """The text of the engram once its new title has landed."""
    answer = ask(repo, "propose", "edit", item, "title", title)
    return next(text for text in landed(repo, answer).values() if text)


def test_a_rename_back_leaves_no_engram_its_own_name_as_an_alias(repo: Path) -> None:
    landed(repo, new(repo, "Ask the book", FIRST))

    assert "- ask-the-book" in retitled(repo, "ask-the-book", "Ask the address book")
    text = retitled(repo, "ask-the-address-book", "Ask the book")

    assert "- ask-the-address-book" in text
    assert "- ask-the-book" not in text


def test_an_old_name_leads_to_the_engram_that_was_renamed(repo: Path) -> None:
    landed(repo, new(repo, "Ask the book", FIRST))
    retitled(repo, "ask-the-book", "Ask the address book")

    for name in ("ask-the-book", "general/ask-the-book"):
        assert refused(repo, "get", name)["hint"] == "it was renamed: gitmem get ask-the-address-book"
