"""What a text tells its reader to do, not to do, or leaves open: one statement for each order that could be found.

Refuses to understand: a sentence that it cannot take apart with certainty gives nothing.
"""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cache

from gitmem.record import field, record, state
from gitmem.text import statement_words as known
from gitmem.text.fences import code_lines
from gitmem.text.words import cut, fold

_SAID_MOST = 200
_SENTENCE_MOST = 500
_LEAD_MOST = 80
_WORDS_MOST = 12
_VALUE_MOST = 4
_LABEL_MOST = 6

_HEADING = r" {0,3}#{1,6}(?:[ \t]+|$)"
_ITEM = r"[ \t>]*(?:[-*+\u2022]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?"
_END = r"(?<=[.!?])[ \t]+(?![a-z\s])|(?<=[\u3002\uff01\uff1f])"
_ASIDE = r"\([^()]+\)|https?://\S+|[\[\]]"
_COMPARED = r"([<>~=^]=?)(v?\d.*)"
_MARKS = ",;\u2013\u2014\uff0c\u3001\uff1b"
_TOKEN = rf"(?<!`)`++[^`]++`++|-(?=\s)|[{_MARKS}]|:(?=[\s`]|$)|(?:[^\s:{_MARKS}]|:(?=[^\s`]))+"
_HYPHENED = r"(\d+)-([a-z]+)"
_BREAKS = frozenset(_MARKS) | {"-", "but"}
_JOINS = frozenset(["and", "then", "but", "so", "also"])
_EQUALS = frozenset(["=", "==", "->", "=>", ":=", ":"])
_ABBREVIATED = (("e.g.", "eg"), ("i.e.", "ie"), ("etc.", "etc"), ("vs.", "vs"), ("approx.", "about"), ("max.", "max"))
_PREFERENCES = frozenset(["prefer", "favor", "favour", "choose"])
_PASSIVE = known.BANNED | known.DEMANDED | known.LEFT_OPEN | known.ALLOWED
_BANS = frozenset(["never", "not", "avoid", "no"])


class Force(StrEnum):
    """How a statement is meant; ``LEFT_OPEN`` says that something need not be."""

    DO = "do"
    MUST = "must"
    NOT = "not"
    LEFT_OPEN = "left-open"


@record
class Statement:
    """``said`` is the sentence; ``words`` are its stems in reading order, without what only carries force.

    ``conditions`` are the phrases that say when, where and how, each from its preposition on.
    """

    said: str
    force: Force
    words: tuple[str, ...]
    conditions: tuple[tuple[str, ...], ...]


def statements(text: str) -> list[Statement]:
    """The statements of a Markdown text in reading order; code blocks, tables, questions, bad examples make none."""
    return [found for sentence in _sentences(text) for found in _statements_of(sentence)]


def _sentences(text: str) -> Iterator[str]:
    is_bad_section = is_bad_list = False
    for block, is_heading in _blocks(text):
        tokens = _tokens(block[:_LEAD_MOST])
        is_lead = is_heading or block.endswith((":", "\uff1a"))
        is_bad = block.startswith(known.BAD_SIGNS)
        if is_lead:
            is_bad_list = not known.BAD_LEADS.isdisjoint(tokens[:3])
            is_bad_section = is_bad_list if is_heading else is_bad_section and not is_bad_list
        if is_heading and (not tokens or tokens[0] not in known.OPENERS):
            continue
        if _bans(tokens) or not (is_bad or is_bad_section or is_bad_list):
            yield from (part for part in _pattern(_END).split(block) if len(part) <= _SENTENCE_MOST)


def _blocks(text: str) -> Iterator[tuple[str, bool]]:
    """Paragraphs and items on one line each, and whether it is a heading; no code, no tables."""
    lines = text.split("\n")
    block: list[str] = []
    for line, is_code in zip(lines, code_lines(lines), strict=True):
        heading = None if is_code else _pattern(_HEADING).match(line)
        item = None if is_code else _pattern(_ITEM).match(line)
        bare = line.lstrip("> \t").rstrip()
        if block and (heading or item or is_code or not bare):
            yield " ".join(block), False
            block = []
        if heading:
            yield line[heading.end() :].strip(" #\t"), True
        elif not is_code and bare and not bare.startswith(("|", "<!--")):
            block.append(line[item.end() :].rstrip() if item else bare)
    if block:
        yield " ".join(block), False


