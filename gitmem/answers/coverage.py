"""What history says about the reach of the knowledge: busy files that no item is about, items whose files are gone, and
how long items last. Refuses to weigh an item by it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from gitmem.answers.attempts import is_partial
from gitmem.answers.reading import Place, Reading, ask, read
from gitmem.globs import trie
from gitmem.index.card import Card
from gitmem.memory.halflife import Life, half_life
from gitmem.model.past import Past
from gitmem.record import field, record, state
from gitmem.store import gitlog, objects
from gitmem.store.gitlog import Wanted
from gitmem.store.repo import FOLDER

_LIVE = ("active", "draft", "frozen")
_COMMITS_MOST = 5_000
_LISTED_MOST = 100


@record
class Churned:
    """A file that ``commits`` of those looked at touched."""

    path: str
    commits: int


@record
class Stranded:
    """An item all of whose patterns, and all of whose claims, are about files that are not there."""

    item: str
    slug: str
    places: tuple[str, ...]


@record
class Coverage:
    """``files`` of the project, ``covered`` of them by a scope or a claim. ``churned`` are the busiest uncovered files
    and ``stranded`` the items on dead paths, the first hundred of ``churned_total`` and ``stranded_total``.

    ``half_life_commits``: after so many commits to its files half of the items were changed; None while fewer were.
    """

    commits: int
    files: int
    covered: int
    churned: tuple[Churned, ...]
    churned_total: int
    stranded: tuple[Stranded, ...]
    stranded_total: int
    half_life_commits: int | None = None


def coverage(place: Place) -> Coverage:
    """Of the newest commits of the trusted history, five thousand at most."""
    reading = read(place)
    cards = ask(reading, lambda known: [card for card in known.cards() if card.id and card.status in _LIVE])[0]
    history = list(_history(reading))
    files = [rel for rel in _tracked(reading) if not _is_ours(rel)]
    globs = sorted({glob for card in cards for glob in (*card.paths, *card.excluded)})
    ground = _Ground(cards, globs, set(files))
    ground.match(files)
    churn = Counter(rel for past in history for rel in dict.fromkeys(past.files) if rel in ground.there)
    bare = [Churned(rel, n) for rel, n in sorted(churn.items(), key=lambda r: (-r[1], r[0])) if rel not in ground.about]
    stranded = list(ground.stranded())
    return Coverage(
        commits=len(history),
        files=len(files),
        covered=len(ground.about),
        churned=tuple(bare[:_LISTED_MOST]),
        churned_total=len(bare),
        stranded=tuple(stranded[:_LISTED_MOST]),
        stranded_total=len(stranded),
        half_life_commits=half_life(ground.lives(history)),
    )


def _history(reading: Reading) -> Iterator[Past]:
    if reading.commit:
        wanted = Wanted([reading.commit], most=_COMMITS_MOST, is_partial=is_partial(reading.place))
        yield from gitlog.read(reading.place.repo, wanted)


def _tracked(reading: Reading) -> Sequence[str]:
    return objects.tracked_paths(reading.place.repo, reading.commit) if reading.commit else ()


def _is_ours(rel: str) -> bool:
    return rel.startswith(f"{FOLDER}/")


@state
class _Ground:
    """The items and the files they are about; ``about`` gives the numbers of the cards by file."""

    cards: Sequence[Card]
    globs: Sequence[str]
    there: set[str]
    about: dict[str, tuple[int, ...]] = field(default_factory=dict)

    def match(self, rels: Iterable[str]) -> None:
        """Looks up what the files that are asked about are in the scope of."""
        users: dict[str, list[int]] = {}
        barred: dict[str, list[int]] = {}
        claimed: dict[str, list[int]] = {}
        for number, card in enumerate(self.cards):
            for found, keys in ((users, card.paths), (barred, card.excluded), (claimed, [c[0] for c in card.claims])):
                for key in keys:
                    found.setdefault(key, []).append(number)
        rels = list(rels)
        hits: Mapping[str, list[int]] = dict(trie.all_matches(self.globs, rels))
        for rel in rels:
            globs = [self.globs[at] for at in hits.get(rel, ())]
            out = {number for glob in globs for number in barred.get(glob, ())}
            inside = {number for glob in globs for number in users.get(glob, ())} - out | set(claimed.get(rel, ()))
            if inside:
                self.about[rel] = tuple(sorted(inside))

    def stranded(self) -> Iterator[Stranded]:
        alive = {number for numbers in self.about.values() for number in numbers}
        for number, card in enumerate(self.cards):
            places = (*card.paths, *dict.fromkeys(claim[0] for claim in card.claims))
            if places and number not in alive:
                yield Stranded(card.id, card.slug, places)

    def lives(self, history: Sequence[Past]) -> Iterator[Life]:
        """From each change of an item to the next, or to now; changes with no commit to its files between them are one.

        Git tells nothing of the first commit: what no later one adds was there from the start.
        """
        old = {rel for past in history for rel in past.files if rel not in self.there and not _is_ours(rel)}
        seen = _Ground(self.cards, self.globs, self.there, dict(self.about))
        seen.match(old)
        at = {f"{FOLDER}/{card.path}": number for number, card in enumerate(self.cards)}
        added = {touch.rel for past in history for touch in past.touches if not touch.before and not touch.moved_from}
        is_whole = len(history) < _COMMITS_MOST
        counts = {number: 0 for rel, number in at.items() if rel not in added} if is_whole else {}
        for past in reversed(history):
            changed = {at[rel] for rel in past.files if rel in at}
            touched = {number for rel in past.files for number in seen.about.get(rel, ())}
            for number in touched - changed:
                if number in counts:
                    counts[number] += 1
            for number in changed:
                if counts.get(number):
                    yield counts[number], True
                counts[number] = 0
        yield from ((count, False) for count in counts.values())
