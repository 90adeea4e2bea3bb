"""A finding whose line is not known yet, with what to look for in its file. Refuses to look."""

from gitmem.model.finding import Finding
from gitmem.record import record, replace


@record
class Spotted:
    """``needle`` is text of the file's header on the line that the finding is about; '' means the whole file."""

    finding: Finding
    needle: str = ""


def placed(spotted: Spotted, text: str) -> Finding:
    """The finding with its line in ``text``, the content of its file."""
    if not spotted.needle:
        return spotted.finding
    lines = text.split("\n")
    number = next((n for n, line in enumerate(lines, 1) if spotted.needle in line), 0)
    return replace(spotted.finding, line=number)
