"""Reading and writing engram files: what becomes knowledge, what is named with its line, and that text stays text."""

import random
import time
from collections.abc import Callable

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from gitmem.errors import GitmemError
from gitmem.model.engram import Claim, Engram, Scope
from gitmem.model.finding import Finding, Severity
from gitmem.model.intention import Intention
from gitmem.model.skill import Skill
from gitmem.model.vocabulary import FILE_MAX_BYTES
from gitmem.record import replace
from gitmem.store.codec import canonical, decode, decode_mapping, encode, read_yaml, split
from gitmem.store.edit import set_body
from gitmem.store.intentions import encode_intention
from gitmem.store.nodes import YAML_MAX_CHARS, compose
from gitmem.store.skills import encode_skill
from tests.store.headers import ID, file_of, random_header
from tests.support import engram_id, engram_text

LATIN = "é".encode("latin-1")


def served(*lines: str, body: str = "Body text.\n") -> Engram:
    decoded = decode(file_of(*lines, body=body), "a.md")
    assert decoded.findings == ()
    assert decoded.engram is not None
    return decoded.engram


def refused(data: bytes, code: str) -> Finding:
    decoded = decode(data, "a.md")
    assert decoded.engram is None
    assert [each.code for each in decoded.findings] == [code]
    finding = decoded.findings[0]
    assert finding.severity is Severity.ERROR
    assert finding.message.isprintable()
    assert finding.hint.isprintable()
    return finding


def fault(*lines: str) -> Finding:
    return refused(file_of(*lines), "schema")


@pytest.mark.capability("M-001")
def test_one_file_is_one_engram_with_a_header_and_a_body():
    engram = decode(engram_text(scope={"paths": ["src/**"]}).encode(), "a.md").engram

    assert engram is not None
    assert engram.scope == Scope(paths=("src/**",))
    assert engram.body == "Components call the API through its client.\n"


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("mark", [False, True], ids=["bare", "marked"])
def test_f_004_f_017_mark_and_line_ends_change_nothing_that_is_read(mark, end):
    plain = decode(file_of("title: T", "tags: [a]", body="One.\n\nTwo.\n"), "a.md")
    other = decode(file_of("title: T", "tags: [a]", body="One.\n\nTwo.\n", end=end, mark=mark), "a.md")

    assert other == plain
    assert plain.engram is not None


def test_split_knows_mark_line_end_and_spans():
    parts = split(file_of("title: T", end="\r\n", mark=True), "a.md")

    assert (parts.has_bom, parts.newline, parts.header) == (True, "\r\n", f"id: {ID}\r\ntitle: T\r\n")
    assert parts.body == "Body text.\r\n"


def test_f_005_dashes_are_fences_only_as_whole_lines_at_the_top():
    engram = served("title: T", "context: |", "  a", "  ---", "  b", body="One.\n\n---\n\nTwo: x\n\n---\nEnd.\n")

    assert engram.context == "a\n---\nb\n"
    assert engram.body.count("---") == 2


def test_f_006_plain_words_stay_the_text_that_was_typed():
    words = ("no", "1.10", "2024-01-02", "0x1F", "12:30:45", "null", "~")

    engram = served("title: T", f"tags: [{', '.join(words)}]", "x-when: 2024-01-02", "x-none: null")

    assert engram.tags == words
    assert engram.extra == {"x-when": "2024-01-02", "x-none": "null"}
    assert decode(encode(engram), "a.md").engram == engram


@pytest.mark.parametrize("text", ["1.10", "no", "2024-01-02", "0x1F", "12:30:45", "1_000", "=", ".inf"])
def test_f_006_a_title_keeps_its_text(text):
    assert served(f"title: {text}").title == text


@pytest.mark.parametrize("key", ["content", "handler", "metadata", "self", "cls", "__class__", "get", "x.y", "body"])
def test_f_007_unknown_keys_may_have_any_name(key):
    assert served("title: T", f"{key}: v").extra == {key: "v"}


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        (None, "missing"),
        ("", "empty"),
        ("null", "empty"),
        ("~", "empty"),
        ("None", "None"),
        ("42", "42"),
        ("[a]", "a list"),
        ("{a: b}", "a mapping"),
        ("'   '", "blanks"),
        ("''", "blanks"),
        ("x" * 201, "201 characters"),
        ('"a\\nb"', "more than one line"),
    ],
)
@pytest.mark.capability("M-004")
def test_f_008_a_title_that_is_none_is_named(typed, found):
    finding = fault(*([] if typed is None else [f"title: {typed}"]), "tags: [a]")

    assert finding.message.startswith("title ")
    assert found in finding.message
    assert finding.place == ("a.md:1" if typed is None else "a.md:3")


