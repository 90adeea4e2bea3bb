"""Settings: each key has a default and an origin, a broken file is said aloud, setting one keeps the others' bytes."""

import json
from pathlib import Path

import pytest

from gitmem.config import DEFAULTS, KEYS, as_text
from tests.conftest import MakeRepo
from tests.support import commit_all, git, run_inproc, write_tree

REL = ".gitmem/config.yaml"
TEXT = "# ours\nformat: 1\n\nmax_entries: 20   # fewer\n"
LAYERS = {".gitmem/layers.yaml": "# none\n"}


def shown(repo: Path, *args: str) -> dict[str, tuple[str, str]]:
    answer = json.loads(run_inproc(repo, "config", "show", "--origin", "--json", *args).out)
    return {row["key"]: (row["value"], row["origin"]) for row in answer["settings"]}


def warnings(repo: Path) -> list[dict[str, str]]:
    rows: list[dict[str, str]] = json.loads(run_inproc(repo, "config", "--json").out)["warnings"]
    return rows


@pytest.mark.capability("M-087")
def test_every_key_is_shown_with_its_value_and_origin(make_repo: MakeRepo) -> None:
    repo = make_repo({REL: TEXT})
    commit = git(repo, "rev-parse", "HEAD").strip()

    found = shown(repo)

    assert list(found) == list(KEYS)
    assert found["max_entries"] == ("20", f"{REL}:4 at {commit[:12]}")
    assert found["format"] == ("1", f"{REL}:2 at {commit[:12]}")
    assert found["max_listed"] == (as_text(DEFAULTS)["max_listed"], "default")
    assert found["trust"] == ("head", "default without a remote")
    assert run_inproc(repo, "config", "get", "max_entries").out == "20\n"


def test_the_policy_says_who_set_it(make_repo: MakeRepo) -> None:
    repo = make_repo({REL: "trust: main\n"})
    commit = git(repo, "rev-parse", "HEAD").strip()

    from_file = shown(repo)["trust"]
    git(repo, "config", "gitmem.trust", "head")

    assert from_file == ("main", f"{REL}:1 at {commit[:12]}")
    assert shown(repo)["trust"] == ("head", "git config gitmem.trust")


@pytest.mark.capability("M-087")
@pytest.mark.parametrize("is_committed", [True, False])
def test_a_broken_file_leaves_the_defaults_in_force_and_names_the_last_good_one(
    make_repo: MakeRepo, is_committed: bool
) -> None:
    repo = make_repo({REL: TEXT})
    good = git(repo, "rev-parse", "HEAD").strip()
    write_tree(repo, {"a.txt": "between\n"})
    commit_all(repo)
    write_tree(repo, {REL: "max_entries: [\n"})
    if is_committed:
        commit_all(repo)

    found = warnings(repo)

    assert [row["code"] for row in found] == ["config-broken"]
    assert "default" in found[0]["message"]
    assert f"git show {good[:12]}:{REL}" in found[0]["hint"]
    assert shown(repo)["max_entries"][0] == ("50" if is_committed else "20")


def test_what_is_not_committed_does_not_count_and_is_said(make_repo: MakeRepo) -> None:
    repo = make_repo({REL: TEXT})
    write_tree(repo, {REL: TEXT.replace("20", "30")})

    assert shown(repo)["max_entries"][0] == "20"
    assert [row["code"] for row in warnings(repo)] == ["uncommitted"]


@pytest.mark.parametrize(
    ("line", "words"), [("max_entries: many\n", "not a whole number"), ("max_entrys: 3\n", "unknown setting")]
)
def test_a_value_that_is_not_taken_is_named(make_repo: MakeRepo, line: str, words: str) -> None:
    repo = make_repo({REL: line})

    assert words in warnings(repo)[0]["message"]
    assert shown(repo)["max_entries"] == ("50", "default")


def test_setting_a_value_keeps_every_other_byte(make_repo: MakeRepo) -> None:
    repo = make_repo({REL: TEXT} | LAYERS)

    ran = run_inproc(repo, "config", "set", "max_entries", "40")

    assert ran.code == 0, ran.err
    assert (repo / REL).read_text(encoding="utf-8") == TEXT.replace("20", "40")
    assert "counts once it is committed" in ran.out
    assert shown(repo)["max_entries"][0] == "20"
    commit_all(repo)
    assert shown(repo)["max_entries"][0] == "40"


@pytest.mark.parametrize(
    ("key", "value", "line"),
    [
        ("max_listed", "300", "max_listed: 300\n"),
        ("trust", "main", "trust: main\n"),
        ("allow_secrets", "0123456789abcdef, fedcba9876543210", "allow_secrets:\n"),
    ],
)
def test_a_new_key_goes_to_the_end(make_repo: MakeRepo, key: str, value: str, line: str) -> None:
    repo = make_repo({REL: TEXT} | LAYERS)

    assert run_inproc(repo, "config", "set", key, value).code == 0

    assert (repo / REL).read_text(encoding="utf-8").startswith(TEXT + line)
    commit_all(repo)
    assert shown(repo)[key][0] == value


