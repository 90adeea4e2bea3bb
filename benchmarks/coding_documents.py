"""Documents and questions on code from public rule files and a vault of tasks, the same ones each time.

What a question is made of is held back from the documents. Refuses to score.
"""

import hashlib
import json
import re
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from benchmarks.retrieval import Document, Question

OWN_WORDS = Path(__file__).with_name("coding_questions.json")
_FRONT = re.compile(r"\A---\r?\n(.*?)\r?\n---\r?\n", re.DOTALL)
_HEADING = re.compile(r"^# +(.+)$", re.MULTILINE)
_MARKS = re.compile(r"<!--.*?-->", re.DOTALL)
_SENTENCE = re.compile(r"(?<=[.!?])\s")
_EVERYTHING = {"*", "**", "**/*"}
_PATH = re.compile(r"\b(?:[\w.-]+/)+[\w.-]+\.[A-Za-z]{1,5}\b")
_SECTIONS = (
    "Description",
    "Acceptance Criteria",
    "Implementation Plan",
    "Implementation Notes",
    "Definition of Done",
    "Final Summary",
    "Comments",
)
_KEPT = ("Implementation Notes", "Final Summary")
_TITLE_CHARS, _REQUEST_WORDS, _FILES = 80, 50, 4
_NOTE_WORDS, _ASKED_WORDS = 25, 4


@dataclass(frozen=True, slots=True)
class Source:
    """One file: the document made of it, what was held back, and the hash that our own questions name it by."""

    document: Document
    hash: str
    held: Mapping[str, str]


def sources(data: Path) -> list[Source]:
    """``data`` has archives of rule files in `rules` and a vault in `vault`."""
    found: dict[str, Source] = {}
    for each in (*_rule_files(data / "rules"), *_notes(data / "vault")):
        found.setdefault(each.document.body, each)
    return list(found.values())


def questions(made: Sequence[Source]) -> list[Question]:
    """Those derived from what was held back, then those in our own words; equal texts have all their documents."""
    gold: dict[tuple[str, str], set[int]] = {}
    for number, each in enumerate(made):
        for kind, text in each.held.items():
            gold.setdefault((kind, text), set()).add(number)
    by_hash: dict[str, list[int]] = {}
    for number, each in enumerate(made):
        by_hash.setdefault(each.hash, []).append(number)
    for hash_, texts in json.loads(OWN_WORDS.read_text(encoding="utf-8")).items():
        for text in texts if hash_ in by_hash else ():
            gold.setdefault(("own words", text), set()).update(by_hash[hash_])
    return [Question(text, frozenset(numbers), kind) for (kind, text), numbers in gold.items()]


def _rule_files(folder: Path) -> Iterator[Source]:
    for archive in sorted(folder.glob("*.tar.gz")):
        with tarfile.open(archive) as packed:
            for member in sorted(packed.getmembers(), key=lambda each: each.name):
                opened = packed.extractfile(member)
                if opened is not None:
                    yield _rule_file(archive.name.removesuffix(".tar.gz"), opened.read())


def _rule_file(project: str, data: bytes) -> Source:
    text = data.decode("utf-8", "replace").replace("\r\n", "\n")
    header, body = _split(text)
    asked = _first_sentence(str(header.get("description") or ""))
    paths = header.get("globs") or header.get("applyTo") or ""
    patterns = [each.strip() for each in (paths if isinstance(paths, list) else str(paths).split(","))]
    document = Document(
        _title(body),
        body,
        tuple(each for each in patterns if each and each not in _EVERYTHING),
        re.sub(r"[^a-z0-9]+", "-", project.lower()).strip("-"),
    )
    held = {"description": asked} if len(asked.split()) >= _ASKED_WORDS else {}
    return Source(document, _hash(data), held)


def _notes(folder: Path) -> Iterator[Source]:
    """What was written down after a task; its title and what was asked for are held back."""
    for path in sorted(folder.rglob("*.md")):
        data = path.read_bytes()
        header, text = _split(data.decode("utf-8", "replace").replace("\r\n", "\n"))
        parts = _sections(text)
        body = "\n\n".join(filter(None, (parts.get(name, "") for name in _KEPT)))
        title = str(header.get("title") or "")
        if len(body.split()) < _NOTE_WORDS or not title:
            continue
        request = " ".join(f"{title}. {parts.get('Description', '')}".split("\n\n", 1)[0].split()[:_REQUEST_WORDS])
        files = list(dict.fromkeys(_PATH.findall(parts.get("Implementation Plan", ""))))[:_FILES]
        held = {"title": title, "request": request, **({"title and files": " ".join((title, *files))} if files else {})}
        yield Source(Document(_first_sentence(body)[:_TITLE_CHARS], body, (), "backlog"), _hash(data), held)


def _split(text: str) -> tuple[Mapping[str, object], str]:
    """The header, as far as it is YAML, and what follows; globs without quotes are read line by line."""
    front = _FRONT.match(text)
    if front is None:
        return {}, text.strip()
    try:
        header = yaml.safe_load(front[1])
    except yaml.YAMLError:
        pairs = (line.partition(":") for line in front[1].splitlines() if not line.startswith((" ", "-")))
        header = {key: value.strip().strip("'\"") for key, _, value in pairs}
    return header if isinstance(header, dict) else {}, text[front.end() :].strip()


def _sections(text: str) -> dict[str, str]:
    """By known heading; any other heading belongs to the section in which it stands."""
    pieces = re.split(rf"^## ({'|'.join(_SECTIONS)})\s*$", _MARKS.sub("", text), flags=re.MULTILINE)
    found: dict[str, str] = {}
    for name, body in zip(pieces[1::2], pieces[2::2], strict=True):
        found[name] = f"{found.get(name, '')}\n\n{body.strip()}".strip()
    return found


def _title(body: str) -> str:
    heading = _HEADING.search(body)
    return (heading[1] if heading else _first_sentence(body)).strip()[:_TITLE_CHARS] or "untitled"


def _first_sentence(text: str) -> str:
    lines = [line.strip(" #*-") for line in text.splitlines()]
    line = next((line for line in lines if " " in line), lines[0] if lines else "")
    return next((part for part in _SENTENCE.split(line) if " " in part), line)


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:12]