def test_f_008_a_number_in_quotes_is_a_title():
    assert served('title: "42"').title == "42"


@pytest.mark.parametrize(
    ("line", "column"),
    [('title: Use "strict" mode: always', 25), ("title: “a”: b", 11), ('title: "a "b" c"', 12), ("title: *x", 8)],
)
@pytest.mark.capability("G-038")
def test_f_001_f_009_damaged_yaml_is_named_with_line_column_and_hint(line, column):
    finding = refused(file_of(line), "yaml")

    assert finding.place == "a.md:3"
    assert finding.message.startswith(f"column {column}: ")
    assert "quotes" in finding.hint


@pytest.mark.parametrize(
    "lines",
    [
        ("  paths: ['src/**', 'a b.ts']",),
        ("  paths:", "    - src/**", "    - a b.ts"),
        ("  paths:", "  - src/** # one", "  -   'a b.ts'"),
        ("  paths: [src/**, # one", "    a", "      b.ts]"),
        ("  paths:", "  - >-", "    src/**", "  - a", "    b.ts"),
    ],
    ids=["flow", "block", "compact", "multi-line", "folded"],
)
def test_f_011_every_list_style_reads_the_same(lines):
    assert served("title: T", "scope:", *lines).scope == Scope(paths=("src/**", "a b.ts"))


def test_f_012_id_title_and_body_are_enough():
    engram = served("title: T", body="First line\nof text.\n\nMore.\n")

    assert (engram.kind, engram.tags, engram.scope, engram.summary) == ("fact", (), None, "First line of text.")
    assert decode(encode(engram), "a.md").engram == engram


@pytest.mark.parametrize(
    "key", ["tags", "kind", "scope", "summary", "valid", "claims", "source", "priority", "created"]
)
def test_f_012_a_key_without_a_value_is_absent(key):
    for empty in ("", " null", " ~"):
        assert served("title: T", f"{key}:{empty}") == served("title: T")


def test_f_016_repeated_keys_are_refused_with_both_lines():
    finding = refused(file_of("title: T", "priority: 1", "tags: [a]", "kind: fact", "priority: 9"), "duplicate-key")

    assert finding.place == "a.md:7"
    assert "lines 4 and 7" in finding.message


def test_f_016_repeated_keys_are_refused_at_every_depth():
    refused(file_of("title: T", "x: {a: {b: 1, b: 2}}"), "duplicate-key")
    refused(file_of("title: T", 'x: {"a": 1, a: 2}'), "duplicate-key")


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\xef\xbb\xbf", b" \r\n"])
def test_f_018_an_empty_file_is_an_error(data):
    assert refused(data, "empty-file").place == "a.md"


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("2026-01-01", "2026-01-01"),
        ("2026-01-01T10:00:00+09:00", "2026-01-01T01:00:00Z"),
        ("2026-01-01T10:00:00", "2026-01-01T10:00:00Z"),
        ("2026-01-01 10:00", "2026-01-01T10:00:00Z"),
        ("2026-01-01t10:00:00.25z", "2026-01-01T10:00:00Z"),
    ],
)
def test_f_019_dates_follow_one_rule_for_zones(typed, read):
    engram = served("title: T", f"valid: {{from: {typed}, until: null}}", f"created: {{at: {typed}}}")

    assert (engram.valid_from, engram.valid_until, engram.created_at) == (read, "", read)


@pytest.mark.parametrize(
    "typed", ["tomorrow", "2026-13-01", "2026-1-1", "20260101", "2026-01-01T25:00:00Z", "''", "٢٠٢٦-01-01"]
)
def test_f_019_what_is_no_date_is_named(typed):
    assert "valid.from is" in fault("title: T", f"valid: {{from: {typed}}}").message


