"""A plan as the text that ``gitmem propose --file`` reads, made to be looked at and edited. Refuses to carry it out."""

from collections.abc import Iterator, Mapping, Sequence

from gitmem.record import record
from gitmem.store.written import entry, literal, scalar

_INDENT = " " * 6


@record
class Step:
    """One change: its verb, its arguments, and the text that it is about."""

    verb: str
    arguments: Mapping[str, str | tuple[str, ...]]
    body: str


def written(rationale: str, steps: Sequence[Step]) -> str:
    """'' for no steps: a plan of nothing is none."""
    if not steps:
        return ""
    lines = [*entry("rationale", rationale), "changes:", *(line for step in steps for line in _lines(step))]
    return "".join(f"{line}\n" for line in lines)


def _lines(step: Step) -> Iterator[str]:
    yield f"  - {step.verb}:"
    for name, value in step.arguments.items():
        yield from entry(name, value if isinstance(value, str) else list(value), _INDENT)
    first, *rest = literal(step.body, _INDENT + "  ") or [scalar(step.body)]
    yield f"{_INDENT}body: {first}"
    yield from rest
