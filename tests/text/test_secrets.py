"""The secret scan: keys of the known kinds and random values of telling names; placeholders and hashes are left alone.

Every secret here is put together when the test runs, from a fixed seed.
"""

import base64
import json
import random
import string
import time
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.text import secret_kinds
from gitmem.text.secrets import MOST_FINDINGS, fingerprint, scan
from tests.public import DATA, needs_data, real_texts

ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + "234567"
Draw = Callable[[str, int], str]

KINDS: dict[str, Callable[[Draw], str]] = {
    "aws-access-key-id": lambda d: "AK" + "IA" + d(UPPER, 16),
    "aws-secret-key": lambda d: d(ALNUM + "+/", 40),
    "github-token": lambda d: "gh" + "p_" + d(ALNUM, 36),
    "github-token ": lambda d: "github" + "_pat_" + d(ALNUM, 22) + "_" + d(ALNUM, 59),
    "gitlab-token": lambda d: "gl" + "pat-" + d(ALNUM + "_-", 20),
    "slack-token": lambda d: "xo" + "xb-" + d(string.digits, 12) + "-" + d(string.digits, 13) + "-" + d(ALNUM, 24),
    "slack-webhook": lambda d: "T" + d(UPPER, 9) + "/B" + d(UPPER, 9) + "/" + d(ALNUM, 24),
    "openai-key": lambda d: "sk" + "-proj-" + d(ALNUM, 74) + "T3Blbk" + "FJ" + d(ALNUM, 74),
    "anthropic-key": lambda d: "sk" + "-ant-" + "api03-" + d(ALNUM + "_-", 93) + "AA",
    "google-key": lambda d: "AI" + "za" + d(ALNUM + "_-", 35),
    "google-oauth": lambda d: "GOC" + "SPX-" + d(ALNUM, 28),
    "stripe-key": lambda d: "sk" + "_live_" + d(ALNUM, 24),
    "stripe-key ": lambda d: "rk" + "_live_" + d(ALNUM, 24),
    "jwt": lambda d: ".".join(["ey" + "J" + d(ALNUM, 34), "ey" + "J" + d(ALNUM, 60), d(ALNUM, 43)]),
    "npm-token": lambda d: "np" + "m_" + d(ALNUM, 36),
    "private-key": lambda d: (
        "-----BEGIN " + "RSA PRIVATE KEY-----\n" + "\n".join(d(ALNUM + "+/", 64) for _ in range(4))
    ),
    "named-secret": lambda d: d(ALNUM, 32),
}
CONTEXT = {
    "aws-secret-key": "aws_secret_access_key = {}",
    "slack-webhook": "https://hooks.slack.com/services/{}",
    "named-secret": "api_key: {}",
}
PLACES = [
    "{}\n",
    "---\ntitle: Deploy\nsummary: >-\n  {}\n---\nBody.\n",
    "Run:\n\n```sh\nexport VALUE='{}'\n```\n",
    '{{"value": "{}"}}\n',
]


def drawer(seed: int) -> Draw:
    chance = random.Random(seed)
    return lambda alphabet, size: "".join(chance.choice(alphabet) for _ in range(size))


@pytest.mark.capability("R-042")
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_key_of_each_kind_is_found_wherever_it_stands(kind: str, place: str) -> None:
    """F-246."""
    secret = KINDS[kind](drawer(7))
    text = "before\n" + place.format(CONTEXT.get(kind.strip(), "{}").format(secret))

    found = scan(text)

    assert [each.kind for each in found] == [kind.strip()]
    assert text[found[0].start : found[0].end].startswith(secret[:40])
    assert found[0].line == text[: found[0].start].count("\n") + 1


@pytest.mark.parametrize("kind", KINDS)
def test_the_mask_and_the_fingerprint_do_not_give_the_secret_away(kind: str) -> None:
    """F-246, F-247."""
    secret = KINDS[kind](drawer(11))
    found = scan(CONTEXT.get(kind.strip(), "{}").format(secret))[0]

    assert found.masked == secret[:4] + "..."
    assert secret[4:10] not in found.masked + found.fingerprint + found.kind


