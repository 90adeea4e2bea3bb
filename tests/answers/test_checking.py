"""What `gitmem check` finds: in the whole tree, in what is staged, in a range. Real repositories throughout."""

import json
import string
import time
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.text import secrets
from tests.conftest import MakeRepo
from tests.support import commit_all, engram_id, engram_text, git, run_inproc, run_program, write_tree

Codes = list[tuple[str, str]]
SECRETS = Path(__file__).resolve().parents[3] / "shared" / "data" / "secrets-public.jsonl"
CONFIG = {".gitmem/config.yaml": "format: 1\n", "src/app.ts": "x\n"}


def rule(number: int, **over: object) -> str:
    given: dict[str, object] = {"id": engram_id(number), "title": f"Rule {number}", "scope": {"paths": ["src/**"]}}
    return engram_text(**(given | over))  # type: ignore[arg-type]  # reason: keywords are passed on


def fact(number: int, **over: object) -> str:
    return rule(number, **({"kind": "fact", "scope": None} | over))


def at(name: str) -> str:
    return f".gitmem/engrams/{name}.md"


def found(path: Path, *args: str) -> Codes:
    """(code, path:line) of each finding, in the order of the answer."""
    ran = run_inproc(path, "check", "--json", *args)
    answer = json.loads(ran.out)
    assert "findings" in answer, ran.err + ran.out
    return [(row["code"], f"{row['path']}:{row['line']}") for row in answer["findings"]]


def stage(path: Path, files: dict[str, str | bytes | None]) -> None:
    write_tree(path, {rel: text for rel, text in files.items() if text is not None})
    for rel in [rel for rel, text in files.items() if text is None]:
        (path / rel).unlink()
    git(path, "add", "--all")


def on_every_road(repo: Path, files: dict[str, str | bytes]) -> dict[str, Codes]:
    """What is found of these files on each way from the work tree into a commit."""
    write_tree(repo, files)
    roads = {"uncommitted": found(repo)}
    git(repo, "add", "--all")
    roads["staged"] = found(repo, "--staged")
    commit_all(repo)
    return roads | {"ranged": found(repo, "--range", "HEAD~1..HEAD"), "in the tree": found(repo)}


TOKEN = "gh" + "p_" + "".join(string.ascii_letters[(i * 7) % 52] for i in range(36))

