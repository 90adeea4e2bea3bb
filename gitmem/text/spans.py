"""The digest of a span of text, blind to line ends and to blanks at the end of lines. Refuses files and parsing."""

import hashlib

ALGORITHM = "t1"
_DIGITS = 32


def digest(text: str) -> str:
    """``t1:`` and 32 hex digits; the same for both line ends, and whatever blanks end the lines and the text."""
    folded = "\n".join(line.rstrip(" \t\r") for line in text.removeprefix("\ufeff").split("\n")).rstrip("\n")
    return f"{ALGORITHM}:{hashlib.sha256(folded.encode('utf-8', 'surrogatepass')).hexdigest()[:_DIGITS]}"
