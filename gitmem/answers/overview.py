"""The breadth before the depth: what there is, how much of it, and how it stands.

Refuses to write, journal included.
"""

from collections.abc import Mapping

from gitmem.answers import assembly, backlog, branch, expansion, notices, signals, unmirrored
from gitmem.answers.driverless import driverless
from gitmem.answers.notices import Look
from gitmem.answers.observed import activity
from gitmem.answers.reading import Reading, Revision, Session, ask, check_ours, read
from gitmem.answers.signals import Missed, Topic
from gitmem.errors import UsageError
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.lazy import load
from gitmem.model.finding import Notice
from gitmem.model.project import Project
from gitmem.record import record, replace
from gitmem.rules import layers
from gitmem.rules.match import is_live
from gitmem.store import snapshots
from gitmem.store.objects import may_have_refs
from gitmem.store.refs import SNAPSHOTS
from gitmem.store.repo import FOLDER
from gitmem.text.words import cut

_DEPTH, _DEPTH_MAX = 5, 10
_TAGS_NAMED = 20
_BRANCH_NAMED = 5
_DATED_NAMED = 50
_SKILL_CHARS = 60


@record
class OverviewCall:
    depth: int = _DEPTH
    tags: bool = False
    at: str = ""


@record
class Domain:
    """``count`` includes everything below the domain; ``live`` are those of it that are active or frozen."""

    name: str
    count: int
    live: int


@record
class Offered:
    """A skill by what get takes it for; ``description`` is cut at sixty characters."""

    id: str
    description: str


@record
class Overview:
    """``tags`` are the most used first; ``catalogue`` are the intent tags that compile can expand; ``edges`` counts
    synapses by kind, where there are any; ``proposals`` counts those that wait, by status, and ``total``;
    ``observations`` counts open reports by type, ``compiles`` those of the last week by folder, busiest first, where
    the journal tells of any; ``latest_snapshot`` is the newest one that has a name; ``unmirrored`` counts the
    Markdown files that no engram is from and no open proposal mentions, where there are any; ``skills`` are
    the ten in force that are best remembered, and ``notices`` tell of intentions that have come up, where there are
    any; ``project`` is what the code at HEAD is, where there is any."""

    snapshot_id: str
    knowledge_version: str
    knowledge_count: int
    items: int
    rules: int
    domains: tuple[Domain, ...]
    kinds: Mapping[str, int]
    statuses: Mapping[str, int]
    tags: Mapping[str, int]
    catalogue: Mapping[str, str]
    layers: tuple[str, ...]
    problems: int
    warnings: tuple[Notice, ...]
    environment: Mapping[str, str]
    edges: Mapping[str, int] | None = None
    proposals: Mapping[str, int] | None = None
    observations: Mapping[str, int] | None = None
    compiles: Mapping[str, int] | None = None
    latest_snapshot: str | None = None
    unmirrored: int | None = None
    unsure: tuple[Topic, ...] | None = None
    missed: tuple[Missed, ...] | None = None
    skills: tuple[Offered, ...] | None = None
    notices: tuple[Notice, ...] | None = None
    project: Project | None = None


def overview(session: Session, call: OverviewCall) -> Overview:
    if not 0 < call.depth <= _DEPTH_MAX:
        raise UsageError(f"depth must be from 1 to {_DEPTH_MAX}, not {call.depth}", hint=f"usually {_DEPTH}")
    reading = read(session.place, Revision(at=call.at))
    if not reading.tree:
        check_ours(session.place.repo)
    found, _ = ask(reading, lambda knowledge: _seen(knowledge, call, reading))
    lately = activity(session)
    return replace(
        found,
        proposals=backlog.counts(session),
        unmirrored=unmirrored.count(session, reading) or None,
        observations=lately.open or None,
        compiles=lately.compiles or None,
        latest_snapshot=_latest_snapshot(session),
        unsure=signals.unsure(session, lately.retrievals, None if call.at else reading) or None,
        missed=signals.missed(lately.retrievals) or None,
        skills=_offered(session, reading) or None,
        notices=tuple(notices.intended(Look(session, reading))) or None,
        project=None if call.at else load("gitmem.answers.projected:project")(session.place),
    )


def _offered(session: Session, reading: Reading) -> tuple[Offered, ...]:
    if not ask(reading, lambda knowledge: knowledge.numbers("skill"))[0]:
        return ()
    best = load("gitmem.answers.skills:best")(session, reading)
    return tuple(Offered(row.id, cut(row.description, _SKILL_CHARS)) for row in best)


