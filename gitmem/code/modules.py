"""From an import to the tracked files that it reaches, one hop. Refuses to read: it knows paths and manifests.

What no file of the repository answers to reaches nothing: a library, or a name that is made when the program runs.
"""

import posixpath
from collections.abc import Iterator

from gitmem.code import languages, packages
from gitmem.code.manifests import Alias, Package
from gitmem.code.manifests import go_module as go_module
from gitmem.code.tracked import Tracked as Tracked
from gitmem.code.tracked import nearest
from gitmem.code.tracked import tracked as tracked
from gitmem.model.imports import Import

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


def reached(path: str, found: Import, known: Tracked) -> tuple[str, ...]:
    """The tracked files that the import in the file at ``path`` reaches, sorted; () for what is not of this tree."""
    row = languages.row_of(path)
    resolve = _RESOLVERS.get(row.name) if row else None
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
    yield from (source.split("/") if source else [] for source in known.manifests.sources)
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
        yield from _named(path, module, known)
        return
    base = posixpath.normpath(posixpath.join(posixpath.dirname(path), module))
    is_folder = module.endswith(("/", "/.", "/..")) or module in (".", "..")
    meant = _meant(base, known, is_folder=is_folder)
    if meant:
        yield meant


def _meant(base: str, known: Tracked, *, is_folder: bool = False) -> str:
    """The file that a path without its ending stands for, '' for none."""
    if base.split("/")[0] == "..":
        return ""
    base = "" if base == "." else base
    return next((file for file in _guesses(base, is_folder=is_folder) if file in known.paths), "")


def _named(path: str, module: str, known: Tracked) -> Iterator[str]:
    """By an alias of the nearest configuration that has one, else by the package of that name in this tree."""
    for alias in known.manifests.aliases:
        if not alias.folder or path.startswith(f"{alias.folder}/"):
            meant = next((file for base in _aliased(alias, module) if (file := _meant(base, known))), "")
            if meant:
                yield meant
                return
    parts = module.split("/")
    name = "/".join(parts[: 2 if module.startswith("@") else 1])
    package = known.manifests.packages.get(name)
    if package:
        meant = next((file for base in _entries(package, module[len(name) :]) if (file := _meant(base, known))), "")
        yield from [meant] if meant else []


def _aliased(alias: Alias, module: str) -> Iterator[str]:
    before, star, after = alias.pattern.partition("*")
    if star and module.startswith(before) and module.endswith(after) and len(module) >= len(before) + len(after):
        inner = module[len(before) : len(module) - len(after)]
        yield from (posixpath.normpath(target.replace("*", inner, 1)) for target in alias.targets)
    elif module == alias.pattern:
        yield from alias.targets


def _entries(package: Package, rest: str) -> Iterator[str]:
    """Where a package hands out its inside: what it says, then where the sources of what is built usually lie."""
    yield from package.entries.get(f".{rest}", ())
    for inner in (rest or "/index", f"/src{rest or '/index'}", f"/lib{rest or '/index'}"):
        yield f"{package.folder}{inner}".lstrip("/")


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
            yield from nearest(path, fits)
            return
    if "*" in found.names:
        package = "/".join(parts)
        for folder, files in known.by_folder.items():
            if folder == package or folder.endswith(f"/{package}"):
                yield from (file for file in files if file.endswith(".java"))


_RESOLVERS = {
    "python": _python,
    "javascript": _ecmascript,
    "typescript": _ecmascript,
    "tsx": _ecmascript,
    "vue": _ecmascript,
    "svelte": _ecmascript,
    "astro": _ecmascript,
    "go": _go,
    "java": _java,
    "rust": packages.rust,
    "kotlin": packages.kotlin,
    "php": packages.php,
    "ruby": packages.ruby,
    "dart": packages.dart,
    "c": packages.c,
    "cpp": packages.c,
}
