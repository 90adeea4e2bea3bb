"""Whether the verify block of a rule passed when it was last judged, as the journal tells. Refuses to judge code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from gitmem.answers.reading import Reading, ask
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.memory.contexts import Verdict
from gitmem.text.sections import blocks

_CONSTRAINT, _BLOCK = "constraint", "verify"
# Of all verdicts, the newest first.
_FILES_MOST = 400


def judged(reading: Reading, verdicts: Sequence[Verdict], cards: Iterable[Card]) -> dict[str, bool]:
    """By id: the newest verdict that names the rule, or that passed and is about a file in its scope."""
    wanted = {card.id: card for card in cards if card.kind == _CONSTRAINT and card.has_scope}
    if not wanted or not verdicts:
        return {}
    found = ask(reading, lambda known: _found(known, verdicts, wanted))[0]
    texts = reading.place.bodies.read(dict(enumerate(wanted[id_] for id_ in found)))
    return {id_: found[id_] for at, id_ in enumerate(list(found)) if blocks(texts[at], _BLOCK)}


def _found(knowledge: Knowledge, verdicts: Sequence[Verdict], wanted: Mapping[str, Card]) -> dict[str, bool]:
    found: dict[str, bool] = {}
    seen: dict[str, list[str]] = {}
    for verdict in verdicts:
        named = wanted.keys() & set(verdict.items)
        about = named if not verdict.passed else {*named, *_about(knowledge, verdict, seen)}
        for id_ in about & wanted.keys():
            found.setdefault(id_, verdict.passed)
        if len(found) == len(wanted) or len(seen) >= _FILES_MOST:
            break
    return found


def _about(knowledge: Knowledge, verdict: Verdict, seen: dict[str, list[str]]) -> Iterator[str]:
    for path in verdict.files:
        if path not in seen and len(seen) < _FILES_MOST:
            excepted = knowledge.excluding(path)
            seen[path] = [knowledge.card(n).id for n, _ in knowledge.matching(path) if n not in excepted]
        yield from seen.get(path, ())
