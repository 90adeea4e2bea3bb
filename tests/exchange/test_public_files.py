"""Real rule files and a real vault, read where they are; skipped where they are not."""

import tarfile
from pathlib import Path

import pytest

from gitmem.exchange.draft import Draft
from gitmem.exchange.foreign import read_header
from gitmem.exchange.intake import take
from gitmem.exchange.original import give_back
from gitmem.globs.dialect import parse
from gitmem.model.engram import Engram, Scope
from gitmem.model.vocabulary import KINDS
from gitmem.store.codec import decode, encode
from tests.support import engram_id

DATA = Path(__file__).parents[3] / "shared" / "data"
VAULT = DATA / "vault" / "backlog-md"
UNNAMED = {"conventions.md", "CONVENTIONS.md", "Skill.md"}

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the shared data is not here")


def rule_files() -> dict[str, dict[str, bytes]]:
    """The files of each archive by path, read in memory: they are live instructions where they are unpacked."""
    found: dict[str, dict[str, bytes]] = {}
    for path in sorted((DATA / "rules").glob("*.tar.gz")):
        with tarfile.open(path) as archive:
            members = [member for member in archive.getmembers() if member.isfile()]
            found[path.name] = {member.name: archive.extractfile(member).read() for member in members}  # type: ignore[union-attr]
    return found


def as_engram(draft: Draft) -> Engram:
    return Engram(
        engram_id(1),
        draft.title,
        draft.kind if draft.kind in KINDS else "procedure",
        draft.body,
        draft.summary,
        tags=draft.tags,
        scope=Scope(draft.paths, draft.excluded) if draft.paths else None,
        status=draft.status,
        extra=draft.extra,
    )


def given_back(draft: Draft) -> bytes:
    """The bytes of the source after the draft was written as an engram file and read again."""
    decoded = decode(encode(as_engram(draft)), "x.md")
    assert decoded.engram is not None, (draft.source, decoded.findings)
    origin = decoded.engram.extra["x-origin"]
    assert isinstance(origin, dict)
    return give_back(origin, decoded.engram.body)


@pytest.mark.capability("G-033")
def test_every_public_rule_file_is_imported_and_given_back() -> None:
    archives = rule_files()
    drafts, skipped = 0, list[str]()
    for files in archives.values():
        intake = take(files, files, files.get)
        skipped += [each.source.rpartition("/")[2] for each in intake.skipped]
        for draft in intake.drafts:
            drafts += 1
            assert give_back(draft.origin, draft.body) == files[draft.source], draft.source
            assert given_back(draft) == files[draft.source], draft.source

    assert sum(len(files) for files in archives.values()) == 151
    assert (drafts, set(skipped)) == (148, UNNAMED)


@pytest.mark.capability("G-033")
def test_what_has_no_usual_name_is_imported_when_its_format_is_named() -> None:
    for files in rule_files().values():
        rels = [rel for rel in files if rel.rpartition("/")[2] in UNNAMED]
        intake = take(rels, files, files.get, "markdown")

        assert intake.skipped == ()
        assert [given_back(draft) for draft in intake.drafts] == [files[rel] for rel in rels]


def test_the_globs_of_cursor_files_survive_although_most_headers_are_not_yaml() -> None:
    files = {rel: data for tree in rule_files().values() for rel, data in tree.items() if rel.endswith(".mdc")}
    drafts = take(files, files, files.get).drafts
    headers = [data.decode().split("---\n")[1] for data in files.values()]

    assert sum(not read_header(header).is_yaml for header in headers) > len(files) * 0.8
    assert len(drafts) == len(files)
    assert all(draft.paths and all(parse(path) for path in draft.paths) for draft in drafts)
    assert all(draft.losses == () for draft in drafts)


@pytest.mark.capability("G-033")
def test_every_note_of_the_vault_is_imported_and_given_back() -> None:
    files = {path.relative_to(VAULT).as_posix(): path.read_bytes() for path in VAULT.rglob("*") if path.is_file()}
    intake = take(files, files, files.get, "backlog")

    assert len(files) == 397
    assert intake.skipped == ()
    assert {draft.source: given_back(draft) for draft in intake.drafts} == files
    assert {draft.kind for draft in intake.drafts} == {"observation", "reference"}