def test_f_019_a_start_after_the_end_is_named():
    assert fault("title: T", "valid: {from: 2026-01-02, until: '2026-01-01T10:00:00+09:00'}").line == 4
    assert served("title: T", "valid: {from: '2026-01-01T10:00:00Z', until: 2026-01-01}").valid_until == "2026-01-01"


@pytest.mark.parametrize(
    "title", ["😀 and more", "end \U0010ffff", "tab\there", "a\u2028b", "\ufeffx", "\x7f\x85\x9f", "ﬃ ß"]
)
def test_f_023_text_is_written_as_utf8_and_two_parsers_read_it(title):
    data = encode(Engram(ID, title, "fact", "b\n", "s"))

    header = split(data, "a.md").header
    assert yaml.load(header, Loader=yaml.SafeLoader)["title"] == title
    assert YAML(typ="safe", pure=True).load(header)["title"] == title
    assert "\\u" not in header or not title.startswith("😀")


@pytest.mark.parametrize(
    ("lines", "message", "hint"),
    [
        (["priority: high"], "priority", "10"),
        (["priority: 1.5"], "priority", ""),
        (["priority: 1000001"], "1000000", ""),
        (["priority: " + "9" * 5000], "priority", ""),
        (['confidence: "0,9"'], "confidence", "write 0.9"),
        (["importance: .nan"], "importance", ""),
        (["importance: 1.01"], "from 0 to 1", ""),
        (["importance: -0.1"], "from 0 to 1", ""),
        (["importance: 1e999"], "from 0 to 1", ""),
        (["confidence: ''"], "confidence", ""),
        (["confidence: [1]"], "a list, not text", ""),
        (["valid: tomorrow"], "a mapping", "from, until"),
        (["kind: guidline"], "unknown kind", 'did you mean "guideline"?'),
        (["status: activ"], "unknown status", 'did you mean "active"?'),
        (["visibility: secret"], "unknown visibility", "team"),
        (["source_type: first"], "unknown source_type", "firsthand"),
        (["kinds: [fact, facts]"], 'unknown kinds[1] "facts"', '"fact"'),
        (["verification: {status: yes}"], "verification.status", "refuted"),
        (["verification: {stat: verified}"], 'unknown key "stat"', '"status"'),
        (["scope: {path: src}"], 'unknown key "path" in scope', 'did you mean "paths"?'),
        (["scope: src/**"], "scope is text", "paths"),
        (["scope: {paths: {a: b}}"], "scope.paths is a mapping", ""),
        (["tags: [a, {b: c}]"], "tags[1] is a mapping", ""),
        (["tags: [a, '']"], "tags[1] is empty", ""),
        (["tags: {a: b}"], "tags is a mapping", ""),
        (["claims: [{symbol: f}]"], "claims[0] has no path", ""),
        (["claims: [[a]]"], "claims[0] is a list", ""),
        (["claims: [{path: a, line: '3'}]"], 'unknown key "line" in claims[0]', '"lines"'),
        (["source: [a]"], "source is a list", ""),
        (["source: {path: [a]}"], "source.path is a list", ""),
        (["summary: " + "x" * 301], "301 characters", ""),
        (["created: {on: 2026-01-01}"], 'unknown key "on"', "at, by"),
    ],
)
@pytest.mark.capability("R-079", "M-004", "M-005", "G-038")
def test_f_024_every_field_is_checked_by_type_and_range(lines, message, hint):
    finding = fault("title: T", *lines)

    assert message in finding.message
    assert hint in finding.hint
    assert finding.place == "a.md:4"
    assert len(finding.message) < 200


@pytest.mark.capability("M-004", "R-079")
def test_defaults_are_those_of_the_data_page():
    engram = served("title: T", "tags: [a]")

    assert (engram.importance, engram.confidence, engram.priority, engram.status) == (0.5, 0.85, 0, "active")
    assert served("title: T", "source_type: secondhand").confidence == 0.65
    assert served("title: T", "source_type: inferred").confidence == 0.5
    assert served("title: T", "scope: {paths: a}").kind == "guideline"


@pytest.mark.capability("M-004")
def test_a_missing_summary_is_the_first_paragraph_cut():
    body = "# Heading\n\n```sh\n# not this\n```\n\n" + "word " * 100 + "\nsecond line\n\nanother\n"

    summary = served("title: T", body=body).summary

    assert len(summary) == 200
    assert summary.startswith("word word")
    assert summary.endswith("...")


