"""Narrower scopes, as somebody answered them, made into proposals. Refuses a pattern that no file bears out.

Every pattern is held against the real list of files: one that matches none is refused by name, and so is an answer that
is as broad as what was there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gitmem.answers import breadth, bundling, naming
from gitmem.answers.bundling import Stack, add, publish_all
from gitmem.answers.fields import EditCall
from gitmem.answers.ground import ground
from gitmem.answers.opening import new_id
from gitmem.answers.plans import plan_edits
from gitmem.answers.session import Session, decides
from gitmem.answers.terms import Terms, checked
from gitmem.errors import GitmemError, UsageError
from gitmem.globs.dialect import GlobError, parse
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.model.finding import Notice
from gitmem.model.vocabulary import Text
from gitmem.record import record, replace
from gitmem.store import codec
from gitmem.store.repo import FOLDER

_ITEMS_MOST = 200
_PATTERNS_MOST = 100
_NAMED = 5
_KEYS = ("paths", "except")
_FORM = "for example: {use-the-client: {paths: [src/ui/**], except: [src/ui/old/**]}}"


@record
class ApplyCall:
    """``file`` is YAML or JSON: for each item its ``paths`` and, where they change, its ``except``."""

    file: str
    rationale: str = ""
    bundle: str = ""
    agent: str = ""
    model: str = ""
    agent_session: str = ""


@record
class Narrowed:
    """How many files the scope had and has, and the proposal that says so; '' and a ``reason`` where there is none."""

    item: str
    slug: str
    before: int
    after: int
    proposal: str
    reason: str = ""


@record
class Applied:
    """``proposed`` are the ids; ``bundle`` is '' for a single one."""

    items: tuple[Narrowed, ...]
    proposed: tuple[str, ...]
    bundle: str = ""
    warnings: tuple[Notice, ...] = ()

    @property
    def exit_code(self) -> int:
        return 0 if self.proposed else 1


@record
class Answer:
    """One item's scope to be. ``excluded`` None: its exceptions stay."""

    card: Card
    paths: tuple[str, ...]
    excluded: tuple[str, ...] | None

    @property
    def kept(self) -> tuple[str, ...]:
        return self.card.excluded if self.excluded is None else self.excluded


def apply(session: Session, call: ApplyCall) -> Applied:
    """All of the answer as one bundle of proposals, or nothing."""
    decides(session)
    terms = checked(session, Terms(call.rationale, (), (), "", (), call.agent, call.model, call.agent_session))
    under = ground(session)
    answers = _answers(under.knowledge(), call.file)
    files = breadth.project_files(session.place, under.reading)
    globs = {g for each in answers for g in (*each.card.paths, *each.card.excluded, *each.paths, *each.kept)}
    sets = breadth.file_sets(globs, files)
    faults = [fault for each in answers for fault in _faults(each, sets)]
    if faults:
        more = f" (and {len(faults) - 1} more: {'; '.join(faults[1:_NAMED])})" if len(faults) > 1 else ""
        hint = "answer from the list of files: gitmem scopes review --json"
        raise GitmemError(f"{faults[0]}{more}", hint=hint, code="bad-scope")
    bundle = bundling.bundle_of(session, call.bundle) or (new_id(session) if len(answers) > 1 else "")
    stack = Stack(session, under, replace(terms, bundle=bundle), under)
    rows = [_offered(stack, each, sets, len(files)) for each in answers]
    publish_all(session, [made for made, _ in stack.steps])
    warnings = [notice for each in answers for notice in _doubts(each, sets, len(files))]
    warnings += [notice for made, _ in stack.steps for notice in made.warnings]
    ids = tuple(made.entry.proposal for made, _ in stack.steps)
    return Applied(tuple(rows), ids, bundle if ids else "", tuple(dict.fromkeys(warnings)))


def _answers(knowledge: Knowledge, text: str) -> list[Answer]:
    tree, findings = codec.decode_mapping(text.encode(), "ANSWER")
    if findings:
        first = findings[0]
        raise UsageError(f"the answer cannot be read: {first.message}", hint=first.hint, place=f"line {first.line}")
    if not 0 < len(tree) <= _ITEMS_MOST:
        raise UsageError(f"an answer is about 1 to {_ITEMS_MOST} items", hint=_FORM)
    found = [_answer(naming.one(knowledge, name), name, row) for name, row in tree.items()]
    if len({each.card.path for each in found}) < len(found):
        raise UsageError("the answer names one item twice", hint="give each item one scope")
    return found


