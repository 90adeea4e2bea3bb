"""A compile as a surface gives it: its shape, its channels, its ids, and what is refused."""

import base64
import hashlib
import json
import shlex
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitmem import __version__
from gitmem.answers.compile import CompileCall, compile_context
from gitmem.answers.session import Session
from tests.asking import ask, by_slug, codes, compiled, knowledge, refused, rule, slugs
from tests.conftest import MakeRepo
from tests.support import commit_all, engram_id, git, run_inproc, write_tree

FILES = knowledge(
    rule("small", 1, "src/**", body="Small.\n", summary="It is small."),
    rule("large", 2, "src/**", body="x" * 4200 + "\n", summary="It is large."),
    rule("layout", 3, "src/**", kind="template", body="class X: ...\n"),
    rule("helper", 4, body="Comes along.\n"),
    rule("asks", 5, "src/ui/**", requires=[engram_id(4)]),
    rule("note", 6),
)


def canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def sha256(value: object) -> str:
    return hashlib.sha256(value if isinstance(value, bytes) else canonical(value)).hexdigest()


@pytest.fixture
def repo(make_repo: MakeRepo) -> Path:
    return make_repo(FILES)


@pytest.mark.capability("R-001")
def test_a_file_that_does_not_exist_yet_gets_its_rules(make_repo: MakeRepo) -> None:
    """F-046: planned files count."""
    repo = make_repo(knowledge(rule("ui", 1, "src/ui/**")))

    assert slugs(compiled(repo, file="src/ui/New.tsx")) == ["ui"]


@pytest.mark.capability("R-014")
@pytest.mark.capability("R-012")
def test_the_answer_has_the_documented_parts(repo: Path) -> None:
    answer = compiled(repo)

    assert set(answer) == {
        "compile_id",
        "snapshot_id",
        "knowledge_version",
        "knowledge_count",
        "engine",
        "partial",
        "base",
        "expanded",
        "tag_catalog_hash",
        "warnings",
        "marks",
        "notices",
        "environment",
        "receipt",
    }
    assert answer["engine"] == {"version": __version__, "algorithm": 1}
    assert answer["knowledge_version"] == f"v0\u00b7{answer['snapshot_id'][:6]}"
    assert set(answer["base"]) == {"documents", "templates", "resolution_path", "more"}
    assert answer["base"]["resolution_path"] == [
        {"item": engram_id(number), "edge": "path", "pattern": "src/**", "file": "src/a.py"} for number in (1, 2, 3)
    ]


@pytest.mark.capability("R-013")
@pytest.mark.capability("R-007")
def test_a_document_has_the_fields_of_its_delivery(repo: Path) -> None:
    found = by_slug(compiled(repo))
    always = {"id", "slug", "title", "kind", "delivery", "content_bytes", "content_hash", "source_path"}

    assert set(found["small"]) == always | {"content"}
    assert found["small"] == found["small"] | {
        "id": engram_id(1),
        "title": "Small",
        "kind": "constraint",
        "delivery": "inline",
        "content": "Small.\n",
        "content_bytes": 7,
        "content_hash": f"sha256:{sha256(b'Small.' + bytes([10]))}",
        "source_path": ".gitmem/engrams/api/small.md",
    }
    assert set(found["large"]) == always | {"summary", "read", "omit_reason"}
    assert (found["large"]["delivery"], found["large"]["omit_reason"]) == ("deferred", "size")
    assert set(found["layout"]) == always | {"summary", "read", "omit_reason"}
    assert (found["layout"]["delivery"], found["layout"]["omit_reason"]) == ("omitted", "template")


@pytest.mark.capability("R-006")
def test_relevance_is_a_ratio_of_whole_numbers_and_only_there_with_a_plan(repo: Path) -> None:
    with_plan = by_slug(compiled(repo, "--plan", "small changes in layout"))

    assert with_plan["small"]["relevance"] == {"n": 1, "d": 3}
    assert all("relevance" not in row for row in by_slug(compiled(repo)).values())


@pytest.mark.capability("R-006")
@pytest.mark.parametrize(("least", "kept"), [("0", ["asks", "large", "small"]), ("0.33", ["asks"]), ("0.34", [])])
def test_what_is_less_relevant_than_asked_is_left_out_and_counted(repo: Path, least: str, kept: list[str]) -> None:
    answer = ask(repo, "compile", "src/ui/a.py", "--plan", "asks engram helper", "--min-relevance", least)

    left_out = [w["message"] for w in answer["warnings"] if w["code"] == "below-min-relevance"]
    assert [slug for slug in slugs(answer) if slug in ("asks", "small", "large")] == kept
    assert bool(left_out) is (least != "0")


