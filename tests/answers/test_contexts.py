"""Where items were of use, told by all journals: the same whether it is counted at once or as it comes."""

import random
from pathlib import Path

import pytest

from gitmem.answers.contexts import contexts
from gitmem.answers.pruning import PruneCall, prune
from gitmem.answers.session import Session
from gitmem.memory.contexts import Contexts
from gitmem.model.event import COMPILE, FEEDBACK, MAINTENANCE, RETRIEVAL, VERIFY, Event
from gitmem.model.plain import Plain
from gitmem.store import journal, spool
from tests.answers.team import NOW, Clone, team
from tests.asking import knowledge, rule
from tests.support import commit_all, engram_id, git, start_repo, write_tree

IDS = [engram_id(n) for n in range(1, 5)]


def seen(root: Path) -> Contexts:
    return contexts(Session(root, NOW))


def anew(root: Path) -> Contexts:
    """Counted with nothing kept."""
    for path in Session(root, NOW).place.cache.folder.glob("look-contexts*"):  # type: ignore[union-attr]
        path.unlink()
    return seen(root)


def some_event(rng: random.Random) -> Event:
    ids: list[Plain] = list(rng.sample(IDS, 2))
    files: list[Plain] = [f"{rng.choice('abc')}/x/y.py"]
    kind = rng.choice((COMPILE, COMPILE, FEEDBACK, FEEDBACK, VERIFY, RETRIEVAL, MAINTENANCE))
    rows: dict[str, dict[str, Plain]] = {
        COMPILE: {"compile": "c", "files": files, "items": {"inline": ids}},
        FEEDBACK: {"items": ids[:1], "outcome": rng.choice(("helped", "misled", "irrelevant"))},
        VERIFY: {"verdict": "fail", "passed": False, "files": files, "items": ids},
        RETRIEVAL: {"items": ids, "query": '"kind":"feedback"'},
        MAINTENANCE: {"items": {"effective": ids}},
    }
    return Event(kind, rows[kind])


@pytest.mark.capability("M-058")
def test_what_is_counted_as_it_comes_is_what_is_counted_at_once(tmp_path: Path) -> None:
    """Lines of this process, of files that come later, of one that is cut off, and of lines that were pruned."""
    rng = random.Random(7)
    root = start_repo(tmp_path)
    write_tree(root, knowledge(rule("a", 1)))
    commit_all(root, "start")
    clone = Clone(root)
    for minute in range(12):
        for _ in range(rng.randrange(1, 6)):
            journal.append(clone.repo, some_event(rng), NOW.replace(minute=minute))
        if rng.random() < 0.3:
            journal.rotate(clone.repo)
        grown = seen(root)
        assert grown == anew(root)
    path = spool.paths(clone.repo)[-1]
    whole = path.read_bytes()
    with path.open("ab") as file:
        file.write(whole.splitlines(keepends=True)[-1][:20])
    assert seen(root) == grown

    prune(Session(root, NOW.replace(year=2027)), PruneCall("1d"))
    helped = {item: (use.helped, use.misled) for item, use in seen(root).items.items()}
    assert helped == {item: (use.helped, use.misled) for item, use in grown.items.items()}, "counts outlive the lines"


@pytest.mark.capability("M-058")
def test_other_clones_count_as_other_authors_whatever_they_share(tmp_path: Path) -> None:
    crew = team(tmp_path)
    ada, bob, eve = crew.clone("ada"), crew.clone("bob"), crew.clone("eve")
    for clone, level in ((ada, "counts"), (bob, "events"), (eve, "none")):
        git(clone.root, "config", "gitmem.journalShare", level)
        journal.append(clone.repo, Event(FEEDBACK, {"item": IDS[0], "outcome": "helped"}), NOW)
        clone.sync()
    ada.sync()

    use = seen(ada.root).of(IDS[0])

    assert (use.helped, len(use.authors)) == (2, 2)
    assert seen(ada.root) == anew(ada.root)
