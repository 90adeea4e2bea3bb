"""Words of a command line that cannot be meant: exit 2 with what is valid, or 1 with the item that is missing."""

import json
import os
from pathlib import Path

import pytest

from gitmem.operations import VERBS, called, every
from tests.cli.still import state
from tests.cli.verbs import BODY, FILE, HOSTS, ITEM, KNOWLEDGE, READING, WRITING, repository
from tests.support import Ran, engram_id, engram_text, git, run_cli, run_inproc

HOSTILE_OPTIONS = [
    "--output=canary",
    "-o",
    "--exec=touch canary",
    "--upload-pack=touch canary",
    "-c core.pager=touch",
    "--ext-diff",
    "--textconv",
    "--work-tree=/",
    "--git-dir=/tmp",
    "-C/",
    "--help",
    "--version",
    "-",
    "--",
    "@",
    ":(exclude)*",
    ":!x",
    ":/",
    "HEAD:",
    "^HEAD",
    "$(touch canary)",
    "`touch canary`",
    "; touch canary",
    "| touch canary",
    "&& touch canary",
    "\ntouch canary\n",
    "%s%n%p",
    "{0.__class__}",
    "{{ 7*7 }}",
    "${7*7}",
    "<%= 7*7 %>",
    "../../../etc/passwd",
    "\x1b[2J",
    "C++",
    '"',
    "(",
    "*",
    "AND OR NOT",
    "a:b",
    "a" * 5000,
    "9" * 5000,
    "\udcff\udcfe",
    "\u202egpj.exe",
    "",
    " ",
]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory, homes: Path) -> Path:
    """One repository for all tests of this file that write nothing."""
    return repository(tmp_path_factory.mktemp("arguments") / "repo")


def refused(ran: Ran, exit_code: int = 2) -> dict[str, str]:
    assert ran.code == exit_code, (ran.out[:300], ran.err[:300])
    found = json.loads(ran.out)["error"]
    assert found["code"] != "internal"
    assert found["message"]
    return found


def test_every_verb_of_the_table_is_called_by_these_tests() -> None:
    known = {called(words)[0] for words in (*READING.values(), *WRITING.values(), *HOSTS.values())}

    assert known | {"mcp", "watch"} == set(VERBS)


def test_every_write_of_the_table_is_known_as_one() -> None:
    for operation in every():
        if operation.writes and operation.verb != "watch":
            assert operation.verb in {called(words)[0] for words in (*WRITING.values(), *HOSTS.values())}


