"""Operations on what was tried before. Refuses behaviour: this is data."""

from gitmem.operations.table import ADMIN, AGENT, CLI, FLAG, INTEGER, TEXT, TEXTS, Operation, Param

_RECALL = Operation(
    verb="recall",
    tool="recall",
    help="what was tried before: reverts, abandoned branches, repairs, runs and notes",
    about="Ask before a second attempt. It points at commits, branches and compiles; read those for what they hold.",
    example='gitmem recall src/app.py --text "retry the upload"',
    request="gitmem.answers.recall:RecallCall",
    target="gitmem.answers.recall:recall",
    render="gitmem.render.recall:recalled",
    surfaces=(CLI, AGENT, ADMIN),
    params=(
        Param("files", TEXTS, "only what touches these files or folders, or is near them"),
        Param("text", TEXT, "only what shares a word with this text", "--text"),
        Param("run", TEXT, "only this run: a session, or the first 8 digits or more of a compile id", "--run"),
        Param("recent", INTEGER, "only the newest so many, 1 to 50 (10 where nothing else is asked)", "--recent"),
        Param("gaps", FLAG, "what compiles missed, counted by the nearest pattern", "--gaps"),
        Param("limit", INTEGER, "at most this many, 1 to 200 (default 20)", "--limit"),
    ),
)


def operations() -> tuple[Operation, ...]:
    return (_RECALL,)
