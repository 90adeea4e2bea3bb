"""What may be reported and in which fields, and a report as it was kept. Refuses fields that are missing or too large.

Sizes are bytes of UTF-8; ``payload_of`` judges the form alone, not what a text says.
"""

from collections.abc import Callable, Mapping, Sequence

from gitmem.errors import UsageError
from gitmem.model.plain import Plain, canonical
from gitmem.record import record

COMPILE_MISS = "compile_miss"
REVIEW_CORRECTION = "review_correction"
PR_MERGED = "pr_merged"
MANUAL_NOTE = "manual_note"
DOCUMENT_IMPORT = "document_import"
DOC_GAP = "doc_gap_detected"
SESSION_NOTE = "session_note"
KEPT, FAILED, REVERTED = "kept", "failed", "reverted"
OUTCOMES = (KEPT, FAILED, REVERTED)
OPEN, ANALYSED, ARCHIVED = "open", "analysed", "archived"
STATES = (OPEN, ANALYSED, ARCHIVED)

_LARGE, _MIDDLE, _SMALL = 256 << 10, 64 << 10, 4 << 10
_FREE_BYTES = 256 << 10
_FREE_DEPTH = 8


@record
class Form:
    """One field of a payload: a text, or a list of at most ``count`` texts, each of at most ``most`` bytes."""

    name: str
    most: int = _SMALL
    count: int = 0
    is_required: bool = False
    choices: tuple[str, ...] = ()


def _files(name: str) -> Form:
    return Form(name, _SMALL, count=1000, is_required=True)


_ITEM = Form("target_doc_id", 400, is_required=True)
_COMMENT = Form("review_comment", _MIDDLE, is_required=True)
FORMS: Mapping[str, tuple[Form, ...]] = {
    COMPILE_MISS: (
        _files("target_files"),
        _COMMENT,
        Form("missing_doc", _MIDDLE),
        Form("target_doc_id", 400),
    ),
    REVIEW_CORRECTION: (_ITEM, Form("proposed_content", _LARGE, is_required=True), _COMMENT),
    PR_MERGED: (Form("changed_files", _SMALL, count=3000, is_required=True), Form("pr_title")),
    MANUAL_NOTE: (Form("note", _LARGE, is_required=True), Form("hints", 200, count=50), Form("abstract")),
    SESSION_NOTE: (
        _files("files"),
        Form("outcome", is_required=True, choices=OUTCOMES),
        Form("plan", _MIDDLE),
        Form("note", _MIDDLE),
    ),
}
# Their payload is any object.
FREE = (DOCUMENT_IMPORT, DOC_GAP)
EVENT_TYPES = (COMPILE_MISS, REVIEW_CORRECTION, PR_MERGED, MANUAL_NOTE, *FREE, SESSION_NOTE)
FILE_FIELDS = ("target_files", "changed_files", "files")


@record
class Conflict:
    """An item that says the opposite, with its sentence and that of the report."""

    item: str
    slug: str
    why: str


@record
class Observation:
    """One report as it was kept. ``id`` is that of its line in the journal; ``agent`` is '' for a person."""

    id: str
    event_type: str
    at: str
    payload: Mapping[str, Plain]
    agent: str = ""
    session: str = ""
    writer: str = ""
    conflicts: tuple[Conflict, ...] = ()

    def text(self, *names: str) -> str:
        """The first of these fields that holds a text, else ''."""
        return next((value for name in names if isinstance(value := self.payload.get(name), str) and value), "")

    def texts(self, *names: str) -> tuple[str, ...]:
        """The first of these fields that holds texts; one text is a list of one."""
        for name in names:
            value = self.payload.get(name)
            rows = [value] if isinstance(value, str) else value if isinstance(value, list) else []
            found = tuple(row for row in rows if isinstance(row, str) and row)
            if found:
                return found
        return ()

    @property
    def files(self) -> tuple[str, ...]:
        return self.texts(*FILE_FIELDS)


def check_type(event_type: str) -> None:
    if event_type not in EVENT_TYPES:
        hint = f"one of: {', '.join(EVENT_TYPES)}"
        raise UsageError(f"unknown event type {event_type[:80]!r}", hint=hint)


