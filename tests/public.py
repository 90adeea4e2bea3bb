"""The public texts that tests read where they are there. Refuses to copy any."""

import os
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.source import PROJECT

DATA = PROJECT.parent / "shared" / "data"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the shared data is not here")


def real_texts() -> Iterator[tuple[str, str]]:
    """Each rule file and each note of a vault that people wrote, by a name to tell it by."""
    for archive in sorted((DATA / "rules").glob("*.tar.gz")):
        with tarfile.open(archive) as tar:
            for member in tar:
                handle = tar.extractfile(member)
                if handle:
                    yield f"{archive.name}/{member.name}", handle.read().decode("utf-8", "replace")
    for folder, _, names in os.walk(DATA / "vault"):
        for name in names:
            yield name, (Path(folder) / name).read_text(encoding="utf-8")
