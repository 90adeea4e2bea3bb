"""A pattern follows the files that it meant, and only where one pattern still means all of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.globs.dialect import matches
from gitmem.globs.following import Move, followed, move_of, moved

pytestmark = pytest.mark.capability("G-009")


@pytest.mark.parametrize(
    ("old", "new", "move"),
    [
        ("src/api/a.py", "src/http/a.py", Move("src/api", "src/http")),
        ("src/api/v1/a.py", "lib/api/v1/a.py", Move("src", "lib")),
        ("src/a.py", "a.py", Move("src", "")),
        ("a.py", "src/a.py", Move("", "src")),
        ("src/a.py", "src/src/a.py", Move("", "src")),
        ("docs/one.md", "docs/two.md", Move("docs/one.md", "docs/two.md")),
    ],
)
def test_a_move_is_what_is_not_common_at_the_end(old: str, new: str, move: Move) -> None:
    assert move_of(old, new) == move
    assert moved(old, move) == new


@pytest.mark.parametrize(
    ("pattern", "old", "new", "wanted"),
    [
        pytest.param("src/api/**", "src/api/a.py", "src/http/a.py", "src/http/**", id="a folder"),
        pytest.param("src/api/", "src/api/a.py", "src/http/a.py", "src/http/**", id="a folder with its slash"),
        pytest.param("/src/api/*.py", "src/api/a.py", "lib/a.py", "lib/*.py", id="up and elsewhere"),
        pytest.param("src/api/v1/*.py", "src/api/v1/a.py", "web/api/v1/a.py", "web/api/v1/*.py", id="the folder above"),
        pytest.param("src/**/a.py", "src/x/a.py", "lib/x/a.py", "lib/**/a.py", id="two stars stay"),
        pytest.param("src/*/a.py", "src/api/a.py", "src/http/b/a.py", "src/http/b/a.py", id="a wildcard gives way"),
        pytest.param("**/api/*.py", "x/api/a.py", "x/http/a.py", "**/http/*.py", id="a name anywhere"),
        pytest.param("src/{api,web}/*.py", "src/api/a.py", "lib/api/a.py", "lib/{api,web}/*.py", id="braces stay"),
        pytest.param("docs/one.md", "docs/one.md", "docs/two.md", "docs/two.md", id="a file"),
        pytest.param("app/x/**", "app/x/a.ts", "app/[id]/a.ts", "app/\\[id]/**", id="brackets are escaped"),
        pytest.param("**", "a.py", "src/a.py", "src/**", id="all of it"),
        pytest.param("src/**", "src/a.py", "a.py", "**", id="to the root"),
    ],
)
def test_a_pattern_follows_its_files(pattern: str, old: str, new: str, wanted: str) -> None:
    assert matches(pattern, old)
    assert followed(pattern, move_of(old, new), [new]) == wanted


@pytest.mark.parametrize(
    ("pattern", "old", "new"),
    [
        pytest.param("src/{a/b,c}/*.py", "src/a/b/x.py", "lib/a/b/x.py", id="braces that hold a slash"),
        pytest.param("**/*.js", "x/a.js", "x/a.ts", id="another name is another file"),
        pytest.param("src/*.js", "src/a.js", "src/a.ts", id="another ending"),
        pytest.param("[", "a", "b", id="no pattern"),
    ],
)
def test_where_no_pattern_is_certain_there_is_none(pattern: str, old: str, new: str) -> None:
    move = move_of(old, new)

    assert followed(pattern, move, [new, "somewhere/else.txt"]) == ""


NAMES = st.text(alphabet="ab*?[]{}!\\,-.", min_size=1, max_size=4).filter(lambda name: name not in (".", ".."))
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)


@given(folder=PATHS, target=PATHS, rest=PATHS)
def test_what_follows_matches_the_file_whatever_its_folders_are_called(folder: str, target: str, rest: str) -> None:
    old, new = f"{folder}/{rest}", f"{target}/{rest}"

    found = followed("**", move_of(old, new), [new])

    assert not found or matches(found, new)
    assert moved(old, move_of(old, new)) == new
