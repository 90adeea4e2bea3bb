"""Files that are text for one folder or for nobody yet: AGENTS.md and its like, prompts. Refuses to judge the text."""

from gitmem.exchange.draft import Document, Shape, Skipped
from gitmem.exchange.scope import whole


def instructions(document: Document) -> Shape:
    """Holds for everything below the folder that the file was written for."""
    return Shape(summary=document.header.text("description"), scope=whole(document.folder), keys=("description",))


def template(document: Document) -> Shape:
    """An agent, a prompt, a workflow: text to start from, which holds for no file of its own."""
    header = document.header
    return Shape(
        kind="template",
        title=header.text("name") or header.text("title"),
        summary=header.text("description"),
        keys=("name", "title", "description"),
    )


def personal(document: Document) -> Skipped:
    """A file that its own tool keeps out of the repository."""
    return Skipped(document.rel, "personal notes of one user, not knowledge of the team; rename the file to share it")
