"""Takes a report and puts it on record as one line of the journal. Refuses to change knowledge, and to lose a report.

``prepared`` judges and answers, ``keep`` writes: what else is to stand in the same line comes in between.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from math import isfinite

from gitmem.answers import journal, misses, naming, targets, unprocessed
from gitmem.answers.admission import RefusedError, refuse_secrets
from gitmem.answers.collisions import collisions, everywhere
from gitmem.answers.journal import require_journal as require_journal
from gitmem.answers.likeness import Draft
from gitmem.answers.observed import kept_beside
from gitmem.answers.reading import Reading, read
from gitmem.answers.session import Session
from gitmem.errors import GitmemError, UsageError
from gitmem.index.card import Card
from gitmem.lazy import load
from gitmem.model import observation as forms
from gitmem.model.event import OBSERVATION, Event
from gitmem.model.finding import Notice, Severity
from gitmem.model.observation import Conflict, Observation, payload_of
from gitmem.model.plain import Plain, plain
from gitmem.record import record, replace
from gitmem.store.author import clean
from gitmem.text.unsafe import escape_hidden, hidden

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

_NAME_CHARS = 80
_DATA_BYTES = 1 << 20
_NAMED = 5
_FLAGS = dict.fromkeys(forms.FILE_FIELDS, "--file") | {
    "note": "--note",
    "review_comment": "--comment",
    "missing_doc": "--missing-doc",
    "target_doc_id": "--item",
    "proposed_content": "--content",
    "pr_title": "--pr-title",
    "hints": "--hint",
    "abstract": "--abstract",
}
# What is longer than that is no rule, and is not read as one.
_RULE_CHARS = 1 << 14
_EXAMPLE = 'one JSON object, for example {"path": "docs/a.md"}'
_TEXTS = ("note", "review_comment", "missing_doc", "target_doc_id", "proposed_content", "pr_title", "abstract")
_LISTS = ("target_files", "changed_files", "hints")
# Where the files of a report belong that were given under the one name that the command line has for them.
_FILES_OF = {forms.PR_MERGED: "changed_files", forms.SESSION_NOTE: "files"} | dict.fromkeys(forms.FREE, "files")


@record
class ObserveCall:
    """All flat; ``data`` is the text of a JSON object with fields of the event type. What is '' or empty is not given.

    On the command line ``target_files`` are the files of any event type. ``standing``: the note is a rule from now on,
    for the files of ``paths`` where it has any.
    """

    event_type: str
    note: str = ""
    target_files: tuple[str, ...] = ()
    review_comment: str = ""
    missing_doc: str = ""
    target_doc_id: str = ""
    proposed_content: str = ""
    changed_files: tuple[str, ...] = ()
    pr_title: str = ""
    hints: tuple[str, ...] = ()
    abstract: str = ""
    standing: bool = False
    paths: tuple[str, ...] = ()
    data: str = ""
    agent: str = ""
    agent_session: str = ""
    allow_secret: tuple[str, ...] = ()


@record
class Report:
    """A report that may be kept. ``hint`` is the question that a miss comes down to, '' for none."""

    event_type: str
    payload: Mapping[str, Plain]
    agent: str
    agent_session: str
    hint: str = ""
    conflicts: tuple[Conflict, ...] = ()
    warnings: tuple[Notice, ...] = ()


@record
class Observed:
    """``code`` confirms a standing rule until ``expires``: ``asks`` is what the person is shown; it waits as
    ``proposal``. ``conflicts`` are what the report collides with."""

    observation: str
    event_type: str
    triage_hint: str | None = None
    conflicts: tuple[Conflict, ...] | None = None
    code: str | None = None
    expires: str | None = None
    asks: str | None = None
    proposal: str | None = None
    warnings: tuple[Notice, ...] = ()


def observe(session: Session, call: ObserveCall) -> Observed:
    if (call.standing or call.paths) and not (call.standing and call.event_type == forms.MANUAL_NOTE):
        hint = session.word("gitmem observe manual_note --note TEXT --standing", "manual_note with note and standing")
        raise UsageError("only a standing note is a rule, and only that has paths", hint=hint)
    done = keep(session, prepared(session, call))
    offered: Observed = load("gitmem.answers.noting:offered")(session, call, done) if call.standing else done
    return offered


def prepared(session: Session, call: ObserveCall) -> Report:
    """Judges a report and answers it; nothing is written."""
    payload = _payload(session, call)
    allowed = call.allow_secret if session.surface == "cli" else None
    refuse_unsafe(payload, allowed, is_free=call.event_type in forms.FREE)
    for name, text in (("agent", call.agent or session.client), ("agent_session", call.agent_session or session.run)):
        refuse_secrets(name, text.encode("utf-8", "replace"), allowed)
    require_journal(session)
    payload, warnings = _neutral(payload)
    payload = {name: _paths(session, name, value) for name, value in payload.items()}
    reading = read(session.place)
    card = _target(reading, payload)
    if card is not None:
        payload["target_doc_id"] = card.id
    report = Report(
        event_type=call.event_type,
        payload=payload,
        agent=clean(call.agent or session.client)[:_NAME_CHARS].strip(),
        agent_session=clean(call.agent_session or session.run)[:_NAME_CHARS].strip(),
        hint=_hint(reading, call.event_type, payload, card),
        warnings=(*reading.warnings, *warnings),
    )
    return _with_conflicts(session, reading, report, card)


def keep(session: Session, report: Report, more: Mapping[str, Plain] | None = None) -> Observed:
    """Writes the one line, on the disk when this returns; ``more`` stands in it beside the report."""
    require_journal(session)
    data: dict[str, Plain] = {
        "event_type": report.event_type,
        "payload": dict(report.payload),
        "surface": session.surface,
        **(more or {}),
    }
    data |= {"conflicts": plain(report.conflicts)} if report.conflicts else {}
    event = Event(OBSERVATION, data, report.agent_session, report.agent)
    return Observed(
        observation=written(session, event),
        event_type=report.event_type,
        triage_hint=report.hint or None,
        conflicts=report.conflicts or None,
        warnings=report.warnings,
    )


def written(session: Session, event: Event) -> str:
    """The id of a line that must not be lost: it is on the disk, or this is an error."""
    id_ = journal.write(session, event)
    unprocessed.changed(session.place)
    return id_


def _payload(session: Session, call: ObserveCall) -> dict[str, Plain]:
    """The fields, checked; on the command line an error names them as they are given there too."""
    given = _given(session, call)
    try:
        return payload_of(call.event_type, given)
    except UsageError as err:
        named = forms.FORMS.get(call.event_type, ()) if session.surface == "cli" else ()
        flags = dict.fromkeys(_FLAGS.get(form.name, "--data") for form in named)
        err.hint += f" (on the command line: {', '.join(flags)})" if err.hint and flags else ""
        raise


def _given(session: Session, call: ObserveCall) -> dict[str, Plain]:
    """What was given, by the fields of the event type; a field in two places is refused."""
    forms.check_type(call.event_type)
    named: dict[str, Plain] = {name: getattr(call, name) for name in _TEXTS if getattr(call, name)}
    named |= {name: list(getattr(call, name)) for name in _LISTS if getattr(call, name)}
    own = _FILES_OF.get(call.event_type, "")
    if own and own not in named and "target_files" in named and (own == "files" or session.surface == "cli"):
        named[own] = named.pop("target_files")
    data = _data(call.data)
    twice = sorted(named.keys() & data.keys())
    if twice:
        raise UsageError(f"{twice[0]} is given twice", hint="in data or beside it, not both")
    return {**named, **data}


def _data(text: str) -> dict[str, Plain]:
    if not text:
        return {}
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > _DATA_BYTES:
        raise UsageError(f"data has {size} bytes, and at most {_DATA_BYTES} are read", hint="name files, not texts")
    try:
        found = json.loads(text, parse_constant=_no_number, parse_float=_number, object_pairs_hook=_once)
    except (ValueError, RecursionError) as err:
        reason = "it is nested too deeply" if isinstance(err, RecursionError) else str(err).partition(";")[0]
        raise UsageError(f"data cannot be read: {reason}", hint=_EXAMPLE) from err
    if not isinstance(found, dict):
        raise UsageError("data must be one JSON object", hint=_EXAMPLE)
    return found


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number of JSON")


def _number(text: str) -> float:
    """Of what is too large nothing but infinity would be kept, which JSON has no word for."""
    number = float(text)
    return number if isfinite(number) else _no_number(text)


def _once(pairs: list[tuple[str, Plain]]) -> dict[str, Plain]:
    """Of a field that stands there twice one would be lost."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a field stands there twice")
    return found


