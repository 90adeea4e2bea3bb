"""What has become of each observation: a fold over the journal, and nothing that is stored. Refuses to write.

An action about an observation that nobody here has is passed over: the line of another writer may still come.
"""

from collections.abc import Iterable, Mapping

from gitmem.model import observation as forms
from gitmem.model.event import OBSERVATION, TRIAGE, Entry
from gitmem.model.observation import Observation
from gitmem.model.plain import Plain
from gitmem.record import field, record, replace
from gitmem.store.seal import hashed

ANALYSED, ARCHIVED, REQUEUED, RESOLVED = "analysed", "archived", "requeued", "resolved"
ACTIONS = (ANALYSED, ARCHIVED, REQUEUED, RESOLVED)
KEEP_BOTH, REPLACE, CANCEL = "keep-both", "replace", "cancel"
CHOICES = (KEEP_BOTH, REPLACE, CANCEL)
# One line says both that it was settled and what that makes of it: nobody can be stopped in between.
_SETTLED = {REPLACE: forms.ANALYSED, CANCEL: forms.ARCHIVED}


@record
class Triaged:
    """An observation and its state. ``proposals`` are those that it led to, ``reason`` what was said last, ``at`` when
    that was; ``choices`` say how each item that it collides with was settled."""

    observation: Observation
    state: str
    proposals: tuple[str, ...] = ()
    reason: str = ""
    at: str = ""
    choices: Mapping[str, str] = field(default_factory=dict)

    @property
    def unsettled(self) -> tuple[forms.Conflict, ...]:
        """What it collides with and nobody has decided about."""
        return tuple(each for each in self.observation.conflicts if each.item not in self.choices)


def fold(entries: Iterable[Entry]) -> list[Triaged]:
    """Every observation once, in the order of the journal; ``entries`` in that order, possibly some of them twice."""
    found: dict[str, Triaged] = {}
    seen: set[str] = set()
    for entry in entries:
        if entry.id in seen or entry.kind not in (OBSERVATION, TRIAGE):
            continue
        seen.add(entry.id)
        if entry.kind == TRIAGE:
            _act(found, entry)
            continue
        by = (entry.agent, entry.session, entry.writer)
        told = forms.observation_of(entry.id, entry.at, entry.data, by)
        if told is not None:
            found[entry.id] = Triaged(told, forms.OPEN, at=entry.at)
    return list(found.values())


def _act(found: dict[str, Triaged], entry: Entry) -> None:
    action, wanted = (_text(entry.data, key) for key in ("action", "observation"))
    name = wanted if wanted in found else shared_id(wanted)
    known = found.get(name)
    if known is None:
        return
    proposals = tuple(dict.fromkeys((*known.proposals, *_texts(entry.data, "proposals"))))
    told = replace(known, proposals=proposals, reason=_text(entry.data, "reason"), at=entry.at)
    if action == RESOLVED:
        choice = _text(entry.data, "choice")
        choices = {**known.choices, **{item: choice for item in _texts(entry.data, "items")}}
        found[name] = replace(told, choices=choices, state=_SETTLED.get(choice, known.state))
    elif action in (ANALYSED, ARCHIVED):
        found[name] = replace(told, state=forms.ANALYSED if action == ANALYSED else forms.ARCHIVED)
    elif action == REQUEUED:
        found[name] = replace(told, state=forms.OPEN)


def shared_id(id_: str) -> str:
    """The id of a line as others see it who are not told its segment."""
    segment, dash, number = id_.rpartition("-")
    return f"{hashed(segment)}{dash}{number}"


def _text(data: Mapping[str, Plain], key: str) -> str:
    value = data.get(key)
    return value if isinstance(value, str) else ""


def _texts(data: Mapping[str, Plain], key: str) -> tuple[str, ...]:
    value = data.get(key)
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()
