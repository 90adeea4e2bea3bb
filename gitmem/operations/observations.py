"""Operations on what is reported: one that reports, and those that work through the reports. Refuses behaviour."""

from gitmem.operations.table import ADMIN, AGENT, CLI, CONTENT, FLAG, INTEGER, TEXT, TEXTS, Operation, Param

_BOTH = (CLI, ADMIN)
_TYPES = (
    "compile_miss",
    "review_correction",
    "pr_merged",
    "manual_note",
    "document_import",
    "doc_gap_detected",
    "session_note",
)
_ONE = Param("observation", TEXT, "id of an observation, or the end of one", is_required=True)
_SOME = Param("observations", TEXTS, "ids of observations, or the ends of them")
_TYPE = Param("type", TEXT, "only this event type", "--type")
_PREVIEW = Param("preview", FLAG, "say what would be done, and do nothing", "--preview")
_STALE = Param("stale_after_days", INTEGER, "so many days after it was analysed (default 1)", "--stale-after-days")

_OBSERVE = Operation(
    verb="observe",
    help="report a missed rule, a correction, a note, a turn; it becomes a proposal once somebody works through it",
    about="Changes no knowledge. compile_miss: target_files, review_comment. review_correction: target_doc_id, "
    "proposed_content, review_comment. pr_merged: changed_files. manual_note: note; with standing what a "
    "person gave as a rule from now on. session_note: target_files, data {outcome: kept|failed|reverted}. "
    "document_import, doc_gap_detected: data.",
    example='gitmem observe compile_miss --file src/api/a.ts --comment "nobody told me of the client"',
    request="gitmem.answers.observe:ObserveCall",
    target="gitmem.answers.observe:observe",
    render="gitmem.render.observations:observed",
    tool="observe",
    surfaces=(CLI, AGENT, ADMIN),
    writes=True,
    params=(
        Param("event_type", TEXT, "what kind of report", is_required=True, choices=_TYPES),
        Param("note", TEXT, "what to remember, at most 256 KiB", "--note"),
        Param("target_files", TEXTS, "files that it is about", "--file"),
        Param("review_comment", TEXT, "what was wrong, in words", "--comment"),
        Param("missing_doc", TEXT, "title of a rule that does not exist", "--missing-doc"),
        Param("target_doc_id", TEXT, "id or slug of the item that it is about", "--item"),
        Param("proposed_content", TEXT, "the text that the item should have, or one section", "--content"),
        Param("changed_files", TEXTS, "files that a merge changed", in_cli=False),
        Param("pr_title", TEXT, "title of the pull request", "--pr-title"),
        Param("hints", TEXTS, "words that become tags", "--hint"),
        Param("abstract", TEXT, "the note in one line", "--abstract"),
        Param(
            "standing",
            FLAG,
            "the note is a rule from now on: the answer has a code by which a person confirms it",
            "--standing",
        ),
        Param(
            "paths",
            TEXTS,
            "globs of the files that it is a rule for (default: the words of a prompt bring it)",
            "--path",
        ),
        Param("data", CONTENT, "a JSON object with fields of the event type", "--data"),
        Param("agent", TEXT, "name of the agent, where one reports", "--agent", in_tool=False),
        Param("agent_session", TEXT, "its session", "--agent-session", in_tool=False),
        Param("allow_secret", TEXTS, "fingerprint of a finding that is no secret", "--allow-secret", in_tool=False),
    ),
)
_LIST = Operation(
    verb="observations list",
    help="what was reported, the oldest first; without a state what is open",
    example="gitmem observations list --type compile_miss",
    request="gitmem.answers.observed:ListCall",
    target="gitmem.answers.observed:list_observations",
    render="gitmem.render.observations:listed",
    tool="list_observations",
    surfaces=_BOTH,
    params=(
        _TYPE,
        Param("state", TEXT, "open, analysed, archived or all", "--state"),
        Param("file", TEXT, "a file, or a glob of files, that it is about", "--file"),
        Param("limit", INTEGER, "at most so many, 1 to 1000 (default 50)", "--limit"),
        Param("cursor", TEXT, "where the page before ended", "--cursor"),
    ),
)
_SHOW = Operation(
    verb="observations show",
    help="one observation in full, with what has become of it",
    example="gitmem observations show 01J6XQK5P7R2V8Y3M4N6ZH0WQT-1",
    request="gitmem.answers.observed:ShowCall",
    target="gitmem.answers.observed:show",
    render="gitmem.render.observations:shown",
    tool="show_observation",
    surfaces=_BOTH,
    params=(_ONE,),
)
_PROCESS = Operation(
    verb="observations process",
    help="turn reports into proposals, each by the analyzer of its type; one that fails does not stop the rest",
    example="gitmem observations process --preview",
    request="gitmem.answers.triaging:ProcessCall",
    target="gitmem.exchange.observed:process",
    render="gitmem.render.observations:processed",
    tool="process_observations",
    surfaces=_BOTH,
    writes=True,
    params=(
        _SOME,
        _TYPE,
        _PREVIEW,
        Param("reclaim", FLAG, "first queue again what was analysed and no proposal rests on", "--reclaim"),
        _STALE,
        Param("allow_secret", TEXTS, "fingerprint of a finding that is no secret", "--allow-secret", in_tool=False),
    ),
)
_RECLAIM = Operation(
    verb="observations reclaim",
    help="queue again what was analysed and no proposal rests on",
    example="gitmem observations reclaim --stale-after-days 7",
    request="gitmem.answers.triaging:ReclaimCall",
    target="gitmem.answers.triaging:reclaim",
    render="gitmem.render.observations:reclaimed",
    tool="reclaim_observations",
    surfaces=_BOTH,
    writes=True,
    params=(_STALE, _PREVIEW),
)
_ARCHIVE = Operation(
    verb="observations archive",
    help="put observations away as done with; refused while an open proposal rests on one",
    example="gitmem observations archive 01J6XQK5P7R2V8Y3M4N6ZH0WQT-1 --reason 'said in the wiki'",
    request="gitmem.answers.triaging:ArchiveCall",
    target="gitmem.answers.triaging:archive",
    render="gitmem.render.observations:archived",
    tool="archive_observations",
    surfaces=_BOTH,
    writes=True,
    params=(
        Param("observations", TEXTS, "ids of observations, or the ends of them", is_required=True),
        Param("reason", TEXT, "why, for whoever asks later", "--reason"),
    ),
)
_RESOLVE = Operation(
    verb="observations resolve",
    help="settle what a reported rule collides with: keep both, replace what is there, or cancel the report",
    example="gitmem observations resolve 01J6XQK5P7R2V8Y3M4N6ZH0WQT-1 replace --item use-the-client",
    request="gitmem.answers.choosing:ResolveCall",
    target="gitmem.exchange.observed:resolve",
    render="gitmem.render.observations:resolved",
    tool="resolve_conflict",
    surfaces=_BOTH,
    writes=True,
    params=(
        _ONE,
        Param("choice", TEXT, "what becomes of the two", is_required=True, choices=("keep-both", "replace", "cancel")),
        Param("items", TEXTS, "id or slug of what it collides with (default: all of them)", "--item"),
    ),
)


def operations() -> tuple[Operation, ...]:
    return (_OBSERVE, _LIST, _SHOW, _PROCESS, _RECLAIM, _ARCHIVE, _RESOLVE)
