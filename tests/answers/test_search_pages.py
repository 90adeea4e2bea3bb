"""What a search hands out as time goes on: nothing that is gone, one hit an item, the approved before what waits."""

import shutil
from pathlib import Path
from time import process_time

import pytest

from gitmem.answers import whooshed
from gitmem.answers.search import SearchCall, search
from gitmem.answers.session import Session
from gitmem.memory import query
from gitmem.model.contradiction import Resolution, written
from gitmem.model.moments import instant
from gitmem.model.synapse import link
from gitmem.record import replace
from tests.answers.test_neighbours import files_of
from tests.answers.test_search import NOW, note
from tests.asking import ask, knowledge, refused
from tests.support import commit_all, engram_id, git, start_repo, write_tree


def found(repo: Path, *words: str) -> list[str]:
    return [hit["slug"] for hit in ask(repo, "search", *words, "--now", NOW)["hits"]]


def start(root: Path) -> Path:
    start_repo(root)
    write_tree(root, knowledge(*[note(f"n-{n}", n, f"Amounts of zebra{n} are cents.") for n in range(1, 6)]))
    commit_all(root, "start")
    return root


def propose(root: Path, *files: dict[str, str], title: str = "several") -> str:
    for each in files:
        write_tree(root, each)
    return ask(root, "propose", "--from-worktree", "--clean", "--title", title, "--no-dedup")["proposal"]


@pytest.mark.capability("M-021")
def test_what_is_gone_is_not_found_by_a_filter_alone(tmp_path: Path) -> None:
    """F-109: the index that was there before knows it still."""
    root = start(tmp_path)
    assert len(found(root, "--kind", "fact")) == 5
    git(root, "rm", "-q", ".gitmem/engrams/api/n-3.md")
    commit_all(root, "gone")
    answer = ask(root, "search", "--kind", "fact", "--now", NOW)
    assert {hit["slug"] for hit in answer["hits"]} == {"n-1", "n-2", "n-4", "n-5"}
    assert answer["total"] == 4


