"""Writing knowledge files for the user to commit: new, edit, mv, rm, fmt."""

import json
from pathlib import Path

import pytest

from tests.asking import CONFIG, ask, codes, knowledge, refused, rule
from tests.conftest import MakeRepo
from tests.support import commit_all, engram_id, git, run_inproc, write_tree

ONE = ".gitmem/engrams/api/one.md"
BODY = "Never call it from a component.\n"


@pytest.fixture
def repo(make_repo: MakeRepo) -> Path:
    return make_repo(CONFIG)


def new(repo: Path, *words: str, body: str = BODY) -> dict:
    return ask(repo, "new", *words, stdin=body)


def header(repo: Path, rel: str) -> str:
    return (repo / rel).read_text().split("---\n")[1]


@pytest.mark.capability("M-002")
def test_a_new_engram_is_a_file_that_waits_to_be_committed(repo: Path) -> None:
    answer = new(repo, "constraint", "Call the API through the client", "--path", "src/ui/**", "--tag", "http")

    assert set(answer) == {"id", "slug", "path", "warnings"}
    assert (answer["slug"], answer["path"]) == (
        "call-the-api-through-the-client",
        ".gitmem/engrams/http/call-the-api-through-the-client.md",
    )
    assert git(repo, "status", "--porcelain") == "?? .gitmem/engrams/\n"
    assert ask(repo, "compile", "src/ui/a.ts")["base"]["documents"] == []
    commit_all(repo, "rule")
    (document,) = ask(repo, "compile", "src/ui/a.ts")["base"]["documents"]
    assert (document["id"], document["content"]) == (answer["id"], BODY)


def test_every_option_lands_in_the_header(repo: Path) -> None:
    write_tree(repo, rule("needed", 1))

    answer = new(
        repo,
        *("guideline", "Everything", "--path", "src/**", "--path", "lib/**", "--except", "src/gen/**", "--layer", "ui"),
        *("--command", "build", "--requires", "needed", "--tag", "a", "--tag", "b", "--domain", "x/y", "--slug", "all"),
        *("--summary", "In short.", "--now", "2026-02-03T04:05:06Z"),
    )

    assert answer["path"] == ".gitmem/engrams/x/y/all.md"
    text = header(repo, answer["path"])
    for part in (
        "title: Everything\n",
        "kind: guideline\n",
        "summary: In short.\n",
        "tags:\n  - a\n  - b\n",
        "  paths:\n    - src/**\n    - lib/**\n",
        "  except:\n    - src/gen/**\n",
        "  layers:\n    - ui\n",
        "  commands:\n    - build\n",
        f"requires:\n  - {engram_id(1)}\n",
    ):
        assert part in text
    assert "2026-02-03T04:05:06Z" in text
    assert "Ada Example <ada@example.org>" in text


@pytest.mark.parametrize(
    ("words", "path"),
    [
        (("fact", "Plain"), "general/plain.md"),
        (("fact", "Plain", "--tag", "HTTP clients"), "http-clients/plain.md"),
        (("fact", "\u00dcber die Stra\u00dfe"), "general/uber-die-strasse.md"),
        (("fact", "Plain", "--domain", "/a/b/"), "a/b/plain.md"),
        (("fact", "Plain", "--slug", "other.md"), "general/other.md"),
    ],
)
def test_the_place_follows_from_domain_tag_and_title(repo: Path, words: tuple[str, ...], path: str) -> None:
    assert new(repo, *words)["path"] == f".gitmem/engrams/{path}"


@pytest.mark.parametrize("title", ["\u691c\u67fb", "!!!", "con"])
def test_a_title_that_gives_no_slug_takes_the_id(repo: Path, title: str) -> None:
    answer = new(repo, "fact", title)

    assert answer["slug"] == answer["id"].lower()


