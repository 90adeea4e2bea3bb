"""What a revision changes by meaning: files that gain and lose rules, tokens, contradictions."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitmem.answers.compile import CompileCall, compile_context
from gitmem.answers.effect import effect
from gitmem.answers.session import Session
from gitmem.model.effect import Effect, FileChange, Gain, Tokens
from tests.asking import knowledge, rule
from tests.conftest import MakeRepo
from tests.support import commit_all, engram_id, git, write_tree

CODE = {name: "x\n" for name in ("src/ui/form.tsx", "src/ui/list.tsx", "src/api/client.ts", "docs/api.md", "a.py")}
ONE, TWO, THREE = engram_id(1), engram_id(2), engram_id(3)


def changed(repo: Path, files: Mapping[str, str | None], limit: int = 500) -> Effect:
    """The effect of one more commit with these files; None removes one."""
    before = git(repo, "rev-parse", "HEAD").strip()
    for rel, text in files.items():
        if text is None:
            (repo / rel).unlink()
    write_tree(repo, {rel: text for rel, text in files.items() if text is not None})
    return of(repo, before, commit_all(repo, "change"), limit)


def of(repo: Path, before: str, after: str, limit: int = 500) -> Effect:
    return effect(Session(repo, datetime(2026, 12, 1, tzinfo=UTC)), before, after, limit)


def gains(rows: tuple[Gain, ...]) -> list[tuple[str, str]]:
    return [(row.file, row.slug) for row in rows]


@pytest.mark.capability("G-022")
def test_a_wider_scope_gains_files_and_a_narrower_one_loses_them(make_repo: MakeRepo) -> None:
    repo = make_repo(CODE | knowledge(rule("one", 1, "src/ui/*.tsx"), rule("two", 2, "src/**")))

    found = changed(repo, rule("one", 1, "src/**") | rule("two", 2, "src/api/**", "docs/*.md"))

    assert gains(found.gained) == [("docs/api.md", "two"), ("src/api/client.ts", "one")]
    assert gains(found.lost) == [("src/ui/form.tsx", "two"), ("src/ui/list.tsx", "two")]
    assert (found.rules.gained_total, found.rules.lost_total) == (2, 2)
    assert [(row.path, row.change, row.keys) for row in found.files] == [
        (".gitmem/engrams/api/one.md", "changed", ("scope",)),
        (".gitmem/engrams/api/two.md", "changed", ("scope",)),
    ]


@pytest.mark.parametrize(
    ("after", "lost"),
    [
        pytest.param(rule("one", 1, "**/*.tsx", status="deprecated"), ["form", "list"], id="status"),
        pytest.param(rule("one", 1, "**/*.tsx", visibility="restricted"), ["form", "list"], id="visibility"),
        pytest.param(rule("one", 1, scope={"paths": ["**/*.tsx"], "except": ["**/form.*"]}), ["form"], id="except"),
        pytest.param(rule("one", 1), ["form", "list"], id="scope gone"),
        pytest.param({".gitmem/engrams/api/one.md": None}, ["form", "list"], id="file gone"),
        pytest.param({".gitmem/engrams/api/one.md": "no engram\n"}, ["form", "list"], id="unreadable"),
        pytest.param(rule("twin", 1, "docs/**"), ["form", "list"], id="id in two files"),
        pytest.param(rule("one", 1, "**/*.tsx", kind="decision", priority=9), [], id="what decides no delivery"),
    ],
)
def test_all_that_decides_a_delivery_counts(make_repo: MakeRepo, after: dict[str, str | None], lost: list[str]) -> None:
    repo = make_repo(CODE | knowledge(rule("one", 1, "**/*.tsx")))

    found = changed(repo, after)

    assert gains(found.lost) == [(f"src/ui/{name}.tsx", "one") for name in lost]
    assert found.gained == ()


def test_a_moved_file_is_the_same_item(make_repo: MakeRepo) -> None:
    old = rule("one", 1, "src/**")
    repo = make_repo(CODE | knowledge(old, rule("two", 2, requires=[ONE], scope={"commands": ["build"]})))

    found = changed(repo, {**dict.fromkeys(old), **rule("first", 1, "src/**", domain="ui", title="One")})

    assert found.files == (
        FileChange(".gitmem/engrams/ui/first.md", ONE, "first", "moved", (), ".gitmem/engrams/api/one.md"),
    )
    assert (found.gained, found.lost) == ((), ())


def test_what_a_rule_requires_comes_and_goes_with_it(make_repo: MakeRepo) -> None:
    repo = make_repo(
        CODE
        | knowledge(
            rule("one", 1, "src/ui/form.tsx", requires=[TWO]),
            rule("two", 2, requires=[THREE]),
            rule("three", 3, "src/ui/list.tsx"),
        )
    )

    wider = changed(repo, rule("one", 1, "src/ui/**", requires=["two"]))
    cut = changed(repo, rule("two", 2))
    named = changed(repo, rule("two", 2, requires=[THREE]) | rule("two", 4, domain="web"))

    assert gains(wider.gained) == [("src/ui/list.tsx", "one"), ("src/ui/list.tsx", "two")]
    assert gains(cut.lost) == [("src/ui/form.tsx", "three")]
    assert gains(named.lost) == [("src/ui/form.tsx", "two"), ("src/ui/list.tsx", "two")]


def test_another_layer_of_a_file_changes_its_rules(make_repo: MakeRepo) -> None:
    layered = rule("one", 1, scope={"layers": ["ui"]}), rule("two", 2, scope={"layers": ["api"]})
    repo = make_repo(CODE | knowledge(*layered, {".gitmem/layers.yaml": "src/**: ui\n"}))

    found = changed(repo, {".gitmem/layers.yaml": "src/**: ui\nsrc/api/**: api\n"})

    assert gains(found.gained) == [("src/api/client.ts", "two")]
    assert gains(found.lost) == [("src/api/client.ts", "one")]
    assert found.files == (FileChange(".gitmem/layers.yaml", "", "", "changed", ("file",)),)


def test_commands_and_patterns_without_files_are_told_apart(make_repo: MakeRepo) -> None:
    repo = make_repo(CODE | knowledge(rule("one", 1, "src/**")))

    found = changed(repo, rule("one", 1, scope={"paths": ["src/**", "web/**"], "commands": ["scaffold"]}))

    assert [(row.command, row.slug, row.change) for row in found.commands] == [("scaffold", "one", "gained")]
    assert [(row.slug, row.pattern) for row in found.unmatched] == [("one", "web/**")]
    assert (found.gained, found.lost) == ((), ())


def test_the_folders_own_files_count_only_where_a_pattern_names_it(make_repo: MakeRepo) -> None:
    repo = make_repo(CODE | knowledge())

    found = changed(repo, rule("one", 1, "**/*.md") | rule("two", 2, ".gitmem/*.yaml"))

    assert gains(found.gained) == [(".gitmem/config.yaml", "two"), ("docs/api.md", "one")]


@pytest.mark.capability("G-022")
def test_tokens_are_those_of_the_changed_bodies_that_may_be_delivered(make_repo: MakeRepo) -> None:
    short, long = "Use the client.\n", "Use the client.\n" * 40
    repo = make_repo(CODE | knowledge(rule("one", 1, "src/**", body=short), rule("two", 2, "src/**", body=long)))

    grown = changed(repo, rule("one", 1, "src/**", body=long))
    retired = changed(repo, rule("one", 1, "src/**", body=long, status="deprecated"))

    assert 0 < grown.tokens.before * 30 < grown.tokens.after
    assert retired.tokens == Tokens(grown.tokens.after, 0)


@pytest.mark.capability("G-022")
def test_a_contradiction_names_both_sentences(make_repo: MakeRepo) -> None:
    tabs = rule("indentation", 1, "src/**", title="Indentation of code", body="Indent code with tabs.\n")
    spaces = rule("indent-ui", 2, "src/ui/**", title="Indentation of forms", body="Indent code with spaces.\n")
    docs = rule("indent-docs", 3, "docs/**", title="Indentation of pages", body="Indent code with spaces.\n")
    repo = make_repo(CODE | knowledge(tabs))

    found = changed(repo, spaces | docs)

    assert [(row.slug, row.other_slug, row.mine, row.theirs) for row in found.contradicts] == [
        ("indent-ui", "indentation", "Indent code with spaces.", "Indent code with tabs.")
    ]
    assert found.contradicts[0].reason == "spaces against tabs"


def test_two_changed_items_that_contradict_each_other_are_told_once(make_repo: MakeRepo) -> None:
    repo = make_repo(CODE | knowledge())

    found = changed(
        repo,
        rule("one", 1, "src/**", title="Indentation", body="Indent code with tabs.\n")
        | rule("two", 2, "src/**", title="Indentation in code", body="Indent code with spaces.\n"),
    )

    assert [(row.slug, row.other_slug) for row in found.contradicts] == [("one", "two")]


def test_a_repeated_text_is_told(make_repo: MakeRepo) -> None:
    repo = make_repo(CODE | knowledge(rule("one", 1, "src/**")))

    found = changed(repo, rule("two", 2, "src/ui/**", title="Call through the client"))

    assert [(row.slug, row.other_slug, row.kind, row.percent) for row in found.alike] == [
        ("two", "one", "duplicate", 100)
    ]


def test_lists_are_bounded_and_totals_are_whole(make_repo: MakeRepo) -> None:
    repo = make_repo(CODE | {f"gen/f{n}.ts": "x\n" for n in range(30)} | knowledge())

    found = changed(repo, rule("one", 1, "gen/**") | rule("two", 2, "gen/**"), limit=5)

    assert gains(found.gained) == [
        (f"gen/{f}.ts", slug) for f, slug in (("f0", "one"), ("f0", "two"), ("f1", "one"))
    ] + [("gen/f1.ts", "two"), ("gen/f10.ts", "one")]
    assert (found.rules.gained_total, found.files_total) == (60, 2)


def test_nothing_and_equal_knowledge_have_no_effect(make_repo: MakeRepo) -> None:
    repo = make_repo(CODE | knowledge(rule("one", 1, "src/**")))
    head = git(repo, "rev-parse", "HEAD").strip()

    assert of(repo, "", "") == Effect("", "")
    assert of(repo, head, commit_all(repo, "empty")).files == ()
    assert gains(of(repo, "", head).gained) == gains(of(repo, head, "").lost) != []


def test_an_added_mode_is_no_change(make_repo: MakeRepo) -> None:
    repo = make_repo(CODE | knowledge(rule("one", 1, "src/**")))
    before = git(repo, "rev-parse", "HEAD").strip()
    git(repo, "update-index", "--chmod=+x", ".gitmem/engrams/api/one.md")
    git(repo, "commit", "--quiet", "--message", "mode")

    assert of(repo, before, git(repo, "rev-parse", "HEAD").strip()).files == ()


def test_a_folder_of_a_newer_gitmem_is_not_told(make_repo: MakeRepo) -> None:
    repo = make_repo(CODE | knowledge())

    found = changed(repo, {".gitmem/config.yaml": "format: 99\n"})

    assert [note.code for note in found.notices] == ["newer-format"]
    assert found.files == ()


STEPS: list[Mapping[str, str | None]] = [
    rule("one", 1, "src/**", requires=["two"]),
    rule("two", 2, "docs/**"),
    rule("three", 3, scope={"layers": ["ui"], "except": ["**/list.*"]}, requires=[ONE]),
    {".gitmem/layers.yaml": "src/ui/**: ui\n"},
    rule("two", 2, "docs/**", status="draft"),
    rule("four", 4, "{src,docs}/**", "*.py", requires=["api/three", THREE]),
    rule("two", 2, "docs/**", "*.py"),
    {".gitmem/layers.yaml": "src/**: ui\nsrc/ui/form.*: form\n"},
    rule("two", 5, "a.py", domain="web"),
    {".gitmem/engrams/web/two.md": None},
    rule("one", 1, "src/ui/**", requires=[engram_id(4)]),
    {".gitmem/engrams/api/four.md": None},
]


def test_gains_and_losses_are_what_compile_says_before_and_after(make_repo: MakeRepo) -> None:
    repo = make_repo(CODE | knowledge())
    start = git(repo, "rev-parse", "HEAD").strip()
    known: dict[str, set[tuple[str, str]]] = {start: delivered(repo, start)}

    for files in STEPS:
        found = changed(repo, files)
        known[found.after] = delivered(repo, found.after)
        assert moves(found) == difference(known[found.before], known[found.after])
        assert moves(of(repo, start, found.after)) == difference(known[start], known[found.after])
        assert moves(of(repo, found.after, start)) == difference(known[found.after], known[start])


def moves(found: Effect) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    return {(row.file, row.item) for row in found.gained}, {(row.file, row.item) for row in found.lost}


def difference(
    before: set[tuple[str, str]], after: set[tuple[str, str]]
) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    return after - before, before - after


def delivered(repo: Path, commit: str) -> set[tuple[str, str]]:
    session = Session(repo, datetime(2026, 12, 1, tzinfo=UTC))
    found = set()
    for file in CODE:
        answer = compile_context(session, CompileCall((file,), at=commit))
        found |= {(file, document.id) for document in answer.base.documents}
    return found
