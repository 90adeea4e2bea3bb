"""The parts of a knowledge file: mark, fences, header, body, canonical bytes. Refuses to understand YAML."""

import re

from gitmem.model.finding import Finding, Severity
from gitmem.model.vocabulary import FILE_MAX_BYTES
from gitmem.record import record
from gitmem.store.canonical import BOM
from gitmem.text.sections import unfenced

_FENCE = re.compile(r"^---\r?(?:\n|\Z)", re.MULTILINE)
_MARKER = re.compile(r"(?:<{7}|>{7})(?: |\Z)")
_ENTRY = re.compile(r"[\"']?(\w[\w.@/ -]*)[\"']?:(?:\s|\Z)")
_WELL_KNOWN = frozenset({"id", "title", "name", "description", "kind", "type", "tags", "status", "permalink"})


@record
class Parts:
    """One file, taken apart. ``text`` is all of it but a byte order mark; the offsets count its characters.

    The header lies between the fences, the body behind the second one. With ``findings`` the offsets mean nothing.
    ``newline`` is the line end of the first line.
    """

    text: str
    newline: str
    header_start: int
    header_end: int
    body_start: int
    has_bom: bool = False
    findings: tuple[Finding, ...] = ()

    @property
    def header(self) -> str:
        return self.text[self.header_start : self.header_end]

    @property
    def body(self) -> str:
        return self.text[self.body_start :]


def readable(data: bytes, rel: str) -> str | Finding:
    """The text of a YAML or Markdown file without its mark, or what keeps anybody from reading it."""
    if len(data) > FILE_MAX_BYTES:
        size = f"{rel} has {len(data)} bytes, the most is {FILE_MAX_BYTES}"
        return _error("too-large", rel, 0, size, "split it into several items")
    if b"\0" in data:
        at = data.index(b"\0")
        line = data.count(b"\n", 0, at) + 1
        return _error("nul-byte", rel, line, f"NUL at byte offset {at}", "knowledge is text; remove it")
    try:
        return data.removeprefix(BOM).decode()
    except UnicodeDecodeError as err:
        at = err.start + (len(BOM) if data.startswith(BOM) else 0)
        line = data.count(b"\n", 0, at) + 1
        found = f"not UTF-8: byte 0x{data[at]:02x} at byte offset {at}"
        return _error("not-utf8", rel, line, found, "save the file as UTF-8")


def split(data: bytes, rel: str) -> Parts:
    """Takes an engram file apart. Only whole lines ``---`` at the very top are fences; a mark may stand before them."""
    text = readable(data, rel)
    if isinstance(text, Finding):
        return Parts("", "\n", 0, 0, 0, findings=(text,))
    opening = _FENCE.match(text)
    newline = "\r\n" if text[: text.find("\n") + 1].endswith("\r\n") else "\n"
    closing = _FENCE.search(text, opening.end()) if opening else None
    start, end, body = (opening.end(), closing.start(), closing.end()) if opening and closing else (0, 0, 0)
    problem = conflict_marker(text, body, rel) or (_second_header(text, body, rel) if body else _no_header(text, rel))
    return Parts(text, newline, start, end, body, data.startswith(BOM), (problem,) if problem else ())


def _no_header(text: str, rel: str) -> Finding:
    first = text.partition("\n")[0].rstrip("\r")
    if not text.strip():
        return _error("empty-file", rel, 0, "the file is empty", "write a header and a body, or remove the file")
    if text.startswith("version https://git-lfs."):
        return _error("lfs-pointer", rel, 1, "a pointer of Git LFS, not the text itself", "store knowledge without LFS")
    if first == "---":
        return _error("unclosed-header", rel, 1, "the header is never closed", "end it with a line ---")
    hint = "the first line must be exactly ---, then the keys, then another line ---"
    return _error("no-header", rel, 1, "no header at the top", hint)


def conflict_marker(text: str, body_start: int, rel: str) -> Finding | None:
    """The first mark of an unfinished merge; code fences count from ``body_start`` on."""
    if "<<<<<<<" not in text and ">>>>>>>" not in text:
        return None
    above = text[:body_start].count("\n")
    header = enumerate(text[:body_start].split("\n"))
    body = ((above + number, line) for number, line in unfenced(text[body_start:].split("\n")))
    for number, line in (*header, *body):
        if _MARKER.match(line.rstrip("\r")):
            hint = "finish the merge by hand, or with gitmem resolve"
            return _error("conflict-marker", rel, number + 1, f"a conflict marker: {line[:40].rstrip()}", hint)
    return None


def _second_header(text: str, body_start: int, rel: str) -> Finding | None:
    body = text[body_start:]
    start = len(body) - len(body.lstrip("\r\n"))
    opening = _FENCE.match(body, start)
    closing = _FENCE.search(body, opening.end()) if opening else None
    if opening is None or closing is None or not _looks_like_header(body[opening.end() : closing.start()]):
        return None
    line = text[: body_start + start].count("\n") + 1
    hint = "keep one header and move its keys together"
    return _error("two-headers", rel, line, "a second header right after the first", hint)


def _looks_like_header(block: str) -> bool:
    """Every line that could be a key is one; prose between two rulers of a Markdown body is no header."""
    lines = [line for line in block.splitlines() if line and line[0] not in " \t#-"]
    entries = [_ENTRY.match(line) for line in lines]
    keys = {match[1] for match in entries if match}
    return bool(keys) and all(entries) and (len(keys) > 1 or not keys.isdisjoint(_WELL_KNOWN))


def _error(code: str, rel: str, line: int, message: str, hint: str) -> Finding:
    return Finding(code, Severity.ERROR, rel, line, message, hint)
