"""The same request on the same snapshot gives the same bytes, whatever the clone and whatever surrounds the process."""

import base64
import itertools
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from tests.asking import ask, rule
from tests.determinism.clones import KINDS, SURROUNDINGS, origin_at
from tests.support import commit_all, git, run_cli, write_tree

VARYING = ("notices", "environment", "receipt")
REQUESTS = (
    ("src/ui/form.ts", "src/ui/new.ts", "--plan", "retry the auth of \u00dcberpr\u00fcfung", "--explain"),
    ("src/ui/new.ts", "src/ui/form.ts", "--max-tokens", "6000", "--tag", "auth", "--as-of", "2026-06-01"),
)
Pair = tuple[str, Mapping[str, str]]


def fixed(out: str) -> bytes:
    """The part that must be the same everywhere, in the order in which it was printed."""
    answer = json.loads(out)
    receipt = answer["receipt"].removeprefix("gitmem1:")
    opened = json.loads(base64.urlsafe_b64decode(receipt + "=" * (-len(receipt) % 4)))
    assert len(opened.pop("commit")) in (40, 64)
    kept = {name: value for name, value in answer.items() if name not in VARYING}
    return json.dumps([kept, opened], ensure_ascii=False).encode()


def compiled(where: Path, pair: Pair, request: tuple[str, ...]) -> bytes:
    kind, surroundings = pair
    done = run_cli(where, "compile", *request, "--json", env=surroundings)
    assert done.code == 0, (kind, surroundings, done.err)
    return fixed(done.out)


def results(tmp_path: Path, pairs: Iterable[Pair]) -> dict[str, dict[str, bytes]]:
    """The fixed part of each request by clone and surroundings."""
    origin = origin_at(tmp_path / "origin")
    clones: dict[str, Path] = {}
    found: dict[str, dict[str, bytes]] = {"first": {}, "second": {}}
    for pair in pairs:
        kind = pair[0]
        if kind not in clones:
            clones[kind] = KINDS[kind](origin, tmp_path / kind)
        for name, request in zip(found, REQUESTS, strict=True):
            found[name][f"{kind} {dict(pair[1])}"] = compiled(clones[kind], pair, request)
    return found


def assert_one(found: Mapping[str, Mapping[str, bytes]]) -> None:
    for name, by_place in found.items():
        first_place, first = next(iter(by_place.items()))
        others = [place for place, each in by_place.items() if each != first]
        assert others == [], f"{name}: differs from {first_place}"


@pytest.mark.capability("R-020")
@pytest.mark.capability("G-012")
def test_every_kind_of_clone_gives_the_same_bytes_in_other_surroundings(tmp_path: Path) -> None:
    """F-193: packed, loose, shallow, bare, sparse, SHA-256; hash seeds, locales, time zones, line ends."""
    found = results(tmp_path, zip(KINDS, SURROUNDINGS, strict=True))

    assert_one(found)
    answer = json.loads(next(iter(found["first"].values())))[0]
    assert len(answer["base"]["documents"]) > 25
    assert answer["expanded"]
    assert {w["code"] for w in answer["warnings"]} >= {"requires-cycle", "requires-missing", "duplicate-id", "budget"}


@pytest.mark.long
@pytest.mark.capability("R-020")
def test_one_hundred_compiles_give_the_same_bytes(tmp_path: Path) -> None:
    """F-193."""
    pairs = list(itertools.product(KINDS, SURROUNDINGS))

    found = results(tmp_path, pairs)

    assert len(found["first"]) == len(pairs) == 100
    assert_one(found)


@pytest.mark.capability("R-020")
def test_what_a_branch_adds_is_the_same_in_every_full_clone(tmp_path: Path) -> None:
    origin = origin_at(tmp_path / "origin")
    git(origin, "switch", "--quiet", "--create", "feature")
    write_tree(origin, rule("r12", 12, "src/**", domain="d0") | rule("new", 60, "src/**"))
    git(origin, "rm", "--quiet", ".gitmem/engrams/d1/r13.md")
    commit_all(origin, "feature")
    git(origin, "switch", "--quiet", "main")
    write_tree(origin, rule("r14", 14, "src/**", domain="d2", title="Changed on main"))
    commit_all(origin, "main goes on")

    marks = []
    for kind in ("full", "packed", "loose", "crlf"):
        clone = KINDS[kind](origin, tmp_path / kind)
        git(clone, "switch", "--quiet", "feature")
        marks.append(ask(clone, "compile", "src/ui/form.ts")["marks"])

    assert [mark["branch"] for mark in marks[0].values()] == ["changes", "retires", "adds"]
    assert marks == [marks[0]] * 4


@pytest.mark.capability("R-020")
def test_the_order_in_which_files_were_made_decides_nothing(tmp_path: Path) -> None:
    files = {rel: text for n in range(1, 40) for rel, text in rule(f"r{n}", n, "src/**", domain=f"d{n % 4}").items()}
    found = []
    for name, order in (("forward", list(files)), ("backward", list(reversed(files)))):
        root = tmp_path / name
        root.mkdir()
        git(root, "init", "--quiet", "--initial-branch=main")
        for at in range(0, len(order), 13):
            write_tree(root, {rel: files[rel] for rel in order[at : at + 13]})
            commit_all(root, f"part {at}")
        answer = ask(root, "compile", "src/a.ts")
        found.append({key: answer[key] for key in ("compile_id", "snapshot_id", "base", "warnings")})

    assert found[0] == found[1]


def test_output_in_an_encoding_without_the_characters_reads_back(tmp_path: Path) -> None:
    """F-127: files are read as UTF-8 whatever the locale says, and no character ends the program."""
    origin = origin_at(tmp_path / "origin")
    usual = ask(origin, "compile", "src/ui/form.ts")

    for surroundings in (each for each in SURROUNDINGS if "PYTHONIOENCODING" in each or "PYTHONUTF8" in each):
        done = run_cli(origin, "compile", "src/ui/form.ts", "--json", env=surroundings)
        assert json.loads(done.out)["base"] == usual["base"]
        command = [sys.executable, "-P", "-m", "gitmem", "compile", "src/ui/form.ts"]
        shown = subprocess.run(
            command, cwd=origin, env={**os.environ, **surroundings}, capture_output=True, check=False
        )
        assert (shown.returncode, shown.stderr) == (0, b"")
