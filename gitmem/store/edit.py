"""Changes one key or the body of a knowledge file and keeps every other byte. Refuses a file that it cannot read.

A key is a top-level one or a part of one (``scope.paths``). After each edit the file is read again: if anything but
what was asked for would change, nothing is written and the edit fails.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile

from yaml.nodes import CollectionNode, MappingNode, Node, ScalarNode

from gitmem.errors import GitmemError
from gitmem.model.finding import Finding
from gitmem.model.vocabulary import Text
from gitmem.store.canonical import BOM
from gitmem.store.codec import read_yaml
from gitmem.store.form import DECIMAL, INTEGER, Typed, type_of
from gitmem.store.nodes import compose
from gitmem.store.parts import Parts, readable, split
from gitmem.store.schema import KEYS, NUMBERS, PARTS
from gitmem.store.spans import BLOCK_LIST, BLOCK_MAPPING, BLOCK_SCALARS, FLOW_LIST, FLOW_MAPPING, Changes, Entry, Spot
from gitmem.store.written import Bare, encoded

# A key without a value; no typed text holds NUL.
_UNSET = "\0"
_COLON = re.compile(r"\s*:")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")

Values = dict[str, Text]
Read = Callable[[bytes, str], tuple[Parts, Values]]


def set_value(data: bytes, key: str, value: Text, rel: str = "") -> bytes:
    """Gives a key a value, placed literally. A new key goes to its place in the order of the schema, or to the end."""
    if isinstance(value, str) and key in NUMBERS and DECIMAL.fullmatch(value):
        value = Bare(value)
    return _edited(data, rel, lambda now: _with(now, key, value))


def set_setting(data: bytes, key: str, value: Text, rel: str = "") -> bytes:
    """As `set_value`, in a YAML file without header and body: settings. True and false are written without quotes."""
    if isinstance(value, str) and (INTEGER.fullmatch(value) or value in ("true", "false")):
        value = Bare(value)
    return _edited(data, rel, lambda now: _with(now, key, value), _read_settings)


def remove_key(data: bytes, key: str, rel: str = "") -> bytes:
    """Takes a key out, and what holds it with its last part. A key that is not there changes nothing."""
    return _edited(data, rel, lambda now: _without(now, key))


def add_to_list(data: bytes, key: str, values: Iterable[Text], rel: str = "") -> bytes:
    """Appends those of ``values`` that the list does not hold yet; a lone text becomes the first item."""
    added = list(values)

    def change(now: Values) -> Values:
        items = _items(now, key)
        missing = [each for i, each in enumerate(added) if each not in items and each not in added[:i]]
        return _with(now, key, items + missing) if missing else now

    return _edited(data, rel, change)


def remove_from_list(data: bytes, key: str, values: Iterable[Text], rel: str = "") -> bytes:
    """Takes every item that equals one of ``values`` out; what is not there changes nothing."""
    gone = list(values)

    def change(now: Values) -> Values:
        items = _items(now, key)
        kept = [each for each in items if each not in gone]
        return _with(now, key, kept) if len(kept) < len(items) else now

    return _edited(data, rel, change)


def change_list(data: bytes, key: str, change: Callable[[list[Text]], list[Text]], rel: str = "") -> bytes:
    """Gives a list the items that ``change`` makes of those it has; a lone text or mapping counts as the only item."""

    def changed(now: Values) -> Values:
        value = _value(now, key)
        before = [value] if isinstance(value, dict) else _items(now, key)
        after = change(list(before))
        return now if after == before else _with(now, key, after)

    return _edited(data, rel, changed)


def set_body(data: bytes, body: str, rel: str = "") -> bytes:
    """Replaces the body. Equal lines at its start and end keep their bytes, others get the line end of the file.

    ``body`` may have either line end; line ends at its very end do not count as a change.
    """
    parts, _ = _read(data, rel)
    wanted = body.replace("\r\n", "\n").rstrip("\n")
    if wanted == parts.body.replace("\r\n", "\n").rstrip("\n"):
        return data
    before = parts.text[: parts.body_start]
    if not before.endswith("\n"):
        before += parts.newline
    lines = _respelt(_LINE.findall(parts.body), wanted.split("\n"), parts.newline)
    changed = _joined(parts, before + lines)
    after, _ = _read(changed, rel)
    if after.header != parts.header or after.body.replace("\r\n", "\n").rstrip("\n") != wanted:
        raise GitmemError("the new body would not be read back as it is", place=rel, code="cannot-edit")
    return changed


def _respelt(old: Sequence[str], new: Sequence[str], newline: str) -> str:
    bare = [line.rstrip("\r\n") for line in old]
    head = _common(bare, new)
    tail = _common(bare[head:][::-1], new[head:][::-1])
    kept_head, kept_tail = old[:head], old[len(old) - tail :]
    middle = [line + newline for line in new[head : len(new) - tail]]
    pieces = [*kept_head, *middle, *kept_tail]
    # A line that was the last one may lack its end and now be followed by others.
    return "".join(each if each.endswith("\n") else each + newline for each in pieces[:-1]) + "".join(pieces[-1:])


def _common(left: Sequence[str], right: Sequence[str]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(left, right, strict=False)))


def _edited(data: bytes, rel: str, change: Callable[[Values], Values], read: Read | None = None) -> bytes:
    read = read or _read
    parts, now = read(data, rel)
    wanted = change(now)
    if wanted == now:
        return data
    changes = Changes(parts.header, parts.newline)
    changes.mapping(_root(parts.header), 0, now, wanted)
    header = changes.applied()
    changed = _joined(parts, parts.text[: parts.header_start] + header + parts.text[parts.header_end :])
    found, after = read(changed, rel)
    if after != wanted or found.body != parts.body:
        hint = "change it in an editor; the file was not touched"
        raise GitmemError("this header cannot be changed in place", hint=hint, place=rel, code="cannot-edit")
    return changed


def _joined(parts: Parts, text: str) -> bytes:
    return (BOM if parts.has_bom else b"") + encoded(text)


def _read(data: bytes, rel: str) -> tuple[Parts, Values]:
    parts = split(data, rel)
    if parts.findings:
        raise _unreadable(parts.findings[0])
    typed = read_yaml(parts.header, rel, first_line=2)
    if isinstance(typed, tuple):
        raise _unreadable(typed[0])
    return parts, _with_unset(typed, typed.values, "")


def _read_settings(data: bytes, rel: str) -> tuple[Parts, Values]:
    text = readable(data, rel)
    if isinstance(text, Finding):
        raise _unreadable(text)
    typed = read_yaml(text, rel)
    if isinstance(typed, tuple):
        raise _unreadable(typed[0])
    newline = "\r\n" if text[: text.find("\n") + 1].endswith("\r\n") else "\n"
    parts = Parts(text, newline, 0, len(text), len(text), data.startswith(BOM))
    return parts, _with_unset(typed, typed.values, "")


def _unreadable(finding: Finding) -> GitmemError:
    place = finding.place if finding.path else f"line {finding.line}"
    hint = f"{finding.hint}; the file was not touched"
    return GitmemError(finding.message, hint=hint, place=place, code=finding.code)


def _with_unset(typed: Typed, values: Values, prefix: str) -> Values:
    marked: Values = {}
    for name, value in values.items():
        if isinstance(value, dict):
            value = _with_unset(typed, value, f"{prefix}{name}.")
        marked[name] = _UNSET if typed.is_null(prefix + name, value) else value
    return marked


def _with(values: Values, key: str, value: Text) -> Values:
    name, part = _name_and_part(values, key)
    if not part:
        return _placed(values, name, value, KEYS)
    whole = values.get(name, _UNSET)
    if whole == _UNSET:
        whole = {}
    if not isinstance(whole, dict):
        found = f"{name} is {type_of(whole)}, not a mapping"
        raise GitmemError(found, hint=f"set {name} as a whole", code="cannot-edit")
    return _placed(values, name, _placed(whole, part, value, PARTS.get(name, ())), KEYS)


def _placed(values: Values, name: str, value: Text, order: Sequence[str]) -> Values:
    """``values`` with a name set; a new one stands behind the nearest that precedes it in ``order``, else last."""
    if name in values or name not in order:
        return {**values, name: value}
    ahead = [other for other in order[: order.index(name)] if other in values]
    if not ahead:
        return {name: value, **values}
    placed: Values = {}
    for other, each in values.items():
        placed[other] = each
        if other == ahead[-1]:
            placed[name] = value
    return placed


def _without(values: Values, key: str) -> Values:
    name, part = _name_and_part(values, key)
    whole = values.get(name)
    if not part:
        return {other: each for other, each in values.items() if other != name}
    if not isinstance(whole, dict) or part not in whole:
        return values
    rest = {other: each for other, each in whole.items() if other != part}
    return {**values, name: rest} if rest else _without(values, name)


def _value(values: Values, key: str) -> Text:
    name, part = _name_and_part(values, key)
    value: Text = values.get(name, _UNSET)
    if part:
        value = value.get(part, _UNSET) if isinstance(value, dict) else _UNSET
    return value


def _items(values: Values, key: str) -> list[Text]:
    value = _value(values, key)
    if isinstance(value, dict):
        raise GitmemError(f"{key} is a mapping, not a list", hint=f"set a part of it: {key}.NAME", code="cannot-edit")
    if isinstance(value, str):
        return [] if value == _UNSET else [value]
    return list(value)


def _name_and_part(values: Values, key: str) -> tuple[str, str]:
    if key in values:
        return key, ""
    name, _, part = key.partition(".")
    return (name, part) if part else (key, "")


def _root(text: str) -> Spot:
    node = compose(text, "")
    return _spot(text, node) if isinstance(node, Node) else Spot(0, len(text), BLOCK_MAPPING)


def _spot(text: str, node: Node) -> Spot:
    start, end = node.start_mark.index, node.end_mark.index
    if isinstance(node, ScalarNode):
        style = node.style or ""
        return Spot(start, _block_end(text, start, end) if style in BLOCK_SCALARS else end, style)
    is_mapping = isinstance(node, MappingNode)
    if isinstance(node, CollectionNode) and node.flow_style:
        entries = tuple(_keys(text, node) if is_mapping else _flow_items(text, node))
        return Spot(start, end, FLOW_MAPPING if is_mapping else FLOW_LIST, entries)
    entries = tuple(_keys(text, node) if is_mapping else _block_items(text, node))
    return Spot(start, entries[-1].end, BLOCK_MAPPING if is_mapping else BLOCK_LIST, entries)


def _block_end(text: str, start: int, end: int) -> int:
    """The end of the last line of a block scalar; blank lines behind it count only where ``+`` keeps them."""
    content = text[start:end]
    keeps_blanks = "+" in content.partition("\n")[0].partition("#")[0]
    return start + (max(content.rfind("\n"), 0) if keeps_blanks else len(content.rstrip()))


def _keys(text: str, node: Node) -> Iterator[Entry]:
    for name, value in node.value:
        colon = _COLON.match(text, name.end_mark.index)
        behind = colon.end() if colon else 0
        yield Entry(name.value, name.start_mark.index, behind, _value_spot(text, value, behind))


def _value_spot(text: str, node: Node, behind: int) -> Spot:
    """An empty value has no place of its own: it stands behind its colon or dash."""
    is_empty = isinstance(node, ScalarNode) and node.start_mark.index == node.end_mark.index
    return Spot(behind, behind, "") if is_empty and behind else _spot(text, node)


def _flow_items(text: str, node: Node) -> Iterator[Entry]:
    for child in node.value:
        spot = _spot(text, child)
        yield Entry("", spot.start, 0, spot)


def _block_items(text: str, node: Node) -> Iterator[Entry]:
    column = node.start_mark.column
    dash = re.compile(rf"^ {{{column}}}-(?=\s)", re.MULTILINE)
    at = node.start_mark.index
    for i, child in enumerate(node.value):
        found = dash.search(text, at) if i else None
        start = found.end() - 1 if found else (at if not i else child.start_mark.index)
        spot = _value_spot(text, child, start + 1)
        at = max(spot.end, start + 1)
        yield Entry("", start, start + 1, spot)
