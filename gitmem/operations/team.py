"""Operations on what several people changed at once. Refuses behaviour: this is data."""

from gitmem.operations.table import TEXT, Operation, Param

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
    return (_DRIVER,)
