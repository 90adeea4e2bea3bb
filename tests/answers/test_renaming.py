"""Rules follow the files that they are about: a folder is renamed, and one proposal says so for all that names it."""

from pathlib import Path

import pytest

from gitmem.answers.renaming import FollowCall, Followed, Renamed, follow
from gitmem.errors import GitmemError
from gitmem.text.spans import digest
from tests.answers.decided import checked
from tests.answers.people import Crew, Person, crew
from tests.conftest import MakeRepo
from tests.support import engram_id, engram_text, git, run_inproc, write_tree

pytestmark = pytest.mark.capability("G-009")

CODE = "".join(f"line {number} of it\n" for number in range(30))
USERS = "src/api/users.py"
WHOLE, PART, CLAIMED, MIRROR = (f"engrams/api/{name}.md" for name in ("whole", "part", "claimed", "mirror"))


def rule(number: int, *paths: str, **over: object) -> str:
    scope = {"paths": list(paths)} if paths else None
    given: dict[str, object] = {"id": engram_id(number), "title": f"Rule {number}", "scope": scope} | over
    return engram_text(**given)  # type: ignore[arg-type]  # reason: keywords are passed on


def claiming() -> str:
    rows = "claims:\n  - path: src/api/users.py\n    hash: " + f'"{digest(CODE)}"\n  - path: src/app.py\n'
    return rule(13, "src/**").replace("tags:", f"{rows}tags:")


FILES: dict[str, str | bytes] = {
    ".gitmem/config.yaml": "format: 1\n",
    f".gitmem/{WHOLE}": rule(11, "src/api/**"),
    f".gitmem/{PART}": rule(12, "src/api/v1/*.py", "docs/**", priority=3),
    f".gitmem/{CLAIMED}": claiming(),
    f".gitmem/{MIRROR}": rule(
        14, body="# API\n\nText.\n", source={"path": "src/api/API.md", "hash": digest("# API\n\nText.")}
    ),
    USERS: CODE,
    "src/api/v1/old.py": CODE.replace("line", "row"),
    "src/api/API.md": "# API\n\nText.\n",
    "src/app.py": "print(1)\n",
    "docs/a.md": "A\n",
}


@pytest.fixture
def ada(make_repo: MakeRepo) -> Person:
    return Person(make_repo(FILES)).named("Ada", "ada@example.org")


def followed(who: Person, **more: bool) -> Followed:
    return follow(who.session(), FollowCall(**more))


def only(done: Followed) -> Renamed:
    assert len(done.renames) == 1, done
    return done.renames[0]


def renamed(who: Person, old: str = "src/api", new: str = "src/http") -> None:
    (who.root / new).parent.mkdir(parents=True, exist_ok=True)
    who.git("mv", old, new)
    who.write({}, f"{old} is {new}")


def warnings(who: Person) -> dict[str, str]:
    rows = checked(who.root)["findings"]
    return {row["message"].split("'")[1]: row["hint"] for row in rows if row["code"] == "no-file-matches"}


def test_a_renamed_folder_is_one_proposal_for_rules_claims_and_sources(ada: Person) -> None:
    renamed(ada)
    before = (ada.head(), ada.dirt())

    done = followed(ada)

    row = only(done)
    assert (row.old, row.new, row.outcome) == ("src/api", "src/http", "proposed")
    assert {(step.slug, step.part, step.new) for step in row.steps} == {
        ("whole", "paths", "src/http/**"),
        ("part", "paths", "src/http/v1/*.py"),
        ("claimed", "claims", "src/http/users.py"),
        ("mirror", "source", "src/http/API.md"),
    }
    assert (ada.head(), ada.dirt()) == before
    tip = ada.tip(row.proposal)
    for item in (WHOLE, PART, CLAIMED, MIRROR):
        assert ada.read(item, tip) == ada.read(item).replace("src/api", "src/http")


