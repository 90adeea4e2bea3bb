"""The tokenizer: every script is found by its own words, code words stay whole, and cuts fall between characters."""

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.text.words import MAX_TERM, cut, fold, share, terms

FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Retry the call.", ["retry", "the", "call"]),
        ("getUserName", ["getusername", "get", "user", "name"]),
        ("max_inline_bytes", ["max_inline_bytes", "max", "inline", "bytes"]),
        ("HTTPServer2 iOS", ["httpserver2", "http", "server2", "ios", "i", "os"]),
        ("src/main.py", ["src/main.py", "src", "main", "py"]),
        ("C++ and C#, not C", ["c++", "and", "c#", "not", "c"]),
        ("a:b std::vector", ["a:b", "a", "b", "std::vector", "std", "vector"]),
        ("src/apiClient.ts", ["src/apiclient.ts", "src", "apiclient", "api", "client", "ts"]),
        ("issue#12 __init__", ["issue", "12", "init"]),
        ("wait...what", ["wait", "what"]),
        ("don't", ["don't", "don", "t"]),
        ("\u7a0e", ["\u7a0e"]),
        ("\u8d85\u65f6x", ["\u8d85", "\u8d85\u65f6", "\u65f6", "x"]),
        ("caf\u00e9 cafe\u0301", ["cafe", "cafe"]),
        ("\uff21\uff30\uff29", ["api"]),
        ("", []),
        ("\U0001f600 -- ++", []),
    ],
)
def test_terms_come_in_order_and_a_compound_before_its_parts(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize(
    "word",
    [
        "caf\u00e9",
        "Stra\u00dfe",
        "\u0434\u0430\u043d\u043d\u044b\u0435",
        "\u03b4\u03b5\u03b4\u03bf\u03bc\u03ad\u03bd\u03b1",
        "\ub370\uc774\ud130",
        "\u0939\u093f\u0928\u094d\u0926\u0940",
        "\u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22",
        "\u0643\u0650\u062a\u0627\u0628",
        "\u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd",
        "Tie\u0302\u0301ng",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    ],
)
def test_a_word_of_any_script_is_found_by_itself(word: str) -> None:
    """F-124, F-129: accents and marks neither cut a word in two nor fall off."""
    found, total = share(word, f"x {word}, y")

    assert found == total > 0


@pytest.mark.parametrize(
    ("plain", "marked"),
    [
        ("\u05e9\u05dc\u05d5\u05dd", "\u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd"),
        ("\u0643\u062a\u0627\u0628", "\u0643\u0650\u062a\u0627\u0628"),
        ("Tieng Viet", "Ti\u1ebfng Vi\u1ec7t"),
        ("STRASSE", "Stra\u00dfe"),
        ("smorrebrod", "sm\u00f8rrebr\u00f8d"),
        ("\u304c", "\u304b\u3099"),
        ("\u0645\u06cc\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"),
        ("cooperate", "co\u00adoperate"),
    ],
)
def test_two_spellings_of_a_word_are_the_same_terms(plain: str, marked: str) -> None:
    assert terms(plain) == terms(marked)


@pytest.mark.parametrize("mark", ["\u093f", "\u0e35", "\u0947"])
def test_vowel_signs_tell_words_apart(mark: str) -> None:
    """F-129: a mark that makes another word is kept."""
    letter = "\u0e01" if mark == "\u0e35" else "\u0915"

    assert terms(letter + mark) != terms(letter)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        (
            "\u8d85\u65f6\u91cd\u8bd5",
            "\u6211\u4eec\u4f7f\u7528\u91cd\u8bd5\u7b56\u7565\u5904\u7406\u8d85\u65f6\u9519\u8bef",
        ),
        ("\u7a0e", "\u6d88\u8cbb\u7a0e\u306e\u8a08\u7b97"),
        ("\u8a08\u7b97", "\u6d88\u8cbb\u7a0e\u306e\u8a08\u7b97"),
        ("\u0e17\u0e14\u0e2a\u0e2d\u0e1a", "\u0e01\u0e32\u0e23\u0e17\u0e14\u0e2a\u0e2d\u0e1a\u0e23\u0e30\u0e1a\u0e1a"),
    ],
)
def test_a_query_is_found_inside_a_sentence_without_spaces(query: str, text: str) -> None:
    """F-122, F-123."""
    found, _ = share(query, text)

    assert found > 0


