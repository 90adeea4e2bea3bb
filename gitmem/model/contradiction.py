"""What was decided about two engrams that contradict each other, and the words for it. Refuses to decide it."""

from __future__ import annotations

from collections.abc import Iterable

from gitmem.model.vocabulary import Text
from gitmem.record import record

PENDING, ESCALATED, CONTESTED = "pending", "escalated", "contested"
AUTO_RESOLVED, RESOLVED = "auto_resolved", "resolved"
STATES = (PENDING, AUTO_RESOLVED, ESCALATED, CONTESTED, RESOLVED)
KEEP_NEW, KEEP_OLD, MERGE, ARCHIVE = "keep_new", "keep_old", "merge", "archive"
VERDICTS = (KEEP_NEW, KEEP_OLD, MERGE, ARCHIVE)
_SETTLED = (AUTO_RESOLVED, RESOLVED)


@record
class Resolution:
    """The ``resolution`` of a synapse. ``state`` is one of ``STATES``, ``verdict`` one of ``VERDICTS`` or '' where a
    person only wrote a text. ``kept`` and ``retired`` are ids; ``at`` is RFC 3339."""

    state: str
    verdict: str = ""
    rationale: str = ""
    kept: tuple[str, ...] = ()
    retired: tuple[str, ...] = ()
    at: str = ""
    by: str = ""

    @property
    def is_settled(self) -> bool:
        return self.state in _SETTLED


def read(written: Text) -> Resolution | None:
    """What the file of an edge says; None where it says nothing. A text that is no state is taken for a rationale."""
    if isinstance(written, dict):
        state, verdict = _text(written, "state"), _text(written, "verdict")
        return Resolution(
            state=state if state in STATES else RESOLVED,
            verdict=verdict if verdict in VERDICTS else "",
            rationale=_text(written, "rationale"),
            kept=_texts(written.get("kept", ())),
            retired=_texts(written.get("retired", ())),
            at=_text(written, "at"),
            by=_text(written, "by"),
        )
    said = "; ".join(_texts(written)) if isinstance(written, list) else written.strip()
    if not said:
        return None
    return Resolution(said) if said in STATES else Resolution(RESOLVED, rationale=said)


def written(resolution: Resolution) -> Text:
    """The same as a value of YAML, without what is empty."""
    said: dict[str, Text] = {
        "state": resolution.state,
        "verdict": resolution.verdict,
        "kept": [*resolution.kept],
        "retired": [*resolution.retired],
        "rationale": resolution.rationale,
        "at": resolution.at,
        "by": resolution.by,
    }
    return {name: value for name, value in said.items() if value}


def _text(row: dict[str, Text], name: str) -> str:
    value = row.get(name, "")
    return value if isinstance(value, str) else ""


def _texts(value: Iterable[Text] | str) -> tuple[str, ...]:
    rows = [value] if isinstance(value, str) else value
    return tuple(each for each in rows if isinstance(each, str))
