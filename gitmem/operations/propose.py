"""Operations that propose changes to knowledge. Refuses behaviour: this is data."""

from gitmem.operations.table import ADMIN, AGENT, CLI, CONTENT, FLAG, NUMBER, TEXT, TEXTS, Operation, Param
from gitmem.record import replace

_KINDS = "observation, fact, pattern, procedure, hypothesis, decision, guideline, constraint, template or reference"
_ITEM = Param("item", TEXT, "id, slug or domain/slug", is_required=True)
_RATIONALE = Param("rationale", TEXT, "why; whoever decides gets to read it", "--rationale")
_EVIDENCE = Param("evidence", TEXTS, "id of an observation that speaks for it", "--evidence")
_NEEDS = Param("needs", TEXTS, "id of an open proposal that it builds on", "--needs")
_EXTEND = Param("extend", TEXT, "id of a proposal of this clone that gets a further patch set", "--extend")
_MODEL = Param("model", TEXT, "the model, where an agent proposes", "--model")
_SESSION = Param("agent_session", TEXT, "the session, where an agent proposes", "--agent-session")
_TERMS = (
    _RATIONALE,
    _EVIDENCE,
    _NEEDS,
    Param("bundle", TEXT, "id of a bundle, of a proposal in it, or new", "--bundle"),
    _EXTEND,
    Param("agent", TEXT, "name of the agent, where one proposes", "--agent"),
    _MODEL,
    _SESSION,
)
_UNCOMPARED = Param(
    "without_dedup", FLAG, "do not compare its text with what there is: a new engram, whatever it repeats", "--no-dedup"
)
_SEEN = Param("seen", TEXT, "content_hash of the text that was read: refused where it is another by now", "--seen")
_ALLOWED = Param("allow_secret", TEXTS, "fingerprint of a finding that is no secret", "--allow-secret")


def _row(verb: str, help_: str, example: str, names: tuple[str, str], params: tuple[Param, ...]) -> Operation:
    request, target = names
    return Operation(
        verb=verb,
        help=help_,
        example=example,
        request=f"gitmem.answers.propose:{request}",
        target=f"gitmem.answers.propose:{target}",
        render="gitmem.render.proposed:proposed",
        writes=True,
        params=params,
    )


