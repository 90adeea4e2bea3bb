"""Judges a change by the verify blocks of the rules that concern its files. Refuses to read files and to run anything.

What was so before and is not touched counts as little as it can: patterns and imports are judged on the lines that
come, everything else on the files that are touched.
"""

import posixpath
import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import lru_cache

from gitmem.globs.dialect import matches
from gitmem.model.block import Block
from gitmem.model.diff import FileDiff
from gitmem.model.imports import Import
from gitmem.model.verified import Unjudged, Violation
from gitmem.record import field, record, replace, state
from gitmem.rules import companions
from gitmem.rules.imported import is_of, spelled
from gitmem.text import linear
from gitmem.text.linear import Pattern

# More than is shown, so that what must not be shown is still seen as what it is.
_EVIDENCE_CHARS = 2048
_KEPT = 4096
# Why something is not judged.
CONTENT, LANGUAGE = "content", "language"
_YEAR = "{year}"
_BOM = b"\xef\xbb\xbf"
# The pattern asks where a text begins or ends, not a line: all lines at once are not the same then as each by itself.
_WHOLE_TEXT = r"\\[Az]|\(\?[a-zA-Z]*-"
ImportsOf = Callable[[str, bytes], Sequence[Import] | None]
Named = tuple[Import, frozenset[str]]


@record
class Rule:
    """A rule with a verify block, and the files of the change that its scope has."""

    id: str
    slug: str
    block: Block
    files: tuple[FileDiff, ...]


@state
class Sight:
    """What the checks may look at. ``imports_of`` answers None for a language that it does not know; ``resolve``
    answers with the files that an import reaches, none for what is no file of the repository.
    """

    touched: Sequence[str]
    contents: Mapping[str, bytes]
    imports_of: ImportsOf
    layer_of: Callable[[str], str | None]
    resolve: Callable[[str, Import], Sequence[str]]
    unjudged: dict[Unjudged, None] = field(default_factory=dict)
    _texts: dict[str, bytes | None] = field(default_factory=dict)
    _imports: dict[str, Sequence[Named] | None] = field(default_factory=dict)
    _added: dict[str, bytes] = field(default_factory=dict)
    _counts: dict[str, int] = field(default_factory=dict)

    def text(self, path: str) -> bytes | None:
        """The content with plain line ends; None where there is none to look at."""
        if path not in self._texts:
            data = self.contents.get(path)
            self._texts[path] = None if data is None else data.replace(b"\r\n", b"\n").removeprefix(_BOM)
        return self._texts[path]

    def line_count(self, path: str, text: bytes) -> int:
        if path not in self._counts:
            self._counts[path] = text.count(b"\n") + (not text.endswith(b"\n"))
        return self._counts[path]

    def imports(self, path: str) -> Sequence[Named] | None:
        """Each import with the ways to name what it brings in."""
        if path not in self._imports:
            found = self.imports_of(path, self.contents[path])
            self._imports[path] = None if found is None else [(each, spelled(path, each)) for each in found]
        return self._imports[path]

    def added(self, each: FileDiff) -> bytes:
        """The lines that come, one after the other."""
        found = self._added.get(each.path)
        if found is None:
            text = "\n".join(line for _, line in each.added)
            found = self._added[each.path] = text.encode("utf-8", "surrogateescape")
        return found


OfText = Callable[[Rule, FileDiff, bytes, Sight], Iterator[Violation]]
OfImports = Callable[[Rule, FileDiff, Sequence[Named], Sight], Iterator[Violation]]


def needs_content(block: Block) -> bool:
    """Whether a check looks at more than paths and the lines that come."""
    return any(getattr(block, name) for name in (*_OF_TEXT, *_OF_IMPORTS))


def judge(rules: Sequence[Rule], sight: Sight) -> list[Violation]:
    """Every violation, by path, line and rule; what could not be judged is in ``sight.unjudged``."""
    found = [each for rule in rules for each in _of_rule(rule, sight)]
    found += _companions(rules, sight)
    return sorted(found, key=lambda each: (each.path, each.line, each.check, each.slug, each.evidence))


