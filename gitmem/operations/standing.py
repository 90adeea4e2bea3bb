"""Operations on standing rules: those in force, a person's word on one, the page of all. Refuses behaviour: this is
data.
"""

from gitmem.operations.table import ADMIN, CLI, FLAG, TEXT, Operation, Param

_BOTH = (CLI, ADMIN)

_LIST = Operation(
    verb="standing list",
    help="the standing rules in force",
    example="gitmem standing list",
    request="gitmem.answers.retiring:StandingListCall",
    target="gitmem.answers.retiring:list_standing",
    render="gitmem.render.standing:listed",
    tool="list_standing_rules",
    surfaces=_BOTH,
)
_RETIRE = Operation(
    verb="standing retire",
    help="retire a standing rule at once: out of every delivery, still on record, with its edges",
    about="What is no standing rule is refused: gitmem propose retire.",
    example="gitmem standing retire ask-before-running-the-tests --reason 'the tests are fast now'",
    request="gitmem.answers.retiring:StandingRetireCall",
    target="gitmem.answers.retiring:retire_standing",
    render="gitmem.render.standing:retired",
    tool="retire_standing_rule",
    surfaces=_BOTH,
    writes=True,
    decides=True,
    params=(
        Param("item", TEXT, "id, slug or domain/slug", is_required=True),
        Param("reason", TEXT, "why, for whoever asks later", "--reason"),
        Param("propose", FLAG, "only propose it", "--propose"),
        Param("sign", FLAG, "sign the commit with your own Git settings", "--sign"),
    ),
)
_CONFIRM = Operation(
    verb="observations confirm",
    help="say on a terminal what a prompt says with a code: keep a standing rule, let it replace others, or cancel it",
    about="The code comes with the rule when an agent notes it. It works once, for 15 minutes.",
    example="gitmem observations confirm 7f3x --replace",
    request="gitmem.answers.confirming:ConfirmCall",
    target="gitmem.answers.confirming:confirm",
    render="gitmem.render.standing:confirmed",
    writes=True,
    decides=True,
    params=(
        Param("code", TEXT, "the code that was shown", is_required=True),
        Param("replace", FLAG, "in place of the rules that it collides with", "--replace"),
        Param("cancel", FLAG, "not at all", "--cancel"),
    ),
)
_EXPORT = Operation(
    verb="export",
    help="write what is approved into files that other tools and people read: rules.md has the standing rules, "
    "obsidian is a vault of all engrams with their edges as links",
    about="What was edited in rules.md by hand is proposed before anything is written over it; a note of a vault that "
    "was edited stays as it is.",
    example="gitmem export rules.md --check",
    request="gitmem.exchange.standing_page:ExportCall",
    target="gitmem.exchange.standing_page:export",
    render="gitmem.render.page:exported",
    writes=True,
    decides=True,
    params=(
        Param("format", TEXT, "rules.md or obsidian", is_required=True),
        Param("check", FLAG, "write and propose nothing; exit 1 when the file is not as it should be", "--check"),
        Param(
            "output", TEXT, "the file or folder, by its path from the root (default: rules.md, obsidian)", "--output"
        ),
        Param("all_retired", FLAG, "also when every rule is gone from the file: they are retired", "--all-retired"),
    ),
)


def operations() -> tuple[Operation, ...]:
    return (_LIST, _RETIRE, _CONFIRM, _EXPORT)
