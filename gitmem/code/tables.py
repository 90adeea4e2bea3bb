"""The rows of an atlas as bytes and back. Refuses to know where they are kept."""

from __future__ import annotations

import json
from array import array

from gitmem.model.code import Overlaid
from gitmem.record import field, record, state

# Of the form of an atlas.
VERSION = 3
NUMBER = "I"
BETWEEN = "\0"


@record
class Defined:
    """A symbol as it is found by name: ``file`` and ``number`` say where, ``tail`` is its id without the path."""

    file: int
    number: int
    kind: str
    line: int
    tail: str
    signature: str


@state
class Slice:
    """``calling`` and ``importing`` have the numbers of files in order, each once."""

    names: dict[str, list[Defined]] = field(default_factory=dict)
    calling: dict[str, array[int]] = field(default_factory=dict)
    importing: dict[str, array[int]] = field(default_factory=dict)
    terms: dict[str, tuple[array[int], bytearray]] = field(default_factory=dict)
    overlaid: list[tuple[int, Overlaid]] = field(default_factory=list)
    skipped: dict[int, str] = field(default_factory=dict)
    plain: list[int] = field(default_factory=list)


@record
class Head:
    """What a base is about, as JSON. ``counts`` are the parts of each table; ``skipped`` are pairs of path and reason,
    ``omitted`` the number of files over the limit, ``plain`` the paths that were read without a grammar. ``frameworks``
    are the overlays that the project asks for; ``manifests`` are pairs of path and blob id."""

    version: int
    number_bytes: int
    counts: tuple[int, ...]
    skipped: tuple[tuple[str, str], ...]
    omitted: int
    plain: tuple[str, ...]
    frameworks: tuple[str, ...] = ()
    manifests: tuple[tuple[str, str], ...] = ()


def read_names(row: bytes) -> list[Defined]:
    return [Defined(*each) for each in json.loads(row)] if row else []


def read_seen(row: bytes) -> list[tuple[int, Overlaid]]:
    return [(file, Overlaid(*each)) for file, *each in json.loads(row)]


def read_numbers(row: bytes) -> array[int]:
    return array(NUMBER, row)


def read_terms(row: bytes) -> tuple[array[int], bytes]:
    size = array(NUMBER).itemsize
    count = len(row) // (size + 1)
    return array(NUMBER, row[: count * size]), row[count * size :]
