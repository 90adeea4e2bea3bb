"""Three ways to one ranking: Whoosh, arrays from a file, arrays in memory; and a cache file that is not ours."""

import pickle
from pathlib import Path

import pytest

from gitmem.answers import finding, searching, whooshed
from gitmem.answers.reading import ask as asked_of
from gitmem.answers.reading import read
from gitmem.answers.search import SearchCall, search
from gitmem.answers.session import Session
from gitmem.index import bookmaking
from gitmem.memory import query, relevance
from gitmem.memory.filters import Filters
from gitmem.model.moments import instant
from gitmem.record import replace
from tests.public import needs_data, real_texts
from tests.support import commit_all, engram_id, engram_text, start_repo, write_tree

NOW = instant("2026-06-01T00:00:00Z")
QUESTIONS = (
    "retry failed calls",
    "the board task status",
    "how are dates shown in the terminal",
    "src/cli.ts tests",
    "drag and drop between columns",
    "what",
    "config yaml default value command line flag",
)


def bodies() -> list[str]:
    return [f"Number {n} calls the board with status {n % 7} and retries {n % 3} failed tests.\n" for n in range(40)]


@pytest.fixture(scope="module")
def root(tmp_path_factory) -> Path:
    home = start_repo(tmp_path_factory.mktemp("fulltext"))
    write_tree(
        home,
        {
            f".gitmem/engrams/notes/note-{n}.md": engram_text(
                id=engram_id(n + 1), title=f"Note {n} on {'boards' if n % 2 else 'tasks'}", tags=["cli"], body=body
            )
            for n, body in enumerate(bodies())
        },
    )
    commit_all(home, "notes")
    return home


def session(root: Path, engine: str = "whoosh") -> Session:
    return Session(root, NOW, engine=engine)


def ids(root: Path, text: str, engine: str) -> list[tuple[str, float]]:
    call = SearchCall(text=text, limit=20, explain=True, expand=0)
    return [(hit.id, hit.score) for hit in search(session(root, engine), call).hits]


@pytest.mark.capability("M-026")
@pytest.mark.parametrize("text", [*QUESTIONS, '"failed tests"', "title:boards", "tags:cli retries"])
def test_engines_give_the_same_hits(root: Path, text: str) -> None:
    arrays = ids(root, text, "whoosh")
    assert arrays == ids(root, text, "memory")
    whooshed.build_behind(session(root))
    assert ids(root, text, "whoosh") == arrays


@pytest.mark.capability("M-026")
def test_whoosh_counts_what_the_arrays_count(root: Path) -> None:
    """The scorer is one; fed from Whoosh's own postings it ranks the same."""
    here = session(root)
    whooshed.build_behind(here)
    reading = read(here.place)

    def compare(knowledge) -> None:
        words = searching.opened(here, reading, knowledge).words
        full = whooshed.of_base(here.place, knowledge.base)
        assert words.book is not None
        assert full is not None
        for term, _ in words.book.terms():
            one, other = words.book.postings(term), full.postings(term)
            assert list(one.documents) == list(other.documents), term
            assert list(one.weights) == list(other.weights), term
            assert list(one.fields) == list(other.fields), term

    asked_of(reading, compare)


def test_whoosh_is_asked_for_quotes_fields_and_spelling(root: Path) -> None:
    here = session(root)
    whooshed.build_behind(here)
    reading = read(here.place)

    def compare(knowledge) -> None:
        opened = searching.opened(here, reading, knowledge)
        call = SearchCall(text="x")
        desk, _ = finding.desk_of(here, reading, opened, call)
        full = finding.fulltext_of(desk, "whoosh")
        assert full is not None
        assert finding.fulltext_of(desk, "memory") is None
        assert full.holding(("board",), "title")
        assert not full.holding(("board", "nowher"))
        assert full.suggest("bord", 1) == ["board"] or full.suggest("bord", 1)
        found = finding.find(here, reading, opened, (call, query.read('"failed tests"'), Filters()))
        assert found.total == 40

    asked_of(reading, compare)


class Canary:
    def __reduce__(self):
        return (Path.touch, (Path(self.__dict__["path"]),))

    def __init__(self, path: Path) -> None:
        self.path = str(path)


@pytest.mark.capability("M-027")
def test_a_planted_pickle_in_the_cache_is_never_opened(root: Path, tmp_path: Path) -> None:
    here = session(root)
    whooshed.build_behind(here)
    cache = here.place.cache.folder
    assert cache is not None
    (file,) = cache.glob("whoosh-*.seg")
    canary = tmp_path / "canary"
    sound = file.read_bytes()
    file.write_bytes(pickle.dumps(Canary(canary)) * 50)
    try:
        assert ids(root, '"failed tests"', "whoosh") == ids(root, '"failed tests"', "memory")
        for at in range(0, len(sound), max(1, len(sound) // 15)):
            file.write_bytes(sound[:at] + bytes([sound[at] ^ 1]) + sound[at + 1 :])
            assert ids(root, '"failed tests"', "whoosh") == ids(root, '"failed tests"', "memory")
    finally:
        file.write_bytes(sound)
    assert not canary.exists()


@pytest.mark.capability("M-030")
def test_ranks_do_not_depend_on_what_was_indexed_before(root: Path, tmp_path: Path) -> None:
    """F-114: step by step or at once, the hits are the same."""
    home = start_repo(tmp_path)
    texts = bodies()
    for start in range(0, 40, 8):
        write_tree(
            home,
            {
                f".gitmem/engrams/notes/note-{n}.md": engram_text(
                    id=engram_id(n + 1),
                    title=f"Note {n} on {'boards' if n % 2 else 'tasks'}",
                    tags=["cli"],
                    body=texts[n] if start else "Something else that goes away, zebra.\n" + texts[n],
                )
                for n in range(0, start + 8)
            },
        )
        commit_all(home, f"step {start}")
        ids(home, "retry", "whoosh")
    write_tree(home, {".gitmem/config.yaml": "format: 1\n"})
    for text in QUESTIONS:
        assert ids(home, text, "whoosh") == ids(home, text, "memory") == ids(root, text, "whoosh"), text


@needs_data
@pytest.mark.long
def test_parity_on_real_texts(tmp_path: Path) -> None:
    home = start_repo(tmp_path)
    texts = [text for _, text in real_texts()][:200]
    files = {}
    for n, text in enumerate(texts):
        body = text.replace("\r", "").strip() or "empty"
        files[f".gitmem/engrams/n/note-{n}.md"] = engram_text(
            id=engram_id(n + 1), title=f"Note {n}", body=f"\n{body}\n"
        )
    write_tree(home, files)
    commit_all(home, "real")
    for text in QUESTIONS:
        assert ids(home, text, "whoosh") == ids(home, text, "memory"), text


def test_a_book_of_another_version_is_built_anew(root: Path, monkeypatch) -> None:
    before = ids(root, "retry failed", "whoosh")
    monkeypatch.setattr("gitmem.index.postings.VERSION", 999)
    here = session(root)
    reading = read(here.place)
    knowledge = searching.opened(here, reading, asked_of(reading, lambda k: k)[0]).words.knowledge
    assert knowledge.base is not None
    assert bookmaking.open_book(replace(here.place.cache, folder=None), knowledge.base) is None
    assert ids(root, "retry failed", "whoosh") == before


def test_only_so_many_terms_of_a_long_question_are_asked_for(root: Path) -> None:
    here = session(root)
    reading = read(here.place)
    words = asked_of(reading, lambda k: searching.opened(here, reading, k).words)[0]
    assert len(relevance.asked(words, query.words(" ".join(bodies())).forms)) <= relevance.TERMS_MAX
