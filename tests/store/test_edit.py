"""Span edits: what was asked for changes, every other byte stays, and what cannot be read is not touched."""

import random
import re
from collections.abc import Callable
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from gitmem.errors import GitmemError
from gitmem.store.codec import decode, split
from gitmem.store.edit import add_to_list, remove_from_list, remove_key, set_body, set_value
from gitmem.text.sections import replace_section
from tests.store.headers import Block, file_of, random_header, word

VAULT = Path(__file__).parents[3] / "shared" / "data" / "vault" / "backlog-md"

COMMENTED = """\
# top
title: 'It''s x'   # beside title
# above tags
tags:   # beside tags
- a # one
  # between
- 'b'
# below tags
context: | # beside context
  hello
  --- x

summary: plain words
  go on
x-team: {owner: ops} # keep
scope:
  # in scope
  paths: [src/**, "lib/**"] # beside paths
  # end of scope
# the end
"""


def edited(header: str, edit: Callable[..., bytes], *args: object) -> str:
    """The header after an edit; the fences, the id and the body must be as before."""
    before = file_of(*header.splitlines())
    after = edit(before, *args).decode()
    head, tail = before.decode().split(header)
    assert after.startswith(head)
    assert after.endswith(tail)
    return after[len(head) : len(after) - len(tail)]


@pytest.mark.parametrize(
    ("key", "value", "old", "new"),
    [
        ("title", "New", "title: 'It''s x'   #", "title: 'New'   #"),
        ("title", "it's", "title: 'It''s x'   #", "title: 'it''s'   #"),
        ("title", "two\nlines", "title: 'It''s x'   #", 'title: "two\\nlines"   #'),
        ("tags", ["a", "c"], "- 'b'", "- 'c'"),
        ("tags", ["b"], "- a # one\n", ""),
        ("tags", "x", "tags:   # beside tags\n- a # one\n  # between\n- 'b'\n", "tags: x   # beside tags\n"),
        ("context", "short", "| # beside context\n  hello\n  --- x\n", "short # beside context\n"),
        ("context", "a\nb\n", "  hello\n  --- x\n", "  a\n  b\n"),
        ("context", "a\nb", "| # beside context\n  hello\n  --- x\n", "|- # beside context\n  a\n  b\n"),
        ("summary", "brief", "plain words\n  go on", "brief"),
        ("summary", ["a", "b"], "summary: plain words\n  go on\n", "summary:\n  - a\n  - b\n"),
        ("x-team", "nobody", "{owner: ops}", "nobody"),
        ("x-team.owner", "a, b", "{owner: ops}", '{owner: "a, b"}'),
        ("x-team.room", "5", "{owner: ops}", '{owner: ops, room: "5"}'),
        ("scope.paths", ["src/**", "doc/**"], '"lib/**"', '"doc/**"'),
        ("scope.paths", ["lib/**"], 'src/**, "lib', '"lib'),
        ("scope.paths", [], '[src/**, "lib/**"]', "[]"),
        ("scope.except", ["*.md"], "beside paths\n", 'beside paths\n  except:\n    - "*.md"\n'),
        (
            "scope",
            {"layers": ["ui"]},
            '  # in scope\n  paths: [src/**, "lib/**"] # beside paths\n',
            "  layers:\n    - ui\n",
        ),
        ("kind", "fact", "# above tags\n", "kind: fact\n# above tags\n"),
        ("priority", "5", "  # end of scope\n", "priority: 5\n  # end of scope\n"),
        ("valid.from", "2026-01-01", "  # end of scope\n", 'valid:\n  from: "2026-01-01"\n  # end of scope\n'),
        ("x-new", "v", "  # end of scope\n", "x-new: v\n  # end of scope\n"),
    ],
)
@pytest.mark.capability("G-024")
def test_f_025_a_value_changes_and_the_comments_stay(key, value, old, new):
    assert COMMENTED.count(old) == 1

    assert edited(COMMENTED, set_value, key, value) == COMMENTED.replace(old, new)


