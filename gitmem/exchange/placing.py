"""Where a draft belongs in the knowledge, and the bytes of its file: new, or what is there as the source changed it.

Refuses to write it, and to take anybody's words away.
"""

import hashlib
import os
from collections.abc import Callable, Iterable, Mapping

from gitmem.answers.admission import admit
from gitmem.answers.session import Session
from gitmem.errors import GitmemError
from gitmem.exchange.draft import Draft, Skipped
from gitmem.exchange.original import give_back
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.model.engram import Engram, Scope
from gitmem.model.ids import SLUG_MAX, slugify, ulid
from gitmem.model.moments import rfc3339
from gitmem.model.vocabulary import CONFIDENCE_BY_SOURCE, Text
from gitmem.record import field, record, state
from gitmem.store.codec import decode, encode
from gitmem.store.edit import set_body, set_value
from gitmem.store.layout import engram_path
from gitmem.store.objects import look_up, read_blobs
from gitmem.store.repo import FOLDER, Repo
from gitmem.store.skills import skill_path
from gitmem.text.words import cut

# The key of ``x-origin`` that says which text an import wrote, so that the next one sees what a person wrote since.
_TAKEN = "taken"


@state
class Desk:
    """What an import goes by: the knowledge, the bytes of its files by path below ``.gitmem``, and what it has given
    away so far: ``ids`` by source, ``taken`` paths without regard to case. ``allowed`` are fingerprints."""

    session: Session
    knowledge: Knowledge
    read: Callable[[str], bytes | None]
    allowed: tuple[str, ...] = ()
    ids: dict[str, str] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)

    @property
    def repo(self) -> Repo:
        return self.session.place.repo


@record
class Placed:
    """A file to write; ``rel`` is below ``.gitmem``, ``old`` what it replaces, None where it is new."""

    id: str
    slug: str
    rel: str
    old: bytes | None
    data: bytes


def earlier(knowledge: Knowledge, source: str) -> Card | None:
    """What came from a source before."""
    return next((card for card in knowledge.under(f"origin:{source}") if card.id), None)


def id_for(desk: Desk, source: str) -> str:
    """What was imported before keeps its id."""
    before = earlier(desk.knowledge, source)
    return before.id if before else ulid(int(desk.session.now.timestamp() * 1000), os.urandom(10))


def place(desk: Desk, draft: Draft) -> Placed | Skipped:
    """Errors and secrets in a draft are raised."""
    before = earlier(desk.knowledge, draft.source)
    if draft.kind == "skill" and _skill_rel(draft).casefold() in desk.taken:
        return Skipped(draft.source, f"another skill here is named {draft.title}")
    rel = before.path if before else _free_rel(desk, draft)
    desk.taken.add(rel.casefold())
    path, old = f"{FOLDER}/{rel}", desk.read(rel)
    if reason := edited(draft, rel, old):
        return Skipped(draft.source, reason)
    data = _bytes(desk, draft, rel, old)
    if draft.kind == "skill" and old not in (None, data) and old != _committed(desk.repo, draft.source):
        reason = f"{path} was edited since it was imported; to take the source again, remove that file first"
        return Skipped(draft.source, reason)
    if data == old:
        return Skipped(draft.source, f"unchanged since it was imported as {path}")
    admit(rel, data, desk.allowed)
    name = rel.removesuffix("/SKILL.md").rpartition("/")[2].removesuffix(".md")
    return Placed(name if draft.kind == "skill" else desk.ids[draft.source], name, rel, old, data)


def _committed(repo: Repo, rel: str) -> bytes | None:
    """The source as HEAD has it: a skill that still equals it was not edited here."""
    found = look_up(repo, [f"HEAD:{rel}"])[0]
    return dict(read_blobs(repo, [found[0]]))[found[0]] if found and found[1] == "blob" else None


