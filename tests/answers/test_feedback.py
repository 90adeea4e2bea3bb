"""Feedback: what it moves by the number, what it names, and that nothing but the journal is written."""

import math
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gitmem.answers.assessing import FeedbackCall
from gitmem.answers.compile import CompileCall, compile_context
from gitmem.answers.experience import Effective, experience
from gitmem.answers.explain import ExplainCall, explain
from gitmem.answers.feedback import Feedback, feedback
from gitmem.answers.getting import GetCall, get
from gitmem.answers.listing import ListCall, list_items
from gitmem.answers.reading import ask, open_place, read
from gitmem.answers.retrieved import SEARCH, Question, note
from gitmem.answers.session import Session
from gitmem.errors import GitmemError, UsageError
from gitmem.model.synapse import link
from gitmem.store import journal, spool
from gitmem.store.synapses import encode_synapse, synapse_path
from tests.support import Value, commit_all, engram_id, engram_text, git, run_inproc, start_repo, write_tree

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
A, B, C, D = (engram_id(number) for number in range(1, 5))


def engram(number: int, slug: str, **over: Value) -> dict[str, str]:
    text = engram_text(id=engram_id(number), title=slug, kind="fact", body=f"Of {slug}.\n", **over)
    return {f".gitmem/engrams/api/{slug}.md": text}


def edge(one: str, other: str, kind: str, weight: float) -> dict[str, str]:
    made = link(one, other, kind, weight)
    return {f".gitmem/{synapse_path(made)}": encode_synapse(made).decode()}


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "repo"
    folder.mkdir()
    start_repo(folder)
    write_tree(
        folder,
        {
            ".gitmem/config.yaml": "format: 1\n",
            "src/app.py": "print(1)\n",
            **engram(1, "a", importance=0.5, confidence=0.8),
            **engram(2, "b", importance=0.5, confidence=0.25),
            **engram(3, "c", importance=0.5, status="frozen"),
            **engram(4, "d", importance=0.5),
            ".gitmem/engrams/api/rule.md": engram_text(id=engram_id(5), title="rule", scope={"paths": ["src/**"]}),
            **edge(A, B, "extends", 0.6),
            **edge(C, A, "extends", 0.9),
            **edge(A, D, "contradicts", 0.9),
        },
    )
    commit_all(folder)
    yield folder
    journal.rotate(open_place(folder).repo)


def say(root: Path, item: str, verdict: str = "helped", now: datetime = NOW, **over: object) -> Feedback:
    return feedback(Session(root, now), FeedbackCall(item, verdict, **over))  # type: ignore[arg-type]


def effective(root: Path, slug: str) -> Effective:
    session = Session(root, NOW)
    card = ask(read(session.place), lambda knowledge: knowledge.by_reference(slug)[0])[0]
    return experience(session).effective(card)


@pytest.mark.capability("M-042")
def test_a_success_is_told_before_and_after(root: Path) -> None:
    found = say(root, "a", effectiveness=0.5)
    (row,) = found.items

    assert (row.id, row.slug) == (A, "a")
    assert (row.importance.before, row.importance.after, row.importance.band) == (0.5, 0.55, "medium")
    assert (row.confidence.before, row.confidence.after, row.confidence.band) == (0.8, 0.85, "high")
    assert (row.strength.before, row.strength.after) == (0.0, 0.5)
    assert effective(root, "a").importance == pytest.approx(0.55)
    assert effective(root, "a").last_use == "2026-01-02T00:00:00Z"


@pytest.mark.capability("M-044")
def test_a_neighbour_gets_its_share_and_one_that_rests_or_contradicts_does_not(root: Path) -> None:
    found = say(root, "a")
    assert [(each.id, each.delta) for each in found.neighbours] == [(B, 0.03)]
    assert effective(root, "b").importance == pytest.approx(0.53)
    assert effective(root, "b").confidence == 0.25
    assert effective(root, "c").importance == 0.5
    assert effective(root, "d").importance == 0.5

    back = say(root, "b")
    assert [(each.id, each.delta) for each in back.neighbours] == [(A, 0.015)]
    assert effective(root, "a").importance == pytest.approx(0.615)


def test_a_restricted_neighbour_gets_its_share_and_is_not_named(root: Path) -> None:
    write_tree(root, engram(2, "b", importance=0.5, visibility="restricted"))
    commit_all(root)
    assert say(root, "a").neighbours == ()
    assert effective(root, "b").importance == pytest.approx(0.53)
    say(root, "b")
    found = explain(Session(root, NOW), ExplainCall(item="a")).experience
    assert found is not None
    assert found.lent == ()


@pytest.mark.parametrize("name", ["skill:cut", "intention:x", "syn-0123456789abcdef"])
def test_what_is_no_engram_is_refused_with_what_to_do_instead(root: Path, name: str) -> None:
    with pytest.raises(UsageError, match="engrams and rules"):
        say(root, name)


def test_a_long_name_of_nothing_is_not_given_back_whole(root: Path) -> None:
    assert say(root, "x" * 100_000).unresolved == ("x" * 200,)