def _bans(tokens: Sequence[str]) -> bool:
    return bool(tokens) and (tokens[0] in _BANS or list(tokens[:2]) == ["do", "not"])


def _tokens(sentence: str) -> list[str]:
    """Folded words and marks; what stands in back-quotes keeps one before it, so that no word of ours is seen in it."""
    folded = fold(sentence)
    for written, read in (*_ABBREVIATED, *known.CONTRACTIONS):
        folded = folded.replace(written, read)
    if not folded.isascii():
        for written, read in known.UNSPACED:
            folded = folded.replace(written, read)
    folded = _pattern(_ASIDE).sub(" ", folded)
    return _without_phrases([token for raw in _pattern(_TOKEN).findall(folded) for token in _cleaned(raw)])


def _cleaned(raw: str) -> list[str]:
    if raw.startswith("`") and raw.endswith("`"):
        return [f"`{word}" for word in raw.strip("`").split()]
    bare = raw.strip("\"'*_" if raw.strip("*_\"'.!?").isalnum() else "\"'").rstrip(".!?\u2026\u3002*\"'")
    if bare.isalpha():
        return [bare]
    parts = _pattern(_HYPHENED).fullmatch(bare) or _pattern(_COMPARED).fullmatch(bare)
    return list(parts.groups()) if parts else [bare] if bare else []


def _without_phrases(tokens: list[str]) -> list[str]:
    """The tokens with the phrases of ``statement_words`` replaced by what they read as."""
    found: list[str] = []
    at = 0
    while at < len(tokens):
        for whole, read in known.phrases().get(tokens[at], ()):
            if tuple(tokens[at : at + len(whole)]) == whole:
                found += read
                at += len(whole)
                break
        else:
            found.append(tokens[at])
            at += 1
    return found


@state
class _Clause:
    """One order while it is read; ``negations`` counts, ``verb`` is what a mere object behind it belongs to."""

    words: list[str] = field(default_factory=list)
    conditions: list[list[str]] = field(default_factory=list)
    negations: int = 0
    is_strong: bool = False
    is_open: bool = False
    is_passive: bool = False
    has_be: bool = False

    @property
    def force(self) -> Force | None:
        """None when it cannot be told."""
        if self.negations + self.is_open > 1:
            return None
        if self.is_open:
            return Force.LEFT_OPEN
        if self.negations:
            return Force.NOT
        return Force.MUST if self.is_strong else Force.DO


def _statements_of(sentence: str) -> Iterator[Statement]:
    tokens = _tokens(sentence)
    if "@drop" in tokens or sentence.rstrip().endswith("?"):
        return
    said = " ".join(sentence.split())
    for clause in _clauses(tokens):
        words = ["use", *clause.words] if clause.is_passive else clause.words
        conditions = tuple(tuple(phrase) for phrase in clause.conditions if len(phrase) > 1)
        tells = len(words) > 1 or (words and (conditions or not words[0].isascii()))
        if clause.force and tells and len(words) <= _WORDS_MOST:
            yield Statement(cut(said, _SAID_MOST), clause.force, tuple(words), conditions)


def _clauses(tokens: Sequence[str]) -> list[_Clause]:
    found: list[_Clause] = []
    lead: list[list[str]] = []
    for segment in _segments(tokens):
        if segment[-1] == ":":
            lead += [] if found else _label(segment[:-1])
            if known.OPENERS.isdisjoint(segment) or segment[-2][-1].isdigit():
                continue
            segment.pop()
        if segment[0] in known.CONDITIONS:
            (found[-1].conditions if found else lead).extend(_phrases_of(segment))
        elif not found or known.OPENERS.intersection(segment[:2]):
            found += _clauses_of(segment, found[-1].words[:1] if found else [])
    for clause in found:
        clause.conditions[:0] = lead
    return found


