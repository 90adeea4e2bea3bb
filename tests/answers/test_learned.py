"""What sessions say of the items that were opened in them: judged once, counted everywhere, and no knowledge moves."""

from datetime import UTC, datetime, timedelta

import pytest

from gitmem.answers import learned
from gitmem.answers.effectiveness import effectiveness
from gitmem.answers.experience import experience
from gitmem.answers.pruning import PruneCall, prune
from gitmem.answers.reading import ask, open_place, read
from gitmem.answers.retrieved import GET, SEARCH, Question, note
from gitmem.answers.session import Session
from gitmem.model.event import FEEDBACK, MAINTENANCE, RETRIEVAL, VERIFY, Event
from gitmem.model.synapse import link
from gitmem.record import replace
from gitmem.store import journal, spool
from gitmem.store.synapses import encode_synapse, synapse_path
from tests.conftest import MakeRepo
from tests.support import commit_all, engram_id, engram_text, git, run_inproc, write_tree

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
A, B = engram_id(1), engram_id(2)


@pytest.fixture
def session(make_repo: MakeRepo) -> Session:
    root = make_repo(
        {
            ".gitmem/config.yaml": "format: 1\n",
            ".gitmem/engrams/api/a.md": engram_text(title="a", kind="fact", importance=0.5),
            ".gitmem/engrams/api/b.md": engram_text(id=B, title="b", kind="hypothesis"),
        }
    )
    return Session(root, NOW, "agent", "claude", "run-1", held=open_place(root))


def at(session: Session, hours: float) -> Session:
    return Session(session.start, NOW + timedelta(hours=hours), session.surface, session.client, session.run)


def use(session: Session, *items: str, verdict: str = "pass") -> None:
    note(session, Question(SEARCH, "how do we call it"), items, [0.5] * len(items))
    for item in items:
        note(session, Question(GET, ""), [item])
    journal.append(session.place.repo, Event(VERIFY, {"verdict": verdict}, session=session.run), session.now)


def told(session: Session) -> list[dict[str, object]]:
    return [dict(e.data) for e in spool.entries(session.place.repo) if e.kind == MAINTENANCE]


@pytest.mark.capability("M-049")
def test_a_use_that_was_followed_by_work_is_effective_and_strengthens(session: Session) -> None:
    use(session, A, B)
    assert learned.light(at(session, 23)) == {}
    assert learned.light(at(session, 25)) == {"uses effective": 1}
    assert learned.light(at(session, 26)) == {}
    assert learned.light(at(session, 24 * 8)) == {"uses effective": 1}

    first = told(session)[0]
    assert (first["item"], first["outcome"], first["surprise"]) == (A, "effective", 0.5)
    assert (first["signals"], first["predicted"]) == (["worked", "searched-no-more"], 0.5)
    card = ask(read(session.place), lambda knowledge: knowledge.under(f"id:{A}")[0])[0]
    found = experience(session).effective(card)
    assert (found.importance, found.effective) == (0.5, 1)
    assert found.strength == pytest.approx(0.05)
    assert found.last_use == "2026-01-02T00:00:00Z"


@pytest.mark.capability("M-048")
def test_an_edge_that_contradicts_it_within_the_window_ends_the_use(session: Session) -> None:
    use(session, A, verdict="fail")
    made = replace(link(A, B, "contradicts"), created_at="2026-01-02T05:00:00Z")
    write_tree(session.start, {f".gitmem/{synapse_path(made)}": encode_synapse(made)})
    commit_all(session.start)

    assert learned.light(at(session, 25)) == {"uses contradicted": 1}


def test_what_another_clone_wrote_is_its_own_to_judge(session: Session) -> None:
    use(session, A)
    journal.rotate(session.place.repo)
    (session.place.repo.private_dir / "writer").unlink()
    assert learned.light(at(session, 25)) == {}


@pytest.mark.parametrize("run", ["", "run-2"])
def test_what_names_no_session_is_judged_once_whoever_looks(session: Session, run: str) -> None:
    """A server has a run of its own, in which nothing of the command line was done."""
    use(Session(session.start, NOW), A)
    later = Session(session.start, NOW + timedelta(hours=25), "admin", "claude", run)
    assert [learned.light(later) for _ in range(3)] == [{"uses effective": 1}, {}, {}]


