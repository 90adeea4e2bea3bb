"""What a change of some files may touch, as answers tell it. Refuses to find it out."""

from gitmem.record import record


@record
class Affected:
    """A test to run first. ``reasons`` say why, the strongest first; ``score`` is in thousandths."""

    path: str
    reasons: tuple[str, ...]
    score: int


@record
class Unread:
    """A file that was left out, with the reason in words."""

    path: str
    why: str


@record
class AffectedTests:
    """Sorted by score, then by path; ``total`` counts those beyond the limit as well. ``skipped`` may import what was
    asked about and could not be read; ``notes`` are what could not be looked into at all."""

    rows: tuple[Affected, ...] = ()
    total: int = 0
    skipped: tuple[Unread, ...] = ()
    notes: tuple[str, ...] = ()


@record
class Evidence:
    """What reaches an item. ``edge`` is path, layer, command, requires, claim or source; ``id`` the item that has the
    edge; ``pattern`` the glob, the layer, the command, the lines or the anchor, or the id that is required."""

    edge: str
    id: str
    pattern: str
    file: str


@record
class Reached:
    """An approved item that a change concerns. ``via_dependency_chain`` has the ids through which it comes, from the
    one that is reached directly; () for one that is."""

    id: str
    slug: str
    title: str
    kind: str
    summary: str
    source_path: str
    evidence: tuple[Evidence, ...]
    via_dependency_chain: tuple[str, ...] = ()


@record
class ImportingFile:
    """A file that is no test and imports ``reaches`` at ``line``."""

    path: str
    line: int
    reaches: str
