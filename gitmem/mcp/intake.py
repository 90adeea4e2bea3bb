"""One line of input as JSON-RPC messages, mended where clients are careless. Refuses to end a session over a line."""

import json

import mcp_types as types
from mcp_types.version import LATEST_HANDSHAKE_VERSION
from pydantic import ValidationError

from gitmem.mcp.wire import LINE_MAX_BYTES
from gitmem.record import record

_BOM = b"\xef\xbb\xbf"
Fields = dict[str, object]


@record
class Taken:
    """What goes to the server, and what is answered at once."""

    messages: tuple[types.JSONRPCMessage, ...] = ()
    replies: tuple[types.JSONRPCError, ...] = ()


@record
class Refused:
    reply: types.JSONRPCError


def take(line: bytes) -> Taken:
    """A line holds one message or a batch. A blank one holds nothing; what cannot be read is answered with an error."""
    text = line.removeprefix(_BOM).strip()
    if not text:
        return Taken()
    if len(text) > LINE_MAX_BYTES:
        return _only(_refused(None, types.INVALID_REQUEST, f"a line of more than {LINE_MAX_BYTES} bytes"))
    try:
        found = json.loads(text.decode("utf-8"))
    except (ValueError, RecursionError):
        return _only(_refused(None, types.PARSE_ERROR, "not JSON in UTF-8, one message a line"))
    read = [_message(each) for each in (found if isinstance(found, list) and found else [found])]
    return Taken(
        tuple(one for one in read if not isinstance(one, Refused)),
        tuple(one.reply for one in read if isinstance(one, Refused)),
    )


def _only(refused: Refused) -> Taken:
    return Taken(replies=(refused.reply,))


def _refused(request_id: types.RequestId | None, code: int, message: str) -> Refused:
    return Refused(types.JSONRPCError(jsonrpc="2.0", id=request_id, error=types.ErrorData(code=code, message=message)))


def _message(found: object) -> types.JSONRPCMessage | Refused:
    if not isinstance(found, dict):
        return _refused(None, types.INVALID_REQUEST, "not a JSON-RPC message")
    try:
        return types.jsonrpc_message_adapter.validate_python(_mended(found), by_name=False)
    except ValidationError:
        return _refused(_id_of(found), types.INVALID_REQUEST, "not a JSON-RPC 2.0 message")


def _id_of(found: Fields) -> types.RequestId | None:
    given = found.get("id")
    is_readable = isinstance(given, int) or (isinstance(given, str) and _is_whole(given))
    return given if is_readable and not isinstance(given, bool) else None  # type: ignore[return-value]  # reason: checked above


def _is_whole(text: str) -> bool:
    """Whether it holds no half of a character, which JSON may and UTF-8 may not."""
    return not any("\ud800" <= char <= "\udfff" for char in text)


def _mended(found: Fields) -> Fields:
    """Some clients write an empty list for no parameters, or leave out half of the handshake."""
    if found.get("params") in ([], None):
        found = {key: value for key, value in found.items() if key != "params"}
    method, params = found.get("method"), found.get("params", {})
    if method == "initialize":
        return {**found, "params": _handshake(params if isinstance(params, dict) else {})}
    if method == "tools/call" and isinstance(params, dict):
        return {**found, "params": {**params, "arguments": _arguments(params.get("arguments"))}}
    return found


def _handshake(given: Fields) -> Fields:
    """What an ``initialize`` needs; of what else a client says of itself only what the SDK can read."""
    version, told = given.get("protocolVersion"), _map(given.get("clientInfo"))
    info = {name: told[name] for name in ("name", "version", "title") if isinstance(told.get(name), str)}
    can = {name: value for name, value in _map(given.get("capabilities")).items() if isinstance(value, dict)}
    return {
        **given,
        "protocolVersion": version if isinstance(version, str) else LATEST_HANDSHAKE_VERSION,
        "clientInfo": {"name": "unknown", "version": "", **info},
        "capabilities": can,
    }


def _arguments(given: object) -> object:
    """An object; also as JSON text, and nothing at all as an empty list or text."""
    if not given:
        return {}
    try:
        return json.loads(given) if isinstance(given, str) else given
    except (ValueError, RecursionError):
        return given


def _map(given: object) -> Fields:
    return given if isinstance(given, dict) else {}
