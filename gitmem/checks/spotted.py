"""A finding whose line is not known yet, with what to look for in its file. Refuses to open the file."""

import re

from gitmem.model.finding import Finding
from gitmem.record import record, replace


@record
class Spotted:
    """``word`` stands on the line that the finding is about, at or below the header key ``key``; '' and '': no line."""

    finding: Finding
    key: str = ""
    word: str = ""


def placed(spotted: Spotted, text: str) -> Finding:
    """The finding with its line in ``text``, the content of its file."""
    if not spotted.key:
        return spotted.finding
    lines = text.split("\n")
    key = next((n for n, line in enumerate(lines) if line.lstrip().startswith(f"{spotted.key}:")), -1)
    if key < 0 or not spotted.word:
        return replace(spotted.finding, line=key + 1)
    word = re.compile(rf"(?<![\w/*-]){re.escape(spotted.word)}(?![\w/*-])")
    line = next((n for n in range(key, len(lines)) if word.search(lines[n])), key)
    return replace(spotted.finding, line=line + 1)