def _latest_snapshot(session: Session) -> str | None:
    repo = session.place.repo
    every = snapshots.every(repo) if may_have_refs(repo, SNAPSHOTS) else []
    return max(((kept.time, kept.name) for kept in every), default=(0, None))[1]


def _seen(knowledge: Knowledge, call: OverviewCall, reading: Reading) -> Overview:
    counts = knowledge.facts.counts
    tags = sorted(counts.get("tag", {}).items(), key=lambda row: (-row[1], row[0]))
    statuses = dict(counts.get("status", {}))
    return Overview(
        snapshot_id=knowledge.facts.snapshot_id,
        knowledge_version=assembly.version_of(knowledge),
        knowledge_count=knowledge.facts.ledger_count,
        items=sum(statuses.values()),
        rules=counts.get("rules", {}).get("all", 0),
        domains=_domains(counts.get("domain", {}), counts.get("live", {}), call.depth),
        kinds=dict(counts.get("kind", {})),
        statuses=statuses,
        tags=dict(tags if call.tags else tags[:_TAGS_NAMED]),
        catalogue=expansion.catalogue(knowledge),
        layers=tuple(dict.fromkeys(layer for _, layer in layers.pairs(knowledge.facts.layers))),
        problems=len(knowledge.facts.problems) + len(knowledge.facts.duplicates),
        warnings=reading.warnings,
        environment={"root": str(reading.place.repo.where), "commit": reading.commit, "trust": reading.trusted.policy},
        edges=dict(counts["edge"]) if counts.get("edge") else None,
    )


def _domains(counts: Mapping[str, int], live: Mapping[str, int], depth: int) -> tuple[Domain, ...]:
    """Every domain down to ``depth``, each with all that lies below it."""
    sums, live_sums = _sums(counts, depth), _sums(live, depth)
    return tuple(Domain(name, count, live_sums.get(name, 0)) for name, count in sorted(sums.items()))


def _sums(counts: Mapping[str, int], depth: int) -> dict[str, int]:
    sums: dict[str, int] = {}
    for name, count in counts.items():
        parts = name.split("/") if name else ["."]
        for level in range(1, min(depth, len(parts)) + 1):
            above = "/".join(parts[:level])
            sums[above] = sums.get(above, 0) + count
    return sums


@record
class StatusCall:
    trust: str = ""


@record
class Status:
    """``proposals`` counts those that wait for somebody, by status, with their ``total``; ``broken`` are refs that hold
    none. ``uncommitted`` lists repo-relative paths."""

    root: str
    trust: str
    trust_source: str
    commit: str
    snapshot_id: str
    knowledge_version: str
    items: int
    uncommitted: tuple[str, ...]
    proposals: Mapping[str, int]
    problems: tuple[Notice, ...]
    warnings: tuple[Notice, ...]
    notices: tuple[Notice, ...]


def status(session: Session, call: StatusCall) -> Status:
    place = session.place
    check_ours(place.repo)
    reading = read(place, Revision(trust=call.trust))
    waiting = notices.uncommitted(Look(session, reading, is_fresh=True))

    facts, _ = ask(reading, lambda knowledge: knowledge.facts)
    version, _ = ask(reading, assembly.version_of)
    problems, _ = ask(reading, assembly.problems)
    dated, _ = ask(reading, _dated)
    return Status(
        root=str(place.repo.where),
        trust=reading.trusted.policy,
        trust_source=reading.trusted.source,
        commit=reading.commit,
        snapshot_id=facts.snapshot_id,
        knowledge_version=version,
        items=sum(facts.counts.get("status", {}).values()),
        uncommitted=tuple(f"{FOLDER}/{rel}" for rel in waiting),
        proposals=backlog.counts(session),
        problems=tuple(problems),
        warnings=reading.warnings,
        notices=(
            *reading.notices,
            *_on_branch(reading),
            *notices.validity(dated, session.now)[:_DATED_NAMED],
            *driverless(session),
        ),
    )


def _on_branch(reading: Reading) -> list[Notice]:
    """What the branch at hand holds and the trusted one does not."""
    own = branch.own_files(reading)
    if not own:
        return []
    named = ", ".join(own[:_BRANCH_NAMED]) + (
        f" and {len(own) - _BRANCH_NAMED} more" if len(own) > _BRANCH_NAMED else ""
    )
    message = f"this branch changes {len(own)} file(s) that are not on {reading.trusted.label} yet: {named}"
    return [
        Notice("on-branch", message, hint="they count once they are merged; preview: gitmem compile FILE --trust head")
    ]


def _dated(knowledge: Knowledge) -> list[Card]:
    """What would be delivered were it not for a date."""
    duplicates = knowledge.facts.duplicates
    return [card for card in knowledge.under("dated") if is_live(card, duplicates, "")]
