"""Operations on proposals: what waits, and what is decided about it. Refuses behaviour: this is data."""

from gitmem.operations.table import ADMIN, CLI, CONTENT, FLAG, INTEGER, TEXT, TEXTS, Operation, Param
from gitmem.record import replace

_BOTH = (CLI, ADMIN)
_ONE = Param("proposal", TEXT, "id of a proposal, or the end of one", is_required=True)
_REASON = Param("reason", TEXT, "why, for whoever asks later", "--reason")
_SIGN = Param("sign", FLAG, "sign the commit with your own Git settings", "--sign")
_SIGNED_PATCHSETS = "ID@PATCHSET, as show prints it"
_FILTERS = (
    Param("author", TEXT, "part of the name or email of who proposed it", "--author"),
    Param("touches", TEXT, "glob of files: knowledge files, and files that a changed rule is about", "--touches"),
    Param("engram", TEXT, "id or slug of an item that it changes", "--engram"),
    Param("bundle", TEXT, "id of a bundle", "--bundle"),
    Param("source", TEXT, "name of the agent or machine that proposed it, or person", "--source"),
)

_LIST = Operation(
    verb="proposals list",
    help="proposals by any mix of status, author, item and path; without a status those that wait",
    example='gitmem proposals list --touches "src/ui/**"',
    request="gitmem.answers.proposals:ListCall",
    target="gitmem.answers.proposals:list_proposals",
    render="gitmem.render.proposals:listed",
    tool="list_proposals",
    surfaces=_BOTH,
    params=(
        Param("status", TEXTS, "open, stale, blocked, landed, rejected and the like; pending, all", "--status"),
        *_FILTERS,
        Param("limit", INTEGER, "at most so many, 1 to 1000 (default 50)", "--limit"),
        Param("cursor", TEXT, "where the page before ended", "--cursor"),
    ),
)
_SHOW = Operation(
    verb="proposals show",
    help="one proposal in full: grounds, what it changes, what was said about it",
    example="gitmem proposals show 01J6XQK5P7R2V8Y3M4N6ZH0WQT --diff",
    request="gitmem.answers.showing:ShowCall",
    target="gitmem.answers.showing:show",
    render="gitmem.render.proposals:shown",
    tool="show_proposal",
    surfaces=_BOTH,
    params=(_ONE, Param("diff", FLAG, "the text of the change too", "--diff")),
)
_DIFF = Operation(
    verb="proposals diff",
    help="what a proposal would do: files that gain and lose rules, tokens, contradictions, overlaps",
    example="gitmem proposals diff 01J6XQK5P7R2V8Y3M4N6ZH0WQT",
    request="gitmem.answers.showing:DiffCall",
    target="gitmem.answers.showing:diff",
    render="gitmem.render.proposals:effect",
    tool="diff_proposal",
    surfaces=_BOTH,
    params=(_ONE,),
)
_OVERLAPS = Operation(
    verb="proposals overlaps",
    help="open proposals that change the same items",
    example="gitmem proposals overlaps",
    request="gitmem.answers.showing:OverlapsCall",
    target="gitmem.answers.showing:overlaps",
    render="gitmem.render.proposals:overlaps",
    tool="proposal_overlaps",
    surfaces=_BOTH,
    params=(Param("proposal", TEXT, "those of this one"),),
)
_PREFLIGHT = Operation(
    verb="proposals preflight",
    help="what an approval would come to, without making one: order, conflicts, findings, outcome",
    example="gitmem proposals preflight 01J6XQK5P7R2V8Y3M4N6ZH0WQT",
    request="gitmem.answers.preflight:PreflightCall",
    target="gitmem.answers.preflight:preflight",
    render="gitmem.render.proposals:preflight",
    tool="preflight_proposals",
    surfaces=_BOTH,
    params=(Param("proposals", TEXTS, "ids of proposals, or of one bundle", is_required=True),),
)
_APPROVE = Operation(
    verb="proposals approve",
    help="let a proposal in: merged into the trusted branch as it is now, judged whole, landed in one step",
    example="gitmem proposals approve 01J6XQK5P7R2V8Y3M4N6ZH0WQT@3fa9c1d2e4b6",
    request="gitmem.answers.approve:ApproveCall",
    target="gitmem.answers.approve:approve",
    render="gitmem.render.proposals:approved",
    tool="approve_proposal",
    surfaces=_BOTH,
    writes=True,
    decides=True,
    params=(
        Param(
            "proposals",
            TEXTS,
            f"{_SIGNED_PATCHSETS}; on a terminal the id alone shows the change and asks",
            is_required=True,
        ),
        Param("bundle", FLAG, "all of the proposal's bundle, as one decision", "--bundle"),
        Param("with_needs", FLAG, "the open proposals that it builds on too", "--with-needs"),
        Param("modify", TEXTS, "FIELD=VALUE laid over the engram that it changes: a patch set of yours", "--modify"),
        Param("edit", FLAG, "change it in $EDITOR first: a patch set of yours", "--edit", in_tool=False),
        Param("text", CONTENT, "file with the text that shall land instead, - for standard input", "--text"),
        _SIGN,
        Param("yes", FLAG, "do not ask", "--yes", in_tool=False),
        Param("comment", TEXT, "a word that stays with the approval", "--comment"),
        Param("remove_many", FLAG, "also if it removes more than a fifth of the engrams", "--remove-many"),
    ),
)
_REJECT = Operation(
    verb="proposals reject",
    help="decline proposals; the same change does not come again without new evidence",
    example="gitmem proposals reject 01J6XQK5P7R2V8Y3M4N6ZH0WQT --reason 'the client is gone'",
    request="gitmem.answers.closing:RejectCall",
    target="gitmem.answers.closing:reject",
    render="gitmem.render.proposals:closed",
    tool="reject_proposal",
    surfaces=_BOTH,
    writes=True,
    decides=True,
    params=(
        Param("proposals", TEXTS, "ids of proposals; without any all that wait and meet the filters"),
        _REASON,
        Param("days", INTEGER, "for so many days, 1 to 365 (default: for good)", "--days"),
        *_FILTERS,
    ),
)
_WITHDRAW = Operation(
    verb="proposals withdraw",
    help="take back a proposal of this clone",
    example="gitmem proposals withdraw 01J6XQK5P7R2V8Y3M4N6ZH0WQT",
    request="gitmem.answers.closing:WithdrawCall",
    target="gitmem.answers.closing:withdraw",
    render="gitmem.render.proposals:closed",
    tool="withdraw_proposal",
    surfaces=_BOTH,
    writes=True,
    decides=True,
    params=(_ONE, _REASON),
)
_SUPERSEDE = Operation(
    verb="proposals supersede",
    help="close a proposal in favour of another one",
    example="gitmem proposals supersede 01J6XQK5P7R2V8Y3M4N6ZH0WQT 01J6XQK5P7R2V8Y3M4N6ZH0WQV",
    request="gitmem.answers.closing:SupersedeCall",
    target="gitmem.answers.closing:supersede",
    render="gitmem.render.proposals:closed",
    tool="supersede_proposal",
    surfaces=_BOTH,
    writes=True,
    decides=True,
    params=(_ONE, Param("by", TEXT, "the proposal that takes its place", is_required=True), _REASON),
)
_COMMENT = Operation(
    verb="proposals comment",
    help="say something about a proposal",
    example="gitmem proposals comment 01J6XQK5P7R2V8Y3M4N6ZH0WQT 'and the tests?'",
    request="gitmem.answers.closing:CommentCall",
    target="gitmem.answers.closing:comment",
    render="gitmem.render.proposals:commented",
    tool="comment_proposal",
    surfaces=_BOTH,
    writes=True,
    params=(_ONE, Param("text", TEXT, "what to say", is_required=True)),
)
_PUBLISH = Operation(
    verb="proposals publish",
    help="make branches for pull requests, one for each proposal or bundle",
    example="gitmem proposals publish 01J6XQK5P7R2V8Y3M4N6ZH0WQT --push",
    request="gitmem.answers.publish:PublishCall",
    target="gitmem.answers.publish:publish",
    render="gitmem.render.proposals:published",
    tool="publish_proposal",
    surfaces=_BOTH,
    writes=True,
    reaches_out=True,
    params=(
        Param("proposals", TEXTS, "ids of proposals", is_required=True),
        Param("push", FLAG, "push the branches to the remote", "--push"),
        Param("remote", TEXT, "where to push: else remote.pushDefault, origin or the chosen remote", "--remote"),
    ),
)
_DECISION = Param("decision", TEXT, "id of a proposal that landed, or of its ledger entry", is_required=True)
_REVERT = Operation(
    verb="revert",
    help="take a decision back by another one: what changed since stays",
    example="gitmem revert 01J6XQK5P7R2V8Y3M4N6ZH0WQT --reason 'it broke the build'",
    request="gitmem.answers.undo:RevertCall",
    target="gitmem.answers.undo:revert",
    render="gitmem.render.proposals:undone",
    tool="revert_decision",
    surfaces=_BOTH,
    writes=True,
    decides=True,
    params=(_DECISION, _REASON, Param("propose", FLAG, "only propose it", "--propose"), _SIGN),
)
_REINSTATE = Operation(
    verb="proposals reinstate",
    help="propose again what a revert took away, or open a declined proposal again",
    example="gitmem proposals reinstate 01J6XQK5P7R2V8Y3M4N6ZH0WQT",
    request="gitmem.answers.undo:ReinstateCall",
    target="gitmem.answers.undo:reinstate",
    render="gitmem.render.proposals:undone",
    tool="reinstate_proposal",
    surfaces=_BOTH,
    writes=True,
    decides=True,
    params=(_DECISION, _REASON, Param("approve", FLAG, "approve it at once", "--approve"), _SIGN),
)
_REVIEW = replace(
    _LIST,
    verb="proposals review",
    help="go through what waits, one after another, on a terminal",
    example="gitmem proposals review",
    tool="",
    surfaces=(CLI,),
)


def operations() -> tuple[Operation, ...]:
    return (
        *(_LIST, _SHOW, _DIFF, _OVERLAPS, _PREFLIGHT, _REVIEW),
        *(_APPROVE, _REJECT, _WITHDRAW, _SUPERSEDE, _COMMENT, _PUBLISH, _REINSTATE, _REVERT),
    )