@pytest.mark.parametrize(
    ("words", "body", "says"),
    [
        (("thing", "T"), BODY, "unknown kind 'thing'"),
        (("fact", "T"), "", "an engram needs a body"),
        (("fact", "T"), " \n\n", "an engram needs a body"),
        (("fact", "T", "--slug", "Not A Slug"), BODY, "not a slug"),
        (("fact", "T", "--slug", "nul"), BODY, "not a slug"),
        (("fact", "T", "--domain", "../up"), BODY, "not a domain"),
        (("fact", "T", "--domain", "a//b"), BODY, "not a domain"),
    ],
)
def test_what_cannot_be_written_is_a_usage_error_and_writes_nothing(
    repo: Path, words: tuple[str, ...], body: str, says: str
) -> None:
    done = run_inproc(repo, "new", *words, stdin=body)

    assert (done.code, says in done.err) == (2, True)
    assert git(repo, "status", "--porcelain") == ""


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("fact", ""), "schema"),
        (("fact", "x" * 201), "schema"),
        (("constraint", "T", "--path", "src/["), "bad-glob"),
        (("fact", "T", "--requires", "nobody"), "not-found"),
        (("fact", "T", "--summary", "s" * 301), "schema"),
    ],
)
def test_what_would_be_malformed_is_refused_and_writes_nothing(repo: Path, words: tuple[str, ...], code: str) -> None:
    assert refused_new(repo, *words)["code"] == code
    assert git(repo, "status", "--porcelain") == ""


def test_a_secret_is_refused_without_being_shown_and_can_be_allowed(repo: Path) -> None:
    secret = "AKIA" + "IOSFODNN7" + "ABCDEFG"

    done = run_inproc(repo, "new", "fact", "Key", stdin=f"The key is {secret}.\n")

    assert done.code == 1
    assert secret not in done.err + done.out
    assert git(repo, "status", "--porcelain") == ""
    flag = done.err.split("--allow-secret ")[1].split()[0]
    assert new(repo, "fact", "Key", "--allow-secret", flag, body=f"The key is {secret}.\n")["slug"] == "key"


def test_a_taken_name_is_refused_without_regard_to_case_and_a_second_slug_is_named(repo: Path) -> None:
    new(repo, "fact", "Same", "--domain", "one")

    assert refused_new(repo, "fact", "Same", "--domain", "one")["code"] == "name-taken"
    answer = new(repo, "fact", "Same", "--domain", "two", body="Another text.\n")
    assert codes(answer["warnings"]) == ["ambiguous-slug"]


def refused_new(repo: Path, *words: str) -> dict:
    done = run_inproc(repo, "new", *words, "--json", stdin=BODY)
    assert done.code == 1, done
    return json.loads(done.out)["error"]


def test_the_body_comes_from_a_file_or_a_pipe(repo: Path) -> None:
    (repo / "note.md").write_text("From a file, without an end of line")

    from_file = ask(repo, "new", "fact", "File", "--body", "note.md")
    from_pipe = ask(repo, "new", "fact", "Pipe", "--body", "-", stdin="From a pipe.\n")

    assert (repo / from_file["path"]).read_text().endswith("---\nFrom a file, without an end of line\n")
    assert (repo / from_pipe["path"]).read_text().endswith("---\nFrom a pipe.\n")


@pytest.mark.parametrize("verb", ["new fact T", "edit one title T", "mv one two", "rm one", "fmt"])
def test_nothing_is_written_where_nothing_was_set_up(make_repo: MakeRepo, verb: str) -> None:
    repo = make_repo({"a.py": "x\n"})

    done = run_inproc(repo, *verb.split(), "--json", stdin=BODY)

    assert (done.code, json.loads(done.out)["error"]["code"]) == (1, "not-initialised")
    assert git(repo, "status", "--porcelain") == ""


EDITABLE = knowledge(
    {
        ONE: (
            "---\n"
            f'id: "{engram_id(1)}"   # for good\n'
            "title: 'One'\n"
            "kind: constraint\n"
            "# a comment\n"
            "tags: [a, b]\n"
            "scope:\n"
            "  paths:\n"
            "    - src/**\n"
            "mine: kept   \n"
            "---\n"
            "Body  \n\n"
        )
    },
    rule("two", 2, "src/**"),
)


@pytest.fixture
def editable(make_repo: MakeRepo) -> Path:
    return make_repo(EDITABLE)