@pytest.mark.capability("M-005")
def test_secondary_kinds_context_tags_and_context_are_read():
    engram = served("title: T", "kind: fact", "kinds: [pattern]", "context_tags: [spike]", "context: seen in a review")

    assert (engram.kinds, engram.context_tags, engram.context) == (("pattern",), ("spike",), "seen in a review")


def test_a_lone_text_is_a_list_of_one():
    engram = served("title: T", "scope: {paths: 'src/{a,b}.ts', layers: ui}", "tags: api", "claims: src/a.py")

    assert engram.scope == Scope(paths=("src/{a,b}.ts",), layers=("ui",))
    assert (engram.tags, engram.claims) == (("api",), (Claim("src/a.py"),))


def test_an_id_is_accepted_in_either_case():
    assert decode(file_of("title: T").replace(ID.encode(), ID.lower().encode()), "a.md").engram == served("title: T")


@pytest.mark.parametrize("line", ["id:", "id: null", "id: x", "id: [a]", f"id: {ID}0", f"id: 8{ID[1:]}"])
def test_an_id_that_is_no_ulid_is_named(line):
    data = file_of("title: T").replace(f"id: {ID}".encode(), line.encode())

    assert refused(data, "schema").message.startswith("id is")


@pytest.mark.parametrize(("key", "meant"), [("scop", "scope"), ("tag", "tags"), ("pirority", "priority")])
def test_a_misspelt_key_is_a_warning_and_still_served(key, meant):
    decoded = decode(file_of("title: T", f"{key}: 5"), "a.md")

    assert [(each.severity, each.place) for each in decoded.findings] == [(Severity.WARNING, "a.md:4")]
    assert meant in decoded.findings[0].hint
    assert decoded.engram is not None
    assert decoded.engram.extra == {key: "5"}


@pytest.mark.parametrize("offset", [120, 300, 9000])
def test_f_027_what_is_not_utf8_is_named_with_its_offset(offset):
    for mark in (False, True):
        data = file_of("title: T", body="x" * 10_000 + "\n", end="\r\n", mark=mark)

        finding = refused(data[:offset] + LATIN + data[offset:], "not-utf8")

        assert f"byte offset {offset}" in finding.message
        assert finding.line == data[:offset].count(b"\n") + 1


def test_f_029_a_default_that_was_typed_is_told_apart_and_kept():
    engram = served("title: T", "importance: 0.5")

    assert "importance" in engram.stated
    assert b"importance: 0.5\n" in encode(engram)
    assert b"importance" not in encode(served("title: T"))
    assert engram == served("title: T")


@pytest.mark.parametrize("marker", ["<" * 7 + " ours", ">" * 7 + " theirs", "<" * 7])
def test_f_070_conflict_markers_are_refused_outside_fences(marker):
    in_body = file_of("title: T", body=f"a\n{marker}\nb\n")
    in_header = file_of("title: T", marker, "kind: fact")

    assert refused(in_body, "conflict-marker").line == 6
    assert refused(in_header, "conflict-marker").line == 4
    assert served("title: T", body=f"```\n{marker}\n```\n")
    assert served("title: T", body=f"~~~~ text\n{marker}\n~~~\n{marker}\n~~~~\n")
    assert served("title: T", body=f"a {marker}\n    {marker}\n")


