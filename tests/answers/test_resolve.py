"""What Git could not merge, finished by the rules: real merges, rebases, picks and reverts, and nobody's edit lost."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.answers.merging import (
    RULE,
    START,
    apart,
    change,
    merge,
    put_on_path,
    rule,
    text,
    unmerged,
    with_driver,
)
from tests.conftest import MakeRepo
from tests.support import commit_all, engram_id, git, run_inproc, run_program, write_tree

OTHER = ".gitmem/engrams/web/rule.md"
MOVED = ".gitmem/engrams/api/moved.md"


@pytest.fixture
def repo(make_repo: MakeRepo) -> Path:
    """Without the merge driver: Git merges lines."""
    return make_repo(START)


def resolve(repo: Path, *words: str, code: int = 0) -> dict:
    ran = run_inproc(repo, "resolve", *words, "--json")
    assert ran.code == code, ran
    found: dict = json.loads(ran.out)
    return found


def done(answer: dict) -> list[tuple[str, str]]:
    return [(row["path"], row["how"]) for row in answer["resolved"]]


def fields(answer: dict) -> list[tuple[str, str]]:
    return [(row["path"], row["field"]) for row in answer["conflicts"]]


def in_operation(repo: Path, operation: str) -> None:
    """Two tags that both branches added, meeting by one of Git's roads, which stops."""
    apart(repo, {RULE: rule(tags=["api", "http"])}, {RULE: rule(tags=["api", "web"])})
    words = {
        "merge": ("merge", "theirs"),
        "rebase": ("rebase", "theirs"),
        "rebase by patches": ("rebase", "--apply", "theirs"),
        "cherry-pick": ("cherry-pick", "theirs"),
        "squash": ("merge", "--squash", "theirs"),
        "recursive": ("merge", "-s", "recursive", "theirs"),
    }
    ran = run_program(repo, "git", *words[operation])
    assert ran.code, ran
    assert unmerged(repo) == [RULE]


@pytest.mark.capability("G-023")
@pytest.mark.parametrize("operation", ["merge", "rebase", "rebase by patches", "cherry-pick", "squash", "recursive"])
def test_what_git_stops_at_is_merged_by_keys_and_staged(repo: Path, operation: str) -> None:
    """F-087: both sides append to tags."""
    in_operation(repo, operation)
    head = git(repo, "rev-parse", "HEAD")

    answer = resolve(repo)

    assert done(answer) == [(RULE, "merged")]
    assert answer["conflicts"] == []
    assert text(repo) == rule(tags=["api", "http", "web"])
    assert unmerged(repo) == []
    assert git(repo, "diff", "--name-only") == ""
    assert git(repo, "rev-parse", "HEAD") == head


@pytest.mark.parametrize(
    ("operation", "words", "go_on"),
    [
        ("merge", ("commit", "--no-edit"), "git commit"),
        ("rebase", ("-c", "core.editor=true", "rebase", "--continue"), "git rebase --continue"),
        ("cherry-pick", ("-c", "core.editor=true", "cherry-pick", "--continue"), "git cherry-pick --continue"),
    ],
)
def test_afterwards_git_goes_on_as_the_answer_says(
    repo: Path, operation: str, words: tuple[str, ...], go_on: str
) -> None:
    in_operation(repo, operation)

    answer = resolve(repo)
    git(repo, *words)

    assert (answer["operation"], answer["next"]) == (operation, go_on)
    assert git(repo, "show", f"HEAD:{RULE}") == rule(tags=["api", "http", "web"])
    assert git(repo, "status", "--porcelain") == ""


def test_a_patch_by_mail_that_stopped_is_finished_from_the_index(repo: Path, tmp_path: Path) -> None:
    apart(repo, {RULE: rule(tags=["api", "http"])}, {RULE: rule(tags=["api", "web"])})
    patch = tmp_path / "patch"
    patch.write_text(git(repo, "format-patch", "--stdout", "-1", "theirs"), encoding="utf-8")
    run_program(repo, "git", "am", "--3way", str(patch))

    answer = resolve(repo)
    git(repo, "am", "--continue")

    assert (answer["operation"], answer["next"]) == ("am", "git am --continue")
    assert git(repo, "show", f"HEAD:{RULE}") == rule(tags=["api", "http", "web"])


