"""What people and other programs hand in that cannot be let in: it is refused by name, and stands in nobody's way."""

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from gitmem.answers.approve import ApproveCall, approve
from gitmem.answers.checking import CheckCall, check
from gitmem.answers.closing import RejectCall, SupersedeCall, reject, supersede
from gitmem.answers.preflight import PreflightCall, preflight
from gitmem.answers.proposals import ListCall, list_proposals
from gitmem.answers.propose import ProposeCall, ProposeItemCall, ProposeMoveCall, propose, propose_mv, propose_rm
from gitmem.answers.showing import DiffCall, ShowCall, diff, show
from gitmem.errors import GitmemError, UsageError
from gitmem.store.refs import META, PROPOSALS, under
from tests.answers.people import CLIENT, FILES, RETRY, Crew, Person, alone, copied, crew
from tests.answers.test_approve import refusal, tags
from tests.keys import Key, make_key, needs_keygen, use_key
from tests.support import engram_id, engram_text, git, run_cli, run_inproc, write_tree

NAUGHTY = (
    "x" * 200,
    "\u202etitle",
    "#!/bin/sh",
    "a: b # c",
    "- no",
    "'\"",
    "No",
    "$(touch here) `touch here` ; touch here",
    "\u65e5\u672c\u8a9e\u306e\u984c",
    "\U0001f468\u200d\U0001f4bb",
    "--help",
    "a/../../b",
    "con",
)


@pytest.fixture
def ada(tmp_path: Path) -> Person:
    return alone(tmp_path / "ada")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("odd") / "kept"


@pytest.fixture
def pair(kept: Path, tmp_path: Path) -> Crew:
    return copied(lambda folder: crew(folder, ("ada", "bob")), kept, tmp_path / "pair")


def test_a_base_that_is_not_in_this_clone(pair: Crew) -> None:
    """A shallow clone has the proposal's commit and not what it stands on."""
    ada, bob = pair.person("ada"), pair.person("bob")
    id_ = tags(ada)
    ada.sync()
    bob.write({"src/app.py": "print(7)\n"}, "on")
    bob.git("push", "--quiet", "origin", "main")
    low = pair.clone("low", "--depth", "1")
    ref = under(PROPOSALS, id_)
    low.git("fetch", "--quiet", "--depth", "1", "origin", f"{ref}:{ref}")
    other = low.edit("retry", "tags", "net")

    assert low.statuses() == {id_: "needs-resolution", other: "open"}
    found = refusal(low, id_)
    assert found.code in ("base-missing", "missing-object")
    assert "unshallow" in found.hint
    low.approve(other)
    low.git("fetch", "--quiet", "--unshallow")
    low.approve(id_)
    assert low.status(id_) == "claimed"


def test_what_no_longer_applies_names_the_field_and_both_values(ada: Person) -> None:
    id_ = ada.edit("client", "title", "Go through the client")
    ada.write({f".gitmem/{CLIENT}": ada.read(CLIENT).replace("title: Call", "title: Always call")})
    found = refusal(ada, id_)

    assert found.code == "conflict"
    assert "title of engrams/api/client.md" in found.message
    assert "Always call the API through the client" in found.message
    assert "Go through the client" in found.message
    assert id_ in found.hint


def test_what_no_longer_applies_since_its_item_is_gone(ada: Person) -> None:
    """Delete against edit: the edit stays, and whoever approves is told."""
    id_ = ada.edit("retry", "title", "Retry two times")
    (ada.root / ".gitmem" / RETRY).unlink()
    ada.write({}, "gone")
    done = ada.approve(id_)

    assert "kept-edit" in {notice.code for notice in done.warnings}
    assert "Retry two times" in "".join(p.read_text() for p in (ada.root / ".gitmem/engrams").rglob("*.md"))


