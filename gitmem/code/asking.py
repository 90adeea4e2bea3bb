"""What a task is asked for by: how much each of its words, names and runs of words counts. Refuses to look for them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from gitmem.code import intents, terms
from gitmem.code.frames import Frame
from gitmem.code.task import Task
from gitmem.code.zones import Zones, zones
from gitmem.record import record

_TITLE, _PROSE, _CODE, _TICKED = 2.0, 1.0, 1.0, 1.0
# A name that a definition may have: what it counts by where it stands.
_NAMED_TITLE, _NAMED_TICKED, _NAMED_PROSE, _NAMED_CODE = 3.0, 2.0, 1.0, 0.7
_SHORTEST_NAME = 3
_IN_TITLE, _IN_TEXT = 1.0, 0.5
_PATH_SAID, _PATH_SAMPLED = 1.0, 0.2
_RUN = 3
_MOST_RUNS, _MOST_NAMES = 600, 300
_WORD = re.compile(r"[^\W\d]\w*")
_JOINED = re.compile(r"[\w-]+")
_CALLED = re.compile(r"\b(\w++) ?\(")
_SHAPE = re.compile(r"[a-z][A-Z]|_|[A-Z]{2,}|\d")
_PLAIN = (
    "a an and are as at be but by can do for from has have how i if in into is it its me my no not of on or our s so t "
    "that the their then there these this to up us was we what when where which will with you your does doesn did am "
    "been being would should could just get also than them they he she any all some only however e g etc like using "
    "use used want here"
)
STOP = frozenset(_PLAIN.split())
_STOPPED = frozenset(term for word in STOP for term in (word, *terms.terms(word)))


@record
class Asked:
    """``terms`` are stems of parts of words; ``joined`` are whole words of several parts, as ``flat`` writes
    them, with those parts.

    ``names`` may be those of definitions, ``stems`` (flat) those of files; ``runs`` are words in a row, folded.
    """

    terms: Mapping[str, float]
    joined: Mapping[str, tuple[float, tuple[str, ...]]]
    names: Mapping[str, float]
    stems: Mapping[str, float]
    paths: Mapping[str, float]
    frames: tuple[Frame, ...]
    runs: frozenset[tuple[str, ...]]
    is_about_tests: bool


def asked(task: Task) -> Asked:
    parts = zones(task.text)
    weighed = ((parts.title, _TITLE), (parts.prose, _PROSE), (parts.code, _CODE), (parts.ticked, _TICKED))
    counted: dict[str, float] = {}
    joined: dict[str, tuple[float, tuple[str, ...]]] = {}
    for text, weight in weighed:
        for word in _WORD.findall(text):
            found = terms.of_word(word)
            for term in found:
                if term not in _STOPPED:
                    counted[term] = counted.get(term, 0.0) + weight
            if len(found) > 1:
                joined[flat(word)] = (joined[flat(word)][0] if flat(word) in joined else 0.0) + weight, tuple(found)
    return Asked(
        terms=counted,
        joined=joined,
        names=_names(parts),
        stems=_stems(parts),
        paths=_paths(task, f"{parts.title}\n{parts.prose}"),
        frames=_inside_out(task.frames),
        runs=frozenset(_runs(parts)),
        is_about_tests=task.intent == intents.TEST,
    )


def flat(word: str) -> str:
    """One form for a name however its parts are joined."""
    return word.replace("_", "").replace("-", "").lower()


def _names(parts: Zones) -> dict[str, float]:
    """Words that only code has, or that are called or ticked."""
    whole = "\n".join((parts.title, parts.prose, parts.code))
    known = {*_CALLED.findall(whole), *_WORD.findall(parts.ticked)}
    found: dict[str, float] = {}
    for text, weight in (
        (parts.title, _NAMED_TITLE),
        (parts.ticked, _NAMED_TICKED),
        (parts.prose, _NAMED_PROSE),
        (parts.code, _NAMED_CODE),
    ):
        for word in _WORD.findall(text):
            if len(word) >= _SHORTEST_NAME and (word in known or _SHAPE.search(word)):
                found.setdefault(word, weight)
    return dict(list(found.items())[:_MOST_NAMES])


def _stems(parts: Zones) -> dict[str, float]:
    whole = "\n".join((parts.title, parts.prose, parts.code))
    found = dict.fromkeys((*_flat(_JOINED.findall(whole)), *_flat(_WORD.findall(whole))), _IN_TEXT)
    found |= dict.fromkeys(_flat(_WORD.findall(parts.title)), _IN_TITLE)
    return {word: weight for word, weight in found.items() if len(word) >= _SHORTEST_NAME and word not in STOP}


def _flat(words: Iterable[str]) -> Iterator[str]:
    return map(flat, words)


def _paths(task: Task, said: str) -> dict[str, float]:
    traced = {frame.path for frame in task.frames}
    return {path: _PATH_SAID if path in said else _PATH_SAMPLED for path in task.paths if path not in traced}


def _inside_out(frames: tuple[Frame, ...]) -> tuple[Frame, ...]:
    """The innermost first: Python alone tells it last."""
    return frames[::-1] if any(frame.path.endswith(".py") for frame in frames) else frames


def _runs(parts: Zones) -> list[tuple[str, ...]]:
    words = [word.lower() for word in _WORD.findall("\n".join((parts.title, parts.prose, parts.code)))]
    return list(zip(*(words[at:] for at in range(_RUN)), strict=False))[:_MOST_RUNS]
