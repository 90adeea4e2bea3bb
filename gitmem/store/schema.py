"""What an engram's header may hold: one schema for load, write and hook. Refuses bytes and YAML.

An error means that the engram is not served; a warning does not.
"""

from collections.abc import Iterator, Mapping
from itertools import islice
from types import MappingProxyType

from gitmem.model.engram import Claim, Engram, Scope
from gitmem.model.finding import Finding, Severity
from gitmem.model.ids import canonical_id
from gitmem.model.moments import instant, is_after
from gitmem.model.vocabulary import (
    CONFIDENCE_BY_SOURCE,
    KINDS,
    SOURCE_TYPES,
    STATUSES,
    SUMMARY_MAX,
    TITLE_MAX,
    VERIFICATIONS,
    VISIBILITIES,
    Text,
)
from gitmem.store.form import INTEGER, Form, Typed, shown, type_of
from gitmem.store.written import Bare
from gitmem.text.nearest import slips
from gitmem.text.sections import first_paragraph
from gitmem.text.words import cut

# The order in which a header is written.
KEYS = (
    "id",
    "title",
    "kind",
    "kinds",
    "summary",
    "tags",
    "context_tags",
    "context",
    "scope",
    "requires",
    "priority",
    "claims",
    "source",
    "source_type",
    "importance",
    "confidence",
    "verification",
    "status",
    "visibility",
    "valid",
    "aliases",
    "created",
)
PARTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "scope": ("paths", "except", "layers", "commands"),
        "claims": ("path", "symbol", "lines", "hash"),
        "verification": ("status", "evidence"),
        "valid": ("from", "until"),
        "created": ("at", "by"),
    }
)
NUMBERS = frozenset({"priority", "importance", "confidence"})
PRIORITY_MAX = 1_000_000
FINDINGS_MAX = 100
AUTO_SUMMARY_MAX = 200
_SLIPS_LOOKED_FOR = 50


def engram_from(typed: Typed, body: str, rel: str) -> tuple[Engram | None, list[Finding]]:
    """Builds the engram that a header and a body make; None when one of the findings is an error."""
    form = Form(typed, rel)
    engram = _engram(form, body)
    _misspelt_keys(form)
    has_error = any(each.severity is Severity.ERROR for each in form.findings)
    return (None if has_error else engram), sorted(form.findings, key=lambda each: each.line)[:FINDINGS_MAX]


def automatic_summary(body: str) -> str:
    """The summary of an engram that states none: its first paragraph, cut."""
    return cut(first_paragraph(body), AUTO_SUMMARY_MAX)


def header_of(engram: Engram) -> Iterator[tuple[str, Text]]:
    """The keys and values to write for an engram, in their order: what differs from its default, and what is stated."""
    always = {"id", "title", "kind", "tags", "status"} | engram.stated
    confidence = CONFIDENCE_BY_SOURCE[engram.source_type]
    unset = Engram("", "", "", engram.body, automatic_summary(engram.body), confidence=confidence)
    defaults = _typed_values(unset)
    for key, value in _typed_values(engram).items():
        if key in always or value != defaults[key]:
            yield key, value
    yield from engram.extra.items()


def _typed_values(engram: Engram) -> dict[str, Text]:
    return {
        "id": engram.id,
        "title": engram.title,
        "kind": engram.kind,
        "kinds": [*engram.kinds],
        "summary": engram.summary,
        "tags": [*engram.tags],
        "context_tags": [*engram.context_tags],
        "context": engram.context,
        "scope": _typed_scope(engram.scope),
        "requires": [*engram.requires],
        "priority": Bare(engram.priority),
        "claims": [_typed_claim(each) for each in engram.claims],
        "source": dict(engram.source),
        "source_type": engram.source_type,
        "importance": _decimal(engram.importance),
        "confidence": _decimal(engram.confidence),
        "verification": {"status": engram.verification, "evidence": [*engram.evidence]},
        "status": engram.status,
        "visibility": engram.visibility,
        "valid": _without_empty({"from": engram.valid_from, "until": engram.valid_until}),
        "aliases": [*engram.aliases],
        "created": _without_empty({"at": engram.created_at, "by": engram.created_by}),
    }


