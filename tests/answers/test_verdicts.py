"""What comes of a new text: itself, a change of what it rewords, or nothing, and the edges that it may mean."""

import json
from pathlib import Path

import pytest

from gitmem.answers.ground import ground
from gitmem.answers.hinting import hints_of
from gitmem.answers.propose import ProposeCall, ProposeNewCall, propose, propose_edit, propose_new
from gitmem.answers.propose import ProposeEditCall as Edit
from gitmem.errors import GitmemError
from gitmem.store import spool
from tests.answers.people import Person, alone
from tests.support import engram_id, engram_text, run_inproc

BOOK = "Ask the address book for a number before you dial it, and note down whom you have asked about which person.\n"
STORM = "Retries are capped at two, since more of them have made every storm on the network worse.\n"
FILES = {
    ".gitmem/engrams/phone/ask-the-book.md": engram_text(
        id=engram_id(11), title="Ask the book", kind="fact", tags=["phone"], body=BOOK
    ),
    ".gitmem/engrams/net/retry-storms.md": engram_text(
        id=engram_id(12), title="Retry storms", kind="fact", tags=["net"], body=STORM
    ),
}
TARGET = engram_id(11)


@pytest.fixture
def ada(tmp_path: Path) -> Person:
    found = alone(tmp_path / "ada")
    found.write(dict(FILES))
    return found


def call(title: str, body: str, **more: object) -> ProposeNewCall:
    return ProposeNewCall("fact", title, body=body, **more)  # type: ignore[arg-type]


@pytest.mark.capability("M-008")
def test_the_answer_has_all_that_a_reference_has(ada: Person) -> None:
    words = ("propose", "new", "fact", "Ask the book", "--tag", "net", "--json")
    found = json.loads(run_inproc(ada.root, *words, stdin=BOOK + "It requires retry-storms.\n").out)

    assert set(found) >= {"id", "verdict", "target", "reason", "confidence", "candidates", "warnings", "hints"}
    assert (found["verdict"], found["items"], found["target"]) == ("update", [found["id"]], TARGET)
    assert found["confidence"] == found["candidates"][0]["percent"] / 100


@pytest.mark.capability("M-040")
def test_an_equal_text_is_written_nowhere_and_speaks_for_the_one_that_is_there(ada: Person) -> None:
    found = propose_new(ada.session(), call("Another name", BOOK, agent="miner"))

    assert (found.proposal, found.verdict, found.target, found.confidence) == (None, "duplicate", TARGET, 1.0)
    assert (found.id, found.items, [row.percent for row in found.candidates]) == ("", (), [100])
    (told,) = [row for row in spool.entries(ada.session().place.repo) if row.kind == "feedback"]
    assert (told.data["item"], told.data["outcome"], told.agent) == (TARGET, "helped", "miner")
    assert not ada.statuses()


@pytest.mark.capability("M-041")
@pytest.mark.parametrize("domain", ["", "phone"], ids=["elsewhere", "where the name is taken"])
def test_a_rewording_is_a_change_of_the_item_and_the_old_text_stays_in_the_diff(ada: Person, domain: str) -> None:
    found = propose_new(ada.session(), call("Ask the book", BOOK + "Then dial.\n", tag=("calls",), domain=domain))

    assert (found.verdict, found.target, found.id) == ("update", TARGET, TARGET)
    shown = json.loads(run_inproc(ada.root, "proposals", "show", str(found.proposal), "--diff", "--json").out)
    (item,) = shown["items"]
    assert (item["item"], set(item["keys"])) == (TARGET, {"body", "tags"})
    assert "+Then dial." in shown["diff"]
    assert " Ask the address book" in shown["diff"]
    assert ada.read("engrams/phone/ask-the-book.md").endswith(BOOK)
    ada.approve(str(found.proposal))
    assert ada.read("engrams/phone/ask-the-book.md").endswith(BOOK + "Then dial.\n")


@pytest.mark.capability("M-040")
def test_what_is_alike_by_less_than_that_is_new_with_its_candidates(ada: Person) -> None:
    found = propose_new(ada.session(), call("Ask", BOOK[:60] + " and never more than twice on one and the same day.\n"))

    assert (found.verdict, found.target) == ("new", None)
    assert [row.item for row in found.candidates] == [TARGET]
    assert 30 <= found.candidates[0].percent < 70
    assert found.confidence == (100 - found.candidates[0].percent) / 100


