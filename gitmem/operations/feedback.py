"""Operations on what knowledge was worth to whoever used it. Refuses behaviour: this is data."""

from gitmem.operations.table import ADMIN, AGENT, CLI, NUMBER, TEXT, TEXTS, Operation, Param

_FEEDBACK = Operation(
    verb="feedback",
    tool="feedback",
    help="say whether an item, all that one compile told, or a packet was of use",
    about="It moves what search and upkeep make of the item; the item itself is not changed.",
    example='gitmem feedback use-the-client misled --reason "the client has no retry"',
    request="gitmem.answers.assessing:FeedbackCall",
    target="gitmem.answers.feedback:feedback",
    render="gitmem.render.feedback:text",
    surfaces=(CLI, AGENT, ADMIN),
    writes=True,
    params=(
        Param("item", TEXT, "id, slug or domain/slug of an item, a compile_id or a packet_id", is_required=True),
        Param(
            "verdict",
            TEXT,
            "helped, misled or irrelevant",
            is_required=True,
            choices=("helped", "misled", "irrelevant"),
        ),
        Param("effectiveness", NUMBER, "how much it helped, 0 to 1 (default 1)", "--effectiveness"),
        Param(
            "outcome",
            TEXT,
            "how the task ended: effectiveness 1, 0.5 or 0",
            "--outcome",
            choices=("success", "partial", "failure"),
        ),
        Param("reason", TEXT, "why, 1 to 500 characters", "--reason"),
        Param("touched", TEXTS, "a symbol or file that was used or changed with it, in that order", "--touched"),
    ),
)


def operations() -> tuple[Operation, ...]:
    return (_FEEDBACK,)
