"""Which repository a call is about: the folder that the user named, the client's roots, the working folder."""

from pathlib import Path

import pytest

from gitmem.mcp.roots import Places, folder_of, in_repository
from gitmem.record import replace
from gitmem.store.repo import NotARepositoryError
from tests.mcp.talk import INITIALIZE, KNOWLEDGE, Message, Talk, error_of, structure_of, talk
from tests.support import engram_text, git

OTHER = {
    ".gitmem/config.yaml": "format: 1\n",
    ".gitmem/engrams/ops/page-first.md": engram_text(title="Page first", scope={"paths": ["**"]}),
}
ROOTED = INITIALIZE | {"capabilities": {"roots": {"listChanged": True}}}


def call_with_roots(server: Talk, tool: str, arguments: Message, *roots: Path) -> Message:
    """Calls a tool, and answers the server when it asks for the client's roots."""
    asked = server.send("tools/call", {"name": tool, "arguments": arguments})
    message = server.read()
    if message.get("method") == "roots/list":
        rows = [{"uri": root.as_uri(), "name": root.name} for root in roots]
        server.reply(message["id"], {"roots": rows})
        message = server.read()
    assert message["id"] == asked
    result = message["result"]
    assert isinstance(result, dict)
    return result


def root_of(result: Message) -> object:
    environment = structure_of(result)["environment"]
    assert isinstance(environment, dict)
    return environment["root"]


@pytest.fixture
def usual(make_repo) -> Path:
    return make_repo(KNOWLEDGE, name="usual")


@pytest.fixture
def other(make_repo) -> Path:
    return make_repo(OTHER, name="other")


@pytest.mark.capability("R-065")
def test_without_a_word_it_is_the_working_folder(usual: Path) -> None:
    with talk(usual) as server:
        server.start()
        assert root_of(server.call("overview", {})) == str(usual)


@pytest.mark.capability("R-065")
def test_the_root_of_the_client_comes_before_the_working_folder(usual: Path, other: Path, tmp_path: Path) -> None:
    """F-136: started in a home folder, or in another repository than the user thinks."""
    for start in (tmp_path, other):
        with talk(start) as server:
            server.start(ROOTED)
            assert root_of(call_with_roots(server, "overview", {}, usual)) == str(usual)


@pytest.mark.capability("R-065")
def test_the_folder_that_the_user_names_comes_first(usual: Path, other: Path) -> None:
    with talk(usual, "-C", str(other), "mcp") as server:
        server.start(ROOTED)
        assert root_of(call_with_roots(server, "overview", {}, usual)) == str(other)


@pytest.mark.capability("R-065")
def test_an_absolute_target_says_which_of_several_roots(usual: Path, other: Path, tmp_path: Path) -> None:
    plain = tmp_path / "no-repository"
    plain.mkdir()
    with talk(tmp_path) as server:
        server.start(ROOTED)
        first = call_with_roots(server, "compile_context", {"target_files": "a.ts"}, plain, usual, other)
        found = server.call("compile_context", {"target_files": [str(other / "src/new.ts")]})
        back = server.call("compile_context", {"target_files": [str(usual / "src/ui/new.ts"), "src/a.ts"]})

    assert [root_of(each) for each in (first, found, back)] == [str(usual), str(other), str(usual)]
    assert [edge["file"] for edge in structure_of(back)["base"]["resolution_path"]] == ["src/ui/new.ts"]


def test_roots_that_change_are_asked_for_again(usual: Path, other: Path) -> None:
    with talk(usual) as server:
        server.start(ROOTED)
        assert root_of(call_with_roots(server, "overview", {}, usual)) == str(usual)
        server.tell("notifications/roots/list_changed")
        assert root_of(call_with_roots(server, "overview", {}, other)) == str(other)


def test_a_client_that_names_no_root_gets_the_working_folder(usual: Path) -> None:
    with talk(usual) as server:
        server.start(ROOTED)
        assert root_of(call_with_roots(server, "overview", {})) == str(usual)


def test_a_client_that_does_not_answer_is_not_waited_for_long(usual: Path) -> None:
    with talk(usual) as server:
        server.start(ROOTED)
        asked = server.send("tools/call", {"name": "overview", "arguments": {}})
        assert server.read()["method"] == "roots/list"
        found = server.answer_to(asked)

    assert root_of(found["result"]) == str(usual)


def test_a_root_that_is_no_repository_is_not_replaced_by_another_folder(usual: Path, tmp_path: Path) -> None:
    """F-136"""
    plain = tmp_path / "plain"
    plain.mkdir()
    with talk(usual) as server:
        server.start(ROOTED)
        found = call_with_roots(server, "overview", {}, plain)

    assert error_of(found)["code"] == "not-a-repository"
    assert found["structuredContent"]["environment"]["root"] == str(plain)


@pytest.mark.parametrize(
    ("folder", "name", "rel"),
    [
        ("", "{root}/src/ui/a.ts", "src/ui/a.ts"),
        ("src", "{root}/docs/a.md", "docs/a.md"),
        ("src", "{root}/src/../docs/a.md", "docs/a.md"),
        ("", "/etc/passwd", "/etc/passwd"),
        ("", "{root}-twin/a.ts", "{root}-twin/a.ts"),
        ("", "{root}/../a.ts", "{root}/../a.ts"),
    ],
)
def test_an_absolute_name_below_the_root_is_a_repository_path(usual: Path, folder: str, name: str, rel: str) -> None:
    place = Places().at(usual / folder)
    seen, found = in_repository(usual / folder, place, [name.format(root=usual), "x.ts"])

    assert seen.repo.prefix == ""
    assert found == (rel.format(root=usual), f"{folder}/x.ts".lstrip("/"))


def test_relative_names_stay_relative_to_the_folder(usual: Path) -> None:
    place = Places().at(usual / "src")
    seen, found = in_repository(usual / "src", place, ["ui/a.ts"])

    assert (seen.repo.prefix, found) == ("src/", ("ui/a.ts",))


def test_a_link_to_the_repository_is_as_good_as_its_path(usual: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(usual)
    place = Places().at(link / "src")
    _, found = in_repository(link / "src", place, [f"{link}/src/ui/a.ts", f"{usual}/src/b.ts"])

    assert found == ("src/ui/a.ts", "src/b.ts")


def test_an_open_repository_is_kept_and_gits_settings_are_looked_at_again(usual: Path) -> None:
    """F-155"""
    places = Places()
    first = places.at(usual)
    assert places.at(usual) is first

    git(usual, "config", "gitmem.trust", "head")
    places.held[str(usual)] = replace(places.held[str(usual)], looked_at=-100.0)
    second = places.at(usual)

    assert second.git_config["gitmem.trust"] == ("head",)
    assert second.opened is first.opened
    assert second.bodies is first.bodies


def test_without_any_folder_the_error_says_how_to_start() -> None:
    with pytest.raises(NotARepositoryError) as refused:
        Places().find([], [])

    assert refused.value.hint == "start with: gitmem -C DIR mcp"


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///home/ada/my%20work", "/home/ada/my work"),
        ("file://localhost/srv", "/srv"),
        ("file:///caf%C3%A9", "/caf\u00e9"),
        ("https://example.org/", None),
        ("file://server/share", None),
        ("untitled:", None),
    ],
)
def test_a_root_is_a_file_uri(uri: str, path: str | None) -> None:
    assert folder_of(uri) == (Path(path) if path else None)
