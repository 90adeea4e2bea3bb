"""The page of standing rules: the same for the same rules, and no edit of it, by whomever, is ever written over."""

import json
import re
import time
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gitmem.errors import GitmemError
from gitmem.exchange.edits import Edit, edits_of
from gitmem.exchange.page import Section, digest_of, parsed, plain, rendered, sides, title_of
from tests.answers.people import Person, alone, crew
from tests.support import engram_id, engram_text, git, run_inproc, run_program, write_tree

GERMAN, SMALL, ASK = engram_id(11), engram_id(12), engram_id(13)
LONG = "Commit small.\n\n## Why\n\nIt is read.\n\n```\n## no title\n<!-- gitmem:rules\n```\n"
PAGE = "rules.md"


def rule(id_: str, title: str, body: str) -> str:
    return engram_text(id=id_, title=title, kind="guideline", summary=title, tags=["standing"], body=body)


RULES: dict[str, str | bytes] = {
    ".gitmem/engrams/standing/german.md": rule(GERMAN, "Answer in German", "Answer in German.\n"),
    ".gitmem/engrams/standing/small.md": rule(SMALL, "Commit small", LONG),
    ".gitmem/engrams/standing/ask.md": rule(ASK, "Ask before a push", "Ask me.\n"),
}


@pytest.fixture
def ada(tmp_path: Path) -> Person:
    at = alone(tmp_path / "ada", RULES).named("Ada", "ada@example.org")
    assert run_inproc(at.root, "export", PAGE).code == 0
    at.write({}, "page")
    return at


def page(at: Person) -> str:
    return (at.root / PAGE).read_text(encoding="utf-8")


def put(at: Person, text: str) -> None:
    (at.root / PAGE).write_text(text, encoding="utf-8")


def exported(at: Person, *words: str) -> list[str]:
    """``change title`` of what was proposed; what is refused fails the test."""
    ran = run_inproc(at.root, "export", PAGE, "--json", *words)
    assert ran.code == 0, ran.err
    return [f"{row['change']} {row['title']}" for row in json.loads(ran.out)["taken"] if row["proposal"]]


def refusal(at: Person, *words: str) -> dict[str, str]:
    before = (page(at), at.statuses())
    ran = run_inproc(at.root, "export", PAGE, "--json", *words)
    assert ran.code == 1
    assert (page(at), at.statuses()) == before
    return json.loads(ran.out)["error"]


def section(at: Person, id_: str) -> str:
    text = page(at)
    start = text.index(f"<!-- gitmem:rule {id_}")
    return text[start : text.index("<!-- gitmem:rule", start + 1)]


@pytest.mark.capability("R-054")
def test_the_page_has_every_rule_under_its_heading_in_one_order(ada: Person) -> None:
    titles = [line for line in page(ada).splitlines() if line.startswith("## ") and "no title" not in line]

    assert sorted(titles) == ["## Answer in German", "## Ask before a push", "## Commit small", "## Why"]
    assert run_inproc(ada.root, "export", PAGE, "--check").code == 0
    assert exported(ada) == []
    assert ada.dirt() == ""
    sections = [Section(f"T{n}", "x", engram_id(n)) for n in range(4)]
    assert len({rendered(each) for each in permutations(sections)}) == 1


@pytest.mark.capability("R-054")
def test_a_hand_edit_becomes_an_update_and_what_is_added_or_taken_out_too(ada: Person) -> None:
    text = page(ada).replace(section(ada, GERMAN), "") if section(ada, GERMAN) in page(ada) else page(ada)
    put(ada, text.replace("Commit small.", "Commit very small.") + "\n## Never push\n\nI push.\n")

    assert sorted(exported(ada)) == ["add Never push", "retire Answer in German", "update Commit small"]

    assert run_inproc(ada.root, "export", PAGE, "--check").code == 0
    for id_ in ada.statuses("open"):
        ada.approve(id_)
    assert exported(ada) == []
    assert "Commit very small." in page(ada)
    assert "## Never push\n\nI push.\n" in page(ada)
    assert "German" not in page(ada)
    assert "## Why\n\nIt is read." in page(ada)