@pytest.mark.capability("R-012")
@pytest.mark.capability("R-020")
def test_the_same_call_has_the_same_id_and_the_same_bytes(repo: Path) -> None:
    first, second = (run_inproc(repo, "compile", "src/a.py", "--json").out for _ in range(2))

    assert first == second


@pytest.mark.parametrize(
    "words",
    [
        ("src/b.py", "src/a.py", "src/a.py", "./src/b.py"),
        ("src/a.py", "src/b.py", "--agent-id", "somebody"),
        ("src/a.py", "src/b.py", "--notices", "fresh"),
        ("src/a.py", "src/b.py", "--at", "HEAD"),
        ("src/a.py", "src/b.py", "--now", "2031-01-01"),
    ],
    ids=["order", "who", "notices", "revision", "time"],
)
@pytest.mark.capability("R-011")
def test_what_does_not_change_the_question_does_not_change_the_answer(repo: Path, words: tuple[str, ...]) -> None:
    usual = ask(repo, "compile", "src/a.py", "src/b.py")

    assert ask(repo, "compile", *words) == usual


def test_explaining_adds_and_changes_nothing(repo: Path) -> None:
    usual, explained = compiled(repo), compiled(repo, "--explain")

    assert explained.pop("explain")
    assert explained == usual


@pytest.mark.parametrize(
    "words",
    [
        ("--plan", "write"),
        ("--command", "scaffold"),
        ("--layer", "ui"),
        ("--no-tags",),
        ("--max-inline-bytes", "8193"),
        ("--max-tokens", "9000"),
        ("--mode", "always"),
        ("--max-entries", "51"),
        ("--as-of", "2026-01-01"),
    ],
    ids=lambda words: words[0],
)
def test_every_part_of_the_question_is_in_its_id(repo: Path, words: tuple[str, ...]) -> None:
    assert compiled(repo, *words)["compile_id"] != compiled(repo)["compile_id"]


@pytest.mark.capability("R-012")
@pytest.mark.capability("G-012")
def test_ids_and_receipt_can_be_computed_again_by_whoever_reads_the_page(repo: Path) -> None:
    answer = ask(
        repo, "compile", "src/b.py", "src/a.py", "--plan", "small things", "--min-relevance", "0.25", "--no-tags"
    )

    lines = [
        f"{'config' if rel.endswith('config.yaml') else 'engram'}\0"
        f"{text.split('id: ')[1][1:27] if rel.endswith('.md') else ''}\0"
        f"{rel.removeprefix('.gitmem/')}\0{sha256(text.encode())}\n".encode()
        for rel, text in FILES.items()
    ]
    snapshot_id = hashlib.sha256(b"".join(sorted(lines))).hexdigest()
    request = [["src/a.py", "src/b.py"], "small things", "", [], 250, 0, 0, "auto", 0, "", []]
    assert answer["snapshot_id"] == snapshot_id
    assert answer["compile_id"] == sha256([request, snapshot_id, 1])
    encoded = answer["receipt"].removeprefix("gitmem1:")
    receipt = base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4))
    assert receipt == canonical(json.loads(receipt))
    assert json.loads(receipt) == {
        "compile_id": answer["compile_id"],
        "commit": git(repo, "rev-parse", "HEAD").strip(),
        "snapshot_id": snapshot_id,
        "request_hash": sha256(request),
        "result_hash": sha256([answer["base"], answer["expanded"], answer["warnings"]]),
        "marks_hash": sha256(answer["marks"]),
        "engine": answer["engine"],
        "request": {
            "target_files": ["src/a.py", "src/b.py"],
            "plan": "small things",
            "min_relevance": 250,
            "tags": [],
        },
    }