_NEW = _row(
    "propose new",
    "propose a new engram; with a scope it is a rule",
    'gitmem propose new constraint "Call the API through the client" --path "src/ui/**" --body note.md',
    ("ProposeNewCall", "propose_new"),
    (
        Param("kind", TEXT, _KINDS, is_required=True),
        Param("title", TEXT, "one line, at most 200 characters", is_required=True),
        Param("path", TEXTS, "glob of the files that it is a rule for", "--path"),
        Param("excluded", TEXTS, "glob of files that it is no rule for", "--except"),
        Param("layer", TEXTS, "layer that it is a rule for", "--layer"),
        Param("command", TEXTS, "command that it is a rule for", "--command"),
        Param("requires", TEXTS, "id or slug of an engram that comes along", "--requires"),
        Param("tag", TEXTS, "tag; the first one is the default domain", "--tag"),
        Param("domain", TEXT, "folder below .gitmem/engrams (default: the first tag, else general)", "--domain"),
        Param("slug", TEXT, "file name (default: from the title)", "--slug"),
        Param("summary", TEXT, "one sentence, at most 300 characters (default: from the body)", "--summary"),
        Param("body", CONTENT, "file with the text, - for standard input; without it a pipe, or $EDITOR", "--body"),
        *_TERMS,
        _ALLOWED,
        _UNCOMPARED,
    ),
)
_EDIT = _row(
    "propose edit",
    "propose to change one field of an engram",
    "gitmem propose edit use-the-client tags --add http",
    ("ProposeEditCall", "propose_edit"),
    (
        _ITEM,
        Param(
            "field", TEXT, "header key (scope.paths and the like for nested ones), or body; without it $EDITOR opens"
        ),
        Param("value", TEXTS, "the new value"),
        Param("add", TEXTS, "add to the list", "--add"),
        Param("remove", TEXTS, "take out of the list", "--remove"),
        Param("unset", FLAG, "remove the key", "--unset"),
        Param("file", CONTENT, "file with the new text, - for standard input", "--file"),
        Param("title", TEXT, "what the proposal is called (default: from the change)", "--title"),
        _SEEN,
        *_TERMS,
        _ALLOWED,
    ),
)
_LIFE = tuple(
    _row(
        f"propose {verb}",
        help_,
        f"gitmem propose {verb} use-the-client --rationale 'the client is gone'",
        ("ProposeItemCall", f"propose_{verb}"),
        (_ITEM, *_TERMS),
    )
    for verb, help_ in (
        ("retire", "propose that an engram is not delivered any more; it stays to be read"),
        ("archive", "propose to freeze an engram: kept as it is, delivered, no longer tended"),
        ("forget", "propose to forget an engram; it needs a reason, and history keeps it"),
        ("rm", "propose to remove an engram's file; history keeps it"),
        ("private", "propose what was for this clone alone to everybody; the private item stays"),
    )
)
_RESTORE = _row(
    "propose restore",
    "propose to bring an engram back as active, from whatever state or out of history, with its edges",
    "gitmem propose restore use-the-client",
    ("ProposeRestoreCall", "propose_restore"),
    (_ITEM, Param("from_", TEXT, "a commit that has it (default: where it was removed)", "--from"), *_TERMS),
)
_MV = _row(
    "propose mv",
    "propose to move or rename an engram; its id and all references stay",
    "gitmem propose mv use-the-client http/client",
    ("ProposeMoveCall", "propose_mv"),
    (_ITEM, Param("to", TEXT, "new slug, or domain/slug", is_required=True), *_TERMS),
)
_LINK = _row(
    "propose link",
    "propose an edge between two engrams, or more evidence for it",
    'gitmem propose link use-the-client depends_on name-the-table --description "seen in review"',
    ("ProposeLinkCall", "propose_link"),
    (
        Param("from_", TEXT, "id, slug or domain/slug that the edge leads from", is_required=True),
        Param("kind", TEXT, "extends, part_of, similar_to, depends_on and the like", is_required=True),
        Param("to", TEXT, "id, slug or domain/slug that it leads to", is_required=True),
        Param("weight", NUMBER, "from 0 to 1 (default: by kind)", "--weight"),
        Param("description", TEXT, "what speaks for the edge", "--description"),
        Param("confidence", NUMBER, "how sure that is, from 0 to 1", "--confidence"),
        *_TERMS,
    ),
)
_UNLINK = _row(
    "propose unlink",
    "propose to remove an edge",
    "gitmem propose unlink use-the-client depends_on name-the-table",
    ("ProposeUnlinkCall", "propose_unlink"),
    (
        Param("synapse", TEXT, "id of the edge, or the engram that it leads from", is_required=True),
        Param("kind", TEXT, "kind of the edge, after the engram that it leads from"),
        Param("to", TEXT, "the engram that it leads to"),
        *_TERMS,
    ),
)
_TOOL_ONLY = tuple(
    replace(param, in_cli=False)
    for param in (
        Param(
            "action",
            TEXT,
            "leave out to bring the proposal of extend up to date",
            choices=("new", "update", "retire", "verify", "link", "unlink"),
        ),
        Param("item", TEXT, "of update, retire, verify: id or slug"),
        Param("kind", TEXT, f"{_KINDS}; link, unlink: the kind of edge"),
        Param("body", TEXT, "the whole text, Markdown"),
        Param("summary", TEXT, "one sentence, 300 characters"),
        Param("tags", TEXTS, "all its tags"),
        Param("paths", TEXTS, "globs of files it is a rule for"),
        Param("excluded", TEXTS, "globs of files it is no rule for"),
        Param("layers", TEXTS, "layers it is a rule for"),
        Param("commands", TEXTS, "commands it is a rule for"),
        Param("requires", TEXTS, "items that come with it"),
        Param("domain", TEXT, "new: folder (default: first tag)"),
        Param("field", TEXT, "update: another header key"),
        Param("value", TEXT, "update: value of field, commas in a list; verify: next status"),
        Param("seen", TEXT, "update: content_hash read"),
        Param("from_", TEXT, "link, unlink: item it leads from", tool_name="from"),
        Param("to", TEXT, "link, unlink: item it leads to"),
        Param("synapse", TEXT, "unlink: id of the edge, else from, kind, to"),
        Param("description", TEXT, "link, verify: what speaks for it"),
    )
)
_PROPOSE = Operation(
    verb="propose",
    help="propose a change: one in words, edits of the work tree, a branch, a commit, a plan of several",
    about="It waits for a person; nothing that is approved changes. One change each. new takes kind, title, body; "
    "update an item and what changes; retire an item; link from, kind, to.",
    example="gitmem propose --from-worktree --rationale 'seen in the incident'",
    request="gitmem.answers.propose:ProposeCall",
    target="gitmem.answers.propose:propose",
    render="gitmem.render.proposed:proposed",
    tool="propose",
    surfaces=(CLI, AGENT, ADMIN),
    writes=True,
    params=(
        *_TOOL_ONLY,
        Param("from_worktree", FLAG, "all edits below .gitmem, which stay", "--from-worktree", in_tool=False),
        Param("clean", FLAG, "restore the work tree once they are proposed", "--clean", in_tool=False),
        Param("from_branch", TEXT, "what a branch has that is not approved", "--from-branch", in_tool=False),
        Param(
            "from_commit",
            TEXT,
            "what a commit did; one that is approved gets its entry",
            "--from-commit",
            in_tool=False,
        ),
        Param("file", CONTENT, "a plan: a YAML file with changes, proposed as one bundle", "--file", in_tool=False),
        Param("title", TEXT, "one line; on the command line what the proposal is called", "--title"),
        *(replace(each, in_tool=each.name not in ("bundle", "agent")) for each in _TERMS),
        replace(_ALLOWED, in_tool=False),
        replace(_UNCOMPARED, in_tool=False),
    ),
)


def operations() -> tuple[Operation, ...]:
    return (_PROPOSE, _NEW, _EDIT, *_LIFE, _RESTORE, _MV, _LINK, _UNLINK)
