"""Skills on the command line: written, composed, used, shown; and what a check says of them."""

import json
from pathlib import Path

import pytest

from tests.conftest import MakeRepo
from tests.support import commit_all, engram_id, engram_text, git, run_inproc, write_tree

ITEM = ".gitmem/engrams/api/use-the-client.md"


def skill_text(name: str, *own: str, body: str = "Tag it.\n") -> str:
    metadata = "".join(f"  {line}\n" for line in own)
    return (
        f"---\nname: {name}\ndescription: How to {name}.\n" + (f"metadata:\n{metadata}" if own else "") + f"---\n{body}"
    )


def skill(name: str) -> str:
    return f".gitmem/skills/{name}/SKILL.md"


FILES: dict[str, str | bytes] = {
    ".gitmem/config.yaml": "format: 1\n",
    "src/a.py": "1\n",
    ITEM: engram_text(scope={"paths": ["src/**"]}),
    skill("cut"): skill_text("cut", "gitmem-created: 2026-01-01", "gitmem-stage: draft"),
    skill("log"): skill_text("log", "gitmem-created: 2026-01-01", "author: Ada  # theirs"),
}


def said(root: Path, *words: str, stdin: str = "") -> dict:
    ran = run_inproc(root, *words, "--json", stdin=stdin)
    return json.loads(ran.out)


def codes(root: Path, *words: str) -> list[tuple[str, str]]:
    return [(f["code"], f["path"]) for f in said(root, "check", *words)["findings"] if f["severity"] == "error"]


@pytest.mark.capability("M-069")
def test_skills_are_listed_and_no_compile_and_no_count_knows_of_them(make_repo: MakeRepo) -> None:
    root = make_repo({path: text for path, text in FILES.items() if "skills" not in path})
    before = said(root, "compile", "src/a.py")
    write_tree(root, FILES)
    commit_all(root)
    rows = said(root, "skills", "list", "--now", "2026-01-02")["skills"]
    assert [(row["id"], row["stage"], row["health"]) for row in rows] == [
        ("skill:cut", "draft", "active"),
        ("skill:log", "compiled", "active"),
    ]
    assert codes(root) == []
    after = said(root, "compile", "src/a.py")
    for key in ("snapshot_id", "compile_id", "base"):
        assert after[key] == before[key]
    overview = said(root, "overview")
    offered = [{"id": f"skill:{name}", "description": f"How to {name}."} for name in ("cut", "log")]
    assert (overview["items"], overview["skills"]) == (1, offered)
    assert said(root, "list")["total"] == 1
    got = said(root, "get", "skill:cut")["items"][0]
    assert (got["id"], got["kind"], got["content"]) == ("skill:cut", "skill", "Tag it.\n")


@pytest.mark.capability("M-069")
def test_a_new_skill_is_a_draft_that_any_reader_of_skills_understands(make_repo: MakeRepo) -> None:
    root = make_repo(FILES)
    words = ("skills", "new", "ship-it", "Ship it: now.", "--tool", "Bash(git:*) Read", "--start", "a tag is due")
    made = said(root, *words, "--license", "MIT", "--compose", "cut", "--engram", "use-the-client", stdin="Push.")
    assert (made["id"], made["stage"], made["path"]) == ("skill:ship-it", "draft", skill("ship-it"))
    head = '---\nname: ship-it\ndescription: "Ship it: now."\nlicense: MIT\n'
    assert (root / skill("ship-it")).read_text().startswith(f"{head}allowed-tools: Bash(git:*) Read\nmetadata:\n")
    commit_all(root)
    assert codes(root) == []
    shown = said(root, "skills", "show", "ship-it")
    assert (shown["composes"], shown["engrams"]) == (["cut"], [engram_id(1)])
    assert (shown["allowed_tools"], shown["starts"], shown["content"]) == (
        ["Bash(git:*)", "Read"],
        ["a tag is due"],
        "Push.\n",
    )
    assert said(root, "skills", "show", "cut")["composed_by"] == ["ship-it"]


