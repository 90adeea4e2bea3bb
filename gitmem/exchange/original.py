"""A foreign file as text, and the way back to its bytes. Refuses to read what the header says."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby, islice, repeat

from gitmem.errors import GitmemError
from gitmem.model.finding import Finding
from gitmem.model.vocabulary import FILE_MAX_BYTES, Text
from gitmem.store.parts import split

FENCE = "---"
MAX_RUNS = 1000
HEADER_MAX_LINES = 4000
HEADER_MAX_CHARS = 1 << 15
# An engram holds the source, its header in quotes, and keys of its own.
SOURCE_MAX_BYTES = FILE_MAX_BYTES - (1 << 18)
_BOM = "\ufeff"
_LFS = b"version https://git-lfs.github.com/spec/"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class Original:
    """``header`` is the text between the fences, or None; ``body`` has line feeds only and ends in one.

    ``facts`` are what it takes to give the bytes back: ``header`` as a list of lines, ``open`` and ``close`` (fences
    that are not plain ``---``), ``below_header`` (the lines of a second header), ``bom``, ``line_ends`` (``crlf``, or
    runs as in ``12 lf, 3 crlf``), ``tail`` (what ends the file, if it is not one line end).
    """

    header: str | None
    body: str
    facts: Mapping[str, Text]


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Bytes that cannot become an engram."""

    reason: str


@dataclass(frozen=True, slots=True)
class _Head:
    """The lines above the body, fences included; ``close`` is the number of the closing fence."""

    lines: tuple[str, ...] = ()
    close: int = 0
    end: int = 0

    def facts(self) -> dict[str, Text]:
        if not self.close:
            return {}
        facts: dict[str, Text] = {"header": list(self.lines[1 : self.close])}
        for name, fence in (("open", self.lines[0]), ("close", self.lines[self.close])):
            if fence != FENCE:
                facts[name] = fence
        if self.end > self.close + 1:
            facts["below_header"] = list(self.lines[self.close + 1 : self.end])
        return facts


def take_apart(data: bytes) -> Original | Unreadable:
    """Splits a file into header and body, and notes how it was written."""
    if reason := _refusal(data):
        return Unreadable(reason)
    text = data.decode("utf-8")
    core = text.removeprefix(_BOM).rstrip("\r\n")
    tail = text.removeprefix(_BOM)[len(core) :]
    pieces = core.split("\n")
    runs = _runs(pieces)
    lines = [*(piece.rstrip("\r") for piece in pieces[:-1]), pieces[-1]]
    head = _head(lines)
    body = "\n".join(lines[head.end :]) + "\n"
    if reason := _refusal_of_parts(head, body, runs):
        return Unreadable(reason)
    ends = _ends_as_text(runs)
    facts = head.facts()
    facts |= {"bom": "yes"} if text.startswith(_BOM) else {}
    facts |= {"line_ends": ends} if ends else {}
    facts |= {"tail": tail} if tail != _plain_tail(ends) else {}
    header = "".join(line + "\n" for line in head.lines[1 : head.close]) if head.close else None
    return Original(header, body, facts)


def give_back(origin: Mapping[str, Text], body: str) -> bytes:
    """The bytes of the source: those that were imported when ``body`` was not edited, else in the same manner."""
    head = ""
    if "header" in origin:
        fences = (_fact(origin, "open") or FENCE, _fact(origin, "close") or FENCE)
        lines = (fences[0], *_lines(origin, "header"), fences[1], *_lines(origin, "below_header"))
        head = "".join(line + "\n" for line in lines)
    ends = _fact(origin, "line_ends")
    pieces = (head + body).rstrip("\r\n").split("\n")
    core = "".join(piece + end for piece, end in zip(pieces, [*_ends(ends, len(pieces) - 1), ""], strict=True))
    tail = _fact(origin, "tail") if "tail" in origin else _plain_tail(ends)
    return ((_BOM if "bom" in origin else "") + core + tail).encode("utf-8")


def is_fence(line: str) -> bool:
    """True for a whole line that opens or closes a header; indented dashes are text."""
    return line.rstrip(" \t") == FENCE


