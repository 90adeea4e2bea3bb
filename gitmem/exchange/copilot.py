"""GitHub Copilot's path-specific instructions. Refuses to attach anything by hand."""

from gitmem.exchange.draft import Document, Shape
from gitmem.exchange.scope import nowhere, of_globs
from gitmem.globs.dialect import from_vscode


def instructions(document: Document) -> Shape:
    """``applyTo`` is one text with commas; without it Copilot attaches the file by hand only."""
    header = document.header
    globs = header.words("applyTo")
    return Shape(
        title=header.text("name") or header.text("title"),
        summary=header.text("description"),
        scope=of_globs(globs, "", from_vscode) if globs else nowhere("attached by hand (no applyTo)"),
        keys=("name", "title", "description", "applyTo"),
    )
