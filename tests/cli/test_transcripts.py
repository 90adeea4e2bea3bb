"""Terminal sessions print what they printed when somebody last read them; tests.cli.play stores them anew."""

from pathlib import Path

import pytest

from tests.cli.play import SESSIONS, played


@pytest.mark.parametrize("session", SESSIONS, ids=lambda path: path.stem)
def test_a_session_prints_what_is_stored(session: Path, tmp_path: Path) -> None:
    root = tmp_path / "repo"
    root.mkdir()
    stored = session.read_text(encoding="utf-8")

    assert played(stored, root) == stored


def test_there_are_sessions() -> None:
    assert len(SESSIONS) > 5
