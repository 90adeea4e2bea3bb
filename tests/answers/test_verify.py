"""A finished change is judged by the approved rules that can be checked, whatever it is taken from."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitmem.answers.session import Session
from gitmem.answers.verify import VerifyCall
from gitmem.answers.verify import verify as judge
from gitmem.errors import UsageError
from gitmem.text.spans import digest
from tests.asking import ask, codes, knowledge, refused, rule
from tests.conftest import MakeRepo
from tests.support import Ran, commit_all, engram_id, git, run_cli, run_inproc, write_tree

OLD = 'import os\nprint("old")\n'
FILE = "src/ui/form.py"
BLOCK = "Log through the logger.\n\n```verify\nforbid_pattern: ['print\\(']\n```\n"
WITH_IMPORT = (
    "Use our client.\n\n```verify\nforbid_import: [requests]\nrequire_companion: ['tests/**/test_{name}']\n```\n"
)
Name = Callable[[Path], tuple[str, ...]]


def no_print(**over: object) -> dict[str, str]:
    return rule("no-print", 1, "src/**", **{"body": BLOCK} | over)  # type: ignore[arg-type]  # reason: any key


@pytest.fixture
def repo(make_repo: MakeRepo) -> Path:
    root = make_repo(knowledge(no_print(), {FILE: OLD, "README.md": "print(1)\n"}))
    write_tree(root, {FILE: f'{OLD}print("new")\n'})
    return root


def verify(repo: Path, *words: str, stdin: str = "") -> dict:
    done = run_inproc(repo, "verify", "--json", *words, stdin=stdin)
    found: dict = json.loads(done.out)
    assert done.code == (1 if found["verdict"] == "fail" else 0), done.err
    return found


def places(found: dict) -> list[tuple[str, str, int]]:
    return [(each["check"], each["path"], each["line"]) for each in found["violations"]]


def staged(repo: Path) -> tuple[str, ...]:
    git(repo, "add", "--all")
    return ("--staged",)


def worktree(_repo: Path) -> tuple[str, ...]:
    return ("--worktree",)


def two_dots(repo: Path) -> tuple[str, ...]:
    commit_all(repo)
    return "--range", "HEAD^..HEAD"


def three_dots(repo: Path) -> tuple[str, ...]:
    git(repo, "checkout", "--quiet", "-b", "topic")
    commit_all(repo)
    git(repo, "checkout", "--quiet", "main")
    write_tree(repo, {"src/other.py": 'print("main")\n'})
    commit_all(repo)
    return "--range", "main...topic"


def diff(repo: Path) -> tuple[str, ...]:
    (repo.parent / "a.diff").write_text(git(repo, "diff"), encoding="utf-8")
    return "--diff", str(repo.parent / "a.diff")


SOURCES = pytest.mark.parametrize(
    "name", [staged, worktree, two_dots, three_dots, diff], ids=lambda name: name.__name__
)


@pytest.mark.capability("R-023")
@SOURCES
def test_only_what_the_change_brings_is_judged_wherever_it_is_taken_from(repo: Path, name: Name) -> None:
    found = verify(repo, *name(repo))

    (each,) = found["violations"]
    assert (found["verdict"], found["total"], found["cached"]) == ("fail", 1, False)
    assert (each["rule"], each["slug"], each["check"]) == (engram_id(1), "no-print", "forbidden_pattern")
    assert (each["path"], each["line"], each["evidence"]) == (FILE, 3, 'print("new")')
    assert each["hint"]


@pytest.mark.capability("M-074")
def test_each_verdict_is_on_record_without_a_line_of_the_code(repo: Path) -> None:
    for _ in range(2):
        verify(repo, "--worktree")
    verify(repo, "--status")

    found = ask(repo, "journal", "show", "--kind", "verify")

    first, again = sorted((each["data"] for each in found["events"]), key=lambda data: data["cached"])
    assert (first["verdict"], first["passed"], first["violations"], first["source"]) == ("fail", False, 1, "worktree")
    assert (first["files"], first["items"], first["commit"]) == (
        [FILE],
        [engram_id(1)],
        git(repo, "rev-parse", "HEAD").strip(),
    )
    assert again == first | {"cached": True}
    assert "print(" not in json.dumps(found)


@pytest.mark.capability("R-023")
def test_files_alone_are_judged_whole_as_they_lie(repo: Path) -> None:
    found = verify(repo, FILE, "src/none.py")

    assert places(found) == [("forbidden_pattern", FILE, 2), ("forbidden_pattern", FILE, 3)]
    assert verify(repo / "src", "ui/form.py")["total"] == 2


@pytest.mark.capability("R-023")
@pytest.mark.parametrize("words", [(), ("--json",)])
def test_without_a_change_the_ways_to_name_one_are_told(repo: Path, words: tuple[str, ...]) -> None:
    done = run_inproc(repo, "verify", *words)

    assert done.code == 2
    assert "--staged, --worktree, --range A..B, --diff FILE" in done.err
    assert "files" in done.err


def test_an_agent_is_told_the_fields_of_its_tool(repo: Path) -> None:
    for call, said in (
        (VerifyCall(), "one of staged, worktree"),
        (VerifyCall(staged=True, range="a"), "one of staged"),
    ):
        with pytest.raises(UsageError) as caught:
            judge(Session(repo, datetime(2026, 1, 2, tzinfo=UTC), surface="agent"), call)

        assert said in caught.value.hint
        assert "--" not in f"{caught.value.message}{caught.value.hint.partition(';')[0]}"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--staged", "--worktree"), "--staged and --worktree exclude each other"),
        (("--range", "HEAD..HEAD", "--diff", "README.md"), "--range and --diff exclude each other"),
        (("--range", "HEAD"), "not a range"),
        (("--range", "HEAD..--output=x"), "not a revision"),
        (("--status", "--staged"), "name no change"),
        (("--staged", "--format", "xml"), "format"),
        (("../outside.py",), "outside"),
        (("--diff", "none.diff"), "cannot read none.diff"),
    ],
)
def test_a_wrong_question_is_a_usage_error(repo: Path, words: tuple[str, ...], said: str) -> None:
    done = run_inproc(repo, "verify", *words)

    assert done.code == 2, done
    assert said in done.err


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("all done\n", "not-a-diff", "diff:1"),
        (f"--- a/{FILE}\n+++ b/{FILE}\n@@ -1 +1 @@\n-import sys\n+x\n", "diff-does-not-apply", f"{FILE}:1"),
        ("--- a/none.py\n+++ b/none.py\n@@ -1 +1 @@\n-x\n+y\n", "diff-does-not-apply", "none.py"),
        ("--- a/x\n+++ b/x\n@@ -1,9 +1 @@\n-x\n", "not-a-diff", "diff:5"),
    ],
)
def test_a_bad_diff_is_refused_with_its_place(repo: Path, text: str, code: str, place: str) -> None:
    done = run_inproc(repo, "verify", "--diff", "-", "--json", stdin=text)

    assert done.code == 1
    error = json.loads(done.out)["error"]
    assert (error["code"], error["place"]) == (code, place)
    assert error["hint"]


def test_a_diff_over_fifty_megabytes_is_refused_before_all_of_it_is_read(repo: Path) -> None:
    path = repo.parent / "large.diff"
    with path.open("wb") as file:
        file.truncate(1 << 40)

    assert refused(repo, "verify", "--diff", str(path))["code"] == "diff-too-large"


def test_an_empty_change_is_nothing_to_check(repo: Path) -> None:
    for found in (verify(repo, "--diff", "-", stdin="\n"), verify(repo, "--staged")):
        assert (found["verdict"], found["violations"], found["counts"]["files"]) == ("nothing-to-check", [], 0)


@pytest.mark.capability("R-023")
@pytest.mark.parametrize(
    "over",
    [{"status": "draft"}, {"status": "deprecated"}, {"kind": "guideline"}, {"visibility": "private"},
     {"body": "Log.\n"}, {"scope": {"paths": ["src/**"], "except": ["src/ui/**"]}}, {"scope": {"paths": ["lib/**"]}},
     {"valid": {"until": "2020-01-01"}}],
)  # fmt: skip
def test_a_rule_that_is_not_approved_not_valid_not_in_scope_or_has_no_block_is_skipped_quietly(
    make_repo: MakeRepo, over: dict[str, object]
) -> None:
    root = make_repo(knowledge(no_print(**over), {FILE: OLD}))
    write_tree(root, {FILE: f'{OLD}print("new")\n'})

    found = verify(root, "--worktree")

    assert (found["verdict"], found["skipped"], found["warnings"]) == ("nothing-to-check", [], [])


def test_a_rule_for_a_layer_judges_the_files_of_the_layer(make_repo: MakeRepo) -> None:
    layered = no_print(scope={"layers": ["ui"]}) | {".gitmem/layers.yaml": "src/ui/**: ui\nsrc/**: rest\n"}
    root = make_repo(knowledge(layered, {FILE: OLD}))
    write_tree(root, {FILE: "print(1)\n", "src/b.py": "print(1)\n"})

    assert places(verify(root, "--worktree")) == [("forbidden_pattern", FILE, 1)]


def test_the_name_of_a_file_begins_no_line_of_the_verdict(make_repo: MakeRepo) -> None:
    root = make_repo(knowledge(no_print(), {FILE: OLD}))
    write_tree(root, {"src/a\npass: no violation\u202e.py": "print(1)\n"})

    said = run_inproc(root, "verify", "--worktree").out.splitlines()

    assert said[0].startswith("src/a\\npass: no violation\\u202e.py:1: forbidden_pattern: ")
    assert [line for line in said if line.startswith("pass")] == []


def test_what_is_not_merged_yet_judges_nothing(make_repo: MakeRepo) -> None:
    root = make_repo(knowledge({FILE: OLD}))
    git(root, "config", "gitmem.trust", "main")
    git(root, "update-ref", "refs/remotes/origin/main", "HEAD")
    write_tree(root, no_print() | {FILE: "print(1)\n"})

    assert verify(root, "--worktree")["verdict"] == "nothing-to-check"


@pytest.mark.capability("R-024")
def test_a_forbidden_import_and_a_missing_companion_are_told_with_their_file_and_line(make_repo: MakeRepo) -> None:
    root = make_repo(knowledge(rule("our-client", 1, "src/**", body=WITH_IMPORT), {FILE: "import os\n"}))
    write_tree(root, {FILE: "import os\nimport requests.sessions\n"})

    found = verify(root, "--worktree")

    assert [(e["check"], e["path"], e["line"], e["evidence"]) for e in found["violations"]] == [
        ("forbidden_import", FILE, 2, "import requests.sessions"),
        ("missing_companion", FILE, 2, "tests/**/test_form.py"),
    ]
    write_tree(root, {FILE: "import os\nimport ours\n", "tests/ui/test_form.py": "x\n"})
    assert verify(root, "--worktree")["verdict"] == "pass"


def test_a_file_that_is_only_meant_to_be_added_is_not_staged(repo: Path) -> None:
    git(repo, "add", "--all")
    write_tree(repo, {"src/later.py": "print(1)\n"})
    git(repo, "add", "--intent-to-add", "src/later.py")

    assert verify(repo, "--staged")["counts"]["files"] == 1
    assert verify(repo, "--worktree")["total"] == 2


def test_a_folder_narrows_a_change_to_what_is_below_it(repo: Path) -> None:
    write_tree(repo, {"src/other.py": "print(1)\n", "src/ui2.py": "print(2)\n"})

    assert verify(repo, "--worktree", "src/ui")["total"] == 1
    found = verify(repo, "--worktree", "src", "lib")
    assert (found["total"], codes(found["warnings"])) == (3, ["not-changed"])
    done = run_inproc(repo, "verify", "src/ui")
    assert (done.code, "src/ui is a folder" in done.err) == (2, True)


def test_a_file_that_is_named_and_nowhere_is_told(repo: Path) -> None:
    (repo / FILE).unlink()

    (warning,) = verify(repo, FILE, "src/ui/from.py")["warnings"]

    assert (warning["code"], warning["place"]) == ("no-such-file", "src/ui/from.py")


def test_a_companion_may_lie_outside_of_what_the_change_is_narrowed_to(make_repo: MakeRepo) -> None:
    root = make_repo(knowledge(rule("our-client", 1, "src/**", body=WITH_IMPORT), {FILE: "import os\n"}))
    write_tree(root, {FILE: "import ours\n", "tests/test_form.py": "x\n", "src/b.py": "import requests\n"})

    found = verify(root, "--worktree", FILE, "README.md")

    assert (found["verdict"], codes(found["warnings"])) == ("pass", ["not-changed"])
    assert verify(root, "--worktree")["total"] == 2


@pytest.mark.capability("G-037")
def test_layers_are_judged_by_where_imports_lead(make_repo: MakeRepo) -> None:
    body = "Domain stands alone.\n\n```verify\nlayer_imports:\n  domain: []\n```\n"
    files = {".gitmem/layers.yaml": "src/domain/**: domain\nsrc/ui/**: ui\n", "src/ui/view.ts": "export const v = 1\n"}
    root = make_repo(knowledge(rule("alone", 1, "src/**", body=body), files))
    write_tree(root, {"src/domain/a.ts": 'import { w } from "./b"\nimport { v } from "../ui/view"\n'})

    found = verify(root, "--worktree")

    assert places(found) == [("layer_import", "src/domain/a.ts", 2)]
    assert found["violations"][0]["evidence"].endswith("(domain -> ui)")


@pytest.mark.capability("G-037")
def test_an_alias_leads_to_the_path_that_a_rule_forbids(make_repo: MakeRepo) -> None:
    body = "No pages.\n\n```verify\nforbid_import: [src/ui]\n```\n"
    paths = '{"compilerOptions": {"baseUrl": ".", "paths": {"@ui/*": ["src/ui/*"]}}}\n'
    files = {"tsconfig.json": paths, "src/ui/view.ts": "export const v = 1\n"}
    root = make_repo(knowledge(rule("no-pages", 1, "src/**", body=body), files))
    write_tree(root, {"src/domain/a.ts": 'import { v } from "@ui/view"\nimport { w } from "@other/view"\n'})

    assert places(verify(root, "--worktree")) == [("forbidden_import", "src/domain/a.ts", 1)]


def test_a_matrix_with_a_layer_that_is_not_there_is_a_warning(make_repo: MakeRepo) -> None:
    body = "Alone.\n\n```verify\nlayer_imports: {domian: [], ui: [domain]}\n```\n"
    root = make_repo(
        knowledge(rule("alone", 1, "src/**", body=body), {".gitmem/layers.yaml": "src/ui/**: ui\nsrc/d/**: domain\n"})
    )
    write_tree(root, {"src/d/a.ts": "x\n"})

    (warning,) = verify(root, "--worktree")["warnings"]

    assert (warning["code"], "'domian'" in warning["message"]) == ("unknown-layer", True)


def test_renames_deletions_binaries_links_and_line_ends_of_windows(make_repo: MakeRepo) -> None:
    body = "Text.\n\n```verify\nforbid_pattern: ['old$']\nmax_lines: 3\n```\n"
    text = "old\r\nb\r\nc\r\n"
    files = {"src/moved.py": text, "src/gone.py": text * 5, "src/kept.py": text, "src/logo.png": b"\0old\n"}
    root = make_repo(knowledge(rule("no-old", 1, "src/**", body=body)))
    write_tree(root, files)
    commit_all(root)
    (root / "src/moved.py").rename(root / "src/new.py")
    (root / "src/gone.py").unlink()
    write_tree(root, {"src/kept.py": text + "so old\r\n", "src/logo.png": b"\0\1old\nold\n"})
    (root / "src/link.py").symlink_to("kept.py")
    git(root, "add", "--all")

    found = verify(root, "--staged")

    assert places(found) == [("forbidden_pattern", "src/kept.py", 4), ("too_many_lines", "src/kept.py", 4)]
    assert [(each["path"], each["reason"]) for each in found["skipped"]] == [
        ("src/link.py", "a symbolic link"),
        ("src/logo.png", "binary"),
    ]


@pytest.mark.parametrize("options", [(), ("--submodule=short",), ("--no-prefix", "-M")])
def test_a_diff_that_turns_a_link_and_moves_another_repository_is_judged_but_for_these(
    make_repo: MakeRepo, options: tuple[str, ...]
) -> None:
    block = "No.\n\n```verify\nforbid_pattern: [print]\nmax_lines: 3\n```\n"
    root = make_repo(knowledge(no_print(body=block), {FILE: OLD}))
    (root / "src/link.py").symlink_to("print-old")
    inner = root / "src/inner"
    git(root, "init", "--quiet", str(inner))
    for _ in range(2):
        git(inner, "commit", "--quiet", "--allow-empty", "--message", "x")
        git(root, "add", "--all")
        git(root, "commit", "--quiet", "--allow-empty", "--message", "x")
    git(inner, "commit", "--quiet", "--allow-empty", "--message", "z")
    (root / "src/link.py").unlink()
    (root / "src/link.py").symlink_to("print-new")
    write_tree(root, {FILE: f"{OLD}print(2)\n"})

    by_diff = verify(root, "--diff", "-", stdin=git(root, "diff", "HEAD", *options))

    assert places(by_diff) == places(verify(root, "--worktree")) == [("forbidden_pattern", FILE, 3)]
    assert [(each["path"], each["reason"]) for each in by_diff["skipped"]] == [
        ("src/inner", "another repository"),
        ("src/link.py", "a symbolic link"),
    ]


def test_a_merge_is_judged_by_what_it_leaves(make_repo: MakeRepo) -> None:
    root = make_repo(knowledge(no_print(), {FILE: OLD}))
    start = git(root, "rev-parse", "HEAD").strip()
    git(root, "checkout", "--quiet", "-b", "side")
    for text in ("print(1)\n", "x\n"):
        write_tree(root, {"src/side.py": text})
        commit_all(root)
    git(root, "checkout", "--quiet", "main")
    write_tree(root, {"src/main.py": "print(2)\n"})
    commit_all(root)
    git(root, "merge", "--quiet", "--no-edit", "side")

    assert places(verify(root, "--range", f"{start}..HEAD")) == [("forbidden_pattern", "src/main.py", 1)]


@pytest.mark.capability("R-026")
def test_the_verdict_on_a_merge_is_not_that_on_the_same_files_squashed(make_repo: MakeRepo) -> None:
    numbers = "".join(f"{number}\n" for number in range(40))
    root = make_repo(knowledge(no_print(), {FILE: numbers}))
    git(root, "checkout", "--quiet", "-b", "side")
    write_tree(root, {FILE: f"print(1)\n{numbers}"})
    commit_all(root)
    git(root, "checkout", "--quiet", "main")
    write_tree(root, {FILE: f"{numbers}end\n"})
    commit_all(root)
    git(root, "merge", "--quiet", "--no-commit", "--no-ff", "side")
    merged = verify(root, "--staged")
    git(root, "merge", "--abort")
    git(root, "merge", "--quiet", "--squash", "side")

    squashed = verify(root, "--staged")

    assert (merged["verdict"], squashed["verdict"], squashed["cached"]) == ("pass", "fail", False)


def test_what_cannot_be_judged_is_said_and_not_taken_for_kept(make_repo: MakeRepo) -> None:
    root = make_repo(knowledge(rule("our-client", 1, "src/**", body=WITH_IMPORT)))
    write_tree(root, {"src/a.ex": "import Requests\n", "tests/test_a.rb": "x\n"})

    (skipped,) = verify(root, "--worktree")["skipped"]

    assert (skipped["path"], skipped["check"], skipped["rule"]) == ("src/a.ex", "forbid_import", engram_id(1))
    out = run_inproc(root, "verify", "--worktree").out
    assert "not judged: src/a.ex (forbid_import)" in out
    assert out.endswith("judged by 1 rule, not in full\n")


def test_a_block_that_cannot_be_read_is_a_warning(make_repo: MakeRepo) -> None:
    root = make_repo(knowledge(no_print(body="x\n\n```verify\nforbid_pattern: ['(?=a)']\n```\n"), {FILE: OLD}))
    write_tree(root, {FILE: "print(1)\n"})

    found = verify(root, "--worktree")

    assert (found["verdict"], codes(found["warnings"])) == ("nothing-to-check", ["verify-block"])
    assert found["warnings"][0]["place"] == ".gitmem/engrams/api/no-print.md"


@pytest.mark.parametrize("fence", ["```verify", "```  verify", "~~~\tverify"])
def test_whatever_opens_a_block_is_read_by_check_too(make_repo: MakeRepo, fence: str) -> None:
    root = make_repo(knowledge(no_print(body=f"x\n\n{fence}\nforbid_pattern: ['(?=a)']\n{fence[:3]}\n"), {FILE: OLD}))

    assert codes(json.loads(run_inproc(root, "check", "--json").out)["findings"]) == ["verify-block"]


def test_evidence_gives_no_secret_away(make_repo: MakeRepo) -> None:
    """F-246"""
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    root = make_repo(knowledge(no_print(), {FILE: OLD}))
    write_tree(root, {FILE: f'print("{secret}")\n'})

    for form in ("text", "json", "sarif", "markdown"):
        out = run_inproc(root, "verify", "--worktree", "--format", form).out
        assert "forbidden" in out
        assert secret not in out


def test_a_long_secret_is_no_evidence_cut_in_half(make_repo: MakeRepo) -> None:
    """F-246"""
    parts = ("eyJhbGciOiJIUzI1NiJ9", "eyJ" + "x4Tq9ZbW" * 150, "Qm7Lk2Vd9Rt5" * 4)
    root = make_repo(knowledge(no_print(), {FILE: OLD}))
    write_tree(root, {FILE: f"print('{'.'.join(parts)}')\n"})

    out = run_inproc(root, "verify", "--worktree").out

    assert "forbidden_pattern" in out
    assert "x4Tq9ZbW" not in out


def test_the_list_of_violations_is_bounded_and_says_how_many_there_are(make_repo: MakeRepo) -> None:
    root = make_repo(knowledge(no_print(), {FILE: OLD}))
    write_tree(root, {FILE: "print(1)\n" * 700})

    found = verify(root, "--worktree")

    assert (found["total"], len(found["violations"])) == (700, 500)
    assert "and 200 more" in run_inproc(root, "verify", "--worktree").out


@pytest.mark.capability("G-008")
def test_knowledge_that_a_change_makes_untrue_is_named_with_what_to_do(make_repo: MakeRepo) -> None:
    text = "def send():\n    return 1\n"
    resting = rule("send-first", 2, "src/**")
    path = next(iter(resting))
    claim = f"{{path: 'src/a.py', lines: 1-2, hash: '{digest(text)}'}}"
    resting[path] = resting[path].replace("tags:", f"claims:\n  - {claim}\ntags:")
    root = make_repo(knowledge(resting, {"src/a.py": f"{text}x = 1\n", "src/b.py": "x\n"}))
    write_tree(root, {"src/a.py": f"{text.replace('1', '2')}x = 1\n"})
    git(root, "add", "--all")

    found = verify(root, "--staged")

    (drifted,) = found["drifted"]
    assert (found["verdict"], drifted["item"], drifted["path"]) == ("nothing-to-check", engram_id(2), "src/a.py")
    assert (drifted["before"], drifted["after"]) == ("holds", "drifted")
    assert [words.split()[1] for words in drifted["next"]] == ["edit", "claims", "propose"]
    out = run_inproc(root, "verify", "--staged").out
    assert "gitmem claims confirm send-first" in out


@pytest.mark.capability("R-026")
def test_a_verdict_is_kept_while_the_change_and_the_rules_are_the_same(repo: Path) -> None:
    first = verify(repo, "--worktree")
    second = verify(repo, "--worktree")

    assert (first["cached"], second["cached"]) == (False, True)
    assert second | {"cached": False} == first
    write_tree(repo, {FILE: f"{OLD}x\n"})
    assert verify(repo, "--worktree")["cached"] is False
    write_tree(repo, no_print(body=BLOCK.replace("print", "eval")))
    git(repo, "add", ".gitmem")
    git(repo, "commit", "--quiet", "--message", "x")
    assert verify(repo, "--worktree")["cached"] is False


@pytest.mark.capability("R-026")
@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({}, ""),
        ({FILE: "other\n"}, "the change is another one by now"),
        (no_print(body=BLOCK.replace("print", "eval")), "the rules are others by now"),
    ],
    ids=["same", "change", "rules"],
)
def test_the_last_verdict_is_told_with_whether_it_holds(repo: Path, change: dict[str, str], why: str) -> None:
    git(repo, "checkout", "--quiet", "-b", "topic")
    git(repo, "config", "gitmem.trust", "main")
    git(repo, "add", "--all")
    verify(repo, "--staged")
    write_tree(repo, change)
    git(repo, "add", *[path for path in change if not path.startswith(".gitmem")], "README.md")
    if any(path.startswith(".gitmem") for path in change):
        approve_on_main(repo)

    found = verify(repo, "--status")

    assert (found["verdict"], found["total"]) == ("fail", 1)
    assert (found["last"]["source"], found["last"]["holds"], found["last"]["why"]) == ("staged", not why, why)


def test_the_last_verdict_has_the_name_that_was_asked_for_last(repo: Path) -> None:
    commit_all(repo)
    ranges = ("HEAD^..HEAD", f"{git(repo, 'rev-parse', 'HEAD^').strip()}..HEAD")

    for each in (*ranges, ranges[0]):
        verify(repo, "--range", each)
        assert verify(repo, "--status")["last"]["source"] == f"range {each}"


def approve_on_main(repo: Path) -> None:
    """The uncommitted knowledge as a commit of main, which no worktree has checked out."""
    env = {"GIT_INDEX_FILE": str(repo.parent / "index")}
    before = dict(os.environ)
    os.environ.update(env)
    git(repo, "read-tree", "main")
    git(repo, "add", ".gitmem")
    tree = git(repo, "write-tree").strip()
    os.environ.clear()
    os.environ.update(before)
    commit = git(repo, "commit-tree", tree, "-p", "main", "-m", "x").strip()
    git(repo, "update-ref", "refs/heads/main", commit)


def test_without_a_verdict_the_status_says_how_to_get_one(repo: Path) -> None:
    found = verify(repo, "--status")

    assert (found["verdict"], codes(found["warnings"])) == ("nothing-to-check", ["no-verdict"])
    assert "no verdict yet" in run_inproc(repo, "verify", "--status").out


@pytest.mark.capability("R-026")
def test_stale_verdicts_are_removed_and_those_that_hold_stay(repo: Path) -> None:
    diff_path = diff(repo)[1]
    verify(repo, "--diff", diff_path)
    verify(repo, "--worktree")
    verify(repo, "--range", "HEAD..HEAD")
    write_tree(repo, {FILE: "other\n"})

    found = verify(repo, "--prune-stale")

    assert found["pruned"] == 1
    assert verify(repo, "--prune-stale")["pruned"] == 0
    assert verify(repo, "--range", "HEAD..HEAD")["cached"] is True
    assert verify(repo, "--diff", diff_path)["cached"] is True
    commit_all(repo)
    assert verify(repo, "--prune-stale")["pruned"] == 2


def test_a_verdict_ends_when_a_rule_begins_to_be_valid(make_repo: MakeRepo) -> None:
    root = make_repo(knowledge(no_print(valid={"from": "2030-01-01"}), {FILE: OLD}))
    write_tree(root, {FILE: "print(1)\n"})

    before = [verify(root, "--worktree", "--now", f"2029-12-{day}T00:00:00Z") for day in (30, 31)]
    status = verify(root, "--status", "--now", "2030-01-02T00:00:00Z")
    after = verify(root, "--worktree", "--now", "2030-01-02T00:00:00Z")

    assert [(each["verdict"], each["cached"]) for each in before] == [
        ("nothing-to-check", False),
        ("nothing-to-check", True),
    ]
    assert (status["last"]["holds"], after["verdict"], after["cached"]) == (False, "fail", False)


def test_a_damaged_verdict_is_given_anew(repo: Path) -> None:
    first = verify(repo, "--worktree")
    for path in (repo / ".gitmem/cache").glob("verdict-*"):
        path.write_bytes(path.read_bytes()[:-1] + b" ")

    assert verify(repo, "--worktree") == first


@pytest.mark.parametrize("form", ["text", "json", "sarif", "markdown"])
def test_each_format_names_the_place_and_the_check(repo: Path, form: str) -> None:
    done = run_inproc(repo, "verify", "--worktree", "--format", form)

    assert done.code == 1
    assert "forbidden_pattern" in done.out
    if form == "sarif":
        (result,) = json.loads(done.out)["runs"][0]["results"]
        place = result["locations"][0]["physicalLocation"]
        assert (result["level"], place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("error", FILE, 3)
    else:
        assert FILE in done.out


def test_no_text_of_a_change_moves_the_terminal_or_the_comment(make_repo: MakeRepo) -> None:
    """F-248, F-252"""
    evil = 'print("\x1b[2J\u202e<script>@all](javascript:x)|`")\n'
    root = make_repo(knowledge(no_print()))
    write_tree(root, {"src/a.py": evil})

    for form in ("text", "markdown"):
        out = run_inproc(root, "verify", "--worktree", "--format", form).out
        assert "\x1b" not in out
        assert "\u202e" not in out
    comment = run_inproc(root, "verify", "--worktree", "--format", "markdown").out
    assert "`print(" in comment


def test_a_bare_repository_is_verified_by_range_alone(make_repo: MakeRepo, tmp_path: Path) -> None:
    root = make_repo(knowledge(no_print(), {FILE: OLD}))
    write_tree(root, {FILE: "print(1)\n"})
    commit_all(root)
    git(tmp_path, "clone", "--quiet", "--bare", str(root), "bare.git")

    assert verify(tmp_path / "bare.git", "--range", "HEAD^..HEAD")["verdict"] == "fail"
    assert "bare repository" in refused(tmp_path / "bare.git", "verify", "--staged")["message"]


def test_without_knowledge_or_commits_there_is_nothing_to_check(make_repo: MakeRepo) -> None:
    for name, commit in (("a", True), ("b", False)):
        found = ask(make_repo({"a.py": "x\n"}, commit=commit, name=name), "verify", "--worktree")

        assert found["verdict"] == "nothing-to-check"
        assert found["warnings"]


@pytest.mark.parametrize(
    "name", ["-A.py", "--output=x.py", "$(touch c).py", "two  blanks.py", "\u00fc.py", "li\nne.py"]
)
def test_a_file_of_any_name_is_judged(make_repo: MakeRepo, name: str) -> None:
    """F-044, F-243"""
    root = make_repo(knowledge(no_print()))
    write_tree(root, {f"src/{name}": "print(1)\n", name: "print(1)\n"})

    assert places(verify(root, "--worktree")) == [("forbidden_pattern", f"src/{name}", 1)]
    if "\n" not in name:
        assert verify(root / "src", "--", name)["total"] == 1
    assert not (root / "c").exists()


def test_knowledge_of_a_parent_repository_judges_the_code_of_this_one(make_repo: MakeRepo) -> None:
    layered = rule("alone", 2, "src/**", body="Alone.\n\n```verify\nlayer_imports:\n  a: []\nmax_lines: 5\n```\n")
    make_repo(knowledge(no_print(), layered, {".gitmem/layers.yaml": "src/a/**: a\nsrc/b/**: b\n"}), name="kb")
    root = make_repo({"src/a/x.ts": "x\n", "src/b/y.ts": "export const y = 1\n"}, name="code")
    git(root, "config", "gitmem.parent", "../kb")
    write_tree(root, {"src/a/x.ts": 'import { y } from "../b/y"\nprint(y)\n'})

    for words in (("--worktree",), staged(root), diff_of_staged(root)):
        assert places(verify(root, *words)) == [
            ("layer_import", "src/a/x.ts", 1),
            ("forbidden_pattern", "src/a/x.ts", 2),
        ]
    assert verify(root, "--status")["last"]["holds"] is True


def diff_of_staged(root: Path) -> tuple[str, ...]:
    (root.parent / "b.diff").write_text(git(root, "diff", "--cached"), encoding="utf-8")
    return "--diff", str(root.parent / "b.diff")


@pytest.mark.parametrize("form", ["text", "json", "sarif", "markdown"])
def test_a_name_that_is_no_utf8_is_told_in_every_format(make_repo: MakeRepo, form: str) -> None:
    root = make_repo(knowledge(no_print()))
    (root / "src").mkdir()
    (root / "src/caf\udce9.py").write_bytes(b"print(caf\xe9)\n")

    for _ in range(2):
        done = run_cli_bytes(root, "verify", "--worktree", "--format", form)
        assert done.code == 1
        assert "forbidden_pattern" in done.out


def run_cli_bytes(root: Path, *words: str) -> Ran:
    command = [sys.executable, "-P", "-m", "gitmem", *words]
    done = subprocess.run(command, cwd=root, capture_output=True, check=False)
    return Ran(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))


def many(root: Path, count: int) -> None:
    for at in range(count):
        path = root / f"src/d{at // 500}/f{at}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"print(1)\n")


@pytest.mark.parametrize("count", [2_000, pytest.param(50_000, marks=pytest.mark.long)])
def test_tens_of_thousands_of_paths_are_judged_in_one_go(make_repo: MakeRepo, count: int) -> None:
    """F-239"""
    root = make_repo(knowledge(no_print()))
    many(root, count)
    git(root, "add", "--all")
    names = git(root, "ls-files", "-z", "src")

    by_list = run_cli(root, "verify", "-", "--json", stdin=names)

    assert json.loads(by_list.out)["total"] == count
    assert verify(root, "--staged")["total"] == count
    assert verify(root, "--diff", "-", stdin=git(root, "diff", "--cached"))["total"] == count