@pytest.mark.parametrize(
    ("data", "code", "line"),
    [
        (b"plain\n", "no-header", 1),
        (b"\n---\nid: x\n---\nb\n", "no-header", 1),
        (b"--- \nid: x\n---\nb\n", "no-header", 1),
        (b"---\nid: x\nb\n", "unclosed-header", 1),
        (file_of("title: T") + b"\0", "nul-byte", 6),
        (file_of('title: "a\\0b"'), "nul-byte", 3),
        (file_of("title: \x01"), "yaml", 3),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "lfs-pointer", 1),
        (file_of("title: T", body="---\ntitle: U\n---\nb\n"), "two-headers", 5),
        (file_of("title: T", body="\n\n---\nx: U\ny:\n  - a\n---\nb\n", end="\r\n"), "two-headers", 7),
        (b"---\n- a\n---\nb\n", "yaml", 2),
        (b"---\njust text\n---\nb\n", "yaml", 2),
        (file_of("title: T", "? [a]", ": b"), "yaml", 4),
        (file_of("title: T", "...", "x: y"), "yaml", 5),
        (file_of("title: T", "--- x"), "yaml", 4),
        (file_of("\ttitle: T"), "yaml", 3),
        (file_of("title: T", "? ", ": b"), "yaml", 4),
    ],
)
@pytest.mark.capability("G-038")
def test_a_malformed_file_is_named_with_its_line(data, code, line):
    assert refused(data, code).line == line


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("title: &a T", "yaml-reference"),
        ("title: !!str T", "yaml-reference"),
        ("title: ! T", "yaml-reference"),
        ("title: !<tag:x> T", "yaml-reference"),
        ("x: {a: &b 1, c: *b}", "yaml-reference"),
        ('x: {"a":&b 1}', "yaml-reference"),
        ("&a title: T", "yaml-reference"),
        ("x: [!t a]", "yaml-reference"),
        ("<<: {a: b}", "merge-key"),
    ],
)
def test_f_251_anchors_aliases_tags_and_merge_keys_are_refused(line, code):
    assert refused(file_of(line), code).line == 3


@pytest.mark.parametrize("title", ["R&D !important", "a & b ! c", "fish &chips", "why !not"])
def test_signs_of_references_inside_text_are_text(title):
    assert served(f"title: {title}").title == title


def test_f_251_nine_levels_of_ten_aliases_are_refused_at_once():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 10)]
    data = file_of("title: T", *lines)

    started = time.process_time()
    refused(data, "yaml-reference")

    assert time.process_time() - started < 0.01


@pytest.mark.parametrize(
    "yaml_text",
    [
        "a: " + "[" * 2000 + "]" * 2000,
        "a: " + "{a: " * 2000 + "}" * 2000,
        "- " * 2000 + "x",
        "? " * 2000 + "x",
        "a: " + "[" * 200_000,
        "\n".join(" " * i + "a:" for i in range(600)),
        "".join("  " * i + "- a:\n" for i in range(200)),
        "a: [" + "[]," * 80_000 + "]",
        "a: [" + "x," * 120_000 + "]",
        "".join(f"k{i}: v\n" for i in range(25_000)),
        "a: " + "x" * YAML_MAX_CHARS,
        "a: " + "9" * 5000 + "\n",
    ],
    ids=range(12),
)
def test_f_251_depth_keys_and_size_are_capped(yaml_text):
    started = time.process_time()
    read = read_yaml(yaml_text, "a.yaml")

    assert time.process_time() - started < 4
    if isinstance(read, tuple):
        assert all(each.message.isprintable() for each in read)
    else:
        assert yaml_text.startswith("a: 999")


def test_f_253_the_size_is_judged_before_the_content():
    big = b"\0" * (FILE_MAX_BYTES + 1)

    assert refused(big, "too-large").place == "a.md"
    assert decode(big, "a.md").digest == ""
    assert decode(file_of("title: T", body="x" * (FILE_MAX_BYTES - 100) + "\n"), "a.md").engram is not None


@pytest.mark.parametrize(
    "unit", ["\n", "-", ":", "- ", "#", "'", '"', "[", "\\", "  ", "a,", "<", "é", "```\n", "---\n"]
)
@pytest.mark.parametrize("place", ["header", "quoted", "body"])
def test_f_237_time_is_linear_in_the_input(unit, place):
    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        quoted = text.replace("'", "''").replace("\n", "\n\n  ")
        lines = {"header": [f"x: {text}"], "quoted": [f"x: '{quoted}'"], "body": ["x: y"]}[place]
        data = file_of("title: T", *lines, body=text + "x\n" if place == "body" else "b\n")
        return min(_timed(data) for _ in range(3))

    small, large = seconds(32_768), seconds(65_536)

    assert large <= 2.5 * small + 0.003


def _timed(data: bytes) -> float:
    started = time.process_time()
    decode(data, "a.md")
    return time.process_time() - started


def test_lines_of_keys_and_items_are_known():
    data = file_of("title: T", "# c", "scope:", "  paths:", "    - a", "    - b", "x: {y: [z]}")

    lines = decode(data, "a.md").lines

    assert {key: lines[key] for key in ("scope", "scope.paths", "scope.paths[1]", "x.y[0]")} == {
        "scope": 5,
        "scope.paths": 6,
        "scope.paths[1]": 8,
        "x.y[0]": 9,
    }


