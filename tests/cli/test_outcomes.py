"""The documented outcome of each state that a repository can be in: exit code, error code, and what is never served."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.still import state
from tests.cli.verbs import BODY, FILE, ITEM, KNOWLEDGE, READING, WRITING
from tests.support import Ran, commit_all, engram_id, engram_text, git, run_inproc, write_tree

RULE = ".gitmem/engrams/api/use-the-client.md"


def compiled(root: Path, *words: str) -> dict:
    ran = run_inproc(root, "compile", FILE, "--json", *words)
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


def slugs(answer: dict) -> list[str]:
    return [each["slug"] for each in answer["base"]["documents"]]


def codes(answer: dict, channel: str = "warnings") -> list[str]:
    return [each["code"] for each in answer[channel]]


def error(ran: Ran) -> dict[str, str]:
    """The error of a call with --json: one object with the four documented keys, and the same text for people."""
    found = json.loads(ran.out)
    assert list(found) == ["error"], ran.out
    assert list(found["error"]) == ["code", "message", "place", "hint"]
    assert found["error"]["message"] in ran.err
    assert ran.err.startswith("error: ")
    return found["error"]


@pytest.mark.parametrize("where", ["nowhere", "inside .git", "a file in the way"])
def test_outside_of_a_repository_every_verb_says_so(tmp_path: Path, where: str) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    if where == "a file in the way":
        (folder / ".git").write_text("not a repository\n")
    elif where == "inside .git":
        (folder / ".git").mkdir()

    for words in (*READING.values(), *WRITING.values()):
        ran = run_inproc(folder, *words, "--json", stdin=BODY)
        assert ran.code == 1, words
        assert error(ran)["code"] == "not-a-repository", words


@pytest.mark.capability("M-083")
def test_a_repository_without_commits_has_an_empty_answer_that_says_how_to_start(make_repo) -> None:
    """F-073: before and after init."""
    root = make_repo()
    for prepare in ((), ("init",)):
        if prepare:
            assert run_inproc(root, *prepare).code == 0
        answer = compiled(root)
        assert (slugs(answer), codes(answer)) == ([], ["no-commits"])
        assert answer["warnings"][0]["hint"]
        for words in (
            ("list",),
            ("overview",),
            ("status",),
            ("layers",),
            ("layers", FILE),
            ("check",),
            ("fmt", "--check"),
        ):
            if words[0] == "fmt" and not prepare:
                continue
            ran = run_inproc(root, *words, "--json")
            assert ran.code == 0, (words, ran.err)
        for words in (("get", ITEM), ("show", ITEM), ("why", ITEM), ("why-not", ITEM, FILE)):
            assert error(run_inproc(root, *words, "--json"))["code"] == "not-found", words


def test_a_repository_that_was_never_initialised_has_an_empty_answer(make_repo) -> None:
    root = make_repo({FILE: "1\n"})
    before = state(root)

    for words in (
        ("compile", FILE),
        ("list",),
        ("overview",),
        ("status",),
        ("layers",),
        ("layers", FILE),
        ("explain", FILE),
    ):
        ran = run_inproc(root, *words, "--json")
        assert ran.code == 0, (words, ran.err)
        told = json.loads(ran.out)
        assert "not-initialised" in codes(told["compile"] if words[0] == "explain" else told), words
    for words in (("get", ITEM), ("show", ITEM), ("why", ITEM), ("why-not", ITEM, FILE)):
        assert error(run_inproc(root, *words, "--json"))["code"] == "not-found", words
    for words in (("new", "fact", "T"), ("edit", ITEM, "title", "T"), ("mv", ITEM, "x"), ("rm", ITEM), ("fmt",)):
        ran = run_inproc(root, *words, "--json", stdin=BODY)
        assert (ran.code, error(ran)["code"]) == (1, "not-initialised"), words
    assert state(root) == before


def test_an_initialised_repository_without_a_rule_says_so(make_repo) -> None:
    root = make_repo({".gitmem/config.yaml": "format: 1\n", FILE: "1\n"})

    answer = compiled(root)

    assert (slugs(answer), codes(answer)) == ([], ["empty"])


# Verbs about the clone itself and what it has on record, whoever made the folder.
OWN = ("config", "hooks", "merge-driver", "journal", "observations")


@pytest.mark.parametrize("is_committed", [True, False])
def test_a_folder_of_another_tool_is_named_and_left_alone(make_repo, is_committed: bool) -> None:
    root = make_repo({FILE: "1\n"})
    write_tree(root, {".gitmem/sessions/1.json": "{}", ".gitmem/index.db": "x"})
    if is_committed:
        commit_all(root)
    before = state(root)

    for words in (*READING.values(), *WRITING.values()):
        if words[0] in OWN or words[1:2] in (("--staged",), ("--range",)):
            continue
        ran = run_inproc(root, *words, "--json", stdin=BODY)
        assert ran.code == 1, (words, ran.out)
        assert error(ran)["code"] == "foreign-folder", words
    assert state(root) == before


def test_initialising_again_changes_nothing(make_repo) -> None:
    root = make_repo(KNOWLEDGE)
    run_inproc(root, "init")
    before = state(root)

    ran = run_inproc(root, "init", "--json")

    assert ran.code == 0
    assert json.loads(ran.out)["written"] == []
    assert state(root) == before


def test_what_is_not_committed_is_counted_and_never_served(make_repo) -> None:
    """F-058: changed, staged, new and removed files are each an edit that waits."""
    root = make_repo(KNOWLEDGE)
    draft = "The uncommitted word is axolotl.\n"
    write_tree(root, {RULE: engram_text(scope={"paths": ["src/**"]}, body=draft, title="Axolotl")})
    git(root, "add", RULE)
    fresh = engram_text(id=engram_id(3), title="Axolotl", body=draft, scope={"paths": ["**"]})
    write_tree(root, {RULE: engram_text(scope={"paths": ["**"]}, body=draft * 2), ".gitmem/engrams/new.md": fresh})
    (root / ".gitmem/engrams/api/name-the-table.md").unlink()

    answer = compiled(root)
    assert codes(answer, "notices") == ["uncommitted"]
    assert answer["notices"][0]["message"].startswith("3 uncommitted")
    for words in (
        ("compile", FILE),
        ("get", ITEM),
        ("show", ITEM),
        ("list",),
        ("overview",),
        ("why", ITEM),
        ("explain", FILE),
    ):
        ran = run_inproc(root, *words)
        assert ran.code == 0
        assert "axolotl" not in ran.out.lower(), words
    assert "Components call the API" in run_inproc(root, "get", ITEM).out
    assert run_inproc(root, "get", "name-the-table").code == 0
    assert len(json.loads(run_inproc(root, "status", "--json").out)["uncommitted"]) == 3


def test_the_whole_folder_gone_from_the_disk_is_an_edit_that_waits(make_repo) -> None:
    root = make_repo(KNOWLEDGE)
    shutil.rmtree(root / ".gitmem")

    answer = compiled(root)

    assert slugs(answer) == [ITEM]
    assert answer["notices"][0]["message"].startswith("6 uncommitted")


def conflicted(root: Path, how: str) -> None:
    """Leaves a merge, rebase, pick or revert in the middle, with conflict markers in the rule."""
    text = KNOWLEDGE[RULE]
    git(root, "switch", "--quiet", "--create", "other")
    write_tree(root, {RULE: text.replace("through its client", "through theirs")})
    commit_all(root, "theirs")
    git(root, "switch", "--quiet", "main")
    write_tree(root, {RULE: text.replace("through its client", "through ours")})
    commit_all(root, "ours")
    commands = {
        "merge": ["merge", "other"],
        "rebase": ["rebase", "other"],
        "cherry-pick": ["cherry-pick", "other"],
        "revert": ["revert", "HEAD~1"],
    }
    write_tree(root, {RULE: text.replace("through its client", "through ours again")})
    if how == "revert":
        commit_all(root, "again")
    else:
        git(root, "restore", RULE)
    done = subprocess.run(["git", *commands[how]], cwd=root, capture_output=True, check=False)
    assert done.returncode
    assert "<<<<<<<" in (root / RULE).read_text()


# Every verb that reads is asked in a merge, and each once more in one of the others.
STOPPED = ("merge", "rebase", "cherry-pick", "revert")


@pytest.mark.capability("G-005")
@pytest.mark.parametrize("how", STOPPED)
def test_in_the_middle_of_a_merge_head_is_read_and_no_marker_is_served(make_repo, how: str) -> None:
    """F-070"""
    root = make_repo(KNOWLEDGE)
    conflicted(root, how)
    said = "through theirs" if how == "rebase" else "through ours"
    before = state(root)

    answer = compiled(root)
    assert slugs(answer) == [ITEM]
    assert said in answer["base"]["documents"][0]["content"]
    assert "uncommitted" in codes(answer, "notices")
    every = list(READING.values())
    for words in every if how == "merge" else every[STOPPED.index(how) - 1 :: 3]:
        ran = run_inproc(root, *words)
        assert ran.code in (0, 1), words
        assert words[0] == "check" or "<<<<<<<" not in ran.out, words
    assert state(root) == before
    ran = run_inproc(root, "edit", ITEM, "title", "X", "--json")
    assert ran.code == 1
    assert "<<<<<<<" in (root / RULE).read_text()


@pytest.mark.parametrize(
    ("over", "is_served"),
    [
        ({}, True),
        ({"status": "frozen"}, True),
        ({"status": "draft"}, False),
        ({"status": "superseded"}, False),
        ({"status": "deprecated"}, False),
        ({"status": "forgotten"}, False),
        ({"visibility": "restricted"}, False),
        ({"visibility": "public"}, True),
        ({"visibility": "private"}, False),
    ],
)
def test_only_what_is_in_force_is_delivered(make_repo, over: dict[str, str], is_served: bool) -> None:
    root = make_repo(KNOWLEDGE | {RULE: engram_text(scope={"paths": ["src/**"]}, **over)})

    assert slugs(compiled(root)) == ([ITEM] if is_served else [])


def test_when_the_trusted_branch_is_not_here_nothing_is_served_in_its_place(make_repo, tmp_path: Path) -> None:
    root = make_repo(KNOWLEDGE)
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", str(root), str(clone))
    git(clone, "update-ref", "-d", "refs/remotes/origin/main")
    git(clone, "config", "gitmem.trust", "release")

    answer = compiled(clone)

    assert (slugs(answer), codes(answer)) == ([], ["trusted-ref-missing"])
    assert "git fetch origin release:refs/remotes/origin/release" in answer["warnings"][0]["hint"]
    assert slugs(compiled(clone, "--trust", "head")) == [ITEM]
    assert error(run_inproc(clone, "get", ITEM, "--json"))["hint"].endswith("read it with --at HEAD")


@pytest.mark.parametrize(
    "branch", ["x;touch$IFS$9pwned", "x$(touch$IFS$9pwned)", "x`touch$IFS$9pwned`", "x&touch$IFS$9pwned", "x'y"]
)
def test_a_hint_cannot_be_made_to_run_something_when_it_is_pasted(make_repo, tmp_path: Path, branch: str) -> None:
    """F-243: the name of the branch comes from the repository."""
    root = make_repo(KNOWLEDGE | {".gitmem/config.yaml": f"format: 1\ntrust: {json.dumps(branch)}\n"})
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", str(root), str(clone))

    alone, answer = compiled(root), compiled(clone)

    assert codes(alone) == codes(answer) == ["trusted-ref-missing"]
    assert branch not in alone["warnings"][0]["hint"]
    hint = answer["warnings"][0]["hint"].removeprefix("fetch it: ")
    script = f"git() {{ printf '%s\\n' \"$@\"; }}; {hint}"
    said = subprocess.run(["sh", "-c", script], cwd=clone, check=True, capture_output=True, text=True).stdout
    assert said.split() == ["fetch", "origin", f"{branch}:refs/remotes/origin/{branch}"]
    assert not (clone / "pwned").exists()


NO_REVISIONS = [
    ("nope", "unknown-revision", 1),
    ("0" * 40, "unknown-revision", 1),
    ("1" * 5000, "unknown-revision", 1),
    ("HEAD~99", "unknown-revision", 1),
    ("HEAD:src", "unknown-revision", 1),
    ("1970-01-01", "unknown-revision", 1),
    ("snapshot:12345678", "unknown-revision", 1),
    ("snapshot:", "unknown-revision", 1),
    ("snapshot:zzzzzzzz", "unknown-revision", 1),
    ("2026-99-99", "usage", 2),
    ("-x", "usage", 2),
    ("--output=x", "usage", 2),
    ("a..b", "usage", 2),
    ("^HEAD", "usage", 2),
    ("two words", "usage", 2),
    ("a\nb", "usage", 2),
    ("a\0b", "usage", 2),
    ("../../config", "usage", 2),
    ("refs/../config", "usage", 2),
    ("x.lock/y", "unknown-revision", 1),
    ("$(touch c)", "usage", 2),
    ("`id`", "unknown-revision", 1),
    (":/start", "unknown-revision", 1),
    ("@{upstream}", "unknown-revision", 1),
    ("HEAD@{99}", "unknown-revision", 1),
]
DATED = (("compile", FILE), ("get", ITEM), ("show", ITEM), ("list",), ("why", ITEM))


@pytest.mark.parametrize("verb", range(len(DATED)), ids=[words[0] for words in DATED])
@pytest.mark.parametrize("is_long", [False, pytest.param(True, marks=pytest.mark.long)], ids=["some", "all"])
def test_a_revision_that_does_not_exist_is_an_error(make_repo, verb: int, is_long: bool) -> None:
    """F-250, F-242: each of them by two verbs, in the long run by all."""
    root, words = make_repo(KNOWLEDGE), DATED[verb]

    for number, (at, code, exit_code) in enumerate(NO_REVISIONS):
        if is_long or (number - verb) % len(DATED) < 2:
            ran = run_inproc(root, *words, "--json", f"--at={at}")
            assert (ran.code, error(ran)["code"]) == (exit_code, code), at


def test_a_revision_is_a_branch_a_tag_a_date_a_commit_or_a_snapshot(make_repo) -> None:
    root = make_repo(KNOWLEDGE)
    first = compiled(root)
    git(root, "tag", "v1")
    git(root, "tag", "--annotate", "v1-signed", "--message", "x")
    git(root, "branch", "old/branch")
    commit = git(root, "rev-parse", "HEAD").strip()
    write_tree(root, {RULE: engram_text(scope={"paths": ["src/**"]}, body="Later.\n")})
    commit_all(root, date="2026-02-03T04:05:06Z")

    assert "Later" in compiled(root)["base"]["documents"][0]["content"]
    names = [
        "v1",
        "v1-signed",
        "old/branch",
        commit,
        commit[:8],
        "HEAD~1",
        "HEAD^",
        "2026-01-31",
        "2026-01-02T03:04:05Z",
        "2026-01-02 03:04:05",
    ]
    names += [f"snapshot:{first['snapshot_id']}", f"snapshot:{first['snapshot_id'][:8]}"]
    for name in names:
        assert compiled(root, f"--at={name}")["base"] == first["base"], name
    assert "Later" in compiled(root, "--at", "2026-02-03")["base"]["documents"][0]["content"]


LOST = "\nThis text is in no file but its own.\n"


@pytest.mark.capability("G-038")
@pytest.mark.parametrize(
    ("content", "code"),
    [
        pytest.param('---\ntitle: Use "strict": always\n---\n' + LOST, "yaml", id="broken header"),
        pytest.param("", "", id="empty"),
        pytest.param("no header" + LOST, "", id="no header"),
        pytest.param("---\nid: x\n" + LOST, "", id="header that never ends"),
        pytest.param(engram_text(id=engram_id(3)).encode() + b"\xff\xfe", "", id="not UTF-8"),
        pytest.param(engram_text(id=engram_id(3), title="T").encode("utf-16"), "", id="UTF-16"),
        pytest.param(engram_text(id=engram_id(3)) + "x" * (1 << 20), "too-large", id="over 1 MiB"),
        pytest.param(engram_text(id=engram_id(3), priority="9" * 5000), "", id="5,000 digits"),
        pytest.param(
            engram_text(id=engram_id(3)).replace("kind: constraint", "kind: constraint\nx: " + "[" * 2000 + "]" * 2000),
            "",
            id="2,000 deep",
        ),
        pytest.param(
            engram_text(id=engram_id(3)).replace(
                "kind: constraint", "kind: constraint\nx: " + "{a: " * 2000 + "}" * 2000
            ),
            "",
            id="2,000 maps deep",
        ),
        pytest.param("---\n" + "".join(f"{'  ' * n}k:\n" for n in range(1500)) + "---\nb\n", "", id="1,500 indents"),
        pytest.param(
            "---\na: &a [x]\n"
            + "".join(
                f"{c}: &{c} [{', '.join('*' + p for _ in range(10))}]\n"
                for p, c in zip("abcdefgh", "bcdefghi", strict=True)
            )
            + "---\nb\n",
            "",
            id="aliases that grow",
        ),
        pytest.param(
            engram_text(id=engram_id(3)).replace("kind: constraint", "kind: !!python/object/apply:os.system [id]"),
            "",
            id="tag of a program",
        ),
        pytest.param(engram_text(id=engram_id(3)).replace("tags:", "title: again\ntags:"), "", id="key twice"),
        pytest.param("---\nid: " + engram_id(3) + "\n---\n---\ntitle: T\nkind: fact\n---\nb\n", "", id="two headers"),
        pytest.param(engram_text(id=engram_id(3), kind="rule"), "", id="unknown kind"),
        pytest.param(engram_text(id=engram_id(3), status="living"), "", id="unknown status"),
        pytest.param(engram_text(id=engram_id(3), title=""), "", id="no title"),
        pytest.param(engram_text(id=engram_id(3), body=""), "", id="no body"),
        pytest.param(engram_text(id=engram_id(3), scope={"paths": ["[a"]}), "bad-glob", id="broken glob"),
        pytest.param(engram_text(id="x"), "", id="no id"),
        pytest.param(
            engram_text(id=engram_id(3), body="<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n"),
            "",
            id="conflict markers",
        ),
        pytest.param("---\n" + "".join(f"k{n}: v\n" for n in range(20000)) + "---\nb\n", "", id="20,000 keys"),
    ],
)
def test_a_malformed_engram_is_named_and_the_others_are_served(make_repo, content: str | bytes, code: str) -> None:
    """F-001, F-251: named with its place and a way to mend it; nothing can be changed in it by a field."""
    root = make_repo(KNOWLEDGE | {".gitmem/engrams/api/broken.md": content})

    answer = compiled(root)

    assert slugs(answer) == [ITEM]
    warnings = [
        each for each in answer["warnings"] if each.get("place", "").startswith(".gitmem/engrams/api/broken.md")
    ]
    assert warnings
    assert all(each["hint"] and each["message"] for each in warnings)
    assert not code or code in [each["code"] for each in warnings]
    assert "only text" not in json.dumps(answer)
    ran = run_inproc(root, "check", "--json")
    assert ran.code == 1
    assert ".gitmem/engrams/api/broken.md" in [each["path"] for each in json.loads(ran.out)["findings"]]
    before = state(root)
    for words in (
        ("edit", "broken", "title", "X"),
        ("edit", engram_id(3), "title", "X"),
        ("show", "broken"),
        ("get", engram_id(3)),
    ):
        ran = run_inproc(root, *words, "--json")
        assert ran.code in (1, 2), words
        error(ran)
    assert state(root) == before


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_byte_order_mark_and_line_ends_change_nothing(make_repo, mark: str, end: str) -> None:
    """F-017, F-004: one engram in four forms has one snapshot."""
    plain = make_repo(KNOWLEDGE, name="plain")
    text = mark + KNOWLEDGE[RULE].replace("\n", end)
    root = make_repo(KNOWLEDGE | {RULE: text.encode()})

    first, second = compiled(plain), compiled(root)

    for key in ("base", "snapshot_id", "compile_id", "warnings"):
        assert second[key] == first[key]


@pytest.mark.capability("G-020")
def test_one_id_in_two_files_after_a_merge_names_both_and_serves_neither(make_repo) -> None:
    """F-036"""
    root = make_repo(KNOWLEDGE)
    git(root, "switch", "--quiet", "--create", "other")
    git(root, "mv", RULE, ".gitmem/engrams/api/copy.md")
    write_tree(root, {RULE: KNOWLEDGE[RULE]})
    commit_all(root)
    git(root, "switch", "--quiet", "main")
    write_tree(root, {FILE: "changed\n"})
    commit_all(root)
    git(root, "merge", "--quiet", "--no-edit", "other")

    answer = compiled(root)

    assert slugs(answer) == []
    said = next(each for each in answer["warnings"] if each["code"] == "duplicate-id")
    assert "use-the-client.md" in said["message"]
    assert "copy.md" in said["message"]
    assert run_inproc(root, "check").code == 1
    found = error(run_inproc(root, "get", engram_id(1), "--json"))
    assert found["code"] == "ambiguous"


def test_a_deleted_folder_is_one_line(make_repo, tmp_path: Path) -> None:
    """F-080"""
    root = make_repo(KNOWLEDGE)
    script = 'mkdir gone; cd gone; rmdir ../gone; exec "$@"'
    for words in (("list",), ("compile", FILE), ("new", "fact", "T"), ("status", "--json")):
        command = ["sh", "-c", script, "sh", sys.executable, "-P", "-m", "gitmem", *words]
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, input=BODY, check=False, timeout=60)
        assert done.returncode == 1, words
        said = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
        assert said == ["error: the current folder was deleted"], done.stderr
        assert "Traceback" not in done.stderr


def test_an_absolute_folder_is_enough_when_the_current_one_is_gone(make_repo, tmp_path: Path) -> None:
    root = make_repo(KNOWLEDGE)
    script = f"mkdir gone; cd gone; rmdir ../gone; exec {sys.executable} -P -m gitmem -C {root} get {ITEM}"

    done = subprocess.run(["sh", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)

    assert (done.returncode, done.stderr.count("Traceback")) == (0, 0), done.stderr


FOREVER = "9999-12-31"
DATES = ["0001-01-01", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"]


@pytest.mark.parametrize("until", [FOREVER, *DATES])
def test_a_validity_at_the_end_of_time_stops_nothing(make_repo, until: str) -> None:
    """People write 9999-12-31 for ever."""
    root = make_repo(KNOWLEDGE | {RULE: engram_text(scope={"paths": ["src/**"]}, valid={"until": until})})

    for more in ([], ["--as-of", FOREVER], ["--as-of", "0001-01-01"], ["--now", "0001-01-01"], ["--now", FOREVER]):
        for words in (("compile", FILE), ("status",), ("check",)):
            if words[0] == "compile" or "--as-of" not in more:
                ran = run_inproc(root, *words, *more, "--json")
                assert ran.code in (0, 1), (words, ran.err)
                assert "internal" not in ran.out, (words, ran.err)


@pytest.mark.parametrize("now", ["0001-01-01", FOREVER])
def test_the_ends_of_the_calendar_are_as_good_as_today(make_repo, now: str) -> None:
    root = make_repo(KNOWLEDGE)
    run_inproc(root, "get", "use-the-client", "--now", FOREVER)

    for words in (("maintain", "light"), ("overview",)):
        assert run_inproc(root, *words, "--now", now).code == 0


@pytest.mark.parametrize(("standing", "says"), [("trust: main\n", "says trust: main"), ("", "names none")])
def test_init_does_not_change_a_policy_and_says_how_to(make_repo, standing: str, says: str) -> None:
    root = make_repo({".gitmem/config.yaml": f"format: 1\n{standing}"})

    found = json.loads(run_inproc(root, "init", "--trust", "signed", "--json").out)

    assert [each["code"] for each in found["warnings"]] == ["trust-kept"]
    assert says in found["warnings"][0]["message"]
    assert found["warnings"][0]["hint"].startswith("gitmem config set trust signed")
    assert found["trust"] != "signed"
    assert "trust-kept" not in run_inproc(root, "init").out


def test_a_repository_whose_knowledge_is_the_parents_says_where_to_propose(make_repo) -> None:
    parent = make_repo({".gitmem/config.yaml": "format: 1\n", RULE: engram_text()}, name="kb")
    root = make_repo({"src/a.py": "x"}, name="code")
    git(root, "config", "gitmem.parent", "../kb")

    ran = run_inproc(root, "propose", "new", "fact", "Thing", "--json", stdin="It is so.")

    assert ran.code == 1
    assert error(ran)["code"] == "parent"
    assert "gitmem -C ../kb propose" in error(ran)["hint"]
    assert run_inproc(parent, "propose", "new", "fact", "Thing", stdin="It is so.").code == 0