@pytest.mark.capability("M-069")
def test_a_stage_is_one_step_for_each_commit(make_repo: MakeRepo) -> None:
    root = make_repo(FILES)
    assert said(root, "skills", "advance", "cut")["stage"] == "compiled"
    assert said(root, "skills", "advance", "cut")["error"]["code"] == "skill-step"
    commit_all(root)
    assert said(root, "skills", "advance", "cut")["stage"] == "tuned"
    commit_all(root)
    assert "no further stage" in said(root, "skills", "advance", "cut")["error"]["hint"]
    write_tree(root, {skill("cut"): skill_text("cut", "gitmem-stage: draft")})
    commit_all(root)
    assert codes(root, "--range", "HEAD^..HEAD") == []
    write_tree(root, {skill("cut"): skill_text("cut", "gitmem-stage: tuned")})
    git(root, "add", "--all")
    assert codes(root, "--staged") == [("skill-step", skill("cut"))]


@pytest.mark.capability("M-071")
def test_what_skills_build_and_rest_on_is_there_and_goes_round_in_no_circle(make_repo: MakeRepo) -> None:
    root = make_repo(FILES)
    before = (root / skill("log")).read_text()
    assert said(root, "skills", "compose", "log", "cut")["changed"] is True
    after = (root / skill("log")).read_text()
    assert after == before.replace("# theirs\n", "# theirs\n  gitmem-composes:\n    - cut\n")
    assert said(root, "skills", "compose", "cut", "log")["error"]["code"] == "skill-cycle"
    assert said(root, "skills", "compose", "cut", "cut")["error"]["code"] == "skill-cycle"
    assert said(root, "skills", "compose", "cut", "logs")["error"] == {
        "code": "not-found",
        "message": "no skill 'logs' here",
        "place": "",
        "hint": "did you mean 'log'?",
    }
    said(root, "skills", "relate", "log", "use-the-client")
    commit_all(root)
    assert said(root, "skills", "show", "log")["engrams"] == [engram_id(1)]
    (root / ITEM).unlink()
    assert codes(root) == [("skill-reference-missing", skill("log"))]
    git(root, "add", "--all")
    assert codes(root, "--staged") == [("skill-reference-missing", skill("log"))]
    git(root, "reset", "--quiet", "--hard")
    said(root, "skills", "relate", "log", "--remove", "use-the-client")
    said(root, "skills", "compose", "log", "--remove", "cut")
    assert (root / skill("log")).read_text().count("gitmem-") == 1


@pytest.mark.capability("M-071")
def test_a_check_names_what_was_written_by_hand_whole_staged_and_in_a_range(make_repo: MakeRepo) -> None:
    root = make_repo(FILES | {skill("log"): skill_text("log", "gitmem-composes: [cut]")})
    for own, code in (
        ("gitmem-composes: [none]", "skill-reference-missing"),
        ("gitmem-engrams: [none]", "skill-reference-missing"),
        ("gitmem-composes: [cut]", "skill-cycle"),
        ("gitmem-composes: [log]", "skill-cycle"),
    ):
        write_tree(root, {skill("cut"): skill_text("cut", own)})
        git(root, "add", "--all")
        expected = [(code, skill("cut"))]
        assert (own, codes(root, "--staged")) == (own, expected)
    assert codes(root) == expected
    commit_all(root)
    assert codes(root, "--range", "HEAD^..HEAD") == expected


