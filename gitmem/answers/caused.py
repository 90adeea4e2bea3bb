"""The findings that a change causes or touches, by key look-ups in the index of what was before. Refuses all others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gitmem import config
from gitmem.answers.delta import Delta
from gitmem.answers.verdict import Verdict, at_lines, in_repository
from gitmem.checks import decisions, names, references, texts
from gitmem.checks.references import Named
from gitmem.checks.spotted import Spotted
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge, overlaid
from gitmem.index.parse import card_of, refusal_of
from gitmem.lazy import load
from gitmem.model.finding import Finding, Severity
from gitmem.record import record
from gitmem.store import objects
from gitmem.store.codec import decode_mapping
from gitmem.store.layout import CONFIG, LAYERS, Place, place_of


@record
class Turn:
    """A change as the index sees it: knowledge before and after, the cards that went and those that came."""

    before: Knowledge
    after: Knowledge
    gone: tuple[Card, ...]
    come: tuple[Card, ...]


def caused(delta: Delta, before: Knowledge) -> Verdict:
    turn = _turn(delta, before)
    spotted = [*_shared_names(turn), *_references(turn), *_scopes(delta, turn)]
    found = [finding for card in turn.come for finding in card.own_findings("")]
    found += [*decisions.findings((*delta.changes, *delta.dropped)), *_cached(delta), *_texts(delta, before)]
    found += at_lines(spotted, lambda rels: _texts_of(delta, turn, rels))
    return Verdict(in_repository(found), len(delta.entries))


def _turn(delta: Delta, before: Knowledge) -> Turn:
    rels = [change.rel for change in delta.changes]
    gone = [card for rel in rels for card in before.under(f"path:{rel.casefold()}") if card.path == rel]
    come = [refusal_of(entry) or card_of(entry, delta.contents.get(entry.rel, b"")) for entry in delta.entries]
    return Turn(before, overlaid(before, rels, come), tuple(gone), tuple(come))


def _texts_of(delta: Delta, turn: Turn, rels: Iterable[str]) -> dict[str, str]:
    data = dict(delta.contents)
    others = {card.path: card.blob for rel in rels if rel not in data for card in turn.after.under(f"path:{rel.casefold()}")}
    blobs = dict(objects.read_blobs(delta.repo, sorted(set(others.values()))))
    data.update((rel, blobs[oid]) for rel, oid in others.items())
    return {rel: data[rel].decode("utf-8", "replace") for rel in rels if rel in data}


def _texts(delta: Delta, before: Knowledge) -> list[Finding]:
    found = [f for rel, data in delta.contents.items() for f in texts.findings(data.decode("utf-8", "replace"), rel)]
    found += texts.of_paths([entry.rel for entry in delta.entries])
    changed = None if delta.is_policy_before else delta.contents.get(CONFIG)
    values = before.facts.config if changed is None else decode_mapping(changed, CONFIG)[0]
    return texts.without_allowed(found, config.from_text(values)[0].allow_secrets) if found else []


def _cached(delta: Delta) -> list[Finding]:
    """One finding for whatever of the cache gets committed."""
    rels = [change.rel for change in delta.changes if change.new_oid and place_of(change.rel) is Place.CACHE]
    return [cache_tracked(rels[0])] if rels else []


def cache_tracked(rel: str) -> Finding:
    message = "the cache is made anew on every machine and is never committed; while it is, it is not used"
    return Finding("cache-tracked", Severity.ERROR, rel, 0, message, "take it out: git rm -r --cached .gitmem/cache")


def _shared_names(turn: Turn) -> list[Spotted]:
    after, come = turn.after, turn.come
    items = {card.id: card for card in come if card.id}
    ids = {id_: _first(card.path, (c.path for c in after.under(f"id:{id_}"))) for id_, card in items.items()}
    cases = {
        card.path.casefold(): _first(card.path, (c.path for c in after.under(f"path:{card.path.casefold()}")))
        for card in come
    }
    slugs = {card.slug: card for card in items.values()}
    named = {
        slug: _first((card.path, card.id), ((c.path, c.id) for c in after.under(f"slug:{slug}")))
        for slug, card in slugs.items()
        if not any(old.path == card.path for old in turn.gone)
    }
    return [*names.duplicate_ids(ids), *names.equal_but_for_case(cases.values()), *names.ambiguous_slugs(named)]


def _first[Item](item: Item, others: Iterable[Item]) -> list[Item]:
    return [item, *sorted(set(others) - {item})]