# What is wrong in one tree, and the findings that must name it: (code, path:line).
CASES: dict[str, tuple[dict[str, str | bytes], Codes]] = {
    "nothing": ({at("api/a"): rule(1)}, []),
    "a repeated key": (
        {
            at("api/a"): "---\nid: "
            + engram_id(1)
            + "\ntitle: A\npriority: 1\nkind: fact\ntags: []\npriority: 9\n---\nText.\n"
        },
        [("duplicate-key", at("api/a") + ":7")],
    ),
    "a word for a number": ({at("api/a"): rule(1, priority="high")}, [("schema", at("api/a") + ":11")]),
    "a comma in a number": ({at("api/a"): rule(1, confidence="0,9")}, [("schema", at("api/a") + ":11")]),
    "no number": ({at("api/a"): rule(1, importance=".nan")}, [("schema", at("api/a") + ":11")]),
    "no date": ({at("api/a"): rule(1, valid={"from": "tomorrow"})}, [("schema", at("api/a") + ":12")]),
    "one id twice": (
        {at("api/a"): rule(1), at("web/b"): rule(1)},
        [("duplicate-id", at("api/a") + ":2")],
    ),
    "equal but for case": (
        {at("api/a"): fact(1), at("Api/a"): fact(2)},
        [("bad-domain", at("Api/a") + ":0"), ("path-case", at("Api/a") + ":0"), ("ambiguous-slug", at("Api/a") + ":0")],
    ),
    "a slug for two": (
        {at("api/deploy"): fact(1), at("web/deploy"): fact(2)},
        [("ambiguous-slug", at("api/deploy") + ":0")],
    ),
    "requires what is not here": (
        {at("api/a"): fact(1, requires=["gone"])},
        [("requires-missing", at("api/a") + ":9")],
    ),
    "requires a name of two": (
        {at("api/x"): fact(1), at("web/x"): fact(2), at("api/a"): fact(3, requires=["x"])},
        [("requires-ambiguous", at("api/a") + ":9"), ("ambiguous-slug", at("api/x") + ":0")],
    ),
    "a circle of two": (
        {at("api/a"): fact(1, requires=["b"]), at("api/b"): fact(2, requires=[engram_id(1)])},
        [("requires-cycle", at("api/a") + ":8")],
    ),
    "a circle of one": ({at("api/a"): fact(1, requires=["a"])}, [("requires-cycle", at("api/a") + ":8")]),
    "a script": ({".gitmem/engrams/api/run.js": "x\n"}, [("not-knowledge", ".gitmem/engrams/api/run.js:0")]),
    "a binary": ({".gitmem/notes.bin": b"\0\1"}, [("not-knowledge", ".gitmem/notes.bin:0")]),
    "text at an odd place": ({".gitmem/notes/a.md": "x\n"}, [("misplaced", ".gitmem/notes/a.md:0")]),
    "not UTF-8": ({at("api/a"): b"---\nid: \xff\n---\nx\n"}, [("not-utf8", at("api/a") + ":2")]),
    "no JSON": ({".gitmem/packs/p/a.json": "{\n,"}, [("json", ".gitmem/packs/p/a.json:2")]),
    "a ledger entry that is no YAML": (
        {".gitmem/ledger/2026/01-02/a.yaml": "a: [\n"},
        [("yaml", ".gitmem/ledger/2026/01-02/a.yaml:2")],
    ),
    "a conflict": ({at("api/a"): rule(1, body="<<<<<<< ours\nx\n")}, [("conflict-marker", at("api/a") + ":12")]),
    "a conflict in a skill": (
        {".gitmem/skills/s/SKILL.md": "x\n>>>>>>> theirs\n"},
        [("conflict-marker", ".gitmem/skills/s/SKILL.md:2")],
    ),
    "a conflict shown in a fence": ({at("api/a"): rule(1, body="```\n<<<<<<< ours\n```\n")}, []),
    "no glob": (
        {at("api/a"): rule(1, scope={"paths": ["src/**", "src/{a"]})},
        [("bad-glob", at("api/a") + ":11")],
    ),
    "no glob in an exception": (
        {at("api/a"): rule(1, scope={"paths": ["src/**"], "except": ["[z-a]"]})},
        [("bad-glob", at("api/a") + ":12")],
    ),
    "a glob for nothing": (
        {at("api/a"): rule(1, scope={"paths": ["src/**", "lib/**"]})},
        [("no-file-matches", at("api/a") + ":11")],
    ),
    "a rule without a scope": ({at("api/a"): rule(1, scope=None)}, [("no-scope", at("api/a") + ":4")]),
    "a scope of nothing": (
        {at("api/a"): rule(1, scope={"except": ["src/**"]})},
        [("empty-scope", at("api/a") + ":8")],
    ),
    "an unknown layer": (
        {at("api/a"): rule(1, scope={"layers": ["ui", "db"]}), ".gitmem/layers.yaml": "src/ui/**: ui\n"},
        [("unknown-layer", at("api/a") + ":11")],
    ),
    "a long body": ({at("api/a"): rule(1, body="x" * 4096 + "\n")}, [("long-body", at("api/a") + ":0")]),
    "a body that just fits": ({at("api/a"): rule(1, body="x" * 4095 + "\n")}, []),
    "two topics": ({at("api/a"): rule(1, body="## One\nx\n## Two\ny\n")}, [("several-topics", at("api/a") + ":0")]),
    "two topics in a fence": ({at("api/a"): rule(1, body="x\n```\n## One\n## Two\n```\n")}, []),
    "a name that is no slug": ({at("api/My Rule"): fact(1)}, [("bad-slug", at("api/My Rule") + ":0")]),
    "a device of Windows": ({at("api/con"): fact(1)}, [("bad-slug", at("api/con") + ":0")]),
    "a secret": ({at("api/a"): rule(1, body=f"Use {TOKEN} here.\n")}, [("secret", at("api/a") + ":12")]),
    "a secret in a tag": ({at("api/a"): rule(1, tags=[TOKEN])}, [("secret", at("api/a") + ":7")]),
    "a secret in a skill": (
        {".gitmem/skills/s/SKILL.md": f"---\nname: s\ndescription: A.\n---\n{TOKEN}"},
        [("secret", ".gitmem/skills/s/SKILL.md:5")],
    ),
    "text that runs backwards": ({at("api/a"): rule(1, body="a\u202eb\n")}, [("bidi-character", at("api/a") + ":12")]),
    "a script in the text": (
        {at("api/a"): rule(1, body="a <script>x</script>\n")},
        [("unsafe-html", at("api/a") + ":12")],
    ),
    "settings that are no YAML": ({".gitmem/config.yaml": "trust: [\n"}, [("yaml", ".gitmem/config.yaml:2")]),
    "a setting that is no number": (
        {".gitmem/config.yaml": "format: 1\nmax_entries: many\n"},
        [("config", ".gitmem/config.yaml:2")],
    ),
    "an unknown setting": (
        {".gitmem/config.yaml": "format: 1\nmax_entrys: 3\n"},
        [("config", ".gitmem/config.yaml:2")],
    ),
    "a layer pattern that is no glob": (
        {".gitmem/layers.yaml": "src/{: ui\n"},
        [("bad-glob", ".gitmem/layers.yaml:1")],
    ),
    "a layer without a name": ({".gitmem/layers.yaml": "src/**: [ui]\n"}, [("layers", ".gitmem/layers.yaml:1")]),
    "a tag without a meaning": ({".gitmem/tags.yaml": "auth: {a: b}\n"}, [("tags", ".gitmem/tags.yaml:1")]),
}


