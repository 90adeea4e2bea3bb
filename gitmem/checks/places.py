"""What may lie where below ``.gitmem``, and whether it can be read at all. Refuses engrams: they have a schema."""

import json

from gitmem.model.finding import Finding, Severity
from gitmem.store.codec import decode_mapping
from gitmem.store.layout import TEXT_SUFFIXES, Place, place_of
from gitmem.store.parts import conflict_marker, readable

_MAPPINGS = frozenset({Place.SYNAPSE, Place.LEDGER, Place.ROLL, Place.APPROVAL})
_MAY_BE_ANY_TEXT = frozenset({Place.SUPPORT})


def findings(rel: str, data: bytes) -> list[Finding]:
    """The findings of a file that is no engram and no settings file; ``rel`` is its path below ``.gitmem``."""
    place = place_of(rel)
    if place not in _MAY_BE_ANY_TEXT and not rel.endswith(TEXT_SUFFIXES):
        message = "knowledge is Markdown, YAML and JSON; this is something else"
        hint = f"keep it outside of .gitmem: git rm --cached .gitmem/{rel}"
        return [Finding("not-knowledge", Severity.ERROR, rel, 0, message, hint)]
    text = readable(data, rel)
    if isinstance(text, Finding):
        return [text]
    misplaced = [_misplaced(rel)] if place is Place.FOREIGN else []
    return [*misplaced, *_content(rel, place, data, text)]


def _misplaced(rel: str) -> Finding:
    message = "no part of gitmem reads a file at this place"
    hint = "engrams lie in .gitmem/engrams/<domain>/<slug>.md; see docs/data-format.md"
    return Finding("misplaced", Severity.WARNING, rel, 0, message, hint)


def _content(rel: str, place: Place, data: bytes, text: str) -> list[Finding]:
    marker = conflict_marker(text, 0, rel)
    if marker is not None:
        return [marker]
    if place in _MAPPINGS:
        return list(decode_mapping(data, rel)[1])
    if rel.endswith(".json"):
        return _json(rel, text)
    return []


def _json(rel: str, text: str) -> list[Finding]:
    try:
        json.loads(text)
    except json.JSONDecodeError as err:
        return [Finding("json", Severity.ERROR, rel, err.lineno, f"not JSON: {err.msg}", "mend it, or remove the file")]
    except RecursionError:
        return [Finding("json", Severity.ERROR, rel, 0, "nested too deeply to be read", "knowledge is flat: nest less")]
    return []
