"""The door to YAML: from its nodes to values as they were typed. Refuses aliases, anchors, tags and repeated keys.

Nothing here raises for what a text holds; what is wrong becomes findings with a line.
"""

import re
from collections.abc import Iterator

from yaml import MarkedYAMLError, YAMLError
from yaml._yaml import CParser
from yaml.error import Mark
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from yaml.reader import ReaderError
from yaml.tokens import (
    AliasToken,
    AnchorToken,
    BlockEndToken,
    BlockMappingStartToken,
    BlockSequenceStartToken,
    FlowMappingEndToken,
    FlowMappingStartToken,
    FlowSequenceEndToken,
    FlowSequenceStartToken,
    TagToken,
)

from gitmem.model.finding import Finding, Severity
from gitmem.model.vocabulary import Text
from gitmem.store.form import Typed, shown

YAML_MAX_CHARS = 256 * 1024
NODES_MAX = 20_000
DEPTH_MAX = 24

_MARKED = re.compile(r"(?<!\w)[&!]")
_DEEP = re.compile(rf"\n[ \t?:-]{{{2 * DEPTH_MAX}}}")
_OTHER_BREAKS = re.compile("\r(?!\n)|[\x85\u2028\u2029]")
_REFUSED = (AliasToken, AnchorToken, TagToken)
_OPENING = (BlockMappingStartToken, BlockSequenceStartToken, FlowMappingStartToken, FlowSequenceStartToken)
_CLOSING = (BlockEndToken, FlowMappingEndToken, FlowSequenceEndToken)


def read(text: str, rel: str, first_line: int) -> Typed | tuple[Finding, ...]:
    """One YAML mapping as it was typed, or what is wrong; ``first_line`` is where ``text`` begins in its file."""
    root = compose(text, rel, first_line)
    if isinstance(root, Finding):
        return (root,)
    if root is None:
        return Typed({}, {})
    return _Walk(text, rel, first_line).read(root)


def compose(text: str, rel: str, first_line: int = 1) -> Node | Finding | None:
    """The nodes of one YAML document with their places in ``text``; None when there is nothing but comments."""
    refusal = _refusal(text, rel, first_line)
    if refusal is not None:
        return refusal
    try:
        return _Composer(text).get_single_node()
    except YAMLError as err:
        return _unreadable(text, rel, first_line, err)


class _Composer(CParser):
    """The C parser, without the guesses about types."""

    def resolve(self, _kind: object, _value: object, _implicit: object) -> str:
        return ""

    def descend_resolver(self, _parent: object, _index: object) -> None: ...

    def ascend_resolver(self) -> None: ...


class _Walk:
    """From nodes to typed text. ``lines`` and ``plain`` grow along the way."""

    def __init__(self, text: str, rel: str, first_line: int) -> None:
        self.text = text
        self.rel = rel
        self.first_line = first_line
        self.has_other_breaks = ("\r" in text or not text.isascii()) and bool(_OTHER_BREAKS.search(text))
        self.lines: dict[str, int] = {}
        self.plain: set[str] = set()
        self.findings: list[Finding] = []
        self.nodes = 0

    def read(self, root: Node) -> Typed | tuple[Finding, ...]:
        if not isinstance(root, MappingNode):
            hint = "write keys, each with a colon and a blank: title: ..."
            self.fault(self.line(root.start_mark), "yaml", "the YAML is not a mapping", hint)
            return tuple(self.findings)
        values = self.mapping(root, "", 1)
        return tuple(self.findings) if self.findings else Typed(values, self.lines, frozenset(self.plain))

    def value(self, node: Node, path: str, depth: int) -> Text:
        if isinstance(node, ScalarNode):
            text: str = node.value
            if "\0" in text:
                self.fault(self.line(node.start_mark), "nul-byte", "an escaped NUL", "knowledge is text; remove it")
            return text
        if isinstance(node, MappingNode):
            return self.mapping(node, path + ".", depth + 1)
        assert isinstance(node, SequenceNode)
        items: list[Text] = []
        for i, child in enumerate(node.value if self.has_room(node, depth + 1) else ()):
            place = f"{path}[{i}]"
            self.lines[place] = self.line(child.start_mark)
            items.append(self.value(child, place, depth + 1))
        return items

    def mapping(self, node: MappingNode, prefix: str, depth: int) -> dict[str, Text]:
        values: dict[str, Text] = {}
        for name, child in node.value if self.has_room(node, depth) else ():
            line = self.line(name.start_mark)
            if not self.is_key(name, line):
                continue
            path = prefix + name.value
            if name.value in values:
                self.repeated(name.value, self.lines[path], line)
                continue
            self.lines[path] = line
            if isinstance(child, ScalarNode) and not child.style:
                self.plain.add(path)
            values[name.value] = self.value(child, path, depth)
        return values

    def is_key(self, name: Node, line: int) -> bool:
        if not isinstance(name, ScalarNode):
            self.fault(line, "yaml", "a key is a list or a mapping, not text", "write a word, a colon and a value")
        elif not name.style and name.value == "<<":
            self.fault(line, "merge-key", "merge keys (<<) are refused", "write the keys out")
        elif not name.value.strip() or "\0" in name.value:
            self.fault(line, "yaml", "a key is empty or no text", "write a word before the colon")
        else:
            return True
        return False

    def has_room(self, node: Node, depth: int) -> bool:
        self.nodes += len(node.value)
        if depth > DEPTH_MAX:
            self.fault(self.line(node.start_mark), *_TOO_DEEP)
        elif self.nodes > NODES_MAX:
            message = f"more than {NODES_MAX} keys and items"
            self.fault(self.line(node.start_mark), "too-many-keys", message, "split the file")
        else:
            return True
        return False

    def repeated(self, key: str, first: int, second: int) -> None:
        message = f"the key {shown(key)} stands twice, on lines {first} and {second}"
        self.fault(second, "duplicate-key", message, "keep one of the two")

    def line(self, mark: Mark) -> int:
        if self.has_other_breaks:
            return self.text.count("\n", 0, mark.index) + self.first_line
        return mark.line + self.first_line

    def fault(self, line: int, code: str, message: str, hint: str) -> None:
        if len(self.findings) < 20:
            self.findings.append(Finding(code, Severity.ERROR, self.rel, line, message, hint))


