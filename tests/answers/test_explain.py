"""Why a compile came out as it did, and why an item was not in it: each reason has a fixture."""

from pathlib import Path

import pytest

from tests.asking import CONFIG, ask, codes, compiled, knowledge, refused, rule
from tests.conftest import MakeRepo
from tests.support import commit_all, engram_id, git, run_inproc, write_tree

FILE = "src/ui/form.tsx"
REASONS = {
    "delivered": (rule("one", 1, "src/**"), ()),
    "status-draft": (rule("one", 1, "src/**", status="draft"), ()),
    "status-forgotten": (rule("one", 1, "src/**", status="forgotten"), ()),
    "status-deprecated": (rule("one", 1, "src/**", status="deprecated"), ()),
    "status-superseded": (rule("one", 1, "src/**", status="superseded"), ()),
    "visibility-restricted": (rule("one", 1, "src/**", visibility="restricted"), ()),
    "not-yet-valid": (rule("one", 1, "src/**", valid={"from": "2026-02-01"}), ("--as-of", "2026-01-01")),
    "no-longer-valid": (rule("one", 1, "src/**", valid={"until": "2025-02-01"}), ("--as-of", "2026-01-01")),
    "no-scope": (rule("one", 1), ()),
    "excluded": (rule("one", 1, scope={"paths": ["src/**"], "except": ["**/*.tsx"]}), ()),
    "wrong-path": (rule("one", 1, "web/form.tsx"), ()),
    "wrong-name": (rule("one", 1, "src/ui/*.ts"), ()),
    "no-match": (rule("one", 1, "docs/**"), ()),
    "other-layer": (rule("one", 1, scope={"layers": ["api"]}) | {".gitmem/layers.yaml": "src/**: ui\n"}, ()),
    "other-command": (rule("one", 1, scope={"commands": ["scaffold"]}), ("--command", "scaffolding")),
    "deferred-size": (rule("one", 1, "src/**", body="x" * 5000 + "\n"), ()),
    "deferred-budget": (rule("one", 1, "src/**") | {".gitmem/config.yaml": "format: 1\nmax_inline_bytes: 1\n"}, ()),
    "omitted-template": (rule("one", 1, "src/**", kind="template"), ()),
    "deferred-list": (
        rule("a-first", 2, "src/**")
        | rule("one", 1, "src/**")
        | {".gitmem/config.yaml": "format: 1\nmax_inline_bytes: 1\nmax_entries: 1\n"},
        (),
    ),
    "counted": (
        rule("a-first", 2, "src/**")
        | rule("one", 1, "src/**")
        | {".gitmem/config.yaml": "format: 1\nmax_inline_bytes: 1\nmax_entries: 1\nmax_listed: 1\n"},
        (),
    ),
}


@pytest.mark.capability("G-013")
@pytest.mark.parametrize("code", REASONS)
def test_the_first_reason_is_the_one_that_decided(make_repo: MakeRepo, code: str) -> None:
    files, words = REASONS[code]
    repo = make_repo(CONFIG | files)

    answer = ask(repo, "why-not", "one", FILE, *words)

    assert answer["first_reason"] == code
    assert [reason["code"] for reason in answer["reasons"]] == ([] if code == "delivered" else [code])
    assert (answer["item"], answer["file"]) == (engram_id(1), FILE)


@pytest.mark.capability("G-013")
def test_every_part_of_a_scope_that_does_not_fit_is_told(make_repo: MakeRepo) -> None:
    scope = {"paths": ["web/form.tsx", "docs/**"], "layers": ["api"], "commands": ["build", "ship"]}
    repo = make_repo(knowledge(rule("one", 1, scope=scope, status="draft"), {".gitmem/layers.yaml": "src/**: ui\n"}))

    answer = ask(repo, "why-not", "one", FILE)

    assert answer["reasons"] == [
        {"code": "status-draft", "message": "one is never delivered: status-draft"},
        {"code": "wrong-path", "message": "web/form.tsx does not match src/ui/form.tsx"},
        {"code": "no-match", "message": "docs/** does not match src/ui/form.tsx"},
        {"code": "other-layer", "message": "src/ui/form.tsx is in layer ui, the rule is for api"},
        {"code": "other-command", "message": "it is for the command build, ship"},
    ]


def test_an_exception_of_a_layer_is_the_reason(make_repo: MakeRepo) -> None:
    layered = rule("one", 1, scope={"layers": ["ui"], "except": ["src/ui/**"]})
    repo = make_repo(knowledge(layered, {".gitmem/layers.yaml": "src/**: ui\n"}))

    assert ask(repo, "why-not", "one", FILE)["first_reason"] == "excluded"


def test_what_another_rule_requires_is_delivered(make_repo: MakeRepo) -> None:
    repo = make_repo(knowledge(rule("one", 1), rule("asks", 2, "src/**", requires=[engram_id(1)])))

    assert ask(repo, "why-not", "one", FILE)["first_reason"] == "delivered"


@pytest.mark.capability("G-013")
def test_a_file_that_cannot_be_read_is_a_reason_with_its_place(make_repo: MakeRepo) -> None:
    broken = {
        ".gitmem/engrams/api/one.md": rule("one", 1, "src/**")[".gitmem/engrams/api/one.md"].replace(
            "constraint", "constrain"
        )
    }
    repo = make_repo(CONFIG | broken)

    answer = ask(repo, "why-not", "one", FILE)

    assert answer["first_reason"] == "malformed"
    assert answer["reasons"][0]["message"].startswith(".gitmem/engrams/api/one.md:4 cannot be read: ")
    assert ask(repo, "why-not", "api/one", FILE)["first_reason"] == "malformed"


