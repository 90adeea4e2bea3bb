"""Markdown vaults with a header a note: decision records, Backlog.md, loose notes. Refuses to run a task board."""

import re

from gitmem.exchange.draft import Document, Shape, Skipped
from gitmem.exchange.headings import prose
from gitmem.model.vocabulary import KINDS, STATUSES

_STRUCK = re.compile(r"~~[^~]*~~")
_WORD = re.compile(r"[a-z]+")
_STATUS_OF = {
    **dict.fromkeys(
        ("accepted", "approved", "adopted", "implemented", "active", "decided", "done", "amended"), "active"
    ),
    **dict.fromkeys(("proposed", "draft", "pending", "open", "wip", "review"), "draft"),
    **dict.fromkeys(("rejected", "declined", "deprecated", "obsolete", "retired", "withdrawn"), "deprecated"),
    **dict.fromkeys(("superseded", "superceded", "replaced"), "superseded"),
}
_TAG_KEYS = ("tags", "labels", "categories")


def decision(document: Document) -> Shape:
    """An architecture decision record, in the manner of Nygard or MADR."""
    header = document.header
    said = header.text("status") or _status_in_text(document.body)
    status, losses = _status(said)
    return Shape(
        kind="decision",
        title=header.text("title"),
        summary=header.text("description"),
        tags=_tags(document),
        status=status,
        losses=losses,
        keys=("title", "status", "description", *_TAG_KEYS),
    )


def index(document: Document) -> Skipped:
    """The list or the pattern of a folder of decisions."""
    return Skipped(document.rel, "an index or a template of decision records, not a decision")


def reference(document: Document) -> Shape:
    """A document of Backlog.md."""
    header = document.header
    return Shape(
        kind="reference",
        title=header.text("title"),
        summary=header.text("description"),
        tags=_tags(document),
        keys=("title", "description", *_TAG_KEYS),
    )


def task(document: Document) -> Shape:
    """A task, a draft or a milestone of Backlog.md, as an observation of what was planned or done."""
    shape = reference(document)
    is_draft = "/drafts/" in f"/{document.rel}"
    return Shape(
        kind="observation",
        title=shape.title,
        summary=shape.summary,
        tags=shape.tags,
        status="draft" if is_draft else "active",
        keys=shape.keys,
    )


def note(document: Document) -> Shape:
    """Any Markdown file: a draft until somebody says what it is, unless its header does."""
    header = document.header
    kind = next((word for name in ("kind", "type") if (word := header.text(name).lower()) in KINDS), "")
    status = header.text("status").lower()
    used = [name for name in ("kind", "type") if header.text(name).lower() == kind != ""]
    return Shape(
        kind=kind or "reference",
        title=header.text("title") or header.text("name"),
        summary=header.text("summary") or header.text("description"),
        tags=_tags(document),
        status=status if status in STATUSES else "draft",
        keys=(
            "title",
            "name",
            "summary",
            "description",
            *used,
            *_TAG_KEYS,
            *(["status"] if status in STATUSES else []),
        ),
    )


def _tags(document: Document) -> tuple[str, ...]:
    words = (word.removeprefix("#") for name in _TAG_KEYS for word in document.header.words(name))
    return tuple(dict.fromkeys(words))


def _status_in_text(body: str) -> str:
    """What stands below a heading "Status", or behind "Status:" before that; empty when neither is there."""
    is_below = False
    for line in map(str.strip, prose(body)):
        if is_below and line:
            return "" if line.startswith("#") else line
        name, colon, words = line.lstrip("-*+ ").partition(":")
        if not is_below and colon and name.strip("* ").lower() == "status":
            return words.strip("* ")
        is_below = is_below or (line.startswith("#") and line.strip("# \t").lower() == "status")
    return ""


def _status(said: str) -> tuple[str, tuple[str, ...]]:
    """The engram status, and what it does not say."""
    if not said.strip():
        return "active", ()
    words = _WORD.findall(_STRUCK.sub("", said).lower())
    status = "" if "|" in said else next((_STATUS_OF[word] for word in words if word in _STATUS_OF), "")
    said = " ".join(said.split())
    if not status:
        return "draft", (f'status "{said}" is not known: kept as a draft',)
    is_exact = len(words) == 1 and words[0] in ("accepted", "active", "draft", "proposed", "deprecated", "superseded")
    return status, () if is_exact else (f'status "{said}" is kept as {status}',)
