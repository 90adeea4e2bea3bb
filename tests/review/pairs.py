"""One engram, two changes of it, and their merge in both orders. Refuses to know what the result should be."""

from gitmem.review.merge import merge_engram
from gitmem.review.outcome import Conflicted, Merged, Outcome
from gitmem.store.codec import decode
from tests.support import engram_id

REL = "engrams/api/x.md"
BASE = f"""\
---
# one engram
id: {engram_id(1)}
title: Call the API   # beside title
kind: constraint
# what it is about
tags:
  - api   # why api
  - http
scope:
  # in scope
  paths: [src/**, lib/**]
  layers:
    - ui
valid: {{from: 2026-01-01}}
created:
  at: 2026-01-01T00:00:00Z
  by: Ada <ada@example.org>
x-team: {{owner: ops, room: 5}}
# the end
---
One.

Two.

Three.
"""


def changed(*edits: tuple[str, str], text: str = BASE) -> bytes:
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text.encode()


def merged(ours: bytes, theirs: bytes, base: bytes | None = BASE.encode()) -> Outcome:
    """Merges in both orders; the bytes must be the same."""
    outcome, mirrored = merge_engram(base, ours, theirs, REL), merge_engram(base, theirs, ours, REL)
    assert outcome.data == mirrored.data
    assert type(outcome) is type(mirrored)
    return outcome


def clean(ours: bytes, theirs: bytes, base: bytes | None = BASE.encode()) -> str:
    outcome = merged(ours, theirs, base)
    assert isinstance(outcome, Merged), outcome
    assert decode(outcome.data, REL).engram
    return outcome.data.decode()


def fields(outcome: Outcome) -> list[str]:
    return [each.field for each in outcome.conflicts] if isinstance(outcome, Conflicted) else []


HTTP, API = "  - http\n", "  - api   # why api\n"
PATHS, FROM, TEAM = "[src/**, lib/**]", "valid: {from: 2026-01-01}", "{owner: ops, room: 5}"
