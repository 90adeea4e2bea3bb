"""What the manifests of a tree say about where imports lead. Refuses to resolve one, and to fail on a broken file."""

from __future__ import annotations

import json
import posixpath
import re
import tomllib
from collections.abc import Iterator, Mapping

from gitmem.record import field, record

_NAMES = frozenset(("go.mod", "composer.json", "package.json", "jsconfig.json", "pyproject.toml", "setup.cfg"))
_OTHER_NAMES = frozenset(("Cargo.toml", "pubspec.yaml"))
_TSCONFIG = re.compile(r"tsconfig(\.[\w-]+)?\.json")
# What stands in quotes is kept, comments and a comma before a bracket are not.
_LOOSE = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/|,(?=\s*[}\]])', re.DOTALL)
_DART_NAME = re.compile(r"^name:\s*['\"]?([\w-]+)", re.MULTILINE)
_CARGO_NAME = re.compile(r"^\[(?:package|lib)\][^\[]*?^name\s*=\s*\"([\w-]+)\"", re.MULTILINE | re.DOTALL)
_SETUP_WHERE = re.compile(r"^\s*where\s*=\s*(\S+)|^\s*=\s*(\S+)\s*$", re.MULTILINE)
_LARGEST = 1 << 20
_ROWS_MOST = 2_000


@record
class Alias:
    """In files below ``folder``, an import that fits ``pattern``, with one star, may lead to each of ``targets``."""

    folder: str
    pattern: str
    targets: tuple[str, ...]


@record
class Package:
    """``entries`` are the files by the part of the import after the package's name, '.' for none."""

    folder: str
    entries: Mapping[str, tuple[str, ...]]


@record
class Manifests:
    """``go_modules`` has the path of each Go module by its folder, ``packages`` those of npm by name, ``namespaces``
    prefixes of PHP with a folder each, ``sources`` folders in which Python packages lie, ``crates`` and ``pubs`` the
    folders of Rust and Dart packages by name."""

    go_modules: Mapping[str, str] = field(default_factory=dict)
    aliases: tuple[Alias, ...] = ()
    packages: Mapping[str, Package] = field(default_factory=dict)
    namespaces: tuple[tuple[str, str], ...] = ()
    sources: tuple[str, ...] = ()
    crates: Mapping[str, str] = field(default_factory=dict)
    pubs: Mapping[str, str] = field(default_factory=dict)


def is_manifest(path: str) -> bool:
    name = path.rpartition("/")[2]
    return name in _NAMES or name in _OTHER_NAMES or _TSCONFIG.fullmatch(name) is not None


def manifests(texts: Mapping[str, str]) -> Manifests:
    """``texts`` has the text of each manifest by its path."""
    go_modules: dict[str, str] = {}
    aliases: list[Alias] = []
    packages: dict[str, Package] = {}
    namespaces: list[tuple[str, str]] = []
    sources: list[str] = []
    crates: dict[str, str] = {}
    pubs: dict[str, str] = {}
    for path in sorted(texts, key=lambda path: (path.count("/"), path)):
        folder, _, name = path.rpartition("/")
        text = texts[path][:_LARGEST]
        if name == "go.mod" and (module := go_module(text)):
            go_modules[folder] = module
        elif name == "package.json":
            _add_package(packages, aliases, folder, _table(_json(text)))
        elif name == "composer.json":
            namespaces += _namespaces(folder, _table(_json(text)))
        elif name == "pyproject.toml":
            sources += _sources(folder, _toml(text))
        elif name == "setup.cfg":
            sources += [_joined(folder, found[1] or found[2]) for found in _SETUP_WHERE.finditer(text)]
        elif name == "Cargo.toml" and (found := _CARGO_NAME.search(text)):
            crates.setdefault(found[1].replace("-", "_"), folder)
        elif name == "pubspec.yaml" and (found := _DART_NAME.search(text)):
            pubs.setdefault(found[1], folder)
        elif name == "jsconfig.json" or _TSCONFIG.fullmatch(name):
            aliases += _aliases(folder, _table(_table(_json(text)).get("compilerOptions")))
    aliases.sort(key=lambda alias: (-len(alias.folder), -len(alias.pattern), alias.pattern))
    namespaces.sort(key=lambda row: (-len(row[0]), row))
    return Manifests(
        go_modules,
        tuple(aliases[:_ROWS_MOST]),
        packages,
        tuple(namespaces),
        tuple(dict.fromkeys(sources)),
        crates,
        pubs,
    )


