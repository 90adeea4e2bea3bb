"""Cursor's rules: .mdc files and RULE.md. Refuses what Cursor decides at run time: that becomes a loss."""

from dataclasses import replace

from gitmem.exchange.draft import Document, Scope, Shape
from gitmem.exchange.scope import for_editors, nowhere, of_globs, whole

KEYS = ("title", "description", "globs", "alwaysApply")


def rule(document: Document) -> Shape:
    """Cursor's own order: alwaysApply wins over globs, globs over the description."""
    header = document.header
    return Shape(
        title=header.text("title"), summary=header.text("description"), scope=always_or_globs(document), keys=KEYS
    )


def always_or_globs(document: Document) -> Scope:
    """``alwaysApply: true`` means everywhere, whatever the globs say; with neither the rule comes on request."""
    globs = document.header.words("globs")
    if document.header.flag("alwaysApply"):
        ignored = f"alwaysApply is true, so the globs {', '.join(globs)} do not narrow the scope"
        return replace(whole(document.folder), losses=(ignored,) if globs else ())
    if globs:
        return of_globs(globs, document.folder, for_editors)
    return nowhere("attached by hand or when the agent asks for it (no globs, alwaysApply is not true)")