def _segments(tokens: Sequence[str]) -> list[list[str]]:
    """The parts of a sentence between its marks; a mark before a short value is none."""
    parts: list[list[str]] = [[]]
    for at, token in enumerate(tokens):
        behind = tokens[at + 1 : at + 1 + _VALUE_MOST]
        opens = bool(behind) and behind[0] in known.OPENERS
        before = parts[-1][-1] if parts[-1] else ""
        is_label = token == ":" and (before[-1:].isdigit() or not any(word[:1].isdigit() for word in behind))
        if is_label:
            parts[-1].append(token)
        if is_label or token in _BREAKS or (token in _JOINS and opens):
            parts.append([])
        elif token not in _EQUALS:
            parts[-1].append(token)
    trimmed = (part[1:] if part[:1] and part[0] in _JOINS else part for part in parts)
    return [part for part in trimmed if part and part != [":"]]


def _label(tokens: Sequence[str]) -> list[list[str]]:
    """What stands before a colon as the condition of what follows, unless it is an order or says nothing itself."""
    words = [known.stem(token.removeprefix("`")) for token in tokens if token not in known.FILLERS]
    if len(words) > _LABEL_MOST or not known.OPENERS.isdisjoint(tokens) or known.NO_SUBJECT.issuperset(words):
        return []
    return [["for", *words]]


def _phrases_of(segment: Sequence[str]) -> list[list[str]]:
    clause = _Clause(words=["-"])
    _read(segment, clause)
    return clause.conditions


def _clauses_of(segment: list[str], verb: list[str]) -> list[_Clause]:
    """The clause of a segment, and what it is preferred to as a second one that is negated."""
    at = next((n for n in range(1, len(segment)) if _sets_apart(segment, n)), len(segment))
    first, other = _Clause(), _Clause(negations=1)
    if segment[0] == "no":
        first.words.append("use")
    if verb and segment[0] in ("not", "never") and segment[1:2] and segment[1] not in known.VERBS:
        first.words += verb
    _read(segment[:at], first)
    rest = segment[at + 1 :]
    if not rest or rest[0] in known.CONDITIONS:
        return [first]
    other.words += [] if rest[0].endswith("ing") and rest[1:] else first.words[:1]
    _read(rest, other)
    if sorted(other.words) == sorted(first.words):
        return [first]
    first.conditions += other.conditions
    other.conditions[:] = first.conditions
    return [first, other]


def _sets_apart(segment: Sequence[str], at: int) -> bool:
    """Whether what follows is what the order prefers something to."""
    if segment[at] == "over":
        return segment[0] in _PREFERENCES
    is_contrast = segment[at] == "not" and segment[at - 1] not in known.AUXILIARIES
    return segment[at] == "@instead" or is_contrast


def _read(tokens: Sequence[str], clause: _Clause) -> None:
    """Sorts tokens into words, conditions and force; what follows a word that gives a reason is not read."""
    target = clause.conditions[-1] if clause.conditions else clause.words
    for at, token in enumerate(tokens):
        following = tokens[at + 1] if at + 1 < len(tokens) else ""
        if token in known.REASONS:
            break
        if token in known.BOUNDS and following[:1].isdigit():
            target.append(known.BOUNDS[token])
        elif token in known.CONDITIONS and clause.words:
            target = [token]
            clause.conditions.append(target)
        elif not _carries_force(token, following, clause):
            target.append(known.stem(token.removeprefix("`")))


def _carries_force(token: str, following: str, clause: _Clause) -> bool:
    """Notes what a token says about force; False for a token that has a meaning of its own."""
    is_last = not following or following in known.CONDITIONS
    clause.is_strong |= token in known.STRONG
    if token in known.BE:
        clause.has_be = True
    elif clause.has_be and not clause.is_passive and token in _PASSIVE:
        _note_passive(token, clause)
    elif token in known.NEGATIONS:
        clause.negations += 1
    elif token == "avoid" and not clause.words:
        clause.negations += 1
        clause.words += [] if following.endswith("ing") else ["use"]
    elif token == "@optional":
        clause.is_open = True
    else:
        return token in known.FILLERS and not (is_last and token in known.DETERMINERS)
    return True


def _note_passive(token: str, clause: _Clause) -> None:
    """``X is banned`` reads as: do not use X; ``X is not required`` as: X is left open."""
    clause.is_passive = True
    if token in known.BANNED:
        clause.negations += 1
    elif token in known.LEFT_OPEN or (token in known.DEMANDED and clause.negations):
        clause.is_open = True
        clause.negations = 0
    clause.is_strong |= token in known.DEMANDED


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source)
