"""A changed tree from an old one: tree objects rewritten along the changed paths. Refuses input and output."""

import hashlib
from collections.abc import Callable, Mapping

from gitmem.errors import GitmemError
from gitmem.record import field, record, state
from gitmem.store.paths import check_rel

FILE = "100644"
FOLDER = "40000"
_REGULAR = ("100644", "100755")

# Reads an object by its id: its kind and its bytes.
Read = Callable[[str], tuple[str, bytes]]


@record
class Item:
    """One line of a tree object; ``mode`` is octal as Git stores it, without a leading zero."""

    mode: str
    oid: str


@state
class Plan:
    """The objects that a commit needs and the base may lack, by id, in the order in which they must be written."""

    object_format: str
    objects: dict[str, tuple[str, bytes]] = field(default_factory=dict)

    def add(self, kind: str, content: bytes) -> str:
        oid = name_of(kind, content, self.object_format)
        self.objects[oid] = (kind, content)
        return oid


@state
class _Node:
    """Changes below one folder: ``files`` by name (None: removed), ``folders`` by name."""

    files: dict[str, bytes | None] = field(default_factory=dict)
    folders: dict[str, "_Node"] = field(default_factory=dict)


def name_of(kind: str, content: bytes, object_format: str) -> str:
    return hashlib.new(object_format, b"%s %d\0" % (kind.encode(), len(content)) + content).hexdigest()


def rewrite(read: Read, tree: str, changes: Mapping[str, bytes | None], plan: Plan) -> str:
    """The id of ``tree`` ('' if empty) with ``changes`` by path (None removes). New objects go into ``plan``."""
    root = _Node()
    for rel in sorted(changes):
        *parts, name = check_rel(rel).split("/")
        node = root
        for part in parts:
            node = node.folders.setdefault(part, _Node())
        node.files[name] = changes[rel]
    return _rewritten(read, tree, root, plan) or plan.add("tree", b"")


def _rewritten(read: Read, tree: str, node: _Node, plan: Plan) -> str:
    items = parse(read(tree)[1], plan.object_format) if tree else {}
    # Removals come first and additions last: a file may take the place of a folder that the same change empties.
    for name in (name for name, content in node.files.items() if content is None):
        _remove_file(items, name)
    for name, below in node.folders.items():
        _change_folder(read, items, (name, below), plan)
    for name, content in node.files.items():
        if content is not None:
            _put_file(items, name, content, plan)
    return plan.add("tree", serialise(items)) if items else ""


def _remove_file(items: dict[str, Item], name: str) -> None:
    old = items.get(name)
    if old is not None and old.mode == FOLDER:
        raise _in_the_way(name, "a folder")
    items.pop(name, None)


def _put_file(items: dict[str, Item], name: str, content: bytes, plan: Plan) -> None:
    old = items.get(name)
    if old is not None and old.mode == FOLDER:
        raise _in_the_way(name, "a folder")
    mode = old.mode if old is not None and old.mode in _REGULAR else FILE
    items[name] = Item(mode, plan.add("blob", content))


def _change_folder(read: Read, items: dict[str, Item], change: tuple[str, _Node], plan: Plan) -> None:
    name, below = change
    old = items.get(name)
    if old is not None and old.mode != FOLDER:
        if _only_removes(below):
            return
        raise _in_the_way(name, "a file")
    oid = _rewritten(read, old.oid if old else "", below, plan)
    if oid:
        items[name] = Item(FOLDER, oid)
    else:
        items.pop(name, None)


def _only_removes(node: _Node) -> bool:
    return not any(content is not None for content in node.files.values()) and all(
        _only_removes(below) for below in node.folders.values()
    )


def _in_the_way(name: str, what: str) -> GitmemError:
    return GitmemError(
        f"{name} is {what} in the tree that is to be changed", hint="remove it first", place=name, code="path-taken"
    )


def parse(content: bytes, object_format: str) -> dict[str, Item]:
    """The items of a tree object by name, in Git's order. Bytes that are not UTF-8 stay as surrogates."""
    width = hashlib.new(object_format).digest_size
    items, at = {}, 0
    while at < len(content):
        space, end = content.index(b" ", at), content.index(b"\0", at)
        oid = content[end + 1 : end + 1 + width].hex()
        items[content[space + 1 : end].decode("utf-8", "surrogateescape")] = Item(content[at:space].decode(), oid)
        at = end + 1 + width
    return items


def serialise(items: Mapping[str, Item]) -> bytes:
    lines = []
    for name, item in items.items():
        raw = name.encode("utf-8", "surrogateescape")
        # Git orders a folder as if its name ended in a slash.
        key = raw + b"/" if item.mode == FOLDER else raw
        lines.append((key, b"%s %s\0%s" % (item.mode.encode(), raw, bytes.fromhex(item.oid))))
    return b"".join(line for _, line in sorted(lines))
