"""What the headings and the prose of a foreign Markdown text say. Refuses to render or to parse blocks."""

from collections.abc import Iterator

from gitmem.text import sections


def prose(text: str) -> Iterator[str]:
    """The lines outside code fences and outside comments that begin a line; inner blanks are made one."""
    is_comment, before = False, -1
    for number, line in sections.unfenced(text.split("\n")):
        if number != before + 1:
            yield ""
        before = number
        starts = line.lstrip().startswith("<!--")
        if not is_comment and not starts:
            yield _squeezed(line)
        elif is_comment:
            yield ""
        is_comment = (is_comment or starts) and "-->" not in line


def title(text: str) -> str:
    """The first heading of level one; else the heading that the text starts with; else nothing."""
    lines = list(prose(text))
    found = [each for each in sections.headings(lines) if each.title]
    top = next((each for each in found if each.level == 1), None)
    first = next((number for number, line in enumerate(lines) if line.strip()), -1)
    chosen = top or next((each for each in found if each.line == first), None)
    return chosen.title if chosen else ""


def topics(text: str) -> int:
    """How many headings of level two there are."""
    return sum(1 for each in sections.headings(list(prose(text))) if each.level == 2)


def _squeezed(line: str) -> str:
    return line[: len(line) - len(line.lstrip())] + " ".join(line.split())
