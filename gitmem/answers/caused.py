"""The findings that a change causes or touches, by key look-ups in the index of what was before. Refuses all others."""

from __future__ import annotations

from collections.abc import Iterable

from gitmem import config
from gitmem.answers import ends, relations
from gitmem.answers.delta import Delta
from gitmem.answers.verdict import Verdict, at_lines, in_repository
from gitmem.checks import decisions, names, texts
from gitmem.checks.spotted import Spotted
from gitmem.config import Config
from gitmem.globs import trie
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge, overlaid
from gitmem.index.parse import card_of, refusal_of
from gitmem.lazy import load
from gitmem.model.finding import Finding, Notice, Severity
from gitmem.record import record
from gitmem.store import objects
from gitmem.store.codec import decode_mapping
from gitmem.store.layout import CONFIG, LAYERS, OURS, Place, place_of
from gitmem.store.repo import FOLDER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    Item = TypeVar("Item", str, tuple[str, str])


@record
class Turn:
    """A change as the index sees it: knowledge before and after, the cards that went and those that came."""

    before: Knowledge
    after: Knowledge
    gone: tuple[Card, ...]
    come: tuple[Card, ...]


def caused(delta: Delta, before: Knowledge) -> Verdict:
    refusal = _not_ours(delta, before)
    if refusal is not None:
        return Verdict(warnings=(refusal,))
    turn = _turn(delta, before)
    spotted = [*_shared_names(turn), *_references(turn), *_scopes(delta, turn)]
    spotted += ends.of_change(turn.after, turn.gone, turn.come)
    spotted += _meaning(delta, turn)
    spotted += [*_skills(turn), *_steps(delta, turn)]
    found = [finding for card in turn.come for finding in card.own_findings("")]
    found += [_unmerged(rel) for rel in delta.unmerged]
    found += [*_records(delta), *_cached(delta), *_texts(delta, before)]
    found += at_lines(spotted, lambda rels: _texts_of(delta, turn, rels))
    return Verdict(in_repository(found), len(delta.changes) + len(delta.unmerged))


def _records(delta: Delta) -> list[Finding]:
    """What became of decisions on record; a revert of Git takes its decision along, and that can be mended."""
    found = decisions.findings((*delta.changes, *delta.dropped))
    if not any(change.old_oid and not change.new_oid for change in (*delta.changes, *delta.dropped)) or not found:
        return found
    mended: list[Finding] = load("gitmem.answers.undone:in_delta")(delta, found)
    return mended


def _not_ours(delta: Delta, before: Knowledge) -> Notice | None:
    """Why the change is not judged: another tool's folder, or a newer gitmem's. A hook must not get in their way."""
    settings = _settings(before, delta.contents.get(CONFIG))
    if settings.format > config.FORMAT:
        notice: Notice = load("gitmem.answers.reading:newer_format")(settings.format)
        return notice
    known = set(before.facts.counts.get("place", {})) - {Place.FOREIGN.value, Place.SUPPORT.value}
    if known or any(change.rel.partition("/")[0] in OURS for change in delta.changes):
        return None
    message = "the folder holds nothing that gitmem wrote, so it is not checked"
    return Notice("foreign-folder", message, FOLDER, "if it is meant for gitmem: gitmem init")


def _settings(before: Knowledge, changed: bytes | None) -> Config:
    """Those of the changed file, else those that were in force."""
    return before.settings if changed is None else config.from_text(decode_mapping(changed, CONFIG)[0])[0]


def _turn(delta: Delta, before: Knowledge) -> Turn:
    rels = [change.rel for change in delta.changes]
    gone = [card for rel in rels for card in before.under(f"path:{rel.casefold()}") if card.path == rel]
    come = [refusal_of(entry) or card_of(entry, delta.contents.get(entry.rel, b"")) for entry in delta.entries]
    return Turn(before, overlaid(before, rels, come), tuple(gone), tuple(come))


def _meaning(delta: Delta, turn: Turn) -> list[Spotted]:
    """What the change did to edges and tags; nothing to load where there are none."""
    has_edges = bool(turn.before.facts.counts.get("edge")) or any(card.edge for card in turn.come)
    if not has_edges and not any(card.tags for card in turn.gone):
        return []
    found: list[Spotted] = load("gitmem.answers.meaning:of_change")(
        turn.after, turn.gone, turn.come, lambda rels: _texts_of(delta, turn, rels)
    )
    return found


def _skills(turn: Turn) -> list[Spotted]:
    """What the change means for skills; nothing to load where there are none."""
    if not turn.before.facts.counts.get("place", {}).get(Place.SKILL.value) and not any(c.cue for c in turn.come):
        return []
    found: list[Spotted] = load("gitmem.answers.composed:of_change")(turn.after, turn.gone, turn.come)
    return found


