"""Journals of a team: each event once, nothing but what may be told, and no push that is refused for ever."""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from gitmem.answers import counting
from gitmem.answers.compile import CompileCall, compile_context
from gitmem.answers.gathering import gather
from gitmem.answers.pruning import PruneCall, prune
from gitmem.answers.session import Session
from gitmem.answers.soundness import CheckCall, check
from gitmem.memory.tally import Tally
from gitmem.memory.uses import Uses
from gitmem.model.event import COMPILE, FEEDBACK, OBSERVATION, Event
from gitmem.model.plain import Plain
from gitmem.store import folding, journal, lamport, seals, shared, spool
from gitmem.store.gitrefs import swap_ref
from gitmem.store.gitwrite import Draft, write_commit
from gitmem.store.refs import JOURNAL
from gitmem.store.repo import Repo
from gitmem.store.writer import writer_of
from tests.answers.team import NOW, Clone, Team, team
from tests.support import commit_all, engram_id, git, run_inproc, write_tree

ITEM = engram_id(1)
PRIVATE = engram_id(55)
PLAN, PATHS, NOTE = "reshape the quarterly ledger", ("src/app.py", "src/hidden/place.py"), "the boss said so"


@pytest.fixture
def crew(tmp_path: Path) -> Team:
    return team(tmp_path)


def add(clone: Clone, item: str = ITEM, kind: str = FEEDBACK, **data: Plain) -> str:
    told: dict[str, Plain] = {"item": item, "outcome": "helped", **data}
    return journal.append(clone.repo, Event(kind, told, session="s-1", agent="a-1"), NOW)


def counts(clone: Clone) -> Tally:
    return counting.of_team(Session(clone.root, NOW))


def helped(clone: Clone) -> int:
    return counts(clone).of(ITEM).get("helped", 0)


def used(clone: Clone) -> list[object]:
    """What was gathered from the files as far as they are new, as a process that has looked before does it."""
    return gather(Session(clone.root, NOW)).uses.plain()


def expected(clone: Clone) -> list[object]:
    """The same from all lines and seals at once."""
    found = Uses()
    found.add(counts(clone).counts)
    return found.plain()


def own_ref(clone: Clone) -> str:
    return seals.ref_of(writer_of(clone.repo))


def share(clone: Clone, level: str) -> None:
    git(clone.root, "config", "gitmem.journalShare", level)


def everything(root: Path) -> Iterator[bytes]:
    """Every object of a repository, whatever it is and whether anything refers to it."""
    git(root, "gc", "--quiet")
    for line in git(root, "cat-file", "--batch-check", "--batch-all-objects").splitlines():
        oid, kind, _ = line.split(" ")
        yield git(root, "cat-file", kind, oid).encode() if kind != "tree" else git(root, "ls-tree", oid).encode()


def test_three_clones_one_a_copy_count_every_event_once(crew: Team) -> None:
    """F-053: what was copied counts in one of the two, and each goes on by itself."""
    ada = crew.clone("ada")
    add(ada)
    add(ada)
    ada.sync()
    add(ada)
    eve, bob = crew.copy(ada, "eve"), crew.clone("bob")
    for clone in (ada, eve, bob):
        add(clone)
    for _ in range(2):
        for clone in (ada, eve, bob):
            found = clone.sync()
            assert (found.not_synced, found.exit_code) == (None, 0)

    assert len(crew.refs(JOURNAL)) == 3
    assert [helped(clone) for clone in (ada, eve, bob)] == [6, 6, 6]
    again = [clone.sync().pushed.total for clone in (ada, eve, bob)]
    assert again == [0, 0, 0], "nothing new, nothing pushed"


def test_full_journals_show_every_event_once_in_every_clone(crew: Team) -> None:
    ada = crew.clone("ada")
    share(ada, "full")
    ids = [add(ada), add(ada)]
    eve = crew.copy(ada, "eve")
    bob = crew.clone("bob")
    share(bob, "full")
    ids += [add(ada), add(eve), add(bob)]
    for clone in (ada, eve, bob, ada, eve, bob):
        clone.sync()

    for clone in (ada, eve, bob):
        assert sorted(entry.id for entry in shared.every(clone.repo)) == sorted(ids)
        orders = [entry.order for entry in shared.every(clone.repo)]
        assert orders == sorted(orders)


