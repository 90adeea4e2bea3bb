"""The words of a command line are read the same way whoever reads them."""

import random

import pytest

from gitmem.cli import arguments, parser
from gitmem.errors import GitmemError
from gitmem.operations import every
from gitmem.operations.table import Operation

OPERATIONS = {operation.verb: operation for operation in every()}
PLAIN = ["a", "b.md", "-", "3", "2026-01-31", "a=b", "--json"]
ODD = [*PLAIN, "--", "-h", "--nothing", "-x", "", "--now", "--path=x"]
# A list behind optional places can be read in more than one way.
NEVER_PLAIN = {"edit", "propose edit"}


def read(reader: object, operation: Operation, words: list[str]) -> object:
    assert callable(reader)
    try:
        found = reader(operation, words)
    except GitmemError as err:
        return err.message
    return found.values, found.as_json, found.now, bool(found.help)


@pytest.mark.parametrize("times", [80, pytest.param(400, marks=pytest.mark.long)])
@pytest.mark.parametrize("verb", OPERATIONS)
def test_plain_words_and_the_full_parser_agree(verb: str, times: int) -> None:
    operation = OPERATIONS[verb]
    flags = [param.flag for param in operation.params if param.flag]
    chance = random.Random(verb)

    plain = 0
    for _ in range(times):
        known = chance.choice((PLAIN, ODD)) + flags * chance.randrange(3)
        words = [chance.choice(known) for _ in range(chance.randrange(6))]
        quick = arguments._plain(operation, words)
        plain += quick is not None
        assert read(arguments.parse, operation, words) == read(parser.parse, operation, words), words

    # A short course may meet none.
    assert plain > times // 40 or verb in NEVER_PLAIN or times < 2000
