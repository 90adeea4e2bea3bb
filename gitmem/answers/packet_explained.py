"""Why a packet came out as it did, from its line in the journal or made again from a receipt. Refuses texts of code."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from collections.abc import Mapping

from gitmem.answers import coding, context, packet_record, packets
from gitmem.answers.context import CANDIDATES_MOST
from gitmem.answers.packet_files import Material
from gitmem.answers.receipt import PREFIX
from gitmem.answers.session import Session
from gitmem.code import learning
from gitmem.code.request import Wanted
from gitmem.errors import GitmemError
from gitmem.model.event import Entry
from gitmem.model.packet import ALGORITHM, CandidateRow, FeedbackRow, PacketExplained, SeedRow, Spent, TierRow
from gitmem.model.plain import Plain, canonical
from gitmem.model.proof import CANNOT_VERIFY, DIFFERS, MATCHES, Proof


def of(session: Session, wanted: str) -> PacketExplained | None:
    """By the id of a packet on record, or by its receipt; None for what is neither."""
    if wanted.startswith(PREFIX):
        row = _of_receipt(wanted)
        return _again(session, row) if row else None
    entry = packets.find(session, wanted)
    return _told(session, entry) if entry else None


def proof(session: Session, receipt: str) -> Proof | None:
    """Whether the packet of a receipt comes out the same; None for a receipt of something else."""
    row = _of_receipt(receipt.strip()) if receipt.strip().startswith(PREFIX) else None
    if row is None:
        return None
    packet_id = str(row["packet_id"])
    if row.get("algorithm") != ALGORITHM:
        return Proof(
            CANNOT_VERIFY, ("algorithm",), packet_id, hint="use a gitmem that has the algorithm of the receipt"
        )
    found = _again(session, row)
    return Proof(found.recomputed or CANNOT_VERIFY, () if found.recomputed == MATCHES else ("result_hash",), packet_id)


def _of_receipt(text: str) -> Mapping[str, Plain] | None:
    """None for a receipt of something else."""
    encoded = text.removeprefix(PREFIX).strip()
    try:
        data = urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4))
        row = json.loads(data)
    except (ValueError, RecursionError):
        return None
    is_packet = isinstance(row, dict) and "packet_id" in row and canonical(row) == data
    return row if is_packet else None


def _again(session: Session, row: Mapping[str, Plain]) -> PacketExplained:
    """Asks the same at the same commit, and compares; what was edited there then is not known."""
    packet_id = str(row["packet_id"])
    entry = packets.find(session, packet_id)
    asked = row.get("request") or (entry.data.get("request") if entry else None)
    if not isinstance(asked, dict):
        raise GitmemError(
            "the receipt has no request, and the packet is not on record here",
            hint="ask on the clone that made it",
            code="cannot-verify",
        )
    wanted = wanted_of(asked)
    commit = str(row.get("commit", ""))
    graph = coding.graph(session)
    if graph.tree.commit != commit or wanted.at:
        graph = coding.graph(session, wanted.at or commit)
    material = Material(session, graph, wanted)
    packet = context.made(session, material)
    if commit and packet_record.result_hash(packet) != row.get("result_hash"):
        # What is known may have moved on since.
        packet = context.made(session, material, known_at=commit)
    state = MATCHES if packet_record.result_hash(packet) == row.get("result_hash") else DIFFERS
    why = packet_record.reasons(material)
    tiers = {each.path: each.tier for each in packet.files}
    rows = material.ranked[:CANDIDATES_MOST]
    return PacketExplained(
        packet_id=packet_id,
        claim=packet.coverage.claim,
        seeds=tuple(SeedRow(seed.path, seed.by, seed.named) for seed in material.seeded.seeds),
        candidates=tuple(
            CandidateRow(r.path, r.score, why.get(r.path, "ranked"), tiers.get(r.path, "not listed"), r.parts)
            for r in rows
        ),
        total=len(material.ranked),
        tiers=tuple(TierRow(each.path, each.tier, each.tokens) for each in packet.files),
        budget=packet.budget,
        mode=packet.mode,
        recomputed=state,
    )


def wanted_of(asked: Mapping[str, Plain]) -> Wanted:
    """The request as a receipt or a line of the journal has it."""
    limit = asked.get("limit")
    return Wanted(
        task=str(asked.get("task", "")),
        mode=str(asked.get("mode", "")),
        detail=str(asked.get("detail", "")),
        limit=limit if isinstance(limit, int) else 0,
        path_hints=_names(asked, "path_hints"),
        keywords=_names(asked, "keywords"),
        entity_types=_names(asked, "entity_types"),
        intent=str(asked.get("intent", "")),
        at=str(asked.get("at", "")),
        diff=str(asked.get("diff", "")),
        signals=_names(asked, "signals"),
    )


def _names(asked: Mapping[str, Plain], field: str) -> tuple[str, ...]:
    return tuple(str(each) for each in _list(asked.get(field)))


def _told(session: Session, entry: Entry) -> PacketExplained:
    data = entry.data
    limit, used = (value if isinstance(value, int) else 0 for value in (data.get("limit"), data.get("tokens")))
    total = data.get("total")
    return PacketExplained(
        packet_id=str(data["packet"]),
        claim=str(data.get("claim", "")),
        seeds=tuple(SeedRow(str(path), str(by), str(named)) for path, by, named in _rows(data.get("seeds"), 3)),
        candidates=tuple(_candidate(row) for row in _rows(data.get("candidates"), 5)),
        total=total if isinstance(total, int) else 0,
        tiers=tuple(TierRow(str(row[0]), str(row[1]), _int(row[2])) for row in _rows(data.get("tiers"), 4)),
        budget=Spent(limit, used),
        mode=str(data.get("mode", "")),
        when=entry.at,
        weights=_weights(session, data),
        feedback=_feedback(session, str(data["packet"])) or None,
    )


def _feedback(session: Session, packet_id: str) -> tuple[FeedbackRow, ...]:
    return tuple(
        FeedbackRow(told.at, told.outcome, *move)
        for told in packets.feedback_on(session, packet_id)
        for move in told.weights
    )


def _weights(session: Session, data: Mapping[str, Plain]) -> Mapping[str, float]:
    """What feedback has made of its files since."""
    known = packets.known(session)
    intent = str(data.get("intent", ""))
    rows = {str(path): learning.weight(known, intent, str(path)) for path in _list(data.get("files"))}
    return {path: weight for path, weight in rows.items() if weight}


def _candidate(row: list[Plain]) -> CandidateRow:
    path, score, why, stage, parts = row
    given = parts if isinstance(parts, dict) else {}
    shares = {name: float(value) for name, value in given.items() if isinstance(value, int | float)}
    return CandidateRow(
        str(path), float(score) if isinstance(score, int | float) else 0.0, str(why), str(stage), shares
    )


def _list(value: Plain) -> list[Plain]:
    return value if isinstance(value, list) else []


def _rows(value: Plain, size: int) -> list[list[Plain]]:
    return [row for row in _list(value) if isinstance(row, list) and len(row) == size]


def _int(value: Plain) -> int:
    return value if isinstance(value, int) else 0
