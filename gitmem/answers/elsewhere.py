"""Where an item is that is not in the knowledge that was read: a hint for an error. Refuses to serve it."""

from gitmem.answers.reading import Reading, ask_at
from gitmem.index.card import NEVER_BY_SCOPE, Card
from gitmem.index.knowledge import Knowledge
from gitmem.model.ids import ULID_CHARS, canonical_id
from gitmem.store import codec, git, history, objects, worktree
from gitmem.store.repo import FOLDER

_BRANCHES_MAX = 8
_FILES_MAX = 50


def hint(reading: Reading, reference: str) -> str:
    """'' when neither this branch, nor another one, nor history knows the item."""
    wanted = canonical_id(reference) or reference.strip().removesuffix(".md")
    if not wanted.replace("/", "").replace("-", "").isalnum() or not reading.place.repo.common_dir.is_dir():
        return ""
    return (
        _in_the_work_tree(reading, wanted)
        or _on_this_branch(reading, wanted)
        or _on_another(reading, wanted)
        or _renamed(reading, wanted)
        or _removed(reading, wanted)
    )


def is_on_branch(reading: Reading, reference: str) -> bool:
    """Whether HEAD has an item that what is read has not."""
    head = reading.trusted.head_tree
    return bool(head) and head != reading.tree and _holds(reading, head, reference)


def _holds(reading: Reading, tree: str, wanted: str) -> bool:
    found, _ = ask_at(reading.place, tree, lambda knowledge: bool(knowledge.by_reference(wanted)))
    return found


def _in_the_work_tree(reading: Reading, wanted: str) -> str:
    ends = (f"/{wanted}.md", f"engrams/{wanted}.md")
    for edit in worktree.uncommitted(reading.place.repo):
        if edit.rel.endswith(ends) or (len(wanted) == ULID_CHARS and wanted.encode() in (edit.data or b"")):
            return f"{FOLDER}/{edit.rel} is not committed yet, and only what is committed is served"
    return ""


def _on_this_branch(reading: Reading, wanted: str) -> str:
    if not is_on_branch(reading, wanted):
        return ""
    return f"it is on this branch, not yet on {reading.trusted.label}; read it with --at HEAD"


def _on_another(reading: Reading, wanted: str) -> str:
    repo = reading.place.repo
    names = objects.newest_branches(repo, _BRANCHES_MAX)
    seen = {reading.tree, reading.trusted.head_tree}
    for name, found in zip(names, objects.look_up(repo, [f"{n}:{FOLDER}" for n in names]), strict=True):
        if found and found[1] == "tree" and found[0] not in seen:
            seen.add(found[0])
            if _holds(reading, found[0], wanted):
                short = name.removeprefix("refs/heads/").removeprefix("refs/remotes/")
                return f"it is on the branch {short}; read it with --at {short}"
    return ""


def _renamed(reading: Reading, wanted: str) -> str:
    """Who has the name among its aliases; what is not for everybody stays unnamed."""
    repo, slug = reading.place.repo, wanted.rpartition("/")[2].lower()
    done = git.attempt(repo.where, ("grep", "-z", "-l", "-I", "-i", "-F", "-e", slug, reading.tree, "--", "engrams"))
    rels = [name.partition(":")[2] for name in done.fields()][:_FILES_MAX]
    found = ask_at(reading.place, reading.tree, lambda known: [c for rel in rels for c in _at(known, rel)])[0]
    for card, data in zip(found, objects.read_blobs(repo, [card.blob for card in found]), strict=True):
        engram = codec.decode(data[1], card.path).engram
        if engram is not None and slug in (alias.lower() for alias in engram.aliases):
            return f"it was renamed: gitmem get {card.slug}"
    return ""


def _at(knowledge: Knowledge, rel: str) -> list[Card]:
    return [c for c in knowledge.under(f"path:{rel.casefold()}") if c.id and c.visibility not in NEVER_BY_SCOPE]


def _removed(reading: Reading, wanted: str) -> str:
    """An id is looked for in what commits took away, a slug among the names of the files that they removed."""
    is_id = canonical_id(wanted) is not None
    commit = history.removal(reading.place.repo, reading.commit, "" if is_id else wanted, wanted if is_id else "")
    if commit is None:
        return ""
    now = _slug_now(reading, commit.oid, wanted)
    if now:
        return f"it was moved: gitmem get {now}"
    who = f"{commit.at} by {commit.author}: {commit.subject}"
    return f"it was removed in {commit.oid[:12]} ({who}); read it with --at {commit.oid[:12]}^"


def _slug_now(reading: Reading, commit: str, wanted: str) -> str:
    """What the item is called today that a commit took from its place, '' where it is gone or not for everybody."""
    place, before = reading.place, objects.look_up(reading.place.repo, [f"{commit}^:{FOLDER}"])[0]
    if before is None or before[1] != "tree":
        return ""
    ids = ask_at(place, before[0], lambda known: [card.id for card in known.by_reference(wanted)])[0]
    found = ask_at(place, reading.tree, lambda known: [card for id_ in ids for card in known.under(f"id:{id_}")])[0]
    return next((card.slug for card in found if card.visibility not in NEVER_BY_SCOPE), "")
