"""Knowledge made in memory from files, as the index makes it from a tree. Refuses Git and the disk."""

import hashlib
from collections.abc import Mapping

from gitmem import config
from gitmem.index import survey
from gitmem.index.knowledge import Knowledge, added_keys
from gitmem.index.parse import card_of
from gitmem.store.objects import Entry
from gitmem.store.repo import FOLDER

SETTINGS = ("config.yaml", "layers.yaml", "tags.yaml")


def knowledge_of(*parts: Mapping[str, str]) -> Knowledge:
    """``parts`` map paths, with or without ``.gitmem/``, to texts; cards are numbered in the order given."""
    files = {rel.removeprefix(f"{FOLDER}/"): text.encode() for part in parts for rel, text in part.items()}
    cards = tuple(_card(rel, data) for rel, data in files.items())
    settings = survey.Settings(*(files.get(name) for name in SETTINGS))
    facts = survey.of_whole("made", cards, sorted(survey.manifest_lines(cards)), settings)
    return Knowledge(facts, config.from_text(facts.config)[0], None, frozenset(), cards, added_keys(0, cards))


def _card(rel, data):
    return card_of(Entry(rel, "100644", hashlib.sha1(data, usedforsecurity=False).hexdigest(), len(data)), data)