@pytest.mark.capability("G-038")
@pytest.mark.capability("M-083")
@pytest.mark.capability("R-042")
@pytest.mark.parametrize("name", CASES)
def test_each_fault_is_named_on_every_road_with_how_to_mend_it(make_repo: MakeRepo, name: str) -> None:
    """F-016, F-024, F-036, F-070: committed, uncommitted, staged or in a range."""
    files, expected = CASES[name]
    repo = make_repo(CONFIG)

    roads = on_every_road(repo, files)

    assert roads == dict.fromkeys(roads, expected)
    rows = json.loads(run_inproc(repo, "check", "--json").out)["findings"]
    assert len(rows) == len(expected)
    assert all(row["message"] and row["hint"] for row in rows)


# A tree, what is then staged, and what is reported: nothing that the change has not caused or touched.
TURNS: dict[str, tuple[dict[str, str | bytes], dict[str, str | bytes | None], Codes]] = {
    "an old fault elsewhere": (
        {at("api/a"): "no header\n", at("api/b"): fact(2, requires=["gone"]), at("api/c"): fact(3)},
        {at("api/c"): fact(3, body="Other.\n")},
        [],
    ),
    "nothing of ours": ({at("api/a"): "no header\n"}, {"src/app.ts": "y\n"}, []),
    "a removal that others need": (
        {at("api/a"): fact(1), at("api/b"): fact(2, requires=[engram_id(1)]), at("api/c"): fact(3, requires=["a"])},
        {at("api/a"): None},
        [("requires-missing", at("api/b") + ":9"), ("requires-missing", at("api/c") + ":9")],
    ),
    "a move leaves ids whole and slugs dangling": (
        {at("api/a"): fact(1), at("api/b"): fact(2, requires=[engram_id(1)]), at("api/c"): fact(3, requires=["a"])},
        {at("api/a"): None, at("api/z"): fact(1)},
        [("requires-missing", at("api/c") + ":9")],
    ),
    "a new name that makes one of others ambiguous": (
        {at("api/a"): fact(1), at("api/b"): fact(2, requires=["a"])},
        {at("web/a"): fact(3)},
        [("requires-ambiguous", at("api/b") + ":9"), ("ambiguous-slug", at("web/a") + ":0")],
    ),
    "a copy of an old file": (
        {at("api/a"): fact(1)},
        {at("api/b"): fact(1)},
        [("duplicate-id", at("api/b") + ":2")],
    ),
    "a circle that the change closes": (
        {at("api/a"): fact(1, requires=["b"]), at("api/b"): fact(2, requires=["c"]), at("api/c"): fact(3)},
        {at("api/c"): fact(3, requires=["a"])},
        [("requires-cycle", at("api/c") + ":8")],
    ),
    "a circle behind the change": (
        {at("api/a"): fact(1, requires=["b"]), at("api/b"): fact(2, requires=["a"]), at("api/c"): fact(3)},
        {at("api/c"): fact(3, requires=["a"])},
        [],
    ),
    "a glob that was there before": (
        {at("api/a"): rule(1, scope={"paths": ["gone/**"]})},
        {at("api/a"): rule(1, scope={"paths": ["gone/**", "never/**"]})},
        [("no-file-matches", at("api/a") + ":11")],
    ),
    "a file that the same change adds": ({}, {at("api/a"): rule(1, scope={"paths": ["lib/*"]}), "lib/x": "x\n"}, []),
    "a layer that the same change adds": (
        {},
        {at("api/a"): rule(1, scope={"layers": ["db"]}), ".gitmem/layers.yaml": "layers:\n  db: [src/db/**]\n"},
        [],
    ),
    "a deleted ledger entry": (
        {".gitmem/ledger/2026/01-02/a.yaml": "id: a\n"},
        {".gitmem/ledger/2026/01-02/a.yaml": None},
        [("ledger-deleted", ".gitmem/ledger/2026/01-02/a.yaml:0")],
    ),
    "a changed ledger entry": (
        {".gitmem/ledger/2026/01-02/a.yaml": "id: a\n"},
        {".gitmem/ledger/2026/01-02/a.yaml": "id: b\n"},
        [("ledger-edited", ".gitmem/ledger/2026/01-02/a.yaml:0")],
    ),
    "a deleted approval": (
        {".gitmem/approvals/2026/a.ada.yaml": "id: a\n"},
        {".gitmem/approvals/2026/a.ada.yaml": None},
        [("approval-deleted", ".gitmem/approvals/2026/a.ada.yaml:0")],
    ),
    "a new ledger entry": ({}, {".gitmem/ledger/2026/01-02/a.yaml": "id: a\n"}, []),
    "an editor's leftover": ({}, {at("api/a").removesuffix(".md") + ".md~": "x\n"}, []),
}