@pytest.mark.parametrize(
    ("words", "before", "after"),
    [
        (("title", "Uno"), "title: 'One'", "title: 'Uno'"),
        (("status", "deprecated"), None, "status: deprecated\n"),
        (("priority", "-3"), None, "priority: -3\n"),
        (("tags", "--add", "c"), "[a, b]", "[a, b, c]"),
        (("tags", "--remove", "a"), "[a, b]", "[b]"),
        (("tags", "--remove", "a", "--add", "z"), "[a, b]", "[b, z]"),
        (("scope.paths", "--add", "lib/**"), "    - src/**\n", "    - src/**\n    - lib/**\n"),
        (("scope.except", "src/gen/**"), None, "  except:\n    - src/gen/**\n"),
        (("requires", "two"), None, f"requires:\n  - {engram_id(2)}\n"),
        (("requires", "--add", "two"), None, f"requires:\n  - {engram_id(2)}\n"),
        (("tags", "--unset"), "tags: [a, b]\n", ""),
        (("mine", "other"), "mine: kept   ", "mine: other   "),
        (("body", "New body.\n"), "Body  \n\n", "New body.\n"),
    ],
)
def test_an_edit_changes_the_lines_of_its_field_and_no_other_byte(
    editable: Path, words: tuple[str, ...], before: str | None, after: str
) -> None:
    text = EDITABLE[ONE]

    answer = ask(editable, "edit", "one", *words)

    assert answer["changed"] is True
    now = (editable / ONE).read_text()
    if before is not None:
        assert now == text.replace(before, after)
    else:
        assert now.replace(after, "") == text


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("id", engram_id(9)), 2),
        (("created", "x"), 2),
        ((), 2),
        (("title",), 2),
        (("title", "a", "b"), 2),
        (("title", "--add", "x"), 2),
        (("kind", "thing"), 2),
        (("status", "live"), 2),
        (("visibility", "all"), 2),
        (("requires", "--add", "one"), 1),
        (("importance", "2"), 1),
        (("scope.paths", "src/["), 1),
        (("title", "--unset"), 1),
        (("requires", "nobody"), 1),
        (("body", ""), 1),
    ],
)
def test_an_edit_that_would_break_the_file_is_refused_and_leaves_it(
    editable: Path, words: tuple[str, ...], code: int
) -> None:
    refused(editable, "edit", "one", *words, code=code)

    assert (editable / ONE).read_text() == EDITABLE[ONE]


def test_an_edit_that_is_so_already_changes_nothing(editable: Path) -> None:
    assert ask(editable, "edit", "one", "title", "One")["changed"] is False
    assert git(editable, "status", "--porcelain") == ""


def test_a_requirement_that_leads_nowhere_can_be_taken_out(make_repo: MakeRepo) -> None:
    repo = make_repo(knowledge(rule("one", 1, requires=["gone", engram_id(2)]), rule("two", 2)))

    ask(repo, "edit", "one", "requires", "--remove", "gone")
    assert "gone" not in (repo / ONE).read_text()
    ask(repo, "edit", "one", "requires", "--remove", "two")
    assert engram_id(2) not in (repo / ONE).read_text()


def test_the_file_on_disk_is_what_is_edited_whoever_changed_it(editable: Path) -> None:
    (editable / ONE).write_text(EDITABLE[ONE].replace("One", "Hand"))

    ask(editable, "edit", "one", "kind", "fact")

    assert (editable / ONE).read_text() == EDITABLE[ONE].replace("One", "Hand").replace("constraint", "fact")


def test_line_ends_of_the_file_are_kept(make_repo: MakeRepo) -> None:
    text = EDITABLE[ONE].replace("\n", "\r\n")
    repo = make_repo(CONFIG | {ONE: text.encode()})

    ask(repo, "edit", "one", "title", "Uno")

    assert (repo / ONE).read_bytes() == text.replace("One", "Uno").encode()


@pytest.mark.parametrize(
    ("to", "path"),
    [("uno", "api/uno"), ("http/uno", "http/uno"), ("http/one.md", "http/one"), ("a/b/c/one", "a/b/c/one")],
)
@pytest.mark.capability("M-002")
def test_a_move_keeps_every_byte_and_every_reference(editable: Path, to: str, path: str) -> None:
    answer = ask(editable, "mv", "one", to)

    assert (answer["id"], answer["path"], answer["changed"]) == (engram_id(1), f".gitmem/engrams/{path}.md", True)
    assert (editable / answer["path"]).read_text() == EDITABLE[ONE]
    assert not (editable / ONE).exists()


