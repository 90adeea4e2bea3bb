"""A change and a rule in short, judged by the real reader of imports. Refuses Git."""

from collections.abc import Mapping, Sequence

from gitmem.checks.verifying import read
from gitmem.code import imports as extract
from gitmem.code import modules
from gitmem.model.diff import ADDED, MODIFIED, FileDiff
from gitmem.model.imports import Import
from gitmem.model.verified import Violation
from gitmem.rules import violations
from gitmem.rules.violations import Rule, Sight

LAYERS = {"ui": "ui", "domain": "domain", "db": "db"}


def rule(block: str, files: Sequence[FileDiff]) -> Rule:
    found = read(f"Text.\n\n```verify\n{block}\n```\n", "constraint", "a.md")
    assert found.block is not None, found.findings
    return Rule("ID", "a-rule", found.block, tuple(files))


def new(path: str, text: str) -> FileDiff:
    return FileDiff(path, ADDED, new_mode="100644", added=tuple(enumerate(text.splitlines(), 1)))


def changed(path: str, text: str, lines: Sequence[int]) -> FileDiff:
    """Only these lines of ``text`` come."""
    rows = text.splitlines()
    return FileDiff(path, MODIFIED, new_mode="100644", added=tuple((n, rows[n - 1]) for n in lines))


def layer_of(path: str) -> str | None:
    return next((layer for folder, layer in LAYERS.items() if f"/{folder}/" in f"/{path}"), None)


def sight(texts: Mapping[str, str | bytes], files: Sequence[FileDiff], tracked: Sequence[str] = ()) -> Sight:
    contents = {path: text.encode() if isinstance(text, str) else text for path, text in texts.items()}
    known = modules.tracked([*texts, *tracked], {"go.mod": "module example.com/shop\n"})

    def imports_of(path: str, data: bytes) -> Sequence[Import] | None:
        return extract.imports(path, data) if extract.language_of(path) else None

    def resolve(path: str, found: Import) -> Sequence[str]:
        return modules.reached(path, found, known)

    touched = [file.path for file in files if not file.is_gone]
    return Sight(touched, contents, imports_of, layer_of, resolve)


def judged(block: str, texts: Mapping[str, str], tracked: Sequence[str] = ()) -> list[Violation]:
    """What a rule says of a change that adds these files; the rule concerns the first of them."""
    files = [new(path, text) for path, text in texts.items()]
    return violations.judge([rule(block, files[:1])], sight(texts, files, tracked))


def told(found: Sequence[Violation]) -> list[tuple[str, str, int]]:
    return [(each.check, each.path, each.line) for each in found]
