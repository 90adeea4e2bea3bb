"""Lists of words as other tools write them: comma lists, JSON lists, quoted parts. Refuses to know what they mean."""

_OPEN, _CLOSE = "{[(", "}])"
_QUOTES = ("'", '"')


def split_list(text: str) -> tuple[str, ...]:
    """The parts of a comma list or of a list in square brackets, without blanks and quotes."""
    text = text.strip()
    if text.startswith("[") and text.endswith("]") and _is_balanced(text[1:-1]):
        text = text[1:-1]
    return split_commas(text)


def split_commas(text: str) -> tuple[str, ...]:
    """The parts of a comma list; commas inside braces, brackets and quotes do not split."""
    return tuple(word for part in _parts(text) if (word := unquote(part)))


def unquote(text: str) -> str:
    """Drops blanks around a text, then one pair of quotes around all of it; quotes inside must be escaped."""
    text = text.strip()
    if len(text) < 2 or text[0] not in _QUOTES or text[-1] != text[0]:
        return text
    quote, inner = text[0], text[1:-1]
    escaped = "''" if quote == "'" else '\\"'
    return text if quote in inner.replace(escaped, "") else inner.replace(escaped, quote).strip()


def _parts(text: str) -> list[str]:
    parts, start = [], 0
    for at, depth in _marks(text):
        if not depth:
            parts.append(text[start:at])
            start = at + 1
    return [*parts, text[start:]]


def _is_balanced(text: str) -> bool:
    return all(depth >= 0 for _, depth in _marks(text, of=_CLOSE))


def _marks(text: str, of: str = ",") -> list[tuple[int, int]]:
    """(position, depth of brackets after it) of each character in ``of`` that is outside quotes.

    A quote opens only at the start of a part, so an apostrophe inside a word is a letter; a backslash escapes.
    """
    found, depth, quote, is_start, at = [], 0, "", True, 0
    while at < len(text):
        char = text[at]
        if char == "\\":
            at += 1
        elif quote:
            quote = "" if char == quote else quote
        elif char in _QUOTES and is_start:
            quote = char
        else:
            depth += (char in _OPEN) - (char in _CLOSE)
            if char in of:
                found.append((at, depth))
        is_start = (char.isspace() and is_start) or char in (",", *_OPEN)
        at += 1
    return found