def test_a_move_onto_itself_changes_nothing_and_onto_another_is_refused(editable: Path) -> None:
    assert ask(editable, "mv", "one", "api/one")["changed"] is False
    assert refused(editable, "mv", "one", "two")["code"] == "name-taken"
    assert refused(editable, "mv", "one", "Not A Slug", code=2)["code"] == "usage"
    assert (editable / ONE).read_text() == EDITABLE[ONE]


def test_a_move_names_who_still_uses_the_old_name(make_repo: MakeRepo) -> None:
    repo = make_repo(
        knowledge(rule("one", 1), rule("by-slug", 2, requires=["one"]), rule("by-id", 3, requires=[engram_id(1)]))
    )

    (warning,) = ask(repo, "mv", "one", "uno")["warnings"]

    assert (warning["code"], warning["message"]) == (
        "requires-missing",
        "api/by-slug requires it by the name that it had",
    )
    assert ask(repo, "mv", "uno", "http/uno")["warnings"] == []


def test_what_is_required_is_not_removed(make_repo: MakeRepo) -> None:
    repo = make_repo(knowledge(rule("one", 1), rule("asks", 2, requires=[engram_id(1)])))

    assert refused(repo, "rm", "one")["message"] == "one is required by asks"

    ask(repo, "edit", "asks", "requires", "--remove", "one")
    assert ask(repo, "rm", "one")["changed"] is True
    assert git(repo, "status", "--porcelain").splitlines() == [" M .gitmem/engrams/api/asks.md", f" D {ONE}"]


def test_fmt_writes_ids_for_slugs_and_nothing_else(make_repo: MakeRepo) -> None:
    asks = rule("asks", 3, requires=["one", "http/two", "gone", "twin"])
    twins = rule("twin", 4) | rule("twin", 5, domain="b")
    repo = make_repo(knowledge(rule("one", 1), rule("two", 2, domain="http"), asks, twins))
    rel = ".gitmem/engrams/api/asks.md"
    before = (repo / rel).read_text()

    checked = run_inproc(repo, "fmt", "--check", "--json")
    assert (checked.code, (repo / rel).read_text()) == (1, before)
    answer = ask(repo, "fmt")

    assert answer["changed"] == [rel]
    assert codes(answer["warnings"]) == ["requires-unresolved"] * 2
    spelled = before.replace('"one"', f'"{engram_id(1)}"').replace('"http/two"', f'"{engram_id(2)}"')
    assert (repo / rel).read_text() == spelled
    assert ask(repo, "fmt")["changed"] == []
    assert run_inproc(repo, "fmt", "--check").code == 0


def test_nobody_asked_for_a_commit(make_repo: MakeRepo) -> None:
    """F-055: every command of the writing kind leaves branches and index as they were."""
    repo = make_repo(knowledge(rule("one", 1), rule("two", 2, requires=["one"])))
    git(repo, "switch", "--quiet", "--create", "feature")
    before = git(repo, "for-each-ref"), git(repo, "ls-files", "--stage"), git(repo, "symbolic-ref", "HEAD")

    new(repo, "fact", "Three")
    for words in (
        ("edit", "one", "title", "Uno"),
        ("mv", "one", "uno"),
        ("fmt",),
        ("edit", "two", "requires", "--unset"),
        ("rm", "two"),
    ):
        ask(repo, *words)

    assert (git(repo, "for-each-ref"), git(repo, "ls-files", "--stage"), git(repo, "symbolic-ref", "HEAD")) == before


def test_a_slip_in_the_name_of_a_field_is_told_and_a_key_of_ones_own_is_not(make_repo) -> None:
    root = make_repo(knowledge(rule("client", 1, "src/**")))

    slip = json.loads(run_inproc(root, "edit", "client", "titel", "Other", "--json").out)["warnings"]
    own = json.loads(run_inproc(root, "edit", "client", "x-owner", "ada", "--json").out)["warnings"]

    assert [(each["code"], "'title'" in each["hint"]) for each in slip] == [("unknown-key", True)]
    assert own == []