def test_two_restored_backups_are_not_refused_for_ever(crew: Team) -> None:
    """Both go by one name at one place: the second becomes another writer, and nothing of either is lost."""
    ada = crew.clone("ada")
    add(ada)
    ada.sync()
    name = own_ref(ada)
    kept = crew.copy(ada, "kept")
    add(ada)
    add(ada)
    ada.sync()
    theirs = crew.refs()[name]
    crew.copy(ada, "first")
    journal.rotate(ada.repo)
    # The backup comes to lie where the clone was, so that it takes its name.
    ada.root.rename(crew.folder / "away")
    kept.root.rename(ada.root)
    private = ada.repo.private_dir
    (private / "writer").write_bytes((crew.folder / "first/.git/gitmem/writer").read_bytes())
    assert own_ref(ada) == name
    add(ada)
    seal_alone(ada)
    found = ada.sync()

    assert [notice.code for notice in found.warnings] == ["journal-renamed"]
    assert (found.not_synced, found.exit_code) == (None, 0)
    assert crew.refs()[name] == theirs, "what the other one wrote stays"
    assert own_ref(ada) != name
    assert own_ref(ada) in crew.refs()
    assert helped(ada) == 4
    assert ada.sync().pushed.total == 0
    add(ada)
    assert ada.sync().pushed.refs == (own_ref(ada),)
    bob = crew.clone("bob")
    bob.sync()
    assert helped(bob) == 5


def seal_alone(clone: Clone) -> None:
    """Seals without having seen the remote, as a clone does whose push failed."""
    remote = clone.root / "elsewhere.git"
    git(clone.root, "init", "--quiet", "--bare", str(remote))
    git(clone.root, "remote", "add", "elsewhere", str(remote))
    clone.sync(remote="elsewhere")


def test_a_push_that_failed_is_made_up_for_by_the_next_sync(crew: Team) -> None:
    ada = crew.clone("ada")
    add(ada)
    crew.hook("pre-receive", "while read old new ref; do case $ref in refs/gitmem/journal/*) exit 1;; esac; done")
    found = ada.sync()
    assert "journal-refused" in [notice.code for notice in found.warnings]
    assert found.exit_code == 0, "a forge that takes no journal is no error"
    (crew.remote / "hooks/pre-receive").unlink()

    assert ada.sync().pushed.refs == (own_ref(ada),)


def test_a_dry_run_writes_nothing_and_says_what_would_go(crew: Team) -> None:
    ada = crew.clone("ada")
    add(ada)
    before = (ada.refs(""), spool.paths(ada.repo)[0].read_bytes())
    found = ada.sync(dry_run=True)

    assert found.pushed.refs == (own_ref(ada),)
    assert (ada.refs(""), spool.paths(ada.repo)[0].read_bytes()) == before
    assert crew.refs(JOURNAL) == {}


def busy(clone: Clone) -> None:
    """A private rule beside the shared ones, a compile with a plan, a note, a failed call."""
    session = Session(clone.root, NOW)
    compile_context(session, CompileCall(files=PATHS, plan=PLAN, agent_id="claude-x"))
    journal.rotate(clone.repo)
    payload: dict[str, Plain] = {"note": NOTE, "target_doc_id": PRIVATE, "target_files": list(PATHS)}
    add(clone, kind=OBSERVATION, event_type="manual_note", payload=payload, surface="cli")
    add(clone, PRIVATE)
    items: dict[str, Plain] = {"inline": [ITEM, PRIVATE]}
    add(clone, kind=COMPILE, items=items, request={"plan": PLAN, "prompt": NOTE}, receipt="gitmem1:secret")


def lines_of(root: Path) -> bytes:
    return b"\n".join(everything(root))


@pytest.mark.capability("G-026")
def test_nothing_but_counts_leaves_the_machine(crew: Team) -> None:
    """F-255: every object that the remote has is searched, after a plain push of all refs too."""
    ada = crew.clone("ada")
    busy(ada)
    ada.sync()
    git(ada.root, "push", "--quiet", "origin", "refs/gitmem/*:refs/gitmem/*")

    sent = lines_of(crew.remote)
    segments = [part.id for part in spool.parts(ada.repo)]
    told = [PLAN, *PATHS[1:], NOTE, PRIVATE, "claude-x", "gitmem1:", "a-1", "s-1", "03:04:05", *segments]
    assert [word for word in told if word.encode() in sent] == []
    assert b'"delivered"' in sent
    assert ITEM.encode() in sent


