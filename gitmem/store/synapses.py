"""Synapse files from bytes to values and back, the same bytes for the same edge. Refuses to know whether ends exist."""

from collections.abc import Iterator

from gitmem.model.finding import Finding, Severity
from gitmem.model.ids import canonical_id
from gitmem.model.moments import utc
from gitmem.model.synapse import DEFAULT_WEIGHTS, SYNAPSE_KINDS, Evidence, Synapse, ends, unite
from gitmem.model.vocabulary import Text
from gitmem.record import record
from gitmem.store.codec import read_yaml
from gitmem.store.form import DECIMAL, Form, shown, type_of
from gitmem.store.parts import conflict_marker, readable
from gitmem.store.written import Bare, entry

# The order in which a file is written.
SYNAPSE_KEYS = ("id", "from", "to", "kind", "weight", "evidence", "resolution", "created")
EVIDENCE_PARTS = ("description", "by", "at", "confidence")
_CREATED_PARTS = ("at", "by")
_KNOWN = frozenset(SYNAPSE_KEYS)


@record
class DecodedSynapse:
    """One synapse file; ``synapse`` is None when a finding is an error."""

    synapse: Synapse | None
    findings: tuple[Finding, ...]


def synapse_path(synapse: Synapse) -> str:
    """Where the file of a synapse lies below ``.gitmem``."""
    return f"synapses/{synapse.kind}/{synapse.id}.yaml"


def decode_synapse(data: bytes, rel: str) -> DecodedSynapse:
    """Reads a synapse file; the ends of a kind without direction come sorted whatever the order in the file."""
    text = readable(data, rel)
    if isinstance(text, Finding):
        return DecodedSynapse(None, (text,))
    marker = conflict_marker(text, len(text), rel)
    typed = (marker,) if marker else read_yaml(text, rel)
    if isinstance(typed, tuple):
        return DecodedSynapse(None, typed)
    form = Form(typed, rel)
    synapse = _synapse(form)
    has_error = any(each.severity is Severity.ERROR for each in form.findings)
    return DecodedSynapse(None if has_error else synapse, tuple(form.findings))


def encode_synapse(synapse: Synapse) -> bytes:
    """Writes a synapse: keys in their order, evidence sorted, unknown keys last."""
    lines = (line for key, value in _typed_values(synapse) for line in entry(key, value))
    return "".join(f"{line}\n" for line in lines).encode()


def value_of(synapse: Synapse, key: str) -> Text:
    """What stands in the file under a key, '' when the key is left out."""
    return next((value for name, value in _typed_values(synapse) if name == key), "")


def _synapse(form: Form) -> Synapse:
    values = form.typed.values
    kind = form.choice("kind", SYNAPSE_KINDS, SYNAPSE_KINDS[0])
    if form.value("kind") is None:
        form.fault("kind", "kind is missing", f"use one of {', '.join(SYNAPSE_KINDS)}")
    start, end = ends(_end(form, "from"), _end(form, "to"), kind)
    if start and start == end:
        form.fault("to", "both ends are the same engram", "an edge joins two")
    form.mapping("created", _CREATED_PARTS)
    resolution = form.value("resolution")
    synapse = Synapse(
        from_=start,
        to=end,
        kind=kind,
        weight=form.share("weight", DEFAULT_WEIGHTS[kind]),
        evidence=unite(_evidence(form)),
        resolution="" if resolution is None else resolution,
        created_at=form.moment("created.at"),
        created_by=form.text("created.by"),
        extra={key: values[key] for key in values if key not in _KNOWN},
    )
    _check_identity(form, synapse)
    return synapse


def _end(form: Form, key: str) -> str:
    typed = form.scalar(key)
    ident = canonical_id(typed) if typed else None
    if ident is None:
        found = f"{key} is missing" if typed is None else f"{key} is {shown(typed)}, not a ULID"
        form.fault(key, found, "name the engram by its id")
    return ident or ""


def _check_identity(form: Form, synapse: Synapse) -> None:
    if form.findings:
        return
    found = form.scalar("id")
    if found != synapse.id:
        said = "missing" if found is None else shown(found)
        form.fault("id", f"id is {said}, and the ends and the kind make {synapse.id}", f"write id: {synapse.id}")
    elif not form.rel.endswith(synapse_path(synapse)):
        form.fault("id", "the file does not lie where its kind and its id say", f"its path is {synapse_path(synapse)}")


def _evidence(form: Form) -> Iterator[Evidence]:
    value = form.value("evidence")
    items = [value] if isinstance(value, str | dict) else value or []
    for at, each in enumerate(items):
        yield _piece(form, f"evidence[{at}]", {"description": each} if isinstance(each, str) else each)


def _piece(form: Form, path: str, value: Text) -> Evidence:
    if not isinstance(value, dict):
        form.fault(path, f"{path} is {type_of(value)}, not a mapping", f"its keys are {', '.join(EVIDENCE_PARTS)}")
        return Evidence("")
    form.known_parts(path, value, EVIDENCE_PARTS)
    part = {name: each for name, each in value.items() if isinstance(each, str)}
    part = {name: text for name, text in part.items() if not form.typed.is_null(f"{path}.{name}", text)}
    if not part.get("description", "").strip():
        form.fault(path, f"{path} has no description", "say in one line what speaks for the edge")
    at = utc(part["at"]) if "at" in part else ""
    if at is None:
        form.fault(f"{path}.at", f"{path}.at is {shown(part['at'])}, not a date", "for example 2026-01-31T10:00:00Z")
    confidence = part.get("confidence")
    return Evidence(part.get("description", ""), part.get("by", ""), at or "", _share(form, path, confidence))


def _share(form: Form, path: str, typed: str | None) -> float | None:
    if typed is None:
        return None
    number = float(typed) if DECIMAL.fullmatch(typed) else -1.0
    if not 0 <= number <= 1:
        form.fault(
            f"{path}.confidence", f"{path}.confidence is {shown(typed)}, not a number from 0 to 1", "such as 0.5"
        )
        return None
    return number


def _typed_values(synapse: Synapse) -> Iterator[tuple[str, Text]]:
    start, end = ends(synapse.from_, synapse.to, synapse.kind)
    yield "id", synapse.id
    yield "from", start
    yield "to", end
    yield "kind", synapse.kind
    yield "weight", _decimal(synapse.weight)
    if synapse.evidence:
        yield "evidence", [_typed_evidence(each) for each in unite(synapse.evidence)]
    if synapse.resolution:
        yield "resolution", synapse.resolution
    created: dict[str, Text] = {"at": synapse.created_at, "by": synapse.created_by}
    if any(created.values()):
        yield "created", {name: text for name, text in created.items() if text}
    yield from synapse.extra.items()


def _typed_evidence(evidence: Evidence) -> dict[str, Text]:
    typed: dict[str, Text] = {"description": evidence.description, "by": evidence.by, "at": evidence.at}
    if evidence.confidence is not None:
        typed["confidence"] = _decimal(evidence.confidence)
    return {name: text for name, text in typed.items() if text}


def _decimal(number: float) -> Bare:
    """Up to twelve digits and never an exponent, which YAML 1.1 takes for text."""
    whole, _, digits = f"{number:.12f}".partition(".")
    return Bare(f"{whole}.{digits.rstrip('0') or '0'}")
