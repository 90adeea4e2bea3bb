"""A ledger entry: one decision, what it changed and who proposed it. Refuses to say that it was approved."""

from collections.abc import Mapping

from gitmem.record import field, record

KINDS = ("new", "update", "retire", "link", "unlink", "verify", "bundle", "revert", "reinstate", "roll")


@record
class Agent:
    """The program that proposed in a person's name; never recorded as that person."""

    name: str
    model: str = ""
    session: str = ""


@record
class Proposer:
    name: str
    email: str = ""
    agent: Agent | None = None


@record
class KeyChange:
    """Hashes of one top-level key (or ``body``, or ``file``) before and after; None where it was absent."""

    NULLS = ("before", "after")
    before: str | None
    after: str | None


@record
class ItemChange:
    """One file of a decision. ``item`` is the id, or the path where a file has none; ``path`` is below ``.gitmem``,
    ``moved_from`` its path before when the decision moved it."""

    item: str
    path: str
    keys: Mapping[str, KeyChange]
    moved_from: str = ""


@record
class Entry:
    """``needs`` are proposals that it builds on, ``members`` the proposals of a bundle, ``reverts`` a ledger id,
    ``supersedes`` the proposals in whose place it was made."""

    id: str
    kind: str
    proposal: str
    title: str
    rationale: str
    proposed_by: Proposer
    changes: tuple[ItemChange, ...]
    evidence: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    reverts: str = ""
    bundle: str = ""
    supersedes: tuple[str, ...] = ()
    extra: Mapping[str, str] = field(default_factory=dict)
