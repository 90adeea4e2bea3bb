"""A packet, a fold and an outline as a reader sees them. Refuses to leave out what the packet does not cover."""

from __future__ import annotations

from gitmem.model.compiled import Document
from gitmem.model.packet import PATH, CandidateRow, Coverage, Expanded, Outlined, Packet, PacketFile
from gitmem.render.checked import in_a_line
from gitmem.render.notices import notes


def text(result: Packet) -> str:
    parts = [_head(result), *([result.raised] if result.raised else [])]
    parts += [_file(row) for row in result.files if row.tier != PATH]
    bare = [in_a_line(f"- {row.path}") for row in result.files if row.tier == PATH]
    parts += ["\n".join(["Further files, best first", *bare])] if bare else []
    parts += [_rule(row) for row in result.rules]
    known = [in_a_line(f"- {row.title} ({row.kind}, {row.slug})") for row in result.knowledge]
    parts += ["\n".join(["Memory", *known])] if known else []
    parts.append(_coverage(result.coverage))
    if result.candidates is not None:
        parts.append("\n".join(["Ranking", *map(_candidate, result.candidates)]))
    parts += notes("notice", result.notices)
    return "\n\n".join(part for part in parts if part)


def _head(result: Packet) -> str:
    opened = sum(row.tier != PATH for row in result.files)
    spent = f"{result.budget.used} of {result.budget.limit} tokens"
    return f"# packet {result.packet_id}: {opened} of {len(result.files)} files shown, {result.mode}, {spent}"


def _file(row: PacketFile) -> str:
    return f"{in_a_line(row.path)} [{row.tier}, score {row.score}]\n{(row.text or '').rstrip()}"


def _rule(row: Document) -> str:
    head = f"## {row.title} ({row.kind}, {row.slug})"
    return f"{head}\n{row.content.rstrip()}" if row.content is not None else f"{head}\n{row.read or ''}".rstrip()


def _coverage(found: Coverage) -> str:
    rows = [f"Coverage: {found.claim}"]
    for part in found.clusters:
        lacking = f"; not found: {', '.join(part.missing)}" if part.missing else ""
        rows.append(in_a_line(f"- {part.state}: {part.text}{lacking}"))
    return "\n".join([*rows, *(in_a_line(f"next: {each}") for each in found.next)])


def _candidate(row: CandidateRow) -> str:
    parts = ", ".join(f"{name} {value}" for name, value in row.parts.items())
    return in_a_line(f"- {row.path} {row.score} ({row.why}; {row.stage}): {parts}")


def expanded(result: Expanded) -> str:
    return result.text


def outlined(result: Outlined) -> str:
    return "\n\n".join([f"{in_a_line(result.path)}\n{result.text.rstrip()}", *notes("notice", result.notices)])
