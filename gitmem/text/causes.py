"""Where a text says that something causes, needs or replaces something else. Refuses to know what that is.

The commonest words of English, German, French, Spanish, Portuguese, Italian, Russian and Chinese.
"""

import re
from collections.abc import Iterator
from functools import cache

from gitmem.record import record
from gitmem.text.sections import unfenced
from gitmem.text.words import fold

CAUSES, DEPENDS_ON, SUPERSEDES = "causes", "depends_on", "supersedes"
_CLAUSE_CHARS = 160
_MOST = 20

# Kind of edge; whether it leads from what is named to the text; the words, folded, longer ones of one beginning first.
_CUES = (
    (CAUSES, True, "because of|caused by|due to|as a result of|results? from|stems? from"),
    (
        CAUSES,
        True,
        "wegen|aufgrund|verursacht durch|a cause de|en raison de|cause par|a causa de|debido a|por causa de",
    ),
    (CAUSES, True, "causado por|a causa di|causato da"),
    (CAUSES, True, "\u0438\u0437-\u0437\u0430|\u0432\u044b\u0437\u0432\u0430\u043d\u043e"),
    (CAUSES, False, "causes|leads to|results in|triggers|verursacht|fuhrt zu|provoque|provoca"),
    (DEPENDS_ON, False, "depends? on|requires?|relies on|hangt ab von|hangt von|benotigt|depend de|necessite"),
    (DEPENDS_ON, False, "depende de|requiere|requer|dipende da|richiede"),
    (
        DEPENDS_ON,
        False,
        "\u0437\u0430\u0432\u0438\u0441\u0438\u0442 \u043e\u0442|\u0442\u0440\u0435\u0431\u0443\u0435\u0442",
    ),
    (
        SUPERSEDES,
        True,
        "superseded by|replaced by|obsoleted by|ersetzt durch|remplace par|reemplazado por|sostituito da",
    ),
    (SUPERSEDES, False, "supersedes?|replaces?|obsoletes?|ersetzt|remplace|reemplaza|sustituye|substitui|sostituisce"),
    (SUPERSEDES, False, "\u0437\u0430\u043c\u0435\u043d\u044f\u0435\u0442"),
)
# Written without blanks between words.
_HAN_CUES = (
    (CAUSES, True, "\u56e0\u4e3a|\u56e0\u70ba|\u7531\u4e8e|\u7531\u65bc"),
    (DEPENDS_ON, False, "\u4f9d\u8d56|\u4f9d\u8cf4|\u53d6\u51b3\u4e8e"),
    (SUPERSEDES, False, "\u53d6\u4ee3|\u66ff\u4ee3|\u66ff\u6362"),
)
_END = r"[.!?](?:\s|$)|[,;:()\n\u3001\u3002\uff0c\uff1b]"

# Right before a cue it says the opposite; "not only" does not.
_DENIALS = "not|no longer|never|nicht|nie|niemals|no|ya no|nunca|nao|non|\u043d\u0435"
_NOT = rf"(?:\b(?:{_DENIALS})|n't)\s+(?:\w+ly\s+)?(?<!only )$"
_HAN_NOT = "[\u4e0d\u6ca1\u6c92\u975e\u672a]\\s*$"
_BEFORE_CHARS = 30


@record
class Said:
    """``clause`` is what stands behind the words ``cue``, as folded text; ``is_from``: the edge leads from there."""

    kind: str
    is_from: bool
    cue: str
    clause: str


def causal(title: str, body: str) -> list[Said]:
    """What a title and a body say, in reading order; code blocks say nothing."""
    text = fold("\n".join([title, *(line for _, line in unfenced(body.split("\n")))]))
    found = sorted(_matches(text), key=lambda row: (row[0].start(), -row[0].end()))
    said: list[Said] = []
    end = 0
    for match, kind, is_from in found:
        if match.start() >= end and len(said) < _MOST:
            end = match.end()
            if not _is_denied(text, match.start()):
                said.append(Said(kind, is_from, match[0], _clause(text, end)))
    return [each for each in said if each.clause]


def _matches(text: str) -> Iterator[tuple[re.Match[str], str, bool]]:
    for kind, is_from, words in _CUES:
        yield from ((match, kind, is_from) for match in _pattern(rf"\b(?:{words})\b").finditer(text))
    for kind, is_from, words in _HAN_CUES:
        yield from ((match, kind, is_from) for match in _pattern(words).finditer(text))


def _is_denied(text: str, start: int) -> bool:
    before = text[max(0, start - _BEFORE_CHARS) : start]
    return bool(_pattern(_NOT).search(before) or _pattern(_HAN_NOT).search(before))


def _clause(text: str, start: int) -> str:
    rest = text[start : start + _CLAUSE_CHARS]
    end = _pattern(_END).search(rest)
    return (rest[: end.start()] if end else rest).strip()


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source)