def _steps(delta: Delta, turn: Turn) -> list[Spotted]:
    """Nothing to load where no engram is verified otherwise than before."""
    before = {card.id: card.verification for card in turn.gone if card.id}
    if all(before.get(card.id, card.verification) == card.verification for card in turn.come):
        return []
    return list(load("gitmem.answers.stepped:of_change")(delta, turn.gone, turn.come))


def _texts_of(delta: Delta, turn: Turn, rels: Iterable[str]) -> dict[str, str]:
    data = dict(delta.contents)
    others = {
        card.path: card.blob for rel in rels if rel not in data for card in turn.after.under(f"path:{rel.casefold()}")
    }
    blobs = dict(objects.read_blobs(delta.repo, sorted(set(others.values()))))
    data.update((rel, blobs[oid]) for rel, oid in others.items())
    return {rel: data[rel].decode("utf-8", "replace") for rel in rels if rel in data}


def _texts(delta: Delta, before: Knowledge) -> list[Finding]:
    found = [f for rel, data in delta.contents.items() for f in texts.findings(data, rel)]
    found += texts.of_paths([entry.rel for entry in delta.entries])
    settings = _settings(before, None if delta.is_policy_before else delta.contents.get(CONFIG))
    return texts.without_allowed(found, settings.allow_secrets) if found else []


def _unmerged(rel: str) -> Finding:
    message = "the two sides of a merge are both in the index"
    return Finding("unmerged", Severity.ERROR, rel, 0, message, "finish the merge, then: git add")


def _cached(delta: Delta) -> list[Finding]:
    """One finding for whatever of the cache gets committed."""
    rels = [change.rel for change in delta.changes if change.new_oid and place_of(change.rel) is Place.CACHE]
    return [cache_tracked(rels[0])] if rels else []


def cache_tracked(rel: str) -> Finding:
    message = "the cache is made anew on every machine and is never committed; while it is, it is not used"
    return Finding("cache-tracked", Severity.ERROR, rel, 0, message, "take it out: git rm -r --cached .gitmem/cache")


def _shared_names(turn: Turn) -> list[Spotted]:
    # Of several changed files the first in order is the one to point at: later entries of a mapping win.
    after, come = turn.after, sorted(turn.come, key=lambda card: card.path, reverse=True)
    items = {card.id: card for card in come if card.id}
    ids = {id_: _first(card.path, (c.path for c in after.under(f"id:{id_}"))) for id_, card in items.items()}
    folded = {card.path.casefold(): card.path for card in come}
    cases = [_first(path, (c.path for c in after.under(f"path:{key}"))) for key, path in folded.items()]
    slugs = {
        card.slug: _first((card.path, card.id), ((c.path, c.id) for c in after.under(f"slug:{card.slug}")))
        for card in items.values()
    }
    return [*names.duplicate_ids(ids), *names.equal_but_for_case(cases), *names.ambiguous_slugs(slugs)]


def _first(item: Item, others: Iterable[Item]) -> list[Item]:
    found = [item]
    found.extend(sorted(set(others) - {item}))
    return found


def _references(turn: Turn) -> list[Spotted]:
    """References of the changed engrams, and those of others that a name which came or went decides."""
    decisive = {
        name
        for card in (*turn.gone, *turn.come)
        if card.id
        for name in (card.id, card.id.lower(), card.slug, card.name)
    }
    others = {card.path: card for name in sorted(decisive) for card in turn.after.under(f"needs:{name}")}
    come = {card.path: card for card in turn.come if not card.cue}
    seen: dict[str, list[Card]] = {}

    def resolve(reference: str) -> list[Card]:
        if reference not in seen:
            seen[reference] = turn.after.by_reference(reference)
        return seen[reference]

    found = [spot for card in come.values() for spot in relations.unresolved(resolve, card, card.requires)]
    for path, card in others.items():
        if path not in come:
            found += relations.unresolved(resolve, card, [r for r in card.requires if r in decisive])
    starts = [*come.values(), *others.values()]
    return found + relations.circles(resolve, starts, {card.id: int(card.path not in come) for card in starts})


def _scopes(delta: Delta, turn: Turn) -> list[Spotted]:
    """Only what the change adds to a scope: what was there before was judged before."""
    old = {card.id or card.path: card for card in turn.gone}
    come = [(card, old.get(card.id or card.path)) for card in turn.come]
    patterns = [(card, p) for card, was in come for p in card.paths if was is None or p not in was.paths]
    layered = [card for card, was in come if card.layers and (was is None or was.layers != card.layers)]
    found: list[Spotted] = []
    if layered:
        changed = delta.contents.get(LAYERS)
        table = turn.before.facts.layers if changed is None else decode_mapping(changed, LAYERS)[0]
        found += relations.unknown_layers(layered, relations.layer_names(table))
    if patterns:
        globs = [pattern for _, pattern in patterns]
        matches = trie.first_matches(globs, delta.tracked(relations.folders_of(globs)))
        found += relations.unmatched(patterns, matches)
    return found
