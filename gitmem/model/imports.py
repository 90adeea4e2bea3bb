"""One import as a source file writes it. Refuses to say which file it reaches."""

from gitmem.record import field, record


@record
class Import:
    """``module`` is what the source names: ``os.path``, ``..pkg.mod``, ``./x``, ``github.com/a/b``, ``java.util.List``.

    ``names`` are what is taken from it, under their own names, ``*`` for everything; ``line`` counts from 1. Where the
    statement goes over several lines, ``lines`` are those of the module and of each name; a kept import is without.
    """

    module: str
    names: tuple[str, ...]
    line: int
    lines: tuple[int, ...] = field(default=(), compare=False)


@record
class Extracted:
    """The imports of one file in the order of the text. ``skipped`` says why a file was not read, '' when it was."""

    imports: tuple[Import, ...] = ()
    skipped: str = ""