@pytest.mark.capability("R-065")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nope"], "unknown command: nope"),
        (["lst"], "did you mean 'list'"),
        (["--nope"], "unknown option: --nope"),
        (["compile", FILE, "--nope"], "--nope"),
        (["compile", FILE, "--pla", "x"], "--pla"),
        (["list", "extra"], "extra"),
        (["get"], "name 1 to 100 items"),
        (["show"], "ITEM"),
        (["why-not", ITEM], "FILE"),
        (["new", "fact"], "TITLE"),
        (["compile"], "no target file"),
        (["explain"], "no target file"),
        (["compile", FILE, "--mode", "fast"], "auto, always, metadata"),
        (["compile", FILE, "--min-relevance", "0.5"], "--plan"),
        (["compile", FILE, "--plan", "x", "--min-relevance", "1.5"], "from 0 to 1"),
        (["compile", FILE, "--plan", "x", "--min-relevance", "-1"], "from 0 to 1"),
        (["compile", FILE, "--plan", "x", "--min-relevance", "nan"], "not a number"),
        (["compile", FILE, "--plan", "x", "--min-relevance", "much"], "not a number"),
        (["compile", FILE, "--max-inline-bytes", "0"], "above 0"),
        (["compile", FILE, "--max-inline-bytes", "-5"], "above 0"),
        (["compile", FILE, "--max-tokens", "0"], "above 0"),
        (["compile", FILE, "--max-entries", "0"], "above 0"),
        (["compile", FILE, "--max-tokens", "1" * 5000], "not a whole number"),
        (["compile", FILE, "--max-tokens", "1e3"], "not a whole number"),
        (["compile", FILE, "--max-tokens", "\u0661\u0662"], "not a whole number"),
        (["compile", FILE, "--max-tokens", "1_000"], "not a whole number"),
        (["compile", FILE, "--tag", "no-such-tag"], "no-such-tag"),
        (["compile", FILE, "--notices", "stale"], "fresh"),
        (["compile", FILE, "--as-of", "yesterday"], "not a date"),
        (["compile", FILE, "--trust=-x"], "branch"),
        (["compile", FILE, "--trust", "a..b"], "branch"),
        (["compile", FILE, "--now", "soon"], "not a time"),
        (["get", ITEM, "--tier", "deep"], "catalog, digest, content"),
        (["get", ITEM, "--budget", "0"], "above 0"),
        (["list", "--limit", "0"], "1 to 500"),
        (["list", "--limit", "501"], "1 to 500"),
        (["list", "--kind", "rule"], "constraint"),
        (["list", "--status", "living"], "active"),
        (["list", "--cursor", "nope"], "not a cursor"),
        (["list", "--path", "../x"], "inside the repository"),
        (["overview", "--depth", "0"], "1 to 10"),
        (["new", "rule", "T"], "constraint"),
        (["new", "fact", "T", "--slug", "Not A Slug"], "not-a-slug"),
        (["new", "fact", "T", "--domain", "a/.."], "domain"),
        (["new", "fact", "T", "--domain", "../x"], "domain"),
        (["new", "fact", "T", "--body", "no-such-file"], "no-such-file"),
        (["edit", ITEM], "field"),
        (["edit", ITEM, "id", "x"], "never changes"),
        (["edit", ITEM, "created", "x"], "never changes"),
        (["edit", ITEM, "title"], "new value"),
        (["edit", ITEM, "title", "a", "b"], "one value"),
        (["edit", ITEM, "title", "--add", "x"], "not a list"),
        (["mv", ITEM, "../x"], "domain"),
        (["mv", ITEM, "a b"], "slug"),
        (["check", "--staged", "--range", "A..B"], "exclude"),
        (["check", "--range", "HEAD"], "not a range"),
        (["import", "--format", "word", "AGENTS.md"], "word"),
        (["help", "nope"], "nope"),
        (["mcp", "--nope"], "--nope"),
        (["mcp", "--surface", "root"], "agent"),
        (["mcp", "--tools", "most"], "minimal"),
        (["mcp", "extra"], "extra"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_what_cannot_be_meant_is_refused_with_what_can(root: Path, words: list[str], said: str) -> None:
    before = state(root)

    ran = run_inproc(root, *words, "--json", stdin=BODY)

    found = refused(ran)
    assert said in f"{found['message']} {found['hint']}"
    assert found["hint"]
    assert state(root) == before


PATHS = {
    "empty": "",
    "above": "../x",
    "above in the middle": "a/../../x",
    "above at the end": "a/..",
    "here": ".",
    "here in the middle": "a/./b",
    "absolute": "/etc/hosts",
    "home": "~/x",
    "home alone": "~",
    "drive": "C:\\x",
    "drive with a slash": "c:/x",
    "drive, relative": "C:x",
    "share": "\\\\srv\\x",
    "share with slashes": "//srv/x",
    "device": "\\\\?\\C:\\x",
    "above with backslashes": "..\\x",
    "above mixed": "a\\..\\..\\x",
    "twice a slash": "a//b",
    "slash at the end": "a/",
    "nul": "a\0b",
    "line feed": "a\nb",
    "carriage return": "a\rb",
    "escape": "a\x1b[31mb",
    "control": "a\x07b",
    "half a character": "a\udcffb",
    "git": ".git/config",
    "git in capitals": ".GIT/config",
    "git inside": "a/.git/hooks/x",
    "git with a dot": ".git./config",
    "git with a blank": ".git /config",
    "git as a stream": ".git::$INDEX_ALLOCATION/config",
    "git by its short name": "GIT~1/config",
    "git with an unseen sign": ".g\u200cit/config",
    "too long": "a/" * 3000 + "b",
    "name too long": "a" * 300,
    "line separator": "a\u2028b",
}


@pytest.mark.capability("G-039")
@pytest.mark.parametrize("path", PATHS.values(), ids=PATHS)
def test_a_path_that_leads_elsewhere_is_refused_by_every_verb(root: Path, path: str) -> None:
    """F-051, F-048, F-041: the same verdict on every system, and nothing is cleaned up."""
    calls = [("compile", path), ("compile", FILE, path), ("explain", path), ("why-not", ITEM, path), ("layers", path)]
    calls += [("list", "--path", path)] if path else []
    for words in calls:
        found = refused(run_inproc(root, *words, "--json"))
        assert found["code"] in ("usage", "unsafe-path"), words


ODD_PATHS = [
    "src/[id]/***/page.tsx",
    "src/*",
    "src/{a,b}.py",
    "src/a b/\u00fc & c.py",
    "docs/Gr\u00f6\u00dfe/\u65e5\u672c\u8a9e.md",
    "src/\u0444\u0430\u0439\u043b.py",
    "src/e\u0301.py",
    "src/-A.py",
    "src/--output=x.py",
    "src/a:b.py",
    "src/con.py",
    "src/trailing. ",
    "src/'quoted'.py",
    'src/"quoted".py',
    "src/$(touch canary).py",
    "src/`touch canary`.py",
    "src/;touch canary;.py",
    "src/|&<>.py",
    "src/%s{0}.py",
    "src/" + "\U0001f600" * 60 + ".py",
    "src/" + "d/" * 500 + "deep.py",
]


@pytest.mark.capability("R-011")
@pytest.mark.parametrize("path", ODD_PATHS, ids=lambda path: path[:24])
def test_an_odd_name_is_a_name_like_any_other(root: Path, path: str) -> None:
    """F-043, F-068, F-125, F-243: planned files count (F-046), and signs in them are only signs."""
    answer = json.loads(run_inproc(root, "compile", "--json", "--", path).out)

    assert [each["slug"] for each in answer["base"]["documents"]] == ([ITEM] if path.startswith("src/") else [])
    assert [edge["file"] for edge in answer["base"]["resolution_path"]] == ([path] if path.startswith("src/") else [])
    assert not (root / "canary").exists()


@pytest.mark.parametrize("name", ["-A.py", "--output=x.py", "--json", "--", "-h", "--help"])
def test_after_two_dashes_everything_is_a_name(make_repo, name: str) -> None:
    """F-044"""
    root = make_repo(KNOWLEDGE | {".gitmem/engrams/all.md": engram_text(id=engram_id(5), scope={"paths": ["*"]})})

    ran = run_inproc(root, "compile", "--json", "--", name)

    assert ran.code == 0, ran.err
    assert [edge["file"] for edge in json.loads(ran.out)["base"]["resolution_path"]] == [name]
    assert json.loads(run_inproc(root, "layers", "--json", "--", name).out)["files"] == {name: None}
    assert run_inproc(root, "why-not", ITEM, "--", name).out.startswith(f"{ITEM} ({engram_id(1)}) for {name}: ")


def test_a_target_behind_a_link_or_in_another_repository_is_pointed_out(make_repo, tmp_path: Path) -> None:
    """F-042, F-076: the answer is for the path as it was typed, and says that the file may be elsewhere."""
    root = make_repo(KNOWLEDGE)
    (tmp_path / "outside").mkdir()
    (root / "src/link").symlink_to(tmp_path / "outside")
    (root / "src/vendor").mkdir()
    git(root / "src/vendor", "init", "--quiet")

    for path, code in (("src/link/a.py", "symlinked-target"), ("src/vendor/a.py", "other-repository")):
        answer = json.loads(run_inproc(root, "compile", path, "--json").out)
        assert [each["code"] for each in answer["notices"]] == [code]
        assert [each["slug"] for each in answer["base"]["documents"]] == [ITEM]


def test_a_sibling_that_begins_like_the_root_is_outside(make_repo, tmp_path: Path) -> None:
    """F-041"""
    root = make_repo(KNOWLEDGE)
    (tmp_path / "repo-evil").mkdir()

    assert run_inproc(root, "compile", "../repo-evil/a.py", "--json").code == 2
    assert run_inproc(root, "compile", str(tmp_path / "repo-evil/a.py"), "--json").code == 2


@pytest.mark.parametrize("is_long", [False, pytest.param(True, marks=pytest.mark.long)], ids=["some", "all"])
@pytest.mark.parametrize("text", HOSTILE_OPTIONS, ids=lambda text: repr(text)[:24])
def test_a_hostile_text_is_an_answer_or_a_typed_error_in_every_parameter(root: Path, text: str, is_long: bool) -> None:
    """F-242, F-243, F-252, F-103: nothing runs, nothing is evaluated, nothing is a traceback."""
    before = state(root)
    calls = [
        ("compile", FILE, f"--plan={text}"),
        ("compile", FILE, f"--command={text}", f"--layer={text}", f"--agent-id={text}"),
        ("compile", FILE, f"--tag={text}"),
        ("compile", FILE, f"--at={text}"),
        ("compile", FILE, f"--trust={text}"),
        ("compile", FILE, f"--as-of={text}", f"--notices={text}", f"--mode={text}"),
        ("get", "--", text),
        ("show", "--", text),
        ("why", "--", text),
        ("why-not", "--", text, FILE),
        ("explain", FILE, f"--item={text}"),
        ("list", f"--tag={text}", f"--domain={text}"),
        ("list", f"--kind={text}", f"--cursor={text}"),
        ("edit", "--", text, "title", "x"),
        ("mv", "--", ITEM, text),
        ("rm", "--", text),
    ]
    turn = HOSTILE_OPTIONS.index(text)
    for words in calls if is_long else [*calls[turn % 4 :: 4], calls[3]]:
        ran = (
            run_inproc(root, *words, "--json")
            if "--" not in words
            else run_inproc(root, words[0], "--json", *words[1:])
        )
        assert ran.code in (0, 1, 2), (words, ran.err)
        found = json.loads(ran.out)
        assert found.get("error", {}).get("code") != "internal"
        assert "\x1b" not in ran.out + ran.err
    assert state(root) == before
    assert not (root / "canary").exists()


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(text, marks=[] if at % 3 == 0 else [pytest.mark.long])
        for at, text in enumerate(text for text in HOSTILE_OPTIONS if text.strip() and "\udcff" not in text)
    ],
    ids=lambda text: repr(text)[:24],
)
def test_a_hostile_text_in_a_new_engram_is_kept_as_typed_or_refused(make_repo, text: str) -> None:
    """F-039, F-252, F-010, F-040: the file lies below `.gitmem/engrams` whatever the title says."""
    root = make_repo(KNOWLEDGE)

    ran = run_inproc(
        root,
        "new",
        "--json",
        "--path=src/**",
        f"--tag={text}",
        f"--summary={text[:200]}",
        "--",
        "fact",
        text,
        stdin=f"{text}\n",
    )

    assert ran.code in (0, 1, 2), ran.err
    assert not (root / "canary").exists()
    if ran.code == 0:
        path = root / json.loads(ran.out)["path"]
        assert path.is_relative_to(root / ".gitmem/engrams")
        assert len(os.fsencode(path.name)) <= 120
        git(root, "add", "--all")
        git(root, "commit", "--quiet", "--message", "new")
        got = json.loads(run_inproc(root, "get", json.loads(ran.out)["id"], "--tier", "content", "--json").out)[
            "items"
        ][0]
        assert got["title"] == " ".join(text.split())
        assert got["content"].rstrip("\n") == text.rstrip("\n")


