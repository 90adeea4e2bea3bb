"""Recomputes what a receipt says was told, on whichever clone it is shown to. Refuses to believe any of its fields."""

import json
import re
from base64 import urlsafe_b64decode
from collections.abc import Mapping

from gitmem.answers import receipt as receipts
from gitmem.answers.compile import answer
from gitmem.answers.notices import Look
from gitmem.answers.reading import (
    SNAPSHOT_PREFIX,
    TRUSTED,
    UNAPPROVED,
    Reading,
    Session,
    no_commits,
    not_initialised,
    read,
)
from gitmem.answers.recorded import CUT, Answered
from gitmem.errors import GitmemError, UsageError
from gitmem.lazy import load
from gitmem.model.compiled import ALGORITHM, CompileRequest
from gitmem.model.event import COMPILE
from gitmem.model.plain import Plain, canonical
from gitmem.model.proof import CANNOT_VERIFY, DIFFERS, MATCHES, Proof, Receipt
from gitmem.record import record, replace
from gitmem.store.objects import UnknownRevisionError
from gitmem.store.repo import Repo

_HASHES = ("request_hash", "result_hash", "marks_hash", "snapshot_id", "compile_id")
_HASH = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_LISTS = ("target_files", "layers", "tags")


class BadReceiptError(GitmemError):
    code = "bad-receipt"


@record
class VerifyCall:
    """``receipt`` is the text itself or the compile's JSON; ``request`` is JSON, for where the receipt has none."""

    receipt: str
    request: str = ""


def verify_receipt(session: Session, call: VerifyCall) -> Proof:
    """Asks the same again at the commit, or at the same knowledge elsewhere, and compares every hash."""
    packet: Proof | None = load("gitmem.answers.packet_explained:proof")(session, _inside(call.receipt))
    if packet is not None:
        return packet
    place, given = session.place, parse(_inside(call.receipt))
    if given.algorithm != ALGORITHM:
        message = f"it was made by algorithm {given.algorithm}, and this gitmem has {ALGORITHM}"
        return Proof(CANNOT_VERIFY, ("algorithm",), given.compile_id, hint=f"{message}: use a gitmem that has it")
    request = _request(place.repo, given, call.request)
    if request is None:
        hint = "give the request with --request FILE, or ask on the clone that compiled it"
        return Proof(CANNOT_VERIFY, ("request",), given.compile_id, hint=hint)
    if receipts.request_hash(request) != given.request_hash:
        return Proof(DIFFERS, ("request_hash",), given.compile_id, hint="the request is not the one that was asked")
    found = reading_of(session, given)
    if found is None:
        hint = f"neither the commit nor its knowledge is here: git fetch origin {given.commit}"
        if not given.commit:
            hint = "it names no commit: nothing was canonical where it was made"
        return Proof(CANNOT_VERIFY, ("commit",), given.compile_id, hint=hint)
    return _compared(session, given, request, found)


def parse(text: str) -> Receipt:
    """Reads a receipt; an error names what is no part of one."""
    body = text.strip()
    if not body.startswith(receipts.PREFIX):
        raise BadReceiptError(f"not a receipt: {body[:40]!r}", hint="it begins with gitmem1: and compile prints it")
    encoded = body.removeprefix(receipts.PREFIX)
    try:
        data = urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4))
        row = json.loads(data)
        is_canonical = canonical(row) == data
    except (ValueError, RecursionError):
        row, is_canonical = None, False
    if not isinstance(row, dict) or not is_canonical:
        raise BadReceiptError("the receipt is damaged: it does not decode to canonical JSON", hint="copy it whole")
    return _typed(row)


def _typed(row: Mapping[str, Plain]) -> Receipt:
    engine, asked = row.get("engine"), row.get("request")
    texts = {name: row.get(name) for name in ("commit", *_HASHES)}
    bad = [name for name, value in texts.items() if not _is_hash(name, value)]
    algorithm = engine.get("algorithm") if isinstance(engine, dict) else None
    if bad or type(algorithm) is not int or not isinstance(engine, dict):
        raise BadReceiptError(f"the receipt lacks {', '.join(bad) or 'engine'}", hint="copy it whole")
    return Receipt(
        **{name: str(value) for name, value in texts.items()},
        engine=str(engine.get("version", "")),
        algorithm=algorithm,
        request=asked if isinstance(asked, dict) else None,
    )


def _is_hash(name: str, value: Plain) -> bool:
    """Whoever made the text up must not get to name a revision of this repository."""
    return isinstance(value, str) and (_HASH.fullmatch(value) is not None or (name == "commit" and not value))


