"""What holds for every merge of an engram, over random versions; values are compared with an independent reading."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.model.vocabulary import Text
from gitmem.review.merge import merge_engram
from gitmem.review.outcome import Conflicted, Merged, Outcome, Side
from gitmem.store.codec import decode, read_yaml
from gitmem.store.parts import split
from tests.review.versions import REL, Value, Version, expected, first_version, next_version, written
from tests.store.headers import Block, random_header

seeds = st.integers(0, 2**48)


def versions(seed: int, count: int) -> tuple[Version, ...]:
    draw = random.Random(seed)
    base = first_version(draw)
    return base, *(next_version(draw, base) for _ in range(count))


def both_ways(base: bytes | None, ours: bytes, theirs: bytes) -> Outcome:
    outcome, mirrored = merge_engram(base, ours, theirs, REL), merge_engram(base, theirs, ours, REL)
    assert outcome.data == mirrored.data
    assert type(outcome) is type(mirrored)
    if isinstance(outcome, Conflicted) and isinstance(mirrored, Conflicted):
        assert [(each.field, each.ours) for each in outcome.conflicts] == [
            (each.field, each.theirs) for each in mirrored.conflicts
        ]
    return outcome


def values(data: bytes) -> dict[str, Text]:
    typed = read_yaml(split(data, REL).header, REL)
    assert not isinstance(typed, tuple)
    return typed.values


def unordered(value: Value | Text | None) -> Value | Text | None:
    """Lists as sets: the order of additions is the business of the merge."""
    if isinstance(value, dict):
        return {key: unordered(each) for key, each in value.items()}  # type: ignore[misc]  # reason: never None inside
    return sorted(value, key=repr) if isinstance(value, list) else value


def check_clean(data: bytes, sides: Sequence[Version]) -> None:
    assert decode(data, REL).engram
    assert not any(line.startswith(b"<<<<<<<") for line in data.splitlines())
    left = values(data)
    for side in sides:
        for key, note in side.notes.items():
            assert key not in left or note.encode() in data


def check_merge(seed: int) -> None:
    base, ours, theirs = versions(seed, 2)
    b, o, t = map(written, (base, ours, theirs))

    outcome = both_ways(b, o, t)

    value, conflicts = expected(base.values, ours.values, theirs.values)
    found = {each.field for each in outcome.conflicts} if isinstance(outcome, Conflicted) else set()
    assert found - {"body"} == conflicts
    if isinstance(outcome, Merged):
        assert unordered(values(outcome.data)) == unordered(value)
        check_clean(outcome.data, (ours, theirs))
    for one in (o, t):
        assert both_ways(b, one, b) == both_ways(b, one, one) == Merged(one)


def check_groupings(seed: int) -> None:
    """The header is the same whichever two of three are merged first, with its conflicts; and merging again with what
    is in already changes no value."""
    base, *sides = versions(seed, 3)
    b, x, y, z = (written(each._replace(body=base.body)) for each in (base, *sides))
    first, last = both_ways(b, x, y), both_ways(b, y, z)
    if isinstance(first, Conflicted) or isinstance(last, Conflicted):
        return
    left, right = both_ways(b, first.data, z), both_ways(b, x, last.data)
    assert type(left) is type(right)
    if isinstance(left, Merged):
        assert [*values(left.data).items()] == [*values(right.data).items()]
    again = both_ways(b, first.data, x)
    assert isinstance(again, Merged)
    assert values(again.data) == values(first.data)


def check_styles(seed: int) -> None:
    """Whatever the line ends, marks and bases: one result, readable, and a side settles every conflict."""
    draw = random.Random(seed)
    b, o, t = (styled(draw, written(each)) for each in versions(seed, 2))
    for base in (b, None, b"nothing that can be read\n"):
        outcome = both_ways(base, o, t)
        assert isinstance(outcome, Conflicted) or decode(outcome.data, REL).engram
        for side in Side:
            settled = merge_engram(base, o, t, REL, side)
            assert isinstance(settled, Merged)
            assert decode(settled.data, REL).engram


def styled(draw: random.Random, data: bytes) -> bytes:
    if draw.random() < 0.3:
        data = data.replace(b"\n", b"\r\n")
    if draw.random() < 0.2:
        data = data.rstrip(b"\r\n")
    return b"\xef\xbb\xbf" + data if draw.random() < 0.2 else data


def check_typed_by_people(seed: int) -> None:
    """Headers in every style of YAML: what merges cleanly is what the rules say."""
    draw = random.Random(seed)
    base = random_header(draw)
    b, o, t = (file_of(each) for each in (base, retyped(draw, base), retyped(draw, base)))

    outcome = both_ways(b, o, t)

    if isinstance(outcome, Merged):
        values(outcome.data)
        sides_are_sound = decode(o, REL).engram and decode(t, REL).engram
        assert not sides_are_sound or decode(outcome.data, REL).engram


def retyped(draw: random.Random, blocks: list[Block]) -> list[Block]:
    """Some keys replaced, added or dropped, each with all of its lines."""
    changed = list(blocks)
    for _ in range(draw.randint(0, 3)):
        at = draw.randrange(len(changed))
        owners = {each.owner for each in changed} - {changed[at].owner, ""}
        new = [each for each in random_header(draw) if each.owner not in owners | {"id"}]
        if changed[at].owner != "id":
            changed[at : at + 1] = [draw.choice(new)] if new and draw.random() < 0.7 else []
    return changed


def file_of(blocks: list[Block]) -> bytes:
    return f"---\n{''.join(block.text for block in blocks)}---\nBody.\n".encode()


# The steps of the normal run and of the long one.
CHECKS = [
    (check_merge, 1000, 40_000),
    (check_groupings, 150, 20_000),
    (check_styles, 100, 10_000),
    (check_typed_by_people, 500, 20_000),
]
NAMES = [check.__name__.removeprefix("check_") for check, _, _ in CHECKS]


@pytest.mark.parametrize(("check", "steps", "_"), CHECKS, ids=NAMES)
@pytest.mark.capability("G-023", "M-076")
def test_f_096_merges_hold_what_is_promised(check, steps, _):
    settings(max_examples=steps)(given(seeds)(check))()


@pytest.mark.long
@pytest.mark.parametrize(("check", "_", "steps"), CHECKS, ids=NAMES)
def test_f_096_very_many_merges_hold_what_is_promised(check, _, steps):
    settings(max_examples=steps)(given(seeds)(check))()
