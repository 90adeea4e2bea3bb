"""Words that others take from living tissue: each leads to code that computes it, or says why it is not kept."""

import re

import pytest

from tests.house.source import PROJECT

PAGE = PROJECT / "docs" / "glossary.md"
SIGNALS = {"Physarum", "pheromone", "STDP", "osmosis", "mycelium"}


def rows() -> list[tuple[str, str, str]]:
    part = PAGE.read_text("utf-8").partition("## Living tissue")[2].partition("\n## ")[0]
    found = re.findall(r"^\| ([^|]+?) \| ([^|]+?) \| ([^|]*?) \|$", part, re.MULTILINE)
    return [row for row in found if row[0] not in ("there", "---")]


@pytest.mark.capability("C-054")
@pytest.mark.parametrize("row", rows(), ids=lambda row: row[0])
def test_a_word_leads_to_code_that_is_there_or_says_why_it_is_not_kept(row: tuple[str, str, str]) -> None:
    _, meaning, place = row
    links = re.findall(r"\]\(([^)]+\.py)\)", place)

    assert bool(links) != meaning.startswith("not kept, because ")
    assert [link for link in links if not (PAGE.parent / link).is_file()] == []


@pytest.mark.capability("C-054")
def test_the_words_of_the_four_signals_are_among_them() -> None:
    told = {word.strip() for row in rows() for word in row[0].split(",")}

    assert told >= SIGNALS