@pytest.mark.parametrize("is_moved", [False, True], ids=["edited", "moved"])
def test_a_removal_of_what_was_changed_since_is_settled_by_its_author(ada: Person, is_moved: bool) -> None:
    """Edit beats delete: what a removal was judged on is gone, and only a further patch set removes it."""
    id_ = str(propose_rm(ada.session(), ProposeItemCall("retry")).proposal)
    move = ProposeMoveCall("retry", "net/again")
    other = str(propose_mv(ada.session(), move).proposal) if is_moved else ada.edit("retry", "priority", "5")
    ada.approve(other)
    rehearsed = preflight(ada.session(), PreflightCall((id_,)))
    found = refusal(ada, id_, remove_many=True)

    assert ada.status(id_) == "needs-resolution"
    assert [(each.field, each.theirs) for each in rehearsed.conflicts] == [("file", None)]
    assert (found.code, rehearsed.ok) == ("conflict", False)
    assert "it removes engrams/" in found.message
    assert f"--extend {id_}" in found.hint
    ada.extend(id_)
    assert ada.status(id_) == "open"
    ada.approve(id_, remove_many=True)
    assert ada.status(id_) == "landed"
    assert "Retry twice" not in "".join(p.read_text() for p in (ada.root / ".gitmem/engrams").rglob("*.md"))
    assert run_inproc(ada.root, "check").code == 0


def test_two_that_are_clean_alone_and_a_cycle_together(ada: Person) -> None:
    """F-097: the second one is refused, and says why."""
    first, second = ada.edit("client", "requires", "retry"), ada.edit("retry", "requires", "client")
    ada.approve(first)
    found = refusal(ada, second)

    assert "cycle" in found.code
    assert (ada.status(first), ada.status(second)) == ("landed", "open")


def test_a_cycle_within_a_bundle_is_refused_when_it_is_proposed(ada: Person) -> None:
    with pytest.raises(GitmemError) as caught:
        ada.plan(
            "{edit: {item: client, field: requires, add: [retry]}}",
            "{edit: {item: retry, field: requires, add: [client]}}",
        )
    assert "cycle" in caught.value.code
    assert ada.statuses() == {}


def test_a_tip_that_moved_after_it_was_shown(ada: Person) -> None:
    id_ = tags(ada)
    shown = show(ada.session(), ShowCall(id_)).patchset
    ada.edit("retry", "title", "And this one too", extend=id_)
    with pytest.raises(GitmemError) as caught:
        approve(ada.session(), ApproveCall((f"{id_}@{shown}",)))

    assert caught.value.code == "patchset-moved"
    assert ada.status(id_) == "open"


@pytest.mark.parametrize("text", ["", "@", "{id}", "{id}@", "{id}@12345", "{id}@zzzzzzz", "{id}@" + "0" * 12])
def test_an_approval_that_names_no_patch_set_or_another_one(ada: Person, text: str) -> None:
    id_ = tags(ada)
    with pytest.raises(GitmemError):
        approve(ada.session(), ApproveCall((text.format(id=id_),)))

    assert ada.version() == 0


def test_an_entry_on_a_branch_that_is_not_trusted_is_a_claim(pair: Crew) -> None:
    """G-016: a forged record counts nowhere else."""
    ada, bob = pair.person("ada"), pair.person("bob")
    id_ = tags(ada)
    ada.sync()
    bob.sync()
    bob.git("checkout", "--quiet", "-b", "forged")
    bob.git("merge", "--quiet", "--no-ff", "-m", "approved", bob.tip(id_))

    assert (bob.status(id_), bob.version()) == ("claimed", 0)
    bob.git("push", "--quiet", "origin", "forged")
    ada.git("fetch", "--quiet")
    assert (ada.status(id_), ada.version()) == ("open", 0)
    assert "http" not in run_inproc(bob.root, "get", "client").out


def test_an_entry_that_lies_about_what_it_changed_is_found_by_the_check(ada: Person) -> None:
    id_ = tags(ada)
    start = ada.head()
    entry = git(ada.root, "show", f"{ada.tip(id_)}:{path_of(ada, id_)}")
    write_tree(ada.root, {path_of(ada, id_): entry})
    ada.write({f".gitmem/{CLIENT}": ada.read(CLIENT).replace("Components never", "Anybody may")}, "approved, trust me")
    found = check(ada.session(), CheckCall(range=f"{start}..HEAD")).findings

    assert {finding.code for finding in found if path_of(ada, id_).endswith(finding.path.rpartition("/")[2])}
    assert ada.status(id_) in ("landed-with-changes", "partially-landed")


