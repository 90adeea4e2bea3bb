"""From files to layers by ``layers.yaml``. Refuses to read that file itself."""

from collections.abc import Mapping, Sequence

from gitmem.errors import GitmemError
from gitmem.globs import dialect as globs
from gitmem.index.knowledge import Knowledge
from gitmem.model.finding import Notice
from gitmem.model.vocabulary import Text
from gitmem.record import record

_NAMED = 20


@record
class Row:
    pattern: str
    layer: str
    specificity: int


def table(tree: Mapping[str, Text]) -> tuple[Row, ...]:
    """Pattern -> layer, or layer -> patterns under ``layers:``; most specific first, then by pattern.

    A pattern that is no glob is left out here and named by ``check``.
    """
    rows = [Row(p, layer, s) for p, layer in pairs(tree) if (s := _specificity(p)) >= 0]
    return tuple(sorted(rows, key=lambda row: (-row.specificity, row.pattern, row.layer)))


def pairs(tree: Mapping[str, Text]) -> list[tuple[str, str]]:
    """(pattern, layer) in the order of the file."""
    nested = tree.get("layers")
    if isinstance(nested, dict):
        return [(p, layer) for layer, value in nested.items() for p in _texts(value)]
    return [(pattern, layer) for pattern, layer in tree.items() if isinstance(layer, str)]


def _texts(value: Text) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [v for v in value if isinstance(v, str)] if isinstance(value, list) else []


def _specificity(pattern: str) -> int:
    try:
        return globs.specificity(pattern)
    except GitmemError:
        return -1


def classified(tree: Mapping[str, Text], targets: Sequence[str]) -> dict[str, str | None]:
    """The layer of each target, None where no pattern matches."""
    rows = table(tree)
    return {target: classify(rows, target) for target in targets}


def classify(rows: tuple[Row, ...], target: str) -> str | None:
    """The layer of the most specific pattern that matches, None when none does."""
    return next((row.layer for row in rows if globs.matches(row.pattern, target)), None)


def strange(knowledge: Knowledge, given: Sequence[str]) -> list[Notice]:
    """Layers of a request that no pattern leads to and no rule names: most likely a slip."""
    known = sorted({layer for _, layer in pairs(knowledge.facts.layers)})
    odd = [layer for layer in sorted(set(given)) if layer not in known and not knowledge.numbers(f"layer:{layer}")]
    hint = f"known: {', '.join(known[:_NAMED]) or 'none'}; see: gitmem layers"
    return [Notice("unknown-layer", f"no layer {layer!r} is known here", hint=hint) for layer in odd[:_NAMED]]