def test_windows_line_ends_are_kept(make_repo: MakeRepo) -> None:
    repo = make_repo({REL: TEXT.replace("\n", "\r\n").encode()} | LAYERS)

    run_inproc(repo, "config", "set", "max_listed", "300")

    assert (repo / REL).read_bytes() == (TEXT + "max_listed: 300\n").replace("\n", "\r\n").encode()


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["get", "max_entrys"], "did you mean 'max_entries'"),
        (["get"], "name a setting"),
        (["set", "max_entries"], "give the new value"),
        (["set", "max_entries", "0"], "not a whole number above 0"),
        (["set", "max_entries", "9" * 5000], "not a whole number above 0"),
        (["set", "trust", "a..b"], "not a trust policy"),
        (["show", "max_entries"], "show takes no setting"),
        (["drop", "max_entries"], "unknown action"),
    ],
)
def test_what_cannot_be_is_a_usage_error(make_repo: MakeRepo, args: list[str], words: str) -> None:
    repo = make_repo({REL: TEXT})

    ran = run_inproc(repo, "config", *args)

    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err
    assert (repo / REL).read_text(encoding="utf-8") == TEXT


def test_setting_needs_a_folder_and_showing_does_not(make_repo: MakeRepo) -> None:
    repo = make_repo({"a.txt": "a\n"})

    assert run_inproc(repo, "config", "set", "max_entries", "40").code == 1
    assert shown(repo)["max_entries"] == ("50", "default")


def test_a_broken_file_is_not_edited(make_repo: MakeRepo) -> None:
    repo = make_repo({REL: "max_entries: [\n"})

    ran = run_inproc(repo, "config", "set", "max_entries", "40")

    assert ran.code == 1
    assert (repo / REL).read_text(encoding="utf-8") == "max_entries: [\n"


@pytest.mark.capability("R-052")
def test_a_setting_within_another_is_set_and_read_by_its_dotted_name(make_repo: MakeRepo) -> None:
    repo = make_repo({REL: TEXT, **LAYERS})

    for key, value in (("policy.min_approvals", "2"), ("policy.require_ledger", "true")):
        assert run_inproc(repo, "config", "set", key, value).code == 0
    commit_all(repo)

    assert (repo / REL).read_text() == f"{TEXT}policy:\n  min_approvals: 2\n  require_ledger: true\n"
    found = shown(repo)
    assert found["policy.min_approvals"][0] == run_inproc(repo, "config", "get", "policy.min_approvals").out.strip()
    assert found["policy.require_ledger"][0] == "true"
    assert found["policy.require_ledger"][1].startswith(f"{REL}:7 at ")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("policy: strict\n", "policy is no map of settings"),
        ("policy:\n  min_approvals: 10\n", "no number from 0 to 9"),
        ("policy:\n  min_approvals: -1\n", "no number from 0 to 9"),
        ("policy:\n  require_ledger: yes\n", "true or false, not 'yes'"),
        ("policy:\n  require_ledger: [true]\n", "takes one value"),
        ("policy.min_approvals: 2\n", "unknown setting 'policy.min_approvals'"),
    ],
)
def test_a_policy_that_is_not_understood_is_an_error_and_the_default_stays(
    make_repo: MakeRepo, text: str, said: str
) -> None:
    repo = make_repo({REL: text, **LAYERS})

    rows = json.loads(run_inproc(repo, "check", "--json").out)["findings"]

    assert [(row["code"], row["severity"]) for row in rows] == [("config", "error")]
    assert said in rows[0]["message"]
    assert shown(repo)["policy.min_approvals"] == ("0", "default")
    assert shown(repo)["policy.require_ledger"] == ("false", "default")


def test_a_policy_without_a_value_is_none(make_repo: MakeRepo) -> None:
    repo = make_repo({REL: "policy:\n  min_approvals:\n  require_ledger: ~\n", **LAYERS})

    assert json.loads(run_inproc(repo, "check", "--json").out)["findings"] == []


@pytest.mark.parametrize(("key", "value"), [("policy.min_approvals", "many"), ("policy.require_ledger", "on")])
def test_a_policy_that_is_no_policy_is_not_written(make_repo: MakeRepo, key: str, value: str) -> None:
    repo = make_repo({REL: TEXT, **LAYERS})

    assert run_inproc(repo, "config", "set", key, value).code == 2
    assert (repo / REL).read_text() == TEXT
