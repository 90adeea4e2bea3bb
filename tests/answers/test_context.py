"""Packets of a small shop: what is in them, within which budget, what they claim, and how folds open."""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from gitmem.code import fill
from gitmem.text.tokens import estimate
from tests.asking import ask, knowledge, rule
from tests.mcp.talk import structure_of, talk, text_of
from tests.support import commit_all, git, run_cli, run_inproc, start_repo, write_tree

STEPS = "".join(f"    step_{at} = amount * {at} + len(str(amount))\n" for at in range(12))


def _module(name: str, *functions: str) -> str:
    return f'"""What {name} does."""\n\nimport os\n\n\n' + "\n\n".join(
        f"def {each}(amount):\n{STEPS}    return step_3\n" for each in functions
    )


FILES: Mapping[str, str | bytes] = {
    "shop/login.py": '"""Who comes in."""\n\nfrom shop.clock import wait_for\n\n\n'
    f"class LoginForm:\n    def retry_login(self, amount):\n{STEPS.replace('    ', '        ')}"
    "        wait_for(amount)\n        return step_1\n\n    def forget(self, amount):\n        return amount\n",
    "shop/clock.py": _module("clock", "wait_for", "tick"),
    "shop/router.py": '@app.route("/sms", methods=["POST"])\ndef send_sms():\n    return 1\n',
    **{f"shop/part{n}.py": _module(f"part {n}", *(f"part_{n}_{k}" for k in range(8))) for n in range(12)},
    "theme/default/hello.twig": "<p>{{ hello }}</p>\n",
    "shop/hello.py": _module("hello", "hello"),
    "README.md": "# Shop\n\nLogin retry and how it gives up.\n",
    "logo.png": b"\x89PNG\0\0\0",
    "tests/test_login.py": "def test_retry_login():\n    assert True\n",
}
RULES = {
    rel: text
    for n in range(6)
    for rel, text in rule(f"login-{n}", 20 + n, "shop/**", body="Ask the clock, never sleep.\n" * 12).items()
}
TASK = "Fix retry_login, which gives up too early"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = start_repo(tmp_path_factory.mktemp("shop"))
    write_tree(root, knowledge() | FILES | RULES)
    commit_all(root)
    return root


def fresh(folder: Path) -> Path:
    folder.mkdir()
    return folder


def packet(root: Path, task: str, *words: str) -> dict:
    return ask(root, "context", task, *words)


def refused(root: Path, *words: str) -> dict:
    done = run_inproc(root, *words, "--json")
    return json.loads(done.out)["error"] | {"exit": done.code}


@pytest.mark.capability("C-034")
@pytest.mark.capability("C-026")
def test_the_function_of_the_task_is_open_and_what_it_calls_is_there(shop: Path) -> None:
    found = packet(shop, "Repair retry_login: the number of attempts")
    files = {row["path"]: row for row in found["files"]}

    assert found["files"][0]["path"] == "shop/login.py"
    assert files["shop/login.py"]["tier"] == "open"
    assert "step_1 = amount" in files["shop/login.py"]["text"]
    assert "def wait_for(amount):\n    step_0" in files["shop/clock.py"]["text"]
    assert found["coverage"]["clusters"][0]["state"] == "found"


@pytest.mark.capability("C-027")
@pytest.mark.capability("C-023")
@pytest.mark.parametrize("limit", [500, 1500, 6000, 12_000, 24_000])
@pytest.mark.parametrize("detail", ["pointer", "minimal", "standard"])
def test_an_answer_never_takes_more_than_its_budget_as_it_is_serialised(shop: Path, limit: int, detail: str) -> None:
    words = ("--budget", str(limit), "--detail", detail)
    out = run_inproc(shop, "context", TASK, "--path-hint", "shop/part7.py", *words, "--json").out
    found = json.loads(out)

    assert estimate(out) <= limit
    assert estimate(run_inproc(shop, "context", TASK, *words).out) <= limit
    assert found["budget"] == {"limit": limit, "used": found["budget"]["used"]}
    assert {"shop/part7.py", "shop/login.py"} <= {row["path"] for row in found["files"]}


