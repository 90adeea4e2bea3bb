"""Git's hooks with gitmem in them: real commits, merges and pushes, and every bystander's file unharmed."""

import json
import stat
from pathlib import Path

import pytest

from tests.conftest import MakeRepo
from tests.hooks.program import script
from tests.support import Ran, commit_all, engram_id, engram_text, git, run_inproc, run_program, write_tree

RULE = ".gitmem/engrams/api/a.md"
GOOD = engram_text(scope={"paths": ["src/**"]})
BAD = "no header\n"
CONFIG = {".gitmem/config.yaml": "format: 1\n", "src/app.ts": "x\n"}
NAMES = ("pre-commit", "pre-merge-commit", "pre-push", "post-merge", "post-rewrite", "post-commit")
OLD_HOOK = "#!/bin/sh\n# mine\ntouch ran\n"


def install(repo: Path, *args: str) -> dict[str, object]:
    ran = run_inproc(repo, "hooks", "install", "--json", *args)
    assert ran.code == 0, ran.err
    answer: dict[str, object] = json.loads(ran.out)
    return answer


def commit(repo: Path, *args: str) -> Ran:
    git(repo, "add", "--all")
    return run_program(repo, "git", "commit", "--quiet", "--message", "x", *args)


def codes(answer: dict[str, object]) -> list[object]:
    rows = answer["warnings"]
    assert isinstance(rows, list)
    return [row["code"] for row in rows]


@pytest.mark.usefixtures("on_path")
@pytest.mark.capability("R-070")
def test_a_fault_stops_the_commit_and_a_mended_one_passes(make_repo: MakeRepo) -> None:
    repo = make_repo(CONFIG)
    install(repo)
    write_tree(repo, {RULE: BAD})

    refused = commit(repo)
    write_tree(repo, {RULE: GOOD})
    passed = commit(repo)

    assert refused.code == 1
    assert f"{RULE}:1: error:" in refused.err
    assert "\x1b" not in refused.err
    assert passed == Ran(0, "", passed.err)
    assert git(repo, "status", "--porcelain") == ""


@pytest.mark.usefixtures("on_path")
def test_warnings_are_said_and_stop_nothing(make_repo: MakeRepo) -> None:
    repo = make_repo(CONFIG)
    install(repo)
    write_tree(repo, {RULE: engram_text()})

    ran = commit(repo)

    assert ran.code == 0
    assert "warning:" in ran.err


def test_commits_without_knowledge_do_not_even_start_gitmem(make_repo: MakeRepo, on_path: Path) -> None:
    repo = make_repo(CONFIG)
    install(repo)
    script(on_path, "echo started >&2\nexit 1\n")
    write_tree(repo, {"src/app.ts": "y\n"})

    assert commit(repo) == Ran(0, "", "")


@pytest.mark.parametrize("partial", [["--all"], ["--only", RULE], ["--include", RULE]], ids=lambda args: args[0])
@pytest.mark.usefixtures("on_path")
def test_a_commit_of_a_part_is_judged_by_the_index_that_git_prepares(make_repo: MakeRepo, partial: list[str]) -> None:
    repo = make_repo(CONFIG | {RULE: GOOD})
    install(repo)
    write_tree(repo, {RULE: BAD})

    ran = run_program(repo, "git", "commit", "--quiet", "--message", "x", *partial)

    assert ran.code == 1
    assert f"{RULE}:1: error:" in ran.err


@pytest.mark.usefixtures("on_path")
def test_what_is_not_staged_is_not_judged(make_repo: MakeRepo) -> None:
    """F-185: unstaged edits in two worktrees survive a failing check, byte for byte."""
    repo = make_repo(CONFIG | {RULE: GOOD})
    install(repo)
    other = repo.parent / "other"
    git(repo, "worktree", "add", "--quiet", str(other), "-b", "other")
    for root in (repo, other):
        write_tree(root, {".gitmem/engrams/api/b.md": BAD})
        git(root, "add", ".gitmem/engrams/api/b.md")
        write_tree(root, {RULE: "half an edit\n", "src/app.ts": f"{root.name}\n", "new.txt": "n\n"})
    states = [git(root, "status", "--porcelain") for root in (repo, other)]

    refused = [run_program(root, "git", "commit", "--quiet", "--message", "x") for root in (repo, other)]

    assert [ran.code for ran in refused] == [1, 1]
    assert all(RULE not in ran.err for ran in refused)
    assert [git(root, "status", "--porcelain") for root in (repo, other)] == states
    assert [(root / RULE).read_text() for root in (repo, other)] == ["half an edit\n"] * 2


