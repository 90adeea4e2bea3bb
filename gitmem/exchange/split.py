"""A document as the topics under its headings. Refuses to change a word of them."""

from collections.abc import Iterator

from gitmem.record import record
from gitmem.text.sections import headings

_TOPIC = 2


@record
class Section:
    """``line`` counts from 1 in the body that was split; ``text`` is what stands below the heading."""

    title: str
    line: int
    text: str


def sections(title: str, body: str) -> list[Section]:
    """Every topic: what is below a heading of level one or two, and what stands before the first of them.

    A document without headings of level two is one topic. A heading with nothing below it is none.
    """
    lines = body.split("\n")
    found = headings(lines)
    if not any(each.level == _TOPIC for each in found):
        return [Section(title, 1, body)]
    return list(_topics(title, lines, [(each.title, each.line, each.end) for each in found if each.level <= _TOPIC]))


def _topics(title: str, lines: list[str], marks: list[tuple[str, int, int]]) -> Iterator[Section]:
    starts = [(title, 0, 0), *marks]
    ends = [line for _, line, _ in marks] + [len(lines)]
    for (name, line, begin), end in zip(starts, ends, strict=True):
        text = "\n".join(lines[begin:end]).strip("\n")
        if text.strip():
            yield Section(name or title, line + 1, f"{text}\n")