def request_of(row: Mapping[str, Plain]) -> CompileRequest:
    """The request that a receipt or a record holds; a field of a later version or of a wrong type is an error."""
    if any(name.endswith(CUT) for name in row):
        hint = "give it whole with: gitmem journal verify RECEIPT --request FILE"
        raise BadReceiptError("the request was too long to be kept whole", hint=hint)
    usual = CompileRequest(())
    known: dict[str, object] = {name: getattr(usual, name) for name in usual.__match_args__}
    for name, value in row.items():
        if name not in known or not _fits(name, value, known[name]):
            raise BadReceiptError(f"a request has no field {name[:40]!r} with {str(value)[:40]!r}")
    told = {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
    return replace(usual, **told)  # type: ignore[arg-type]  # reason: each value was held against its usual one


def _fits(name: str, value: Plain, usual: object) -> bool:
    if name in _LISTS:
        return isinstance(value, list) and all(isinstance(each, str) for each in value)
    return type(value) is type(usual)


def _inside(text: str) -> str:
    """What ``compile --json`` prints holds a receipt."""
    try:
        row = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return str(row.get("receipt", "")) if isinstance(row, dict) else text


def _request(repo: Repo, given: Receipt, text: str) -> CompileRequest | None:
    if text:
        return request_of(_json(text))
    if given.request is not None:
        return request_of(given.request)
    for entry in reversed(load("gitmem.store.spool:entries")(repo)):
        asked = entry.data.get("request")
        if entry.kind == COMPILE and entry.data.get("compile") == given.compile_id and isinstance(asked, dict):
            return None if any(name.endswith(CUT) for name in asked) else request_of(asked)
    return None


def _json(text: str) -> Mapping[str, Plain]:
    try:
        row = json.loads(text)
    except (ValueError, RecursionError) as err:
        raise UsageError(f"the request is no JSON: {err}", hint="a JSON object, as a receipt has it") from err
    if not isinstance(row, dict):
        raise UsageError("the request is no JSON object", hint="it has fields such as target_files")
    return row


@record
class Found:
    """``is_exact``: this is the very commit, so that what depends on code can be compared too."""

    reading: Reading
    is_exact: bool


def reading_of(session: Session, given: Receipt) -> Found | None:
    """The commit itself; where it is not here (a shallow clone), any commit or snapshot with the same knowledge."""
    current = read(session.place)
    if given.commit == current.commit:
        return Found(current, is_exact=True)
    if not given.commit:
        return None
    found = _at(session, given.commit)
    if found is not None:
        return Found(found, is_exact=True)
    found = _at(session, f"{SNAPSHOT_PREFIX}{given.snapshot_id}")
    return Found(found, is_exact=False) if found is not None else None


def _at(session: Session, at: str) -> Reading | None:
    try:
        return read(session.place, replace(TRUSTED, at=at))
    except UnknownRevisionError:
        return None


def _compared(session: Session, given: Receipt, request: CompileRequest, found: Found) -> Proof:
    told = [_differing(given, _again(session, request, each), found) for each in _worded(found.reading)]
    what = min(told, key=len)
    marks = () if given.marks_hash == receipts.NO_MARKS else ("marks_hash",)
    unverified = () if found.is_exact else ("commit", *marks)
    if what:
        hint = "the knowledge or the receipt was changed after the compile"
        return Proof(DIFFERS, what, given.compile_id, found.reading.commit, hint=hint)
    hint = "" if found.is_exact else f"its commit is not here; the same knowledge is at {found.reading.commit[:12]}"
    # It was told so, and still on nobody's word.
    hint = next((each.message for each in found.reading.notices if each.code == UNAPPROVED), hint)
    return Proof(MATCHES, (), given.compile_id, found.reading.commit, unverified, hint)


def _worded(reading: Reading) -> list[Reading]:
    """A repository without knowledge words its warning by how it is asked: either wording is right."""
    if reading.tree:
        return [reading]
    return [reading, *(replace(reading, warnings=(each(),)) for each in (not_initialised, no_commits))]


def _again(session: Session, request: CompileRequest, reading: Reading) -> Answered:
    return answer(Look(session, reading), request)


def _differing(given: Receipt, again: Answered, found: Found) -> tuple[str, ...]:
    now = parse(again.compiled.receipt)
    names = [name for name in _HASHES if name != "marks_hash" or found.is_exact]
    return tuple(name for name in names if getattr(now, name) != getattr(given, name))
