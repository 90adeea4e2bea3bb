"""How engrams refer to each other, to layers and to the repository's files. Refuses to look any of them up."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence

from gitmem.checks import references
from gitmem.checks.references import Named
from gitmem.checks.spotted import Spotted
from gitmem.globs.dialect import literal_prefix
from gitmem.index.card import Card
from gitmem.model.finding import Finding, Severity

# More places than this are not worth a list of arguments: then Git lists everything.
_PLACES_MAX = 100
# The cards that an id, a slug or a domain/slug names.
Resolve = Callable[[str], Sequence[Card]]


def named(card: Card) -> Named:
    return Named(card.id, card.path, card.slug)


def unresolved(resolve: Resolve, card: Card, wanted: Iterable[str]) -> list[Spotted]:
    """What is wrong with those references of a card; one id in two files is wrong there, not here."""
    found = []
    for reference in wanted:
        targets = resolve(reference)
        if not targets:
            found.append(references.missing(named(card), reference))
        elif len({target.id for target in targets}) > 1:
            found.append(references.ambiguous(named(card), reference, [named(target) for target in targets]))
    return found


def circles(resolve: Resolve, starts: Collection[Card], touching: Mapping[str, int] | None = None) -> list[Spotted]:
    """The circles among what ``starts`` require, near and far; with ``touching`` only those through these ids."""
    edges: dict[str, list[str]] = {}
    items: dict[str, Named] = {}
    waiting = [card for card in starts if card.id]
    for card in waiting:
        if card.id in items:
            continue
        items[card.id] = named(card)
        targets = {t.id: t for reference in card.requires for t in resolve(reference)}
        edges[card.id] = sorted(targets)
        waiting += [target for target in targets.values() if target.id not in items]
    return references.circles(edges, items, touching)


def unknown_layers(cards: Iterable[Card], layers: Container[str]) -> list[Spotted]:
    found = []
    for card in cards:
        for layer in card.layers:
            if layer not in layers:
                hint = "add it to .gitmem/layers.yaml, or mend the name; see: gitmem layers"
                message = f"no pattern of layers.yaml leads to the layer {layer!r}"
                found.append(
                    Spotted(
                        Finding("unknown-layer", Severity.WARNING, card.path, 0, message, hint, card.id),
                        "layers",
                        layer,
                    )
                )
    return found


def unmatched(
    patterns: Sequence[tuple[Card, str]], matches: Sequence[str | None], hints: Mapping[str, str] | None = None
) -> list[Spotted]:
    """``matches`` gives for each pattern a file that it matches, or None; ``hints`` say where the files of some are."""
    found = []
    for (card, pattern), file in zip(patterns, matches, strict=True):
        if file is None:
            message = f"the pattern {pattern!r} matches no tracked file"
            usual = "mend it, or leave it if the files are still to come; try: gitmem explain FILE"
            hint = (hints or {}).get(pattern, usual)
            finding = Finding("no-file-matches", Severity.WARNING, card.path, 0, message, hint, card.id)
            found.append(Spotted(finding, "paths", pattern))
    return found


def layer_names(tree: Mapping[str, object]) -> frozenset[str]:
    """The layers that a ``layers.yaml`` knows: pattern -> layer, or layer -> patterns under ``layers:``."""
    nested = tree.get("layers")
    return frozenset(nested) if isinstance(nested, dict) else frozenset(v for v in tree.values() if isinstance(v, str))


def folders_of(globs: Iterable[str]) -> list[str]:
    """The folders or files that the patterns can match at or below; none for the whole repository."""
    prefixes = sorted({"/".join(literal_prefix(pattern)) for pattern in globs})
    return prefixes if prefixes and prefixes[0] and len(prefixes) <= _PLACES_MAX else []
