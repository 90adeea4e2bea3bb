"""Public collections of awkward text, through the command line: a value or one typed error, never a traceback."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.still import state
from tests.cli.verbs import FILE, ITEM, KNOWLEDGE, repository
from tests.store.test_yaml_suite import cases, naughty, needs_naughty, needs_suite
from tests.support import commit_all, engram_id, engram_text, git, run_inproc


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory, homes: Path) -> Path:
    return repository(tmp_path_factory.mktemp("naughty") / "repo")


def calls(text: str) -> Iterator[tuple[str, ...]]:
    """Each text parameter of a reading verb with this text in it."""
    yield "compile", f"--plan={text}", FILE
    yield "compile", f"--command={text}", f"--layer={text}", f"--agent-id={text}", FILE
    yield "compile", f"--tag={text}", FILE
    yield "compile", f"--at={text}", FILE
    yield "compile", f"--trust={text}", FILE
    yield "compile", f"--as-of={text}", FILE
    yield "compile", f"--mode={text}", f"--notices={text}", FILE
    yield "compile", "--", text
    yield "get", "--", text
    yield "get", f"--tier={text}", ITEM
    yield "show", "--", text
    yield "why", "--", text
    yield "why-not", "--", text, text
    yield "explain", f"--item={text}", "--", FILE
    yield "layers", "--", text
    yield "list", f"--tag={text}", f"--domain={text}"
    yield "list", f"--path={text}"
    yield "list", f"--kind={text}", f"--status={text}", f"--cursor={text}"
    yield "list", f"--limit={text}"
    yield "check", f"--range={text}"


def slice_of(every: list, step: int, *, is_long: bool) -> list:
    return every if is_long else every[::step]


@needs_naughty
@pytest.mark.parametrize("is_long", [False, pytest.param(True, marks=pytest.mark.long)], ids=["slice", "all"])
def test_naughty_strings_in_each_text_parameter_are_answers_or_typed_errors(root: Path, is_long: bool) -> None:
    """F-103, F-242, F-250"""
    before = state(root)
    for text in slice_of([text for text in naughty() if "\0" not in text], 20, is_long=is_long):
        for words in calls(text):
            started = time.process_time()
            ran = run_inproc(root, words[0], "--json", *words[1:])
            assert ran.code in (0, 1, 2), (words, ran.err)
            found = json.loads(ran.out)
            assert found.get("error", {}).get("code") != "internal", words
            assert "\x1b" not in ran.out + ran.err
            assert time.process_time() - started < 1, words
    assert state(root) == before


@needs_naughty
@pytest.mark.parametrize("is_long", [False, pytest.param(True, marks=pytest.mark.long)], ids=["slice", "all"])
def test_naughty_strings_survive_being_written_and_served(make_repo, is_long: bool) -> None:
    """F-010, F-252: title, summary, tag and body come back as they were typed, or the engram is refused."""
    root = make_repo(KNOWLEDGE)
    kept = {}
    texts = slice_of([text for text in naughty() if text.strip() and "\0" not in text], 16, is_long=is_long)
    for number, text in enumerate(texts):
        words = (
            "--json",
            f"--slug=n{number}",
            f"--tag={text}",
            "--domain=naughty",
            "--path=src/**",
            "--",
            "fact",
            text,
        )
        ran = run_inproc(root, "new", *words, stdin=text)
        assert ran.code in (0, 1, 2), (text, ran.err)
        if ran.code == 0:
            kept[json.loads(ran.out)["id"]] = text
        else:
            assert json.loads(ran.out)["error"]["code"] != "internal", text
    commit_all(root)
    for id_, text in kept.items():
        got = json.loads(run_inproc(root, "get", id_, "--tier", "content", "--json").out)["items"][0]
        assert got["title"] == " ".join(text.split()), text
        assert got["content"].rstrip("\n") == text.replace("\r\n", "\n").rstrip("\n"), text
    assert len(kept) > len(texts) * 0.8


@needs_suite
@pytest.mark.capability("G-038")
@pytest.mark.parametrize("is_long", [False, pytest.param(True, marks=pytest.mark.long)], ids=["slice", "all"])
def test_each_case_of_the_yaml_suite_as_an_engram_is_served_or_named(make_repo, is_long: bool) -> None:
    """As a header of its own, and as a value in a sound one; the other engrams are served whatever it holds."""
    files = dict(KNOWLEDGE)
    for number, (name, text) in enumerate(slice_of(cases(), 4, is_long=is_long)):
        slug = name.lower()
        files[f".gitmem/engrams/header/{slug}.md"] = f"---\n{text}\n---\nBody.\n"
        value = "".join(f"  {line}\n" for line in text.split("\n"))
        sound = engram_text(id=engram_id(1000 + number), scope={"paths": ["src/**"]})
        files[f".gitmem/engrams/value/{slug}.md"] = sound.replace("kind: ", f"x-value:\n{value}kind: ", 1)
    root = make_repo(files)

    ran = run_inproc(root, "compile", FILE, "--json", "--max-entries", "2000")

    assert ran.code == 0, ran.err
    slugs = {each["slug"] for each in json.loads(ran.out)["base"]["documents"]}
    assert ITEM in slugs
    found = json.loads(run_inproc(root, "check", "--json").out)["findings"]
    broken = {each["path"] for each in found if each["severity"] == "error"}
    for path in (path for path in files if "/engrams/" in path):
        is_served = "/value/" in path and Path(path).stem in slugs
        assert is_served or path in broken or path.endswith("name-the-table.md") or ITEM in path, path
    assert {path for path in files if "/header/" in path} <= broken


@needs_suite
@pytest.mark.capability("G-038")
@pytest.mark.parametrize("name", ["config.yaml", "layers.yaml", "tags.yaml"])
@pytest.mark.parametrize("is_long", [False, pytest.param(True, marks=pytest.mark.long)], ids=["slice", "all"])
def test_each_case_of_the_yaml_suite_as_settings_is_read_or_named(make_repo, name: str, is_long: bool) -> None:
    root = make_repo(KNOWLEDGE)
    for _, text in slice_of(cases(), 12, is_long=is_long):
        (root / ".gitmem" / name).write_text(text, encoding="utf-8", newline="")
        git(root, "commit", "--quiet", "--all", "--allow-empty", "--message", "x")
        ran = run_inproc(root, "compile", FILE, "--json")
        assert ran.code == 0, (text, ran.err)
        answer = json.loads(ran.out)
        assert [each["slug"] for each in answer["base"]["documents"]] == [ITEM] or answer["warnings"], text
