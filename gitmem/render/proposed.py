"""What was proposed, as a reader sees it. Refuses to say that anything was approved."""

from gitmem.answers.opening import Proposed
from gitmem.render.notices import first_notes


def proposed(result: Proposed) -> str:
    if result.proposal is None:
        return "\n".join(
            [f"nothing was proposed: {result.target} is the same", *first_notes("warning", result.warnings)]
        )
    lines = [f"proposed {result.proposal}@{result.patchset}; it waits for a person"]
    if len(result.proposals) > 1:
        lines = [f"proposed {len(result.proposals)} changes as the bundle {result.bundle}; they wait for a person"]
        lines += [f"  {id_}" for id_ in result.proposals]
    if result.verdict == "update":
        rewords = "is a change of" if result.id == result.target else "rewords"
        lines.append(f"it {rewords} {result.target}: {result.reason}")
    lines += [
        f"it may be an edge: gitmem propose link {hint.from_} {hint.kind} {hint.to} ({hint.words})"
        for hint in result.hints
    ]
    lines.append(f"look at it: gitmem proposals diff {result.proposal}")
    return "\n".join([*lines, *first_notes("warning", result.warnings)])