@pytest.mark.capability("C-027")
def test_a_budget_counts_both_parts_of_an_answer_of_a_tool(shop: Path) -> None:
    with talk(shop) as server:
        server.start()
        for limit in (500, 3000, 12_000):
            answer = server.call("get_context", {"task": TASK, "budget": limit})
            whole = text_of(answer) + json.dumps(structure_of(answer), ensure_ascii=False, separators=(",", ":"))
            assert estimate(whole) <= limit
            assert all("text" not in row for row in structure_of(answer)["files"])
        server.close()


@pytest.mark.capability("C-027")
@pytest.mark.capability("C-028")
def test_each_mode_has_its_cap_and_what_is_followed_to_its_part(shop: Path) -> None:
    task = "Repair retry_login: the number of attempts"
    limits = {mode: packet(shop, task, "--mode", mode)["budget"] for mode in ("max_savings", "balanced", "max_quality")}

    assert [row["limit"] for row in limits.values()] == [6_000, 12_000, 24_000]
    assert fill.LIMITS["max_savings"].files == 0


@pytest.mark.capability("C-028")
def test_a_strong_extra_of_a_full_package_still_enters() -> None:
    rows = [fill.Followed(f"hot/f{n}.py", 0, 1.0 - n / 100, "calls from x") for n in range(8)]
    rows.append(fill.Followed("cold/g.py", 0, 0.3, "calls from x"))

    taken = [row.path for row in fill.chosen(rows, ["seed.py"], fill.LIMITS["max_quality"])]
    balanced = [row.path for row in fill.chosen(rows, ["seed.py"], fill.Limits(2, 1, 9, 2))]

    assert taken == [f"hot/f{n}.py" for n in range(8)]
    assert balanced == ["hot/f0.py", "hot/f1.py", "hot/f2.py", "cold/g.py"]


@pytest.mark.capability("C-037")
@pytest.mark.parametrize(("detail", "most"), [("minimal", 256), ("standard", 750)])
def test_what_is_beside_the_files_is_bounded_by_the_detail(shop: Path, detail: str, most: int) -> None:
    found = packet(shop, TASK, "--detail", detail)
    beside = {name: value for name, value in found.items() if name not in ("files", "rules", "knowledge")}

    assert estimate(json.dumps(beside, ensure_ascii=False, indent=2)) <= most
    assert bool(found["receipt"]) == (detail == "standard")


@pytest.mark.capability("C-037")
def test_a_pointer_has_paths_alone_and_a_diagnosis_the_ranking(shop: Path) -> None:
    bare, told = packet(shop, TASK, "--detail", "pointer"), packet(shop, TASK, "--detail", "diagnostic")

    assert {row["tier"] for row in bare["files"]} == {"path"}
    assert told["candidates"][0]["path"] == "shop/login.py"
    assert told["candidates"][0]["parts"]["names"] > 0
    assert "open" in {row["stage"] for row in told["candidates"]}


@pytest.mark.capability("C-038")
@pytest.mark.capability("C-025")
@pytest.mark.parametrize(
    ("task", "claims"),
    [
        ("Rename retry_login and add an export to CSV spreadsheets", {"partial"}),
        ("Calibrate the orchard irrigation valves by moisture", {"no_seed_resolved", "no_confident_match"}),
        ("Repair retry_login", {"no_recorded_gap", "bounded"}),
        ("修复果园灌溉阀门", {"no_seed_resolved", "no_confident_match"}),
        ("شیر آبیاری باغ را تعمیر کن", {"no_seed_resolved", "no_confident_match"}),
        ("Meyve bahçesi sulama vanasını onar", {"no_seed_resolved", "no_confident_match"}),
    ],
)
def test_f_195_a_claim_says_what_was_not_found(shop: Path, task: str, claims: set[str]) -> None:
    found = packet(shop, task)["coverage"]

    assert found["claim"] in claims
    if found["claim"] in ("partial", "no_seed_resolved", "no_confident_match"):
        assert found["next"][0].startswith("git grep ")
    if found["claim"] == "partial":
        assert [part["state"] for part in found["clusters"]] == ["found", "missing"]
        assert "csv" in found["clusters"][1]["missing"]


