"""One import as a source file writes it. Refuses to say which file it reaches."""

from gitmem.record import record


@record
class Import:
    """``module`` is what the source names: ``os.path``, ``..pkg.mod``, ``./x``, ``github.com/a/b``, ``java.util.List``.

    ``names`` are what is taken from it, under their own names, ``*`` for everything; ``line`` counts from 1.
    """

    module: str
    names: tuple[str, ...]
    line: int


@record
class Extracted:
    """The imports of one file in the order of the text. ``skipped`` says why a file was not read, '' when it was."""

    imports: tuple[Import, ...] = ()
    skipped: str = ""