@pytest.mark.capability("G-025")
@pytest.mark.capability("R-003")
@pytest.mark.capability("G-012")
@pytest.mark.parametrize("name", TURNS)
def test_a_change_answers_for_itself_alone(make_repo: MakeRepo, name: str) -> None:
    """Staged, and then as the last commit."""
    before, change, expected = TURNS[name]
    repo = make_repo({**CONFIG, **before})

    stage(repo, change)
    staged = found(repo, "--staged")
    git(repo, "commit", "--quiet", "--message", "turn")

    assert (staged, found(repo, "--range", "HEAD~1..HEAD")) == (expected, expected)


@pytest.mark.parametrize("name", [name for name in TURNS if "circle" not in name and "old" not in name])
def test_uncommitted_changes_are_judged_too(make_repo: MakeRepo, name: str) -> None:
    before, change, expected = TURNS[name]
    repo = make_repo({**CONFIG, **before})
    write_tree(repo, {rel: text for rel, text in change.items() if text is not None})
    for rel in [rel for rel, text in change.items() if text is None]:
        (repo / rel).unlink()

    assert {code for code, _ in expected} <= {code for code, _ in found(repo)}


def test_a_merge_that_drops_a_decision_is_refused(make_repo: MakeRepo) -> None:
    """F-100: the branch's own entry is lost by the resolution, so neither end of the range shows it."""
    entry = ".gitmem/ledger/2026/01-02/a.yaml"
    repo = make_repo(CONFIG)
    git(repo, "checkout", "--quiet", "-b", "side")
    write_tree(repo, {entry: "id: a\n", at("api/a"): fact(1)})
    commit_all(repo)
    git(repo, "checkout", "--quiet", "main")
    write_tree(repo, {"src/app.ts": "y\n"})
    commit_all(repo)
    git(repo, "merge", "--quiet", "--no-commit", "side")
    git(repo, "rm", "--quiet", "--force", entry)

    staged_merge = found(repo, "--staged")
    git(repo, "commit", "--quiet", "--no-edit")

    assert staged_merge == [("ledger-deleted", f"{entry}:0")]
    assert found(repo, "--range", "HEAD~1..HEAD") == [("ledger-deleted", f"{entry}:0")]
    assert found(repo, "--range", "side..main") == [("ledger-deleted", f"{entry}:0")]