@pytest.mark.parametrize(
    ("key", "gone"),
    [
        ("title", "title: 'It''s x'   # beside title\n"),
        ("tags", "tags:   # beside tags\n- a # one\n  # between\n- 'b'\n"),
        ("context", "context: | # beside context\n  hello\n  --- x\n"),
        ("summary", "summary: plain words\n  go on\n"),
        ("x-team.owner", "x-team: {owner: ops} # keep\n"),
        ("scope", 'scope:\n  # in scope\n  paths: [src/**, "lib/**"] # beside paths\n'),
        ("absent", ""),
        ("scope.absent", ""),
        ("absent.part", ""),
    ],
)
@pytest.mark.capability("G-024")
def test_a_removed_key_takes_its_own_lines_only(key, gone):
    assert edited(COMMENTED, remove_key, key) == COMMENTED.replace(gone, "")


@pytest.mark.parametrize(
    ("key", "old", "new"),
    [
        ("tags", "- 'b'\n", "- 'b'\n- n 1\n- \"{x}\"\n"),
        ("scope.paths", '"lib/**"]', '"lib/**", n 1, "{x}"]'),
        ("scope.layers", "beside paths\n", 'beside paths\n  layers:\n    - n 1\n    - "{x}"\n'),
        ("summary", "summary: plain words\n  go on\n", 'summary:\n  - plain words go on\n  - n 1\n  - "{x}"\n'),
        ("aliases", "  # end of scope\n", 'aliases:\n  - n 1\n  - "{x}"\n  # end of scope\n'),
    ],
)
@pytest.mark.capability("G-024")
def test_added_items_follow_the_style_of_the_list(key, old, new):
    once = edited(COMMENTED, add_to_list, key, ["n 1", "{x}", "n 1"])

    assert once == COMMENTED.replace(old, new)
    assert edited(once, add_to_list, key, ["{x}", "n 1"]) == once


@pytest.mark.parametrize(
    ("header", "value", "after"),
    [
        ("l:\n  - a # one\n  # of b\n  - b\n", "a", "l:\n  # of b\n  - b\n"),
        ("l:\n  - a\n  - b # two\n# c\n", "b", "l:\n  - a\n# c\n"),
        ("l:\n  - a # c\n", "a", "l: []\n"),
        ("l: # c\n- a\n", "a", "l: [] # c\n"),
        ("l: [a, b, c]\n", "a", "l: [b, c]\n"),
        ("l: [a, b, c]\n", "b", "l: [a, c]\n"),
        ("l: [a, b, c] # c\n", "c", "l: [a, b] # c\n"),
        ("l: [a,]\n", "a", "l: []\n"),
        ("l: [a, 'b',]\n", "b", "l: [a, ]\n"),
        ("l: [\n  a, # one\n  b  # two\n]\n", "a", "l: [\n   # one\n  b  # two\n]\n"),
        ("l: [\n  a,\n  b,\n]\n", "b", "l: [\n  a,\n]\n"),
        ("l: [\n  a,\n  b\n]\n", "b", "l: [\n  a\n]\n"),
        ("l: a # c\n", "a", "l: [] # c\n"),
        ("l:\n  - {p: x}\n  - q: y\n    r: z\n", {"p": "x"}, "l:\n  - q: y\n    r: z\n"),
        ("l:\n  - {p: x}\n  - q: y\n    r: z\n", {"q": "y", "r": "z"}, "l:\n  - {p: x}\n"),
        ("l:\n  -\n    a\n  - # c\n    b\n", "a", "l:\n  - # c\n    b\n"),
        ("l: [a]\n", "absent", "l: [a]\n"),
        ("l:\n", "", "l:\n"),
    ],
)
@pytest.mark.capability("G-024")
def test_removed_items_leave_their_neighbours_alone(header, value, after):
    assert edited(header, remove_from_list, "l", [value]) == after


@pytest.mark.parametrize("mark", [False, True], ids=["bare", "marked"])
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("body", ["Text.", "Text.\n\n\n", "---\nx: y\n", "# é 😀\n\t \n"])
def test_f_004_f_005_mark_line_ends_and_body_keep_their_bytes(mark, end, body):
    data = file_of("title: T # c", "context: |", "  a", "  ---", "tags:", "- a", body=body, end=end, mark=mark)

    changed = add_to_list(set_value(data, "title", "U"), "tags", ["b"])

    assert changed == data.replace(b"title: T", b"title: U").replace(
        b"- a" + end.encode(), f"- a{end}- b{end}".encode()
    )


