"""Operations on intentions. Refuses behaviour: this is data."""

from gitmem.operations.table import ADMIN, CLI, CONTENT, FLAG, INTEGER, TEXT, TEXTS, Operation, Param

_NAME = Param("intention", TEXT, "name of the intention", is_required=True)
_AT = Param("at", TEXT, "commit, tag, branch, date or snapshot:ID instead of what is trusted", "--at")
_BOTH = (CLI, ADMIN)
_COMMIT = "It is written into the work tree for you to commit."

_LIST = Operation(
    verb="intentions list",
    tool="list_intentions",
    surfaces=_BOTH,
    help="what is to be done or checked when its time comes, and what has come up",
    example="gitmem intentions list --state fired",
    request="gitmem.answers.intentions:IntentionsCall",
    target="gitmem.answers.intentions:list_intentions",
    render="gitmem.render.skills:intentions",
    params=(
        Param("state", TEXTS, "pending, fired, snoozed, completed or cancelled (default: the first three)", "--state"),
        Param("files", TEXTS, "file that is about to be worked on: brings up what waits for it", "--file"),
        Param("limit", INTEGER, "at most this many, 1 to 500 (default 50)", "--limit"),
        Param("cursor", TEXT, "go on where the last answer's next points", "--cursor"),
        _AT,
    ),
)
_SHOW = Operation(
    verb="intentions show",
    tool="show_intention",
    surfaces=_BOTH,
    help="one intention: what it says, what it waits for, whether it has come up",
    example="gitmem intentions show renew-the-certificate",
    request="gitmem.answers.intentions:ShowIntentionCall",
    target="gitmem.answers.intentions:show_intention",
    render="gitmem.render.skills:intention_shown",
    params=(_NAME, _AT),
)
_NEW = Operation(
    verb="intentions new",
    tool="create_intention",
    surfaces=_BOTH,
    help="write down what is to be done when a time, an event or a file comes up",
    about=_COMMIT,
    example='gitmem intentions new "Renew the certificate" --at 2027-03-01',
    request="gitmem.answers.intention_edit:NewIntentionCall",
    target="gitmem.answers.intention_edit:new_intention",
    render="gitmem.render.skills:intention",
    writes=True,
    params=(
        Param("title", TEXT, "one line, at most 200 characters", is_required=True),
        Param("action", TEXT, "remind (default), verify, execute or propose; nothing is ever run", "--action"),
        Param("at", TEXT, "a date or a time", "--at"),
        Param("event", TEXT, "merge, release or touched", "--event"),
        Param("tag", TEXT, "with release: glob of the tags (default: whatever looks like a version)", "--tag"),
        Param("path", TEXTS, "glob of files: somebody works on them, or with touched a commit changes them", "--path"),
        Param("priority", INTEGER, "higher ones come first (default 0)", "--priority"),
        Param("slug", TEXT, "file name (default: from the title)", "--slug"),
        Param("body", CONTENT, "file with the text, - for standard input (default: the title)", "--body"),
        Param("allow_secret", TEXTS, "fingerprint of a finding that is no secret", "--allow-secret"),
    ),
)
_SET = Operation(
    verb="intentions set",
    tool="set_intention",
    surfaces=_BOTH,
    help="change one field of an intention and no other byte",
    about=_COMMIT,
    example="gitmem intentions set renew-the-certificate when.at 2027-04-01",
    request="gitmem.answers.intention_edit:SetCall",
    target="gitmem.answers.intention_edit:set_field",
    render="gitmem.render.skills:intention",
    writes=True,
    params=(
        _NAME,
        Param(
            "field",
            TEXT,
            "title, action, when.at, when.event, when.tag, when.paths, priority or body",
            is_required=True,
        ),
        Param("value", TEXTS, "the new value; several for when.paths"),
        Param("unset", FLAG, "remove the key", "--unset"),
    ),
)
_SNOOZE = Operation(
    verb="intentions snooze",
    tool="snooze_intention",
    surfaces=_BOTH,
    help="hear nothing of an intention for a while; only in this clone, and no file changes",
    example="gitmem intentions snooze renew-the-certificate --days 7",
    request="gitmem.answers.intention_edit:SnoozeCall",
    target="gitmem.answers.intention_edit:snooze",
    render="gitmem.render.skills:snoozed",
    writes=True,
    params=(
        _NAME,
        Param("until", TEXT, "a date or a time", "--until"),
        Param("days", INTEGER, "from now, where no time is given (default 1)", "--days"),
    ),
)
_OUTCOME = Param("outcome", TEXT, "what came of it, in one line", "--outcome")
_COMPLETE = Operation(
    verb="intentions complete",
    tool="complete_intention",
    surfaces=_BOTH,
    help="mark an intention as done",
    about=_COMMIT,
    example="gitmem intentions complete renew-the-certificate",
    request="gitmem.answers.intention_edit:EndCall",
    target="gitmem.answers.intention_edit:complete",
    render="gitmem.render.skills:intention",
    writes=True,
    decides=True,
    params=(_NAME, _OUTCOME),
)
_CANCEL = Operation(
    verb="intentions cancel",
    tool="cancel_intention",
    surfaces=_BOTH,
    help="mark an intention as given up",
    about=_COMMIT,
    example="gitmem intentions cancel renew-the-certificate",
    request="gitmem.answers.intention_edit:EndCall",
    target="gitmem.answers.intention_edit:cancel",
    render="gitmem.render.skills:intention",
    writes=True,
    decides=True,
    params=(_NAME, _OUTCOME),
)


def operations() -> tuple[Operation, ...]:
    return (_LIST, _SHOW, _NEW, _SET, _SNOOZE, _COMPLETE, _CANCEL)
