"""What a file that imports another must hold in its text: by it a search finds who may import a file before anybody is
parsed. Refuses to say that it does import it.
"""

from gitmem.code.imports import language_of
from gitmem.code.languages import Language, named, row_of
from gitmem.code.modules import Tracked
from gitmem.record import record

_ECMASCRIPT = ("js", "jsx", "mjs", "cjs", "ts", "mts", "cts", "tsx", "vue", "svelte", "astro")
_WITH_ECMASCRIPT = frozenset(("vue", "svelte", "astro"))
# Languages that import one another.
_FAMILIES = (
    *(("java", "kotlin"), ("c", "cpp"), ("php", "blade"), ("ruby", "erb"), ("csharp", "razor")),
    ("css", "scss", "less"),
)
# A file of this name stands for its folder.
_FOLDER_NAMES = frozenset(("mod", "lib", "main", "index", "_index"))
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
        return Traces((_stem(name), f"{package}.*"), (*_ENDINGS["java"], *_endings("kotlin")))
    row = row_of(path)
    if row is not None and not language and row.name not in _WITH_ECMASCRIPT:
        return _of_row(row, folder, _stem(name))
    endings = _ENDINGS.get(language, _ECMASCRIPT)
    stem = _stem(name)
    if stem not in _INITS:
        return Traces((stem,), endings)
    # Files below it name it by dots alone; whoever is elsewhere names its folder.
    return Traces(tuple(filter(None, (stem, folder.rpartition("/")[2]))), endings, folder)


def _of_row(row: Language, folder: str, stem: str) -> Traces:
    """Where modules go by packages, or by a folder, the name of the folder tells of them too."""
    parent = folder.rpartition("/")[2]
    is_of_folder = row.name in ("kotlin", "csharp", "swift") or stem in _FOLDER_NAMES
    words = (stem.lstrip("_"), *([parent] if is_of_folder and parent else []))
    family = next((family for family in _FAMILIES if row.name in family), (row.name,))
    return Traces(words, tuple(ending for name in family for ending in _endings(name)))


def _endings(language: str) -> tuple[str, ...]:
    row = named(language)
    return row.endings if row else ()


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