def _typed_scope(scope: Scope | None) -> Text:
    if scope is None:
        return Bare("null")
    parts: dict[str, Text] = {
        "paths": [*scope.paths],
        "except": [*scope.excluded],
        "layers": [*scope.layers],
        "commands": [*scope.commands],
    }
    return _without_empty(parts)


def _typed_claim(claim: Claim) -> Text:
    return _without_empty({"path": claim.path, "symbol": claim.symbol, "lines": claim.lines, "hash": claim.digest})


def _without_empty(parts: Mapping[str, Text]) -> dict[str, Text]:
    return {name: value for name, value in parts.items() if value}


def _decimal(number: float) -> Bare:
    """Never with an exponent: YAML 1.1 takes 1e-07 for text."""
    return Bare(number if number == round(number, 4) and "e" not in repr(number) else f"{number:.12f}")


def _engram(form: Form, body: str) -> Engram:
    form.item = ident = _id(form)
    source_type = form.choice("source_type", SOURCE_TYPES, "firsthand")
    scope = _scope(form)
    values = form.typed.values
    form.mapping("verification", PARTS["verification"])
    form.mapping("created", PARTS["created"])
    valid_from, valid_until = _valid(form)
    return Engram(
        id=ident,
        title=_title(form),
        kind=form.choice("kind", KINDS, "fact" if scope is None else "guideline"),
        body=_body(form, body),
        summary=_summary(form, body),
        tags=form.texts("tags"),
        kinds=_kinds(form),
        context_tags=form.texts("context_tags"),
        context=form.text("context"),
        scope=scope,
        requires=form.texts("requires"),
        priority=form.whole("priority", PRIORITY_MAX),
        claims=_claims(form),
        source=_source(form),
        source_type=source_type,
        importance=form.share("importance", 0.5),
        confidence=form.share("confidence", CONFIDENCE_BY_SOURCE[source_type]),
        verification=form.choice("verification.status", VERIFICATIONS, "unverified"),
        evidence=_evidence(form),
        status=form.choice("status", STATUSES, "active"),
        visibility=form.choice("visibility", VISIBILITIES, "team"),
        valid_from=valid_from,
        valid_until=valid_until,
        aliases=form.texts("aliases"),
        created_at=form.moment("created.at"),
        created_by=form.text("created.by"),
        extra={key: values[key] for key in values if key not in _KNOWN},
        stated=frozenset(key for key in values if key in _KNOWN),
    )


_KNOWN = frozenset(KEYS)


def _id(form: Form) -> str:
    typed = form.scalar("id")
    ident = canonical_id(typed) if typed else None
    if ident is None:
        found = "id is missing" if typed is None else f"id is {shown(typed)}, not a ULID"
        if not isinstance(form.value("id"), list | dict):
            form.fault("id", found, "an id has 26 letters and digits and never changes; gitmem new makes one")
    return ident or ""


def _title(form: Form) -> str:
    title = form.scalar("title")
    is_plain = "title" in form.typed.plain
    if title is None:
        if form.value("title") is None:
            found = "is empty" if "title" in form.typed.values else "is missing"
            form.fault("title", f"title {found}", "title: what this is about, in 1 to 200 characters")
    elif not title.strip():
        form.fault("title", "title holds only blanks", "say in 1 to 200 characters what this is about")
    elif len(title) > TITLE_MAX:
        form.fault("title", f"title has {len(title)} characters, the most is {TITLE_MAX}", "put the rest in the body")
    elif "\n" in title or "\r" in title:
        form.fault("title", "title has more than one line", "put the rest in the body")
    elif is_plain and (INTEGER.fullmatch(title) or title == "None"):
        # A bare number or None is what a script writes when it had no title.
        form.fault("title", f"title is {title}, not text", f'if it is meant, put it in quotes: title: "{title}"')
    return title or ""


