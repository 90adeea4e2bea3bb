"""What a compile or a check must know of one knowledge file without opening it. Refuses bodies."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from gitmem.model.engram import Engram, Scope
from gitmem.model.finding import Finding, Severity

DELIVERED = ("active", "frozen")
NEVER_BY_SCOPE = ("restricted", "private")


@dataclass(frozen=True, slots=True)
class Card:
    """One engram in short. ``path`` is relative to ``.gitmem``; ``digest`` is the hash of the file's canonical bytes,
    ``content_hash`` and ``content_bytes`` are of its body; ``findings`` are those of the file alone."""

    id: str
    path: str
    blob: str
    title: str
    kind: str
    summary: str
    status: str
    visibility: str
    priority: int
    tags: tuple[str, ...]
    paths: tuple[str, ...]
    excluded: tuple[str, ...]
    layers: tuple[str, ...]
    commands: tuple[str, ...]
    requires: tuple[str, ...]
    valid_from: str
    valid_until: str
    importance: float
    has_scope: bool
    content_bytes: int
    content_hash: str
    digest: str
    origin: str
    findings: tuple[tuple[str, str, int, str, str], ...]

    @property
    def slug(self) -> str:
        return self.path.rpartition("/")[2].removesuffix(".md")

    @property
    def domain(self) -> str:
        return self.path.removeprefix("engrams/").rpartition("/")[0]

    @property
    def name(self) -> str:
        """domain/slug, the name that is unique without regard to case."""
        return self.path.removeprefix("engrams/").removesuffix(".md")

    @property
    def is_served(self) -> bool:
        """False for a file that cannot be read as an engram: it is named in warnings and never delivered."""
        return bool(self.id)

    def own_findings(self, root: str) -> list[Finding]:
        """The findings of the file itself, with repo-relative places below ``root``."""
        place = f"{root}{self.path}"
        return [Finding(c, Severity(s), place, line, m, h, self.id) for c, s, line, m, h in self.findings]

    def dump(self) -> bytes:
        """One line of JSON, in the order of the fields."""
        row = [getattr(self, name) for name in self.__slots__]
        return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")

    @classmethod
    def load(cls, line: bytes) -> "Card":
        row = json.loads(line)
        for at in _TUPLES:
            row[at] = tuple(row[at])
        row[-1] = tuple(tuple(finding) for finding in row[-1])
        return cls(*row)


_TUPLES = tuple(Card.__slots__.index(n) for n in ("tags", "paths", "excluded", "layers", "commands", "requires"))
_NO_SCOPE = Scope()


@dataclass(frozen=True, slots=True)
class Body:
    """Size and hash of a body as it is delivered."""

    size_bytes: int
    digest: str


def of_engram(engram: Engram, place: tuple[str, str], body: Body, digest: str, findings: tuple[Finding, ...]) -> Card:
    """``place`` is (path below .gitmem, blob id)."""
    scope = engram.scope or _NO_SCOPE
    return Card(
        id=engram.id,
        path=place[0],
        blob=place[1],
        title=engram.title,
        kind=engram.kind,
        summary=engram.summary,
        status=engram.status,
        visibility=engram.visibility,
        priority=engram.priority,
        tags=engram.tags,
        paths=scope.paths,
        excluded=scope.excluded,
        layers=scope.layers,
        commands=scope.commands,
        requires=engram.requires,
        valid_from=engram.valid_from,
        valid_until=engram.valid_until,
        importance=engram.importance,
        has_scope=engram.scope is not None,
        content_bytes=body.size_bytes,
        content_hash=body.digest,
        digest=digest,
        origin=_origin(engram),
        findings=_rows(findings),
    )


def _origin(engram: Engram) -> str:
    """The path of the foreign file that the engram was imported from, '' when it was written here."""
    found = engram.extra.get("x-origin")
    path = found.get("path") if isinstance(found, dict) else ""
    return path if isinstance(path, str) else ""


def of_unreadable(place: tuple[str, str], digest: str, findings: tuple[Finding, ...]) -> Card:
    """A file that is no engram: it keeps its place, its hash and its findings."""
    return Card(
        *("", place[0], place[1], "", "", "", "", "", 0),
        *((), (), (), (), (), (), "", "", 0.0, False, 0, "", digest, ""),
        findings=_rows(findings),
    )


def _rows(findings: tuple[Finding, ...]) -> tuple[tuple[str, str, int, str, str], ...]:
    return tuple((f.code, f.severity.value, f.line, f.message, f.hint) for f in findings)


def renamed(card: Card, path: str) -> Card:
    """The same content at another path."""
    values: Mapping[str, object] = {name: getattr(card, name) for name in card.__slots__}
    return Card(**{**values, "path": path})  # type: ignore[arg-type]  # reason: the values come from a Card
