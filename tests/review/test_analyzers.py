"""What each kind of report amounts to: the draft, or the reason why there is none."""

import pytest

from gitmem.index.card import Card
from gitmem.index.parse import card_of
from gitmem.model.compiled import NearMiss
from gitmem.model.observation import EVENT_TYPES, Observation
from gitmem.review.analyzers import ANALYZERS, Change, Document, Facts, Fresh, Leave, failing, first_line
from gitmem.store.objects import Entry
from tests.support import Value, engram_id, engram_text

ID = f"{engram_id(50)}-1"


def told(event_type: str, id_: str = ID, **payload: Value) -> Observation:
    return Observation(id_, event_type, "2026-01-02T03:04:05Z", payload)  # type: ignore[arg-type]


def card(*paths: str, **over: Value) -> Card:
    text = engram_text(**({"scope": {"paths": list(paths)} if paths else None} | over)).encode()
    return card_of(Entry("engrams/api/use-the-client.md", "100644", "", len(text)), text)


def near(item: Card, pattern: str, file: str, reason: str) -> NearMiss:
    return NearMiss(item.id, item.slug, pattern, file, reason)


def amounts(observation: Observation, facts: Facts | None = None) -> object:
    return ANALYZERS[observation.event_type](observation, facts or Facts())


def miss(*files: str, **payload: Value) -> Observation:
    return told("compile_miss", target_files=list(files), review_comment="nobody told me of the client", **payload)


def test_every_event_type_has_an_analyzer() -> None:
    assert set(ANALYZERS) == set(EVENT_TYPES)


@pytest.mark.parametrize(
    ("file", "reason", "added"),
    [
        ("src/http/b.ts", "wrong-path", ("src/http/*.ts",)),
        ("b.ts", "wrong-path", ("*.ts",)),
        ("src/api/b.tsx", "wrong-name", ("src/api/**",)),
        ("lib/b.py", "", ("lib/**",)),
        ("b.py", "", ("b.py",)),
        ("src/[slug]/b.py", "", (r"src/\[slug]/**",)),
    ],
)
def test_a_miss_widens_the_scope_by_the_folder_of_the_file(file: str, reason: str, added: tuple[str, ...]) -> None:
    item = card("src/api/*.ts")
    rows = (near(item, "src/api/*.ts", file, reason),) if reason else ()

    assert amounts(miss(file), Facts(target=item, near=rows)) == Change(item.id, added)


def test_files_of_one_folder_make_one_pattern_and_those_that_match_none() -> None:
    item = card("src/api/*.ts")

    found = amounts(miss("lib/a.py", "lib/b.py", "src/api/c.ts"), Facts(target=item))

    assert found == Change(item.id, ("lib/**",))


def test_a_miss_without_an_item_is_the_missing_rule() -> None:
    found = amounts(miss("src/http/b.ts", missing_doc="# Retry twice.\nand more"))

    body, paths = "nobody told me of the client\n", ("src/http/**",)
    assert found == Fresh("Retry twice", "guideline", body, (), paths, (ID,))


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        (Facts(), "no rule has a pattern near these files, and no missing rule was named"),
        (
            Facts(target=card("src/**"), near=(near(card("src/**"), "src/**", "src/b.ts", "duplicate-id"),)),
            "use-the-client has a pattern for these files, yet is not delivered: duplicate-id",
        ),
        (Facts(target=card("a/**", status="deprecated")), "use-the-client is deprecated, so no scope would deliver it"),
        (
            Facts(target=card("a/**"), delivered=frozenset({engram_id(1)})),
            "use-the-client is delivered for these files already",
        ),
    ],
)
def test_a_miss_that_no_scope_mends_is_left_with_its_reason(facts: Facts, reason: str) -> None:
    assert amounts(miss("src/b.ts"), facts) == Leave(reason)


@pytest.mark.parametrize("note", ["--", "# *", ">\n>"])
def test_a_note_of_marks_alone_has_a_title(note: str) -> None:
    found = amounts(told("manual_note", note=note))

    assert isinstance(found, Fresh)
    assert found.title.strip()


def test_a_miss_of_an_item_that_is_gone_says_so() -> None:
    found = amounts(miss("src/b.ts", target_doc_id=engram_id(9)))

    assert found == Leave("the item that was missed is not in the trusted knowledge any more")


def test_a_miss_where_a_rule_applies_waits_for_a_person() -> None:
    """Nobody else can tell which text it is about."""
    found = amounts(miss("src/b.ts"), Facts(applying="use-the-client"))

    assert isinstance(found, Leave)
    assert found.waits
    assert "use-the-client" in found.reason


def test_what_a_scope_excepts_is_for_a_person() -> None:
    item = card(scope={"paths": ["src/**"], "except": ["src/legacy/**"]})

    found = amounts(miss("src/legacy/b.ts"), Facts(target=item))

    assert isinstance(found, Leave)
    assert "excepts src/legacy/b.ts" in found.reason


BODY = "# Client\n\nCall it.\n\n## Retries\n\nTwice.\n\n## Errors\n\nSay so.\n"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("Call it always.", "Call it always.\n"),
        ("## Retries\n\nThree times.", BODY.replace("Twice.", "Three times.")),
        ("## Retries\r\n\r\nThree times.\r\n", BODY.replace("Twice.", "Three times.")),
        ("## Retries\n\nThree.\n\n## Errors\n\nNone.", "## Retries\n\nThree.\n\n## Errors\n\nNone.\n"),
        ("## Limits\n\nNone.", "## Limits\n\nNone.\n"),
    ],
)
def test_a_correction_replaces_the_text_or_the_section_that_it_begins_with(content: str, text: str) -> None:
    observation = told("review_correction", target_doc_id=engram_id(1), proposed_content=content, review_comment="x")
    item = card()

    assert amounts(observation, Facts(item, BODY)) == Change(item.id, text=text)


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        (Facts(card(), BODY), "use-the-client says so already"),
        (Facts(), "the item that it corrects is not in the trusted knowledge any more"),
    ],
)
def test_a_correction_that_changes_nothing_is_left(facts: Facts, reason: str) -> None:
    observation = told("review_correction", proposed_content="## Retries\n\nTwice.\n", review_comment="x")

    assert amounts(observation, facts) == Leave(reason)


