"""Makes the card of an engram. Refuses to parse."""

from gitmem.checks.claims import CLAIMS_MOST
from gitmem.globs import dialect as globs
from gitmem.index.card import Card, rows_of
from gitmem.model.engram import Engram, Scope
from gitmem.model.finding import Finding
from gitmem.record import record

_NO_SCOPE = Scope()


@record
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
        specificities=tuple(globs.specificity(pattern) for pattern in scope.paths),
        excluded=scope.excluded,
        layers=scope.layers,
        commands=scope.commands,
        requires=engram.requires,
        valid_from=engram.valid_from,
        valid_until=engram.valid_until,
        importance=engram.importance,
        confidence=engram.confidence,
        verification=engram.verification,
        evidence=len(engram.evidence),
        source_type=engram.source_type,
        created_at=engram.created_at,
        created_by=engram.created_by,
        kinds=engram.kinds,
        context_tags=engram.context_tags,
        aliases=engram.aliases,
        cue=(),
        has_scope=engram.scope is not None,
        content_bytes=body.size_bytes,
        content_hash=body.digest,
        digest=digest,
        origin=_origin(engram),
        source=_source(engram),
        edge=(),
        claims=tuple((each.path, each.symbol, each.digest, each.lines) for each in engram.claims[:CLAIMS_MOST]),
        findings=rows_of(findings),
    )


def _origin(engram: Engram) -> str:
    """The path of the foreign file that the engram was imported from, '' when it was written here."""
    found = engram.extra.get("x-origin")
    path = found.get("path") if isinstance(found, dict) else ""
    return path if isinstance(path, str) else ""


def _source(engram: Engram) -> tuple[str, str, str, str] | tuple[()]:
    found = engram.source
    if not found.get("path"):
        return ()
    return found["path"], found.get("anchor", ""), found.get("lines", ""), found.get("hash", "")