def payload_of(event_type: str, given: Mapping[str, Plain]) -> dict[str, Plain]:
    """The fields that were given, checked; a blank text and an empty list count as not given."""
    check_type(event_type)
    if event_type in FREE:
        return _free(event_type, given)
    forms = {form.name: form for form in FORMS[event_type]}
    for name in given:
        if name not in forms:
            raise UsageError(f"{event_type} has no field {name[:80]!r}", hint=allowed(event_type))
    checked = {name: _checked(forms[name], value) for name, value in given.items()}
    found: dict[str, Plain] = {name: value for name, value in checked.items() if value}
    missing = [name for name, form in forms.items() if form.is_required and name not in found]
    if missing:
        raise UsageError(f"{event_type} needs {', '.join(missing)}", hint=allowed(event_type))
    return found


def allowed(event_type: str) -> str:
    """The fields of an event type in words."""
    forms = FORMS[event_type]
    needed = ", ".join(form.name for form in forms if form.is_required)
    more = ", ".join(form.name for form in forms if not form.is_required)
    return f"its fields: {needed}" + (f"; if you like: {more}" if more else "")


def _checked(form: Form, value: Plain) -> Plain:
    if form.count:
        return _list(form, value)
    if not isinstance(value, str):
        raise UsageError(f"{form.name} must be a text, not {_named(value)}")
    _fits(form, value)
    text = value if value.strip() else ""
    if text and form.choices and text not in form.choices:
        raise UsageError(f"{form.name} cannot be what was given", hint=f"one of: {', '.join(form.choices)}")
    return text


def _list(form: Form, value: Plain) -> list[Plain]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise UsageError(f"{form.name} must be a list of texts, not {_named(value)}")
    if len(value) > form.count:
        raise UsageError(f"{form.name} has {len(value)} entries, and at most {form.count} are kept")
    texts = [each for each in value if isinstance(each, str)]
    for text in texts:
        _fits(form, text)
    return [each for each in dict.fromkeys(texts) if each.strip()]


def _fits(form: Form, text: str) -> None:
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > form.most:
        raise UsageError(
            f"{form.name} has {size} bytes, and at most {form.most} are kept",
            hint="say it shorter, or in several observations",
        )


def _free(event_type: str, given: Mapping[str, Plain]) -> dict[str, Plain]:
    if not given:
        raise UsageError(f"{event_type} needs data", hint="data: an object of any fields, as JSON")
    if _depth(given) > _FREE_DEPTH:
        raise UsageError(f"data is nested more than {_FREE_DEPTH} levels deep", hint="make it flatter")
    size = len(canonical(dict(given)))
    if size > _FREE_BYTES:
        raise UsageError(f"data has {size} bytes, and at most {_FREE_BYTES} are kept", hint="name files, not texts")
    return dict(given)


def _depth(value: object) -> int:
    """Levels of lists and objects, level by level, so that no depth of input is too deep to be counted."""
    level, rows = 0, [value]
    while rows:
        nested = [row for row in rows if isinstance(row, (list, Mapping))]
        rows = [each for row in nested for each in (row if isinstance(row, list) else row.values())]
        level += bool(nested)
    return level


def _named(value: Plain) -> str:
    kinds: Sequence[tuple[type, str]] = (
        (bool, "true or false"),
        (str, "a text"),
        (int, "a number"),
        (float, "a number"),
        (list, "a list of other things"),
        (dict, "an object"),
    )
    return next((name for kind, name in kinds if isinstance(value, kind)), "null")


def mapped(value: Plain, change: Callable[[str], str]) -> Plain:
    """The same value with every text in it changed; the names of fields too."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [mapped(each, change) for each in value]
    if isinstance(value, dict):
        return {change(name): mapped(each, change) for name, each in value.items()}
    return value


def observation_of(id_: str, at: str, data: Mapping[str, Plain], by: tuple[str, str, str]) -> Observation | None:
    """From the data of a journal event; ``by`` is agent, session, writer. None: no report in a form that is known."""
    event_type, payload, rows = data.get("event_type"), data.get("payload"), data.get("conflicts")
    if not isinstance(event_type, str) or event_type not in EVENT_TYPES or not isinstance(payload, dict):
        return None
    found = [conflict for row in rows if (conflict := _conflict(row))] if isinstance(rows, list) else []
    return Observation(id_, event_type, at, payload, *by, tuple(found))


def _conflict(row: Plain) -> Conflict | None:
    values = [row.get(name) for name in Conflict.__match_args__] if isinstance(row, dict) else []
    texts = [value for value in values if isinstance(value, str)]
    return Conflict(*texts) if len(texts) == len(Conflict.__match_args__) else None
