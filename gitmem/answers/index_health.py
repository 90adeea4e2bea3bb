"""How the index of the code stands against HEAD, without building it. Refuses to read a source for it."""

from __future__ import annotations

import platform
import re
from collections import Counter
from collections.abc import Iterator, Mapping

from gitmem import __version__
from gitmem.answers.coding import shelf_of
from gitmem.answers.reading import Place
from gitmem.answers.session import Session
from gitmem.code import extract, languages, packs
from gitmem.code.extract import BINARY, NOT_UTF8, TOO_LARGE
from gitmem.code.order import CEILING
from gitmem.model.finding import Finding, Severity
from gitmem.model.health import BEHIND, FRESH, NONE, IndexHealth
from gitmem.record import record
from gitmem.store import codetree, objects
from gitmem.store.git import GitError

_ENDINGS_MOST = 16
_NAMED = 10
# The first list of a row has language, engine and why.
_WHY = re.compile(rb'\[\["[^"]*","[^"]*","((?:[^"\\]|\\.)*)"\]')
# A file may be so and be none the worse for it.
_HARMLESS = (BINARY, NOT_UTF8, TOO_LARGE)


def health(session: Session) -> IndexHealth | None:
    """None before the first commit, and where Git cannot list the files."""
    place = session.place
    try:
        if objects.look_up(place.repo, ["HEAD^{commit}"])[0] is None:
            return None
        tree = codetree.at_revision(place.repo, "HEAD")
        listed = codetree.listed(place.repo, tree)
        changed = len(codetree.in_worktree(place.repo).changed)
    except GitError:
        return None
    found = _read(place, listed)
    most = session.max_files or CEILING
    is_whole = len(found.kept) >= min(found.files, most)
    return IndexHealth(
        system=f"{platform.system()} {platform.release()}",
        python=platform.python_version(),
        gitmem=__version__,
        root=str(place.repo.where),
        commit=tree.commit,
        state=FRESH if is_whole and found.files else BEHIND if found.kept else NONE,
        files=found.files,
        changed=changed,
        omitted=max(0, found.files - most),
        kept=len(found.kept),
        skipped=_most(Counter(why for why in found.kept.values() if why)),
        unread=_most(Counter(_ending(path) for path in listed if not languages.row_of(path))),
        grammars={name: why for name, why in extract.grammars().items() if why and name in found.languages},
    )


@record
class _Read:
    """``kept`` has, by path, why a file was not read that a worker looked at, '' where it was."""

    files: int
    kept: Mapping[str, str]
    languages: frozenset[str]


def _read(place: Place, listed: Mapping[str, str]) -> _Read:
    shelf = shelf_of(place)
    named: dict[str, str] = {path: row.name for path in listed if (row := languages.row_of(path))}
    kept: dict[str, str] = {}
    for path, language in named.items():
        data = shelf.packs.facts(packs.key_of(listed[path], language))
        if data is not None:
            found = _WHY.match(data)
            kept[path] = found[1].decode("utf-8", "replace") if found else ""
    return _Read(len(named), kept, frozenset(named.values()))


def _most(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda row: (-row[1], row[0]))[:_ENDINGS_MOST])


def _ending(path: str) -> str:
    name = path.rpartition("/")[2]
    stem, dot, ending = name.rpartition(".")
    return f".{ending.lower()}" if dot and stem and len(ending) <= 12 else name if len(name) <= 24 else "no ending"


def ailments(session: Session) -> Iterator[Finding]:
    """What keeps parts of the code out of answers: grammars, files that no parser gets through, the limit of files."""
    found = health(session)
    if found is None:
        return
    for name, why in found.grammars.items():
        message = f"the grammar of {name} does not load ({why}), so its files are read by line patterns"
        hint = "install gitmem anew, with the grammars of its version"
        yield Finding("grammar-missing", Severity.WARNING, "", 0, message, hint)
    if found.omitted:
        message = f"{found.omitted} files of code are over the limit of files and in no answer"
        yield Finding("files-omitted", Severity.WARNING, "", 0, message, "set GITMEM_MAX_FILES to more")
    listed = codetree.listed(session.place.repo, codetree.at_revision(session.place.repo, "HEAD"))
    kept = _read(session.place, listed).kept
    failed = [(path, why) for path, why in sorted(kept.items()) if why and why not in _HARMLESS]
    for path, why in failed[:_NAMED]:
        yield Finding("file-unparsed", Severity.WARNING, path, 0, f"it could not be read: {why}", "split or ignore it")
    if len(failed) > _NAMED:
        message = f"{len(failed) - _NAMED} more files could not be read"
        yield Finding("file-unparsed", Severity.WARNING, "", 0, message, "gitmem index lists them all")
