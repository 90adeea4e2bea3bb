"""Named snapshots: they outlive their branch, never change, and are made by nobody but a person."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitmem.answers.keeping import DropCall, drop, keep
from gitmem.answers.session import Session
from gitmem.errors import GitmemError
from tests.asking import ask, codes, compiled, knowledge, refused, rule, slugs
from tests.cli.verbs import READING
from tests.conftest import MakeRepo
from tests.support import commit_all, engram_id, git, run_inproc, write_tree

CODE = {"src/a.py": "x\n", "src/b/c.py": "x\n"}
ONE = CODE | knowledge(rule("one", 1, "src/**"))
REF = "refs/gitmem/snapshots/"


def session(repo: Path) -> Session:
    return Session(repo, datetime(2026, 12, 1, tzinfo=UTC))


def refs(repo: Path) -> str:
    return git(repo, "for-each-ref")


@pytest.mark.capability("R-052")
def test_a_snapshot_survives_gc_when_its_branch_is_gone(make_repo: MakeRepo) -> None:
    repo = make_repo(ONE)
    git(repo, "checkout", "--quiet", "-b", "side")
    write_tree(repo, rule("two", 2, "src/b/**"))
    side = commit_all(repo, "two")
    whole = compiled(repo, file="src/b/c.py")
    made = ask(repo, "snapshots", "create", "before-audit")
    git(repo, "checkout", "--quiet", "main")
    git(repo, "branch", "-D", "side")
    git(repo, "reflog", "expire", "--expire=now", "--all")
    git(repo, "-c", "gc.pruneExpire=now", "gc", "--quiet", "--prune=now")

    assert run_inproc(repo, "show", "two", "--at", side).code == 1
    for at in ("before-audit", "snapshot:before-audit", f"snapshot:{made['snapshot_id'][:16]}"):
        again = compiled(repo, "--at", at, file="src/b/c.py")
        assert (again["compile_id"], again["base"]) == (whole["compile_id"], whole["base"])
        assert again["snapshot_id"] == made["snapshot_id"]
    assert slugs(compiled(repo, file="src/b/c.py")) == ["one"]


def test_a_snapshot_is_a_commit_of_the_folder_alone(make_repo: MakeRepo) -> None:
    repo = make_repo(ONE)

    made = ask(repo, "snapshots", "create", "first", "--note", "as it was\nat the start")

    assert git(repo, "rev-list", "--parents", made["commit"]).split() == [made["commit"]]
    assert git(repo, "ls-tree", made["commit"]) == git(repo, "ls-tree", "HEAD", ".gitmem")
    assert made["source"] == git(repo, "rev-parse", "HEAD").strip()
    assert git(repo, "log", "-1", "--format=%B", made["commit"]).strip() == (
        "snapshot first\n\nas it was at the start\n\n"
        f"Snapshot-Id: {made['snapshot_id']}\n"
        f"Knowledge-Version: {made['knowledge_version']}\n"
        f"Source-Commit: {made['source']}"
    )
    assert git(repo, "fsck", "--strict") == ""


@pytest.mark.capability("R-052")
def test_a_snapshot_never_changes(make_repo: MakeRepo) -> None:
    repo = make_repo(ONE)
    made = ask(repo, "snapshots", "create", "first")
    again = ask(repo, "snapshots", "create", "first")
    write_tree(repo, rule("two", 2))
    commit_all(repo, "two")
    before = refs(repo)

    error = refused(repo, "snapshots", "create", "first")

    assert (made["is_new"], again["is_new"], again["commit"]) == (True, False, made["commit"])
    assert (error["code"], error["place"]) == ("snapshot-exists", f"{REF}first")
    assert refs(repo) == before


@pytest.mark.parametrize(
    "name",
    [
        *("", "a..b", "-x", "--at", "a/b", "A", "a b", ".a", "a.", "a.lock", "a~1", "a\n", "a" * 81, "\u00e9"),
        *("deadbeef", "0123456789", "2026-01-31", "HEAD", "@", "a@{1}"),
    ],
)
def test_a_name_that_could_be_taken_for_something_else_is_refused(make_repo: MakeRepo, name: str) -> None:
    repo = make_repo(ONE)
    before = refs(repo)

    with pytest.raises(GitmemError) as caught:
        keep(session(repo), "HEAD", name)

    assert caught.value.code == "usage"
    assert refs(repo) == before


@pytest.mark.parametrize("name", ["a", "7", "v1.2.3", "before-audit_2026", "x" * 80, "cafe", "2026013"])
def test_other_names_are_given(make_repo: MakeRepo, name: str) -> None:
    repo = make_repo(ONE)

    ask(repo, "snapshots", "create", name)

    assert [row["name"] for row in ask(repo, "snapshots", "list")["snapshots"]] == [name]
    assert slugs(compiled(repo, "--at", f"snapshot:{name}")) == ["one"]


@pytest.mark.capability("R-052")
def test_no_read_makes_a_snapshot(make_repo: MakeRepo) -> None:
    repo = make_repo(ONE | rule("use-the-client", 2, "src/**") | rule("name-the-table", 3))
    ask(repo, "snapshots", "create", "first")
    before = refs(repo)

    for words in READING.values():
        assert run_inproc(repo, *words).code in (0, 1), words

    assert refs(repo) == before


def test_where_there_is_no_knowledge_nothing_is_kept(make_repo: MakeRepo) -> None:
    repo = make_repo(CODE)

    assert refused(repo, "snapshots", "create", "first")["code"] == "nothing-to-keep"
    assert refs(repo).count("\n") == 1


@pytest.mark.capability("R-078")
def test_the_same_knowledge_is_the_same_snapshot_in_every_clone(make_repo: MakeRepo, tmp_path: Path) -> None:
    repo = make_repo(ONE)
    git(tmp_path, "clone", "--quiet", str(repo), "clone")
    write_tree(tmp_path / "clone", {"other.py": "y\n"})
    commit_all(tmp_path / "clone", "code alone")

    made = [ask(each, "snapshots", "create", "first") for each in (repo, tmp_path / "clone")]
    cited = [keep(session(each), "HEAD~0", "cited") for each in (repo, tmp_path / "clone")]

    assert made[0]["snapshot_id"] == made[1]["snapshot_id"] == cited[0].snapshot_id == cited[1].snapshot_id
    assert made[0]["source"] == made[1]["source"]


def test_what_an_audit_cites_is_the_same_commit_in_every_clone(make_repo: MakeRepo, tmp_path: Path) -> None:
    repo = make_repo(ONE)
    head = git(repo, "rev-parse", "HEAD").strip()
    git(tmp_path, "clone", "--quiet", str(repo), "clone")
    git(tmp_path / "clone", "config", "user.name", "Somebody Else")

    kept = [keep(session(each), head, "cited") for each in (repo, tmp_path / "clone")]
    again = keep(session(repo), head, "cited")

    assert kept[0].commit == kept[1].commit == again.commit
    assert (kept[0].is_new, again.is_new) == (True, False)


def test_a_list_is_newest_first_and_pages(make_repo: MakeRepo) -> None:
    repo = make_repo(ONE)
    for day, name in ((3, "b"), (1, "z"), (2, "m"), (3, "a")):
        ask(repo, "snapshots", "create", name, "--now", f"2026-12-0{day}")

    first = ask(repo, "snapshots", "--limit", "3")
    rest = ask(repo, "snapshots", "list", "--limit", "3", "--cursor", first["next"])

    assert [row["name"] for row in first["snapshots"]] == ["a", "b", "m"]
    assert ([row["name"] for row in rest["snapshots"]], rest["next"], rest["total"]) == (["z"], "", 4)
    assert first["snapshots"][0]["at"] == "2026-12-03T00:00:00Z"


def test_show_names_what_any_revision_holds(make_repo: MakeRepo) -> None:
    repo = make_repo(ONE)
    made = ask(repo, "snapshots", "create", "first")

    shown = {text: ask(repo, "snapshots", "show", text) for text in ("first", "HEAD", made["snapshot_id"][:9])}

    assert [row["name"] for row in shown["HEAD"]["names"]] == ["first"]
    assert {each["snapshot_id"] for each in shown.values()} == {made["snapshot_id"]}
    assert (shown["first"]["items"], shown["first"]["rules"], shown["first"]["warnings"]) == (1, 1, [])
    assert refused(repo, "snapshots", "show", "second")["code"] == "unknown-revision"


def test_a_snapshot_that_lies_about_its_content_is_doubted(make_repo: MakeRepo) -> None:
    repo = make_repo(ONE)
    tree = git(repo, "rev-parse", "HEAD^{tree}").strip()
    forged = git(repo, "commit-tree", tree, "-m", f"snapshot x\n\nSnapshot-Id: {'ab' * 32}").strip()
    git(repo, "update-ref", f"{REF}x", forged)

    assert codes(ask(repo, "snapshots", "show", "x")["warnings"]) == ["snapshot-differs"]
    assert refused(repo, "compile", "src/a.py", "--at", f"snapshot:{'ab' * 8}")["code"] == "unknown-revision"


def test_a_branch_of_the_same_name_comes_first_and_a_strange_ref_is_left_out(make_repo: MakeRepo) -> None:
    repo = make_repo(ONE)
    ask(repo, "snapshots", "create", "first")
    blob = git(repo, "hash-object", "-w", "--stdin", stdin="x").strip()
    git(repo, "update-ref", f"{REF}blob", blob)
    write_tree(repo, rule("one", 1, "src/**", title="Other"))
    commit_all(repo, "other")
    git(repo, "branch", "first")

    titles = [compiled(repo, "--at", at)["base"]["documents"][0]["title"] for at in ("first", "snapshot:first")]

    assert titles == ["Other", "One"]
    assert [row["name"] for row in ask(repo, "snapshots")["snapshots"]] == ["first"]
    assert refused(repo, "snapshots", "create", "blob")["code"] == "snapshot-exists"


def test_only_a_snapshot_of_what_was_trusted_counts_as_approved(make_repo: MakeRepo) -> None:
    repo = make_repo(ONE)
    git(repo, "config", "gitmem.trust", "main")
    ask(repo, "snapshots", "create", "trusted")
    git(repo, "checkout", "--quiet", "-b", "side")
    write_tree(repo, rule("two", 2, "src/**"))
    commit_all(repo, "two")
    made = ask(repo, "snapshots", "create", "claimed", "--at", "HEAD")

    assert codes(made["notices"]) == ["unapproved-revision"]
    assert "unapproved-revision" not in codes(compiled(repo, "--at", "trusted")["notices"])
    assert "unapproved-revision" in codes(compiled(repo, "--at", "claimed")["notices"])


@pytest.mark.capability("R-078")
@pytest.mark.capability("G-022")
def test_two_revisions_are_compared_by_any_of_their_names(make_repo: MakeRepo) -> None:
    repo = make_repo(ONE)
    made = ask(repo, "snapshots", "create", "first")
    write_tree(repo, rule("one", 1, "src/b/**"))
    commit_all(repo, "narrower", date="2026-02-01T00:00:00Z")
    ask(repo, "snapshots", "create", "second")
    lost = [{"file": "src/a.py", "item": engram_id(1), "slug": "one"}]

    for pair in (
        *(("first",), ("HEAD^", "HEAD"), ("2026-01-31", "main"), ("snapshot:first", "second"), ("first", "HEAD")),
        *((made["snapshot_id"][:12], "second"), (made["snapshot_id"], "snapshot:second")),
    ):
        found = ask(repo, "snapshots", "diff", *pair)
        assert found["diff"]["rules"] == {"gained": [], "lost": lost, "gained_total": 0, "lost_total": 1}, pair
        assert found["before"]["snapshot_id"] == made["snapshot_id"]


def test_a_comparison_reads_as_a_text(make_repo: MakeRepo) -> None:
    tabs = rule("indentation", 1, "src/**", title="Indentation of code", body="Indent code with tabs.\n")
    repo = make_repo(CODE | knowledge(tabs, rule("gone", 3, "docs/**")))
    git(repo, "tag", "v1")
    spaces = rule("indent-b", 2, "src/b/**", "web/**", title="Indentation in b", body="Indent code with spaces.\n")
    (repo / ".gitmem/engrams/api/gone.md").unlink()
    write_tree(
        repo, spaces | rule("indentation", 1, "src/*.py", "src/b/*", title="Indentation of code", body="Tabs.\n")
    )
    commit_all(repo, "change")
    write_tree(repo, tabs)
    commit_all(repo, "back")

    said = run_inproc(repo, "snapshots", "diff", "v1", "HEAD")

    versions = [ask(repo, "snapshots", "show", at)["knowledge_version"] for at in ("v1", "HEAD")]
    assert (said.code, said.err) == (0, "")
    assert said.out == "\n".join(
        [
            f"v1 ({versions[0]}) -> HEAD ({versions[1]})",
            "",
            "removed: .gitmem/engrams/api/gone.md",
            "new: .gitmem/engrams/api/indent-b.md",
            "",
            "1 file comes with indent-b: src/b/c.py",
            "indent-b: no file matches web/** yet",
            "",
            "tokens: 10 before, 6 after",
            "",
            "indent-b contradicts indentation: spaces against tabs",
            "  - Indent code with spaces.",
            "  - Indent code with tabs.",
            "",
        ]
    )
    assert run_inproc(repo, "snapshots", "diff", "v1", "v1").out.endswith("\n\nthe knowledge is the same\n")


def test_a_shallow_clone_compares_what_it_has(make_repo: MakeRepo, tmp_path: Path) -> None:
    repo = make_repo(ONE)
    write_tree(repo, rule("two", 2, "src/**"))
    commit_all(repo, "two")
    git(tmp_path, "clone", "--quiet", "--depth=1", repo.as_uri(), "shallow")

    error = refused(tmp_path / "shallow", "snapshots", "diff", "HEAD^")

    assert error["code"] == "unknown-revision"
    assert "--unshallow" in error["hint"]
    assert ask(tmp_path / "shallow", "snapshots", "diff", "HEAD")["diff"]["files"] == []


def test_a_name_is_dropped_and_nothing_else(make_repo: MakeRepo) -> None:
    repo = make_repo(ONE)
    before, made = refs(repo), ask(repo, "snapshots", "create", "before-audit")

    gone = ask(repo, "snapshots", "drop", "before-audit")

    assert (gone["commit"], gone["notices"]) == (made["commit"], [])
    assert refs(repo) == before
    assert refused(repo, "snapshots", "drop", "before-audit")["code"] == "no-snapshot"
    assert refused(repo, "snapshots", "drop", "../heads/main", code=2)["code"] == "usage"


def test_a_dropped_name_comes_back_from_a_remote_and_that_is_said(make_repo: MakeRepo, tmp_path: Path) -> None:
    repo = make_repo(ONE)
    git(tmp_path, "clone", "--quiet", "--bare", str(repo), "there.git")
    git(repo, "remote", "add", "origin", str(tmp_path / "there.git"))
    ask(repo, "sync")
    ask(repo, "snapshots", "create", "before-audit")
    ask(repo, "sync")

    (said,) = ask(repo, "snapshots", "drop", "before-audit")["notices"]
    ask(repo, "sync")

    assert (said["code"], said["hint"].endswith(f"git push origin :{REF}before-audit")) == ("snapshot-comes-back", True)
    assert ask(repo, "snapshots", "list")["total"] == 1


def test_an_unknown_snapshot_leads_to_their_list(make_repo: MakeRepo) -> None:
    assert "gitmem snapshots list" in refused(make_repo(ONE), "snapshots", "show", "nosuch")["hint"]


def test_an_agent_drops_nothing(make_repo: MakeRepo) -> None:
    repo = make_repo(ONE)
    ask(repo, "snapshots", "create", "before-audit")

    with pytest.raises(GitmemError):
        drop(Session(repo, datetime(2026, 12, 1, tzinfo=UTC), "agent"), DropCall("before-audit"))
