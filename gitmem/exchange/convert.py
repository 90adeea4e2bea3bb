"""One foreign file as drafts of engrams. Refuses to choose an id, a slug or a place."""

import posixpath
from dataclasses import replace

from gitmem.exchange import claude, headings
from gitmem.exchange.draft import Document, Draft, Read, Shape, Skipped
from gitmem.exchange.foreign import Header, read_header
from gitmem.exchange.formats import Format, recognise, root_of
from gitmem.exchange.original import Unreadable, is_fence, take_apart
from gitmem.model.vocabulary import SUMMARY_MAX, TITLE_MAX, Text

SHORT_TITLE = 80
IMPORTED = Format("imported", "claude", "what CLAUDE.md or GEMINI.md imports", r"(?!)", claude.imported)
_CONTROL = dict.fromkeys([*range(32), *range(127, 160)], " ")


def convert(rel: str, data: bytes, fmt: Format, read: Read, files: tuple[str, ...] = ()) -> list[Draft] | Skipped:
    """The draft of ``rel`` first, then one for each file that it imports; ``files`` lie below the folder of ``rel``."""
    draft = _one(rel, data, fmt, files)
    if isinstance(draft, Skipped):
        return draft
    return _with_imports(draft, read) if fmt.has_imports else [draft]


def _one(rel: str, data: bytes, fmt: Format, files: tuple[str, ...] = ()) -> Draft | Skipped:
    if rel != rel.encode("utf-8", "replace").decode():
        return Skipped(rel, "its path is not UTF-8; rename it")
    original = take_apart(data)
    if isinstance(original, Unreadable):
        return Skipped(rel, original.reason)
    header = Header() if original.header is None else read_header(original.header)
    origin: dict[str, Text] = {"format": fmt.name, "path": rel, **original.facts}
    document = Document(rel, root_of(fmt, rel), header, original.body, origin, files)
    shape = fmt.shape(document)
    return shape if isinstance(shape, Skipped) else _draft(document, shape, fmt)


def _draft(document: Document, shape: Shape, fmt: Format) -> Draft:
    title, summary = _title(document, shape), _clean(shape.summary)
    losses = [*shape.losses, *shape.scope.losses, *_header_losses(document, shape)]
    if len(title) > TITLE_MAX:
        losses.append(f"the title has {len(title)} characters and is cut to {TITLE_MAX}")
        title = title[: TITLE_MAX - 3] + "..."
    if len(summary) > SUMMARY_MAX:
        losses.append(f"the summary has {len(summary)} characters and is cut to {SUMMARY_MAX}")
        summary = summary[: SUMMARY_MAX - 3] + "..."
    return Draft(
        source=document.rel,
        format=fmt.name,
        title=title,
        kind=shape.kind,
        body=document.body,
        origin=document.origin,
        summary=summary,
        tags=shape.tags,
        paths=shape.scope.paths,
        excluded=shape.scope.excluded,
        status=shape.status,
        losses=tuple(losses),
    )


def _title(document: Document, shape: Shape) -> str:
    short = shape.summary if len(shape.summary) <= SHORT_TITLE else ""
    said = (shape.title, headings.title(document.body), short)
    return next((title for each in said if (title := _clean(each))), "") or _name_as_title(document)


def _name_as_title(document: Document) -> str:
    """Words from the file name: ``code-style.instructions.md`` is Code style, ``AGENTS.md`` names its folder."""
    folder, name = posixpath.split(document.rel)
    stem = name.lstrip(".").partition(".")[0] or name
    if stem.isupper():
        return f"{stem} ({document.folder or folder})" if document.folder or folder else stem
    words = _clean(stem.replace("-", " ").replace("_", " ")) or name
    return words[0].upper() + words[1:]


def _clean(text: str) -> str:
    return " ".join(text.translate(_CONTROL).split())


def _header_losses(document: Document, shape: Shape) -> list[str]:
    header, losses = document.header, list[str]()
    if unused := [name for name in header.fields if name not in shape.keys]:
        losses.append(f"header keys that gitmem keeps and does not use: {', '.join(unused)}")
    if header.repeated:
        losses.append(f"given more than once, the last one counts: {', '.join(header.repeated)}")
    if document.origin.get("header") and not header.fields:
        losses.append("the header has no keys with values; it is kept and not used")
    if "below_header" in document.origin:
        losses.append("a second header follows the first; it is kept and not used")
    if "header" not in document.origin and is_fence(document.body.partition("\n")[0]):
        losses.append("the header is never closed, so it is read as text")
    return losses


def _with_imports(draft: Draft, read: Read) -> list[Draft]:
    """The draft and what it takes in; a file that cannot become a draft is a loss of those that name it."""
    tree = claude.import_tree(draft.source, draft.body, read)
    made = {draft.source: draft} | {each.rel: _imported(each.rel, read) for each in tree[1:]}
    reasons = {rel: each.reason for rel, each in made.items() if isinstance(each, Skipped)}
    drafts = list[Draft]()
    for each in tree:
        entry = made[each.rel]
        if isinstance(entry, Draft):
            failed = tuple(f"@{name} is not taken in: {reasons[name]}" for name in each.requires if name in reasons)
            requires = tuple(name for name in each.requires if name not in reasons)
            drafts.append(replace(entry, requires=requires, losses=(*entry.losses, *each.losses, *failed)))
    return drafts


def _imported(rel: str, read: Read) -> Draft | Skipped:
    known = recognise(rel)
    fmt = known if known and not known.by_name_only else IMPORTED
    return _one(rel, read(rel) or b"", fmt)
