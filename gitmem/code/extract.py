"""The one door to tree-sitter: the syntax tree of a text, and what the query of its language says of it.

Refuses to guess, and what would take the parser down: such a text is said to be skipped.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import accumulate

from gitmem.code import captures, embedded, languages, overlay_rows, plain
from gitmem.code.languages import Language as Row
from gitmem.lazy import load
from gitmem.model.code import NO_FACTS, Facts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Language, Query
    from tree_sitter import Node as Node

LARGEST_BYTES = 1 << 20
BINARY, TOO_LARGE, TOO_NESTED, TOO_SLOW = "binary", "larger than 1 MiB", "too deeply nested", "too slow to parse"
NOT_UTF8 = "UTF-16"
# A NUL further on is no sign of anything.
LOOKED_AT_BYTES = 8000
UTF16 = (b"\xff\xfe", b"\xfe\xff")
# The parser of Java takes memory in the square of what is open in angle brackets, the others in proportion.
_MOST_OPEN = 10_000
_MOST_ANGLES = 300
# A whole MiB of what people write takes a second; text made to break the grammar may take minutes.
_PARSE_SECONDS = 10.0
# Of what people write, no file has 64 open at once; in what programs write, a chain of calls has one open for each.
_MOST_MATCHES = 256
# A second: so many nodes times matches open.
_MOST_STEPS = 100_000_000
# The text of a node that a query looks at is read anew, a whole portion for each.
_READ_BYTES = 1 << 10
_ILLEGIBLE = re.compile("[\udc80-\udcff]")
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b"()[]{}")
_ENDS = bytes.maketrans(b"{}", b";;")


def facts(path: str, content: bytes) -> Facts:
    """What the blob says, read in the language of the file name; without one, nothing and no reason."""
    row = languages.row_of(path)
    return facts_in(row, content) if row else NO_FACTS


def facts_in(row: Row, content: bytes) -> Facts:
    """As ``facts``, in a language that is known."""
    reason = why_not(row.name, content)
    if reason:
        return Facts(row.name, skipped=reason)
    if why_not_loaded(row.grammar) or not is_asked(row):
        return plain.facts(row, content)
    root = parse(row.grammar, content)
    if root is None:
        return Facts(row.name, skipped=TOO_SLOW)
    rows, is_all = matches(row, root)
    if not is_all:
        return Facts(row.name, skipped=TOO_NESTED)
    found = captures.read(row, rows, content, overlay_rows.hint_names(row.name))
    return embedded.joined(row, found, content, facts_in)


def why_not(language: str, content: bytes) -> str:
    """Why a text is not to be parsed, '' when it may be."""
    if len(content) > LARGEST_BYTES:
        return TOO_LARGE
    if content.startswith(UTF16):
        return NOT_UTF8
    if b"\0" in content[:LOOKED_AT_BYTES]:
        return BINARY
    return TOO_NESTED if is_too_nested(content, language) else ""


def grammars(rows: Iterable[Row] = languages.ROWS) -> dict[str, str]:
    """Each language by name with the reason why its grammar does not load, '' where it does."""
    return {row.name: why_not_loaded(row.grammar) for row in rows}


@cache
def why_not_loaded(grammar: str) -> str:
    """'' for a grammar that is there and of an interface that the parser reads."""
    try:
        load("tree_sitter:Parser")(_language(grammar))
    except (ImportError, LookupError, OSError, ValueError) as error:
        return str(error).strip("'\"") or type(error).__name__
    return ""


@cache
def is_asked(row: Row) -> bool:
    """Whether the grammar knows all that the query of the language asks it for."""
    try:
        _query(row)
    except ValueError:
        return False
    return True


@cache
def _language(name: str) -> Language:
    found: Language = load("tree_sitter_language_pack:get_language")(name)
    return found


@cache
def _query(row: Row) -> Query:
    made: Query = load("tree_sitter:Query")(_language(row.grammar), languages.query_text(row))
    return made


def matches(row: Row, root: Node) -> tuple[captures.Matches, bool]:
    """What the query of the language finds, match by match, and whether that is all.

    What is nested keeps matches open, and each node takes time in proportion to their number. A query cannot be
    stopped: the callback for that takes the process down.
    """
    most = min(max(_MOST_MATCHES, _MOST_STEPS // root.descendant_count), _MOST_OPEN)
    cursor = load("tree_sitter:QueryCursor")(_query(row), match_limit=most)
    found: captures.Matches = cursor.matches(root)
    return found, not cursor.did_exceed_match_limit


def parse(grammar: str, content: bytes) -> Node | None:
    """The root of the syntax tree, None when the parser was stopped."""
    content, end = _legible(content), time.monotonic() + _PARSE_SECONDS

    def read(offset: int, _point: object) -> bytes:
        return content[offset : offset + _READ_BYTES]

    try:
        tree = load("tree_sitter:Parser")(_language(grammar)).parse(
            read, progress_callback=lambda *_: time.monotonic() > end
        )
    except ValueError:
        return None
    root: Node = tree.root_node
    return root


def _legible(content: bytes) -> bytes:
    """With a question mark for each byte that is not UTF-8: a query that looks at a text would fail on it."""
    try:
        content.decode()
    except UnicodeDecodeError:
        return _ILLEGIBLE.sub("?", content.decode("utf-8", "surrogateescape")).encode()
    return content


@cache
def kinds(name: str, names: tuple[str, ...]) -> frozenset[int]:
    """The numbers that a grammar has for these kinds of node."""
    is_named = True
    ids = (_language(name).id_for_node_kind(kind, is_named) for kind in names)
    return frozenset(id_ for id_ in ids if id_)


def nodes(root: Node, wanted: frozenset[int]) -> Iterator[Node]:
    """The nodes of these kinds in the order of the text.

    A cursor goes through a tree of any depth and width in linear time; a query is quadratic on a wide one of errors.
    """
    cursor = root.walk()
    while True:
        node = cursor.node
        if node is not None and node.kind_id in wanted:
            yield node
        if cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return


def is_too_nested(content: bytes, language: str) -> bool:
    """Whether more brackets may be open at once than a parser should be given; counted, so texts count as well."""
    if language == "java":
        statements = content.translate(_ENDS).split(b";")
        if max(statement.count(b"<") for statement in statements) > _MOST_ANGLES:
            return True
    if sum(map(content.count, (b"(", b"[", b"{"))) <= _MOST_OPEN:
        return False
    steps: Iterable[int] = (1 if byte in b"([{" else -1 for byte in content.translate(None, _NO_BRACKETS))
    deepest: int = max(accumulate(steps, lambda depth, step: max(0, depth + step)))
    return deepest > _MOST_OPEN
