"""What an operation and its parameters are, as plain data. Refuses to know any operation."""

from gitmem.record import record

TEXT = "text"
INTEGER = "integer"
NUMBER = "number"
FLAG = "flag"
TEXTS = "texts"
# One text; on the command line its words need no quotes around them.
WORDS = "words"
# The command line gives a file name, - or a pipe; the request gets the text.
CONTENT = "content"

CLI = "cli"
AGENT = "agent"
ADMIN = "admin"


@record
class Param:
    """One field of the request. ``flag`` '' makes it positional on the command line; ``tool_name`` is its name in MCP
    where that differs, and ``in_tool`` says whether MCP offers it at all. ``from_stdin``: on the command line a lone
    ``-`` stands for what is piped in. ``most_bytes``: a file of content may be so large, and need not be UTF-8."""

    name: str
    kind: str
    help: str
    flag: str = ""
    is_required: bool = False
    choices: tuple[str, ...] = ()
    tool_name: str = ""
    in_tool: bool = True
    in_cli: bool = True
    from_stdin: bool = False
    most_bytes: int = 0


@record
class Operation:
    """``request`` and ``target`` name a dataclass and a function of (Session, request); ``render`` a function of the
    result. ``tool`` is the name in MCP, '' where MCP does not offer it. ``writes``: changes files, refs or settings;
    ``decides``: what it does is more than an addition. ``reaches_out``: may talk to a remote.
    """

    verb: str
    help: str
    request: str
    target: str
    render: str
    params: tuple[Param, ...] = ()
    tool: str = ""
    surfaces: tuple[str, ...] = (CLI,)
    writes: bool = False
    decides: bool = False
    reaches_out: bool = False
    about: str = ""
    example: str = ""
