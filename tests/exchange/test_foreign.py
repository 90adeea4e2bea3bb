"""Headers of foreign files: valid YAML, nearly YAML, and YAML that means harm."""

import json
import time
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from gitmem.exchange.convert import convert
from gitmem.exchange.draft import Skipped
from gitmem.exchange.foreign import read_header
from gitmem.exchange.formats import named
from gitmem.exchange.globlist import split_list, unquote
from gitmem.exchange.original import give_back

SUITES = Path(__file__).parents[3] / "shared" / "data" / "suites"
needs_suites = pytest.mark.skipif(not SUITES.is_dir(), reason="the shared suites are not here")
SECONDS = 1.0

NOT_YAML = [
    ("a star", "globs: **/*.ts\nalwaysApply: true\n", {"globs": "**/*.ts", "alwaysApply": "true"}),
    ("a colon in a value", "description: Use: this\n", {"description": "Use: this"}),
    ("a tab", "a: 1\n\tb\n", {"a": "1 b"}),
    ("an alias", "globs: *all\n", {"globs": "*all"}),
    ("an exclamation mark", "globs: !a.ts\n", {"globs": "!a.ts"}),
    ("no blank after the colon", "globs:**/*.ts\n", {"globs": "**/*.ts"}),
    ("a list of stars", "globs:\n  - *.ts\n  - \"b\"\n", {"globs": ["*.ts", "b"]}),
    ("a flow list over lines", "globs: [\n  *.ts,\n  *.js\n]\n", {"globs": ["*.ts", "*.js"]}),
    ("a block text", "a: |\n  one\n  two\nglobs: *.ts\n", {"a": "one\ntwo", "globs": "*.ts"}),
    ("a comment", "# why\nglobs: *.ts # here\n", {"globs": "*.ts"}),
    ("unequal quotes", 'title: "a "b" c"\n', {"title": '"a "b" c"'}),
    ("curly quotes", "title: \u201ca\u201d: b\n", {"title": "\u201ca\u201d: b"}),
    ("no keys", "just words\n", {}),
    ("a list", "- a\n- b\n", {}),
]  # fmt: skip


@pytest.mark.capability("G-033")
@pytest.mark.parametrize(("text", "fields"), [row[1:] for row in NOT_YAML], ids=[row[0] for row in NOT_YAML])
def test_a_header_that_is_not_yaml_is_read_line_by_line(text: str, fields: dict[str, str | list[str]]) -> None:
    header = read_header(text)

    assert not header.is_yaml
    assert dict(header.fields) == fields


def test_f006_words_stay_the_words_that_were_typed() -> None:
    header = read_header("tags: [no, 1.10, 2024-01-02, 0x1F, 12:30:45, null, ~]\ndate: 2024-01-02\nflag: no\n")

    assert header.words("tags") == ("no", "1.10", "2024-01-02", "0x1F", "12:30:45", "null", "~")
    assert (header.text("date"), header.text("flag"), header.flag("flag")) == ("2024-01-02", "no", False)


def test_f007_keys_may_have_the_names_of_the_parsers_arguments() -> None:
    names = ["content", "handler", "metadata", "self", "cls", "__class__", "get", "text", "encoding", "fm"]
    header = read_header("".join(f"{name}: {number}\n" for number, name in enumerate(names)))

    assert dict(header.fields) == {name: str(number) for number, name in enumerate(names)}


def test_f016_a_repeated_key_is_named() -> None:
    header = read_header("globs: a\nglobs: b\n")

    assert (header.text("globs"), header.repeated) == ("b", ("globs",))


@pytest.mark.parametrize(
    ("text", "value"),
    [("true", True), ("True", True), ("yes", True), ("'on'", True), ("false", False), ("off", False), ("", None),
     ("null", None), ("~", None)],
)  # fmt: skip
def test_a_flag_is_read_as_people_spell_it(text: str, value: bool | None) -> None:
    assert read_header(f"alwaysApply: {text}\n").flag("alwaysApply") is value


PAIRS = list(zip("abcdefg", "bcdefgh", strict=True))
HOSTILE = {
    "laughs": "a: &a [x]\n" + "".join(f"{b}: &{b} [{','.join(['*' + a] * 9)}]\n" for a, b in PAIRS),
    "laughing merges": "a: &a {k: v}\n" + "".join(f"{b}: &{b} {{<<: [{','.join(['*' + a] * 9)}]}}\n" for a, b in PAIRS),
    "itself": "a: &a [*a]\n",
    "a tag that runs": "a: !!python/object/apply:os.system ['true']\n",
    "tags of types": "a: !!timestamp x\nb: !!float y\nc: !!bool z\n",
    "a key that is a list": "? [a]\n: b\n",
    "deep brackets": "a: " + "[" * 15_000 + "]" * 15_000 + "\n",
    "deep braces": "a: " + "{a: " * 8_000 + "\n",
    "deep dashes": "- " * 16_000 + "\n",
    "deep question marks": "? " * 16_000 + "\n",
    "deep indentation": "\n".join(" " * depth + "a:" for depth in range(240)) + "\n",
    "2,000 levels": "".join("{a: [" for _ in range(1_000)) + "\n",
    "digits": "priority: " + "9" * 5_000 + "\n",
    "one line": "x" * 32_000 + "\n",
    "blanks": "a:" + " " * 32_000 + "b\n",
    "colons": ":" * 32_000 + "\n",
    "quotes": '"' * 32_000 + "\n",
    "stars": "globs: " + "*" * 32_000 + "\n",
    "commas": "globs: *" + "," * 32_000 + "\n",
    "open braces": "globs: *" + "{" * 32_000 + "\n",
    "backslashes": "globs: *" + "\\" * 32_000 + "\n",
    "directives": "%TAG ! tag:yaml.org,2002:\n" * 1_000,
    "control characters": "a: \x01\x02\x1b\nglobs: *.ts\n",
    "many keys": "".join(f"k{number}: *\n" for number in range(3_900)),
    "one key many times": "k: *\n" * 3_900,
}  # fmt: skip


