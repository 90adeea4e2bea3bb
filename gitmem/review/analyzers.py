"""What each kind of report amounts to: a draft of a change, or why there is none. Refuses to open a proposal.

Pure functions of a report and of what the knowledge says about it. See docs/observations.md for each in words.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from gitmem.errors import GitmemError
from gitmem.globs.dialect import matches
from gitmem.globs.syntax import Literal, render
from gitmem.index.card import DELIVERED, Card
from gitmem.model import observation as forms
from gitmem.model.compiled import NearMiss
from gitmem.model.ids import slugify
from gitmem.model.observation import Observation
from gitmem.model.vocabulary import TITLE_MAX
from gitmem.record import field, record
from gitmem.text.sections import headings, replace_section
from gitmem.text.statement_words import OPENERS
from gitmem.text.statements import Force, Statement, statements
from gitmem.text.words import cut

PITFALL = "pitfall"
_NAMED = 5
_LINE_CHARS = 500
_TITLE_CHARS = 100
# What some people put before an order.
_LEADS = frozenset(("from", "now", "on", "please", "in", "future", "going", "forward"))
_NOTES_LEAST = 2


@record
class Fresh:
    """A new engram. ``evidence`` are the observations that speak for it, its own first."""

    title: str
    kind: str
    body: str
    tags: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()


@record
class Change:
    """Another text for an item, or more patterns; ``text`` None leaves the text as it is."""

    item: str
    paths: tuple[str, ...] = ()
    text: str | None = None


@record
class Document:
    """A file of the repository, or a text with a title, that is to be taken in."""

    path: str = ""
    content: str = ""
    title: str = ""
    kind: str = ""


@record
class Leave:
    """Nothing is proposed. ``waits``: it stays open, since what comes later may change that."""

    reason: str
    waits: bool = False


Outcome = Fresh | Change | Document | Leave


@record
class Facts:
    """What is known about one report. ``target`` is the item that it is about, ``body`` its text.

    ``delivered`` are the ids that a compile of each of its files brings in, ``applying`` their slugs as they are named,
    ``near`` the patterns that nearly matched;
    ``unruled`` are its files without a rule, ``resting`` (slug, path) for what rests on one of them; ``others`` are
    the notes about other turns, and ``told`` the proposals that notes led to.
    """

    target: Card | None = None
    body: str = ""
    delivered: frozenset[str] = frozenset()
    applying: str = ""
    near: tuple[NearMiss, ...] = ()
    unruled: tuple[str, ...] = ()
    resting: tuple[tuple[str, str], ...] = ()
    others: tuple[Observation, ...] = ()
    told: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def compile_miss(told: Observation, facts: Facts) -> Outcome:
    """A wider scope for the item that was missed, or the rule that is missing."""
    missing = told.text("missing_doc").strip()
    if facts.target is None and missing:
        body = f"{told.text('review_comment').strip()}\n"
        paths = tuple(dict.fromkeys(_around(file) for file in told.files))
        return Fresh(first_line(missing), "guideline", body, (), paths, (told.id,))
    card = facts.target
    if card is None:
        return _unnamed(told, facts)
    if card.status not in DELIVERED:
        return Leave(f"{card.slug} is {card.status}, so no scope would deliver it")
    if card.id in facts.delivered:
        return Leave(f"{card.slug} is delivered for these files already")
    excepted = [file for file in told.files if any(_matches(pattern, file) for pattern in card.excluded)]
    if excepted:
        return Leave(f"the scope of {card.slug} excepts {excepted[0]}: that is for a person to change")
    paths = widened(card, facts.near, told.files)
    if not paths:
        reasons = (row.reason for row in facts.near if row.item == card.id)
        return Leave(f"{card.slug} has a pattern for these files, yet is not delivered: {next(reasons, 'unknown')}")
    return Change(card.id, paths)


def _unnamed(told: Observation, facts: Facts) -> Leave:
    """Where something applies already only a person can tell what was missed in it; else a rule may still come."""
    if told.text("target_doc_id"):
        return Leave("the item that was missed is not in the trusted knowledge any more")
    if not facts.applying:
        return Leave("no rule has a pattern near these files, and no missing rule was named")
    again = "report it again with target_doc_id or missing_doc, or archive it"
    return Leave(f"what applies already is {facts.applying}, and no other rule was named: {again}", waits=True)


def widened(card: Card, near: Sequence[NearMiss], files: Sequence[str]) -> tuple[str, ...]:
    """Patterns to add, so that each file matches: where only the folder was wrong the same name in its folder, else all
    that is in its folder."""
    found: dict[str, None] = {}
    for file in files:
        if any(_matches(pattern, file) for pattern in (*card.paths, *found)):
            continue
        named = (row.pattern for row in near if (row.item, row.file, row.reason) == (card.id, file, "wrong-path"))
        last = next((pattern.rstrip("/").rpartition("/")[2] for pattern in named), "")
        folder = file.rpartition("/")[0]
        found[(f"{_literal(folder)}/{last}" if folder else last) if last else _around(file)] = None
    return tuple(found)


def _around(file: str) -> str:
    """The folder of a file as a pattern; a file of the root alone, since ``**`` would be everything."""
    folder = file.rpartition("/")[0]
    return f"{_literal(folder)}/**" if folder else _literal(file)


def _literal(path: str) -> str:
    return render((Literal(path),))


def _matches(pattern: str, file: str) -> bool:
    try:
        return matches(pattern, file)
    except GitmemError:
        return False


def review_correction(told: Observation, facts: Facts) -> Outcome:
    """The text that was asked for; where it begins with a heading of the text that is there, that section alone."""
    card = facts.target
    if card is None:
        return Leave("the item that it corrects is not in the trusted knowledge any more")
    wanted = told.text("proposed_content").replace("\r\n", "\n").strip("\n")
    text = _with_section(facts.body, wanted)
    if text.rstrip("\n") == facts.body.replace("\r\n", "\n").rstrip("\n"):
        return Leave(f"{card.slug} says so already")
    return Change(card.id, text=f"{text.rstrip()}\n")


def _with_section(body: str, wanted: str) -> str:
    begun = headings(wanted.split("\n"))
    here = headings(body.split("\n"))
    same = [each for each in here if begun and (each.level, each.title) == (begun[0].level, begun[0].title)]
    if not begun or begun[0].line or len(same) != 1 or len(here) < 2:
        return wanted
    try:
        return replace_section(body, f"{'#' * begun[0].level} {begun[0].title}", wanted)
    except GitmemError:
        # It holds further headings of that level, so it is more than the section.
        return wanted


def manual_note(told: Observation, _: Facts) -> Outcome:
    """The note as it is: a guideline where it says what to do, else a fact."""
    note = told.text("note").strip()
    title = first_line(told.text("abstract") or note)
    says_what_to_do = any(_is_order(each) for each in statements(f"{title}\n\n{note}"))
    tags = tuple(dict.fromkeys(tag for hint in told.texts("hints") if (tag := slugify(hint))))
    return Fresh(title, "guideline" if says_what_to_do else "fact", f"{note}\n", tags, (), (told.id,))


def _is_order(statement: Statement) -> bool:
    """Whether it says what must or must not be done, or begins with the word for doing it."""
    words = [word.strip(",.:;").casefold() for word in statement.said.split()]
    first = next((word for word in words if word not in _LEADS), "")
    return statement.force in (Force.MUST, Force.NOT) or first in OPENERS


def pr_merged(told: Observation, facts: Facts) -> Outcome:
    """Never a proposal: what was changed without a rule, and what rests on what was changed, is said."""
    parts = []
    if facts.resting:
        rows = ", ".join(f"{slug} ({path})" for slug, path in facts.resting[:_NAMED])
        parts.append(f"{len(facts.resting)} claim(s) rest on changed files, look at: {rows}")
    if facts.unruled:
        named = ", ".join(facts.unruled[:_NAMED])
        parts.append(f"{len(facts.unruled)} of {len(told.files)} changed files have no rule: {named}")
    return Leave("; ".join(parts) or "every changed file has a rule, and no claim rests on one")


def document_import(told: Observation, _: Facts) -> Outcome:
    """The document that is named, or the text itself."""
    path = next(iter(told.texts("path", "file", *forms.FILE_FIELDS)), "")
    content = "" if path else told.text("content", "text")
    if not path and not content.strip():
        return Leave("it names no document: path, or content with a title")
    return Document(path, content, told.text("title"), told.text("kind"))


def doc_gap(told: Observation, _: Facts) -> Outcome:
    """A reference to be written, for the files that nobody has written about."""
    paths = told.texts("paths", "path", *forms.FILE_FIELDS)[:_NAMED]
    said = told.text("description", "reason", "note", "gap", "comment").strip()
    title = first_line(told.text("title", "topic", "abstract") or said)
    if not paths and not title:
        return Leave("it names neither files nor what is missing")
    title = title or f"What to know about {paths[0]}"
    return Fresh(title, "reference", f"{said or title}\n\nTo be written.\n", ("gap",), paths, (told.id,))


def session_note(told: Observation, facts: Facts) -> Outcome:
    """A pitfall, once at least two turns about the same files did not work out."""
    if told.text("outcome") == forms.KEPT:
        return Leave("what was done was kept: there is nothing to warn of")
    alike = [each for each in facts.others if set(each.files) & set(told.files)]
    known = next((ids for each in alike if (ids := facts.told.get(each.id))), ())
    if known:
        return Leave(f"proposal {known[0]} tells of the same files")
    group = sorted([told, *alike], key=lambda each: each.id)
    if len(group) < _NOTES_LEAST:
        return Leave("one turn alone makes no pitfall; it waits for another about the same files", waits=True)
    shared = [file for file in told.files if all(file in each.files for each in group)]
    paths = shared or sorted({file for each in alike for file in each.files if file in told.files})
    lines = [f"- {each.at[:10]}, {each.text('outcome')}: {_attempt(each)}" for each in group]
    body = f"{len(group)} attempts at these files did not work out:\n\n" + "\n".join(lines) + "\n"
    evidence = tuple(dict.fromkeys((told.id, *(each.id for each in group))))
    title = cut(f"Attempts at {', '.join(paths[:2])} did not work out", TITLE_MAX)
    return Fresh(title, "observation", body, (PITFALL,), tuple(_literal(path) for path in paths), evidence)


def _attempt(told: Observation) -> str:
    said = (" ".join(told.text(name).split()) for name in ("plan", "note"))
    return cut(" - ".join(part for part in said if part) or "nothing was said about it", _LINE_CHARS)


def first_line(text: str) -> str:
    """A title from a text: the first sentence of its first line, without the marks of a heading or an item."""
    line = next((line for line in (each.strip("#*->\t ") for each in text.split("\n")) if line), text.strip())
    sentence = line if len(line) <= _TITLE_CHARS else line.partition(". ")[0]
    plain = " ".join(sentence.split()).rstrip(".")
    return cut(plain, TITLE_MAX if len(plain) <= TITLE_MAX else _TITLE_CHARS)


ANALYZERS: Mapping[str, Callable[[Observation, Facts], Outcome]] = {
    forms.COMPILE_MISS: compile_miss,
    forms.REVIEW_CORRECTION: review_correction,
    forms.PR_MERGED: pr_merged,
    forms.MANUAL_NOTE: manual_note,
    forms.DOCUMENT_IMPORT: document_import,
    forms.DOC_GAP: doc_gap,
    forms.SESSION_NOTE: session_note,
}


def failing(known: Iterable[Observation], told: Observation) -> tuple[Observation, ...]:
    """The notes about other turns that did not work out."""
    bad = (forms.FAILED, forms.REVERTED)
    notes = (each for each in known if each.event_type == forms.SESSION_NOTE and each.id != told.id)
    return tuple(each for each in notes if each.text("outcome") in bad)
