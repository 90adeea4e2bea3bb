"""Parts of a file that are written in another language, and the facts of all of them as those of one file.

Refuses to know a language: the query of the outer one and its row say where such parts are and how they are read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from gitmem.code import languages, lines
from gitmem.code.captures import Embed, Read
from gitmem.code.languages import Fence, Language, Part
from gitmem.model.code import Binding, Call, Facts, Hint, Imported, Reference, Symbol
from gitmem.record import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    Owned = TypeVar("Owned", Symbol, Call, Binding, Reference, Hint)
    Lined = TypeVar("Lined", Imported, Call, Binding, Reference, Hint)

Reader = Callable[[Language, bytes], Facts]
Span = tuple[int, int]

_BLANK = bytes(byte if byte in b"\r\n" else 32 for byte in range(256))
_BRACKETS = {b"{": b"}", b"(": b")", b"[": b"]"}
# Brackets in texts and comments close nothing.
_STEPS = re.compile(rb"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|//[^\n]*|/\*.*?\*/|[()\[\]{}]", re.DOTALL)


def joined(row: Language, found: Read, content: bytes, read: Reader) -> Facts:
    """The facts of the outer text with those of its inner parts, in the offsets and lines of the whole."""
    notes = _notes(row, content) if row.fences else []
    outer = replace(found.facts, comments=tuple(sorted({*found.facts.comments, *notes}))) if notes else found.facts
    shown = lines.facts(row, content, outer, closing)
    spans: dict[Part, list[Span]] = {}
    for part, span in _pieces(row, found.embeds, _without(content, notes)):
        if part.language not in ("", row.name):
            spans.setdefault(replace(part, word=""), []).append(span)
    outer = _without_inner(outer, content, [span for held in spans.values() for span in held])
    inner = [_inner(part, spans[part], content, read) for part in sorted(spans, key=lambda part: min(spans[part]))]
    more = [facts for facts in (shown, *inner) if facts.language]
    whole = _merged([outer, *more]) if more else outer
    return _bounded(whole, row.most) if 0 < row.most < len(whole.symbols) else whole


def _without_inner(outer: Facts, content: bytes, spans: Sequence[Span]) -> Facts:
    """What stands inside a part is said by the language of the part, on whole lines where both see something."""
    lines_ = {
        line
        for start, end in spans
        if outer.calls
        for line in range(content.count(b"\n", 0, start) + 2, content.count(b"\n", 0, end) + 1)
    }
    return replace(outer, calls=tuple(call for call in outer.calls if call.line not in lines_)) if lines_ else outer


def _notes(row: Language, content: bytes) -> list[Span]:
    """The comments of a language whose grammar is that of another one."""
    begin, end = (text.encode() for text in row.comment)
    found, at = [], content.find(begin)
    while at >= 0 and (closed := content.find(end, at + len(begin))) >= 0:
        found.append((at, closed + len(end)))
        at = content.find(begin, closed + len(end))
    return found


def _without(content: bytes, spans: Sequence[Span]) -> bytes:
    text = bytearray(content)
    for start, end in spans:
        text[start:end] = content[start:end].translate(_BLANK)
    return bytes(text)


def _pieces(row: Language, embeds: Iterable[Embed], content: bytes) -> Iterator[tuple[Part, Span]]:
    parts = {part.word: part for part in row.parts}
    words: dict[Span, list[str]] = {}
    for embed in embeds:
        words.setdefault((embed.start, embed.end), []).append(embed.language)
    for span, said in words.items():
        yield _part(parts, said), span
    for fence in row.fences:
        yield from ((_part(parts, [fence.word]), span) for span in fenced(fence, content))


def _part(parts: Mapping[str, Part], words: Sequence[str]) -> Part:
    """Of several words for one place the row's later one counts, and before all one that the row does not have."""
    order = [*parts]
    word = max(words, key=lambda word: order.index(word) if word in parts else len(order))
    if word in parts:
        return parts[word]
    meant = languages.meant(word)
    return Part(word, meant.name if meant else "")


def fenced(fence: Fence, content: bytes) -> Iterator[Span]:
    """Where a part of another language begins and ends; one that nothing ends goes on to the end of the text."""
    begin, at = re.compile(fence.begin.encode(), re.MULTILINE), 0
    end = fence.end.encode()
    while match := begin.search(content, at):
        if begin.groups:
            span = match.span(1)
        elif end:
            closed = content.find(end, match.end())
            span = match.end(), closed if closed >= 0 else len(content)
        else:
            span = match.end(), closing(content, match.end())
        yield span
        at = max(match.end(), span[1], at + 1)


