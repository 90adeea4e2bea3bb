"""Knowledge files from bytes to values and back. Refuses what two readers could take for two things.

Every scalar stays the text that was typed: ``no``, ``1.10``, ``2024-01-02`` and ``null`` are strings until the schema
gives a field another type. Nothing here raises for what a file holds; what is wrong becomes findings with a line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256

from gitmem.lazy import load
from gitmem.model.engram import Engram
from gitmem.model.finding import Finding, Severity
from gitmem.model.vocabulary import Text
from gitmem.record import record
from gitmem.store import plainly
from gitmem.store.canonical import canonical
from gitmem.store.form import Form, Typed
from gitmem.store.parts import Parts, readable, split
from gitmem.store.schema import engram_from, header_of
from gitmem.store.written import encoded, entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    Built = TypeVar("Built")


@record
class Decoded:
    """One engram file. ``engram`` is None when a finding is an error; ``digest`` is sha256 of the canonical bytes.

    ``lines`` gives the line in the file of each key and list item (``scope.paths[0]``), and under '' that of the body.
    A file over the size limit has no digest.
    """

    engram: Engram | None
    findings: tuple[Finding, ...]
    digest: str
    lines: dict[str, int]


def decode(data: bytes, rel: str) -> Decoded:
    """Reads an engram file; ``rel`` is its repo-relative path and goes into the findings."""
    parts, digest = _split_canonical(data, rel)
    if parts.findings:
        return Decoded(None, parts.findings, digest, {})
    typed = read_yaml(parts.header, rel, first_line=2)
    if isinstance(typed, tuple):
        return Decoded(None, typed, digest, {})
    engram, findings = engram_from(typed, parts.body, rel)
    typed.lines[""] = parts.text.count("\n", 0, parts.body_start) + 1
    return Decoded(engram, tuple(findings), digest, typed.lines)


def decode_mapping(data: bytes, rel: str) -> tuple[dict[str, Text], tuple[Finding, ...]]:
    """Reads a YAML file that holds one mapping: configuration, layers, tags. Empty when a finding is an error.

    A key without a value (nothing, ``~``, ``null``) is absent.
    """
    text = readable(data, rel)
    typed = (text,) if isinstance(text, Finding) else read_yaml(text, rel)
    if isinstance(typed, tuple):
        return {}, typed
    return without_nulls(typed), ()


def encode(engram: Engram) -> bytes:
    """Writes an engram as a file: keys in the order of the schema, one list item a line, then the unknown keys.

    ``id``, ``title``, ``kind``, ``tags`` and ``status`` are always there, the others when they differ from their
    default or when ``engram.stated`` names them; a summary that equals the automatic one is left out unless stated.
    """
    return written(header_of(engram), engram.body)


def written(values: Iterable[tuple[str, Text]], body: str) -> bytes:
    """A file whose header has these keys in their order, and its body."""
    header = "".join(f"{line}\n" for key, value in values for line in entry(key, value))
    return canonical(encoded(f"---\n{header}---\n{body}"))


def read_document(
    data: bytes, rel: str, build: Callable[[Form, str], Built]
) -> tuple[Built | None, tuple[Finding, ...]]:
    """What ``build`` makes of the header and the body of a file that is no engram; None when a finding is an error."""
    parts = split(canonical(data), rel)
    if parts.findings:
        return None, parts.findings
    typed = read_yaml(parts.header, rel, first_line=2)
    if isinstance(typed, tuple):
        return None, typed
    form = Form(typed, rel)
    built = build(form, parts.body)
    has_error = any(each.severity is Severity.ERROR for each in form.findings)
    return None if has_error else built, tuple(sorted(form.findings, key=lambda each: each.line))


def without_nulls(typed: Typed) -> dict[str, Text]:
    """What was typed, without the keys that have no value."""
    return _without_nulls(typed, typed.values, "")


def _without_nulls(typed: Typed, values: dict[str, Text], prefix: str) -> dict[str, Text]:
    kept: dict[str, Text] = {}
    for key, value in values.items():
        if isinstance(value, dict):
            kept[key] = _without_nulls(typed, value, f"{prefix}{key}.")
        elif not typed.is_null(prefix + key, value):
            kept[key] = value
    return kept


def _split_canonical(data: bytes, rel: str) -> tuple[Parts, str]:
    parts = split(data, rel)
    if parts.findings and parts.findings[0].code == "too-large":
        return parts, ""
    bare = canonical(data)
    if bare is not data and not parts.findings:
        parts = split(bare, rel)
    return parts, _digest(bare)


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()


def read_yaml(text: str, rel: str, first_line: int = 1) -> Typed | tuple[Finding, ...]:
    """Reads one YAML mapping as it was typed, or says what is wrong with it.

    ``first_line`` is the line of the file that ``text`` begins on.
    """
    plain = plainly.read(text, first_line)
    if plain is not None:
        return plain
    found: Typed | tuple[Finding, ...] = load("gitmem.store.nodes:read")(text, rel, first_line)
    return found
