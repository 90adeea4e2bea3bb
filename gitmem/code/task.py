"""What a task in words names: identifiers, paths, trace lines, quotes, routes, intent, parts. Refuses to look them up.

Identifiers are words that only code has: with humps, underscores, dots, ``::``, a bracket behind them, or in backticks.
A verb that asks for something is none, unless it stands in backticks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from gitmem.code import clusters as parts
from gitmem.code import intents
from gitmem.code.frames import Frame, frames
from gitmem.record import record
from gitmem.text import words

LONGEST_CHARS = 32_000
_MOST_NAMES = 64
_MOST_SAMPLED = 200
_MOST_NOUNS = 64
_LONGEST_NAME = 120
# Endings that make a bare word with a dot the name of a file and not a member.
_ENDINGS = (
    "py pyi pyx ts tsx mts cts js jsx mjs cjs go rs java kt kts cs php rb swift dart c h cc cpp cxx hpp hh m mm scala "
    "vue svelte astro razor cshtml twig erb blade html htm svg css scss sass less sql yaml yml json toml xml ini cfg "
    "conf md rst txt sh bash ps1 bat gradle proto graphql tf lua pl ex exs erl hs clj r jl csproj sln lock y l"
)
ENDINGS = frozenset(_ENDINGS.split())
_DOMAINS = frozenset(("com", "org", "io", "net", "dev", "edu", "gov", "app", "co"))
_NO_WORDS = "e.g i.e etc a.m p.m macOS MacOS iOS GitHub GitLab true false null None nil this self"
_NO_NAMES = frozenset(_NO_WORDS.split())
# A letter of a name: writing systems without capitals have no shape that tells a name from prose.
_LETTER = r"A-Za-z_\u00c0-\u024f\u0370-\u052f"


@record
class Route:
    """``method`` in capitals, '' where only the path was told."""

    method: str
    path: str


@record
class Cluster:
    """A part of the task that can be found or missed by itself."""

    text: str
    identifiers: tuple[str, ...]
    paths: tuple[str, ...]
    nouns: tuple[str, ...]


@record
class Task:
    """All in the order of the text, each once. ``title`` is the first line; ``identifiers`` are those of the prose and
    ``sampled`` those of code blocks and traces; ``nouns`` are the telling words (casefolded, of any language), without
    verbs that ask; ``intent`` is '' or one of ``intents.INTENTS``. ``is_cut``: the text was longer than what is read.
    """

    text: str
    title: str = ""
    identifiers: tuple[str, ...] = ()
    sampled: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    frames: tuple[Frame, ...] = ()
    quoted: tuple[str, ...] = ()
    routes: tuple[Route, ...] = ()
    intent: str = ""
    nouns: tuple[str, ...] = ()
    clusters: tuple[Cluster, ...] = ()
    is_cut: bool = False


def read(text: str) -> Task:
    """Reads at most ``LONGEST_CHARS`` characters."""
    cut = text[:LONGEST_CHARS]
    linked, bare = _links(_slanted().sub(r"\1", cut))
    prose, code = _divided(bare)
    traced = frames(cut)
    routes, unrouted = _routes(prose)
    paths = _distinct([*_paths(unrouted), *linked, *(frame.path for frame in traced), *_paths(code)], _MOST_NAMES)
    names = _names(unrouted)
    sampled = _distinct([*(f.symbol for f in traced), *_identifiers(code, is_prose=False)], _MOST_SAMPLED)
    title = next((row.strip(" #*") for row in bare.splitlines() if row.strip(" #*`~")), "")
    return Task(
        text=cut,
        title=title[:400],
        identifiers=names,
        sampled=tuple(name for name in sampled if name not in names),
        paths=paths,
        frames=traced,
        quoted=_distinct(_quoted(bare), _MOST_NAMES),
        routes=routes,
        intent=intents.intent_of(title),
        nouns=_nouns(prose),
        clusters=tuple(_cluster(part) for part in parts.clusters(bare)),
        is_cut=len(text) > LONGEST_CHARS,
    )


def _cluster(text: str) -> Cluster:
    _, unrouted = _routes(text)
    return Cluster(text, _names(unrouted), _distinct(_paths(unrouted), _MOST_NAMES), _nouns(text))


def _names(prose: str) -> tuple[str, ...]:
    return _distinct(_identifiers(_path().sub(_without_file, prose), is_prose=True), _MOST_NAMES)


def _without_file(match: re.Match[str]) -> str:
    """The stem of a file is no name."""
    return " " if _ends_as_file(match["path"].strip(".,")) else match[0]


def _distinct(found: Iterable[str], most: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each for each in found if 1 < len(each) <= _LONGEST_NAME or each.isupper()))[:most]


def _divided(text: str) -> tuple[str, str]:
    """The prose, and what stands in fences, sessions and traces."""
    sides: tuple[list[str], list[str]] = ([], [])
    is_code = False
    for row in text.splitlines():
        if re.match(r"\s*(?:```|~~~)", row):
            is_code = not is_code
            continue
        is_sample = is_code or bool(_sample().match(row))
        sides[is_sample].append(row)
    return "\n".join(sides[0]), "\n".join(sides[1])


@cache
def _sample() -> re.Pattern[str]:
    return re.compile(r" {4,}\S|\t\S|\s*(?:>>>|\.\.\. |In \[\d+\]|Out\[\d+\]|\$ |at \S+\(|File \")|diff --git|@@ ")


def _links(text: str) -> tuple[list[str], str]:
    """The paths that links into a forge name, and the text without any link."""
    found = [match["path"] for match in _forge().finditer(text)]
    return found, re.sub(r"https?://[^\s)>\]\"']+", " ", text)


@cache
def _forge() -> re.Pattern[str]:
    return re.compile(r"https?://[\w.\-]+/[\w.\-]+/[\w.\-]+/(?:-/)?(?:blob|tree|raw)/[^/\s]+/(?P<path>[^\s)#?>\]\"']+)")


def _routes(text: str) -> tuple[tuple[Route, ...], str]:
    found = [Route(match["method"], match["path"].rstrip(".,")) for match in _route().finditer(text)]
    return tuple(dict.fromkeys(found))[:_MOST_NAMES], _route().sub(" ", text)


@cache
def _route() -> re.Pattern[str]:
    return re.compile(r"\b(?P<method>GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|ANY)\s+`?(?P<path>/[\w/{}:<>.*\-]*)`?")


def _paths(text: str) -> list[str]:
    """What may be a path, as written, without line numbers: whoever binds it to a file decides."""
    found = []
    for match in _path().finditer(text):
        word = match["path"].removeprefix("./").strip(".,")
        if _ends_as_file(word) or ("/" in word.strip("/") and _is_folder(word)):
            found.append(word)
    return found


def _ends_as_file(word: str) -> bool:
    head, _, ending = word.rpartition(".")
    return bool(head) and ending.lower() in ENDINGS and not head.endswith("/") and head not in ("self", "this")


def _is_folder(word: str) -> bool:
    """``and/or`` is harmless: it binds to nothing."""
    first = word.partition("/")[0].lower()
    return first.rpartition(".")[2] not in _DOMAINS and not re.fullmatch(r"[\d/.]+", word)


@cache
def _path() -> re.Pattern[str]:
    part = r"(?:\[{1,2}[\w.\-]+\]{1,2}|\([\w.\-]+\)|[\w@$+\-]+)"
    return re.compile(rf"(?<![\w/.@\-])(?P<path>(?:\.{{0,2}}/)?[\w@$+\-]+(?:[/.]{part})*/?)(?::\d+)?")


def _quoted(text: str) -> list[str]:
    return [next(filter(None, match.groups())).strip() for match in _quote().finditer(text)]


@cache
def _quote() -> re.Pattern[str]:
    marks = "\u201c([^\u201d\n]{2,120})\u201d|\u300c([^\u300d\n]{2,120})\u300d|\u00ab([^\u00bb\n]{2,120})\u00bb"
    return re.compile(
        rf"(?<!`)`([^`\n]{{1,120}})`(?!`)|\"([^\"\n]{{2,120}})\"|(?<!\w)'([^'\n]{{2,120}})'(?!\w)|{marks}"
    )


def _identifiers(text: str, *, is_prose: bool) -> list[str]:
    found = []
    for match in _name().finditer(text):
        word, is_called, is_ticked = match["name"], bool(match["call"]), match["tick"] == "`"
        if _ends_as_file(word) or word in _NO_NAMES or (not is_prose and len(word) < 3):
            continue
        if is_ticked or _has_shape(word) or (is_called and word.lower() not in intents.leading()):
            found.append(re.sub(r"->|::|\\", ".", word).strip("."))
    return found


@cache
def _name() -> re.Pattern[str]:
    word = rf"[{_LETTER}][{_LETTER}0-9]*"
    before = rf"(?P<tick>`?)(?<![{_LETTER}0-9.\\$\-])[@$#:]{{0,2}}"
    return re.compile(rf"{before}(?P<name>{word}(?:(?:\.|::|->|\\){word})*)(?P<call>\(?)")


@cache
def _slanted() -> re.Pattern[str]:
    """Words in underscores, as Markdown slants them."""
    return re.compile(r"(?<!\w)_{1,2}([^_\n]{1,200} [^_\n]{1,200})_{1,2}(?!\w)")


def _has_shape(word: str) -> bool:
    """Humps inside the word, underscores between or before letters, or a member."""
    if re.search(r"\.|::|->|\\", word):
        return word.rpartition(".")[2].lower() not in _DOMAINS
    bare = word.strip("_")
    return bool(bare) and ("_" in bare or bare != word or bool(re.search(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]{2}", bare)))


def _nouns(text: str) -> tuple[str, ...]:
    asking = intents.strong()
    told = words.telling(text)
    found = [word for word in told if word not in asking and (len(word) > 1 or not word.isascii())]
    leads = bool(found) and found[0] in intents.leading() and text.lower().lstrip().startswith(found[0])
    return tuple(found[leads:])[:_MOST_NOUNS]
