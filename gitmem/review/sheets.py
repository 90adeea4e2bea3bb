"""One file taken apart for a merge: style, header, body, all with LF line ends. Refuses to compare files."""

from gitmem.model.finding import Finding
from gitmem.record import record
from gitmem.review.outcome import pick
from gitmem.store.canonical import BOM
from gitmem.store.parts import conflict_marker, readable, split

FENCE = "---\n"


@record
class Style:
    """What has no meaning: the mark, the line end, and the line ends at the very end of the file."""

    has_mark: bool
    newline: str
    end: str


@record
class Sheet:
    """``header`` and ``body`` hold whole lines; each is empty where the file has none. ``is_fenced``: the header stands
    between two lines ``---``."""

    style: Style
    header: str
    body: str
    is_fenced: bool


def fenced(data: bytes, rel: str) -> Sheet | None:
    """A Markdown file with a header; None when the two cannot be told apart."""
    parts = split(data, rel)
    if parts.findings:
        return None
    body, end = _without_end(_lf(parts.body))
    # Without a body the last line end belongs to the fence.
    style = Style(parts.has_bom, parts.newline, end if body else "\n" + end)
    return Sheet(style, _lf(parts.header), body, is_fenced=True)


def unfenced(data: bytes, rel: str) -> Sheet | None:
    """A file that is one YAML mapping; None when it cannot be one."""
    sheet = plain(data, rel)
    return None if sheet is None or conflict_marker(sheet.header, len(sheet.header), rel) else sheet


def plain(data: bytes, rel: str) -> Sheet | None:
    """Any text, all of it as the header; None when it is not text."""
    text = readable(data, rel)
    if isinstance(text, Finding):
        return None
    newline = "\r\n" if text[: text.find("\n") + 1].endswith("\r\n") else "\n"
    header, end = _without_end(_lf(text))
    return Sheet(Style(data.startswith(BOM), newline, end), header, "", is_fenced=False)


def merged_style(base: Style | None, ours: Style, theirs: Style) -> Style:
    """Three-way for each trait; where both sides changed one differently: no mark, LF, one line end at the end."""
    return Style(
        pick(base.has_mark if base else None, ours.has_mark, theirs.has_mark, lambda _ours, _theirs: False) or False,
        pick(base.newline if base else None, ours.newline, theirs.newline, lambda _ours, _theirs: "\n") or "\n",
        pick(base.end if base else None, ours.end, theirs.end, lambda _ours, _theirs: "\n") or "",
    )


def written(style: Style, text: str) -> bytes:
    """The bytes of a text of whole lines in a style."""
    text = text.removesuffix("\n") + style.end
    return (BOM if style.has_mark else b"") + text.replace("\n", style.newline).encode()


def _without_end(text: str) -> tuple[str, str]:
    """A text as whole lines, and the line ends that it really had at its end."""
    bare = text.rstrip("\n")
    return (bare + "\n" if bare else ""), text[len(bare) :]


def _lf(text: str) -> str:
    return "\n".join(line.rstrip("\r") for line in text.split("\n")) if "\r" in text else text