@pytest.mark.capability("R-054")
def test_a_line_of_a_teammate_that_was_pulled_is_taken_in_before_the_page_is_written(tmp_path: Path) -> None:
    team = crew(tmp_path, ("ada", "bob"), RULES)
    ada, bob = team.person("ada"), team.person("bob")
    run_inproc(ada.root, "export", PAGE)
    ada.write({}, "page")
    ada.git("push", "--quiet", "origin", "main")
    bob.git("pull", "--quiet")
    put(bob, page(bob) + "\n## Bob's line\n\nFrom Bob.\n")
    bob.write({}, "by hand")
    bob.git("push", "--quiet", "origin", "main")
    ada.git("pull", "--quiet")

    assert exported(ada) == ["add Bob's line"]
    assert "From Bob." not in page(ada)
    (id_,) = ada.statuses("open")
    ada.approve(id_)
    ada.git("checkout", "--quiet", PAGE)
    ada.git("push", "--quiet", "origin", "main")
    assert exported(ada) == []
    assert "## Bob's line\n\nFrom Bob.\n" in page(ada)


def test_an_import_proposes_the_same_and_leaves_the_page(ada: Person) -> None:
    put(ada, page(ada).replace("Ask me.", "Ask me twice."))
    text = page(ada)

    first = json.loads(run_inproc(ada.root, "import", PAGE, "--json").out)
    again = json.loads(run_inproc(ada.root, "import", PAGE, "--json").out)

    assert [(row["path"], row["id"]) for row in first["imported"]] == [("update: Ask before a push", ASK)]
    assert again["imported"] == []
    assert "waits with this text" in again["skipped"][0]["reason"]
    assert page(ada) == text
    assert list(ada.statuses().values()) == ["open"]


def test_a_dry_run_and_a_check_change_nothing(ada: Person) -> None:
    put(ada, page(ada).replace("Ask me.", "Ask me twice."))
    before = ada.git("for-each-ref")

    dry = run_inproc(ada.root, "import", PAGE, "--dry-run")
    check = run_inproc(ada.root, "export", PAGE, "--check")

    assert "would propose update: Ask before a push" in dry.out
    assert (check.code, "update Ask before a push: not proposed yet" in check.out) == (1, True)
    assert ada.git("for-each-ref") == before


def test_another_edit_of_what_waits_is_its_next_patch_set(ada: Person) -> None:
    text = page(ada)
    for words in ("Ask me twice.", "Ask me three times."):
        put(ada, text.replace("Ask me.", words) + f"\n## Never push\n\n{words}\n")
        assert len(exported(ada)) == 2

    assert list(ada.statuses().values()) == ["open", "open"]
    for id_ in ada.statuses("open"):
        ada.approve(id_)
    exported(ada)
    assert page(ada).count("Ask me three times.") == 2


def test_a_rule_that_changed_meanwhile_keeps_both_changes(ada: Person) -> None:
    put(ada, page(ada).replace("It is read.", "It is read by people."))
    ada.approve(ada.edit("small", "body", LONG.replace("Commit small.", "Commit small things.")))

    assert exported(ada) == ["update Commit small"]
    (id_,) = ada.statuses("open")
    ada.approve(id_)
    text = ada.read("engrams/standing/small.md")
    assert "Commit small things." in text
    assert "It is read by people." in text


def test_of_two_changes_in_the_same_place_that_of_the_page_is_proposed(ada: Person) -> None:
    put(ada, page(ada).replace("Ask me.", "Ask me twice."))
    ada.approve(ada.edit("ask", "body", "Ask nobody.\n"))

    assert exported(ada) == ["update Ask before a push"]
    (id_,) = ada.statuses("open")
    assert ada.read("engrams/standing/ask.md", ada.tip(id_)).endswith("Ask me twice.\n")
    assert "Ask nobody." in page(ada)


def test_a_new_title_by_hand_is_the_title(ada: Person) -> None:
    put(ada, page(ada).replace("## Ask before a push", "## Ask before any push"))

    assert exported(ada) == ["update Ask before any push"]
    (id_,) = ada.statuses("open")
    ada.approve(id_)
    assert "title: Ask before any push\n" in ada.read("engrams/standing/ask.md")


@pytest.mark.parametrize("left", ["", "\n\n", "# Standing rules\n"])
def test_an_emptied_page_retires_nothing(ada: Person, left: str) -> None:
    put(ada, left)

    error = refusal(ada)

    assert (error["code"], error["place"]) == ("page-emptied", PAGE)
    assert "--all-retired" in error["hint"]
    assert run_inproc(ada.root, "import", PAGE, "--format", PAGE).code == 1
    assert sorted(exported(ada, "--all-retired")) == [
        "retire Answer in German",
        "retire Ask before a push",
        "retire Commit small",
    ]
    assert "## Commit small" in page(ada)


@pytest.mark.parametrize("share", [0.1, 0.4, 0.7, 0.8, 0.95])
def test_a_page_that_was_cut_off_retires_nothing(ada: Person, share: float) -> None:
    text = page(ada)
    put(ada, text[: int(len(text) * share)])

    ran = run_inproc(ada.root, "export", PAGE, "--json")

    assert (ran.code, ada.statuses()) == (1, {})


