"""Rules for most of the project: they are handed out with the real files, and an answer is held against those."""

import json
from typing import Any

import pytest

from gitmem.answers.breadth import ReviewCall, Reviewed, review
from gitmem.answers.narrowing import Applied, ApplyCall, apply
from gitmem.answers.session import Session
from gitmem.errors import GitmemError, UsageError
from tests.answers.people import Person
from tests.conftest import MakeRepo
from tests.support import engram_id, engram_text, run_inproc

pytestmark = pytest.mark.capability("R-062")

CODE = {f"src/{part}/{name}.py": f"{part} {name}\n" for part in ("api", "ui", "db") for name in "abcdefgh"}
REST: dict[str, str | bytes] = {
    ".gitmem/config.yaml": "format: 1\n",
    "README.md": "x\n",
    "docs/a.md": "a\n",
    "docs/b.md": "b\n",
}
WIDE, NARROW, HALVED, ENDED = (f"engrams/api/{name}.md" for name in ("wide", "narrow", "halved", "ended"))


def rule(number: int, title: str, *paths: str, excluded: tuple[str, ...] = (), **over: object) -> str:
    scope = {"paths": list(paths), **({"except": list(excluded)} if excluded else {})}
    given: dict[str, object] = {"id": engram_id(number), "title": title, "scope": scope} | over
    return engram_text(**given)  # type: ignore[arg-type]  # reason: keywords are passed on


RULES: dict[str, str | bytes] = {
    f".gitmem/{WIDE}": rule(11, "Wide", "**", "docs/*.md"),
    f".gitmem/{NARROW}": rule(12, "Narrow", "src/api/**"),
    f".gitmem/{HALVED}": rule(13, "Halved", "src/**", excluded=("src/ui/**", "src/db/**")),
    f".gitmem/{ENDED}": rule(14, "Ended", "**", status="deprecated"),
}


@pytest.fixture
def ada(make_repo: MakeRepo) -> Person:
    return Person(make_repo(REST | CODE | RULES)).named("Ada", "ada@example.org")


def reviewed(who: Person, *items: str, **more: Any) -> Reviewed:
    return review(who.session(), ReviewCall(items, **more))


def applied(who: Person, answer: object, **more: Any) -> Applied:
    text = answer if isinstance(answer, str) else json.dumps(answer)
    return apply(who.session(), ApplyCall(text, **more))


def test_a_pattern_that_matches_most_files_is_found_with_the_files(ada: Person) -> None:
    done = reviewed(ada)

    (row,) = done.items
    assert (row.slug, row.paths, row.files) == ("wide", ("**", "docs/*.md"), 27)
    assert [(each.pattern, each.files) for each in row.patterns] == [("**", 27)]
    assert "Components call the API" in row.text
    assert done.files == 27
    assert [(each.folder, each.files) for each in done.folders] == [
        ("", 1),
        ("docs", 2),
        ("src/api", 8),
        ("src/db", 8),
        ("src/ui", 8),
    ]


def test_what_exceptions_leave_out_does_not_count(ada: Person) -> None:
    assert reviewed(ada, "halved").items == ()


def test_the_share_is_what_one_asks_for(ada: Person) -> None:
    assert [row.slug for row in reviewed(ada, share=0.25).items] == ["halved", "narrow", "wide"]
    assert [row.slug for row in reviewed(ada, share=1.0).items] == []


def test_a_small_repository_has_no_broad_patterns(make_repo: MakeRepo) -> None:
    ada = Person(make_repo(REST | RULES))

    done = reviewed(ada)

    assert done.items == ()
    assert [notice.code for notice in done.warnings] == ["few-files"]


def test_many_rules_and_folders_come_in_pages(make_repo: MakeRepo) -> None:
    rules = {f".gitmem/engrams/api/rule-{n:02}.md": rule(100 + n, f"Rule {n}", "**") for n in range(25)}
    files = {f"pkg/{n:03}/a.py": "x\n" for n in range(450)}
    ada = Person(make_repo({**REST, **rules, **files}))
    slugs: list[str] = []
    folders: list[str] = []
    cursor = folder_cursor = ""

    for _ in range(4):
        page = reviewed(ada, limit=10, cursor=cursor, folder_cursor=folder_cursor)
        slugs += [row.slug for row in page.items]
        folders += [row.folder for row in page.folders]
        cursor, folder_cursor = page.next or cursor, page.folder_next or folder_cursor
        if not page.next and not page.folder_next:
            break

    assert len(page.items) <= 10
    assert (page.total, page.folder_total) == (25, 452)
    assert slugs == [f"rule-{n:02}" for n in range(25)]
    assert len(folders) == len(set(folders)) == 452


@pytest.mark.parametrize("more", [{"share": 0.0}, {"share": 1.5}, {"limit": 0}, {"limit": 101}])
def test_numbers_out_of_range_are_refused(ada: Person, more: dict[str, float]) -> None:
    with pytest.raises(UsageError, match="takes"):
        reviewed(ada, **more)


def test_an_answer_is_a_proposal_that_adds_and_removes_patterns(ada: Person) -> None:
    before = (ada.head(), ada.dirt())

    done = applied(ada, {"wide": {"paths": ["src/api/**", "docs/*.md"], "except": ["docs/b.md"]}})

    (row,) = done.items
    assert (row.before, row.after, done.bundle) == (27, 9, "")
    text = ada.read(WIDE, ada.tip(row.proposal))
    assert "- src/api/**" in text
    assert '"**"' not in text
    assert "docs/b.md" in text
    assert (ada.head(), ada.dirt()) == before
    assert "27 of the 27 files" in ada.show(row.proposal).rationale