def test_a_stash_that_met_another_edit_is_finished_from_the_index(repo: Path) -> None:
    change(repo, {RULE: rule(tags=["api", "web"])})
    git(repo, "stash", "--quiet")
    change(repo, {RULE: rule(tags=["api", "http"])})
    commit_all(repo)
    run_program(repo, "git", "stash", "pop")

    answer = resolve(repo)

    assert done(answer) == [(RULE, "merged")]
    assert text(repo) == rule(tags=["api", "http", "web"])


def test_a_revert_takes_back_only_what_it_reverts(repo: Path) -> None:
    change(repo, {RULE: rule(tags=["api", "http"])})
    commit_all(repo, "http")
    change(repo, {RULE: rule(tags=["api", "http", "web"])})
    commit_all(repo, "web")

    ran = run_program(repo, "git", "revert", "--no-edit", "HEAD^")
    answer = resolve(repo)

    assert ran.code == 1
    assert (done(answer), answer["operation"]) == ([(RULE, "merged")], "revert")
    assert text(repo) == rule(tags=["api", "web"])


def test_a_disagreement_is_left_with_markers_at_its_lines_and_both_values(repo: Path) -> None:
    apart(repo, {RULE: rule(title="Ours", tags=["api", "http"])}, {RULE: rule(title="Theirs", tags=["api", "web"])})
    merge(repo)

    answer = resolve(repo, code=1)

    assert answer["resolved"] == []
    assert answer["conflicts"] == [
        {
            "path": RULE,
            "item": engram_id(1),
            "field": "title",
            "base": "Call the API through the client",
            "ours": "Ours",
            "theirs": "Theirs",
        }
    ]
    assert unmerged(repo) == [RULE]
    inside = text(repo).partition("<<<<<<< ")[2].partition(">>>>>>> ")[0].splitlines()[1:]
    assert sorted(inside) == ["=======", "title: Ours", "title: Theirs"]
    assert '  - "http"\n  - "web"\n' in text(repo)
    assert resolve(repo, code=1) == answer


@pytest.mark.parametrize(("side", "title"), [("--ours", "Ours"), ("--theirs", "Theirs")])
def test_taking_a_side_settles_the_disagreement_and_nothing_else(repo: Path, side: str, title: str) -> None:
    apart(repo, {RULE: rule(title="Ours", tags=["api", "http"])}, {RULE: rule(title="Theirs", tags=["api", "web"])})
    merge(repo)

    answer = resolve(repo, side)

    assert done(answer) == [(RULE, side.removeprefix("--"))]
    assert text(repo) == rule(title=title, tags=["api", "http", "web"])


def test_in_a_rebase_ours_is_the_branch_below_as_git_has_it(repo: Path) -> None:
    apart(repo, {RULE: rule(title="Mine")}, {RULE: rule(title="Upstream")})
    run_program(repo, "git", "rebase", "theirs")

    resolve(repo, "--ours")

    assert text(repo) == rule(title="Upstream")
    assert "in a rebase the one you rebase onto" in " ".join(run_inproc(repo, "resolve", "--help").out.split())


@pytest.mark.parametrize("reference", [engram_id(2), "two", "api/two", ".gitmem/engrams/api/two.md", ".gitmem/engrams"])
def test_only_the_named_item_is_settled(repo: Path, reference: str) -> None:
    two = ".gitmem/engrams/api/two.md"
    write_tree(repo, {two: rule(2)})
    commit_all(repo)
    tags = (["api", "http"], ["api", "web"])
    apart(
        repo,
        {RULE: rule(tags=tags[0]), two: rule(2, tags=tags[0])},
        {RULE: rule(tags=tags[1]), two: rule(2, tags=tags[1])},
    )
    merge(repo)

    answer = resolve(repo, reference)

    assert (two, "merged") in done(answer)
    assert unmerged(repo) == ([] if reference == ".gitmem/engrams" else [RULE])
    assert bool(answer["next"]) is (reference == ".gitmem/engrams")


def test_a_name_that_is_not_in_conflict_is_named(repo: Path) -> None:
    in_operation(repo, "merge")

    ran = run_inproc(repo, "resolve", "nothing-such", "--json")

    error = json.loads(ran.out)["error"]
    assert (ran.code, error["code"]) == (1, "not-in-conflict")
    assert RULE in error["hint"]