def test_a_page_without_its_rules_but_with_its_end_retires_nothing(ada: Person) -> None:
    text = page(ada)
    put(ada, text[: text.index("<!-- gitmem:rule ")] + text[text.rindex("<!-- gitmem:rules") :])

    assert refusal(ada)["code"] == "page-emptied"


def test_a_page_that_was_removed_is_written_anew(ada: Person) -> None:
    text = page(ada)
    (ada.root / PAGE).unlink()

    assert exported(ada) == []
    assert page(ada) == text


@pytest.mark.parametrize("left", ["", " \n"])
def test_an_emptied_page_is_refused_by_an_import_too(ada: Person, left: str) -> None:
    put(ada, left)

    ran = run_inproc(ada.root, "import", PAGE)

    assert (ran.code, ada.statuses()) == (1, {})
    assert "3 rule(s) are gone from the page" in ran.err


@pytest.mark.parametrize("text", ["Please read this first.", "<!-- a comment of mine -->", "# Always use tabs"])
def test_a_text_above_the_rules_is_not_written_over(ada: Person, text: str) -> None:
    put(ada, page(ada).replace("# Standing rules\n", f"# Standing rules\n\n{text}\n"))

    error = refusal(ada)

    assert (error["code"], error["place"]) == ("stray-text", f"{PAGE}:3")


def test_a_rule_below_the_page_that_has_the_wrong_heading_is_not_written_over(ada: Person) -> None:
    put(ada, page(ada) + "\n# Always use tabs\n")

    assert refusal(ada)["code"] == "stray-text"


def test_blanks_above_a_text_are_no_edit(ada: Person) -> None:
    put(ada, page(ada).replace("## Answer in German\n\n", "## Answer in German\n  \n\t\n"))

    assert exported(ada) == []


def test_a_title_without_its_text_is_asked_about(ada: Person) -> None:
    put(ada, page(ada).replace("\nAsk me.\n", ""))

    assert refusal(ada)["code"] == "no-text"


def test_a_file_of_that_name_by_hand_is_taken_in_and_lost_nowhere(tmp_path: Path) -> None:
    ada = alone(tmp_path / "ada", {PAGE: "# House\n\n## Be kind\n\nAlways.\n\n## Be brief\n"})
    ada.named("Ada", "ada@example.org")

    assert exported(ada) == ["add Be kind", "add Be brief"]
    assert sorted(ada.show(id_).title for id_ in ada.statuses()) == ["Be brief", "Be kind"]


def test_a_secret_on_the_page_is_neither_proposed_nor_written_over(ada: Person) -> None:
    put(ada, page(ada) + "\n## Use this key\n\n" + "AKIA" + "ZZ2345CDEFGH7KLM" + "\n")

    assert refusal(ada)["code"] == "secret"


def test_what_was_declined_is_not_proposed_again_and_goes(ada: Person) -> None:
    put(ada, page(ada) + "\n## Never push\n\nI push.\n")
    text = page(ada)
    exported(ada)
    (id_,) = ada.statuses("open")
    ada.reject(id_)
    put(ada, text)

    assert exported(ada) == []
    assert list(ada.statuses().values()) == ["rejected"]


@pytest.mark.parametrize("style", ["merge", "diff3"])
def test_a_conflict_is_settled_by_writing_again_and_both_sides_are_taken_in(ada: Person, style: str) -> None:
    ada.git("config", "merge.conflictStyle", style)
    text = page(ada)
    for branch, words in (("one", "Ask Ada."), ("two", "Ask Bob.")):
        ada.git("checkout", "--quiet", "-b", branch, "main")
        put(ada, text.replace("Ask me.", words) + f"\n## Line of {branch}\n\n{words}\n")
        ada.write({}, branch)
    ada.git("checkout", "--quiet", "main")
    ada.git("merge", "--quiet", "one")
    assert run_program(ada.root, "git", "merge", "--quiet", "two").code == 1
    assert "<<<<<<<" in page(ada)

    taken = exported(ada)

    assert sorted(taken)[:2] == ["add Line of one", "add Line of two"]
    assert "update Ask before a push" in taken
    assert "<<<<<<<" not in page(ada)
    assert page(ada) == text
    bodies = "".join(git(ada.root, "show", ada.tip(id_)) for id_ in ada.statuses("open"))
    assert "Ask Ada." in bodies
    assert "Ask Bob." in bodies