@pytest.mark.parametrize(
    ("change", "moves"),
    [
        ({"src/a.py": "code"}, False),
        ({".gitmem/skills/x/SKILL.md": "---\nname: x\ndescription: y\n---\nz\n"}, False),
        ({".gitmem/engrams/api/small.md": FILES[".gitmem/engrams/api/small.md"].replace("\n", "\r\n")}, False),
        ({".gitmem/engrams/api/small.md": "\ufeff" + FILES[".gitmem/engrams/api/small.md"]}, False),
        ({".gitmem/engrams/api/small.md": FILES[".gitmem/engrams/api/small.md"] + "\n\n"}, False),
        ({".gitmem/engrams/api/small.md": FILES[".gitmem/engrams/api/small.md"] + "More.\n"}, True),
        ({".gitmem/config.yaml": "format: 1\nmax_inline_bytes: 100\n"}, True),
        ({".gitmem/layers.yaml": "src/**: core\n"}, True),
        ({".gitmem/tags.yaml": "auth: who\n"}, True),
    ],
    ids=["code", "skill", "crlf", "bom", "blank-ends", "body", "config", "layers", "tags"],
)
@pytest.mark.capability("G-012")
def test_the_snapshot_moves_with_what_can_change_a_compile_and_with_nothing_else(
    repo: Path, change: dict[str, str], moves: bool
) -> None:
    before = compiled(repo)
    write_tree(repo, change)
    commit_all(repo, "change")

    after = compiled(repo)

    assert (after["snapshot_id"] != before["snapshot_id"]) is moves
    assert moves or after["base"] == before["base"]
    assert after["receipt"] != before["receipt"]


def test_the_executable_bit_is_no_part_of_the_snapshot(repo: Path) -> None:
    before = compiled(repo)["snapshot_id"]
    git(repo, "update-index", "--chmod=+x", ".gitmem/engrams/api/small.md")
    git(repo, "commit", "--quiet", "--message", "bit")

    assert compiled(repo)["snapshot_id"] == before


@pytest.mark.parametrize("slug", ["large", "layout"])
def test_what_is_not_inlined_is_read_with_the_printed_command_even_after_later_commits(repo: Path, slug: str) -> None:
    wanted = by_slug(compiled(repo))[slug]
    rel = wanted["source_path"]
    body = (repo / rel).read_text().split("---\n", 2)[2]
    write_tree(repo, {rel: (repo / rel).read_text() + "Later.\n"})
    commit_all(repo, "later")
    (repo / rel).unlink()
    commit_all(repo, "gone")

    program, *words = shlex.split(wanted["read"])
    got = ask(repo, *words)

    assert program == "gitmem"
    (item,) = got["items"]
    assert (item["content"], item["content_hash"]) == (body, wanted["content_hash"])
    assert got["snapshot_id"].startswith(wanted["read"].rpartition(":")[2])


def test_what_a_branch_deferred_can_be_read_from_another_branch(repo: Path) -> None:
    git(repo, "switch", "--quiet", "--create", "side")
    write_tree(repo, rule("side", 9, "src/**", body="y" * 5000 + "\n"))
    commit_all(repo, "side")
    read = by_slug(compiled(repo))["side"]["read"]
    git(repo, "switch", "--quiet", "main")

    assert ask(repo, *shlex.split(read)[1:])["items"][0]["content"] == "y" * 5000 + "\n"


@pytest.mark.capability("R-015")
def test_what_varies_in_time_and_by_machine_leaves_the_hashed_parts_alone(repo: Path, tmp_path: Path) -> None:
    usual = compiled(repo)
    write_tree(repo, {".gitmem/engrams/api/small.md": "edited\n", ".gitmem/engrams/api/new.md": "new\n"})
    edited = compiled(repo)
    git(tmp_path, "clone", "--quiet", str(repo), "other")
    cloned = compiled(tmp_path / "other")

    fixed = {name: usual[name] for name in usual if name not in ("notices", "environment")}
    assert {name: edited[name] for name in fixed} == fixed
    assert {name: cloned[name] for name in fixed} == fixed
    assert (codes(usual["notices"]), codes(edited["notices"])) == ([], ["uncommitted"])
    assert cloned["environment"]["root"] != usual["environment"]["root"]


@pytest.mark.capability("R-015")
def test_machine_facts_go_to_the_environment(repo: Path) -> None:
    usual = compiled(repo)
    git_folder = repo / ".git/gitmem"
    shutil.rmtree(git_folder)
    git_folder.write_text("in the way")

    answer = compiled(repo)

    assert answer["environment"]["cache"].startswith("no cache: ")
    assert answer["base"] == usual["base"]


