"""Finds wording that is aimed at the tools that read a text: orders to forget rules, to hide, to run, to send.

Refuses to understand: it knows phrases and disguises, and a careful liar gets past it. A sign is a warning, no verdict.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from itertools import islice

from gitmem.record import record
from gitmem.text.disguises import readings
from gitmem.text.steering_phrases import ENGLISH, OTHER_LANGUAGES, UNSPACED
from gitmem.text.words import fold

_SHOWN = 60
# A text that says it this often is marked; where it says it once more is of no use to anybody.
_PHRASES_MAX = 1000


@record
class Sign:
    """``start`` is a code point offset into the text; under a disguise, that of the disguised run or near it."""

    start: int
    message: str


def signs(text: str, shown: str) -> list[Sign]:
    """What in ``text`` speaks to its reader's tools, at most one sign a line, in reading order.

    ``shown`` is ``text`` with its code blanked: what only counts outside code is looked for there.
    """
    starts = [0, *(match.end() for match in _pattern("\n").finditer(text))]
    found: dict[int, Sign] = {}
    for sign in (*_phrase_signs(text, starts), *_marker_signs(shown), *_hidden_signs(shown), *_command_signs(text)):
        found.setdefault(bisect_right(starts, sign.start), sign)
    return [found[line] for line in sorted(found)]


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source)


def _phrase_signs(text: str, starts: list[int]) -> Iterator[Sign]:
    for reading in readings(text):
        read = reading.text
        line, counted = 0, 0
        for at, phrase in islice(_phrases_in(read), _PHRASES_MAX):
            line += read.count("\n", counted, at)
            counted = at
            start = reading.start
            if start is None:
                start = _start_of(read, at, starts[line : line + 2], len(text))
            worn = f" ({reading.disguise})" if reading.disguise else ""
            yield Sign(start, f'wording aimed at the tools that read this: "{phrase[:_SHOWN]}"{worn}')


def _start_of(read: str, at: int, around: list[int], size: int) -> int:
    """The offset in the text of ``at`` in a reading, whose lines are equal and whose columns are about equal."""
    column = at - (read.rfind("\n", 0, at) + 1)
    end = around[1] - 1 if len(around) > 1 else size
    return min(around[0] + column, end)


class _Group:
    """Words of which one must follow, with at most ``gap`` others before it; forbidden: none may follow at once."""

    __slots__ = ("gap", "is_forbidden", "stems", "words")

    def __init__(self, source: str) -> None:
        gap, colon, names = source.rpartition(":")
        folded = [fold(word) for word in names.removeprefix("!").split("|")]
        self.words = frozenset(word for word in folded if not word.endswith("*"))
        self.stems = tuple(word[:-1] for word in folded if word.endswith("*"))
        self.gap = int(gap) if colon else 0
        self.is_forbidden = names.startswith("!")

    def has(self, word: str) -> bool:
        return word in self.words or word.startswith(self.stems)


_LETTERS = 3
_NEGATIONS = frozenset(
    (
        *("not", "never", "dont", "don't", "cannot", "can't", "without", "avoid", "shouldn't", "mustn't"),
        *(
            "nicht",
            "nie",
            "niemals",
            "ne",
            "pas",
            "no",
            "non",
            "nao",
            "niet",
            "nooit",
            "\u043d\u0435",
            "nunca",
            "jamais",
        ),
    )
)


@cache
def _sources() -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Phrases by a word that begins them, and by the first letters of a stem that does."""
    by_word: dict[str, list[str]] = {}
    by_letters: dict[str, list[str]] = {}
    for source in ENGLISH + OTHER_LANGUAGES:
        for word in source.removeprefix("-").partition(" ")[0].split("|"):
            if word.endswith("*"):
                by_letters.setdefault(fold(word)[:_LETTERS], []).append(source)
            else:
                by_word.setdefault(fold(word), []).append(source)
    return by_word, by_letters