@pytest.mark.capability("R-006")
@pytest.mark.parametrize(
    ("plan", "text", "expected"),
    [
        ("fix the retry policy", "Retry with backoff.", (1, 3)),
        ("user name", "call getUserName()", (2, 2)),
        ("getUserName", "the name of the user", (2, 3)),
        ("retrypolicy", "class RetryPolicy", (1, 1)),
        ("RetryPolicy", "the retrypolicy field", (2, 2)),
        ("the of and", "one of them", (1, 3)),
        ("retry retry Retry", "retry", (1, 1)),
        ("address", "addressing the form", (0, 1)),
        ("", "anything", (0, 0)),
        ("retry", "", (0, 1)),
    ],
)
def test_share_counts_distinct_telling_terms(plan: str, text: str, expected: tuple[int, int]) -> None:
    assert share(plan, text) == expected


@given(st.text())
def test_a_term_is_a_term_of_itself(text: str) -> None:
    for term in terms(text):
        assert term in terms(term)


@given(st.text(), st.text())
def test_share_is_a_ratio(plan: str, text: str) -> None:
    found, total = share(plan, text)

    assert 0 <= found <= total
    assert share(plan, plan)[0] == share(plan, plan)[1]


@given(st.text(alphabet=st.characters(), max_size=300))
def test_normal_forms_of_a_text_have_the_same_terms(text: str) -> None:
    assert terms(unicodedata.normalize("NFC", text)) == terms(unicodedata.normalize("NFD", text))


@given(st.text())
def test_folding_keeps_the_lines(text: str) -> None:
    assert fold(text).count("\n") == text.count("\n")


def test_a_very_long_word_becomes_a_bounded_term() -> None:
    assert terms("x" * 5000) == ["x" * MAX_TERM]


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("short", 5, "short"),
        ("a longer text", 10, "a longe..."),
        (f"ab{FAMILY}cdefgh", 8, "ab..."),
        (f"ab{FAMILY}cdefgh", 10, f"ab{FAMILY}..."),
        ("e\u0301" * 5, 6, "e\u0301..."),
        ("\u6f22" * 9, 5, "\u6f22\u6f22..."),
        ("\U0001f1e9\U0001f1ea" * 4, 6, "\U0001f1e9\U0001f1ea..."),
        ("a\U0001f44d\U0001f3fdbcdefgh", 5, "a..."),
        ("a\ud83d\ude00bcdefgh", 5, "a..."),
        ("a\r\nbcdefgh", 5, "a..."),
        ("\u0915\u094d\u0937" * 4, 5, "..."),
        ("abcdef", 3, "..."),
        ("abcdef", 2, ".."),
        ("abcdef", 0, ""),
    ],
)
def test_a_cut_never_falls_inside_a_character(text: str, limit: int, expected: str) -> None:
    """F-128, F-240: joined emoji, accents, flags and pairs stay whole, and the smallest limit still ends."""
    assert cut(text, limit) == expected


@given(
    st.text(alphabet=st.sampled_from("ab\u0301\u200d\U0001f469\U0001f1e9\ufe0f\U0001f3fd\u1100\u1161")),
    st.integers(0, 40),
)
def test_a_cut_text_fits_and_begins_as_the_text_does(text: str, limit: int) -> None:
    short = cut(text, limit)

    assert len(short) <= limit or short == text
    assert short == text or text.startswith(short.removesuffix("..."[:limit]))


@pytest.mark.parametrize(
    "unit", ["\n", "-", ":", "aB", "a.", "C++/", "\u0301\u0323", "\u0e48\u0e38", "\u7a0e", "\u200d\U0001f469"]
)
def test_time_grows_with_the_length(unit: str) -> None:
    """F-237."""
    text = (unit * 65536)[:65536]
    started = time.process_time()

    terms(text)
    cut(text, len(text) - 1)

    assert time.process_time() - started < 1.0