def closing(content: bytes, at: int) -> int:
    """Where the bracket is that closes the one before ``at``, the end of the text for none."""
    opens = content[at - 1 : at]
    closes, depth = _BRACKETS.get(opens, b""), 1
    for step in _STEPS.finditer(content, at):
        depth += (step[0] == opens) - (step[0] == closes)
        if not depth:
            return step.start()
    return len(content)


def _inner(part: Part, spans: Sequence[Span], content: bytes, read: Reader) -> Facts:
    """Everything else is made blank, so that offsets and lines stay as they are."""
    row = languages.named(part.language)
    if row is None:
        return Facts()
    text, mark = bytearray(content.translate(_BLANK)), part.mark.encode()
    for start, end in spans:
        text[start:end] = content[start:end]
        if mark and len(mark) <= start:
            text[start - len(mark) : start] = mark
    before = part.before.encode()
    found = read(row, before + bytes(text) + part.after.encode())
    return _shifted(found, len(before), len(content)) if before or part.after else found


def _shifted(facts: Facts, by: int, most: int) -> Facts:
    """Without what the text before the file defines, and none of it beyond the end."""
    kept = [number for number, symbol in enumerate(facts.symbols) if by <= symbol.start < by + most]
    symbols = tuple(_moved(facts.symbols[number], by, most) for number in kept)
    numbers = {number: at for at, number in enumerate(kept)}
    comments = tuple((start - by, min(most, end - by)) for start, end in facts.comments if by <= start < by + most)
    return _renumbered(replace(facts, symbols=symbols, comments=comments), numbers)


def _moved(symbol: Symbol, by: int, most: int) -> Symbol:
    end, body = min(most, symbol.end - by), (0, 0)
    if symbol.body_end:
        body = min(end, symbol.body_start - by), min(end, symbol.body_end - by)
    return replace(symbol, start=symbol.start - by, end=end, body_start=body[0], body_end=body[1])


def _bounded(facts: Facts, most: int) -> Facts:
    """The first ``most`` definitions, those that stand in no other before all."""
    order = sorted(range(len(facts.symbols)), key=lambda number: (facts.symbols[number].owner >= 0, number))
    kept = sorted(order[:most])
    symbols = tuple(facts.symbols[number] for number in kept)
    return _renumbered(replace(facts, symbols=symbols), {number: at for at, number in enumerate(kept)})


def _renumbered(facts: Facts, numbers: Mapping[int, int]) -> Facts:
    def rows(held: tuple[Owned, ...]) -> tuple[Owned, ...]:
        return tuple(replace(row, owner=numbers.get(row.owner, -1)) for row in held)

    return replace(
        facts,
        symbols=rows(facts.symbols),
        calls=rows(facts.calls),
        bindings=rows(facts.bindings),
        references=rows(facts.references),
        hints=rows(facts.hints),
    )


def _merged(parts: Sequence[Facts]) -> Facts:
    rows = sorted(
        (symbol.start, -symbol.end, which, number)
        for which, facts in enumerate(parts)
        for number, symbol in enumerate(facts.symbols)
    )
    numbers: list[dict[int, int]] = [{} for _ in parts]
    for at, (_, _, which, number) in enumerate(rows):
        numbers[which][number] = at
    parts = [_renumbered(facts, known) for facts, known in zip(parts, numbers, strict=True)]
    return replace(
        parts[0],
        skipped=next((facts.skipped for facts in parts if facts.skipped), ""),
        symbols=_counted(parts[which].symbols[number] for _, _, which, number in rows),
        imports=_by_line(facts.imports for facts in parts),
        calls=_by_line(facts.calls for facts in parts),
        bindings=_by_line(facts.bindings for facts in parts),
        references=_by_line(facts.references for facts in parts),
        hints=_by_line(facts.hints for facts in parts),
        comments=tuple(sorted({span for facts in parts for span in facts.comments})),
    )


def _counted(symbols: Iterable[Symbol]) -> tuple[Symbol, ...]:
    """Namesakes of one owner, numbered over all parts."""
    seen: dict[tuple[object, ...], int] = {}
    rows = []
    for symbol in symbols:
        key = (symbol.owner, symbol.outer, symbol.name, symbol.arity)
        seen[key] = seen.get(key, 0) + 1
        rows.append(replace(symbol, ordinal=seen[key]) if symbol.ordinal != seen[key] else symbol)
    return tuple(rows)


def _by_line(parts: Iterable[tuple[Lined, ...]]) -> tuple[Lined, ...]:
    return tuple(sorted((row for rows in parts for row in rows), key=lambda row: row.line))
