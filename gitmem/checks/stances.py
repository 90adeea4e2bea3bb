"""What a text holds on a matter, in a form in which the stances of two texts on one matter can be compared.

Refuses to judge statements that share no matter: stances with different keys say nothing about each other.
"""

import hashlib
import re
from collections.abc import Iterator
from functools import cache

from gitmem.record import record
from gitmem.text.statement_words import CONDITIONS, stem
from gitmem.text.statements import Force, Statement, statements
from gitmem.text.words import fold

_ON_A_MATTER_MOST = 8
# Not a value but part of a name: "Road 3".
_NUMBERED = r"[^\W\d]+(?: (?:number|no\.?|nr\.?))? #?\d{1,3}[.:]?"
_NUMBER = r"v?(\d+(?:\.\d+)*)(\+?)(%|[a-z]*)"
# Values that exclude each other whatever else the sentence says, and the words that only name their subject.
_CHOICES = {
    "indentation": ("tabs|spaces", "indent code whitespace character file"),
    "quotes": ("single quotes|double quotes", "quote string literal text"),
    "case": (
        "snake_case|camelCase|PascalCase|kebab-case|SCREAMING_SNAKE_CASE|UPPER_SNAKE_CASE",
        "name convention style",
    ),
    "package manager": ("npm|yarn|pnpm|bun", "install package dependency manager manage script run javascript"),
    "environment": ("poetry|pipenv|conda|uv", "install package dependency manager manage environment virtual python"),
    "test runner": ("jest|vitest|mocha|jasmine", "test unit framework runner"),
    "Python test runner": ("pytest|unittest|nose", "test unit framework runner"),
    "state": ("redux|mobx|zustand", "state management"),
    "modules": ("ESM|CommonJS", "module syntax import"),
    "imports": ("relative imports|absolute imports", "import path"),
    "exports": ("default exports|named exports", "export"),
    "components": ("functional components|class components|function components", "component react"),
    "line ends": ("LF|CRLF", "line end ending"),
    "time zone": ("UTC|local time", "timezone time zone"),
    "tense": ("present tense|past tense", "tense"),
    "spelling": ("British English|American English", "spell"),
    "database": ("Postgres|MySQL|MariaDB|MongoDB", "database storage data db"),
    "language": ("English|German|French|Spanish|Chinese|Japanese", "language"),
    "width": ("uppercase|lowercase", "letter"),
}
# Words of which the second undoes the first when all around them is the same.
_SWITCHES = (
    "enable disable",
    "allow forbid disallow prohibit",
    "include exclude omit",
    "add remove",
    "show hide",
    "keep delete discard",
    "true false",
    "before after",
    "with without",
    "ascending descending",
    "start stop",
    "strict lenient",
)
# The first form is the one that is shown.
_UNITS = {
    "time": {
        "ms milliseconds": 1,
        "seconds s sec": 1_000,
        "minutes min": 60_000,
        "hours h": 3_600_000,
        "days": 86_400_000,
        "weeks": 604_800_000,
    },
    "character": {"characters chars": 1, "columns cols": 1},
    "space": {"spaces": 1},
    "line": {"lines loc": 1},
    "share": {"% percent": 1},
    "size": {"bytes": 1, "kB": 1_000, "KiB": 1 << 10, "MB": 10**6, "MiB": 1 << 20, "GB": 10**9, "GiB": 1 << 30},
    "count": {"times": 1, "attempts": 1, "retries": 1},
    "length": {"px": 1},
}
_GENERAL = (
    "use set keep have be need target require support want write name store format quote put run make end wrap fit"
)
_BOUND_WORDS = "max maximum min minimum limit most least size"
_LINE_WORDS = "line length width long wide limit code text hard soft wrap character column"
_ORDINALS = (
    "step phase part section level tier option example chapter rule item week figure issue table version priority p"
)
_MARKS = frozenset(["@max", "@min", "@default"])


@record
class _Unit:
    """``scale`` is how many of the smallest unit of its kind one is, 0 where numbers count for themselves."""

    kind: str
    scale: int
    written: str


_NO_UNIT = _Unit("", 0, "")