def path_of(ada: Person, id_: str) -> str:
    return ada.git("diff", "--name-only", "--diff-filter=A", f"{ada.tip(id_)}^", ada.tip(id_))


def test_unrelated_histories_are_not_proposed_as_one(ada: Person, tmp_path: Path) -> None:
    """F-064."""
    other = alone(tmp_path / "other", {f".gitmem/{CLIENT}": engram_text(id=engram_id(40), title="Theirs")})
    ada.git("fetch", "--quiet", str(other.root), "main:theirs")
    outcome = run_inproc(ada.root, "propose", "--from-branch", "theirs", "--json")

    assert outcome.code == 1
    assert json.loads(outcome.out)["error"]["code"] == "unknown-revision"
    assert ada.version() == 0
    assert ada.read(CLIENT) == FILES[f".gitmem/{CLIENT}"]


@pytest.mark.parametrize(
    "ref",
    ["--upload-pack=touch x", "-n", "a..b", "../../etc", "HEAD:.gitmem", "main^{tree}", "no-such", "", "a b", "@{-1}"],
)
@pytest.mark.parametrize("source", ["from_branch", "from_commit"])
def test_a_name_that_is_no_revision(ada: Person, ref: str, source: str) -> None:
    with pytest.raises(GitmemError) as caught:
        propose(ada.session(), ProposeCall(**{source: ref}))

    assert caught.value.message
    assert ada.statuses() == {}
    assert sorted(p.name for p in ada.root.iterdir()) == [".git", ".gitmem", "notes.txt", "src"]


@pytest.mark.parametrize(
    "id_", ["../../heads/main", "--all", "main", "0" * 26, "I" * 26, "8" + "Z" * 25, "x..y", "a\nb", ""]
)
def test_a_name_that_is_no_proposal(ada: Person, id_: str) -> None:
    for act in (
        lambda: show(ada.session(), ShowCall(id_)),
        lambda: diff(ada.session(), DiffCall(id_)),
        lambda: reject(ada.session(), RejectCall((id_,), "no")),
        lambda: approve(ada.session(), ApproveCall((f"{id_}@{'0' * 12}",))),
        lambda: ada.revert(id_),
        lambda: ada.reinstate(id_),
        lambda: ada.edit("client", "tags", "net", needs=(id_,)),
    ):
        with pytest.raises(GitmemError) as caught:
            act()
        assert caught.value.code in ("unknown-proposal", "usage"), caught.value.message


@pytest.mark.parametrize(
    "hook", ["commit-msg", "pre-commit", "prepare-commit-msg", "pre-push", "reference-transaction"]
)
def test_a_hook_that_fails_is_not_asked(ada: Person, hook: str) -> None:
    """What a hook refuses is refused by ``check`` or not at all: nothing of the repository is run."""
    path = ada.root / ".git/hooks" / hook
    path.parent.mkdir(exist_ok=True)
    path.write_text("#!/bin/sh\ntouch ran\nexit 1\n")
    path.chmod(0o755)
    id_ = tags(ada)
    ada.approve(id_)
    ada.revert(id_)

    assert ada.status(id_) == "reverted"
    assert not (ada.root / "ran").exists()
    assert ada.dirt() == ""


def test_signing_in_the_users_settings_needs_no_key_to_propose_and_approve(ada: Person) -> None:
    """Nobody is asked for a passphrase; who wants a signature says --sign."""
    ada.git("config", "commit.gpgSign", "true")
    ada.git("config", "gpg.program", "/bin/false")
    ada.git("config", "user.signingKey", "NOBODY")
    id_ = tags(ada)
    ada.approve(id_)
    assert ada.status(id_) == "landed"
    other = ada.edit("retry", "tags", "net")
    tip = ada.head()
    with pytest.raises(GitmemError):
        ada.approve(other, sign=True)

    assert (ada.head(), ada.status(other), ada.dirt()) == (tip, "open", "")


