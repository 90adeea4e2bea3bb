"""Whether a question or a proposal holds what is for this clone alone. Refuses to let an agent hand it on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gitmem.answers.admission import RefusedError
from gitmem.answers.ground import Ground
from gitmem.answers.private import of_place
from gitmem.answers.reading import Place
from gitmem.checks.likeness import Kind, Known, verdict
from gitmem.index.stems import stem
from gitmem.index.wording import wording
from gitmem.model.engram import Engram
from gitmem.model.finding import Notice
from gitmem.model.proposal import Changes
from gitmem.store import codec
from gitmem.store.layout import Place as Kept
from gitmem.store.layout import place_of
from gitmem.store.repo import FOLDER
from gitmem.text.english import STOP_WORDS

PRIVATE_TEXT = "private-text"


def holds_private(place: Place, forms: Sequence[str]) -> bool:
    """Words such as "the" count where there are no others."""
    wanted = {stem(form) for form in forms if form not in STOP_WORDS} or set(map(stem, forms))
    return any(not wanted.isdisjoint(wording(own.card, own.text).terms) for own in of_place(place))


def repeated(ground: Ground, changes: Changes, agent: str) -> tuple[Notice, ...]:
    """Which new texts say what a private item says; of an ``agent`` that is refused, before anything is written."""
    known = [Known(own.card.slug, own.card.title, own.text) for own in of_place(ground.place)]
    found = list(_repeats(ground, changes, known)) if known else []
    if agent and found:
        rel, slug = found[0]
        raise RefusedError(
            f"this says what the private item {slug} says, and that is for this clone alone",
            hint="leave it to the person: gitmem propose private",
            place=f"{FOLDER}/{rel}",
            code=PRIVATE_TEXT,
        )
    words = "this says what the private item {} says: whoever reads the proposal reads that"
    return tuple(Notice(PRIVATE_TEXT, words.format(slug), f"{FOLDER}/{rel}") for rel, slug in found)


def _repeats(ground: Ground, changes: Changes, known: Sequence[Known]) -> Iterator[tuple[str, str]]:
    """Path and slug; what is shared already is no news."""
    before = ground.data_at(sorted(changes))
    for rel, data in sorted(changes.items()):
        engram, old = _engram(rel, data), _engram(rel, before.get(rel))
        said = verdict(engram.title, engram.body, known) if engram else None
        if said and said.kind is not Kind.NEW:
            shared = verdict(old.title, old.body, known) if old else None
            if shared is None or shared.target != said.target:
                yield rel, said.target


def _engram(rel: str, data: bytes | None) -> Engram | None:
    return codec.decode(data, rel).engram if data is not None and place_of(rel) is Kept.ENGRAM else None
