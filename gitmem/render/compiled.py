"""A compile as a reader sees it: the rules in full, then what was deferred and why. Refuses to leave a warning out."""

from collections.abc import Mapping

from gitmem import lazy
from gitmem.model.compiled import Compiled, Delivery, Document, Edge, Mark
from gitmem.render.notices import notes

_MARKS = {
    "adds": "not approved yet, so not delivered",
    "changes": "not approved yet, so what is delivered is as it was",
    "retires": "not approved yet, so it is still delivered",
}


def text(result: Compiled) -> str:
    documents = (*result.base.templates, *result.base.documents)
    parts = [_head(result, len(documents) + sum(row.count for row in result.base.more))]
    parts += [_inline(d) for d in (*documents, *result.expanded) if d.delivery is Delivery.INLINE]
    parts += _listed("Not inlined", [d for d in (*documents, *result.expanded) if d.delivery is not Delivery.INLINE])
    if result.base.more:
        parts.append("And more: " + ", ".join(f"{row.count} in {row.domain or '.'}" for row in result.base.more))
    for id_, mark in result.marks.items():
        parts += _branch(id_, mark)
    parts += lazy.load("gitmem.render.claims:marked")(result.marks) if result.marks else []
    # To one whose own rule is waiting, how to write the first one is no help.
    is_begun = any(mark.get("branch") == "adds" for mark in result.marks.values())
    parts += notes("warning", (each for each in result.warnings if not (is_begun and each.code == "empty")))
    parts += notes("notice", result.notices)
    if result.explain is not None:
        parts.append(_explained(result))
    return "\n\n".join(part for part in parts if part)


def _branch(id_: str, mark: Mark) -> list[str]:
    what = str(mark.get("branch", ""))
    return [f"This branch {what} {mark['slug']} ({id_}): {_MARKS[what]}."] if what else []


def _head(result: Compiled, count: int) -> str:
    partial = ", partial" if result.partial else ""
    return f"# {count} rule(s) apply ({result.knowledge_version}, snapshot {result.snapshot_id[:12]}{partial})"


def _inline(document: Document) -> str:
    head = f"## {document.title}\n({document.kind}, {document.slug}, {document.id})"
    return head if document.content is None else f"{head}\n\n{document.content.rstrip()}"


def _listed(title: str, documents: list[Document]) -> list[str]:
    if not documents:
        return []
    return ["\n".join([f"## {title}", *(_line(document) for document in documents)])]


def _line(document: Document) -> str:
    reason = f", {document.omit_reason}" if document.omit_reason else ""
    read = f"\n  {document.read}" if document.read else ""
    return (
        f"- {document.title} ({document.kind}, {document.content_bytes} bytes, {document.delivery.value}{reason}){read}"
    )


def _explained(result: Compiled) -> str:
    assert result.explain is not None
    found = result.explain
    names = {d.id: d.slug for d in (*result.base.documents, *result.base.templates)}
    lines = ["## Why", *(_edge(edge, names) for edge in result.base.resolution_path)]
    lines += [f"- layer of {file}: {layer or 'none'}" for file, layer in found.layers.items()]
    lines += [f"- near miss: {m.slug} {m.pattern} for {m.file}: {m.reason}" for m in found.near_misses]
    lines.append("- budget: " + ", ".join(f"{name} {value}" for name, value in found.budget.items()))
    return "\n".join(lines)


def _edge(edge: Edge, names: Mapping[str, str]) -> str:
    pattern = names.get(edge.pattern, edge.pattern)
    more = f" and {edge.more} more" if edge.more else ""
    return f"- {names.get(edge.item, edge.item)} by {edge.edge} {pattern} {edge.file}".rstrip() + more
