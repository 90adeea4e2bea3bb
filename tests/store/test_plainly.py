"""Headers that are read without the YAML library are read as the library reads them, or not at all."""

import random
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gitmem.store import nodes, plainly
from gitmem.store.form import Typed
from tests.store.headers import random_header
from tests.support import engram_text

PUBLIC = Path(__file__).resolve().parents[3] / "shared" / "data"
# What makes or breaks a YAML line, and words that another reader would take for more than text.
PIECES = [
    *(
        "a",
        "b:",
        "key:",
        "key: ",
        "- ",
        "-",
        " ",
        "  ",
        "\n",
        "\n  ",
        "\n- ",
        "\n  - ",
        "#",
        " #",
        ": ",
        ":",
        ",",
        ", ",
    ),
    *(
        '"',
        "'",
        "[",
        "]",
        "{",
        "}",
        "&a",
        "*a",
        "!",
        "|",
        ">",
        "%",
        "@",
        "`",
        "?",
        "? ",
        "~",
        "null",
        "yes",
        "1.10",
        "-5",
    ),
    *(
        "\t",
        "\r",
        "\u00e9",
        "\u2028",
        "\ufeff",
        "\U0001f600",
        "...",
        "---",
        "<<",
        "=",
        "\\",
        "/",
        "$",
        "(",
        ")",
        "+",
        ".",
    ),
    *(
        "created: {at: 10:00:00Z, by: A <a@b.c>}",
        "tags: [a, b]",
        "x: []",
        "y: {}",
        "z: 'a b' # c",
        "a: b # c",
        "a: b #",
    ),
]


def agrees(text: str) -> bool:
    """Whether the text was read plainly at all."""
    plain = plainly.read(text, 2)
    if plain is None:
        return False
    found = nodes.read(text, "a.md", 2)
    assert isinstance(found, Typed), (text, found)
    assert plain == found, text
    assert list(plain.values) == list(found.values), text
    return True


def header_of(text: str) -> str:
    return text.split("---\n")[1]


@pytest.mark.parametrize(
    "header",
    [
        header_of(engram_text()),
        header_of(engram_text(scope={"paths": ["src/**", "lib/*.py"], "except": ["src/old/**"]}, requires=["a"])),
        "# a comment\nid: x   # another\n\ntags: []\ncreated: {at: 2026-11-30T10:00:00Z, by: Ada <ada@example.org>}\n",
        "title: Don't stop: it is 10:30\nurl: http://a.b/c#d\n".replace("stop: it", "stop, it"),
        "a: 'single'\nb: \"double\"\nc:\nd: ~\ne: -5\nf: [x, y]\n",
    ],
)
def test_usual_headers_need_no_library(header: str) -> None:
    assert agrees(header)


@pytest.mark.parametrize(
    "header",
    [
        "a: b: c\n",
        "a: b\n  c\n",
        "a: |\n  b\n",
        "a: &x b\n",
        "a: *x\n",
        "a: !t b\n",
        "a: b\na: c\n",
        "a:\n- b\n",
        "a: [b, [c]]\n",
        "a: {b: {c: d}}\n",
        'a: "b\\n"\n',
        "a: 'it''s'\n",
        "a: b\tc\n",
        "a: %b\n",
        "- a\n",
        "a\n",
        "a:b\n",
        "a: b\r\n",
        "a: b:\n",
        "a:\n  - b: c\n",
        "a:\n    b: c\n  d: e\n",
    ],
)
def test_what_has_two_readings_is_left_to_the_library(header: str) -> None:
    assert plainly.read(header, 2) is None


def test_random_headers_are_read_alike() -> None:
    chance = random.Random(7)
    read = sum(agrees("".join(block.text for block in random_header(chance))) for _ in range(1000))
    assert read > 5


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
@example("a: - b")
@example("a:  b  ")
@example("a: b # c\n  d")
def test_pieces_in_any_order_are_read_alike(text: str) -> None:
    agrees(text)


@pytest.mark.long
@settings(max_examples=30_000)
@given(st.lists(st.sampled_from(PIECES), max_size=20).map("".join))
def test_very_many_pieces_are_read_alike(text: str) -> None:
    agrees(text)


def test_public_headers_are_read_alike() -> None:
    if not PUBLIC.is_dir():
        pytest.skip("the public files are not here")
    texts = [
        path.read_bytes().decode("utf-8", "replace")
        for path in PUBLIC.rglob("*")
        if path.suffix in (".md", ".mdc", ".yaml")
    ]
    headers = [text.split("---\n")[1] for text in texts if text.startswith("---\n") and text.count("---\n") > 1]
    read = sum(agrees(header) for header in headers[:5000])
    assert read * 10 > len(headers[:5000])
