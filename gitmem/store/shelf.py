"""Proposals that were read before, by the commit that holds each: a commit never changes. Refuses what is not whole."""

import json
from collections.abc import Mapping, Sequence

from gitmem import lazy
from gitmem.model.ledger import Agent, Entry, ItemChange, KeyChange, Proposer
from gitmem.model.proposal import Event, Proposal
from gitmem.record import field, state
from gitmem.store import cache as caches
from gitmem.store.cache import Cache
from gitmem.store.repo import Repo

_NAME = "proposals-2"
_KEPT_MOST = 5000
_SAVED_LEAST = 20

Row = Sequence[object]


@state
class Shelf:
    """What one process knows of them; ``rows`` None: the cache was not looked at yet.

    ``events`` are those of meta commits, which never change either; ``unsaved`` counts rows that the cache lacks.
    """

    cache: Cache
    rows: dict[str, Proposal] | None = None
    events: dict[str, tuple[Event, ...]] = field(default_factory=dict)
    unsaved: int = 0

    def known(self) -> dict[str, Proposal]:
        """By commit; empty where nothing was kept or the file is not ours."""
        if self.rows is None:
            data = caches.load(self.cache, _NAME)
            found = map(_proposal, json.loads(data)) if data is not None else ()
            self.rows = {proposal.tip: proposal for proposal in found}
        return self.rows

    def keep(self, fresh: Mapping[str, Proposal]) -> None:
        """The last ones are kept; a cache that cannot be written costs time and nothing else.

        The file is written anew for some at a time: reading a few again is cheaper than writing a thousand.
        """
        known = self.known()
        self.unsaved += len(fresh.keys() - known.keys())
        self.rows = dict(list({**known, **fresh}.items())[-_KEPT_MOST:])
        if self.unsaved < _SAVED_LEAST:
            return
        text = json.dumps([_row(each) for each in self.rows.values()], ensure_ascii=False, separators=(",", ":"))
        caches.save(self.cache, _NAME, text.encode("utf-8", "surrogatepass"))
        self.unsaved = 0

    def said(self, repo: Repo, tips: Sequence[str]) -> dict[str, tuple[Event, ...]]:
        """The events of each meta commit, read once."""
        fresh = [tip for tip in tips if tip not in self.events]
        if fresh:
            self.events.update(lazy.load("gitmem.store.events:read_events")(repo, fresh))
        return {tip: self.events[tip] for tip in tips}


def _row(proposal: Proposal) -> Row:
    entry = proposal.entry
    by, agent = entry.proposed_by, entry.proposed_by.agent
    return [
        [proposal.id, proposal.tip, proposal.base, proposal.opened, proposal.writer],
        [entry.id, entry.kind, entry.proposal, entry.title, entry.rationale, entry.reverts, entry.bundle],
        [by.name, by.email, *([agent.name, agent.model, agent.session] if agent else [])],
        [
            [c.item, c.path, c.moved_from, [[name, key.before, key.after] for name, key in c.keys.items()]]
            for c in entry.changes
        ],
        [entry.evidence, entry.needs, entry.members, entry.supersedes],
        proposal.blobs,
    ]


def _proposal(row: tuple[list[object], list[object], list[object], list[object], list[object], object]) -> Proposal:
    (id_, tip, base, opened, writer), texts, (name, email, *agent), changes, lists, blobs = row
    ledger_id, kind, proposal, title, rationale, reverts, bundle = map(str, texts)
    evidence, needs, members, supersedes = map(_texts, lists)
    entry = Entry(
        id=ledger_id,
        kind=kind,
        proposal=proposal,
        title=title,
        rationale=rationale,
        proposed_by=Proposer(str(name), str(email), Agent(*map(str, agent)) if agent else None),
        changes=tuple(map(_change, changes)),
        evidence=evidence,
        needs=needs,
        members=members,
        reverts=reverts,
        bundle=bundle,
        supersedes=supersedes,
    )
    assert isinstance(blobs, dict)
    return Proposal(str(id_), str(tip), str(base), entry, str(opened), str(writer), blobs=blobs)


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else ()


def _change(value: object) -> ItemChange:
    assert isinstance(value, list)
    item, path, moved_from, keys = value
    return ItemChange(item, path, {name: KeyChange(before, after) for name, before, after in keys}, moved_from)
