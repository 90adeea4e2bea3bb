"""The operation that verifies a change. Refuses behaviour: this is data."""

from gitmem.operations.table import ADMIN, AGENT, CLI, CONTENT, FLAG, TEXT, TEXTS, Operation, Param

DIFF_MAX_BYTES = 50 << 20
_VERIFY = Operation(
    verb="verify",
    tool="verify_done",
    help="whether a finished change keeps the approved rules that can be checked, and what it makes untrue",
    about="Call it when a change is finished, before you commit or hand over, with one of staged, worktree, range, "
    "diff, or with files alone to judge them as they lie. It runs no code.",
    example="gitmem verify --staged",
    request="gitmem.answers.verify:VerifyCall",
    target="gitmem.answers.verify:verify",
    render="gitmem.render.verify:text",
    surfaces=(CLI, AGENT, ADMIN),
    params=(
        Param(
            "files",
            TEXTS,
            "narrow the change to these paths; without a change, judge them whole as they lie in the work tree",
            from_stdin=True,
        ),
        Param("staged", FLAG, "the index against HEAD", "--staged"),
        Param("worktree", FLAG, "the work tree against HEAD, with untracked files", "--worktree"),
        Param("range", TEXT, "B against A: A..B, or A...B for B against where the two parted", "--range"),
        Param("diff", CONTENT, "a unified diff against HEAD", "--diff", most_bytes=DIFF_MAX_BYTES),
        Param("status", FLAG, "the verdict that was given last, and whether it still holds", "--status"),
        Param(
            "prune_stale",
            FLAG,
            "remove the verdicts that hold no more from the cache",
            "--prune-stale",
            in_tool=False,
        ),
        Param(
            "format",
            TEXT,
            "text (default), json, sarif, markdown",
            "--format",
            choices=("text", "json", "sarif", "markdown"),
            in_tool=False,
        ),
    ),
)


def operations() -> tuple[Operation, ...]:
    return (_VERIFY,)
