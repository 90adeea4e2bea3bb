"""How the keys of each kind of file merge, as data. Refuses to merge."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType

from gitmem.config import KEYS as SETTINGS
from gitmem.model.intention import WHEN_PARTS
from gitmem.model.plain import canonical, plain
from gitmem.model.synapse import seniority
from gitmem.model.vocabulary import Text
from gitmem.record import field, record, replace
from gitmem.store.form import DECIMAL
from gitmem.store.layout import Place
from gitmem.store.schema import KEYS, PARTS
from gitmem.store.skills import COMPOSES, ENGRAMS, STARTS, inside
from gitmem.store.synapses import SYNAPSE_KEYS


@record
class Rules:
    """Names are dotted paths. ``order`` and ``parts`` place new keys; the items of ``lists`` are a set, those of
    ``evidence`` are told apart by description and author, the newest stays; ``agreed`` is the same on both sides or a
    conflict; of ``earliest`` and ``latest`` the one of that time stays."""

    order: tuple[str, ...] = ()
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    lists: frozenset[str] = frozenset()
    evidence: frozenset[str] = frozenset()
    agreed: frozenset[str] = frozenset()
    earliest: frozenset[str] = frozenset()
    latest: frozenset[str] = frozenset()
    is_every_list: bool = False

    def is_set(self, path: str, values: Iterable[Text]) -> bool:
        """Whether values of ``path`` merge as sets; a lone text counts as a list of one where the schema has a list."""
        types = {type(value) for value in values}
        return dict not in types and (path in self.lists or (self.is_every_list and list in types))

    def order_of(self, path: str) -> Sequence[str]:
        return self.parts.get(path, ()) if path else self.order

    def identity(self, path: str, item: Text) -> str:
        """What makes two items of a list the same one, as text that sorts as they are written."""
        if path not in self.evidence:
            return item if isinstance(item, str) else _text(item)
        parts = item if isinstance(item, dict) else {"description": item}
        return _text([parts.get("description", ""), parts.get("by", "")])

    def rank(self, item: Text) -> tuple[datetime, float, str]:
        """Greater for the item that stays of two with one identity."""
        parts = item if isinstance(item, dict) else {"at": item}
        at, confidence = parts.get("at"), parts.get("confidence")
        number = float(confidence) if isinstance(confidence, str) and DECIMAL.fullmatch(confidence) else None
        return *seniority(at if isinstance(at, str) else "", number), _text(item)


_ENGRAM_LISTS = (
    "tags",
    "kinds",
    "context_tags",
    "requires",
    "claims",
    "aliases",
    "verification.evidence",
    *(f"scope.{part}" for part in PARTS["scope"]),
)
ENGRAM = Rules(
    order=KEYS,
    parts=PARTS,
    lists=frozenset(_ENGRAM_LISTS),
    agreed=frozenset({"id", "created"}),
    latest=frozenset({"updated"}),
)
SKILL = replace(ENGRAM, lists=ENGRAM.lists | {inside(key) for key in (STARTS, COMPOSES, ENGRAMS)})
INTENTION = replace(ENGRAM, parts=MappingProxyType({**PARTS, "when": WHEN_PARTS}), lists=ENGRAM.lists | {"when.paths"})
SYNAPSE = Rules(
    order=SYNAPSE_KEYS,
    parts=MappingProxyType({"created": ("at", "by")}),
    lists=frozenset({"evidence"}),
    evidence=frozenset({"evidence"}),
    agreed=frozenset({"id", "from", "to", "kind"}),
    earliest=frozenset({"created"}),
)
SETTING = Rules(order=tuple(SETTINGS), is_every_list=True)
RULES: Mapping[Place, Rules] = MappingProxyType(
    {
        Place.ENGRAM: ENGRAM,
        Place.SKILL: SKILL,
        Place.INTENTION: INTENTION,
        Place.SYNAPSE: SYNAPSE,
        Place.CONFIG: SETTING,
        Place.LAYERS: SETTING,
        Place.TAGS: SETTING,
    }
)
HEADED = frozenset({Place.ENGRAM, Place.SKILL, Place.INTENTION})
RECORDS = frozenset({Place.LEDGER, Place.ROLL, Place.APPROVAL})


def arranged(base: Sequence[str], added: Iterable[str], order: Sequence[str]) -> list[str]:
    """Names in the order of the base, then the new ones where they belong: behind the nearest that precedes them in
    ``order``, else at the end, sorted by bytes."""
    names = list(base)
    new = set(added).difference(base)
    for at, name in enumerate(order):
        if name in new:
            ahead = [names.index(other) for other in order[:at] if other in names]
            names.insert(ahead[-1] + 1 if ahead else 0, name)
    return names + sorted(new.difference(names), key=str.encode)


def _text(value: Text) -> str:
    return canonical(plain(value)).decode("utf-8", "surrogatepass")