@pytest.mark.capability("M-070")
def test_a_use_is_told_not_run_and_revives(make_repo: MakeRepo) -> None:
    root = make_repo(FILES)
    tree = git(root, "status", "--porcelain")
    stale = said(root, "skills", "list", "--health", "stale", "--now", "2026-01-08")["skills"]
    assert [(row["name"], row["retention"]) for row in stale] == [("cut", 0.4594), ("log", 0.4594)]
    first = said(root, "skills", "record", "cut", "--now", "2026-01-08")
    assert first["utility"] == {"before": 0.5, "after": 0.55}
    assert first["retention"] == {"before": 0.4594, "after": 1.0}
    second = said(root, "skills", "record", "skill:cut", "--reward", "0.2", "--note", "half", "--now", "2026-01-09")
    assert (second["outcome"], second["utility"]["after"], second["uses"]) == ("misled", 0.515, 2)
    row = said(root, "skills", "list", "--now", "2026-01-12")["skills"][0]
    # S = 15 * (.515 + 2/20 + .1) = 10.725 days; exp(-3 / 10.725)
    assert (row["name"], row["retention"], row["health"]) == ("cut", 0.756, "active")
    assert git(root, "status", "--porcelain") == tree


REFUSED: tuple[tuple[tuple[str, ...], str], ...] = (
    (("record", "none"), "not-found"),
    (("record", "cut", "won"), "usage"),
    (("record", "cut", "--reward", "1.5"), "usage"),
    (("list", "--stage", "done"), "usage"),
    (("list", "--limit", "0"), "usage"),
    (("show", "cot"), "not-found"),
    (("compose", "cut"), "usage"),
    (("new", "Ship it", "x", "--body", "-"), "usage"),
    (("new", "cut", "x", "--body", "-"), "name-taken"),
    (("new", "ship", "x" * 1025, "--body", "-"), "schema"),
    (("retire", "none"), "not-found"),
)


def test_what_cannot_be_is_refused_and_nothing_is_written(make_repo: MakeRepo) -> None:
    root = make_repo(FILES)
    for words, code in REFUSED:
        assert (words, said(root, "skills", *words, stdin="x\n")["error"]["code"]) == (words, code)
    assert git(root, "status", "--porcelain") == ""


@pytest.mark.capability("M-071")
def test_a_retired_skill_stays_on_file_and_is_offered_no_more(make_repo: MakeRepo) -> None:
    root = make_repo(FILES)
    said(root, "skills", "retire", "log")
    assert "# theirs\n  gitmem-status: retired\n---\n" in (root / skill("log")).read_text()
    commit_all(root)
    assert [row["name"] for row in said(root, "skills", "list")["skills"]] == ["cut"]
    assert [row["name"] for row in said(root, "skills", "list", "--retired")["skills"]] == ["log"]


@pytest.mark.capability("M-070")
def test_uses_in_two_clones_add_up_once_they_have_met(make_repo: MakeRepo, tmp_path: Path) -> None:
    root = make_repo(FILES)
    git(tmp_path, "clone", "--quiet", "--bare", str(root), "hub.git")
    for name in ("one", "two"):
        git(tmp_path, "clone", "--quiet", "hub.git", name)
    one, two = tmp_path / "one", tmp_path / "two"
    said(one, "skills", "record", "cut", "--reward", "0.8", "--note", "mine alone", "--now", "2026-01-03")
    said(two, "skills", "record", "cut", "misled", "--now", "2026-01-04")
    said(two, "skills", "record", "log", "--now", "2026-01-04")
    for clone in (one, two, one):
        assert "not_synced" not in said(clone, "sync")
    rows = {row["name"]: row for row in said(one, "skills", "list", "--now", "2026-01-05")["skills"]}
    assert {name: row["uses"] for name, row in rows.items()} == {"cut": 2, "log": 1}
    # Of its own use a clone knows the number, of another's only the day and that it misled: .53, then down by a tenth.
    assert rows["cut"]["utility"] == 0.477
    assert "mine alone" not in git(one, "log", "--all", "-p")


@pytest.mark.capability("M-070")
def test_what_happened_to_a_skill_can_be_asked_for(make_repo: MakeRepo) -> None:
    root = make_repo(FILES)
    said(root, "skills", "record", "cut", "misled", "--now", "2026-01-03")
    said(root, "skills", "record", "log", "--now", "2026-01-04")
    (row,) = said(root, "journal", "query", "--item", "skill:cut")["happened"]
    assert (row["kind"], row["actions"], row["at"]) == ("skill", ["misled"], "2026-01-03T00:00:00Z")