def test_nothing_in_progress_is_no_fault(repo: Path) -> None:
    assert resolve(repo) == {"resolved": [], "conflicts": [], "operation": "", "next": "", "warnings": []}


@pytest.mark.parametrize("is_ours_deleted", [True, False])
def test_an_edit_beats_a_deletion(repo: Path, is_ours_deleted: bool) -> None:
    edited, gone = {RULE: rule(title="Edited")}, {RULE: None}
    apart(repo, *((gone, edited) if is_ours_deleted else (edited, gone)))
    merge(repo)

    answer = resolve(repo)

    assert text(repo) == rule(title="Edited")
    assert [row["code"] for row in answer["warnings"]] == ["kept-edit"]
    assert unmerged(repo) == []


@pytest.mark.parametrize("renames", ["true", "false"])
@pytest.mark.parametrize("is_ours_moved", [True, False])
def test_a_move_and_an_edit_are_both_kept_whether_git_saw_the_move_or_not(
    repo: Path, renames: str, is_ours_moved: bool
) -> None:
    git(repo, "config", "merge.renames", renames)
    moved, edited = {RULE: None, MOVED: rule(tags=["api", "http"])}, {RULE: rule(tags=["api", "web"])}
    apart(repo, *((moved, edited) if is_ours_moved else (edited, moved)))
    assert merge(repo).code == 1

    answer = resolve(repo)

    assert answer["conflicts"] == []
    assert text(repo, MOVED) == rule(tags=["api", "http", "web"])
    assert not (repo / RULE).exists()
    assert unmerged(repo) == []
    assert git(repo, "ls-files", ".gitmem/engrams").split() == [MOVED]


def test_a_disagreement_behind_a_move_that_git_did_not_see_stands_at_the_new_place(repo: Path) -> None:
    git(repo, "config", "merge.renames", "false")
    apart(repo, {RULE: None, MOVED: rule(title="Ours")}, {RULE: rule(title="Theirs")})
    merge(repo)

    first = resolve(repo, code=1)
    write_tree(repo, {MOVED: rule(title="Agreed")})
    second = resolve(repo)

    assert fields(first) == [(MOVED, "title")]
    assert done(second) == [(MOVED, "as-edited")]
    assert git(repo, "ls-files", "-s", ".gitmem/engrams").count("\n") == 1
    assert git(repo, "show", f":{MOVED}") == rule(title="Agreed")


@pytest.mark.parametrize(("side", "kept"), [("--ours", MOVED), ("--theirs", OTHER)])
def test_two_moves_of_one_engram_are_a_conflict_of_its_path(repo: Path, side: str, kept: str) -> None:
    apart(repo, {RULE: None, MOVED: rule(tags=["api", "http"])}, {RULE: None, OTHER: rule(tags=["api", "web"])})
    merge(repo)

    first = resolve(repo, code=1)
    answer = resolve(repo, side)

    assert first["conflicts"][0] | {"item": ""} == {
        "path": RULE, "item": "", "field": "path", "base": RULE, "ours": MOVED, "theirs": OTHER,
    }  # fmt: skip
    assert answer["conflicts"] == []
    assert text(repo, kept) == rule(tags=["api", "http", "web"])
    assert git(repo, "ls-files", ".gitmem/engrams").split() == [kept]
    assert unmerged(repo) == []


def test_two_engrams_that_were_given_one_path_both_stay(repo: Path) -> None:
    new = ".gitmem/engrams/api/new.md"
    aside = f".gitmem/engrams/api/new-{engram_id(3)[-4:].lower()}.md"
    apart(repo, {new: rule(3, title="Three")}, {new: rule(2, title="Two")})
    merge(repo)

    answer = resolve(repo)

    assert [row["code"] for row in answer["warnings"]] == ["moved-aside"]
    assert text(repo, new) == rule(2, title="Two")
    assert text(repo, aside) == rule(3, title="Three")
    assert unmerged(repo) == []


