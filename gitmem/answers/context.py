"""What a task needs to be read, in one answer and within a budget: files, rules, memory, and what was not found.

Refuses to decide what ranking, packing and coverage decide: it owns the order of the steps.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from shlex import quote

from gitmem.answers import coding, packet_known, packet_record, packet_signals
from gitmem.answers.coding import PARTIAL
from gitmem.answers.packet_files import Material
from gitmem.answers.packet_known import Bearing
from gitmem.answers.packet_record import Used
from gitmem.answers.reading import Revision, Session, read
from gitmem.answers.rereading import reread
from gitmem.code import coverage, request
from gitmem.code.coverage import Judged
from gitmem.code.critical import critical
from gitmem.code.pack import SEED, Packed
from gitmem.code.request import Wanted
from gitmem.errors import UsageError
from gitmem.lazy import load
from gitmem.model.packet import (
    BALANCED,
    DIAGNOSTIC,
    MAX_QUALITY,
    MINIMAL,
    PATH,
    POINTER,
    STANDARD,
    CandidateRow,
    Coverage,
    Packet,
    PacketFile,
    Spent,
)
from gitmem.model.plain import canonical, plain
from gitmem.record import record, replace
from gitmem.text.tokens import estimate

CANDIDATES_MOST = 200
_KNOWN_PART = 0.15
_RULED_FILES = 12
_NEXT_MOST = {POINTER: 1, MINIMAL: 2, STANDARD: 4, DIAGNOSTIC: 6}
_TEXT_MOST = {POINTER: 32, MINIMAL: 60, STANDARD: 80, DIAGNOSTIC: 80}
_MISSING_MOST = {POINTER: 1, MINIMAL: 2, STANDARD: 4, DIAGNOSTIC: 4}
_CLUSTERS_MOST = {POINTER: 1, MINIMAL: 2, STANDARD: 6, DIAGNOSTIC: 6}
# What the sums err by at most, in brackets and the digits of the tokens used.
_SLACK_TOKENS = 24
# A tool's answer names the repository.
_ROOT_TOKENS = 60
_TASK_MOST = 100_000
# Below so many tokens what is beside the files is as short as it can be.
_LEAN_TOKENS = 1_500
# A file that scores so much of the best should be more than a path.
_NEAR_BEST = 0.6
_RANKING = (packet_signals.FLOW, packet_signals.LEARNING)


@record
class ContextCall:
    """``mode`` '' is balanced, or more where the task reads as critical; ``budget`` 0 is that of the mode."""

    task: str = ""
    mode: str = ""
    detail: str = ""
    path_hints: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    entity_types: tuple[str, ...] = ()
    intent: str = ""
    budget: int = 0
    at: str = ""
    diff: str = ""
    max_files: int = 0


def context(session: Session, call: ContextCall) -> Packet:
    """One packet, put on record."""
    wanted, raised = understood(session, call)
    graph = coding.graph(session, wanted.at or _end(wanted.diff), call.max_files)
    material = Material(session, graph, wanted)
    packet = made(session, material, raised)
    is_on = packet_signals.PREFETCH in packet_signals.switched_on(session)
    ready = packet_signals.hold_ready(session, graph.atlas, packet.files) if is_on else 0
    packet_record.note(session, material, packet, Used(call.mode, ready))
    return packet


def _end(diff: str) -> str:
    """The code of a diff is that of its end."""
    return diff.rpartition("..")[2] or "HEAD" if diff else ""


def understood(session: Session, call: ContextCall) -> tuple[Wanted, str]:
    """The request with its defaults filled in, and why its mode is a higher one."""
    text = call.task.strip()
    if not text and not call.diff:
        raise UsageError(
            "the task is empty",
            hint=session.word('for example: gitmem context "fix the login retry"', "say in words what is to be done"),
        )
    if len(call.task) > _TASK_MOST:
        raise UsageError(f"a task has at most {_TASK_MOST} characters, not {len(call.task)}", hint="cut logs out")
    request.check_lists(path_hints=call.path_hints, keywords=call.keywords, entity_types=call.entity_types)
    targets = load("gitmem.answers.targets:one")
    hints = tuple(targets(session.place, hint) for hint in call.path_hints)
    signals = packet_signals.switched_on(session)
    asked = request.checked_mode(call.mode)
    # A budget is a bound that nothing raises; a mode is what somebody thought would do.
    is_gated = packet_signals.GATE in signals and not call.budget and asked != MAX_QUALITY
    found = critical(text) if is_gated else None
    mode = MAX_QUALITY if found else asked or BALANCED
    detail = request.checked_detail(call.detail)
    limit = request.limit_of(call.budget, mode)
    wanted = Wanted(
        text, mode, detail, limit, hints, call.keywords, call.entity_types, call.intent.strip(), call.at, call.diff
    )
    wanted = replace(wanted, signals=tuple(name for name in signals if name in _RANKING))
    return wanted, found.why if found else ""


def made(session: Session, material: Material, raised: str = "", known_at: str = "") -> Packet:
    """The packet of a request at its tree: a function of both and of the knowledge, as it is trusted or was then."""
    wanted = material.wanted
    at = wanted.at or known_at
    reading = read(session.place, Revision(at=at)) if at else reread(session.place)
    named = [each.path for each in material.candidates[:_RULED_FILES]]
    part = 0 if wanted.detail == POINTER else int(wanted.limit * _KNOWN_PART)
    bearing = packet_known.bearing(session, reading, wanted.task, named, part)
    told = packet_record.Told(wanted, material.graph, bearing.snapshot_id, material.gains)
    frame = replace(_framed(session, material, bearing, told), raised=raised or None)
    room = wanted.limit - size_of(frame) - _SLACK_TOKENS
    threshold = packet_record.threshold_lines(session)
    packed = material.packed(max(0, room), threshold)
    packet = replace(frame, files=packed.rows, coverage=_coverage(session, material, packed))
    packet = _within(packet, wanted.limit)
    packet = replace(packet, receipt=packet_record.receipt(told, packet))
    if wanted.detail == DIAGNOSTIC:
        packet = replace(packet, candidates=_candidates(material, packet))
    return packet


def _framed(session: Session, material: Material, bearing: Bearing, told: packet_record.Told) -> Packet:
    """All but the files, with the longest coverage that there may be."""
    widest = Packed((), 0, 1, 1)
    packet = Packet(
        packet_id=told.packet_id,
        files=(),
        coverage=_coverage(session, material, widest, is_widest=True),
        rules=bearing.rules,
        knowledge=bearing.knowledge,
        budget=Spent(material.wanted.limit, material.wanted.limit),
        receipt="",
        mode=material.wanted.mode,
        notices=() if material.wanted.limit < _LEAN_TOKENS else material.graph.notices,
    )
    return replace(packet, receipt=packet_record.receipt(told, packet))


def size_of(packet: Packet) -> int:
    """Tokens in the larger of two forms: JSON with indentation, or text with the structure beside it; erring high.

    The candidates of a diagnosis are beside the budget.
    """
    bare = replace(packet, candidates=None)
    whole = plain(bare)
    indented = estimate(json.dumps(whole, ensure_ascii=False, indent=2))
    texts = "\n\n".join([row.text or "" for row in packet.files] + [row.content or "" for row in packet.rules])
    rows = replace(
        bare,
        files=tuple(replace(row, text=None) for row in packet.files),
        rules=tuple(replace(row, content=None) for row in packet.rules),
    )
    compact = estimate(canonical(plain(rows)).decode("utf-8", "surrogatepass"))
    # Beside its text the reading form names each file, rule and part of the task once more.
    heads = "\n".join(f"{row.path} [{row.tier}, score {row.score}]" for row in packet.files)
    said = canonical(plain([packet.coverage, packet.knowledge, packet.notices, packet.raised])).decode(
        "utf-8", "ignore"
    )
    spoken = estimate(f"{heads}\n{said}\n{texts}") + sum(packet_known.tokens_of(row) // 3 for row in packet.rules)
    return max(indented, compact + spoken + _ROOT_TOKENS)


def _within(packet: Packet, limit: int) -> Packet:
    """Counts once more as a whole; what the sums missed costs the last rows."""
    used = size_of(packet)
    files = packet.files
    while used > limit and files:
        files = files[:-1] if files[-1].tier == PATH else _shrunk(files)
        packet = replace(packet, files=files)
        used = size_of(packet)
    return replace(packet, budget=Spent(limit, used))


def _shrunk(files: tuple[PacketFile, ...]) -> tuple[PacketFile, ...]:
    last = max(number for number, row in enumerate(files) if row.tier != PATH)
    bare = PacketFile(files[last].path, files[last].score, PATH, 0)
    return (*files[:last], bare, *files[last + 1 :])


def _coverage(session: Session, material: Material, packed: Packed, *, is_widest: bool = False) -> Coverage:
    wanted, seeded = material.wanted, material.seeded
    shown = [row.path for row in packed.rows] or [each.path for each in material.candidates]
    parts = coverage.clusters(material.ground, material.task, seeded, shown)
    judged = Judged(parts, is_widest or _is_cut(material, packed))
    claim = coverage.claim(judged, seeded, has_files=bool(material.candidates))
    asked = [*_searches(session, coverage.gaps(judged, seeded)), *_wider(session, material, judged)]
    detail = POINTER if wanted.limit < _LEAN_TOKENS else wanted.detail
    most = _MISSING_MOST[detail]
    told = tuple(
        replace(part, text=part.text[: _TEXT_MOST[detail]], missing=part.missing[:most])
        for part in parts[: _CLUSTERS_MOST[detail]]
    )
    return Coverage(claim, told, tuple(asked[: _NEXT_MOST[detail]]))


def _is_cut(material: Material, packed: Packed) -> bool:
    """Whether something that the task leads to is only a path, or not there."""
    tiers = {row.path: row.tier for row in packed.rows}
    wanted = [each for each in material.candidates if each.kind == SEED or each.score >= _NEAR_BEST]
    closed = [each for each in wanted if tiers.get(each.path, PATH) == PATH]
    return material.graph.state == PARTIAL or any(material.source(each.path).facts.symbols for each in closed)


def _searches(session: Session, gaps: Sequence[str]) -> list[str]:
    found = []
    for word in gaps:
        bare = " ".join(word.replace('"', "").split())
        # Tasks are often somebody else's text, and a command is there to be copied.
        command = f"git grep -n -i -e {quote(bare)}"
        found.append(session.word(command, f'grep for "{bare}", or find_symbols {bare}'))
    return found


def _wider(session: Session, material: Material, judged: Judged) -> list[str]:
    if not judged.is_cut:
        return []
    first = material.candidates[0].path if material.candidates else ""
    outline = session.word(f"gitmem outline {quote(first)}", f"file_outline {first}") if first else ""
    mode = session.word("--mode max_quality", "mode max_quality")
    more = f"ask again with {mode}" if material.wanted.mode != MAX_QUALITY else ""
    return [each for each in (more, outline) if each]


def _candidates(material: Material, packet: Packet) -> tuple[CandidateRow, ...]:
    stages = {row.path: row.tier for row in packet.files}
    why = packet_record.reasons(material)
    return tuple(
        CandidateRow(row.path, row.score, why.get(row.path, "ranked"), stages.get(row.path, "not listed"), row.parts)
        for row in material.ranked[:CANDIDATES_MOST]
    )
