"""What is wrong with the ends of edges: engrams that are not here. Refuses to look them up."""

from gitmem.checks.spotted import Spotted
from gitmem.model.finding import Finding, Severity


def missing(rel: str, edge: tuple[str, str, str], end: str) -> Spotted:
    """``rel`` is the file of the synapse, ``edge`` its from, to and kind, ``end`` the id that nothing has."""
    start, target, kind = edge
    message = f"{start} {kind} {target}, and {end} is not here"
    ident = rel.rpartition("/")[2].removesuffix(".yaml")
    hint = f"bring the engram back, or take the edge out: gitmem unlink {ident}"
    return Spotted(Finding("synapse-end-missing", Severity.ERROR, rel, 0, message, hint), "from", end)
