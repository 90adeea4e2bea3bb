"""What a pattern becomes when the files that it meant have moved. Refuses a pattern that would miss one of them."""

from collections.abc import Iterable, Sequence

from gitmem.globs.dialect import matches, parse
from gitmem.globs.segments import Segment, matcher_of
from gitmem.globs.syntax import GlobError, Literal, render
from gitmem.record import record


@record
class Move:
    """``old`` and ``new`` are folders, '' the root; of a file that got another name they are its paths."""

    old: str
    new: str


def move_of(old: str, new: str) -> Move:
    """What changed between two paths: the folders before all that they have in common at their ends."""
    before, after = old.split("/"), new.split("/")
    while before and after and before[-1] == after[-1]:
        before.pop()
        after.pop()
    return Move("/".join(before), "/".join(after))


def moved(path: str, move: Move) -> str:
    """Where a path is after a move; itself when the move is not about it."""
    if path == move.old:
        return move.new
    below = path.removeprefix(f"{move.old}/") if move.old else path
    if move.old and below == path:
        return path
    return f"{move.new}/{below}" if move.new else below


def followed(pattern: str, move: Move, files: Sequence[str]) -> str:
    """The pattern for the same files after a move; ``files`` are where they are now. '' where none fits all of them."""
    try:
        sequences = parse(pattern).sequences
    except GlobError:
        return ""
    if len(sequences) != 1:
        return ""
    candidates = (_from_the_start(sequences[0], move), _one_name(sequences[0], move))
    return next((each for each in candidates if each and all(matches(each, file) for file in files)), "")


def _from_the_start(sequence: Sequence[Segment], move: Move) -> str:
    """The segments that stand for the old folder give way to the new one."""
    old = move.old.split("/") if move.old else []
    head = sequence[: len(old)]
    if len(head) < len(old) or not all(_stands_for(each, name) for each, name in zip(head, old, strict=True)):
        return ""
    return "/".join([*_literal(move.new), *(each.text for each in sequence[len(old) :])])


def _one_name(sequence: Sequence[Segment], move: Move) -> str:
    """A folder that got another name, wherever the pattern has it."""
    old, new = move.old.split("/"), move.new.split("/")
    differ = [(a, b) for a, b in zip(old, new, strict=False) if a != b]
    if len(old) != len(new) or len(differ) != 1:
        return ""
    ((before, after),) = differ
    if not any(each.literal == before for each in sequence):
        return ""
    return "/".join(render((Literal(after),)) if each.literal == before else each.text for each in sequence)


def _stands_for(segment: Segment, name: str) -> bool:
    if segment.is_double_star:
        return False
    return segment.literal == name if segment.literal is not None else bool(matcher_of((segment.text,)).matching(name))


def _literal(path: str) -> Iterable[str]:
    return (render((Literal(name),)) for name in path.split("/")) if path else ()
