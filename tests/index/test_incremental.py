"""An index that was kept up commit by commit is the one that is built at once."""

import json
import random
from pathlib import Path

import pytest

from gitmem.answers.assembly import compile_rules
from gitmem.answers.bodies import Bodies
from gitmem.index import refresh
from gitmem.index.edges import edges
from gitmem.index.knowledge import Knowledge
from gitmem.model.compiled import CompileRequest
from gitmem.model.plain import canonical, plain
from gitmem.store import cache as caches
from gitmem.store import objects
from gitmem.store.cache import Cache
from gitmem.store.repo import Repo, discover
from tests.asking import CONFIG, ask, index_files, knowledge, rule
from tests.conftest import MakeRepo
from tests.index.random_history import History
from tests.support import commit_all, git, run_inproc, write_tree

REQUESTS = (
    CompileRequest(("src/api/client.ts", "src/ui/form.ts"), plan="word retry client"),
    CompileRequest(("docs/a.md",), layers=("ui",), mode="always", max_inline_bytes=2000),
    CompileRequest(("lib/x.py", "README.md"), command="scaffold", mode="metadata"),
)


def tree_of(repo: Repo) -> str:
    found = objects.look_up(repo, ["HEAD:.gitmem"])[0]
    return found[0] if found else ""


def told(knowledge: Knowledge, bodies: Bodies) -> dict[str, object]:
    """Everything that an answer can rest on."""
    cards = sorted(knowledge.cards(), key=lambda card: card.path)
    names = sorted({name for card in cards for name in (card.id, card.slug, card.name, card.id.lower()) if name})
    return {
        "facts": plain(knowledge.facts),
        "settings": knowledge.settings,
        "cards": [card.dump() for card in cards],
        "names": {name: sorted(card.path for card in knowledge.by_reference(name)) for name in names},
        "needed": {name: sorted(card.path for card in knowledge.under(f"needs:{name}")) for name in names},
        "edges": {item: edges(knowledge, item) for item in sorted({end for card in cards for end in card.edge[:2]})},
        "compiled": [canonical(plain(compile_rules(bodies, knowledge, each, ()).compiled)) for each in REQUESTS],
    }


def assert_same(repo: Repo, cache: Cache, bodies: Bodies, what: str) -> None:
    tree = tree_of(repo)
    kept_up = refresh.open_tree(repo, cache, tree)
    opened_again = refresh.open_tree(repo, cache, tree)
    at_once = refresh.open_tree(repo, Cache(None, b"k" * 32), tree)

    assert kept_up.notes == opened_again.notes == ()
    wanted = told(at_once.knowledge, bodies)
    for name, found in (("kept up", kept_up), ("opened again", opened_again)):
        seen = told(found.knowledge, bodies)
        assert seen == wanted, f"{name} differs after: {what}: {[key for key in wanted if seen[key] != wanted[key]]}"


@pytest.mark.parametrize(("commits", "seed"), [(60, 1), pytest.param(200, 2, marks=pytest.mark.long)])
@pytest.mark.capability("G-012")
def test_after_every_random_commit_the_index_is_as_if_built_anew(make_repo: MakeRepo, commits: int, seed: int) -> None:
    """F-114, F-115: facts, counts, problems, duplicates, names, snapshot and compiles are equal."""
    root = make_repo(CONFIG)
    repo = discover(root)
    cache, bodies = caches.open_cache(repo, is_tracked=False), Bodies(repo)
    history = History(root, seed)

    for _ in range(commits):
        assert_same(repo, cache, bodies, history.step())

    assert len(history.files()) > commits // 2


def test_more_than_a_difference_makes_a_new_base_that_is_as_if_built_anew(make_repo: MakeRepo) -> None:
    root = make_repo(CONFIG)
    repo = discover(root)
    cache, bodies = caches.open_cache(repo, is_tracked=False), Bodies(repo)
    history = History(root, 3)
    history.flood(40)
    for _ in range(12):
        history.step()
    assert_same(repo, cache, bodies, "steps")
    bases = set(cache.folder.glob("base-*"))

    history.flood(280)

    assert_same(repo, cache, bodies, "flood")
    assert set(cache.folder.glob("base-*")) - bases
    history.step()
    assert_same(repo, cache, bodies, "a step on the new base")