def _refusal(data: bytes) -> str:
    if not data:
        return "the file is empty"
    if len(data) > SOURCE_MAX_BYTES:
        return f"{len(data)} bytes; at most {SOURCE_MAX_BYTES} fit into an engram"
    if data.startswith(_LFS):
        return "a pointer to Git LFS, not the text itself"
    if data.startswith(_UTF16):
        return "UTF-16, not UTF-8, from byte 0; save it as UTF-8"
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return f"not UTF-8 at byte {error.start} (0x{data[error.start]:02x}); save it as UTF-8"
    nul = data.find(b"\0")
    return f"a NUL at byte {nul}: not a text file" if nul >= 0 else ""


def _refusal_of_parts(head: _Head, body: str, runs: list[tuple[int, int]]) -> str:
    if not body.strip():
        return "there is no text below its header" if head.close else "the file is empty"
    if len(runs) > MAX_RUNS:
        return f"its line ends change more than {MAX_RUNS} times; give it one kind and import it again"
    if head.end > HEADER_MAX_LINES or sum(map(len, head.lines)) > HEADER_MAX_CHARS:
        return f"its header has more than {HEADER_MAX_LINES} lines or {HEADER_MAX_CHARS} characters"
    finding = _in_an_engram(body)
    return finding.message if finding else ""


def _head(lines: list[str]) -> _Head:
    if not is_fence(lines[0]):
        return _Head()
    close = _next_fence(lines, 1)
    if not close:
        return _Head()
    end = close + 1
    finding = _in_an_engram("\n".join(lines[end:]) + "\n")
    if finding and finding.code == "two-headers":
        end = _next_fence(lines, _next_fence(lines, end) + 1) + 1
    return _Head(tuple(lines[:end]), close, end)


def _next_fence(lines: list[str], start: int) -> int:
    return next((number for number in range(start, len(lines)) if is_fence(lines[number])), 0)


def _in_an_engram(body: str) -> Finding | None:
    """What keeps ``body`` from being read again below a header."""
    findings = split(f"{FENCE}\n{FENCE}\n{body}".encode(), "").findings
    return findings[0] if findings else None


def _runs(pieces: list[str]) -> list[tuple[int, int]]:
    """(how many lines, carriage returns before each of their line feeds), in the order of the file."""
    counts = (len(piece) - len(piece.rstrip("\r")) for piece in pieces[:-1])
    return [(sum(1 for _ in run), returns) for returns, run in groupby(counts)]


def _ends_as_text(runs: list[tuple[int, int]]) -> str:
    kinds = {returns for _, returns in runs}
    if kinds <= {0}:
        return ""
    if kinds == {1}:
        return "crlf"
    names = {0: "lf", 1: "crlf"}
    return ", ".join(f"{count} {names.get(returns, f'cr{returns}lf')}" for count, returns in runs)


def _ends(text: str, wanted: int) -> list[str]:
    """``wanted`` line ends; lines that an edit added get the kind that is most frequent."""
    if text in ("", "crlf"):
        return [_plain_tail(text)] * wanted
    runs = [_run(part) for part in text.split(", ")]
    ends = [end for count, end in runs for end in islice(repeat(end), min(count, wanted))][:wanted]
    frequent = Counter(ends).most_common(1)
    return ends + [frequent[0][0] if frequent else "\n"] * (wanted - len(ends))


def _run(part: str) -> tuple[int, str]:
    count, _, kind = part.partition(" ")
    returns = {"lf": "0", "crlf": "1"}.get(kind, kind.removeprefix("cr").removesuffix("lf"))
    if not (count.isascii() and count.isdecimal() and returns.isascii() and returns.isdecimal()):
        raise GitmemError(
            f'x-origin: line_ends holds "{part}"',
            hint="write crlf, or runs such as: 12 lf, 3 crlf; or import the source again",
            code="bad-origin",
        )
    return int(count[:9]), "\r" * int(returns[:6]) + "\n"


def _plain_tail(ends: str) -> str:
    return "\r\n" if ends == "crlf" else "\n"


def _lines(origin: Mapping[str, Text], name: str) -> list[str]:
    lines = origin.get(name, [])
    texts = [line for line in lines if isinstance(line, str)] if isinstance(lines, list) else []
    if len(texts) != len(lines):
        raise GitmemError(f"x-origin: {name} is not a list of lines", hint="import the source again", code="bad-origin")
    return texts


def _fact(origin: Mapping[str, Text], name: str) -> str:
    fact = origin.get(name, "")
    if not isinstance(fact, str):
        raise GitmemError(f"x-origin: {name} is not text", hint="import the source again", code="bad-origin")
    return fact