@pytest.mark.parametrize(
    "text",
    [
        "<<<<<<< a\nx\n",
        "<<<<<<< a\n>>>>>>> b\n",
        "<<<<<<< a\n<<<<<<< a\n",
        "<<<<<<< a\n=======\n||||||| c\n>>>>>>> b\n",
    ],
)
def test_marks_of_a_merge_that_do_not_fit_are_named(text: str) -> None:
    with pytest.raises(GitmemError) as refused:
        sides(text)

    assert refused.value.code == "conflict-marker"


def test_line_ends_of_windows_and_a_byte_order_mark_are_no_edit(ada: Person) -> None:
    (ada.root / PAGE).write_bytes(b"\xef\xbb\xbf" + page(ada).replace("\n", "\r\n").encode())

    assert exported(ada) == []


def test_a_page_that_git_gave_the_line_ends_of_windows_is_as_it_should_be(ada: Person) -> None:
    there = page(ada).replace("\n", "\r\n").encode()
    (ada.root / PAGE).write_bytes(there)

    assert run_inproc(ada.root, "export", PAGE, "--check").code == 0
    assert exported(ada) == []
    assert (ada.root / PAGE).read_bytes() == there


def test_a_file_of_somebody_else_is_not_taken_for_the_page(ada: Person) -> None:
    write_tree(ada.root, {"README.md": "# House\n\n## Install it\n\nRun it.\n"})

    ran = run_inproc(ada.root, "export", PAGE, "--output", "README.md")

    assert (ran.code, ran.out) == (1, "")
    assert "README.md: this file is no page of rules" in ran.err
    assert (ada.root / "README.md").read_text() == "# House\n\n## Install it\n\nRun it.\n"
    assert ada.statuses() == {}


@pytest.mark.parametrize("config", ["format: 99\n", None])
def test_where_no_knowledge_can_be_read_no_page_is_written_over(ada: Person, config: str | None) -> None:
    if config is None:
        ada.git("rm", "-r", "--quiet", ".gitmem")
        ada.git("commit", "--quiet", "--message", "gone")
    else:
        ada.write({".gitmem/config.yaml": config})

    assert refusal(ada)["code"] in ("newer-format", "not-initialised")


def test_no_sign_of_a_title_by_hand_hides_what_is_said_of_it(ada: Person) -> None:
    put(ada, page(ada) + "\n## Deploy \u202eon\x1b[2J Friday\n\nDo.\n")

    said = run_inproc(ada.root, "export", PAGE, "--check").out

    assert "add Deploy \\u202eon" in said
    assert not set("\x1b\u202e") & set(said)


def test_another_place_and_another_format(ada: Person) -> None:
    done = run_inproc(ada.root, "export", PAGE, "--output", "docs/team.md")

    assert (done.code, (ada.root / "docs/team.md").read_text()) == (0, page(ada))
    assert run_inproc(ada.root, "export", "cursor").code == 2
    for name in ("../out.md", ".gitmem/rules.md", ".git/rules.md", "/etc/rules.md"):
        assert run_inproc(ada.root, "export", PAGE, "--output", name).code == 2, name


def test_a_link_in_its_place_is_left_alone(ada: Person, tmp_path: Path) -> None:
    target = tmp_path / "elsewhere.md"
    target.write_text("mine\n")
    (ada.root / PAGE).unlink()
    (ada.root / PAGE).symlink_to(target)

    assert run_inproc(ada.root, "export", PAGE).code == 1
    assert target.read_text() == "mine\n"


def test_the_page_is_no_part_of_a_proposal(ada: Person) -> None:
    put(ada, page(ada).replace("Ask me.", "Ask me twice."))
    exported(ada)

    (id_,) = ada.statuses("open")
    assert PAGE not in git(ada.root, "show", "--name-only", ada.tip(id_)).splitlines()


WORDS = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=40).map(lambda text: " ".join(text.split()))
PIECES = st.sampled_from(
    [
        "## Why",
        "  <!-- gitmem:rules",
        "\t## x ##",
        "```",
        "~~~",
        "\\<!-- gitmem:rule x -->",
        "<!-- gitmem:rules",
        "-->",
        "<<<<<<< HEAD",
        "=======",
        "\\>>>>>>> other",
        "# H",
        "",
    ]
)
BODIES = st.lists(st.one_of(WORDS, PIECES), max_size=8).map("\n".join)
RULESETS = st.lists(st.tuples(WORDS, BODIES), min_size=1, max_size=4)


def sections(rows: list[tuple[str, str]]) -> dict[str, Section]:
    named = [Section(title or "T", plain(body) or "x", engram_id(n)) for n, (title, body) in enumerate(rows)]
    return {each.id: each for each in named}


