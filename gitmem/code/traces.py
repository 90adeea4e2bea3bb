"""What a file that imports another must hold in its text: by it a search finds who may import a file before anybody is
parsed. Refuses to say that it does import it.
"""

from gitmem.code.imports import language_of
from gitmem.code.modules import Tracked
from gitmem.record import record

_ECMASCRIPT = ("js", "jsx", "mjs", "cjs", "ts", "mts", "cts", "tsx")
_ENDINGS = {"python": ("py", "pyi", "pyw"), "go": ("go",), "java": ("java",)}
ENDINGS = (*_ECMASCRIPT, *(ending for endings in _ENDINGS.values() for ending in endings))
_INITS = ("__init__", "index")


@record
class Traces:
    """A file may import what was asked for if it ends in one of ``endings``, and holds one of ``words`` or lies below
    ``folder``; None is no folder, '' the root."""

    words: tuple[str, ...]
    endings: tuple[str, ...]
    folder: str | None = None


def traces(path: str, known: Tracked) -> Traces:
    """Of the importers of the file at ``path``."""
    language = language_of(path)
    folder, _, name = path.rpartition("/")
    if language == "go":
        return Traces(_go_packages(folder, known), _ENDINGS["go"])
    if language == "java":
        package = folder.rpartition("/")[2]
        return Traces((_stem(name), f"{package}.*"), _ENDINGS["java"])
    endings = _ENDINGS.get(language, _ECMASCRIPT)
    stem = _stem(name)
    if stem not in _INITS:
        return Traces((stem,), endings)
    # Files below it name it by dots alone; whoever is elsewhere names its folder.
    return Traces(tuple(filter(None, (stem, folder.rpartition("/")[2]))), endings, folder)


def _stem(name: str) -> str:
    return name.removesuffix(".d.ts") if name.endswith(".d.ts") else name.rpartition(".")[0] or name


def _go_packages(folder: str, known: Tracked) -> tuple[str, ...]:
    """The import path of the package by each module that its folder lies in."""
    found = []
    for root, module in known.go_modules.items():
        if not root or folder == root or folder.startswith(f"{root}/"):
            rest = folder[len(root) :].strip("/")
            found.append(f"{module}/{rest}" if rest else module)
    return tuple(dict.fromkeys(found))
