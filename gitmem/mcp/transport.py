"""The SDK's streams over our descriptors. Refuses to lose an answer that is being made when the input closes."""

import math
from collections.abc import Awaitable, Callable

import anyio
import anyio.from_thread
import anyio.to_thread
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage

from gitmem.mcp.intake import take
from gitmem.mcp.wire import Wire
from gitmem.record import field, state

Incoming = MemoryObjectReceiveStream[SessionMessage | Exception]
Outgoing = MemoryObjectSendStream[SessionMessage]
_GRACE_SECONDS = 1.0
_LAST_WRITE_SECONDS = 0.4
_STEP_SECONDS = 0.01


@state
class Traffic:
    """The requests that have no answer yet."""

    wire: Wire
    asked: set[types.RequestId] = field(default_factory=set)

    def note_in(self, message: types.JSONRPCMessage) -> None:
        if isinstance(message, types.JSONRPCRequest):
            self.asked.add(message.id)

    def note_out(self, message: types.JSONRPCMessage) -> None:
        if isinstance(message, types.JSONRPCResponse | types.JSONRPCError) and message.id is not None:
            self.asked.discard(message.id)


async def connect(wire: Wire, serve: Callable[[Incoming, Outgoing], Awaitable[None]]) -> None:
    """Runs ``serve`` until the input closes and what was asked is answered, or is no longer waited for."""
    to_server, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](math.inf)
    outgoing, to_client = anyio.create_memory_object_stream[SessionMessage](math.inf)
    traffic = Traffic(wire)
    async with anyio.create_task_group() as group:
        group.start_soon(_read, traffic, to_server, outgoing.clone())
        group.start_soon(_write, traffic, to_client)
        await serve(incoming, outgoing)
        group.cancel_scope.deadline = anyio.current_time() + _LAST_WRITE_SECONDS


async def _read(
    traffic: Traffic, to_server: MemoryObjectSendStream[SessionMessage | Exception], outgoing: Outgoing
) -> None:
    def deliver(line: bytes) -> None:
        taken = take(line)
        for reply in taken.replies:
            outgoing.send_nowait(SessionMessage(reply))
        for message in taken.messages:
            traffic.note_in(message)
            to_server.send_nowait(SessionMessage(message))

    def pump() -> None:
        for line in traffic.wire.lines():
            anyio.from_thread.run_sync(deliver, line)

    async with to_server, outgoing:
        await anyio.to_thread.run_sync(pump, abandon_on_cancel=True)
        with anyio.move_on_after(_GRACE_SECONDS):
            while traffic.asked and traffic.wire.is_heard():
                await anyio.sleep(_STEP_SECONDS)


async def _write(traffic: Traffic, to_client: MemoryObjectReceiveStream[SessionMessage]) -> None:
    async with to_client:
        async for packed in to_client:
            try:
                await anyio.to_thread.run_sync(traffic.wire.write, _line(packed.message), abandon_on_cancel=True)
            except OSError:
                traffic.wire.leave()
            traffic.note_out(packed.message)


def _line(message: types.JSONRPCMessage) -> bytes:
    """One line; a message that has no JSON form becomes the error that says so, since somebody waits for it."""
    try:
        return message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
    except ValueError:
        error = types.ErrorData(code=types.INTERNAL_ERROR, message="the answer has no JSON form")
        request_id = message.id if isinstance(message, types.JSONRPCResponse | types.JSONRPCError) else None
        return types.JSONRPCError(jsonrpc="2.0", id=request_id, error=error).model_dump_json().encode() + b"\n"
