"""Who calls what, as answers tell it. Refuses to find it out."""

from gitmem.model.finding import Notice
from gitmem.model.graph import Unresolved
from gitmem.record import record


@record
class Origin:
    """A definition, or a file with the kind ``file`` and the line 0."""

    id: str
    name: str
    kind: str
    path: str
    line: int
    signature: str


@record
class TraceHop:
    """A definition ``depth`` steps away. ``edge`` is calls, throws, catches, inherits, refers, uses, renders, answers.
    ``via`` is the id of the hop before, where that is not the origin; ``sites`` the lines of the source of the edge,
    the first of them; ``candidates`` what else is meant where that is only likely."""

    id: str
    line: int
    depth: int
    edge: str
    confidence: str
    rule: str
    sites: tuple[int, ...]
    via: str | None = None
    is_test: bool | None = None
    candidates: tuple[str, ...] | None = None


@record
class Step:
    """One call of a path: what calls, at which lines, and what is called."""

    source: str
    target: str
    sites: tuple[int, ...]
    confidence: str
    rule: str


@record
class Cut:
    """How many more there are of each than this answer tells, as far as they were counted; ``unread_files`` hold the
    name and were not looked into."""

    callers: int | None = None
    callees: int | None = None
    dependencies: int | None = None
    unresolved: int | None = None
    paths: int | None = None
    namesakes: int | None = None
    unread_files: int | None = None


@record
class Trace:
    """``origin_reliable`` is false where the origin is only the likeliest of what was named; ``others`` are the rest.

    ``dependencies`` are the files that the file of the origin imports; ``unresolved`` its own calls whose target is not
    known. With a target, ``paths`` has every shortest way and ``depth`` its length, None where there is none; where a
    name has several definitions they are listed and nothing was searched.
    """

    NULLS = ("origin", "depth")

    origin: Origin | None
    origin_reliable: bool
    callers: tuple[TraceHop, ...] = ()
    callees: tuple[TraceHop, ...] = ()
    dependencies: tuple[str, ...] = ()
    unresolved: tuple[Unresolved, ...] = ()
    others: tuple[str, ...] | None = None
    target: Origin | None = None
    paths: tuple[tuple[Step, ...], ...] | None = None
    depth: int | None = None
    ambiguous_from: tuple[str, ...] | None = None
    ambiguous_to: tuple[str, ...] | None = None
    cut: Cut | None = None
    notices: tuple[Notice, ...] = ()
