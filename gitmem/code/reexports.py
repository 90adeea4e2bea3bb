"""What the front of a package hands on of the files behind it, and who takes it there. Refuses to read any file."""

from gitmem.code.extract import language_of
from gitmem.model.imports import Import

# By these names a package, or a folder, is imported as a whole.
_FRONTS = {"python": ("__init__",), "javascript": ("index",), "typescript": ("index",), "tsx": ("index",)}
_ALL, _DEFAULT = "*", "default"

# None for any name.
Names = frozenset[str] | None


def is_front(path: str) -> bool:
    """Whether the file stands for its folder: ``__init__.py``, ``index.ts`` and the like."""
    return _stem(path) in _FRONTS.get(language_of(path), ())


def handed_on(found: Import, path: str, names: Names = None) -> Names:
    """What a front may hand on that imports the file at ``path`` so; ``names`` are what is meant of that file.

    A module itself is not handed on: whoever takes it from the front reaches it. A default export has the name of its
    file, as far as can be told.
    """
    if _ALL in found.names:
        return names
    stem = _stem(path)
    own = frozenset(stem if name == _DEFAULT else name for name in found.names)
    own -= {stem} if language_of(path) == "python" else set()
    return own if names is None else own & names


def takes(found: Import, names: Names, *, holds_name: bool, text: str) -> bool:
    """Whether an import takes some of ``names``.

    One that takes the whole is of a file that holds such a name, or not: ``holds_name``. Where any name is meant, what
    is taken must stand in ``text``, that of the file behind it; '' where that is not known.
    """
    if not found.names or _ALL in found.names:
        return names is None or holds_name
    if names is None:
        return not text or any(name in text for name in found.names)
    return not names.isdisjoint(found.names)


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]