def test_the_commits_of_a_journal_tell_no_person_and_no_time_of_day(crew: Team) -> None:
    ada = crew.clone("ada")
    add(ada)
    ada.sync()
    said = git(ada.root, "log", "--format=%an %ae %cn %ce %aI %cI", own_ref(ada)).strip()

    assert said == "gitmem gitmem@localhost gitmem gitmem@localhost 2026-01-02T00:00:00Z 2026-01-02T00:00:00Z".replace(
        "Z", "+00:00"
    )


def test_events_go_out_without_any_text(crew: Team) -> None:
    ada, bob = crew.clone("ada"), crew.clone("bob")
    share(ada, "events")
    busy(ada)
    ada.sync()
    bob.sync()

    sent = lines_of(crew.remote)
    assert [word for word in (PLAN, NOTE, PRIVATE, "gitmem1:") if word.encode() in sent] == []
    kinds = [entry.kind for entry in shared.every(bob.repo)]
    assert kinds == [COMPILE, OBSERVATION, COMPILE]
    note = shared.every(bob.repo)[1]
    assert note.data["payload"] == {"target_files": list(PATHS)}


def test_full_tells_all_but_what_names_private_items(crew: Team) -> None:
    ada, bob = crew.clone("ada"), crew.clone("bob")
    share(ada, "full")
    busy(ada)
    add(ada, request={"plan": "all may read it"})
    ada.sync()
    bob.sync()

    assert PRIVATE.encode() not in lines_of(crew.remote)
    texts = [json.dumps(entry.data) for entry in shared.every(bob.repo)]
    assert any("all may read it" in text for text in texts)
    assert [chain.faults for chain in shared.chains(bob.repo)] == [()]


@pytest.mark.parametrize("level", ["none", "everything"])
def test_none_makes_no_commit_and_an_unknown_word_means_none(crew: Team, level: str) -> None:
    ada = crew.clone("ada")
    share(ada, level)
    add(ada)
    found = ada.sync()

    assert (ada.refs(JOURNAL), crew.refs(JOURNAL)) == ({}, {})
    assert [each.code for each in found.warnings] == ([] if level == "none" else ["unknown-setting"])


def test_the_trusted_tree_decides_and_a_branch_of_ones_own_widens_nothing(crew: Team) -> None:
    ada = crew.clone("ada")
    git(ada.root, "switch", "--quiet", "--create", "wider")
    write_tree(ada.root, {".gitmem/config.yaml": "format: 1\njournal:\n  share: full\n"})
    commit_all(ada.root, "wider")
    add(ada, request={"plan": PLAN})
    ada.sync()
    assert shared.chains(ada.repo)[0].seals[0].share == "counts"

    git(ada.root, "switch", "--quiet", "main")
    git(ada.root, "merge", "--quiet", "wider")
    git(ada.root, "push", "--quiet", "origin", "main")
    add(ada)
    ada.sync()
    assert shared.chains(ada.repo)[0].seals[1].share == "full"


def test_where_head_is_trusted_a_branch_of_anybodys_shares_no_more_than_the_default_branch(crew: Team) -> None:
    """It takes no more than to look at a pull request, and the next sync would push every plan."""
    ada = crew.clone("ada")
    git(ada.root, "config", "gitmem.trust", "head")
    git(ada.root, "switch", "--quiet", "--create", "wider")
    write_tree(ada.root, {".gitmem/config.yaml": "format: 1\njournal:\n  share: full\n"})
    commit_all(ada.root, "wider")
    add(ada, request={"plan": PLAN})
    ada.sync()

    assert shared.chains(ada.repo)[0].seals[0].share == "counts"
    assert PLAN.encode() not in lines_of(crew.remote)

    write_tree(ada.root, {".gitmem/config.yaml": "format: 1\njournal:\n  share: none\n"})
    commit_all(ada.root, "narrower")
    add(ada)
    ada.sync()
    assert len(shared.chains(ada.repo)[0].seals) == 1


def test_seals_go_on_where_the_last_one_ended(crew: Team) -> None:
    ada = crew.clone("ada")
    for number in range(3):
        add(ada, item=ITEM)
        ada.sync()
        assert [seal.number for seal in shared.chains(ada.repo)[0].seals] == list(range(1, number + 2))

    spans = [seal.spans for seal in shared.chains(ada.repo)[0].seals]
    assert [(span.first, span.last) for (span,) in spans] == [(1, 1), (2, 2), (3, 3)]
    assert int(git(ada.root, "rev-list", "--count", own_ref(ada))) == 3


