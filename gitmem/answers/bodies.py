"""The bodies of knowledge files, read from Git objects and kept while the process lives. Refuses the work tree."""

from collections.abc import Mapping

from gitmem.index.card import Card
from gitmem.record import field, state
from gitmem.store import objects
from gitmem.store.canonical import body_of
from gitmem.store.repo import Repo

_KEPT_CHARS = 16 << 20


@state
class Bodies:
    """Blobs never change under their id, so what was read once stays right."""

    repo: Repo
    kept: dict[str, str] = field(default_factory=dict)
    size: int = 0

    def read(self, cards: Mapping[int, Card]) -> dict[int, str]:
        """Canonical body text by card number, in one call to Git for what was not read before."""
        known = {card.blob: self.kept.get(card.blob) for card in cards.values()}
        missing = sorted(blob for blob, text in known.items() if text is None)
        fresh = {blob: body_of(data) for blob, data in objects.read_blobs(self.repo, missing)}
        self._keep(fresh)
        return {number: fresh.get(card.blob) or known[card.blob] or "" for number, card in cards.items()}

    def _keep(self, fresh: Mapping[str, str]) -> None:
        size = sum(map(len, fresh.values()))
        if self.size + size > _KEPT_CHARS:
            self.kept.clear()
            self.size = 0
        if size <= _KEPT_CHARS:
            self.kept.update(fresh)
            self.size += size
