"""Writes imported drafts as knowledge files for the user to commit. Refuses to drop a source without a word."""

import hashlib
import os
from collections.abc import Iterable, Mapping

from gitmem.answers import targets
from gitmem.answers.admission import admit, refuse_secrets
from gitmem.answers.reading import Place
from gitmem.answers.session import Session, decides
from gitmem.answers.working import require_started, working
from gitmem.errors import GitmemError, UsageError
from gitmem.exchange import advice, intake
from gitmem.exchange.draft import Draft, Skipped
from gitmem.exchange.intake import Intake
from gitmem.exchange.original import give_back
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.model.engram import Engram, Scope
from gitmem.model.finding import Notice
from gitmem.model.ids import SLUG_MAX, slugify, ulid
from gitmem.model.moments import rfc3339
from gitmem.model.vocabulary import CONFIDENCE_BY_SOURCE, Text
from gitmem.record import record, state
from gitmem.store import author as authors
from gitmem.store import codec, files, lock, objects, worktree
from gitmem.store import edit as edits
from gitmem.store.layout import engram_path
from gitmem.store.repo import FOLDER
from gitmem.text.words import cut

# The key of ``x-origin`` that says which text an import wrote, so that the next one sees what a person wrote since.
_TAKEN = "taken"


@record
class ImportCall:
    paths: tuple[str, ...] = ()
    format: str = ""
    dry_run: bool = False
    write: bool = True
    allow_secret: tuple[str, ...] = ()


@record
class Arrived:
    """One source that is an engram or a skill now; ``losses`` are in words."""

    source: str
    format: str
    id: str
    slug: str
    path: str
    losses: tuple[str, ...]


@record
class Imported:
    """Every file found is in ``imported`` or in ``skipped``."""

    imported: tuple[Arrived, ...]
    skipped: tuple[Skipped, ...]
    counts: Mapping[str, int]
    dry_run: bool
    warnings: tuple[Notice, ...] = ()


@state
class _Arrival:
    """The state of one import: names and ids given so far, files to write, rows to report."""

    place: Place
    session: Session
    call: ImportCall
    knowledge: Knowledge
    ids: dict[str, str]
    taken: set[str]
    rows: list[Arrived]
    skipped: list[Skipped]
    warnings: list[Notice]


def import_files(session: Session, call: ImportCall) -> Imported:
    decides(session)
    place = session.place
    require_started(place)
    found = _drafts(place, call)
    with lock.held(place.repo):
        known = working(place).knowledge
        state = _Arrival(place, session, call, known, {}, set(), [], list(found.skipped), [])
        for draft in _distinct(state, found.drafts):
            _take_in(state, draft)
    counts = {"imported": len(state.rows), "skipped": len(state.skipped)}
    rows = tuple(sorted(state.skipped, key=lambda row: row.source))
    return Imported(tuple(state.rows), rows, counts, call.dry_run, tuple(state.warnings))


def _distinct(state: _Arrival, drafts: Iterable[Draft]) -> list[Draft]:
    """One draft for each text and scope: the same file under two tools' names would be delivered twice."""
    first: dict[object, Draft] = {}
    kept = []
    for draft in drafts:
        same = first.setdefault((draft.kind, draft.body, draft.paths, draft.excluded), draft)
        if same is draft or draft.kind == "skill" or _earlier(state.knowledge, draft):
            state.ids[draft.source] = _id_of(state, draft)
            kept.append(draft)
        else:
            state.ids[draft.source] = state.ids[same.source]
            state.skipped.append(Skipped(draft.source, f"it has the same text and scope as {same.source}"))
    return kept


def _drafts(place: Place, call: ImportCall) -> Intake:
    root = place.repo.knowledge_dir.parent
    listed = [rel for rel in worktree.listed_files(place.repo) if not rel.startswith(f"{FOLDER}/")]
    admitted = set(listed)

    def read(rel: str) -> bytes | None:
        return files.read_file(root, rel) if rel in admitted else None

    if not call.paths:
        if call.format:
            raise UsageError("a format needs the files that it is for", hint="gitmem import FILE --format NAME")
        return intake.take_all(listed, read)
    wanted: list[str] = []
    for name in call.paths:
        rel = targets.one(place, name.rstrip("/") or name)
        below = [path for path in listed if path == rel or path.startswith(f"{rel}/")] if rel not in admitted else [rel]
        if not below:
            raise GitmemError(
                f"no such file in this repository: {name}",
                hint="ignored files and links are not read",
                place=name,
                code="not-found",
            )
        wanted += below
    return intake.take(wanted, listed, read, call.format)


def _id_of(state: _Arrival, draft: Draft) -> str:
    """What was imported before keeps its id."""
    before = _earlier(state.knowledge, draft)
    return before.id if before else ulid(int(state.session.now.timestamp() * 1000), os.urandom(10))


def _earlier(knowledge: Knowledge, draft: Draft) -> Card | None:
    return next((card for card in knowledge.under(f"origin:{draft.source}") if card.id), None)


def _take_in(state: _Arrival, draft: Draft) -> None:
    try:
        _admitted(state, draft)
    except GitmemError as err:
        hint = f" ({err.hint})" if err.hint else ""
        state.skipped.append(Skipped(draft.source, f"{err.message}{hint}"))


