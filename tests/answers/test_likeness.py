"""What a new text repeats, rewords or contradicts: verdicts, what counts as known, and what a cold cache says."""

import random
from pathlib import Path

import pytest

from gitmem.answers.likeness import Against, Alike, Draft, Waiting, likeness_of
from gitmem.answers.reading import Place, open_place, read
from gitmem.index import sketches
from gitmem.index.sketching import AT_ONCE_MAX, SLICE
from gitmem.record import replace
from tests.asking import ask, codes, knowledge, rule
from tests.conftest import MakeRepo
from tests.support import commit_all, engram_id, engram_text, git, write_tree

RETRY = (
    "Requests to the payment gateway are repeated at most three times, with a pause that doubles each time. "
    "The pause begins at two hundred milliseconds and carries a random share of itself, so that clients which failed "
    "together do not come back together. A request that changes money is repeated only with its idempotency key.\n"
)
REWORDED = RETRY.replace("repeated at most three times", "tried again at most three times")
HALF = (
    RETRY.split(". ")[0]
    + ". "
    + "Dashboards show each attempt under the trace of the first, so that nobody counts twice.\n"
)
OTHER = "Migrations of the database run one by one, and each can be undone by the one that it names.\n"
TABS = "Always use tabs for indentation.\n"
SPACES = "Always use spaces for indentation.\n"


@pytest.fixture
def repo(make_repo: MakeRepo) -> Path:
    return make_repo(
        knowledge(
            rule("retry", 1, "src/pay/**", body=RETRY, title="Repeat payments with care"),
            rule("migrations", 2, "db/**", body=OTHER),
            rule("tabs", 3, "src/**", body=TABS, title="Indentation"),
        )
    )


def place_of(repo: Path) -> Place:
    return open_place(repo)


def like(repo: Path, title: str, body: str, *paths: str, waiting: tuple[Waiting, ...] = (), **over: object) -> Alike:
    place = place_of(repo)
    return likeness_of(Against(place, read(place).tree, waiting), Draft(title, body, paths=paths, **over))  # type: ignore[arg-type]  # reason: keywords are passed on


@pytest.mark.parametrize(
    ("title", "body", "verdict", "target"),
    [
        ("Anything", RETRY, "duplicate", engram_id(1)),
        ("Anything", RETRY.upper().replace(". ", ".\n\n"), "update", engram_id(1)),
        ("Anything", f"\n{RETRY.replace('. ', '.' + chr(10))}\n", "duplicate", engram_id(1)),
        ("Anything", REWORDED, "update", engram_id(1)),
        ("Anything", HALF, "new", ""),
        ("Anything", "Lamps are lit at dusk.\n", "new", ""),
    ],
    ids=["equal", "paragraphs in capitals", "wrapped", "reworded", "half", "new"],
)
def test_a_text_is_new_or_known_or_a_new_wording(repo, title, body, verdict, target):
    found = like(repo, title, body)

    assert (found.verdict, found.target) == (verdict, target), found
    assert found.warnings == ()


def test_near_texts_are_named_with_their_place_nearest_first(repo):
    found = like(repo, "Anything", HALF)

    assert [(each.item, each.slug, each.path) for each in found.candidates] == [
        (engram_id(1), "retry", ".gitmem/engrams/api/retry.md")
    ]
    assert 30 <= found.candidates[0].percent < 85


def test_what_opposes_an_engram_for_the_same_files_is_named_with_both_sentences(repo):
    (found,) = like(repo, "Whitespace", SPACES, "src/app/**").contradictions

    assert (found.item, found.slug, found.path) == (engram_id(3), "tabs", ".gitmem/engrams/api/tabs.md")
    assert ("spaces" in found.mine, "tabs" in found.theirs, found.reason) == (True, True, "spaces against tabs")


@pytest.mark.parametrize("paths", [("db/**",), ("docs/*.md",)])
def test_what_never_applies_to_the_same_files_opposes_nothing(repo, paths):
    assert like(repo, "Whitespace", SPACES, *paths).contradictions == ()


