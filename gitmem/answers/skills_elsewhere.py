"""SKILL.md files of the repository that are no skills here yet. Refuses to take one in."""

from __future__ import annotations

from gitmem.answers.reading import Reading, ask
from gitmem.model.skill import SKILL, Skill
from gitmem.model.vocabulary import FILE_MAX_BYTES
from gitmem.record import record
from gitmem.store import happened, objects
from gitmem.store.canonical import canonical
from gitmem.store.objects import REGULAR
from gitmem.store.repo import FOLDER
from gitmem.store.skills import FILE, decode_skill, skill_path

_MOST = 50


@record
class Found:
    """``path`` is repo-relative, ``beside`` the files of its folder; ``skill`` is None where the file cannot be taken
    in as it is, and ``why`` says so."""

    path: str
    name: str
    blob: str
    data: bytes
    beside: tuple[str, ...]
    skill: Skill | None
    why: str = ""


def elsewhere(reading: Reading) -> list[Found]:
    """In the order of their paths, of one name the first, at most fifty."""
    repo, commit = reading.place.repo, reading.commit
    if not commit:
        return []
    tracked = objects.tracked_paths(repo, commit)
    paths = [path for path in tracked if path.endswith(f"/{FILE}") and not path.startswith(f"{FOLDER}/")]
    if not paths:
        return []
    known = ask(reading, lambda knowledge: {card.slug for card in knowledge.under(SKILL)})[0]
    named: dict[str, str] = {}
    for path in sorted(paths):
        named.setdefault(path.split("/")[-2], path)
    fresh = {path: name for name, path in named.items() if name not in known}
    entries = objects.entries_at(repo, commit, sorted(fresh)[:_MOST])
    kept = {p: e for p, e in entries.items() if p in fresh and e.mode in REGULAR and e.size_bytes <= FILE_MAX_BYTES}
    blobs = dict(objects.read_blobs(repo, sorted({entry.oid for entry in kept.values()})))
    return [_found(path, fresh[path], (entry.oid, blobs[entry.oid]), tracked) for path, entry in sorted(kept.items())]


def _found(path: str, name: str, blob: tuple[str, bytes], tracked: list[str]) -> Found:
    folder = path.removesuffix(FILE)
    beside = tuple(each.removeprefix(folder) for each in tracked if each.startswith(folder) and each != path)
    data = canonical(blob[1])
    read = decode_skill(data, skill_path(name))
    why = read.findings[0].message if read.skill is None and read.findings else ""
    return Found(path, name, blob[0], data, beside, read.skill, why)


def first_seen(reading: Reading, path: str) -> str:
    """When the file was first committed, RFC 3339, '' for unknown."""
    return happened.first_added(reading.place.repo, reading.commit, [path]).get(path, "")
