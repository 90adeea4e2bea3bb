"""The verification of an engram as a reader sees it. Refuses to leave out what lacks for the next step."""

from collections.abc import Iterator

from gitmem.answers.verification import Decided, Verification
from gitmem.model.evidence import Evidence
from gitmem.render.checked import in_a_line, readable
from gitmem.render.notices import notes
from gitmem.render.truth import truth_lines


def shown(result: Verification) -> str:
    lines = [f"{result.slug} ({result.item}) is {result.status}{_speaks(result)}", *_next(result)]
    lines += [f"evidence: {in_a_line(_said(each))}" for each in result.evidence] or ["no evidence"]
    return readable("\n".join([*lines, *truth_lines(result.truth), *notes("warning", result.warnings)]))


def _speaks(result: Verification) -> str:
    return f"; its measured truth speaks for {result.recommended}" if result.recommended else ""


def _next(result: Verification) -> Iterator[str]:
    if result.missing:
        yield f"to become {result.next} it lacks {'; '.join(result.missing)}"
    elif result.next:
        yield f"it can become {result.next}: gitmem verification set {result.slug} {result.next}"


def _said(evidence: Evidence) -> str:
    claim = evidence.claim and f"claim {evidence.claim}"
    run = evidence.run and f"run {evidence.run}"
    about = ", ".join(filter(None, (evidence.kind, evidence.domain, evidence.by, evidence.at, claim, run)))
    return f"{evidence.description} ({about})"


def decided(result: Decided) -> str:
    said = f"{result.slug} ({result.item}): {result.before} -> {result.after}"
    if result.before == result.after:
        said = f"{result.slug} ({result.item}) has new evidence; it stays {result.after}"
    seen = f"{result.proposal}@{result.patchset}"
    where = f"{result.knowledge_version}, {result.commit[:12]}" if result.commit else f"proposed as {seen}"
    return "\n".join([readable(f"{said} [{where}]"), *notes("warning", result.warnings)])