@needs_keygen
def test_an_approval_is_signed_when_that_is_asked_for(ada: Person, tmp_path: Path) -> None:
    use_key(ada.root, make_key(tmp_path))
    ada.git("config", "commit.gpgSign", "false")
    done = ada.approve(tags(ada), sign=True)

    assert "gpgsig" in ada.git("cat-file", "commit", done.commit)
    assert ada.dirt() == ""


@pytest.fixture
def signed(tmp_path: Path) -> tuple[Person, Key]:
    """Only signed commits count, Ada's key is allowed, and the first commit is the root."""
    key = make_key(tmp_path)
    ada = alone(
        tmp_path / "ada", {".gitmem/config.yaml": "format: 1\ntrust: signed\n", ".gitmem/allowed_signers": key.line}
    )
    use_key(ada.root, key)
    ada.git("commit", "--quiet", "--amend", "--no-edit", "-S")
    ada.git("config", "gitmem.trust", "signed")
    ada.git("config", "gitmem.signersRoot", ada.head())
    return ada, key


@needs_keygen
def test_under_signed_an_approval_is_signed_and_counts(signed: tuple[Person, Key]) -> None:
    ada, _ = signed
    first = tags(ada)
    ada.approve(first)
    second = ada.edit("retry", "tags", "net")
    ada.approve(second)

    assert (ada.status(first), ada.status(second), ada.version()) == ("landed", "landed", 2)
    ada.revert(first)
    assert (ada.status(first), ada.version()) == ("reverted", 3)


@needs_keygen
@pytest.mark.parametrize("how", ["no key", "a key that nobody allowed"])
def test_under_signed_nothing_lands_that_readers_would_not_follow(
    signed: tuple[Person, Key], tmp_path: Path, how: str
) -> None:
    ada, _ = signed
    id_ = tags(ada)
    if how == "no key":
        ada.git("config", "--unset", "user.signingKey")
        ada.git("config", "gpg.ssh.defaultKeyCommand", "false")
    else:
        use_key(ada.root, make_key(tmp_path, "eve@example.org"))
    refusal(ada, id_)

    assert (ada.status(id_), ada.version()) == ("open", 0)


YEARS = (timedelta(days=3653), timedelta(days=-3653))


@pytest.mark.parametrize("shift", YEARS, ids=["ten years ahead", "ten years behind"])
def test_a_clock_that_is_wrong_changes_dates_and_nothing_else(ada: Person, shift: timedelta) -> None:
    first = tags(ada)
    ada.shift = shift
    second = ada.edit("client", "summary", "Never fetch.", needs=(first,))
    ada.approve(second, with_needs=True)
    ada.shift = timedelta()
    third = ada.edit("client", "tags", "api", "net")
    ada.approve(third)
    ada.revert(second)

    assert (ada.status(first), ada.status(second), ada.status(third)) == ("landed", "reverted", "landed")
    assert ada.version() == 4
    assert run_inproc(ada.root, "check").code == 0


@pytest.mark.parametrize("shift", YEARS, ids=["ten years ahead", "ten years behind"])
def test_the_last_word_counts_whatever_the_clock_says(ada: Person, shift: timedelta) -> None:
    id_ = tags(ada)
    words = ("reject", "reinstate", "withdraw", "reinstate", "reject", "reinstate")
    for number, word in enumerate(words):
        ada.shift = shift if number % 2 == 0 else timedelta()
        getattr(ada, word)(id_)
        assert ada.status(id_) == {"reject": "rejected", "reinstate": "open", "withdraw": "withdrawn"}[word]