@pytest.mark.capability("G-026")
def test_whoever_has_seen_an_event_writes_after_it(crew: Team) -> None:
    ada, bob = crew.clone("ada"), crew.clone("bob")
    share(ada, "full")
    share(bob, "full")
    first = [add(ada) for _ in range(20)][-1]
    ada.sync()
    bob.sync()
    journal.append(bob.repo, Event(FEEDBACK, {"item": ITEM}), NOW - timedelta(days=3650))
    bob.sync()
    ada.sync()

    ids = [entry.id for entry in shared.every(ada.repo)]
    assert ids.index(first) == len(ids) - 2


def forged(
    repo: Repo, change: Mapping[str, Plain], writer: str = "f" * 16, events: Sequence[Mapping[str, Plain]] = ()
) -> None:
    """A seal of another writer as a hostile or broken clone might push it."""
    row: dict[str, Plain] = {
        "seal": 1,
        "writer": writer,
        "seq": 1,
        "share": "counts",
        "prev": "",
        "segments": [["a" * 32, 1, 1, "b" * 32]],
        "clock": [1, 1],
        "tally": {},
    }
    data = "".join(json.dumps(each) + "\n" for each in (row | dict(change), *events)).encode()
    commit = write_commit(repo, None, Draft({"000001.jsonl": data}, "seal", "x <x@y>", NOW))
    assert swap_ref(repo, seals.ref_of(writer), None, commit)


def test_a_clock_that_nobody_can_reach_is_not_believed(crew: Team) -> None:
    ada, bob = crew.clone("ada"), crew.clone("bob")
    forged(bob.repo, {"clock": [1, 10**17]})
    git(bob.root, "push", "--quiet", "origin", "refs/gitmem/*:refs/gitmem/*")
    add(ada)
    found = ada.sync()

    assert "clock-ahead" in [notice.code for notice in found.warnings]
    assert lamport.now(journal.folder_of(ada.repo)) < 1000


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"seal": 9}, "newer-format"),
        ({"writer": "e" * 16}, "bad-seal"),
        ({"seq": 2}, "bad-seal"),
        ({"prev": "c" * 32}, "chain-broken"),
        ({"segments": [["x", 1, 1, "y"]]}, "bad-seal"),
        ({"segments": [["a" * 32, 5, 1, "b" * 32]]}, "bad-seal"),
        ({"segments": "none"}, "bad-seal"),
        ({"clock": [1]}, "bad-seal"),
        ({"tally": []}, "bad-seal"),
        ({"share": "full"}, "bad-seal"),
        ({"share": "all"}, "bad-seal"),
    ],
)
def test_a_forged_seal_is_named_and_counts_nothing(crew: Team, change: dict[str, Plain], code: str) -> None:
    ada = crew.clone("ada")
    forged(ada.repo, change)

    (chain,) = shared.chains(ada.repo)
    assert ([fault.code for fault in chain.faults], chain.seals) == ([code], ())
    assert counts(ada) == Tally()


def test_no_shared_word_makes_a_line_of_its_own_and_no_number_is_a_truth_value(crew: Team) -> None:
    """A writer chooses its words: one of them might look like the next event, and ``true`` is no number of a line."""
    ada = crew.clone("ada")
    spans: dict[str, Plain] = {"share": "events", "segments": [["b" * 32, 1, 3, "c" * 32]]}
    event: dict[str, Plain] = {
        "segment": "b" * 32,
        "n": 2,
        "clock": 1,
        "at": "2026",
        "kind": "compile",
        "data": {"action": "x\n\nfake"},
    }
    for number, (row, seen) in enumerate(((event, 1), (event | {"n": True}, 0))):
        forged(ada.repo, spans, f"{number:016d}", [row])
        done = run_inproc(ada.root, "journal", "query")
        assert (done.code, done.out.count("fake")) == (0, 1)
        assert not any(line.startswith("fake") for line in done.out.splitlines())
        assert len(check(Session(ada.root, NOW), CheckCall()).findings) == 1 - seen


def test_a_seal_that_claims_anothers_lines_takes_nothing_from_them(crew: Team) -> None:
    ada = crew.clone("ada")
    add(ada)
    ada.sync()
    span = shared.chains(ada.repo)[0].seals[0].spans[0]
    forged(ada.repo, {"segments": [[span.segment, 1, 9, "b" * 32]]}, writer="0" * 16)

    assert helped(ada) == 1
    assert [fault.code for fault in counting.coverage(ada.repo).faults] == ["covered-twice"]


