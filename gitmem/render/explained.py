"""Reasons as a reader sees them. Refuses to shorten them."""

from gitmem.answers.explain import Explained, Layers, WhyNot
from gitmem.model.compiled import Explanation
from gitmem.model.experienced import Behind, Day, ItemExplained, Moved
from gitmem.model.packet import PacketExplained
from gitmem.record import replace
from gitmem.render import compiled
from gitmem.render.checked import in_a_line, readable
from gitmem.render.notices import notes
from gitmem.render.truth import truth_lines


def text(result: Explained) -> str:
    if result.experience is not None:
        return item(result.experience)
    if result.packet is not None:
        return packet(result.packet)
    assert result.compile is not None
    found = Explanation(result.near_misses, result.layers, result.dropped, result.budget)
    whole = compiled.text(replace(result.compile, explain=found))
    return "\n\n".join([*(why_not(row) for row in result.why_not), whole])


def packet(result: PacketExplained) -> str:
    spent = f"{result.budget.used} of {result.budget.limit} tokens"
    lines = [f"packet {result.packet_id}: {result.claim}, {result.mode}, {spent}"]
    lines += [f"told at {result.when}"] if result.when else []
    lines += [f"made again: {result.recomputed}"] if result.recomputed else []
    lines += [f"- seed {row.path} by {row.by}: {row.named}" for row in result.seeds]
    lines += [f"- {row.path}: {row.tier}, {row.tokens} tokens" for row in result.tiers]
    lines.append(f"The ranking, {len(result.candidates)} of {result.total}:")
    for row in result.candidates:
        parts = ", ".join(f"{name} {value}" for name, value in row.parts.items())
        lines.append(f"- {row.path} {row.score} ({row.why}; {row.stage}): {parts}")
    lines += [f"- learned of {path}: {weight:+.3f}" for path, weight in (result.weights or {}).items()]
    lines += [
        f"- {row.at[:10]} it {row.outcome}: {row.path} {row.before:+.3f} -> {row.after:+.3f}"
        for row in result.feedback or ()
    ]
    return "\n".join(map(in_a_line, lines))


def why_not(result: WhyNot) -> str:
    lines = [f"{result.slug} ({result.item}) for {result.file}: {result.first_reason}"]
    lines += [f"- {reason.code}: {reason.message}" for reason in result.reasons]
    return "\n".join([*lines, *notes("warning", result.warnings)])


def layers(result: Layers) -> str:
    rows = [f"{file}: {layer or 'none'}" for file, layer in result.files.items()]
    rows = rows or [f"{pattern}: {layer}" for pattern, layer in result.rows]
    return "\n".join([*(rows or ["no layers are defined"]), *notes("warning", result.warnings)])


def item(result: ItemExplained) -> str:
    about, stated, now, outlook = result.item, result.stated, result.now, result.outlook
    age = f"{outlook.age_days:.0f} day(s) since {outlook.since}" if outlook.since else "no date is known"
    lines = [
        f"{about.slug} ({about.id}), {about.kind}, {about.verification}",
        f"importance {_moved(Moved(stated.importance, now.importance))} ({outlook.importance})",
        f"confidence {_moved(Moved(stated.confidence, now.confidence))} ({outlook.confidence})",
        f"strength {now.strength:.3f}; found {now.hits} time(s), helped {now.helped}, misled {now.misled}",
        f"{outlook.freshness}: {age}, half-life {outlook.half_life_days:.0f} days",
    ]
    lines += truth_lines(result.truth)
    lines += [f"lent by {each.slug}: {each.delta:+.3f}" for each in result.lent]
    lines += [_day(each) for each in result.days]
    lines += [_behind(each) for each in result.events]
    if outlook.advice:
        lines.append(f"so many failures speak for: gitmem propose {outlook.advice} {about.id}")
    return readable("\n".join([*lines, *notes("warning", result.warnings)]))


def _moved(found: Moved) -> str:
    return f"{found.before:.3f} -> {found.after:.3f}"


def _day(found: Day) -> str:
    counts = ", ".join(f"{name} {count}" for name, count in found.counts.items())
    return f"{found.day}  {counts}: importance {_moved(found.importance)}, confidence {_moved(found.confidence)}"


def _behind(found: Behind) -> str:
    said = "; ".join(f"{name} {value}" for name, value in found.data.items())
    return in_a_line("  ".join(part for part in (found.at, found.outcome, found.by, said, found.event) if part))
