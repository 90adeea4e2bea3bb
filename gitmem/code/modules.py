"""From an import to the tracked files that it reaches, one hop. Refuses to read: it knows paths and texts of go.mod.

What no file of the repository answers to reaches nothing: a library, or a name that is made when the program runs.
"""

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from gitmem.code.imports import language_of
from gitmem.model.imports import Import
from gitmem.record import record

# In the order in which a bundler tries them; the first that is there is meant.
_ENDINGS = (
    *(".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"),
    *(".json", ".vue", ".svelte", ".astro"),
)
# What TypeScript writes for the file that it will become, and the files that it may be made from.
_WRITTEN_FOR = {
    ".js": (".ts", ".tsx", ".d.ts"),
    ".jsx": (".tsx",),
    ".mjs": (".mts", ".d.mts"),
    ".cjs": (".cts", ".d.cts"),
}
_PACKAGE, _STUB = "__init__.py", "__init__.pyi"
# Where the packages of a project may lie, from its folder.
_SOURCE_FOLDERS = ("", "src", "lib")
_NO_TEXTS: Mapping[str, str] = MappingProxyType({})


@record
class Tracked:
    """The paths of a tree as resolving needs them: all, by file name, by folder; ``go_modules`` is the path of each
    Go module by the folder of its go.mod."""

    paths: frozenset[str]
    by_name: Mapping[str, tuple[str, ...]]
    by_folder: Mapping[str, tuple[str, ...]]
    go_modules: Mapping[str, str]


def tracked(paths: Iterable[str], go_mods: Mapping[str, str] = _NO_TEXTS) -> Tracked:
    """``go_mods`` has the text of each go.mod by its path."""
    by_name: dict[str, list[str]] = {}
    by_folder: dict[str, list[str]] = {}
    known = sorted(set(paths))
    for path in known:
        folder, _, name = path.rpartition("/")
        by_name.setdefault(name, []).append(path)
        by_folder.setdefault(folder, []).append(path)
    modules = {path.rpartition("/")[0]: module for path, text in go_mods.items() if (module := go_module(text))}
    return Tracked(frozenset(known), _frozen(by_name), _frozen(by_folder), modules)


