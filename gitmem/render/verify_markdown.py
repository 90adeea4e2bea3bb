"""A verdict as a comment on a pull request. Refuses markup, mentions and links that a change brings."""

from collections.abc import Iterable

from gitmem.model.verified import FAIL, Verified
from gitmem.render.request import code, plain
from gitmem.text.unsafe import escape_hidden

_ROWS = 50
_COMMENT_CHARS = 60_000
# By it a later run finds the comment that it replaces.
MARK = "<!-- gitmem verify -->"


def markdown(result: Verified) -> str:
    found = f"{result.total} violation{'' if result.total == 1 else 's'}" if result.verdict == FAIL else result.verdict
    parts = [MARK, f"### Rules: {found}", *_violations(result), *_drifted(result), *_tests(result), *_skipped(result)]
    text = escape_hidden("\n\n".join(parts))
    if len(text) <= _COMMENT_CHARS:
        return text
    return text[:_COMMENT_CHARS].rpartition("\n")[0] + "\n\nThe rest is cut: see `gitmem verify --range A...B`."


def _violations(result: Verified) -> Iterable[str]:
    rows = [
        f"- {code(each.place)}: {code(each.check)} {code(each.evidence)} (rule {code(each.slug)}) - {plain(each.hint)}"
        for each in result.violations[:_ROWS]
    ]
    yield from _listed(rows, result.total)


def _drifted(result: Verified) -> Iterable[str]:
    rows = [
        f"- {code(each.path)}: what {code(each.slug)} rests on is {each.after}; settle it by one of "
        + ", ".join(code(command) for command in each.next_)
        for each in result.drifted[:_ROWS]
    ]
    if rows:
        yield "#### Update, confirm or retire"
        yield from _listed(rows, len(result.drifted))


def _tests(result: Verified) -> Iterable[str]:
    if result.affected_tests:
        yield "#### Run first"
        yield from _listed(
            [f"- {code(each.path)}" for each in result.affected_tests[:_ROWS]], len(result.affected_tests)
        )


def _skipped(result: Verified) -> Iterable[str]:
    rows = [f"- {code(each.path)}: {plain(each.reason)}" for each in result.skipped[:_ROWS]]
    if rows:
        yield "#### Not judged"
        yield from _listed(rows, result.skipped_total)


def _listed(rows: list[str], total: int) -> Iterable[str]:
    more = [f"- and {total - len(rows)} more"] if total > len(rows) else []
    if rows:
        yield "\n".join([*rows, *more])
