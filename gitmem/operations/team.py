"""Operations on what several people changed at once. Refuses behaviour: this is data."""

from gitmem.operations.table import ADMIN, CLI, FLAG, TEXT, TEXTS, Operation, Param

_RESOLVE = Operation(
    verb="resolve",
    help="finish a merge, rebase, pick or revert below .gitmem by the rules of a merge; stages, commits nothing",
    example="gitmem resolve --ours use-the-client",
    request="gitmem.answers.resolve:ResolveCall",
    target="gitmem.answers.resolve:resolve",
    render="gitmem.render.merged:resolution",
    writes=True,
    params=(
        Param("items", TEXTS, "ids, slugs, paths or folders (default: all that is in conflict)"),
        Param(
            "ours",
            FLAG,
            "where both disagree take ours: in a merge the branch you are on; in a rebase the one you rebase onto",
            "--ours",
        ),
        Param(
            "theirs",
            FLAG,
            "take theirs: in a merge the branch that comes in; in a rebase your own commit, as in Git",
            "--theirs",
        ),
        Param("edit", FLAG, "open what is left in $EDITOR, then take it", "--edit", in_tool=False),
    ),
)
_DOCTOR = Operation(
    verb="doctor",
    tool="doctor",
    help="what is amiss in this clone and in its knowledge, each with what mends it",
    about="Driver, hooks, locks, trusted branch, refspecs, caches and upkeep; what gitmem check says; edges in circles "
    "or to what is no more. With --full also near-duplicates, claims, rules about no file or without a scope, texts "
    "that are too long, and items that change together.",
    example="gitmem doctor --fix",
    request="gitmem.answers.doctor:DoctorCall",
    target="gitmem.answers.doctor:doctor",
    render="gitmem.render.checked:examined",
    surfaces=(CLI, ADMIN),
    writes=True,
    params=(
        Param("fix", FLAG, "mend what is safe to mend", "--fix"),
        Param("full", FLAG, "with what takes seconds; the report is kept", "--full"),
        Param("incremental", FLAG, "the same, less what the last full report says already", "--incremental"),
        Param("gaps", FLAG, "with what people ask for and do not find", "--gaps"),
        Param("last", FLAG, "the last full report, and look at nothing", "--last"),
        Param(
            "without_driver",
            FLAG,
            "say nothing about the merge driver and set none; GITMEM_NO_MERGE_DRIVER=1 says the same",
            "--no-merge-driver",
            in_tool=False,
        ),
    ),
)
_DRIVER = Operation(
    verb="merge-driver",
    help="merge one file for Git, which calls this; people call git merge, and gitmem resolve",
    example="gitmem merge-driver .merge_file_base .merge_file_ours .merge_file_theirs 7 .gitmem/engrams/api/a.md",
    request="gitmem.answers.driver:DriverCall",
    target="gitmem.answers.driver:merge_driver",
    render="gitmem.render.merged:driven",
    writes=True,
    params=(
        Param("base", TEXT, "file with the common version", is_required=True),
        Param("ours", TEXT, "file with our version, which gets the result", is_required=True),
        Param("theirs", TEXT, "file with their version", is_required=True),
        Param("marker_size", TEXT, "length of a conflict marker", is_required=True),
        Param("path", TEXT, "path of the file in the repository", is_required=True),
    ),
)


def operations() -> tuple[Operation, ...]:
    return (_RESOLVE, _DOCTOR, _DRIVER)