@pytest.mark.parametrize("has_driver", [True, False])
def test_what_a_person_wrote_after_the_merge_is_taken_as_their_answer(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_driver: bool
) -> None:
    if has_driver:
        put_on_path(tmp_path, monkeypatch)
        with_driver(repo)
    apart(repo, {RULE: rule(title="Ours")}, {RULE: rule(title="Theirs")})
    merge(repo)
    write_tree(repo, {RULE: rule(title="Agreed", body="By hand.\n")})

    answer = resolve(repo, "--ours")

    assert done(answer) == [(RULE, "as-edited")]
    assert git(repo, "show", f":{RULE}") == rule(title="Agreed", body="By hand.\n")


@pytest.mark.parametrize("side", ["--ours", "--theirs"])
def test_one_side_that_a_person_took_by_git_is_their_answer_too(repo: Path, side: str) -> None:
    apart(repo, {RULE: rule(title="Ours")}, {RULE: rule(title="Theirs")})
    merge(repo)
    git(repo, "checkout", side, "--", RULE)

    answer = resolve(repo)

    assert done(answer) == [(RULE, "as-edited")]
    assert git(repo, "show", f":{RULE}") == rule(title=side.removeprefix("--").capitalize())


@pytest.mark.parametrize("words", [(), ("--ours",)])
def test_half_an_answer_is_left_to_the_person_who_began_it(repo: Path, words: tuple[str, ...]) -> None:
    apart(repo, {RULE: rule(title="Ours")}, {RULE: rule(title="Theirs")})
    merge(repo)
    begun = text(repo).replace("Three.", "Three, by hand.")
    write_tree(repo, {RULE: begun})

    answer = resolve(repo, *words, code=1)

    assert text(repo) == begun
    assert [row["code"] for row in answer["warnings"]] == ["edited"]
    assert unmerged(repo) == [RULE]


@pytest.mark.parametrize("style", ["merge", "diff3", "zdiff3"])
@pytest.mark.parametrize("operation", ["merge", "recursive"])
def test_markers_of_every_style_are_known_as_gits(repo: Path, style: str, operation: str) -> None:
    git(repo, "config", "merge.conflictStyle", style)
    in_operation(repo, operation)

    assert done(resolve(repo)) == [(RULE, "merged")]


@pytest.mark.parametrize(
    ("words", "go_on"),
    [
        (("rebase", "main", "theirs"), "git rebase --continue"),
        (("cherry-pick", "main..theirs"), "git cherry-pick --continue"),
    ],
)
def test_a_commit_at_which_git_broke_off_is_not_lost_by_going_on(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], go_on: str
) -> None:
    """Half a driver in the settings: Git ends at once, and takes the commit for done."""
    put_on_path(tmp_path, monkeypatch)
    apart(repo, {RULE: rule(tags=["api", "http"])}, {RULE: rule(tags=["api", "web"])})
    git(repo, "switch", "--quiet", "theirs")
    write_tree(repo, {"src/other.py": "x\n"})
    commit_all(repo, "a second one")
    git(repo, "switch", "--quiet", "main")
    git(repo, "config", "merge.gitmem.name", "left over")
    assert "lacks command line" in run_program(repo, "git", *words).err
    lost = git(repo, "rev-parse", "theirs~1").strip()

    ran = run_inproc(repo, "resolve", "--json")

    found = json.loads(ran.out)["error"]
    assert (ran.code, found["code"]) == (1, "broken-off")
    assert lost[:12] in found["message"]
    assert f"git cherry-pick {lost[:12]}, and {go_on}" in found["hint"]
    with_driver(repo)
    git(repo, "cherry-pick", lost)
    assert resolve(repo)["next"] == go_on
    git(repo, *go_on.split()[1:])
    assert text(repo) == rule(tags=["api", "http", "web"])
    assert (repo / "src/other.py").is_file()


def test_a_stopped_driver_left_ours_and_that_is_not_taken_for_an_answer(repo: Path) -> None:
    git(repo, "config", "merge.gitmem.driver", "no-such-program %A")
    apart(repo, {RULE: rule(tags=["api", "http"])}, {RULE: rule(tags=["api", "web"])})
    merge(repo)

    resolve(repo)

    assert text(repo) == rule(tags=["api", "http", "web"])


