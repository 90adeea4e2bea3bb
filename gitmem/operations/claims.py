"""Operations about what engrams rest on in the code. Refuses behaviour: this is data."""

from gitmem.operations.table import INTEGER, TEXT, TEXTS, Operation, Param

_LIST = Operation(
    verb="claims list",
    help="what engrams rest on in the code, and whether it holds, has moved, drifted or gone",
    example="gitmem claims list --state drifted",
    request="gitmem.answers.claimed:ClaimsCall",
    target="gitmem.answers.claimed:list_claims",
    render="gitmem.render.claims:listed",
    params=(
        Param("item", TEXTS, "only of these: id, slug or domain/slug"),
        Param("path", TEXTS, "only claims on this file", "--path"),
        Param("state", TEXTS, "only claims that are holds, moved, drifted, gone or unknown", "--state"),
        Param("limit", INTEGER, "at most this many engrams, 1 to 500 (default 50)", "--limit"),
        Param("cursor", TEXT, "go on where the last answer's next points", "--cursor"),
        Param("at", TEXT, "judge knowledge and code at this commit, tag, branch, date or snapshot:ID", "--at"),
    ),
)
_CONFIRM = Operation(
    verb="claims confirm",
    help="say that an engram still holds on the code as it lies in the work tree: its claims get their hashes anew",
    example="gitmem claims confirm use-the-client --path src/api/client.ts",
    request="gitmem.answers.claiming:ConfirmCall",
    target="gitmem.answers.claiming:confirm",
    render="gitmem.render.claims:confirmed",
    writes=True,
    params=(
        Param("item", TEXT, "id, slug or domain/slug", is_required=True),
        Param("path", TEXTS, "only its claims on this file", "--path"),
    ),
)


def operations() -> tuple[Operation, ...]:
    return (_LIST, _CONFIRM)