def test_the_sides_of_an_unfinished_merge_are_no_removal(make_repo: MakeRepo) -> None:
    repo = make_repo({**CONFIG, at("api/a"): fact(1), at("api/b"): fact(2, requires=["a"])})
    git(repo, "branch", "side")
    for branch, body in (("side", "Two.\n"), ("main", "Three.\n")):
        git(repo, "checkout", "--quiet", branch)
        write_tree(repo, {at("api/a"): fact(1, body=body)})
        commit_all(repo)
    assert run_program(repo, "git", "merge", "--quiet", "side").code == 1

    assert found(repo, "--staged") == [("unmerged", at("api/a") + ":0")]
    assert found(repo)[0] == ("conflict-marker", at("api/a") + ":9")


def test_three_dots_start_where_two_branches_parted(make_repo: MakeRepo) -> None:
    repo = make_repo(CONFIG)
    git(repo, "checkout", "--quiet", "-b", "side")
    write_tree(repo, {at("api/a"): "no header\n"})
    commit_all(repo)
    git(repo, "checkout", "--quiet", "main")
    write_tree(repo, {at("api/b"): "no header\n"})
    commit_all(repo)

    assert found(repo, "--range", "main...side") == [("no-header", at("api/a") + ":1")]
    assert found(repo, "--range", "side...") == [("no-header", at("api/b") + ":1")]


def test_a_range_from_nothing_judges_everything(make_repo: MakeRepo) -> None:
    repo = make_repo({**CONFIG, at("api/a"): "no header\n"})

    assert found(repo, "--range", f"{'0' * 40}..HEAD") == [("no-header", at("api/a") + ":1")]


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (["--staged", "--range", "a..b"], 2, "exclude each other"),
        (["--staged", "--fix"], 2, "mends files of the work tree"),
        (["--range", "main"], 2, "not a range"),
        (["--range", "main..nothing"], 1, "no such revision"),
        (["--range=--all..main"], 2, "not a revision"),
    ],
)
def test_what_cannot_be_asked_is_said(make_repo: MakeRepo, args: list[str], code: int, words: str) -> None:
    ran = run_inproc(make_repo(CONFIG), "check", *args)

    assert (ran.code, ran.out) == (code, "")
    assert words in ran.err


def test_strict_fails_on_warnings_too(make_repo: MakeRepo) -> None:
    """F-031: two items with one slug are a warning; whoever wants them refused says so."""
    repo = make_repo({**CONFIG, at("api/deploy"): fact(1), at("web/deploy"): fact(2)})

    loose, strict = run_inproc(repo, "check"), run_inproc(repo, "check", "--strict")

    assert (loose.code, strict.code) == (0, 1)
    assert engram_id(1) in loose.out
    assert engram_id(2) in loose.out


def fingerprint_of(repo: Path, *args: str) -> str:
    rows = json.loads(run_inproc(repo, "check", "--json", *args).out)["findings"]
    return str(next(row["fingerprint"] for row in rows if row["code"] == "secret"))


@pytest.mark.parametrize("args", [[], ["--staged"]])
def test_what_somebody_looked_at_is_no_secret(make_repo: MakeRepo, args: list[str]) -> None:
    repo = make_repo(CONFIG)
    stage(repo, {at("api/a"): fact(1, body=f"{TOKEN}\n")})
    mark = fingerprint_of(repo, *args)

    stage(repo, {".gitmem/config.yaml": f"format: 1\nallow_secrets:\n  - {mark}\n"})

    assert found(repo, *args) == []