@cache
def _groups(source: str) -> tuple[_Group, ...]:
    return tuple(map(_Group, source.removeprefix("-").split(" ")))


_MARKS = r"\s!-/:-@\[-`{-~\u00a1-\u00bf\u2010-\u205e\u3000-\u303f"
_WORD = rf"[^{_MARKS}]+(?:['_][^{_MARKS}]+)*"


def _phrases_in(folded: str) -> Iterator[tuple[int, str]]:
    """Where each phrase begins, and how it reads; one for each word that can begin one."""
    by_word, by_letters = _sources()
    words = _pattern(_WORD).findall(folded)
    matches: list[re.Match[str]] = []
    for number in [n for n, word in enumerate(words) if word in by_word or word[:_LETTERS] in by_letters]:
        word = words[number]
        for source in by_word.get(word, []) + by_letters.get(word[:_LETTERS], []):
            end = _end_of(_groups(source), words, number)
            if not end:
                continue
            matches = matches or list(_pattern(_WORD).finditer(folded))
            if not (source.startswith("-") and _is_negated(folded, matches, number)):
                yield matches[number].start(), " ".join(words[number : end + 1])
                break
    yield from _unspaced_phrases(folded)


def _end_of(groups: tuple[_Group, ...], words: list[str], number: int) -> int:
    """The index of the last word of a phrase when it begins at ``number``, else 0."""
    if not groups[0].has(words[number]):
        return 0
    places = {number}
    for group in groups[1:]:
        if group.is_forbidden:
            places = {place for place in places if not any(map(group.has, words[place + 1 : place + 2]))}
        else:
            reach = {after for place in places for after in range(place + 1, place + 2 + group.gap)}
            places = {place for place in reach if place < len(words) and group.has(words[place])}
        if not places:
            return 0
    return max(places)


def _is_negated(folded: str, matches: list[re.Match[str]], number: int) -> bool:
    for before in matches[max(number - 2, 0) : number]:
        between = folded[before.end() : matches[number].start()]
        if before[0] in _NEGATIONS and not _pattern("[.,;:!?]").search(between):
            return True
    return False


def _unspaced_phrases(folded: str) -> Iterator[tuple[int, str]]:
    if folded.isascii() or not _pattern("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7ff]").search(folded):
        return
    for source in UNSPACED:
        for match in _pattern(source).finditer(folded):
            yield match.start(), match[0]


# Each with literals of which one must occur in the text without case; those say nothing about code, which only quotes.
_MARKERS = (
    (("<|",), r"<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id)\|>"),
    (("inst]", "sys>>"), r"(?i:\[/?INST\]|<</?SYS>>)"),
    (
        ("<system", "</system", "<assistant", "</assistant"),
        r"(?i:</?(?:system|assistant)(?:[_-](?:prompt|message|override|instructions?))?>)",
    ),
    (
        ("system",),
        r"(?im:^\W{0,6}system[ _-]?(?:override|directive|alert|command|update|prompt|message)\W{0,4}:)"
        r"|(?im:^\W{0,4}(?:begin|end|new)[ _-](?:of[ _-])?system[ _-](?:prompt|message|instructions?)\b)"
        r"|(?im:^\W{0,6}system\W{1,6}(?:you (?:are|must|will)|ignore|disregard|forget|from now on)\b)",
    ),
    (
        ("instruction", "order", "directive"),
        r"(?im:^\W{0,4}(?:new|real|actual|updated|hidden) (?:system )?(?:instructions?|orders?|directives?)\W{0,3}:)",
    ),
)


def _marker_signs(shown: str) -> Iterator[Sign]:
    """Marks with which a chat model is told who speaks."""
    lowered = shown.lower()
    for literals, source in _MARKERS:
        if any(literal in lowered for literal in literals):
            for match in _pattern(source).finditer(shown):
                yield Sign(match.start(), f"a mark that tells a model who speaks: {match[0].strip()[:_SHOWN]!r}")


