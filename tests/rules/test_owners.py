"""Owner files of forges: the last line decides, sections stand side by side, a rule asks the owners of its paths."""

import pytest

from gitmem.rules.owners import asked, of_files, parse_owners

FILE = """
# everything
*            @org/all
*.js         @js   # in any folder
/build/      @build ops@example.org
docs/*       @docs
apps/        @apps
src/pay/**   @org/pay
src/pay/free
/a\\ b.txt    @blank
src/[x]/y{z} @odd
!never @no
"""
# A file, and who owns it.
OWNED = {
    "README.md": ("@org/all",),
    "deep/x.js": ("@js",),
    "build/x": ("@build", "ops@example.org"),
    "sub/build/x": ("@org/all",),
    "docs/a.md": ("@docs",),
    "docs/deep/a.md": ("@org/all",),
    "sub/apps/x": ("@apps",),
    "src/pay/a/b.py": ("@org/pay",),
    "src/pay/free": (),
    "src/pay/free/x": (),
    "a b.txt": ("@blank",),
    "src/[x]/y{z}": ("@odd",),
    "src/x/yz": ("@org/all",),
}
SECTIONS = """
* @all
[Backend][2] @back
src/
src/db/ @db
^[Taste]
* @taste
[backend]
api/
"""


@pytest.mark.capability("G-021")
@pytest.mark.parametrize("path", OWNED)
def test_the_last_line_that_matches_decides(path: str) -> None:
    found = of_files(parse_owners(FILE), [path])

    assert found[path].owners == OWNED[path]


@pytest.mark.capability("G-021")
@pytest.mark.parametrize(
    ("path", "owners"),
    [
        ("x", ("@all",)),
        ("src/x", ("@all", "@back")),
        ("src/db/x", ("@all", "@db")),
        ("api/x", ("@all",)),
    ],
)
def test_sections_stand_beside_each_other_and_have_owners_of_their_own(path: str, owners: tuple[str, ...]) -> None:
    """The owners of a section that is optional need not be asked."""
    assert of_files(parse_owners(SECTIONS), [path])[path].owners == owners


@pytest.mark.capability("G-021")
@pytest.mark.parametrize(
    ("scope", "owners"),
    [
        (["src/pay/**"], ("@org/pay",)),
        (["src/**"], ("@org/all", "@org/pay")),
        (["**/*.js"], ("@js",)),
        (["src/pay/new/**"], ("@org/pay",)),
        (["src/pay/free/**"], ()),
        (["gone/**"], ("@org/all",)),
        (["gone/*.js", "**/*.js"], ("@js", "@org/all")),
        (["lib/*.css", "apps/**"], ("@apps", "@org/all")),
    ],
)
def test_a_rule_asks_the_owners_of_the_files_that_it_is_about(scope: list[str], owners: tuple[str, ...]) -> None:
    files = ["src/a.py", "src/pay/b.py", "web/x.js", "src/pay/free", "apps/y"]

    found = asked(parse_owners(FILE.replace("/a\\ b.txt    @blank\nsrc/[x]/y{z} @odd\n", "")), {"rule": scope}, files)

    assert (found["rule"].owners if found else ()) == owners


def test_the_patterns_that_decide_are_named() -> None:
    assert asked(parse_owners(FILE), {"r": ["src/pay/**"]}, ["src/pay/a"])["r"].patterns == ("src/pay/**",)


@pytest.mark.parametrize("text", ["", "#\n", "   \n", "*\n", "no owner\n", "\0 @a\n", "** [\n", "[a]\n", "^[b] @c\n"])
def test_what_is_no_owner_file_asks_nobody(text: str) -> None:
    assert asked(parse_owners(text), {"r": ["src/**"]}, ["src/a"]) == {}