def _bytes(desk: Desk, draft: Draft, rel: str, old: bytes | None) -> bytes:
    """The file to write: a skill as it was, a new engram, or the old engram with what changed in the source."""
    if draft.kind == "skill":
        return give_back(draft.origin, draft.body)
    if old is None:
        return encode(engram(desk, draft))
    return revised(draft, rel, old)


def revised(draft: Draft, rel: str, old: bytes) -> bytes:
    """An engram with the text of its source as it is now, and with the globs where those of the source changed."""
    if not draft.source:
        return set_body(old, draft.body, rel)
    known = decode(old, rel).engram
    changed = set_value(old, "x-origin", _origin(draft), rel)
    before = _origin_of(known)
    if before and {**before, _TAKEN: ""} != {**draft.origin, _TAKEN: ""} and draft.paths:
        changed = set_value(changed, "scope.paths", list(draft.paths), rel)
    return set_body(changed, draft.body, rel)


def edited(draft: Draft, rel: str, old: bytes | None) -> str:
    """Why an engram is left alone: somebody wrote into it, and the source would take their words away."""
    known = decode(old, rel).engram if old is not None and draft.kind != "skill" else None
    taken = _origin_of(known).get(_TAKEN)
    if known is None or not taken or known.body == draft.body or taken == _digest(known.body):
        return ""
    if taken == _digest(draft.body):
        return f"unchanged since it was imported as {FOLDER}/{rel}, which was edited there and is kept"
    return (
        f"it changed, and {FOLDER}/{rel} was edited after the import: nothing was overwritten "
        f"(bring the two together there, or move that file away and import again)"
    )


def _origin(draft: Draft) -> dict[str, Text]:
    return {**draft.origin, _TAKEN: _digest(draft.body)}


def _origin_of(engram: Engram | None) -> Mapping[str, Text]:
    found = engram.extra.get("x-origin") if engram is not None else None
    return found if isinstance(found, Mapping) else {}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def engram(desk: Desk, draft: Draft) -> Engram:
    """A new engram; one that is from no file keeps no origin."""
    scope = Scope(draft.paths, draft.excluded, draft.layers, draft.commands)
    return Engram(
        id=desk.ids[draft.source],
        title=cut(draft.title, 200),
        kind=draft.kind,
        body=draft.body,
        summary=cut(draft.summary, 300),
        tags=draft.tags,
        scope=None if scope.is_empty else scope,
        requires=tuple(desk.ids[source] for source in draft.requires if source in desk.ids),
        priority=draft.priority,
        source_type="secondhand",
        confidence=CONFIDENCE_BY_SOURCE["secondhand"],
        status=draft.status,
        created_at=rfc3339(desk.session.now),
        created_by=desk.session.place.author,
        extra={**draft.extra, "x-origin": _origin(draft)} if draft.source else {},
    )


def _free_rel(desk: Desk, draft: Draft) -> str:
    """A path that nothing else has: the slug of the title, then with that of the source, then with the id."""
    if draft.kind == "skill":
        return _skill_rel(draft)
    title = slugify(draft.title) or desk.ids[draft.source].lower()
    longer = f"{title[:40].strip('-')}-{slugify(draft.source) or 'source'}"[:SLUG_MAX].strip("-")
    names = (title, longer, f"{title[:50].strip('-')}-{desk.ids[draft.source].lower()}")
    for name in names:
        rel = engram_path(domain_of(draft), name)
        if rel.casefold() not in desk.taken and desk.knowledge.at_path(rel) is None:
            return rel
    raise GitmemError(f"no free name for {draft.source}", hint="rename the source, or import it alone")


def _skill_rel(draft: Draft) -> str:
    """A skill is found by its name, and its folder has the same."""
    return skill_path(slugify(draft.title) or slugify(draft.source))


def domain_of(draft: Draft) -> str:
    return _first_slug(draft.tags) or slugify(draft.format) or "imported"


def _first_slug(texts: Iterable[str]) -> str:
    return next((slug for text in texts if (slug := slugify(text))), "")
