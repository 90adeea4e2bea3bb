"""Whether a question holds words of an item that is for this clone alone. Refuses to say of which."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.answers.private import of_place
from gitmem.answers.reading import Place
from gitmem.index.stems import stem
from gitmem.index.wording import wording
from gitmem.text.english import STOP_WORDS


def holds_private(place: Place, forms: Sequence[str]) -> bool:
    """Words such as "the" count where there are no others."""
    wanted = {stem(form) for form in forms if form not in STOP_WORDS} or set(map(stem, forms))
    return any(not wanted.isdisjoint(wording(own.card, own.text).terms) for own in of_place(place))