def refuse_unsafe(payload: Mapping[str, Plain], allowed: tuple[str, ...] | None, *, is_free: bool = False) -> None:
    """Stops at credentials, and at characters that make a text read as another; ``allowed`` None: nothing can be.

    In a free object a name and its value make a secret only together.
    """
    for name, text in _texts(dict(payload)):
        refuse_secrets(name, text.encode("utf-8", "replace"), allowed)
        first = next((each for each in hidden(text) if each.severity is Severity.ERROR), None)
        if first is not None:
            hint = "take it out: no reader sees what it does"
            raise RefusedError(first.message, hint=hint, place=f"{name}:{first.line}", code=first.code)
    if is_free:
        whole = json.dumps(payload, ensure_ascii=False, indent=0).replace('\\"', ' "').replace(": [\n", ": ")
        refuse_secrets("data", whole.encode("utf-8", "replace"), allowed)


def _texts(value: Plain, name: str = "") -> Iterator[tuple[str, str]]:
    """Every text with the field that it stands in; a list of short ones as lines of one text."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, list):
        lines = [each for each in value if isinstance(each, str)]
        yield name, "\n".join(lines)
        for each in value:
            yield from () if isinstance(each, str) else _texts(each, name)
    elif isinstance(value, dict):
        yield name, "\n".join(value)
        for key, each in value.items():
            yield from _texts(each, name or key)


def _neutral(payload: dict[str, Plain]) -> tuple[dict[str, Plain], tuple[Notice, ...]]:
    """Signs that do not show are written out, but in paths, which have a check of their own; and that is said."""
    changed: list[str] = []

    def shown(name: str) -> Callable[[str], str]:
        def change(text: str) -> str:
            found = escape_hidden(text)
            changed.extend([name] if found != text else [])
            return found

        return change

    kept: dict[str, Plain] = {}
    for name, value in payload.items():
        kept[escape_hidden(name)] = value if name in forms.FILE_FIELDS else forms.mapped(value, shown(name))
    named = ", ".join(list(dict.fromkeys(changed))[:_NAMED])
    notice = Notice("hidden-character", f"signs that do not show were written out as \\u in: {escape_hidden(named)}")
    return kept, ((notice,) if changed else ())


def _paths(session: Session, name: str, value: Plain) -> Plain:
    if name not in forms.FILE_FIELDS or not isinstance(value, list):
        return value
    named = [each for each in value if isinstance(each, str)]
    return plain(tuple(dict.fromkeys(targets.one(session.place, each) for each in named)))


def _target(reading: Reading, payload: Mapping[str, Plain]) -> Card | None:
    """The item that a report names; one that never was is no place to keep anything under."""
    wanted = payload.get("target_doc_id")
    if not isinstance(wanted, str):
        return None
    try:
        return naming.find(reading, wanted)
    except naming.NotFoundError as err:
        raise GitmemError(err.message, hint=err.hint, place="target_doc_id", code="unknown-item") from err


def _hint(reading: Reading, event_type: str, payload: Mapping[str, Plain], card: Card | None) -> str:
    files = payload.get("target_files")
    if event_type != forms.COMPILE_MISS or not isinstance(files, list) or not reading.tree:
        return ""
    return misses.hint_of(misses.missed(reading, [each for each in files if isinstance(each, str)]), card)


def _with_conflicts(session: Session, reading: Reading, report: Report, card: Card | None) -> Report:
    """What a rule in it collides with, but for what somebody has decided to keep beside the same words."""
    told = Observation("", report.event_type, "", report.payload)
    draft = _rule_in(told, card)
    found = collisions(session, reading, draft) if draft else ()
    settled = kept_beside(session, told) if found else frozenset()
    return replace(report, conflicts=tuple(each for each in found if each.item not in settled))


def _rule_in(told: Observation, card: Card | None) -> Draft | None:
    """What is said as a rule: a note for everything, a correction where its item applies."""
    if told.event_type == forms.MANUAL_NOTE:
        return everywhere(told.text("abstract"), told.text("note")[:_RULE_CHARS], told.texts("hints"))
    if told.event_type == forms.REVIEW_CORRECTION and card is not None:
        body = told.text("proposed_content")
        return Draft(card.title, body, card.id, card.paths, card.excluded, card.layers, card.commands, card.tags)
    return None