def test_one_changed_byte_of_a_shared_journal_is_named(crew: Team) -> None:
    ada, bob = crew.clone("ada"), crew.clone("bob")
    share(ada, "full")
    add(ada)
    ada.sync()
    add(ada)
    ada.sync()
    name = own_ref(ada)
    data = git(ada.root, "show", f"{name}:000001.jsonl")
    broken = write_commit(
        bob.repo, None, Draft({"000001.jsonl": data.replace("helped", "misled").encode()}, "x", "x <x@y>", NOW)
    )
    assert swap_ref(bob.repo, name, None, broken)

    (chain,) = shared.chains(bob.repo)
    (fault,) = chain.faults
    assert (fault.code, fault.path, fault.line) == ("line-changed", f"{name}:000001.jsonl", 3)


def test_what_was_sealed_and_is_cut_off_or_written_anew_is_named(crew: Team) -> None:
    """A chain that was written anew from its head holds by itself: only the seal knows better."""
    ada = crew.clone("ada")
    for number in range(3):
        add(ada, number=number)
    ada.sync()
    journal.rotate(ada.repo)
    (path,) = spool.paths(ada.repo)
    whole = path.read_bytes()
    assert check(Session(ada.root, NOW), CheckCall()).findings == ()

    path.write_bytes(b"".join(whole.splitlines(keepends=True)[:-1]))
    found = check(Session(ada.root, NOW), CheckCall())
    assert ([each.code for each in found.notices], found.findings) == (["cut-off"], ())
    assert helped(ada) == 3

    head, *lines = whole.splitlines(keepends=True)
    for at, line in enumerate(lines):
        row = {**json.loads(line), "prev": journal.digest(([head, *lines])[at])}
        del row["sum"]
        row["data"]["outcome"] = "misled"
        lines[at] = journal.summed(row) + b"\n"
    path.write_bytes(b"".join([head, *lines]))
    found = check(Session(ada.root, NOW), CheckCall())
    assert [(each.code, each.path, each.line) for each in found.findings] == [("line-changed", str(path), 4)]


def test_a_clone_whose_spool_cannot_be_written_syncs_all_the_same(crew: Team) -> None:
    """F-158."""
    ada, bob = crew.clone("ada"), crew.clone("bob")
    add(ada)
    ada.sync()
    bob.repo.private_dir.mkdir(exist_ok=True)
    (bob.repo.private_dir / "journal").write_text("in the way")

    assert bob.sync().exit_code == 0
    assert helped(bob) == 1


def test_objects_of_the_journal_are_plain_json_lines(crew: Team) -> None:
    ada = crew.clone("ada")
    add(ada)
    ada.sync()
    for line in git(ada.root, "show", f"{own_ref(ada)}:000001.jsonl").splitlines():
        assert isinstance(json.loads(line), dict)


@pytest.mark.parametrize("seed", [1, *(pytest.param(more, marks=pytest.mark.long) for more in range(2, 30))])
def test_whatever_three_clones_do_each_event_counts_once(crew: Team, seed: int) -> None:
    """Events, ends of processes, prunings, packings, syncs that stop half-way and changes of level, in any order."""
    dice = random.Random(seed)
    ada = crew.clone("ada")
    add(ada)
    clones = [ada, crew.copy(ada, "eve"), crew.clone("bob")]
    told = 1
    for number in range(30):
        clone = dice.choice(clones)
        step = dice.choice(("add", "add", "add", "end", "prune", "pack", "sync", "sync", "fetch", "share"))
        if step == "add":
            add(clone)
            told += 1
        elif step == "end":
            journal.rotate(clone.repo)
        elif step == "prune":
            prune(Session(clone.root, NOW + timedelta(days=9)), PruneCall("1d"))
        elif step == "pack":
            folding.pack(clone.repo, 1)
        elif step == "share":
            share(clone, dice.choice(("none", "counts", "events", "full")))
        else:
            assert clone.sync(no_push=step == "fetch").exit_code == 0
        if number % 4 == 0:
            assert used(clone) == expected(clone), step
    for clone in clones:
        share(clone, "counts")
    for clone in (*clones, *clones):
        clone.sync()

    assert [helped(clone) for clone in clones] == [told] * 3
    assert [check(Session(clone.root, NOW), CheckCall()).findings for clone in clones] == [()] * 3