@pytest.mark.parametrize("char", ["\x85", "\u2028", "\u2029"])
def test_lines_count_only_line_feeds(char):
    assert refused(file_of(f"title: 'a{char}  b'", "kind: fac"), "schema").line == 4


def test_canonical_bytes_normalise_mark_line_ends_and_the_end_alone():
    assert canonical(b"\xef\xbb\xbfa\r\nb \r c\n\n\n") == b"a\nb \r c\n"
    assert canonical(b"a") == b"a\n"
    assert canonical(b"\n\n") == b""


@given(st.text("a\r\n", max_size=12).map(str.encode) | st.binary(max_size=60))
def test_canonical_is_idempotent(data):
    assert canonical(canonical(data)) == canonical(data)


@given(st.binary(max_size=200))
def test_any_bytes_become_an_engram_or_findings(data):
    for given_data in (data, b"---\n" + data + b"\n---\nb\n", file_of("title: T") + data):
        decoded = decode(given_data, "a.md")
        assert decoded.engram is not None or decoded.findings


@given(st.text(alphabet="ab:-?[]{},&*!|>'\"%@#\n \t\\~<=0.\x85é", max_size=60))
@settings(max_examples=400)
def test_any_yaml_text_is_read_as_typed_or_refused(text):
    read = read_yaml(text, "a.yaml")

    if isinstance(read, tuple):
        assert read
    elif compose(text, "a.yaml") is not None:
        assert read.values == yaml.load(text, Loader=yaml.CBaseLoader)


def test_decode_mapping_reads_settings_and_leaves_out_what_has_no_value():
    values, findings = decode_mapping(b"trust: ~\nbudget: {bytes: 8192, tokens: }\nlayers: [a, null]\n", "c.yaml")

    assert (values, findings) == ({"budget": {"bytes": "8192"}, "layers": ["a", "null"]}, ())
    assert decode_mapping(b"", "c.yaml") == ({}, ())
    assert decode_mapping(b"---\na: b\n", "c.yaml") == ({"a": "b"}, ())


@pytest.mark.parametrize("data", [b"a: [", b"- a\n", b"\xff", b"a: 1\na: 2\n"])
def test_decode_mapping_names_what_is_wrong(data):
    values, findings = decode_mapping(data, "c.yaml")

    assert values == {}
    assert findings[0].path == "c.yaml"


NAMES = st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=30)
FILLED = NAMES.filter(str.strip)
TEXTS = st.recursive(
    NAMES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FILLED, inner, max_size=3), max_leaves=6
)
LISTS = st.lists(FILLED, max_size=3).map(tuple)
ENGRAMS = st.builds(
    Engram,
    id=st.just(ID),
    title=FILLED.filter(lambda text: "\n" not in text and "\r" not in text),
    kind=st.sampled_from(("fact", "guideline")),
    body=FILLED.map(lambda text: f"{text.strip()} end\n".replace("\r", "")),
    summary=FILLED,
    tags=LISTS,
    context=st.just("") | FILLED,
    scope=st.none() | st.builds(Scope, LISTS, LISTS, LISTS, LISTS),
    requires=LISTS,
    priority=st.integers(-1_000_000, 1_000_000),
    claims=st.lists(st.builds(Claim, FILLED, FILLED), max_size=2).map(tuple),
    source=st.dictionaries(FILLED, FILLED, max_size=2),
    importance=st.floats(0, 1).map(lambda number: round(number, 6)),
    evidence=st.lists(TEXTS, max_size=2).map(tuple),
    valid_until=st.sampled_from(("", "2026-01-01", "2026-01-01T00:00:00Z")),
    created_by=st.just("") | FILLED,
    extra=st.dictionaries(FILLED.map("x{}".format), TEXTS, max_size=3),
)


@given(ENGRAMS)
@settings(max_examples=150)
@pytest.mark.capability("R-079")
def test_what_is_encoded_is_decoded_as_the_same_engram(engram):
    decoded = decode(encode(engram), "a.md")

    assert decoded.findings == ()
    assert decoded.engram == engram


