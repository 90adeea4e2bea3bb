"""Receipts: made on one clone, computed again on another, later, on less of the history; and each way to be wrong."""

import base64
import json
from pathlib import Path

import pytest

from gitmem.store import journal
from gitmem.store.repo import discover
from tests.asking import CONFIG, ask, codes, compiled, refused, rule
from tests.conftest import MakeRepo
from tests.support import commit_all, engram_text, git, run_inproc, write_tree

FILES = CONFIG | rule("one", 1, "src/**") | rule("two", 2, "docs/**") | {"src/a.py": "print(1)\n"}
KEY = {"compile_id", "commit", "snapshot_id", "request_hash", "result_hash", "marks_hash", "engine", "request"}


def clone(repo: Path, name: str, *words: str) -> Path:
    there = repo.parent / name
    git(repo.parent, "clone", "--quiet", *words, f"file://{repo}", str(there))
    return there


def decoded(receipt: str) -> dict:
    text = receipt.removeprefix("gitmem1:")
    return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


def encoded(row: dict) -> str:
    data = json.dumps(row, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    return "gitmem1:" + base64.urlsafe_b64encode(data).decode().rstrip("=")


def verdict(repo: Path, receipt: str, *words: str) -> dict:
    return json.loads(run_inproc(repo, "journal", "verify", receipt, *words, "--json").out)


def years_of_commits(repo: Path) -> None:
    for number in range(30):
        changed = engram_text(title=f"One {number}", scope={"paths": ["src/**"]})
        write_tree(repo, {".gitmem/engrams/api/one.md": changed, "src/a.py": f"print({number})\n"})
        commit_all(repo, f"change {number}", date=f"{1735786984 + number * 86400 * 12} +0000")


@pytest.mark.capability("G-010")
def test_a_receipt_is_verified_on_another_clone(make_repo: MakeRepo) -> None:
    repo = make_repo(FILES)
    receipt = compiled(repo, "--plan", "print twice", "--max-tokens", "4000")["receipt"]

    done = run_inproc(clone(repo, "other"), "journal", "verify", receipt, "--json")

    assert done.code == 0
    assert json.loads(done.out)["verdict"] == "matches"
    assert set(decoded(receipt)) == KEY


@pytest.mark.capability("G-010")
def test_a_receipt_is_verified_a_year_of_commits_later(make_repo: MakeRepo) -> None:
    repo = make_repo(FILES)
    receipt = compiled(repo)["receipt"]
    years_of_commits(repo)

    assert verdict(clone(repo, "later"), receipt)["verdict"] == "matches"


@pytest.mark.capability("G-010")
def test_a_shallow_clone_verifies_what_it_has_the_knowledge_of(make_repo: MakeRepo) -> None:
    """The commit itself is not there, but the same knowledge is: the code may have gone on."""
    repo = make_repo(FILES)
    receipt = compiled(repo)["receipt"]
    write_tree(repo, {"src/a.py": "print(2)\n"})
    commit_all(repo, "code")
    shallow = clone(repo, "shallow", "--depth", "1")

    found = verdict(shallow, receipt)

    assert (found["verdict"], found["commit"]) == ("matches", git(repo, "rev-parse", "HEAD").strip())


def test_a_shallow_clone_without_the_knowledge_says_what_to_fetch(make_repo: MakeRepo) -> None:
    repo = make_repo(FILES)
    receipt = compiled(repo)["receipt"]
    years_of_commits(repo)
    shallow = clone(repo, "shallow", "--depth", "1")

    found = verdict(shallow, receipt)
    assert (found["verdict"], found["what"]) == ("cannot-verify", ["commit"])
    commit = decoded(receipt)["commit"]
    assert f"git fetch origin {commit}" in found["hint"]

    git(repo, "config", "uploadpack.allowAnySHA1InWant", "true")
    git(shallow, "fetch", "--quiet", "--depth", "1", "origin", commit)
    assert verdict(shallow, receipt)["verdict"] == "matches"


@pytest.mark.capability("G-010")
@pytest.mark.parametrize("name", ["result_hash", "marks_hash", "snapshot_id", "compile_id", "request_hash"])
def test_one_changed_sign_of_a_hash_is_named(make_repo: MakeRepo, name: str) -> None:
    repo = make_repo(FILES)
    row = decoded(compiled(repo)["receipt"])
    row[name] = ("1" if row[name][0] == "0" else "0") + row[name][1:]

    done = run_inproc(repo, "journal", "verify", encoded(row), "--json")

    assert done.code == 1
    assert json.loads(done.out)["verdict"] == "differs"
    assert json.loads(done.out)["what"] == [name]


def test_a_changed_request_is_named(make_repo: MakeRepo) -> None:
    repo = make_repo(FILES)
    row = decoded(compiled(repo)["receipt"])
    row["request"]["target_files"] = ["src/b.py"]

    assert verdict(repo, encoded(row))["what"] == ["request_hash"]


@pytest.mark.capability("G-010")
def test_one_changed_byte_of_a_rule_is_named(make_repo: MakeRepo) -> None:
    """Somebody rewrote history: the commit that the receipt names is told to hold another rule."""
    repo = make_repo(FILES)
    row = decoded(compiled(repo)["receipt"])
    text = (repo / ".gitmem/engrams/api/one.md").read_text()
    assert "its client" in text
    write_tree(repo, {".gitmem/engrams/api/one.md": text.replace("its client", "its Client")})
    row["commit"] = commit_all(repo, "a byte")

    found = verdict(repo, encoded(row))

    assert found["verdict"] == "differs"
    assert {"result_hash", "snapshot_id"} <= set(found["what"])


def test_a_receipt_of_another_repository_cannot_be_verified(make_repo: MakeRepo, tmp_path: Path) -> None:
    repo = make_repo(FILES)
    receipt = compiled(repo)["receipt"]
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "--quiet")
    write_tree(other, CONFIG | rule("three", 3, "src/**"))
    commit_all(other)

    assert verdict(other, receipt)["what"] == ["commit"]


