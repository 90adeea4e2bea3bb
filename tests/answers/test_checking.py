"""What `gitmem check` finds: in the whole tree, in what is staged, in a range. Real repositories throughout."""

import json
import string
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import MakeRepo
from tests.support import commit_all, engram_id, engram_text, git, run_inproc, write_tree

Codes = list[tuple[str, str]]
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


def in_tree(make_repo: MakeRepo, files: dict[str, str | bytes]) -> Codes:
    return found(make_repo({**CONFIG, **files}))


def uncommitted(make_repo: MakeRepo, files: dict[str, str | bytes]) -> Codes:
    repo = make_repo(CONFIG)
    write_tree(repo, files)
    return found(repo)


def staged(make_repo: MakeRepo, files: dict[str, str | bytes]) -> Codes:
    repo = make_repo(CONFIG)
    stage(repo, dict(files))
    return found(repo, "--staged")


def ranged(make_repo: MakeRepo, files: dict[str, str | bytes]) -> Codes:
    repo = make_repo(CONFIG)
    write_tree(repo, files)
    commit_all(repo)
    return found(repo, "--range", "HEAD~1..HEAD")


EVERYWHERE = [in_tree, uncommitted, staged, ranged]
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
    "a secret in a skill": ({".gitmem/skills/s/SKILL.md": TOKEN}, [("secret", ".gitmem/skills/s/SKILL.md:1")]),
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
@pytest.mark.parametrize("road", EVERYWHERE, ids=lambda road: road.__name__)
@pytest.mark.parametrize("name", CASES)
def test_each_fault_is_named_on_every_road(
    make_repo: MakeRepo, name: str, road: Callable[[MakeRepo, dict[str, str | bytes]], Codes]
) -> None:
    """F-016, F-024, F-036, F-070: committed, uncommitted, staged or in a range."""
    files, expected = CASES[name]

    assert road(make_repo, files) == expected


def test_every_finding_says_how_to_mend_it(make_repo: MakeRepo) -> None:
    for number, (name, (files, expected)) in enumerate(CASES.items()):
        repo = make_repo({**CONFIG, **files}, name=f"r{number}")
        rows = json.loads(run_inproc(repo, "check", "--json").out)["findings"]
        assert len(rows) == len(expected), name
        assert all(row["message"] and row["hint"] for row in rows), name


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


def staged_turn(repo: Path, change: dict[str, str | bytes | None]) -> Codes:
    stage(repo, change)
    return found(repo, "--staged")


def committed_turn(repo: Path, change: dict[str, str | bytes | None]) -> Codes:
    stage(repo, change)
    git(repo, "commit", "--quiet", "--message", "turn")
    return found(repo, "--range", "HEAD~1..HEAD")


@pytest.mark.capability("G-025")
@pytest.mark.capability("R-003")
@pytest.mark.capability("G-012")
@pytest.mark.parametrize("road", [staged_turn, committed_turn], ids=lambda road: road.__name__)
@pytest.mark.parametrize("name", TURNS)
def test_a_change_answers_for_itself_alone(
    make_repo: MakeRepo, name: str, road: Callable[[Path, dict[str, str | bytes | None]], Codes]
) -> None:
    before, change, expected = TURNS[name]
    repo = make_repo({**CONFIG, **before})

    assert road(repo, change) == expected


@pytest.mark.parametrize("name", [name for name in TURNS if "circle" not in name and "old" not in name])
def test_uncommitted_changes_are_judged_too(make_repo: MakeRepo, name: str) -> None:
    before, change, expected = TURNS[name]
    repo = make_repo({**CONFIG, **before})
    write_tree(repo, {rel: text for rel, text in change.items() if text is not None})
    for rel in [rel for rel, text in change.items() if text is None]:
        (repo / rel).unlink()

    assert {code for code, _ in expected} <= {code for code, _ in found(repo)}