def test_paths_outside_of_the_folder_are_never_touched(repo: Path) -> None:
    apart(
        repo,
        {RULE: rule(tags=["api", "http"]), "src/app.py": "ours\n"},
        {RULE: rule(tags=["api", "web"]), "src/app.py": "theirs\n"},
    )
    merge(repo)
    before = text(repo, "src/app.py")

    answer = resolve(repo)

    assert unmerged(repo) == ["src/app.py"]
    assert text(repo, "src/app.py") == before
    assert [row["code"] for row in answer["warnings"]] == ["elsewhere"]
    assert answer["next"] == ""


def test_what_git_merged_by_itself_and_what_is_staged_stays(repo: Path) -> None:
    write_tree(repo, {OTHER: rule(2)})
    commit_all(repo)
    apart(repo, {RULE: rule(tags=["api", "http"]), OTHER: rule(2, title="Ours")}, {RULE: rule(tags=["api", "web"])})
    merge(repo)
    write_tree(repo, {OTHER: rule(2, title="Staged by hand")})
    git(repo, "add", OTHER)

    resolve(repo)

    assert git(repo, "show", f":{OTHER}") == rule(2, title="Staged by hand")


def test_a_merge_of_many_branches_is_refused(repo: Path) -> None:
    git(repo, "branch", "third")
    apart(repo, {RULE: rule(title="Ours")}, {"src/b.py": "b\n"})
    git(repo, "switch", "--quiet", "third")
    change(repo, {RULE: rule(title="Third")})
    commit_all(repo)
    git(repo, "switch", "--quiet", "main")
    ran = run_program(repo, "git", "merge", "theirs", "third")
    assert ran.code

    refused = run_inproc(repo, "resolve", "--json")

    assert json.loads(refused.out)["error"]["code"] == "octopus"
    assert unmerged(repo) == [RULE]


def test_histories_that_crossed_do_not_let_one_side_win_without_a_word(repo: Path) -> None:
    apart(repo, {RULE: rule(title="Ours", tags=["api", "http"])}, {RULE: rule(title="Theirs", tags=["api", "web"])})
    git(repo, "branch", "first")
    git(repo, "switch", "--quiet", "-c", "second", "theirs")
    for branch, other, title in (("second", "first", "Theirs"), ("main", "theirs", "Ours")):
        git(repo, "switch", "--quiet", branch)
        run_program(repo, "git", "merge", other)
        write_tree(repo, {RULE: rule(title=title, tags=["api", "http", "web"])})
        commit_all(repo, "crossed")

    ran = merge(repo, "second")
    answer = resolve(repo, code=1) if ran.code else {"conflicts": []}

    assert ran.code == 1
    assert fields(answer) == [(RULE, "title")]
    assert '  - "http"\n  - "web"\n' in text(repo)


@pytest.mark.parametrize("folder", ["with blanks", "t\u00e4gs"])
def test_any_path_and_a_linked_worktree(repo: Path, tmp_path: Path, folder: str) -> None:
    rel = f".gitmem/engrams/{folder}/a b.md"
    write_tree(repo, {rel: rule(2)})
    commit_all(repo)
    apart(repo, {rel: rule(2, tags=["api", "http"])}, {rel: rule(2, tags=["api", "web"])})
    linked = tmp_path / "linked"
    git(repo, "worktree", "add", "--quiet", str(linked), "theirs")
    merge(linked, "main")

    answer = resolve(linked)

    assert done(answer) == [(rel, "merged")]
    assert text(linked, rel) == rule(2, tags=["api", "http", "web"])
    assert git(repo, "status", "--porcelain") == ""


def test_line_ends_of_windows_in_the_work_tree_are_gits_own(repo: Path) -> None:
    git(repo, "config", "core.autocrlf", "true")
    change(repo, {".gitmem/.gitattributes": "engrams/**/*.md text=auto\n"})
    commit_all(repo)
    in_operation(repo, "merge")
    assert b"\r\n" in (repo / RULE).read_bytes()

    answer = resolve(repo)

    assert done(answer) == [(RULE, "merged")]
    assert git(repo, "show", f":{RULE}") == rule(tags=["api", "http", "web"])
    assert git(repo, "diff", "--name-only") == ""


def test_a_side_is_taken_after_a_first_call_has_merged_the_rest_and_marked_it(repo: Path) -> None:
    apart(repo, {RULE: rule(priority=374, **{"x-note": "a"})}, {RULE: rule(priority=361)})
    merge(repo)
    resolve(repo, code=1)

    answer = resolve(repo, "--ours")

    assert done(answer) == [(RULE, "ours")]
    assert text(repo) == rule(priority=374, **{"x-note": "a"})


