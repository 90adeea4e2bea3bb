"""The merge driver under real merges: sets are united, a disagreement is marked at its lines, nothing is ever lost."""

import json
from pathlib import Path

import pytest

from tests.answers import merging
from tests.answers.merging import BODY, RULE, START, apart, merge, rule, text, unmerged, with_driver
from tests.conftest import MakeRepo
from tests.support import engram_id, git, run_inproc, run_program, write_tree


@pytest.fixture(autouse=True)
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return merging.put_on_path(tmp_path, monkeypatch)


@pytest.fixture
def repo(make_repo: MakeRepo) -> Path:
    root = make_repo(START)
    with_driver(root)
    return root


@pytest.mark.capability("M-076")
@pytest.mark.capability("G-023")
def test_tags_that_two_people_add_are_both_there_after_a_plain_merge(repo: Path) -> None:
    """F-087: a text merge leaves markers in the list; F-088: keys of others are kept."""
    apart(repo, {RULE: rule(tags=["api", "http"], **{"x-a": "1"})}, {RULE: rule(tags=["api", "web"], **{"x-b": "2"})})

    ran = merge(repo)

    assert ran.code == 0, ran
    assert text(repo) == rule(tags=["api", "http", "web"], **{"x-a": "1", "x-b": "2"})
    assert git(repo, "status", "--porcelain") == ""


def test_without_the_driver_git_asks_and_nothing_is_lost(make_repo: MakeRepo) -> None:
    repo = make_repo(START)
    apart(repo, {RULE: rule(tags=["api", "http"])}, {RULE: rule(tags=["api", "web"])})

    ran = merge(repo)

    assert ran.code == 1
    assert unmerged(repo) == [RULE]
    assert "http" in text(repo)
    assert "web" in text(repo)


def test_a_disagreement_has_markers_around_the_lines_of_its_key_only(repo: Path) -> None:
    apart(repo, {RULE: rule(title="Ours", tags=["api", "http"])}, {RULE: rule(title="Theirs", tags=["api", "web"])})

    ran = merge(repo)

    lines = text(repo).splitlines()
    marks = [number for number, line in enumerate(lines) if line.startswith(("<<<<<<<", "=======", ">>>>>>>"))]
    assert ran.code == 1
    assert "CONFLICT (content)" in ran.out
    assert len(marks) == 3
    between = lines[marks[0] + 1 : marks[1]] + lines[marks[1] + 1 : marks[2]]
    assert sorted(between) == ["title: Ours", "title: Theirs"]
    assert '  - "http"' in lines
    assert '  - "web"' in lines


@pytest.mark.capability("G-023")
def test_the_markers_of_a_body_are_in_the_body(repo: Path) -> None:
    """F-092: one side of a body wins and the other leaves no trace."""
    ours, theirs = BODY.replace("Two.", "Two, ours."), BODY.replace("Two.", "Two, theirs.")
    apart(repo, {RULE: rule(body=ours, tags=["a", "api"])}, {RULE: rule(body=theirs, tags=["api", "b"])})

    merge(repo)

    header, _, body = text(repo).removeprefix("---\n").partition("---\n")
    assert "<<<<<<<" not in header
    assert "Two, ours.\n" in body
    assert "Two, theirs.\n" in body
    assert unmerged(repo) == [RULE]


def test_both_people_see_the_same_text(repo: Path, tmp_path: Path) -> None:
    apart(repo, {RULE: rule(title="Ours")}, {RULE: rule(title="Theirs")})
    other = tmp_path / "other"
    git(tmp_path, "clone", "--quiet", str(repo), str(other))
    with_driver(other)
    git(other, "switch", "--quiet", "theirs")

    merge(repo)
    merge(other, "origin/main")

    assert text(repo) == text(other)


def test_a_rebase_and_a_cherry_pick_use_the_driver_too(repo: Path) -> None:
    apart(repo, {RULE: rule(tags=["api", "http"])}, {RULE: rule(tags=["api", "web"])})
    git(repo, "branch", "pick")

    git(repo, "rebase", "--quiet", "theirs")
    rebased = text(repo)
    git(repo, "switch", "--quiet", "pick")
    git(repo, "cherry-pick", "theirs")

    assert rebased == text(repo) == rule(tags=["api", "http", "web"])


@pytest.mark.parametrize("folder", ["with blanks", "t\u00e4gs", "it's", "a;b"])
def test_a_path_is_taken_as_git_names_it(make_repo: MakeRepo, folder: str) -> None:
    rel = f".gitmem/engrams/{folder}/a b.md"
    repo = make_repo({**START, rel: rule(2)})
    with_driver(repo)
    apart(repo, {rel: rule(2, tags=["api", "http"])}, {rel: rule(2, tags=["api", "web"])})

    ran = merge(repo)

    assert ran.code == 0, ran
    assert text(repo, rel) == rule(2, tags=["api", "http", "web"])


def test_a_linked_worktree_uses_the_driver_of_its_clone(repo: Path, tmp_path: Path) -> None:
    apart(repo, {RULE: rule(tags=["api", "http"])}, {RULE: rule(tags=["api", "web"])})
    linked = tmp_path / "linked"
    git(repo, "worktree", "add", "--quiet", str(linked), "theirs")

    ran = merge(linked, "main")

    assert ran.code == 0, ran
    assert text(linked) == rule(tags=["api", "http", "web"])


