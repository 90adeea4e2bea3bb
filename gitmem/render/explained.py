"""Reasons as a reader sees them. Refuses to shorten them."""

from gitmem.answers.explain import Explained, Layers, WhyNot
from gitmem.model.compiled import Explanation
from gitmem.record import replace
from gitmem.render import compiled
from gitmem.render.notices import notes


def text(result: Explained) -> str:
    found = Explanation(result.near_misses, result.layers, result.dropped, result.budget)
    whole = compiled.text(replace(result.compile, explain=found))
    return "\n\n".join([*(why_not(row) for row in result.why_not), whole])


def why_not(result: WhyNot) -> str:
    lines = [f"{result.slug} ({result.item}) for {result.file}: {result.first_reason}"]
    lines += [f"- {reason.code}: {reason.message}" for reason in result.reasons]
    return "\n".join([*lines, *notes("warning", result.warnings)])


def layers(result: Layers) -> str:
    rows = [f"{file}: {layer or 'none'}" for file, layer in result.files.items()]
    rows = rows or [f"{pattern}: {layer}" for pattern, layer in result.rows]
    return "\n".join([*(rows or ["no layers are defined"]), *notes("warning", result.warnings)])
