"""Writes and changes engram files for the user to commit. Refuses to commit, and to touch other bytes."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from gitmem.answers import naming
from gitmem.answers.admission import RefusedError, admit, free_path
from gitmem.answers.reading import Place, Session
from gitmem.answers.working import require_started, working
from gitmem.errors import UsageError
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.model.engram import Engram, Scope
from gitmem.model.finding import Notice
from gitmem.model.ids import is_slug, slugify, ulid
from gitmem.model.moments import rfc3339
from gitmem.model.vocabulary import CONFIDENCE_BY_SOURCE, KINDS, SOURCE_TYPES, STATUSES, VISIBILITIES, Text
from gitmem.record import record, replace
from gitmem.store import author as authors
from gitmem.store import codec, files, lock
from gitmem.store import edit as edits
from gitmem.store.layout import engram_path
from gitmem.store.repo import FOLDER
from gitmem.store.schema import KEYS
from gitmem.text.nearest import nearest
from gitmem.text.sections import first_paragraph
from gitmem.text.words import cut

_LISTS = frozenset(
    (
        "tags",
        "kinds",
        "context_tags",
        "requires",
        "aliases",
        "scope.paths",
        "scope.except",
        "scope.layers",
        "scope.commands",
    )
)
_FIXED = frozenset(("id", "created"))
_CLOSED = {"kind": KINDS, "status": STATUSES, "visibility": VISIBILITIES, "source_type": SOURCE_TYPES}


@record
class NewCall:
    kind: str
    title: str
    path: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    layer: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    tag: tuple[str, ...] = ()
    domain: str = ""
    slug: str = ""
    summary: str = ""
    body: str = ""
    allow_secret: tuple[str, ...] = ()


@record
class New:
    """``path`` is repo-relative; the file waits to be committed."""

    id: str
    slug: str
    path: str
    warnings: tuple[Notice, ...]


def new(session: Session, call: NewCall) -> New:
    place = session.place
    require_started(place)
    kind = call.kind.strip().lower()
    if kind not in KINDS:
        near = nearest(kind, KINDS)
        hint = (f"did you mean {near!r}? " if near else "") + f"one of: {', '.join(KINDS)}"
        raise UsageError(f"unknown kind {call.kind!r}", hint=hint)
    if not call.body.strip():
        raise UsageError("an engram needs a body", hint="give --body FILE, or pipe the text in")
    with lock.held(place.repo):
        return _written(session, replace(call, kind=kind), working(place).knowledge)


def _written(session: Session, call: NewCall, knowledge: Knowledge) -> New:
    place = session.place
    id_ = ulid(int(session.now.timestamp() * 1000), os.urandom(10))
    slug = slug_of(call.slug) if call.slug else slugify(call.title) or id_.lower()
    domain = domain_of(call.domain or (slugify(call.tag[0]) if call.tag else "") or "general")
    rel = engram_path(domain, slug)
    free_path(knowledge, rel)
    requires = tuple(naming.one(knowledge, reference).id for reference in call.requires)
    body = call.body if call.body.endswith("\n") else f"{call.body}\n"
    scope = Scope(call.path, call.excluded, call.layer, call.command)
    engram = Engram(
        id=id_,
        title=" ".join(call.title.split()),
        kind=call.kind,
        body=body,
        summary=call.summary or cut(first_paragraph(body), 300),
        tags=call.tag,
        scope=None if scope.is_empty and not call.excluded else scope,
        requires=requires,
        confidence=CONFIDENCE_BY_SOURCE["firsthand"],
        created_at=rfc3339(session.now),
        created_by=authors.author(place.repo),
    )
    data = codec.encode(engram)
    _, warnings = admit(rel, data, call.allow_secret)
    root = place.repo.knowledge_dir.parent
    files.write_file(root, f"{FOLDER}/{rel}", data, expected=None)
    doubts = (*_same_slug(knowledge, slug), *odd_patterns((*call.path, *call.excluded)))
    return New(id_, slug, f"{FOLDER}/{rel}", (*warnings, *doubts))


def _same_slug(knowledge: Knowledge, slug: str) -> list[Notice]:
    others = [card.name for card in knowledge.under(f"slug:{slug}")]
    if not others:
        return []
    return [
        Notice(
            "ambiguous-slug",
            f"the slug {slug!r} is also that of {', '.join(others)}",
            hint="name it by id or domain/slug",
        )
    ]


def slug_of(text: str) -> str:
    wanted = text.strip().removesuffix(".md")
    if not is_slug(wanted):
        hint = f"for example {slugify(wanted)!r}" if slugify(wanted) else "a-z, 0-9 and -, at most 80, no device name"
        raise UsageError(f"not a slug: {text!r}", hint=hint)
    return wanted


def domain_of(text: str) -> str:
    parts = [part for part in text.strip().strip("/").split("/")]
    if not parts or not all(is_slug(part) for part in parts) or len(parts) > 8:
        raise UsageError(f"not a domain: {text!r}", hint="folders of a-z, 0-9 and -, for example api/http")
    return "/".join(parts)


@record
class EditCall:
    item: str
    field: str = ""
    value: tuple[str, ...] = ()
    add: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()
    unset: bool = False
    file: str | None = None
    allow_secret: tuple[str, ...] = ()


@record
class Changed:
    """``changed`` is False when everything was already as asked; ``paths`` are repo-relative."""

    id: str
    slug: str
    path: str
    changed: bool
    warnings: tuple[Notice, ...] = ()


def edit(session: Session, call: EditCall) -> Changed:
    """Changes the lines of one field; the file on disk is what is edited, whoever changed it last."""
    if call.field.partition(".")[0] in _FIXED:
        raise UsageError(f"{call.field} never changes", hint="an id stays for good; history holds who made it")
    place = session.place
    require_started(place)
    with lock.held(place.repo):
        found = working(place).knowledge
        card = naming.one(found, call.item)
        _check_values(call, card, found)
        changed = _edited(
            place, card, (lambda data: _apply(data, call, f"{FOLDER}/{card.path}", found)), call.allow_secret
        )
    doubts = (*_unknown_key(call.field, changed), *odd_patterns(_patterns_of(call)))
    return replace(changed, warnings=(*changed.warnings, *doubts))


def _check_values(call: EditCall, card: Card, knowledge: Knowledge) -> None:
    """Closed values are usage; a circle is refused before it is written."""
    known = _CLOSED.get(call.field, ())
    if known and call.value and call.value[0] not in known:
        near = nearest(call.value[0], known)
        hint = (f"did you mean {near!r}? " if near else "") + f"one of: {', '.join(known)}"
        raise UsageError(f"unknown {call.field} {call.value[0]!r}", hint=hint)
    if call.field == "requires":
        for reference in (*call.add, *call.value):
            refuse_circle(knowledge, card, naming.one(knowledge, reference))


def refuse_circle(knowledge: Knowledge, card: Card, wanted: Card) -> None:
    """Refuses a requirement that leads back to the item."""
    waiting, seen = [wanted], {wanted.id}
    while waiting:
        at = waiting.pop()
        if at.id == card.id:
            message = f"{card.slug} would require itself" + ("" if at is wanted else f" by way of {wanted.slug}")
            raise RefusedError(message, hint="requires may not go round in circles", code="requires-cycle")
        for target in (each for reference in at.requires for each in knowledge.by_reference(reference)):
            if target.id not in seen:
                seen.add(target.id)
                waiting.append(target)


def _patterns_of(call: EditCall) -> tuple[str, ...]:
    return (*call.add, *call.value) if call.field in ("scope", "scope.paths", "scope.except") else ()


def odd_patterns(patterns: Iterable[str]) -> list[Notice]:
    """Signs that mean something else in other tools' globs."""
    found = []
    for pattern in patterns:
        if pattern.startswith("!"):
            hint = "leave files out with: --except, or scope.except"
            found.append(Notice("odd-pattern", f"{pattern} matches names that begin with !", hint=hint))
        elif "\\" in pattern and "/" not in pattern:
            hint = "write / between folders"
            found.append(Notice("odd-pattern", f"in {pattern} the backslash makes the next sign a literal", hint=hint))
    return found


