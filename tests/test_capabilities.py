"""Each capability marker names one row of the capability list by its id."""

from pathlib import Path

from tests.capabilities import ID, named


def test_markers_name_capabilities_by_id() -> None:
    wrong = {each: places for each, places in named().items() if not ID.fullmatch(each)}

    assert wrong == {}


def test_an_id_that_is_no_id_is_found_with_its_place(tmp_path: Path) -> None:
    root = tmp_path / "tests"
    root.mkdir()
    (root / "test_x.py").write_text(
        '@pytest.mark.capability("R-14", "M-001")\ndef x(): ...\n\n@pytest.mark.capability(RULES)\ndef y(): ...\n',
        encoding="utf-8",
    )

    assert named(root) == {
        "R-14": ["tests/test_x.py:1"],
        "M-001": ["tests/test_x.py:1"],
        "RULES": ["tests/test_x.py:4"],
    }
