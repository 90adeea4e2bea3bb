"""Causal wording: which edge a text asks for, and what stands behind the words."""

import pytest

from gitmem.text.causes import causal

ASKS = [
    ("We wait because of retry storms.", "causes", True, "retry storms"),
    ("The outage was caused by the pool, not by us.", "causes", True, "the pool"),
    ("A cold cache leads to slow starts.", "causes", False, "slow starts"),
    ("This depends on the client.", "depends_on", False, "the client"),
    ("Requires name-the-table: see there", "depends_on", False, "name-the-table"),
    ("It supersedes use-the-client.", "supersedes", False, "use-the-client"),
    ("Not only because of retry storms.", "causes", True, "retry storms"),
    ("It was replaced by the new client; for good.", "supersedes", True, "the new client"),
    ("Das h\u00e4ngt ab von dem Kunden.", "depends_on", False, "dem kunden"),
    ("Wegen Lastspitzen warten wir.", "causes", True, "lastspitzen warten wir"),
    ("On attend \u00e0 cause de la charge.", "causes", True, "la charge"),
    ("Reemplaza el cliente.", "supersedes", False, "el cliente"),
    ("\u042d\u0442\u043e \u0437\u0430\u0432\u0438\u0441\u0438\u0442 \u043e\u0442 X.", "depends_on", False, "x"),
    ("\u56e0\u4e3a\u7f13\u5b58\u5931\u6548\u3002", "causes", True, "\u7f13\u5b58\u5931\u6548"),
]


@pytest.mark.capability("M-009")
@pytest.mark.parametrize(("text", "kind", "is_from", "clause"), ASKS, ids=[row[0] for row in ASKS])
def test_each_wording_asks_for_its_edge(text: str, kind: str, is_from: bool, clause: str) -> None:
    assert [(each.kind, each.is_from, each.clause) for each in causal("T", text)] == [(kind, is_from, clause)]


@pytest.mark.parametrize(
    "text",
    [
        "It is not because of retry storms.",
        "It doesn't depend on the client; it no longer requires the pool.",
        "This was never directly caused by the pool.",
        "Das hangt nicht mehr zusammen, und nicht wegen Lastspitzen.",
        "No depende de la red.",
        "\u042d\u0442\u043e \u043d\u0435 \u0437\u0430\u0432\u0438\u0441\u0438\u0442 \u043e\u0442 X.",
        "\u4e0d\u4f9d\u8d56\u7f13\u5b58\u3002",
        "Because it rains.",
        "Requirements are listed.",
        "```\nrequires x\n```",
        "It causes.",
        "Unreplaced by",
    ],
)
def test_other_words_and_code_ask_for_none(text: str) -> None:
    assert causal("T", text) == []


def test_a_long_text_is_read_in_time_and_asks_for_a_few() -> None:
    assert len(causal("T", "requires " * 50_000 + "x")) <= 20
