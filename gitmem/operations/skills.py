"""Operations on skills. Refuses behaviour: this is data."""

from gitmem.operations.table import ADMIN, CLI, CONTENT, FLAG, INTEGER, NUMBER, TEXT, TEXTS, Operation, Param

_NAME = Param("name", TEXT, "name of the skill", is_required=True)
_AT = Param("at", TEXT, "commit, tag, branch, date or snapshot:ID instead of what is trusted", "--at")
_BOTH = (CLI, ADMIN)
_COMMIT = "It is written into the work tree for you to commit."

_LIST = Operation(
    verb="skills list",
    tool="list_skills",
    surfaces=_BOTH,
    help="the skills in force, how useful they have shown to be and which of them fade",
    example="gitmem skills list --health stale",
    request="gitmem.answers.skills:SkillsCall",
    target="gitmem.answers.skills:list_skills",
    render="gitmem.render.skills:listed",
    params=(
        Param("stage", TEXTS, "only those that are draft, compiled or tuned", "--stage"),
        Param("health", TEXTS, "only those that are active, aging, stale or forgotten", "--health"),
        Param("retired", FLAG, "those that are retired instead", "--retired"),
        Param("limit", INTEGER, "at most this many, 1 to 500 (default 50)", "--limit"),
        Param("cursor", TEXT, "go on where the last answer's next points", "--cursor"),
        _AT,
    ),
)
_SHOW = Operation(
    verb="skills show",
    tool="show_skill",
    surfaces=_BOTH,
    help="one skill: what it says, what it builds and rests on, how it stands",
    example="gitmem skills show cut-a-release",
    request="gitmem.answers.skills:ShowSkillCall",
    target="gitmem.answers.skills:show_skill",
    render="gitmem.render.skills:shown",
    params=(_NAME, _AT),
)
_RECORD = Operation(
    verb="skills record",
    tool="record_skill_use",
    surfaces=_BOTH,
    help="put a use of a skill on record: it is told, not run",
    about="Its utility moves towards the reward by a tenth of the difference.",
    example="gitmem skills record cut-a-release helped",
    request="gitmem.answers.skill_use:RecordCall",
    target="gitmem.answers.skill_use:record_use",
    render="gitmem.render.skills:recorded",
    writes=True,
    params=(
        _NAME,
        Param("outcome", TEXT, "helped (default), irrelevant or misled"),
        Param("reward", NUMBER, "how much it helped, 0 to 1 (default: by the outcome)", "--reward"),
        Param("note", TEXT, "what happened, kept in this clone only", "--note"),
    ),
)
_NEW = Operation(
    verb="skills new",
    tool="create_skill",
    surfaces=_BOTH,
    help="write a new skill in the Agent Skills layout, as a draft",
    about=_COMMIT,
    example='gitmem skills new cut-a-release "Cut a release. Use when a version is due." --body steps.md',
    request="gitmem.answers.skill_edit:NewSkillCall",
    target="gitmem.answers.skill_edit:new_skill",
    render="gitmem.render.skills:written",
    writes=True,
    params=(
        Param("name", TEXT, "a-z, 0-9 and single hyphens, at most 64", is_required=True),
        Param("description", TEXT, "what it does and when to use it, at most 1024 characters", is_required=True),
        Param("body", CONTENT, "file with the steps, - for standard input; without it a pipe", "--body"),
        Param("license", TEXT, "its licence", "--license"),
        Param("compatibility", TEXT, "what it needs around it, at most 500 characters", "--compatibility"),
        Param("version", TEXT, "its version", "--version"),
        Param("tool", TEXTS, "tool that it may use", "--tool"),
        Param("start", TEXTS, "when to use it, one condition", "--start"),
        Param("compose", TEXTS, "skill that it builds on", "--compose"),
        Param("engram", TEXTS, "id or slug of an engram that it rests on", "--engram"),
        Param("allow_secret", TEXTS, "fingerprint of a finding that is no secret", "--allow-secret"),
    ),
)
_COMPOSE = Operation(
    verb="skills compose",
    tool="compose_skill",
    surfaces=_BOTH,
    help="say which skills a skill builds on; a circle is refused",
    about=_COMMIT,
    example="gitmem skills compose cut-a-release write-changelog",
    request="gitmem.answers.skill_edit:ComposeCall",
    target="gitmem.answers.skill_edit:compose",
    render="gitmem.render.skills:written",
    writes=True,
    params=(
        _NAME,
        Param("others", TEXTS, "names of skills that it builds on"),
        Param("remove", TEXTS, "skill that it builds on no more", "--remove"),
    ),
)
_RELATE = Operation(
    verb="skills relate",
    tool="relate_skill",
    surfaces=_BOTH,
    help="say which engrams a skill rests on",
    about=_COMMIT,
    example="gitmem skills relate cut-a-release use-semver",
    request="gitmem.answers.skill_edit:RelateCall",
    target="gitmem.answers.skill_edit:relate",
    render="gitmem.render.skills:written",
    writes=True,
    params=(
        _NAME,
        Param("engrams", TEXTS, "ids or slugs of engrams that it rests on"),
        Param("remove", TEXTS, "engram that it rests on no more", "--remove"),
    ),
)
_ADVANCE = Operation(
    verb="skills advance",
    tool="advance_skill",
    surfaces=_BOTH,
    help="take a skill one step on: from draft to compiled, or from compiled to tuned",
    about=_COMMIT,
    example="gitmem skills advance cut-a-release",
    request="gitmem.answers.skill_edit:SkillCall",
    target="gitmem.answers.skill_edit:advance",
    render="gitmem.render.skills:written",
    writes=True,
    params=(_NAME,),
)
_RETIRE = Operation(
    verb="skills retire",
    tool="retire_skill",
    surfaces=_BOTH,
    help="mark a skill as retired: it stays on file and is offered no more",
    about=_COMMIT,
    example="gitmem skills retire cut-a-release",
    request="gitmem.answers.skill_edit:SkillCall",
    target="gitmem.answers.skill_edit:retire",
    render="gitmem.render.skills:written",
    writes=True,
    decides=True,
    params=(_NAME,),
)


def operations() -> tuple[Operation, ...]:
    return (_LIST, _SHOW, _RECORD, _NEW, _COMPOSE, _RELATE, _ADVANCE, _RETIRE)