@pytest.mark.usefixtures("on_path")
def test_hooks_of_a_linked_worktree_touch_no_index(make_repo: MakeRepo) -> None:
    """F-072"""
    repo = make_repo(CONFIG | {RULE: GOOD})
    install(repo)
    other = repo.parent / "other"
    git(repo, "worktree", "add", "--quiet", str(other), "-b", "other")
    write_tree(other, {RULE: BAD})
    git(other, "add", "--all")
    before = (repo / ".git/index").read_bytes(), git(other, "ls-files", "--stage")

    ran = run_program(other, "git", "commit", "--quiet", "--message", "x")

    assert ran.code == 1
    assert ((repo / ".git/index").read_bytes(), git(other, "ls-files", "--stage")) == before


def test_variables_of_an_outer_git_do_not_lead_to_another_index(
    make_repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F-072: called from a hook of one repository for another one."""
    outer = make_repo(CONFIG, name="outer")
    inner = make_repo(CONFIG, name="inner")
    write_tree(inner, {RULE: BAD})
    git(inner, "add", "--all")
    monkeypatch.setenv("GIT_INDEX_FILE", str(outer / ".git/index"))
    monkeypatch.setenv("GIT_DIR", str(outer / ".git"))

    assert run_inproc(inner, "check", "--staged").code == 1
    assert run_inproc(outer, "check", "--staged").code == 0


@pytest.mark.usefixtures("on_path")
def test_two_clean_branches_that_merge_into_a_circle_are_stopped(make_repo: MakeRepo) -> None:
    """The reason for the pre-merge-commit hook."""
    a, b = ".gitmem/engrams/api/a.md", ".gitmem/engrams/api/b.md"
    fact = {"kind": "fact", "title": "T"}
    repo = make_repo(CONFIG | {a: engram_text(**fact), b: engram_text(**fact, id=engram_id(2))})
    install(repo)
    git(repo, "checkout", "--quiet", "-b", "side")
    write_tree(repo, {a: engram_text(**fact, requires=["b"])})
    assert commit(repo).code == 0
    git(repo, "checkout", "--quiet", "main")
    write_tree(repo, {b: engram_text(**fact, id=engram_id(2), requires=["a"])})
    assert commit(repo).code == 0

    merged = run_program(repo, "git", "merge", "--quiet", "--no-edit", "side")

    assert merged.code == 1
    assert "requires-cycle" in merged.err


@pytest.mark.usefixtures("on_path")
def test_a_push_is_stopped_for_what_no_other_hook_saw(make_repo: MakeRepo, tmp_path: Path) -> None:
    repo = make_repo(CONFIG | {RULE: GOOD})
    there = tmp_path / "there.git"
    git(tmp_path, "init", "--quiet", "--bare", str(there))
    git(repo, "remote", "add", "origin", str(there))
    install(repo)
    first = run_program(repo, "git", "push", "--quiet", "origin", "main", "main:old")
    write_tree(repo, {RULE: BAD})
    git(repo, "add", "--all")
    git(repo, "commit", "--quiet", "--no-verify", "--message", "past the first hook")

    to_known = run_program(repo, "git", "push", "--quiet", "origin", "main")
    to_new = run_program(repo, "git", "push", "--quiet", "origin", "main:refs/heads/new")
    deleted = run_program(repo, "git", "push", "--quiet", "origin", ":old")

    assert [first.code, to_known.code, to_new.code, deleted.code] == [0, 1, 1, 0]
    assert f"{RULE}:1: error:" in to_known.err


@pytest.mark.usefixtures("on_path")
def test_a_pushing_hook_of_somebody_else_still_gets_its_input(make_repo: MakeRepo, tmp_path: Path) -> None:
    repo = make_repo(CONFIG)
    there = tmp_path / "there.git"
    git(tmp_path, "init", "--quiet", "--bare", str(there))
    git(repo, "remote", "add", "origin", str(there))
    script(repo / ".git/hooks/pre-push", 'cat > input\necho "$@" > arguments\n')
    install(repo)

    assert run_program(repo, "git", "push", "--quiet", "origin", "main").code == 0

    commit_id = git(repo, "rev-parse", "HEAD").strip()
    assert (repo / "input").read_text() == f"refs/heads/main {commit_id} refs/heads/main {'0' * 40}\n"
    assert (repo / "arguments").read_text() == f"origin {there}\n"


def test_in_a_hook_only_findings_have_exit_code_1(make_repo: MakeRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-176: the store is damaged, and the hooks let Git go on for every code but 1."""
    repo = make_repo(CONFIG | {RULE: GOOD})
    write_tree(repo, {".gitmem/engrams/web/b.md": BAD})
    git(repo, "add", "--all")
    blob = git(repo, "rev-parse", f"HEAD:{RULE}").strip()
    (repo / ".git/objects" / blob[:2] / blob[2:]).unlink()

    by_hand = run_inproc(repo, "check", "--staged")
    monkeypatch.setenv("GITMEM_HOOK", "1")
    in_hook = run_inproc(repo, "check", "--staged")

    assert (by_hand.code, in_hook.code) == (1, 3)
    assert "is not in this clone" in in_hook.err


FAULTS = {
    "an old version": "exit 2\n",
    "a version that breaks": "exit 3\n",
    "a version that is killed": "kill -9 $$\n",
    "no program at all": None,
}


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.capability("R-070")
def test_git_goes_on_when_gitmem_cannot(make_repo: MakeRepo, on_path: Path, name: str) -> None:
    """F-175: commit and rebase succeed, with one line."""
    repo = make_repo(CONFIG | {RULE: GOOD})
    install(repo)
    text = FAULTS[name]
    on_path.unlink() if text is None else script(on_path, text)
    git(repo, "checkout", "--quiet", "-b", "side")
    write_tree(repo, {RULE: BAD})

    committed = commit(repo)
    git(repo, "checkout", "--quiet", "main")
    write_tree(repo, {"src/app.ts": "y\n"})
    assert commit(repo).code == 0
    rebased = run_program(repo, "git", "rebase", "--quiet", "main", "side")

    assert (committed.code, rebased.code) == (0, 0)
    assert len([line for line in committed.err.splitlines() if "gitmem" in line]) == 1


@pytest.mark.usefixtures("on_path")
def test_a_repository_without_knowledge_commits_in_silence(make_repo: MakeRepo) -> None:
    """F-175"""
    repo = make_repo({"a.txt": "a\n"})
    install(repo)
    write_tree(repo, {"a.txt": "b\n"})

    assert commit(repo) == Ran(0, "", "")


@pytest.mark.usefixtures("on_path")
def test_a_hook_within_a_hook_does_nothing(make_repo: MakeRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-184"""
    repo = make_repo(CONFIG)
    install(repo)
    write_tree(repo, {RULE: BAD})
    monkeypatch.setenv("GITMEM_HOOK", "1")

    assert commit(repo).code == 0


@pytest.mark.usefixtures("on_path")
def test_an_existing_hook_is_kept_runs_and_comes_back(make_repo: MakeRepo) -> None:
    """F-173: install, install again, uninstall: bytes and mode are as they were."""
    repo = make_repo(CONFIG)
    hook = repo / ".git/hooks/pre-commit"
    hook.write_text(OLD_HOOK, encoding="utf-8")
    hook.chmod(0o750)

    install(repo)
    once = hook.read_bytes()
    install(repo)
    write_tree(repo, {RULE: GOOD})
    ran = commit(repo)

    assert hook.read_bytes() == once
    assert ran.code == 0
    assert (repo / "ran").exists()
    assert run_inproc(repo, "hooks", "uninstall").code == 0
    assert hook.read_bytes() == OLD_HOOK.encode()
    assert stat.S_IMODE(hook.stat().st_mode) == 0o750
    assert sorted(path.name for path in hook.parent.iterdir() if not path.name.endswith(".sample")) == ["pre-commit"]


def test_what_is_installed_can_be_listed(make_repo: MakeRepo) -> None:
    repo = make_repo(CONFIG)
    (repo / ".git/hooks/pre-push").write_text("#!/bin/sh\n", encoding="utf-8")

    def states() -> list[str]:
        rows = json.loads(run_inproc(repo, "hooks", "list", "--json").out)["hooks"]
        return [row["state"] for row in rows]

    assert states() == ["absent", "absent", "other", "absent", "absent", "absent"]
    install(repo)
    assert states() == ["installed"] * 6
    hook = repo / ".git/hooks/pre-commit"
    hook.write_text(hook.read_text(encoding="utf-8").replace("going on", "we go on"), encoding="utf-8")
    assert states() == ["outdated", *["installed"] * 5]
    install(repo)
    assert states() == ["installed"] * 6
    assert run_inproc(repo, "hooks", "nothing").code == 2


@pytest.mark.parametrize("value", ["~/hooks", "tools/hooks", ""])
def test_hooks_go_where_git_looks_for_them(make_repo: MakeRepo, home: Path, value: str) -> None:
    """F-171: a tilde is expanded as Git does; a folder of the repository is meant from its top."""
    repo = make_repo(CONFIG)
    if value:
        git(repo, "config", "core.hooksPath", value)
    (repo / "src" / "deep").mkdir()
    wanted = (repo / git(repo, "rev-parse", "--git-path", "hooks").strip()).resolve()

    answer = install(repo / "src" / "deep")

    assert Path(str(answer["folder"])).resolve() == wanted
    assert (wanted / "pre-commit").exists()
    assert not (repo / "~").exists()
    assert value != "~/hooks" or wanted == (home / "hooks").resolve()


def test_linked_worktrees_share_the_hooks(make_repo: MakeRepo) -> None:
    repo = make_repo(CONFIG)
    other = repo.parent / "other"
    git(repo, "worktree", "add", "--quiet", str(other))

    install(other)

    assert (repo / ".git/hooks/pre-commit").exists()


def test_tracked_hooks_name_no_place_on_this_machine(make_repo: MakeRepo, tmp_path: Path) -> None:
    """F-180"""
    repo = make_repo(CONFIG)
    git(repo, "config", "core.hooksPath", "tools/hooks")

    install(repo)
    commit_all(repo)

    assert git(repo, "ls-files", "tools/hooks").split() == [f"tools/hooks/{name}" for name in sorted(NAMES)]
    assert str(tmp_path) not in git(repo, "show", "HEAD")


MANAGERS: dict[str, tuple[dict[str, str], str]] = {
    "husky": ({".husky/pre-commit": "npm test\n"}, "pre-commit: gitmem check --staged"),
    "lefthook": ({"lefthook.yml": "pre-commit: {}\n"}, "run: gitmem check --staged"),
    "pre-commit": ({".pre-commit-config.yaml": "repos: []\n"}, "id: gitmem-check"),
}


@pytest.mark.parametrize("name", MANAGERS)
def test_another_manager_is_named_with_what_to_add_there(make_repo: MakeRepo, name: str) -> None:
    """F-174"""
    files, advice = MANAGERS[name]
    repo = make_repo(CONFIG | files)

    ran = run_inproc(repo, "hooks")

    assert ran.code == 0
    assert f"{name} looks after hooks here" in ran.out
    assert advice in ran.out


WRITTEN = {
    "pre-commit": "#!/usr/bin/env bash\n# File generated by pre-commit: https://pre-commit.com\n",
    "lefthook": '#!/bin/sh\nif [ "$LEFTHOOK" = 0 ]; then exit 0; fi\nlefthook run pre-commit\n',
    "husky": '#!/usr/bin/env sh\n. "$(dirname -- "$0")/_/husky.sh"\n',
}


@pytest.mark.parametrize("name", WRITTEN)
def test_a_hook_that_a_manager_wrote_is_left_to_it(make_repo: MakeRepo, name: str) -> None:
    repo = make_repo(CONFIG)
    hook = repo / ".git/hooks/pre-commit"
    hook.write_text(WRITTEN[name], encoding="utf-8")
    hook.chmod(0o755)

    answer = install(repo)

    assert "hook-manager" in codes(answer)
    assert hook.read_text(encoding="utf-8") == WRITTEN[name]


@pytest.mark.capability("R-070")
def test_a_repository_of_husky_still_works(make_repo: MakeRepo) -> None:
    repo = make_repo(CONFIG | {".husky/pre-commit": "npm test\n"})
    script(repo / ".husky/_/pre-commit", "touch ran\n")
    git(repo, "config", "core.hooksPath", ".husky/_")
    before = (repo / ".husky/_/pre-commit").read_bytes()

    answer = install(repo)

    assert codes(answer) == ["hook-manager"]
    assert answer["written"] == []
    assert (repo / ".husky/_/pre-commit").read_bytes() == before
    assert commit(repo, "--allow-empty").code == 0
    assert (repo / "ran").exists()


def test_hooks_that_take_no_shell_are_left_alone_and_named(make_repo: MakeRepo) -> None:
    repo = make_repo(CONFIG)
    folder = repo / ".git/hooks"
    (folder / "pre-commit").write_text("#!/usr/bin/env python3\nprint()\n", encoding="utf-8")
    (repo / "shared.sh").write_text("#!/bin/sh\n", encoding="utf-8")
    (folder / "pre-push").symlink_to(repo / "shared.sh")
    (folder / "pre-merge-commit").write_text("#!/bin/sh\n", encoding="utf-8")

    answer = install(repo)

    assert codes(answer) == ["hook-not-shell", "hook-not-executable", "hook-is-link"]
    assert (repo / "shared.sh").read_text(encoding="utf-8") == "#!/bin/sh\n"


def test_hooks_need_a_repository(tmp_path: Path) -> None:
    assert run_inproc(tmp_path, "hooks", "install").code == 1
