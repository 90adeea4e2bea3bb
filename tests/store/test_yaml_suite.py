"""Public suites as knowledge files: a value or findings of one line each, never a traceback, never a second."""

import json
import time
from pathlib import Path

import pytest
import yaml
from ruamel.yaml import YAML

from gitmem.errors import GitmemError
from gitmem.model.engram import Engram
from gitmem.store.codec import decode, decode_mapping, encode, read_yaml, split
from gitmem.store.edit import add_to_list, set_body, set_value
from tests.store.headers import ID, file_of

SHARED = Path(__file__).parents[3] / "shared" / "data"
SUITE = SHARED / "suites" / "yaml-test-suite"
NAUGHTY = SHARED / "suites" / "blns" / "blns.json"
VAULT = SHARED / "vault" / "backlog-md"

needs_suite = pytest.mark.skipif(not SUITE.is_dir(), reason="the YAML test suite is not here")
needs_naughty = pytest.mark.skipif(not NAUGHTY.is_file(), reason="the big list of naughty strings is not here")
needs_vault = pytest.mark.skipif(not VAULT.is_dir(), reason="the vault of public notes is not here")

SIGNS = {"\u2423": " ", "\u00bb": "\t", "\u2014": "", "\u21b5": "", "\u2190": "\r", "\u21d4": "\ufeff", "\u220e\n": ""}


def cases() -> list[tuple[str, str]]:
    """The name and the YAML of each case; the signs that stand for blanks are put back."""
    found = []
    for path in sorted(SUITE.glob("*.yaml")):
        # Later cases of a file repeat only what differs from the first.
        for number, case in enumerate(yaml.safe_load(path.read_text(encoding="utf-8"))):
            text = case.get("yaml", "")
            for sign, char in SIGNS.items():
                text = text.replace(sign, char)
            found.append((f"{path.stem}-{number}", text))
    return found


def naughty() -> list[str]:
    return json.loads(NAUGHTY.read_text(encoding="utf-8"))


@needs_suite
@pytest.mark.capability("G-038")
def test_each_case_of_the_yaml_suite_is_read_as_typed_or_named():
    every = cases()
    assert len(every) > 150

    read = sum(_is_read(name, text) for name, text in every)

    assert read > 25


def _is_read(name: str, text: str) -> bool:
    started = time.process_time()
    values, findings = decode_mapping(text.encode(), name)
    decoded = decode(f"---\n{text}\n---\nb\n".encode(), name)
    typed = read_yaml(text, name)
    assert time.process_time() - started < 1, name
    for each in (*findings, *decoded.findings):
        assert each.message.isprintable(), name
        assert each.hint, name
    if isinstance(typed, tuple):
        assert findings, name
        # A mapping that other parsers read is refused only for what makes one value from another.
        assert typed[0].code == "yaml-reference" or not isinstance(_as_others_read(text), dict), name
        return False
    assert typed.values == (yaml.load(text, Loader=yaml.CBaseLoader) or {}), name
    assert set(values) <= set(typed.values), name
    return True


def _as_others_read(text: str) -> object:
    try:
        return yaml.load(text, Loader=yaml.CBaseLoader)
    except yaml.YAMLError:
        return None


@needs_suite
@pytest.mark.capability("G-024")
def test_an_edit_of_a_case_keeps_every_other_byte_or_is_refused():
    edited = sum(_is_edited(name, f"---\n{text.removesuffix(chr(10))}\n---\nb\n".encode()) for name, text in cases())

    assert edited > 30


def _is_edited(name: str, data: bytes) -> bool:
    try:
        changed = set_value(data, "zz-new", "v: w")
    except GitmemError:
        return False
    line = b'zz-new: "v: w"'
    assert any(changed.replace(each, b"") == data for each in (line + b"\n", b", " + line, b" , " + line)), name
    return True


@needs_naughty
@pytest.mark.parametrize("field", ["title", "tag", "extra", "body"])
@pytest.mark.capability("R-079", "M-004")
def test_naughty_strings_are_given_back_or_named(field):
    kept = sum(_is_given_back(field, text) for text in naughty())

    assert kept > 230


def _is_given_back(field: str, text: str) -> bool:
    made = {
        "title": Engram(ID, text, "fact", "b\n", "s"),
        "tag": Engram(ID, "T", "fact", "b\n", "s", tags=("a", text)),
        "extra": Engram(ID, "T", "fact", "b\n", "s", extra={"x": [text, {"k": text}]}),
        "body": Engram(ID, "T", "fact", f"{text}\n", "s"),
    }[field]
    data = encode(made)
    decoded = decode(data, "a.md")
    if decoded.engram is None:
        assert decoded.findings
        return False
    assert decoded.engram == made
    header = split(data, "").header
    assert yaml.load(header, Loader=yaml.CSafeLoader) == YAML(typ="safe", pure=True).load(header)
    return True


@needs_naughty
@pytest.mark.capability("G-024")
def test_naughty_strings_are_placed_literally_by_edits():
    data = file_of("title: T # beside", "tags: [a] # beside", "x: 'y'")

    for text in naughty():
        changed = set_body(add_to_list(set_value(data, "title", text), "tags", [text]), f"{text}\n")
        values = yaml.load(split(changed, "").header, Loader=yaml.CSafeLoader)
        assert (values["title"], values["tags"][-1]) == (text, text)
        assert split(changed, "").body == f"{text}\n"
        assert changed.count(b"# beside\n") == 2 + text.count("# beside")


@needs_vault
@pytest.mark.capability("G-038")
def test_every_note_of_a_real_vault_is_read_or_named():
    paths = sorted(VAULT.rglob("*.md"))
    damaged = 0
    for path in paths:
        parts = split(path.read_bytes(), path.name)
        typed = read_yaml(parts.header, path.name, first_line=2)
        if parts.findings or isinstance(typed, tuple):
            damaged += 1
            continue
        assert typed.values == (yaml.load(parts.header, Loader=yaml.CBaseLoader) or {})

    assert damaged < 20 < len(paths)
