"""One segment of a glob, and the matching of one path segment against many of them. Refuses slashes and ``**``."""

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from gitmem.globs.automaton import Automaton, Layout
from gitmem.globs.syntax import CharClass, Group, Literal, Token, Tokens, Wild, render, tokenize
from gitmem.record import record

DOUBLE_STAR = "**"
_SIMPLE = "*"
_AFFIX_MAX = 32
_FEW = 8
_LONG = 1_024
_REMEMBERED = 2_048

# head -> tail -> text of the segment -> number; the text is "*" when nothing but one star lies between head and tail.
WildTable = dict[str, dict[str, dict[str, int]]]


@record
class Segment:
    """``text`` is the segment in pattern form. A literal segment has ``literal``, the name that it stands for; a wild
    one has a place in a ``WildTable``: the literal text that it starts with, the one that it ends with, and its key.
    """

    text: str
    literal: str | None = None
    place: tuple[str, str, str] = ("", "", "")

    @property
    def is_double_star(self) -> bool:
        return self.literal is None and self.text == DOUBLE_STAR


def segment_of(tokens: Tokens) -> Segment:
    """A segment from its tokens, which hold no slash; two stars cross segments only when they are all there is."""
    if tokens == (Wild.DOUBLE,):
        return Segment(DOUBLE_STAR)
    plain = _with_single_stars(tokens)
    text = render(plain)
    if len(plain) == 1 and isinstance(plain[0], Literal):
        return Segment(text, plain[0].text)
    return Segment(text, None, _place(plain, text))


def _with_single_stars(tokens: Tokens) -> Tokens:
    kept: list[Token] = []
    for token in tokens:
        star = token in (Wild.STAR, Wild.DOUBLE)
        if not (star and kept and kept[-1] is Wild.STAR):
            kept.append(Wild.STAR if star else token)
    return tuple(kept)


def _place(tokens: Tokens, text: str) -> tuple[str, str, str]:
    first, last = tokens[0], tokens[-1]
    head = first.text if isinstance(first, Literal) else ""
    tail = last.text if isinstance(last, Literal) else ""
    is_simple = len(tokens) == (head != "") + 1 + (tail != "") and Wild.STAR in tokens
    is_short = len(head) <= _AFFIX_MAX and len(tail) <= _AFFIX_MAX
    return head[:_AFFIX_MAX], tail[-_AFFIX_MAX:], _SIMPLE if is_simple and is_short else text


class SegmentMatcher:
    """Matches names against several wild segments at once, in time linear in the name."""

    __slots__ = ("_any", "_automaton", "_by_char", "_classes", "_known", "_layout", "_texts")

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._any = 0
        self._by_char: dict[str, int] = {}
        self._classes: dict[CharClass, int] = {}
        self._known: dict[str, int] = {}
        self._layout = Layout()
        for text in texts:
            self._layout.begin()
            self._lay_out(tokenize(text))
            self._layout.end()
        self._automaton = Automaton(self._layout, self._accepts, remembered=_REMEMBERED)

    def matching(self, name: str) -> list[str]:
        """The texts of the segments that match ``name``."""
        return [self._texts[number] for number in self._automaton.accepted(name)]

    def _accepts(self, char: str) -> int:
        bits = self._known.get(char)
        if bits is None:
            bits = self._any | self._by_char.get(char, 0)
            for char_class, of_class in self._classes.items():
                if char_class.accepts(char):
                    bits |= of_class
            if len(self._known) < _REMEMBERED:
                self._known[char] = bits
        return bits

    def _lay_out(self, tokens: Tokens) -> None:
        for token in tokens:
            if isinstance(token, Literal):
                for char in token.text:
                    self._by_char[char] = self._by_char.get(char, 0) | self._layout.advance()
            elif isinstance(token, CharClass):
                self._classes[token] = self._classes.get(token, 0) | self._layout.advance()
            elif isinstance(token, Group):
                self._lay_out_group(token)
            elif token is Wild.ANY:
                self._any |= self._layout.advance()
            else:
                self._layout.loop()

    def _lay_out_group(self, group: Group) -> None:
        origin = self._layout.size - 1
        ends = []
        for alternative in group.alternatives:
            self._layout.fork(origin)
            self._lay_out(alternative)
            ends.append(self._layout.size - 1)
        self._layout.join(ends)


@lru_cache(maxsize=256)
def matcher_of(texts: tuple[str, ...]) -> SegmentMatcher:
    return SegmentMatcher(texts)


class Wilds:
    """The wild segments at one place, found by what a name starts and ends with before anything is matched."""

    __slots__ = ("_matchers", "_table")

    def __init__(self, table: WildTable) -> None:
        self._table = table
        self._matchers: dict[tuple[str, str], SegmentMatcher] = {}

    def matching(self, name: str) -> list[int]:
        """The numbers of the segments that match ``name``."""
        found: list[int] = []
        unsettled = []
        for head, tail, group in self._groups(name):
            if _SIMPLE in group:
                found.append(group[_SIMPLE])
            if len(group) > (_SIMPLE in group):
                unsettled.append((head, tail, group))
        if len(unsettled) > 1 and len(name) > _LONG:
            merged = {text: number for _, _, group in unsettled for text, number in group.items()}
            return found + [merged[text] for text in SegmentMatcher(_texts(merged)).matching(name)]
        for head, tail, group in unsettled:
            found += [group[text] for text in self._matcher(head, tail, group).matching(name)]
        return found

    def _groups(self, name: str) -> Iterator[tuple[str, str, dict[str, int]]]:
        for head in _affixes(self._table, name, from_end=False):
            tails = self._table[head]
            for tail in _affixes(tails, name, from_end=True):
                if len(head) + len(tail) <= len(name):
                    yield head, tail, tails[tail]

    def _matcher(self, head: str, tail: str, group: dict[str, int]) -> SegmentMatcher:
        matcher = self._matchers.get((head, tail))
        if matcher is None:
            matcher = self._matchers[head, tail] = matcher_of(_texts(group))
        return matcher


def _texts(group: dict[str, int]) -> tuple[str, ...]:
    return tuple(text for text in group if text != _SIMPLE)


def _affixes(known: Collection[str], name: str, *, from_end: bool) -> list[str]:
    """Those of ``known`` that ``name`` starts with, or ends with; asks about few one by one, looks many up."""
    if len(known) <= _FEW:
        return [each for each in known if (name.endswith(each) if from_end else name.startswith(each))]
    lengths = range(min(len(name), _AFFIX_MAX) + 1)
    parts = (name[len(name) - n :] if from_end else name[:n] for n in lengths)
    return [part for part in parts if part in known]
