"""Puts a compile together from one knowledge tree. Owns the order of the steps and what is hashed; refuses clocks."""

import hashlib
from collections.abc import Mapping

from gitmem import __version__, config, lazy
from gitmem.answers.bodies import Bodies
from gitmem.answers.documents import Chosen, Laid, Room, lay_out
from gitmem.answers.receipt import compile_id
from gitmem.config import Config
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.model.compiled import Compiled, CompileRequest, Delivery, Engine, Ratio
from gitmem.model.finding import Notice
from gitmem.model.plain import canonical, plain
from gitmem.record import record, replace
from gitmem.rules import order
from gitmem.rules.match import Matched, match
from gitmem.store import layout
from gitmem.store.repo import FOLDER

_PROBLEMS_NAMED = 20


@record
class Outcome:
    """A result whose channels of time and machine are still empty, with what explains it."""

    compiled: Compiled
    matched: Matched
    laid: Laid


def compile_rules(
    bodies: Bodies, knowledge: Knowledge, request: CompileRequest, warnings: tuple[Notice, ...]
) -> Outcome:
    """The pure part: a function of the request and the snapshot alone."""
    matched = match(knowledge, request)
    extra = _expanded(knowledge, request, matched)
    cards = {**matched.cards, **extra}
    relevance = _relevance(cards, bodies, request.plan)
    chosen = _choose((matched, extra), relevance, request.min_relevance)
    snapshot_id = knowledge.facts.snapshot_id
    kept = len(chosen.documents) + len(chosen.templates)
    below = _below("matching rules", len(matched.cards) - kept, request.min_relevance)
    beside = _below("rules with the tags", len(extra) - len(chosen.expanded), request.min_relevance)
    named = (*warnings, *problems(knowledge), *matched.warnings, *below)
    room = replace(_room(request, knowledge.settings), named=named, beside=beside)
    laid = lay_out(chosen, request, room, snapshot_id, bodies.read)
    catalogue = hashlib.sha256(canonical(plain(knowledge.facts.tags))).hexdigest()
    compiled = Compiled(
        compile_id=compile_id(request, snapshot_id),
        snapshot_id=snapshot_id,
        knowledge_version=version_of(knowledge),
        knowledge_count=knowledge.facts.ledger_count,
        engine=Engine(__version__),
        partial=laid.is_partial,
        base=laid.base,
        expanded=laid.expanded,
        tag_catalog_hash=f"sha256:{catalogue}",
        warnings=(*named, *beside, *laid.warnings),
    )
    return Outcome(compiled, matched, laid)


def version_of(knowledge: Knowledge) -> str:
    """The number of decisions in the tree, and which state of the knowledge that is."""
    return f"v{knowledge.facts.ledger_count}\u00b7{knowledge.facts.snapshot_id[:6]}"


def _expanded(knowledge: Knowledge, request: CompileRequest, matched: Matched) -> dict[int, Card]:
    """What intent tags add; nothing to load where there is no catalogue, no tag and so nothing to refuse."""
    if not request.tags and not (request.tags is None and request.plan and knowledge.facts.tags):
        return {}
    found: dict[int, Card] = lazy.load("gitmem.answers.expansion:expand")(knowledge, request, matched)
    return found


def _relevance(cards: Mapping[int, Card], bodies: Bodies, plan: str) -> dict[int, Ratio]:
    """Nothing without a plan: only then every text is read."""
    if not plan:
        return {}
    found = {}
    texts = bodies.read(cards)
    share = lazy.load("gitmem.text.words:share")
    for number, card in cards.items():
        n, d = share(plan, "\n".join((card.title, card.summary, " ".join(card.tags), texts[number])))
        found[number] = Ratio(n, d)
    return found


def _choose(groups: tuple[Matched, Mapping[int, Card]], relevance: Mapping[int, Ratio], thousandths: int) -> Chosen:
    """What is listed, in order; what falls below the asked relevance is not."""
    matched, extra = groups
    cards = {**matched.cards, **extra}
    kept = {n for n in cards if order.is_relevant(relevance.get(n), thousandths)}
    listed = [n for n in order.ranked(matched.cards, matched.specificity, relevance) if n in kept]
    beside = [n for n in order.ranked(extra, dict.fromkeys(extra, -1), relevance) if n in kept]
    return Chosen(
        documents=tuple(n for n in listed if cards[n].kind != "template"),
        templates=tuple(n for n in listed if cards[n].kind == "template"),
        expanded=tuple(beside),
        cards=cards,
        relevance=relevance,
        edges=matched.edges,
    )


def _below(what: str, count: int, thousandths: int) -> tuple[Notice, ...]:
    """What was left out is counted, never silently gone."""
    if not count:
        return ()
    message = f"{count} {what} share less than {thousandths}/1000 of the plan's terms and are left out"
    return (Notice("below-min-relevance", message, hint="ask again with a lower --min-relevance"),)


def _room(request: CompileRequest, settings: Config) -> Room:
    return Room(
        max_inline_bytes=request.max_inline_bytes or settings.max_inline_bytes,
        max_tokens=request.max_tokens,
        auto_inline_bytes=settings.auto_inline_bytes,
        entries=request.max_entries or settings.max_entries,
        listed=max(request.max_entries, settings.max_listed),
    )


def problems(knowledge: Knowledge) -> list[Notice]:
    """Files that cannot be served, each with its place and the way to mend it."""
    rows = [row for row in knowledge.facts.problems if row[2] == "error"]
    named = _setting_faults(knowledge)
    named += [Notice(code, message, _place(path, line), hint) for path, code, _, line, message, hint, _ in rows]
    for id_, paths in knowledge.facts.duplicates.items():
        message = f"the id {id_} is in {len(paths)} files, none of which is served: {', '.join(paths)}"
        named.append(Notice("duplicate-id", message, f"{FOLDER}/{paths[0]}", "give all but one of them a new id"))
    if not knowledge.facts.counts.get("rules", {}).get("all") and knowledge.facts.tree:
        hint = 'add one: gitmem new constraint "TITLE" --path "src/**", or: gitmem import; then commit it'
        named.append(Notice("empty", "no rule with a scope is committed yet", hint=hint))
    if len(named) > _PROBLEMS_NAMED:
        rest = len(named) - _PROBLEMS_NAMED
        named[_PROBLEMS_NAMED:] = [
            Notice("more-problems", f"{rest} further problems", hint="list them with: gitmem check")
        ]
    return named


def _setting_faults(knowledge: Knowledge) -> list[Notice]:
    _, faults = config.from_text(knowledge.facts.config)
    place = f"{FOLDER}/{layout.CONFIG}"
    return [Notice("setting", f"{f.message}; the default is in force", place, f.hint) for f in faults]


def _place(path: str, line: int) -> str:
    return f"{FOLDER}/{path}:{line}" if line else f"{FOLDER}/{path}"


def budget_row(laid: Laid, request: CompileRequest, settings: Config) -> dict[str, int]:
    """The budget in the unit that was asked for, and how many documents were delivered in each way."""
    limit = request.max_tokens or request.max_inline_bytes or settings.max_inline_bytes
    counts = {kind.value: 0 for kind in Delivery}
    for decision in laid.budget.decisions.values():
        counts[decision.delivery.value] += 1
    return {"limit": limit, "used": laid.budget.used, **counts}
