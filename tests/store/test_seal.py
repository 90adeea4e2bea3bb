"""The file of a seal: it reads back as it was written at each level, across gaps, folds and splits."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitmem.model.event import FEEDBACK, Event
from gitmem.store import folding, journal, seals, shared, spool
from gitmem.store.folding import Rule
from gitmem.store.repo import Repo, discover
from gitmem.store.seal import EVENTS, FULL, SHARES, Piece, hashed
from gitmem.store.seals import Terms
from gitmem.store.writer import names_of, writer_of
from tests.support import git

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    git(tmp_path, "init", "--quiet")
    return discover(tmp_path)


def add(repo: Repo, **data: str) -> str:
    return journal.append(repo, Event(FEEDBACK, data), NOW)


def terms(share: str) -> Terms:
    return Terms(
        share,
        lambda rows, folds: {"rows": len(rows), "folds": len(folds)},
        tell=lambda row: {"data": {"told": True}},
        withholds=lambda row: "private" in str(row["data"]),
    )


def seal(repo: Repo, share: str) -> str:
    return seals.seal(repo, shared.chains(repo), names_of(repo), lambda _: terms(share), NOW)


def entries(repo: Repo) -> list[str]:
    (chain,) = shared.chains(repo)
    assert chain.faults == ()
    return [entry.id for each in chain.seals for entry in each.entries]


@pytest.mark.parametrize("share", SHARES)
def test_each_level_reads_back_what_it_tells(repo: Repo, share: str) -> None:
    ids = [add(repo, text="one")]
    seal(repo, share)
    ids += [add(repo, text="two"), add(repo, text="three")]
    seal(repo, share)

    segment = ids[0].partition("-")[0]
    wanted = {FULL: ids, EVENTS: [id_.replace(segment, hashed(segment)) for id_ in ids]}
    assert entries(repo) == wanted.get(share, [])
    assert [each.tally for each in shared.chains(repo)[0].seals] == [{"folds": 0, "rows": n} for n in (1, 2)]


def test_a_private_line_leaves_only_its_hash_and_the_chain_holds_across(repo: Repo) -> None:
    ids = [add(repo, text=word) for word in ("one", "private", "two", "private")]
    seal(repo, FULL)

    assert entries(repo) == [ids[0], ids[2]]
    assert "private" not in git(repo.where, "show", f"{seals.ref_of(writer_of(repo))}:000001.jsonl")


def test_pruned_lines_are_sealed_as_what_they_are(repo: Repo) -> None:
    ids = [add(repo, text="one"), add(repo, text="two")]
    journal.rotate(repo)
    rule = Rule(lambda _: True, lambda id_, _: id_ == ids[1], lambda rows, folds: {"gone": len(rows)})
    folding.prune(repo, rule)
    seal(repo, FULL)

    assert entries(repo) == [ids[1]]
    assert shared.chains(repo)[0].seals[0].tally == {"rows": 1, "folds": 1}


def test_a_long_segment_is_split_into_files_that_every_forge_takes(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seals, "_FILE_BYTES", 1000)
    ids = [add(repo, text="x" * 300) for _ in range(7)]
    journal.rotate(repo)
    ids += [add(repo, text="y" * 300) for _ in range(7)]
    seal(repo, FULL)

    (chain,) = shared.chains(repo)
    assert len(chain.seals) > 3
    assert sorted(entries(repo)) == sorted(ids)
    assert int(git(repo.where, "rev-list", "--count", chain.tip)) == 1


def test_nothing_new_makes_no_commit(repo: Repo) -> None:
    add(repo)

    assert seal(repo, EVENTS)
    assert seal(repo, EVENTS) == ""


def test_a_segment_of_another_writer_is_not_sealed(repo: Repo) -> None:
    add(repo)
    journal.rotate(repo)
    (path,) = spool.paths(repo)
    data = path.read_bytes()
    path.write_bytes(data.replace(writer_of(repo).encode(), b"e" * 16))
    found: Sequence[tuple[Path, Piece]] = seals.unsealed(repo, [], names_of(repo))

    assert found == []


def test_a_kill_between_the_commit_and_the_ref_is_made_up_for(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    add(repo)
    with monkeypatch.context() as stopped:
        stopped.setattr(seals, "swap_ref", lambda *_, **__: False)
        assert seal(repo, EVENTS) == ""
    assert seal(repo, EVENTS)
    assert len(entries(repo)) == 1
