"""The merge of one file's content, three-way and symmetric, by the rules of its kind. Refuses to know trees and refs.

A clean result has no conflict markers, keeps unknown keys and comments, and can be read whenever both sides can.
"""

from gitmem.model.finding import Severity
from gitmem.model.vocabulary import Text
from gitmem.record import record
from gitmem.review.blocks import Block, blocks_of, values_of
from gitmem.review.keys import Part, Three, merge_keys
from gitmem.review.outcome import Clash, Conflicted, Merged, Outcome, Piece, Side, conflicts_of, render, render_side
from gitmem.review.rules import HEADED, RECORDS, RULES, Rules
from gitmem.review.sheets import FENCE, Sheet, Style, fenced, merged_style, plain, unfenced, written
from gitmem.review.texts import is_clean, merge_texts
from gitmem.store.canonical import canonical
from gitmem.store.codec import read_yaml
from gitmem.store.form import Typed
from gitmem.store.layout import Place, place_of
from gitmem.store.parts import conflict_marker
from gitmem.store.schema import engram_from

_HEADER, _BODY, _FILE = "header", "body", "file"


@record
class _Task:
    """One file to merge: ``base`` is None where both sides added it, ``favour`` is whose lines stand in a conflict."""

    rel: str
    place: Place
    base: bytes | None
    ours: bytes
    theirs: bytes
    favour: Side | None


def merge_engram(base: bytes | None, ours: bytes, theirs: bytes, rel: str, favour: Side | None = None) -> Outcome:
    """Merges two versions of one engram, wherever its file lies; ``favour`` settles what is in conflict."""
    return _merged(_Task(rel, Place.ENGRAM, base or None, ours, theirs, favour))


def merge_file(base: bytes | None, ours: bytes, theirs: bytes, rel: str, favour: Side | None = None) -> Outcome:
    """Merges two versions of the file at ``rel``, its path below ``.gitmem``, which says what kind of file it is."""
    return _merged(_Task(rel, place_of(rel), base or None, ours, theirs, favour))


def _merged(task: _Task) -> Outcome:
    if task.base is not None and task.place in RECORDS:
        return _record(task)
    if task.ours == task.theirs or task.base == task.theirs:
        return Merged(task.ours)
    if task.base == task.ours:
        return Merged(task.theirs)
    if task.place in RECORDS:
        return _record(task)
    rules = RULES.get(task.place)
    return (_by_keys(task, rules) if rules else None) or _by_lines(task)


def _record(task: _Task) -> Outcome:
    """What was decided stays as it was decided: every version holds the same or it is a conflict."""
    versions = {canonical(each) for each in (task.base, task.ours, task.theirs) if each is not None}
    if len(versions) == 1:
        return Merged(task.ours if task.ours == task.theirs else versions.pop())
    return _whole_file(task)


@record
class _Header:
    """The header of each version; ``three`` are its blocks, None where they are equal or cannot be told apart."""

    base: str
    ours: str
    theirs: str
    three: Three | None


Sheets = tuple[Sheet | None, Sheet, Sheet]


def _by_keys(task: _Task, rules: Rules) -> Outcome | None:
    """None when one of the versions cannot be read as keys and values."""
    sheets = _sheets(task)
    header = _header(sheets, task.rel) if sheets else None
    if sheets is None or header is None:
        return None
    forced: frozenset[str] = frozenset()
    while True:
        part = _merged_header(header, rules, forced)
        body = _merged_body(sheets, forced)
        pieces = [FENCE, *part.pieces, FENCE, *body] if sheets[1].is_fenced else [*part.pieces]
        if not is_clean(pieces) and task.favour is None:
            return _conflicted(task, sheets, pieces, body)
        text = render_side(pieces, task.favour or Side.OURS)
        data = written(_style(sheets), text)
        fault = _fault(task, data, part.value if is_clean(part.pieces) else None)
        if fault is None:
            return Merged(data)
        if fault in forced:
            return _whole_file(task)
        forced |= {fault}


def _sheets(task: _Task) -> Sheets | None:
    base = None if task.base is None else _taken(task.place, task.base, task.rel)
    ours, theirs = _taken(task.place, task.ours, task.rel), _taken(task.place, task.theirs, task.rel)
    if ours is None or theirs is None or (base is None) != (task.base is None):
        return None
    return base, ours, theirs


def _taken(place: Place, data: bytes, rel: str) -> Sheet | None:
    return fenced(data, rel) if place in HEADED else unfenced(data, rel)


def _style(sheets: Sheets) -> Style:
    base, ours, theirs = sheets
    return merged_style(base.style if base else None, ours.style, theirs.style)


def _header(sheets: Sheets, rel: str) -> _Header | None:
    base, ours, theirs = sheets
    texts = base.header if base else "", ours.header, theirs.header
    if texts[1] == texts[2]:
        return _Header(*texts, None)
    blocks: list[Block | None] = []
    for text in texts:
        typed = read_yaml(text, rel)
        if isinstance(typed, tuple):
            return None
        blocks.append(blocks_of(typed, text))
    return _Header(*texts, Three(*blocks) if None not in blocks else None)


def _merged_header(header: _Header, rules: Rules, forced: frozenset[str]) -> Part:
    if header.ours == header.theirs:
        return Part((header.ours,))
    if header.three is not None and _HEADER not in forced:
        is_one_sided = header.base in (header.ours, header.theirs)
        if not is_one_sided or forced or not _agrees(header.three, rules):
            return merge_keys(header.three, rules, forced)
    elif header.base not in (header.ours, header.theirs) or _HEADER in forced:
        return Part((_clash(_HEADER, header.base, header.ours, header.theirs),))
    return Part((header.theirs if header.base == header.ours else header.ours,))