def test_a_short_password_shows_less_of_itself() -> None:
    password = drawer(3)(ALNUM, 12)

    assert scan(f"password={password}")[0].masked == password[:3] + "..."


def test_a_fingerprint_is_the_same_wherever_the_secret_stands() -> None:
    token = KINDS["github-token"](drawer(5))
    here, there = scan(token)[0], scan(f"a\nb: '{token}'")[0]

    assert here.fingerprint == there.fingerprint == fingerprint("github-token", token)
    assert here.line != there.line


@pytest.mark.parametrize(
    "text",
    [
        "AK" + "IAIOSFODNN7EXAMPLE",
        "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "EXAMPLEKEY",
        "api_key: your-api-key-1234",
        "token: <token>",
        "token: <your token here>",
        "password: ${DB_PASSWORD}",
        "password: {{ vault.db_password_1 }}",
        "secret = os.environ['SECRET_1']",
        "API_KEY=process.env.OPENAI_API_KEY2",
        "export GITHUB_TOKEN=gh" + "p_" + "x" * 36,
        "OPENAI_API_KEY=sk" + "-...",
        "token = xo" + "xb-your-slack-token-0001",
        "https://hooks.slack.com/services/T00000000/B00000000/" + "X" * 24,
        "Authorization: Bearer $TOKEN",
        "curl -u user:password https://host.test",
        "postgres://user:password@localhost/app",
        "postgres://app:${PASSWORD_1}@db/app",
        "max_tokens: 8192",
        "password: string;",
        "const token = generateToken2(user)",
        "The secret of a good name is that it says what the thing does.",
        "secretName: my-app-secret-v2",
        "tokenizer: gpt-4o-2024-05-13",
        "password_hash uses sha256:" + HEX * 4,
        "-----BEGIN " + "PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
        "sk" + "-your-key-here-and-so-on",
        "import passport_google_oauth20",
    ],
)
def test_what_stands_for_a_secret_is_none(text: str) -> None:
    assert scan(text) == []


@pytest.mark.parametrize(
    "make",
    [
        lambda d: f"fixed in {d(HEX, 40)}",
        lambda d: f"sha256: {d(HEX, 64)}",
        lambda d: f"id: 01{d(string.ascii_uppercase + string.digits, 24)}",
        lambda d: f'"integrity": "sha512-{d(ALNUM + "+/", 86)}=="',
        lambda d: f"example.org/mod v1.2.3 h1:{d(ALNUM + '+/', 43)}=",
        lambda d: f"ssh-ed25519 AAAA{d(ALNUM + '+/', 64)} ada@example.org",
        lambda d: f"![x](data:image/png;base64,{d(ALNUM + '+/', 120)})",
        lambda d: f"[design](https://figma.test/file/{d(ALNUM, 40)}/x)",
        lambda d: "-----BEGIN CERTIFICATE-----\n" + "\n".join(d(ALNUM + "+/", 64) for _ in range(3)),
        lambda d: f"main.{d(HEX, 20)}.chunk.js",
        lambda d: f"{d(HEX, 8)}-{d(HEX, 4)}-{d(HEX, 4)}-{d(HEX, 4)}-{d(HEX, 12)}",
    ],
)
@pytest.mark.parametrize("seed", range(5))
def test_hashes_ids_and_public_keys_are_no_secrets(make: Callable[[Draw], str], seed: int) -> None:
    assert scan(make(drawer(seed))) == []


@pytest.mark.parametrize(
    "place",
    ["password = '{}'", '"clientSecret": "{}",', "| api_key | {} |", "<token>{}</token>", "Authorization: Bearer {}"],
)
def test_nine_in_ten_random_values_of_a_telling_name_are_found(place: str) -> None:
    draw = drawer(1)
    values = [draw(alphabet, size) for alphabet, size in ((ALNUM, 16), (ALNUM, 32), (HEX, 32)) for _ in range(50)]

    missed = [value for value in values if not scan(place.format(value))]

    assert len(missed) <= len(values) // 10


