"""A piece of evidence for or against an engram, as its header holds it. Refuses to judge what it is worth."""

from gitmem.model.vocabulary import Text
from gitmem.record import record

OBSERVATION, TEST, RUN, INCIDENT, MEASUREMENT = "observation", "test", "run", "incident", "measurement"
# Of these somebody saw it at work; others only read it.
SEEN = (OBSERVATION, TEST, RUN, INCIDENT, MEASUREMENT)
COUNTEREXAMPLE = "counterexample"
# What a person may call it; a refutation is written by the decision that refutes.
KINDS = (*SEEN, "review", "document", COUNTEREXAMPLE)
REFUTATION = "refutation"
# In whose name gitmem says what it measured.
MACHINE = "gitmem"
AGAINST = (COUNTEREXAMPLE, REFUTATION)


@record
class Evidence:
    """``domain`` is where it was seen, '' for that of the engram; ``claim`` and ``run`` are what it rests on: a place
    in the code that the engram claims, and any name of a run. ``at`` is RFC 3339 or ''."""

    description: str
    kind: str = OBSERVATION
    by: str = ""
    at: str = ""
    domain: str = ""
    claim: str = ""
    run: str = ""

    @property
    def identity(self) -> tuple[str, str]:
        """What makes two pieces the same one, here as in a merge: the words, and who says them."""
        return " ".join(self.description.split()).casefold(), self.by.casefold()

    @property
    def was_seen(self) -> bool:
        """Whether somebody says to have seen it hold; what gitmem measured itself was not seen."""
        return self.kind in SEEN and self.by != MACHINE


def read(value: Text) -> Evidence | None:
    """A lone text is a description; None for what says nothing."""
    row = value if isinstance(value, dict) else {"description": value}
    parts = {name: each.strip() for name, each in row.items() if isinstance(each, str)}
    known = {name: parts.get(name, "") for name in Evidence.__match_args__}
    return Evidence(**(known | {"kind": known["kind"] or OBSERVATION})) if known["description"] else None


def typed(evidence: Evidence) -> dict[str, Text]:
    """The form of the file, without what is empty."""
    return {name: each for name in Evidence.__match_args__ if (each := getattr(evidence, name))}