@pytest.mark.capability("M-040")
def test_the_comparison_can_be_switched_off(ada: Person) -> None:
    found = propose_new(ada.session(), call("Another name", BOOK, without_dedup=True))

    assert (found.verdict, found.candidates) == ("new", ())
    assert found.id not in ("", TARGET)


def test_another_text_of_the_same_name_is_refused_as_before(ada: Person) -> None:
    with pytest.raises(GitmemError, match="the name is taken"):
        propose_new(ada.session(), call("Ask the book", "Lamps are lit at dusk.\n", domain="phone"))


@pytest.mark.capability("M-041")
def test_a_text_that_was_declined_is_named_and_not_in_the_way(ada: Person) -> None:
    ada.reject(str(propose_new(ada.session(), call("Cats", "Cats sleep on the keyboard at noon, always.\n")).proposal))

    found = propose_new(ada.session(), call("Of cats", "Cats sleep on the keyboard at noon, always.\n"))

    assert found.proposal
    assert "dismissed-like" in [row.code for row in found.warnings]


@pytest.mark.capability("M-040")
def test_what_came_in_since_it_was_opened_is_compared_again_at_the_approval(ada: Person) -> None:
    late = propose_new(ada.session(), call("Lamps", "Lamps are lit at dusk, and put out at ten.\n"))
    again = engram_text(
        id=engram_id(13), title="Dusk", kind="fact", body="Lamps are lit at dusk, and put out at ten.\n"
    )
    ada.write({".gitmem/engrams/home/dusk.md": again})

    with pytest.raises(GitmemError, match="came in since") as refused:
        ada.approve(str(late.proposal))

    assert refused.value.code == "duplicate"
    kept = propose(ada.session(), ProposeCall(extend=str(late.proposal), without_dedup=True))
    assert ada.approve(str(kept.proposal)).commit


@pytest.mark.capability("M-041")
def test_a_change_of_a_text_that_was_not_seen_is_refused_with_both(ada: Person) -> None:
    read = json.loads(run_inproc(ada.root, "get", "ask-the-book", "--json").out)["items"][0]["content_hash"]
    ada.write({".gitmem/engrams/phone/ask-the-book.md": FILES[".gitmem/engrams/phone/ask-the-book.md"] + "More.\n"})

    with pytest.raises(GitmemError) as refused:
        propose_edit(ada.session(), Edit("ask-the-book", "body", file="Mine.\n", seen=read))

    assert refused.value.code == "stale"
    assert BOOK + "More.\n" in refused.value.hint
    assert "Mine.\n" in refused.value.hint


ASKED = {
    "We wait because of retry storms.": ("causes", True),
    "It depends on the retry-storms rule.": ("depends_on", False),
    "This replaces `retry-storms`.": ("supersedes", False),
    "It requires net/retry-storms to hold.": ("depends_on", False),
    "Es ersetzt Retry Storms.": ("supersedes", False),
    "It depends on the weather.": None,
    "Because it rains.": None,
    "It requires storms.": None,
}


@pytest.mark.capability("M-009")
def test_causal_wording_hints_at_an_edge_where_it_means_an_item_that_is_here(ada: Person) -> None:
    under = ground(ada.session())

    found = {text: [(h.kind, h.from_, h.to) for h in hints_of(under, "Wait", text, "own")] for text in ASKED}

    wanted = {
        text: [(asked[0], *((engram_id(12), "own") if asked[1] else ("own", engram_id(12))))] if asked else []
        for text, asked in ASKED.items()
    }
    assert found == wanted


@pytest.mark.capability("M-009")
def test_a_hint_is_told_and_no_edge_is_made(ada: Person) -> None:
    found = propose_new(ada.session(), call("Wait between calls", "We wait because of retry storms.\n"))

    (hint,) = found.hints
    assert (hint.kind, hint.from_, hint.to, hint.slug) == ("causes", engram_id(12), found.id, "retry-storms")
    assert found.items == (found.id,)


@pytest.mark.capability("M-009")
def test_active_markup_is_one_warning_and_no_obstacle(ada: Person) -> None:
    found = propose_new(ada.session(), call("Page", "It begins with <script>alert(1)</script> and ends.\n"))

    assert found.proposal
    assert [row.code for row in found.warnings if row.code == "unsafe-html"] == ["unsafe-html"]
