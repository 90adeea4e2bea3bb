"""The journal and its proofs as a reader sees them. Refuses texts of rules."""

from __future__ import annotations

from collections.abc import Mapping

from gitmem.render.checked import in_a_line, readable
from gitmem.render.notices import notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.answers.audit import Audited, Occurrence, Shown
    from gitmem.answers.trailer import Proofs, Trailer
    from gitmem.model.event import Entry
    from gitmem.model.plain import Plain
    from gitmem.model.proof import Proof

_CHARS = 100
_WAYS = ("inline", "deferred", "omitted")


def shown(result: Shown) -> str:
    lines = [_line(entry) for entry in result.events] or ["nothing on record that fits"]
    lines += [f"{len(result.events)} of {result.total}; more: --cursor {result.next}"] if result.next else []
    return readable("\n".join([*lines, *notes("warning", result.warnings)]))


def _line(entry: Entry) -> str:
    by = f" by {entry.agent}" if entry.agent else ""
    return in_a_line(f"{entry.at}  {entry.id}  {entry.kind}{by}  {_told(entry.data)}".rstrip())


def _told(data: Mapping[str, Plain]) -> str:
    """What an event is about in some words: its first telling field."""
    error = data.get("error")
    if isinstance(error, dict):
        return f"failed: {error.get('message')}"[:_CHARS]
    if "tool" in data:
        found = len(items) if isinstance(items := data.get("items"), list) else 0
        return f"{data['tool']} {data.get('query', '')!r}: {found} item(s)"[:_CHARS]
    for name in ("event_type", "compile", "verdict", "action", "item", "outcome"):
        if name in data:
            return " ".join([f"{name} {data[name]}", _files(data)]).strip()[:_CHARS]
    return _files(data)[:_CHARS]


def _files(data: Mapping[str, Plain]) -> str:
    files = data.get("files") or data.get("target_files") or data.get("changed_files")
    return ", ".join(str(each) for each in files) if isinstance(files, list) else ""


def audited(result: Audited) -> str:
    data = result.compile
    lines = [f"compile: {data.get('compile', '(it failed)')}", f"asked: {_asked(result.request)}"]
    error = data.get("error")
    lines += [f"failed: {error.get('message')} [{error.get('code')}]"] if isinstance(error, dict) else []
    lines += [f"commit: {data['commit']}"] if data.get("commit") else []
    lines += _delivered(result)
    lines += [f"budget: {_pairs(data['budget'])}"] if isinstance(data.get("budget"), dict) else []
    lines += [f"{name}: {', '.join(map(str, rows))}" for name in ("warnings", "notices") if (rows := _list(data, name))]
    lines += [f"layers: {_pairs(result.layers)}"] if result.layers else []
    lines += [
        f"near miss: {miss.slug} ({miss.pattern}) for {miss.file}: {miss.reason}" for miss in result.near_misses or ()
    ]
    lines += map(_occurrence, result.occurrences)
    lines += (
        [f"and {result.total - len(result.occurrences)} more times"] if result.total > len(result.occurrences) else []
    )
    lines += [f"receipt: {result.receipt}"] if result.receipt else []
    return readable("\n".join([*lines, *notes("warning", result.warnings)]))


def _occurrence(each: Occurrence) -> str:
    who = f" by {each.agent}" if each.agent else ""
    taken = "" if each.ms is None else f", {each.ms} ms"
    return f"asked at {each.at}{who} ({each.event}{taken})"


def _delivered(result: Audited) -> list[str]:
    items = result.compile.get("items")
    if not isinstance(items, dict):
        return []
    rows = [(way, items.get(way)) for way in _WAYS]
    return [
        f"{way}: {result.items.get(str(id_), '')} {id_}".replace(":  ", ": ")
        for way, ids in rows
        if isinstance(ids, list)
        for id_ in ids
    ]


def _asked(request: Mapping[str, Plain]) -> str:
    return _pairs(request) or "nothing that is on record"


def _pairs(row: object) -> str:
    if not isinstance(row, Mapping):
        return ""
    return ", ".join(
        f"{name} {', '.join(map(str, value)) if isinstance(value, list) else value}" for name, value in row.items()
    )


def _list(data: Mapping[str, Plain], name: str) -> list[Plain]:
    value = data.get(name)
    return value if isinstance(value, list) else []


def proved(result: Proof) -> str:
    lines = [f"{result.verdict}: compile {result.compile_id}"]
    lines += [f"  {each}" for each in result.what]
    lines += [f"recomputed at {result.commit}"] if result.commit else []
    lines += [f"not compared: {', '.join(result.unverified)}"] if result.unverified else []
    lines += [f"hint: {result.hint}"] if result.hint else []
    return "\n".join(lines)


def all_proved(result: Proofs) -> str:
    return "\n".join([f"commit {result.commit}", *map(proved, result.proofs)])


def trailer(result: Trailer) -> str:
    return result.trailer
