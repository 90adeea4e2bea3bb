"""Operations that run until they are stopped. Refuses behaviour: this is data."""

from gitmem.operations.table import TEXT, Operation, Param

_MCP = Operation(
    verb="mcp",
    help="serve agents over MCP on standard input and output",
    example="gitmem mcp --surface agent",
    request="gitmem.mcp.server:ServeCall",
    target="gitmem.mcp.server:serve",
    render="",
    params=(
        Param("surface", TEXT, "agent (default) reads and proposes; admin decides", "--surface"),
        Param("tools", TEXT, "minimal, standard (default) or full", "--tools"),
    ),
)


def operations() -> tuple[Operation, ...]:
    return (_MCP,)