def test_a_range_is_judged_by_the_policy_that_was_there_before(make_repo: MakeRepo) -> None:
    """What a change allows itself does not count."""
    repo = make_repo(CONFIG)
    stage(repo, {at("api/a"): fact(1, body=f"{TOKEN}\n")})
    mark = fingerprint_of(repo, "--staged")
    stage(repo, {".gitmem/config.yaml": f"format: 1\nallow_secrets: [{mark}]\n"})
    git(repo, "commit", "--quiet", "--message", "both at once")

    assert [code for code, _ in found(repo, "--range", "HEAD~1..HEAD")] == ["secret"]
    write_tree(repo, {at("api/b"): fact(2, body=f"again {TOKEN}\n")})
    commit_all(repo)
    assert found(repo, "--range", "HEAD~1..HEAD") == []


def test_a_secret_is_found_in_a_name_and_shown_nowhere(make_repo: MakeRepo) -> None:
    """F-246"""
    name = f".gitmem/engrams/{TOKEN}/a.md"

    roads = on_every_road(make_repo(CONFIG), {name: fact(1)})

    assert [road for road, codes in roads.items() if ("secret", f"{name}:0") not in codes] == []


def test_public_secrets_are_found_wherever_they_stand_and_are_masked(make_repo: MakeRepo) -> None:
    """F-246: in the title, the body, a tag, the evidence."""
    if not SECRETS.is_file():
        pytest.skip("the public secrets are not here")
    rows = [json.loads(line) for line in SECRETS.read_text(encoding="utf-8").splitlines()]
    texts = [b64decode(row["text_b64"]).decode("utf-8", "replace") for row in rows if row["expected"] == "flag"]
    values = [text for text in texts if text.isprintable() and len(text) < 150 and secrets.scan(text)]
    files: dict[str, str | bytes] = {}
    for number, value in enumerate(values[:40]):
        over: dict[str, object] = [
            {"title": value},
            {"body": f"{value}\n"},
            {"tags": [value]},
            {"verification": {"evidence": [value]}},
        ][number % 4]
        files[at(f"api/r{number}")] = fact(number, **over)

    repo = make_repo({**CONFIG, **files})
    ran = run_inproc(repo, "check")

    assert len(values) >= 40
    assert ran.out.count("[secret]") >= len(files)


def test_a_hand_made_mess_is_mended_in_the_order_given(make_repo: MakeRepo) -> None:
    """F-225: a dangling link, a circle and a double id at once; no hint undoes another."""
    repo = make_repo(
        {
            **CONFIG,
            at("api/a"): fact(1, requires=["b", "gone"]),
            at("api/b"): fact(2, requires=["a"]),
            at("api/copy"): fact(1, requires=[engram_id(2)]),
        }
    )
    mend: dict[str, Callable[[], object]] = {
        "duplicate-id": lambda: (repo / at("api/copy")).unlink(),
        "requires-missing": lambda: write_tree(repo, {at("api/a"): fact(1, requires=["b"])}),
        "requires-cycle": lambda: write_tree(repo, {at("api/b"): fact(2)}),
    }

    seen = [code for code, _ in found(repo)]
    for code in seen:
        assert found(repo)[0][0] == code
        mend[code]()

    assert seen == ["duplicate-id", "requires-missing", "requires-cycle"]
    assert found(repo) == []


def test_leftovers_of_interrupted_writes_are_mended_and_nothing_else(make_repo: MakeRepo) -> None:
    repo = make_repo({**CONFIG, at("api/a"): fact(1), at("api/b"): "no header\n"})
    left = repo / ".gitmem/engrams/api/.gitmem-tmp-0123456789abcdef"
    left.write_text("half\n", encoding="utf-8")
    before = git(repo, "status", "--porcelain")

    ran = run_inproc(repo, "check", "--fix", "--json")

    assert json.loads(ran.out)["fixed"] == [
        {"path": ".gitmem/engrams/api/.gitmem-tmp-0123456789abcdef", "what": "removed what an interrupted write left"}
    ]
    assert ran.code == 1
    assert not left.exists()
    assert git(repo, "status", "--porcelain") == before.replace(f"?? {left.relative_to(repo).as_posix()}\n", "")
    assert json.loads(run_inproc(repo, "check", "--fix", "--json").out)["fixed"] == []