def test_a_link_and_a_file_of_the_same_bytes_are_told_apart(make_repo: MakeRepo) -> None:
    """Both are one blob; only the link is refused."""
    root = make_repo(CONFIG | dict.fromkeys((f".gitmem/engrams/f{n}.md" for n in range(300)), "x\n"))
    repo = discover(root)
    cache, bodies = caches.open_cache(repo, is_tracked=False), Bodies(repo)
    text = rule("one", 1, "src/**")[".gitmem/engrams/api/one.md"]
    (root / ".gitmem/engrams/link.md").symlink_to(text)
    commit_all(root, "link")
    assert_same(repo, cache, bodies, "link")

    (root / ".gitmem/engrams/one.md").write_text(text)
    for n in range(300):
        (root / f".gitmem/engrams/f{n}.md").unlink()
    commit_all(root, "file")

    assert_same(repo, cache, bodies, "file")
    assert [card.path for card in refresh.open_tree(repo, cache, tree_of(repo)).knowledge.by_reference("one")] == [
        "engrams/one.md"
    ]


@pytest.mark.capability("G-001")
def test_going_back_and_forth_between_branches_answers_from_the_tree_at_hand(make_repo: MakeRepo) -> None:
    """F-057."""
    root = make_repo(knowledge(rule("shared", 1, "src/**")))
    repo = discover(root)
    cache, bodies = caches.open_cache(repo, is_tracked=False), Bodies(repo)
    for branch in ("left", "right"):
        git(root, "switch", "--quiet", "--create", branch, "main")
        write_tree(root, rule(branch, 2, "src/**"))
        commit_all(root, branch)

    for branch in ("left", "right", "main", "left"):
        git(root, "switch", "--quiet", branch)
        assert_same(repo, cache, bodies, branch)
        slugs = {card.slug for card in refresh.open_tree(repo, cache, tree_of(repo)).knowledge.cards() if card.id}
        assert slugs == {"shared"} | {branch} - {"main"}


def test_a_cold_a_warm_and_a_missing_cache_give_equal_answers(make_repo: MakeRepo) -> None:
    """F-108."""
    root = make_repo(knowledge(*(rule(f"r{n}", n, "src/**", requires=["r1"]) for n in range(1, 40))))
    git(root, "config", "gitmem.journal", "off")
    words = [
        ("compile", "src/a.ts", "--plan", "r3 or r4"),
        ("list",),
        ("get", "r1", "r2"),
        ("overview",),
        ("why-not", "r1", "docs/a"),
    ]

    cold = [ask(root, *each) for each in words]
    warm = [ask(root, *each) for each in words]
    for path in (root / ".gitmem/cache").iterdir():
        path.unlink()

    assert [ask(root, *each) for each in words] == warm == cold


@pytest.mark.capability("G-002")
def test_a_tree_that_was_seen_once_is_not_read_again(make_repo: MakeRepo) -> None:
    root = make_repo(knowledge(*(rule(f"r{n}", n, "src/**", body=f"{n}\n") for n in range(1, 30))))
    first = ask(root, "compile", "src/a.ts", "--mode", "metadata")
    git(root, "commit", "--quiet", "--allow-empty", "--message", "code only")
    for path in root.glob(".git/objects/??/*"):
        is_blob = git(root, "cat-file", "-t", path.parent.name + path.name).strip() == "blob"
        if is_blob:
            path.chmod(0o644)
            path.write_bytes(b"unreadable")

    again = ask(root, "compile", "src/a.ts", "--mode", "metadata")

    assert again["base"] == first["base"]
    assert again["environment"] == first["environment"] | {"commit": git(root, "rev-parse", "HEAD").strip()}


