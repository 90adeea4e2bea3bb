"""Operations on contradictions: those on record, and one settled by a proposal. Refuses behaviour: this is data."""

from gitmem.operations.rules import AT
from gitmem.operations.table import ADMIN, CLI, CONTENT, FLAG, INTEGER, TEXT, TEXTS, Operation, Param

_BOTH = (CLI, ADMIN)
_STATES = ("pending", "auto_resolved", "escalated", "contested", "resolved")
_VERDICTS = ("keep_new", "keep_old", "merge", "archive")

_LIST = Operation(
    verb="contradictions list",
    help="the contradictions on record, how far each is from being settled, and what its numbers advise",
    about="Advice does nothing by itself. What nobody has put on record is found by gitmem check --alike.",
    example="gitmem contradictions list --overdue",
    request="gitmem.answers.contradictions:ContradictionsCall",
    target="gitmem.answers.contradictions:list_contradictions",
    render="gitmem.render.contradictions:listed",
    tool="list_contradictions",
    surfaces=_BOTH,
    params=(
        Param("state", TEXTS, "only in these states (default: all that are not settled)", "--state", choices=_STATES),
        Param("item", TEXT, "only those of this engram: id, slug or domain/slug", "--item"),
        Param("overdue", FLAG, "only what has waited for a week, or was settled and holds again", "--overdue"),
        Param("limit", INTEGER, "at most this many, 1 to 500 (default 50)", "--limit"),
        Param("cursor", TEXT, "go on where the last answer's next points", "--cursor"),
        AT,
    ),
)
_RESOLVE = Operation(
    verb="contradictions resolve",
    help="propose how a contradiction is settled: the edge says it, and who loses is superseded in the same change",
    about="keep_new and keep_old keep one, merge gives the newer one a text for both, archive keeps neither. "
    "Without a verdict what the numbers advise counts.",
    example="gitmem contradictions resolve use-spaces --against use-tabs --verdict keep_new --rationale 'as agreed'",
    request="gitmem.answers.ruling:RuleCall",
    target="gitmem.answers.ruling:resolve_contradiction",
    render="gitmem.render.proposed:proposed",
    tool="resolve_contradiction",
    surfaces=_BOTH,
    writes=True,
    params=(
        Param("contradiction", TEXT, "id of the edge (syn-...), or one of the two engrams", is_required=True),
        Param("verdict", TEXT, "keep_new, keep_old, merge or archive", "--verdict", choices=_VERDICTS),
        Param("against", TEXT, "the other engram, where the first one is named", "--against"),
        Param("rationale", TEXT, "why, 1 to 1000 characters; it stays with the edge", "--rationale"),
        Param("body", CONTENT, "merge: file with the text that both come to, - for standard input", "--body"),
        Param("evidence", TEXTS, "id of an observation that speaks for it", "--evidence"),
        Param("needs", TEXTS, "id of an open proposal that it builds on", "--needs"),
        Param("bundle", TEXT, "id of a bundle, of a proposal in it, or new", "--bundle"),
        Param("agent", TEXT, "name of the agent, where one proposes", "--agent", in_tool=False),
        Param("model", TEXT, "the model, where an agent proposes", "--model"),
        Param("agent_session", TEXT, "the session, where an agent proposes", "--agent-session"),
        Param("allow_secret", TEXTS, "fingerprint of a finding that is no secret", "--allow-secret"),
    ),
)


def operations() -> tuple[Operation, ...]:
    return (_LIST, _RESOLVE)
