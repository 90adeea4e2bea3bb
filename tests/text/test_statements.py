"""Orders, bans and permissions are found in sentences; what is no order gives none."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.text.statement_words import stem
from gitmem.text.statements import Force, statements

DO, MUST, NOT, LEFT_OPEN = Force.DO, Force.MUST, Force.NOT, Force.LEFT_OPEN


@pytest.mark.parametrize(
    ("text", "force", "words", "conditions"),
    [
        ("Use tabs for indentation.", DO, "use tab", ["for indent"]),
        ("You should always use tabs", MUST, "use tab", []),
        ("Never call `fetch` from a component.", NOT, "cal fetch", ["from component"]),
        ("Don't use `never`.", NOT, "use never", []),
        ("Avoid default exports.", NOT, "use default export", []),
        ("Avoid using eval.", NOT, "use eval", []),
        ("Avoid logging secrets", NOT, "log secret", []),
        ("No default exports.", NOT, "use default export", []),
        ("TypeScript enums are banned.", NOT, "use typescript enum", []),
        ("Feature flags are not allowed in production", NOT, "use featur flag", ["in production"]),
        ("Tests are optional.", LEFT_OPEN, "use test", []),
        ("Tests are not required.", LEFT_OPEN, "use test", []),
        ("You do not need to write tests.", LEFT_OPEN, "writ test", []),
        ("Do not forget to run the tests.", MUST, "run test", []),
        ("When writing tests, do not use mocks, unless told.", NOT, "use mock", ["when writ test", "unless told"]),
        ("Strings: use single quotes.", DO, "use singl quot", ["for string"]),
        ("Important: never use print.", NOT, "use print", []),
        ("Never use print because it hides the log.", NOT, "use print", []),
        ("**Never** use _print_ (it hides the log)!", NOT, "use print", []),
        ("Verwende niemals Tabs.", NOT, "verwend tab", []),
        ("\u4e0d\u8981\u4f7f\u7528\u5236\u8868\u7b26\u3002", NOT, "\u4f7f\u7528\u5236\u8868\u7b26", []),
    ],
)
def test_an_order_is_taken_apart(text: str, force: Force, words: str, conditions: list[str]) -> None:
    (found,) = statements(text)

    assert (found.force, " ".join(found.words)) == (force, words)
    assert [" ".join(phrase) for phrase in found.conditions] == conditions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Prefer composition over inheritance.", [(DO, "use composition"), (NOT, "use inheritanc")]),
        ("Use `a` instead of `b`.", [(DO, "use a"), (NOT, "use b")]),
        ("Throw errors rather than returning null.", [(DO, "throw error"), (NOT, "return nul")]),
        ("Use the client, not fetch.", [(DO, "use client"), (NOT, "use fetch")]),
        ("Use tabs and never use spaces.", [(DO, "use tab"), (NOT, "use spac")]),
        ("Use tabs. Never use spaces.", [(DO, "use tab"), (NOT, "use spac")]),
        ("- Use tabs\n- Avoid spaces", [(DO, "use tab"), (NOT, "use spac")]),
    ],
)
def test_a_sentence_can_hold_an_order_and_a_ban(text: str, expected: list[tuple[Force, str]]) -> None:
    assert [(found.force, " ".join(found.words)) for found in statements(text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Do we use tabs?",
        "```\nNever use tabs.\n```",
        "| Never | use tabs |",
        "## Bad\n\n- Use tabs\n",
        "Don't:\n- use tabs\n",
        "\u274c Use tabs",
        "# Tabs and spaces",
        "Do not hesitate to ask for help.",
        "Do not only test the happy path.",
        "Never not use tabs.",
        "word " * 200,
    ],
)
def test_what_is_no_order_gives_none(text: str) -> None:
    assert statements(text) == []


def test_after_the_bad_examples_orders_count_again() -> None:
    text = "## Bad\n- Use tabs\n- Never use tabs at all\n\n## Good\n- Use spaces\n"

    assert [found.said for found in statements(text)] == ["Never use tabs at all", "Use spaces"]


@pytest.mark.parametrize(
    "forms",
    ["use using uses prefer", "commit commits committing committed", "class classes", "string strings", "three 3"],
)
def test_the_forms_of_a_word_have_one_stem(forms: str) -> None:
    assert len({stem(form) for form in forms.split()}) == 1


@given(
    st.text(
        alphabet=st.sampled_from("use not never , . : ; - ` ( [ # > | \n 1 a always unless tabs\u5b57\u274c"),
        max_size=120,
    )
)
def test_any_text_is_read(text: str) -> None:
    assert all(found.said and found.words for found in statements(text))


@pytest.mark.parametrize(
    "unit", ["\n", "-", ":", "`", "*", "never ", "- never use x\n", "use a. ", "(", "a\n", "\u5b57"]
)
def test_cost_grows_with_the_text_and_no_faster(unit: str) -> None:
    """F-237."""

    def cpu_of(size: int) -> float:
        start = time.process_time()
        statements(unit * (size // len(unit)))
        return time.process_time() - start

    cpu_of(1 << 10)
    once = min(cpu_of(1 << 15) for _ in range(3))
    twice = min(cpu_of(1 << 16) for _ in range(3))

    assert twice < once * 2.5 + 0.02
