"""What a reviewer finds and does: filters, grounds, changes laid over, batches, bundles; and what stays on record."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitmem.answers.closing import RejectCall, reject
from gitmem.answers.session import Session
from gitmem.errors import UsageError
from gitmem.mcp import calls
from gitmem.mcp.calls import Caller, Desk
from gitmem.operations import find
from gitmem.store import approvals, ledger
from gitmem.text import secrets
from tests.answers.people import alone
from tests.asking import ask, by_slug, compiled, knowledge, refused, rule
from tests.conftest import MakeRepo
from tests.support import engram_id, git, run_inproc

ITEM, OTHER = "use-the-client", "retry-twice"
FILES = knowledge(rule(ITEM, 1, "src/**", tags=["api"]), rule(OTHER, 2, "src/**", domain="http"))
PROPOSE = find("propose")
assert PROPOSE is not None


@pytest.fixture
def repo(make_repo: MakeRepo) -> Path:
    return make_repo(FILES)


def opened(repo: Path, *words: str) -> str:
    """ID@PATCHSET of a proposal of the person."""
    found = ask(repo, "propose", *words)
    return f"{found['proposal']}@{found['patchset']}"


def by_agent(repo: Path, name: str, **arguments: object) -> Mapping:
    """The answer of the tool that an agent of this name calls."""
    assert PROPOSE is not None
    answer = calls.answer(Desk("agent"), PROPOSE, arguments, Caller([repo], name))
    assert not answer.is_error, answer.text
    return answer.structure


def ids(repo: Path, *words: str) -> list[str]:
    return [row["id"] for row in ask(repo, "proposals", "list", *words)["proposals"]]


def bundle_of(repo: Path, proposal: str) -> str:
    return str(ask(repo, "proposals", "show", proposal)["bundle"])


def tree(repo: Path) -> str:
    return git(repo, "rev-parse", "HEAD:.gitmem").strip()


def file_at(repo: Path, rel: str) -> str:
    return git(repo, "show", f"HEAD:.gitmem/{rel}")


def versions(repo: Path) -> tuple[str, str]:
    answer = compiled(repo)
    return answer["snapshot_id"], answer["knowledge_version"]


@pytest.mark.capability("R-046")
def test_tags_are_set_by_a_proposal_and_the_snapshot_moves_when_it_is_approved(repo: Path) -> None:
    before = versions(repo)
    whole = opened(repo, "edit", ITEM, "tags", "api", "http")
    waiting = versions(repo)

    approved = ask(repo, "proposals", "approve", whole)

    assert waiting == before
    assert versions(repo) == (approved["snapshot_id"], approved["knowledge_version"])
    assert approved["snapshot_id"] != before[0]
    assert approved["knowledge_version"].startswith("v1")
    assert ask(repo, "get", ITEM, "--tier", "digest")["items"][0]["tags"] == ["api", "http"]


# Words of `proposals list`, and which proposals it names.
FILTERS: list[tuple[tuple[str, ...], list[str]]] = [
    ((), ["tags", "retire"]),
    (("--engram", ITEM), ["tags"]),
    (("--engram", engram_id(2)), ["retire"]),
    (("--touches", "src/ui/**"), ["tags", "retire"]),
    (("--touches", ".gitmem/engrams/http/**"), ["retire"]),
    (("--author", "claude"), ["retire"]),
    (("--status", "rejected"), ["title"]),
    (("--status", "rejected", "--engram", ITEM), ["title"]),
    (("--status", "rejected", "--engram", OTHER), []),
    (("--status", "open", "--author", "claude", "--engram", ITEM), []),
    (("--status", "open,rejected", "--engram", ITEM), ["tags", "title"]),
    (("--status", "all", "--touches", "docs/**"), []),
]


@pytest.mark.capability("R-047")
def test_filters_are_mixed_and_all_of_them_hold(repo: Path) -> None:
    names = {
        "tags": opened(repo, "edit", ITEM, "tags", "--add", "http").partition("@")[0],
        "title": opened(repo, "edit", ITEM, "title", "Call it").partition("@")[0],
    }
    names["retire"] = str(by_agent(repo, "claude-code", action="retire", item=OTHER)["proposal"])
    ask(repo, "proposals", "reject", names["title"], "--reason", "too short")

    for words, found in FILTERS:
        assert ids(repo, *words) == sorted(names[name] for name in found), words


@pytest.mark.parametrize(
    ("words", "exit_code", "code", "named"),
    [
        (("--cursor", "bogus"), 2, "usage", "bogus"),
        (("--engram", "nosuch"), 1, "not-found", "nosuch"),
        (("--engram", "nosuch", "--status", "all"), 1, "not-found", "nosuch"),
        (("--bundle", "nosuch"), 1, "not-found", "nosuch"),
        (("--bundle", engram_id(90)), 1, "not-found", engram_id(90)),
    ],
)
def test_a_filter_by_what_nobody_knows_is_named(
    repo: Path, words: tuple[str, ...], exit_code: int, code: str, named: str
) -> None:
    opened(repo, "edit", ITEM, "tags", "--add", "http")

    found = refused(repo, "proposals", "list", *words, code=exit_code)

    assert found["code"] == code
    assert named in found["message"]


def test_a_filter_by_what_is_known_elsewhere_finds_nothing(repo: Path) -> None:
    """What only a proposal has, a bundle that is closed, an item that nobody proposes to change."""
    call = ("propose", "new", "fact", "Thing", "--bundle", "new")
    made = json.loads(run_inproc(repo, *call, "--json", stdin="It is so.").out)
    assert ids(repo, "--engram", made["items"][0]) == ids(repo, "--bundle", made["bundle"]) == [made["proposal"]]

    ask(repo, "proposals", "reject", made["proposal"], "--reason", "no")

    assert ids(repo, "--engram", made["items"][0]) == ids(repo, "--bundle", made["bundle"]) == []
    assert ids(repo, "--engram", ITEM) == []


@pytest.mark.capability("R-047")
def test_a_proposal_is_shown_with_its_evidence_or_with_none(repo: Path) -> None:
    with_ = opened(repo, "edit", ITEM, "tags", "--add", "http", "--evidence", engram_id(50)).partition("@")[0]
    without = opened(repo, "retire", OTHER).partition("@")[0]

    assert ask(repo, "proposals", "show", with_)["evidence"] == [engram_id(50)]
    assert ask(repo, "proposals", "show", without)["evidence"] is None
    assert refused(repo, "proposals", "show", engram_id(99))["code"] == "unknown-proposal"


@pytest.mark.capability("R-047")
def test_what_looks_like_a_secret_is_named_to_the_reviewer_too(make_repo: MakeRepo) -> None:
    text = "It is ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8.\n"
    (found,) = secrets.scan(text)
    repo = make_repo(FILES | {".gitmem/config.yaml": f"format: 1\nallow_secrets:\n  - {found.fingerprint}\n"})
    words = ("propose", "new", "fact", "Keys", "--tag", "keys", "--allow-secret", found.fingerprint)
    id_ = ask(repo, *words, stdin=text)

    shown = ask(repo, "proposals", "show", str(id_["proposal"]))

    assert len(shown["secrets"]) == 1
    assert text[6:40] not in json.dumps(shown)


@pytest.mark.parametrize("name", ["rationale", "title"])
def test_a_secret_in_the_grounds_is_refused_like_one_in_the_text(repo: Path, name: str) -> None:
    """F-255: the record of decisions is as public as the knowledge."""
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"

    error = refused(repo, "propose", "edit", ITEM, "tags", "--add", "http", f"--{name}", f"seen with {secret}")

    assert error["code"] == "secret"
    assert secret not in json.dumps(error)


@pytest.mark.parametrize("verb", ["comment", "reject", "withdraw", "supersede", "approve", "revert", "reinstate"])
def test_a_secret_in_what_is_said_of_a_proposal_is_refused(repo: Path, verb: str) -> None:
    """F-255: sync carries it to everybody, like the record of decisions."""
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    said = f"seen with {secret}"
    whole = opened(repo, "edit", ITEM, "tags", "--add", "http")
    id_ = whole.partition("@")[0]
    other = opened(repo, "retire", OTHER).partition("@")[0]
    if verb == "revert":
        ask(repo, "proposals", "approve", whole)
    if verb == "reinstate":
        ask(repo, "proposals", "withdraw", id_)
    words = {
        "comment": (id_, said),
        "supersede": (id_, other, "--reason", said),
        "approve": (whole, "--comment", said),
    }.get(verb, (id_, "--reason", said))

    error = refused(repo, *(("revert",) if verb == "revert" else ("proposals", verb)), *words)

    assert error["code"] == "secret"
    assert error["hint"] == "take it out"
    assert secret not in json.dumps(error)
    assert b"ghp_" not in git(repo, "log", "--all", "-p", "--format=%B").encode()


@pytest.mark.capability("R-048")
def test_an_approval_names_the_patch_set_that_was_looked_at(repo: Path) -> None:
    whole = opened(repo, "edit", ITEM, "tags", "--add", "http", "--rationale", "It is about HTTP.")
    id_, _, patchset = whole.partition("@")

    approved = ask(repo, "proposals", "approve", whole, "--comment", "right")

    entry = ledger.decode(file_at(repo, ledger.path_of(id_)).encode(), "x")
    (rel,) = git(repo, "ls-tree", "-r", "--name-only", "HEAD", ".gitmem/approvals").split()
    approval = approvals.decode(git(repo, "show", f"HEAD:{rel}").encode(), rel)
    assert entry.proposal == id_
    assert (approval.proposal, approval.ledger, approval.patchset) == (id_, id_, patchset)
    assert approved["commit"] == git(repo, "rev-parse", "HEAD").strip()
    assert ask(repo, "snapshots", "show", "HEAD")["snapshot_id"] == approved["snapshot_id"]


@pytest.mark.capability("R-048")
def test_a_rejection_leaves_the_knowledge_as_it_is_and_its_reason_on_record(repo: Path) -> None:
    before, id_ = tree(repo), opened(repo, "edit", ITEM, "tags", "--add", "http").partition("@")[0]

    ask(repo, "proposals", "reject", id_, "--reason", "HTTP is a detail")

    assert tree(repo) == before
    shown = ask(repo, "proposals", "show", id_)
    assert (shown["status"], shown["events"][-1]["text"]) == ("rejected", "HTTP is a detail")
    assert git(repo, "for-each-ref", "--format=%(refname)", "refs/gitmem/archive").strip().endswith(id_)


@pytest.mark.capability("M-066")
@pytest.mark.capability("R-048")
@pytest.mark.parametrize(
    ("given", "key", "landed"),
    [
        ("title=Call it through the client", "title", "Call it through the client"),
        ("body=Call the client.\n", "body", None),
        ("tags=api, http", "tags", ["api", "http"]),
        ("kind=guideline", "kind", "guideline"),
        ("visibility=restricted", "visibility", "restricted"),
        ("summary=By the client.", "summary", "By the client."),
    ],
)
def test_an_approver_lays_changes_over_it_and_they_are_a_patch_set_of_the_approver(
    repo: Path, given: str, key: str, landed: object
) -> None:
    whole = opened(repo, "edit", ITEM, "importance", "0.9")
    id_, _, patchset = whole.partition("@")

    ask(repo, "proposals", "approve", whole, "--modify", given)

    entry = ledger.decode(file_at(repo, ledger.path_of(id_)).encode(), "x")
    shown = ask(repo, "proposals", "show", id_)
    assert {"importance", key} <= set(entry.changes[0].keys)
    assert shown["status"] == "landed"
    assert shown["patchset"] != patchset
    assert [event["patchset"] for event in shown["events"] if event["kind"] == "patchset"] == [patchset]
    text = file_at(repo, entry.changes[0].path)
    assert "importance: 0.9" in text
    assert ("Call the client." in text) if landed is None else (given.partition("=")[2].split(", ")[-1] in text)


@pytest.mark.capability("M-066")
def test_a_change_laid_over_it_that_breaks_the_knowledge_approves_nothing(repo: Path) -> None:
    whole, before = opened(repo, "edit", ITEM, "importance", "0.9"), git(repo, "rev-parse", "HEAD")

    assert refused(repo, "proposals", "approve", whole, "--modify", "kind=nonsense", code=2)["code"] == "usage"
    assert refused(repo, "proposals", "approve", whole, "--modify", "id=x", code=2)["code"] == "usage"
    assert git(repo, "rev-parse", "HEAD") == before
    assert ask(repo, "proposals", "approve", whole)["commit"]


@pytest.mark.capability("M-066")
@pytest.mark.parametrize(
    ("verb", "most", "more"),
    [("approve", 500, ()), ("reject", 5000, ("--reason", "no"))],
)
def test_a_batch_is_bounded_and_of_none_is_no_batch(repo: Path, verb: str, most: int, more: tuple[str, ...]) -> None:
    name = f"{engram_id(99)}@{'0' * 12}"

    for count in (0, most + 1):
        assert f"1 to {most}" in refused(repo, "proposals", verb, *[name] * count, *more, code=2)["message"]


@pytest.mark.capability("M-066")
def test_a_batch_of_rejections_goes_on_after_one_that_fails(repo: Path) -> None:
    """F-214"""
    made = [opened(repo, "edit", ITEM, "tags", "--add", f"t{number}").partition("@")[0] for number in range(4)]
    ask(repo, "proposals", "withdraw", made[1])
    session = Session(repo, datetime(2030, 1, 1, tzinfo=UTC))

    found = reject(session, RejectCall((*made, engram_id(99)), reason="too many tags"))

    assert found.proposals == (made[0], made[2], made[3])
    assert [each.proposal for each in found.failed] == [made[1], engram_id(99)]
    assert found.exit_code == 1


@pytest.mark.capability("M-066")
def test_a_dismissal_is_for_days_or_for_good_and_is_taken_back(repo: Path) -> None:
    id_ = opened(repo, "edit", ITEM, "tags", "--add", "http").partition("@")[0]
    for days in ("-1", "366"):
        assert refused(repo, "proposals", "reject", id_, "--reason", "no", "--days", days, code=2)["code"] == "usage"
    ask(repo, "proposals", "reject", id_, "--reason", "not now", "--days", "365", "--now", "2026-01-01T00:00:00Z")

    assert ids(repo, "--now", "2026-12-31T00:00:00Z") == []
    assert ids(repo, "--now", "2027-01-02T00:00:00Z") == [id_]

    ask(repo, "proposals", "reinstate", id_, "--reason", "now", "--now", "2026-02-01T00:00:00Z")
    assert ids(repo, "--now", "2026-02-02T00:00:00Z") == [id_]
    with pytest.raises(UsageError):
        reject(Session(repo, datetime(2026, 3, 1, tzinfo=UTC)), RejectCall((id_,), reason=" "))


@pytest.mark.capability("M-065")
def test_whatever_a_machine_proposes_waits_with_its_reason_and_is_found_by_its_source(repo: Path) -> None:
    """Each kind of change, each from another program; nothing of it is knowledge before a person says so."""
    before = versions(repo)
    why = {"rationale": "seen in three reviews", "model": "m-1"}
    made = {
        "pattern": by_agent(repo, "rem", action="new", kind="pattern", title="Name it", body="By what it is.\n", **why),
        "edge": by_agent(repo, "rem", action="link", **{"from": ITEM, "kind": "extends", "to": OTHER}, **why),
        "tag": by_agent(repo, "tagger", action="update", item=ITEM, tags=["api", "http"], **why),
        "verification": by_agent(
            repo, "verifier", action="verify", item=OTHER, value="plausible", description="It held.", **why
        ),
        "retirement": by_agent(repo, "rem", action="retire", item=OTHER, **why),
    }
    opened(repo, "edit", ITEM, "importance", "0.9")

    assert versions(repo) == before
    of_rem = sorted(str(made[name]["proposal"]) for name in ("pattern", "edge", "retirement"))
    assert ids(repo, "--source", "rem") == of_rem
    assert ids(repo, "--source", "Tagger") == [made["tag"]["proposal"]]
    assert len(ids(repo, "--source", "person")) == 1
    for answer in made.values():
        shown = ask(repo, "proposals", "show", str(answer["proposal"]))
        assert shown["rationale"] == "seen in three reviews"
        assert shown["proposed_by"]["agent"]["model"] == "m-1"
        assert shown["proposed_by"]["name"] == git(repo, "config", "user.name").strip()


@pytest.mark.capability("R-049")
def test_a_bundle_is_rehearsed_and_then_is_one_decision(repo: Path) -> None:
    first = opened(repo, "edit", ITEM, "tags", "--add", "http", "--bundle", "new").partition("@")[0]
    second = opened(repo, "edit", OTHER, "tags", "--add", "http", "--bundle", first)
    before = int(git(repo, "rev-list", "--count", "--first-parent", "HEAD"))

    rehearsed = ask(repo, "proposals", "preflight", bundle_of(repo, first))
    approved = ask(repo, "proposals", "approve", second, "--bundle")

    assert rehearsed["ok"]
    assert rehearsed["order"] == sorted(approved["proposals"])
    assert (rehearsed["snapshot_id"], rehearsed["knowledge_version"]) == versions(repo)
    assert approved["knowledge_version"].startswith("v1")
    assert int(git(repo, "rev-list", "--count", "--first-parent", "HEAD")) == before + 1


@pytest.mark.capability("R-049")
def test_a_rehearsal_names_what_stands_in_the_way_and_then_nothing_lands(repo: Path) -> None:
    """F-081: the trusted branch moved on at the same field of one member."""
    first = opened(repo, "edit", ITEM, "tags", "--add", "http", "--bundle", "new").partition("@")[0]
    second = opened(repo, "edit", OTHER, "title", "Retry three times", "--bundle", first)
    ask(repo, "proposals", "approve", opened(repo, "edit", OTHER, "title", "Retry never"))
    before = git(repo, "rev-parse", "HEAD")

    rehearsed = json.loads(run_inproc(repo, "proposals", "preflight", bundle_of(repo, first), "--json").out)
    refusal = refused(repo, "proposals", "approve", second, "--bundle")

    assert not rehearsed["ok"]
    assert ("title", "Retry three times") in [(each["field"], each["theirs"]) for each in rehearsed["conflicts"]]
    assert refusal["code"] == "conflict"
    assert git(repo, "rev-parse", "HEAD") == before


@pytest.mark.capability("M-010")
@pytest.mark.parametrize("name", ["created_by", "author", "by", "agent", "proposed_by", "name", "email"])
def test_a_name_that_a_model_gives_lands_nowhere(repo: Path, name: str) -> None:
    assert PROPOSE is not None
    new = {"action": "new", "kind": "fact", "title": "Keys are stable", "body": "They are.\n"}
    refusal = calls.answer(Desk("agent"), PROPOSE, new | {name: "Bob <bob@example.org>"}, Caller([repo], "Bob"))
    whole = by_agent(repo, "Bob", **new)

    ask(repo, "proposals", "approve", f"{whole['proposal']}@{whole['patchset']}")

    person = f"{git(repo, 'config', 'user.name').strip()} <{git(repo, 'config', 'user.email').strip()}>"
    assert refusal.is_error
    assert f"has no argument {name!r}" in refusal.text
    assert f"by: {person}" in file_at(repo, "engrams/general/keys-are-stable.md")
    assert git(repo, "log", "--format=%an <%ae>|%cn <%ce>", "-2").splitlines() == [f"{person}|{person}"] * 2
    assert "Bob" not in file_at(repo, "engrams/general/keys-are-stable.md")


@pytest.mark.capability("M-010")
@pytest.mark.parametrize(
    ("settings", "env", "named"),
    [
        ({"user.name": "Ada", "user.email": "ada@example.org"}, {}, "Ada <ada@example.org>"),
        ({"user.name": "", "user.email": "ada@example.org"}, {}, "ada@example.org <ada@example.org>"),
        ({"user.name": "Ada", "user.email": ""}, {}, "Ada"),
        ({"user.name": "Ada", "user.email": "a@b"}, {"GIT_AUTHOR_NAME": "Cy"}, "Cy <a@b>"),
        ({"user.name": "", "user.email": ""}, {}, "unknown"),
    ],
)
def test_the_author_is_whom_git_knows_by_its_own_order(
    repo: Path, monkeypatch: pytest.MonkeyPatch, settings: Mapping[str, str], env: Mapping[str, str], named: str
) -> None:
    for name, value in settings.items():
        git(repo, "config", name, value)
    for name, value in env.items():
        monkeypatch.setenv(name, value)

    id_ = str(by_agent(repo, "x", action="new", kind="fact", title="Keys", body="They are.\n")["proposal"])

    shown = ask(repo, "proposals", "show", id_, "--diff")
    assert f"by: {named}" in shown["diff"]
    assert shown["proposed_by"]["name"] == named.partition(" <")[0]


@pytest.mark.capability("M-011")
def test_any_subset_of_the_fields_is_one_change_and_the_rest_keeps_its_bytes(repo: Path) -> None:
    before = file_at(repo, f"engrams/api/{ITEM}.md").splitlines()
    more = {"summary": "By the client.", "tags": ["api", "http"], "field": "importance", "value": "0.9"}
    made = by_agent(repo, "x", action="update", item=ITEM, **more)

    ask(repo, "proposals", "approve", f"{made['proposal']}@{made['patchset']}")

    after = file_at(repo, f"engrams/api/{ITEM}.md").splitlines()
    assert set(after) - set(before) == {'summary: "By the client."', "  - http", "importance: 0.9"}
    assert len(set(before) - set(after)) == 1
    entry = ask(repo, "proposals", "show", str(made["proposal"]))["items"]
    assert sorted(entry[0]["keys"]) == ["importance", "summary", "tags"]
    assert entry[0]["path"] == f".gitmem/engrams/api/{ITEM}.md"


def test_what_was_nowhere_before_is_told_as_nothing(repo: Path) -> None:
    id_ = ask(repo, "propose", "mv", ITEM, "http/client")["proposal"]
    new = ask(repo, "propose", "new", "fact", "It rains", "--tag", "sky", stdin="It rains here on most days.\n")

    (moved,) = ask(repo, "proposals", "show", str(id_))["items"]
    (made,) = ask(repo, "proposals", "show", str(new["proposal"]))["items"]

    assert (moved["path"], moved["moved_from"]) == (
        ".gitmem/engrams/http/client.md",
        f".gitmem/engrams/api/{ITEM}.md",
    )
    assert made["keys"]["title"]["before"] is None


@pytest.mark.capability("M-011")
@pytest.mark.parametrize("field", ["title", "summary", "kind"])
def test_the_second_edit_of_one_field_is_refused_on_its_stale_base(repo: Path, field: str) -> None:
    values = {"title": ("One", "Two"), "summary": ("One.", "Two."), "kind": ("guideline", "decision")}[field]
    first, second = (opened(repo, "edit", ITEM, field, value) for value in values)
    other = opened(repo, "edit", ITEM, "tags", "--add", "http")
    ask(repo, "proposals", "approve", first)
    before = git(repo, "rev-parse", "HEAD")

    refusal = refused(repo, "proposals", "approve", second)

    assert refusal["code"] == "conflict"
    assert field in refusal["message"]
    assert all(repr(value) in refusal["message"] for value in values)
    assert git(repo, "rev-parse", "HEAD") == before
    assert ask(repo, "proposals", "show", second.partition("@")[0])["status"] == "needs-resolution"
    assert ask(repo, "proposals", "approve", other)["commit"]


@pytest.mark.capability("M-011")
@pytest.mark.parametrize(
    ("slug", "title", "lands_at"),
    [
        (ITEM, "Always call the client", "always-call-the-client"),
        ("client-rule", "Always call the client", "client-rule"),
    ],
    ids=["from the title", "chosen by hand"],
)
def test_a_new_title_renames_the_file_unless_its_name_was_chosen_by_hand(
    make_repo: MakeRepo, slug: str, title: str, lands_at: str
) -> None:
    repo = make_repo(knowledge(rule(slug, 1, "src/**", title="Use the client")))
    made = by_agent(repo, "x", action="update", item=slug, title=title, body="Always.\n")

    ask(repo, "proposals", "approve", f"{made['proposal']}@{made['patchset']}")

    row = by_slug(compiled(repo))[lands_at]
    assert (row["id"], row["title"]) == (engram_id(1), title)
    assert ("aliases:" in file_at(repo, f"engrams/api/{lands_at}.md")) is (lands_at != slug)
    assert "Always." in file_at(repo, f"engrams/api/{lands_at}.md")


@pytest.mark.capability("M-011")
def test_history_keeps_each_field_before_and_after_at_any_length(repo: Path) -> None:
    summary, body = "s" * 290, "".join(f"Line {number}.\n" for number in range(400))
    made = by_agent(repo, "x", action="update", item=ITEM, summary=summary, body=body)
    ask(repo, "proposals", "approve", f"{made['proposal']}@{made['patchset']}")

    shown = ask(repo, "proposals", "show", str(made["proposal"]), "--diff")

    keys = shown["items"][0]["keys"]
    assert all(keys[name]["before"] != keys[name]["after"] for name in ("summary", "body"))
    assert summary in shown["diff"]
    assert "+Line 399." in shown["diff"]
    decisions = ask(repo, "why", ITEM)["decisions"]
    assert decisions[0]["proposal"] == made["proposal"]


@pytest.mark.capability("M-066")
def test_a_batch_is_declined_by_filter_and_what_the_filter_leaves_out_waits_on(tmp_path: Path) -> None:
    ada = alone(tmp_path / "ada")
    machine = [ada.new(f"Thing {n}", f"Number {n} is a thing of its own.\n", agent="miner") for n in range(3)]
    mine = ada.new("Mine", "Nobody else wrote it.\n")

    done = reject(ada.session(), RejectCall(source="miner", reason="noise", days=30))

    assert sorted(done.proposals) == sorted(machine)
    assert ada.statuses() == {**dict.fromkeys(machine, "rejected"), mine: "open"}
    with pytest.raises(UsageError, match="filters that some meet"):
        reject(ada.session(), RejectCall(source="miner", reason="noise"))
    with pytest.raises(UsageError):
        reject(ada.session(), RejectCall(reason="all of it"))


TEXT = "Ask the address book for a number before you dial it, and note down whom you have asked about which person.\n"


def test_the_hint_of_a_repeated_proposal_names_what_changes_that_one(repo: Path) -> None:
    words = ("propose", "new", "constraint", "Ask the book", "--path", "src/**")
    first = ask(repo, *words, stdin=TEXT)

    again = json.loads(run_inproc(repo, *words, "--summary", "Other", "--json", stdin=TEXT).out)

    assert (again["verdict"], again["target"]) == ("duplicate", first["proposal"])
    (hint,) = [row["hint"] for row in again["warnings"] if row["code"] == "duplicate"]
    assert f"gitmem proposals show {first['proposal']}" in hint
    assert f"gitmem propose edit ask-the-book ... --extend {first['proposal']}" in hint


@pytest.mark.parametrize("lands", [True, False], ids=["live", "waiting"])
@pytest.mark.parametrize(
    ("scope", "verdict"),
    [
        (("--path", "docs/**"), "update"),
        (("--path", "src/**", "--except", "src/x/**"), "update"),
        (("--command", "git push"), "update"),
        (("--path", "src/**"), "duplicate"),
    ],
    ids=str,
)
def test_the_same_text_for_elsewhere_is_a_rule_of_its_own(
    repo: Path, lands: bool, scope: tuple[str, ...], verdict: str
) -> None:
    first = ask(repo, "propose", "new", "constraint", "Ask the book", "--path", "src/**", stdin=TEXT)
    if lands:
        ask(repo, "proposals", "approve", f"{first['proposal']}@{first['patchset']}")

    words = ("propose", "new", "constraint", "Ask the book", "--slug", "second", *scope)
    again = json.loads(run_inproc(repo, *words, "--json", stdin=TEXT).out)

    assert again["verdict"] == verdict
    assert (again["proposal"] is None) == (verdict == "duplicate")
    assert verdict in [row["code"] for row in again["warnings"]]