@pytest.mark.capability("R-010")
def test_an_overfull_budget_defers_names_and_never_fails(make_repo: MakeRepo) -> None:
    repo = make_repo(knowledge(*(rule(f"r{n}", n, "src/**", body="w" * 4000 + "\n") for n in range(1, 6))))

    answer = compiled(repo)

    assert answer["partial"] is True
    assert [row["delivery"] for row in answer["base"]["documents"]] == ["inline"] * 2 + ["deferred"] * 3
    assert [w["message"] for w in answer["warnings"]] == ["deferred, since the budget was used up: r3, r4, r5"]


@pytest.mark.capability("R-016")
def test_right_after_init_one_warning_says_how_to_begin(make_repo: MakeRepo) -> None:
    """F-230: an empty store does not look like a working one."""
    repo = make_repo({"a.py": "x\n"})
    assert ask(repo, "compile", "a.py")["warnings"][0]["hint"] == "start with: gitmem init, then gitmem import"

    run_inproc(repo, "init")
    assert codes(ask(repo, "compile", "a.py")["warnings"]) == ["not-initialised"]

    commit_all(repo, "init")
    (warning,) = ask(repo, "compile", "a.py")["warnings"]
    assert (warning["code"], "gitmem new" in warning["hint"]) == ("empty", True)


def test_before_the_first_commit_a_warning_says_so(make_repo: MakeRepo) -> None:
    repo = make_repo({"a.py": "x\n"}, commit=False)

    answer = ask(repo, "compile", "a.py")

    assert codes(answer["warnings"]) == ["no-commits"]
    assert (answer["base"]["documents"], answer["knowledge_version"]) == ([], f"v0\u00b7{answer['snapshot_id'][:6]}")


@pytest.mark.capability("M-060")
def test_that_a_rule_was_refuted_is_said_beside_it(make_repo: MakeRepo) -> None:
    repo = make_repo(knowledge(rule("wrong", 1, "src/**", verification={"status": "refuted", "evidence": []})))

    answer = compiled(repo)

    assert (slugs(answer), codes(answer["notices"]), codes(answer["warnings"])) == (["wrong"], ["refuted"], [])


@pytest.mark.capability("G-003")
@pytest.mark.parametrize(
    ("now", "code"),
    [
        ("2025-12-31", "not-yet-valid"),
        ("2026-01-01", None),
        ("2026-04-30T23:59:59Z", None),
        ("2026-05-02", "expiring"),
        ("2026-05-31T23:59:59Z", "expiring"),
        ("2026-06-01", "expired"),
    ],
)
def test_without_a_date_validity_is_only_a_notice(make_repo: MakeRepo, now: str, code: str | None) -> None:
    repo = make_repo(knowledge(rule("dated", 1, "src/**", valid={"from": "2026-01-01", "until": "2026-05-31"})))

    answer = compiled(repo, "--now", now)

    assert slugs(answer) == ["dated"]
    assert codes(answer["notices"]) == ([code] if code else [])


@pytest.mark.capability("G-003")
@pytest.mark.parametrize(
    ("as_of", "delivered"),
    [
        ("2025-12-31", False),
        ("2026-01-01", True),
        ("2026-03-01", True),
        ("2026-05-31", True),
        ("2026-05-31T23:59:59Z", True),
        ("2026-06-01", False),
    ],
)
def test_with_a_date_validity_decides_and_no_clock_does(make_repo: MakeRepo, as_of: str, delivered: bool) -> None:
    repo = make_repo(knowledge(rule("dated", 1, "src/**", valid={"from": "2026-01-01", "until": "2026-05-31"})))

    early, late = (compiled(repo, "--as-of", as_of, "--now", now) for now in ("2020-01-01", "2040-01-01"))

    assert slugs(early) == (["dated"] if delivered else [])
    assert early == late


