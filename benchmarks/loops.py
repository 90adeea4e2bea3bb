"""The other side of a compile: plain loops over all rules, with the libraries that people take. Refuses caches."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import pathspec
import yaml
from wcmatch import glob as wcglob

from gitmem.globs import dialect
from gitmem.globs.paths import PathMatcher, segments_of

Rule = tuple[tuple[str, ...], tuple[str, ...]]
Test = Callable[[str], bool]
_FLAGS = wcglob.GLOBSTAR | wcglob.BRACE | wcglob.DOTGLOB


def headers(root: Path) -> Iterator[bytes]:
    """The headers of all engrams of the work tree, read from disk."""
    for path in sorted((root / ".gitmem" / "engrams").rglob("*.md")):
        yield path.read_bytes().split(b"---\n", 2)[1]


def rules(found: Iterable[bytes]) -> list[Rule]:
    """(paths, exceptions) of every header, by the fastest loader that PyYAML has."""
    scopes = (yaml.load(header, Loader=yaml.CSafeLoader).get("scope") or {} for header in found)
    return [(tuple(scope.get("paths", ())), tuple(scope.get("except", ()))) for scope in scopes]


def by_pathspec(patterns: Sequence[str]) -> Test:
    """Reads them as lines of a gitignore file: braces are plain text there, so a few rules go unmatched."""
    return pathspec.GitIgnoreSpec.from_lines(patterns).match_file


def by_wcmatch(patterns: Sequence[str]) -> Test:
    return wcglob.compile(list(patterns), flags=_FLAGS).match if patterns else lambda _: False


def by_dialect(patterns: Sequence[str]) -> Test:
    """Our own matcher without the trie: one automaton a rule."""
    matcher = PathMatcher(sequence for pattern in patterns for sequence in dialect.parse(pattern).sequences)
    return lambda path: bool(matcher.matching(segments_of(path)))


def compiled(found: Sequence[Rule], compile_: Callable[[Sequence[str]], Test]) -> list[tuple[Test, Test | None]]:
    return [(compile_(paths), compile_(excluded) if excluded else None) for paths, excluded in found if paths]


def matching(tests: Sequence[tuple[Test, Test | None]], targets: Sequence[str]) -> int:
    """How many pairs of rule and target match."""
    return sum(
        1
        for target in targets
        for matches, excludes in tests
        if matches(target) and not (excludes is not None and excludes(target))
    )


def from_disk(root: Path, targets: Sequence[str], compile_: Callable[[Sequence[str]], Test]) -> int:
    """All that a tool without an index does for one question: read, parse, compile, match."""
    return matching(compiled(rules(headers(root)), compile_), targets)
