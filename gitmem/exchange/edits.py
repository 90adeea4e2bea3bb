"""What people have changed on the page of standing rules, against the knowledge of now. Refuses to propose it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from gitmem.errors import GitmemError
from gitmem.exchange.page import Page, Section, digest_of, parsed, sides
from gitmem.record import record

ADD, UPDATE, RETIRE = "add", "update", "retire"


@record
class Edit:
    """``item`` is '' for what is added; of what is retired there is only the id. ``base`` is the digest of the text
    that was edited."""

    change: str
    line: int
    item: str = ""
    title: str = ""
    body: str = ""
    base: str = ""


def edits_of(text: str, live: Mapping[str, Section], *, all_retired: bool) -> list[Edit]:
    """In the order of the page. Both sides of a conflict count; what one of them still has is not taken out."""
    both = sides(text)
    headings = {id_: _headings(rule.body) for id_, rule in live.items()}
    pages = [parsed(each, headings) for each in both or (text,)]
    _refuse_stray(pages)
    found: dict[tuple[str, ...], Edit] = {}
    for page in pages:
        for edit in _changed(page, live):
            found.setdefault((edit.item, digest_of(edit.title, edit.body)), edit)
    edits = list(found.values())
    if not all_retired and any(edit.change == UPDATE for edit in edits):
        _refuse_cut(pages)
    return [*edits, *_gone(pages, live, all_retired=all_retired)]


def _headings(body: str) -> frozenset[str]:
    return frozenset(line for line in body.split("\n") if line.startswith("## "))


def _refuse_stray(pages: Iterable[Page]) -> None:
    stray = next((page.stray for page in pages if page.stray), 0)
    if stray:
        raise GitmemError(
            "this text belongs to no rule, and would be lost when the page is written",
            hint="put a heading (## Title) above it, or take it out",
            place=f"line {stray}",
            code="stray-text",
        )


def _changed(page: Page, live: Mapping[str, Section]) -> Iterable[Edit]:
    seen: set[str] = set()
    known = {digest_of(rule.title, rule.body) for rule in live.values()}
    for section in page.sections:
        is_copy = section.id in seen
        seen.add(section.id)
        rule = None if is_copy else live.get(section.id)
        title = section.title or (rule.title if rule else "")
        mark = digest_of(title, section.body)
        # What was written and nobody touched is no edit, also where the rule holds no more.
        if mark in known or (mark == section.digest and not is_copy):
            continue
        if not title and not section.body:
            continue
        if rule is not None and not section.body and section.title:
            raise _without_text(section)
        if rule is not None and section.body:
            yield Edit(UPDATE, section.line, section.id, title, section.body, section.digest)
        elif rule is None:
            yield Edit(ADD, section.line, "", title or _first_line(section.body), section.body or title)


def _without_text(section: Section) -> GitmemError:
    message = f"the text of {section.title!r} is gone and its title is left"
    hint = "to retire the rule take its title out too; else write its text"
    return GitmemError(message, hint=hint, place=f"line {section.line}", code="no-text")


def _first_line(body: str) -> str:
    return next(line.strip("#-*> ") for line in body.split("\n") if line.strip())


def _gone(pages: Sequence[Page], live: Mapping[str, Section], *, all_retired: bool) -> list[Edit]:
    """Rules that the page was written with, that are in force, and that no side of it has any more."""
    present = {section.id: section for page in pages for section in page.sections if section.id}
    is_ours = any(page.is_whole or page.written for page in pages) or bool(present)
    is_empty = not any(page.sections for page in pages)
    if not is_ours and not is_empty:
        return []
    is_whole = all(page.is_whole for page in pages)
    written = dict.fromkeys(id_ for page in pages for id_ in page.written) if is_whole else dict.fromkeys(live)
    emptied = [id_ for id_, section in present.items() if not section.title and not section.body]
    gone = [id_ for id_ in written if id_ in live and (id_ not in present or id_ in emptied)]
    if gone and not all_retired and (not is_whole or len(gone) == sum(id_ in live for id_ in written)):
        _refuse_wipe(len(gone), is_whole=is_whole)
    return [Edit(RETIRE, 0, id_, live[id_].title) for id_ in gone]


def _refuse_cut(pages: Iterable[Page]) -> None:
    """A text that differs at the end of a page that was cut off is no edit."""
    if not all(page.is_whole for page in pages):
        raise GitmemError(
            "the page has lost its end, so nothing says whether its texts are whole",
            hint="bring it back (git checkout, or remove the file and export again)",
            code="page-emptied",
        )


def _refuse_wipe(count: int, *, is_whole: bool) -> None:
    what = f"all {count} rule(s) are gone" if is_whole else f"its end and {count} rule(s) are gone"
    raise GitmemError(
        f"{what} from the page, and nothing was retired for that",
        hint="bring it back (git checkout, or remove the file and export again); to retire them: "
        "gitmem export rules.md --all-retired",
        code="page-emptied",
    )
