"""Figures about the knowledge as a reader sees them. Refuses to leave out that a list is cut."""

from __future__ import annotations

from gitmem.render.checked import in_a_line
from gitmem.render.notices import first_notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.answers.coverage import Coverage
    from gitmem.answers.delivered import Deliveries
    from gitmem.answers.effectiveness import Effectiveness, ItemRow, KindRow
    from gitmem.answers.packet_stats import PacketStats
    from gitmem.answers.stats import Stats

_SHOWN = 20


def text(result: Stats) -> str:
    lines = _coverage(result.coverage) if result.coverage else []
    lines += _delivery(result.delivery) if result.delivery else []
    lines += _effectiveness(result.effectiveness) if result.effectiveness else []
    lines += _packets(result.packets) if result.packets else []
    return "\n".join([*lines, *first_notes("warning", result.warnings)])


def _coverage(found: Coverage) -> list[str]:
    churned = [f"  {row.path}: {row.commits} commit(s)" for row in found.churned]
    stranded = [f"  {row.slug}: {', '.join(row.places)}" for row in found.stranded]
    life = f"{found.half_life_commits} commits to their files" if found.half_life_commits else "not known yet"
    return [
        f"{found.covered} of {found.files} file(s) are in the scope or a claim of an item",
        f"busy files that no item is about, in the newest {found.commits} commit(s): {found.churned_total}",
        *_cut(churned, found.churned_total),
        f"items on dead paths: {found.stranded_total}",
        *_cut(stranded, found.stranded_total),
        f"half of the items were changed after: {life}",
    ]


def _delivery(found: Deliveries) -> list[str]:
    rows = [f"  {row.slug} ({row.kind}, importance {row.importance:g})" for row in found.never_delivered]
    return [
        f"{found.delivered} of {found.items} item(s) reached somebody, in {found.compiles} compile(s) and "
        f"{found.searches} search(es) on record",
        f"never delivered: {found.never_total}",
        *_cut(rows, found.never_total),
    ]


def _effectiveness(found: Effectiveness) -> list[str]:
    kinds = [f"  {row.kind}: {_rate(row.rate)} ({_ends(row)})" for row in found.kinds]
    worst = [f"  {row.slug}: {_rate(row.rate)} ({_ends(row)})" for row in found.worst]
    return [
        f"items that were of use or not: {found.total}",
        *map(in_a_line, kinds),
        *([f"least effective: {len(found.worst)}", *map(in_a_line, worst)] if worst else []),
    ]


def _packets(found: PacketStats) -> list[str]:
    modes = ", ".join(f"{mode} {count}" for mode, count in found.modes.items())
    lines = [f"packets given: {found.packets}" + (f" ({modes})" if modes else "")]
    if not (found.packets or found.expansions or found.lessons):
        return lines
    lines += [
        f"  raised by the quality gate {found.raised}, with a connector flow {found.flows}, "
        f"with what feedback taught {found.learned}",
        f"folds opened: {found.expansions}, of which {found.hits} were held ready ({found.made_ready} blobs were)",
        f"feedback on packets: {found.lessons}",
    ]
    rows = [
        f"  {row.path}: {row.weight:+.3f}" + f" for tasks that {row.context}" * bool(row.context)
        for row in found.weights
    ]
    return [*lines, *map(in_a_line, rows)]


def _rate(rate: float | None) -> str:
    return "too few uses to say" if rate is None else f"{rate:.0%} effective"


def _ends(row: KindRow | ItemRow) -> str:
    ends = f"{row.effective} effective, {row.failed} failed, {row.contradicted} contradicted"
    return f"{ends}, {row.inconclusive} inconclusive"


def _cut(rows: list[str], total: int) -> list[str]:
    more = total - len(rows[:_SHOWN])
    return [*map(in_a_line, rows[:_SHOWN]), *([f"  and {more} more"] if more > 0 else [])]