@pytest.mark.parametrize(
    "title",
    [
        "x/../../../tmp/y",
        "../../etc",
        "CON",
        "nul.md",
        "a" * 200,
        "\u6c7a\u5b9a" * 60,
        "\U0001f600",
        ".git",
        "---",
        "GIT~1",
    ],
)
def test_a_title_never_becomes_a_path_that_leaves_the_folder(make_repo, title: str) -> None:
    """F-039, F-040, F-050"""
    root = make_repo(KNOWLEDGE)

    ran = run_inproc(root, "new", "fact", "--json", "--", title, stdin=BODY)

    assert ran.code == 0, ran.err
    path = json.loads(ran.out)["path"]
    assert (root / path).is_file()
    assert path.startswith(".gitmem/engrams/general/")
    assert len(path.rpartition("/")[2]) <= 84


def test_a_title_that_is_taken_is_refused_with_the_place_of_the_first(make_repo) -> None:
    """F-002, F-030: three spellings of one name."""
    root = make_repo(KNOWLEDGE)
    first = json.loads(run_inproc(root, "new", "fact", "my-note", "--json", stdin="The first.\n").out)

    for title in ("my-note", "My Note", "MY_NOTE"):
        found = refused(run_inproc(root, "new", "fact", title, "--json", stdin="The second.\n"), 1)
        assert found["code"] == "name-taken"
        assert first["path"] in found["message"]
        assert first["id"] in found["message"]
    assert "The first." in (root / first["path"]).read_text()


