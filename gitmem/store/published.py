"""Which commits would show others code that they have not seen. Refuses to push, and to judge knowledge.

A commit adds nothing but knowledge when what it has outside ``.gitmem`` is what one of its parents has there. So
whatever builds on published commits in such steps shows only code that is published.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from gitmem.record import record
from gitmem.store import git, objects
from gitmem.store.commits import commits
from gitmem.store.repo import FOLDER, Repo

_EVENT = re.compile(rb"[0-9A-HJKMNP-TV-Z]{26}\.yaml")
# Nobody waits for the root trees of a longer private history: it is taken for code as a whole.
_STEPS_MAX = 20_000

# Everything of a root tree but the folder: (mode and name, id).
Code = frozenset[tuple[bytes, bytes]]


@record
class _Step:
    """A commit that is not published. ``is_bare``: it has no code at all, but for the files of events."""

    oid: str
    parents: tuple[str, ...]
    adds_code: bool
    is_bare: bool


def leaks(repo: Repo, tips: Sequence[str], published: Sequence[str]) -> dict[str, str]:
    """The tips that would publish code, each with the first commit that does."""
    return _reached(_steps(repo, tips, published), tips, lambda step: step.adds_code and not step.is_bare)


def own_code(repo: Repo, tip: str, published: Sequence[str]) -> str:
    """The first commit on the way to ``tip`` that changes anything but knowledge, '' for none."""
    return _reached(_steps(repo, [tip], published), [tip], lambda step: step.adds_code).get(tip, "")


def same_code(repo: Repo, first: str, second: str) -> bool:
    """Whether two commits differ in nothing but knowledge."""
    code = _codes(repo, [first, second])
    return code[first] == code[second]


def _reached(steps: Sequence[_Step], tips: Sequence[str], is_bad: Callable[[_Step], bool]) -> dict[str, str]:
    if len(steps) > _STEPS_MAX:
        return {tip: tip for tip in tips}
    bad: dict[str, str] = {}
    for step in steps:
        inherited = next((bad[parent] for parent in step.parents if parent in bad), "")
        if inherited or is_bad(step):
            bad[step.oid] = inherited or step.oid
    return {tip: bad[tip] for tip in tips if tip in bad}


def _steps(repo: Repo, tips: Sequence[str], published: Sequence[str]) -> list[_Step]:
    """The commits that are not published, parents first."""
    feed = "".join(f"{tip}\n" for tip in tips) + "".join(f"^{oid}\n" for oid in published)
    args = ("rev-list", "--parents", "--topo-order", "--reverse", f"--max-count={_STEPS_MAX + 1}", "--stdin")
    rows = [line.split(" ") for line in git.run(repo.where, args, git.Call(stdin=feed.encode())).lines()]
    code = _codes(repo, sorted({oid for row in rows for oid in row}))
    return [
        _Step(
            oid,
            tuple(parents),
            adds_code=not any(code.get(parent) == code[oid] for parent in parents),
            is_bare=_is_bare(code[oid]),
        )
        for oid, *parents in rows
    ]


def _is_bare(code: Code) -> bool:
    return all(_EVENT.fullmatch(meta.partition(b" ")[2]) and not meta.startswith(b"40000") for meta, _ in code)


def _codes(repo: Repo, oids: Sequence[str]) -> Mapping[str, Code]:
    known = commits(repo, oids)
    trees = sorted({commit.tree for commit in known.values()})
    size = 32 if repo.object_format == "sha256" else 20
    code = {oid: frozenset(_entries(data, size)) for oid, data in objects.read_blobs(repo, trees)}
    return {oid: code[commit.tree] for oid, commit in known.items()}


def _entries(data: bytes, size: int) -> Iterator[tuple[bytes, bytes]]:
    """(mode and name, id) of each line of a tree object, without the folder of knowledge."""
    ours = f"40000 {FOLDER}".encode()
    at = 0
    while at < len(data):
        end = data.index(b"\0", at)
        if data[at:end] != ours:
            yield data[at:end], data[end + 1 : end + 1 + size]
        at = end + 1 + size
