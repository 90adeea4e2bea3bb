"""Texts that contradict each other are named with their sentences; texts that only look so are not."""

import tarfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.checks.opposition import Held, Opposition, apply_together, keys_of, oppositions, stances_of
from tests.checks.pairs import COMPATIBLE, CONTRADICTING, LATER_COMPATIBLE, LATER_CONTRADICTING

RULES = Path(__file__).parents[3] / "shared" / "data" / "rules"
KNOWN_MISSES = 6
SENTENCES = [sentence for pair in (*CONTRADICTING, *COMPATIBLE) for sentence in pair]


def opposed(mine: str, theirs: str) -> list[Opposition]:
    held = Held("A", stances_of("", mine), paths=("src/**",))
    return oppositions(held, [Held("B", stances_of("", theirs), paths=("src/**",))])


@pytest.mark.capability("M-036")
def test_tabs_and_spaces_on_one_path_are_named_with_both_sentences() -> None:
    """F-229."""
    held = Held("A", stances_of("Indentation", "We use tabs in all files."), paths=("src/*.py",))
    other = Held("B", stances_of("Spaces", "Use spaces."), paths=("**/*.py",))

    assert oppositions(held, [other]) == [
        Opposition("A", "B", "We use tabs in all files.", "Use spaces.", "tabs against spaces")
    ]


@pytest.mark.parametrize(("mine", "theirs"), [*COMPATIBLE, *LATER_COMPATIBLE])
def test_rules_that_can_both_be_followed_are_not_opposed(mine: str, theirs: str) -> None:
    assert opposed(mine, theirs) == []


@pytest.mark.capability("M-036")
def test_nine_of_ten_contradictions_are_found() -> None:
    pairs = [*CONTRADICTING, *LATER_CONTRADICTING]
    missed = [pair for pair in pairs if not opposed(*pair)]

    assert len(pairs) + len(COMPATIBLE) + len(LATER_COMPATIBLE) >= 150
    assert len(missed) <= KNOWN_MISSES, missed
    assert len(pairs) - KNOWN_MISSES >= len(pairs) * 0.9


@pytest.mark.parametrize(
    ("mine", "theirs", "reason"),
    [
        ("Never use tabs.", "Always use tabs.", "one says to, the other not to"),
        ("Use single quotes.", "Use double quotes.", "single quotes against double quotes"),
        ("The timeout is 30s.", "timeout: 1 minute", "30 seconds against 1 minutes"),
        ("Target Python >= 3.9.", "Target Python 3.11+.", "3.9 against 3.11+"),
        ("Use `axios` for HTTP requests.", "Use `ky` for HTTP requests.", "axios against ky"),
        ("Turn on telemetry.", "Turn off telemetry.", "enable against disable"),
        ("Tests are required.", "Tests are optional.", "one demands it, the other leaves it open"),
        ("Retry at least 5 times.", "Retry at most 3 times.", "5 times against 3 times"),
    ],
)
def test_the_reason_says_what_stands_against_what(mine: str, theirs: str, reason: str) -> None:
    assert [found.reason for found in opposed(mine, theirs)] == [reason]


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ("Use fixtures for shared state.", "Use factories for shared state."),
        ("Use `a` for logs. Use `b` for logs.", "Use `c` for logs."),
        ("Never use tabs. Always use tabs in Makefiles.", "Use tabs in Makefiles."),
        ("Retry 3 to 5 times.", "Retry 4 times."),
    ],
)
def test_what_a_text_itself_leaves_unclear_opposes_nothing(mine: str, theirs: str) -> None:
    assert opposed(mine, theirs) == []


@pytest.mark.parametrize(("mine", "theirs"), [("Road 3", "Road 1"), ("Phase number 2", "Phase number 4")])
def test_a_number_that_only_tells_two_subjects_apart_opposes_nothing(mine: str, theirs: str) -> None:
    held = Held("A", stances_of(mine, "It is closed in winter."), paths=("src/**",))
    other = Held("B", stances_of(theirs, "It is closed in summer."), paths=("src/**",))

    assert oppositions(held, [other]) == []


@pytest.mark.parametrize(("mine", "theirs"), [("Port 8080", "Port 9090"), ("Retry limit 3", "Retry limit 5")])
def test_a_number_that_is_a_value_opposes_another_one_in_titles_too(mine: str, theirs: str) -> None:
    held = Held("A", stances_of(mine, ""), paths=("src/**",))

    assert oppositions(held, [Held("B", stances_of(theirs, ""), paths=("src/**",))])


TABS, SPACES = stances_of("", "Use tabs."), stances_of("", "Use spaces.")