def test_what_could_not_be_kept_is_not_told_as_judged(session: Session) -> None:
    use(session, A)
    git(session.start, "config", "gitmem.journal", "off")
    later = Session(session.start, NOW + timedelta(hours=25))
    assert (len(learned.judged(later)), learned.light(later)) == (1, {})


@pytest.mark.parametrize("hours", [(50,), (25, 50), (25, 27, 28, 50)])
def test_however_often_it_is_looked_at_a_use_is_one(session: Session, hours: tuple[int, ...]) -> None:
    """On the command line, opened again after a pause and within the window."""
    use(Session(session.start, NOW), A)
    use(at(Session(session.start, NOW), 2), A)
    for each in hours:
        learned.light(at(session, each))
    assert [row["outcome"] for row in told(session)] == ["effective"]


@pytest.mark.capability("M-045")
@pytest.mark.parametrize("run", ["run-1", "run-2", ""])
def test_feedback_is_the_only_word_on_a_use_whoever_gives_it(session: Session, run: str) -> None:
    """An agent opens, and a person says what it was worth; or somebody comes back to it after a pause."""
    use(session, A)
    use(Session(session.start, NOW), A)
    journal.append(session.place.repo, Event(FEEDBACK, {"items": [A], "outcome": "misled"}, run), at(session, 3).now)
    assert learned.light(at(session, 28)) == {}
    assert learned.light(at(session, 90)) == {}


def test_calls_without_a_session_belong_together_until_there_is_a_pause(session: Session) -> None:
    cli = Session(session.start, NOW)
    use(cli, A, verdict="fail")
    note(at(cli, 2), Question(SEARCH, "something else"), [B], [0.3])
    assert learned.light(at(cli, 25)) == {"uses inconclusive": 1} or told(session)[0]["signals"] == ["searched-no-more"]


@pytest.mark.capability("M-050")
def test_effectiveness_counts_uses_by_kind_and_has_no_rate_of_few(session: Session) -> None:
    use(session, A)
    learned.light(at(session, 25))
    (fact,) = effectiveness(session).kinds
    assert (fact.kind, fact.window_hours, fact.hits, fact.effective, fact.rate) == ("fact", 24, 2, 1, None)

    for outcome in ("helped", "misled"):
        journal.append(session.place.repo, Event(FEEDBACK, {"items": [A], "outcome": outcome}), NOW)
    found = effectiveness(session)
    assert (found.kinds[0].effective, found.kinds[0].failed, found.kinds[0].rate) == (2, 1, 0.667)
    assert [(row.slug, row.rate) for row in found.worst] == [("a", 0.667)]


def test_pruning_lets_nothing_be_judged_twice(session: Session) -> None:
    """What was opened may stand in a file that is still being written, and what was judged in one that is not."""
    use(session, A)
    learned.light(at(session, 25))
    journal.rotate(session.place.repo)
    prune(Session(session.start, NOW + timedelta(days=4)), PruneCall("1d"))

    assert [row["outcome"] for row in told(session)] == ["effective"]
    assert learned.light(at(session, 24 * 5)) == {}
    assert effectiveness(session).kinds[0].effective == 1


@pytest.mark.capability("M-047")
def test_retrievals_are_on_record_with_their_question_cut(session: Session) -> None:
    note(session, Question(SEARCH, "x" * 700), [A, B], [0.91234567, 0.5])
    (entry,) = spool.entries(session.place.repo)
    assert entry.data == {"tool": "search", "query": "x" * 500, "items": [A, B], "scores": [0.9123, 0.5]}
    assert (entry.kind, entry.session) == (RETRIEVAL, "run-1")

    shown = run_inproc(session.start, "journal", "show", "--kind", "retrieval")
    assert "search" in shown.out
    assert "xxx" in shown.out


@pytest.mark.capability("M-031")
def test_a_hundred_retrievals_change_no_tracked_byte(session: Session) -> None:
    before = git(session.start, "status", "--porcelain"), git(session.start, "for-each-ref")
    for _ in range(100):
        note(session, Question(SEARCH, "q"), [A], [0.5])
    assert experience(session).uses.hits == {A: 100}
    assert (git(session.start, "status", "--porcelain"), git(session.start, "for-each-ref")) == before
