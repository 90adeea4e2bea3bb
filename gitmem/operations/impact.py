"""Operations on what a change would touch. Refuses behaviour: this is data."""

from gitmem.operations.table import ADMIN, AGENT, CLI, INTEGER, TEXT, TEXTS, Operation, Param

_IMPACT = Operation(
    verb="impact",
    tool="impact",
    help="what a change of these files would touch: rules, importing files, tests to run first, claims",
    about="Call it before you change files that others use, and after it to choose the tests that run first. "
    "Items come with what joins them to a file; what an item requires comes with the chain of ids. "
    "Tests are first, not only: what loads by name is not found.",
    example="gitmem impact src/api/client.ts",
    request="gitmem.answers.impact:ImpactCall",
    target="gitmem.answers.impact:impact",
    render="gitmem.render.impact:text",
    surfaces=(CLI, AGENT, ADMIN),
    params=(
        Param(
            "files",
            TEXTS,
            "repository paths that change; they need not exist yet, or any more",
            tool_name="target_files",
            from_stdin=True,
        ),
        Param("command", TEXT, "the command that is being run, for example scaffold", "--command"),
        Param("layer", TEXTS, "layers to use instead of classifying the files", "--layer", tool_name="layers"),
        Param("limit", INTEGER, "at most this many of each: items, files, tests; 1 to 500 (default 50)", "--limit"),
        Param("at", TEXT, "knowledge and code of this commit, branch, tag, date or snapshot:ID instead", "--at"),
    ),
)


def operations() -> tuple[Operation, ...]:
    return (_IMPACT,)