def _answer(card: Card, name: str, row: Text) -> Answer:
    if not card.paths:
        raise UsageError(f"{card.slug} has no scope of paths to narrow", hint="see: gitmem scopes review", place=name)
    if not isinstance(row, Mapping) or not set(row) <= set(_KEYS) or "paths" not in row:
        raise UsageError("an item takes paths and except, both lists of patterns", hint=_FORM, place=name)
    paths = _patterns(row["paths"], name)
    if not paths:
        raise UsageError("no pattern is left", hint=f"to end the rule: gitmem propose retire {card.slug}", place=name)
    return Answer(card, paths, _patterns(row["except"], name) if "except" in row else None)


def _patterns(value: Text, name: str) -> tuple[str, ...]:
    rows = [value] if isinstance(value, str) else value
    if not isinstance(rows, list) or len(rows) > _PATTERNS_MOST:
        raise UsageError(f"patterns are a list of at most {_PATTERNS_MOST} texts", hint=_FORM, place=name)
    texts = tuple(dict.fromkeys(row for row in rows if isinstance(row, str)))
    if len(texts) < len({str(row) for row in rows}):
        raise UsageError("a pattern is a text", hint=_FORM, place=name)
    for text in texts:
        try:
            parse(text)
        except GlobError as err:
            err.place = name
            raise
    return texts


def _faults(answer: Answer, sets: Mapping[str, int]) -> Iterator[str]:
    slug = answer.card.slug
    reached = breadth.united(sets, answer.paths)
    for pattern in answer.paths:
        if not sets[pattern]:
            yield f"{slug}: {pattern} matches no file of the project"
    for pattern in answer.excluded or ():
        if not sets[pattern] & reached:
            yield f"{slug}: the exception {pattern} matches none of the files that its paths match"
    before, after = _sizes(answer, sets)
    if after >= before:
        yield f"{slug}: the answer is as broad as before: {after} files, and it was {before}"
    elif reached and not after:
        yield f"{slug}: its exceptions leave no file of the project"


def _sizes(answer: Answer, sets: Mapping[str, int]) -> tuple[int, int]:
    return _files(sets, answer.card.paths, answer.card.excluded), _files(sets, answer.paths, answer.kept)


def _files(sets: Mapping[str, int], paths: Sequence[str], excluded: Sequence[str]) -> int:
    return (breadth.united(sets, paths) & ~breadth.united(sets, excluded)).bit_count()


def _doubts(answer: Answer, sets: Mapping[str, int], count: int) -> Iterator[Notice]:
    card = answer.card
    place = f"{FOLDER}/{card.path}"
    _, after = _sizes(answer, sets)
    if count >= breadth.FILES_LEAST and after > breadth.SHARE * count:
        yield Notice("still-broad", f"{card.slug} still matches {after} of {count} files", place)
    was = breadth.united(sets, card.paths) & ~breadth.united(sets, card.excluded)
    now = breadth.united(sets, answer.paths) & ~breadth.united(sets, answer.kept)
    if fresh := (now & ~was).bit_count():
        yield Notice("new-files", f"{card.slug} would hold for {fresh} files that it did not hold for", place)


def _offered(stack: Stack, answer: Answer, sets: Mapping[str, int], count: int) -> Narrowed:
    card = answer.card
    before, after = _sizes(answer, sets)
    terms = stack.terms
    if not terms.rationale:
        said = f"Its scope matched {before} of the {count} files of the project; this one matches {after}."
        stack.terms = replace(terms, rationale=said)
    plan = plan_edits(stack.above, list(_edits(answer)), f"{card.title}: a narrower scope")
    made = add(stack, plan, new_id(stack.session))
    stack.terms = terms
    row = Narrowed(card.id, card.slug, before, after, made.entry.proposal if made.tip else "")
    return row if made.tip else replace(row, reason=f"{made.target} says so: {made.warnings[-1].message}")


def _edits(answer: Answer) -> Iterator[EditCall]:
    for field, old, new in (
        ("scope.paths", answer.card.paths, answer.paths),
        ("scope.except", answer.card.excluded, answer.kept),
    ):
        added = tuple(each for each in new if each not in old)
        gone = tuple(each for each in old if each not in new)
        if added or gone:
            yield EditCall(answer.card.id, field, add=added, remove=gone)