def test_what_changes_things_takes_exact_names_only(make_repo) -> None:
    """F-032, F-033, F-047"""
    root = make_repo(KNOWLEDGE)
    before = state(root)

    for words in (("edit", "use-the-clien", "title", "X"), ("mv", "use-the-clien", "x"), ("rm", "use-the-clien")):
        found = refused(run_inproc(root, *words, "--json"), 1)
        assert (found["code"], found["hint"]) == ("not-found", "did you mean 'use-the-client'?")
    for words in (("edit", engram_id(77), "title", "X"), ("rm", engram_id(77)), ("mv", engram_id(77), "x")):
        assert refused(run_inproc(root, *words, "--json"), 1)["code"] == "not-found"
    assert state(root) == before


def test_an_id_is_one_id_in_either_case_and_with_blanks_around(root: Path) -> None:
    """F-037"""
    for text in (engram_id(1), engram_id(1).lower(), f"  {engram_id(1)} ", ITEM, f"api/{ITEM}", f" {ITEM}"):
        assert json.loads(run_inproc(root, "get", text, "--json").out)["items"][0]["id"] == engram_id(1), text


def test_a_name_that_fits_two_items_is_refused_with_both(make_repo) -> None:
    """F-031"""
    files = {
        f".gitmem/engrams/{domain}/deploy.md": engram_text(id=engram_id(n), title="Deploy")
        for n, domain in enumerate("ab", 5)
    }
    root = make_repo(KNOWLEDGE | files)

    found = refused(run_inproc(root, "get", "deploy", "--json"), 1)

    assert found["code"] == "ambiguous"
    assert engram_id(5) in found["message"]
    assert engram_id(6) in found["message"]
    assert run_inproc(root, "get", "a/deploy").code == 0