def test_what_is_no_plain_file_is_refused(make_repo: MakeRepo) -> None:
    repo = make_repo({**CONFIG, "src/outside.md": fact(1)})
    link = repo / at("api/link")
    link.parent.mkdir(parents=True)
    link.symlink_to("../../../src/outside.md")
    write_tree(
        repo,
        {
            at("api/big"): fact(2, body="x" * (1 << 20)),
            at("api/lfs"): "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
            at("api/nul"): fact(3).replace("call", "c\0ll"),
        },
    )
    git(repo, "add", "--all")
    git(repo, "update-index", "--add", "--cacheinfo", f"160000,{git(repo, 'rev-parse', 'HEAD').strip()},.gitmem/sub")
    expected = [
        ("too-large", at("api/big") + ":0"),
        ("lfs-pointer", at("api/lfs") + ":0"),
        ("symlink", at("api/link") + ":0"),
        ("nul-byte", at("api/nul") + ":5"),
        ("submodule", ".gitmem/sub:0"),
    ]

    assert found(repo, "--staged") == expected
    git(repo, "commit", "--quiet", "--message", "x")
    assert found(repo, "--range", "HEAD~1..HEAD") == expected
    assert found(make_bare(repo)) == expected


def make_bare(repo: Path) -> Path:
    bare = repo.parent / "bare.git"
    git(repo.parent, "clone", "--quiet", "--bare", str(repo), str(bare))
    return bare


def test_a_bare_repository_is_judged_as_it_is_committed(make_repo: MakeRepo) -> None:
    bare = make_bare(make_repo({**CONFIG, at("api/a"): rule(1, scope={"paths": ["lib/**"]})}))

    assert found(bare) == [("no-file-matches", at("api/a") + ":10")]
    assert run_inproc(bare, "check", "--staged").code == 1


def test_a_committed_cache_is_named(make_repo: MakeRepo) -> None:
    repo = make_repo(CONFIG)
    write_tree(repo, {".gitmem/cache/view-x.json": "{}\n"})
    git(repo, "add", "--force", "--all")

    assert found(repo, "--staged") == [("cache-tracked", ".gitmem/cache/view-x.json:0")]
    git(repo, "commit", "--quiet", "--message", "x")
    assert found(repo) == [("cache-tracked", ".gitmem/cache:0")]


