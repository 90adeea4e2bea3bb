"""How a command ends: with all of its answer, in silence when the reader has gone, and with the right code."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import MakeRepo
from tests.support import engram_id, engram_text, run_cli

MANY = 1500


@pytest.fixture
def noisy(make_repo: MakeRepo) -> Path:
    """A repository whose check says more than a pipe holds."""
    files = {f".gitmem/engrams/a/r{i}.md": engram_text(id=engram_id(i), requires=["gone"]) for i in range(MANY)}
    return make_repo({".gitmem/config.yaml": "format: 1\n", **files})


def test_a_long_answer_arrives_whole(noisy: Path) -> None:
    ran = run_cli(noisy, "check", "--json")

    assert ran.code == 1
    assert json.loads(ran.out)["counts"]["errors"] == MANY


def test_a_reader_that_goes_away_is_a_normal_end(noisy: Path) -> None:
    """F-178"""
    command = [sys.executable, "-P", "-m", "gitmem", "check"]
    with subprocess.Popen(command, cwd=noisy, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(1)
        process.stdout.close()
        said = process.stderr.read()

    assert (process.returncode, said) == (0, b"")
