"""What skills say of each other and of engrams: names of nothing, circles, steps left out. Refuses to resolve names."""

from collections.abc import Mapping, Sequence

from gitmem.checks.cycles import components
from gitmem.checks.spotted import Spotted
from gitmem.model.finding import Finding, Severity
from gitmem.model.skill import PREFIX, STAGES, is_one_step

_SHOWN = 10
COMPOSES, ENGRAMS, STAGE = "gitmem-composes", "gitmem-engrams", "gitmem-stage"


def missing(rel: str, reference: str) -> Spotted:
    """``reference`` is skill:NAME, or an engram by any name."""
    key, name = (COMPOSES, reference.removeprefix(PREFIX)) if reference.startswith(PREFIX) else (ENGRAMS, reference)
    what = "builds on the skill" if key == COMPOSES else "rests on the engram"
    message = f"it {what} {name!r}, which is not here"
    hint = f"bring it back, name another, or take the line out of {key}"
    return Spotted(Finding("skill-reference-missing", Severity.ERROR, rel, 0, message, hint), key, name)


def ambiguous(rel: str, reference: str, names: Sequence[str]) -> Spotted:
    message = f"it rests on {reference!r}, which names {len(names)} engrams: {', '.join(names[:_SHOWN])}"
    finding = Finding("skill-reference-ambiguous", Severity.ERROR, rel, 0, message, "write the id of the one meant")
    return Spotted(finding, ENGRAMS, reference)


def rings(composed: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """The groups of skills that build on each other, each sorted."""
    return [ring for ring in components(composed) if len(ring) > 1 or ring[0] in composed.get(ring[0], ())]


def circles(composed: Mapping[str, Sequence[str]], rels: Mapping[str, str]) -> list[Spotted]:
    """``composed`` leads from a skill to those that it builds on, ``rels`` to its file."""
    return [_circle(ring, rels[ring[0]]) for ring in rings(composed)]


def _circle(ring: Sequence[str], rel: str) -> Spotted:
    shown = ", ".join(name.removeprefix(PREFIX) for name in ring[:_SHOWN])
    message = f"these skills build on each other in a circle: {shown}"
    finding = Finding("skill-cycle", Severity.ERROR, rel, 0, message, f"take one of the lines out of {COMPOSES}")
    return Spotted(finding, COMPOSES)


def step(rel: str, before: str, after: str) -> list[Spotted]:
    """``before`` is the stage that the skill had, '' for a new one."""
    if not before or is_one_step(before, after):
        return []
    between = STAGES[STAGES.index(before) + 1]
    message = f"it goes from {before} to {after} at once"
    hint = f"one step a decision: first {between}, with its own reasons"
    return [Spotted(Finding("skill-step", Severity.ERROR, rel, 0, message, hint), STAGE, after)]
