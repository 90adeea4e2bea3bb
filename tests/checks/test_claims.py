"""Claims that nobody can judge are named with their line; what can be judged passes."""

import pytest

from gitmem.checks.claims import CLAIMS_MOST
from gitmem.index.parse import card_of
from gitmem.store.objects import Entry
from tests.support import engram_text

DIGEST = "t1:" + "a1" * 20


def card(*claims: str):  # type: ignore[no-untyped-def]  # reason: a Card
    text = engram_text(body="B\n", kind="fact").replace(
        "tags:", "claims:\n" + "".join(f"  - {c}\n" for c in claims) + "tags:"
    )
    return card_of(Entry("engrams/api/a.md", "100644", "0" * 40), text.encode())


@pytest.mark.capability("G-007")
@pytest.mark.parametrize(
    "claim",
    [
        "src/a.py",
        f"{{path: src/a.py, hash: {DIGEST}}}",
        f"{{path: src/a.py, lines: 3-5, hash: {DIGEST}}}",
        f"{{path: src/a.py, lines: '3', hash: {DIGEST}}}",
        "{path: src/a.py, symbol: send, hash: 's1:python:9f2c'}",
        "{path: src/a.py, symbol: send}",
        "{path: 'src/a b.py'}",
    ],
)
def test_a_claim_that_can_be_judged_or_will_be_is_no_finding(claim: str) -> None:
    assert card(claim).findings == ()


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        pytest.param("../a.py", "not a path inside", id="outside"),
        pytest.param("/etc/passwd", "absolute", id="absolute"),
        pytest.param(".git/config", "Git's own folder", id="git"),
        pytest.param("./src/a.py", "rests on './src/a.py'", id="dot"),
        pytest.param("src\\a.py", "rests on", id="backslash"),
        pytest.param(f"{{path: a.py, lines: 5-3, hash: {DIGEST}}}", "lines '5-3'", id="backwards"),
        pytest.param(f"{{path: a.py, lines: L3, hash: {DIGEST}}}", "lines 'L3'", id="letters"),
        pytest.param("{path: a.py, hash: 't1:9f2c'}", "none that gitmem makes", id="short hash"),
        pytest.param("{path: a.py, hash: 'sha256:9f2c'}", "none that gitmem makes", id="another hash"),
        pytest.param("{path: a.py, hash: 's1:9f2c'}", "none that gitmem makes", id="symbol without language"),
    ],
)
def test_what_nobody_can_judge_is_a_warning_with_its_line(claim: str, said: str) -> None:
    """An item with a slip in a claim is served all the same."""
    found = card(claim)

    ((code, severity, line, message, hint),) = found.findings
    assert (code, severity, line, found.is_served) == ("bad-claim", "warning", 7, True)
    assert said in message
    assert hint


def test_claims_beyond_the_most_are_named_and_left_out() -> None:
    found = card(*(f"src/f{at}.py" for at in range(CLAIMS_MOST + 3)))

    assert [row[0] for row in found.findings] == ["bad-claim"]
    assert f"{CLAIMS_MOST + 3} claims" in found.findings[0][3]
    assert len(found.claims) == CLAIMS_MOST
