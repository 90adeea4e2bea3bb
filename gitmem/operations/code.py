"""Operations on the graph of the code. Refuses behaviour: this is data."""

from gitmem.operations.table import ADMIN, AGENT, CLI, INTEGER, TEXT, TEXTS, Operation, Param

AT = Param("at", TEXT, "the code of this commit, branch or tag instead of the work tree", "--at")
MAX_FILES = Param(
    "max_files", INTEGER, "read at most this many files, production first (default 50000)", "--max-files", in_tool=False
)
_INDEX = Operation(
    verb="index",
    help="read the code that was not read yet, so that later questions do not wait",
    example="gitmem index",
    request="gitmem.answers.index:IndexCall",
    target="gitmem.answers.index:index",
    render="gitmem.render.code:index",
    surfaces=(CLI,),
    params=(AT, MAX_FILES),
)
_SYMBOLS = Operation(
    verb="symbols",
    tool="find_symbols",
    help="definitions by name, kind or path",
    about="Functions, classes, routes, components, style tokens: exact names first. For a task in words: get_context.",
    example="gitmem symbols RetryPolicy",
    request="gitmem.answers.symbols:SymbolsCall",
    target="gitmem.answers.symbols:symbols",
    render="gitmem.render.code:symbols",
    surfaces=(CLI, AGENT, ADMIN),
    params=(
        Param("name", TEXT, "a name or its beginning or part, Outer.name, or path::Outer.name(2)"),
        Param("kind", TEXTS, "only these kinds: class, function, method, route, component, style and others", "--kind"),
        Param("path", TEXT, "only in this file, folder or glob", "--path"),
        Param("limit", INTEGER, "at most this many, 1 to 80 (default 20)", "--limit"),
        AT,
        MAX_FILES,
    ),
)
_TRACE = Operation(
    verb="trace",
    tool="trace",
    help="who calls a definition and what it calls, or every shortest way to another",
    about="An edge is proven or likely and has its lines; throwing, catching and inheriting count. "
    "origin_reliable false: the origin was guessed, others lists the rest.",
    example="gitmem trace RetryPolicy.next_delay --direction callers",
    request="gitmem.answers.trace:TraceCall",
    target="gitmem.answers.trace:trace",
    render="gitmem.render.traced:text",
    surfaces=(CLI, AGENT, ADMIN),
    params=(
        Param("name", TEXT, "a name, Outer.name, an id from symbols, path:line, or a file"),
        Param("direction", TEXT, "callers, callees or both (default both)", "--direction"),
        Param("depth", INTEGER, "so many steps, 1 to 6 (default 2); with a target 1 to 10 (default 10)", "--depth"),
        Param("to", TEXT, "tell the shortest ways to this definition instead", "--to"),
        AT,
        MAX_FILES,
    ),
)


def operations() -> tuple[Operation, ...]:
    return (_INDEX, _SYMBOLS, _TRACE)
