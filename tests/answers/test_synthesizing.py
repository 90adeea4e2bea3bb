"""A pattern over engrams that somebody names: what it holds, what it is refused for, a dry run that writes nothing."""

import json
from pathlib import Path

import pytest

from gitmem.answers.approve import ApproveCall, approve
from gitmem.answers.session import Session
from gitmem.answers.synthesizing import SynthesizeCall, Synthesized, synthesize
from gitmem.errors import GitmemError, UsageError
from gitmem.store.codec import decode
from tests.support import engram_id, git, run_inproc
from tests.upkeep.grouped import APART, QUEUE
from tests.upkeep.tended import item, session, tracked, vault

FILES = {
    **APART,
    **QUEUE,
    ".gitmem/engrams/a/wrong.md": item(70, "Wrong", "It is not so.\n", verification={"status": "refuted"}),
    ".gitmem/engrams/a/ended.md": item(71, "Ended", "It was so.\n", status="deprecated"),
    ".gitmem/engrams/a/closed.md": item(72, "Closed", "For few.\n", visibility="restricted"),
}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """No test that uses it changes more than proposals."""
    return vault(tmp_path_factory.mktemp("synthesis") / "repo", FILES)


def made(root: Path, **call: object) -> Synthesized:
    return synthesize(session(root), SynthesizeCall(**{"items": ("mail", "images", "billing"), **call}))  # type: ignore[arg-type]


@pytest.mark.capability("M-062")
def test_a_dry_run_shows_the_draft_and_writes_nothing(shared: Path) -> None:
    before = git(shared, "count-objects", "-v"), git(shared, "for-each-ref"), tracked(shared)

    found = made(shared, hint="Locks end.", dry_run=True)

    assert (git(shared, "count-objects", "-v"), git(shared, "for-each-ref"), tracked(shared)) == before
    assert (found.proposal, found.exit_code, found.status) == ("", 0, "draft")
    assert found.sources == tuple(map(engram_id, (1, 2, 3)))
    assert found.tags == ("queue",)
    assert "to be said: Locks end." in found.text


@pytest.mark.capability("M-062")
def test_it_lands_as_a_draft_of_a_pattern_whose_text_an_agent_writes(tmp_path: Path) -> None:
    root = vault(tmp_path / "repo", FILES)
    before = tracked(root)
    opened = made(root, title="Locks run out", tags=("queue", "locks"))
    again = made(root, title="Locks run out", tags=("queue", "locks"))
    text = tmp_path / "text.md"
    text.write_text("A lock that runs out gives its job back.\n")

    assert (again.verdict, again.target, again.exit_code) == ("duplicate", opened.proposal, 1)
    assert tracked(root) == before
    words = ("propose", "edit", opened.id, "body", "--file", str(text), "--extend", opened.proposal)
    assert run_inproc(root, *words).code == 0
    assert run_inproc(root, "propose", "restore", opened.id, "--extend", opened.proposal).code == 0
    shown = json.loads(run_inproc(root, "proposals", "show", opened.proposal, "--json").out)
    approve(session(root), ApproveCall((f"{opened.proposal}@{shown['patchset']}",)))
    rel = ".gitmem/engrams/queue/locks-run-out.md"
    engram = decode((root / rel).read_bytes(), rel).engram

    assert engram is not None
    assert engram.body == "A lock that runs out gives its job back.\n"
    assert (engram.kind, engram.importance, engram.source_type, engram.status) == ("pattern", 0.7, "inferred", "active")
    assert engram.tags == ("queue", "locks")
    edges = [path.read_text() for path in (root / ".gitmem/synapses/derives_from").glob("*.yaml")]
    assert sorted(text.split("to: ")[1][:26] for text in edges) == [engram_id(number) for number in (1, 2, 3)]
    assert all("weight: 0.8\n" in text for text in edges)


@pytest.mark.capability("M-062")
def test_with_a_text_it_is_no_draft(shared: Path) -> None:
    found = made(shared, items=("tea", "tram"), body="Both are old.\n")

    assert (found.status, found.text) == ("active", "Both are old.\n")


@pytest.mark.capability("M-062")
@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        ({"items": ("mail",)}, UsageError, "2 to 20"),
        ({"items": ("mail",) * 21}, UsageError, "2 to 20"),
        ({"items": ("mail", "mail")}, UsageError, "named twice"),
        ({"items": ("mail", "nobody")}, GitmemError, "no item"),
        ({"items": ("mail", "wrong")}, GitmemError, "refuted"),
        ({"items": ("mail", "ended")}, GitmemError, "deprecated"),
        ({"items": ("mail", "closed")}, GitmemError, "restricted"),
        ({"tags": tuple("abcdef")}, UsageError, "at most 5 tags"),
        ({"hint": "x" * 501}, UsageError, "at most 500"),
    ],
)
def test_what_it_is_refused_for(shared: Path, call: dict[str, object], error: type[GitmemError], says: str) -> None:
    with pytest.raises(error, match=says):
        made(shared, **call)


@pytest.mark.capability("M-062")
def test_a_language_model_may_word_it(shared: Path) -> None:
    asked = Session(shared, session(shared).now, "cli")
    call = SynthesizeCall(("mail", "search"), hint="Say it short.", dry_run=True)

    found = synthesize(asked, call, lambda told: f"{told.hint} Of {len(told.members)}.\n")

    assert (found.text, found.status) == ("Say it short. Of 2.\n", "active")
