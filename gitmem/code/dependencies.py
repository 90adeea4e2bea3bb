"""The packages that a manifest of a project names. Refuses to resolve a version, and to fail on a broken file."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator

_REQUIREMENT = re.compile(r"^\s*([A-Za-z0-9][\w.-]*)", re.MULTILINE)
_INDENTED = re.compile(r"^[ \t]+([A-Za-z0-9][\w.-]*)", re.MULTILINE)
_QUOTED = re.compile(r"[\"']([A-Za-z0-9][\w./-]*)(?:\[[^\]]*\])?\s*(?:[<>=!~;@ ][^\"']*)?[\"']")
_GO = re.compile(r"^\s*(?:require\s+)?([\w.-]+\.[\w-]+/\S+)\s+v", re.MULTILINE)
_GEM = re.compile(r"^\s*(?:gem|s\.add_\w*dependency|spec\.add_\w*dependency)\s*\(?\s*[\"']([\w-]+)[\"']", re.MULTILINE)
_LOCKED_GEM = re.compile(r"^ {4}([\w-]+) \(", re.MULTILINE)
_MAVEN = re.compile(r"<(?:groupId|artifactId)>\s*([\w.-]+)\s*</")
_GRADLE = re.compile(r"[\"']([\w.-]+)(?::([\w.-]+))?(?::[^\"'\n]*)?[\"']")
_DOTNET = re.compile(r"<(?:PackageReference|FrameworkReference)[^>]{0,200}?Include=\"([\w.-]+)\"|\bSdk=\"([\w.-]+)\"")
_PUB = re.compile(r"^(?:dev_)?dependencies:[ \t]*\n((?:[ \t]+.*\n|[ \t]*\n|#.*\n)*)", re.MULTILINE)
_PUB_NAME = re.compile(r"^ {2}([\w]+):", re.MULTILINE)
_NPM = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
_COMPOSER = ("require", "require-dev")
_TOML_TABLES = frozenset({"dependencies", "dev-dependencies", "packages", "dev-packages"})
_TOML_GROUPS = frozenset({"optional-dependencies", "dependency-groups"})
_LARGEST = 1 << 20
Reader = Callable[[str], Iterator[str]]


def named(path: str, text: str) -> frozenset[str]:
    """Names as the manifest writes them, lower case; none for a file that is no manifest."""
    read = _reader(path.rpartition("/")[2])
    return frozenset(name.lower() for name in read(text)) if read and len(text) <= _LARGEST else frozenset()


def is_manifest(path: str) -> bool:
    return _reader(path.rpartition("/")[2]) is not None


def _reader(name: str) -> Reader | None:
    return next((read for pattern, read in _READERS if pattern.fullmatch(name)), None)


def _keys(text: str, sections: tuple[str, ...]) -> Iterator[str]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return
    for section in sections if isinstance(found, dict) else ():
        rows = found.get(section)
        yield from (str(key) for key in rows) if isinstance(rows, dict) else ()


def _npm(text: str) -> Iterator[str]:
    return _keys(text, _NPM)


def _composer(text: str) -> Iterator[str]:
    return _keys(text, _COMPOSER)


def _tables(text: str) -> Iterator[tuple[str, str, object]]:
    """Every table and list of a TOML file, with the last part of the name of the one around it and of its own."""
    try:
        waiting: list[tuple[str, str, object]] = [("", "", tomllib.loads(text))]
    except (tomllib.TOMLDecodeError, RecursionError):
        return
    while waiting:
        around, name, value = waiting.pop()
        yield around, name, value
        if isinstance(value, dict):
            waiting += [(name, str(key), inner) for key, inner in value.items() if isinstance(inner, dict | list)]


def _toml(text: str) -> Iterator[str]:
    """Keys of tables of dependencies, and the requirements in lists of them and of groups of them."""
    for around, name, value in _tables(text):
        if isinstance(value, dict) and name in _TOML_TABLES:
            yield from value
        elif isinstance(value, list) and (name in _TOML_TABLES or around in _TOML_GROUPS):
            found = (_REQUIREMENT.match(row) for row in value if isinstance(row, str))
            yield from (match[1] for match in found if match)


def _matched(pattern: re.Pattern[str]) -> Reader:
    def read(text: str) -> Iterator[str]:
        for match in pattern.finditer(text):
            yield from filter(None, match.groups())

    return read


def _gradle(text: str) -> Iterator[str]:
    for group, artifact in _GRADLE.findall(text):
        yield group
        if artifact:
            yield from (artifact, f"{group}:{artifact}")


def _pub(text: str) -> Iterator[str]:
    for section in _PUB.findall(text):
        yield from _PUB_NAME.findall(section)


_READERS: tuple[tuple[re.Pattern[str], Reader], ...] = tuple(
    (re.compile(pattern), read)
    for pattern, read in (
        (r"package\.json", _npm),
        (r"composer\.json", _composer),
        (r"pyproject\.toml|Cargo\.toml|Pipfile|libs\.versions\.toml", _toml),
        (r"requirements[\w.-]*\.(?:txt|in)", _matched(_REQUIREMENT)),
        (r"setup\.py", _matched(_QUOTED)),
        (r"setup\.cfg", _matched(_INDENTED)),
        (r"go\.mod", _matched(_GO)),
        (r"Gemfile|[\w.-]+\.gemspec", _matched(_GEM)),
        (r"Gemfile\.lock", _matched(_LOCKED_GEM)),
        (r"pom\.xml", _matched(_MAVEN)),
        (r"(?:build|settings)\.gradle(?:\.kts)?", _gradle),
        (r"[\w.-]+\.(?:cs|fs|vb)proj|Directory\.Packages\.props", _matched(_DOTNET)),
        (r"pubspec\.yaml", _pub),
    )
)
