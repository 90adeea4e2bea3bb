"""A thousand engrams searched and paged, many processes beside one that commits, and caches that break in between."""

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from statistics import quantiles
from time import process_time

import pytest

from gitmem.answers.listing import ListCall, list_items
from gitmem.answers.search import SearchCall, search
from gitmem.answers.session import Session
from gitmem.model.moments import instant
from tests.answers.test_search import note
from tests.answers.test_skills import skill, skill_text
from tests.asking import ask, knowledge
from tests.support import commit_all, engram_id, git, start_repo, write_tree

NOW = instant("2026-06-01T00:00:00Z")
MANY = 1000
WORDS = tuple(f"w{a}{b}" for a in ("bo", "ka", "ri", "tu", "ze") for b in ("len", "mar", "nok", "pas", "quil", "ros"))
# Reads until it is told to stop; an answer is of one commit, or it is torn.
READER = """
import json, sys
from pathlib import Path
from gitmem.answers.listing import ListCall, list_items
from gitmem.answers.search import SearchCall, search
from gitmem.answers.session import Session
from gitmem.model.moments import instant

root, now = Path(sys.argv[1]), instant("2026-06-01T00:00:00Z")
held, asked, seen, torn = Session(root, now), 0, set(), []
while not (root.parent / "stop").exists() or not asked:
    here = held if sys.argv[2] == "server" else Session(root, now)
    found = search(here, SearchCall(text="common", limit=100))
    listed = list_items(here, ListCall(limit=500))
    for rows, total in ((found.hits, found.total), (listed.items, listed.total)):
        marks = {row.title.split()[-1] for row in rows}
        seen |= marks
        if len(marks) != 1 or total != 20:
            torn.append([sorted(marks), total])
    asked += 1
print(json.dumps({"asked": asked, "seen": len(seen), "torn": torn}))
"""


@pytest.fixture(scope="module")
def many(tmp_path_factory) -> Path:
    root = start_repo(tmp_path_factory.mktemp("many"))
    given = random.Random(7)
    notes = [
        note(f"n-{n}", n, " ".join(given.choices(WORDS, k=40)), importance=given.randrange(5) / 4)
        for n in range(1, MANY + 1)
    ]
    write_tree(root, knowledge(*notes))
    commit_all(root, "many")
    return root


@pytest.mark.capability("M-023")
def test_a_thousand_engrams_start_and_answer_at_once(many: Path) -> None:
    """Processor time, so that a busy machine fails nobody; 10,000 are measured by the benchmark of searches."""
    shutil.rmtree(many / ".gitmem/cache", ignore_errors=True)
    begun = process_time()
    assert search(Session(many, NOW), SearchCall(text="wbolen wkamar")).total > 100
    assert process_time() - begun < 5
    held, given, spent = Session(many, NOW), random.Random(3), []
    for at in range(41):
        begun = process_time()
        search(held, SearchCall(text=" ".join(given.choices(WORDS, k=1 + at % 5)), explain=True))
        spent.append(process_time() - begun)
    assert quantiles(spent[1:], n=20)[-1] < 0.05


