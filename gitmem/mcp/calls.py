"""Runs one tool call: arguments, repository, operation, answer. Refuses to let an error pass for an answer."""

import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from gitmem import __version__
from gitmem.answers.reading import Session
from gitmem.errors import GitmemError, UsageError
from gitmem.lazy import load
from gitmem.mcp import coerce, results
from gitmem.mcp.results import Answer
from gitmem.mcp.roots import Places, in_repository
from gitmem.model.plain import plain
from gitmem.operations.table import Operation
from gitmem.record import field, record

# The field of a request that names files; an absolute one says which repository is meant.
_FILES = "files"
_RUN_BYTES = 8


@record
class Desk:
    """What stays the same from call to call: the surface, the repositories that are open, a token of the run, and what
    the session of the start says of the search engine, the home folder and the most files of code."""

    surface: str
    engine: str = ""
    home: str = ""
    max_files: int = 0
    places: Places = field(default_factory=Places)
    run: str = field(default_factory=lambda: os.urandom(_RUN_BYTES).hex())


@record
class Caller:
    """Whose call it is: the folders that the client works in, and what it calls itself, '' for nothing."""

    folders: Sequence[Path]
    name: str = ""


def answer(desk: Desk, operation: Operation, arguments: Mapping[str, object], caller: Caller) -> Answer:
    """The operation's result, or its error as a tool error; our own fault too, with its place."""
    root = str(caller.folders[0]) if caller.folders else ""
    try:
        return _run(desk, operation, arguments, caller)
    except GitmemError as err:
        return results.failure(err, root)
    except Exception as err:  # the edge: whatever reaches it is our bug
        return results.failure(_bug(err), root)


def _run(desk: Desk, operation: Operation, arguments: Mapping[str, object], caller: Caller) -> Answer:
    if desk.surface not in operation.surfaces:
        raise UsageError(
            f"{operation.tool or operation.verb} is not on the {desk.surface} surface", code="not-on-surface"
        )
    values = coerce.values(operation, arguments)
    files = values.get(_FILES)
    names = files if isinstance(files, tuple) else ()
    folder, place = desk.places.find(caller.folders, names)
    if names:
        place, values[_FILES] = in_repository(folder, place, names)
    session = Session(folder, datetime.now(UTC), desk.surface, caller.name, desk.run, engine=desk.engine, held=place)
    session.home, session.max_files = desk.home, desk.max_files
    result = load(operation.target)(session, load(operation.request)(**values))
    return results.success(load(operation.render)(result), plain(result), str(place.repo.where))


def _bug(err: Exception) -> GitmemError:
    """The traceback goes to standard error; what the client is told names the line that failed."""
    sys.stderr.write(traceback.format_exc())
    last = traceback.extract_tb(err.__traceback__)[-1]
    return GitmemError(
        f"this is a bug in gitmem {__version__}: {type(err).__name__}: {err}",
        place=f"{Path(last.filename).name}:{last.lineno}",
        hint="please report it; the server goes on",
        code="internal",
    )
