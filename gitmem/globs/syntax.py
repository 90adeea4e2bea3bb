"""The written form of a glob: its tokens, and the places where it is malformed. Refuses paths: it matches nothing."""

from collections.abc import Iterable
from enum import Enum

from gitmem.errors import GitmemError
from gitmem.record import record

PATTERN_MAX = 4_096  # as long as a path can be on Linux
NESTING_MAX = 100
_SHOWN_MAX = 80
_SPECIAL = frozenset("*?[{\\,}/")
_ESCAPED = str.maketrans({sign: "\\" + sign for sign in "\\*?[{,}"})


class GlobError(GitmemError):
    """A pattern that is no glob; ``position`` counts the characters of ``pattern`` from 0."""

    code = "bad-glob"

    def __init__(self, what: str, pattern: str, position: int, *, hint: str = "") -> None:
        shown = pattern if len(pattern) <= _SHOWN_MAX else pattern[:_SHOWN_MAX] + "..."
        super().__init__(f"{what} at character {position + 1} of the glob {shown!r}", hint=hint)
        self.pattern = pattern
        self.position = position


class Wild(Enum):
    """A wildcard without a text of its own; ``DOUBLE`` is two stars, whatever stands beside them."""

    ANY = "?"
    STAR = "*"
    DOUBLE = "**"


@record
class Literal:
    text: str


@record
class CharClass:
    """One character of ``ranges``, or one that is in none of them; ``text`` is the class as written."""

    text: str
    is_negated: bool
    ranges: tuple[tuple[str, str], ...]

    def accepts(self, char: str) -> bool:
        return self.is_negated != any(low <= char <= high for low, high in self.ranges)


@record
class Slash:
    position: int


@record
class Group:
    """Braces with at least two alternatives; ``has_slash`` counts those of nested groups."""

    alternatives: tuple["Tokens", ...]
    has_slash: bool


Token = Literal | Wild | CharClass | Slash | Group
Tokens = tuple[Token, ...]


def tokenize(pattern: str) -> Tokens:
    """The tokens of a pattern, neighbouring literals joined; raises GlobError."""
    if not pattern:
        raise GlobError("an empty pattern", pattern, 0, hint="write ** for every file")
    if len(pattern) > PATTERN_MAX:
        raise GlobError(
            f"more than {PATTERN_MAX} characters", pattern, PATTERN_MAX, hint="split it into several patterns"
        )
    zero = pattern.find("\0")
    if zero >= 0:
        raise GlobError("a NUL", pattern, zero, hint="no path holds one")
    return _Scanner(pattern).sequence()


def render(tokens: Tokens) -> str:
    """The pattern that reads as ``tokens``, with as few escapes as are sure."""
    return "".join(_written(token) for token in tokens)


def _written(token: Token) -> str:
    match token:
        case Literal():
            return token.text.translate(_ESCAPED)
        case Wild():
            return token.value
        case CharClass():
            return token.text
        case Slash():
            return "/"
        case Group():
            return "{" + ",".join(render(each) for each in token.alternatives) + "}"


def joined(tokens: Iterable[Token]) -> Tokens:
    """The same tokens, neighbouring literals made one."""
    kept: list[Token] = []
    texts: list[str] = []
    for token in tokens:
        if isinstance(token, Literal):
            texts.append(token.text)
            continue
        if texts:
            kept.append(Literal("".join(texts)))
            texts.clear()
        kept.append(token)
    return (*kept, Literal("".join(texts))) if texts else tuple(kept)


