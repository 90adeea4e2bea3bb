"""What one field of an engram's file becomes, and which values it may take. Refuses to write the file."""

from collections.abc import Iterable

from gitmem.answers import naming
from gitmem.answers.admission import RefusedError
from gitmem.errors import UsageError
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.model.finding import Notice
from gitmem.model.vocabulary import KINDS, SOURCE_TYPES, STATUSES, VISIBILITIES, Text
from gitmem.record import record
from gitmem.store import edit as edits
from gitmem.store.schema import KEYS
from gitmem.text.nearest import nearest

LISTS = frozenset(
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
# A list whose items are made from the code: ``gitmem.answers.claiming`` writes them.
CLAIMS = "claims"
_FIXED = frozenset(("id", "created"))
_CLOSED = {"kind": KINDS, "status": STATUSES, "visibility": VISIBILITIES, "source_type": SOURCE_TYPES}


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


def check_call(call: EditCall, card: Card, knowledge: Knowledge) -> None:
    """What never changes, closed values, and a circle are refused before anything is written."""
    if call.field.partition(".")[0] in _FIXED:
        raise UsageError(f"{call.field} never changes", hint="an id stays for good; history holds who made it")
    if call.field.partition(".")[0] == "verification":
        hint = f"gitmem verification set {card.slug} STATUS, or: gitmem verification add {card.slug} TEXT"
        raise UsageError("verification goes step by step, on the ground of evidence", hint=hint)
    _check_values(call, card, knowledge)


def doubts_of(call: EditCall, slug: str) -> list[Notice]:
    """What is odd about a change that can be made."""
    return [*_unknown_key(call.field, slug), *odd_patterns(_patterns_of(call))]


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


def _unknown_key(field: str, slug: str) -> list[Notice]:
    """A slip in the name of a field would else look like a change that was made."""
    key = field.partition(".")[0]
    if not key or key == "body" or key in KEYS or key.startswith("x-"):
        return []
    near = nearest(key, [*sorted(KEYS), *LISTS])
    hint = f"did you mean {near!r}? " if near else ""
    take_out = f"take it out with: gitmem edit {slug} {key} --unset"
    return [Notice("unknown-key", f"gitmem knows no field {key!r}: it is kept and has no effect", "", hint + take_out)]


def apply_edit(data: bytes, call: EditCall, rel: str, knowledge: Knowledge) -> bytes:
    """The file with one field changed and no other byte; ``rel`` is for complaints."""
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
        if field not in LISTS:
            raise UsageError(f"{field} is not a list", hint=f"lists are: {', '.join(sorted(LISTS))}")
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
    if field in LISTS:
        return _references(values, field, knowledge)
    if len(values) != 1:
        raise UsageError(f"{field} takes one value", hint="put it in quotes")
    return values[0]