def test_an_empty_start_has_no_findings_and_says_how_to_begin(
    make_repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F-230"""
    empty = make_repo(name="empty")
    code = make_repo({"a.txt": "a\n"}, name="code")

    answers = [json.loads(run_inproc(repo, "check", "--json").out) for repo in (empty, code)]

    assert [row["code"] for answer in answers for row in answer["warnings"]] == ["no-commits", "not-initialised"]
    assert [answer["counts"] for answer in answers] == [{"errors": 0, "warnings": 0, "files": 0}] * 2
    monkeypatch.setenv("GITMEM_HOOK", "1")
    assert [run_inproc(repo, "check", "--staged") for repo in (empty, code)] == [(0, "", "")] * 2


@pytest.mark.parametrize("words", [("--staged",), ("--range", "HEAD..HEAD")])
def test_a_check_of_nothing_says_that_it_looked(make_repo: MakeRepo, words: tuple[str, ...]) -> None:
    repo = make_repo() if words == ("--staged",) else make_repo(CONFIG)

    assert run_inproc(repo, "check", *words) == (0, "0 files checked, nothing to mend\n", "")


def test_knowledge_is_judged_before_the_first_commit(make_repo: MakeRepo) -> None:
    repo = make_repo({**CONFIG, at("api/a"): "no header\n"}, commit=False)
    expected = [("no-header", at("api/a") + ":1")]

    assert found(repo) == expected
    git(repo, "add", "--all")
    assert found(repo, "--staged") == expected
    assert found(repo) == expected


def test_another_tool_and_a_newer_gitmem_are_left_alone(make_repo: MakeRepo) -> None:
    """A hook must not get in the way of what it does not understand."""
    other = make_repo({".gitmem/state.db": "x\n"}, name="other")
    newer = make_repo({".gitmem/config.yaml": "format: 2\n", at("api/a"): "other header\n"}, name="newer")
    stage(other, {".gitmem/state.db": "y\n"})
    stage(newer, {at("api/a"): "another header\n"})

    answers = [json.loads(run_inproc(repo, "check", "--staged", "--json").out) for repo in (other, newer)]

    assert [[row["code"] for row in answer["warnings"]] for answer in answers] == [["foreign-folder"], ["newer-format"]]
    assert run_inproc(other, "check").code == 1
    assert run_inproc(newer, "check").code == 0


def test_a_damaged_cache_changes_no_answer(make_repo: MakeRepo) -> None:
    repo = make_repo({**CONFIG, at("api/a"): fact(1, requires=["gone"]), at("api/b"): fact(2)})
    stage(repo, {at("api/b"): fact(2, requires=["a"])})
    before = found(repo), found(repo, "--staged")
    for path in (repo / ".gitmem/cache").iterdir():
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        path.write_bytes(content)

    assert (found(repo), found(repo, "--staged")) == before


def test_what_the_text_of_a_file_could_do_to_a_terminal_is_spelt_out(make_repo: MakeRepo) -> None:
    """F-179"""
    repo = make_repo({**CONFIG, at("api/a"): "---\nid: x\n---\nx\n<<<<<<< \x1b[31m\u202e\n"})

    ran = run_inproc(repo, "check")

    assert "conflict-marker" in ran.out
    assert "\x1b" not in ran.out
    assert "\u202e" not in ran.out


@pytest.mark.parametrize("args", [[], ["--staged"], ["--range", "HEAD~1..HEAD"]])
def test_checking_writes_nothing(make_repo: MakeRepo, args: list[str]) -> None:
    repo = make_repo({**CONFIG, at("api/a"): fact(1)})
    write_tree(repo, {at("api/a"): "no header\n"})
    commit_all(repo)
    stage(repo, {at("api/b"): "no header\n"})
    write_tree(repo, {at("api/c"): "no header\n", at("api/a"): "other\n"})
    before = git(repo, "status", "--porcelain"), git(repo, "stash", "list"), (repo / ".git/index").read_bytes()

    assert run_inproc(repo, "check", *args).code == 1
    assert (
        git(repo, "status", "--porcelain"),
        git(repo, "stash", "list"),
        (repo / ".git/index").read_bytes(),
    ) == before


def ladder(rungs: int) -> dict[str, str | bytes]:
    """Each engram requires both of the next rung: 2 to the power of ``rungs`` ways from top to bottom."""
    files: dict[str, str | bytes] = {}
    for rung in range(rungs):
        for side, other in (("l", "r"), ("r", "l")):
            below = [f"{side}{rung + 1}", f"{other}{rung + 1}"] if rung + 1 < rungs else []
            files[at(f"api/{side}{rung}")] = fact(2 * rung + (side == "r"), requires=below)
    return files


@pytest.mark.parametrize("closing", [[], ["l0"]])
def test_a_ladder_of_forty_rungs_is_walked_once(make_repo: MakeRepo, closing: list[str]) -> None:
    """F-232"""
    files = ladder(40)
    files[at("api/r39")] = fact(79, requires=closing)
    repo = make_repo(CONFIG)
    stage(repo, dict(files))
    start = time.process_time()

    codes = {code for code, _ in found(repo, "--staged")} | {code for code, _ in found(repo)}

    assert codes == ({"requires-cycle"} if closing else set())
    assert time.process_time() - start < 4


@pytest.mark.long
def test_ten_thousand_items_are_checked_in_five_seconds(make_repo: MakeRepo) -> None:
    """F-233: the first time included."""
    files: dict[str, str | bytes] = {f"src/m{i % 100}/f{i}.ts": "x\n" for i in range(5000)}
    files |= {at(f"d{i % 40}/r{i}"): rule(i, scope={"paths": [f"src/m{i % 100}/**"]}) for i in range(10_000)}
    repo = make_repo({**CONFIG, **files})
    run_inproc(repo, "check")
    start = time.process_time()

    assert found(repo) == []
    assert time.process_time() - start < 5
