"""A file with its bodies open or folded whole, and the outline of one. Refuses to choose which bodies are open.

What is left out, comments, blank lines and unused imports aside, is in a fold: its text is the bytes of the blob.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from gitmem.code import folds, languages
from gitmem.code.cuts import BODY, FRAME, IMPORT, OPEN, SHOWN, SILENT, Cut, Part
from gitmem.code.source import Source
from gitmem.model.packet import Fold
from gitmem.record import record
from gitmem.text.tokens import estimate

THRESHOLD_LINES = 2
_LABEL_CHARS = 48
# A fold takes a hundred tokens in an answer: less than that is shown.
_WORTH_BYTES = 240
_ROW_CHARS = 120


@record
class Skeleton:
    text: str
    folds: tuple[Fold, ...]


def skeleton(source: Source, open_: frozenset[int], threshold_lines: int = THRESHOLD_LINES) -> Skeleton:
    """Imports, types, signatures; the bodies of ``open_`` (numbers of symbols) whole, every other one folded."""
    return _rendered(source, Cut(source, open_, threshold_lines).parts())


def window(source: Source, open_: frozenset[int]) -> Skeleton:
    """Only what is open, the types around it and the imports that it names; each stretch between is one fold."""
    parts = Cut(source, open_, 0, is_deep=False).parts()
    opened = b" ".join(source.content[part.start : part.end] for part in parts if part.kind == OPEN)
    words = frozenset(re.findall(rb"\w+", opened))
    return _rendered(source, list(_stretches(source, parts, words)))


def _stretches(source: Source, parts: Iterable[Part], words: frozenset[bytes]) -> Iterator[Part]:
    run: list[Part] = []
    for part in parts:
        if part.kind in (OPEN, FRAME) or (part.kind == IMPORT and _is_named(source, part, words)):
            yield from _stretch(source, run)
            run = []
            yield part
        else:
            run.append(part)
    yield from _stretch(source, run)


def _is_named(source: Source, part: Part, words: frozenset[bytes]) -> bool:
    """Whether what is open uses a name that these lines import."""
    lines = range(source.line_of(part.start), source.line_of(part.end - 1) + 1)
    taken = (row.alias or row.name or row.module for row in source.facts.imports if row.line in lines)
    return any(name.rpartition(".")[2].rpartition("/")[2].encode() in words for name in taken)


def _stretch(source: Source, run: list[Part]) -> Iterator[Part]:
    while run and run[0].kind == SILENT:
        yield run.pop(0)
    while run and run[-1].kind == SILENT:
        run.pop()
    if all(part.kind in (SILENT, IMPORT) for part in run):
        return
    start, end = run[0].start, run[-1].end
    names = tuple(dict.fromkeys(part.name.rpartition(".")[2] for part in run if part.name))
    is_folded = end - start > _WORTH_BYTES
    yield Part(start, end, BODY if is_folded else SHOWN, _label(names))


def _label(names: tuple[str, ...]) -> str:
    kept: list[str] = []
    for name in names:
        if sum(map(len, kept)) + len(kept) + len(name) > _LABEL_CHARS:
            break
        kept.append(name)
    more = len(names) - len(kept)
    return ",".join([*kept, f"+{more}"] if more else kept)


def _rendered(source: Source, parts: list[Part]) -> Skeleton:
    texts: list[str] = []
    found: list[Fold] = []
    for part in parts:
        if part.kind == BODY:
            fold = fold_of(source, part.start, part.end, part.name)
            found.append(fold)
            texts.append(_folded(source, part, folds.marker(fold)))
        elif part.kind != SILENT:
            texts.append(source.text(part.start, part.end))
    return Skeleton("".join(texts), tuple(found))


def fold_of(source: Source, start: int, end: int, symbol: str) -> Fold:
    """Of any span of the file."""
    return Fold(
        folds.fold_id(source.path, source.oid, start, end),
        re.sub(r"[\s\]]+", "", symbol)[:_ROW_CHARS],
        source.line_of(start),
        source.line_of(max(start, end - 1)),
        source.tokens(start, end),
    )


def _folded(source: Source, part: Part, marker: str) -> str:
    """What stands for a part: a body in braces keeps them, a stretch of lines has a line of its own."""
    body = source.content[part.start : part.end]
    if body.startswith(b"{") and body.rstrip().endswith(b"}"):
        return f"{{ /* {marker} */ }}"
    row = languages.row_of(source.path)
    begin, finish = row.comment if row else ("#", "")
    said = f"{begin} {marker} {finish}".rstrip()
    if source.line_starts[source.line_of(part.start) - 1] == part.start:
        indent = body[: len(body) - len(body.lstrip(b" \t"))]
        return f"{indent.decode()}{said}" + ("\n" if body.endswith(b"\n") else "")
    is_line_over = source.content[part.end : part.end + 2].lstrip(b"\r")[:1] in (b"\n", b"")
    lead = " " if body.startswith(b"\n") else "...  " if row is not None and row.name == "python" else ""
    return f"{lead}{said}" + ("" if finish or is_line_over else "\n")


def outline(source: Source, most_tokens: int) -> str:
    """Lines of definitions with their numbers, as many as fit; what stands at the top comes first."""
    symbols = source.facts.symbols
    told = []
    for number, symbol in enumerate(symbols):
        depth = source.name(number).count(".")
        told.append((depth, symbol.line, f"{symbol.line}: {'  ' * depth}{symbol.signature[:_ROW_CHARS]}"))
    kept: list[tuple[int, str]] = []
    left = most_tokens
    for _, line, text in sorted(told):
        left -= estimate(text) + 1
        if left < 0:
            break
        kept.append((line, text))
    return "\n".join(text for _, text in sorted(kept))