@pytest.mark.capability("R-011")
@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "no target file was named"),
        (("src/a.py", "--mode", "all"), "unknown mode 'all'"),
        (("src/a.py", "--max-inline-bytes", "0"), "max_inline_bytes must be above 0"),
        (("src/a.py", "--max-tokens", "-1"), "max_tokens must be above 0"),
        (("src/a.py", "--max-entries", "0"), "max_entries must be above 0"),
        (("src/a.py", "--min-relevance", "0.5"), "min_relevance needs a plan"),
        (("src/a.py", "--plan", "x", "--min-relevance", "1.5"), "min_relevance goes from 0 to 1"),
        (("src/a.py", "--plan", "x", "--min-relevance", "nan"), "not a number"),
        (("src/a.py", "--as-of", "soon"), "not a date: 'soon'"),
        (("src/a.py", "--notices", "stale"), "unknown value for notices: 'stale'"),
        (("src/a.py", "--tag", "nothing"), "not in the tag catalogue: nothing"),
        (("../a.py",), "a.py"),
        (("/etc/passwd",), "/etc/passwd"),
        (("src//a.py",), "src//a.py"),
    ],
)
def test_a_question_that_cannot_be_meant_is_a_usage_error(repo: Path, words: tuple[str, ...], says: str) -> None:
    assert says in refused(repo, "compile", *words, code=2)["message"]


def test_a_revision_that_is_not_here_is_something_to_mend(repo: Path) -> None:
    assert refused(repo, "compile", "src/a.py", "--at", "nowhere")["code"] == "unknown-revision"


def test_files_are_named_from_the_folder_of_the_call(repo: Path) -> None:
    (repo / "src/ui").mkdir(parents=True)

    answer = ask(repo / "src", "compile", "ui/a.py")

    assert [edge["file"] for edge in answer["base"]["resolution_path"] if edge["file"]] == ["src/ui/a.py"] * 4


@pytest.mark.capability("R-079")
@pytest.mark.parametrize("status", ["draft", "deprecated", "superseded", "forgotten"])
def test_an_item_of_any_status_is_read_by_its_id_and_never_compiled(repo: Path, status: str) -> None:
    write_tree(repo, rule("retired", 20, "src/**", status=status))
    commit_all(repo, "retire")

    (item,) = ask(repo, "get", engram_id(20).lower())["items"]

    assert item["status"] == status
    assert "retired" not in by_slug(compiled(repo))


def test_a_budget_that_another_process_commits_holds_for_the_next_call(repo: Path) -> None:
    """F-155: settings are read at the revision of each call."""
    assert by_slug(compiled(repo))["small"]["delivery"] == "inline"

    write_tree(repo, {".gitmem/config.yaml": "format: 1\nmax_inline_bytes: 3\n"})
    commit_all(repo, "budget")

    assert by_slug(compiled(repo))["small"]["delivery"] == "deferred"


def test_a_server_that_runs_on_sees_what_another_process_commits(repo: Path) -> None:
    """F-155, F-110: a session that stays open reads the tree of each call."""
    session = Session(repo, datetime(2026, 1, 1, tzinfo=UTC))
    before = compile_context(session, CompileCall(("src/a.py",)))
    write_tree(repo, rule("new", 30, "src/**") | {".gitmem/config.yaml": "format: 1\nmax_inline_bytes: 3\n"})
    commit_all(repo, "another process")

    after = compile_context(session, CompileCall(("src/a.py",)))

    assert [row.slug for row in before.base.documents] == ["large", "small"]
    assert [(row.slug, row.delivery.value) for row in after.base.documents] == [
        ("large", "deferred"),
        ("new", "deferred"),
        ("small", "deferred"),
    ]


def test_where_case_does_not_count_targets_get_the_spelling_of_the_index(make_repo: MakeRepo) -> None:
    repo = make_repo(knowledge(rule("exact", 1, "src/Ui/Form.tsx")) | {"src/Ui/Form.tsx": "x\n"})
    assert slugs(compiled(repo, file="SRC/ui/form.TSX")) == []

    git(repo, "config", "core.ignorecase", "true")

    assert slugs(compiled(repo, file="SRC/ui/form.TSX")) == ["exact"]


def test_files_can_be_piped_in(repo: Path) -> None:
    """F-239: no limit of a command line is met."""
    names = [f"src/deep{number % 9}/file{number}.py" for number in range(2000)]
    usual = ask(repo, "compile", *names[:3])

    assert ask(repo, "compile", "-", stdin="\n".join(names[:3])) == usual
    assert ask(repo, "compile", "-", stdin="\0".join(names[:3]) + "\0") == usual
    many = ask(repo, "compile", "-", stdin="\n".join(names))
    assert slugs(many) == slugs(usual)
    assert [edge["more"] for edge in many["base"]["resolution_path"] if "more" in edge] == [1990] * 3


