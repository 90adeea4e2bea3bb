"""Rules of Windsurf, Cline, Roo, Kiro, Continue and JetBrains. Refuses their modes that depend on a conversation."""

import re

from gitmem.exchange.cursor import always_or_globs
from gitmem.exchange.draft import Document, Shape
from gitmem.exchange.scope import as_written, for_editors, nowhere, of_globs, whole

_KIRO_FILE = re.compile(r"#\[\[file:([^\]\n]{1,200})\]\]")


def windsurf(document: Document) -> Shape:
    """``trigger`` decides; a file without one holds for its globs, or else everywhere."""
    header = document.header
    trigger, globs = header.text("trigger"), header.words("globs")
    if trigger in ("manual", "model_decision"):
        scope = nowhere(f"trigger {trigger}: attached when somebody, or the model, asks for it")
    elif trigger != "always_on" and globs:
        scope = of_globs(globs, document.folder, for_editors)
    elif trigger == "glob":
        scope = nowhere("trigger glob without globs")
    else:
        scope = whole(document.folder)
    return Shape(summary=header.text("description"), scope=scope, keys=("trigger", "globs", "description"))


def cline(document: Document) -> Shape:
    """``paths`` narrow a rule; an empty list switches it off."""
    header = document.header
    globs = header.words("paths")
    if globs:
        scope = of_globs(globs, document.folder, as_written)
    elif "paths" in header.fields:
        scope = nowhere("paths is empty")
    else:
        scope = whole(document.folder)
    return Shape(summary=header.text("description"), scope=scope, keys=("paths", "description"))


def roo(document: Document) -> Shape:
    """A rule of one mode is a rule; the mode is a loss."""
    found = re.search(r"(?:^|/)\.roo/?rules-([\w-]+)(?:/|$)", document.rel)
    losses = (f"for Roo's mode {found[1]} only; gitmem has no modes, so it holds in each",) if found else ()
    return Shape(scope=whole(document.folder), losses=losses)


def kiro(document: Document) -> Shape:
    """``inclusion`` decides; it is ``always`` when nothing is said."""
    header = document.header
    inclusion = header.text("inclusion") or "always"
    globs = header.words("fileMatchPattern")
    if inclusion == "always":
        scope = whole(document.folder)
    elif inclusion == "fileMatch" and globs:
        scope = of_globs(globs, document.folder, for_editors)
    else:
        scope = nowhere(f"inclusion {inclusion}" + ("" if inclusion != "fileMatch" else " without fileMatchPattern"))
    losses = tuple(f"{name} is named with #[[file:]] and not taken in" for name in _KIRO_FILE.findall(document.body))
    return Shape(
        title=header.text("name"),
        summary=header.text("description"),
        scope=scope,
        losses=losses,
        keys=("inclusion", "fileMatchPattern", "name", "description"),
    )


def continue_rule(document: Document) -> Shape:
    """Without ``alwaysApply`` the globs decide, and a rule without globs holds everywhere."""
    header = document.header
    is_bare = header.flag("alwaysApply") is None and not header.words("globs") and "regex" not in header.fields
    scope = whole(document.folder) if is_bare else always_or_globs(document)
    losses = ("regex looks at what files contain; a scope cannot",) if "regex" in header.fields else ()
    return Shape(
        title=header.text("name"),
        summary=header.text("description"),
        scope=scope,
        losses=losses,
        keys=("name", "description", "globs", "regex", "alwaysApply"),
    )


def jetbrains(document: Document) -> Shape:
    """``apply`` decides; it is ``always`` when nothing is said."""
    header = document.header
    apply, globs = header.text("apply").lower() or "always", header.words("patterns")
    if apply == "always":
        scope = whole(document.folder)
    elif "pattern" in apply and globs:
        scope = of_globs(globs, document.folder, for_editors)
    else:
        scope = nowhere(f"apply: {apply}")
    return Shape(summary=header.text("instructions"), scope=scope, keys=("apply", "patterns", "instructions"))
