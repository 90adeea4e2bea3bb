"""Standing rules as a reader sees them: those in force, what became of a code, what was retired. Refuses nothing."""

from gitmem.answers.retiring import Retired, StandingListed
from gitmem.model.confirmed import Confirmed
from gitmem.render.checked import in_a_line, readable
from gitmem.render.hooked import said
from gitmem.render.notices import notes


def listed(result: StandingListed) -> str:
    rows = [f"{row.id}  {row.slug}  {row.title}{_where(row.paths)}" for row in result.rules]
    return readable("\n".join([*(rows or ["no standing rules"]), *notes("warning", result.warnings)]))


def _where(paths: tuple[str, ...]) -> str:
    return f" ({', '.join(paths)})" if paths else ""


def confirmed(result: Confirmed) -> str:
    return "\n".join([in_a_line(said(result)), *notes("warning", result.warnings)])


def retired(result: Retired) -> str:
    if result.commit:
        line = f"retired {result.slug} ({result.item}): {result.knowledge_version}, {result.commit[:12]}"
    else:
        line = f"proposed to retire {result.slug}: {result.proposal}@{result.patchset}"
    gone = [f"with it went the edge {id_}" for id_ in result.edges]
    return "\n".join([line, *gone, *notes("warning", result.warnings)])