def test_several_items_are_one_bundle(ada: Person) -> None:
    done = applied(ada, {"wide": {"paths": ["docs/**"]}, engram_id(12): {"paths": ["src/api/a.py"]}})

    assert len(done.proposed) == 2
    assert {ada.show(id_).bundle for id_ in done.proposed} == {done.bundle}
    ada.approve(*done.proposed)
    assert reviewed(ada).items == ()


def test_yaml_serves_as_well_as_json(ada: Person) -> None:
    done = applied(ada, "api/wide:\n  paths:\n    - src/ui/**\n")

    assert done.items[0].after == 8


def test_exceptions_that_the_answer_does_not_name_stay(ada: Person) -> None:
    done = applied(ada, {"halved": {"paths": ["src/api/a.py", "src/ui/a.py"]}})

    assert done.items[0].after == 1
    assert "src/ui/**" in ada.read(HALVED, ada.tip(done.proposed[0]))


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        pytest.param({"wide": {"paths": ["**/*.zzz"]}}, "wide: **/*.zzz matches no file of the project", id="no file"),
        pytest.param({"wide": {"paths": ["src/**", "docs/**", "*.md"]}}, "as broad as before", id="as broad"),
        pytest.param({"narrow": {"paths": ["src/ui/**", "docs/**"]}}, "as broad as before", id="broader"),
        pytest.param(
            {"wide": {"paths": ["src/**"], "except": ["docs/**"]}}, "exception docs/** matches none", id="vain"
        ),
        pytest.param({"wide": {"paths": ["src/**"], "except": ["**"]}}, "leave no file", id="nothing left"),
    ],
)
def test_an_answer_that_the_files_do_not_bear_out_is_refused_by_name(
    ada: Person, answer: dict[str, object], said: str
) -> None:
    before = ada.git("for-each-ref")

    with pytest.raises(GitmemError) as caught:
        applied(ada, answer)

    assert said in caught.value.message
    # One fault, one reason: of what matches nothing no exception is to blame.
    assert "more:" not in caught.value.message
    assert caught.value.code == "bad-scope"
    assert ada.git("for-each-ref") == before


def test_one_wrong_pattern_keeps_the_whole_answer_back(ada: Person) -> None:
    before = ada.git("for-each-ref")

    with pytest.raises(GitmemError, match=r"\*\*/\*\.zzz"):
        applied(ada, {"narrow": {"paths": ["src/api/a.py"]}, "wide": {"paths": ["src/ui/**", "**/*.zzz"]}})

    assert ada.git("for-each-ref") == before


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        pytest.param("", "1 to 200 items", id="nothing"),
        pytest.param("a: [", "cannot be read", id="no yaml"),
        pytest.param({"nowhere": {"paths": ["src/**"]}}, "no item", id="unknown item"),
        pytest.param({"wide": ["src/**"]}, "takes paths and except", id="a list"),
        pytest.param({"wide": {"except": ["src/**"]}}, "takes paths and except", id="no paths"),
        pytest.param({"wide": {"paths": ["src/**"], "layers": ["ui"]}}, "takes paths and except", id="another key"),
        pytest.param({"wide": {"paths": []}}, "no pattern is left", id="no patterns"),
        pytest.param({"wide": {"paths": [["src"]]}}, "a pattern is a text", id="no texts"),
        pytest.param({"wide": {"paths": ["src/["]}}, "not closed", id="no pattern"),
        pytest.param({"wide": {"paths": ["../x"]}}, "segment", id="outside"),
        pytest.param({"wide": {"paths": ["a"]}, engram_id(11): {"paths": ["b"]}}, "one item twice", id="twice"),
        pytest.param({"wide": {"paths": ["docs/*"] * 200}}, "at most 100", id="too many"),
    ],
)
def test_what_is_no_answer_is_said(ada: Person, answer: object, said: str) -> None:
    with pytest.raises(GitmemError) as caught:
        applied(ada, answer)

    assert said in caught.value.message


def test_an_item_without_paths_has_nothing_to_narrow(ada: Person) -> None:
    ada.write({".gitmem/engrams/api/fact.md": engram_text(id=engram_id(20), title="Fact", kind="fact")})

    with pytest.raises(UsageError, match="no scope of paths"):
        applied(ada, {"fact": {"paths": ["src/**"]}})


def test_what_is_still_broad_or_reaches_further_is_said(ada: Person) -> None:
    done = applied(ada, {"wide": {"paths": ["src/**"]}, "narrow": {"paths": ["src/ui/a.py"]}})

    assert {"still-broad", "new-files"} <= {notice.code for notice in done.warnings}


def test_the_same_answer_again_is_not_proposed_twice(ada: Person) -> None:
    first = applied(ada, {"wide": {"paths": ["docs/**"]}}).proposed[0]

    again = applied(ada, {"wide": {"paths": ["docs/**"]}})

    assert (again.proposed, again.exit_code) == ((), 1)
    assert first in again.items[0].reason


def test_an_agent_that_answers_is_named(ada: Person) -> None:
    done = apply(
        Session(ada.root, ada.session().now, "admin", client="helper"),
        ApplyCall(json.dumps({"wide": {"paths": ["docs/**"]}}), model="m1"),
    )

    by = ada.show(done.proposed[0]).proposed_by
    assert by.agent is not None
    assert (by.agent.name, by.agent.model) == ("helper", "m1")


def test_the_answer_may_be_piped(ada: Person) -> None:
    listed = json.loads(run_inproc(ada.root, "scopes", "review", "--json").out)
    answer = {row["item"]: {"paths": ["docs/**"]} for row in listed["items"]}

    ran = run_inproc(ada.root, "scopes", "apply", "-", "--json", stdin=json.dumps(answer))

    assert ran.code == 0, ran.err
    assert len(json.loads(ran.out)["proposed"]) == 1
