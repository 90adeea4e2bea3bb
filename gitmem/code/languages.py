"""The languages that are read, one row each with a query file beside it. Refuses to read any."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from gitmem.record import record

CODE, TEMPLATE, STYLE, MARKUP, CONFIG, SQL = "code", "template", "style", "markup", "config", "sql"
_QUERIES = Path(__file__).parent.parent / "data" / "queries"


@record
class Part:
    """What a query or a fence calls ``word`` is in ``language``; all such parts of a file are read as one text, between
    ``before`` and ``after``, with ``mark`` over what stands before each. No language is a part that is not to be
    read."""

    word: str
    language: str = ""
    before: str = ""
    after: str = ""
    mark: str = ""


@record
class Fence:
    """A part called ``word`` is group 1 of ``begin`` to the next ``end``; where ``begin`` ends with a bracket, to the
    bracket that closes it. Without ``end``, it is group 1 alone."""

    word: str
    begin: str
    end: str = ""


@record
class Language:
    """``grammar`` is the name in the language pack, ``endings`` are without their first dot, ``names`` whole file
    names; ``query`` names the files under ``data/queries``, with blanks between, where one of its own name is not all;
    ``own`` are the words by which a method calls what it is called on, which are no parameters. ``comment`` is what
    begins and ends one, '' the end of the line. ``called`` are the words by which other files name the language;
    ``parts`` say how what stands in other languages is read, ``fences`` where that is which no grammar shows."""

    name: str
    grammar: str
    endings: tuple[str, ...]
    names: tuple[str, ...] = ()
    query: str = ""
    separator: str = "."
    kind: str = CODE
    own: tuple[str, ...] = ()
    comment: tuple[str, str] = ("/*", "*/")
    called: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    fences: tuple[Fence, ...] = ()


ROWS = (
    Language("python", "python", ("py", "pyi", "pyw"), own=("self", "cls"), comment=("#", "")),
    Language(
        "typescript",
        "typescript",
        ("ts", "mts", "cts"),
        query="ecmascript typescript",
        own=("this",),
        called=("text/typescript",),
    ),
    Language("tsx", "tsx", ("tsx",), query="ecmascript typescript jsx", own=("this",)),
    Language(
        "javascript",
        "javascript",
        ("js", "jsx", "mjs", "cjs"),
        query="ecmascript javascript jsx",
        called=("module", "text/javascript", "application/javascript", "text/babel", "text/jsx"),
    ),
    Language("go", "go", ("go",)),
    Language("rust", "rust", ("rs",), separator="::", own=("self",)),
    Language("java", "java", ("java",)),
    Language("kotlin", "kotlin", ("kt", "kts")),
    Language("csharp", "csharp", ("cs",)),
    Language("php", "php", ("php", "phtml"), separator="\\"),
    Language("ruby", "ruby", ("rb", "rake", "gemspec"), ("Rakefile", "Gemfile"), separator="::", comment=("#", "")),
    Language("swift", "swift", ("swift",)),
    Language("dart", "dart", ("dart",)),
    Language("c", "c", ("c", "h"), own=("void",)),
    Language("cpp", "cpp", ("cc", "cpp", "cxx", "hpp", "hh", "hxx", "ipp"), separator="::", own=("void",)),
    Language("vue", "vue", ("vue",), kind=TEMPLATE, comment=("<!--", "-->")),
    Language("svelte", "svelte", ("svelte",), kind=TEMPLATE, comment=("<!--", "-->")),
    Language("astro", "astro", ("astro",), kind=TEMPLATE, comment=("<!--", "-->")),
    Language("razor", "html", ("cshtml", "razor"), kind=TEMPLATE, comment=("@*", "*@")),
    Language("twig", "twig", ("twig",), kind=TEMPLATE, comment=("{#", "#}")),
    Language("blade", "html", ("blade.php",), kind=TEMPLATE, comment=("{{--", "--}}")),
    Language("erb", "embeddedtemplate", ("erb",), kind=TEMPLATE, comment=("<%#", "%>")),
    Language("html", "html", ("html", "htm", "xhtml"), kind=MARKUP, comment=("<!--", "-->")),
    Language("svg", "html", ("svg",), kind=MARKUP, comment=("<!--", "-->")),
    Language("css", "css", ("css",), kind=STYLE, called=("text/css", "postcss", "pcss")),
    Language("scss", "scss", ("scss",), kind=STYLE),
    Language("less", "scss", ("less",), kind=STYLE),
    Language("sql", "sql", ("sql",), kind=SQL, comment=("--", "")),
    Language("yaml", "yaml", ("yaml", "yml"), kind=CONFIG, comment=("#", "")),
    Language("json", "json", ("json",), kind=CONFIG),
    Language("toml", "toml", ("toml",), kind=CONFIG, comment=("#", "")),
)


@cache
def _by_ending() -> dict[str, Language]:
    return {ending: row for row in ROWS for ending in row.endings}


@cache
def _by_name() -> dict[str, Language]:
    return {name: row for row in ROWS for name in row.names}


@cache
def named(name: str) -> Language | None:
    return next((row for row in ROWS if row.name == name), None)


def meant(word: str) -> Language | None:
    """The language that a file calls so: by its name, an ending, or another word for it."""
    return named(word) or _by_ending().get(word) or next((row for row in ROWS if word in row.called), None)


def row_of(path: str) -> Language | None:
    """The language of a file by its name, the longest ending first; None for a file that is not read."""
    file = path.rpartition("/")[2]
    found = _by_name().get(file)
    if found:
        return found
    stem, dot, rest = file.partition(".")
    while dot:
        found = _by_ending().get(rest.lower())
        if found and (stem or "." in file[1:]):
            return found
        _, dot, rest = rest.partition(".")
    return None


def query_text(row: Language) -> str:
    """'' for a language that has no query: its files are found by their words only."""
    paths = (_QUERIES / f"{name}.scm" for name in (row.query or row.name).split())
    return "\n".join(path.read_text("utf-8") for path in paths if path.is_file())


@cache
def digest() -> str:
    """Changes with the rows and with the text of any query."""
    texts = [repr(ROWS), *(query_text(row) for row in ROWS)]
    return hashlib.blake2b("\0".join(texts).encode(), digest_size=8).hexdigest()