def test_an_engram_is_not_compared_with_itself(repo):
    assert like(repo, "Repeat payments with care", RETRY, item=engram_id(1)).verdict == "new"
    assert like(repo, "Whitespace", SPACES, "src/**", item=engram_id(3)).contradictions == ()


@pytest.mark.parametrize(
    ("over", "verdict"),
    [
        ({"status": "draft"}, "duplicate"),
        ({"status": "frozen"}, "duplicate"),
        ({"status": "deprecated"}, "new"),
        ({"status": "superseded"}, "new"),
        ({"status": "forgotten"}, "new"),
        ({"visibility": "restricted"}, "duplicate"),
        ({"visibility": "private"}, "new"),
    ],
)
def test_only_what_is_alive_is_known(make_repo, over, verdict):
    repo = make_repo(knowledge(rule("retry", 1, "src/**", body=RETRY, **over)))

    assert like(repo, "Anything", RETRY).verdict == verdict


def test_who_may_not_know_of_restricted_engrams_does_not_learn_of_them(make_repo):
    repo = make_repo(knowledge(rule("tabs", 1, "src/**", body=TABS, visibility="restricted")))
    place = place_of(repo)
    against = Against(place, read(place).tree, hides_restricted=True)

    assert likeness_of(against, Draft("T", TABS)).verdict == "new"
    assert likeness_of(against, Draft("T", SPACES, paths=("src/**",))).contradictions == ()


def test_what_waits_is_known_too_under_its_label(repo):
    text = engram_text(id=engram_id(9), title="Lamps", body="Lamps are lit at dusk, and put out at dawn.\n")
    blob = git(repo, "hash-object", "-w", "--stdin", stdin=text).strip()
    in_git = Waiting("proposal P1", "engrams/api/lamps.md", blob)
    at_hand = Waiting("", "engrams/api/lamps.md", "disk-1", text.encode())

    for waiting, target in ((in_git, "proposal P1"), (at_hand, engram_id(9))):
        for _ in range(2):
            found = like(repo, "Any", "Lamps are lit at dusk, and put out at dawn.\n", waiting=(waiting,))
            assert (found.verdict, found.target) == ("duplicate", target)
    assert like(repo, "Any", "Lamps are lit at dusk, and put out at dawn.\n").verdict == "new"


def test_the_tree_at_hand_decides_and_not_what_was_sketched_before(repo):
    """Branches share the cache."""
    assert like(repo, "Any", RETRY).verdict == "duplicate"
    git(repo, "checkout", "--quiet", "-b", "other")
    write_tree(repo, rule("retry", 1, "src/pay/**", body=OTHER.replace("one", "two"), title="Changed"))
    commit_all(repo, "changed")

    assert like(repo, "Any", RETRY).verdict == "new"
    git(repo, "checkout", "--quiet", "main")
    assert like(repo, "Any", RETRY).verdict == "duplicate"


def test_a_look_at_no_knowledge_and_a_lost_tree_forget_no_sketch(repo):
    """What is known by blob is not made again, else a large repository would be cold once more."""
    wanted = like(repo, "Any", REWORDED)
    place = place_of(repo)
    before = sketches.load(place.cache)

    assert likeness_of(Against(place, ""), Draft("Any", RETRY)).verdict == "new"
    assert sketches.load(place.cache) == before
    sketches.save(place.cache, replace(before, tree="0" * 40))
    assert like(repo, "Any", REWORDED) == wanted
    assert sketches.load(place.cache) == before


@pytest.mark.parametrize("spoil", ["remove", "write", "truncate"])
def test_a_cache_that_is_gone_or_damaged_changes_no_answer(repo, spoil):
    wanted = like(repo, "Whitespace", SPACES, "src/**")
    for path in (repo / ".gitmem/cache").glob("alike-*"):
        if spoil == "remove":
            path.unlink()
        else:
            path.write_bytes(b"x" * 40 if spoil == "write" else path.read_bytes()[:30])

    assert like(repo, "Whitespace", SPACES, "src/**") == wanted