@pytest.mark.capability("C-024")
def test_both_halves_of_a_compound_task_are_covered(shop: Path) -> None:
    found = packet(shop, "Rename wait_for and add a parameter to send_sms")

    assert [part["state"] for part in found["coverage"]["clusters"]] == ["found", "found"]
    assert {"shop/clock.py", "shop/router.py"} <= {row["path"] for row in found["files"][:4]}


@pytest.mark.capability("C-023")
def test_a_path_binds_its_file_before_its_stem_is_tried_as_a_name(shop: Path) -> None:
    found = packet(shop, "the greeting of theme/default/hello.twig is wrong", "--detail", "diagnostic")
    why = {row["path"]: row["why"] for row in found["candidates"]}

    assert why["theme/default/hello.twig"] == "path: theme/default/hello.twig"
    assert why.get("shop/hello.py", "ranked") == "ranked"


@pytest.mark.capability("C-040")
def test_each_option_of_a_request_counts(shop: Path) -> None:
    hinted = packet(shop, TASK, "--path-hint", "shop/part9.py")
    worded = packet(shop, "the parts are wrong", "--keyword", "part_3_5")
    typed = packet(shop, TASK, "--entity-type", "class")

    assert hinted["files"][0]["path"] == "shop/part9.py"
    assert worded["files"][0]["path"] == "shop/part3.py"
    assert len({hinted["packet_id"], worded["packet_id"], typed["packet_id"], packet(shop, TASK)["packet_id"]}) == 4


@pytest.mark.capability("C-040")
@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("context", ""), "empty"),
        (("context", TASK, "--mode", "fast"), "max_savings, balanced, max_quality"),
        (("context", TASK, "--detail", "all"), "pointer, minimal, standard, diagnostic"),
        (("context", TASK, "--budget", "10"), "500"),
        (("context", TASK, "--path-hint", "../outside.py"), "outside"),
        (("outline", "/etc/passwd"), "/etc/passwd"),
        (("expand", ""), "fold"),
    ],
)
def test_a_bad_request_is_a_usage_error_that_names_what_is_valid(
    shop: Path, words: tuple[str, ...], named: str
) -> None:
    done = run_inproc(shop, *words, "--json")
    error = json.loads(done.out)["error"]

    assert done.code == 2
    assert named in f"{error['message']} {error['hint']} {error['place']}"


def test_a_binary_file_and_one_that_is_not_there_are_named(shop: Path) -> None:
    assert refused(shop, "outline", "shop/loginn.py")["code"] == "unknown-file"
    assert refused(shop, "outline", "logo.png")["code"] == "binary-file"


@pytest.mark.capability("C-035")
@pytest.mark.capability("C-036")
def test_a_fold_opens_after_a_restart_from_another_worktree_and_after_the_file_moved_on(tmp_path: Path) -> None:
    root = start_repo(fresh(tmp_path / "repo"))
    write_tree(root, FILES)
    commit_all(root)
    fold = next(fold for row in packet(root, TASK)["files"] for fold in row["folds"] if row["path"] == "shop/clock.py")
    source = FILES["shop/clock.py"]
    assert isinstance(source, str)
    before = ask(root, "expand", fold["fold_id"])
    git(root, "worktree", "add", "--quiet", str(tmp_path / "other"), "-b", "other")
    write_tree(root, {"shop/clock.py": "# new\n"})
    commit_all(root)

    marker = f"# [gitmem:fold {fold['fold_id']} x lines 1-2 tokens 3]"
    after = [ask(root, "expand", marker), ask(tmp_path / "other", "expand", f"`{fold['fold_id']}`")]
    restarted = json.loads(run_cli(root, "expand", fold["fold_id"], "--json").out)
    begun = ask(root, "expand", fold["fold_id"][:-5])

    assert before["text"] in source
    assert (before["path"], before["start_line"]) == ("shop/clock.py", fold["start_line"])
    assert all(each == before for each in [*after, restarted, begun])


