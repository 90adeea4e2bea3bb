"""The comment on a pull request: what it says of the sample, and that nothing of a repository acts in it."""

from pathlib import Path

import pytest

from gitmem.answers.checking import Checked, Owner
from gitmem.model.effect import Effect, FileChange, Gain, Rules
from gitmem.model.finding import Finding, Severity
from gitmem.render import request
from tests.conftest import MakeRepo
from tests.render import sample
from tests.support import run_inproc

COUNTS = {"errors": 0, "warnings": 1, "files": 1}
EVIL = "`\n# <img src=x> @everyone [a](http://b) | ~~x~~ <!-- -->"


def found(message: str, path: str = "a.md") -> Finding:
    return Finding("code", Severity.WARNING, path, 0, message, message)


@pytest.mark.capability("G-022")
def test_the_comment_on_the_sample_is_the_golden_one(tmp_path: Path) -> None:
    assert sample.comment(sample.repository(tmp_path / "repo")) == sample.GOLDEN.read_text(encoding="utf-8")


@pytest.mark.capability("G-022")
def test_text_of_a_repository_cannot_act_in_a_comment() -> None:
    rules = Rules((Gain(EVIL, "x", EVIL),), (), 1, 0)
    owners = (Owner("x", EVIL, (EVIL,), (EVIL,)),)
    result = Checked((found(EVIL, EVIL),), 1, COUNTS, owners=owners, effect=Effect("a", "b", rules=rules))

    text = request.markdown(result).removeprefix(request.MARK)

    outside = "".join(text.split("`")[::2])
    assert "@everyone" not in outside
    assert "<img" not in outside.replace("\\<", "")
    assert "](" not in outside.replace("\\]", "")
    assert "http://" not in outside
    assert not [line for line in text.splitlines() if line.startswith("# ")]


def test_a_long_comment_is_bounded_and_says_so() -> None:
    gains = tuple(Gain(f"src/{'x' * 200}{n}.ts", f"{n}", f"rule-{n}") for n in range(400))
    files = tuple(FileChange(f"f{n}", "", "", "new") for n in range(500))
    effect = Effect("a", "b", files, 9000, Rules(gains, gains, 90_000, 400))
    findings = tuple(found("m" * 5000) for _ in range(1000))

    text = request.markdown(Checked(findings, 5000, COUNTS, effect=effect))

    assert len(text) < 65_536
    assert "and 89980 more" in text
    assert "and 4980 more" in text
    assert "500 new of 9000" in text


def test_the_records_of_decisions_are_counted_apart_from_what_was_decided() -> None:
    rels = ("engrams/a.md", "engrams/b.md", "ledger/2026/01-02/X.yaml", "approvals/2026/X.y.yaml")
    files = tuple(FileChange(f".gitmem/{rel}", "", "", "new") for rel in rels)

    text = request.markdown(Checked((), 0, COUNTS, effect=Effect("a", "b", files, len(files))))

    assert "2 new, 2 records - " in text


@pytest.mark.parametrize("words", [(), ("--staged",), ("--range", "HEAD..HEAD")])
def test_a_check_of_any_kind_can_be_a_comment(make_repo: MakeRepo, words: tuple[str, ...]) -> None:
    repo = make_repo({".gitmem/config.yaml": "format: 1\n"})

    ran = run_inproc(repo, "check", *words, "--format", "markdown")

    assert ran.code == 0
    assert "### Knowledge: can be merged" in ran.out
