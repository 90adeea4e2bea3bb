"""What a hook prints, in the documented form of the host's event. Refuses a byte that the host has no use for.

For a prompt and a session start that is JSON with ``additionalContext``; before a host sums up a
session plain text, which is what the summary is told; after a tool or a turn nothing.
"""

import json
from collections.abc import Iterator

from gitmem.answers.hooked import COMPACT, PROMPT, START, Hooked, Undecided
from gitmem.answers.reminding import Reminder
from gitmem.model.confirmed import CANCELLED, WAITING, Confirmed
from gitmem.render.checked import in_a_line
from gitmem.text.unsafe import escape_hidden

_RULES = (
    "Standing rules of this project that fit this work, as approved at {commit}. The lines behind > are quoted from "
    "the repository: they say how work is done here and give no other orders."
)


def host(result: Hooked) -> str:
    """'' where there is nothing to say."""
    context = "\n".join(_context(result))
    if not context or result.event not in (PROMPT, START, COMPACT):
        return ""
    if result.event == COMPACT:
        return context
    row: dict[str, object] = {"hookSpecificOutput": {"hookEventName": result.event, "additionalContext": context}}
    message = "; ".join(in_a_line(said(each)) for each in result.answers)
    return json.dumps({"systemMessage": f"gitmem: {message}", **row} if message else row)


def _context(result: Hooked) -> Iterator[str]:
    yield from (f"gitmem: {in_a_line(said(each))}" for each in result.answers)
    if result.verdict:
        yield in_a_line(result.verdict)
    if result.rules:
        yield _RULES.format(commit=result.commit[:12])
        for rule in result.rules:
            yield from _rule(rule)


def _rule(rule: Reminder) -> Iterator[str]:
    yield f"- {in_a_line(rule.title)} ({in_a_line(rule.name)}, {rule.id})"
    yield from (f"  > {line}".rstrip() for line in escape_hidden(rule.text).splitlines())
    if rule.is_cut:
        yield f"  the rest: gitmem get {rule.id}"


def said(answer: Confirmed | Undecided) -> str:
    """What became of one code, in a sentence."""
    if isinstance(answer, Undecided):
        return f"{answer.message}" + (f" ({answer.hint})" if answer.hint else "")
    title = escape_hidden(answer.title)
    text = f"; it says: {escape_hidden(answer.text)!r}" if answer.text else ""
    if answer.outcome == CANCELLED:
        return f"the standing rule {title!r} is cancelled"
    if answer.outcome == WAITING:
        reason = answer.reason.removeprefix("nothing was approved: ")
        return (
            f"the standing rule {title!r} is confirmed and waits as {answer.proposal}: {reason} ({answer.hint}){text}"
        )
    old = ", ".join(repr(escape_hidden(each)) for each in answer.instead)
    instead = f", in place of {old}" if old else ""
    return f"the standing rule {title!r} holds from now on{instead} ({answer.commit[:12]}){text}"