def _agrees(three: Three, rules: Rules) -> bool:
    """Whether what must be the same on both sides is."""
    ours, theirs = three.ours, three.theirs
    if ours is None or theirs is None or not isinstance(ours.value, dict) or not isinstance(theirs.value, dict):
        return True
    shared = rules.agreed & ours.value.keys() & theirs.value.keys()
    return all(ours.value[name] == theirs.value[name] for name in shared)


def _merged_body(sheets: Sheets, forced: frozenset[str]) -> list[Piece]:
    base, ours, theirs = sheets
    before = base.body if base else ""
    if _BODY in forced and ours.body != theirs.body:
        return [_clash(_BODY, before, ours.body, theirs.body)]
    return merge_texts(before, ours.body, theirs.body, _BODY)


def _by_lines(task: _Task) -> Outcome:
    """The file as text without keys; what both sides could read must be readable afterwards."""
    base = None if task.base is None else plain(task.base, task.rel)
    ours, theirs = plain(task.ours, task.rel), plain(task.theirs, task.rel)
    if ours is None or theirs is None or (base is None) != (task.base is None):
        return _whole_file(task)
    pieces = merge_texts(base.header if base else "", ours.header, theirs.header, _FILE)
    if not is_clean(pieces) and task.favour is None:
        return _conflicted(task, (base, ours, theirs), pieces, pieces)
    data = written(_style((base, ours, theirs)), render_side(pieces, task.favour or Side.OURS))
    is_broken = _fault(task, data) is not None and not _is_broken(task, task.ours, task.theirs)
    return _whole_file(task) if is_broken else Merged(data)


def _fault(task: _Task, data: bytes, expected: Text | None = None) -> str | None:
    """What of a merged file cannot be served though both sides can, or is read otherwise than ``expected``: a key, the
    header or the body."""
    if task.place not in RULES:
        return None
    sheet = _taken(task.place, data, task.rel)
    if sheet is None:
        return _BODY if task.place in HEADED else _HEADER
    typed = read_yaml(sheet.header, task.rel)
    if isinstance(typed, tuple) or expected not in (None, values_of(typed)):
        return _HEADER
    key = _wrong_key(sheet, typed, task.rel) if task.place is Place.ENGRAM else None
    return None if key is None or _is_broken(task, task.ours, task.theirs) else key


def _wrong_key(sheet: Sheet, typed: Typed, rel: str) -> str | None:
    """The key of the first error by the schema."""
    _, findings = engram_from(typed, sheet.body, rel)
    line = next((each.line for each in findings if each.severity is Severity.ERROR), None)
    if line is None:
        return None
    if not sheet.body.strip():
        return _BODY
    return next((name for name in reversed(typed.values) if typed.lines[name] <= line), _HEADER)


def _is_broken(task: _Task, *versions: bytes) -> bool:
    """Whether one of the versions could not be served either."""
    for data in versions:
        sheet = _taken(task.place, data, task.rel)
        typed = read_yaml(sheet.header, task.rel) if sheet else ()
        if sheet is None or isinstance(typed, tuple):
            return True
        if task.place is Place.ENGRAM and _wrong_key(sheet, typed, task.rel) is not None:
            return True
    return False


def _conflicted(task: _Task, sheets: Sheets, pieces: list[Piece], body: list[Piece]) -> Conflicted:
    """The file with markers, none of them where Markdown would hide them in a code block."""
    text = render(pieces, task.ours, task.theirs)
    inner = render(body, task.ours, task.theirs)
    if not is_clean(body) and conflict_marker(inner, 0, task.rel) is None:
        base, ours, theirs = ((each.body or each.header) if each else "" for each in sheets)
        whole: Piece = _clash(_BODY, base, ours, theirs)
        text = text.removesuffix(inner) + render([whole], task.ours, task.theirs)
    return Conflicted(written(_style(sheets), text), conflicts_of(pieces, task.rel, _item(task)))


def _whole_file(task: _Task) -> Outcome:
    """A conflict of the file as such; a record of a decision is not settled by taking a side."""
    if task.favour is not None and task.place not in RECORDS:
        return Merged(task.ours if task.favour is Side.OURS else task.theirs)
    base, ours, theirs = (None if each is None else each.decode(errors="replace") for each in _versions(task))
    clash = Clash(_FILE, base, ours, theirs, _lines(ours or ""), _lines(theirs or ""))
    conflicts = conflicts_of([clash], task.rel, _item(task))
    if plain(task.ours, task.rel) is None or plain(task.theirs, task.rel) is None:
        return Conflicted(task.ours, conflicts)
    return Conflicted(render([clash], task.ours, task.theirs).encode(), conflicts)


def _versions(task: _Task) -> tuple[bytes | None, bytes, bytes]:
    return task.base, task.ours, task.theirs


def _clash(field: str, base: str, ours: str, theirs: str) -> Clash:
    return Clash(field, base, ours, theirs, ours, theirs)


def _lines(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"


def _item(task: _Task) -> str:
    """The id that the file states, for a message."""
    for data in (task.ours, task.theirs):
        sheet = _taken(task.place, data, task.rel) if task.place in RULES else None
        typed = read_yaml(sheet.header, task.rel) if sheet else ()
        found = None if isinstance(typed, tuple) else typed.values.get("id")
        if isinstance(found, str):
            return found
    return ""
