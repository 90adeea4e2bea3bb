"""What frameworks make of small projects, against stored rows, and how a framework is recognised.

Each folder of ``projects`` is one project; ``expected.txt`` in it is written by ``python -m tests.code.test_overlays
FOLDER...`` and read by a person.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gitmem.code import dependencies, extract, overlays
from gitmem.code.overlay_rows import hint_names
from gitmem.code.overlay_rows import overlays as rows
from tests.house.source import PROJECT

PROJECTS = Path(__file__).parent / "projects"
EXPECTED = "expected.txt"
NAMES = sorted(path.name for path in PROJECTS.iterdir() if path.is_dir())
# A project with the signs of a framework only in its names.
PLAIN = "plain"
SERVER = {"django", "flask", "fastapi", "express", "nest", "spring", "laravel", "rails", "gin", "axum", "aspnet"}
SERVER |= {"symfony", "wordpress", "ktor", "pinoox"}
CLIENT = {"next", "vue", "nuxt", "react", "remix", "sveltekit", "astro", "angular", "android", "swiftui", "flutter"}
CLIENT |= {"electron", "tauri", "vite", "twig", "primeui"}


def files(name: str) -> dict[str, bytes]:
    folder = PROJECTS / name
    found = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != EXPECTED)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def switched_on(sources: dict[str, bytes]) -> frozenset[str]:
    manifests = {path: data.decode() for path, data in sources.items() if dependencies.is_manifest(path)}
    return overlays.frameworks(manifests, ())


def seen(name: str) -> Iterator[str]:
    sources = files(name)
    on = switched_on(sources)
    yield f"frameworks: {' '.join(sorted(on))}"
    for path, data in sources.items():
        facts = extract.facts(path, data)
        for row in overlays.overlay(path, facts, on):
            target = facts.symbols[row.target].name if row.target >= 0 else row.handler and f"? {row.handler}"
            yield f"{path}:{row.line} {row.kind} {row.name}" + f" -> {target}" * bool(target)


@pytest.mark.capability("C-011")
@pytest.mark.capability("C-012")
@pytest.mark.capability("C-013")
@pytest.mark.parametrize("name", NAMES)
def test_a_project_has_the_routes_and_components_that_are_stored_with_it(name: str) -> None:
    assert [*seen(name)] == (PROJECTS / name / EXPECTED).read_text("utf-8").splitlines()


def test_every_framework_is_seen_in_some_project() -> None:
    found = set()
    for project in NAMES:
        sources = files(project)
        on = switched_on(sources)
        for path, data in sources.items():
            found |= {row.overlay for row in overlays.overlay(path, extract.facts(path, data), on)}
    assert found == SERVER | CLIENT


def test_every_overlay_is_one_that_is_listed_here_and_in_the_docs() -> None:
    page = (PROJECT / "docs" / "languages.md").read_text("utf-8")
    told = {name for line in page.splitlines() if line.startswith("| ") for name in re.findall(r"[a-z]+", line)}
    assert {row.name for row in rows()} == SERVER | CLIENT
    assert (SERVER | CLIENT) - told == set()


@pytest.mark.capability("C-013")
def test_a_route_leads_to_its_handler() -> None:
    source = files("fastapi")["app/sms.py"]
    facts = extract.facts("app/sms.py", source)
    (route,) = [row for row in overlays.overlay("sms.py", facts, frozenset({"fastapi"})) if row.name == "POST /v1/sms"]
    assert (route.kind, facts.symbols[route.target].name) == ("route", "send_sms")


@pytest.mark.capability("C-013")
def test_an_annotation_that_nobody_knows_is_left_out() -> None:
    source = b"from flask import Flask\napp = Flask(__name__)\n\n\n@app.teleport('/x')\n@other\ndef f(): ...\n"
    assert overlays.overlay("a.py", extract.facts("a.py", source), frozenset({"flask"})) == ()


def test_usual_names_switch_nothing_on_f_205() -> None:
    sources = files(PLAIN)
    on = switched_on(sources)
    assert on == frozenset()
    assert [
        row for path, data in sources.items() for row in overlays.overlay(path, extract.facts(path, data), on)
    ] == []


def test_an_import_switches_an_overlay_on_for_its_file_and_a_longer_name_does_not() -> None:
    source = "@app.route('/x')\ndef f(): ...\n"
    asked = extract.facts("a.py", f"from flask import Flask\n{source}".encode())
    other = extract.facts("a.py", f"from flasky import Flask\n{source}".encode())
    assert [row.name for row in overlays.overlay("a.py", asked, frozenset())] == ["GET /x"]
    assert overlays.overlay("a.py", other, frozenset()) == ()


def test_modules_of_the_project_switch_overlays_on() -> None:
    assert overlays.frameworks({}, ["flask.views", "./next", "express-session", "org.springframework.boot"]) == {
        "flask",
        "spring",
    }


def test_a_group_in_a_group_in_a_route_has_all_the_paths() -> None:
    lines = ['import "github.com/gin-gonic/gin"', "func f() {", "r := gin.New()", 'a := r.Group("/a")']
    lines += ['b := a.Group("b/")', 'b.GET("c", g)', "}"]
    facts = extract.facts("a.go", ("package a\n" + "\n".join(lines)).encode())
    assert [row.name for row in overlays.overlay("a.go", facts, frozenset({"gin"}))] == ["GET /a/b/c"]


def test_two_groups_that_hang_on_each_other_end() -> None:
    source = 'package a\nfunc f() {\na = b.Group("/a")\nb = a.Group("/b")\na.GET("/c", g)\n}\n'
    found = overlays.overlay("a.go", extract.facts("a.go", source.encode()), frozenset({"gin"}))
    assert [row.name for row in found] == ["GET /b/a/c"]


def test_only_calls_that_an_overlay_of_the_language_looks_at_leave_a_hint() -> None:
    facts = extract.facts("a.py", b"from django.urls import path\nx = d.get('k')\npath('a/', v)\npath(k, v)\n")
    assert [(row.name, row.text) for row in facts.hints] == [("path", "('a/', v)")]
    assert hint_names("c") == frozenset()


@pytest.mark.parametrize(
    ("path", "text", "names"),
    [
        ("package.json", '{"name": "vue", "dependencies": {"next": "1"}, "scripts": {"nuxt": ""}}', {"next"}),
        ("package.json", "[" * 100_000, set()),
        ("package.json", '{"dependencies": ["next"]}', set()),
        ("web/composer.json", '{"require": {"laravel/framework": "^11"}}', {"laravel/framework"}),
        ("pyproject.toml", '[project]\nkeywords = ["flask"]\ndependencies = ["Django[x]>=5"]\n', {"django"}),
        ("pyproject.toml", '[tool.poetry.group.dev.dependencies]\nflask = "1"\n', {"flask"}),
        ("pyproject.toml", '[dependency-groups]\nweb = ["fastapi"]\n', {"fastapi"}),
        ("pyproject.toml", "[broken\n", set()),
        ("Cargo.toml", '[dependencies]\naxum = "0.7"\n[features]\nrocket = []\n', {"axum"}),
        ("requirements-dev.txt", "# django\nflask==3 ; x\n-r base.txt\n", {"flask"}),
        ("setup.cfg", "[options]\ninstall_requires =\n  flask>=2\n", {"flask"}),
        ("go.mod", "module a\nrequire (\n\tgithub.com/a/b v1.0.0\n)\n", {"github.com/a/b"}),
        ("Gemfile", "gem 'rails', '~> 7'\n# gem 'sinatra'\n", {"rails"}),
        ("pom.xml", "<groupId>org.springframework</groupId>", {"org.springframework"}),
        ("build.gradle", "implementation 'io.ktor:ktor-core:2.0'", {"io.ktor", "ktor-core", "io.ktor:ktor-core"}),
        ("A.csproj", '<PackageReference Version="1" Include="Dapper" />', {"dapper"}),
        ("pubspec.yaml", "name: flutter\ndependencies:\n  flutter:\n    sdk: flutter\nflutter:\n  x: 1\n", {"flutter"}),
        ("notes.json", '{"dependencies": {"next": "1"}}', set()),
    ],
)
def test_a_manifest_names_what_it_depends_on(path: str, text: str, names: set[str]) -> None:
    assert dependencies.named(path, text) == names


if __name__ == "__main__":
    for each in sys.argv[1:] or NAMES:
        (PROJECTS / each / EXPECTED).write_text("\n".join(seen(each)) + "\n", encoding="utf-8", newline="\n")
