"""The truth of an engram as a reader sees it: the score and what it is made of. Refuses to leave a dimension out."""

from gitmem.model.truth import Truth


def truth_lines(truth: Truth) -> list[str]:
    rows = [f"  {part.score:.2f} x {part.weight:.2f} {part.name}: {part.why}" for part in truth.parts]
    return [f"truth {truth.score:.2f}", *rows, *(f"  doubt: {doubt}" for doubt in truth.doubts)]
