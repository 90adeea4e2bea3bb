"""Documents as a reader sees them before anything is proposed: a plan, with what was found as comments in it.

Refuses to print anything that the plan's reader would not take.
"""

from gitmem.exchange.analysis import Analyzed, Topic
from gitmem.render.notices import notes


def analyzed(result: Analyzed) -> str:
    said = [line for topic in result.topics for line in _topic(topic)]
    said += [f"skipped {row.source}: {row.reason}" for row in result.skipped]
    said.append(", ".join(f"{count} {verdict}" for verdict, count in result.counts.items()) or "nothing to propose")
    said += notes("warning", result.warnings)
    lines = [f"# {line}" for each in said for line in each.split("\n")]
    return "\n".join([*lines, result.plan]).rstrip("\n")


def _topic(topic: Topic) -> list[str]:
    where = f"{topic.source}:{topic.line}"
    what = topic.verdict if topic.verdict == "new" else f"{topic.verdict} {topic.target}: {topic.reason}"
    lines = [f"{where} {topic.title} ({topic.kind}): {what}"]
    lines += [f"  {each.percent} % like {each.item} ({each.title})" for each in topic.overlaps]
    lines += [f"  {each.mine!r} against {each.theirs!r} in {each.slug}" for each in topic.contradictions]
    return lines
