"""Where imports lead in languages whose modules are crates, namespaces, packages and headers. Refuses to read files."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from gitmem.code.tracked import Tracked, nearest
from gitmem.model.imports import Import

_RUST_ROOTS = ("lib.rs", "main.rs")


def rust(path: str, found: Import, known: Tracked) -> Iterator[str]:
    """The file of the module, or of the module that holds the item."""
    parts = [*filter(None, found.module.split("::")), *(name for name in found.names if name not in ("*", "self"))]
    start = _rust_start(path, parts, known)
    if start is None:
        return
    folder, rest, whole = start
    for count in range(len(rest), -1, -1):
        stem = "/".join(filter(None, (folder, *rest[:count])))
        tried = (f"{stem}.rs", f"{stem}/mod.rs") if count else whole
        meant = [file for file in tried if file in known.paths]
        if meant:
            yield meant[0]
            return


def _rust_start(path: str, parts: list[str], known: Tracked) -> tuple[str, list[str], tuple[str, ...]] | None:
    """The folder that the rest of the parts is looked for in, and the files that the folder itself may stand for."""
    if not parts:
        return None
    folder, _, name = path.rpartition("/")
    own = folder if name in (*_RUST_ROOTS, "mod.rs") else f"{folder}/{name.removesuffix('.rs')}".lstrip("/")
    first, rest = parts[0], parts[1:]
    if first == "crate":
        root = _crate_folder(folder, known)
        return None if root is None else (root, rest, _roots(root))
    if first in ("self", "super"):
        while first == "super":
            own = own.rpartition("/")[0]
            first, rest = (rest[0], rest[1:]) if rest and rest[0] == "super" else ("", rest)
        return own, rest, (f"{own}.rs", f"{own}/mod.rs", *_roots(own))
    crate = known.manifests.crates.get(first)
    if crate is not None:
        root = f"{crate}/src".lstrip("/")
        return root, rest, _roots(root)
    is_child = any(file in known.paths for file in (f"{own}/{first}.rs", f"{own}/{first}/mod.rs"))
    return (own, parts, ()) if is_child else None


def _roots(folder: str) -> tuple[str, ...]:
    return tuple(f"{folder}/{name}".lstrip("/") for name in _RUST_ROOTS)


def _crate_folder(folder: str, known: Tracked) -> str | None:
    while True:
        if any(file in known.paths for file in _roots(folder)):
            return folder
        if not folder:
            return None
        folder = folder.rpartition("/")[0]


def kotlin(path: str, found: Import, known: Tracked) -> Iterator[str]:
    """The file of the class; for a function, and with ``*``, every file of the package."""
    parts = [*found.module.split("."), *(name for name in found.names if name != "*")]
    for ending in (".kt", ".java"):
        for count in range(len(parts), 0, -1):
            wanted = "/".join(parts[:count]) + ending
            files = known.by_name.get(parts[count - 1] + ending, ())
            fits = [file for file in files if file == wanted or file.endswith(f"/{wanted}")]
            if fits:
                yield from nearest(path, fits)
                return
    package = "/".join(parts if "*" in found.names else parts[:-1])
    for folder, files in known.by_folder.items():
        if package and (folder == package or folder.endswith(f"/{package}")):
            yield from (file for file in files if file.endswith((".kt", ".kts")))


def php(path: str, found: Import, known: Tracked) -> Iterator[str]:
    """By PSR-4 of composer.json; a file that is required lies beside this one."""
    if found.module.endswith(".php"):
        yield from _beside(path, found.module.lstrip("/"), known)
        return
    name = "\\".join([found.module.strip("\\"), *(each for each in found.names if each != "*")]).strip("\\")
    for prefix, folder in known.manifests.namespaces:
        if prefix and not (name == prefix or name.startswith(f"{prefix}\\")):
            continue
        rest = name[len(prefix) :].strip("\\").replace("\\", "/")
        file = posixpath.normpath(f"{folder}/{rest}.php").lstrip("/")
        if file in known.paths:
            yield file
            return


def ruby(path: str, found: Import, known: Tracked) -> Iterator[str]:
    """A file beside this one, else the one below a ``lib`` or ``app`` folder."""
    module = found.module if found.module.endswith(".rb") else f"{found.module}.rb"
    beside = list(_beside(path, module, known))
    if beside and (module.startswith(".") or "/" not in module):
        yield from beside
        return
    yield from _ending(path, module, known) or beside


def dart(path: str, found: Import, known: Tracked) -> Iterator[str]:
    scheme, _, rest = found.module.partition(":")
    if scheme == "package":
        package, _, inner = rest.partition("/")
        folder = known.manifests.pubs.get(package)
        file = f"{folder}/lib/{inner}".lstrip("/") if folder is not None else ""
        yield from [file] if file in known.paths else []
    elif not rest:
        yield from _beside(path, found.module, known)


def c(path: str, found: Import, known: Tracked) -> Iterator[str]:
    """A header beside this file, else the one whose path ends so, where only one is nearest."""
    module = found.module.strip("<>\"' ")
    beside = list(_beside(path, module, known))
    yield from beside or _ending(path, module, known)


def _beside(path: str, module: str, known: Tracked) -> Iterator[str]:
    file = posixpath.normpath(posixpath.join(posixpath.dirname(path), module))
    if file in known.paths:
        yield file


def _ending(path: str, module: str, known: Tracked) -> list[str]:
    module = posixpath.normpath(module).lstrip("/")
    files = known.by_name.get(module.rpartition("/")[2], ())
    found = nearest(path, [file for file in files if file == module or file.endswith(f"/{module}")])
    return found if len(found) == 1 else []
