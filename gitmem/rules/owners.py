"""Owner files of forges: who owns which path, and whom a rule about paths must ask. Refuses to open files.

The last line that matches a path decides, in each section by itself where the file has sections.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from gitmem.globs import trie
from gitmem.globs.dialect import literal_prefix, parse
from gitmem.globs.overlap import overlap
from gitmem.globs.syntax import GlobError
from gitmem.record import record

# Where forges look, in this order; the first one counts.
PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")
_LINES_MAX = 10_000
_WORD = re.compile(r"(?:\\.|[^\s\\])+")
_SECTION = re.compile(r"(\^?)\[([^\]]+)\](?:\[\d+\])?(?:\s+(.*))?")
_SPECIAL = str.maketrans({sign: f"\\{sign}" for sign in "[]{},"})


@record
class Line:
    """One pattern and its owners, none where it says that nobody owns the path; ``globs`` are ours."""

    pattern: str
    globs: tuple[str, ...]
    owners: tuple[str, ...]
    section: str = ""


@record
class Owned:
    """Who must be asked, sorted, and by which patterns of the owner file."""

    owners: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()


def parse_owners(text: str) -> tuple[Line, ...]:
    """The lines of an owner file, the first ten thousand; what is no line of one is left out, as forges do."""
    found: list[Line] = []
    section, is_optional = "", False
    usual: tuple[str, ...] = ()
    for raw in text.splitlines()[:_LINES_MAX]:
        line = raw.strip()
        header = _SECTION.fullmatch(line)
        if header is not None:
            is_optional, section = bool(header[1]), header[2].strip().casefold()
            usual = _owners(_WORD.findall(header[3] or ""))
        elif line and not line.startswith("#"):
            words = _WORD.findall(line)
            owners = () if is_optional or line.startswith("!") else _owners(words[1:]) or usual
            found += _line(words[0].removeprefix("!"), owners, section)
    return tuple(found)


def _line(word: str, owners: tuple[str, ...], section: str) -> Iterable[Line]:
    pattern = word.replace("\\ ", " ").replace("\\#", "#")
    try:
        globs = tuple(parse(glob).pattern for glob in _globs(pattern))
    except GlobError:
        return
    yield Line(pattern, globs, owners, section)


def _owners(words: Sequence[str]) -> tuple[str, ...]:
    """Names and addresses up to a comment."""
    end = next((at for at, word in enumerate(words) if word.startswith("#")), len(words))
    return tuple(dict.fromkeys(word for word in words[:end] if "@" in word))


def _globs(pattern: str) -> list[str]:
    """What a line means: a name without a slash holds at any depth, a folder for all below it, ``*`` for one level."""
    name = pattern.strip("/").translate(_SPECIAL)
    if not name:
        return ["**"]
    rooted = name if "/" in pattern.rstrip("/") else f"**/{name}"
    last = name.rpartition("/")[2]
    if pattern.endswith("/"):
        return [f"{rooted}/**"]
    if name == "*":
        return ["*"] if pattern.startswith("/") else ["**"]
    return [rooted] if last in ("*", "**") else [rooted, f"{rooted}/**"]


def of_files(lines: Sequence[Line], files: Iterable[str]) -> dict[str, Owned]:
    """The owners of each file that has a line."""
    numbered = [(number, glob) for number, line in enumerate(lines) for glob in line.globs]
    globs = [glob for _, glob in numbered]
    found = {}
    for path, at in trie.all_matches(globs, files) if globs else ():
        last = {lines[numbered[each][0]].section: lines[numbered[each][0]] for each in at}
        found[path] = _united(last.values())
    return found


def _possible(lines: Sequence[Line], pattern: str) -> list[Line]:
    """The lines that decide for files to come: none before one that holds for all of them.

    A line for a name at any depth would always be one of them: it counts only where it holds for all.
    """
    found = []
    closed: set[str] = set()
    for line in reversed(lines):
        is_last = any(_covers(glob, pattern) for glob in line.globs)
        is_rooted = not line.globs[0].startswith("**/") and any(overlap(glob, pattern) for glob in line.globs)
        if line.section not in closed and (is_last or is_rooted):
            found.append(line)
            closed |= {line.section} if is_last else set()
    return found


def _covers(glob: str, pattern: str) -> bool:
    """Whether the first holds for all that the second matches; False where that is not plain to see."""
    if glob in ("**", pattern):
        return True
    folder = literal_prefix(glob) if glob.endswith("/**") else ()
    return (
        bool(folder)
        and len(folder) == glob.count("/")
        and tuple(literal_prefix(pattern)[: len(folder)]) == tuple(folder)
    )


def _united(lines: Iterable[Line]) -> Owned:
    known = [line for line in lines if line.owners]
    owners = sorted({name for line in known for name in line.owners})
    return Owned(tuple(owners), tuple(sorted({line.pattern for line in known})))


def asked(lines: Sequence[Line], rules: Mapping[str, Sequence[str]], files: Iterable[str]) -> dict[str, Owned]:
    """Whom each rule asks, by its key in ``rules``, which gives its scope patterns; ``files`` are all tracked ones.

    The owners of the files that a pattern matches; where it matches none yet, of the lines that hold for what it may.
    """
    numbered = [(key, pattern) for key, patterns in rules.items() for pattern in patterns]
    matched: list[set[str]] = [set() for _ in numbered]
    for path, at in trie.all_matches([pattern for _, pattern in numbered], files) if numbered else ():
        for each in at:
            matched[each].add(path)
    owned = of_files(lines, sorted({path for paths in matched for path in paths}))
    parts: dict[str, list[Owned]] = {key: [] for key in rules}
    for (key, pattern), paths in zip(numbered, matched, strict=True):
        parts[key] += (
            [owned[path] for path in paths if path in owned] if paths else [_united(_possible(lines, pattern))]
        )
    found = {key: _joined(each) for key, each in parts.items()}
    return {key: each for key, each in found.items() if each.owners}


def _joined(parts: Sequence[Owned]) -> Owned:
    owners = {name for each in parts for name in each.owners}
    return Owned(tuple(sorted(owners)), tuple(sorted({pattern for each in parts for pattern in each.patterns})))