@pytest.mark.capability("C-036")
def test_a_fold_of_what_was_never_committed_opens_while_its_bytes_are_kept(tmp_path: Path) -> None:
    root = start_repo(fresh(tmp_path / "repo"))
    write_tree(root, FILES)
    commit_all(root)
    write_tree(root, {"shop/clock.py": _module("clock", "wait_for", "tick", "tock")})
    fold = next(f for row in packet(root, TASK)["files"] for f in row["folds"] if row["path"] == "shop/clock.py")
    write_tree(root, {"shop/clock.py": "# new\n"})

    assert "step_3" in ask(root, "expand", fold["fold_id"])["text"]
    for path in (root / ".git/gitmem/cache").glob("code-loose-*"):
        path.unlink()
    assert refused(root, "expand", fold["fold_id"])["code"] == "unknown-fold"


def test_a_fold_of_another_repository_is_refused_by_name(shop: Path, tmp_path: Path) -> None:
    root = start_repo(fresh(tmp_path / "other"))
    write_tree(root, {"a.py": "x = 1\n"})
    commit_all(root)
    fold = next(f["fold_id"] for row in packet(shop, TASK)["files"] for f in row["folds"])

    error = refused(root, "expand", fold)

    assert error["code"] == "unknown-fold"
    assert "another repository" in error["hint"]


@pytest.mark.capability("C-035")
def test_a_symbol_opens_by_its_id(shop: Path) -> None:
    found = ask(shop, "expand", "shop/login.py::LoginForm.forget")

    assert found["text"] == "def forget(self, amount):\n        return amount"
    assert refused(shop, "expand", "nobody_is_called_so")["code"] == "unknown-fold"


@pytest.mark.capability("C-044")
def test_an_outline_of_a_long_file_is_short_and_named_symbols_are_open(shop: Path, tmp_path: Path) -> None:
    root = start_repo(fresh(tmp_path / "long"))
    write_tree(root, {"long.py": _module("long", *(f"function_{n}" for n in range(110)))})
    commit_all(root)

    whole = ask(root, "outline", "long.py")
    some = ask(root, "outline", "long.py", "function_70")

    assert (root / "long.py").stat().st_size > 60_000
    assert len(json.dumps(whole)) <= 15_000
    assert "def function_109(amount):" in whole["text"]
    assert some["text"].count("step_3 =") == 1
    assert len(some["folds"]) == 2
    assert refused(root, "outline", "long.py", "function_x")["code"] == "unknown-symbol"
    assert ask(shop, "outline", "README.md")["text"].startswith("# Shop")


@pytest.mark.capability("C-039")
def test_a_packet_is_explained_from_the_record_and_from_its_receipt(shop: Path) -> None:
    found = packet(shop, TASK, "--mode", "max_quality")
    told = ask(shop, "explain", found["packet_id"])["packet"]
    again = ask(shop, "explain", found["receipt"])["packet"]

    assert told["seeds"][0] == {"path": "shop/login.py", "by": "symbol", "named": "retry_login"}
    assert told["candidates"][0]["stage"] == "open"
    assert told["budget"] == found["budget"]
    assert again["recomputed"] == "matches"
    assert ask(shop, "journal", "verify", found["receipt"])["verdict"] == "matches"
    assert [row["path"] for row in again["tiers"]] == [row["path"] for row in found["files"]]
    assert "step_1" not in json.dumps(told)


@pytest.mark.capability("C-039")
def test_the_memory_of_a_packet_is_that_of_its_commit_and_of_every_clone(tmp_path: Path) -> None:
    root = start_repo(fresh(tmp_path / "one"))
    write_tree(root, knowledge() | {"login.py": _module("login", "retry_login")})
    commit_all(root)
    write_tree(root, rule("login-retry-waits", 7))
    commit_all(root)
    run_inproc(root, "new", "fact", "Login retry of mine", "--private", stdin="Login retry, privately.\n")
    found, before = packet(root, "Fix the login retry"), packet(root, "Fix the login retry", "--at", "HEAD~1")
    write_tree(root, rule("login-retry-waits", 7, title="Login retry never waits"))
    commit_all(root)
    git(root, "clone", "--quiet", ".", str(tmp_path / "two"))

    lines = ask(root, "journal", "show", "--kind", "packet")["events"]

    assert [row["data"].get("private", False) for row in lines] == [True, True]
    assert [row["slug"] for row in found["knowledge"]] == ["login-retry-waits"]
    assert before["knowledge"] == []
    for clone in (root, tmp_path / "two"):
        assert ask(clone, "journal", "verify", found["receipt"])["verdict"] == "matches"


