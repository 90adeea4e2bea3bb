"""One verdict for each path, whatever the system."""

import ntpath
import posixpath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.store.paths import UnsafePathError, check_rel, target_path

OUTSIDE = [
    "../x",
    "a/../../x",
    "a/..",
    "/etc/hosts",
    "~/x",
    "~",
    "C:/x",
    "C:x",
    "//srv/share/x",
    "a//b",
    "a/",
    "./a",
    "a/./b",
    ".",
    "",
    "a\0b",
    "a\nb",
    "a\x7fb",
    "a\u2028b",
    "a\ud800b",
    "a/" + "b" * 256,
    "a/" * 2100 + "b",
]
GIT = [
    ".git/config",
    "a/.git/hooks/pre-commit",
    ".GIT/config",
    "GIT~1/config",
    "git~12",
    ".git./config",
    ".git /config",
    ".git . /config",
    ".git::$INDEX_ALLOCATION/config",
    ".git:x",
    ".g\u200cit/config",
    ".\u2060git",
    "\ufeff.git",
    ".gi\u00adt",
    "\uff0egit/config",
    ".gi\ufe0ft",
]
DROPPED_ON_WINDOWS = ["a.md:b", "a.md.", "a.md ", "b./a"]
DEVICES = ["CON.md", "nul", "com1.md", "x/LPT9", "aux .txt", "COM\u00b9", "conin$"]
FINE = [
    ".gitmem/engrams/api/client.md",
    ".gitattributes",
    "src/[id]/***/page.tsx",
    "src/*/a",
    "-A.py",
    "--output=x.py",
    "a b/c",
    "caf\u00e9/\u65e5\u672c.md",
    "console.md",
    "com10.md",
    ".github/x",
    "git/x",
    "x.git/y",
    "~x/y",
    "..a/b",
    "a..b",
]


@pytest.mark.parametrize("rel", OUTSIDE + GIT + DROPPED_ON_WINDOWS + DEVICES, ids=ascii)
def test_a_path_that_could_mean_another_file_is_refused(rel: str) -> None:
    """F-039, F-048, F-050, F-051."""
    with pytest.raises(UnsafePathError) as caught:
        check_rel(rel)

    assert caught.value.code == "unsafe-path"
    assert caught.value.hint


@pytest.mark.parametrize("rel", ["\\\\srv\\x", "a\\b", "C:\\x", "..\\x"], ids=ascii)
def test_a_stored_path_has_no_backslash(rel: str) -> None:
    with pytest.raises(UnsafePathError):
        check_rel(rel)


@pytest.mark.parametrize("rel", FINE, ids=ascii)
def test_other_paths_pass_as_they_are(rel: str) -> None:
    """F-043, F-044: signs that mean something elsewhere are letters here."""
    assert check_rel(rel) == rel
    assert target_path(rel) == rel


@pytest.mark.parametrize(
    ("text", "rel"),
    [
        ("src\\api\\a.ts", "src/api/a.ts"),
        ("./src/a.ts", "src/a.ts"),
        (".\\.\\a", "a"),
        ("drivers/aux.c", "drivers/aux.c"),
    ],
)
def test_a_target_is_the_same_on_every_system(text: str, rel: str) -> None:
    """F-167."""
    assert target_path(text) == rel


@pytest.mark.parametrize(
    "text", [*OUTSIDE[:11], *GIT, "..\\x", "C:\\x", "\\\\srv\\share\\x", ".git\\config"], ids=ascii
)
def test_a_target_that_leaves_the_repository_is_refused(text: str) -> None:
    with pytest.raises(UnsafePathError):
        target_path(text)


@given(st.text(alphabet="ab./\\~:C \u200cgit-\0", max_size=12))
def test_what_passes_stays_below_the_root_on_both_systems(text: str) -> None:
    try:
        rel = check_rel(text)
    except UnsafePathError:
        return

    assert posixpath.normpath(posixpath.join("/r", rel)) == f"/r/{rel}"
    assert ntpath.normpath(ntpath.join("C:\\r", rel)) == "C:\\r\\" + rel.replace("/", "\\")
    assert ".git" not in rel.lower().split("/")
