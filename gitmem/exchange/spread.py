"""Sources from which other tools write rule files: ruler and rulesync. Refuses to write their targets."""

from dataclasses import replace

from gitmem.exchange.draft import Document, Shape
from gitmem.exchange.scope import for_editors, of_globs, whole

_FOR_ALL = ("", "*")


def rulesync(document: Document) -> Shape:
    """A root rule holds everywhere, the others for their globs; what is said for one tool alone is a loss."""
    header = document.header
    globs = header.words("globs") or header.group("cursor").words("globs")
    is_root = bool(header.flag("root")) or not globs
    scope = whole(document.folder) if is_root else of_globs(globs, document.folder, for_editors)
    targets = [name for name in header.words("targets") if name not in _FOR_ALL]
    losses = (f"written for {', '.join(targets)} only; gitmem gives it to every agent",) if targets else ()
    return Shape(
        summary=header.text("description"),
        scope=replace(scope, losses=(*scope.losses, *losses)),
        keys=("root", "targets", "description", "globs"),
    )