def test_once_it_has_landed_there_is_nothing_to_follow(ada: Person) -> None:
    renamed(ada)
    ada.approve(only(followed(ada)).proposal)

    assert followed(ada).renames == ()
    assert warnings(ada) == {}


def test_check_names_the_new_pattern(ada: Person) -> None:
    assert warnings(ada) == {}
    renamed(ada)

    found = warnings(ada)

    assert "'src/http/**'" in found["src/api/**"]
    assert "gitmem scopes follow" in found["src/api/**"]
    assert "'src/http/v1/*.py'" in found["src/api/v1/*.py"]


def test_check_sees_a_rename_that_is_only_staged(ada: Person) -> None:
    ada.git("mv", "src/api", "src/http")

    assert "'src/http/**'" in warnings(ada)["src/api/**"]


def test_a_folder_that_moved_on_is_followed_to_where_it_is(ada: Person) -> None:
    renamed(ada)
    renamed(ada, "src", "lib")
    renamed(ada, "lib/http", "lib/web")

    found = {step.old: step.new for row in followed(ada).renames for step in row.steps}

    assert found["src/api/**"] == "lib/web/**"
    assert found[USERS] == "lib/web/users.py"
    assert found["src/**"] == "lib/**"


def test_files_that_were_edited_while_they_moved_are_followed(ada: Person) -> None:
    (ada.root / "src/http/v1").mkdir(parents=True)
    for rel in (USERS, "src/api/v1/old.py", "src/api/API.md"):
        text = (ada.root / rel).read_text()
        ada.git("mv", rel, rel.replace("api/", "http/"))
        write_tree(ada.root, {rel.replace("api/", "http/"): text + "and one more line of it\n"})
    ada.write({})

    assert {step.new for step in only(followed(ada)).steps} >= {"src/http/**", "src/http/v1/*.py"}


def test_a_move_in_two_commits_is_followed(ada: Person) -> None:
    (ada.root / "src/http").mkdir()
    renamed(ada, "src/api/v1", "src/http/v1")
    for name in ("users.py", "API.md"):
        renamed(ada, f"src/api/{name}", f"src/http/{name}")

    assert {step.old: step.new for row in followed(ada).renames for step in row.steps}["src/api/**"] == "src/http/**"


def test_files_that_went_to_several_places_are_named_and_not_proposed(ada: Person) -> None:
    (ada.root / "src/one").mkdir()
    (ada.root / "src/two").mkdir()
    ada.git("mv", USERS, "src/one/users.py")
    ada.git("mv", "src/api/API.md", "src/two/API.md")
    ada.git("mv", "src/api/v1/old.py", "src/two/old.py")
    ada.write({})

    done = followed(ada)

    assert [(row.slug, row.pattern) for row in done.lost] == [("whole", "src/api/**")]
    assert "several places" in warnings(ada)["src/api/**"]


def test_files_that_were_removed_are_followed_nowhere(ada: Person) -> None:
    ada.git("rm", "--quiet", "-r", "src/api")
    ada.write({})

    done = followed(ada)

    assert (done.renames, done.lost) == ((), ())
    assert "scopes follow" not in warnings(ada)["src/api/**"]


def test_a_pattern_that_never_matched_is_left_alone(ada: Person) -> None:
    ada.write({".gitmem/engrams/api/later.md": rule(9, "src/later/**")})

    assert followed(ada).renames == ()


def test_a_single_file_is_followed_by_its_name(ada: Person) -> None:
    ada.write({".gitmem/engrams/api/one.md": rule(9, USERS)})
    renamed(ada, USERS, "src/api/people.py")

    row = only(followed(ada))

    assert {(step.slug, step.old, step.new) for step in row.steps} == {
        ("one", USERS, "src/api/people.py"),
        ("claimed", USERS, "src/api/people.py"),
    }


def test_what_is_retired_is_not_followed(make_repo: MakeRepo) -> None:
    old = {f".gitmem/{WHOLE}": rule(11, "src/api/**", status="deprecated")}
    ada = Person(make_repo({name: text for name, text in FILES.items() if "engrams" not in name} | old))
    renamed(ada)

    assert followed(ada).renames == ()