@record
class Stance:
    """``matter`` is what it is about; two stances on one matter are opposed when ``clash`` gives a reason.

    ``value`` is what was chosen, or the number as written; ``amount`` the number in the smallest unit, or the parts of
    a version; ``bound`` says whether that is the least, the most or exact.
    """

    matter: str
    force: Force
    said: str
    value: str = ""
    amount: tuple[int, ...] = ()
    bound: str = ""
    conditions: frozenset[tuple[str, ...]] = frozenset()

    @property
    def key(self) -> str:
        """Eight hexadecimal digits for the matter: texts that share none are not opposed."""
        return hashlib.blake2b(self.matter.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()


def stances(text: str) -> list[Stance]:
    """The stances of a text, at most eight on a matter, and none on a matter in which it differs from itself."""
    by_matter: dict[str, list[Stance]] = {}
    for statement in statements(text):
        for stance in _stances_of(statement):
            by_matter.setdefault(stance.matter, []).append(stance)
    clear = (same for same in by_matter.values() if not any(clash(same[0], other) for other in same[1:]))
    return [stance for same in clear for stance in same[:_ON_A_MATTER_MOST]]


def clash(mine: Stance, theirs: Stance) -> str:
    """Why two stances on one matter cannot both be followed; "" when they can."""
    forces = {mine.force, theirs.force}
    if mine.amount:
        return f"{mine.value} against {theirs.value}" if _are_apart(mine, theirs) else ""
    if mine.value:
        if Force.NOT in forces:
            return "one says to, the other not to" if len(forces) == 2 and mine.value == theirs.value else ""
        return f"{mine.value} against {theirs.value}" if mine.value != theirs.value else ""
    if Force.NOT in forces and forces & {Force.DO, Force.MUST} and _hold_together(mine, theirs):
        return "one says to, the other not to"
    if forces == {Force.MUST, Force.LEFT_OPEN} and _hold_together(mine, theirs):
        return "one demands it, the other leaves it open"
    return ""


def _hold_together(mine: Stance, theirs: Stance) -> bool:
    """Whether both hold at once: under the same conditions, or the one that binds more under fewer.

    A ban contradicts a narrower order, "always" a narrower ban. What is said mildly may have exceptions: so rules are
    written.
    """
    if mine.conditions == theirs.conditions:
        return True
    if Force.NOT not in (mine.force, theirs.force) or " " not in mine.matter:
        return False
    ban, order = (mine, theirs) if mine.force is Force.NOT else (theirs, mine)
    return ban.conditions < order.conditions or (order.force is Force.MUST and order.conditions < ban.conditions)


def _are_apart(mine: Stance, theirs: Stance) -> bool:
    if mine.bound == theirs.bound:
        shorter = min(len(mine.amount), len(theirs.amount))
        return mine.amount[:shorter] != theirs.amount[:shorter]
    by_bound = {mine.bound: mine.amount, theirs.bound: theirs.amount}
    exact, least, most = by_bound.get("exact"), by_bound.get("least"), by_bound.get("most")
    if exact is None:
        return bool(least and most and least > most)
    return bool((most and exact > most) or (least and exact < least))


def _stances_of(statement: Statement) -> Iterator[Stance]:
    words = " ".join(sorted(set(statement.words)))
    yield Stance(f"do:{words}", statement.force, statement.said, conditions=frozenset(statement.conditions))
    bag = [*statement.words, *(word for phrase in statement.conditions for word in phrase)]
    if statement.force is Force.LEFT_OPEN:
        return
    yield from _tools_of(statement)
    yield from _choices_of(statement, bag)
    if statement.force is not Force.NOT:
        yield from _switches_of(statement, bag)
        yield from _amounts_of(statement, bag)


def _tools_of(statement: Statement) -> Iterator[Stance]:
    """What a name is used for: two names for one purpose exclude each other, two plain words need not."""
    match statement.words, statement.conditions:
        case ("use", word), (("for", *purpose),) if purpose:
            name = _as_name(word, statement.said)
            if name:
                yield Stance(f"for:{' '.join(purpose)}", statement.force, statement.said, name)


def _as_name(word: str, said: str) -> str:
    """The word behind a stem when it is written as names are: in back-quotes, or large although not the first."""
    written = (raw for raw in said.split()[1:] if raw[0].isupper() or raw[0] == "`")
    bare = (fold(raw).strip("`.,;:!") for raw in written)
    return next((name for name in bare if stem(name) == word), "")


def _choices_of(statement: Statement, bag: list[str]) -> Iterator[Stance]:
    present = frozenset(bag)
    for name in dict.fromkeys(name for word in bag for name in _choices_with().get(word, ())):
        members, topics = _choices()[name]
        chosen = [(written, stems) for written, stems in members.items() if present.issuperset(stems)]
        if len(chosen) == 1:
            written, stems = chosen[0]
            rest = present.difference(stems, topics, _stems(_GENERAL), CONDITIONS)
            about = " ".join(sorted(word for word in rest if not word[:1].isdigit()))
            yield Stance(f"{name}:{about}", statement.force, statement.said, written)


def _switches_of(statement: Statement, bag: list[str]) -> Iterator[Stance]:
    table = _switches()
    for at, word in enumerate(bag):
        number, written = table.get(word, (-1, ""))
        if written and len(bag) > 1 and sum(table.get(other, (-1,))[0] == number for other in bag) == 1:
            about = " ".join(sorted({*bag[:at], *bag[at + 1 :]}))
            yield Stance(f"switch{number}:{about}", statement.force, statement.said, written)


def _amounts_of(statement: Statement, bag: list[str]) -> Iterator[Stance]:
    """The one number of a statement; several are a range or a list, and nothing is known about these."""
    numbers = [(at, match) for at, word in enumerate(bag) if (match := _pattern(_NUMBER).fullmatch(word))]
    if len(numbers) != 1 or _pattern(_NUMBERED).fullmatch(fold(statement.said)):
        return
    at, match = numbers[0]
    unit = _units().get(match[3] or (bag[at + 1] if at + 1 < len(bag) else ""), _NO_UNIT)
    if (match[3] and unit is _NO_UNIT) or (at and bag[at - 1] in _stems(_ORDINALS)):
        return
    is_apart = unit is not _NO_UNIT and not match[3]
    around = frozenset([*bag[:at], *bag[at + 1 + is_apart :]])
    matter = _measured(unit, around)
    if matter:
        is_width = matter.startswith("width:")
        bound = _bound(around, match[2])
        amount = _scaled(match[1], 1 if is_width else unit.scale)
        value = " ".join(filter(None, (match[1] + match[2], unit.written)))
        bound = "most" if is_width and bound == "exact" else bound
        yield Stance(matter, statement.force, statement.said, value, amount, bound)


def _measured(unit: _Unit, around: frozenset[str]) -> str:
    """What a number in a statement measures, from the words around it; "" when they do not say."""
    rest = around.difference(_stems(_GENERAL), _stems(_BOUND_WORDS), CONDITIONS, _MARKS)
    is_line = unit.written == "columns" or not around.isdisjoint(_stems("line wrap width"))
    if (unit.kind == "character" and is_line) or (unit is _NO_UNIT and around.issuperset(_stems("line length"))):
        return "width:" + " ".join(sorted(rest - _stems(_LINE_WORDS)))
    if unit.kind == "space":
        return "space:" + " ".join(sorted(rest - _stems("indent code tab")))
    return f"{unit.kind or 'number'}:{' '.join(sorted(rest))}" if rest else ""


def _bound(words: frozenset[str], sign: str) -> str:
    if sign or not words.isdisjoint(["@min", "min", "minimum", "least"]):
        return "least"
    return "most" if not words.isdisjoint(["@max", "max", "maximum", "most", "limit"]) else "exact"


def _scaled(number: str, scale: int) -> tuple[int, ...]:
    """A number of units in thousandths of the smallest one; without a unit the parts of a version."""
    if not scale:
        return tuple(map(int, number.split(".")))
    whole, _, decimals = number.partition(".")
    return (int(whole) * 1000 * scale + int((decimals.replace(".", "") + "000")[:3]) * scale,)


@cache
def _stems(words: str) -> frozenset[str]:
    return frozenset(map(stem, words.split()))


@cache
def _choices() -> dict[str, tuple[dict[str, tuple[str, ...]], frozenset[str]]]:
    """Name of a choice -> (its members as written and as stems, the words that only name its subject)."""
    return {
        name: ({member: tuple(map(stem, member.lower().split())) for member in members.split("|")}, _stems(topics))
        for name, (members, topics) in _CHOICES.items()
    }


@cache
def _choices_with() -> dict[str, list[str]]:
    """First word of a member -> the names of the choices that have it."""
    table: dict[str, list[str]] = {}
    for name, (members, _) in _choices().items():
        for stems in members.values():
            table.setdefault(stems[0], []).append(name)
    return table


@cache
def _switches() -> dict[str, tuple[int, str]]:
    """A word or its stem -> (number of the row, the word)."""
    rows = ((number, word) for number, row in enumerate(_SWITCHES) for word in row.split())
    return {form: (number, word) for number, word in rows for form in (word, stem(word))}


@cache
def _units() -> dict[str, _Unit]:
    return {
        stem(form.lower()): _Unit(kind, scale, forms.split()[0])
        for kind, units in _UNITS.items()
        for forms, scale in units.items()
        for form in forms.split()
    }


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source)