def test_the_command_line_says_by_its_exit_that_nothing_was_kept(root: Path) -> None:
    assert run_inproc(root, "feedback", "nothing-such", "helped").code == 1
    assert run_inproc(root, "feedback", "a", "helped").code == 0


@pytest.mark.capability("M-043")
def test_the_third_failure_advises_to_archive_and_the_fifth_to_forget(root: Path) -> None:
    head = git(root, "rev-parse", "HEAD")
    told = [say(root, "a", "misled", reason="it is out of date") for _ in range(5)]

    advice = [each.advice[0].action if each.advice else None for each in told]
    assert advice == [None, None, "archive", "archive", "forget"]
    assert [each.items[0].importance.after for each in told] == pytest.approx([0.4, 0.3, 0.2, 0.1, 0.0])
    assert told[0].neighbours == ()
    assert (git(root, "rev-parse", "HEAD"), git(root, "status", "--porcelain")) == (head, "")
    assert f"gitmem propose forget {A}" in run_inproc(root, "feedback", "a", "misled").out


@pytest.mark.capability("M-045")
@pytest.mark.parametrize(("outcome", "after"), [("success", 0.6), ("partial", 0.55), ("failure", 0.5)])
def test_the_outcome_of_a_task_is_its_effectiveness(root: Path, outcome: str, after: float) -> None:
    found = say(root, "a", outcome=outcome)
    assert found.items[0].importance.after == after
    assert [each.id for each in found.neighbours] == [B]


@pytest.mark.parametrize(("status", "confidence"), [("verified", 0.95), ("refuted", 0.24), ("probable", 0.8)])
def test_what_was_verified_is_surer_and_what_was_refuted_less(root: Path, status: str, confidence: float) -> None:
    """F-220."""
    write_tree(root, engram(1, "a", importance=0.5, confidence=0.8, verification={"status": status}))
    commit_all(root)
    assert effective(root, "a").confidence == pytest.approx(confidence)
    assert say(root, "a").items[0].confidence.after == pytest.approx(min(1.0, confidence + 0.05))


def test_what_was_irrelevant_moves_nothing(root: Path) -> None:
    found = say(root, "a", "irrelevant")
    assert found.items[0].importance.before == found.items[0].importance.after == 0.5
    assert effective(root, "a").irrelevant == 1
    assert effective(root, "a").last_use == ""


def test_being_found_is_no_evidence(root: Path) -> None:
    note(Session(root, NOW), Question(SEARCH, "how"), [A], [0.9])
    found = effective(root, "a")
    assert (found.importance, found.confidence, found.last_use) == (0.5, 0.8, "")
    assert (found.hits, found.last_hit, found.last_score) == (1, "2026-01-02T00:00:00Z", 0.9)


def test_a_compile_stands_for_all_that_it_told(root: Path) -> None:
    told = compile_context(Session(root, NOW), CompileCall(files=("src/app.py",)))
    for name in (told.compile_id, told.compile_id[:12]):
        found = say(root, name)
        assert [row.slug for row in found.items] == ["rule"]
    assert spool.entries(open_place(root).repo)[-1].data["compile"] == told.compile_id


def test_a_private_item_has_its_experience_too(root: Path) -> None:
    """It stays in the journal of this clone."""
    made = run_inproc(root, "new", "fact", "My own", "--private", "--tag", "api", "--body", "-", stdin="x\n")
    assert made.code == 0, made.err
    assert say(root, "my-own").items[0].importance.after == 0.6
    assert say(root, "my-own", "misled").items[0].importance.before == 0.6


@pytest.mark.parametrize("name", ["nothing-such", engram_id(99), "0" * 64, ""])
def test_what_is_no_item_is_unresolved_and_nothing_is_written(root: Path, name: str) -> None:
    found = say(root, name)
    assert (found.items, found.unresolved, found.event) == ((), (name,), None)
    assert spool.entries(open_place(root).repo) == []


@pytest.mark.parametrize(
    ("over", "word"),
    [
        ({"effectiveness": 1.5}, "0 to 1"),
        ({"effectiveness": -0.1}, "0 to 1"),
        ({"effectiveness": math.nan}, "0 to 1"),
        ({"effectiveness": math.inf}, "0 to 1"),
        ({"effectiveness": 1.0, "outcome": "success"}, "twice"),
        ({"outcome": "great"}, "unknown outcome"),
        ({"reason": "x" * 501}, "500"),
        ({"touched": ("x" * 401,)}, "at most"),
        ({"verdict": "misled", "effectiveness": 0.5}, "goes with helped"),
        ({"verdict": "liked"}, "unknown verdict"),
    ],
)
def test_what_cannot_be_counted_is_refused(root: Path, over: dict[str, object], word: str) -> None:
    with pytest.raises(UsageError, match=word):
        say(root, "a", **({"verdict": "helped"} | over))  # type: ignore[arg-type]
    assert spool.entries(open_place(root).repo) == []


