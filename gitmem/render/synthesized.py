"""A pattern that was drafted of engrams, as a reader sees it. Refuses to call a draft a text."""

from gitmem.answers.synthesizing import Synthesized
from gitmem.render.checked import readable
from gitmem.render.notices import first_notes


def synthesized(result: Synthesized) -> str:
    if not result.proposal and not result.dry_run:
        lines = [f"nothing was proposed: {result.target} is the same"]
    elif result.dry_run:
        lines = [f"{result.title} (nothing was written)", "", result.text.rstrip("\n")]
    else:
        lines = [f"proposed {result.proposal}@{result.patchset}: {result.title}; it waits for a person"]
        if result.status == "draft":
            edit = f"gitmem propose edit {result.id} body --file TEXT.md --extend {result.proposal}"
            restore = f"gitmem propose restore {result.id} --extend {result.proposal}"
            lines += [f"its text is still to be written: {edit}", f"then it is a draft no more: {restore}"]
        lines.append(f"look at it: gitmem proposals diff {result.proposal}")
    return readable("\n".join([*lines, *first_notes("warning", result.warnings)]))
