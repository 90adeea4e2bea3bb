"""Unified diffs are read to the letter: every form that programs print, and nothing that only looks like one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.text.applied import Misfit, apply, changed
from gitmem.text.unified import FilePatch, NotADiffError, parse, quoted, unquoted

GIT = """\
diff --git a/src/a.py b/src/a.py
index 1111111..2222222 100644
--- a/src/a.py
+++ b/src/a.py
@@ -1,3 +1,3 @@ def f():
 one
-two
+TWO
 three
"""


def test_a_file_has_its_names_its_hunks_and_its_lines() -> None:
    (found,) = parse(GIT)

    assert (found.old_path, found.new_path, found.header) == ("src/a.py", "src/a.py", "a/src/a.py b/src/a.py")
    assert changed(found.hunks) == (((2, "TWO"),), ((2, "two"),))
    assert apply(found.hunks, b"one\ntwo\nthree\n") == b"one\nTWO\nthree\n"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (GIT, ("src/a.py", "src/a.py")),
        (GIT.replace("a/src", "src").replace("b/src", "src"), ("src/a.py", "src/a.py")),
        (GIT.replace("a/src", "i/src").replace("b/src", "w/src"), ("src/a.py", "src/a.py")),
        (GIT.replace("\n", "\r\n"), ("src/a.py", "src/a.py")),
        ("--- old/a.c\t2024-01-01\n+++ new/a.c\t2024-01-02\n@@ -1 +1 @@\n-a\n+b\n", ("old/a.c", "new/a.c")),
        ("--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", ("x", "")),
        ("diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n", ("", "x")),
        ("diff --git a/x b/x\nnew file mode 100644\nindex 0000000..e69de29\n", ("", "x")),
        ("diff --git a/x y b/x y\nold mode 100644\nnew mode 100755\n", ("x y", "x y")),
        ("diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n", ("x", "y")),
        ("diff --git a/i b/i\nindex 1..2 100644\nBinary files a/i and b/i differ\n", ("i", "i")),
        ("diff --git a/i b/i\nindex 1..2\nGIT binary patch\nliteral 2\nJc${NkU}3\n\nliteral 1\nIc$\n\n", ("i", "i")),
        (
            'diff --git "a/\\303\\274\\t" "b/\\303\\274\\t"\nold mode 100644\nnew mode 100755\n',
            ("\u00fc\t", "\u00fc\t"),
        ),
        ('--- "a/q\\"\\\\"\n+++ "b/q\\"\\\\"\n@@ -1 +1 @@\n-a\n+b\n', ('q"\\', 'q"\\')),
        (f"From: A\nSubject: x\n\n---\n a | 2\n\n{GIT}-- \n2.39.5\n\n", ("src/a.py", "src/a.py")),
        (f"diff -ru old new\n{GIT}Only in new: x\n", ("src/a.py", "src/a.py")),
    ],
)
def test_every_form_of_a_head_is_read(text: str, names: tuple[str, str]) -> None:
    (found,) = parse(text)

    assert (found.old_path, found.new_path) == names


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("hello\nworld\n", 1),
        ("+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", 1),
        ("--- a/x\n+++ b/x\n", 3),
        ("--- a/x\n+++ b/x\n@@ -1 @@\n-a\n+b\n", 3),
        ("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n", 5),
        ("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\nx\n", 5),
        ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n-b\n", 5),
        ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n+c\n", 6),
        ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n\\ No newline\n-a\n+b\n", 4),
        (f"{GIT}and so on\n", 10),
        (f"{GIT}diff --cc x\nindex 1,2..3\n", 10),
        ("diff --cc x\n", 1),
        ("diff --git a/x b/y\nold mode 100644\n", 1),
        ("--- a/x\n+++ b/x\n@@ -99999999999 +1 @@\n-a\n+b\n", 3),
    ],
)
def test_what_is_no_diff_is_refused_with_the_line_at_which_it_ends_to_be_one(text: str, line: int) -> None:
    with pytest.raises(NotADiffError) as caught:
        parse(text)

    assert caught.value.line == line
    assert caught.value.place == f"diff:{line}"


@pytest.mark.parametrize(
    ("old", "line"),
    [(b"one\n", 2), (b"one\nTWO\nthree\n", 2), (b"one\ntwo\n", 3), (b"", 1), (b"zero\none\ntwo\nthree\n", 1)],
)
def test_a_hunk_belongs_where_it_says_or_nowhere(old: bytes, line: int) -> None:
    assert apply(parse(GIT)[0].hunks, old) == Misfit(line, 5)


@given(st.text(st.characters(codec="utf-8") | st.sampled_from('"\\\t\n\x7f'), min_size=1))
def test_a_quoted_name_is_read_back(name: str) -> None:
    found = quoted(name)

    assert (unquoted(found)[0] if found.startswith('"') else found) == name


LINES = st.lists(st.sampled_from(["a", "b", "c\r", "", "--- x", "+++ y", "@@ -1 +1 @@", "\\ no", "diff --git a b"]))


@given(LINES)
def test_what_looks_like_a_head_inside_a_hunk_is_content(lines: list[str]) -> None:
    count = len(lines)
    body = "".join(f"+{line}\n" for line in lines)
    text = f"--- /dev/null\n+++ b/x\n@@ -0,0 +1,{count} @@\n{body}"

    (found,) = parse(text)

    assert apply(found.hunks, b"") == "".join(f"{line}\n" for line in lines).encode()


HEADS = ("diff --git a/x b/x", "--- a/x", "+++ b/x", "+++ /dev/null", "@@ -1 +1 @@", "@@ -1,2 +1,0 @@", "index 1..2")
FIELDS = ("rename from x", "rename to y", "new file mode 100644", "deleted file mode 100644", 'diff --git "a/\\')
LOOSE = ("-a", "+b", " c", "", "\\ No newline at end of file", "-- ", "GIT binary patch", "Binary files a and b differ")
ROWS = st.lists(st.sampled_from([*HEADS, *FIELDS, *LOOSE]), max_size=14)


def read(text: str) -> tuple[FilePatch, ...] | int:
    """The files, or the line at which there are no more."""
    try:
        return parse(text)
    except NotADiffError as err:
        return err.line


@settings(max_examples=400)
@given(ROWS)
def test_whatever_is_given_is_read_or_refused_with_a_line_of_it(rows: list[str]) -> None:
    found = read("".join(f"{row}\n" for row in rows))

    if isinstance(found, int):
        assert 1 <= found <= len(rows) + 1
    else:
        assert all(each.old_path or each.new_path for each in found)
        assert all(isinstance(apply(each.hunks, b"a\n c\n"), bytes | Misfit) for each in found)