@pytest.mark.parametrize(
    ("note", "abstract", "title", "kind"),
    [
        ("Never call fetch. It hides errors.", "", "Never call fetch. It hides errors", "guideline"),
        ("From now on, run the linter first.", "", "From now on, run the linter first", "guideline"),
        ("The table has nine rows.", "", "The table has nine rows", "fact"),
        ("- The table has nine rows\n- and a key", "Rows of the table", "Rows of the table", "fact"),
        ("\n## Heading\n\nThe rest.", "", "Heading", "fact"),
    ],
)
def test_a_note_is_a_guideline_where_it_says_what_to_do(note: str, abstract: str, title: str, kind: str) -> None:
    found = amounts(told("manual_note", note=note, abstract=abstract, hints=["Data Base", "db", "db", "\u4e2d"]))

    assert found == Fresh(title, kind, f"{note.strip()}\n", ("data-base", "db"), (), (ID,))


def test_a_title_is_short_whatever_the_note_is() -> None:
    titles = [first_line("word " * 500), first_line("x" * 5000), first_line(f"First. {'more ' * 50}")]

    assert [len(title) <= 200 for title in titles] == [True] * 3
    assert titles[2] == "First"


def test_a_merge_is_never_a_proposal_and_says_what_it_touched() -> None:
    merged = told("pr_merged", changed_files=["src/a.ts", "lib/b.py"])

    assert amounts(merged, Facts(unruled=("lib/b.py",), resting=(("use-the-client", "src/a.ts"),))) == Leave(
        "1 claim(s) rest on changed files, look at: use-the-client (src/a.ts); "
        "1 of 2 changed files have no rule: lib/b.py"
    )
    assert amounts(merged) == Leave("every changed file has a rule, and no claim rests on one")


@pytest.mark.parametrize(
    ("payload", "found"),
    [
        ({"path": "docs/a.md"}, Document("docs/a.md")),
        ({"files": ["docs/a.md", "docs/b.md"]}, Document("docs/a.md")),
        ({"content": "# A\n", "title": "A", "kind": "fact"}, Document("", "# A\n", "A", "fact")),
        ({"url": "https://example.org"}, Leave("it names no document: path, or content with a title")),
        ({"path": 5, "content": " "}, Leave("it names no document: path, or content with a title")),
    ],
)
def test_a_document_is_taken_in_where_it_is_named(payload: dict[str, Value], found: object) -> None:
    assert amounts(told("document_import", **payload)) == found


@pytest.mark.parametrize(
    ("payload", "title", "paths"),
    [
        ({"title": "The queue", "paths": ["src/queue/**"]}, "The queue", ("src/queue/**",)),
        ({"files": ["src/queue/a.py"]}, "What to know about src/queue/a.py", ("src/queue/a.py",)),
        ({"reason": "nobody wrote about retries"}, "nobody wrote about retries", ()),
    ],
)
def test_a_gap_is_a_reference_that_is_still_to_be_written(
    payload: dict[str, Value], title: str, paths: tuple[str, ...]
) -> None:
    found = amounts(told("doc_gap_detected", **payload))

    assert isinstance(found, Fresh)
    assert (found.title, found.kind, found.paths, found.evidence) == (title, "reference", paths, (ID,))
    assert "To be written." in found.body


def test_a_gap_that_names_nothing_is_left() -> None:
    assert isinstance(amounts(told("doc_gap_detected", score=5)), Leave)


def turn(number: int, outcome: str = "failed", files: tuple[str, ...] = ("src/a.py",), plan: str = "") -> Observation:
    return told("session_note", f"{engram_id(number)}-1", files=list(files), outcome=outcome, plan=plan)


def test_one_turn_that_failed_waits_for_another() -> None:
    found = amounts(turn(1))

    assert isinstance(found, Leave)
    assert found.waits


def test_two_turns_about_the_same_file_make_a_pitfall() -> None:
    first, second = turn(1, plan="a socket"), turn(2, "reverted", ("src/a.py", "src/b.py"), "a pool")

    found = amounts(second, Facts(others=(first,)))

    assert isinstance(found, Fresh)
    assert found.title == "Attempts at src/a.py did not work out"
    assert (found.paths, found.tags, found.kind) == (("src/a.py",), ("pitfall",), "observation")
    assert found.evidence == (second.id, first.id)
    assert "- 2026-01-02, failed: a socket\n- 2026-01-02, reverted: a pool\n" in found.body


def test_turns_about_other_files_are_no_pitfall_and_one_that_was_told_of_is_not_told_again() -> None:
    other = turn(1, files=("lib/x.py",))

    apart = amounts(turn(2), Facts(others=(other,)))
    again = amounts(turn(2), Facts(others=(turn(1),), told={turn(1).id: ("P",)}))

    assert (isinstance(apart, Leave), getattr(apart, "waits", None)) == (True, True)
    assert again == Leave("proposal P tells of the same files")


def test_a_turn_that_was_kept_warns_of_nothing() -> None:
    assert isinstance(amounts(turn(1, "kept"), Facts(others=(turn(2),))), Leave)
    known = [turn(1), turn(2, "kept"), turn(3, "reverted"), told("manual_note", note="x")]
    assert [each.id for each in failing(known, turn(1))] == [turn(3).id]
