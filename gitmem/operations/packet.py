"""Operations on packets: what a task needs to be read, and what was folded in it. Refuses behaviour: this is data."""

from gitmem.operations.code import AT, MAX_FILES
from gitmem.operations.table import ADMIN, AGENT, CLI, INTEGER, TEXT, TEXTS, WORDS, Operation, Param

_CONTEXT = Operation(
    verb="context",
    tool="get_context",
    help="what a task needs to be read, in one answer within a budget: files, rules, memory, and what was not found",
    about="Call it first, with the task in words. Bodies that matter are open, the rest is folded: open a fold with "
    "expand_fold. coverage.claim no_seed_resolved, no_confident_match or partial: search by other means, see next.",
    example='gitmem context "fix the login retry that gives up too early"',
    request="gitmem.answers.context:ContextCall",
    target="gitmem.answers.context:context",
    render="gitmem.render.packet:text",
    surfaces=(CLI, AGENT, ADMIN),
    params=(
        Param("task", WORDS, "what is to be done, in words of any language; traces and error texts help"),
        Param(
            "mode",
            TEXT,
            "max_savings 6k tokens, balanced 12k (default), max_quality 24k",
            "--mode",
            choices=("max_savings", "balanced", "max_quality"),
        ),
        Param(
            "detail",
            TEXT,
            "pointer: paths alone; minimal; standard (default); diagnostic adds the ranking",
            "--detail",
            choices=("pointer", "minimal", "standard", "diagnostic"),
        ),
        Param("path_hints", TEXTS, "files that belong to it", "--path-hint"),
        Param("keywords", TEXTS, "names and other words for it, three to five", "--keyword"),
        Param("entity_types", TEXTS, "only definitions of such kinds: function, class, route", "--entity-type"),
        Param("intent", TEXT, "fix, add, remove, ... where the task does not say it", "--intent"),
        Param("budget", INTEGER, "tokens that the whole answer may take, instead of what the mode gives", "--budget"),
        Param("diff", TEXT, "A..B: what a reviewer of these commits must read; the task may be left out", "--diff"),
        AT,
        MAX_FILES,
    ),
)
_EXPAND = Operation(
    verb="expand",
    tool="expand_fold",
    help="the text of a fold, byte for byte as in its blob",
    about="Takes a fold id, its unambiguous beginning, a whole marker line, or the id of a symbol. Needs no session.",
    example="gitmem expand 6bd77fd09b-498-464-mxpe",
    request="gitmem.answers.expand:ExpandCall",
    target="gitmem.answers.expand:expand",
    render="gitmem.render.packet:expanded",
    surfaces=(CLI, AGENT, ADMIN),
    params=(
        Param("fold", WORDS, "a fold id, a marker line, or path::symbol", is_required=True, tool_name="fold_id"),
        AT,
    ),
)
_OUTLINE = Operation(
    verb="outline",
    tool="file_outline",
    help="the signatures of a file with its bodies folded; with symbols, only these, open",
    about="Reads a file for a fraction of its tokens. Symbols that you name are open, the rest is one fold each side.",
    example="gitmem outline src/app.py Retry.next_delay",
    request="gitmem.answers.outline:OutlineCall",
    target="gitmem.answers.outline:outline",
    render="gitmem.render.packet:outlined",
    surfaces=(CLI, AGENT, ADMIN),
    params=(
        Param("path", TEXT, "repository path", is_required=True),
        Param("symbols", TEXTS, "names in the file, Outer.name, or path::Outer.name(2)"),
        AT,
    ),
)


def operations() -> tuple[Operation, ...]:
    return (_CONTEXT, _EXPAND, _OUTLINE)