def go_module(text: str) -> str:
    """The path that a go.mod declares, '' when it declares none."""
    for line in text.splitlines():
        words = line.partition("//")[0].split()
        if len(words) == 2 and words[0] == "module":
            return words[1].strip('"`')
    return ""


def _json(text: str) -> object:
    try:
        found: object = json.loads(_LOOSE.sub(_kept, text.lstrip("\ufeff")))
    except (ValueError, RecursionError):
        return None
    return found


def _kept(match: re.Match[str]) -> str:
    return match[0] if match[0].startswith('"') else ""


def _toml(text: str) -> Mapping[str, object]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def _table(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _texts(value: object) -> tuple[str, ...]:
    """Every text in a value of texts, lists and tables, in their order."""
    found: list[str] = []
    left = [value]
    while left and len(found) < _ROWS_MOST:
        one = left.pop()
        if isinstance(one, str):
            found.append(one)
        elif isinstance(one, (list, dict)):
            left += reversed(list(one.values() if isinstance(one, dict) else one))
    return tuple(found)


def _joined(folder: str, path: str) -> str:
    """The path from the root of the tree, '' for the root itself; what leads out of it is as good as nothing."""
    found = posixpath.normpath(posixpath.join(folder, path.lstrip("/") or "."))
    return "" if found == "." else found


def _add_package(
    packages: dict[str, Package], aliases: list[Alias], folder: str, manifest: Mapping[str, object]
) -> None:
    for pattern, target in _table(manifest.get("imports")).items():
        aliases.append(Alias(folder, pattern, tuple(_joined(folder, each) for each in _texts(target))))
    name = manifest.get("name")
    if not isinstance(name, str) or not name or name in packages:
        return
    exports = manifest.get("exports")
    table = _table(exports)
    entries: dict[str, tuple[str, ...]] = {}
    if exports is not None and not any(key.startswith(".") for key in table):
        entries["."] = tuple(_joined(folder, each) for each in _texts(exports))
    for key, value in table.items():
        if key.startswith("."):
            entries[key] = tuple(_joined(folder, each) for each in _texts(value))
    mains = [_joined(folder, one) for key in ("source", "types", "module", "main") for one in _texts(manifest.get(key))]
    entries["."] = (*entries.get(".", ()), *mains)
    packages[name] = Package(folder, entries)


def _namespaces(folder: str, manifest: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    for part in ("autoload", "autoload-dev"):
        for style in ("psr-4", "psr-0"):
            for prefix, targets in _table(_table(manifest.get(part)).get(style)).items():
                inner = prefix.strip("\\").replace("\\", "/") if style == "psr-0" else ""
                for target in _texts(targets):
                    yield prefix.strip("\\"), _joined(folder, posixpath.join(target, inner))


def _aliases(folder: str, options: Mapping[str, object]) -> Iterator[Alias]:
    base = options.get("baseUrl")
    root = _joined(folder, base) if isinstance(base, str) else folder
    for pattern, targets in _table(options.get("paths")).items():
        yield Alias(folder, pattern, tuple(_joined(root, each) for each in _texts(targets)))
    if isinstance(base, str):
        yield Alias(folder, "*", (_joined(root, "*"),))


def _sources(folder: str, manifest: Mapping[str, object]) -> Iterator[str]:
    """Where setuptools, hatch, poetry, pdm and pytest are told that packages lie."""
    tool = _table(manifest.get("tool"))
    setuptools = _table(tool.get("setuptools"))
    found = [*_texts(_table(setuptools.get("package-dir"))), *_texts(_find(setuptools).get("where"))]
    packages = _table(tool.get("poetry")).get("packages")
    found += (
        [text for row in packages if isinstance(packages, list) for text in _texts(_table(row).get("from"))]
        if (isinstance(packages, list))
        else []
    )
    hatch = _table(_table(_table(_table(tool.get("hatch")).get("build")).get("targets")).get("wheel"))
    found += [posixpath.dirname(each) for each in _texts(hatch.get("packages"))]
    found += _texts(_table(_table(tool.get("pytest")).get("ini_options")).get("pythonpath"))
    yield from (_joined(folder, each) for each in found)


def _find(setuptools: Mapping[str, object]) -> Mapping[str, object]:
    return _table(_table(setuptools.get("packages")).get("find"))