def test_a_decision_that_both_sides_wrote_otherwise_is_settled_by_nobody(repo: Path) -> None:
    entry = ".gitmem/ledger/2026/01/a.yaml"
    apart(repo, {entry: "id: a\ntitle: Ours\n"}, {entry: "id: a\ntitle: Theirs\n"})
    merge(repo)

    answer = resolve(repo, "--ours", code=1)

    assert fields(answer) == [(entry, "file")]
    assert unmerged(repo) == [entry]


def test_no_filter_of_the_repository_runs(repo: Path, tmp_path: Path) -> None:
    in_operation(repo, "merge")
    trap = tmp_path / "ran"
    git(repo, "config", "filter.evil.clean", f"touch {trap}; cat")
    git(repo, "config", "filter.evil.smudge", f"touch {trap}; cat")
    write_tree(repo, {".gitmem/.gitattributes": "* filter=evil\n", RULE: rule(title="Agreed")})
    trap.unlink(missing_ok=True)

    resolve(repo)

    assert not trap.exists()


def test_markers_that_are_left_reach_no_commit(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-070: a careless add commits conflict markers as text."""
    put_on_path(tmp_path, monkeypatch)
    run_inproc(repo, "hooks", "install")
    apart(repo, {RULE: rule(title="Ours")}, {RULE: rule(title="Theirs")})
    merge(repo)
    resolve(repo, code=1)
    head = git(repo, "rev-parse", "HEAD")
    git(repo, "add", "--all")

    ran = run_program(repo, "git", "commit", "--no-edit")

    assert ran.code == 1
    assert "conflict marker" in ran.err
    assert git(repo, "rev-parse", "HEAD") == head


def test_an_editor_opens_what_is_left_and_its_text_is_taken(repo: Path, tmp_path: Path) -> None:
    two = ".gitmem/engrams/api/two.md"
    write_tree(repo, {two: rule(2)})
    commit_all(repo)
    apart(
        repo,
        {RULE: rule(title="Ours"), two: rule(2, tags=["api", "http"])},
        {RULE: rule(title="Theirs"), two: rule(2, tags=["api", "web"])},
    )
    merge(repo)
    editor = tmp_path / "editor"
    editor.write_text(
        '#!/bin/sh\nsed -i -e "/^<<<<<<</d;/^=======/d;/^title: Ours/d;/^>>>>>>>/d" "$1"\n', encoding="utf-8"
    )
    editor.chmod(0o755)
    ours, theirs = os.openpty()
    env = {**os.environ, "VISUAL": str(editor)}

    command = [sys.executable, "-P", "-m", "gitmem", "resolve", "--edit", "--json"]
    ran = subprocess.run(command, cwd=repo, env=env, stdin=theirs, capture_output=True, check=False)
    os.close(ours)
    os.close(theirs)

    assert done(json.loads(ran.stdout)) == [(RULE, "as-edited"), (two, "merged")]
    assert git(repo, "show", f":{RULE}") == rule(title="Theirs")


def test_without_a_terminal_no_editor_is_waited_for(repo: Path) -> None:
    assert run_inproc(repo, "resolve", "--edit").code == 2


def test_in_a_bare_repository_there_is_nothing_to_finish(repo: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", "--bare", str(repo), "bare.git")

    ran = run_inproc(tmp_path / "bare.git", "resolve", "--json")

    assert (ran.code, json.loads(ran.out)["error"]["code"]) == (1, "no-work-tree")


def test_what_the_reader_sees(repo: Path) -> None:
    apart(repo, {RULE: rule(title="Ours")}, {RULE: rule(title="Theirs")})
    merge(repo)

    left, settled = run_inproc(repo, "resolve"), run_inproc(repo, "resolve", "--theirs")

    assert left.out.splitlines() == [
        f'{RULE}: both sides changed title: ours "Ours", theirs "Theirs", before "Call the API through the client"',
        "settle them: gitmem resolve --ours, --theirs or --edit; or edit the files and resolve again",
    ]
    assert settled.out.splitlines() == [f"{RULE}: theirs", "go on: git commit"]