def _of_rule(rule: Rule, sight: Sight) -> Iterator[Violation]:
    block = rule.block
    of_text = [check for name, check in _OF_TEXT.items() if getattr(block, name)]
    of_imports = {name: check for name, check in _OF_IMPORTS.items() if getattr(block, name)}
    for file in rule.files:
        if file.is_gone:
            continue
        if block.forbid_path:
            yield from _paths(rule, file)
        if block.forbid_pattern and file.added:
            yield from _patterns(rule, file, sight)
        text = sight.text(file.path) if of_text or of_imports else b""
        if text is None:
            sight.unjudged[Unjudged(file.path, CONTENT)] = None
        elif text.strip():
            for check in of_text:
                yield from check(rule, file, text, sight)
            if of_imports:
                yield from _imports(rule, file, of_imports, sight)


def _violation(rule: Rule, check: str, at: tuple[str, int], evidence: str, mend: str) -> Violation:
    """``mend`` is what to do; the rest says the rule, in its hint or in its text."""
    hint = f"{mend}: {rule.block.hint}" if rule.block.hint else f"{mend}; see {rule.slug}"
    return Violation(rule.id, rule.slug, check, *at, evidence[:_EVIDENCE_CHARS], hint)


def _start(file: FileDiff) -> tuple[str, int]:
    """Where something stands that is wrong with the file as a whole: at the first line that comes."""
    return file.path, file.added[0][0] if file.added else 1


def _paths(rule: Rule, file: FileDiff) -> Iterator[Violation]:
    for pattern in rule.block.forbid_path:
        if matches(pattern, file.path):
            yield _violation(rule, "forbidden_path", _start(file), pattern, "put it somewhere else")


def _patterns(rule: Rule, file: FileDiff, sight: Sight) -> Iterator[Violation]:
    for text in rule.block.forbid_pattern:
        pattern = _pattern(text)
        if _is_of_lines(text) and pattern.search(sight.added(file)) is None:
            continue
        for number, line in file.added:
            if pattern.search(line.encode("utf-8", "surrogateescape")) is not None:
                mend = f"write it without {text}"
                yield _violation(rule, "forbidden_pattern", (file.path, number), line.strip(), mend)


@lru_cache(maxsize=_KEPT)
def _is_of_lines(text: str) -> bool:
    return re.search(_WHOLE_TEXT, text) is None


@lru_cache(maxsize=_KEPT)
def _pattern(text: str) -> Pattern:
    return linear.compile(text)


def _wanted_patterns(rule: Rule, file: FileDiff, text: bytes, _sight: Sight) -> Iterator[Violation]:
    for wanted in rule.block.require_pattern:
        if _pattern(wanted).search(text) is None:
            yield _violation(rule, "missing_pattern", _start(file), wanted, f"add what matches {wanted}")


def _length(rule: Rule, file: FileDiff, text: bytes, sight: Sight) -> Iterator[Violation]:
    count, most = sight.line_count(file.path, text), rule.block.max_lines
    if count > most:
        yield _violation(
            rule, "too_many_lines", (file.path, most + 1), f"{count} lines, the most is {most}", "split it"
        )


def _header(rule: Rule, file: FileDiff, text: bytes, _sight: Sight) -> Iterator[Violation]:
    """The header is what the file begins with, but for a line that names its interpreter; any year is a year."""
    start = text.partition(b"\n")[2] if text.startswith(b"#!") else text
    header = rule.block.header
    if _header_pattern(header).match(start.lstrip(b"\n")) is None:
        evidence = header.strip().partition("\n")[0]
        yield _violation(rule, "missing_header", (file.path, 1), evidence, "begin the file with this header")


@lru_cache(maxsize=_KEPT)
def _header_pattern(header: str) -> re.Pattern[bytes]:
    lines = [re.escape(line.rstrip()).replace(re.escape(_YEAR), r"\d{4}") for line in header.strip("\n").split("\n")]
    return re.compile(r"[ \t]*\n".join(lines).encode())


