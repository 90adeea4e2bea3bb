"""Items as deep as they were disclosed, with what was asked for beside them. Refuses to leave a warning out."""

from __future__ import annotations

from collections.abc import Iterator

from gitmem.model.plain import plain
from gitmem.render.notices import notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.answers.getting import Got
    from gitmem.model.disclosed import Ancestry, Item, Line, Lineage, Meta
    from gitmem.model.edge import SynapseRow
    from gitmem.model.plain import Plain

_SHOWN_CHARS = 10


def got(result: Got) -> str:
    parts = [_item(item) for item in result.items]
    return "\n\n".join([*parts, *notes("warning", result.warnings), *notes("notice", result.notices)])


def lineage(result: Lineage) -> str:
    return "\n".join([*_lineage(result), *notes("warning", result.warnings)])


def _item(item: Item) -> str:
    lines = [f"## {item.title}", f"({item.kind}, {item.slug}, {item.id}, {item.status or 'tier ' + (item.tier or '')})"]
    if item.visibility:
        lines.append(f"{item.visibility}: in this clone alone")
    if item.superseded_by:
        lines.append(f"superseded by {', '.join(item.superseded_by)}")
    if item.tags:
        lines.append(f"tags: {', '.join(item.tags)}")
    if item.content is not None:
        lines += ["", item.content.rstrip()]
    elif item.summary is not None:
        lines += ["", item.summary]
    if item.meta is not None:
        lines += ["", *_meta(item.meta)]
    if item.synapses is not None:
        lines += ["", *(_edge(item, row) for row in item.synapses)] if item.synapses else ["", "no edges"]
    if item.lineage is not None:
        lines += ["", *_lineage(item.lineage)]
    if item.lines is not None:
        lines += ["", *map(line, item.lines)]
    return "\n".join(lines)


def _meta(meta: Meta) -> Iterator[str]:
    """A key a line; what is empty is left out."""
    row = plain(meta)
    assert isinstance(row, dict)
    for name, value in row.items():
        if value not in ("", [], {}):
            yield f"{name}: {_value(value)}"


def _value(value: Plain) -> str:
    if isinstance(value, list):
        return ", ".join(map(_value, value))
    if isinstance(value, dict):
        return "; ".join(f"{name} {_value(each)}" for name, each in value.items() if each not in ("", [], {}))
    return f"{value:g}" if isinstance(value, float) else str(value)


def _edge(item: Item, row: SynapseRow) -> str:
    """The item itself as ``this``; of the other end the slug too, where it is said."""
    start, end = ("this" if each == item.id else each for each in (row.from_, row.to))
    far = f" ({row.far})" if row.far else ""
    return f"{'  ' * (row.depth - 1)}- {start} {row.kind} {end}{far}, weight {row.weight:g} [{row.id}]"


def _lineage(found: Lineage) -> list[str]:
    """From the oldest to the newest; what comes before is indented less."""
    first = min((node.depth for node in found.nodes), default=0)
    lines = [f"{'  ' * (node.depth - first)}{_node(node, found)}" for node in found.nodes]
    names = {node.id: node.slug or node.id for node in found.nodes}
    lines += [f"- {names.get(row.from_, row.from_)} {row.kind} {names.get(row.to, row.to)}" for row in found.edges]
    if found.has_cycle:
        lines.append(f"a circle: {', '.join(names.get(each, each) for each in found.cycle)}")
    if found.is_cut:
        lines.append(f"there is more than {found.depth} steps or {len(found.nodes)} items; ask for one of these")
    return lines


def _node(node: Ancestry, found: Lineage) -> str:
    mark = " (this)" if node.id == found.item else ""
    end = " origin" if node.id in found.origins else " terminal" if node.id in found.terminals else ""
    told = ", ".join(filter(None, (node.title, node.kind, node.status)))
    return f"{node.slug or node.id}{mark}: {told}{end}"


def line(row: Line) -> str:
    return f"{row.line:4} {row.commit[:_SHOWN_CHARS]} {row.author}: {row.text}"