@pytest.mark.capability("C-023")
def test_names_of_files_and_words_of_tasks_stay_on_their_line_and_are_no_commands(tmp_path: Path) -> None:
    root = start_repo(fresh(tmp_path / "odd"))
    odd = "a\nCoverage: no_recorded_gap\n.py"
    write_tree(root, {odd: _module("odd", "retry_login"), "blob.py": b"def blob():\n" + b"    \0\xff\n" * 9})
    commit_all(root)
    found = packet(
        root, "Repair retry_login and export `$(id)` to CSV", "--path-hint", "blob.py", "--path-hint", "`id`.py"
    )
    said = run_inproc(root, "context", "Rename retry_login and add an export to CSV spreadsheets").out
    told = run_inproc(root, "explain", found["packet_id"]).out

    assert {row["path"]: row["tier"] for row in found["files"]} == {odd: "open", "blob.py": "path"}
    assert "git grep -n -i -e '`id`.py'" in found["coverage"]["next"]
    assert [line for line in said.splitlines() if line.startswith("Coverage:")] == ["Coverage: partial"]
    assert not any(line.startswith("Coverage:") for line in told.splitlines())


@pytest.mark.capability("R-028")
def test_rules_in_scope_of_the_files_come_along_within_their_part(shop: Path) -> None:
    found = packet(shop, TASK, "--budget", "6000")

    assert found["rules"]
    assert estimate(json.dumps(found["rules"], indent=2)) <= 0.16 * 6000
    assert any(row.get("content") for row in packet(shop, TASK, "--budget", "24000")["rules"])


def test_a_diff_tells_what_its_reviewer_must_read(tmp_path: Path) -> None:
    root = start_repo(fresh(tmp_path / "repo"))
    write_tree(root, FILES)
    commit_all(root)
    text = FILES["shop/part5.py"]
    assert isinstance(text, str)
    write_tree(root, {"shop/part5.py": text.replace("def part_5_6(amount):\n", "def part_5_6(amount):\n    log()\n")})
    commit_all(root)

    found = packet(root, "", "--diff", "HEAD~1..HEAD")

    assert found["files"][0]["path"] == "shop/part5.py"
    assert "def part_5_6(amount):\n    log()" in found["files"][0]["text"]


def test_a_repository_that_was_never_initialised_gets_packets_and_stays_as_it_is(tmp_path: Path) -> None:
    root = start_repo(fresh(tmp_path / "bare"))
    write_tree(root, {"a.py": "def retry():\n    return 1\n"})
    commit_all(root)

    assert packet(root, "retry() returns too early")["files"][0]["path"] == "a.py"
    assert git(root, "status", "--porcelain") == ""


@pytest.mark.capability("C-026")
def test_only_the_neighbourhood_is_looked_at(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    whole = fill.neighbourhood
    monkeypatch.setattr(fill, "neighbourhood", lambda *args: (found := whole(*args), seen.append(found.touched))[0])

    packet(shop, TASK)

    assert 0 < seen[0] <= fill.NODES_MOST


@pytest.mark.capability("C-051")
def test_f_193_six_fresh_runs_give_the_same_bytes(shop: Path, tmp_path: Path) -> None:
    moved = tmp_path / "moved"
    subprocess.run(["cp", "-R", str(shop), str(moved)], check=True)
    subprocess.run(["rm", "-rf", str(moved / ".git/gitmem"), str(moved / ".gitmem/cache")], check=True)
    command = [sys.executable, "-P", "-m", "gitmem", "context", TASK, "--json"]
    seen = set()
    for turn in range(6):
        env = {**os.environ, "PYTHONHASHSEED": str(turn % 2 + 1)}
        done = subprocess.run(command, cwd=moved if turn > 3 else shop, env=env, capture_output=True, check=True)
        seen.add(hashlib.sha256(done.stdout).hexdigest())

    assert len(seen) == 1