def test_the_last_word_of_two_clones_with_other_clocks_is_the_same_in_both(pair: Crew) -> None:
    ada, bob = pair.person("ada"), pair.person("bob")
    ada.shift, bob.shift = YEARS
    id_ = tags(ada)
    ada.sync()
    bob.sync()
    bob.reject(id_)
    bob.sync()
    ada.sync()
    assert ada.status(id_) == bob.status(id_) == "rejected"
    ada.reinstate(id_)
    ada.sync()
    bob.sync()
    assert ada.status(id_) == bob.status(id_) == "open"
    bob.reject(id_)
    bob.sync()
    ada.sync()

    assert ada.status(id_) == bob.status(id_) == "rejected"


BROKEN = {
    "of another kind": lambda ada: ada.git("rev-parse", f"main:.gitmem/{CLIENT}"),
    "of no proposal": lambda ada: ada.head(),
    "of another id": tags,
    "cut off": lambda ada: cut_off(ada),
}


def cut_off(ada: Person) -> str:
    return ada.git("commit-tree", ada.git("mktree", stdin=""), "-m", "empty")


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("family", ["proposals", "archive"])
def test_a_ref_that_holds_no_proposal_is_named_and_stands_in_nobodys_way(ada: Person, name: str, family: str) -> None:
    oid = BROKEN[name](ada)
    oid = ada.tip(oid) if len(oid) == 26 else oid
    bad = engram_id(99)
    ref = f"refs/gitmem/{family}/{bad[-2:].lower()}/{bad}"
    ada.git("update-ref", ref, oid)
    id_ = ada.edit("retry", "tags", "net")
    found = list_proposals(ada.session(), ListCall(status=("all",)))

    assert [notice.place for notice in found.warnings] == [ref]
    assert id_ in {row.id for row in found.proposals}
    assert bad not in {row.id for row in found.proposals}
    with pytest.raises(GitmemError):
        ada.show(bad)
    ada.approve(id_)
    assert ada.statuses()[id_] == "landed"


@pytest.mark.parametrize("family", ["proposals", "archive", "meta"])
def test_a_ref_with_a_name_that_is_no_id_stands_in_nobodys_way(ada: Person, family: str) -> None:
    for name in ("garbage", "aa/garbage", "x/y/z", "aa/01J6XQK5P7R2V8Y3M4N600000i", "zz/7" + "Z" * 25):
        ada.git("update-ref", f"refs/gitmem/{family}/{name}", ada.head())
    id_ = tags(ada)

    assert ada.statuses()[id_] == "open"
    ada.reject(id_)
    assert tags(ada) == "None"
    other = ada.edit("retry", "tags", "net")
    ada.approve(other)
    assert ada.statuses() == {id_: "rejected", other: "landed"}


def test_a_symbolic_ref_is_no_proposal(ada: Person) -> None:
    bad = engram_id(99)
    ada.git("symbolic-ref", under(PROPOSALS, bad), "refs/heads/main")
    id_ = tags(ada)
    ada.approve(id_)

    assert ada.statuses() == {id_: "landed"}
    assert ada.version() == 1


def test_events_that_cannot_be_read_are_left_out(ada: Person) -> None:
    id_ = tags(ada)
    rows = ""
    for name, text in {f"{engram_id(5)}.yaml": "kind: [", "odd.txt": "x", f"{engram_id(6)}.yaml": "id: x\n"}.items():
        rows += f"100644 blob {ada.git('hash-object', '-w', '--stdin', stdin=text)}\t{name}\n"
    ada.git("update-ref", under(META, id_), ada.git("commit-tree", ada.git("mktree", stdin=rows), "-m", "odd"))

    assert ada.status(id_) == "open"
    ada.reject(id_)
    assert ada.status(id_) == "rejected"


@pytest.mark.parametrize("title", NAUGHTY, ids=range(len(NAUGHTY)))
def test_a_title_of_any_kind_comes_out_as_it_went_in(ada: Person, title: str) -> None:
    """F-223: whatever can be proposed can be let in."""
    words = ("propose", "new", "--body", "-", "--", "fact", title)
    outcome = run_cli(ada.root, *words, stdin="So.\n")
    if outcome.code:
        assert "Traceback" not in outcome.err
        assert ada.statuses() == {}
        return
    ((id_, _),) = ada.statuses().items()
    assert ada.show(id_).title == title
    ada.approve(id_)
    assert ada.status(id_) == "landed"
    assert sorted(p.name for p in ada.root.iterdir()) == [".git", ".gitmem", "notes.txt", "src"]
    assert run_inproc(ada.root, "check").code == 0


