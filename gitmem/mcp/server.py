"""Starts the MCP server: takes standard output away first, loads the SDK second. Refuses to import the SDK itself."""

from gitmem.answers.reading import Session
from gitmem.errors import UsageError
from gitmem.lazy import load
from gitmem.mcp import wire
from gitmem.operations.table import ADMIN, AGENT
from gitmem.record import record

SURFACES = (AGENT, ADMIN)
PROFILES = ("minimal", "standard", "full")


@record
class ServeCall:
    """``surface`` agent reads and proposes, admin decides; ``tools`` is how many of its tools are offered."""

    surface: str = AGENT
    tools: str = "standard"


def serve(session: Session, call: ServeCall) -> None:
    """Serves until standard input closes, then ends the process. Nothing but JSON-RPC reaches standard output."""
    _check("surface", call.surface, SURFACES)
    _check("tools", call.tools, PROFILES)
    line = wire.claim()
    line.leave_when_told()
    load("gitmem.mcp.protocol:run")(line, session, call)
    line.leave()


def _check(name: str, given: str, known: tuple[str, ...]) -> None:
    if given not in known:
        raise UsageError(f"unknown value for --{name}: {given!r}", hint=f"one of: {', '.join(known)}")
