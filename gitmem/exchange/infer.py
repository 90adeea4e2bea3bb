"""What a text seems to be and where it seems to apply: guesses that a person reviews. Refuses to say that they hold."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from gitmem.exchange.headings import prose
from gitmem.exchange.scope import literal
from gitmem.globs.dialect import matches, parse
from gitmem.globs.syntax import GlobError
from gitmem.text.words import fold

_STEPS, _TAGS_MOST, _PATHS_MOST, _SPANS_MOST = 3, 5, 8, 60
# By the heading, then by the text; the first that fits.
_BY_TITLE = (
    ("template", re.compile(r"\b(template|boilerplate|skeleton)\b")),
    ("decision", re.compile(r"\b(decision|decided|adr)\b")),
    ("procedure", re.compile(r"\b(how to|steps|runbook|checklist|procedure|release process)\b")),
    ("pattern", re.compile(r"\bpatterns?\b")),
)
_BY_TEXT = (
    ("decision", re.compile(r"\bwe (have )?(decided|chose|agreed)\b")),
    ("constraint", re.compile(r"\b(must|never|always|do not|don't|shall|forbidden|not allowed|required)\b")),
    ("guideline", re.compile(r"\b(should|prefer|avoid|recommended|try to)\b")),
)
_NUMBERED = re.compile(r"\s{0,3}\d{1,3}[.)]\s")
_SPAN = re.compile(r"`([^`\s]{2,200})`")
_WORD = re.compile(r"[^\W_]+")
_WILD = re.compile(r"[*?\[{]")


def kind_of(title: str, text: str, usual: str) -> str:
    """``usual`` is the kind where nothing in the words points at another."""
    lines = [line.casefold() for line in prose(text)]
    said = next((kind for kind, pattern in _BY_TITLE if pattern.search(title.casefold())), "")
    if said:
        return said
    if sum(bool(_NUMBERED.match(line)) for line in lines) >= _STEPS:
        return "procedure"
    whole = "\n".join(lines)
    return next((kind for kind, pattern in _BY_TEXT if pattern.search(whole)), usual)


def tags_of(title: str, text: str, known: Mapping[str, int]) -> tuple[str, ...]:
    """Tags that are in use and stand in the heading, or twice in the text; those in the heading first, then by use."""
    heading, words = set(_words(title)), _words(text)
    counts = {word: words.count(word) for word in set(words)}
    fits = [tag for tag in known if tag in heading or counts.get(tag, 0) > 1]
    return tuple(sorted(fits, key=lambda tag: (tag not in heading, -known[tag], tag))[:_TAGS_MOST])


def _words(text: str) -> list[str]:
    return _WORD.findall(fold(text))


def paths_of(text: str, listed: Sequence[str], folders: Collection[str]) -> tuple[str, ...]:
    """Globs for the files and folders that the text names in code spans and that are there."""
    spans = dict.fromkeys(span for line in prose(text) for span in _SPAN.findall(line))
    globs = (glob for span in list(spans)[:_SPANS_MOST] for glob in _glob(span, listed, folders))
    return tuple(dict.fromkeys(globs))[:_PATHS_MOST]


def _glob(span: str, listed: Sequence[str], folders: Collection[str]) -> Iterator[str]:
    name = span.removeprefix("./").rstrip("/")
    if name in folders:
        yield f"{literal(name)}/**"
    elif not _WILD.search(name):
        if "." in name and name in listed:
            yield literal(name)
    else:
        pattern = name if "/" in name else f"**/{name}"
        try:
            parse(pattern)
        except GlobError:
            return
        if any(matches(pattern, rel) for rel in listed):
            yield pattern


def folders_of(listed: Sequence[str]) -> frozenset[str]:
    found: set[str] = set()
    for rel in listed:
        folder = rel.rpartition("/")[0]
        while folder and folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return frozenset(found)
