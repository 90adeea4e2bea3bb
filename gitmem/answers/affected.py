"""Which tests a change of some files concerns: run these first, never only these. Refuses to run them."""

from collections import Counter
from collections.abc import Sequence

from gitmem.answers.importers import Importers, importers
from gitmem.answers.reading import Place
from gitmem.code.testing import is_named_as_test, is_test, package_of, package_tested
from gitmem.model.impact import Affected, AffectedTests, Unread
from gitmem.record import replace
from gitmem.store.cochanges import Cochanges, cochanges

LIMIT = 50
_SKIPPED_MOST = 20
_CHANGED_MOST = 500
# Thousandths: a test that was changed itself, one that imports a file, one of its package, what only lies in a folder
# of tests and imports it. History adds up to its part, by the share of the file's commits that changed the test too.
_ITSELF, _IMPORTS, _PACKAGE, _BESIDE, _HISTORY = 1000, 700, 600, 500, 300
# Less for an import through the front of a package.
_THROUGH = 200
# Once may be chance.
_TOGETHER_LEAST = 2
# A fifth of the times.
_SHARE_LEAST = _HISTORY // 5
_NAMED = 3


def affected_tests(place: Place, commit: str, changed: Sequence[str], limit: int = LIMIT) -> AffectedTests:
    """The tests at ``commit``, and among ``changed``, that these files concern; ``changed`` need not be there."""
    if not changed or not commit:
        return AffectedTests()
    looked_at = list(dict.fromkeys(changed))[:_CHANGED_MOST]
    found = importers(place, commit, looked_at, is_test)
    tests = concerned(place, commit, (looked_at, found), limit)
    more = len(set(changed)) - len(looked_at)
    return replace(tests, notes=(*tests.notes, f"{more} further changed files were not looked at")) if more else tests


def concerned(place: Place, commit: str, known: tuple[Sequence[str], Importers], limit: int) -> AffectedTests:
    """As ``affected_tests``, where the files and their importers at ``commit`` are known."""
    changed, found = known
    history = cochanges(place.repo, commit, changed)
    tests = {path for path in found.paths if is_test(path)}
    bases = _bases(changed, found, tests)
    shares = _shares(changed, history, tests)
    rows = [_judged(test, bases.get(test, []), shares.get(test)) for test in bases.keys() | shares.keys()]
    rows.sort(key=lambda row: (-row.score, row.path))
    skipped = [Unread(path, why) for path, why in found.skipped if is_test(path)]
    return AffectedTests(tuple(rows[:limit]), len(rows), tuple(skipped[:_SKIPPED_MOST]), _notes(found, history))


def _notes(found: Importers, history: Cochanges) -> tuple[str, ...]:
    notes = [] if found.is_whole else ["some files are not in this partial clone, so importers may be missing"]
    if not history.is_whole:
        notes.append("the history is not all here, so what changed together is not known")
    return tuple(notes)


def _bases(changed: Sequence[str], found: Importers, tests: set[str]) -> dict[str, list[tuple[int, str]]]:
    """What concerns each test for a reason that lies in the code: (score, reason), the strongest first."""
    bases: dict[str, list[tuple[int, str]]] = {path: [(_ITSELF, "changed itself")] for path in changed if is_test(path)}
    for row in found.rows:
        if is_test(row.path):
            score = (_IMPORTS if is_named_as_test(row.path) else _BESIDE) - (_THROUGH if row.via else 0)
            through = f" through {row.via}" if row.via else ""
            bases.setdefault(row.path, []).append((score, f"imports {row.reaches}{through} at line {row.line}"))
    of_package: dict[str, list[str]] = {}
    for test in sorted(tests):
        of_package.setdefault(package_tested(test), []).append(test)
    for path in changed:
        for test in of_package.get(package_of(path), ()) if package_of(path) and not is_test(path) else ():
            bases.setdefault(test, []).append((_PACKAGE, f"is of the package of {path}"))
    return bases


def _shares(changed: Sequence[str], history: Cochanges, tests: set[str]) -> dict[str, tuple[int, str]]:
    """For each test the part of some file's commits that changed it as well: (score, reason)."""
    times: Counter[str] = Counter()
    together: Counter[tuple[str, str]] = Counter()
    aims = frozenset(changed)
    for files in history.commits:
        touched = sorted(aims & files)
        times.update(touched)
        together.update((test, path) for test in files & tests for path in touched if test != path)
    best: dict[str, tuple[int, str]] = {}
    for (test, path), count in sorted(together.items()):
        score = _HISTORY * count // times[path]
        if count >= _TOGETHER_LEAST and score >= _SHARE_LEAST and score > best.get(test, (0, ""))[0]:
            what = f" with {path}" if len(aims) > 1 else ""
            best[test] = score, f"changed together{what} {count} of {times[path]} times"
    return best


def _judged(test: str, bases: list[tuple[int, str]], share: tuple[int, str] | None) -> Affected:
    reasons = [reason for _, reason in bases]
    named = reasons[:_NAMED] + ([f"and {len(reasons) - _NAMED} more like it"] if len(reasons) > _NAMED else [])
    score = max((score for score, _ in bases), default=0) + (share[0] if share else 0)
    return Affected(test, (*named, *([share[1]] if share else [])), min(score, _ITSELF))