def test_worktrees_share_one_cache(make_repo: MakeRepo) -> None:
    """F-056: the common folder of Git is what makes a repository one."""
    root = make_repo(knowledge(rule("one", 1, "src/**")))
    second = root.parent / "second"
    git(root, "worktree", "add", "--quiet", "-b", "side", str(second))
    before = ask(root, "compile", "src/a.ts")
    kept = index_files(root / ".gitmem/cache")

    there = ask(second, "compile", "src/a.ts")

    assert there == before | {"environment": before["environment"] | {"root": str(second)}}
    assert index_files(root / ".gitmem/cache") == kept
    assert not (second / ".gitmem/cache").exists()
    assert git(second, "status", "--porcelain") == ""


def test_views_of_old_commits_do_not_pile_up(make_repo: MakeRepo) -> None:
    root = make_repo(knowledge(rule("one", 1, "src/**")))
    repo = discover(root)
    cache = caches.open_cache(repo, is_tracked=False)
    trees = []
    for number in range(80):
        blob = git(root, "hash-object", "-w", "--stdin", stdin=f"format: 1\n# {number}\n").strip()
        git(root, "update-index", "--cacheinfo", f"100644,{blob},.gitmem/config.yaml")
        trees.append(git(root, "rev-parse", f"{git(root, 'write-tree').strip()}:.gitmem").strip())

    for tree in trees:
        refresh.open_tree(repo, cache, tree)

    assert len(list(cache.folder.glob("view-*"))) == 64
    assert refresh.open_tree(repo, cache, trees[0]).knowledge.facts.tree == trees[0]


def damage(path: Path, draw: random.Random) -> None:
    """Flips a bit, cuts the end off, or empties the file."""
    data = bytearray(path.read_bytes())
    kind = draw.randrange(4)
    if kind == 0:
        data = data[: draw.randrange(len(data))]
    elif kind == 1:
        data = bytearray()
    else:
        data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
    path.write_bytes(data)


VERBS = (
    ("compile", "src/a.ts", "--explain"),
    ("list", "--path", "src/a.ts"),
    ("get", "r7", "r21"),
    ("why-not", "r9", "docs/a.md"),
    ("overview",),
    ("check",),
    ("edit", "r3", "title", "R3"),
    ("fmt", "--check"),
    ("rm", "nobody"),
)


@pytest.mark.parametrize("times", [40, pytest.param(500, marks=pytest.mark.long)])
def test_damage_to_any_cache_file_changes_no_answer_of_any_verb(make_repo: MakeRepo, times: int) -> None:
    """F-118: a flipped bit, a cut or an empty file; the answer stays, and the environment says what was rebuilt."""
    root = make_repo(
        knowledge(*(rule(f"r{n}", n, f"src/{'**' if n % 2 else 'b/**'}", title=f"R{n}") for n in range(1, 60)))
    )
    write_tree(root, rule("late", 99, "src/**"))
    git(root, "config", "gitmem.journal", "off")
    ask(root, "compile", "src/a.ts")
    commit_all(root, "late")
    words = [(*each, "--json") for each in VERBS]
    usual = [without_place(root, each) for each in words]
    draw, notes = random.Random(times), set()
    for _ in range(times):
        files = sorted(
            path for path in (root / ".gitmem/cache").iterdir() if path.name != ".gitignore" and path.stat().st_size
        )
        damage(draw.choice(files), draw)
        at = draw.randrange(len(words))
        found = without_place(root, words[at], notes)
        assert found == usual[at], words[at]

    assert any("was damaged and has been rebuilt" in note for note in notes)


def without_place(root: Path, words: tuple[str, ...], notes: set[str] | None = None) -> tuple[int, object]:
    done = run_inproc(root, *words)
    answer = json.loads(done.out)
    environment = answer.pop("environment", {})
    if notes is not None and "cache" in environment:
        notes.add(environment["cache"])
    return done.code, answer
