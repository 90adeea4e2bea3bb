"""What a stage of upkeep would propose, before anything is written. Refuses to open it."""

from __future__ import annotations

from collections.abc import Callable

from gitmem.answers.ground import Ground
from gitmem.answers.machine import Cause
from gitmem.answers.opening import Plan
from gitmem.model.ids import canonical_id
from gitmem.record import record


@record
class Draft:
    """One thing that a stage would have changed. ``rests_on`` are the ids of engrams and the blob ids that it was
    worked out from: the same ones make the same proposal in every clone, and one that was declined is not made again
    before one of them is another. ``plan`` makes the change when it is known that it will be proposed; it may ask for
    anything that ``answers.plans`` has, and refuses by a GitmemError. ``rationale`` is the same wherever it is made;
    ``measured`` holds numbers of this clone, for the report alone. ``evidence`` are ids of observations."""

    stage: str
    rule: str
    rests_on: tuple[str, ...]
    title: str
    plan: Callable[[Ground], Plan]
    rationale: str = ""
    evidence: tuple[str, ...] = ()
    measured: str = ""

    @property
    def items(self) -> tuple[str, ...]:
        """The engrams among what it rests on."""
        return tuple(id_ for id_ in self.rests_on if canonical_id(id_))

    def cause(self, bundle: str = "") -> Cause:
        return Cause(self.stage, self.rule, self.rests_on, self.rationale, self.evidence, bundle)
