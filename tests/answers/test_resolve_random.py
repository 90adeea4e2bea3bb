"""Random trees that two people changed, merged by Git without our driver and finished by ``resolve``."""

import json
from pathlib import Path

import pytest

from gitmem.review.identity import id_of
from gitmem.review.trees import merge_trees
from tests.answers.merging import merge, unmerged
from tests.conftest import MakeRepo
from tests.review.groves import Grove, applied, three_groves
from tests.support import commit_all, git, run_inproc, write_tree

TOP = ".gitmem/"
BESIDE = {f"{TOP}config.yaml": "format: 1\n", f"{TOP}.gitattributes": "* -text\n"}


def plant(repo: Path, grove: Grove) -> None:
    for rel in git(repo, "ls-files", "-z", f"{TOP}engrams", f"{TOP}ledger").split("\0"):
        if rel:
            (repo / rel).unlink()
    write_tree(repo, {f"{TOP}{rel}": data for rel, data in grove.items()})
    commit_all(repo)


def identities(grove: Grove) -> list[str]:
    return sorted(id_of(data) or rel for rel, data in grove.items())


def met(repo: Path, seed: int) -> tuple[dict, bool]:
    """The answer of ``resolve`` after a real merge of three random trees, and whether the pure merge asks nothing."""
    base, ours, theirs = three_groves(seed)
    plant(repo, base)
    git(repo, "switch", "--quiet", "--create", "theirs")
    plant(repo, theirs)
    git(repo, "switch", "--quiet", "main")
    plant(repo, ours)
    merge(repo)
    answer: dict = json.loads(run_inproc(repo, "resolve", "--json").out)
    pure = merge_trees(base, ours, theirs)
    expected = applied(ours, dict(pure.changes))
    for row in answer["resolved"]:
        rel = row["path"].removeprefix(TOP)
        found = repo / row["path"]
        assert (found.read_bytes() if found.exists() else None) == expected.get(rel), (seed, rel)
    if not pure.conflicts:
        listed = [rel for rel in git(repo, "ls-files", "-z", TOP).split("\0") if rel and rel not in BESIDE]
        held = {rel.removeprefix(TOP): (repo / rel).read_bytes() for rel in listed}
        assert identities(held) == identities(expected), seed
    return answer, not pure.conflicts


def check(make_repo: MakeRepo, seeds: range) -> None:
    stopped = 0
    for seed in seeds:
        repo = make_repo(BESIDE, name=str(seed))
        answer, is_clean = met(repo, seed)
        stopped += bool(answer["resolved"] or answer["conflicts"])
        assert bool(answer["conflicts"]) == bool(unmerged(repo)), seed
        assert not (is_clean and answer["conflicts"]), seed
        for rel in git(repo, "diff", "--cached", "--name-only", "-z", "--diff-filter=AM").split("\0"):
            assert not rel or rel in unmerged(repo) or "<<<<<<<" not in git(repo, "show", f":{rel}"), seed
    assert stopped


@pytest.mark.capability("G-023")
def test_what_the_rules_settle_is_never_asked_and_no_item_is_lost(make_repo: MakeRepo) -> None:
    """F-096: real merges against the pure one; where Git stops, resolve ends as the rules say."""
    check(make_repo, range(200, 212))


@pytest.mark.long
def test_hundreds_of_random_merges_are_finished_by_the_rules(make_repo: MakeRepo) -> None:
    check(make_repo, range(300))