def test_a_secret_in_a_reason_is_refused(root: Path) -> None:
    with pytest.raises(GitmemError, match="secret"):
        say(root, "a", reason="it was ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8")


def test_a_journal_that_is_off_keeps_no_feedback_and_says_so(root: Path) -> None:
    """F-162."""
    git(root, "config", "gitmem.journal", "off")
    with pytest.raises(GitmemError, match="switched off"):
        say(root, "a")


def test_what_was_written_says_all_that_was_said(root: Path) -> None:
    say(root, "a", effectiveness=0.25, reason=" it saved an hour ", touched=("app.main", "app.main", " "))
    (entry,) = spool.entries(open_place(root).repo)
    assert entry.data == {
        "items": [A],
        "outcome": "helped",
        "surface": "cli",
        "effectiveness": 0.25,
        "reason": "it saved an hour",
        "touched": ["app.main"],
    }


def test_events_of_other_days_count_on_their_day_whatever_the_clock_says_now(root: Path) -> None:
    """A clock that was set back ten years loses nothing."""
    say(root, "a", now=NOW + timedelta(days=3650))
    found = say(root, "a", "misled", now=NOW)
    assert found.items[0].importance.before == 0.6
    assert found.items[0].importance.after == pytest.approx(0.5)


def test_no_more_than_the_journal_is_written(root: Path) -> None:
    before = git(root, "for-each-ref"), git(root, "status", "--porcelain")
    done = run_inproc(root, "feedback", "a", "helped", "--effectiveness", "0.5", "--now", "2026-03-01T00:00:00Z")
    assert done.code == 0
    assert "a: importance 0.500 -> 0.550 (medium)" in done.out
    assert "shared with b: importance +0.015" in done.out
    assert (git(root, "for-each-ref"), git(root, "status", "--porcelain")) == before
    assert effective(root, "a").last_use == "2026-03-01T00:00:00Z"


@pytest.mark.capability("M-042")
def test_explain_shows_before_and_after_and_the_events_behind(root: Path) -> None:
    say(root, "a", effectiveness=0.5, reason="it saved an hour")
    say(root, "a", "misled", now=NOW + timedelta(days=1))
    say(root, "b")
    found = explain(Session(root, NOW + timedelta(days=3)), ExplainCall(item="a")).experience

    assert found is not None
    assert (found.item.id, found.stated.importance, round(found.now.importance, 6)) == (A, 0.5, 0.465)
    assert [(each.day, each.importance.before, each.importance.after) for each in found.days] == [
        ("2026-01-02", 0.5, 0.55),
        ("2026-01-03", 0.55, 0.45),
    ]
    assert [(each.slug, each.delta) for each in found.lent] == [("b", 0.015)]
    assert [(each.outcome, each.data.get("reason")) for each in found.events] == [
        ("misled", None),
        ("helped", "it saved an hour"),
    ]
    assert (found.outlook.freshness, found.outlook.since, round(found.outlook.age_days)) == (
        "fresh",
        "2026-01-02T00:00:00Z",
        3,
    )


def test_explain_takes_a_lone_name_for_an_item_unless_a_file_has_it(root: Path) -> None:
    assert "a (" in run_inproc(root, "explain", "a").out
    assert "half-life" in run_inproc(root, "explain", "api/a").out
    assert "half-life" not in run_inproc(root, "explain", "src/app.py").out
    assert "half-life" not in run_inproc(root, "explain", "src/none.py").out
    write_tree(root, {"a": "a file\n"})
    assert "half-life" not in run_inproc(root, "explain", "a").out


@pytest.mark.capability("M-046")
def test_what_is_forgotten_says_so_and_a_rule_stays_fresh(root: Path) -> None:
    later = Session(root, NOW + timedelta(days=3650))
    rule, fact = (explain(later, ExplainCall(item=name)).experience for name in ("rule", "a"))
    assert rule is not None
    assert fact is not None
    assert rule.outlook.freshness == "fresh"
    assert fact.outlook.half_life_days == 23.24


@pytest.mark.capability("M-046")
@pytest.mark.parametrize(("status", "wanted"), [("active", "fresh"), ("frozen", "fresh"), ("forgotten", "forgotten")])
def test_what_was_forgotten_on_a_word_is_so_wherever_it_is_told(root: Path, status: str, wanted: str) -> None:
    """A forced value wins over the age."""
    write_tree(root, engram(1, "a", importance=0.5, status=status, created={"at": "2026-01-01T00:00:00Z"}))
    commit_all(root)
    found = explain(Session(root, NOW), ExplainCall(item="a")).experience
    assert found is not None
    assert found.outlook.freshness == wanted
    (item,) = get(Session(root, NOW), GetCall(("a",), tier="meta")).items
    assert item.meta is not None
    assert item.meta.effective is not None
    assert item.meta.effective.freshness == wanted
    for each in ("fresh", "forgotten"):
        rows = list_items(Session(root, NOW), ListCall(freshness=(each,), status=(status,))).items
        assert ("a" in [row.slug for row in rows]) is (each == wanted)
