"""Standing rules in words: noted by an agent, confirmed by the code that was shown and by nothing else."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gitmem.answers.codes import mentions
from gitmem.answers.confirming import ConfirmCall, confirm, settle
from gitmem.answers.observe import ObserveCall, observe
from gitmem.answers.retiring import StandingListCall, StandingRetireCall, list_standing, retire_standing
from gitmem.answers.session import Session
from gitmem.errors import GitmemError, UsageError
from gitmem.operations import every
from gitmem.operations.table import CLI
from gitmem.store.journal import folder_of
from tests.answers.people import Person, alone, crew
from tests.answers.said import Dialogue, message_of
from tests.asking import compiled, slugs
from tests.keys import SIGNERS, make_key, needs_keygen, use_key
from tests.support import engram_id, engram_text, git, run_cli, run_inproc

TESTS = "Don't run the tests unless I say so."
ALWAYS = "Always run the tests."
SLUG = "don-t-run-the-tests-unless-i-say-so"
HOLDS = 'the standing rule "Don\'t run the tests unless I say so" holds from now on (#)'


@pytest.fixture
def ada(tmp_path: Path) -> Person:
    return alone(tmp_path / "ada").named("Ada", "ada@example.org")


@pytest.fixture
def talk(ada: Person) -> Dialogue:
    return Dialogue(ada)


def rules(at: Person) -> list[str]:
    return [row.title for row in list_standing(at.session(), StandingListCall()).rules]


def waiting(at: Person) -> list[str]:
    return sorted(at.statuses().values())


@pytest.mark.capability("R-053")
def test_only_the_code_that_was_shown_lets_a_rule_in_and_only_once(talk: Dialogue, ada: Person) -> None:
    lines = ("agent: " + TESTS, "person: yes", "person: keep it", "person: keep 7x7x", "person: please keep CODE.")

    assert talk.play(lines) == [
        f"agent: {TESTS} -> a code",
        "person: yes -> nothing",
        "person: keep it -> nothing",
        "person: keep 7x7x -> the code '7x7x' changes nothing: no standing rule waits for it "
        "(look at the code again, or: gitmem proposals list)",
        f"person: please keep CODE. -> {HOLDS}",
    ]
    assert talk.play(["person: keep CODE"]) == [
        "person: keep CODE -> the code 'CODE' changes nothing: it was used already "
        "(a code works once; see: gitmem proposals list)"
    ]
    assert rules(ada) == ["Don't run the tests unless I say so"]
    assert ada.dirt() == ""


@pytest.mark.capability("R-053")
def test_a_rule_that_was_let_in_is_a_decision_of_the_person_that_names_the_agent(talk: Dialogue, ada: Person) -> None:
    talk.play(["agent: " + TESTS, "person: KEEP CODE"])

    (id_,) = ada.statuses("landed")
    shown = ada.show(id_)
    assert (shown.proposed_by.name, shown.proposed_by.agent.name) == ("Ada", "claude")
    assert shown.evidence == (talk.noted[0].observation,)
    assert git(ada.root, "log", "-1", "--format=%an <%ae>").strip() == "Ada <ada@example.org>"
    assert "tags:\n  - standing" in ada.read(f"engrams/standing/{SLUG}.md")


@pytest.mark.capability("R-053")
def test_an_approval_lands_the_same_without_a_hook(talk: Dialogue, ada: Person) -> None:
    done = talk.note(TESTS)

    ada.approve(str(done.proposal))

    assert rules(ada) == ["Don't run the tests unless I say so"]
    assert talk.play(["person: keep CODE"]) == [
        "person: keep CODE -> the rule is landed already (gitmem proposals show #)"
    ]


def test_a_code_lives_for_a_quarter_of_an_hour(talk: Dialogue, ada: Person) -> None:
    assert talk.play(["agent: " + TESTS, "later: 15.1", "person: keep CODE"])[-1] == (
        "person: keep CODE -> the code 'CODE' changes nothing: it has expired "
        "(the rule waits as a proposal: gitmem proposals list)"
    )
    assert rules(ada) == []
    assert talk.play(["agent: " + TESTS, "person: keep CODE"])[-1].endswith(HOLDS)


@pytest.mark.parametrize("back", [10, 3, 24 * 60])
def test_a_clock_that_goes_back_revives_no_code(talk: Dialogue, ada: Person, back: int) -> None:
    talk.play(["agent: " + TESTS, "later: 16", "agent: Answer in German."])
    talk.play([f"later: {-back}"])

    assert "it has expired" in talk.play(["person: keep CODE2"])[0]
    assert rules(ada) == []


def test_a_clock_that_goes_back_before_the_offer_ends_it(talk: Dialogue) -> None:
    talk.play(["agent: " + TESTS, "later: -30"])

    assert "it has expired" in talk.play(["person: keep CODE"])[0]


@pytest.mark.parametrize(
    ("answer", "said", "left"),
    [
        ("keep", "holds from now on (#)", [ALWAYS[:-1], TESTS[:-1]]),
        ("replace", 'holds from now on, in place of "Don\'t run the tests unless I say so" (#)', [ALWAYS[:-1]]),
        ("cancel", "is cancelled", [TESTS[:-1]]),
    ],
)
def test_what_a_rule_collides_with_is_kept_beside_it_replaced_or_the_rule_is_cancelled(
    talk: Dialogue, ada: Person, answer: str, said: str, left: list[str]
) -> None:
    talk.play(["agent: " + TESTS, "person: keep CODE"])

    told = talk.play(["agent: " + ALWAYS, f"person: {answer} CODE"])

    assert told[0] == f"agent: {ALWAYS} -> a code against {SLUG}"
    assert told[1].endswith(f"the standing rule 'Always run the tests' {said}")
    assert sorted(rules(ada)) == left
    assert ada.statuses() == ada.statuses("landed", "withdrawn")


def test_what_is_replaced_is_superseded_by_an_edge_in_the_same_decision(talk: Dialogue, ada: Person) -> None:
    talk.play(["agent: " + TESTS, "person: keep CODE", "agent: " + ALWAYS])
    before = ada.head()

    talk.play(["person: replace CODE"])

    assert git(ada.root, "rev-list", "--first-parent", "--count", f"{before}..HEAD").strip() == "1"
    assert "status: superseded" in ada.read(f"engrams/standing/{SLUG}.md")
    assert "kind: supersedes" in git(ada.root, "show", "HEAD", "-m", "--first-parent", "--", ".gitmem/synapses")


def test_rules_about_the_same_words_are_shown_though_they_may_both_hold(talk: Dialogue) -> None:
    talk.play(["agent: " + TESTS, "person: keep CODE"])

    assert talk.play(["agent: Run the slow tests at night."]) == [
        f"agent: Run the slow tests at night. -> a code against {SLUG}"
    ]
    assert talk.play(["agent: Answer in German."]) == ["agent: Answer in German. -> a code"]


def test_two_codes_in_one_prompt_are_both_carried_out_in_their_order(talk: Dialogue, ada: Person) -> None:
    talk.play(["agent: " + TESTS, "agent: Answer in German."])

    said = talk.play(["person: cancel CODE, but keep CODE2"])[0]

    assert said.endswith(f"the standing rule 'Answer in German' is cancelled; {HOLDS}")
    assert rules(ada) == [TESTS[:-1]]


@pytest.mark.parametrize(
    "prompt",
    [
        "what do you mean by: keep CODE, or cancel CODE. A plain yes decides nothing?",
        "cancel CODE. No: keep CODE",
        "do not keep CODE",
        "DON'T KEEP CODE!",
        "never cancel CODE, and keep CODE",
    ],
)
def test_a_prompt_that_says_several_things_about_a_code_or_denies_one_decides_nothing(
    talk: Dialogue, ada: Person, prompt: str
) -> None:
    talk.play(["agent: " + TESTS])

    assert "changes nothing: the prompt says several things about it" in talk.play([f"person: {prompt}"])[0]
    assert (rules(ada), waiting(ada)) == ([], ["open"])
    assert talk.play(["person: keep CODE"])[0].endswith(HOLDS)


def test_codes_beyond_the_fifth_of_a_prompt_are_named(talk: Dialogue, ada: Person) -> None:
    talk.play([f"agent: Ask {name}." for name in ("Ada", "Bea", "Cem", "Dan", "Eve", "Flo", "Gil")])

    said = talk.play(["person: " + ", ".join(f"cancel {code}" for code in talk.codes)])[0]

    assert f"2 more code(s) change nothing, from {talk.codes[5]!r}" in said.replace("CODE2", talk.codes[5])
    assert waiting(ada) == ["open"] * 2 + ["withdrawn"] * 5


def test_what_a_rule_says_beside_its_title_is_shown_to_the_person(talk: Dialogue, ada: Person) -> None:
    """An agent that reads out a harmless title gets no other text in unseen."""
    talk.note("Always push\nto the mirror.", abstract="Answer in German")

    assert talk.play(["person: keep CODE"])[0].endswith(
        "the standing rule 'Answer in German' holds from now on (#); it says: 'Always push to the mirror.'"
    )


def test_the_same_rule_noted_twice_waits_once_and_each_code_is_its_own(talk: Dialogue, ada: Person) -> None:
    assert talk.play(["agent: " + TESTS, "agent: " + TESTS]) == [f"agent: {TESTS} -> a code"] * 2
    assert waiting(ada) == ["open"]
    talk.play(["person: keep CODE2"])

    assert "landed already" in talk.play(["person: keep CODE"])[0]
    assert talk.play(["agent: " + TESTS]) == [f"agent: {TESTS} -> no code"]


def test_a_rule_that_was_changed_since_it_was_shown_is_not_let_in(talk: Dialogue, ada: Person) -> None:
    done = talk.note(TESTS)
    ada.edit(str(done.proposal and ada.show(str(done.proposal)).items[0].item), "priority", "3", extend=done.proposal)

    assert "the rule was changed since" in talk.play(["person: keep CODE"])[0]
    assert rules(ada) == []


@pytest.mark.parametrize("state", ["merge", "rebase", "dirty"])
def test_a_rule_that_cannot_land_now_waits_confirmed(talk: Dialogue, ada: Person, state: str) -> None:
    done = talk.note(TESTS)
    if state == "merge":
        (ada.root / ".git/MERGE_HEAD").write_text(f"{ada.head()}\n")
    elif state == "rebase":
        (ada.root / ".git/rebase-merge").mkdir()
        (ada.root / ".git/rebase-merge/head-name").write_text("refs/heads/main\n")
    else:
        path = ada.root / f".gitmem/engrams/standing/{SLUG}.md"
        path.parent.mkdir()
        path.write_text("mine\n")
    before = ada.head()

    said = talk.play(["person: keep CODE"])[0]

    assert "is confirmed and waits as #: " in said
    assert said.endswith("gitmem proposals approve #)")
    assert ada.head() == before
    assert [event.text for event in ada.show(str(done.proposal)).events] == [
        "confirmed by Ada, with the code that was shown"
    ]


@pytest.mark.parametrize("answer", ["keep", "replace"])
def test_where_a_branch_of_the_remote_is_trusted_a_code_only_confirms(tmp_path: Path, answer: str) -> None:
    bob = crew(tmp_path, ("bob",)).person("bob")
    talk = Dialogue(bob)

    said = talk.play(["agent: " + TESTS, f"person: {answer} CODE"])[1]

    assert "is confirmed and waits as #: what counts here is origin/main, and that takes more than a code" in said
    assert (rules(bob), waiting(bob)) == ([], ["open"])
    assert bob.head() == bob.head("origin/main")
    bob.approve(str(talk.noted[0].proposal))
    bob.git("push", "--quiet", "origin", "main")
    assert rules(bob) == [TESTS[:-1]]


def test_what_is_replaced_under_the_trust_of_a_branch_waits_as_one_bundle(tmp_path: Path) -> None:
    bob = crew(tmp_path, ("bob",)).person("bob")
    talk = Dialogue(bob)
    bob.approve(str(talk.note(TESTS).proposal))
    bob.git("push", "--quiet", "origin", "main")

    said = talk.play(["agent: " + ALWAYS, "person: replace CODE"])[1]

    assert said.endswith("(gitmem proposals approve # --bundle)")
    first, second = bob.statuses("open")
    assert bob.show(first).bundle == bob.show(second).bundle != ""
    bob.approve(first, bundle=True)
    bob.git("push", "--quiet", "origin", "main")
    assert rules(bob) == [ALWAYS[:-1]]


def test_two_processes_with_one_code_let_the_rule_in_once(talk: Dialogue, ada: Person) -> None:
    done = observe(Session(ada.root, datetime.now(UTC)), ObserveCall("manual_note", note=TESTS, standing=True))
    given = json.dumps({"session_id": "s", "cwd": str(ada.root), "prompt": f"keep {done.code}"})

    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(lambda _: run_cli(ada.root, "hook", "user-prompt", stdin=given), range(2)))

    used, holds = sorted(message_of(ran.out) for ran in both)
    assert ("it was used already" in used, "holds from now on" in holds) == (True, True)
    assert [ran.code for ran in both] == [0, 0]
    assert rules(ada) == [TESTS[:-1]]


@needs_keygen
def test_where_signatures_are_asked_for_a_code_only_confirms(tmp_path: Path) -> None:
    key = make_key(tmp_path)
    ada = alone(tmp_path / "ada", {SIGNERS: key.line, ".gitmem/config.yaml": "format: 1\ntrust: signed\n"})
    ada.named("Ada", key.email).git("config", "gitmem.signersRoot", ada.head())
    use_key(ada.root, key)
    talk = Dialogue(ada)

    said = talk.play(["agent: " + TESTS, "person: keep CODE"])[1]

    assert "is confirmed and waits as #: what counts here is the signed line" in said
    assert (rules(ada), waiting(ada)) == ([], ["open"])


def test_where_the_policy_asks_for_several_people_a_code_only_confirms(tmp_path: Path) -> None:
    config = {".gitmem/config.yaml": "format: 1\npolicy:\n  min_approvals: 1\n"}
    talk = Dialogue(alone(tmp_path / "ada", config).named("Ada", "ada@example.org"))

    said = talk.play(["agent: " + TESTS, "person: keep CODE"])[1]

    assert "waits as #: the policy asks for 1 approval(s)" in said
    assert rules(talk.at) == []


def test_an_agent_can_confirm_nothing(talk: Dialogue, ada: Person) -> None:
    done = talk.note(TESTS)
    session = Session(ada.root, talk.now, "agent", "claude")

    with pytest.raises(UsageError, match="an agent only proposes"):
        settle(session, "keep", str(done.code))
    with pytest.raises(UsageError, match="an agent only proposes"):
        confirm(session, ConfirmCall(str(done.code)))
    assert rules(ada) == []
    assert all("confirm" not in row.verb or (row.tool, row.surfaces) == ("", (CLI,)) for row in every())
    assert talk.play(["person: keep CODE"])[0].endswith(HOLDS)


def test_no_code_is_on_record_anywhere(talk: Dialogue, ada: Person) -> None:
    talk.play(["agent: " + TESTS, "agent: Answer in German.", "person: keep CODE2"])

    everything = b"".join(path.read_bytes() for path in folder_of(ada.session().place.repo).glob("*.jsonl"))
    assert b'"kind":"standing"' in everything
    assert not any(code.encode() in everything.replace(b'"code"', b"") for code in talk.codes)


def test_with_the_journal_off_the_rule_waits_without_a_code(talk: Dialogue, ada: Person) -> None:
    ada.git("config", "gitmem.journal", "off")

    with pytest.raises(GitmemError, match="switched off"):
        talk.note(TESTS)


@pytest.mark.parametrize(
    ("note", "title"),
    [
        ("From now on, answer in German. It is what the team reads.", "Answer in German"),
        ("please from now on never push", "Never push"),
        ("# Push rarely\n\nOnce a day.\n", "Push rarely"),
        ("---\n\nPush rarely.\n", "Push rarely"),
        ("x" * 300, "X" + "x" * 116 + "..."),
    ],
)
def test_the_title_is_the_first_sentence(talk: Dialogue, ada: Person, note: str, title: str) -> None:
    done = talk.note(note)

    assert ada.show(str(done.proposal)).title == title


@pytest.mark.parametrize(
    ("more", "codes"), [({}, ["no-telling-word"]), ({"hints": ("deploy",)}, []), ({"paths": ("db/**",)}, [])], ids=str
)
def test_of_a_rule_that_no_prompt_can_bring_up_that_is_said(
    talk: Dialogue, more: dict[str, object], codes: list[str]
) -> None:
    done = talk.note("From now on, always ask me first.", **more)

    assert done.code
    assert [each.code for each in done.warnings if each.code != "no-file-matches"] == codes


def test_a_rule_for_files_comes_by_compile(talk: Dialogue, ada: Person) -> None:
    talk.note("Ask before you touch the schema.", paths=("db/**",))
    talk.play(["person: keep CODE"])

    assert slugs(compiled(ada.root, file="db/a.sql")) == ["ask-before-you-touch-the-schema"]
    assert talk.play(["person: touch the schema"]) == ["person: touch the schema -> nothing"]


@pytest.mark.parametrize(
    ("prompt", "found"),
    [
        ("keep 7f3x", ["keep 7f3x"]),
        ("KEEP 7F3X!", ["keep 7f3x"]),
        ("Yes, (replace `7f3x`)", ["replace 7f3x"]),
        ("cancel 7f3x and keep 4k2m", ["cancel 7f3x", "keep 4k2m"]),
        ("keep 7f3x keep 7f3x", ["keep 7f3x"]),
        ("keep 7f3x, replace 7f3x, cancel 7f3x; keep 4k2m", [" 7f3x", "keep 4k2m"]),
        ("I'd rather not keep 7f3x", [" 7f3x"]),
        ("why not? keep 7f3x", ["keep 7f3x"]),
        ("upkeep 7f3x", []),
        ("keep 7f3xx", []),
        ("keep 7f3x-y", []),
        ("keep\n7f3x", []),
        ("keep them", []),
        ("keep 2345", []),
        ("7f3x", []),
        (" ".join(f"keep {n}{n}aa" for n in "23457" * 3), [f"keep {n}{n}aa" for n in "23457"]),
    ],
)
def test_a_code_is_seen_as_a_word_behind_what_to_do(prompt: str, found: list[str]) -> None:
    assert [f"{each.word} {each.code}" for each in mentions(prompt)] == found


def test_a_word_that_only_looks_like_a_code_is_left_alone_where_nobody_was_asked(talk: Dialogue) -> None:
    assert talk.play(["person: keep py37 and drop the rest"]) == ["person: keep py37 and drop the rest -> nothing"]
    talk.play(["agent: " + TESTS, f"later: {25 * 60}"])
    assert talk.play(["person: keep py37"]) == ["person: keep py37 -> nothing"]


@pytest.mark.capability("R-056")
def test_a_retired_rule_is_told_no_more_and_still_on_record_with_its_edges_gone(talk: Dialogue, ada: Person) -> None:
    talk.play(["agent: " + TESTS, "person: keep CODE", "agent: Commit small.", "person: keep CODE"])
    run_inproc(ada.root, "link", SLUG, "extends", "commit-small")
    ada.write({}, "an edge")
    version = ada.version()

    done = retire_standing(ada.session(), StandingRetireCall(SLUG, "the tests are fast now"))

    assert rules(ada) == ["Commit small"]
    assert talk.play(["person: run the tests"]) == ["person: run the tests -> nothing"]
    assert ada.version() == version + 1
    assert len(done.edges) == 1
    assert "status: deprecated" in ada.read(f"engrams/standing/{SLUG}.md")
    assert "no edges" in run_inproc(ada.root, "get", "commit-small", "--tier", "synapses").out
    assert "the tests are fast now" in run_inproc(ada.root, "why", SLUG).out
    assert slugs(compiled(ada.root)) == ["client"]
    ada.revert(done.proposal)
    assert rules(ada) == ["Don't run the tests unless I say so", "Commit small"]
    assert "extends" in run_inproc(ada.root, "get", "commit-small", "--tier", "synapses").out


@pytest.mark.capability("R-056")
def test_what_is_no_standing_rule_is_not_retired_that_way(ada: Person) -> None:
    with pytest.raises(GitmemError, match="client is no standing rule") as refused:
        retire_standing(ada.session(), StandingRetireCall("client"))

    assert (refused.value.code, refused.value.hint) == ("not-standing", "propose it: gitmem propose retire client")
    with pytest.raises(GitmemError, match="no item"):
        retire_standing(ada.session(), StandingRetireCall(engram_id(77)))


def test_a_retirement_that_something_is_in_the_way_of_waits_and_that_is_said(talk: Dialogue, ada: Person) -> None:
    talk.play(["agent: " + TESTS, "person: keep CODE"])
    path = ada.root / f".gitmem/engrams/standing/{SLUG}.md"
    path.write_text(path.read_text(encoding="utf-8") + "Mine.\n", encoding="utf-8")

    with pytest.raises(GitmemError) as caught:
        retire_standing(ada.session(), StandingRetireCall(SLUG))

    (id_,) = ada.statuses("open")
    assert caught.value.hint.endswith(f"; it waits: gitmem proposals approve {id_}@{ada.show(id_).patchset}")


def test_a_list_of_rules_shows_every_sign_of_their_titles(ada: Person) -> None:
    ada.write({".gitmem/engrams/standing/a.md": engram_text(id=engram_id(31), title="Go \u200bon", tags=["standing"])})

    assert run_inproc(ada.root, "standing", "list").out == f"{engram_id(31)}  a  Go \\u200bon\n"


def test_a_retirement_can_be_only_proposed(talk: Dialogue, ada: Person) -> None:
    talk.play(["agent: " + TESTS, "person: keep CODE"])

    done = retire_standing(ada.session(), StandingRetireCall(SLUG, propose=True))

    assert (done.commit, ada.status(done.proposal)) == ("", "open")
    assert len(rules(ada)) == 1


def test_a_code_is_not_told_after_it_was_offered_for_long(talk: Dialogue) -> None:
    """The hours between are those of the session, not of the machine."""
    first = talk.note(TESTS)

    assert first.expires == (talk.now + timedelta(minutes=15)).strftime("%Y-%m-%dT%H:%M:%SZ")