@pytest.mark.capability("G-013")
def test_an_id_in_two_files_is_a_reason(make_repo: MakeRepo) -> None:
    repo = make_repo(knowledge(rule("one", 1, "src/**"), rule("two", 1, "src/**")))

    assert ask(repo, "why-not", "one", FILE)["first_reason"] == "duplicate-id"


@pytest.mark.capability("G-013")
def test_what_waits_to_be_committed_is_a_reason(make_repo: MakeRepo) -> None:
    repo = make_repo(CONFIG)
    write_tree(repo, rule("one", 1, "src/**"))

    assert ask(repo, "why-not", "one", FILE)["first_reason"] == "uncommitted"


@pytest.mark.capability("G-013")
@pytest.mark.capability("R-019")
def test_what_waits_to_be_approved_is_a_reason(make_repo: MakeRepo, tmp_path: Path) -> None:
    origin = make_repo(CONFIG, name="origin")
    git(tmp_path, "clone", "--quiet", str(origin), "clone")
    write_tree(tmp_path / "clone", rule("one", 1, "src/**"))
    commit_all(tmp_path / "clone", "mine")

    assert ask(tmp_path / "clone", "why-not", "one", FILE)["first_reason"] == "not-approved"
    assert ask(tmp_path / "clone", "why-not", engram_id(1), FILE)["first_reason"] == "not-approved"


def test_an_item_that_is_nowhere_is_an_error_with_the_nearest_name(make_repo: MakeRepo) -> None:
    repo = make_repo(knowledge(rule("use-the-client", 1, "src/**")))

    error = refused(repo, "why-not", "use-teh-client", FILE)

    assert (error["code"], error["hint"]) == ("not-found", "did you mean 'use-the-client'?")


def test_the_reason_is_that_of_the_revision_asked_for(make_repo: MakeRepo) -> None:
    repo = make_repo(knowledge(rule("one", 1, "src/**", body="x" * 5000 + "\n")))
    write_tree(repo, rule("one", 1, "docs/**"))
    commit_all(repo, "change")

    assert ask(repo, "why-not", "one", FILE)["first_reason"] == "no-match"
    assert ask(repo, "why-not", "one", FILE, "--at", "HEAD^")["first_reason"] == "deferred-size"


@pytest.mark.capability("R-018")
def test_explain_is_the_compile_without_its_texts(make_repo: MakeRepo) -> None:
    files = (rule(f"r{n}", n, "src/**", body=str(n) * 4000 + "\n") for n in range(1, 4))
    repo = make_repo(knowledge(*files, rule("near", 9, "src/api/form.tsx"), {".gitmem/layers.yaml": "src/ui/**: ui\n"}))

    usual, explained = compiled(repo, file=FILE), ask(repo, "explain", FILE)

    found = explained["compile"]
    assert explained["of"] == found["compile_id"] == usual["compile_id"]
    assert found["receipt"] == usual["receipt"]
    assert [(d["slug"], d["delivery"], "content" in d) for d in found["base"]["documents"]] == [
        ("r1", "inline", False),
        ("r2", "inline", False),
        ("r3", "deferred", False),
    ]
    assert {name: explained[name] for name in ("near_misses", "layers", "dropped", "budget")} == {
        "near_misses": [
            {
                "item": engram_id(9),
                "slug": "near",
                "pattern": "src/api/form.tsx",
                "file": FILE,
                "reason": "wrong-path",
            },
        ],
        "layers": {FILE: "ui"},
        "dropped": [{"item": engram_id(3), "edge": "path", "pattern": "src/**", "file": FILE}],
        "budget": {"limit": 8192, "used": 8002, "inline": 2, "deferred": 1, "omitted": 0},
    }


def test_explain_answers_for_one_item_and_each_file(make_repo: MakeRepo) -> None:
    repo = make_repo(knowledge(rule("one", 1, "src/**")))

    answer = ask(repo, "explain", FILE, "docs/a.md", "--item", "one")

    assert [(row["file"], row["first_reason"]) for row in answer["why_not"]] == [
        (FILE, "delivered"),
        ("docs/a.md", "no-match"),
    ]


def test_explain_names_the_revision_that_was_read(make_repo: MakeRepo) -> None:
    """F-085."""
    repo = make_repo(knowledge(rule("one", 1, "src/**")))

    found = ask(repo, "explain", FILE)["compile"]["environment"]

    assert found["commit"] == git(repo, "rev-parse", "HEAD").strip()
    assert (found["trust"], found["trust_source"]) == ("head", "default without a remote")


@pytest.mark.capability("R-018")
@pytest.mark.capability("R-002")
def test_layers_tell_the_layer_of_each_file_and_the_table(make_repo: MakeRepo) -> None:
    repo = make_repo(knowledge({".gitmem/layers.yaml": "src/**: core\nsrc/ui/**: ui\n"}))

    assert ask(repo, "layers", "src/ui/a.ts", "src/b.ts", "c.ts")["files"] == {
        "src/ui/a.ts": "ui",
        "src/b.ts": "core",
        "c.ts": None,
    }
    assert ask(repo, "layers")["rows"] == [["src/ui/**", "ui"], ["src/**", "core"]]


def test_layers_without_a_table_say_how_to_make_one(make_repo: MakeRepo) -> None:
    repo = make_repo(CONFIG)

    assert codes(ask(repo, "layers", "a.ts")["warnings"]) == ["no-layers"]


def test_the_text_form_tells_the_same(make_repo: MakeRepo) -> None:
    repo = make_repo(knowledge(rule("one", 1, "docs/**", status="draft")))

    shown = run_inproc(repo, "why-not", "one", FILE).out

    assert shown == (
        f"one ({engram_id(1)}) for {FILE}: status-draft\n"
        "- status-draft: one is never delivered: status-draft\n"
        f"- no-match: docs/** does not match {FILE}\n"
    )