def test_a_newer_algorithm_is_not_guessed(make_repo: MakeRepo) -> None:
    repo = make_repo(FILES)
    row = decoded(compiled(repo)["receipt"])
    row["engine"]["algorithm"] += 1

    assert verdict(repo, encoded(row))["what"] == ["algorithm"]


def test_another_version_of_the_engine_is_no_difference(make_repo: MakeRepo) -> None:
    repo = make_repo(FILES)
    row = decoded(compiled(repo)["receipt"])
    row["engine"]["version"] = "9.9.9"

    assert verdict(repo, encoded(row))["verdict"] == "matches"


@pytest.mark.parametrize(
    "text",
    [
        "gitmem1:",
        "gitmem1:!!!",
        "gitmem2:e30",
        "gitmem1:e30",
        "gitmem1:W10",
        "gitmem1:eyAiYSI6MX0",
        "gitmem1:" + "A" * 999,
    ],
)
def test_what_is_no_receipt_is_refused_by_name(make_repo: MakeRepo, text: str) -> None:
    repo = make_repo(FILES)
    (repo / "r.txt").write_text(text)

    assert refused(repo, "journal", "verify", "r.txt")["code"] == "bad-receipt"


@pytest.mark.parametrize("drop", sorted(KEY - {"request"}))
def test_a_receipt_without_a_field_is_refused(make_repo: MakeRepo, drop: str) -> None:
    repo = make_repo(FILES)
    row = decoded(compiled(repo)["receipt"])
    del row[drop]

    assert refused(repo, "journal", "verify", encoded(row))["code"] == "bad-receipt"


@pytest.mark.parametrize("bad", [{"target_files": "src/a.py"}, {"plan": 1}, {"later": True}, {"max_tokens": "9"}])
def test_a_request_that_is_none_is_refused(make_repo: MakeRepo, bad: dict) -> None:
    repo = make_repo(FILES)
    row = decoded(compiled(repo)["receipt"])
    row["request"] = bad

    assert refused(repo, "journal", "verify", encoded(row))["code"] == "bad-receipt"


@pytest.mark.capability("R-022")
@pytest.mark.parametrize("long", [("--plan", "reshape it " * 900), tuple(f"src/{n}/{'x' * 60}.py" for n in range(600))])
def test_a_request_that_no_receipt_holds_is_proved_and_explained_from_the_journal(
    make_repo: MakeRepo, long: tuple[str, ...]
) -> None:
    repo = make_repo(FILES)
    told = compiled(repo, *long)

    assert verdict(repo, told["receipt"])["verdict"] == "matches"
    assert ask(repo, "explain", told["compile_id"])["compile"]["compile_id"] == told["compile_id"]
    assert ask(repo, "journal", "audit", told["compile_id"])["warnings"] == []


def test_a_request_beyond_all_bounds_is_cut_and_says_so(make_repo: MakeRepo) -> None:
    repo = make_repo(FILES)
    told = compiled(repo, "--plan", "x" * 100_000)

    assert verdict(repo, told["receipt"])["what"] == ["request"]
    assert ask(repo, "journal", "audit", told["compile_id"])["request"]["plan_total"] == 100_000
    assert "too long to be kept whole" in refused(repo, "explain", told["compile_id"])["message"]