@pytest.mark.parametrize(
    ("mine", "theirs", "expected"),
    [
        (Held("A", TABS), Held("B", SPACES), False),
        (Held("A", TABS, tags=("style",)), Held("B", SPACES, tags=("style", "x")), True),
        (Held("A", TABS, paths=("src/**",)), Held("B", SPACES, paths=("src/a.py",)), True),
        (Held("A", TABS, paths=("*.go",), tags=("style",)), Held("B", SPACES, paths=("*.py",), tags=("style",)), False),
        (Held("A", TABS, paths=("**",), excluded=("old/**",)), Held("B", SPACES, paths=("old/**/*.py",)), False),
        (Held("A", TABS, paths=("old/*.py",)), Held("B", SPACES, paths=("**",), excluded=("old/*.py",)), False),
        (Held("A", TABS, layers=("web",)), Held("B", SPACES, layers=("web", "api")), True),
        (Held("A", TABS, layers=("web",), tags=("style",)), Held("B", SPACES, layers=("api",), tags=("style",)), False),
        (Held("A", TABS, commands=("review",)), Held("B", SPACES, commands=("review",)), True),
        (Held("A", TABS, paths=("**",), tags=("style",)), Held("B", SPACES, tags=("style",)), True),
        (Held("A", TABS, paths=("**",)), Held("B", SPACES), False),
        (Held("A", TABS, paths=("a//b",)), Held("B", SPACES, paths=("**",)), False),
        (Held("A", TABS, tags=("style",)), Held("A", SPACES, tags=("style",)), False),
    ],
    ids=[
        "nothing-shared",
        "tag",
        "paths",
        "paths-apart-though-a-tag",
        "excluded-there",
        "excluded-here",
        "layer",
        "layers-apart-though-a-tag",
        "command",
        "one-scope-and-a-tag",
        "one-scope",
        "no-glob",
        "itself",
    ],
)
def test_only_items_that_apply_together_are_compared(mine: Held, theirs: Held, expected: bool) -> None:
    assert bool(oppositions(mine, [theirs])) is bool(oppositions(theirs, [mine])) is expected
    assert apply_together(mine, theirs) is apply_together(theirs, mine)


def test_others_are_named_in_their_order_and_a_pair_of_sentences_once() -> None:
    held = Held("A", stances_of("Never use tabs.", "Never use tabs. Use `a` instead of `b`."), tags=("t",))
    tabs = Held("C", stances_of("", "Use tabs."), tags=("t",))
    swapped = Held("B", stances_of("", "Use `b` instead of `a`."), tags=("t",))
    found = oppositions(held, [tabs, swapped])

    assert [(each.other, each.mine, each.theirs) for each in found] == [
        ("C", "Never use tabs.", "Use tabs."),
        ("B", "Use `a` instead of `b`.", "Use `b` instead of `a`."),
    ]


@given(st.sampled_from(SENTENCES), st.sampled_from(SENTENCES))
def test_opposition_is_mutual_and_nothing_opposes_itself(mine: str, theirs: str) -> None:
    assert [(each.mine, each.theirs) for each in opposed(mine, theirs)] == [
        (each.theirs, each.mine) for each in opposed(theirs, mine)
    ]
    assert opposed(mine, mine) == []


@given(st.sampled_from(CONTRADICTING))
def test_what_is_opposed_shares_a_key(pair: tuple[str, str]) -> None:
    mine, theirs = (keys_of(stances_of("", text)) for text in pair)

    assert not opposed(*pair) or not set(mine).isdisjoint(theirs)


def test_a_text_that_repeats_itself_costs_no_more_for_it() -> None:
    text = "".join(f"Never use tabs in part{n}.\n\n" for n in range(3_000))
    matters = [stance.matter for stance in stances_of("", text)]

    assert max(map(matters.count, set(matters[:50]))) <= 8


@pytest.mark.skipif(not RULES.is_dir(), reason="the shared data is not here")
def test_public_repositories_hardly_contradict_themselves() -> None:
    """151 files, each taken as a rule for its whole repository: three pairs, told apart by what stands elsewhere."""
    found = [each for path in sorted(RULES.glob("*.tar.gz")) for each in within(archived(path))]

    assert len(found) <= 5, found


def archived(path: Path) -> list[Held]:
    with tarfile.open(path) as archive:
        texts = {m.name: archive.extractfile(m).read().decode() for m in archive.getmembers() if m.isfile()}  # type: ignore[union-attr]
    return [Held(name, stances_of("", text), paths=("**",)) for name, text in texts.items()]


def within(held: Sequence[Held]) -> list[Opposition]:
    return [found for at, one in enumerate(held) for found in oppositions(one, held[at + 1 :])]
