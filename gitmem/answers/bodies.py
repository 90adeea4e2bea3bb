"""The bodies of knowledge files, read from Git objects and kept while the process lives. Refuses the work tree."""

from collections.abc import Mapping

from gitmem.index.card import Card
from gitmem.store import objects
from gitmem.store.parts import canonical, split
from gitmem.store.repo import Repo

_KEPT_BYTES = 16 << 20
# Blobs never change under their id, so what was read once stays right.
_kept: dict[tuple[str, str], str] = {}
_size = [0]


def read(repo: Repo, cards: Mapping[int, Card]) -> dict[int, str]:
    """Canonical body text by card number, in one call to Git for what was not read before."""
    store = str(repo.common_dir)
    missing = sorted({card.blob for card in cards.values() if (store, card.blob) not in _kept})
    fresh = {blob: body_of(data) for blob, data in objects.read_blobs(repo, missing)}
    texts = {n: fresh[c.blob] if c.blob in fresh else _kept[store, c.blob] for n, c in cards.items()}
    _keep(store, fresh)
    return texts


def body_of(data: bytes) -> str:
    return split(canonical(data), "").body


def _keep(store: str, fresh: Mapping[str, str]) -> None:
    size = sum(map(len, fresh.values()))
    if _size[0] + size > _KEPT_BYTES:
        _kept.clear()
        _size[0] = 0
    if size <= _KEPT_BYTES:
        _kept.update(((store, blob), text) for blob, text in fresh.items())
        _size[0] += size