def test_an_item_that_was_moved_by_hand_is_found_by_its_id(make_repo) -> None:
    """F-003"""
    root = make_repo(KNOWLEDGE)
    git(root, "mv", ".gitmem/engrams/api/use-the-client.md", ".gitmem/engrams/moved.md")
    git(root, "commit", "--quiet", "--message", "moved")

    ran = run_inproc(root, "edit", engram_id(1), "title", "Another title", "--json")

    assert json.loads(ran.out)["path"] == ".gitmem/engrams/moved.md"
    assert sorted(path.name for path in (root / ".gitmem/engrams").rglob("*.md")) == ["moved.md", "name-the-table.md"]


def test_an_item_that_was_removed_says_when_and_where_to_read_it(make_repo) -> None:
    root = make_repo(KNOWLEDGE)
    git(root, "rm", "--quiet", ".gitmem/engrams/api/use-the-client.md")
    git(root, "commit", "--quiet", "--message", "away with it")

    for name in (ITEM, f"api/{ITEM}", engram_id(1)):
        found = refused(run_inproc(root, "get", name, "--json"), 1)
        assert "away with it" in found["hint"]
        revision = found["hint"].rpartition("--at ")[2]
        assert run_inproc(root, "get", name, "--at", revision).code == 0


def test_every_verb_has_a_page_and_prints_it_outside_of_a_repository(tmp_path: Path) -> None:
    for verb in VERBS:
        for words in ((*verb.split(), "--help"), (*verb.split(), "-h"), ("help", *verb.split())):
            ran = run_inproc(tmp_path, *words)
            assert (ran.code, ran.err) == (0, "")
            assert f"gitmem {verb}" in ran.out