@pytest.mark.parametrize("name", ["commit", "compile_id", "snapshot_id", "result_hash"])
@pytest.mark.parametrize("value", ["\ud800", "HEAD", "--output=x", ":/change", "a" * 41])
def test_a_receipt_names_hashes_and_no_revisions_of_whoever_reads_it(
    make_repo: MakeRepo, name: str, value: str
) -> None:
    repo = make_repo(FILES)
    row = decoded(compiled(repo)["receipt"]) | {name: value}
    data = json.dumps(row, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")
    text = "gitmem1:" + base64.urlsafe_b64encode(data).decode().rstrip("=")

    assert refused(repo, "journal", "verify", text)["code"] == "bad-receipt"


def test_a_match_at_what_nobody_approved_says_so(make_repo: MakeRepo) -> None:
    """A receipt proves what was told, and not on whose word."""
    repo = make_repo(FILES)
    git(repo, "config", "gitmem.trust", "main")
    assert not verdict(repo, compiled(repo)["receipt"]).get("hint")
    git(repo, "switch", "--quiet", "--create", "mine")
    write_tree(repo, rule("three", 3, "src/**"))
    commit_all(repo, "mine")
    found = verdict(repo, compiled(repo, "--at", "mine")["receipt"])

    assert found["verdict"] == "matches"
    assert "not approved" in found["hint"]


def test_what_is_proved_elsewhere_says_nothing_of_the_commit(make_repo: MakeRepo) -> None:
    repo = make_repo(FILES)
    row = decoded(compiled(repo)["receipt"])

    assert verdict(repo, encoded(row | {"commit": "0" * 40}))["unverified"] == ["commit"]
    assert "names no commit" in verdict(repo, encoded(row | {"commit": ""}))["hint"]


def test_a_long_request_is_found_in_the_journal_or_given(make_repo: MakeRepo) -> None:
    repo = make_repo(FILES)
    names = [f"src/{number:04d}/a-rather-long-name-of-a-file.py" for number in range(150)]
    receipt = ask(repo, "compile", *names)["receipt"]
    assert "request" not in decoded(receipt)
    there = clone(repo, "other")

    assert verdict(repo, receipt)["verdict"] == "matches"
    assert verdict(there, receipt)["what"] == ["request"]
    (there / "request.json").write_text(json.dumps({"target_files": sorted(names)}))
    assert verdict(there, receipt, "--request", "request.json")["verdict"] == "matches"


def test_the_answer_of_a_compile_can_be_piped_in(make_repo: MakeRepo) -> None:
    repo = make_repo(FILES)
    whole = run_inproc(repo, "compile", "src/a.py", "--json").out

    assert json.loads(run_inproc(repo, "journal", "verify", "-", "--json", stdin=whole).out)["verdict"] == "matches"


def test_a_repository_without_knowledge_is_verified_too(make_repo: MakeRepo) -> None:
    repo = make_repo({"src/a.py": "x\n"})
    receipt = compiled(repo)["receipt"]
    write_tree(repo, CONFIG | rule("one", 1, "src/**"))
    commit_all(repo)

    assert verdict(repo, receipt)["verdict"] == "matches"


@pytest.mark.capability("R-021")
@pytest.mark.capability("R-022")
def test_one_compile_is_audited_in_full(make_repo: MakeRepo) -> None:
    repo = make_repo(FILES | rule("near", 3, "src/*.ts"))
    answer = ask(repo, "compile", "src/a.py", "--plan", "print twice", "--agent-id", "scout")
    ask(repo, "compile", "src/a.py", "--plan", "print twice")

    found = ask(repo, "journal", "audit", answer["compile_id"][:12])

    assert found["receipt"] == answer["receipt"]
    assert found["request"] == {"plan": "print twice", "target_files": ["src/a.py"]}
    assert found["compile"]["items"] == {"inline": [row["id"] for row in answer["base"]["documents"]]}
    assert found["compile"]["budget"]["limit"] == 8192
    assert [miss["slug"] for miss in found["near_misses"]] == ["near"]
    assert found["layers"] == {"src/a.py": None}
    assert found["total"] == 2
    assert [each.get("agent", "") for each in found["occurrences"]] == ["", "scout"]
    assert all(each["ms"] >= 0 for each in found["occurrences"])


@pytest.mark.capability("R-021")
def test_a_compile_that_failed_is_on_record(make_repo: MakeRepo) -> None:
    repo = make_repo(FILES)
    refused(repo, "compile", "src/a.py", "--at", "nowhere")

    shown = ask(repo, "journal", "show", "--failed")
    (event,) = shown["events"]
    found = ask(repo, "journal", "audit", event["id"])

    assert "None" not in run_inproc(repo, "journal", "audit", event["id"]).out
    assert event["data"]["error"]["code"] == found["compile"]["error"]["code"]
    assert found["request"] == {"files": ["src/a.py"], "at": "nowhere"}
    assert refused(repo, "explain", "--compile", event["id"])["code"] == "compile-failed"


def test_a_past_compile_is_explained_at_its_own_knowledge(make_repo: MakeRepo) -> None:
    repo = make_repo(FILES | rule("near", 3, "src/*.ts"))
    answer = ask(repo, "compile", "src/a.py", "--plan", "print twice")
    years_of_commits(repo)

    found = ask(repo, "explain", answer["compile_id"])

    assert found["of"] == answer["compile_id"]
    assert found["compile"]["base"]["documents"][0]["title"] == answer["base"]["documents"][0]["title"]
    assert [miss["slug"] for miss in found["near_misses"]] == ["near"]


def test_what_explains_is_not_on_record_itself(make_repo: MakeRepo) -> None:
    repo = make_repo(FILES)
    compiled(repo)
    for words in (("explain", "src/a.py"), ("why-not", "two", "src/a.py"), ("overview",), ("status",), ("get", "one")):
        ask(repo, *words)

    assert ask(repo, "journal", "show", "--kind", "compile")["total"] == 1


@pytest.mark.parametrize(
    ("words", "code"),
    [(("--kind", "nothing"), 2), (("--limit", "0"), 2), (("--since", "soon"), 2), (("--cursor", "x"), 2)],
)
def test_wrong_filters_of_the_journal_are_usage(make_repo: MakeRepo, words: tuple[str, ...], code: int) -> None:
    assert refused(make_repo(FILES), "journal", "show", *words, code=code)["code"] == "usage"


def test_a_journal_is_paged_each_event_once(make_repo: MakeRepo) -> None:
    repo = make_repo(FILES)
    for number in range(7):
        compiled(repo, file=f"src/{number}.py")

    seen, cursor = [], ""
    while True:
        page = ask(repo, "journal", "show", "--limit", "3", *(("--cursor", cursor) if cursor else ()))
        seen += [event["data"]["files"][0] for event in page["events"]]
        cursor = page["next"]
        if not cursor:
            break

    assert seen == [f"src/{number}.py" for number in reversed(range(7))]


def test_a_journal_that_was_changed_is_named_and_the_rest_is_shown(make_repo: MakeRepo) -> None:
    repo = make_repo(FILES)
    compiled(repo, file="src/first.py")
    compiled(repo)
    (path,) = (repo / ".git/gitmem/journal").glob("*.jsonl")
    path.write_bytes(path.read_bytes().replace(b"src/first.py", b"src/other.py"))
    journal.rotate(discover(repo))
    compiled(repo, file="src/b.py")

    shown = ask(repo, "journal", "show")

    assert [event["data"]["files"] for event in shown["events"]] == [["src/b.py"]]
    assert [warning["code"] for warning in shown["warnings"]] == ["line-changed"]
    assert shown["warnings"][0]["place"] == f"{path}:2"
    assert codes(ask(repo, "journal", "query")["warnings"]) == ["line-changed"], "nothing is left out in silence"


@pytest.mark.capability("G-010")
def test_a_commit_names_the_compile_that_it_was_made_with(make_repo: MakeRepo) -> None:
    repo = make_repo(FILES)
    answer = compiled(repo)
    line = run_inproc(repo, "journal", "trailer").out.strip()
    write_tree(repo, {"src/a.py": "print(2)\n"})
    commit_all(repo, f"Print two\n\n{line}\n")

    found = ask(repo, "journal", "verify-commit", "HEAD")

    assert line == f"Gitmem-Packet: {answer['compile_id']}"
    assert [proof["verdict"] for proof in found["proofs"]] == ["matches"]
    assert refused(repo, "journal", "verify-commit", "HEAD^")["code"] == "no-trailer"
    done = run_inproc(clone(repo, "other"), "journal", "verify-commit", "HEAD", "--json")
    assert (done.code, json.loads(done.out)["proofs"][0]["what"]) == (1, ["receipt"])