_TOO_DEEP = ("too-deep", f"nested deeper than {DEPTH_MAX} levels", "knowledge is flat: nest less")


def _refusal(text: str, rel: str, first_line: int) -> Finding | None:
    """What is refused before nodes are made: size, depth, and the YAML that makes one value from another."""
    if len(text) > YAML_MAX_CHARS:
        message = f"the YAML has {len(text)} characters, the most is {YAML_MAX_CHARS}"
        return Finding("too-large", Severity.ERROR, rel, first_line, message, "move text into the body")
    openers = text.count("[") + text.count("{")
    if openers > NODES_MAX or text.count(",") > 2 * NODES_MAX:
        message = f"more brackets or commas than {NODES_MAX} keys and items can have"
        return Finding("too-many-keys", Severity.ERROR, rel, first_line, message, "move text into the body")
    may_nest = openers >= DEPTH_MAX or _DEEP.search("\n" + text)
    may_refer = ("&" in text or "!" in text) and _MARKED.search(text)
    if not may_nest and not may_refer:
        return None
    try:
        return next(_refused_tokens(text, rel, first_line), None)
    except YAMLError as err:
        return _unreadable(text, rel, first_line, err)


def _refused_tokens(text: str, rel: str, first_line: int) -> Iterator[Finding]:
    scanner = CParser(text)
    depth = 0
    while (token := scanner.get_token()) is not None:
        depth += isinstance(token, _OPENING) - isinstance(token, _CLOSING)
        line = token.start_mark.line + first_line
        if depth > DEPTH_MAX:
            yield Finding(_TOO_DEEP[0], Severity.ERROR, rel, line, *_TOO_DEEP[1:])
        if isinstance(token, _REFUSED):
            message = f"a YAML {token.id.strip('<>')} is refused"
            hint = "write the value out, or put it in quotes if it is text"
            yield Finding("yaml-reference", Severity.ERROR, rel, line, message, hint)


def _unreadable(text: str, rel: str, first_line: int, err: YAMLError) -> Finding:
    mark = err.problem_mark or err.context_mark if isinstance(err, MarkedYAMLError) else None
    if isinstance(err, ReaderError):
        index = min(len(text.encode()[: err.position].decode(errors="ignore")), len(text) - 1)
        problem = f"the character U+{ord(text[index]):04X} is not allowed"
    else:
        index = mark.index if mark else 0
        problem = (err.problem if isinstance(err, MarkedYAMLError) else "") or "not YAML"
    line_start = text.rfind("\n", 0, index) + 1
    line = text.count("\n", 0, index) + first_line
    hint = _hint(text[line_start:].partition("\n")[0])
    return Finding("yaml", Severity.ERROR, rel, line, f"column {index - line_start + 1}: {problem}", hint)


def _hint(line: str) -> str:
    key, colon, value = line.strip().partition(":")
    value = value.strip() if colon else key.removeprefix("-").strip()
    if "\t" in line[: len(line) - len(line.lstrip())]:
        return "indent with blanks, not with tabs"
    if value[:1] in ("*", "&", "!", "%", "@", "`", "{", "["):
        return f"put a value that begins with {value[0]} in quotes"
    if value and (": " in value or '"' in value or "'" in value):
        return "put the whole value in single quotes, and write ' inside it twice"
    return "look for a colon, a quote or an indentation that is not meant, here or on the line above"
