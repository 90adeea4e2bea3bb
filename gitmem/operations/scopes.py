"""Operations on scopes of many rules at once: too broad ones, and ones whose files moved. Refuses behaviour: this is
data."""

from gitmem.operations.table import ADMIN, CLI, CONTENT, FLAG, INTEGER, NUMBER, TEXT, TEXTS, Operation, Param

_BOTH = (CLI, ADMIN)
_REVIEW = Operation(
    verb="scopes review",
    tool="scopes_review",
    help="the rules whose patterns match most files of the project, with the real list of files",
    about="For each one think of narrower patterns that the files bear out, then answer with scopes_apply.",
    example="gitmem scopes review --json",
    request="gitmem.answers.breadth:ReviewCall",
    target="gitmem.answers.breadth:review",
    render="gitmem.render.scopes:reviewed",
    surfaces=_BOTH,
    params=(
        Param("items", TEXTS, "ids or slugs of the rules to look at (default: all)"),
        Param("share", NUMBER, "share of the files from which a pattern is broad, 0 to 1 (default 0.5)", "--share"),
        Param("limit", INTEGER, "rules in one answer, at most 100 (default 20)", "--limit"),
        Param("cursor", TEXT, "next of the answer before", "--cursor"),
        Param("folder_cursor", TEXT, "folder_next of the answer before", "--folder-cursor"),
    ),
)
_APPLY = Operation(
    verb="scopes apply",
    tool="scopes_apply",
    help="propose narrower scopes, each pattern held against the real list of files",
    about="One bundle of proposals, or nothing: a pattern that matches no file, and an answer that is as broad as "
    "before, are refused by name.",
    example="gitmem scopes apply answer.yaml",
    request="gitmem.answers.narrowing:ApplyCall",
    target="gitmem.answers.narrowing:apply",
    render="gitmem.render.scopes:applied",
    surfaces=_BOTH,
    writes=True,
    params=(
        Param(
            "file",
            CONTENT,
            "YAML or JSON, for each item its paths and except: {ITEM: {paths: [...], except: [...]}}",
            is_required=True,
            tool_name="answer",
        ),
        Param("rationale", TEXT, "why; whoever decides gets to read it", "--rationale"),
        Param("bundle", TEXT, "id of a bundle, of a proposal in it, or new", "--bundle"),
        Param("agent", TEXT, "name of the agent, where one proposes", "--agent", in_tool=False),
        Param("model", TEXT, "the model, where an agent proposes", "--model"),
        Param("agent_session", TEXT, "the session, where an agent proposes", "--agent-session"),
    ),
)
_FOLLOW = Operation(
    verb="scopes follow",
    tool="scopes_follow",
    help="propose the new paths for rules, claims and sources whose files were renamed: one proposal a rename",
    about="Git's history says where the files went.",
    example="gitmem scopes follow --dry-run",
    request="gitmem.answers.renaming:FollowCall",
    target="gitmem.answers.renaming:follow",
    render="gitmem.render.scopes:followed",
    surfaces=_BOTH,
    writes=True,
    params=(Param("dry_run", FLAG, "show what would be proposed and write nothing", "--dry-run"),),
)


def operations() -> tuple[Operation, ...]:
    return (_REVIEW, _APPLY, _FOLLOW)
