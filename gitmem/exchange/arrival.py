"""Brings the files of other tools in: as files for the user to commit, or as proposals. Refuses to drop a source
without a word.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from gitmem.answers import targets
from gitmem.answers.reading import Place
from gitmem.answers.session import Session, decides
from gitmem.answers.working import require_started, working
from gitmem.errors import GitmemError, UsageError
from gitmem.exchange import advice, intake, placing
from gitmem.exchange.draft import Draft, Read, Skipped
from gitmem.exchange.intake import Intake
from gitmem.exchange.placing import Desk
from gitmem.lazy import load
from gitmem.model.finding import Notice
from gitmem.record import record, replace
from gitmem.store import files, lock, worktree
from gitmem.store.repo import FOLDER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.exchange.standing_page import Taken

_PAGE = "rules.md"


@record
class ImportCall:
    """``propose`` opens proposals, one for each source, in place of files to commit; the rest says on what grounds."""

    paths: tuple[str, ...] = ()
    format: str = ""
    dry_run: bool = False
    write: bool = True
    propose: bool = False
    rationale: str = ""
    allow_secret: tuple[str, ...] = ()


@record
class Arrived:
    """One source that is an engram or a skill now, or in ``proposal``, '' for none; ``losses`` are in words."""

    source: str
    format: str
    id: str
    slug: str
    path: str
    losses: tuple[str, ...]
    proposal: str = ""


@record
class Imported:
    """Every file found is in ``imported`` or in ``skipped``, as files or, where
    ``proposed``, as proposals; ``bundle`` is that of several."""

    imported: tuple[Arrived, ...]
    skipped: tuple[Skipped, ...]
    counts: Mapping[str, int]
    dry_run: bool
    warnings: tuple[Notice, ...] = ()
    proposed: bool = False
    bundle: str = ""


def import_files(session: Session, call: ImportCall) -> Imported:
    """A program on the other side only proposes; a person at the command line may have files to look at and commit."""
    decides(session)
    require_started(session.place)
    page = _page(session.place, call)
    if page:
        return _page_taken(session, call, page)
    found = _drafts(session.place, call)
    with lock.held(session.place.repo):
        if call.propose or session.surface != "cli":
            offered: Imported = load("gitmem.exchange.offering:offer")(session, call, found)
            return offered
        return _written(session, call, found)


def _page(place: Place, call: ImportCall) -> str:
    """The one file that was named, where it is a page of standing rules that an export wrote, or was emptied; '' for
    none."""
    if len(call.paths) != 1 or call.format not in ("", _PAGE):
        return ""
    listed, read = sources(place)
    (rel, *more) = chosen(place, call.paths, listed)
    is_named = call.format == _PAGE or rel.rpartition("/")[2] == _PAGE
    if not is_named or more:
        return ""
    data = read(rel) or b""
    is_one = not data.strip() or load("gitmem.exchange.standing_page:is_page")(data)
    return rel if is_one or call.format else ""


def _page_taken(session: Session, call: ImportCall, rel: str) -> Imported:
    """Its edits are proposals in any case; the page itself stays as it is."""
    with lock.held(session.place.repo):
        taken: tuple[Taken, ...] = load("gitmem.exchange.standing_page:take_in")(session, rel, dry_run=call.dry_run)
    rows = [
        Arrived(each.place, _PAGE, each.item, "", f"{each.change}: {each.title}", (), each.proposal)
        for each in taken
        if not each.reason
    ]
    skipped = [Skipped(each.place, each.reason) for each in taken if each.reason]
    skipped += [] if taken else [Skipped(rel, "nothing in it differs from what is approved")]
    return replace(answer(call, rows, skipped, []), proposed=True)


def _written(session: Session, call: ImportCall, found: Intake) -> Imported:
    root = session.place.repo.knowledge_dir.parent

    def read(rel: str) -> bytes | None:
        return files.read_file(root, f"{FOLDER}/{rel}")

    desk = Desk(session, working(session.place).knowledge, read, call.allow_secret)
    kept, repeated = distinct(desk, found.drafts)
    skipped = [*found.skipped, *repeated]
    rows: list[Arrived] = []
    warnings: list[Notice] = []
    for draft in kept:
        try:
            placed = placing.place(desk, draft)
        except GitmemError as err:
            placed = refusal(draft, err)
        if isinstance(placed, Skipped):
            skipped.append(placed)
            continue
        path = f"{FOLDER}/{placed.rel}"
        if not call.dry_run:
            files.write_file(root, path, placed.data, expected=placed.old)
        warnings += advice.warnings(draft) if draft.kind != "skill" else []
        rows.append(Arrived(draft.source, draft.format, placed.id, placed.slug, path, draft.losses))
    return answer(call, rows, skipped, warnings)


def answer(call: ImportCall, rows: list[Arrived], skipped: list[Skipped], warnings: list[Notice]) -> Imported:
    counts = {"imported": len(rows), "skipped": len(skipped)}
    by_source = tuple(sorted(skipped, key=lambda row: row.source))
    return Imported(tuple(rows), by_source, counts, call.dry_run, tuple(dict.fromkeys(warnings)))


def refusal(draft: Draft, err: GitmemError) -> Skipped:
    hint = f" ({err.hint})" if err.hint else ""
    return Skipped(draft.source, f"{err.message}{hint}")


def distinct(desk: Desk, drafts: Iterable[Draft]) -> tuple[list[Draft], list[Skipped]]:
    """One draft for each text and scope: the same file under two tools' names would be delivered twice. Gives ids."""
    first: dict[object, Draft] = {}
    kept, skipped = [], []
    for draft in drafts:
        same = first.setdefault((draft.kind, draft.body, draft.paths, draft.excluded), draft)
        if same is draft or draft.kind == "skill" or placing.earlier(desk.knowledge, draft.source):
            desk.ids.setdefault(draft.source, placing.id_for(desk, draft.source))
            kept.append(draft)
        else:
            desk.ids[draft.source] = desk.ids[same.source]
            skipped.append(Skipped(draft.source, f"it has the same text and scope as {same.source}"))
    return kept, skipped


def _drafts(place: Place, call: ImportCall) -> Intake:
    listed, read = sources(place)
    if call.paths:
        return intake.take(chosen(place, call.paths, listed), listed, read, call.format)
    if call.format:
        raise UsageError("a format needs the files that it is for", hint="gitmem import FILE --format NAME")
    return intake.take_all(listed, read)


def sources(place: Place) -> tuple[list[str], Read]:
    """The files outside ``.gitmem`` that Git tracks or does not ignore, and what reads one; links are refused."""
    root = place.repo.knowledge_dir.parent
    listed = [rel for rel in worktree.listed_files(place.repo) if not rel.startswith(f"{FOLDER}/")]
    admitted = set(listed)

    def read(rel: str) -> bytes | None:
        return files.read_file(root, rel) if rel in admitted else None

    return listed, read


def chosen(place: Place, names: Sequence[str], listed: Sequence[str]) -> list[str]:
    """Of the listed files those that somebody names, or that lie in a folder of that name."""
    admitted = set(listed)
    wanted: list[str] = []
    for name in names:
        rel = targets.one(place, name.rstrip("/") or name)
        below = [path for path in listed if path == rel or path.startswith(f"{rel}/")] if rel not in admitted else [rel]
        if not below:
            raise GitmemError(
                f"no such file in this repository: {name}",
                hint="ignored files and links are not read",
                place=name,
                code="not-found",
            )
        wanted += below
    return wanted
