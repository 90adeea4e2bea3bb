"""Operations by which a person changes knowledge at once, and the trash. Refuses behaviour: this is data."""

from gitmem.operations.table import ADMIN, CLI, CONTENT, FLAG, INTEGER, TEXT, TEXTS, Operation, Param

_KINDS = "observation, fact, pattern, procedure, hypothesis, decision, guideline, constraint, template or reference"
_ITEM = Param("item", TEXT, "id, slug or domain/slug", is_required=True)
_REASON = Param("reason", TEXT, "why; it stays on record", "--reason")
_SIGN = Param("sign", FLAG, "sign the commit with your key", "--sign")
_ALLOWED = Param("allow_secret", TEXTS, "fingerprint of a finding that is no secret", "--allow-secret")
_ABOUT = "A decision on record that lands at once, as if it was proposed and approved; propose asks for it instead."


def _row(verb: str, help_: str, words: str, request: str, params: tuple[Param, ...]) -> Operation:
    name = verb.replace("-", "_")
    return Operation(
        verb=verb,
        tool=name,
        surfaces=(CLI, ADMIN),
        help=help_,
        about=_ABOUT,
        example=f"gitmem {verb} {words}",
        request=f"gitmem.answers.curating:{request}",
        target=f"gitmem.answers.curating:{name}",
        render="gitmem.render.curated:decided",
        writes=True,
        decides=True,
        params=params,
    )


_CREATE = _row(
    "create",
    "decide on a new engram: it lands at once, unless it repeats one",
    'fact "Tables are plural" --tag db --body note.md',
    "CreateCall",
    (
        Param("kind", TEXT, _KINDS, is_required=True),
        Param("title", TEXT, "one line, at most 200 characters", is_required=True),
        Param("body", CONTENT, "file with the text, - for standard input; without it a pipe, or $EDITOR", "--body"),
        Param("tag", TEXTS, "tag; the first one is the default domain", "--tag", tool_name="tags"),
        Param("path", TEXTS, "glob of the files that it is a rule for", "--path", tool_name="paths"),
        Param("excluded", TEXTS, "glob of files that it is no rule for", "--except"),
        Param("layer", TEXTS, "layer that it is a rule for", "--layer", tool_name="layers"),
        Param("command", TEXTS, "command that it is a rule for", "--command", tool_name="commands"),
        Param("requires", TEXTS, "id or slug of an engram that comes along", "--requires"),
        Param("domain", TEXT, "folder below .gitmem/engrams (default: the first tag, else general)", "--domain"),
        Param("slug", TEXT, "file name (default: from the title)", "--slug"),
        Param("summary", TEXT, "one sentence, at most 300 characters (default: from the body)", "--summary"),
        _REASON,
        Param("without_dedup", FLAG, "do not compare its text with what there is", "--no-dedup"),
        _SIGN,
        _ALLOWED,
    ),
)
_UPDATE = _row(
    "update",
    "decide on other words for an engram, field by field",
    'use-the-client --title "Call the API through its client" --seen sha256:...',
    "UpdateCall",
    (
        _ITEM,
        Param("title", TEXT, "another title", "--title"),
        Param("body", CONTENT, "the whole text, Markdown: a file, - for standard input", "--body"),
        Param("summary", TEXT, "one sentence, at most 300 characters", "--summary"),
        Param("kind", TEXT, _KINDS, "--kind"),
        Param("tags", TEXTS, "all its tags", "--tag"),
        Param("paths", TEXTS, "all globs of the files that it is a rule for", "--path"),
        Param("excluded", TEXTS, "all globs of files that it is no rule for", "--except"),
        Param("layers", TEXTS, "all layers that it is a rule for", "--layer"),
        Param("commands", TEXTS, "all commands that it is a rule for", "--command"),
        Param("requires", TEXTS, "all items that come along with it", "--requires"),
        Param("field", TEXT, "another header key", "--field"),
        Param("value", TEXT, "the value of field; commas in a list", "--value"),
        Param("seen", TEXT, "content_hash of the text that was read: refused where it is another by now", "--seen"),
        _REASON,
        _SIGN,
        _ALLOWED,
    ),
)
_MOVE = _row(
    "move",
    "decide on another name or domain for an engram; its id, references and edges stay",
    "use-the-client http/client",
    "MoveCall",
    (_ITEM, Param("to", TEXT, "new slug, or domain/slug", is_required=True), _REASON, _SIGN),
)
_TAGS = _row(
    "set-tags",
    "decide on all tags of an engram",
    "use-the-client --tag api --tag http",
    "TagsCall",
    (_ITEM, Param("tags", TEXTS, "all its tags; without any it has none", "--tag"), _REASON, _SIGN),
)
_LIFE = tuple(
    _row(verb, help_, "use-the-client --reason 'the client is gone'", "ItemCall", (_ITEM, _REASON, _SIGN))
    for verb, help_ in (
        ("archive", "freeze an engram: kept as it is, delivered, no longer tended"),
        ("forget", "forget an engram: neither delivered nor found any more; it needs a reason"),
        ("retire", "retire an engram: it is not delivered any more and stays to be read"),
        ("delete", "take an engram out of the tree with its edges; history keeps both"),
    )
)
_RESTORE = _row(
    "restore",
    "bring an engram back as active, from whatever state or out of history, with the edges that went with it",
    "use-the-client --from HEAD~3",
    "RestoreCall",
    (_ITEM, Param("from_", TEXT, "a commit that has it (default: where it was removed)", "--from"), _REASON, _SIGN),
)
_TRASH = Operation(
    verb="trash",
    tool="trash",
    surfaces=(CLI, ADMIN),
    help="engrams that were taken out of the tree and can be restored; history is the trash",
    example="gitmem trash",
    request="gitmem.answers.returning:TrashCall",
    target="gitmem.answers.returning:trash",
    render="gitmem.render.curated:trash",
    params=(Param("limit", INTEGER, "at most this many, 1 to 500 (default 50)", "--limit"),),
)


def operations() -> tuple[Operation, ...]:
    return (_CREATE, _UPDATE, _MOVE, _TAGS, *_LIFE, _RESTORE, _TRASH)
