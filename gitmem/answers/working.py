"""Knowledge as the work tree would commit it: HEAD and every edit under ``.gitmem``.

Refuses to serve it as canonical.
"""

import hashlib

from gitmem import config
from gitmem.answers import naming
from gitmem.answers.reading import Place, ask_at, check_ours, newer_format
from gitmem.errors import GitmemError
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge, overlaid
from gitmem.index.parse import card_of, refusal_of
from gitmem.record import record
from gitmem.store import codec, files, objects, worktree
from gitmem.store.layout import CONFIG
from gitmem.store.objects import Entry
from gitmem.store.repo import FOLDER, Repo
from gitmem.store.worktree import Uncommitted


@record
class Working:
    """``edits`` are the files that differ from HEAD, whose knowledge tree is ``tree``."""

    knowledge: Knowledge
    edits: tuple[Uncommitted, ...]
    tree: str = ""


def working(place: Place) -> Working:
    check_ours(place.repo)
    found = objects.look_up(place.repo, [f"HEAD:{FOLDER}"])[0]
    tree = found[0] if found and found[1] == "tree" else ""
    # What is asked of it later would meet a damaged part where nobody can start again.
    before, _ = ask_at(place, tree, Knowledge.verified)
    edits = worktree.uncommitted(place.repo)
    cards = [_card(edit) for edit in edits if edit.mode]
    return Working(overlaid(before, [edit.rel for edit in edits], cards), tuple(edits), tree)


def _card(edit: Uncommitted) -> Card:
    """The card of a file on disk; its blob id is its own hash, since Git does not have it yet."""
    data = edit.data or b""
    entry = Entry(edit.rel, edit.mode, f"disk-{hashlib.sha256(data).hexdigest()}", len(data))
    return refusal_of(entry) or card_of(entry, data)


def require_started(place: Place) -> None:
    """Writing needs a folder that ``init`` made."""
    check_ours(place.repo)
    rel = f"{FOLDER}/{CONFIG}"
    data = files.read_file(place.repo.knowledge_dir.parent, rel)
    if data is None:
        raise _absent(place.repo)
    values, _ = codec.decode_mapping(data, rel)
    settings, _ = config.from_text(values)
    if settings.format > config.FORMAT:
        found = newer_format(settings.format)
        raise GitmemError(found.message, hint=found.hint, place=found.place, code=found.code)


def _absent(repo: Repo) -> GitmemError:
    folder = str(repo.knowledge_dir)
    if objects.look_up(repo, [f":{FOLDER}/{CONFIG}"])[0] is None:
        message = "this repository is not set up for knowledge yet"
        return GitmemError(message, hint="run: gitmem init", place=folder, code="not-initialised")
    hint = f"git sparse-checkout add {FOLDER}, or, if it was removed: git restore {FOLDER}"
    return GitmemError("the knowledge is not in the work tree", hint=hint, place=folder, code="not-on-disk")


def working_text(place: Place, reference: str) -> str:
    """The file of an item as it is on disk."""
    card = naming.one(working(place).knowledge, reference)
    found = files.read_file(place.repo.knowledge_dir.parent, f"{FOLDER}/{card.path}")
    return found.decode("utf-8", "replace") if found is not None else ""
