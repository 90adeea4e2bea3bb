"""Documents that nothing is made of yet are counted, and no more than that."""

import pytest

from gitmem.answers.overview import OverviewCall, overview
from gitmem.answers.sourcing import SyncSourcesCall, sync_sources
from gitmem.exchange.document import DocumentCall, propose_document
from tests.answers.people import FILES, Person
from tests.conftest import MakeRepo
from tests.support import engram_id, engram_text, run_inproc

pytestmark = pytest.mark.capability("R-045")

SOURCED = engram_text(id=engram_id(3), title="Send the tag", source={"path": "docs/api.md"})


@pytest.fixture
def ada(make_repo: MakeRepo) -> Person:
    docs = {f"docs/{name}.md": f"# {name}\n\nText of {name}.\n" for name in ("api", "style", "other")}
    files = {**FILES, **docs, "notes.MD": "x\n", "code.py": "x\n", ".gitmem/engrams/api/etag.md": SOURCED}
    return Person(make_repo(files)).named("Ada", "ada@example.org")


def counted(who: Person) -> int | None:
    return overview(who.session(), OverviewCall()).unmirrored


def test_markdown_that_no_engram_is_from_is_counted(ada: Person) -> None:
    before = ada.git("for-each-ref")

    assert counted(ada) == 3
    assert ada.git("for-each-ref") == before
    assert "3 document(s) that no engram is from" in run_inproc(ada.root, "overview").out


def test_what_an_open_proposal_is_about_is_not_new(ada: Person) -> None:
    propose_document(ada.session(), DocumentCall(file="docs/style.md"))
    assert counted(ada) == 2

    ada.edit("client", "summary", "See there.", rationale="As docs/other.md has it.")

    assert counted(ada) == 1


def test_what_was_imported_is_not_new(ada: Person) -> None:
    made = propose_document(ada.session(), DocumentCall(file="docs/style.md"))
    ada.approve(str(made.proposal))

    assert counted(ada) == 2


def test_a_document_that_is_not_committed_does_not_count(ada: Person) -> None:
    (ada.root / "docs/new.md").write_text("# New\n")

    assert counted(ada) == 3


def test_nothing_is_proposed_for_it(ada: Person) -> None:
    done = sync_sources(ada.session(), SyncSourcesCall())

    assert (done.drifted, done.proposed) == ((), ())


def test_a_repository_without_documents_says_nothing_of_them(make_repo: MakeRepo) -> None:
    ada = Person(make_repo(FILES))

    assert counted(ada) is None
