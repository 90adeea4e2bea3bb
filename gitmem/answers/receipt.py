"""What proves a compile: ids and hashes of what was asked and told, as one text. Refuses to recompute any.

``gitmem1:`` and the base64url of canonical JSON. It carries the request too, so that whoever holds it can ask again on
another machine; one that is too long is left out, and is then found in the journal of the clone that made it.
"""

import hashlib
from base64 import urlsafe_b64encode

from gitmem.lazy import load
from gitmem.model.compiled import ALGORITHM, Compiled, CompileRequest
from gitmem.model.plain import Plain, canonical, plain
from gitmem.record import replace

PREFIX = "gitmem1:"
_REQUEST_BYTES_MAX = 4096
# Under a budget, the request may take this part of it.
_SHARE = 8
_DEFAULT = CompileRequest(())


def compile_id(request: CompileRequest, snapshot_id: str) -> str:
    """The same call on the same knowledge has the same id, 64 hex digits (SHA-256)."""
    return _hash([_request_row(request), snapshot_id, ALGORITHM])


def request_hash(request: CompileRequest) -> str:
    return _hash(_request_row(request))


def result_hash(compiled: Compiled) -> str:
    """Covers ``base``, ``expanded`` and ``warnings``, and nothing that varies in time or by machine."""
    return _hash([compiled.base, compiled.expanded, compiled.warnings])


def marks_hash(compiled: Compiled) -> str:
    return _hash(compiled.marks)


def receipt(compiled: Compiled, commit: str, request: CompileRequest) -> str:
    row = {
        "compile_id": compiled.compile_id,
        "commit": commit,
        "snapshot_id": compiled.snapshot_id,
        "request_hash": request_hash(request),
        "result_hash": result_hash(compiled),
        "marks_hash": marks_hash(compiled),
        "engine": compiled.engine,
    }
    asked = carried(request)
    whole = row if asked is None else {**row, "request": asked}
    return PREFIX + _text(canonical(plain(whole)))


def asked_row(request: CompileRequest) -> dict[str, Plain]:
    """The request by the names of its fields, without those that have their default; lists are sets, sorted."""
    same = _normal(request)
    row = {name: getattr(same, name) for name in same.__match_args__}
    return {name: plain(value) for name, value in row.items() if value != getattr(_DEFAULT, name)}


def carried(request: CompileRequest) -> dict[str, Plain] | None:
    """What a receipt holds of this request, None where that is too long: a function of the request alone."""
    asked = asked_row(request)
    return asked if len(canonical(asked)) <= _allowance(request) else None


def _allowance(request: CompileRequest) -> int:
    return min(_REQUEST_BYTES_MAX, request.max_tokens // _SHARE) if request.max_tokens else _REQUEST_BYTES_MAX


def request_tokens(request: CompileRequest) -> int:
    """What the request adds to the tokens of a receipt, estimated high."""
    asked = carried(request)
    if asked is None:
        return 0
    found: int = load("gitmem.text.tokens:estimate")(_text(canonical(asked)))
    return found


def _request_row(request: CompileRequest) -> list[object]:
    row = _normal(request)
    return [*(getattr(row, name) for name in row.__match_args__ if name != "tags"), row.tags]


def _normal(request: CompileRequest) -> CompileRequest:
    """What is asked, whatever the order in which it was said."""
    return replace(
        request,
        target_files=tuple(sorted(set(request.target_files))),
        layers=tuple(sorted(set(request.layers))),
        tags=None if request.tags is None else tuple(sorted(set(request.tags))),
    )


def _hash(value: object) -> str:
    return hashlib.sha256(canonical(plain(value))).hexdigest()


NO_MARKS = _hash({})


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")
