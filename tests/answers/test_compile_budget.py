"""How much of an answer is given: bytes of text, tokens of the whole, entries of its lists."""

import json
import random
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gitmem.answers.compile import CompileCall, compile_context
from gitmem.answers.session import Session
from gitmem.mcp import results
from gitmem.model.plain import canonical, plain
from gitmem.render import compiled as rendering
from gitmem.text.tokens import estimate
from tests.asking import by_slug, compiled, knowledge, rule, slugs
from tests.conftest import MakeRepo
from tests.support import commit_all, git, run_inproc, write_tree

NOW = datetime(2026, 1, 1, tzinfo=UTC)
WORDS = (
    *("client", "handler", "Datenbank", "\u00fcberpr\u00fcfen", "\u691c\u67fb", "fetch", "retry"),
    *("src/api/users.py", "`get_user()`", "0x7f3a9c", "never"),
)
# An answer that only counts what applies takes about this much: ids, hashes and the receipt.
SMALLEST = 1500


def text_of(seed: int, lines: int) -> str:
    chosen = random.Random(seed)
    return "\n".join(" ".join(chosen.choices(WORDS, k=12)) for _ in range(lines)) + "\n"


def many(count: int) -> dict[str, str]:
    """Rules of all sizes in a few domains; every ninth is a template, every fourth has a tag."""
    found: dict[str, str] = {}
    for number in range(1, count + 1):
        over = {"kind": "template"} if number % 9 == 0 else {}
        tags = ["auth"] if number % 4 == 0 else ["other"]
        scope = {"paths": ["lib/**"]} if number % 8 == 0 else {"paths": ["src/**"]}
        body = text_of(number, 1 + number * 7 % 43)
        found |= rule(f"rule-{number}", number, domain=f"d{number % 5}", tags=tags, scope=scope, body=body, **over)
    return found


def forms(result) -> dict[str, int]:
    """Tokens of an answer in each of the forms in which somebody reads it."""
    text = rendering.text(result)
    answer = results.success(text, plain(result), "/somewhere")
    return {
        "json": estimate(json.dumps(plain(result), ensure_ascii=False, indent=2)),
        "text": estimate(text),
        "tool": estimate(answer.text) + estimate(canonical(answer.structure).decode()),
    }


@pytest.fixture
def crowded(make_repo: MakeRepo, tmp_path: Path) -> Path:
    """A clone with ninety rules, a branch that changes some, and edits that wait: everything that an answer can say."""
    files = knowledge(many(90)) | {".gitmem/tags.yaml": "auth: who may do what\n"}
    origin = make_repo(files, name="origin")
    git(tmp_path, "clone", "--quiet", str(origin), "clone")
    clone = tmp_path / "clone"
    git(clone, "switch", "--quiet", "--create", "feature")
    write_tree(clone, {rel: text + "Changed.\n" for rel, text in list(many(30).items())})
    commit_all(clone, "change")
    write_tree(clone, {f".gitmem/engrams/waits/w{n}.md": "not committed\n" for n in range(8)})
    return clone


@pytest.mark.capability("R-008")
@pytest.mark.parametrize("examples", [12, pytest.param(400, marks=pytest.mark.long)])
def test_the_token_budget_holds_for_the_whole_answer_in_every_form(crowded: Path, examples: int) -> None:
    session = Session(crowded, NOW)

    @settings(max_examples=examples)
    @given(
        st.integers(SMALLEST, 40_000),
        st.sampled_from(["auto", "always", "metadata"]),
        st.sampled_from(["", "client handler retry users"]),
        st.sampled_from([(), ("auth",)]),
        st.sampled_from(["", "scaffold"]),
        st.sampled_from([None, 3, 70]),
    )
    @example(SMALLEST, "auto", "", ("auth",), "", None)
    @example(40_000, "always", "client", ("auth",), "scaffold", 70)
    def holds(tokens, mode, plan, tags, command, entries) -> None:
        call = CompileCall(
            ("src/a.py", "src/b.py"), plan, command, tag=tags, max_tokens=tokens, mode=mode, max_entries=entries
        )

        result = compile_context(session, call)

        assert max(forms(result).values()) <= tokens

    holds()


def test_a_token_budget_is_used_and_not_only_kept(crowded: Path) -> None:
    result = compile_context(Session(crowded, NOW), CompileCall(("src/a.py",), max_tokens=20_000))

    assert max(forms(result).values()) > 14_000
    assert any(row.content for row in result.base.documents)


@pytest.mark.parametrize("tokens", [1, 100, 600])
def test_a_budget_below_the_smallest_answer_gives_the_smallest_answer(crowded: Path, tokens: int) -> None:
    """F-240: progress or stop."""
    answer = compiled(crowded, "--max-tokens", str(tokens))

    assert (answer["base"]["documents"], answer["expanded"], answer["marks"]) == ([], [], {})
    assert answer["partial"] is True
    assert sum(row["count"] for row in answer["base"]["more"]) == 79
    assert estimate(json.dumps(answer, indent=2)) < SMALLEST


