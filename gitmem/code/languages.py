"""The languages that are read, one row each with a query file beside it. Refuses to read any."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from gitmem.record import record

CODE, TEMPLATE, STYLE, MARKUP, CONFIG, SQL = "code", "template", "style", "markup", "config", "sql"
_QUERIES = Path(__file__).parent.parent / "data" / "queries"


@record
class Part:
    """What a query or a fence calls ``word`` is in ``language``; those that are read alike are read as one text,
    between ``before`` and ``after``, with ``mark`` over what stands before each. No language: it is not to be read."""

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
    ``parts`` say how what stands in other languages is read, ``fences`` where that is which no grammar shows. ``most``
    is how many definitions of a file are kept, the outer ones first; 0 for all."""

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
    most: int = 0


_PAGE = (Part("script", "javascript"), Part("style", "css"))
_COMPONENT = (
    Part("", "javascript", mark=";"),
    *(Part("script", "sfc"), Part("style", "css"), Part("js", "sfc"), Part("ts", "sfc")),
    *(Part("jsx", "sfcx"), Part("tsx", "sfcx"), Part("typescript", "sfc")),
)
_ASTRO = (
    *(Part("", "typescript"), Part("}", "typescript", mark=";"), Part("{", "typescript", mark=" ")),
    *(Part("script", "typescript"), Part("style", "css")),
)
# Members stand in a class, and a page's address is the argument of a call, so that C# reads them.
_RAZOR = (
    *_PAGE,
    Part("members", "csharp", before="class _{", after="}"),
    Part("statements", "csharp", mark=";", after=";"),
    Part("page", "csharp", mark="page(", after=");"),
)
_RAZOR_FENCES = (
    Fence("members", r"@(?:code|functions)\s*\{"),
    Fence("statements", r"@\{"),
    Fence("statements", r"@(?:await )?([A-Za-z_][\w.]{0,80}\([^()\n]{0,200}\))"),
    Fence("statements", r"^@(using [A-Za-z_][\w.]*)"),
    Fence("statements", r"^@inject[ \t]+([\w.<>]+[ \t]+\w+)"),
    Fence("page", r"^@page[ \t]+(\"[^\"\n]*\")"),
)
# What a directive takes in is the text of an ``include``, whose letters go over those of the directive.
_BLADE = (
    *_PAGE,
    Part("statements", "php", before="<?php ", mark=";", after=";"),
    Part("include", "php", before="<?php ", mark=";include ", after=";"),
)
_BLADE_FENCES = (
    Fence("statements", r"\{\{(?!--)", "}}"),
    Fence("statements", r"\{!!", "!!}"),
    Fence("statements", r"@php\b(?!\s*\()", "@endphp"),
    Fence("include", r"@(?:extends|include(?:If)?|component|livewire)\s*\(\s*('[^'\n]*')"),
    Fence("include", r"@(?:extends|include(?:If)?|component|livewire)\s*\(\s*(\"[^\"\n]*\")"),
)
_ERB = (Part("", "html"), *(Part(word, "ruby", mark=";") for word in ("%", "%=", "%-", "%==")))

ROWS = (
    Language("python", "python", ("py", "pyi", "pyw"), own=("self", "cls"), comment=("#", "")),
    Language(
        "typescript",
        "typescript",
        ("ts", "mts", "cts"),
        query="ecmascript typescript entries",
        own=("this",),
        called=("text/typescript",),
    ),
    Language("tsx", "tsx", ("tsx",), query="ecmascript typescript jsx entries entries-jsx", own=("this",)),
    Language(
        "javascript",
        "javascript",
        ("js", "jsx", "mjs", "cjs"),
        query="ecmascript javascript jsx entries entries-jsx",
        called=("module", "text/javascript", "application/javascript", "text/babel", "text/jsx"),
    ),
    Language("go", "go", ("go",)),
    Language("rust", "rust", ("rs",), separator="::", own=("self",), parts=(Part("", "rust in a macro"),)),
    Language("rust in a macro", "rust", (), query="rust", separator="::", own=("self",)),
    Language("java", "java", ("java",)),
    Language("kotlin", "kotlin", ("kt", "kts")),
    Language("csharp", "csharp", ("cs",)),
    Language("php", "php", ("php", "phtml"), separator="\\"),
    Language("ruby", "ruby", ("rb", "rake", "gemspec"), ("Rakefile", "Gemfile"), separator="::", comment=("#", "")),
    Language("swift", "swift", ("swift",)),
    Language("dart", "dart", ("dart",)),
    Language("c", "c", ("c",), own=("void",)),
    # A header does not say which of the two it is; this grammar reads those of C as well as the other.
    Language(
        "cpp",
        "cpp",
        ("h", "cc", "cpp", "cxx", "hpp", "hh", "hxx", "ipp"),
        query="c cpp",
        separator="::",
        own=("void",),
    ),
    # What stands in a script of a component, with what only a component has.
    Language("sfc", "typescript", (), query="ecmascript typescript sfc entries", own=("this",)),
    Language("sfcx", "tsx", (), query="ecmascript typescript jsx sfc entries entries-jsx", own=("this",)),
    Language("vue", "vue", ("vue",), kind=TEMPLATE, comment=("<!--", "-->"), parts=_COMPONENT),
    Language("svelte", "svelte", ("svelte",), kind=TEMPLATE, comment=("<!--", "-->"), parts=_COMPONENT),
    Language("astro", "astro", ("astro",), kind=TEMPLATE, comment=("<!--", "-->"), parts=_ASTRO),
    Language(
        "razor",
        "html",
        ("cshtml", "razor"),
        query="html razor",
        kind=TEMPLATE,
        comment=("@*", "*@"),
        parts=_RAZOR,
        fences=_RAZOR_FENCES,
    ),
    Language("twig", "twig", ("twig",), kind=TEMPLATE, comment=("{#", "#}"), parts=(Part("", "html"),)),
    Language(
        "blade",
        "html",
        ("blade.php",),
        query="html",
        kind=TEMPLATE,
        comment=("{{--", "--}}"),
        parts=_BLADE,
        fences=_BLADE_FENCES,
    ),
    Language("erb", "embeddedtemplate", ("erb",), kind=TEMPLATE, comment=("<%#", "%>"), parts=_ERB),
    Language("html", "html", ("html", "htm", "xhtml"), kind=MARKUP, comment=("<!--", "-->"), parts=_PAGE),
    Language("svg", "html", ("svg",), query="html", kind=MARKUP, comment=("<!--", "-->"), parts=_PAGE),
    Language("css", "css", ("css",), kind=STYLE, called=("text/css", "postcss", "pcss")),
    Language("scss", "scss", ("scss",), kind=STYLE),
    Language("less", "scss", ("less",), kind=STYLE),
    Language("sql", "sql", ("sql",), kind=SQL, comment=("--", "")),
    Language("yaml", "yaml", ("yaml", "yml"), kind=CONFIG, most=200, comment=("#", "")),
    Language("json", "json", ("json", "jsonc", "json5", "webmanifest"), kind=CONFIG, most=200),
    Language("toml", "toml", ("toml",), kind=CONFIG, most=200, comment=("#", "")),
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


def plain_rows() -> str:
    """What is looked for in the lines of a language whose grammar does not load."""
    return (_QUERIES / "plain.rows").read_text("utf-8")


def line_patterns(row: Language) -> str:
    """'' for a language whose grammar shows all."""
    path = _QUERIES / f"{row.name}.lines"
    return path.read_text("utf-8") if path.is_file() else ""
