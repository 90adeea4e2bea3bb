"""Edges between the definitions of a tree, as answers tell them. Refuses to find any."""

from gitmem.model.code import Place
from gitmem.record import record

PROVEN, LIKELY, UNRESOLVED = "proven", "likely", "unresolved"
CALLS, INHERITS, IMPORTS, TESTS = "calls", "inherits", "imports", "tests"
THROWS, CATCHES, REFERS = "throws", "catches", "refers"
USES, RENDERS, ANSWERS = "uses", "renders", "answers"


@record
class Resolved:
    """What one call means. ``proven`` has one target, ``likely`` one or the candidates, ``unresolved`` none and a
    reason; ``rule`` is the one that answered."""

    rule: str
    confidence: str
    targets: tuple[Place, ...] = ()
    reason: str = ""


@record
class Edge:
    """From a definition, or a file with the number -1, to a definition; ``sites`` are the lines in the file of the
    source, ``candidates`` what else the target may be."""

    kind: str
    source: Place
    target: Place
    rule: str
    confidence: str
    sites: tuple[int, ...]
    candidates: tuple[Place, ...] = ()


@record
class Unresolved:
    """A call of which it is not known what it means, with the reason in words."""

    name: str
    receiver: str
    line: int
    reason: str