@pytest.mark.parametrize(
    "header",
    [
        'title: Use "strict" mode: always',
        "title: “a”: b",
        'title: "a "b" c"',
        "title: &a T",
        "title: T\ntitle: U",
        "title: [a",
        "- a",
        "title: T\n<<<<<<< ours",
    ],
)
@pytest.mark.parametrize(
    "edit",
    [
        lambda data: set_value(data, "title", "X", "a.md"),
        lambda data: remove_key(data, "title", "a.md"),
        lambda data: add_to_list(data, "tags", ["x"], "a.md"),
        lambda data: remove_from_list(data, "tags", ["x"], "a.md"),
        lambda data: set_body(data, "x", "a.md"),
    ],
    ids=["set", "remove", "add", "take", "body"],
)
@pytest.mark.capability("G-024")
def test_f_001_f_009_a_header_that_does_not_parse_is_not_touched(header, edit):
    with pytest.raises(GitmemError) as caught:
        edit(file_of(*header.split("\n")))

    assert caught.value.place.startswith("a.md:")
    assert caught.value.hint.endswith("the file was not touched")


def test_f_001_a_file_without_a_header_gets_none():
    with pytest.raises(GitmemError, match="no header"):
        set_value(b"# Just text\n", "title", "X")


LITERAL = (
    "$1 $& $$",
    r"\1 \g<0>",
    "%s {0}",
    "a: b # c",
    "'",
    '"',
    "\\",
    "",
    " x ",
    "- a",
    "null",
    "é\u2028😀",
    "a\tb",
    "x\r\ny",
)


@pytest.mark.parametrize("text", LITERAL)
@pytest.mark.parametrize("style", ["title: old", "title: 'old'", 'title: "old"', "title: |\n  old", "title:", "x: y"])
def test_f_010_text_is_placed_literally_whatever_stood_there(style, text):
    before = file_of(*style.split("\n"), "last: [v]")

    changed = set_value(before, "title", text)
    changed = add_to_list(changed, "last", [text])
    changed = set_value(changed, "new", {text or "empty": [text]}) if text.strip() else changed

    values = yaml.load(split(changed, "").header, Loader=yaml.CSafeLoader)
    assert (values["title"], values["last"][-1]) == (text, text)
    assert not text.strip() or values["new"] == {text: [text]}


@pytest.mark.capability("G-024")
def test_f_014_setting_one_tag_changes_one_line():
    before = file_of("title: T", "x-team: {owner: ops} # keep", "tags: [a]", "x-other:   '1.10'")

    after = set_value(before, "tags", ["b"]).splitlines()

    assert [pair for pair in zip(before.splitlines(), after, strict=True) if pair[0] != pair[1]] == [
        (b"tags: [a]", b"tags: [b]")
    ]


def test_an_edit_without_effect_returns_the_same_bytes():
    data = file_of("title: T", "tags: [a]", "x:")

    assert set_value(data, "title", "T") == data
    assert add_to_list(data, "tags", ["a"]) == data
    assert remove_from_list(data, "tags", ["b"]) == data
    assert remove_key(data, "absent") == data
    assert set_body(data, "Body text.\n") == data


def test_a_key_without_a_value_is_not_the_word_null():
    assert b'x: "null"\n' in set_value(file_of("x: null"), "x", "null")
    assert b'x: ""\n' in set_value(file_of("x:"), "x", "")
    assert b"x:\n  - a\n" in add_to_list(file_of("x: ~"), "x", ["a"])


@pytest.mark.parametrize(("key", "text"), [("priority", "5"), ("importance", "0.25")])
def test_numbers_are_written_without_quotes(key, text):
    assert f"{key}: {text}\n".encode() in set_value(file_of("title: T"), key, text)


@pytest.mark.parametrize(
    ("edit", "args"),
    [(set_value, ("tags.x", "v")), (set_value, ("title.x", "v")), (add_to_list, ("scope", ["v"]))],
)
def test_a_part_of_what_is_no_mapping_is_refused(edit, args):
    with pytest.raises(GitmemError, match=r"is a list|is text|is a mapping"):
        edit(file_of("title: T", "tags: [a]", "scope: {paths: [a]}"), *args)


