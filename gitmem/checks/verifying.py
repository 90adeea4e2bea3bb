"""Reads the verify block of a rule and says what is wrong with it. Refuses to judge code by it."""

import re
from collections.abc import Callable, Iterator, Mapping

from gitmem.globs.dialect import GlobError, parse
from gitmem.model.block import CHECKS, HEADER, HINT, KEYS, LAYER_IMPORTS, LISTS, MAX_LINES, PLACEHOLDERS, Block
from gitmem.model.finding import Finding, Severity
from gitmem.record import record, replace
from gitmem.store.codec import read_yaml
from gitmem.store.form import Form, did_you_mean, shown
from gitmem.text import linear
from gitmem.text.linear import PatternError
from gitmem.text.sections import blocks

INFO = "verify"
KIND = "constraint"
_ENTRIES_MAX = 500
_LINES_MAX = 1_000_000
_HEADER_MAX_CHARS = 4000
_HINT_MAX_CHARS = 500
_PLACEHOLDER = re.compile(r"\{(\w+)\}")


@record
class Read:
    """What stands in a body: the block, None where there is none or it is not right, and what is wrong."""

    block: Block | None
    findings: tuple[Finding, ...] = ()


def read(body: str, kind: str, rel: str, first_line: int = 1) -> Read:
    """``first_line`` is the line of the file ``rel`` on which the body begins."""
    found = blocks(body, INFO)
    if not found:
        return Read(None)
    line = first_line + found[0].line
    if kind != KIND:
        message = f"a verify block in a {kind}: only a {KIND} is verified"
        hint = f"make it a {KIND}, or remove the block"
        return Read(None, (Finding("verify-ignored", Severity.WARNING, rel, line, message, hint),))
    if len(found) > 1:
        message = f"{len(found)} verify blocks, from line {line} on"
        second = first_line + found[1].line
        return Read(None, (_error("verify-twice", rel, second, message, "put all checks into one block"),))
    return _read_yaml(found[0].text, rel, line + 1)


def _error(code: str, rel: str, line: int, message: str, hint: str) -> Finding:
    return Finding(code, Severity.ERROR, rel, line, message, hint)


def _read_yaml(text: str, rel: str, first_line: int) -> Read:
    typed = read_yaml(text, rel, first_line)
    if isinstance(typed, tuple):
        return Read(None, typed)
    form = Form(typed, rel)
    block = _Reader(form).block()
    findings = tuple(replace(each, code="verify-block") if each.code == "schema" else each for each in form.findings)
    if not findings and block.is_empty:
        hint = f"write at least one of {', '.join(CHECKS)}"
        findings = (_error("verify-block", rel, first_line - 1, "the verify block asks for nothing", hint),)
    return Read(None if findings else block, findings)


class _Reader:
    """Reads the checks of a form one by one; what is wrong becomes a fault of the form."""

    def __init__(self, form: Form) -> None:
        self.form = form

    def block(self) -> Block:
        form = self.form
        for key in form.typed.values:
            if key not in KEYS:
                form.fault(key, f"unknown check {shown(key)}", f"{did_you_mean(key, KEYS)}known: {', '.join(KEYS)}")
        readers: dict[str, Callable[[str, str], None]] = {
            "forbid_import": self.module,
            "require_import": self.module,
            "require_companion": self.companion,
            "forbid_pattern": self.pattern,
            "require_pattern": self.pattern,
            "forbid_path": self.glob,
        }
        lists = {key: self.entries(key, readers[key]) for key in LISTS}
        return Block(
            **lists,
            layer_imports=self.layers(),
            max_lines=self.most_lines(),
            header=self.text(HEADER, _HEADER_MAX_CHARS),
            hint=self.text(HINT, _HINT_MAX_CHARS),
        )

    def entries(self, key: str, examine: Callable[[str, str], None]) -> tuple[str, ...]:
        texts = self.form.texts(key)
        if len(texts) > _ENTRIES_MAX:
            self.form.fault(key, f"{key} has {len(texts)} entries, the most is {_ENTRIES_MAX}", "use wider patterns")
            return ()
        for number, text in enumerate(texts):
            place = f"{key}[{number}]" if f"{key}[{number}]" in self.form.typed.lines else key
            if text:
                examine(place, text)
        return tuple(dict.fromkeys(text for text in texts if text))

    def module(self, place: str, text: str) -> None:
        if "*" in text.rstrip("*") or any(sign.isspace() for sign in text) or not text.strip("*"):
            hint = "write the name of a module; a star stands at its end only, as in @angular/*"
            self.form.fault(place, f"{shown(text)} is no name of a module", hint)

    def pattern(self, place: str, text: str) -> None:
        try:
            linear.compile(text)
        except PatternError as err:
            self.form.fault(place, f"{shown(text)}: {err.message}", err.hint)

    def glob(self, place: str, text: str) -> None:
        try:
            parse(text)
        except GlobError as err:
            self.form.fault(place, f"{shown(text)}: {err.message}", err.hint or "see docs/globs.md")

    def companion(self, place: str, text: str) -> None:
        strange = [name for name in _PLACEHOLDER.findall(text) if name not in PLACEHOLDERS]
        if strange:
            known = ", ".join(f"{{{name}}}" for name in PLACEHOLDERS)
            self.form.fault(
                place, f"{shown(text)}: unknown {{{strange[0]}}}", f"known: {known}; braces hold a comma else"
            )
        self.glob(place, general(text))

    def layers(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        value = self.form.value(LAYER_IMPORTS)
        if value is None:
            return ()
        if not isinstance(value, dict):
            hint = "write a layer, a colon and the layers that it may import from"
            self.form.fault(LAYER_IMPORTS, f"{LAYER_IMPORTS} is no mapping of layers", hint)
            return ()
        return tuple((layer, self.form.texts(f"{LAYER_IMPORTS}.{layer}")) for layer in value)

    def most_lines(self) -> int:
        number = self.form.whole(MAX_LINES, _LINES_MAX)
        if number < 0 or (number == 0 and self.form.value(MAX_LINES) == "0"):
            self.form.fault(MAX_LINES, f"{MAX_LINES} is {number}, and a file has at least one line", "for example 400")
        return max(number, 0)

    def text(self, key: str, most: int) -> str:
        text = self.form.text(key)
        if len(text) > most:
            self.form.fault(key, f"{key} has {len(text)} characters, the most is {most}", "shorten it")
        return text


def general(pattern: str) -> str:
    """What tells a companion from a file that needs one."""
    return filled(pattern, PLACEHOLDERS)


def filled(pattern: str, values: Mapping[str, str]) -> str:
    """A pattern with ``{dir}``, ``{stem}``, ``{name}`` and ``{ext}`` in the place of their values."""
    return _PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]), pattern)


def rows(body: str, kind: str, first_line: int) -> Iterator[tuple[str, Severity, int, str, str]]:
    """The findings without their place."""
    for each in read(body, kind, "", first_line).findings:
        yield each.code, each.severity, each.line, each.message, each.hint
