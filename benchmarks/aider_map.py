"""The files of one tree as the repository map of aider ranks them. Runs in an environment that has ``aider-chat``.

Refuses everything else: ``python benchmarks/aider_map.py FOLDER TEXTFILE OUTFILE TOKENS`` writes the order of the map,
and the files that its ``get_repo_map`` tells within so many tokens, as JSON.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

from aider.io import InputOutput
from aider.repomap import RepoMap

_SHORTEST_STEM = 5


class Counting:
    """All that a map asks of a model."""

    def token_count(self, text: str) -> float:
        return len(text) / 4


def main(folder: str, text: str, out: str, tokens: int) -> None:
    listed = subprocess.run(["git", "-C", folder, "ls-files", "-z"], capture_output=True, check=True).stdout
    relative = [name for name in listed.decode("utf-8", "replace").split("\0") if name]
    files = [f"{folder}/{name}" for name in relative]
    names, stems = _said(text, relative)
    io = InputOutput(yes=True, pretty=False, fancy_input=False)
    maps = RepoMap(map_tokens=tokens, root=folder, main_model=Counting(), io=io, map_mul_no_files=1)
    told = maps.get_repo_map([], files, stems, names) or ""
    tags = maps.get_ranked_tags([], files, stems, names)
    order = list(dict.fromkeys(tag[0] for tag in tags))
    in_map = [name for name in order if re.search(rf"^{re.escape(name)}(?::|$)", told, re.MULTILINE)]
    Path(out).write_text(json.dumps({"order": order, "map": in_map}), encoding="utf-8")


def _said(text: str, files: list[str]) -> tuple[set[str], set[str]]:
    """The words of a message and the files that they name, as aider's chat finds them."""
    names = set(re.split(r"\W+", text))
    by_stem: dict[str, set[str]] = {}
    for file in files:
        stem = Path(file).stem.lower()
        if len(stem) >= _SHORTEST_STEM:
            by_stem.setdefault(stem, set()).add(file)
    lowered = {name.lower() for name in names}
    stems = {file for stem, found in by_stem.items() if stem in lowered for file in found}
    written = {file for file in files if Path(file).name in text.split()}
    return names, stems | written


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]).read_text(encoding="utf-8"), sys.argv[3], int(sys.argv[4]))
