"""The findings of a whole tree: HEAD, and every edit that waits. Refuses to read what the index knows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from gitmem import config
from gitmem.answers import ends, relations, undone
from gitmem.answers.caused import cache_tracked
from gitmem.answers.reading import Place, Session, newer_format, no_commits, not_initialised
from gitmem.answers.verdict import Verdict, at_lines, in_repository
from gitmem.answers.working import Working, working
from gitmem.checks import decisions, names, texts
from gitmem.checks.spotted import Spotted
from gitmem.globs import trie
from gitmem.index import refresh
from gitmem.index import texts as scans
from gitmem.index.card import Card
from gitmem.index.segments import DamagedError
from gitmem.lazy import load
from gitmem.model.finding import Finding, Notice
from gitmem.model.ids import ID_LENGTH
from gitmem.model.vocabulary import Text
from gitmem.record import record
from gitmem.store import objects, worktree
from gitmem.store.codec import decode_mapping
from gitmem.store.layout import CONFIG, LAYERS
from gitmem.store.objects import Change
from gitmem.store.repo import FOLDER
from gitmem.store.worktree import Uncommitted


@record
class Subject:
    """What is judged: its cards, and the files that differ from HEAD by path."""

    place: Place
    tree: str
    working: Working
    cards: tuple[Card, ...]
    edits: Mapping[str, Uncommitted]


def whole(session: Session) -> Verdict:
    place = session.place
    heads = objects.look_up(place.repo, ["HEAD^{commit}", f"HEAD:{FOLDER}", f"HEAD:{FOLDER}/cache"])
    tree = heads[1][0] if heads[1] and heads[1][1] == "tree" else ""
    try:
        return _judged(place, tree, heads)
    except DamagedError as damage:
        place.opened[tree] = refresh.again(place.repo, place.cache, tree, damage)
    return _judged(place, tree, heads)


def _judged(place: Place, tree: str, heads: Sequence[object]) -> Verdict:
    """``heads`` are the commit, the knowledge and the cache of HEAD, each None where there is none."""
    found = working(place)
    edits = {edit.rel: edit for edit in found.edits}
    subject = Subject(place, tree, found, tuple(found.knowledge.cards()), edits)
    if not subject.cards and not edits:
        return Verdict(warnings=(not_initialised() if heads[0] else no_commits(),))
    settings, _ = config.from_text(_mapping(subject, CONFIG))
    if settings.format > config.FORMAT:
        return Verdict(warnings=(newer_format(settings.format),))
    scanned, note = _texts(subject, settings)
    findings = [finding for card in subject.cards for finding in card.own_findings("")] + scanned
    recorded = decisions.findings(_as_change(edit) for edit in found.edits)
    findings += undone.retold(recorded, undone.of_edits(place.repo, tree, found.edits), undone.FIX)
    findings += [cache_tracked("cache")] if heads[2] else []
    spotted = [*_names(subject.cards), *_references(subject.cards), *_scopes(subject), *ends.of_whole(subject.cards)]
    spotted += _sources(subject) if heads[0] else []
    findings += at_lines(spotted, lambda rels: _texts_of(subject, rels))
    return Verdict(in_repository(findings), len(subject.cards), note)


def _as_change(edit: Uncommitted) -> Change:
    return Change(edit.rel, edit.old_oid, "disk" if edit.mode else "", edit.mode)


def _texts(subject: Subject, settings: config.Config) -> tuple[list[Finding], tuple[Notice, ...]]:
    place = subject.place
    scanned, note = scans.of_tree(place.repo, place.cache, subject.tree) if subject.tree else (None, "")
    found = texts.of_paths([card.path for card in subject.cards])
    for card in subject.cards:
        edit = subject.edits.get(card.path)
        if edit is not None:
            found += texts.findings(edit.data or b"", card.path)
        elif scanned is not None:
            found += scanned.findings(card.blob, card.path, card.id)
    notices = (Notice("cache", note),) if note else ()
    return texts.without_allowed(found, settings.allow_secrets), notices


def _mapping(subject: Subject, rel: str) -> Mapping[str, Text]:
    """A settings file as it would be committed."""
    edit = subject.edits.get(rel)
    if edit is not None:
        return decode_mapping(edit.data or b"", rel)[0]
    facts = subject.working.knowledge.facts
    return facts.config if rel == CONFIG else facts.layers


def _names(cards: Sequence[Card]) -> list[Spotted]:
    ids: dict[str, list[str]] = defaultdict(list)
    slugs: dict[str, list[tuple[str, str]]] = defaultdict(list)
    cases: dict[str, list[str]] = defaultdict(list)
    for card in sorted(cards, key=lambda card: card.path):
        cases[card.path.casefold()].append(card.path)
        if card.id:
            ids[card.id].append(card.path)
            slugs[card.slug].append((card.path, card.id))
    return [*names.duplicate_ids(ids), *names.equal_but_for_case(cases.values()), *names.ambiguous_slugs(slugs)]


def _references(cards: Sequence[Card]) -> list[Spotted]:
    by_name: dict[str, list[Card]] = defaultdict(list)
    for card in cards:
        for name in {card.id, card.slug, card.name} if card.id else ():
            by_name[name].append(card)

    def resolve(reference: str) -> Sequence[Card]:
        found = by_name.get(reference.upper()) if len(reference) == ID_LENGTH else None
        return found or by_name.get(reference, [])

    bound = [card for card in cards if card.requires and card.id]
    found = [spot for card in bound for spot in relations.unresolved(resolve, card, card.requires)]
    found += relations.circles(resolve, bound)
    if any(card.cue for card in cards):
        found += load("gitmem.answers.composed:of_whole")(cards, resolve)
    return found


def _scopes(subject: Subject) -> list[Spotted]:
    patterns = [(card, pattern) for card in subject.cards for pattern in card.paths]
    found = _unmatched(subject, patterns) if patterns else []
    known = relations.layer_names(_mapping(subject, LAYERS))
    return found + relations.unknown_layers(subject.cards, known)


def _unmatched(subject: Subject, patterns: Sequence[tuple[Card, str]]) -> list[Spotted]:
    repo = subject.place.repo
    files = worktree.tracked(repo) if repo.root is not None else objects.tracked_paths(repo, "HEAD")
    matches = trie.first_matches([pattern for _, pattern in patterns], files)
    dead = [pattern for (_, pattern), file in zip(patterns, matches, strict=True) if file is None]
    hints = load("gitmem.answers.following:hints")(repo, dead, files) if dead else None
    return relations.unmatched(patterns, matches, hints)


def _sources(subject: Subject) -> list[Spotted]:
    """What is not as the document that it mirrors, as HEAD has that."""
    sourced = [card for card in subject.cards if card.source]
    if not sourced:
        return []
    found: list[Spotted] = load("gitmem.answers.mirrors:stale_at_head")(subject.place.repo, sourced)
    return found


def _texts_of(subject: Subject, rels: Iterable[str]) -> dict[str, str]:
    wanted = set(rels)
    data = {rel: edit.data or b"" for rel, edit in subject.edits.items() if rel in wanted}
    blobs = {card.path: card.blob for card in subject.cards if card.path in wanted and card.path not in data}
    read = dict(objects.read_blobs(subject.place.repo, sorted(set(blobs.values()))))
    data.update((rel, read[oid]) for rel, oid in blobs.items())
    return {rel: found.decode("utf-8", "replace") for rel, found in data.items()}
