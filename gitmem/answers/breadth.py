"""Rules whose patterns match most files of the project, with the real list of files beside them. Refuses to narrow one.

A repository of a few files is left alone: there every pattern matches most of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from gitmem.answers import naming
from gitmem.answers.reading import Place, Reading, ask, read
from gitmem.answers.session import Session
from gitmem.errors import UsageError
from gitmem.globs import trie
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.model.finding import Notice
from gitmem.record import record, replace
from gitmem.store import objects
from gitmem.store.canonical import body_of
from gitmem.store.repo import FOLDER

SHARE = 0.5
FILES_LEAST = 20
_LIVE = ("active", "draft", "frozen")
_ITEMS, _ITEMS_MOST = 20, 100
_FOLDERS_MOST = 200
_NAMES_MOST = 20
_TEXT_CHARS = 2_000


@record
class ReviewCall:
    """``items`` by any name, none for all; ``share`` of the project's files from which a pattern counts as broad.
    ``cursor`` and ``folder_cursor`` are those of the page before."""

    items: tuple[str, ...] = ()
    share: float = SHARE
    limit: int = _ITEMS
    cursor: str = ""
    folder_cursor: str = ""


@record
class Wide:
    """One pattern and how many files it matches, exceptions left out."""

    pattern: str
    files: int


@record
class Broad:
    """``files`` counts those of the whole scope; ``text`` is the beginning of the body."""

    item: str
    slug: str
    title: str
    source_path: str
    paths: tuple[str, ...]
    excluded: tuple[str, ...]
    patterns: tuple[Wide, ...]
    files: int
    text: str


@record
class Folder:
    """The files directly in a folder, '' for the root: how many, and the first names."""

    folder: str
    files: int
    names: tuple[str, ...]


@record
class Reviewed:
    """``total`` counts the broad rules and ``files`` the project's; ``folder_total`` the folders that hold any.
    ``next`` and ``folder_next`` are the cursors of what was left out, '' for nothing."""

    items: tuple[Broad, ...]
    folders: tuple[Folder, ...]
    files: int
    total: int
    next: str
    folder_total: int
    folder_next: str
    warnings: tuple[Notice, ...] = ()


def review(session: Session, call: ReviewCall) -> Reviewed:
    check_share(call.share)
    if not 1 <= call.limit <= _ITEMS_MOST:
        raise UsageError(f"limit takes 1 to {_ITEMS_MOST}", hint=f"usually {_ITEMS}")
    reading = read(session.place)
    files = project_files(session.place, reading)
    found = ask(reading, lambda knowledge: _broad(knowledge, call, files))[0]
    later = [row for row in found if row.source_path > call.cursor]
    page = later[: call.limit]
    grouped = [row for row in _folders(files) if not call.folder_cursor or row.folder > call.folder_cursor]
    shown = grouped[:_FOLDERS_MOST] if found else []
    return Reviewed(
        items=tuple(_with_texts(reading, page)),
        folders=tuple(shown),
        files=len(files),
        total=len(found),
        next=page[-1].source_path if len(page) < len(later) else "",
        folder_total=len({rel.rpartition("/")[0] for rel in files}),
        folder_next=shown[-1].folder if shown and len(shown) < len(grouped) else "",
        warnings=(*reading.warnings, *_too_few(files)),
    )


def check_share(share: float) -> None:
    if not 0 < share <= 1:
        raise UsageError(f"share takes more than 0 and at most 1, not {share}", hint=f"usually {SHARE}")


def _too_few(files: Sequence[str]) -> Iterator[Notice]:
    if len(files) < FILES_LEAST:
        yield Notice("few-files", f"the project has {len(files)} files; under {FILES_LEAST} no pattern counts as broad")


def project_files(place: Place, reading: Reading) -> list[str]:
    """Every tracked file outside of the knowledge, in Git's order; of the repository that asks, not of its parent."""
    is_own = reading.place.repo.common_dir == place.repo.common_dir
    commit = reading.commit if is_own else "HEAD"
    listed = objects.tracked_paths(place.repo, commit) if commit else []
    return [rel for rel in listed if not rel.startswith(f"{FOLDER}/")]


def _broad(knowledge: Knowledge, call: ReviewCall, files: Sequence[str]) -> list[Broad]:
    named = [naming.one(knowledge, text) for text in call.items]
    cards = [card for card in (named or knowledge.cards()) if card.paths and card.status in _LIVE]
    if len(files) < FILES_LEAST:
        return []
    most = call.share * len(files)
    counts = _counts({pattern for card in cards for pattern in card.paths}, files)
    suspects = [card for card in cards if any(counts[pattern] > most for pattern in card.paths)]
    sets = file_sets({glob for card in suspects for glob in (*card.paths, *card.excluded)}, files)
    found = [row for card in suspects if (row := _row(card, sets, most))]
    return sorted(found, key=lambda row: row.source_path)


def _row(card: Card, sets: Mapping[str, int], most: float) -> Broad | None:
    left_out = united(sets, card.excluded)
    sizes = [Wide(pattern, (sets[pattern] & ~left_out).bit_count()) for pattern in card.paths]
    wide = tuple(each for each in sizes if each.files > most)
    if not wide:
        return None
    count = (united(sets, card.paths) & ~left_out).bit_count()
    path = f"{FOLDER}/{card.path}"
    return Broad(card.id, card.slug, card.title, path, card.paths, card.excluded, wide, count, "")


def _counts(patterns: Iterable[str], files: Sequence[str]) -> dict[str, int]:
    ordered = sorted(set(patterns))
    counts = [0] * len(ordered)
    for _, numbers in trie.all_matches(ordered, files):
        for number in numbers:
            counts[number] += 1
    return dict(zip(ordered, counts, strict=True))


def file_sets(patterns: Iterable[str], files: Sequence[str]) -> dict[str, int]:
    """For each pattern the numbers of the files that it matches, as the bits of one integer."""
    ordered = sorted(set(patterns))
    at = {rel: number for number, rel in enumerate(files)}
    rows = [bytearray(len(files) // 8 + 1) for _ in ordered]
    for rel, numbers in trie.all_matches(ordered, files):
        byte, bit = divmod(at[rel], 8)
        for number in numbers:
            rows[number][byte] |= 1 << bit
    return {pattern: int.from_bytes(row, "little") for pattern, row in zip(ordered, rows, strict=True)}


def united(sets: Mapping[str, int], patterns: Iterable[str]) -> int:
    found = 0
    for pattern in patterns:
        found |= sets[pattern]
    return found


def _folders(files: Iterable[str]) -> list[Folder]:
    names: dict[str, list[str]] = {}
    for rel in files:
        folder, _, name = rel.rpartition("/")
        names.setdefault(folder, []).append(name)
    return [Folder(folder, len(found), tuple(found[:_NAMES_MOST])) for folder, found in sorted(names.items())]


def _with_texts(reading: Reading, rows: Sequence[Broad]) -> Iterator[Broad]:
    repo = reading.place.repo
    names = [f"{reading.commit}:{row.source_path}" for row in rows]
    oids = [known[0] if known else "" for known in objects.look_up(repo, names)]
    blobs = dict(objects.read_blobs(repo, sorted({oid for oid in oids if oid})))
    for row, oid in zip(rows, oids, strict=True):
        text = body_of(blobs[oid]).strip() if oid else ""
        cut = text[:_TEXT_CHARS] + ("..." if len(text) > _TEXT_CHARS else "")
        yield replace(row, text=cut)
