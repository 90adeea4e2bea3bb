"""SKILL.md of the Agent Skills layout: the text alone. Refuses scripts, which are named."""

import posixpath

from gitmem.exchange.draft import Document, Shape

KEYS = ("name", "description", "license", "compatibility", "allowed-tools", "metadata", "version")
MAX_NAMED = 20


def skill(document: Document) -> Shape:
    """A skill; each file that lies beside it is a loss."""
    header = document.header
    folder = posixpath.dirname(document.rel)
    beside = [name.removeprefix(folder + "/") for name in document.files if name != document.rel]
    losses = [f"{name} lies beside it and is not taken in" for name in beside[:MAX_NAMED]]
    if len(beside) > MAX_NAMED:
        losses.append(f"{len(beside) - MAX_NAMED} more files lie beside it and are not taken in")
    return Shape(
        kind="skill",
        title=header.text("name") or posixpath.basename(folder),
        summary=header.text("description"),
        losses=tuple(losses),
        keys=KEYS,
    )
