"""Whether a finished change keeps the rules that can be checked, and what it makes untrue. Refuses to run anything."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

from gitmem.answers import change, drifting, journal, scoped, verdicts
from gitmem.answers.change import GIVEN, RANGE, STAGED, WORKTREE, Change, Taken
from gitmem.answers.reading import Reading, ask, read
from gitmem.answers.scoped import Scoped
from gitmem.answers.session import Session
from gitmem.answers.verdicts import About, Kept
from gitmem.errors import UsageError
from gitmem.lazy import load
from gitmem.model.diff import SUBMODULE_MODE, SYMLINK_MODE, UNMERGED, FileDiff
from gitmem.model.event import VERIFY, Event
from gitmem.model.finding import Notice
from gitmem.model.impact import AffectedTests
from gitmem.model.imports import Import
from gitmem.model.moments import rfc3339
from gitmem.model.plain import Plain
from gitmem.model.verified import FAIL, NOTHING, PASS, Unjudged, Verified, Violation
from gitmem.record import record, replace
from gitmem.rules import violations
from gitmem.rules.violations import LANGUAGE, Rule, Sight
from gitmem.store import cache as caches
from gitmem.store import gitdiff
from gitmem.text import secrets

# What judges a change: another number, and no verdict that was kept counts any more.
ALGORITHM = 4
TEXT, JSON, SARIF, MARKDOWN = "text", "json", "sarif", "markdown"
FORMATS = (TEXT, JSON, SARIF, MARKDOWN)
_LISTED_MAX = 500
_SKIPPED_MAX = 100
_ASKED_MAX = 1000
_NOTED_FILES = 200
_EVIDENCE_CHARS = 200


@record
class VerifyCall:
    """``diff`` is the text of a diff, None where none was given: an empty one is a change of nothing."""

    files: tuple[str, ...] = ()
    staged: bool = False
    worktree: bool = False
    range: str = ""
    diff: str | None = None
    status: bool = False
    prune_stale: bool = False
    format: str = TEXT


def verify(session: Session, call: VerifyCall) -> Verified:
    """The verdict on one change by the rules that are trusted here, or the one that was given last."""
    if call.format not in FORMATS:
        raise UsageError(f"unknown format {call.format!r}", hint=f"one of: {', '.join(FORMATS)}")
    sources = _sources(call)
    if call.status or call.prune_stale:
        if sources or call.files:
            asked = session.word("--status and --prune-stale are", "status is")
            raise UsageError(f"{asked} about verdicts that were given", hint="name no change with it")
        found: Verified = load("gitmem.answers.last_verdict:last")(session, is_pruned=call.prune_stale)
    else:
        found = judged(session, change.asked(session, sources, call.files))
    return replace(found, format=call.format if call.format in (SARIF, MARKDOWN) else None)


def _sources(call: VerifyCall) -> list[tuple[str, str]]:
    given = ((STAGED, "", call.staged), (WORKTREE, "", call.worktree), (RANGE, call.range, bool(call.range)))
    named = [(source, text) for source, text, is_named in given if is_named]
    return [*named, *([(GIVEN, call.diff)] if call.diff is not None else [])]


def judged(session: Session, wanted: Change) -> Verified:
    reading = read(session.place)
    taken = change.take(session, wanted)
    about = about_of(reading, taken)
    cache, tag = session.place.cache, caches.tag_of(session.place.repo)
    kept = verdicts.load(cache, about.key)
    if kept is not None and still_valid(kept, session.now):
        verdicts.point(cache, tag, about.key)
        verdict = replace(kept.verified, cached=True)
    else:
        verdict, until = _verdict(reading, taken, session.now)
        about = replace(about, when=rfc3339(session.now), until=until)
        verdicts.save(cache, tag, Kept(about, verdict))
    _note(session, taken, verdict)
    return _with_notices(verdict, reading, taken)


def _note(session: Session, taken: Taken, verdict: Verified) -> None:
    """On record is what was judged and what came of it, without a line of the code."""
    ids = {each.rule for each in verdict.violations} | {each.item for each in verdict.drifted}
    data: dict[str, Plain] = {
        "verdict": verdict.verdict,
        "passed": verdict.verdict != FAIL,
        "violations": verdict.total,
        "source": taken.change.source,
        "commit": taken.diff.end or taken.diff.base,
        "files": [each.path for each in taken.diff.files[:_NOTED_FILES]],
        "items": list[Plain](sorted(ids)),
        "cached": verdict.cached,
        "surface": session.surface,
    }
    data |= {"range": taken.change.text} if taken.change.source == RANGE else {}
    journal.note(session, Event(VERIFY, data, agent=session.client))


def about_of(reading: Reading, taken: Taken) -> About:
    return verdicts.about(taken.change, taken.diff.base, taken.diff.digest, (snapshot_of(reading), ALGORITHM))


def snapshot_of(reading: Reading) -> str:
    return ask(reading, lambda known: known.facts.snapshot_id)[0]


def still_valid(kept: Kept, now: datetime) -> bool:
    """Whether no rule has begun or ceased to be valid since."""
    return not kept.about.until or rfc3339(now) < kept.about.until


def _with_notices(verdict: Verified, reading: Reading, taken: Taken) -> Verified:
    return replace(verdict, warnings=(*reading.warnings, *taken.warnings, *verdict.warnings))


def _verdict(reading: Reading, taken: Taken, now: datetime) -> tuple[Verified, str]:
    """The verdict, and the moment until which it can hold."""
    files = [each for each in taken.diff.files if taken.judged is None or each.path in taken.judged]
    found, _ = ask(reading, lambda known: scoped.scoped(known, files, now))
    rules, broken = scoped.rules(reading.place.bodies, found)
    sight = _sight(reading, taken, rules, found)
    violated = violations.judge(rules, sight)
    skipped = [*_conflicts(files), *(_said(each, taken) for each in sight.unjudged)]
    tests = _tests(taken, files)
    counts = {"files": len(files), "rules": len(rules), "judged": len({f.path for r in rules for f in r.files})}
    verdict = Verified(
        verdict=FAIL if violated else PASS if rules else NOTHING,
        violations=tuple(_shown(each) for each in violated[:_LISTED_MAX]),
        total=len(violated),
        drifted=drifting.drifted(reading, taken, files),
        affected_tests=tests.rows,
        counts=counts,
        skipped=tuple(skipped[:_SKIPPED_MAX]),
        skipped_total=len(skipped),
        warnings=(*broken, *_strange(reading, rules), *(Notice("affected-tests", note) for note in tests.notes)),
    )
    return verdict, found.until


def _strange(reading: Reading, rules: Sequence[Rule]) -> list[Notice]:
    """Layers in a matrix that lead nowhere: such a row judges nothing."""
    matrix = [row for rule in rules for row in rule.block.layer_imports]
    named = [layer for mine, allowed in matrix for layer in (mine, *allowed)]
    found: list[Notice] = (
        ask(reading, lambda known: load("gitmem.rules.layers:strange")(known, named))[0] if named else []
    )
    return found


def _tests(taken: Taken, files: Sequence[FileDiff]) -> AffectedTests:
    """What to run first; of a change of very many files, by the first of them."""
    paths = dict.fromkeys(path for each in files for path in (each.path, each.old_path) if path)
    asked = [path for path in paths if load("gitmem.code.languages:row_of")(path)]
    found: AffectedTests = load("gitmem.answers.affected:affected_tests")(
        taken.place, taken.diff.end or taken.diff.base, asked[:_ASKED_MAX]
    )
    more = f"looked for by the first {_ASKED_MAX} of {len(asked)} changed files"
    return replace(found, notes=(*found.notes, more)) if len(asked) > _ASKED_MAX else found


def _shown(each: Violation) -> Violation:
    """With a short evidence that gives no secret away: verdicts end up in logs and in comments."""
    text = each.evidence
    for secret in reversed(secrets.scan(text)):
        text = f"{text[: secret.start]}{secret.masked}{text[secret.end :]}"
    short = text if len(text) <= _EVIDENCE_CHARS else f"{text[: _EVIDENCE_CHARS - 3]}..."
    return replace(each, evidence=short)


def _sight(reading: Reading, taken: Taken, rules: Sequence[Rule], found: Scoped) -> Sight:
    looked_at = {f.path: f for rule in rules if violations.needs_content(rule.block) for f in rule.files}
    whole = [f for f in looked_at.values() if f.new_mode not in (SYMLINK_MODE, SUBMODULE_MODE) and not f.is_binary]
    layer_of: Callable[[str], str | None] = found.layers.get
    if any(rule.block.layer_imports for rule in rules):
        layer_of = load("gitmem.answers.layering:layer_of")(reading)
    contents = gitdiff.contents(taken.place.repo, whole)
    return Sight(
        touched=[each.path for each in taken.diff.files if not each.is_gone],
        contents=contents,
        imports_of=_imports_of(taken, contents),
        layer_of=layer_of,
        resolve=_resolver(taken),
    )


def _resolver(taken: Taken) -> Callable[[str, Import], Sequence[str]]:
    """Where an import leads; the tree is listed when a check asks for the first one."""
    held: list[Callable[[str, Import], Sequence[str]]] = []

    def reaches(path: str, found: Import) -> Sequence[str]:
        if not held:
            held.append(load("gitmem.answers.layering:resolver")(taken.place.repo, taken.diff))
        return held[0](path, found)

    return reaches


def _imports_of(taken: Taken, contents: Mapping[str, bytes]) -> Callable[[str, bytes], Sequence[Import] | None]:
    """What reads source files is loaded when a check asks for imports."""
    held: list[Callable[[str, bytes], Sequence[Import] | None]] = []

    def of(path: str, data: bytes) -> Sequence[Import] | None:
        if not held:
            held.append(load("gitmem.answers.importing:reader")(taken.place, contents))
        return held[0](path, data)

    return of


def _conflicts(files: Iterable[FileDiff]) -> list[Unjudged]:
    return [Unjudged(each.path, "in conflict") for each in files if each.status == UNMERGED]


def _said(each: Unjudged, taken: Taken) -> Unjudged:
    """With the reason in words."""
    if each.reason == LANGUAGE:
        return replace(each, reason="imports of this language, or of this file, cannot be read")
    file = next(file for file in taken.diff.files if file.path == each.path)
    return replace(each, reason=_reason(file))


def _reason(file: FileDiff) -> str:
    modes: Mapping[str, str] = {SYMLINK_MODE: "a symbolic link", SUBMODULE_MODE: "another repository"}
    if file.new_mode in modes:
        return modes[file.new_mode]
    return "binary" if file.is_binary else f"over {gitdiff.READ_MAX_BYTES >> 20} MiB, or unreadable"
