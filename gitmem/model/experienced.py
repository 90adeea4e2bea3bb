"""What experience has made of one item, as a value: where it stands, and how it came there. Refuses any formula."""

from collections.abc import Mapping

from gitmem.model.finding import Notice
from gitmem.model.plain import Plain
from gitmem.model.truth import Truth
from gitmem.record import record


@record
class Effective:
    """``importance``, ``confidence`` and ``strength`` are 0 to 1; ``reinforced`` is the sum of which the strength is
    what lies between these. ``last_use`` is the day of the last effective use, ``last_hit`` of the last retrieval:
    RFC 3339, '' for never. ``last_score`` is None where no retrieval is on record here.

    ``effective``, ``failed``, ``contradicted`` and ``inconclusive`` are how watched uses ended, ``lent`` is what
    successes of neighbours added to the importance.
    """

    importance: float
    confidence: float
    strength: float = 0.0
    hits: int = 0
    helped: int = 0
    misled: int = 0
    last_use: str = ""
    last_score: float | None = None
    last_hit: str = ""
    irrelevant: int = 0
    effective: int = 0
    failed: int = 0
    contradicted: int = 0
    inconclusive: int = 0
    reinforced: float = 0.0
    lent: float = 0.0


@record
class Moved:
    before: float
    after: float


@record
class Day:
    """``counts`` of what happened on it; a neighbour's success is no part of a day."""

    day: str
    counts: Mapping[str, int]
    importance: Moved
    confidence: Moved
    strength: Moved


@record
class Lent:
    """What the successes of a neighbour added to the importance."""

    id: str
    slug: str
    delta: float


@record
class Behind:
    """One event of this clone; ``data`` is what else it says."""

    event: str
    at: str
    kind: str
    outcome: str
    by: str
    data: Mapping[str, Plain]


@record
class About:
    id: str
    slug: str
    title: str
    kind: str
    verification: str


@record
class Stated:
    """What the file of an item says."""

    importance: float
    confidence: float


@record
class Outlook:
    """The age runs from ``since``, the last effective use, else the creation; a rule does not age. Importance and
    confidence are high, medium or low; ``advice`` is what so many failures speak for: archive, forget or ''."""

    freshness: str
    half_life_days: float
    age_days: float
    since: str
    importance: str
    confidence: str
    advice: str = ""


@record
class ItemExplained:
    """``days`` are the last ones of ``days_total``, ``events`` the newest of this clone: what others shared are counts.
    ``truth`` is how far it is borne out."""

    item: About
    stated: Stated
    now: Effective
    outlook: Outlook
    days: tuple[Day, ...]
    days_total: int
    lent: tuple[Lent, ...]
    events: tuple[Behind, ...]
    truth: Truth
    warnings: tuple[Notice, ...] = ()