def _body(form: Form, body: str) -> str:
    if not body.strip():
        form.fault("", "the body is empty", "write at least one line below the header")
    return body


def _summary(form: Form, body: str) -> str:
    summary = form.scalar("summary")
    if summary is None:
        return automatic_summary(body)
    if len(summary) > SUMMARY_MAX:
        found = f"summary has {len(summary)} characters, the most is {SUMMARY_MAX}"
        form.fault("summary", found, "shorten it, or leave it out: then the first paragraph is used")
    return summary


def _kinds(form: Form) -> tuple[str, ...]:
    kinds = form.texts("kinds")
    for i, word in enumerate(kinds):
        if word and word not in KINDS:
            form.not_a_choice(f"kinds[{i}]", word, KINDS)
    return kinds


def _scope(form: Form) -> Scope | None:
    if not form.mapping("scope", PARTS["scope"]):
        return None
    read = form.texts
    return Scope(read("scope.paths"), read("scope.except"), read("scope.layers"), read("scope.commands"))


def _claims(form: Form) -> tuple[Claim, ...]:
    value = form.value("claims")
    if isinstance(value, str | dict):
        value = [value]
    return tuple(_claim(form, f"claims[{i}]", each) for i, each in enumerate(value or ()))


def _claim(form: Form, path: str, value: Text) -> Claim:
    if isinstance(value, str):
        value = {"path": value}
    if isinstance(value, list):
        form.fault(path, f"{path} is a list, not a mapping", f"its keys are {', '.join(PARTS['claims'])}")
        return Claim("")
    form.known_parts(path, value, PARTS["claims"])
    part = {name: _text_of(form, f"{path}.{name}", each) for name, each in value.items() if name in PARTS["claims"]}
    if not part.get("path", "").strip():
        form.fault(path, f"{path} has no path", "a claim rests on a file: path: src/api.py")
    return Claim(part.get("path", ""), part.get("symbol", ""), part.get("hash", ""), part.get("lines", ""))


def _source(form: Form) -> Mapping[str, str]:
    value = form.value("source")
    if isinstance(value, str):
        return {"path": value}
    if isinstance(value, list):
        form.fault("source", "source is a list, not a mapping", "for example source: {path: docs/api.md}")
        return {}
    return {name: _text_of(form, f"source.{name}", each) for name, each in (value or {}).items()}


def _text_of(form: Form, path: str, value: Text) -> str:
    if isinstance(value, str):
        return "" if form.typed.is_null(path, value) else value
    form.fault(path, f"{path} is {type_of(value)}, not text", "write one value on the line of the key")
    return ""


def _evidence(form: Form) -> tuple[Text, ...]:
    value = form.value("verification.evidence")
    if isinstance(value, str | dict):
        value = [value]
    return tuple(value or ())


def _valid(form: Form) -> tuple[str, str]:
    form.mapping("valid", PARTS["valid"])
    start, end = form.moment("valid.from"), form.moment("valid.until")
    moment = instant(start) if start else None
    if moment and is_after(moment, end):
        form.fault("valid", "valid.from is later than valid.until", "exchange them or drop one")
    return start, end


def _misspelt_keys(form: Form) -> None:
    """Warns of an unknown key that is a known one but for a letter too many, too few or exchanged.

    Only the first unknown keys are looked at. Another letter in the same place is no slip here: ``content`` beside
    ``context`` is a name that people choose.
    """
    unknown = (key for key in form.typed.values if key not in _KNOWN and len(key) > 2)
    for key in islice(unknown, _SLIPS_LOOKED_FOR):
        near = (known for known in KEYS if known not in form.typed.values and abs(len(known) - len(key)) < 2)
        for known in near:
            if slips(key, known) == 1 and (len(key) != len(known) or sorted(key) == sorted(known)):
                hint = f'did you mean "{known}"? an unknown key is kept and has no effect'
                form.fault(key, f"unknown key {shown(key)}", hint, Severity.WARNING)
