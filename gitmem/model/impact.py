"""What a change of some files may touch, as answers tell it. Refuses to find it out."""

from gitmem.model.claimed import Drift
from gitmem.model.finding import Notice
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
    edge: the item itself, or the one that requires it. ``pattern`` is the glob, the layer, the command, or where in the
    file; ``file`` '' where the edge is of none; ``more`` counts further files for which the same holds."""

    edge: str
    id: str
    pattern: str
    file: str
    more: int | None = None


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
    """A file that is no test and imports ``reaches`` at ``line``; ``via`` is the front of a package, such as its
    ``__init__.py``, from which it takes it. ``edge`` is what it does with a definition of that file instead, or of one
    that uses it, where it does not import it."""

    path: str
    line: int
    reaches: str
    via: str | None = None
    edge: str | None = None


@record
class AffectedSymbol:
    """A definition, or a file, that is no test and uses ``reaches`` at the lines ``sites``; ``edge`` says how, and
    ``depth`` how many steps it is away from what changes."""

    id: str
    path: str
    line: int
    depth: int
    edge: str
    confidence: str
    reaches: str
    sites: tuple[int, ...]


@record
class CodeImpact:
    """``files`` import one of those asked about, or hold a definition that uses one of theirs; ``symbols`` are those
    definitions, nearest first, and ``radius`` how many steps the farthest is away. ``uses`` is the other direction:
    what the files themselves use of others. ``risk`` is low, medium from 5 files on, and high from 12."""

    files: tuple[ImportingFile, ...] = ()
    files_total: int = 0
    symbols: tuple[AffectedSymbol, ...] = ()
    symbols_total: int = 0
    radius: int = 0
    risk: str = "low"
    uses: tuple[str, ...] = ()
    uses_total: int = 0


@record
class Impact:
    """``code_commit`` is the commit whose code was looked at, '' before the first one. Each list is cut at the limit;
    its total counts what was cut as well."""

    files: tuple[str, ...]
    rules: tuple[Reached, ...]
    rules_total: int
    code: CodeImpact
    tests: tuple[Affected, ...]
    tests_total: int
    drifted: tuple[Drift, ...]
    code_commit: str
    snapshot_id: str
    warnings: tuple[Notice, ...] = ()
    notices: tuple[Notice, ...] = ()
