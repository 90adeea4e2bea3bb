"""Intention files from bytes to values and back. Refuses one that nothing could ever bring up."""

from collections.abc import Iterator

from gitmem.globs.dialect import GlobError, parse
from gitmem.model.finding import Finding
from gitmem.model.ids import is_slug
from gitmem.model.intention import (
    ACTIONS,
    EVENTS,
    PENDING,
    RELEASE,
    REMIND,
    STATUSES,
    TOUCHED,
    WHEN_PARTS,
    Intention,
    When,
)
from gitmem.model.vocabulary import TITLE_MAX, Text
from gitmem.record import record
from gitmem.store.codec import read_document, written
from gitmem.store.form import Form, shown
from gitmem.store.layout import INTENTIONS
from gitmem.store.schema import PRIORITY_MAX
from gitmem.store.written import Bare

_CREATED_PARTS = ("at", "by")


@record
class DecodedIntention:
    """One intention file; ``intention`` is None when a finding is an error."""

    intention: Intention | None
    findings: tuple[Finding, ...]


def intention_path(slug: str) -> str:
    """Where an intention lies below ``.gitmem``."""
    return f"{INTENTIONS}{slug}.md"


def decode_intention(data: bytes, rel: str) -> DecodedIntention:
    """Reads an intention; ``rel`` is its path below ``.gitmem``, which names it."""
    return DecodedIntention(*read_document(data, rel, _intention))


def encode_intention(intention: Intention) -> bytes:
    return written(_typed_values(intention), intention.body)


def _typed_values(intention: Intention) -> Iterator[tuple[str, Text]]:
    when = intention.when
    yield "title", intention.title
    yield "action", intention.action
    parts: dict[str, Text] = {"at": when.at, "event": when.event, "tag": when.tag, "paths": [*when.paths]}
    yield "when", {name: value for name, value in parts.items() if value}
    if intention.priority:
        yield "priority", Bare(intention.priority)
    yield "status", intention.status
    if intention.outcome:
        yield "outcome", intention.outcome
    created: dict[str, Text] = {"at": intention.created_at, "by": intention.created_by}
    if any(created.values()):
        yield "created", {name: value for name, value in created.items() if value}


def _intention(form: Form, body: str) -> Intention:
    form.mapping("created", _CREATED_PARTS)
    created_at = form.moment("created.at")
    return Intention(
        slug=_slug(form),
        title=_title(form),
        body=body,
        action=form.choice("action", ACTIONS, REMIND),
        when=_when(form, created_at),
        priority=form.whole("priority", PRIORITY_MAX),
        status=form.choice("status", STATUSES, PENDING),
        outcome=form.text("outcome"),
        created_at=created_at,
        created_by=form.text("created.by"),
    )


def _slug(form: Form) -> str:
    name = form.rel.removeprefix(INTENTIONS).removesuffix(".md")
    if not is_slug(name):
        form.fault("", f"the file name {shown(name)} is no slug", "a-z, 0-9 and -, right below intentions/")
    return name


def _title(form: Form) -> str:
    title = form.scalar("title")
    hint = f"say in 1 to {TITLE_MAX} characters what is to be done"
    if title is None:
        if form.value("title") is None:
            form.fault("title", "title is missing", hint)
    elif not title.strip() or "\n" in title:
        form.fault("title", "title is no line of text", hint)
    elif len(title) > TITLE_MAX:
        form.fault("title", f"title has {len(title)} characters, the most is {TITLE_MAX}", "put the rest in the body")
    return title or ""


def _when(form: Form, created_at: str) -> When:
    form.mapping("when", WHEN_PARTS)
    event = form.choice("when.event", EVENTS, "")
    when = When(form.moment("when.at"), event, form.text("when.tag"), form.texts("when.paths"))
    if not (when.at or when.event or when.paths):
        hint = "when: with at, a time; event: merge, release or touched; or paths: globs of files"
        form.fault("when", "nothing ever brings this up", hint)
    if when.event and not created_at:
        form.fault("when.event", "an event counts from when the intention was made", "created: {at: 2026-01-31}")
    if when.event == TOUCHED and not when.paths:
        form.fault("when.event", "no paths say which files are touched", "when.paths: one glob a line")
    if when.tag and when.event != RELEASE:
        form.fault("when.tag", "a tag is looked for only with event: release", "add the event, or drop the tag")
    for at, pattern in enumerate(when.paths):
        _check_glob(form, f"when.paths[{at}]", pattern)
    return when


def _check_glob(form: Form, path: str, pattern: str) -> None:
    try:
        parse(pattern)
    except GlobError as err:
        form.fault(path, err.message, err.hint or "see docs/globs.md")
