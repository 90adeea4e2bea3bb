"""What one revision of the knowledge changes against another: files, rules by file, tokens. Refuses to find it out."""

from gitmem.model.finding import Notice
from gitmem.record import record

NEW, CHANGED, REMOVED, MOVED = "new", "changed", "removed", "moved"
GAINED, LOST = "gained", "lost"


@record
class FileChange:
    """One file of the folder. ``path`` is repo-relative; ``item`` and ``slug`` are '' for what is no engram.

    ``keys`` are the top-level keys that differ, and ``body``; none for a file that is new or removed. A file of which
    only the path differs is ``moved``, with ``moved_from``; so is one that also differs in ``keys``.
    """

    path: str
    item: str
    slug: str
    change: str
    keys: tuple[str, ...] = ()
    moved_from: str | None = None


@record
class Gain:
    """A tracked file of the repository, and a rule that now comes with it, or no longer does."""

    file: str
    item: str
    slug: str


@record
class Rules:
    """Which files gain and lose which rules, by file and slug: the first of ``gained_total`` and ``lost_total``."""

    gained: tuple[Gain, ...] = ()
    lost: tuple[Gain, ...] = ()
    gained_total: int = 0
    lost_total: int = 0


@record
class CommandRule:
    """A rule that now comes with a command, or no longer does; ``change`` is gained or lost."""

    command: str
    item: str
    slug: str
    change: str


@record
class Unmatched:
    """A pattern that the change brings and that no tracked file matches: its rule waits for files to come."""

    item: str
    slug: str
    pattern: str


@record
class Tokens:
    """What the bodies of the changed items take in a model's window, each once and in full.

    Only items that may be delivered count: active or frozen, neither restricted nor private.
    """

    before: int = 0
    after: int = 0


@record
class Contradiction:
    """A changed item, another one that may apply to the same work, and a sentence of each that cannot both hold."""

    item: str
    slug: str
    other: str
    other_slug: str
    mine: str
    theirs: str
    reason: str


@record
class Alike:
    """A changed item that says what another one says: ``kind`` is duplicate or update, ``percent`` what they share."""

    item: str
    slug: str
    other: str
    other_slug: str
    kind: str
    percent: int


@record
class Overlap:
    """Another open proposal that touches the same item; only the answer about a proposal has these."""

    proposal: str
    item: str
    path: str


@record
class Effect:
    """``files`` are the first of ``files_total``; ``notices`` say what was too much to be looked at."""

    before: str
    after: str
    files: tuple[FileChange, ...] = ()
    files_total: int = 0
    rules: Rules = Rules()
    commands: tuple[CommandRule, ...] = ()
    unmatched: tuple[Unmatched, ...] = ()
    tokens: Tokens = Tokens()
    contradicts: tuple[Contradiction, ...] = ()
    alike: tuple[Alike, ...] = ()
    overlaps: tuple[Overlap, ...] = ()
    notices: tuple[Notice, ...] = ()

    @property
    def gained(self) -> tuple[Gain, ...]:
        return self.rules.gained

    @property
    def lost(self) -> tuple[Gain, ...]:
        return self.rules.lost
