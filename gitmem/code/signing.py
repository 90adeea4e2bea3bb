"""The digest of a symbol over its words and signs, blind to blanks, comments and its own name. Refuses to find one.

``s1:LANGUAGE:`` and 40 hex digits of sha256 over the tokens of the symbol, each with a LF. Left out are comments, the
texts that document it, and the name where it is defined, so that a symbol which only got another name is found again.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left
from collections.abc import Iterator

from gitmem.model.code import Facts, qualified, tail
from gitmem.model.signed import Part

PREFIX = "s1:"
_HEX = 40
_TOKEN = re.compile(rb"[\w\x80-\xff]+|[^\w\s]")


def parts(facts: Facts, content: bytes, names: frozenset[str] | None = None) -> tuple[Part, ...]:
    """Every symbol of a file; with ``names`` only those of one of these names."""
    numbers = [at for at, symbol in enumerate(facts.symbols) if names is None or symbol.name in names]
    return tuple(_part(facts, content, at) for at in numbers)


def _part(facts: Facts, content: bytes, number: int) -> Part:
    symbol = facts.symbols[number]
    made, size = hashlib.sha256(), 0
    own: bytes | None = symbol.name.encode("utf-8", "surrogatepass")
    for token in _tokens(facts, content, symbol.start, symbol.end):
        if token == own:
            own = None
            continue
        made.update(token + b"\n")
        size += len(token)
    return Part(
        name=qualified(facts.symbols, number),
        tail=tail(facts.symbols, number),
        digest=f"{PREFIX}{facts.language}:{made.hexdigest()[:_HEX]}",
        lines=f"{symbol.line}-{symbol.end_line}" if symbol.end_line > symbol.line else str(symbol.line),
        size_bytes=size,
    )


def _tokens(facts: Facts, content: bytes, start: int, end: int) -> Iterator[bytes]:
    """What stands between the comments."""
    at = start
    for from_, to in facts.comments[bisect_left(facts.comments, (start, 0)) :]:
        if from_ >= end:
            break
        yield from _TOKEN.findall(content[at : max(at, from_)])
        at = max(at, to)
    yield from _TOKEN.findall(content[at:end])