@pytest.mark.long
def test_fifty_thousand_files_are_one_question(repo: Path) -> None:
    """F-239."""
    names = "\n".join(f"src/deep{number % 300}/file{number}.py" for number in range(50_000))

    answer = ask(repo, "compile", "-", stdin=names)

    assert slugs(answer) == ["large", "small"]
    assert len(json.dumps(answer)) < 20_000


@pytest.mark.capability("R-016")
def test_the_first_knowledge_on_a_branch_is_told_where_it_will_count(make_repo: MakeRepo, tmp_path: Path) -> None:
    git(make_repo({"a.py": "x\n"}), "clone", "--quiet", "--bare", ".", str(tmp_path / "remote.git"))
    git(tmp_path, "clone", "--quiet", str(tmp_path / "remote.git"), "clone")
    clone = tmp_path / "clone"
    run_inproc(clone, "init")
    commit_all(clone, "init")

    warning = ask(clone, "compile", "a.py")["warnings"][0]

    assert warning["code"] == "not-initialised"
    assert "merged into main" in warning["message"]
    assert "--trust head" in warning["hint"]


@pytest.mark.long
def test_in_a_large_store_a_look_at_the_work_tree_is_kept_for_two_seconds(make_repo: MakeRepo) -> None:
    repo = make_repo(knowledge(*(rule(f"r{n}", n, "src/**") for n in range(1, 2002))))
    words = {
        "first": ("2026-01-01T00:00:00Z",),
        "kept": ("2026-01-01T00:00:02Z",),
        "fresh": ("2026-01-01T00:00:02Z", "--notices", "fresh"),
        "later": ("2026-01-01T00:00:05Z",),
    }
    assert compiled(repo, "--now", *words["first"])["notices"] == []
    write_tree(repo, {".gitmem/engrams/new.md": "new\n"})

    seen = {name: codes(compiled(repo, "--now", *each)["notices"]) for name, each in words.items() if name != "first"}

    assert seen == {"kept": [], "fresh": ["uncommitted"], "later": ["uncommitted"]}


@pytest.mark.capability("R-018")
def test_a_date_is_looked_up_on_the_trusted_branch_and_not_on_the_one_at_hand(
    make_repo: MakeRepo, tmp_path: Path
) -> None:
    git(make_repo(knowledge(rule("old", 1, "src/**"))), "clone", "--quiet", "--bare", ".", str(tmp_path / "remote.git"))
    git(tmp_path, "clone", "--quiet", str(tmp_path / "remote.git"), "clone")
    clone = tmp_path / "clone"
    git(clone, "switch", "--quiet", "--create", "feature")
    write_tree(clone, knowledge(rule("proposed", 2, "src/**")))
    commit_all(clone, "feature")

    assert slugs(compiled(clone, "--at", "2026-12-31")) == ["old"]
    assert slugs(compiled(clone, "--at", "HEAD")) == ["old", "proposed"]


@pytest.mark.capability("R-004")
def test_a_layer_that_nothing_knows_is_named_instead_of_an_empty_silence(make_repo: MakeRepo) -> None:
    repo = make_repo(knowledge({".gitmem/layers.yaml": "src/ui/**: ui\n"}, rule("r", 1, scope={"layers": ["back"]})))

    answer = compiled(repo, "--layer", "bakc", "--layer", "back", "--layer", "ui")

    assert slugs(answer) == ["r"]
    assert [(row["code"], "'bakc'" in row["message"]) for row in answer["warnings"]] == [("unknown-layer", True)]
    assert "known: ui" in answer["warnings"][0]["hint"]


def test_whose_branch_adds_the_first_rule_is_not_told_to_write_one(make_repo: MakeRepo) -> None:
    repo = make_repo({"src/a.py": "x\n", ".gitmem/config.yaml": "format: 1\n"})
    git(repo, "config", "gitmem.trust", "main")
    empty = run_inproc(repo, "compile", "src/a.py").out
    git(repo, "switch", "--quiet", "--create", "side")
    write_tree(repo, knowledge(rule("first", 1, "src/**")))
    commit_all(repo, "first")

    out = run_inproc(repo, "compile", "src/a.py").out

    assert "[empty]" in empty
    assert "This branch adds first" in out
    assert "[empty]" not in out
    assert "empty" in codes(ask(repo, "compile", "src/a.py")["warnings"])