def _frozen(rows: Mapping[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {key: tuple(paths) for key, paths in rows.items()}


def go_module(text: str) -> str:
    """The path that a go.mod declares, '' when it declares none."""
    for line in text.splitlines():
        words = line.partition("//")[0].split()
        if len(words) == 2 and words[0] == "module":
            return words[1].strip('"`')
    return ""


def reached(path: str, found: Import, known: Tracked) -> tuple[str, ...]:
    """The tracked files that the import in the file at ``path`` reaches, sorted; () for what is not of this tree."""
    resolve = _RESOLVERS.get(language_of(path))
    return tuple(sorted(set(resolve(path, found, known)))) if resolve else ()


def _python(path: str, found: Import, known: Tracked) -> Iterator[str]:
    """The module, and each submodule that is taken from it; its ``__init__`` when anything else is."""
    for root in _roots(path, found, known):
        inner = "/".join([*root, *filter(None, found.module.lstrip(".").split("."))])
        module = list(_python_files(inner, known))
        submodules = {name: list(_python_files(f"{inner}/{name}", known)) for name in found.names}
        taken = [file for files in submodules.values() for file in files]
        if module or taken:
            is_module_used = not found.names or any(not files for files in submodules.values())
            yield from taken
            yield from module if is_module_used else ()
            return


def _roots(path: str, found: Import, known: Tracked) -> Iterator[list[str]]:
    """The folders in which the first part of the module is looked for, the likeliest first."""
    folders = path.split("/")[:-1]
    dots = len(found.module) - len(found.module.lstrip("."))
    if dots:
        if dots - 1 <= len(folders):
            yield folders[: len(folders) - dots + 1]
        return
    for depth in range(len(folders), -1, -1):
        for below in _SOURCE_FOLDERS:
            root = [*folders[:depth], *([below] if below else [])]
            if not _is_package(root, known):
                yield root
    yield from _elsewhere(found.module.split("."), known)


def _is_package(root: list[str], known: Tracked) -> bool:
    return bool(root) and "/".join([*root, _PACKAGE]) in known.paths


def _elsewhere(parts: list[str], known: Tracked) -> Iterator[list[str]]:
    """The one folder elsewhere in the tree that has the package, where there is only one: a project of a monorepo."""
    inits = (path.split("/") for path in known.by_name.get(_PACKAGE, ()))
    roots = [init[:-2] for init in inits if init[-2:-1] == parts[:1] and not _is_package(init[:-2], known)]
    if len(roots) == 1:
        yield roots[0]


def _python_files(stem: str, known: Tracked) -> Iterator[str]:
    """The package of that path, else the module; a stub beside either counts."""
    package = [file for name in (_PACKAGE, _STUB) if (file := f"{stem}/{name}".lstrip("/")) in known.paths]
    yield from package or (file for ending in (".py", ".pyi") if (file := f"{stem}{ending}".lstrip("/")) in known.paths)


def _ecmascript(path: str, found: Import, known: Tracked) -> Iterator[str]:
    module = found.module.partition("?")[0]
    if module.split("/")[0] not in (".", ".."):
        return
    base = posixpath.normpath(posixpath.join(posixpath.dirname(path), module))
    if base.split("/")[0] == "..":
        return
    base = "" if base == "." else base
    is_folder = module.endswith(("/", "/.", "/..")) or module in (".", "..")
    meant = next((file for file in _guesses(base, is_folder=is_folder) if file in known.paths), "")
    if meant:
        yield meant


def _guesses(base: str, *, is_folder: bool) -> Iterator[str]:
    if not is_folder:
        yield base
        stem, ending = posixpath.splitext(base)
        yield from (stem + other for other in _WRITTEN_FOR.get(ending, ()))
        yield from (base + other for other in _ENDINGS)
    index = f"{base}/index" if base else "index"
    yield from (index + ending for ending in _ENDINGS)


def _go(_path: str, found: Import, known: Tracked) -> Iterator[str]:
    """Every file of the package but its tests: an import is of the package as a whole."""
    owners = [
        (module, folder)
        for folder, module in known.go_modules.items()
        if found.module == module or found.module.startswith(f"{module}/")
    ]
    if owners:
        module, folder = max(owners, key=lambda owner: (len(owner[0]), owner[1]))
        rest = found.module[len(module) :].strip("/")
        inside = "/".join(part for part in (folder, rest) if part)
        files = known.by_folder.get(inside, ())
        yield from (file for file in files if file.endswith(".go") and not file.endswith("_test.go"))


def _java(path: str, found: Import, known: Tracked) -> Iterator[str]:
    """The file of the class, or of the class that it is nested in; with ``*`` also every class of the package."""
    parts = found.module.split(".")
    outer = [count for count in range(len(parts) - 1, 0, -1) if parts[count - 1][:1].isupper()]
    for count in (len(parts), *outer):
        wanted = "/".join(parts[:count]) + ".java"
        files = known.by_name.get(f"{parts[count - 1]}.java", ())
        fits = [file for file in files if file == wanted or file.endswith(f"/{wanted}")]
        if fits:
            yield from _nearest(path, fits)
            return
    if "*" in found.names:
        package = "/".join(parts)
        for folder, files in known.by_folder.items():
            if folder == package or folder.endswith(f"/{package}"):
                yield from (file for file in files if file.endswith(".java"))


def _nearest(path: str, files: list[str]) -> list[str]:
    """Of files that all fit, those with the most folders in common with the one that imports."""
    shared = {file: _shared(path, file) for file in files}
    most = max(shared.values())
    return [file for file, count in shared.items() if count == most]


def _shared(first: str, second: str) -> int:
    common = posixpath.commonpath([first, second])
    return len(common.split("/")) if common else 0


_RESOLVERS = {
    "python": _python,
    "javascript": _ecmascript,
    "typescript": _ecmascript,
    "tsx": _ecmascript,
    "go": _go,
    "java": _java,
}
