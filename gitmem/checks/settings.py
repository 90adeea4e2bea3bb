"""Whether config.yaml, layers.yaml and tags.yaml say something that is understood. Refuses to apply what they say."""

from collections.abc import Iterator, Mapping

from gitmem import config
from gitmem.checks.engrams import glob_error
from gitmem.model.finding import Finding, Severity
from gitmem.model.vocabulary import Text
from gitmem.store.codec import read_yaml, without_nulls
from gitmem.store.form import Typed
from gitmem.store.layout import Place, place_of
from gitmem.store.parts import readable

PLACES = frozenset({Place.CONFIG, Place.LAYERS, Place.TAGS})
_UNDERSTOOD = frozenset({*config.KEYS, *config.SECTIONS})


def findings(rel: str, data: bytes) -> list[Finding]:
    """The findings of one settings file; ``rel`` is its path below ``.gitmem``."""
    text = readable(data, rel)
    if isinstance(text, Finding):
        return [text]
    typed = read_yaml(text, rel)
    if isinstance(typed, tuple):
        return list(typed)
    place = place_of(rel)
    rows = _config(typed) if place is Place.CONFIG else _layers(typed) if place is Place.LAYERS else _tags(typed)
    return [
        Finding(code, severity, rel, typed.lines.get(key, 0), message, hint)
        for code, severity, key, message, hint in rows
    ]


Row = tuple[str, Severity, str, str, str]


def _config(typed: Typed) -> Iterator[Row]:
    _, faults = config.from_text(without_nulls(typed))
    for fault in faults:
        severity = Severity.ERROR if fault.key in _UNDERSTOOD else Severity.WARNING
        hint = fault.hint or "its default is in force until it is mended; see: gitmem config show"
        yield "config", severity, fault.key, fault.message, hint


def _layers(typed: Typed) -> Iterator[Row]:
    values = without_nulls(typed)
    nested = values.get("layers")
    if not isinstance(nested, dict):
        yield from _pattern_rows(typed, values)
        return
    for layer, value in nested.items():
        items = [value] if isinstance(value, str) else value
        for pattern in items if isinstance(items, list) else ():
            yield from _glob(f"layers.{layer}", pattern)
        if isinstance(items, dict):
            yield (
                "layers",
                Severity.ERROR,
                f"layers.{layer}",
                f"the patterns of {layer!r} are no list",
                "one pattern an item",
            )


def _pattern_rows(typed: Typed, values: Mapping[str, Text]) -> Iterator[Row]:
    for pattern, layer in values.items():
        yield from _glob(pattern, pattern)
        if not isinstance(layer, str) or not layer.strip():
            yield "layers", Severity.ERROR, pattern, f"{pattern!r} has no layer name", "pattern: name, one a line"


def _glob(key: str, pattern: Text) -> Iterator[Row]:
    error = glob_error(pattern) if isinstance(pattern, str) else ("a pattern is text", "put it in quotes")
    if error is not None:
        yield "bad-glob", Severity.ERROR, key, *error


def _tags(typed: Typed) -> Iterator[Row]:
    nested = typed.values.get("tags", typed.values)
    if isinstance(nested, str):
        if not typed.is_null("tags", nested):
            yield (
                "tags",
                Severity.ERROR,
                "tags",
                "tags is one text, not a list or a map",
                "tag: what it means, one a line",
            )
        return
    prefix = "" if nested is typed.values else "tags"
    if isinstance(nested, list):
        wrong = [(f"{prefix}[{at}]", "an item") for at, each in enumerate(nested) if not isinstance(each, str)]
    else:
        wrong = [(f"{prefix}.{tag}".lstrip("."), tag) for tag, text in nested.items() if not isinstance(text, str)]
    for key, tag in wrong:
        yield "tags", Severity.ERROR, key, f"{tag} has no meaning of one line", "tag: what it means, one a line"
