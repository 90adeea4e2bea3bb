"""Intent tags: a closed catalogue, and rules that are added beside the base."""

from pathlib import Path

import pytest

from tests.asking import ask, compiled, knowledge, refused, rule, slugs
from tests.conftest import MakeRepo
from tests.support import commit_all, write_tree

CATALOGUE = {".gitmem/tags.yaml": "auth: who may do what\ndata-access: how rows are read\n"}
FILES = knowledge(
    CATALOGUE,
    rule("base", 1, "src/**", tags=["auth"]),
    rule("login", 2, "web/**", tags=["auth"]),
    rule("tokens", 3, tags=["auth", "data-access"], priority=-1),
    rule("rows", 4, tags=["data-access"]),
    rule("free", 5, tags=["free-word"]),
    rule("draft", 6, tags=["auth"], status="draft"),
    rule("secretive", 7, tags=["auth"], visibility="restricted"),
)


@pytest.fixture
def repo(make_repo: MakeRepo) -> Path:
    return make_repo(FILES)


@pytest.mark.capability("R-005")
@pytest.mark.parametrize(
    ("words", "added"),
    [
        ((), []),
        (("--tag", "auth"), ["tokens", "login"]),
        (("--tag", "data-access"), ["tokens", "rows"]),
        (("--tag", "data-access", "--tag", "auth"), ["tokens", "login", "rows"]),
        (("--plan", "change the auth of users"), ["tokens", "login"]),
        (("--plan", "faster data access"), ["tokens", "rows"]),
        (("--plan", "faster access"), []),
        (("--plan", "change the auth of users", "--no-tags"), []),
        (("--plan", "faster data access", "--tag", "auth"), ["tokens", "login"]),
    ],
)
def test_tags_add_live_rules_that_the_files_did_not_bring_in(
    repo: Path, words: tuple[str, ...], added: list[str]
) -> None:
    answer = compiled(repo, *words)

    assert slugs(answer) == ["base"]
    if "--plan" in words:
        assert sorted(slugs(answer, "expanded")) == sorted(added)
    else:
        assert slugs(answer, "expanded") == added


@pytest.mark.capability("R-005")
def test_a_tag_outside_the_catalogue_is_refused_with_the_known_ones(repo: Path) -> None:
    error = refused(repo, "compile", "src/a.py", "--tag", "free-word", code=2)

    assert (error["message"], error["hint"]) == (
        "not in the tag catalogue: free-word",
        "known: auth, data-access",
    )


@pytest.mark.capability("R-005")
def test_the_hash_of_the_catalogue_moves_with_the_catalogue_alone(repo: Path) -> None:
    before = compiled(repo)["tag_catalog_hash"]

    write_tree(repo, rule("more", 8, tags=["auth"]) | {".gitmem/layers.yaml": "src/**: core\n"})
    commit_all(repo, "rules")
    assert compiled(repo)["tag_catalog_hash"] == before

    write_tree(repo, {".gitmem/tags.yaml": CATALOGUE[".gitmem/tags.yaml"] + "ui: what is seen\n"})
    commit_all(repo, "catalogue")
    assert compiled(repo)["tag_catalog_hash"] != before


@pytest.mark.parametrize(
    "text",
    ["auth: x\nui: y\n", "tags:\n  auth: x\n  ui: y\n", "tags:\n  - auth\n  - ui\n", "tags: [auth, ui]\n"],
    ids=["map", "nested-map", "list", "flow"],
)
@pytest.mark.capability("R-005")
def test_the_catalogue_can_be_a_map_or_a_list(make_repo: MakeRepo, text: str) -> None:
    repo = make_repo(knowledge({".gitmem/tags.yaml": text}, rule("one", 1, tags=["auth"])))

    assert slugs(compiled(repo, "--tag", "auth"), "expanded") == ["one"]
    assert list(ask(repo, "overview", "--tags")["catalogue"]) == ["auth", "ui"]


def test_what_tags_bring_beyond_the_lists_is_counted_in_a_warning(make_repo: MakeRepo) -> None:
    rules = [rule(f"t{n:03}", n, domain=f"d{n % 2}", tags=["auth"]) for n in range(1, 214)]
    repo = make_repo(knowledge(CATALOGUE, rule("base", 300, "src/**"), *rules))

    answer = compiled(repo, "--tag", "auth", "--mode", "metadata")

    assert len(answer["expanded"]) == 199
    assert answer["base"]["more"] == []
    assert [w["message"] for w in answer["warnings"]] == ["14 further rules carry the tags: 7 in d0, 7 in d1"]


def test_expanded_entries_have_no_edges_and_can_be_read(repo: Path) -> None:
    answer = compiled(repo, "--tag", "auth", "--mode", "metadata")

    assert all(row["read"].startswith(f"gitmem get {row['id']} ") for row in answer["expanded"])
    assert {edge["item"] for edge in answer["base"]["resolution_path"]} == {answer["base"]["documents"][0]["id"]}