def test_a_password_in_a_url_is_found_and_its_host_is_not() -> None:
    password = drawer(9)(ALNUM, 18)
    text = f"postgres://svc:{password}@db.internal.test:5432/app"

    assert [(each.kind, text[each.start : each.end]) for each in scan(text)] == [("password-in-url", password)]


def test_findings_do_not_overlap_and_are_bounded() -> None:
    draw = drawer(2)
    text = "\n".join(f"token: {draw(ALNUM, 32)}" for _ in range(MOST_FINDINGS + 50))

    found = scan(text)

    assert len(found) == MOST_FINDINGS
    assert all(a.end <= b.start for a, b in pairwise(found))


@given(st.text())
def test_any_text_is_scanned(text: str) -> None:
    for found in scan(text):
        assert 0 <= found.start < found.end <= len(text)


def test_an_odd_capital_before_a_secret_does_not_move_it() -> None:
    token = drawer(4)(ALNUM, 32)
    text = f"\u0130\u0130 token: {token}"

    assert [text[each.start : each.end] for each in scan(text)] == [token]


# Each was slow once: names that say secret, values that are nearly one, tokens far from a line's begin, and the begin
# of every kind in a text where none goes on.
_SLOW: dict[str, Callable[[Draw], str]] = {
    "one sign": lambda d: "-",
    "lines": lambda d: "\n",
    "names": lambda d: "password",
    "short names": lambda d: "auth_",
    "names that are set": lambda d: "pwd=",
    "a name before blanks": lambda d: "secret:    ",
    "known begins": lambda d: "eyJ",
    "aws": lambda d: "aws",
    "heads of keys": lambda d: "-----BEGIN PRIVATE KEY-----",
    "words that look random": lambda d: "\n".join("pwd=" + d("zqxjkvw", 20) for _ in range(5000)),
    "tokens of one line": lambda d: ' ="' + "aB3" * 20 + '"',
    "tokens that nothing is set to": lambda d: " ".join(d(ALNUM, 40) for _ in range(7000)),
    "digests": lambda d: "\n".join(f'sha256="{d(ALNUM, 33)}"' for _ in range(6000)),
    "every kind begun": lambda d: (
        " ".join(each for _, begins, _ in secret_kinds.KINDS for each in begins) + "- " * 131_072
    ),
}


@pytest.mark.capability("R-036")
@pytest.mark.parametrize("case", _SLOW)
def test_a_quarter_of_a_mebibyte_is_scanned_at_once(case: str) -> None:
    """F-237: 50 ms is the aim; up to 70 ms were measured for what was made to be slow, and a busy machine gets 200."""
    unit = _SLOW[case](drawer(6))
    text = (unit * (262_144 // len(unit) + 1))[:262_144]
    scan(text)
    started = time.process_time()

    scan(text)

    assert time.process_time() - started < 0.2


def public_rows(expected: str) -> list[tuple[str, str]]:
    rows = [json.loads(line) for line in (DATA / "secrets-public.jsonl").read_text(encoding="utf-8").splitlines()]
    texts = [(row, base64.b64decode(row["text_b64"]).decode("utf-8", "replace")) for row in rows]
    return [(row.get("rule_file", row["id"]), text) for row, text in texts if row["expected"] == expected]


@needs_data
def test_nine_in_ten_public_secrets_are_found() -> None:
    """F-246. All sources count, those of kinds that are not claimed too."""
    rows = public_rows("flag")

    missed = [name for name, text in rows if not scan(text)]

    assert len(missed) <= len(rows) // 10, missed


@needs_data
def test_few_public_placeholders_are_taken_for_secrets() -> None:
    """The rows of one foreign rule: some are secrets by another."""
    rows = public_rows("no-flag")

    marked = [name for name, text in rows if scan(text)]

    assert len(marked) <= len(rows) // 20, marked


@needs_data
def test_real_rules_and_notes_hold_no_secrets_and_take_little_time() -> None:
    texts = list(real_texts())
    started = time.process_time()

    marked = [name for name, text in texts if scan(text)]

    size_bytes = sum(len(text) for _, text in texts)
    assert len(marked) <= len(texts) // 200, marked
    assert time.process_time() - started < 4 * 0.05 * size_bytes / 262_144 + 0.5
