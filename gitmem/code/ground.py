"""What the paths of a tree say by themselves: their words, names and standing. Refuses to open a file."""

from __future__ import annotations

import re
from collections.abc import Mapping

from gitmem.code import languages, terms
from gitmem.code.asking import flat
from gitmem.code.atlas import Atlas
from gitmem.code.seeds import Ends
from gitmem.record import record, state

# What a file of this kind loses against production code.
TEST, ASIDE, NO_CODE = 1.0, 0.5, 0.5
_TEST = re.compile(
    r"(?:^|/)(?:tests?|__tests__|specs?|testing|testdata|fixtures?|test[-_]\w+|\w+[-_]tests?|testutil|e2e|features"
    r"|\w*UnitTests|IntegrationTests)(?:/|$)"
    r"|(?:^|/)(?:test_[^/]*|[^/]*_test|[^/]*[._-](?:test|spec)|[^/]*Tests?|conftest|[^/]*_spec)\.\w+$"
)
_ASIDE = re.compile(
    r"(?:^|/)(?:examples?|docs?|documentation|bench(?:marks?)?|samples?|demo|site|vendor|vendored|third_party"
    r"|node_modules|dist|build|assets|website|man|playground|locale|release|asv)/|\.min\.|\.d\.ts$|\.pyi$",
    re.IGNORECASE,
)
_CODE = frozenset((languages.CODE, languages.TEMPLATE))
# These are called like the folder that they stand for.
_FRONTS = frozenset(("__init__", "index", "mod", "lib"))


@record
class Standing:
    """``loss`` is what a file starts with; production code loses nothing."""

    is_test: bool
    loss: float


@state
class Ground:
    """``standing`` is by number of a file; ``words`` has, by term, how often it stands in the path of each file."""

    atlas: Atlas
    standing: list[Standing]
    words: Mapping[str, Mapping[int, float]]
    stems: Mapping[str, list[int]]
    by_name: Mapping[str, list[int]]
    by_path: Mapping[str, int]
    ends: Ends


def standing(path: str) -> Standing:
    row = languages.row_of(path)
    is_test = bool(_TEST.search(path))
    loss = TEST * is_test + ASIDE * bool(_ASIDE.search(path)) + NO_CODE * (row is None or row.kind not in _CODE)
    return Standing(is_test, loss)


def ground_of(atlas: Atlas) -> Ground:
    """The last one stays: the same tree is asked again and again."""
    if _LAST and _LAST[0].atlas is atlas:
        return _LAST[0]
    made = _ground(atlas)
    _LAST[:] = [made]
    return made


_LAST: list[Ground] = []


def _ground(atlas: Atlas) -> Ground:
    words: dict[str, dict[int, float]] = {}
    stems: dict[str, list[int]] = {}
    by_name: dict[str, list[int]] = {}
    for number, path in enumerate(atlas.paths):
        if not path:
            continue
        found = terms.terms(path)
        share = _share(len(found))
        for term in found:
            row = words.setdefault(term, {})
            row[number] = row.get(number, 0.0) + share
        stems.setdefault(_stem(path), []).append(number)
        by_name.setdefault(path.rpartition("/")[2], []).append(number)
    by_path = {path: number for number, path in enumerate(atlas.paths) if path}
    return Ground(atlas, [standing(path) for path in atlas.paths], words, stems, by_name, by_path, Ends(by_path))


# As the impact of a word of the text, times what a word of the path is more: see ``terms``.
_PATH, _BY_LENGTH, _TERMS_OF_PATH = 4.0, 0.3, 6


def _share(count: int) -> float:
    return _PATH / (1 - _BY_LENGTH + _BY_LENGTH * count / _TERMS_OF_PATH)


def _stem(path: str) -> str:
    """The name of a file without its endings, flat; that of its folder where it stands for it."""
    folder, _, name = path.rpartition("/")
    stem = name.partition(".")[0] or name
    return flat(folder.rpartition("/")[2] if stem in _FRONTS and folder else stem)
