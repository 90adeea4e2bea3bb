"""A marked block in somebody's shell script, put in and taken out with every other byte kept. Refuses to open files."""

from gitmem.record import record

BEGIN = "# >>> gitmem >>>"
BEGIN_OF_OURS = "# >>> gitmem (it made this file) >>>"
END = "# <<< gitmem <<<"
_SHEBANG = b"#!/bin/sh\n"
_SHELLS = frozenset({b"sh", b"bash", b"dash", b"zsh", b"ksh", b"ash"})


@record
class _Span:
    """Lines ``start`` up to, not including, ``end`` hold a block; ``is_made``: we made the file around it."""

    start: int
    end: int
    is_made: bool


def with_block(content: bytes | None, script: str) -> bytes:
    """The content with one block that holds ``script``, below the first line; None is a file that is to be made."""
    if content is None:
        return _SHEBANG + _block(script, b"\n", is_made=True)
    spans = _spans(content)
    is_made = any(span.is_made for span in spans)
    bare = _without(content, spans)
    lines = bare.splitlines(keepends=True)
    newline = b"\r\n" if lines and lines[0].endswith(b"\r\n") else b"\n"
    top = 1 if lines and lines[0].startswith(b"#!") else 0
    head, rest = b"".join(lines[:top]), b"".join(lines[top:])
    block = _block(script, newline, is_made=is_made)
    if head and not head.endswith(b"\n"):
        # The block takes over the missing line end, so that taking it out gives the same bytes back.
        return head + newline + block.removesuffix(newline)
    return head + block + rest


def without_block(content: bytes) -> bytes | None:
    """The content as it was before; None when the file was made for the block and holds nothing else."""
    spans = _spans(content)
    bare = _without(content, spans)
    return None if bare == _SHEBANG and any(span.is_made for span in spans) else bare


def holds_block(content: bytes) -> bool:
    return bool(_spans(content))


def is_current(content: bytes, script: str) -> bool:
    return holds_block(content) and with_block(content, script) == content


def is_shell(content: bytes) -> bool:
    """Whether lines of shell can be put into the script; without a first line Git gives it to sh."""
    if b"\0" in content:
        return False
    first = content.split(b"\n", 1)[0].rstrip(b"\r")
    if not first.startswith(b"#!"):
        return True
    words = first[2:].split()
    names = [word.rpartition(b"/")[2] for word in words if not word.startswith(b"-")]
    program = names[1] if len(names) > 1 and names[0] == b"env" else names[0] if names else b""
    return program in _SHELLS


def _block(script: str, newline: bytes, *, is_made: bool) -> bytes:
    lines = [BEGIN_OF_OURS if is_made else BEGIN, *script.splitlines(), END]
    return b"".join(line.encode() + newline for line in lines)


def _spans(content: bytes) -> list[_Span]:
    spans: list[_Span] = []
    start, is_made = -1, False
    for number, raw in enumerate(content.splitlines()):
        line = raw.strip().decode("utf-8", "replace")
        if line in (BEGIN, BEGIN_OF_OURS):
            start, is_made = number, line == BEGIN_OF_OURS
        elif line == END and start >= 0:
            spans.append(_Span(start, number + 1, is_made))
            start = -1
    return spans


def _without(content: bytes, spans: list[_Span]) -> bytes:
    lines = content.splitlines(keepends=True)
    gone = {number for span in spans for number in range(span.start, span.end)}
    kept = b"".join(line for number, line in enumerate(lines) if number not in gone)
    took_over = bool(spans) and spans[-1].end == len(lines) and not lines[-1].endswith(b"\n")
    return kept.removesuffix(b"\n") if took_over else kept
