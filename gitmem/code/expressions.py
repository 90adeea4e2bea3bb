"""What stands before the dot of a call, and types as they are written, in parts. Refuses to know what a name means."""

from __future__ import annotations

import re

from gitmem.record import record

NAME, MEMBER, CALL, INDEX, CAST = "name", "member", "call", "index", "cast"
_WORD = re.compile(r"[A-Za-z_$@][\w$]*|\d\w*")
_BLANKS = re.compile(r"\s+")
_OPENING, _CLOSING = "([{<", ")]}>"
_QUOTES = "\"'`"
_PREFIXES = ("await ", "new ", "yield ", "typeof ", "&mut ", "&", "*", "...", "!")
_JOINTS = ("?.", "!.", "::", "->", ".")
_CAST = re.compile(r"^(.*)\s(?:as!?|as\?)\s+([\w.$<>\[\]| ]+)$", re.DOTALL)
_LONGEST = 200
_SHORT, _SHORTENED, RECEIVER_MOST = 80, 160, 2_000
_QUOTED = re.compile(r"""(["'`])(?:(?!\1)[^\\]|\\.)*\1""", re.DOTALL)
_AROUND_JOINT = re.compile(r" ?(\?\.|!\.|\.|::|->) ?")
_ARGUMENTS = re.compile(r"\([^()]*\)")
_PARTS_MOST = 40


@record
class Part:
    """One step: a first name, a member, a call, an index, or the type that the whole is said to have."""

    kind: str
    text: str = ""


def short(text: str) -> str:
    """An expression in one line, its arguments left out where it would be long; ``?`` where it is still long."""
    if len(text) <= _SHORT and "\n" not in text:
        return text
    if len(text) > RECEIVER_MOST:
        return "?"
    text, before = _QUOTED.sub("''", text), ""
    while text != before:
        text, before = _ARGUMENTS.sub("\1\2", text), text
    text = _AROUND_JOINT.sub(r"\1", _BLANKS.sub(" ", text)).replace("\1\2", "()")
    return text if len(text) <= _SHORTENED else "?"


def parts(text: str) -> tuple[Part, ...]:
    """The steps of an expression; () for one that is not a chain of names, calls and indexes."""
    text = _bared(text)
    cast = _CAST.match(text)
    if cast:
        return (Part(CAST, cast[2].strip()),)
    if text.startswith("("):
        inner, rest = _enclosed(text, 0)
        first = parts(inner)
    else:
        word = _WORD.match(text)
        if word is None or text[0].isdigit():
            return ()
        first, rest = (Part(NAME, word[0]),), text[word.end() :]
    return _stepped(first, rest) if first else ()


def _bared(text: str) -> str:
    """Without blanks at its ends and the words before a value that leave it what it is."""
    text = _BLANKS.sub(" ", text).strip()[: _LONGEST * 2]
    while True:
        prefix = next((each for each in _PREFIXES if text.startswith(each)), "")
        if not prefix:
            return text
        text = text[len(prefix) :].lstrip()


def _stepped(first: tuple[Part, ...], rest: str) -> tuple[Part, ...]:
    found = list(first)
    rest = rest.lstrip()
    while rest:
        if len(found) > _PARTS_MOST:
            return ()
        joint = next((each for each in _JOINTS if rest.startswith(each)), "")
        if joint:
            rest = rest[len(joint) :].lstrip(" #")
            word = _WORD.match(rest)
            if word:
                found.append(Part(MEMBER, word[0]))
                rest = rest[word.end() :].lstrip()
            elif rest[:1] not in ("(", "[", "<"):
                return ()
        elif rest[0] in "([<{":
            inner, after = _enclosed(rest, 0)
            if rest[0] in "([":
                found.append(Part(CALL if rest[0] == "(" else INDEX, inner))
            elif rest[0] == "{" or not after.startswith(("(", "::")):
                return ()
            rest = after.lstrip()
        elif rest[0] in "!?":
            rest = rest[1:]
        else:
            return ()
    return tuple(found)


def _enclosed(text: str, at: int) -> tuple[str, str]:
    """What stands inside the bracket at ``at``, and what after it; texts between quotes are passed over."""
    depth, quote, number = 0, "", at
    while number < len(text):
        char = text[number]
        if quote:
            quote = "" if char == quote and text[number - 1] != "\\" else quote
        elif char in _QUOTES:
            quote = char
        elif char in _OPENING:
            depth += 1
        elif char in _CLOSING and text[number - 1 : number + 1] not in ("->", "=>"):
            depth -= 1
            if depth == 0:
                return text[at + 1 : number], text[number + 1 :]
        number += 1
    return text[at + 1 :], ""