@pytest.mark.parametrize("header", HOSTILE.values(), ids=HOSTILE.keys())
@pytest.mark.parametrize("name", ["cursor", "kiro", "markdown"])
def test_a_hostile_header_gives_a_draft_in_bounded_time(header: str, name: str) -> None:
    data = f"---\n{header}---\ntext\n".encode()
    started = time.process_time()

    made = convert("x.md", data, named(name, "x.md"), {}.get)

    assert time.process_time() - started < SECONDS
    assert not isinstance(made, Skipped)
    assert give_back(made[0].origin, made[0].body) == data


@pytest.mark.parametrize(
    "body",
    [
        "# a" + " " * 300_000 + "x\n",
        " " * 300_000 + "x\n",
        "`" * 300_000 + "\n",
        "".join("`" * length + " " for length in range(1, 700)) + "@a.md\n",
        "@" * 300_000 + "\n",
        "@a.md " * 40_000 + "\n",
        "\r" * 300_000 + "x\n",
        "<!--\n" * 60_000 + "x",
        "```\n" * 60_000 + "x",
        "#[[file:" * 40_000 + "\n",
        "status:" + "~" * 300_000 + "\n",
        "## Status" + " " * 300_000 + "x\n",
        "=" * 300_000 + "x\n",
    ],
    ids=lambda body: repr(body[:12]),
)
@pytest.mark.parametrize("name", ["claude", "kiro", "adr"])
def test_a_hostile_body_gives_a_draft_in_bounded_time(body: str, name: str) -> None:
    started = time.process_time()

    made = convert("x.md", body.encode(), named(name, "x.md"), {}.get)

    assert time.process_time() - started < SECONDS
    assert not isinstance(made, Skipped)


@given(st.text(max_size=80))
def test_any_header_is_read_without_a_traceback(text: str) -> None:
    header = read_header(text)

    assert all(isinstance(name, str) for name in header.fields)
    assert all(isinstance(header.text(name), str) and header.words(name) is not None for name in header.fields)


@given(st.text(alphabet="*?.,{}[]'\"\\ a\n", max_size=30))
def test_any_list_is_split_without_losing_letters(text: str) -> None:
    parts = split_list(text)

    assert sum(part.count("a") for part in parts) == text.count("a")
    assert all(part == part.strip() and part for part in parts)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("a, b", ("a", "b")),
        ("{a,b},c", ("{a,b}", "c")),
        ("[ab].ts,[c].ts", ("[ab].ts", "[c].ts")),
        ("don't, it's", ("don't", "it's")),
        ("[\"[a].ts\", 'b,c']", ("[a].ts", "b,c")),
        ("a\\,b,c", ("a\\,b", "c")),
        (" , ", ()),
    ],
)
def test_commas_split_outside_of_brackets_and_quotes(text: str, parts: tuple[str, ...]) -> None:
    assert split_list(text) == parts


@pytest.mark.parametrize(
    ("text", "bare"),
    [('"a"', "a"), ("'it''s'", "it's"), ('"a", "b"', '"a", "b"'), ("'a", "'a"), ('"', '"'), ('""', "")],
)
def test_quotes_around_all_of_a_text_are_dropped(text: str, bare: str) -> None:
    assert unquote(text) == bare


def suite_headers() -> list[str]:
    marks = str.maketrans(
        {"\u2423": " ", "\u2014": "", "\u00bb": "\t", "\u21b5": "", "\u220e": "", "\u2190": "\r", "\u21d4": "\ufeff"}
    )
    texts = []
    for path in sorted((SUITES / "yaml-test-suite").glob("*.yaml")):
        for case in yaml.safe_load(path.read_text(encoding="utf-8")):
            texts += [case["yaml"].translate(marks)] if "yaml" in case else []
    return texts


@needs_suites
def test_the_yaml_suite_as_headers_gives_drafts_or_reasons() -> None:
    texts = suite_headers()
    started = time.process_time()
    for text in texts:
        data = f"---\n{text}\n---\ntext\n".encode()
        made = convert("x.mdc", data, named("cursor", "x.mdc"), {}.get)
        if isinstance(made, Skipped):
            assert made.reason
        else:
            assert give_back(made[0].origin, made[0].body) == data

    assert len(texts) > 150
    assert time.process_time() - started < len(texts) * SECONDS / 20


@needs_suites
def test_naughty_strings_as_values_keys_bodies_and_names_give_drafts_or_reasons() -> None:
    strings = json.loads((SUITES / "blns" / "blns.json").read_text(encoding="utf-8"))
    assert len(strings) > 200

    for text in strings:
        for data in (f"---\ndescription: {text}\nglobs: {text}\n---\nx\n", f"---\n{text}: a\n---\n{text}\n", text):
            made = convert(f"rules/{text}.mdc", data.encode(), named("cursor", "x.mdc"), {}.get)
            if isinstance(made, Skipped):
                assert made.reason
            else:
                assert give_back(made[0].origin, made[0].body) == data.encode()
                assert made[0].title.isprintable() or not made[0].title.isascii()
                assert 0 < len(made[0].title) <= 200
