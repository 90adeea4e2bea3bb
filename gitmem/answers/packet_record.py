"""What proves a packet and what is kept of it: its id, its receipt, a line of the journal. Refuses texts of code."""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Mapping

from gitmem.answers import packets
from gitmem.answers.coding import Graph
from gitmem.answers.packet_files import Material
from gitmem.answers.packets import Given
from gitmem.answers.reading import knowledge_at
from gitmem.answers.receipt import PREFIX
from gitmem.answers.rereading import reread
from gitmem.answers.session import Session
from gitmem.code.request import Wanted
from gitmem.code.version import version
from gitmem.lazy import load
from gitmem.memory import query
from gitmem.model.packet import ALGORITHM, DIAGNOSTIC, STANDARD, Packet
from gitmem.model.plain import Plain, canonical, plain
from gitmem.record import record, replace
from gitmem.store import folded, private

_ID_CHARS = 32
# A request that takes more of the receipt than this is found in the journal of the clone.
_REQUEST_BYTES = 400
_LEAST_WITH_RECEIPT = 1_500
_ROWS, _FOLDS = 20, 100
_TASK_CHARS = 4_000


@record
class Used:
    """``mode`` is the one that was asked for, '' for none; ``ready`` how many blobs are held ready for what comes."""

    mode: str = ""
    ready: int = 0


@record
class Told:
    """What a packet is a function of."""

    wanted: Wanted
    graph: Graph
    snapshot_id: str
    gains: Mapping[str, float]

    @property
    def packet_id(self) -> str:
        tree = self.graph.tree
        changed = [[each.path, each.oid] for each in tree.changed]
        row = [_asked(self.wanted), tree.commit, tree.tree, changed, self.snapshot_id, ALGORITHM, version()]
        return _hash([*row, sorted(self.gains.items())])


def _asked(wanted: Wanted) -> dict[str, Plain]:
    """By the names of its fields; lists of names are sets."""
    row = {name: plain(getattr(wanted, name)) for name in wanted.__match_args__}
    sets = {
        name: list[Plain](sorted(set(getattr(wanted, name)))) for name in ("path_hints", "keywords", "entity_types")
    }
    return {name: value for name, value in (row | sets).items() if value not in ("", [])}


def _hash(value: object) -> str:
    return hashlib.sha256(canonical(plain(value))).hexdigest()[:_ID_CHARS]


def result_hash(packet: Packet) -> str:
    """Covers files, coverage, rules and knowledge; ``next`` differs by surface and is left out."""
    covered = replace(packet.coverage, next=())
    return _hash([packet.files, covered, packet.rules, packet.knowledge])


def receipt(told: Told, packet: Packet) -> str:
    """'' where the detail or the budget has no place for one."""
    wanted = told.wanted
    if wanted.detail not in (STANDARD, DIAGNOSTIC) or wanted.limit < _LEAST_WITH_RECEIPT:
        return ""
    row: dict[str, Plain] = {
        "algorithm": ALGORITHM,
        "commit": told.graph.tree.commit,
        "packet_id": told.packet_id,
        "result_hash": result_hash(packet),
    }
    asked = _asked(wanted)
    if len(canonical(asked)) <= _REQUEST_BYTES:
        row["request"] = asked
    return PREFIX + urlsafe_b64encode(canonical(row)).decode().rstrip("=")


def note(session: Session, material: Material, packet: Packet, used: Used) -> str:
    """What ``explain`` needs; the task itself, so that the packet can be made again."""
    why = reasons(material)
    stages = {row.path: row.tier for row in packet.files}
    ranked = [
        [row.path, row.score, why.get(row.path, "ranked"), stages.get(row.path, "not listed"), plain(row.parts)]
        for row in material.ranked[:_ROWS]
    ]
    asked = _asked(replace(material.wanted, task=material.wanted.task[:_TASK_CHARS]))
    about: dict[str, Plain] = {
        "commit": material.graph.tree.commit,
        "request": asked,
        "result": result_hash(packet),
        "claim": packet.coverage.claim,
        "asked_mode": used.mode,
        "limit": packet.budget.limit,
        "seeds": [[seed.path, seed.by, seed.named[:100]] for seed in material.seeded.seeds[:_ROWS]],
        "candidates": list[Plain](ranked),
        "tiers": [[row.path, row.tier, row.tokens, material.atlas.oid(row.path)[:10]] for row in packet.files],
        "folds": list[Plain]([fold.fold_id for row in packet.files for fold in row.folds][:_FOLDS]),
        "total": len(material.ranked),
    }
    about |= {"private": True} if _is_private(session, material.wanted) else {}
    signals = {
        "learned": len(material.gains),
        "raised": int(packet.raised is not None),
        "flow": int(material.flow.has_run),
        "ready": used.ready,
    }
    given = Given(
        packet_id=packet.packet_id,
        intent=material.task.intent,
        mode=packet.mode,
        files=tuple(row.path for row in packet.files),
        tokens=packet.budget.used,
        signals=signals,
        about=about,
    )
    keep_loose(session, material.graph, (row.path for row in packet.files if row.folds))
    return packets.note(session, given)


def _is_private(session: Session, wanted: Wanted) -> bool:
    """Whether words of the task stand in a private item, so that the line of the journal stays here."""
    if not private.is_used(session.place.repo):
        return False
    asked = query.words(" ".join((wanted.task, *wanted.keywords)))
    return bool(load("gitmem.answers.touching:holds_private")(session.place, asked.forms))


def keep_loose(session: Session, graph: Graph, paths: Iterable[str]) -> None:
    """Bytes that only the work tree has, so that their folds open when it has moved on."""
    wanted = frozenset(paths)
    loose = {each.oid: each.data for each in graph.tree.changed if each.path in wanted and each.data is not None}
    folded.keep(session.place.cache, loose)


def reasons(material: Material) -> dict[str, str]:
    """What brought each file, beside its rank."""
    found = {row.path: row.why for row in material.followed}
    found |= {seed.path: f"{seed.by}: {seed.named[:80]}" for seed in reversed(material.seeded.seeds)}
    return found


def threshold_lines(session: Session) -> int:
    """A setting of the team."""
    reading = reread(session.place)
    return knowledge_at(reading.place, reading.tree).knowledge.settings.fold_threshold_lines
