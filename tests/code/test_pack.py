"""Fitting files into tokens: never above, seeds always there, the best body open first."""

import hashlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.code import extract, pack
from gitmem.code.bodies import Body
from gitmem.code.pack import FILL, RANKED, SEED, Candidate, Room
from gitmem.code.source import Source
from gitmem.model.plain import plain
from gitmem.text.tokens import estimate

SMALL = "def f{n}(a):\n" + "    x = a + {n}\n" * 6 + "    return x\n\n\n"


def source(path: str, functions: int, lines: int = 6) -> Source:
    body = SMALL.replace("    x = a + {n}\n" * 6, "    x = a + {n}\n" * lines)
    content = "".join(body.replace("{n}", str(n)) for n in range(functions)).encode()
    oid = hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
    return Source(path, oid, content, extract.facts(path, content))


SOURCES = {f"part{n}/file{n}.py": source(f"part{n}/file{n}.py", 2 + 5 * n, 6 + 9 * (n % 3)) for n in range(7)}
BODIES = {path: [Body(path, n, 9.0 - n / 2) for n in range(len(SOURCES[path].facts.symbols))][:8] for path in SOURCES}


def packed(candidates: list[Candidate], room: Room) -> pack.Packed:
    return pack.packed(candidates, BODIES, SOURCES.__getitem__, room)


@pytest.mark.capability("C-027")
@settings(derandomize=True, deadline=None, max_examples=40)
@given(
    st.lists(st.sampled_from(sorted(SOURCES)), unique=True, min_size=1),
    st.integers(0, 9000),
    st.integers(0, 4000),
    st.integers(0, 6),
)
def test_rows_never_take_more_than_there_is_room_for(paths: list[str], limit: int, fill: int, opened: int) -> None:
    kinds = (SEED, RANKED, FILL)
    rows = [Candidate(path, 1 - n / 10, kinds[n % 3], (0,) if n % 2 else ()) for n, path in enumerate(paths)]

    found = packed(rows, Room(limit, fill, 20, opened))

    told = plain(found.rows)
    assert estimate(json.dumps(told, indent=2)) <= max(limit, 4)
    assert found.used <= limit
    filled = {row.path for row in rows if row.kind == FILL}
    spent = sum(pack.tokens_of(row) for row in found.rows if row.path in filled and row.text is not None)
    assert spent <= max(fill, 0) + 80 * len(filled)


@pytest.mark.capability("C-027")
@pytest.mark.capability("C-034")
def test_with_less_room_optional_files_close_first_and_the_best_body_last() -> None:
    first, *rest = sorted(SOURCES)
    rows = [Candidate(first, 1.0, SEED, (1,)), *(Candidate(path, 0.5, RANKED) for path in rest)]

    opened = {
        limit: {row.path: (row.text or "").count("return x") for row in packed(rows, Room(limit, 0, 20, 3)).rows}
        for limit in (9000, 2500, 700)
    }

    assert all(found[first] >= 1 for found in opened.values())
    assert sum(opened[9000].values()) > sum(opened[2500].values()) > sum(opened[700].values())
    assert opened[9000][rest[-1]] <= 1


@pytest.mark.capability("C-023")
def test_what_is_named_is_listed_before_anything_else() -> None:
    rows = [Candidate(path, 0.9, RANKED) for path in sorted(SOURCES)[:-1]]
    rows.append(Candidate(sorted(SOURCES)[-1], 0.0, SEED))

    found = packed(rows, Room(130, 0, 20, 3))
    many = packed([Candidate(path, 0.0, SEED) for path in sorted(SOURCES)], Room(9000, 0, 2, 0, 0))

    assert rows[-1].path in {row.path for row in found.rows}
    assert [row.path for row in many.rows] == sorted(SOURCES)
    assert found.unlisted == len(rows) - len(found.rows)
