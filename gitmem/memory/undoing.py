"""Commits that take others back, and those that bring them in again. Refuses to guess from the words of a plan."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from gitmem.memory.timeline import Timeline
from gitmem.model.past import REINSTATED, REVERT, Attempt, Past
from gitmem.record import field, record, replace, state

_WHY_MAX = 200
# Of one subject, how many earlier commits are looked at for the one that is meant.
_NAMESAKES = 5
_WORDS_TELLING = 3
_BRANCH = r"^(?:\[[^\]]*\]\s*)?"
_QUOTED = re.compile(
    _BRANCH + r"(?:revert|reapply|reland|reinstate)(?:ed|s)?[:,]?\s+(?:commit\s+)?[\"'](?P<of>.*)[\"']", re.I
)
_LABELLED = re.compile(_BRANCH + r"(?:revert|reapply|reland)(?:\([^)]*\))?!?:\s+(?P<of>.+)$", re.I)
_AGAIN = re.compile(_BRANCH + r"(?:reapply|reland|re-land|re-apply|reinstate)\b", re.I)
# What tidies by itself undoes what others did by chance.
_TIDYING = re.compile(r"^\[pre-commit\.ci\]|^(?:auto ?fix|auto ?format|format|reformat|style)\b", re.I)
_PLAIN = re.compile(
    r"^(?:\[[^\]]*\]\s*|[\w./-]+:\s+)?"
    r"(?:reverts?|reverted|reverting|partial(?:ly)? reverts?|back(?:ed|s|ing)?[ -]?out|roll(?:ed|s|ing)?[ -]?back)\b",
    re.I,
)
_BY_OID = re.compile(
    r"\b(?:reverts?|reverted|reverting|reapplies|back(?:s|ed)? out)\s+"
    r"(?:(?:the|part of|parts of|most of|commits?|changesets?|changes (?:in|from|of))\s+)*"
    r"(?P<oids>[0-9a-f]{7,64}\b(?:(?:\s*,\s*|\s+and\s+|\s*,\s*and\s+)[0-9a-f]{7,64}\b)*)",
    re.I,
)
_OID = re.compile(r"[0-9a-f]{7,64}")
_BY_NUMBER = re.compile(r"\brevert(?:s|ed|ing)?\s+(?:PR\s+|pull request\s+|[\w.-]+/[\w.-]+)?#(?P<number>\d+)", re.I)
_NUMBER = re.compile(r"\(#(\d+)\)\s*$|^Merge pull request #(\d+) ")
_TAIL = re.compile(r"\s*\((?:GH-|#)\d+\)\s*$")
_TRAILER = re.compile(r"^[A-Z][A-Za-z-]+(?:-by|-to|-Id|-Change)?: |^\(cherry picked|^\* |^#|^--HG--")
_BORING = re.compile(
    r"\bchanges made to [0-9a-f]{7,}|\brevert(?:s|ed|ing)? (?:commit|PR|pull request|[\w.-]+/[\w.-]+#|#)", re.I
)


@record
class Said:
    """What a commit says that it takes back: ids that may be cut, numbers of pull requests, a subject."""

    oids: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    subject: str = ""
    depth: int = 0

    @property
    def is_any(self) -> bool:
        return bool(self.oids or self.numbers or self.depth)


def said(commit: Past) -> Said:
    """``depth`` is how often the subject speaks of taking back: an even number brings in again."""
    text = f"{commit.subject}\n{commit.body}"
    oids = tuple(oid for found in _BY_OID.finditer(text) for oid in _OID.findall(found["oids"].lower()))
    numbers = tuple(found["number"] for found in _BY_NUMBER.finditer(text))
    named = _QUOTED.match(commit.subject) or _LABELLED.match(commit.subject)
    subject = named["of"] if named else ""
    depth = _depth(commit.subject) if named or len(commit.parents) < 2 else 0
    return Said(oids, numbers, subject, depth)


def _depth(subject: str) -> int:
    named = _QUOTED.match(subject) or _LABELLED.match(subject)
    if named:
        return _depth(named["of"]) + (2 if _AGAIN.match(subject) else 1)
    return 1 if _PLAIN.match(subject) else 2 if _AGAIN.match(subject) else 0


def why(commit: Past) -> str:
    """The first paragraph of the message that gives a reason, in one line."""
    for block in commit.body.split("\n\n"):
        lines = [line.strip() for line in block.splitlines() if line.strip()]
        told = [line for line in lines if not _TRAILER.match(line) and not _BORING.search(line)]
        text = " ".join(told)
        if text:
            return text[:_WHY_MAX]
    return ""


def plain_subject(subject: str) -> str:
    """Without the number of a pull request at its end, and with single blanks."""
    return " ".join(_TAIL.sub("", subject).split())


@state
class _Names:
    """Earlier commits by what others may call them."""

    line: Timeline
    oids: list[str]
    subjects: dict[str, list[str]] = field(default_factory=dict)
    numbers: dict[str, str] = field(default_factory=dict)
    marks: dict[str, list[str]] = field(default_factory=dict)

    def enter(self, commit: Past) -> None:
        self.subjects.setdefault(plain_subject(commit.subject), []).append(commit.oid)
        found = _NUMBER.search(commit.subject)
        if found:
            self.numbers[found[1] or found[2]] = commit.oid
        if commit.mark:
            self.marks.setdefault(commit.mark, []).append(commit.oid)

    def by_oid(self, text: str, before: int) -> str:
        at = bisect_left(self.oids, text)
        hits = [oid for oid in self.oids[at : at + 2] if oid.startswith(text)]
        return hits[0] if len(hits) == 1 and self.line.place[hits[0]] < before else ""

    def named(self, commit: Past, told: Said) -> list[str]:
        """The commits that ``commit`` says it takes back, as far as they are here."""
        before = self.line.place[commit.oid]
        found = [oid for text in told.oids if (oid := self.by_oid(text, before))]
        found = found or [self.numbers[number] for number in told.numbers if number in self.numbers]
        if not found and told.subject:
            wanted = plain_subject(told.subject)
            tries = [wanted, f'Revert "{wanted}"'] if _AGAIN.match(commit.subject) else [wanted]
            found = [oid for text in tries if (oid := self._nearest(commit, self.subjects.get(text, [])))]
        return list(dict.fromkeys(found))

    def inverse(self, commit: Past) -> str:
        """The newest commit whose changes this one takes back to the byte, '' for none."""
        if not commit.inverse or _TIDYING.search(commit.subject):
            return ""
        return self._nearest(commit, self.marks.get(commit.inverse, []), is_strict=True)

    def same(self, commit: Past) -> str:
        return self._nearest(commit, self.marks.get(commit.mark, []), is_strict=True) if commit.mark else ""

    def _nearest(self, commit: Past, oids: Sequence[str], *, is_strict: bool = False) -> str:
        near = oids[: -_NAMESAKES - 1 : -1]
        found = next((oid for oid in near if self.line.builds_on(commit.oid, oid)), "")
        return found or ("" if is_strict or not near else near[0])


@state
class _Ledger:
    """What stands undone so far. ``undone`` has, by commit, the attempt that took it back; ``origin`` what an attempt
    is about at bottom; ``repeats`` are commits that take back what another one had."""

    found: dict[str, Attempt] = field(default_factory=dict)
    undone: dict[str, str] = field(default_factory=dict)
    origin: dict[str, str] = field(default_factory=dict)
    repeats: set[str] = field(default_factory=set)


@record
class Undoings:
    """Reverts and what came back, from the oldest to the newest. ``repeats`` are the commits that say the same again
    on another branch.
    """

    attempts: tuple[Attempt, ...]
    repeats: frozenset[str]


def undoings(line: Timeline) -> Undoings:
    names = _Names(line, sorted(line.place))
    ledger = _Ledger()
    for commit in line.commits:
        told = said(commit)
        targets = names.named(commit, told)
        for target in targets or [names.inverse(commit)]:
            if target and target != commit.oid:
                _take_back(line, ledger, commit, target)
        if not targets and told.depth and commit.oid not in ledger.found:
            _enter(line, ledger, commit, "", REVERT if told.depth % 2 else REINSTATED)
        elif commit.oid not in ledger.found:
            _come_again(line, ledger, commit, names)
        names.enter(commit)
    return Undoings(tuple(ledger.found.values()), frozenset(ledger.repeats))


def _take_back(line: Timeline, ledger: _Ledger, commit: Past, target: str) -> None:
    undoing = ledger.found.get(target)
    if undoing is None:
        if ledger.undone.get(target, "") and not _is_superseded(ledger, target):
            # The same was taken back on another branch before.
            ledger.repeats.add(commit.oid)
            return
        _enter(line, ledger, commit, target, REVERT)
        ledger.undone[target] = commit.oid
        return
    if undoing.is_superseded:
        return
    ledger.found[target] = replace(undoing, is_superseded=True)
    bottom = ledger.origin.get(target, "")
    kind = REINSTATED if undoing.kind == REVERT else REVERT
    _enter(line, ledger, commit, bottom, kind)
    if bottom:
        ledger.undone[bottom] = commit.oid if kind == REVERT else ""


def _is_superseded(ledger: _Ledger, target: str) -> bool:
    return ledger.found[ledger.undone[target]].is_superseded


def _come_again(line: Timeline, ledger: _Ledger, commit: Past, names: _Names) -> None:
    """The very changes of a commit that was taken back, or its subject on its files, after that."""
    if _TIDYING.search(commit.subject):
        return
    twin = names.same(commit) or _namesake(names, commit)
    by = ledger.undone.get(twin, "") if twin else ""
    if by and line.builds_on(commit.oid, by):
        ledger.found[by] = replace(ledger.found[by], is_superseded=True)
        ledger.undone[twin] = ""
        _enter(line, ledger, commit, twin, REINSTATED)


def _namesake(names: _Names, commit: Past) -> str:
    subject = plain_subject(commit.subject)
    if len(commit.parents) > 1 or len(subject.split()) < _WORDS_TELLING:
        return ""
    files = set(commit.files)
    for oid in names.subjects.get(subject, [])[: -_NAMESAKES - 1 : -1]:
        other = names.line.commits[names.line.place[oid]]
        if files and 2 * len(files.intersection(other.files)) >= len(files):
            return oid
    return ""


def _enter(line: Timeline, ledger: _Ledger, commit: Past, of: str, kind: str) -> None:
    if commit.oid in ledger.found:
        return
    target = line.get(of) if of else None
    at = line.place[commit.oid]
    ledger.found[commit.oid] = Attempt(
        kind=kind,
        ref=commit.oid,
        time=line.times[at],
        rank=at,
        files=commit.files or (target.files if target else ()),
        text=commit.subject,
        of=of,
        why=why(commit) or (f"takes back: {target.subject}" if target and kind == REVERT else ""),
    )
    ledger.origin[commit.oid] = of


def tells(commit: Past) -> bool:
    """Whether its message must be kept: the body is where a revert says what it takes back, and why."""
    return said(commit).is_any
