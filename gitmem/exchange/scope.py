"""Foreign globs and folders as a scope in gitmem's dialect. Refuses to drop a pattern without naming it."""

from collections.abc import Callable, Iterable

from gitmem.errors import GitmemError
from gitmem.exchange.draft import Scope
from gitmem.globs.dialect import from_gitignore, from_vscode, parse
from gitmem.globs.syntax import Literal, render

EVERYWHERE = "**"

Rewrite = Callable[[str], str]


def whole(folder: str) -> Scope:
    """Everything below ``folder``; everything there is when it is empty."""
    return Scope(paths=(_below(folder, EVERYWHERE),))


def of_globs(globs: Iterable[str], folder: str, rewrite: Rewrite) -> Scope:
    """The globs below ``folder``; those that start with ``!`` become exceptions, those that are refused are losses."""
    paths: list[str] = []
    excluded: list[str] = []
    losses: list[str] = []
    for glob in globs:
        is_exception = glob.startswith("!")
        try:
            pattern = rewrite(glob[1:] if is_exception else glob)
        except GitmemError as error:
            losses.append(f"glob {glob}: {error.message}")
            continue
        kept = excluded if is_exception else paths
        if (below := _below(folder, pattern)) not in kept:
            kept.append(below)
    if excluded and not paths:
        losses.append(f"only exceptions ({', '.join(excluded)}) and nothing that they are exceptions of: no scope")
        excluded = []
    return Scope(tuple(paths), tuple(excluded), tuple(losses))


def for_editors(glob: str) -> str:
    """A glob of an editor's rule file: a wildcard at the end means files, a name a file or a whole folder.

    Without a slash it holds at any depth.
    """
    last = glob.rpartition("/")[2]
    means_files = any(sign in last for sign in "*?[")
    return from_vscode(glob) if means_files else from_gitignore(glob)


def as_written(glob: str) -> str:
    """A glob of a tool whose dialect is ours: without a slash it is for the root folder."""
    return parse(glob).pattern


def literal(path: str) -> str:
    """A path as a pattern that matches itself: folders may be called ``[id]``."""
    return "/".join(render((Literal(name),)) for name in path.split("/"))


def _below(folder: str, pattern: str) -> str:
    return f"{literal(folder)}/{pattern.removeprefix('/')}" if folder else pattern


def nowhere(why: str) -> Scope:
    """No scope, and the reason as a loss: the rule is found by search, and compile never delivers it."""
    return Scope(losses=(f"{why}: no scope, so it is found by search and never delivered by itself",))