def test_proposals_never_crowd_out_what_is_approved(tmp_path: Path) -> None:
    root = start(tmp_path)
    for n in range(10, 14):
        propose(root, note(f"waits-{n}", n, f"Amounts amounts amounts {'abcd'[n - 10] * 9}."))
    for limit in (1, 2, 3, 5, 8):
        hits = ask(root, "search", "amounts", "--limit", str(limit), "--now", NOW)["hits"]
        waiting = [hit["kind"] for hit in hits].count("proposal")
        assert len(hits) == limit
        assert waiting <= max(limit // 4, limit - 5), limit


def test_a_proposal_of_several_engrams_is_one_hit(tmp_path: Path) -> None:
    """F-112: an id is one hit, by the engram in it that answers best."""
    root = start(tmp_path)
    several = [note(f"giraffe-{n}", n, f"Giraffes eat leaves{' and acacia' * (n == 11)}.") for n in range(10, 13)]
    proposal = propose(root, *several)
    answer = ask(root, "search", "acacia giraffes", "--now", NOW)
    assert [(hit["id"], hit["slug"]) for hit in answer["hits"]] == [(proposal, "giraffe-11")]
    assert answer["total"] == 1


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> Path:
    """Bodies that a phrase stands in and others that only have its words; one of them beyond what passages see."""
    root = start_repo(tmp_path_factory.mktemp("library"))
    long = "word " * 21_000 + "to be or not to be told."
    files = [
        note("hamlet", 1, "To be, or not to be: that is the question."),
        note("apart", 2, "Be kind to the question, it is not that."),
        note("far-away", 3, long),
        note("in-a-path", 4, "Told in the header.", paths=("src/to/be/**",)),
    ]
    write_tree(root, knowledge(*files))
    commit_all(root, "start")
    return root


@pytest.mark.parametrize("engine", ["whoosh", "memory"])
@pytest.mark.parametrize(
    ("text", "slugs"),
    [
        ('"not to be"', {"hamlet", "far-away"}),
        ('"not to be" zebra', {"hamlet", "far-away"}),
        ('"is the question" zebra', {"hamlet"}),
        ('"to be told"', {"far-away"}),
        ('"to be" "the question"', {"hamlet"}),
        ("path:src/to/be told", {"in-a-path"}),
        ('"be kind" "kind to"', {"apart"}),
        ('"kind be"', set()),
    ],
)
def test_a_phrase_is_found_whatever_stands_beside_it(library: Path, engine: str, monkeypatch, text, slugs) -> None:
    """Stop words in quotes count, a word that nothing holds narrows nothing, and the total is of what is shown."""
    monkeypatch.setenv("GITMEM_SEARCH_ENGINE", engine)
    answer = ask(library, "search", text, "--now", NOW)
    assert {hit["slug"] for hit in answer["hits"]} == slugs
    assert answer["total"] == len(slugs)


def test_phrases_cost_no_more_than_they_are_long() -> None:
    begun = process_time()
    assert not query.holds(["a"] * 200_000, ["a"] * 2_000 + ["b"])
    assert query.holds(["a"] * 200_000 + ["b"], ["a"] * 2_000 + ["b"])
    assert len(query.read("body:the " * 11_000).phrases) == 1
    assert process_time() - begun < 2


def test_more_phrases_than_anybody_types_are_refused_and_plain_takes_them(library: Path) -> None:
    many = " ".join(f"title:w{n}" for n in range(40))
    assert "--plain" in refused(library, "search", many, code=2)["hint"]
    assert ask(library, "search", many, "--plain")["hits"] == []


def test_a_word_that_came_after_the_index_is_suggested_as_it_is_written(tmp_path: Path) -> None:
    root = start(tmp_path)
    assert ask(root, "search", "zebra3")["hits"]
    assert whooshed.build_behind(Session(root, instant(NOW)))
    write_tree(root, note("later", 9, "Connections are exhausted."))
    commit_all(root, "later")
    assert list((root / ".gitmem/cache").glob("whoosh-*"))
    assert ask(root, "search", "conections")["suggested"] == ["connections"]
    assert not ask(root, "search", "qqqq").get("suggested")


def test_weights_of_the_team_count_and_those_that_do_not_sum_to_1_are_named(tmp_path: Path) -> None:
    root = start(tmp_path)
    write_tree(
        root, {".gitmem/config.yaml": "search:\n  weights: relevance=1, recency=0, importance=0, strength=0, heat=0\n"}
    )
    commit_all(root, "words alone")
    answer = ask(root, "search", "zebra3", "--now", NOW)
    assert (answer["hits"][0]["score"], answer["warnings"]) == (1, [])

    write_tree(root, {".gitmem/config.yaml": "search:\n  weights:\n    relevance: 0.9\n"})
    commit_all(root, "too much")
    answer = ask(root, "search", "zebra3", "--now", NOW)
    assert answer["hits"][0]["score"] < 1
    assert [(each["code"], each["message"].split(";")[0]) for each in answer["warnings"]] == [
        ("setting", "search.weights must sum to 1, not 1.400")
    ]


@pytest.mark.capability("M-028")
def test_a_cache_that_keeps_nothing_is_answered_from_memory_and_named_each_time(tmp_path: Path) -> None:
    """A disk that is full, a folder in the way: the answer is the same, and says which engine gave it."""
    root = start(tmp_path)
    before = ask(root, "search", "amounts zebra3", "--now", NOW, "--explain")
    (book,) = (root / ".gitmem/cache").glob("words-*")
    book.unlink()
    book.mkdir()
    held = Session(root, instant(NOW))
    for _ in range(2):
        answer = search(held, SearchCall(text="amounts zebra3", explain=True))
        assert [hit.id for hit in answer.hits] == [hit["id"] for hit in before["hits"]]
        assert answer.environment is not None
        assert answer.environment["engine"] == "memory"
        assert "not written" in answer.environment["search"]


@pytest.fixture(scope="module")
def related(tmp_path_factory) -> Path:
    """A chain of successors, a contradiction that waits, one that was settled, and a claim that holds no more."""
    root = start_repo(tmp_path_factory.mktemp("related"))
    settled = Resolution("resolved", rationale="both hold, in different parts")
    edges = (
        link(engram_id(3), engram_id(2), "supersedes"),
        link(engram_id(2), engram_id(1), "supersedes"),
        link(engram_id(4), engram_id(5), "contradicts"),
        replace(link(engram_id(4), engram_id(6), "contradicts"), resolution=written(settled)),
    )
    bodies = ("Pears oldest.", "Pears old.", "Pears new.", "Plums.", "Sloes.", "Figs.")
    files = [note(f"fruit-{n}", n, body) for n, body in enumerate(bodies, 1)]
    claimed = note("fruit-7", 7, "Dates.", claims=[{"path": "src/gone.py"}])
    write_tree(root, knowledge(*files, claimed) | files_of(*edges))
    commit_all(root, "start")
    return root


def test_what_an_edge_supersedes_is_out_and_marked_when_asked_for(related: Path) -> None:
    """F-111, F-115: whatever the file itself says; one in the middle of a chain too."""
    assert found(related, "pears") == ["fruit-3"]
    assert found(related, "pears", "--status", "active") == ["fruit-3"]
    hits = ask(related, "search", "pears", "--status", "superseded", "--now", NOW)["hits"]
    assert {(hit["slug"], hit["status"]) for hit in hits} == {("fruit-1", "superseded"), ("fruit-2", "superseded")}


@pytest.mark.parametrize("expand", ["0", "1"])
def test_what_speaks_against_a_hit_is_told_until_it_is_settled(related: Path, expand: str) -> None:
    (plums,) = ask(related, "search", "plums", "--expand", expand, "--now", NOW)["hits"]
    assert plums["contradicts"] == [engram_id(5)]
    (figs,) = ask(related, "search", "figs", "--expand", expand, "--now", NOW)["hits"]
    assert "contradicts" not in figs
    (dates,) = ask(related, "search", "dates", "--expand", expand, "--now", NOW)["hits"]
    assert dates["claims"][0].startswith("src/gone.py: ")


@pytest.mark.capability("M-030")
def test_what_is_equal_comes_in_one_order_whatever_was_indexed_before(tmp_path: Path) -> None:
    """F-114: by id, not by the order in which files came."""
    root = start_repo(tmp_path)
    notes = {n: note(f"{'zyxwv'[n % 5]}-{n}", n, "Equal in all.", title="Equal") for n in range(1, 41)}
    for first, last in ((31, 41), (11, 31), (1, 11)):
        write_tree(root, knowledge(*(notes[n] for n in range(first, last))))
        commit_all(root, f"from {first}")
        step_by_step = ask(root, "search", "equal", "--kind", "fact", "--limit", "100", "--explain", "--now", NOW)
    shutil.rmtree(root / ".gitmem/cache")
    at_once = ask(root, "search", "equal", "--kind", "fact", "--limit", "100", "--explain", "--now", NOW)
    assert step_by_step["hits"] == at_once["hits"]
    assert [hit["id"] for hit in at_once["hits"]] == [engram_id(n) for n in range(1, 41)]


def test_what_was_perhaps_meant_hangs_on_what_was_found_and_on_no_limit(library: Path) -> None:
    assert "suggested" not in ask(library, "search", "question told questoin", "--limit", "1", "--now", NOW)
    assert ask(library, "search", "questoin", "--limit", "1", "--now", NOW)["suggested"] == ["question"]


def test_an_id_or_a_name_as_it_is_shown_finds_its_item(tmp_path: Path) -> None:
    """F-037, F-119: in any case; one that is gone or retired is not found, and is no error."""
    root = start_repo(tmp_path)
    files = [note("quite-other", 1, "Words.", title="Something"), note("old", 2, "More.", status="deprecated")]
    write_tree(root, knowledge(*files, note("gone", 3, "Gone.")))
    commit_all(root, "start")
    assert found(root, "--kind", "fact") == ["quite-other", "gone"]
    git(root, "rm", "-q", ".gitmem/engrams/api/gone.md")
    commit_all(root, "gone")
    proposal = propose(root, note("waits", 4, "Waits.", title="Later"))
    for text in (engram_id(1), engram_id(1).lower(), f" {engram_id(1)} ", "quite-other"):
        answer = ask(root, "search", text, "--now", NOW)
        assert [hit["slug"] for hit in answer["hits"]] == ["quite-other"], text
        assert answer["total"] == 1
        assert answer["hits"][0]["reasons"][0] == {"field": "name", "term": text.strip(), "weight": 1.0}
    assert "quite-other" in found(root, "api/quite-other")
    assert found(root, proposal.lower()) == ["waits"]
    for text in (engram_id(2), engram_id(3), engram_id(99)):
        assert ask(root, "search", text.lower(), "--now", NOW)["total"] == 0
    assert found(root, engram_id(2).lower(), "--status", "deprecated") == ["old"]


@pytest.mark.capability("M-021")
@pytest.mark.parametrize("verb", ["search", "list"])
def test_what_waits_is_about_a_file_by_its_scope_too(tmp_path: Path, verb: str) -> None:
    root = start(tmp_path)
    proposal = propose(root, note("scoped", 10, "Waits.", paths=("src/ui/**",)), note("other", 11, "Waits."))
    asked = (verb, "--kind", "proposal", "--path")
    assert [hit["id"] for hit in ask(root, *asked, "src/ui/a.tsx")[{"list": "items"}.get(verb, "hits")]] == [proposal]
    assert ask(root, *asked, "src/b.py")["total"] == 0


@pytest.mark.capability("M-030")
def test_a_cache_that_is_removed_under_a_server_comes_back_unseen_by_git(tmp_path: Path) -> None:
    """F-156: with its ignore file, whether the folder is gone or only that file of it."""
    root = start(tmp_path)
    held = Session(root, instant(NOW))
    for n, gone in enumerate((".gitmem/cache", ".gitmem/cache/.gitignore"), 20):
        search(held, SearchCall(text="amounts"))
        path = root / gone
        shutil.rmtree(path) if path.is_dir() else path.unlink()
        write_tree(root, note(f"n-{n}", n, f"Giraffe{n} amounts."))
        git(root, "add", ".gitmem/engrams")
        git(root, "commit", "-q", "-m", "more")
        found_now = search(held, SearchCall(text=f"giraffe{n}"))
        assert found_now.hits[0].slug == f"n-{n}"
        assert found_now.environment is not None
        assert found_now.environment["engine"] == "whoosh"
        assert git(root, "status", "--porcelain") == ""
        assert (root / ".gitmem/cache/.gitignore").exists()