@given(RULESETS)
def test_a_page_as_it_was_written_has_no_edit(rows: list[tuple[str, str]]) -> None:
    live = sections(rows)

    assert edits_of(rendered(live.values()), live, all_retired=False) == []


@given(RULESETS, WORDS, st.data())
def test_an_edit_of_one_rule_is_an_edit_of_that_rule(
    rows: list[tuple[str, str]], words: str, data: st.DataObject
) -> None:
    live = sections(rows)
    id_ = data.draw(st.sampled_from(sorted(live)))
    old = live[id_]
    new = Section(old.title, f"{old.body}\n{words}z", id_)
    assume(digest_of(new.title, new.body) not in {digest_of(each.title, each.body) for each in live.values()})
    text = rendered([*(each for each in live.values() if each.id != id_), new]).replace(
        digest_of(new.title, new.body), digest_of(old.title, old.body)
    )

    (edit,) = edits_of(text, live, all_retired=False)

    assert (edit.change, edit.item) == ("update", id_)
    assert edit.body == plain(new.body)


@given(BODIES)
def test_what_stands_behind_a_title_is_read_as_it_is(body: str) -> None:
    assume(not {"<!-- gitmem:rules", "<<<<<<< HEAD"} & set(body.split("\n")))
    page = parsed(f"## A title\n\n{body}\n", {})

    assert page.sections[0].title == "A title"
    assert isinstance(edits_of(f"## A title\n\n{body}\n", {}, all_retired=False)[0], Edit)


@pytest.mark.parametrize("title", ["Use C#", "Foo #", "#1 rule", "# x", "a ## b ##", "##", "<!-- x -->", "`##`"])
def test_a_title_is_read_as_it_was_written(title: str) -> None:
    live = {engram_id(1): Section(title, "It is so.", engram_id(1))}

    (found,) = parsed(rendered(live.values()), {}).sections

    assert (found.title, found.body) == (title, "It is so.")


@given(st.text("# ab\t", max_size=12))
def test_a_heading_is_what_it_is_in_markdown(rest: str) -> None:
    found = re.fullmatch(r"## +([^ ].*?)(?: +#+)? *", f"## {rest}")

    assert title_of(f"## {rest}") == (found[1] if found else "")


def test_a_title_of_blanks_without_end_takes_no_time() -> None:
    """A page may come from anybody."""
    begun = time.monotonic()
    parsed(f"## x{' ' * 300_000}y\n\nIt is so.\n", {})

    assert time.monotonic() - begun < 2


def test_a_rule_about_marks_of_a_merge_is_no_conflict(ada: Person) -> None:
    text = "Leave none.\n\n```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n```\n"
    ada.write({".gitmem/engrams/standing/ask.md": rule(ASK, "Ask before a push", text)})

    assert exported(ada) == []
    assert exported(ada) == []
    put(ada, page(ada).replace("\\<<<<<<< HEAD", "\\<<<<<<< HERE"))
    assert exported(ada) == ["update Ask before a push"]
    (id_,) = ada.statuses("open")
    assert "\n<<<<<<< HERE\na\n=======\n" in git(ada.root, "show", f"{ada.tip(id_)}:.gitmem/engrams/standing/ask.md")


@given(RULESETS, st.lists(st.tuples(st.integers(0, 10**6), st.one_of(WORDS, PIECES)), min_size=1, max_size=4))
def test_no_line_that_was_put_in_anywhere_is_lost(rows: list[tuple[str, str]], put_in: list[tuple[int, str]]) -> None:
    """Each is in an edit, or the page is refused and stays as it is."""
    live = sections(rows)
    lines = rendered(live.values()).split("\n")
    end = lines.index("<!-- gitmem:rules", len(lines) - len(live) - 4)
    for at, (where, line) in enumerate(put_in):
        lines.insert(where % (end + at + 1), line)
    new = [line for _, line in put_in if line.strip() and line not in ("-->", "<!-- gitmem:rules")]

    try:
        edits = edits_of("\n".join(lines), live, all_retired=False)
    except GitmemError:
        return

    told = "\n".join(f"{edit.title}\n{edit.body}" for edit in edits)
    known = "\n".join(f"{rule.title}\n{rule.body}" for rule in live.values())
    lost = [line for line in new if not any(part in text for part in _spoken(line) for text in (told, known))]
    # A title at the top of the page takes the place of ours.
    assert [line for line in lost if not line.startswith("# ")] == []


def _spoken(line: str) -> list[str]:
    """What a line says: a heading without its signs, a line that is taken for ours without the sign before it."""
    return [line.strip(), line.strip().strip("# "), line.strip().removeprefix("\\")]