def test_a_cache_that_cannot_be_written_changes_no_answer(repo):
    wanted = like(repo, "Any", REWORDED)
    place = place_of(repo)
    nowhere = Place(place.repo, place.git_config, type(place.cache)(None, b"k" * 32), place.bodies)

    assert likeness_of(Against(nowhere, read(place).tree), Draft("Any", REWORDED)) == wanted


def test_new_names_what_the_work_tree_holds_already(repo):
    write_tree(repo, rule("lamps", 7, kind="fact", body="Lamps are lit at dusk, and put out at dawn.\n"))
    note = repo.parent / "note.md"

    note.write_text("Lamps are lit at dusk, and put out at dawn\n")
    same = ask(repo, "new", "fact", "Lamps again", "--body", str(note))
    note.write_text(SPACES)
    opposed = ask(repo, "new", "guideline", "Whitespace", "--path", "src/**", "--body", str(note))

    assert [(each["code"], each["place"]) for each in same["warnings"]] == [
        ("duplicate", ".gitmem/engrams/api/lamps.md")
    ]
    assert [(each["code"], each["place"]) for each in opposed["warnings"]] == [
        ("contradicts", ".gitmem/engrams/api/tabs.md")
    ]


def test_new_warns_of_nothing_where_nothing_is_alike(repo):
    assert codes(ask(repo, "new", "fact", "Lamps", stdin="Lamps are lit at dusk.\n")["warnings"]) == []


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    draw = random.Random(5)
    words = [f"word{n}" for n in range(4000)]
    files = {".gitmem/config.yaml": "format: 1\n"}
    for n in range(1, AT_ONCE_MAX + SLICE // 2 + 100):
        body = " ".join(draw.sample(words, 12)) + "\n"
        files |= rule(f"rule-{n}", n, kind="fact", domain=f"d{n % 9}", title=f"Rule {n}", body=body)
    return files


def test_while_most_sketches_are_to_be_made_a_call_says_what_it_compared(make_repo, large):
    """Equal bodies are found at once, the rest after as many calls as it takes."""
    repo = make_repo(large)
    body = max(large.items(), key=lambda row: row[0])[1].rpartition("---\n")[2]
    near = body.replace("word", "term", 2)

    first = like(repo, "Any", body)
    assert first.verdict == "duplicate"
    assert codes([{"code": each.code} for each in first.warnings]) == ["likeness-cold"]
    assert like(repo, "Any", near).candidates == ()

    warm = like(repo, "Any", near)
    assert ([each.title for each in warm.candidates], warm.warnings) == (["Rule 998"], ())


def test_sketches_kept_up_commit_by_commit_find_what_those_made_at_once_find(make_repo):
    draw = random.Random(11)
    repo = make_repo(knowledge())
    words = [f"w{n}" for n in range(60)]
    texts: dict[int, str] = {}
    for step in range(40):
        for number in draw.sample(range(30), 3):
            texts[number] = " ".join(draw.choices(words, k=14)) + ". " + draw.choice((TABS, SPACES))
            write_tree(repo, rule(f"r{number}", number, "src/**", title=f"R {number}", body=texts[number]))
        if not step % 7 and texts:
            gone = draw.choice(sorted(texts))
            (repo / f".gitmem/engrams/api/r{gone}.md").unlink()
            del texts[gone]
        commit_all(repo, f"step {step}")
        body = " ".join(texts[draw.choice(sorted(texts))].split()[: draw.randint(6, 20)]) + "\n"
        kept_up = like(repo, "Any", body, "src/**")
        if not step % 8:
            head = repo / ".gitmem/cache" / sketches.HEAD
            kept = head.read_bytes()
            head.unlink()
            assert like(repo, "Any", body, "src/**") == kept_up
            head.write_bytes(kept)
