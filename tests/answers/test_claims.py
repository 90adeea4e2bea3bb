"""What a rule rests on: its state at a commit, what a change breaks, and how people renew it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.answers.claims import drifted, judged
from gitmem.answers.code import Code
from gitmem.answers.reading import open_place, read
from gitmem.model.claimed import Drift
from gitmem.model.engram import Claim
from gitmem.text.spans import digest, digest_of, folded
from tests.asking import ask, compiled, knowledge, refused, rule
from tests.conftest import MakeRepo
from tests.support import commit_all, engram_id, engram_text, git, write_tree

CODE = "import os\n\n\ndef send(x):\n    return os.write(1, x)\n\n\ndef recv():\n    return os.read(0, 9)\n"
SEND = "def send(x):\n    return os.write(1, x)\n"
RULE = ".gitmem/engrams/api/use-the-client.md"
ID = engram_id(1)


def with_claims(*claims: str, **over: object) -> str:
    text = engram_text(scope={"paths": ["src/**"]}, **over)  # type: ignore[arg-type]  # reason: any key of a header
    return text.replace("tags:", "claims:\n" + "".join(f"  - {each}\n" for each in claims) + "tags:")


def on(path: str, text: str, lines: str = "") -> str:
    """A claim as a file has it."""
    return f"{{path: '{path}', {f'lines: {lines}, ' if lines else ''}hash: '{digest(text)}'}}"


@pytest.fixture
def repo(make_repo: MakeRepo) -> Path:
    files = {"src/a.py": CODE, "README.md": "About.\n", RULE: with_claims(on("src/a.py", SEND, "4-5"))}
    return make_repo(knowledge() | files)


def rows(repo: Path, *words: str) -> list[tuple[str, ...]]:
    """(state, path, lines, now or why) of each claim in the marks of a compile."""
    found = compiled(repo, *words)["marks"].get(ID, {}).get("claims", ())
    return [(r["state"], r["path"], r.get("lines", ""), r.get("now", r.get("why", ""))) for r in found]


def changed(repo: Path, edit: Callable[[str], str], path: str = "src/a.py") -> None:
    write_tree(repo, {path: edit((repo / path).read_text())})
    commit_all(repo)


@pytest.mark.capability("G-007")
def test_a_claim_holds_while_its_lines_are_as_they_were(repo: Path) -> None:
    mark = compiled(repo)["marks"][ID]

    assert mark == {
        "slug": "use-the-client",
        "title": "Call the API through the client",
        "claims": [{"path": "src/a.py", "state": "holds", "lines": "4-5"}],
    }


EDITS = {
    "indentation": (lambda t: t.replace("    return", "\treturn"), "holds", ""),
    "blanks in a line": (lambda t: t.replace("write(1, x)", "write(1,  x)  "), "holds", ""),
    "a blank line within": (lambda t: t.replace("send(x):\n", "send(x):\n\n"), "holds", ""),
    "CRLF": (lambda t: t.replace("\n", "\r\n"), "holds", ""),
    "a byte order mark": (lambda t: "\ufeff" + t, "holds", ""),
    "an edit elsewhere": (lambda t: t.replace("read(0, 9)", "read(0, 10)"), "holds", ""),
    "an edit of the body": (lambda t: t.replace("write(1, x)", "write(2, x)"), "drifted", ""),
    "a removal of the body": (lambda t: t.replace(SEND, ""), "drifted", ""),
    "nothing left": (lambda t: "", "drifted", ""),
    "an import above": (lambda t: t.replace("import os\n", "import os\nimport sys\n"), "moved", "src/a.py:5-6"),
    "a move to the end": (lambda t: t.replace(SEND, "") + "\n\n" + SEND, "moved", "src/a.py:10-11"),
}


@pytest.mark.capability("G-007")
@pytest.mark.parametrize(("edit", "state", "now"), EDITS.values(), ids=EDITS)
def test_an_edit_of_the_code_marks_the_rule(repo: Path, edit: Callable[[str], str], state: str, now: str) -> None:
    (repo / "src/a.py").write_bytes(edit(CODE).encode())
    commit_all(repo)

    assert rows(repo) == [(state, "src/a.py", "4-5", now)]


@pytest.mark.capability("G-007")
@pytest.mark.parametrize("target", ["lib/a.py", "src/b.py", "deep/er/other.py"])
def test_a_renamed_file_moves_its_claims(repo: Path, target: str) -> None:
    (repo / target).parent.mkdir(parents=True, exist_ok=True)
    git(repo, "mv", "src/a.py", target)
    commit_all(repo)

    assert rows(repo) == [("moved", "src/a.py", "4-5", f"{target}:4-5")]


@pytest.mark.capability("G-007")
def test_a_removed_file_is_gone_and_the_rule_is_still_delivered(repo: Path) -> None:
    git(repo, "rm", "--quiet", "src/a.py")
    commit_all(repo)

    assert rows(repo) == [("gone", "src/a.py", "4-5", "")]
    assert [row["delivery"] for row in compiled(repo)["base"]["documents"]] == ["inline"]


def test_a_short_line_that_turns_up_elsewhere_is_no_move(make_repo: MakeRepo) -> None:
    rest = {"src/b.py": "a\n}\n", "src/c.py": "}\n"}
    repo = make_repo(knowledge() | rest | {"src/a.py": "{\n}\n", RULE: with_claims(on("src/a.py", "}\n", "2"))})
    git(repo, "rm", "--quiet", "src/a.py")
    commit_all(repo)

    assert rows(repo) == [("gone", "src/a.py", "2", "")]


def test_of_several_like_places_the_nearest_is_meant(make_repo: MakeRepo) -> None:
    code = f"{SEND}\n\nx = 1\n\n{SEND}\nend\n"
    repo = make_repo(knowledge() | {"src/a.py": code, RULE: with_claims(on("src/a.py", SEND, "7-8"))})
    changed(repo, lambda text: text.replace("x = 1\n", "x = 1\ny = 2\n"))

    assert rows(repo) == [("moved", "src/a.py", "7-8", "src/a.py:8-9")]


BINARY = b"\x89PNG\0\1\2 \3" * 9
ODD: dict[str, tuple[bytes, str, str, str]] = {
    "latin-1": (b"caf\xe9 = 1\n", "holds", "", ""),
    "binary": (BINARY, "drifted", "", ""),
    "lines of a binary file": (BINARY, "unknown", "1-2", "binary"),
    "an LFS pointer": (b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n", "unknown", "", "lfs-pointer"),
    "huge": (b"x = 1\n" * 800_000, "unknown", "1-2", "too-large"),
    "empty": (b"", "drifted", "", ""),
}


@pytest.mark.capability("G-007")
@pytest.mark.parametrize(("data", "state", "lines", "why"), ODD.values(), ids=ODD)
def test_files_that_are_no_usual_text(make_repo: MakeRepo, data: bytes, state: str, lines: str, why: str) -> None:
    wanted = "t1:" + "0" * 40 if state == "drifted" else digest_of(folded(data))
    claim = f"{{path: src/a.py, {f'lines: {lines}, ' if lines else ''}hash: '{wanted}'}}"
    repo = make_repo(knowledge() | {"src/a.py": data, RULE: with_claims(claim)})

    assert rows(repo) == [(state, "src/a.py", lines, why)]


def test_a_binary_file_as_a_whole_holds_until_a_byte_changes(make_repo: MakeRepo) -> None:
    repo = make_repo(knowledge() | {"src/logo.png": BINARY, RULE: with_claims()})
    ask(repo, "edit", "use-the-client", "claims", "--add", "src/logo.png")
    commit_all(repo)
    before = rows(repo)
    (repo / "src/logo.png").write_bytes(BINARY.replace(b" ", b"\t"))
    commit_all(repo)

    assert (before[0][0], rows(repo)[0][0]) == ("holds", "drifted")


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        ("src/a.py", "no-hash"),
        ("{path: src/a.py, symbol: send}", "no-hash"),
        ("{path: src/a.py, hash: 's1:python:9f2c'}", "malformed"),
        ("{path: src/a.py, lines: 5-4, hash: 't1:9f2c'}", "malformed"),
        ("{path: ../a.py, hash: 't1:9f2c'}", "malformed"),
        ("{path: src, hash: 't1:" + "0" * 40 + "'}", "folder"),
        ("{path: link, hash: 't1:" + "0" * 40 + "'}", "symlink"),
    ],
)
def test_what_cannot_be_told_is_unknown_with_its_reason(make_repo: MakeRepo, claim: str, why: str) -> None:
    repo = make_repo(knowledge() | {"src/a.py": CODE, RULE: with_claims(claim)}, commit=False)
    (repo / "link").symlink_to("src/a.py")
    commit_all(repo)

    found = rows(repo)

    assert [(row[0], row[3]) for row in found] == [("unknown", why)]


def test_a_folder_and_a_file_in_it_are_told_apart(make_repo: MakeRepo) -> None:
    folder = "{path: src, hash: 't1:" + "0" * 40 + "'}"
    repo = make_repo(knowledge() | {"src/a.py": CODE, RULE: with_claims(folder, on("src/a.py", CODE))})

    assert rows(repo) == [("unknown", "src", "", "folder"), ("holds", "src/a.py", "", "")]


def test_a_file_that_a_partial_clone_lacks_is_unknown_and_nothing_of_it_is_kept(repo: Path, tmp_path: Path) -> None:
    git(repo, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "--quiet", "--no-checkout", "--filter=blob:none", f"file://{repo}", "partial")
    code = Code(open_place(tmp_path / "partial"), git(repo, "rev-parse", "HEAD").strip())
    claim = Claim("src/a.py", digest=digest(CODE))

    assert [(row.state, row.why) for row in judged(code, [claim])] == [("unknown", "not-here")]
    assert code.is_whole is False


def test_a_snapshot_holds_no_code_so_nothing_is_gone_there(repo: Path) -> None:
    ask(repo, "snapshots", "create", "first")
    changed(repo, lambda text: text.replace("write", "send"))
    git(repo, "commit", "--quiet", "--amend", "--message", "other")
    kept = git(repo, "rev-parse", "refs/gitmem/snapshots/first").strip()

    assert rows(repo, "--at", kept) == [("unknown", "src/a.py", "4-5", "no-code")]


def test_what_is_broken_is_listed_first_and_the_rest_is_counted(make_repo: MakeRepo) -> None:
    files = {f"src/f{at:02}.py": f"x = {at}\n" for at in range(30)}
    claims = [on(path, text) for path, text in files.items()]
    repo = make_repo(knowledge() | files | {RULE: with_claims(*claims)})
    changed(repo, lambda text: text + "y = 1\n", "src/f29.py")

    mark = compiled(repo, file="src/f00.py")["marks"][ID]

    assert (mark["claims"][0]["path"], mark["claims"][0]["state"]) == ("src/f29.py", "drifted")
    assert (len(mark["claims"]), mark["claims_total"]) == (20, 30)


@pytest.mark.capability("G-007")
def test_marks_are_those_of_the_code_at_the_commit_that_was_asked_for(repo: Path) -> None:
    first = git(repo, "rev-parse", "HEAD").strip()
    changed(repo, lambda text: text.replace("write", "send"))
    (repo / "src/a.py").write_text(CODE)

    assert [rows(repo)[0][0], rows(repo, "--at", first)[0][0]] == ["drifted", "holds"]


def test_two_asks_a_clone_and_a_lost_cache_give_the_same_marks(repo: Path, tmp_path: Path) -> None:
    changed(repo, lambda text: text.replace("import os\n", "import os\nimport sys\n"))
    git(tmp_path, "clone", "--quiet", "--depth", "1", f"file://{repo}", "shallow")
    found = [compiled(repo)["marks"], compiled(repo)["marks"]]
    for kept in (repo / ".gitmem/cache").glob("claims-*"):
        kept.unlink()
    found += [compiled(repo)["marks"], compiled(tmp_path / "shallow", "--trust", "head")["marks"]]

    assert found == [found[0]] * 4
    assert found[0][ID]["claims"][0]["state"] == "moved"


def test_a_cache_file_that_somebody_wrote_is_not_believed(repo: Path) -> None:
    before = compiled(repo)["marks"]
    (kept,) = (repo / ".gitmem/cache").glob("claims-*")
    kept.write_bytes(kept.read_bytes().replace(b"holds", b"gone!"))

    assert compiled(repo)["marks"] == before


def test_marks_have_a_hash_of_their_own_and_change_no_id(repo: Path) -> None:
    before = compiled(repo)
    changed(repo, lambda text: text.replace("write", "send"))
    after = compiled(repo)

    assert (after["compile_id"], after["base"]) == (before["compile_id"], before["base"])
    assert after["marks"] != before["marks"]


def test_a_budget_in_tokens_keeps_the_marks_that_warn(make_repo: MakeRepo) -> None:
    rules: dict[str, str] = {}
    for at in range(1, 41):
        slug, text = (f"r{at}", "x = 1\n") if at < 40 else ("a", "y = 2\n")
        rules |= {
            f".gitmem/engrams/api/{slug}.md": with_claims(on("src/a.py", text), id=engram_id(at), title=f"R {at}")
        }
    repo = make_repo(knowledge() | {"src/a.py": "x = 1\n"} | rules)

    whole = compiled(repo)["marks"]
    cut = compiled(repo, "--max-tokens", "6000")["marks"]

    assert len(whole) == 40
    assert engram_id(40) in cut
    assert 1 <= len(cut) < 40


def test_a_rule_that_tags_add_is_marked_too(make_repo: MakeRepo) -> None:
    beside = with_claims(on("src/a.py", "other\n"), tags=["http"]).replace("src/**", "lib/**")
    files = {"src/a.py": CODE, RULE: beside, ".gitmem/tags.yaml": "http: calls over the wire\n"}
    repo = make_repo(knowledge(rule("other", 2, "src/**")) | files)

    assert rows(repo, "--tag", "http") == [("drifted", "src/a.py", "", "")]
    assert rows(repo) == []


def drifts(repo: Path, changes: dict[str, bytes | None]) -> tuple[Drift, ...]:
    return drifted(read(open_place(repo)), changes)


@pytest.mark.capability("G-008")
def test_a_change_names_the_claims_that_it_breaks_and_three_ways_out(repo: Path) -> None:
    (found,) = drifts(repo, {"src/a.py": CODE.replace("write", "send").encode()})

    assert (found.item, found.slug, found.path, found.lines) == (ID, "use-the-client", "src/a.py", "4-5")
    assert (found.before, found.after) == ("holds", "drifted")
    assert [step.split(" use-the-client")[0] for step in found.next_] == [
        "gitmem edit",
        "gitmem claims confirm",
        "gitmem propose retire",
    ]


@pytest.mark.capability("G-008")
@pytest.mark.parametrize(
    ("changes", "states"),
    [
        pytest.param({"src/a.py": None}, ["gone"], id="removed"),
        pytest.param({"src/a.py": None, "lib/b.py": CODE.encode()}, [], id="renamed"),
        pytest.param({"src/a.py": None, "lib/b.py": CODE.replace("write", "x").encode()}, ["gone"], id="and edited"),
        pytest.param({"src/a.py": CODE.replace("import os\n", "").encode()}, [], id="moved"),
        pytest.param({"src/a.py": CODE.replace("\n", "\r\n").encode()}, [], id="reformatted"),
        pytest.param({"src/other.py": b"x\n"}, [], id="another file"),
        pytest.param({"src/a.py": b"\0" * 90}, [], id="binary: nobody can tell"),
        pytest.param({}, [], id="nothing"),
    ],
)
def test_what_a_change_breaks(repo: Path, changes: dict[str, bytes | None], states: list[str]) -> None:
    assert [drift.after for drift in drifts(repo, changes)] == states


def test_a_claim_that_was_broken_before_is_not_blamed_on_a_change(repo: Path) -> None:
    changed(repo, lambda text: text.replace("write", "send"))

    assert drifts(repo, {"src/a.py": b"nothing\n"}) == ()


def test_a_retired_rule_drifts_no_more(make_repo: MakeRepo) -> None:
    text = with_claims(on("src/a.py", SEND, "4-5"), status="deprecated")
    repo = make_repo(knowledge() | {"src/a.py": CODE, RULE: text})

    assert drifts(repo, {"src/a.py": None}) == ()


@pytest.mark.capability("G-008")
def test_an_update_and_a_confirmation_go_with_the_change(repo: Path) -> None:
    write_tree(repo, {"src/a.py": CODE.replace("write(1, x)", "write(2, x)")})
    done = ask(repo, "claims", "confirm", "use-the-client", "--path", "src/a.py")
    commit_all(repo)

    assert [row["state"] for row in done["renewed"]] == ["drifted"]
    assert rows(repo) == [("holds", "src/a.py", "4-5", "")]


@pytest.mark.capability("G-008")
@pytest.mark.parametrize("is_moved", [False, True])
def test_a_confirmation_follows_the_lines_that_the_change_moved_as_well(repo: Path, is_moved: bool) -> None:
    """A hash of whatever stands at the old numbers would confirm other code."""
    if is_moved:
        write_tree(repo, {"src/a.py": f"# first\n{CODE}"})
        commit_all(repo)
    text = (repo / "src/a.py").read_text()
    write_tree(repo, {"src/a.py": "import sys\n\n\n\n\n" + text.replace("write(1, x)", "write(2, x)")})

    ask(repo, "claims", "confirm", "use-the-client")
    commit_all(repo)

    first = 10 if is_moved else 9
    assert rows(repo) == [("holds", "src/a.py", f"{first}-{first + 1}", "")]


def test_a_confirmation_changes_the_lines_of_the_claim_and_no_other_byte(make_repo: MakeRepo) -> None:
    repo = make_repo(knowledge(rule("use-the-client", 1, "src/**")) | {"src/a.py": CODE, "src/b.py": "b\n"})
    for place in ("src/a.py#L4-L5", "src/b.py", "src/a.py"):
        ask(repo, "edit", "use-the-client", "claims", "--add", place)
    commit_all(repo)
    before = (repo / RULE).read_text().splitlines()
    write_tree(repo, {"src/a.py": "import sys\n" + CODE})
    done = ask(repo, "claims", "confirm", "use-the-client")
    after = (repo / RULE).read_text().splitlines()
    commit_all(repo)

    assert [row["state"] for row in done["renewed"]] == ["moved", "drifted"]
    fresh = [new.strip().partition(":")[0] for old, new in zip(before, after, strict=True) if old != new]
    assert fresh == ["lines", "hash"]
    assert [row[0] for row in rows(repo)] == ["holds"] * 3


def test_what_is_gone_is_left_as_it_is_and_named(repo: Path) -> None:
    (repo / "src/a.py").unlink()
    before = (repo / RULE).read_bytes()

    done = ask(repo, "claims", "confirm", "use-the-client")

    assert (done["changed"], [row["state"] for row in done["left"]]) == (False, ["gone"])
    assert (repo / RULE).read_bytes() == before


@pytest.mark.capability("G-007")
@pytest.mark.parametrize("spec", ["src/a.py#L4-L5", "src/a.py#L4-5", "src/a.py#4-5", "./src/a.py#L3-L7", "src/a.py#L5"])
def test_a_claim_is_made_from_a_place_in_the_code(make_repo: MakeRepo, spec: str) -> None:
    repo = make_repo(knowledge(rule("use-the-client", 1, "src/**")) | {"src/a.py": CODE})
    ask(repo, "edit", "use-the-client", "claims", "--add", spec)
    commit_all(repo)
    held = rows(repo)
    changed(repo, lambda text: text.replace("write", "send"))

    assert held == [("holds", "src/a.py", "5" if spec.endswith("#L5") else "4-5", "")]
    assert rows(repo)[0][0] == "drifted"


def test_the_same_place_added_again_gets_a_new_hash(repo: Path) -> None:
    changed(repo, lambda text: text.replace("write", "send"))
    ask(repo, "edit", "use-the-client", "claims", "--add", "src/a.py#L4-L5")
    commit_all(repo)

    assert rows(repo) == [("holds", "src/a.py", "4-5", "")]


@pytest.mark.parametrize(
    ("spec", "left"),
    [("src/a.py#L4-L5", ["src/a.py"]), ("src/a.py", []), ("src/b.py", ["src/a.py", "src/a.py"])],
)
def test_a_claim_is_taken_out_by_its_place(make_repo: MakeRepo, spec: str, left: list[str]) -> None:
    claims = (on("src/a.py", SEND, "4-5"), "src/a.py")
    repo = make_repo(knowledge() | {"src/a.py": CODE, RULE: with_claims(*claims)})
    ask(repo, "edit", "use-the-client", "claims", "--remove", spec)
    commit_all(repo)

    assert [row[1] for row in rows(repo)] == left


@pytest.mark.parametrize(
    ("spec", "code", "said"),
    [
        ("src/none.py", 1, "no file"),
        ("src/a.py#L90", 1, "it has 10 lines"),
        ("src/a.py#L2-L3", 1, "only blank lines"),
        ("src/a.py#L5-L4", 2, "end before they begin"),
        ("../x.py", 2, "not a path inside"),
        ("#L4", 2, "not a place in the code"),
        ("src/a.py#sent", 1, "defines no sent"),
        ("src", 1, "src"),
        ("logo.png#L1", 1, "binary"),
    ],
)
def test_a_place_that_is_not_there_is_refused(make_repo: MakeRepo, spec: str, code: int, said: str) -> None:
    files = {"src/a.py": CODE, "logo.png": BINARY}
    repo = make_repo(knowledge(rule("use-the-client", 1, "src/**")) | files)
    before = (repo / ".gitmem/engrams/api/use-the-client.md").read_bytes()

    error = refused(repo, "edit", "use-the-client", "claims", "--add", spec, code=code)

    assert said in error["message"]
    assert (repo / ".gitmem/engrams/api/use-the-client.md").read_bytes() == before


def test_a_proposal_takes_its_hash_from_what_is_trusted(repo: Path) -> None:
    """G-007. What lies in the work tree of whoever proposes is not what the others have."""
    (repo / "src/a.py").write_text("other\n")

    made = ask(repo, "propose", "edit", "use-the-client", "claims", "--add", "src/a.py#L8-L9")
    ask(repo, "proposals", "approve", f"{made['proposal']}@{made['patchset']}", "--yes")

    assert [row[0] for row in rows(repo)] == ["holds", "holds"]


def test_claims_are_listed_by_state_path_and_page(make_repo: MakeRepo) -> None:
    files = {f"src/f{at}.py": f"x = {at}\n" for at in range(1, 6)}
    rules = {
        f".gitmem/engrams/api/r{at}.md": with_claims(on(f"src/f{at}.py", f"x = {at}\n"), id=engram_id(at))
        for at in range(1, 6)
    }
    repo = make_repo(knowledge() | files | rules)
    changed(repo, lambda text: text + "y\n", "src/f3.py")

    first = ask(repo, "claims", "list", "--limit", "2")
    drift = ask(repo, "claims", "list", "--state", "drifted")
    second = ask(repo, "claims", "list", "--limit", "9", "--cursor", first["next"])

    assert ([row["slug"] for row in first["items"]], first["total"]) == (["r1", "r2"], 5)
    assert ([row["slug"] for row in second["items"]], second["next"]) == (["r3", "r4", "r5"], "")
    assert [row["slug"] for row in drift["items"]] == ["r3"]
    assert [row["slug"] for row in ask(repo, "claims", "list", "--path", "src/f2.py")["items"]] == ["r2"]
    assert [row["slug"] for row in ask(repo, "claims", "list", "r4")["items"]] == ["r4"]


@pytest.mark.parametrize(
    "words", [("--state", "broken"), ("--limit", "0"), ("--limit", "501"), ("--path", "../x")], ids=" ".join
)
def test_a_list_that_cannot_be_is_refused(repo: Path, words: tuple[str, ...]) -> None:
    assert refused(repo, "claims", "list", *words, code=2)["hint"]


def test_a_rule_without_claims_cannot_be_confirmed(make_repo: MakeRepo) -> None:
    repo = make_repo(knowledge(rule("use-the-client", 1, "src/**")) | {"src/a.py": CODE})

    error = refused(repo, "claims", "confirm", "use-the-client", code=2)

    assert "no claim" in error["message"]
    assert "--add" in error["hint"]


def verified(repo: Path, *words: str) -> list[str]:
    """What a change of the work tree breaks, as ``verify`` tells it: state and the first step of each."""
    git(repo, "add", "--all")
    answer = ask(repo, "verify", "--staged", *words)
    return [row["after"] for row in answer["drifted"]]


@pytest.mark.capability("G-008")
@pytest.mark.parametrize(
    ("change", "states"),
    [
        pytest.param((), ["drifted"], id="nothing besides"),
        pytest.param(("edit", "use-the-client", "summary", "Another."), ["drifted"], id="an update without the claim"),
        pytest.param(("claims", "confirm", "use-the-client"), [], id="confirmed"),
        pytest.param(("edit", "use-the-client", "status", "deprecated"), [], id="retired"),
        pytest.param(("rm", "use-the-client"), [], id="removed"),
        pytest.param(("mv", "use-the-client", "http/the-client"), ["drifted"], id="moved"),
        pytest.param(("edit", "use-the-client", "claims", "--remove", "src/a.py"), [], id="claim taken out"),
    ],
)
def test_what_the_same_change_does_to_the_knowledge_counts(
    repo: Path, change: tuple[str, ...], states: list[str]
) -> None:
    write_tree(repo, {"src/a.py": CODE.replace("write", "send")})
    if change:
        ask(repo, *change)

    assert verified(repo) == states


@pytest.mark.capability("G-008")
@pytest.mark.parametrize(("edit", "states"), [("", []), ("write", ["gone"])], ids=["renamed", "renamed and rewritten"])
def test_a_rename_in_a_staged_change_is_followed(repo: Path, edit: str, states: list[str]) -> None:
    git(repo, "mv", "src/a.py", "src/b.py")
    write_tree(repo, {"src/b.py": CODE.replace(edit, "x") if edit else CODE})

    assert verified(repo) == states


def test_the_text_of_a_removed_file_in_a_new_one_is_found(repo: Path) -> None:
    (repo / "src/a.py").unlink()
    write_tree(repo, {"lib/new.py": "# new\n" * 50 + SEND + "# more\n" * 50})

    assert verified(repo) == []


@pytest.mark.capability("G-007")
def test_whoever_reads_an_item_is_told_that_its_claims_hold_no_more(repo: Path) -> None:
    def told() -> list[tuple[str, str]]:
        return [(each["code"], each["message"]) for each in ask(repo, "get", "use-the-client")["notices"]]

    before = told()
    changed(repo, lambda text: text.replace("import os\n", "import os\nimport re\n"))
    moved = told()
    changed(repo, lambda text: text.replace("write(1, x)", "write(2, x)"))

    assert before == []
    start = "1 of 1 claims of use-the-client hold no more as they were"
    assert moved == [("claim-moved", f"{start}: src/a.py:4-5 moved to src/a.py:5-6")]
    assert told() == [("claim-drifted", f"{start}: src/a.py:4-5 drifted")]
