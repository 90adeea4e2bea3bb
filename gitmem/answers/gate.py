"""What the policy at the start of a range asks of its commits: decisions on record, approvals, no loosening.

Refuses the policy at its end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

from gitmem import config
from gitmem.answers import sides
from gitmem.answers.delta import Delta, Ends
from gitmem.checks import approved, explained, policy
from gitmem.checks.approved import Decision, Vote
from gitmem.checks.explained import KNOWLEDGE, Recorded, Turned
from gitmem.config import TRUST_HEAD, TRUST_SIGNED, Config
from gitmem.lazy import load
from gitmem.model.approval import Approval, identity
from gitmem.model.finding import Finding, Severity
from gitmem.model.ledger import Entry, ItemChange
from gitmem.record import record, replace
from gitmem.review.identity import id_of
from gitmem.store import approvals, gitconfig, ledger, objects, records, trust
from gitmem.store.codec import decode_mapping
from gitmem.store.gitkeys import CannotVerifyError
from gitmem.store.layout import CONFIG, Place, place_of
from gitmem.store.records import Touch
from gitmem.store.repo import FOLDER, Repo

Hashes = Mapping[str, str]
_RULES = (CONFIG, policy.SIGNERS)


@record
class _Range:
    """What the range adds to the record, and what it does to items; ``unread`` are records that cannot be read."""

    change: Delta
    ends: Ends
    settings: Config
    recorded: tuple[Recorded, ...]
    turned: tuple[Turned, ...]
    unread: tuple[Finding, ...]


def judged(change: Delta, ends: Ends, settings: Config) -> list[Finding]:
    """Findings with paths below ``.gitmem``. ``settings`` are those of A."""
    is_guarded = policy.is_guarded(settings)
    touches_rules = any(each.rel in _RULES for each in change.changes)
    has_entries = any(not c.old_oid and place_of(c.rel) is Place.LEDGER for c in change.changes)
    if not (is_guarded or touches_rules or has_entries):
        return []
    found = _range(change, ends, settings)
    lacking = _lacking(found) if settings.min_approvals else []
    findings = [*lacking, *_mismatched(found), *_rules(found, {each.path for each in lacking})]
    findings += found.unread if is_guarded else ()
    if settings.require_ledger:
        findings += explained.unexplained((t for t in found.turned if place_of(t.path) in KNOWLEDGE), found.recorded)
    return findings


def _range(change: Delta, ends: Ends, settings: Config) -> _Range:
    recorded: list[Recorded] = []
    unread: list[Finding] = []
    for each in change.changes:
        if each.old_oid or each.rel not in change.contents or place_of(each.rel) is not Place.LEDGER:
            continue
        entry = ledger.decode(change.contents[each.rel], each.rel)
        if isinstance(entry, Entry):
            recorded.append(Recorded(each.rel, entry))
        else:
            unread += entry
    return _Range(change, ends, settings, tuple(recorded), tuple(_turned(change)), tuple(unread))


def _turned(change: Delta) -> list[Turned]:
    """The changed items: engrams paired by their ids, all else by path."""
    told = [c for c in change.changes if place_of(c.rel) in KNOWLEDGE or c.rel == policy.SIGNERS]
    old = sides.read_oids(change.repo, {c.rel: c.old_oid for c in told if c.old_oid})
    new = {c.rel: change.contents.get(c.rel, b"") for c in told if c.new_oid}
    was, now = (_by_item(files) for files in (old, new))
    return [
        Turned(item, was.get(item, ""), now.get(item, ""), _hashes(old, was.get(item)), _hashes(new, now.get(item)))
        for item in sorted({*was, *now})
    ]


def _by_item(files: Mapping[str, bytes]) -> dict[str, str]:
    """From item to path; of two files with one id the second is told apart by its path."""
    found: dict[str, str] = {}
    for rel in sorted(files):
        item = (id_of(files[rel]) if place_of(rel) is Place.ENGRAM else "") or rel
        found[rel if item in found else item] = rel
    return found


def _hashes(files: Mapping[str, bytes], rel: str | None) -> Hashes:
    return ledger.key_hashes(files[rel], rel) if rel else {}


def _mismatched(found: _Range) -> list[Finding]:
    if not found.recorded:
        return []
    settings = found.settings
    is_error = settings.require_ledger or settings.min_approvals > 0
    severity = Severity.ERROR if is_error else Severity.WARNING
    return explained.mismatched(found.recorded, _state_of(found), _seen_by(found), severity)


def _state_of(found: _Range) -> Callable[[ItemChange], Turned]:
    """An item at both ends; what the range leaves alone is the same at both."""
    by_item = {each.item: each for each in found.turned} | {each.path: each for each in found.turned}
    named = {change.path for each in found.recorded for change in each.entry.changes if change.item not in by_item}
    still = sides.at(found.change.repo, found.change.tree)(sorted(named - by_item.keys()))

    def state(change: ItemChange) -> Turned:
        known = by_item.get(change.item) or by_item.get(change.path)
        if known is not None:
            return known
        hashes = ledger.key_hashes(still.get(change.path), change.path)
        return Turned(change.item, change.path, change.path, hashes, hashes)

    return state


def _seen_by(found: _Range) -> Callable[[Recorded, ItemChange], Hashes]:
    """An item as it was before the commit that added the entry: a merge may have brought another one since."""
    repo = found.change.repo
    parents: dict[str, str] = {}

    def seen(each: Recorded, change: ItemChange) -> Hashes:
        if not parents:
            touches = records.touches(repo, found.ends.old, found.ends.new)
            parents.update((t.rel, t.parents[0] if t.parents else "") for t in touches if t.is_added)
        parent = parents.get(each.rel, "")
        rel = change.moved_from or change.path
        data = sides.at(repo, f"{parent}:{FOLDER}" if parent else "")([rel]).get(rel)
        return ledger.key_hashes(data, rel)

    return seen


def _lacking(found: _Range) -> list[Finding]:
    """The decisions of the range that too few people approved."""
    touches = records.touches(found.change.repo, found.ends.old, found.ends.new)
    votes = _votes(found, touches)
    missing = []
    for each in found.recorded:
        authors = frozenset(identity(touch.name, touch.email) for touch in touches if touch.rel == each.rel)
        mine = [vote for vote in votes if vote.approval.ledger == each.entry.id]
        decision = Decision(each.rel, each.entry, authors)
        lack = approved.missing(decision, mine, found.settings.min_approvals)
        missing += [lack] if lack is not None else []
    return missing


def _votes(found: _Range, touches: Sequence[Touch]) -> list[Vote]:
    """Each approval with whoever made the commit that brings it as it is, on the entry as it is."""
    entries = {each.entry.id: each.rel for each in found.recorded}
    new = {c.rel: c.new_oid for c in found.change.changes if c.new_oid and not c.old_oid}
    known: list[tuple[Approval, str, list[Touch]]] = []
    for rel in new:
        content = found.change.contents.get(rel)
        vote = approvals.decode(content, rel) if content is not None and place_of(rel) is Place.APPROVAL else ()
        if isinstance(vote, Approval) and vote.ledger in entries:
            added = [t for t in touches if t.rel == rel and t.is_added and t.oid == new[rel]]
            known.append((vote, entries[vote.ledger], added))
    names = [f"{touch.commit}:{FOLDER}/{entry}" for _, entry, added in known for touch in added]
    seen = iter(objects.look_up(found.change.repo, names))
    votes = []
    for vote, entry, added in known:
        whole = [t for t, row in zip(added, _take(seen, len(added)), strict=True) if row and row[0] == new.get(entry)]
        votes.append(Vote(vote, whole[0].email if whole else ""))
    return votes


def _take(rows: Iterator[tuple[str, str, int] | None], count: int) -> list[tuple[str, str, int] | None]:
    return list(islice(rows, count))


def _rules(found: _Range, lacking: set[str]) -> list[Finding]:
    """Changes of the rules themselves, errors where the rules before do not let them through."""
    turned = {each.path: each for each in found.turned if each.path in _RULES}
    findings: list[Finding] = []
    if CONFIG in turned:
        values, _ = decode_mapping(found.change.contents.get(CONFIG, b""), CONFIG)
        after, _ = config.from_text(values)
        is_allowed = _is_allowed(found, turned[CONFIG], lacking)
        findings += policy.loosened(_in_force(found), after, is_allowed=is_allowed)
    signers = turned.get(policy.SIGNERS)
    if signers is not None:
        is_allowed = _is_allowed(found, signers, lacking)
        findings.append(policy.signers_changed(is_removed=not signers.is_, is_allowed=is_allowed))
    return findings


def _in_force(found: _Range) -> Config:
    """The settings before; where they name no trust and there is no remote, HEAD is what counted."""
    if found.settings.trust or trust.chosen_remote(gitconfig.read_config(found.change.repo)):
        return found.settings
    return replace(found.settings, trust=TRUST_HEAD)


def _is_allowed(found: _Range, item: Turned, lacking: set[str]) -> bool:
    """Whether the policy before lets a change of the rules through."""
    settings = found.settings
    if settings.require_ledger or settings.min_approvals:
        told = [c for each in found.recorded if each.rel not in lacking for c in each.entry.changes]
        return explained.missing_keys(item, told) is None
    return settings.trust != TRUST_SIGNED or _is_signed(found.change.repo, found.ends, item.path)


def _is_signed(repo: Repo, ends: Ends, rel: str) -> bool:
    """Whether every commit of the range that changes the file is signed by those whom A lets sign."""
    commits = records.commits_of(repo, ends.old, ends.new, f"{FOLDER}/{rel}")
    if not ends.policy or not commits:
        return False
    try:
        refusals = [load("gitmem.store.chain:next_holds")(repo, ends.policy, commit) for commit in commits]
    except CannotVerifyError:
        return False
    return not any(refusals)
