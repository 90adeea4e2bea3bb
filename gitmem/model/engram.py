"""An engram: one piece of knowledge; with a scope it is a rule. Refuses input, output and clocks."""

from collections.abc import Mapping

from gitmem.model.vocabulary import Text
from gitmem.record import field, record


@record
class Scope:
    """Where a rule applies; each field keeps the order of the file."""

    paths: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.paths or self.layers or self.commands)


@record
class Claim:
    """What in the code an item rests on; ``digest`` carries its algorithm as a prefix (``t1:``, ``s1:<lang>:``)."""

    path: str
    symbol: str = ""
    digest: str = ""
    lines: str = ""


@record
class Engram:
    """One knowledge file.

    ``body`` is everything after the header, with LF line ends and one at its end. ``valid_from``, ``valid_until`` and
    ``created_at`` are empty, a date, or RFC 3339 in UTC.
    ``extra`` holds the keys that gitmem does not know. ``stated`` names the top-level keys that the file itself has: a
    value that equals the default but was set by a person is told apart; it is no part of equality.
    """

    id: str
    title: str
    kind: str
    body: str
    summary: str
    tags: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    context_tags: tuple[str, ...] = ()
    context: str = ""
    scope: Scope | None = None
    requires: tuple[str, ...] = ()
    priority: int = 0
    claims: tuple[Claim, ...] = ()
    source: Mapping[str, str] = field(default_factory=dict)
    source_type: str = "firsthand"
    importance: float = 0.5
    confidence: float = 0.85
    verification: str = "unverified"
    evidence: tuple[Text, ...] = ()
    status: str = "active"
    visibility: str = "team"
    valid_from: str = ""
    valid_until: str = ""
    aliases: tuple[str, ...] = ()
    created_at: str = ""
    created_by: str = ""
    extra: Mapping[str, Text] = field(default_factory=dict)
    stated: frozenset[str] = field(default=frozenset(), compare=False)
