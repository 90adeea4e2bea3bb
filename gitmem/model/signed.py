"""A symbol of a file with the digest of what it says. Refuses to read one."""

from gitmem.record import record


@record
class Part:
    """``name`` has the symbols around it before it, with dots, and ``tail`` its arity and ordinal behind; ``lines`` are
    ``12`` or ``12-20``; ``size_bytes`` is of what the digest is over."""

    name: str
    tail: str
    digest: str
    lines: str
    size_bytes: int
