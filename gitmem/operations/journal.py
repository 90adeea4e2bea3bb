"""Operations on the journal: what was told, in full and proved. Refuses behaviour: this is data."""

from gitmem.operations.table import ADMIN, CLI, CONTENT, FLAG, INTEGER, TEXT, TEXTS, Operation, Param

_SURFACES = (CLI, ADMIN)
_KINDS = (
    "compile",
    "delivery",
    "retrieval",
    "feedback",
    "observation",
    "triage",
    "standing",
    "verify",
    "maintenance",
    "packet",
    "expansion",
)
SINCE = Param("since", TEXT, "not before this date or time, UTC", "--since")
UNTIL = Param("until", TEXT, "not after this date or time, UTC", "--until")
CURSOR = Param("cursor", TEXT, "go on where the last answer's next points", "--cursor")

_SHOW = Operation(
    verb="journal show",
    tool="show_journal",
    help="what is on record in this clone, newest first",
    example="gitmem journal show --kind compile",
    request="gitmem.answers.audit:ShowCall",
    target="gitmem.answers.audit:show",
    render="gitmem.render.audit:shown",
    surfaces=_SURFACES,
    params=(
        Param("kind", TEXTS, "only events of these kinds", "--kind", choices=_KINDS),
        Param("item", TEXT, "only events that tell about this id or slug", "--item"),
        Param("agent", TEXT, "only events of this agent", "--agent"),
        Param("session", TEXT, "only events of this session", "--session"),
        SINCE,
        UNTIL,
        Param("failed", FLAG, "only what had no answer but an error", "--failed"),
        Param("limit", INTEGER, "at most this many, 1 to 1000 (default 50)", "--limit"),
        CURSOR,
    ),
)
_AUDIT = Operation(
    verb="journal audit",
    tool="audit_compile",
    help="one compile in full: what was asked, what was told and in which way, what nearly matched",
    about="The record itself, and what explains it, computed again at its commit.",
    example="gitmem journal audit 5f0c2a91",
    request="gitmem.answers.audit:AuditCall",
    target="gitmem.answers.audit:audit",
    render="gitmem.render.audit:audited",
    surfaces=_SURFACES,
    params=(
        Param(
            "compile_id", TEXT, "the id of the compile, or 8 digits of it or more, or of its event", is_required=True
        ),
    ),
)
_VERIFY = Operation(
    verb="journal verify",
    tool="verify_receipt",
    help="compute again what a receipt says was told, and compare",
    about="It asks the same at the same commit, on any clone; where the commit is not here, at the same knowledge.",
    example="gitmem journal verify receipt.txt",
    request="gitmem.answers.proof:VerifyCall",
    target="gitmem.answers.proof:verify_receipt",
    render="gitmem.render.audit:proved",
    surfaces=_SURFACES,
    params=(
        Param(
            "receipt",
            TEXT,
            "the text that begins with gitmem1:, a file that holds it or the compile's JSON, or - for standard input",
            is_required=True,
        ),
        Param("request", CONTENT, "a file with the request as JSON, where the receipt carries none", "--request"),
    ),
)
_VERIFY_COMMIT = Operation(
    verb="journal verify-commit",
    tool="verify_commit",
    help="compute again the compiles that a commit names in its message",
    about="It reads the trailer Gitmem-Packet, and finds the receipts on record in this clone.",
    example="gitmem journal verify-commit HEAD",
    request="gitmem.answers.trailer:VerifyCommitCall",
    target="gitmem.answers.trailer:verify_commit",
    render="gitmem.render.audit:all_proved",
    surfaces=_SURFACES,
    params=(Param("commit", TEXT, "any name of the commit", is_required=True),),
)
_TRAILER = Operation(
    verb="journal trailer",
    help="the line that names a compile in a commit message",
    about='For example: git commit --trailer "$(gitmem journal trailer)".',
    example="gitmem journal trailer",
    request="gitmem.answers.trailer:TrailerCall",
    target="gitmem.answers.trailer:trailer",
    render="gitmem.render.audit:trailer",
    params=(Param("compile_id", TEXT, "the id of the compile; default: the last one that was asked for"),),
)
_QUERY = Operation(
    verb="journal query",
    tool="query_journal",
    help="what happened to an item, or in the team: events, shared counts and decisions, newest first",
    about="Items that are retired or gone count too, by their id or their old slug.",
    example="gitmem journal query --item use-the-client --since 2026-01-01",
    request="gitmem.answers.activity:QueryCall",
    target="gitmem.answers.activity:query",
    render="gitmem.render.journal:queried",
    surfaces=_SURFACES,
    params=(
        Param("item", TEXT, "an id or slug; without one all that happened", "--item"),
        Param("kind", TEXTS, "only these kinds", "--kind", choices=(*_KINDS, "decision", "counts")),
        Param("action", TEXTS, "only where this was done: delivered, helped, misled, update, retire", "--action"),
        SINCE,
        UNTIL,
        Param("limit", INTEGER, "at most this many, 1 to 1000 (default 50)", "--limit"),
        CURSOR,
    ),
)
_PRUNE = Operation(
    verb="journal prune",
    tool="prune_journal",
    help="let old events of this clone give way to their counts",
    about="What people wrote and what open proposals rest on stays. All counts are the same after it.",
    example="gitmem journal prune --older-than 90d --dry-run",
    request="gitmem.answers.pruning:PruneCall",
    target="gitmem.answers.pruning:prune",
    render="gitmem.render.journal:pruned",
    surfaces=_SURFACES,
    writes=True,
    decides=True,
    params=(
        Param("older_than", TEXT, "an age in days, as in 90d, or a date; there is no default", "--older-than"),
        Param("dry_run", FLAG, "say what would go; change nothing", "--dry-run"),
    ),
)
_CHECK = Operation(
    verb="journal check",
    tool="check_journal",
    help="whether the journals in this clone can be believed, its own and those that others shared",
    about="Each fault is named by its file and line. A line that a kill cut off is none.",
    example="gitmem journal check",
    request="gitmem.answers.soundness:CheckCall",
    target="gitmem.answers.soundness:check",
    render="gitmem.render.journal:checked",
    surfaces=_SURFACES,
)


def operations() -> tuple[Operation, ...]:
    return (_SHOW, _AUDIT, _VERIFY, _VERIFY_COMMIT, _TRAILER, _QUERY, _PRUNE, _CHECK)
