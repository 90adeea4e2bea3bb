"""What a project is, from the paths of its tree, its manifests and its README. Refuses to parse sources."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from gitmem.code import languages
from gitmem.code.languages import CODE, SQL, STYLE, TEMPLATE
from gitmem.code.testing import is_test
from gitmem.model.project import EntryPoint, Hotspot, Package, Project, Stated
from gitmem.text.words import cut

PACKAGES_MOST, ENTRY_POINTS_MOST, HOTSPOTS_MOST, FACTS_MOST = 16, 12, 12, 24
_LANGUAGES_MOST = 16
_VALUE_CHARS = 240
_SOURCES = frozenset((CODE, TEMPLATE, STYLE, SQL))
_DOCUMENTS = (".md", ".rst", ".adoc", ".txt")
_README = re.compile(r"(?:^|/)readme(?:\.(?:md|rst|txt|adoc))?$", re.IGNORECASE)
_MANIFESTS = ("pyproject.toml", "package.json", "Cargo.toml", "composer.json", "go.mod", "pubspec.yaml")
_BUILT = (*_MANIFESTS, "build.gradle", "build.gradle.kts", "pom.xml", "setup.py", "Package.swift")
_BADGE = re.compile(r"^\s*(?:\[!\[|!\[|<|\.\. |={3,}|-{3,}|#)")
# By the name of a file, what begins there; the first that fits.
_MAINS = (
    (re.compile(r"(?:^|/)(?:manage|wsgi|asgi)\.py$"), "server"),
    (re.compile(r"(?:^|/)__main__\.py$|(?:^|/)cmd/[^/]+/main\.go$|^main\.go$|(?:^|/)src/main\.rs$"), "main"),
    (re.compile(r"(?:^|/)src/bin/[^/]+\.rs$|(?:^|/)Program\.cs$|(?:^|/)bin/[^/.]+$"), "main"),
    (re.compile(r"(?:^|/)(?:main|server)\.(?:[cm]?[jt]sx?|py|dart|swift)$"), "main"),
    # Further in, an index hands on what lies beside it, and an app is a class.
    (re.compile(r"^(?:(?:packages|apps)/[^/]+/)?(?:[^/]+/)?app\.(?:[cm]?[jt]sx?|py|dart|swift)$"), "main"),
    (re.compile(r"^(?:(?:packages|apps)/[^/]+/)?(?:src/)?index\.[cm]?[jt]sx?$"), "main"),
    (re.compile(r"(?:^|/)(?:Main|Application|[A-Z]\w*Application)\.(?:java|kt)$"), "main"),
    (re.compile(r"^(?:public/|web/|www/|src/)?index\.(?:php|html)$|(?:^|/)config\.ru$"), "page"),
    (re.compile(r"(?:^|/)(?:Makefile|Rakefile|noxfile\.py|tasks\.py)$"), "task"),
)
_ASIDE = re.compile(
    r"(?:^|/)(?:examples?|docs?|samples?|vendor|third_party|node_modules|fixtures|testdata|tests?|e2e)/"
)


def is_read(path: str) -> bool:
    """Whether the text of a file at this path is asked for."""
    return (
        path.count("/") <= 2
        and not _ASIDE.search(path)
        and (path.rpartition("/")[2] in _MANIFESTS or _README.search(path) is not None)
    )


def project(paths: Sequence[str], texts: Mapping[str, str], changed: Iterable[Sequence[str]]) -> Project | None:
    """``texts`` are those of ``is_read`` paths, ``changed`` the files of each of the newest commits; None without any
    source."""
    rows = {path: row for path in paths if (row := languages.row_of(path))}
    sources = [path for path, row in rows.items() if row.kind in _SOURCES]
    if not sources:
        return None
    by_language = Counter(rows[path].name for path in sources)
    commits = list(changed)
    known = frozenset(sources)
    touched = Counter(path for files in commits for path in {*files} if path in known)
    return Project(
        facts=tuple(_facts(_outmost(texts)))[:FACTS_MOST],
        languages=dict(sorted(by_language.items(), key=lambda row: (-row[1], row[0]))[:_LANGUAGES_MOST]),
        packages=_packages(paths, sources),
        entry_points=_entry_points(paths, texts),
        hotspots=tuple(Hotspot(path, count) for path, count in _most(touched, HOTSPOTS_MOST) if count > 1),
        counts={
            "files": len(paths),
            "sources": len(sources),
            "tests": sum(map(is_test, sources)),
            "documents": sum(path.lower().endswith(_DOCUMENTS) for path in paths),
        },
        commits=len(commits),
    )


def _outmost(texts: Mapping[str, str]) -> dict[str, str]:
    """The files of the outmost folder that has any: what lies further in tells of a part."""
    least = min((path.count("/") for path in texts), default=0)
    return {path: text for path, text in texts.items() if path.count("/") == least}


def _most(counts: Mapping[str, int], most: int) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda row: (-row[1], row[0]))[:most]


def _packages(paths: Sequence[str], sources: Sequence[str]) -> tuple[Package, ...]:
    """Folders with a manifest or a package file of their own, else those right below the root or a source folder; each
    file counts for the innermost of them."""
    built = {path.rpartition("/")[0] for path in paths if path.rpartition("/")[2] in _BUILT and not _ASIDE.search(path)}
    tops = {path.rpartition("/")[0] for path in paths if path.endswith("/__init__.py")}
    tops = {folder for folder in tops if folder.rpartition("/")[0] not in tops}
    folders = {folder for folder in built | tops if folder}
    counts: Counter[str] = Counter()
    for path in sources:
        if not is_test(path) and not _ASIDE.search(path):
            counts[_inmost(path, folders) or _top(path)] += 1
    counts.pop("", None)
    return tuple(Package(path, count) for path, count in _most(counts, PACKAGES_MOST))


def _inmost(path: str, folders: Iterable[str]) -> str:
    parts = path.split("/")[:-1]
    known = set(folders)
    return next((found for size in range(len(parts), 0, -1) if (found := "/".join(parts[:size])) in known), "")


def _top(path: str) -> str:
    parts = path.split("/")[:-1]
    return "/".join(parts[:2] if parts[:1] in (["src"], ["lib"], ["app"], ["packages"], ["internal"]) else parts[:1])


def _entry_points(paths: Sequence[str], texts: Mapping[str, str]) -> tuple[EntryPoint, ...]:
    """What manifests declare first, then files that are named so, those near the root before others."""
    found = {(each.path, each.name): each for each in _declared(texts)}
    shallow = sorted((path for path in paths if not is_test(path)), key=lambda path: (path.count("/"), path))
    for path in shallow:
        how = next((how for pattern, how in _MAINS if pattern.search(path)), "")
        if how and not _ASIDE.search(path) and (path, None) not in found:
            found[path, None] = EntryPoint(path, how)
    return tuple(found.values())[:ENTRY_POINTS_MOST]


def _declared(texts: Mapping[str, str]) -> Iterator[EntryPoint]:
    for path, table in _tables(texts):
        project_ = _table(table.get("project"))
        poetry = _table(_table(table.get("tool")).get("poetry"))
        scripts = [*_table(project_.get("scripts")), *_table(poetry.get("scripts"))]
        yield from (EntryPoint(path, "script", name) for name in scripts)
        bins = table.get("bin")
        if isinstance(bins, dict):
            yield from (EntryPoint(path, "script", name) for name in bins)
        elif isinstance(bins, str):
            yield EntryPoint(path, "script", str(table.get("name") or bins))
        elif isinstance(bins, list):
            yield from (EntryPoint(path, "script", str(_table(each).get("name", ""))) for each in bins)


def _facts(texts: Mapping[str, str]) -> Iterator[Stated]:
    for path, table in _tables(texts):
        stated = _table(table.get("project")) or _table(table.get("package")) or table
        poetry = _table(_table(table.get("tool")).get("poetry"))
        for name, keys in (("title", ("name",)), ("description", ("description",)), ("version", ("version",))):
            value = next((each for key in keys for each in (stated.get(key), poetry.get(key)) if each), None)
            if isinstance(value, str):
                yield Stated(name, _line(value), path)
        needs = stated.get("requires-python") or _table(table.get("engines")).get("node") or stated.get("rust-version")
        if isinstance(needs, str):
            yield Stated("requires", _line(needs), path)
        license_ = stated.get("license")
        text = _table(license_).get("text") if isinstance(license_, dict) else license_
        if isinstance(text, str):
            yield Stated("license", _line(text), path)
    for path in sorted(texts, key=lambda path: (path.count("/"), path)):
        if path.endswith("go.mod"):
            found = re.search(r"^module\s+(\S+)", texts[path], re.MULTILINE)
            yield from [Stated("title", _line(found[1]), path)] if found else []
        elif _README.search(path):
            yield from _of_readme(path, texts[path])


def _of_readme(path: str, text: str) -> Iterator[Stated]:
    """Its title, and the first paragraph that is prose."""
    title = re.search(r"^#\s+(.+?)\s*#*$|^(\S.*)\n[=-]{3,}\s*$", text, re.MULTILINE)
    if title:
        yield Stated("title", _line(title[1] or title[2]), path)
    for block in re.split(r"\n\s*\n", text):
        rows = [row for row in block.splitlines() if row.strip()]
        if rows and len(block) > 30 and not any(_BADGE.match(row) for row in rows) and "```" not in block:
            yield Stated("description", _line(" ".join(rows)), path)
            return


def _tables(texts: Mapping[str, str]) -> Iterator[tuple[str, Mapping[str, object]]]:
    for path in sorted(texts, key=lambda path: (path.count("/"), path)):
        read = tomllib.loads if path.endswith(".toml") else json.loads if path.endswith(".json") else None
        if read is None:
            continue
        try:
            found: object = read(texts[path])
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            yield path, found


def _table(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _line(text: str) -> str:
    return cut(" ".join(text.split()), _VALUE_CHARS)