@given(ENGRAMS)
@settings(max_examples=60)
def test_three_parsers_read_the_same_text_from_what_is_encoded(engram):
    header = split(encode(engram), "a.md").header

    ours = read_yaml(header, "a.md")
    assert not isinstance(ours, tuple)
    pyyaml = yaml.load(header, Loader=yaml.CSafeLoader)
    ruamel = YAML(typ="safe", pure=True).load(header)
    assert _as_text(pyyaml) == _as_text(ruamel) == _as_numbers(ours.values)


def _as_text(value: object) -> object:
    """Only fields that are numbers may come back as numbers; anything else that is no text fails the comparison."""
    if isinstance(value, dict):
        return {
            key: float(each) if key in NUMBERS and type(each) in (int, float) else _as_text(each)
            for key, each in value.items()
        }
    return [_as_text(each) for each in value] if isinstance(value, list) else value


def _as_numbers(values: dict[str, object]) -> object:
    return {key: float(str(each)) if key in NUMBERS else each for key, each in values.items()}


NUMBERS = ("priority", "importance", "confidence")


def test_encode_writes_keys_in_order_and_one_item_a_line():
    engram = Engram(
        ID,
        "T: x",
        "constraint",
        "b",
        "Short.",
        tags=("no", "api"),
        scope=Scope(paths=("src/**", "*.ts")),
        claims=(Claim("a.py", symbol="f"),),
        valid_from="2026-01-01",
        extra={"x-team": {"owner": "ops"}},
    )

    assert encode(engram).decode().splitlines() == [
        "---",
        f"id: {ID}",
        'title: "T: x"',
        "kind: constraint",
        "summary: Short.",
        "tags:",
        '  - "no"',
        "  - api",
        "scope:",
        "  paths:",
        "    - src/**",
        '    - "*.ts"',
        "claims:",
        "  - path: a.py",
        "    symbol: f",
        "status: active",
        "valid:",
        '  from: "2026-01-01"',
        "x-team:",
        "  owner: ops",
        "---",
        "b",
    ]


def test_encode_leaves_an_automatic_summary_out():
    engram = served("title: T", body="A paragraph.\n")

    assert b"summary" not in encode(engram)
    assert b"summary: Other.\n" in encode(replace(engram, summary="Other."))


@pytest.mark.parametrize("seed", range(60))
def test_headers_that_people_type_are_read_as_the_base_loader_reads_them(seed):
    header = "".join(block.text for block in random_header(random.Random(seed)))

    read = read_yaml(header, "a.md")

    assert not isinstance(read, tuple)
    assert read.values == yaml.load(header, Loader=yaml.CBaseLoader)


@pytest.mark.long
def test_a_cold_parse_costs_no_more_than_the_safe_loader_by_half():
    files = [
        engram_text(
            id=engram_id(number),
            title=f"Rule {number} about a module",
            tags=["api", f"t{number}"],
            scope={"paths": [f"src/mod{number}/**"]},
            priority=number % 5,
            confidence=0.85,
            status="active",
            created={"at": "2026-11-30T10:00:00Z", "by": "Ada <ada@example.org>"},
        ).encode()
        for number in range(1000)
    ]
    headers = [split(data, "a.md").header for data in files]

    theirs = min(_loop(lambda: [yaml.load(each, Loader=yaml.CSafeLoader) for each in headers]) for _ in range(3))
    ours = min(_loop(lambda: [decode(each, "a.md") for each in files]) for _ in range(3))

    assert ours <= 1.5 * theirs


def _loop(work):
    started = time.process_time()
    work()
    return time.process_time() - started


HALF = "half of a \ud800 sign\n"


@pytest.mark.parametrize(
    "write",
    [
        lambda: encode(Engram(engram_id(1), "T", "fact", HALF, "S")),
        lambda: encode_skill(Skill("name", "What it does.", HALF)),
        lambda: encode_intention(Intention("name", "T", HALF)),
        lambda: set_body(engram_text().encode(), HALF),
    ],
    ids=["engram", "skill", "intention", "body"],
)
def test_half_a_character_is_refused_wherever_it_stands(write: Callable[[], bytes]) -> None:
    """JSON may hold one, and no file can."""
    with pytest.raises(GitmemError) as stopped:
        write()

    assert stopped.value.code == "not-unicode"