@pytest.mark.capability("M-013")
def test_a_thousand_are_paged_each_once_in_one_order(many: Path) -> None:
    here, found, cursor, pages = Session(many, NOW), [], "", 0
    while cursor or not pages:
        page = list_items(here, ListCall(limit=77, cursor=cursor))
        assert page.total == MANY
        found += [row.id for row in page.items]
        cursor, pages = page.next, pages + 1
    whole = [row.id for limit in (500,) for row in list_items(here, ListCall(limit=limit)).items]
    assert sorted(found) == [engram_id(n) for n in range(1, MANY + 1)]
    assert found[:500] == whole
    assert pages == -(-MANY // 77)


@pytest.mark.capability("M-013")
def test_the_kinds_that_search_knows_are_listed_too(tmp_path: Path) -> None:
    root = start_repo(tmp_path)
    write_tree(root, knowledge(note("one", 1, "One."), {skill("cut"): skill_text("cut", "gitmem-stage: draft")}))
    commit_all(root, "start")
    for n in (2, 3):
        write_tree(root, note(f"waits-{n}", n, "Waits."))
    proposal = ask(root, "propose", "--from-worktree", "--clean", "--title", "two", "--no-dedup")["proposal"]
    assert [row["slug"] for row in ask(root, "list", "--kind", "skill")["items"]] == ["cut"]
    assert [row["id"] for row in ask(root, "list", "--kind", "proposal")["items"]] == [proposal]
    assert [row["slug"] for row in ask(root, "list")["items"]] == ["one"]


@pytest.mark.capability("M-029")
def test_readers_beside_a_writer_see_one_commit_each_time(tmp_path: Path) -> None:
    """F-156, F-157: half of them stay open like a server, half start anew, and the cache goes away twice."""
    root = tmp_path / "repo"
    root.mkdir()
    start_repo(root)

    def commit(mark: int) -> None:
        write_tree(root, knowledge(*(note(f"n-{n}", n, "A common word.", title=f"Note {mark}") for n in range(1, 21))))
        commit_all(root, str(mark))

    commit(0)
    path = os.pathsep.join(str(each) for each in sys.path)
    readers = [
        subprocess.Popen(
            [sys.executable, "-P", "-c", READER, str(root), "server" if n % 2 else "command"],
            env={**os.environ, "PYTHONPATH": path},
            stdout=subprocess.PIPE,
        )
        for n in range(8)
    ]
    try:
        for mark in range(1, 13):
            commit(mark)
            if mark % 5 == 0 and (root / ".gitmem/cache").exists():
                (root / ".gitmem/cache").rename(tmp_path / f"gone-{mark}")
    finally:
        (tmp_path / "stop").touch()
    for reader in readers:
        said, _ = reader.communicate(timeout=100)
        assert reader.returncode == 0
        assert json.loads(said)["torn"] == []
        assert json.loads(said)["asked"]
    assert git(root, "status", "--porcelain") == ""


@pytest.mark.capability("M-027")
def test_thirty_blows_to_the_cache_change_no_hit(tmp_path: Path) -> None:
    """F-118: bits turned, ends cut off, files swapped; each is noticed and nothing is wrong."""
    root = start_repo(tmp_path)
    write_tree(root, knowledge(*(note(f"n-{n}", n, f"A common word and zebra{n}.") for n in range(1, 20))))
    commit_all(root, "start")
    calls = [
        SearchCall(text="common zebra3", explain=True),
        SearchCall(text='"common word" zebra5', explain=True),
        SearchCall(kind=("fact",), explain=True),
    ]

    def answers() -> list[object]:
        here = Session(root, NOW)
        found = [search(here, call) for call in calls]
        return [*((each.hits, each.total) for each in found), list_items(here, ListCall()).items]

    sound, given = answers(), random.Random(11)
    for _ in range(30):
        files = sorted(path for path in (root / ".gitmem/cache").iterdir() if path.suffix in (".seg", ".json"))
        path, other = given.choice(files), given.choice(files)
        data = bytearray(path.read_bytes())
        blow = given.randrange(4)
        if blow == 0:
            data[given.randrange(len(data))] ^= 1 << given.randrange(8)
        elif blow == 1:
            del data[given.randrange(len(data)) :]
        elif blow == 2:
            data += b"more"
        else:
            data = bytearray(other.read_bytes())
        path.write_bytes(data)
        assert answers() == sound, (path.name, blow)


@pytest.mark.capability("M-030")
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.long), pytest.param(3, marks=pytest.mark.long)])
def test_step_by_step_and_at_once_are_one_index(tmp_path: Path, seed: int) -> None:
    """F-114: after commits that add, change, move and remove, the hits are those of a cache that was never there."""
    given = random.Random(seed)
    root, files = start_repo(tmp_path), dict[int, dict[str, str]]()
    calls = [
        SearchCall(text="wbolen wkamar", explain=True, limit=100),
        SearchCall(text='"wbolen wbomar" wkanok', explain=True, limit=100),
        SearchCall(text="title:wbolen", explain=True, limit=100),
        SearchCall(kind=("fact",), explain=True, limit=100),
    ]

    def answers() -> list[object]:
        here = Session(root, NOW)
        return [*((found.hits, found.total) for found in (search(here, call) for call in calls))]

    for step in range(6):
        for n in given.sample(range(1, 40), 20 if step == 0 else given.choice((1, 3, 8))):
            slug, text = f"{given.choice('ab')}-{n}", " ".join(given.choices(WORDS, k=given.randrange(1, 20)))
            title = " ".join(given.choices(WORDS, k=2))
            files[n] = {} if given.random() < 0.2 else note(slug, n, text, title=title, tags=[given.choice("xy")])
        shutil.rmtree(root / ".gitmem/engrams", ignore_errors=True)
        write_tree(root, knowledge(*files.values()))
        commit_all(root, str(step))
        by_step = answers()
        (root / ".gitmem/cache").rename(tmp_path / "kept")
        assert answers() == by_step
        shutil.rmtree(root / ".gitmem/cache")
        (tmp_path / "kept").rename(root / ".gitmem/cache")
