"""What the tests of hooks share. Refuses to judge."""

import os
import sys
from pathlib import Path

import pytest

from tests.hooks.program import script


@pytest.fixture
def on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder at the front of PATH with a ``gitmem`` in it; returns that program."""
    program = tmp_path / "bin" / "gitmem"
    script(program, f'exec "{sys.executable}" -P -m gitmem "$@"\n')
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).resolve().parents[2]))
    return program
