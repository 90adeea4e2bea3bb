"""What the front of a package hands on of the files behind it, and who takes it there. Refuses to read any file."""

import re

from gitmem.code.imports import language_of
from gitmem.model.imports import Import

# By these names a package, or a folder, is imported as a whole.
_FRONTS = {"python": ("__init__",), "javascript": ("index",), "typescript": ("index",), "tsx": ("index",)}
_WORD = re.compile(r"[\w$]+")
_ALL, _DEFAULT = "*", "default"

# None for any name.
Names = frozenset[str] | None


def is_front(path: str) -> bool:
    """Whether the file stands for its folder: ``__init__.py``, ``index.ts`` and the like."""
    return _stem(path) in _FRONTS.get(language_of(path), ())


def hands_on_all(found: Import) -> bool:
    """Whether a front that imports so need not know what it hands on."""
    return _ALL in found.names


def handed_on(found: Import, path: str, names: Names = None) -> Names:
    """What a front may hand on that imports the file at ``path`` so; ``names`` are what is meant of that file.

    A module itself is not handed on: whoever takes it from the front reaches it. A default export has the name of its
    file, as far as can be told.
    """
    if hands_on_all(found):
        return names
    stem = _stem(path)
    own = frozenset(stem if name == _DEFAULT else name for name in found.names)
    own -= {stem} if language_of(path) == "python" else set()
    return own if names is None else own & names


def is_whole(found: Import) -> bool:
    """Whether no name says what is taken."""
    return not found.names or _ALL in found.names


def takes(found: Import, names: Names, held: Names, text: str) -> bool:
    """Whether an import takes some of ``names``.

    One that takes the whole is of a file that must hold such a name: ``held`` are those that it does. Where any name is
    meant, what is taken must stand in ``text``, that of the file behind it; '' where that is not known.
    """
    if is_whole(found):
        return names is None or held is None or not names.isdisjoint(held)
    if names is None:
        return not text or any(name in text for name in found.names)
    return not names.isdisjoint(found.names)


def held(text: str, names: frozenset[str]) -> frozenset[str]:
    """Those of the names that stand in a text as words of their own."""
    return names.intersection(_WORD.findall(text))


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]
