"""A result as a tool's answer: text with bodies, structure without, both bounded. Refuses to hide what is left out."""

from collections.abc import Iterator

from gitmem.errors import GitmemError
from gitmem.model.plain import Plain, canonical
from gitmem.record import record

TEXT_MAX_BYTES = 100_000
STRUCTURE_MAX_BYTES = 60_000
# What only the text part has, by its name, and the fields of which the record that owns it has one.
BODIES = {"content": ("id",), "diff": ("proposal",), "text": ("tier", "fold_id", "folds")}
_ROWS_KEPT = 10
# A mapping above this size is a table of counts or the like, and not a record with fields.
_RECORD_FIELDS = 20
_TEXT_KEPT_CHARS = 2000

Record = dict[str, Plain]


@record
class Answer:
    text: str
    structure: Record
    is_error: bool = False


def success(text: str, structure: Plain, root: str) -> Answer:
    """``root`` is the repository that was read; an answer whose shape has no environment of its own gets one."""
    found = _record(structure)
    found.setdefault("environment", {"root": root})
    return Answer(_bounded(_whole(text)), _shortened(found))


def failure(err: GitmemError, root: str) -> Answer:
    """What, where, how to mend it; ``root`` says which folder the call was about, '' when there is none."""
    place = f"{err.place}: " if err.place else ""
    hint = f"\nhint: {err.hint}" if err.hint else ""
    row: Record = {"code": err.code, "message": err.message, "place": err.place, "hint": err.hint}
    structure: Record = {"error": row}
    if root:
        structure["environment"] = {"root": root}
    return Answer(
        _bounded(_whole(f"error: {place}{err.message} [{err.code}]{hint}")), _record(structure), is_error=True
    )


def _without_bodies(value: Plain) -> Plain:
    """Without null, for which schemas have no type, and without texts that the text part of the answer has."""
    if isinstance(value, list):
        return [_without_bodies(each) for each in value]
    if isinstance(value, dict):
        kept = {k: v for k, v in value.items() if v is not None and not _is_body(k, v, value)}
        return {_whole(k): _without_bodies(v) for k, v in kept.items()}
    return _whole(value) if isinstance(value, str) else value


def _is_body(name: str, value: Plain, owner: Record) -> bool:
    """An item has an id; a table of counts has no texts."""
    return name in BODIES and any(field in owner for field in BODIES[name]) and isinstance(value, str)


def _record(value: Plain) -> Record:
    found = _without_bodies(value)
    assert isinstance(found, dict)
    return found


def _whole(text: str) -> str:
    """Half characters, as file names may hold them, become visible escapes: UTF-8 has no other form for them."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def _bounded(text: str) -> str:
    """At most ``TEXT_MAX_BYTES``, cut at the end of a line, with a last line that says how much is missing."""
    data = text.encode("utf-8")
    if len(data) <= TEXT_MAX_BYTES:
        return text
    cut = max(data.rfind(b"\n", 0, TEXT_MAX_BYTES), 0) or TEXT_MAX_BYTES
    kept = data[:cut].decode("utf-8", "ignore")
    left = len(data) - len(kept.encode("utf-8"))
    return f"{kept}\n\n[left out: {left} of {len(data)} bytes; ask for fewer files or items, or set a smaller budget]"


def _shortened(value: Record) -> Record:
    """At most ``STRUCTURE_MAX_BYTES``: the longest tables lose their ends, and ``omitted`` counts what went."""
    omitted: Record = {}
    while len(canonical(value)) > STRUCTURE_MAX_BYTES:
        place, rows = max(_tables("", value), key=lambda found: len(canonical(found[1])), default=("", []))
        if not place:
            omitted["texts"] = _cut_texts(value)
            break
        keep = len(rows) // 2 if len(rows) > _ROWS_KEPT else 0
        before = omitted.get(place, 0)
        assert isinstance(before, int)
        omitted[place] = before + len(rows) - keep
        _cut(rows, keep)
    return value | {"omitted": omitted} if omitted else value


def _cut_texts(value: Record) -> int:
    """Cuts long texts of what is no table; how many."""
    found = 0
    for name, each in value.items():
        if isinstance(each, dict):
            found += _cut_texts(each)
        elif isinstance(each, str) and len(each) > _TEXT_KEPT_CHARS:
            value[name] = f"{each[:_TEXT_KEPT_CHARS]}..."
            found += 1
    return found


def _tables(place: str, value: Plain) -> Iterator[tuple[str, list[Plain] | Record]]:
    if isinstance(value, list) or (isinstance(value, dict) and len(value) > _RECORD_FIELDS):
        if value and place:
            yield place, value
    elif isinstance(value, dict):
        for name, each in value.items():
            yield from _tables(f"{place}.{name}".lstrip("."), each)


def _cut(rows: list[Plain] | Record, keep: int) -> None:
    if isinstance(rows, list):
        del rows[keep:]
    else:
        for name in list(rows)[keep:]:
            del rows[name]