@pytest.mark.capability("R-005")
@pytest.mark.parametrize(
    "budget",
    [(), ("--max-tokens", "3000"), ("--max-tokens", "9000"), ("--max-entries", "20"), ("--max-inline-bytes", "999999")],
    ids=str,
)
def test_tags_add_beside_the_base_and_never_change_it(crowded: Path, budget: tuple[str, ...]) -> None:
    without, with_tag = compiled(crowded, "--no-tags", *budget), compiled(crowded, "--tag", "auth", *budget)

    assert with_tag["base"] == without["base"]
    assert without["expanded"] == []


@pytest.mark.capability("R-008")
def test_beyond_fifty_entries_a_rule_is_one_line_and_beyond_two_hundred_a_count(make_repo: MakeRepo) -> None:
    rules = (rule(f"r{n:03}", n, "src/**", domain=f"d{n % 2}", body="w" * 300 + "\n") for n in range(1, 231))
    repo = make_repo(knowledge(*rules))

    answer = compiled(repo, "--max-inline-bytes", "301")

    rows = answer["base"]["documents"]
    full = [row for row in rows if row["source_path"]]
    assert (len(rows), len(full), answer["partial"]) == (200, 50, True)
    assert [row["slug"] for row in rows] == [f"r{n:03}" for n in range(1, 201)]
    assert set(rows[60]) == {"id", "slug", "title", "kind", "delivery", "content_bytes", "content_hash", "source_path"}
    assert answer["base"]["more"] == [{"domain": "d0", "count": 15}, {"domain": "d1", "count": 15}]
    assert len({edge["item"] for edge in answer["base"]["resolution_path"]}) == 50


@pytest.mark.parametrize(("asked", "full", "listed"), [("1", 1, 200), ("60", 60, 200), ("210", 210, 210)])
def test_the_number_of_full_entries_can_be_asked_for(make_repo: MakeRepo, asked: str, full: int, listed: int) -> None:
    repo = make_repo(knowledge(*(rule(f"r{n:03}", n, "src/**") for n in range(1, 221))))

    rows = compiled(repo, "--mode", "metadata", "--max-entries", asked)["base"]["documents"]

    assert (len([row for row in rows if row["source_path"]]), len(rows)) == (full, listed)


def test_what_is_inlined_is_listed_in_full_wherever_it_stands(make_repo: MakeRepo) -> None:
    rules = (rule(f"r{n:03}", n, "src/**", priority=-n, body=f"{n}\n") for n in range(1, 11))
    repo = make_repo(knowledge(*rules))

    rows = by_slug(compiled(repo, "--max-entries", "2", "--max-inline-bytes", "7"))

    assert [slug for slug, row in rows.items() if row["delivery"] == "inline"] == ["r010", "r009", "r008"]
    assert all(rows[slug]["source_path"] for slug in ("r010", "r009", "r008"))
    assert not rows["r005"]["source_path"]


def test_caps_count_over_documents_templates_and_what_tags_add(make_repo: MakeRepo) -> None:
    documents = [rule(f"doc{n}", n, "src/**") for n in range(1, 4)]
    templates = [rule(f"tpl{n}", n, "src/**", kind="template") for n in range(4, 7)]
    tagged = [rule(f"tag{n}", n, tags=["auth"]) for n in range(7, 10)]
    files = knowledge(*documents, *templates, *tagged) | {".gitmem/tags.yaml": "auth: x\n"}
    repo = make_repo(files)

    answer = compiled(repo, "--tag", "auth", "--max-entries", "4", "--mode", "metadata")

    shown = {slug: bool(row["source_path"]) for slug, row in by_slug(answer).items()}
    assert [slug for slug, is_full in shown.items() if is_full] == ["doc1", "doc2", "doc3", "tpl4"]
    assert len(shown) == 9


def test_limits_come_from_the_config_and_the_request_goes_before(make_repo: MakeRepo) -> None:
    settings_file = "format: 1\nmax_inline_bytes: 400\nauto_inline_bytes: 150\nmax_entries: 2\nmax_listed: 3\n"
    rules = [rule(f"r{n}", n, "src/**", body="w" * 99 + "\n") for n in range(1, 8)]
    files = knowledge(*rules, rule("s", 9, "src/**", body="w" * 160 + "\n", priority=-1))
    repo = make_repo(files | {".gitmem/config.yaml": settings_file})

    usual, asked = compiled(repo), compiled(repo, "--max-inline-bytes", "200")

    assert [r["slug"] for r in usual["base"]["documents"] if r["delivery"] == "inline"] == ["r1", "r2", "r3", "r4"]
    assert by_slug(usual)["s"]["omit_reason"] == "size"
    assert slugs(asked) == ["s", "r1", "r2"]
    assert asked["base"]["more"] == [{"domain": "api", "count": 5}]


def test_the_heading_counts_the_rules_that_are_only_counted(make_repo: MakeRepo) -> None:
    repo = make_repo(knowledge(*(rule(f"r{n}", n, "src/**") for n in range(1, 31))))

    told = run_inproc(repo, "compile", "src/a.py", "--max-tokens", "300").out

    assert told.startswith("# 30 rule(s) apply")
