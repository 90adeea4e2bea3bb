"""Operations on the edges between engrams. Refuses behaviour: this is data."""

from gitmem.operations.table import ADMIN, CLI, NUMBER, TEXT, TEXTS, Operation, Param

_LINK = Operation(
    verb="link",
    tool="link",
    surfaces=(CLI, ADMIN),
    about="It is written into the work tree for you to commit; propose asks for it instead.",
    help="write an edge from one engram to another; what is there gets the new evidence",
    example='gitmem link use-the-client extends wrap-the-network --description "same reason"',
    request="gitmem.answers.linking:LinkCall",
    target="gitmem.answers.linking:link",
    render="gitmem.render.written:linked",
    writes=True,
    params=(
        Param("from_", TEXT, "the engram it leads from: id, slug or domain/slug", is_required=True, tool_name="from"),
        Param(
            "kind",
            TEXT,
            "extends, part_of, similar_to, depends_on, causes, follows, derives_from, contradicts, "
            "exemplifies, supersedes, consolidates or contextualizes",
            is_required=True,
        ),
        Param("to", TEXT, "the engram it leads to: id, slug or domain/slug", is_required=True),
        Param("weight", NUMBER, "how strong, 0 to 1 (default: by kind)", "--weight"),
        Param("description", TEXT, "what speaks for it, in one line", "--description"),
        Param("confidence", NUMBER, "how sure the description is, 0 to 1", "--confidence"),
        Param("allow_secret", TEXTS, "fingerprint of a finding that is no secret", "--allow-secret"),
    ),
)
_UNLINK = Operation(
    verb="unlink",
    tool="unlink",
    surfaces=(CLI, ADMIN),
    about="It is taken out of the work tree for you to commit; propose asks for it instead.",
    help="remove an edge; history keeps it",
    example="gitmem unlink use-the-client extends wrap-the-network",
    request="gitmem.answers.linking:UnlinkCall",
    target="gitmem.answers.linking:unlink",
    render="gitmem.render.written:unlinked",
    writes=True,
    decides=True,
    params=(
        Param("synapse", TEXT, "its id (syn-...), or the engram that it leads from", is_required=True),
        Param("kind", TEXT, "with an engram: the kind of the edge"),
        Param("to", TEXT, "with an engram: the engram that it leads to"),
    ),
)


def operations() -> tuple[Operation, ...]:
    return (_LINK, _UNLINK)
