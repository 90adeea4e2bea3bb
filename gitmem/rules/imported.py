"""Whether an import is of a module that a rule names. Refuses to read source code, and to look for files."""

import posixpath
from collections.abc import Iterator

from gitmem.model.imports import Import

# What goes from a module to what is in it; elsewhere a slash does, and a dot is part of a name.
_SIGNS = dict.fromkeys(("py", "pyi", "java", "kt", "kts", "scala", "cs", "groovy", "swift", "razor", "cshtml"), ".")
_SIGNS |= {"rs": "::", "php": "\\"}
_PYTHON = frozenset({"py", "pyi"})
_ROOTS = frozenset({"src", "lib", "python"})


def spelled(path: str, found: Import) -> frozenset[str]:
    """The ways to name what an import in the file ``path`` brings in: as written, by its names, from the root."""
    extension = path.rpartition(".")[2]
    sign = _SIGNS.get(extension, "")
    written = {found.module.lstrip("\\"), *_from_root(path, found.module)}
    if sign:
        written |= {
            f"{module.removesuffix(sign)}{sign}{name}".lstrip(sign) for module in tuple(written) for name in found.names
        }
    return frozenset(written)


def is_of(path: str, named: frozenset[str], wanted: str) -> bool:
    """Whether one of the spellings is ``wanted``, lies in it, or begins as it does where it ends with a star."""
    if wanted.endswith("*"):
        return any(each.startswith(wanted.rstrip("*")) for each in named)
    sign = _SIGNS.get(path.rpartition(".")[2], "/")
    return any(each == wanted or each.startswith((f"{wanted}{sign}", f"{wanted}/")) for each in named)


def _from_root(path: str, module: str) -> Iterator[str]:
    """A relative import as the absolute one that it stands for."""
    if not module.startswith("."):
        return
    folder = posixpath.dirname(path)
    if path.rpartition(".")[2] not in _PYTHON:
        yield posixpath.normpath(posixpath.join(folder, module))
        return
    bare = module.lstrip(".")
    parts = folder.split("/") if folder else []
    parts = parts[: len(parts) - (len(module) - len(bare) - 1)]
    whole = [*parts, *([bare] if bare else [])]
    yield ".".join(whole)
    if whole[:1] and whole[0] in _ROOTS:
        yield ".".join(whole[1:])