def test_an_edit_that_would_pull_a_comment_into_a_text_is_refused():
    data = file_of("context: |", "  text", "tags: [a]", "  # about tags", "x: y")

    with pytest.raises(GitmemError, match="cannot be changed in place"):
        remove_key(data, "tags")


def test_a_part_is_added_behind_one_without_a_value():
    assert b"x: {a: , b: v }\n" in set_value(file_of("x: {a: }"), "x.b", "v")
    assert b"x: [a, b]\n" in add_to_list(file_of("x: [a]"), "x", ["b"])


def test_a_key_with_a_dot_in_its_name_is_found():
    assert b"x.y: new\n" in set_value(file_of("x.y: old"), "x.y", "new")


@pytest.mark.parametrize("header", ["{title: T, id: 1}", "{}", "# only a comment", "  title: T\n  tags:\n  - a"])
def test_headers_of_other_shapes_are_edited_too(header):
    data = f"---\n{header}\n---\nb\n".encode()

    changed = add_to_list(set_value(data, "title", "U"), "tags", ["n"])

    values = yaml.load(split(changed, "").header, Loader=yaml.CBaseLoader)
    assert (values["title"], values["tags"][-1]) == ("U", "n")
    assert remove_key(remove_key(changed, "title"), "tags").endswith(b"\n---\nb\n")