def test_line_ends_of_windows_are_no_difference(repo: Path) -> None:
    write_tree(repo, {".gitmem/.gitattributes": "engrams/**/*.md merge=gitmem -text\n"})
    apart(
        repo,
        {RULE: rule(tags=["api", "http"]).replace("\n", "\r\n")},
        {RULE: rule(tags=["api", "web"]).replace("\n", "\r\n")},
    )

    ran = merge(repo)

    assert ran.code == 0, ran
    assert (repo / RULE).read_bytes() == rule(tags=["api", "http", "web"]).replace("\n", "\r\n").encode()


def test_a_file_that_both_added_with_two_ids_waits_for_a_person(repo: Path) -> None:
    rel = ".gitmem/engrams/api/new.md"
    apart(repo, {rel: rule(2)}, {rel: rule(3)})

    ran = merge(repo)

    assert ran.code == 1
    assert engram_id(2) in text(repo, rel)
    assert engram_id(3) in text(repo, rel)


def test_outside_of_the_folder_it_does_what_git_does(repo: Path) -> None:
    write_tree(repo, {".gitattributes": "src/* merge=gitmem\n", "src/app.py": "one\ntwo\nthree\nfour\nfive\n"})
    git(repo, "add", "--all")
    git(repo, "commit", "--quiet", "--message", "longer")
    apart(
        repo,
        {"src/app.py": "ours\ntwo\nthree\nfour\nfive\n", "src/b.py": "ours\n"},
        {"src/app.py": "one\ntwo\nthree\nfour\ntheirs\n", "src/b.py": "theirs\n"},
    )

    ran = merge(repo)

    assert ran.code == 1
    assert text(repo, "src/app.py") == "ours\ntwo\nthree\nfour\ntheirs\n"
    assert text(repo, "src/b.py") == "<<<<<<< ours\nours\n=======\ntheirs\n>>>>>>> theirs\n"
    assert unmerged(repo) == ["src/b.py"]


@pytest.mark.parametrize("broken", ["no header\n", "---\nid: [\n---\nx\n", "---\na: 1\na: 2\n---\nx\n"])
def test_what_cannot_be_read_is_merged_by_lines(repo: Path, broken: str) -> None:
    apart(repo, {RULE: broken}, {RULE: rule(tags=["api", "web"])})

    ran = merge(repo)

    assert ran.code == 1
    assert broken.splitlines()[-1] in text(repo)
    assert '  - "web"' in text(repo)


def test_bytes_that_are_no_text_and_huge_files_stay_unmerged(repo: Path) -> None:
    large = ".gitmem/engrams/api/large.md"
    apart(
        repo,
        {RULE: b"\xff\xfe\0ours", large: rule(2, title="Ours", body="x\n" * 600_000)},
        {RULE: b"\xff\xfe\0theirs", large: rule(2, title="Theirs", body="x\n" * 600_000)},
    )

    ran = merge(repo)

    assert ran.code == 1
    assert unmerged(repo) == [large, RULE]
    assert (repo / RULE).read_bytes() == b"\xff\xfe\0ours"


def test_without_gitmem_on_the_path_git_says_so_and_keeps_both_sides(repo: Path, program: Path) -> None:
    program.unlink()
    apart(repo, {RULE: rule(tags=["api", "http"])}, {RULE: rule(tags=["api", "web"])})

    ran = merge(repo)

    assert ran.code == 1
    assert "gitmem" in ran.err
    assert unmerged(repo) == [RULE]
    assert "web" in git(repo, "show", f":3:{RULE}")


def test_a_program_that_breaks_in_the_middle_leaves_both_sides_in_the_file(repo: Path, program: Path) -> None:
    """What Git would have left is written before anything of ours runs."""
    breaks = "import gitmem.answers.driver as d, gitmem.cli.main as m\nd.merge_file = None\nm.main()\n"
    (program.parent / "breaks.py").write_text(breaks, encoding="utf-8")
    script = program.read_text(encoding="utf-8").replace("-m gitmem", f'"{program.parent / "breaks.py"}"')
    program.write_text(script, encoding="utf-8")
    apart(repo, {RULE: rule(title="Ours")}, {RULE: rule(title="Theirs")})

    ran = merge(repo)

    assert ran.code == 1
    assert unmerged(repo) == [RULE]
    assert "title: Ours\n=======\ntitle: Theirs\n" in text(repo)


def test_the_answer_for_programs_names_the_conflicts(make_repo: MakeRepo) -> None:
    repo = make_repo({"o": rule(), "a": rule(title="Ours"), "b": rule(title="Theirs")})

    ran = run_inproc(repo, "merge-driver", "o", "a", "b", "7", RULE, "--json")
    missing = run_inproc(repo, "merge-driver", "o", "nowhere", "b", "7", RULE)

    assert ran.code == 1
    assert json.loads(ran.out)["conflicts"] == [
        {
            "path": RULE,
            "item": engram_id(1),
            "field": "title",
            "base": "Call the API through the client",
            "ours": "Ours",
            "theirs": "Theirs",
        }
    ]
    assert missing.code == 2
    assert run_program(repo, "git", "status", "--porcelain").out == " M a\n"
