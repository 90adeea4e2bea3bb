"""What a compile or a check must know of one knowledge file without opening it. Refuses bodies."""

import json
from operator import attrgetter

from gitmem.model.finding import Finding, Severity
from gitmem.record import record, replace

DELIVERED = ("active", "frozen")
LEDGER = "ledger/"
NEVER_BY_SCOPE = ("restricted", "private")


@record
class Card:
    """One engram in short. ``path`` is relative to ``.gitmem``; ``digest`` is the hash of the file's canonical bytes,
    ``content_hash`` and ``content_bytes`` are of its body; ``evidence`` is how many pieces its verification rests on;
    ``source`` is what the body mirrors: path, anchor, lines, hash; ``edge`` is what a synapse joins: from, to, kind,
    weight; ``claims`` are what in the code it rests on: path, symbol, digest, lines; ``findings`` are those of the file
    alone.

    The card of a skill or an intention has no id, ``ref`` names it. ``cue`` is of a skill its stage, of an intention
    its status, action, time, event, tag and paths."""

    id: str
    path: str
    blob: str
    title: str
    kind: str
    summary: str
    status: str
    visibility: str
    priority: int
    tags: tuple[str, ...]
    paths: tuple[str, ...]
    specificities: tuple[int, ...]
    excluded: tuple[str, ...]
    layers: tuple[str, ...]
    commands: tuple[str, ...]
    requires: tuple[str, ...]
    valid_from: str
    valid_until: str
    importance: float
    confidence: float
    verification: str
    evidence: int
    source_type: str
    created_at: str
    created_by: str
    kinds: tuple[str, ...]
    context_tags: tuple[str, ...]
    aliases: tuple[str, ...]
    cue: tuple[str, ...]
    has_scope: bool
    content_bytes: int
    content_hash: str
    digest: str
    origin: str
    source: tuple[str, str, str, str] | tuple[()]
    edge: tuple[str, str, str, float] | tuple[()]
    claims: tuple[tuple[str, str, str, str], ...]
    findings: tuple[tuple[str, str, int, str, str], ...]

    @property
    def slug(self) -> str:
        return self.path.removesuffix("/SKILL.md").rpartition("/")[2].removesuffix(".md")

    @property
    def ref(self) -> str:
        """What names it to a reader: the id of an engram, skill:NAME, intention:SLUG; '' for any other file."""
        return self.id or (f"{self.kind}:{self.slug}" if self.cue else "")

    @property
    def domain(self) -> str:
        return self.path.removeprefix("engrams/").rpartition("/")[0]

    @property
    def name(self) -> str:
        """domain/slug, the name that is unique without regard to case."""
        return self.path.removeprefix("engrams/").removesuffix(".md")

    @property
    def decisions(self) -> tuple[str, ...]:
        """The ids of the ledger entries in the file: its own, or those that it folds, which stand as tags."""
        if self.path.startswith(f"{LEDGER}roll/"):
            return self.tags
        return (self.path.rpartition("/")[2].removesuffix(".yaml"),) if self.path.startswith(LEDGER) else ()

    @property
    def is_served(self) -> bool:
        """False for a file that cannot be read as an engram: it is named in warnings and never delivered."""
        return bool(self.id)

    def own_findings(self, root: str) -> list[Finding]:
        """The findings of the file itself, with repo-relative places below ``root``."""
        place = f"{root}{self.path}"
        return [Finding(c, Severity(s), place, line, m, h, self.id) for c, s, line, m, h in self.findings]

    def dump(self) -> bytes:
        """One line of JSON, in the order of the fields."""
        return _JSON.encode(_fields(self)).encode("utf-8", "surrogatepass")

    @classmethod
    def load(cls, line: bytes) -> "Card":
        row = json.loads(line)
        for at in _TUPLES:
            row[at] = tuple(row[at])
        row[-2] = tuple(map(tuple, row[-2])) if row[-2] else ()
        row[-1] = tuple(tuple(finding) for finding in row[-1])
        return cls(*row)


_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_fields = attrgetter(*Card.__match_args__)
_TUPLED = (
    *("tags", "paths", "specificities", "excluded", "layers", "commands", "requires"),
    *("kinds", "context_tags", "aliases", "cue", "source", "edge"),
)
_TUPLES = tuple(map(Card.__match_args__.index, _TUPLED))


# Every field before ``digest``, empty.
_BLANK = (
    *("", "", "", "", "", "", "", "", 0, (), (), (), (), (), (), (), "", "", 0.0),
    *(0.0, "", 0, "", "", "", (), (), (), (), False, 0, ""),
)


def of_unreadable(place: tuple[str, str], digest: str, findings: tuple[Finding, ...]) -> Card:
    """A file that is no engram: it keeps its place, its hash and its findings."""
    blank = Card(*_BLANK, digest, "", (), (), (), rows_of(findings))
    return replace(blank, path=place[0], blob=place[1])


def rows_of(findings: tuple[Finding, ...]) -> tuple[tuple[str, str, int, str, str], ...]:
    return tuple((f.code, f.severity.value, f.line, f.message, f.hint) for f in findings)
