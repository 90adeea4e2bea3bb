"""The word that was probably meant. Refuses to decide what a wrong word costs."""

from collections.abc import Iterable


def nearest(word: str, options: Iterable[str]) -> str:
    """The option that differs from ``word`` by the fewest typing slips, or "" when none is near.

    A slip is one letter more, less, other, or two neighbours exchanged; one is allowed for each three letters. The
    beginning of a word, of three letters or more, counts as one slip.
    """
    folded = word[:80].lower()
    scored = sorted((_distance(folded, option.lower()), option) for option in options)
    if not scored or scored[0][0] > max(1, len(folded) // 3):
        return ""
    return scored[0][1]


def _distance(word: str, option: str) -> int:
    return 1 if len(word) > 2 and word != option and option.startswith(word) else slips(word, option)


def slips(left: str, right: str) -> int:
    """The optimal string alignment distance of two words."""
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        older, before, row = before, row, [i]
        for j, b in enumerate(right, 1):
            best = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                best = min(best, older[j - 2] + 1)
            row.append(best)
    return row[-1]