def _unknown_key(field: str, changed: Changed) -> list[Notice]:
    """A slip in the name of a field would else look like a change that was made."""
    key = field.partition(".")[0]
    if not key or key == "body" or key in KEYS or key.startswith("x-") or not changed.changed:
        return []
    near = nearest(key, [*sorted(KEYS), *_LISTS])
    hint = f"did you mean {near!r}? " if near else ""
    take_out = f"take it out with: gitmem edit {changed.slug} {key} --unset"
    return [Notice("unknown-key", f"gitmem knows no field {key!r}: it is kept and has no effect", "", hint + take_out)]


def _edited(place: Place, card: Card, change: Callable[[bytes], bytes], allowed: tuple[str, ...]) -> Changed:
    root, rel = place.repo.knowledge_dir.parent, f"{FOLDER}/{card.path}"
    before = on_disk(root, rel)
    after = change(before)
    if after == before:
        return Changed(card.id, card.slug, rel, changed=False)
    _, warnings = admit(card.path, after, allowed)
    files.write_file(root, rel, after, expected=before)
    return Changed(card.id, card.slug, rel, changed=True, warnings=warnings)


def on_disk(root: Path, rel: str) -> bytes:
    found = files.read_file(root, rel)
    if found is None:
        raise RefusedError(
            "the file is not in the work tree",
            hint=f"bring it back: git checkout HEAD -- {rel}",
            place=rel,
            code="not-on-disk",
        )
    return found