def test_a_root_of_240_characters_with_signs_and_blanks_works(tmp_path: Path) -> None:
    """F-045, F-049: a smoke run from the first command to the last."""
    base = tmp_path / "dir with  two spaces" / "\u00fc & b" / "[x]{y}*?$(touch canary)`'\""
    root = base / ("n" * max(1, 240 - len(str(base)) - 1))
    root.mkdir(parents=True)
    git(root, "init", "--quiet", "--initial-branch=main")
    git(root, "-c", "user.name=A", "commit", "--quiet", "--allow-empty", "--message", "start")
    assert len(str(root)) >= 240

    assert run_cli(root, "init").code == 0
    made = run_cli(root, "new", "constraint", "A rule", "--path", "src/**", "--json", stdin=BODY)
    assert made.code == 0, made.err
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "a rule")
    for words in (
        ("status",),
        ("check",),
        ("list",),
        ("why", "a-rule"),
        ("get", "a-rule"),
        ("edit", "a-rule", "title", "B"),
    ):
        ran = run_cli(root, *words)
        assert ran.code == 0, (words, ran.err)
    assert "1 rule(s) apply" in run_cli(root, "compile", FILE).out
    assert not list(tmp_path.rglob("canary"))


@pytest.mark.parametrize(
    "name", ["line\nbreak", "carriage\rreturn", "next\x85line", "\u2028", "tab\t", "\x1b[31m", "back\\slash"]
)
@pytest.mark.skipif(os.name == "nt", reason="no such names there")
def test_a_root_with_signs_that_end_lines_works(make_repo, name: str) -> None:
    root = make_repo(KNOWLEDGE, name=name)
    (root / "src" / name).mkdir(parents=True)

    for folder in (root, root / "src", root / "src" / name, root / ".git"):
        assert run_inproc(folder, "get", ITEM).code == 0, folder
    assert json.loads(run_inproc(root, "compile", FILE, "--json").out)["environment"]["root"] == str(root)
    assert "\x1b" not in run_inproc(root, "status").out


def test_a_folder_named_by_an_option_is_as_good_as_standing_in_it(root: Path, tmp_path: Path) -> None:
    """F-074: from the root, a folder inside, a link to it, and from elsewhere."""
    (tmp_path / "link").symlink_to(root)
    expected = run_inproc(root, "get", ITEM, "--json").out
    for words in (
        ("-C", str(root)),
        ("-C", str(root / "src")),
        ("-C", str(tmp_path / "link")),
        ("-C", str(root), "-C", "src"),
    ):
        assert run_inproc(tmp_path, *words, "get", ITEM, "--json").out == expected
    for folder in ("nope", "nope\0", "", str(root / FILE)):
        ran = run_inproc(tmp_path, "-C", folder, "get", ITEM, "--json")
        assert refused(ran, 1)["code"] == "not-a-repository"
    assert run_inproc(tmp_path, "-C").code == 2


def test_a_program_in_the_current_folder_is_not_taken_for_one_of_ours(make_repo) -> None:
    """A repository may hold a json.py or a git of its own."""
    lure = "raise SystemExit('the lure ran')\n"
    root = make_repo(KNOWLEDGE | {name: lure for name in ("json.py", "gitmem.py", "yaml.py", "argparse.py", "git")})
    (root / "git").chmod(0o755)

    ran = run_cli(root, "compile", FILE)

    assert ran.code == 0, ran.err
    assert "lure" not in ran.out + ran.err