def test_exceptions_follow_too(make_repo: MakeRepo) -> None:
    text = rule(11, "src/**", scope={"paths": ["src/**"], "except": ["src/api/v1/**"]})
    ada = Person(make_repo(FILES | {f".gitmem/{WHOLE}": text})).named("Ada", "a@example.org")
    renamed(ada)

    steps = only(followed(ada)).steps

    assert ("whole", "except", "src/http/v1/**") in {(step.slug, step.part, step.new) for step in steps}


def test_a_folder_that_went_into_another_one_is_told_without_calling_it_the_root(ada: Person) -> None:
    renamed(ada, "docs", "src/docs")

    (first, *steps) = run_inproc(ada.root, "scopes", "follow").out.splitlines()

    assert first.startswith("files of the root are in src now; proposed ")
    assert steps[0] == "  part paths: docs/** -> src/docs/**"


def test_a_folder_with_signs_of_globs_in_its_name_is_escaped(ada: Person) -> None:
    renamed(ada, "src/api", "src/[id]")

    done = followed(ada)

    assert ("src/\\[id]/**") in {step.new for step in only(done).steps}
    ada.approve(done.proposed[0])
    assert warnings(ada) == {}


def test_a_dry_run_shows_it_and_writes_nothing(ada: Person) -> None:
    renamed(ada)
    before = ada.git("for-each-ref")

    done = followed(ada, dry_run=True)

    assert (only(done).outcome, done.proposed, done.dry_run) == ("", (), True)
    assert ada.git("for-each-ref") == before


def test_twice_is_once_and_what_was_declined_stays_so(ada: Person) -> None:
    renamed(ada)
    first = only(followed(ada)).proposal
    assert (only(followed(ada)).outcome, only(followed(ada)).proposal) == ("waits", first)

    ada.reject(first)

    assert only(followed(ada)).outcome == "dismissed"


def test_a_rule_that_comes_to_it_renews_the_proposal(ada: Person) -> None:
    renamed(ada)
    first = only(followed(ada)).proposal
    ada.write({".gitmem/engrams/api/more.md": rule(9, "src/api/*.py")})

    done = followed(ada)

    assert done.closed == (first,)
    assert first not in {notice.place for notice in done.warnings}
    assert ada.status(first) == "superseded"


def test_two_clones_follow_alike(tmp_path: Path) -> None:
    team: Crew = crew(tmp_path / "team", ("ada", "bob"), FILES)
    ada, bob = team.person("ada"), team.person("bob")
    renamed(ada)
    ada.git("push", "--quiet", "origin", "main")
    bob.git("pull", "--quiet")

    mine, theirs = followed(ada).proposed, followed(bob).proposed

    assert len(mine) == 1
    assert (mine, ada.tip(mine[0])) == (theirs, bob.tip(theirs[0]))


def test_a_shallow_clone_that_lacks_the_rename_says_nothing(ada: Person, tmp_path: Path) -> None:
    renamed(ada)
    ada.write({"later.txt": "x\n"})
    git(tmp_path, "clone", "--quiet", "--depth=1", ada.root.as_uri(), "shallow")

    assert followed(Person(tmp_path / "shallow")).renames == ()


@pytest.mark.parametrize(("files", "code"), [({}, "no-commits"), ({"a.py": "1"}, "not-initialised")])
def test_where_there_is_no_knowledge_there_is_nothing_to_follow(
    make_repo: MakeRepo, files: dict[str, str], code: str
) -> None:
    done = followed(Person(make_repo(files)))

    assert (done.renames, done.lost, [notice.code for notice in done.warnings]) == ((), (), [code])


def test_an_agent_does_not_follow(ada: Person) -> None:
    ada.surface = "agent"

    with pytest.raises(GitmemError, match="decides"):
        followed(ada)
