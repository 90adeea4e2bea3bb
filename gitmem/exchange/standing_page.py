"""Takes in what people changed on the page of standing rules, as proposals, and writes the page anew.

Refuses to write over a line that was not taken in, and to decide about any.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gitmem.answers import targets
from gitmem.answers.alike import DUPLICATE
from gitmem.answers.composing import NewCall
from gitmem.answers.extending import extend
from gitmem.answers.ground import Ground, at_commit, ground
from gitmem.answers.opening import Plan, Proposed, draft, publish
from gitmem.answers.reading import ask, not_initialised, read
from gitmem.answers.reminding import standing
from gitmem.answers.retiring import retirement
from gitmem.answers.session import Session, decides
from gitmem.answers.standing import board
from gitmem.answers.standing_rules import DOMAIN, KIND, drafted
from gitmem.answers.terms import Terms, checked, one_line
from gitmem.errors import GitmemError, UsageError
from gitmem.exchange import page as pages
from gitmem.exchange.edits import ADD, RETIRE, UPDATE, Edit, edits_of
from gitmem.exchange.page import Section
from gitmem.exchange.rebasing import revised
from gitmem.index.card import Card
from gitmem.lazy import load
from gitmem.model.finding import Notice
from gitmem.model.ledger import Entry
from gitmem.model.proposal import PENDING, Proposal
from gitmem.model.vocabulary import STANDING
from gitmem.record import record, replace
from gitmem.store.files import read_file, write_file
from gitmem.store.lock import held
from gitmem.store.repo import FOLDER
from gitmem.store.writer import writer_of

FORMAT = "rules.md"
_VAULT = "obsidian"
_PAGE_BYTES_MAX = 16 << 20
_EDITS_MOST = 200


@record
class ExportCall:
    """``output`` is the file, '' for rules.md at the root; of a vault its folder, '' for obsidian."""

    format: str
    check: bool = False
    output: str = ""
    all_retired: bool = False


@record
class Written:
    path: str
    format: str
    items: int


@record
class Taken:
    """One edit of the page. ``proposal`` is what it waits as, '' where nothing was opened: ``reason`` says why."""

    change: str
    place: str
    title: str
    item: str = ""
    proposal: str = ""
    reason: str = ""


@record
class Exported:
    """``taken`` are edits of the page that were proposed before it was written; with a check, those that would be.

    ``differs``: the file is not what would be written.
    """

    written: tuple[Written, ...]
    losses: tuple[str, ...] = ()
    orphans: tuple[str, ...] = ()
    taken: tuple[Taken, ...] = ()
    differs: bool = False
    path: str = FORMAT
    warnings: tuple[Notice, ...] = ()

    @property
    def exit_code(self) -> int:
        return 1 if self.differs else 0


def export(session: Session, call: ExportCall) -> Exported:
    """Writes the page; whatever stands there by hand is a proposal before that."""
    decides(session)
    if call.format == _VAULT:
        notes: Exported = load("gitmem.exchange.obsidian:export")(session, call)
        return notes
    if call.format != FORMAT:
        raise UsageError(f"unknown format {call.format[:80]!r}", hint=f"one of: {FORMAT}, {_VAULT}")
    rel = _path(session, call.output)
    root = session.place.repo.knowledge_dir.parent
    with held(session.place.repo):
        old = read_file(root, rel, limit_bytes=_PAGE_BYTES_MAX)
        if rel != FORMAT and old and old.strip() and not is_page(old):
            raise GitmemError("this file is no page of rules", place=rel, hint="name another", code="in-the-way")
        live = _in_force(session)
        new = pages.rendered(live.values()).encode()
        is_same = old is not None and old.replace(b"\r\n", b"\n") == new
        edits = [] if old is None else _edits(rel, old, live, all_retired=call.all_retired)
        if call.check:
            rows = tuple(Taken(each.change, _place(rel, each), each.title, each.item) for each in edits)
            return Exported((), taken=rows, differs=not is_same, path=rel)
        taken = tuple(_taken(session, rel, each, is_strict=True) for each in edits)
        if not is_same:
            write_file(root, rel, new, expected=old)
    return Exported(() if is_same else (Written(rel, FORMAT, len(live)),), taken=taken, path=rel)


def take_in(session: Session, rel: str, *, dry_run: bool) -> tuple[Taken, ...]:
    """The edits of the page at ``rel`` as proposals; the file stays as it is."""
    decides(session)
    root = session.place.repo.knowledge_dir.parent
    data = read_file(root, rel, limit_bytes=_PAGE_BYTES_MAX)
    if data is None:
        raise GitmemError("there is no such page", hint="write it: gitmem export rules.md", place=rel, code="not-found")
    edits = _edits(rel, data, _live(session), all_retired=False)
    if dry_run:
        return tuple(Taken(each.change, _place(rel, each), each.title, each.item) for each in edits)
    return tuple(_taken(session, rel, each, is_strict=False) for each in edits)


def is_page(data: bytes) -> bool:
    """Whether a file was written by an export."""
    return b"<!-- gitmem:rule" in data


def _path(session: Session, output: str) -> str:
    rel = targets.one(session.place, output) if output else FORMAT
    if rel.partition("/")[0].casefold() in (FOLDER, ".git"):
        raise UsageError(f"the page does not belong below {rel.partition('/')[0]}", hint="for example: rules.md")
    return rel


def _in_force(session: Session) -> dict[str, Section]:
    """As ``_live``; where no knowledge can be read, nothing is written over a page that has rules."""
    reading = read(session.place)
    if not reading.tree:
        why = reading.warnings[0] if reading.warnings else not_initialised()
        raise GitmemError(why.message, hint=why.hint, place=why.place, code=why.code)
    return _live(session)


def _live(session: Session) -> dict[str, Section]:
    """The rules in force by id, as the page has them."""
    reading = read(session.place)
    cards: list[Card] = ask(reading, lambda known: standing(known, session.now))[0] if reading.tree else []
    bodies = reading.place.bodies.read(dict(enumerate(cards)))
    return {card.id: Section(card.title, pages.plain(bodies[at]), card.id) for at, card in enumerate(cards)}


def _edits(rel: str, data: bytes, live: dict[str, Section], *, all_retired: bool) -> list[Edit]:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as err:
        raise GitmemError("the page is not UTF-8", place=rel, hint="save it as UTF-8", code="not-utf8") from err
    try:
        found = edits_of(text, live, all_retired=all_retired)
    except GitmemError as err:
        line = err.place.removeprefix("line ")
        place = f"{rel}:{line}" if line else rel
        raise GitmemError(err.message, hint=err.hint, place=place, code=err.code) from None
    if len(found) > _EDITS_MOST:
        raise GitmemError(f"{len(found)} edits at once; at most {_EDITS_MOST} are taken in", place=rel, code="too-many")
    return found


def _place(rel: str, edit: Edit) -> str:
    return f"{rel}:{edit.line}" if edit.line else rel


def _taken(session: Session, rel: str, edit: Edit, *, is_strict: bool) -> Taken:
    """One edit as a proposal. ``is_strict``: what cannot be proposed stops everything, since it would be lost."""
    row = Taken(edit.change, _place(rel, edit), edit.title, edit.item)
    try:
        opened = _PROPOSE[edit.change](session, rel, edit)
    except GitmemError as err:
        if is_strict:
            raise GitmemError(err.message, hint=err.hint, place=row.place, code=err.code) from err
        return replace(row, reason=err.message)
    if opened.proposal is None:
        return replace(row, reason=opened.warnings[-1].message if opened.warnings else f"{opened.target} is the same")
    return replace(row, proposal=opened.proposal, item=row.item or opened.items[0])


def _terms(session: Session, rel: str) -> Terms:
    return checked(session, Terms(rationale=f"It was written by hand into {rel}."))


def _add(session: Session, rel: str, edit: Edit) -> Proposed:
    waits = next(_own_waiting(session, lambda entry: entry.kind == "new" and entry.title == one_line(edit.title)), None)
    if waits is not None:
        return _further(session, rel, waits, edit)
    call = NewCall(KIND, edit.title, tag=(STANDING,), domain=DOMAIN, body=f"{edit.body}\n")
    return publish(session, drafted(session, ground(session), call, _terms(session, rel)))


def _update(session: Session, rel: str, edit: Edit) -> Proposed:
    waits = next(_own_waiting(session, lambda entry: entry.changes[0].item == edit.item), None)
    if waits is not None:
        return _further(session, rel, waits, edit)
    under = ground(session)
    return publish(session, draft(session, under, _revision(under, edit.item, edit), _terms(session, rel)))


def _retire(session: Session, rel: str, edit: Edit) -> Proposed:
    under = ground(session)
    (card,) = under.knowledge().under(f"id:{edit.item}")
    plan, _ = retirement(under, card)
    terms = checked(session, Terms(rationale=f"It was taken out of {rel} by hand."))
    return publish(session, draft(session, under, plan, terms))


_PROPOSE: dict[str, Callable[[Session, str, Edit], Proposed]] = {ADD: _add, UPDATE: _update, RETIRE: _retire}


def _revision(on: Ground, item: str, edit: Edit) -> Plan:
    """The engram with the title and the text of the page."""
    (card,) = on.knowledge().under(f"id:{item}")
    data, warnings = revised(on, card, edit)
    return Plan("update", f"{edit.title}: as written by hand", {card.path: data}, warnings=warnings)


def _own_waiting(session: Session, fits: Callable[[Entry], bool]) -> Iterator[Proposal]:
    """Proposals of this clone about one engram that wait, the newest first."""
    mine = writer_of(session.place.repo)
    for each in reversed(board(session, PENDING).standings):
        changes = each.proposal.entry.changes
        is_one = len(changes) == 1 and changes[0].path.startswith("engrams/")
        if each.status in PENDING and each.proposal.writer == mine and is_one and fits(each.proposal.entry):
            yield each.proposal


def _further(session: Session, rel: str, waits: Proposal, edit: Edit) -> Proposed:
    """What waits with another text gets this one; with this text it is left as it is."""
    item = waits.entry.changes[0].item
    there = at_commit(ground(session), waits.tip)
    wanted = _revision(there, item, edit)
    if there.data_at(sorted(wanted.changes)) == wanted.changes:
        notice = Notice("duplicate", f"proposal {waits.id} waits with this text", waits.id)
        return Proposed(None, "", "", DUPLICATE, waits.id, warnings=(notice,))
    return extend(session, waits.id, lambda on: _revision(on, item, edit), _terms(session, rel))