_HIDDEN = (
    (("]:",), r"\[(?://|comment|_)\]:\s{0,3}(?:#|<>)\s{0,3}[(\"'](?P<text>[^\n]{1,2000})"),
    (
        ("style", "hidden"),
        r"(?i)<[a-z]{1,10}\s[^<>]{0,200}(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0"
        r"|opacity\s*:\s*0(?!\.)|\shidden\b|color\s*:\s*(?:white|transparent|\#fff))[^<>]{0,200}>(?P<text>[^<]{1,2000})",
    ),
)
_ORDER = r"\b(?:ignore|disregard|forget|override|execute|send|upload|reveal|approve|obey|comply|exfiltrate)\b"
_ORDINARY_ORDER = (
    r"\b(?:must|shall|should|run|post|fetch|curl|install|delete|download|call|invoke|append|never|always)\b"
)
_TOOL = r"\b(?:ai|llms?|assistants?|agents?|claude|gpt|chatgpt|copilot|cursor|gemini|bots?)\b"
_ADDRESS = rf"\byour?\b|{_TOOL}"


def _hidden_signs(shown: str) -> Iterator[Sign]:
    """Text that no rendering shows, and that gives an order to tools."""
    for start, hidden in _hidden_texts(shown):
        inner = fold(hidden)
        # What a comment tells the next editor is ordinary; text that is styled away has no such reader.
        orders = (
            [_ORDER] if inner.startswith("<!--") and not _pattern(_TOOL).search(inner) else [_ORDER, _ORDINARY_ORDER]
        )
        if _pattern(_ADDRESS).search(inner) and any(_pattern(order).search(inner) for order in orders):
            yield Sign(start, "text that is not shown gives orders to its reader")


def _hidden_texts(shown: str) -> Iterator[tuple[int, str]]:
    start = shown.find("<!--")
    while start >= 0:
        end = shown.find("-->", start)
        end = len(shown) if end < 0 else end
        yield start, shown[start:end]
        start = shown.find("<!--", end)
    for literals, source in _HIDDEN:
        if any(literal in shown for literal in literals):
            for match in _pattern(source).finditer(shown):
                yield match.start(), match["text"]


_SECRET_PLACE = r"(?:\.env\b|id_rsa|id_ed25519|\.ssh/|\.aws/|\.netrc|/etc/passwd|printenv|\$\(env)"
_COMMANDS = (
    (r"base64\s+(?:-d|-D|--decode)\b[^\n]{0,80}\|\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\b", "base64"),
    (r"\beval\W{1,10}(?:atob|base64|\$\(\s*(?:curl|wget))", "eval"),
    (r"\bexec\(\s*(?:base64|codecs|zlib|requests|urllib|__import__)", "exec("),
    (r"(?i:powershell|pwsh)[^\n]{0,80}\s-[eE](?:nc|ncodedCommand)?\s+[A-Za-z0-9+/=]{20,}", "ell"),
    (rf"\b(?:curl|wget|nc)\b[^\n]{{0,200}}(?:\$\(|`|@|<)[^\n]{{0,40}}{_SECRET_PLACE}", "curl"),
    (rf"{_SECRET_PLACE}[^\n|]{{0,80}}\|[^\n]{{0,60}}\b(?:curl|wget|nc)\b", "|"),
    (r"\b(?:curl|wget)\b[^\n|]{0,200}http://[^\n|]{0,200}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b", "http://"),
    (r"chat\.tools\.autoApprove\"?\s*[:=]\s*true", "autoApprove"),
)


def _command_signs(text: str) -> Iterator[Sign]:
    """Commands that decode and run, or send what is secret; also in code, where a tool would take them from."""
    for source, literal in _COMMANDS:
        if literal in text:
            for match in _pattern(source).finditer(text):
                yield Sign(match.start(), f"a command that runs or sends what it does not show: {match[0][:_SHOWN]!r}")
