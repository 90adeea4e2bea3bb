"""Where an item is that is not in the knowledge that was read: a hint for an error. Refuses to serve it."""

from gitmem.answers.reading import Reading, ask_at
from gitmem.model.ids import ULID_CHARS, canonical_id
from gitmem.store import history, objects, worktree
from gitmem.store.repo import FOLDER

_BRANCHES_MAX = 8


def hint(reading: Reading, reference: str) -> str:
    """'' when neither this branch, nor another one, nor history knows the item."""
    wanted = canonical_id(reference) or reference.strip().removesuffix(".md")
    if not wanted.replace("/", "").replace("-", "").isalnum() or not reading.place.repo.common_dir.is_dir():
        return ""
    return (
        _in_the_work_tree(reading, wanted)
        or _on_this_branch(reading, wanted)
        or _on_another(reading, wanted)
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


def _removed(reading: Reading, wanted: str) -> str:
    """An id is looked for in what commits took away, a slug among the names of the files that they removed."""
    is_id = canonical_id(wanted) is not None
    commit = history.removal(reading.place.repo, reading.commit, "" if is_id else wanted, wanted if is_id else "")
    if commit is None:
        return ""
    who = f"{commit.at} by {commit.author}: {commit.subject}"
    return f"it was removed in {commit.oid[:12]} ({who}); read it with --at {commit.oid[:12]}^"