def _admitted(state: _Arrival, draft: Draft) -> None:
    before = _earlier(state.knowledge, draft)
    rel = before.path if before else _free_rel(state, draft)
    state.taken.add(rel.casefold())
    root, path = state.place.repo.knowledge_dir.parent, f"{FOLDER}/{rel}"
    old = files.read_file(root, path)
    if edited := _edited(draft, rel, old):
        state.skipped.append(Skipped(draft.source, edited))
        return
    data = _bytes(state, draft, rel, old)
    if draft.kind == "skill" and old not in (None, data) and old != _committed(state.place, draft.source):
        reason = f"{path} was edited since it was imported; to take the source again, remove that file first"
        state.skipped.append(Skipped(draft.source, reason))
        return
    if data == old:
        state.skipped.append(Skipped(draft.source, f"unchanged since it was imported as {path}"))
        return
    if draft.kind == "skill":
        refuse_secrets(path, data, state.call.allow_secret)
    else:
        admit(rel, data, state.call.allow_secret)
    if not state.call.dry_run:
        files.write_file(root, path, data, expected=old)
    state.warnings += advice.warnings(draft) if draft.kind != "skill" else []
    name = rel.removesuffix("/SKILL.md").rpartition("/")[2].removesuffix(".md")
    id_ = name if draft.kind == "skill" else state.ids[draft.source]
    state.rows.append(Arrived(draft.source, draft.format, id_, name, path, draft.losses))


def _committed(place: Place, rel: str) -> bytes | None:
    """The source as HEAD has it: a skill that still equals it was not edited here."""
    found = objects.look_up(place.repo, [f"HEAD:{rel}"])[0]
    return dict(objects.read_blobs(place.repo, [found[0]]))[found[0]] if found and found[1] == "blob" else None


def _bytes(state: _Arrival, draft: Draft, rel: str, old: bytes | None) -> bytes:
    """The file to write: a skill as it was, a new engram, or the old engram with what changed in the source."""
    if draft.kind == "skill":
        return give_back(draft.origin, draft.body)
    if old is None:
        return codec.encode(_engram(state, draft))
    known = codec.decode(old, rel).engram
    changed = edits.set_value(old, "x-origin", _origin(draft), rel)
    before = _origin_of(known)
    if before and {**before, _TAKEN: ""} != {**draft.origin, _TAKEN: ""} and draft.paths:
        changed = edits.set_value(changed, "scope.paths", list(draft.paths), rel)
    return edits.set_body(changed, draft.body, rel)


def _edited(draft: Draft, rel: str, old: bytes | None) -> str:
    """Why an engram is left alone: somebody wrote into it, and the source would take their words away."""
    known = codec.decode(old, rel).engram if old is not None and draft.kind != "skill" else None
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


def _engram(state: _Arrival, draft: Draft) -> Engram:
    scope = Scope(draft.paths, draft.excluded, (), draft.commands)
    return Engram(
        id=state.ids[draft.source],
        title=cut(draft.title, 200),
        kind=draft.kind,
        body=draft.body,
        summary=cut(draft.summary, 300),
        tags=draft.tags,
        scope=None if scope.is_empty else scope,
        requires=tuple(state.ids[source] for source in draft.requires if source in state.ids),
        priority=draft.priority,
        source_type="secondhand",
        confidence=CONFIDENCE_BY_SOURCE["secondhand"],
        status=draft.status,
        created_at=rfc3339(state.session.now),
        created_by=authors.author(state.place.repo),
        extra={**draft.extra, "x-origin": _origin(draft)},
    )


def _free_rel(state: _Arrival, draft: Draft) -> str:
    """A path that nothing else has: the slug of the title, then with that of the source, then with the id."""
    title = slugify(draft.title) or state.ids[draft.source].lower()
    longer = f"{title[:40].strip('-')}-{slugify(draft.source) or 'source'}"[:SLUG_MAX].strip("-")
    names = (title, longer, f"{title[:50].strip('-')}-{state.ids[draft.source].lower()}")
    for name in names:
        rel = f"skills/{name}/SKILL.md" if draft.kind == "skill" else engram_path(_domain(draft), name)
        if rel.casefold() not in state.taken and not _is_other(state, rel, draft):
            return rel
    raise GitmemError(f"no free name for {draft.source}", hint="rename the source, or import it alone")


def _is_other(state: _Arrival, rel: str, draft: Draft) -> bool:
    """True when the path holds something that did not come from this source."""
    holder = state.knowledge.at_path(rel)
    if holder is None:
        return False
    return draft.kind != "skill" or not _is_same_skill(state, rel, draft)


def _is_same_skill(state: _Arrival, rel: str, draft: Draft) -> bool:
    """A skill keeps its own bytes, so its name is all that ties it to its source."""
    found = files.read_file(state.place.repo.knowledge_dir.parent, f"{FOLDER}/{rel}")
    return found is not None and slugify(draft.title) == rel.split("/")[1]


def _domain(draft: Draft) -> str:
    return _first_slug(draft.tags) or slugify(draft.format) or "imported"


def _first_slug(texts: Iterable[str]) -> str:
    return next((slug for text in texts if (slug := slugify(text))), "")
