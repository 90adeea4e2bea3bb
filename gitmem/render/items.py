"""Items in full, lists, overviews and histories as a reader sees them. Refuses to leave a warning out."""

from __future__ import annotations

from collections.abc import Mapping

from gitmem.render.checked import in_a_line
from gitmem.render.notices import notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.answers.items import Shown
    from gitmem.answers.listing import Listed
    from gitmem.answers.overview import Domain, Overview, Status
    from gitmem.answers.why import Decision, Why
    from gitmem.model.project import Project


def shown(result: Shown) -> str:
    head = f"# {result.source_path}" + (f" at {result.commit[:12]}" if result.commit else "")
    blocks = [*notes("warning", result.warnings), *notes("notice", result.notices)]
    return "\n\n".join([head, result.text.rstrip(), *blocks])


def listed(result: Listed) -> str:
    rows = [f"{row.id}  {row.kind.ljust(11)}  {row.slug}  {row.title}{_mark(row.visibility)}" for row in result.items]
    more = [f"{len(result.items)} of {result.total}; more: --cursor {result.next}"] if result.next else []
    return "\n".join([*rows, *more, *notes("warning", result.warnings)])


def _mark(visibility: str | None) -> str:
    return f"  ({visibility})" if visibility else ""


def overview(result: Overview) -> str:
    lines = [
        f"{result.items} item(s), {result.rules} of them rules",
        f"({result.knowledge_version}, snapshot {result.snapshot_id[:12]})",
    ]
    lines += [f"  {'  ' * row.name.count('/')}{row.name}: {_counted(row)}" for row in result.domains]
    for title, counts in (("kinds", result.kinds), ("statuses", result.statuses), ("tags", result.tags)):
        if counts:
            lines.append(f"{title}: " + ", ".join(f"{name} {count}" for name, count in counts.items()))
    if result.edges:
        lines.append("edges: " + ", ".join(f"{name} {count}" for name, count in result.edges.items()))
    if result.catalogue:
        lines.append(
            "intent tags: " + ", ".join(f"{tag} ({text})" if text else tag for tag, text in result.catalogue.items())
        )
    if result.layers:
        lines.append("layers: " + ", ".join(result.layers))
    lines += [f"{row.id}: {row.description}" for row in result.skills or ()]
    lines += _waiting(result.proposals or {})
    lines += _lately(result)
    if result.unmirrored:
        lines.append(f"{result.unmirrored} document(s) that no engram is from; see gitmem analyze FILE")
    if result.problems:
        lines.append(f"{result.problems} problem(s): see gitmem check")
    lines += _project(result.project) if result.project else []
    return "\n".join([*lines, *notes("warning", result.warnings), *notes("notice", result.notices or ())])


def _project(found: Project) -> list[str]:
    """A line for each part that there is anything of."""
    stated = {each.name: each for each in reversed(found.facts)}
    named = [stated[name].value for name in ("title", "version", "description") if name in stated]
    counts = ", ".join(f"{count} {name}" for name, count in found.counts.items())
    parts = {
        "languages": [f"{name} {count}" for name, count in found.languages.items()],
        "packages": [f"{each.path} ({each.files})" for each in found.packages],
        "begins at": [f"{each.path}{' ' + each.name if each.name else ''} ({each.how})" for each in found.entry_points],
        f"changed most in {found.commits} commits": [f"{each.path} ({each.commits})" for each in found.hotspots],
    }
    lines = [in_a_line(f"project: {', '.join(named)}")] if named else []
    lines += [f"code: {counts}"]
    return lines + [in_a_line(f"{name}: {', '.join(rows)}") for name, rows in parts.items() if rows]


def _counted(row: Domain) -> str:
    return f"{row.count}" if row.live == row.count else f"{row.count}, {row.live} in force"


def _lately(result: Overview) -> list[str]:
    """What the journal tells."""
    reports = ", ".join(f"{count} {name}" for name, count in (result.observations or {}).items() if name != "total")
    places = ", ".join(f"{folder} {count}" for folder, count in (result.compiles or {}).items())
    lines = [f"open observations: {reports}; see gitmem observations list"] if reports else []
    lines += [f"compiles in the last week: {places}"] if places else []
    unsure = ", ".join(f"{each.tag} ({each.confidence:.2f})" for each in result.unsure or ())
    lines += [f"asked for, and little is sure: {unsure}"] if unsure else []
    lines += [f"asked for, and nothing found: {each.query}" for each in result.missed or ()]
    return lines + ([f"latest snapshot: {result.latest_snapshot}"] if result.latest_snapshot else [])


def status(result: Status) -> str:
    lines = [
        f"trust: {result.trust} ({result.trust_source})",
        f"commit: {result.commit or 'none'}",
        f"knowledge: {result.items} item(s), {result.knowledge_version}, snapshot {result.snapshot_id[:12]}",
    ]
    if result.trust == "head":
        lines.append("whoever can commit here decides what is canonical, an agent with a shell too")
    if result.uncommitted:
        lines.append(f"{len(result.uncommitted)} uncommitted edit(s), not served:")
        lines += [f"  {path}" for path in result.uncommitted]
    lines += _waiting(result.proposals)
    blocks = notes("problem", result.problems) + notes("warning", result.warnings) + notes("notice", result.notices)
    return "\n".join([*lines, *blocks])


def _waiting(counts: Mapping[str, int]) -> list[str]:
    rows = ", ".join(f"{count} {name}" for name, count in counts.items() if name != "total")
    return [f"proposals that wait: {rows}; see gitmem proposals list"] if rows else []


def why(result: Why) -> str:
    lines = [f"# {result.source_path} ({result.item})", f"created: {result.created}"]
    for each in result.decisions:
        lines.append(f"- {each.at} {each.commit[:12]} {each.proposed_by}: {each.subject}")
        lines += [f"  {line}" for line in _grounds(each)]
    lines += [f"{row.line:4} {row.commit[:10]} {row.author}: {row.text}" for row in result.lines]
    return "\n".join([*lines, *notes("warning", result.warnings)])


def _grounds(each: Decision) -> list[str]:
    """What is on record about a decision, one thing a line; nothing about a commit by hand."""
    if not each.ledger:
        return []
    lines = [f"{each.kind} {each.ledger}, " + (f"approved by {each.approved_by}" if each.approved_by else "merged")]
    lines += [f"takes back {each.reverts}"] if each.reverts else []
    lines += [f"because: {' '.join(each.rationale.split())}"] if each.rationale else []
    return lines + ([f"evidence: {', '.join(each.evidence)}"] if each.evidence else [])