# Wrappers that hand on the members of what they wrap, or that a check for nothing takes away.
_CLEAR_WORDS = """
Optional Annotated Final ClassVar Required NotRequired Readonly Partial NonNullable
Box Rc Arc Ref RefMut unique_ptr shared_ptr Union DeepPartial Lazy
"""
_CLEAR = frozenset(_CLEAR_WORDS.split())
_AWAITED = frozenset(("Promise", "PromiseLike", "Awaitable", "Awaited", "Future", "Task", "ValueTask"))
_MANY_WORDS = """
list List Sequence Iterable Iterator Array ReadonlyArray Set set tuple Vec frozenset Collection
MutableSequence deque IEnumerable IList vector Generator Tuple
"""
_MANY = frozenset(_MANY_WORDS.split())
_CLASS = frozenset(("type", "Type", "Class"))
_NOTHING = frozenset(("None", "null", "undefined", "nil", "void"))
_BEFORE = re.compile(r"^(?:const|final|readonly|mut|dyn|impl|abstract|&|\*|\s|'\w+ )+")


@record
class Written:
    """A type: its name with dots, whether it stands for the class itself, and whether for several values."""

    name: str
    is_class: bool = False
    is_many: bool = False


def written(text: str) -> Written | None:
    """The one named type in a type as it is written; None for a union of several, a function or a literal."""
    text = text.strip().strip("\"'` ")[:_LONGEST]
    is_class = is_many = False
    for _ in range(_PARTS_MOST):
        text = _BEFORE.sub("", text).strip().removeprefix(":").strip()
        while text.endswith(("?", "!", "&", "*", " ")):
            text = text[:-1]
        options = [each.strip() for each in split(text, "|") if each.strip() not in _NOTHING]
        if len(options) != 1:
            return None
        text = options[0].strip("\"'` ")
        if text.endswith("[]") or text.startswith("[]"):
            text, is_many = text.removesuffix("[]").removeprefix("[]"), True
            continue
        head, inner = _head(text)
        last = head.replace("::", ".").rpartition(".")[2]
        if not inner or last not in _CLEAR | _AWAITED | _MANY | _CLASS:
            return Written(head.replace("::", "."), is_class, is_many) if _is_name(head) else None
        is_class, is_many = is_class or last in _CLASS, is_many or last in _MANY
        options = [each.strip() for each in split(inner, ",") if each.strip() not in _NOTHING]
        if last == "Union" and len(options) > 1:
            return None
        text = options[0] if options else ""
    return None


def _head(text: str) -> tuple[str, str]:
    """A type and its arguments: ``Foo[Bar]``, ``Foo<Bar>``."""
    at = min((at for at in (text.find("["), text.find("<")) if at > 0), default=-1)
    if at < 0:
        return text.strip(), ""
    inner, _after = _enclosed(text, at)
    return text[:at].strip(), inner.strip()


def _is_name(text: str) -> bool:
    return bool(re.fullmatch(r"[A-Za-z_$][\w$]*(?:(?:\.|::|\\)[A-Za-z_$][\w$]*)*", text))


def split(text: str, at: str) -> list[str]:
    """The parts of a list outside of any bracket."""
    found, depth, start = [], 0, 0
    for number, char in enumerate(text):
        if char in _OPENING:
            depth += 1
        elif char in _CLOSING:
            depth -= 1
        elif char == at and depth == 0:
            found.append(text[start:number])
            start = number + 1
    return [*found, text[start:]]


_ARROW = re.compile(r"^\s*(?:->|=>|:)\s*(.+?)\s*(?:=>\s*\{?|\{|:|where\b.*)?\s*$", re.DOTALL)
# Where the type of what is given back stands before the name.
_LEADING = re.compile(r"([A-Za-z_][\w.:]*(?:<[^()]*>)?(?:\[\])?[*&?]*)\s+[*&]*[\w.:~]+\s*\(")


def returned(signature: str, name: str) -> str:
    """The type that a function gives back, as it is written after its parameters, or before its name; '' for none."""
    at = signature.find(name)
    start = signature.find("(", at + len(name)) if at >= 0 else -1
    if start < 0:
        return ""
    _inner, after = _enclosed(signature, start)
    found = _ARROW.match(after)
    if found:
        return found[1].strip()
    go = after.strip().removesuffix("{").strip()
    if go and signature.startswith("func "):
        return split(go.strip("()"), ",")[0].strip()
    leading = _LEADING.search(signature)
    return leading[1] if leading and leading[1] not in _KEYWORDS else ""


_KEYWORDS_WORDS = """
def function func fn fun async public private protected static void get set return override export default
abstract new virtual final internal
"""
_KEYWORDS = frozenset(_KEYWORDS_WORDS.split())


def parameters(signature: str, name: str) -> str:
    """The text between the brackets of the parameters, '' where there are none."""
    at = signature.find(name)
    start = signature.find("(", at + len(name) if at >= 0 else 0)
    return _enclosed(signature, start)[0] if start >= 0 else ""


def last_name(text: str) -> str:
    """What a name with dots, colons or slashes ends with."""
    return re.split(r"[./\\:]+", text.rstrip("./\\:"))[-1]