def _imports(rule: Rule, file: FileDiff, asked: Mapping[str, OfImports], sight: Sight) -> Iterator[Violation]:
    found = sight.imports(file.path)
    if found is None:
        sight.unjudged.update((Unjudged(file.path, LANGUAGE, rule.id, name), None) for name in asked)
        return
    lines = {number for number, _ in file.added}
    fresh = found if file.is_new else [now for each in found if (now := _fresh(file.path, each, lines))]
    for name, check in asked.items():
        yield from check(rule, file, found if name == "require_import" else fresh, sight)


def _fresh(path: str, found: Named, lines: Container[int]) -> Named | None:
    """What of an import comes with these lines: of a statement over several lines it may be some of the names alone."""
    each = found[0]
    if each.line in lines or not each.lines:
        return found if each.line in lines else None
    module, *of_names = each.lines
    if module in lines:
        return replace(each, line=module), found[1]
    taken = [(name, at) for name, at in zip(each.names, of_names, strict=True) if at in lines]
    if not taken:
        return None
    some = replace(each, names=tuple(name for name, _ in taken), line=taken[0][1])
    return some, spelled(path, some)


def _forbidden(rule: Rule, file: FileDiff, fresh: Sequence[Named], sight: Sight) -> Iterator[Violation]:
    for wanted in rule.block.forbid_import:
        for each, names in fresh:
            if _is_meant(file, (each, names), wanted, sight):
                at = file.path, each.line
                written = _line(sight.contents[file.path], each.line)
                yield _violation(rule, "forbidden_import", at, written, f"do without {wanted}")


def _wanted_imports(rule: Rule, file: FileDiff, found: Sequence[Named], sight: Sight) -> Iterator[Violation]:
    for wanted in rule.block.require_import:
        if not any(_is_meant(file, each, wanted, sight) for each in found):
            yield _violation(rule, "missing_import", _start(file), wanted, f"import {wanted}")


def _is_meant(file: FileDiff, found: Named, wanted: str, sight: Sight) -> bool:
    """By the way it is written; or, where the rule has a path, by the file that it leads to: an alias hides nothing."""
    each, names = found
    if is_of(file.path, names, wanted):
        return True
    is_path = "/" in wanted and not wanted.startswith("@") and ":" not in wanted
    reached = sight.resolve(file.path, each) if is_path else ()
    return is_of("", frozenset(name for path in reached for name in (path, posixpath.splitext(path)[0])), wanted)


def _line(data: bytes, number: int) -> str:
    return data.split(b"\n")[number - 1].decode("utf-8", "surrogateescape").strip()


def _layers(rule: Rule, file: FileDiff, fresh: Sequence[Named], sight: Sight) -> Iterator[Violation]:
    """A layer may always import from itself; what is in no layer, and no file of the repository, is free."""
    mine = sight.layer_of(file.path)
    allowed = dict(rule.block.layer_imports).get(mine or "")
    if allowed is None or mine is None:
        return
    for each, _ in fresh:
        reached = [layer for target in sight.resolve(file.path, each) if (layer := sight.layer_of(target)) is not None]
        for layer in dict.fromkeys(layer for layer in reached if layer != mine and layer not in allowed):
            evidence = f"{_line(sight.contents[file.path], each.line)} ({mine} -> {layer})"
            mend = f"import from {', '.join((mine, *allowed))} alone"
            yield _violation(rule, "layer_import", (file.path, each.line), evidence, mend)


# By the field of the block that asks for it.
_OF_TEXT: Mapping[str, OfText] = {"require_pattern": _wanted_patterns, "max_lines": _length, "header": _header}
_OF_IMPORTS: Mapping[str, OfImports] = {
    "forbid_import": _forbidden,
    "require_import": _wanted_imports,
    "layer_imports": _layers,
}


def _companions(rules: Sequence[Rule], sight: Sight) -> Iterator[Violation]:
    asked = [
        (rule, file, wanted)
        for rule in rules
        if rule.block.require_companion
        for file in rule.files
        if not file.is_gone
        for wanted in companions.wanted(rule.block.require_companion, file.path)
    ]
    missing = companions.missing([wanted for *_, wanted in asked], sight.touched)
    for rule, file, wanted in asked:
        if wanted in missing:
            yield _violation(rule, "missing_companion", _start(file), wanted, f"change a file {wanted} along with it")
