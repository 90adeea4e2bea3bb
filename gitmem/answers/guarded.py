"""Who must be asked about what a range changes, by the owner file at its start. Refuses the owner file at its end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from gitmem.answers import sides
from gitmem.answers.checking import Owner
from gitmem.answers.delta import Delta, Ends
from gitmem.index.parse import card_of
from gitmem.model.finding import Finding, Notice, Severity
from gitmem.record import record
from gitmem.rules import owners
from gitmem.rules.owners import Line, Owned
from gitmem.store import objects
from gitmem.store.layout import Place, place_of
from gitmem.store.objects import Entry
from gitmem.store.repo import FOLDER, Repo

_OWNERS_MAX = 3 << 20
_PROBES = (f"{FOLDER}/config.yaml", f"{FOLDER}/engrams/domain/slug.md")


@record
class Guarded:
    """``findings`` have repo-relative paths; ``owners`` is None where the repository has no owner file."""

    findings: tuple[Finding, ...] = ()
    owners: tuple[Owner, ...] | None = None
    warnings: tuple[Notice, ...] = ()


@record
class _File:
    rel: str
    oid: str
    text: str


@record
class _Rule:
    """A rule that the range changes: its scope patterns at both ends, so that taking one away asks its owners too."""

    item: str
    rel: str
    patterns: tuple[str, ...]


def guarded(repo: Repo, ends: Ends, change: Delta | None) -> Guarded:
    before, after = _owner_file(repo, ends.policy), _owner_file(repo, ends.new)
    if before is None and after is None:
        return Guarded()
    lines = owners.parse_owners(before.text) if before else ()
    rules = _rules(change) if change is not None else []
    tracked = objects.tracked_paths(repo, ends.new) if rules else []
    asked = _asked(lines, rules, tracked)
    findings: tuple[Finding, ...] = ()
    if _is_changed(repo, ends, before, after):
        then = _asked(owners.parse_owners(after.text) if after else (), rules, tracked)
        is_own = before is not None and _names(asked) != _names(then)
        findings = (_changed(after or before, is_own=is_own),)
    rows = [
        Owner(rule.item, f"{FOLDER}/{rule.rel}", asked[rule.rel].owners, asked[rule.rel].patterns)
        for rule in rules
        if rule.rel in asked
    ]
    warnings = (_unowned(before.rel),) if change is not None and before and _is_unowned(lines) else ()
    return Guarded(findings, tuple(rows), warnings)


def _asked(lines: Sequence[Line], rules: Iterable[_Rule], tracked: Sequence[str]) -> dict[str, Owned]:
    return owners.asked(lines, {rule.rel: rule.patterns for rule in rules}, tracked)


def _names(asked: Mapping[str, Owned]) -> dict[str, tuple[str, ...]]:
    return {key: each.owners for key, each in asked.items()}


def _owner_file(repo: Repo, commit: str) -> _File | None:
    """The first of the places where forges look that has a file."""
    found = objects.look_up(repo, [f"{commit}:{rel}" for rel in owners.PLACES]) if commit else []
    for rel, row in zip(owners.PLACES, found, strict=False):
        if row is not None and row[1] == "blob":
            data = dict(objects.read_blobs(repo, [row[0]]))[row[0]] if row[2] <= _OWNERS_MAX else b""
            return _File(rel, row[0], data.decode("utf-8", "replace"))
    return None


def _is_changed(repo: Repo, ends: Ends, before: _File | None, after: _File | None) -> bool:
    """Whether the range itself changes the file: where A went on alone, B has only not heard of it yet."""
    start = before if ends.policy == ends.old else _owner_file(repo, ends.old)
    return (start and (start.rel, start.oid)) != (after and (after.rel, after.oid))


def _rules(change: Delta) -> list[_Rule]:
    """The changed rules by path, the old place of one that moved apart."""
    engrams = [c for c in change.changes if place_of(c.rel) is Place.ENGRAM]
    old = sides.read_oids(change.repo, {c.rel: c.old_oid for c in engrams if c.old_oid})
    rows = []
    for each in engrams:
        cards = [
            card_of(Entry(each.rel, "100644", oid, len(data)), data)
            for oid, data in ((each.old_oid, old.get(each.rel)), (each.new_oid, change.contents.get(each.rel)))
            if oid and data is not None
        ]
        patterns = tuple(dict.fromkeys(pattern for card in cards if card.is_served for pattern in card.paths))
        if patterns:
            rows.append(_Rule(cards[-1].id or cards[0].id, each.rel, patterns))
    return rows


def _changed(file: _File | None, *, is_own: bool) -> Finding:
    rel = file.rel if file else owners.PLACES[0]
    if is_own:
        message = "the owners of rules that this range changes are changed by the range itself"
        hint = "change the owners on their own first; until then those before must approve"
        return Finding("owners-changed", Severity.ERROR, rel, 0, message, hint)
    message = "the range changes who owns what; it is judged by the owners before"
    return Finding("owners-changed", Severity.WARNING, rel, 0, message, "look at it apart: whoever merges it decides")


def _is_unowned(lines: Sequence[Line]) -> bool:
    found = owners.of_files(lines, _PROBES)
    return not any(each.owners for each in found.values())


def _unowned(rel: str) -> Notice:
    message = f"nobody owns {FOLDER}/, so the forge asks nobody about changed knowledge"
    return Notice("unowned", message, rel, f"add a line such as: /{FOLDER}/ @your-team")
