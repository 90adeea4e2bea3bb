"""A block goes into any script and comes out again with the same bytes left."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gitmem.hooks.blocks import BEGIN, END, holds_block, is_current, is_shell, with_block, without_block
from gitmem.hooks.scripts import SCRIPTS

SCRIPT = "echo one\necho two\n"
LINES = ["#!/bin/sh", "#!/usr/bin/env bash", "set -e", "exit 0", "", "# a note", 'exec other "$@"', "\u00e9"]


@given(st.lists(st.sampled_from(LINES), max_size=6), st.sampled_from(["\n", "\r\n"]), st.booleans())
@example(["#!/bin/sh"], "\n", False)
@example(["#!/bin/sh"], "\r\n", False)
def test_what_goes_in_comes_out_with_the_same_bytes_left(lines: list[str], newline: str, has_end: bool) -> None:
    before = (newline.join(lines) + (newline if has_end and lines else "")).encode()

    once = with_block(before, SCRIPT)

    assert once != before
    assert with_block(once, SCRIPT) == once
    assert is_current(once, SCRIPT)
    assert without_block(once) == before
    assert without_block(with_block(once, "echo other\n")) == before


def test_a_file_that_was_made_goes_away_again_unless_somebody_wrote_into_it() -> None:
    made = with_block(None, SCRIPT)

    assert without_block(made) is None
    assert without_block(made + b"mine\n") == b"#!/bin/sh\nmine\n"
    assert without_block(with_block(made, "echo newer\n")) is None


def test_the_block_comes_before_what_may_end_the_script() -> None:
    once = with_block(b"#!/bin/sh\nexit 0\n", SCRIPT).decode()

    assert once.index("echo two") < once.index("exit 0")


def test_two_blocks_become_one_whatever_their_line_ends() -> None:
    """F-181: an editor changed the line ends, or two installers ran at once."""
    once = with_block(b"#!/bin/sh\r\nexit 0\r\n", SCRIPT)
    twice = once + once.partition(b"\r\n")[2].replace(b"\r\n", b"\n")

    again = with_block(twice, SCRIPT)

    assert again.count(BEGIN.encode()) == again.count(END.encode()) == 1
    assert b"\n" not in again.replace(b"\r\n", b"").removesuffix(b"exit 0\n")


def test_an_older_block_is_seen_and_replaced() -> None:
    older = with_block(b"#!/bin/sh\nexit 0\n", "echo old\n")

    assert holds_block(older)
    assert not is_current(older, SCRIPT)
    assert b"echo old" not in with_block(older, SCRIPT)


@pytest.mark.parametrize(
    ("first", "expected"),
    [
        (b"#!/bin/sh\n", True),
        (b"#!/bin/sh -e\r\n", True),
        (b"#! /usr/bin/env bash\n", True),
        (b"#!/usr/bin/env -S bash -e\n", True),
        (b"echo no first line\n", True),
        (b"", True),
        (b"#!/usr/bin/env python3\n", False),
        (b"#!/usr/bin/node\n", False),
        (b"#!\n", False),
        (b"\x7fELF\0\0", False),
    ],
)
def test_only_shell_takes_lines_of_shell(first: bytes, expected: bool) -> None:
    assert is_shell(first) == expected


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_name_no_place_on_this_machine(name: str) -> None:
    """F-180"""
    words = SCRIPTS[name].replace("/dev/null", "").split()

    assert not [word for word in words if word.lstrip("\"'").startswith("/")]
    assert "stash" not in SCRIPTS[name]