def test_an_absolute_target_is_called_absolute_from_a_subfolder_too(make_repo) -> None:
    root = make_repo({"src/a.py": "x\n"})

    ran = run_inproc(root, "-C", "src", "compile", "/etc/passwd")

    assert (ran.code, "'/etc/passwd': it is absolute" in ran.err) == (2, True)


def test_what_identifies_an_item_is_not_changed_by_a_field(make_repo) -> None:
    """F-038"""
    root = make_repo(KNOWLEDGE)
    before = state(root)
    for field in ("id", "created", "created.by"):
        assert run_inproc(root, "edit", ITEM, field, engram_id(9)).code in (1, 2), field
    assert state(root) == before


def test_titles_that_begin_alike_are_two_items(make_repo) -> None:
    """F-035: neither replaces the other, and both are found by what is theirs alone."""
    root = make_repo(KNOWLEDGE)
    start = "The same beginning " * 9
    made = [
        run_inproc(root, "new", "fact", f"{start}{end}", f"--slug=n{end}", "--json", stdin=end) for end in ("1", "2")
    ]
    assert [ran.code for ran in made] == [0, 0]
    ids = [json.loads(ran.out)["id"] for ran in made]
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "two")

    for id_, end in zip(ids, ("1", "2"), strict=True):
        assert json.loads(run_inproc(root, "get", id_, "--json").out)["items"][0]["content"] == f"{end}\n"

    ran = run_inproc(root, "new", "fact", f"{start}3", "--json", stdin="3")
    again = run_inproc(root, "new", "fact", f"{start}4", "--json", stdin="4")
    assert ran.code == 0
    assert again.code == 1 or json.loads(again.out)["path"] != json.loads(ran.out)["path"]
    assert (root / json.loads(ran.out)["path"]).read_text().endswith("\n3\n")


def test_items_that_two_clones_made_apart_are_all_there_after_a_merge(make_repo, tmp_path: Path) -> None:
    """F-034"""
    root = make_repo(KNOWLEDGE)
    clones = [tmp_path / name for name in ("one", "two")]
    for number, clone in enumerate(clones):
        git(tmp_path, "clone", "--quiet", str(root), str(clone))
        for at in range(10):
            assert run_inproc(clone, "new", "fact", f"Fact {number} {at}", "--now", "2026-01-01", stdin=BODY).code == 0
        git(clone, "add", "--all")
        git(clone, "commit", "--quiet", "--message", "mine")
        git(root, "pull", "--quiet", "--no-rebase", "--no-edit", str(clone), "main")

    items = json.loads(run_inproc(root, "list", "--json").out)["items"]

    assert len({item["id"] for item in items}) == len(items) == 22


@pytest.mark.parametrize("words", [("new", "fact", "Thing"), ("propose", "new", "fact", "Thing")])
def test_a_time_before_the_first_id_is_refused(make_repo, words: tuple[str, ...]) -> None:
    root = make_repo(KNOWLEDGE)

    ran = run_inproc(root, *words, "--now", "1960-01-01T00:00:00Z", stdin="It is so.")

    assert ran.code == 2
    assert "before 1970" in ran.err


@pytest.mark.parametrize(
    ("steps", "place"),
    [
        ("- retire: {item: use-the-client}\n- retire: {item: alpha}", "change 2 of the plan"),
        ("- new: {title: T, body: B}", "change 1 of the plan"),
        ("- retire: {item: use-the-client}\n- fly: {item: alpha}", "change 2 of the plan"),
        ("- {", "line 3 of the plan"),
    ],
)
def test_what_is_wrong_with_a_plan_names_the_change(make_repo, steps: str, place: str) -> None:
    root = make_repo(KNOWLEDGE)

    ran = run_inproc(root, "propose", "--file", "-", "--json", stdin=f"changes:\n{steps}\n")

    assert ran.code in (1, 2)
    assert json.loads(ran.out)["error"]["place"].startswith(place)