class _Scanner:
    """Reads a pattern once, left to right."""

    __slots__ = ("at", "depth", "pattern")

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.depth = 0

    def sequence(self) -> Tokens:
        """Tokens up to the end, or inside braces up to the comma or brace that ends an alternative."""
        tokens: list[Token] = []
        while self.at < len(self.pattern):
            sign = self.pattern[self.at]
            if self.depth and sign in ",}":
                break
            tokens += self._tokens(sign)
        return joined(tokens)

    def _tokens(self, sign: str) -> Tokens:
        match sign:
            case "*":
                return (self._stars(),)
            case "?":
                self.at += 1
                return (Wild.ANY,)
            case "/":
                return (self._slash(),)
            case "[":
                return (self._char_class(),)
            case "{":
                return self._group()
            case "\\":
                return (Literal(self._escaped()),)
            case "}":
                raise self._error("a closing brace that nothing opens", self.at, "escape it: \\}")
        return (self._literal(),)

    def _error(self, what: str, position: int, hint: str) -> GlobError:
        return GlobError(what, self.pattern, position, hint=hint)

    def _stars(self) -> Wild:
        start = self.at
        while self.pattern.startswith("*", self.at):
            self.at += 1
        return Wild.DOUBLE if self.at - start == 2 else Wild.STAR

    def _slash(self) -> Slash:
        if self.at and self.pattern[self.at - 1] == "/":
            raise self._error("an empty segment", self.at, "write one slash")
        self.at += 1
        return Slash(self.at - 1)

    def _literal(self) -> Literal:
        start = self.at
        self.at += 1
        while self.at < len(self.pattern) and self.pattern[self.at] not in _SPECIAL:
            self.at += 1
        return Literal(self.pattern[start : self.at])

    def _escaped(self) -> str:
        char = self.pattern[self.at + 1 : self.at + 2]
        if not char:
            raise self._error("a backslash that escapes nothing", self.at, "write \\\\ for a backslash")
        if char == "/":
            raise self._error("an escaped slash", self.at, "paths are split at slashes only")
        self.at += 2
        return char

    def _group(self) -> Tokens:
        opened = self.at
        if self.depth == NESTING_MAX:
            raise self._error(f"braces nested more than {NESTING_MAX} deep", opened, "split the pattern")
        self.depth += 1
        alternatives: list[Tokens] = []
        while not alternatives or self.pattern.startswith(",", self.at):
            self.at += 1
            alternatives.append(self.sequence())
        if self.at == len(self.pattern):
            raise self._error("a brace that is not closed", opened, "close it, or escape it: \\{")
        self.at += 1
        self.depth -= 1
        if len(alternatives) == 1:
            return self._sole(alternatives[0], opened)
        return (Group(tuple(alternatives), any(_has_slash(each) for each in alternatives)),)

    def _sole(self, tokens: Tokens, opened: int) -> Tokens:
        inside = self.pattern[opened + 1 : self.at - 1]
        if not inside:
            raise self._error("empty braces", opened, "escape them: \\{\\}")
        if ".." in inside:
            raise self._error("a range in braces", opened, "list the alternatives: {1,2,3}")
        return tokens

    def _char_class(self) -> CharClass:
        opened = self.at
        self.at += 1
        is_negated = self.pattern.startswith("!", self.at)
        self.at += is_negated
        if self.pattern.startswith("^", self.at) and not is_negated:
            raise self._error("a class that starts with ^", self.at, "write [!...] to negate, [\\^...] for the sign")
        if self.pattern.startswith("]", self.at):
            raise self._error("an empty class", opened, "escape a bracket that is meant: [\\]]")
        ranges: list[tuple[str, str]] = []
        while not self.pattern.startswith("]", self.at):
            ranges.append(self._range(opened))
        self.at += 1
        return CharClass(self.pattern[opened : self.at], is_negated, tuple(ranges))

    def _range(self, opened: int) -> tuple[str, str]:
        start = self.at
        low = high = self._member(opened)
        if self.pattern.startswith("-", self.at) and not self.pattern.startswith("]", self.at + 1):
            self.at += 1
            high = self._member(opened)
        if high < low:
            raise self._error("a range that runs backwards", start, f"write {high}-{low}")
        return low, high

    def _member(self, opened: int) -> str:
        char = self.pattern[self.at : self.at + 1]
        if not char:
            raise self._error("a class that is not closed", opened, "close it, or escape it: \\[")
        if char == "/":
            raise self._error("a slash in a class", self.at, "a class matches within one segment")
        if self.pattern.startswith("[:", self.at):
            raise self._error("a named class", self.at, "write the ranges: [A-Za-z]")
        if char == "\\":
            return self._escaped()
        self.at += 1
        return char


def _has_slash(tokens: Tokens) -> bool:
    return any(isinstance(token, Slash) or (isinstance(token, Group) and token.has_slash) for token in tokens)