@pytest.mark.parametrize("title", ["", " ", "x" * 201, "x" * 100_000, "nul\0byte", "\ud800"])
def test_a_title_that_no_engram_may_have(ada: Person, title: str) -> None:
    with pytest.raises(GitmemError):
        ada.new(title)
    assert ada.statuses() == {}


@pytest.mark.parametrize(
    "rationale", ["Gitmem-Writer: somebody\nGitmem-Proposal: else", "x" * 20_000, "# a\n\n---\n", "a: [b"]
)
def test_a_rationale_is_no_more_than_words(ada: Person, rationale: str) -> None:
    id_ = ada.edit("client", "tags", "api", "http", rationale=rationale)
    ada.edit("client", "tags", "api", "net", extend=id_)

    assert ada.show(id_).rationale == rationale.strip()
    ada.approve(id_)
    assert ada.status(id_) == "landed"


def test_words_have_an_end_and_nothing_in_them_hides(ada: Person) -> None:
    """F-130."""
    with pytest.raises(UsageError, match="at most 20000"):
        ada.edit("client", "tags", "http", rationale="x" * 70_000)
    id_ = ada.edit("client", "tags", "http", rationale="so\u202ehidden")

    assert ada.show(id_).rationale == "so\\u202ehidden"


def test_what_looks_like_a_secret_is_not_proposed(ada: Person) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    with pytest.raises(GitmemError) as caught:
        ada.edit("client", "body", f"Use {token}.\n")

    assert caught.value.code == "secret"
    assert token not in str(caught.value)
    assert token not in ada.git("rev-list", "--all", "--objects")


def test_an_agent_proposes_and_decides_nothing(ada: Person) -> None:
    id_ = tags(ada)
    agent = Person(ada.root, ada.clock, surface="agent")
    for act in (
        lambda: agent.approve(id_),
        lambda: agent.reject(id_),
        lambda: agent.withdraw(id_),
        lambda: agent.reinstate(id_),
        lambda: agent.revert(id_),
    ):
        with pytest.raises(UsageError):
            act()
    assert ada.status(id_) == "open"


@needs_keygen
def test_under_signed_nothing_lands_behind_a_break_in_the_chain(signed: tuple[Person, Key]) -> None:
    """No reader would see it, so it must not look as if it had landed."""
    ada, _ = signed
    id_ = ada.edit("client", "priority", "7")
    ada.git("config", "commit.gpgSign", "false")
    ada.write({f".gitmem/{RETRY}": engram_text(id=engram_id(2), title="Retry twice", body="By hand, unsigned.\n")})
    before = ada.head()

    with pytest.raises(GitmemError) as caught:
        ada.approve(id_)

    assert caught.value.code == "chain-broken"
    assert ada.head() == before


@pytest.mark.parametrize("verb", ["approve", "reject", "supersede", "revert"])
def test_nobody_decides_without_a_name(ada: Person, verb: str, monkeypatch: pytest.MonkeyPatch) -> None:
    id_, other = ada.edit("client", "priority", "7"), ada.new("Thing")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.setenv("HOME", str(ada.root))
    for name in ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "EMAIL"):
        monkeypatch.delenv(name, raising=False)
    calls: dict[str, Callable[[], object]] = {
        "approve": lambda: ada.approve(id_),
        "reject": lambda: ada.reject(id_),
        "supersede": lambda: supersede(ada.session(), SupersedeCall(id_, other)),
        "revert": lambda: ada.revert(id_),
    }
    before = ada.git("for-each-ref")

    with pytest.raises(GitmemError) as caught:
        calls[verb]()

    assert caught.value.code == "no-identity"
    assert "user.email" in caught.value.hint
    assert ada.git("for-each-ref") == before