def _apply(data: bytes, call: EditCall, rel: str, knowledge: Knowledge) -> bytes:
    field = call.field.replace("scope.excluded", "scope.except")
    if call.field == "body" or (not call.field and call.file is not None):
        if call.file is None and len(call.value) != 1:
            raise UsageError("body takes its text from --file FILE, from - or as one value")
        text = call.file if call.file is not None else call.value[0]
        return edits.set_body(data, text, rel) if call.field else text.encode()
    if not field:
        raise UsageError("say which field to change", hint='for example: gitmem edit ITEM title "New title"')
    if call.unset:
        return edits.remove_key(data, field, rel)
    if call.add or call.remove:
        if field not in _LISTS:
            raise UsageError(f"{field} is not a list", hint=f"lists are: {', '.join(sorted(_LISTS))}")
        added = edits.add_to_list(data, field, _references(call.add, field, knowledge), rel) if call.add else data
        gone = _spelled(call.remove, field, knowledge)
        return edits.remove_from_list(added, field, gone, rel) if call.remove else added
    if not call.value:
        raise UsageError(f"give the new value of {field}", hint="or --add, --remove, --unset")
    return edits.set_value(data, field, _value(call.value, field, knowledge), rel)


def _references(values: tuple[str, ...], field: str, knowledge: Knowledge) -> list[Text]:
    """What gitmem writes into ``requires`` is the id."""
    if field != "requires":
        return list(values)
    return [naming.one(knowledge, value).id for value in values]


def _spelled(values: tuple[str, ...], field: str, knowledge: Knowledge) -> list[Text]:
    """Every way in which the file may spell what is to go; a reference that leads nowhere must be removable too."""
    if field != "requires":
        return list(values)
    named = [card for value in values for card in knowledge.by_reference(value)]
    return list(dict.fromkeys([*values, *(name for card in named for name in (card.id, card.slug, card.name))]))


def _value(values: tuple[str, ...], field: str, knowledge: Knowledge) -> Text:
    if field in _LISTS:
        return _references(values, field, knowledge)
    if len(values) != 1:
        raise UsageError(f"{field} takes one value", hint="put it in quotes")
    return values[0]
