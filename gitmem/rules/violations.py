"""Judges a change by the verify blocks of the rules that concern its files. Refuses to read files and to run anything.

What was so before and is not touched counts as little as it can: patterns and imports are judged on the lines that
come, everything else on the files that are touched.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

from gitmem.globs.dialect import matches
from gitmem.model.block import Block
from gitmem.model.diff import FileDiff
from gitmem.model.imports import Import
from gitmem.model.verified import Unjudged, Violation
from gitmem.record import field, record, state
from gitmem.rules import companions
from gitmem.rules.imported import is_of, spelled
from gitmem.text import linear
from gitmem.text.linear import Pattern

# More than is shown, so that what must not be shown is still seen as what it is.
_EVIDENCE_CHARS = 400
_KEPT = 4096
_YEAR = "{year}"
_BOM = b"\xef\xbb\xbf"
# The pattern asks where a text begins or ends, not a line: all lines at once are not the same then as each by itself.
_WHOLE_TEXT = r"\\[Az]|\(\?[a-zA-Z]*-"
ImportsOf = Callable[[str, bytes], Sequence[Import] | None]


@record
class Rule:
    """A rule with a verify block, and the files of the change that its scope has."""

    id: str
    slug: str
    block: Block
    files: tuple[FileDiff, ...]


@state
class Sight:
    """What the checks may look at. ``imports_of`` answers None for a language that it does not know; ``resolve`` is
    None where nothing can say which file an import means, and answers '' for what is no file of the repository.
    """

    touched: Sequence[str]
    contents: Mapping[str, bytes]
    imports_of: ImportsOf
    layer_of: Callable[[str], str | None]
    resolve: Callable[[str, Import], str] | None = None
    unjudged: dict[Unjudged, None] = field(default_factory=dict)
    _imports: dict[str, Sequence[Import] | None] = field(default_factory=dict)
    _added: dict[str, bytes] = field(default_factory=dict)

    def imports(self, path: str) -> Sequence[Import] | None:
        if path not in self._imports:
            self._imports[path] = self.imports_of(path, self.contents[path])
        return self._imports[path]

    def added(self, each: FileDiff) -> bytes:
        """The lines that come, one after the other."""
        found = self._added.get(each.path)
        if found is None:
            text = "\n".join(line for _, line in each.added)
            found = self._added[each.path] = text.encode("utf-8", "surrogateescape")
        return found


def needs_content(block: Block) -> bool:
    """Whether a check looks at more than paths and the lines that come."""
    named = block.forbid_import, block.require_import, block.require_pattern, block.layer_imports
    return bool(any(named) or block.max_lines or block.header)


def judge(rules: Sequence[Rule], sight: Sight) -> list[Violation]:
    """Every violation, by path, line and rule; what could not be judged is in ``sight.unjudged``."""
    found = [each for rule in rules for file in rule.files if not file.is_gone for each in _of_file(rule, file, sight)]
    found += _companions(rules, sight)
    return sorted(found, key=lambda each: (each.path, each.line, each.check, each.slug, each.evidence))


def _of_file(rule: Rule, file: FileDiff, sight: Sight) -> Iterator[Violation]:
    yield from _paths(rule, file)
    if rule.block.forbid_pattern and file.added:
        yield from _patterns(rule, file, sight.added(file))
    if not needs_content(rule.block):
        return
    data = sight.contents.get(file.path)
    if data is None:
        sight.unjudged[Unjudged(file.path, "content")] = None
    elif data.strip():
        yield from _content(rule, file, data)
        yield from _imports(rule, file, sight)


def _violation(rule: Rule, check: str, at: tuple[str, int], evidence: str, hint: str) -> Violation:
    return Violation(rule.id, rule.slug, check, *at, evidence[:_EVIDENCE_CHARS], rule.block.hint or hint)


def _start(file: FileDiff) -> tuple[str, int]:
    """Where something stands that is wrong with the file as a whole: at the first line that comes."""
    return file.path, file.added[0][0] if file.added else 1


def _paths(rule: Rule, file: FileDiff) -> Iterator[Violation]:
    for pattern in rule.block.forbid_path:
        if matches(pattern, file.path):
            hint = f"put it somewhere else; why not here says {rule.slug}"
            yield _violation(rule, "forbidden_path", _start(file), pattern, hint)


def _patterns(rule: Rule, file: FileDiff, added: bytes) -> Iterator[Violation]:
    for text in rule.block.forbid_pattern:
        pattern = _pattern(text)
        if _is_of_lines(text) and pattern.search(added) is None:
            continue
        for number, line in file.added:
            if pattern.search(line.encode("utf-8", "surrogateescape")) is not None:
                hint = f"write it without {text}; what to write instead says {rule.slug}"
                yield _violation(rule, "forbidden_pattern", (file.path, number), line.strip(), hint)


@lru_cache(maxsize=_KEPT)
def _is_of_lines(text: str) -> bool:
    return re.search(_WHOLE_TEXT, text) is None


@lru_cache(maxsize=_KEPT)
def _pattern(text: str) -> Pattern:
    return linear.compile(text)


def _content(rule: Rule, file: FileDiff, data: bytes) -> Iterator[Violation]:
    block = rule.block
    text = data.replace(b"\r\n", b"\n").removeprefix(_BOM)
    for wanted in block.require_pattern:
        if _pattern(wanted).search(text) is None:
            hint = f"add what {rule.slug} asks for"
            yield _violation(rule, "missing_pattern", _start(file), wanted, hint)
    count = text.count(b"\n") + (not text.endswith(b"\n"))
    if block.max_lines and count > block.max_lines:
        evidence = f"{count} lines, the most is {block.max_lines}"
        yield _violation(rule, "too_many_lines", (file.path, block.max_lines + 1), evidence, "split the file")
    if block.header and not _has_header(block.header, text):
        evidence = block.header.strip().partition("\n")[0]
        yield _violation(rule, "missing_header", (file.path, 1), evidence, "begin the file with this header")


def _has_header(header: str, text: bytes) -> bool:
    """The header is what the file begins with, but for a line that names its interpreter; any year is a year."""
    start = text.partition(b"\n")[2] if text.startswith(b"#!") else text
    return _header_pattern(header).match(start.lstrip(b"\n")) is not None


@lru_cache(maxsize=_KEPT)
def _header_pattern(header: str) -> re.Pattern[bytes]:
    lines = [re.escape(line.rstrip()).replace(re.escape(_YEAR), r"\d{4}") for line in header.strip("\n").split("\n")]
    return re.compile(r"[ \t]*\n".join(lines).encode())


def _imports(rule: Rule, file: FileDiff, sight: Sight) -> Iterator[Violation]:
    block = rule.block
    asked = [name for name in ("forbid_import", "require_import", "layer_imports") if getattr(block, name)]
    if not asked:
        return
    found = sight.imports(file.path)
    if found is None:
        sight.unjudged.update((Unjudged(file.path, "language", rule.id, name), None) for name in asked)
        return
    fresh = found if file.is_new else _on_lines(found, file)
    named = [(each, spelled(file.path, each)) for each in fresh]
    yield from _forbidden(rule, file, named, sight)
    every = [spelled(file.path, each) for each in found] if block.require_import else []
    for wanted in block.require_import:
        if not any(is_of(file.path, each, wanted) for each in every):
            hint = f"import {wanted}, as {rule.slug} asks"
            yield _violation(rule, "missing_import", _start(file), wanted, hint)
    if block.layer_imports:
        yield from _layers(rule, file, fresh, sight)


def _on_lines(found: Sequence[Import], file: FileDiff) -> list[Import]:
    lines = {number for number, _ in file.added}
    return [each for each in found if each.line in lines]


def _forbidden(
    rule: Rule, file: FileDiff, named: Sequence[tuple[Import, frozenset[str]]], sight: Sight
) -> Iterator[Violation]:
    for wanted in rule.block.forbid_import:
        for each, names in named:
            if is_of(file.path, names, wanted):
                hint = f"do without {wanted}; what to use instead says {rule.slug}"
                at = file.path, each.line
                yield _violation(rule, "forbidden_import", at, _line(sight.contents[file.path], each.line), hint)


def _line(data: bytes, number: int) -> str:
    return data.split(b"\n")[number - 1].decode("utf-8", "surrogateescape").strip()


def _layers(rule: Rule, file: FileDiff, fresh: Sequence[Import], sight: Sight) -> Iterator[Violation]:
    """A layer may always import from itself; what is in no layer, and no file of the repository, is free."""
    mine = sight.layer_of(file.path)
    allowed = dict(rule.block.layer_imports).get(mine or "")
    if allowed is None or mine is None:
        return
    if sight.resolve is None:
        sight.unjudged[Unjudged(file.path, "resolution", rule.id, "layer_imports")] = None
        return
    for each in fresh:
        target = sight.resolve(file.path, each)
        layer = sight.layer_of(target) if target else None
        if layer is not None and layer != mine and layer not in allowed:
            evidence = f"{_line(sight.contents[file.path], each.line)} ({mine} -> {layer})"
            hint = f"{mine} may import from: {', '.join(allowed) or 'itself alone'}"
            yield _violation(rule, "layer_import", (file.path, each.line), evidence, hint)


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
            hint = f"change a file {wanted} along with it, as {rule.slug} asks"
            yield _violation(rule, "missing_companion", _start(file), wanted, hint)