@pytest.mark.parametrize(
    ("old", "new", "after"),
    [
        ("a\nb\nc\n", "a\nX\nc\n", "a\nX\nc\n"),
        ("a\nb", "a\nb\nc\n", "a\nb\nc\n"),
        ("a\nb", "X\nb\n", "X\nb"),
        ("a\n", "X", "X\n"),
        ("a\n\n\n", "X\n", "X\n"),
        ("", "X\n", "X\n"),
        ("a\na\n", "a\na\na\n", "a\na\na\n"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_new_body_keeps_the_bytes_of_equal_lines(old, new, after, end):
    data = file_of("title: T", body=old, end=end)

    changed = set_body(data, new)

    assert changed == data[: len(data) - len(old.replace("\n", end))] + after.replace("\n", end).encode()


def test_mixed_line_ends_of_a_body_stay_where_lines_are_equal():
    data = file_of("title: T") + b"one\r\ntwo\nthree\r\nfour"

    assert set_body(data, "Body text.\none\nTWO\nthree\nfour").endswith(b"one\r\nTWO\nthree\r\nfour")


def test_a_body_that_would_be_read_as_a_header_is_refused():
    with pytest.raises(GitmemError, match="second header"):
        set_body(file_of("title: T"), "---\ntitle: U\n---\nx\n")


def test_f_026_a_section_of_a_file_is_replaced_once():
    data = file_of("title: T", body="## A\nold\n### A.1\nx\n## B\ny", end="\r\n")

    changed = set_body(data, replace_section(split(data, "").body, "A", "new"))

    assert changed.endswith(b"## A\r\n\r\nnew\r\n\r\n## B\r\ny")
    assert set_body(changed, replace_section(split(changed, "").body, "A", "new")) == changed


class Asked(NamedTuple):
    """An edit, and what the values of the header are after it."""

    name: str
    edit: Callable[[bytes], bytes]
    change: Callable[[dict[str, object]], None]
    is_insertion: bool = False


def _random_edit(draw: random.Random, values: dict[str, object]) -> Asked:
    key = draw.choice(
        (
            "title",
            "summary",
            "context",
            "tags",
            "requires",
            "x-list",
            "größe",
            "x-new",
            "scope.paths",
            "scope.layers",
            "valid.from",
        )
    )
    name, _, part = key.partition(".")
    whole = values.get(name)
    now = (whole.get(part) if isinstance(whole, dict) else None) if part else whole
    items = [*now] if isinstance(now, list) else [now] if isinstance(now, str) and now not in ("", "~") else []
    text = draw.choice((word(draw), f"{word(draw)} {word(draw)}", "two\nlines\n", "a\n\n b"))
    kind = draw.choice(("set", "set", "list", "remove", "add", "add", "take"))
    if kind == "add":
        added = [word(draw) for _ in range(draw.randint(1, 3))]
        fresh = [each for i, each in enumerate(added) if each not in items and each not in added[:i]]
        change = _setter(name, part, items + fresh if fresh else now)
        is_insertion = isinstance(now, list) and bool(now and fresh)
        return Asked(name, lambda data: add_to_list(data, key, added), change, is_insertion)
    if kind == "take":
        gone = draw.sample(items, draw.randint(1, len(items))) if items else ["absent"]
        kept = [each for each in items if each not in gone]
        return Asked(
            name, lambda data: remove_from_list(data, key, gone), _setter(name, part, kept if kept != items else now)
        )
    if kind == "remove":
        return Asked(name, lambda data: remove_key(data, key), _setter(name, part, None))
    value = text if kind == "set" else [word(draw) for _ in range(draw.randint(0, 3))]
    return Asked(name, lambda data: set_value(data, key, value), _setter(name, part, value))


def _setter(name: str, part: str, value: object) -> Callable[[dict[str, object]], None]:
    def change(values: dict[str, object]) -> None:
        holder = values
        if part:
            whole = values.get(name)
            holder = dict(whole) if isinstance(whole, dict) else {}
        if value is None:
            holder.pop(part or name, None)
        else:
            holder[part or name] = value
        if part and (holder or isinstance(values.get(name), dict)):
            values[name] = holder
        if part and not holder:
            values.pop(name, None)

    return change


def _check_random_edit(seed: int) -> None:
    draw = random.Random(seed)
    blocks = random_header(draw)
    end = draw.choice(("\n", "\r\n"))
    mark = draw.choice((b"", b"\xef\xbb\xbf"))
    body = draw.choice(("b\n", "b", "---\n\n# é\n\n\n", ""))
    header = "".join(block.text for block in blocks)
    data = mark + f"---\n{header}---\n{body}".replace("\n", end).encode()
    wanted = yaml.load(header, Loader=yaml.CBaseLoader)
    asked = _random_edit(draw, wanted)

    changed = asked.edit(data)

    asked.change(wanted)
    parts = split(changed, "")
    found = yaml.load(parts.header, Loader=yaml.CBaseLoader)
    assert found == wanted, (seed, asked.name)
    before, after = _others(blocks, asked.name, end)
    assert changed.startswith(mark + f"---{end}".encode() + before), (seed, asked.name)
    assert changed.endswith(after + f"---{end}{body}".replace("\n", end).replace("\r\r", "\r").encode()), (
        seed,
        asked.name,
    )
    assert (b"\n" in changed.replace(b"\r\n", b"")) == (end == "\n"), (seed, asked.name)
    assert not asked.is_insertion or _is_insertion(data, changed), (seed, asked.name)


def _others(blocks: list[Block], name: str, end: str) -> tuple[bytes, bytes]:
    """The bytes before and behind the lines of a key. Of a new key nothing is known here but that the rest is there."""
    texts = [block.text.replace("\n", end) for block in blocks]
    owners = [block.owner for block in blocks]
    at = owners.index(name) if name in owners else 0
    return "".join(texts[:at]).encode(), "".join(texts[at + 1 :]).encode() if name in owners else b""


def _check_new_key_is_one_insertion(seed: int) -> None:
    draw = random.Random(seed)
    header = "".join(block.text for block in random_header(draw))
    data = f"---\n{header}---\nb\n".encode()
    key = draw.choice(("kind", "priority", "x-fresh", "status", "created.by", "kinds"))

    changed = set_value(data, key, [word(draw)] if key == "kinds" else word(draw))

    assert _is_insertion(data, changed), seed


def _is_insertion(data: bytes, changed: bytes) -> bool:
    """Whether ``data`` is what is left of ``changed`` without one run of bytes."""
    same = len([*takewhile(lambda pair: pair[0] == pair[1], zip(data, changed, strict=False))])
    size = len(changed) - len(data)
    return size > 0 and any(changed[:at] + changed[at + size :] == data for at in range(same - size, same + 1))


@pytest.mark.parametrize("batch", range(15))
@pytest.mark.capability("G-024")
def test_random_edits_leave_all_other_bytes_equal(batch):
    for seed in range(batch * 100, batch * 100 + 100):
        _check_random_edit(seed)


@pytest.mark.capability("G-024")
def test_a_new_key_is_one_insertion():
    for seed in range(300):
        _check_new_key_is_one_insertion(seed)


@pytest.mark.long
@pytest.mark.capability("G-024")
def test_ten_thousand_random_edits_leave_all_other_bytes_equal():
    for seed in range(10_000):
        _check_random_edit(seed)


@pytest.mark.skipif(not VAULT.is_dir(), reason="the vault of public notes is not here")
@pytest.mark.capability("G-024")
def test_edits_of_real_notes_keep_every_other_byte():
    notes = [path for path in sorted(VAULT.rglob("*.md")) if path.read_bytes().startswith(b"---\n")]
    assert len(notes) > 300

    damaged = [path for path in notes if not _check_note(path.read_bytes())]
    assert len(damaged) < 10  # names that begin with @, not in quotes


def _check_note(data: bytes) -> bool:
    """Whether the header is YAML; one that is not must not be touched."""
    header = split(data, "").header
    try:
        values = yaml.load(header, Loader=yaml.CBaseLoader)
    except yaml.YAMLError:
        with pytest.raises(GitmemError):
            set_value(data, "title", "New")
        return False
    for key, edit in (
        ("title", lambda: set_value(data, "title", "It's: new # \\1")),
        ("labels", lambda: add_to_list(data, "labels", ["fresh"])),
        ("labels", lambda: remove_from_list(data, "labels", values.get("labels", [])[:1])),
        ("status", lambda: remove_key(data, "status")),
    ):
        lines = re.search(rf"^{key}:.*\n(?:[ -].*\n)*", header, re.MULTILINE)
        changed = edit()
        if lines is None:
            assert data.split(header.encode())[1] in changed
            continue
        before, after = data.split(lines[0].encode(), 1)
        assert changed.startswith(before)
        assert changed.endswith(after)
    return True


def test_what_was_edited_is_served():
    data = file_of("title: T", "tags: [a]")

    changed = set_value(set_value(data, "scope.paths", ["src/**"]), "confidence", "0.9")

    engram = decode(changed, "a.md").engram
    assert engram is not None
    assert (engram.scope and engram.scope.paths, engram.confidence) == (("src/**",), 0.9)


CLAIMS = """claims:
  - path: src/a.py  # the client
    hash: "t1:aa"
    by: ada
  - path: src/b.py
  - {path: src/c.py, hash: "t1:cc"}
  - src/d.py
"""


@pytest.mark.parametrize(
    ("wanted", "old", "new"),
    [
        pytest.param([{"path": "lib/a.py"}], "src/a.py", "lib/a.py", id="the first key, on the line of the dash"),
        pytest.param([{"hash": "t1:ee"}], '"t1:aa"', '"t1:ee"', id="a further key"),
        pytest.param([{}, {"path": "lib/b.py"}], "src/b.py", "lib/b.py", id="an item of one key"),
        pytest.param([{}, {}, {"path": "lib/c.py"}], "src/c.py", "lib/c.py", id="an item in braces"),
    ],
)
def test_one_value_in_a_list_of_mappings_changes_and_all_around_it_stays(wanted, old, new):
    data = f"---\n{CLAIMS}---\nBody.\n".encode()
    items = [
        {"path": "src/a.py", "hash": "t1:aa", "by": "ada"},
        {"path": "src/b.py"},
        {"path": "src/c.py", "hash": "t1:cc"},
        "src/d.py",
    ]

    changed = [{**each, **more} for each, more in zip(items, wanted, strict=False)] + items[len(wanted) :]

    assert set_value(data, "claims", changed) == data.replace(old.encode(), new.encode())


def test_an_item_of_a_list_that_becomes_something_else_takes_its_lines_along():
    data = f"---\n{CLAIMS}---\nBody.\n".encode()

    after = set_value(
        data, "claims", [{"path": "src/a.py", "hash": "t1:aa", "by": "ada"}, "src/b.py", {"x": "1"}, "src/d.py"]
    )

    assert b'  - src/b.py\n  - {x: "1"}\n  - src/d.py\n' in after
