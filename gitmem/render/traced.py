"""Who calls what, for readers. Refuses to leave out that a list is cut."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.model.plain import plain
from gitmem.model.traced import Step, Trace, TraceHop
from gitmem.render.checked import in_a_line
from gitmem.render.notices import first_notes


def text(result: Trace) -> str:
    lines = _head(result)
    if result.paths is not None:
        lines += _ways(result)
    else:
        lines += _section("Callers", result.callers)
        lines += _section("Callees", result.callees)
        lines += _listed("Imports", result.dependencies)
        lines += _listed(
            "Not resolved",
            [
                f"{f'{each.receiver}.' if each.receiver else ''}{each.name} at line {each.line}: {each.reason}"
                for each in result.unresolved
            ],
        )
    cut = plain(result.cut) if result.cut else {}
    told = (
        ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in cut.items()) if isinstance(cut, dict) else ""
    )
    lines += [f"left out: {told}"] if told else []
    return "\n".join([*map(in_a_line, lines), *first_notes("notice", result.notices)])


def _head(result: Trace) -> list[str]:
    origin = result.origin
    lines = [f"{origin.kind} {origin.id}:{origin.line}"] if origin else []
    if not result.origin_reliable and result.origin:
        lines.append("this is a guess: no single definition has that name")
    lines += _listed("It may also be", result.others or ())
    lines += _listed("From which of these?", result.ambiguous_from or ())
    lines += _listed("To which of these?", result.ambiguous_to or ())
    return lines


def _ways(result: Trace) -> list[str]:
    if result.ambiguous_from or result.ambiguous_to:
        return []
    if result.depth is None:
        return ["no way leads there over calls that are known"]
    lines = [f"{len(result.paths or ())} shortest ways, {result.depth} calls each"]
    for way in result.paths or ():
        lines += ["", *map(_call, way)]
    return lines


def _call(step: Step) -> str:
    return f"{step.source} line {', '.join(map(str, step.sites))} calls {step.target} ({step.confidence})"


def _section(title: str, hops: Sequence[TraceHop]) -> list[str]:
    return _listed(title, [_hop(hop) for hop in hops])


def _hop(hop: TraceHop) -> str:
    via = f" via {hop.via.rpartition('::')[2]}" if hop.via else ""
    others = f", or {', '.join(hop.candidates)}" if hop.candidates else ""
    sites = ", ".join(map(str, hop.sites))
    return f"{hop.depth} {hop.id}:{hop.line} {hop.edge} at {sites}{via} ({hop.confidence}, {hop.rule}){others}"


def _listed(title: str, rows: Sequence[str]) -> list[str]:
    return [f"{title} ({len(rows)})", *(f"- {row}" for row in rows)] if rows else []
