"""What no longer leads anywhere: claims whose code moved or went, edges without an end, rules without a file.

Refuses to judge code that drifted: whether the knowledge or the code is right is for a person to say.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from gitmem.answers import claims, plans
from gitmem.answers.admission import admit
from gitmem.answers.ground import Ground
from gitmem.answers.opening import Plan
from gitmem.answers.reading import Reading
from gitmem.globs import trie
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.model.claimed import DRIFTED, GONE, MOVED, ClaimState
from gitmem.model.engram import Claim
from gitmem.model.finding import Finding, Severity
from gitmem.model.vocabulary import Text
from gitmem.record import record
from gitmem.store import changed, objects
from gitmem.store.codec import decode
from gitmem.store.edit import set_value
from gitmem.store.repo import FOLDER
from gitmem.store.trust import quoted
from gitmem.upkeep.draft import Draft
from gitmem.upkeep.unread import Unread

CLAIMS, EDGES, RULES = "claims", "edges", "rules"
STAGES = (CLAIMS, EDGES, RULES)
# A rule may wait so long for the files that it is about.
WAIT_DAYS = 30
_DAY_S = 86_400
_LIVE = ("active", "draft")
# Where a moved claim is now: path, lines and symbol, each or ''.
_Place = tuple[str, str, str]


@record
class Mended:
    drafts: list[Draft]
    findings: list[Finding]


def of_claims(reading: Reading, knowledge: Knowledge, followed: Collection[tuple[str, str]]) -> Mended:
    """``followed`` are (id, path) of the claims that a rename explains, which another proposal brings up to date."""
    cards = [card for card in knowledge.under("claimed") if card.status in _LIVE and card.visibility != "private"]
    drafts: list[Draft] = []
    findings: list[Finding] = []
    for at in range(0, len(cards), claims.JUDGED_MOST // 5):
        page = cards[at : at + claims.JUDGED_MOST // 5]
        states = claims.states(reading, page)
        for card in page:
            found = _of_card(card, states.get(card.id, ()), followed)
            drafts += found.drafts
            findings += found.findings
    return Mended(drafts, findings)


def _of_card(card: Card, states: Sequence[ClaimState], followed: Collection[tuple[str, str]]) -> Mended:
    moved = {at: _place(each) for at, each in enumerate(states) if each.state == MOVED and each.now}
    moved = {at: place for at, place in moved.items() if (card.id, states[at].path) not in followed}
    gone = [each for each in states if each.state == GONE and (card.id, each.path) not in followed]
    drafts = [_reanchored(card, states, moved)] if moved else []
    if states and len(gone) == len(states):
        drafts.append(_retired(card, gone))
    lost = gone if len(gone) < len(states) else []
    return Mended(drafts, [_broken(card, each) for each in states if each.state == DRIFTED or each in lost])


def _place(state: ClaimState) -> _Place:
    now = state.now or ""
    if state.symbol and not state.lines and "#" in now:
        path, _, symbol = now.rpartition("#")
        return path, "", symbol
    path, _, lines = now.rpartition(":") if state.lines else (now, "", "")
    return path, lines, state.symbol or ""


def _broken(card: Card, state: ClaimState) -> Finding:
    place = f"{state.path}{':' + state.lines if state.lines else '#' + state.symbol if state.symbol else ''}"
    confirm = f"gitmem claims confirm {card.slug} --path {quoted(state.path)}"
    if state.state == DRIFTED:
        message, hint = f"{place} is not as it was when {card.slug} was written", f"still true: {confirm}; else edit it"
    else:
        message = f"{place}, on which {card.slug} rests, is gone"
        hint = f"gitmem edit {card.slug} claims --remove {quoted(state.path)}, or: gitmem propose retire {card.slug}"
    return Finding(f"claim-{state.state}", Severity.WARNING, f"{FOLDER}/{card.path}", 0, message, hint, card.id)


def _reanchored(card: Card, states: Sequence[ClaimState], moved: Mapping[int, _Place]) -> Draft:
    told = [
        f"{states[at].path}:{states[at].lines or states[at].symbol or ''} -> {path}:{lines or symbol}"
        for at, (path, lines, symbol) in moved.items()
    ]
    return Draft(
        stage=CLAIMS,
        rule="re-anchor",
        rests_on=(card.id, card.blob, *told),
        title=f"Re-anchor {card.slug}: its code has moved",
        plan=lambda under: _with_places(under, card, moved),
        rationale=f"The same text is elsewhere now: {'; '.join(told)}.",
    )


def _with_places(under: Ground, card: Card, moved: Mapping[int, _Place]) -> Plan:
    data, rel = under.data_of(card), f"{FOLDER}/{card.path}"
    engram = decode(data, card.path).engram
    rows = [_row(claim, moved.get(at)) for at, claim in enumerate(engram.claims)] if engram else []
    changed = set_value(data, "claims", rows, rel)
    return Plan("update", "", {card.path: changed}, warnings=admit(card.path, changed)[1])


def _row(claim: Claim, place: _Place | None) -> Text:
    path, lines, symbol = place or (claim.path, claim.lines, claim.symbol)
    parts = {"path": path, "symbol": symbol, "lines": lines, "hash": claim.digest}
    return {name: value for name, value in parts.items() if value}


def _retired(card: Card, gone: Sequence[ClaimState]) -> Draft:
    paths = ", ".join(dict.fromkeys(each.path for each in gone))
    return Draft(
        stage=CLAIMS,
        rule="retire",
        rests_on=(card.id, card.blob),
        title=f"Retire: {card.title}",
        plan=lambda under: plans.plan_life(under, card.id, "retire", ""),
        rationale=f"All that it rests on is gone: {paths}.",
    )


def of_edges(knowledge: Knowledge, left: Unread) -> list[Draft]:
    """Edges one of whose ends is in no file any more; whoever is in a file that is not in order comes back."""
    return [draft for card in knowledge.cards() if card.edge for draft in _dangling(knowledge, card, left)]


def _dangling(knowledge: Knowledge, card: Card, left: Unread) -> Iterator[Draft]:
    start, end, kind, _ = card.edge or ("", "", "", 0.0)
    missing = [item for item in (start, end) if not knowledge.numbers(f"id:{item}")]
    if missing and not any(map(left.may_have, missing)):
        yield Draft(
            stage=EDGES,
            rule="dangling",
            rests_on=(start, end, card.blob),
            title=f"Unlink: {start} {kind} {end}",
            plan=lambda _: Plan("unlink", "", {card.path: None}),
            rationale=f"No engram has the id {' or '.join(missing)}.",
        )


def last_changes(reading: Reading) -> dict[str, int]:
    """When each file was last changed by a commit, in seconds since the epoch, by its path below ``.gitmem``."""
    times = changed.last_times(changed.below(reading.place.repo, reading.commit, FOLDER))
    return {rel.removeprefix(f"{FOLDER}/"): at for rel, at in times.items()}


def of_rules(reading: Reading, knowledge: Knowledge, times: Mapping[str, int], now_s: float) -> list[Draft]:
    """Rules none of whose patterns has matched a file for a month, and that nothing else brings in. ``times``: when
    each file below ``.gitmem`` was last changed."""
    cards = [card for card in knowledge.cards() if _is_about_files(card) and _is_old(card, times, now_s)]
    patterns = sorted({pattern for card in cards for pattern in card.paths})
    files = objects.tracked_paths(reading.place.repo, reading.commit) if patterns else ()
    matched = dict(zip(patterns, trie.first_matches(patterns, files), strict=True))
    return [_unused(card) for card in cards if not any(matched[pattern] for pattern in card.paths)]


def _is_about_files(card: Card) -> bool:
    is_plain = bool(card.paths) and not (card.layers or card.commands or card.claims)
    return is_plain and card.status in _LIVE and card.visibility != "private"


def _is_old(card: Card, times: Mapping[str, int], now_s: float) -> bool:
    return card.path in times and now_s - times[card.path] >= WAIT_DAYS * _DAY_S


def _unused(card: Card) -> Draft:
    return Draft(
        stage=RULES,
        rule="unused",
        rests_on=(card.id, card.blob),
        title=f"Retire: {card.title}",
        plan=lambda under: plans.plan_life(under, card.id, "retire", ""),
        rationale=f"For {WAIT_DAYS} days no file has matched {', '.join(card.paths)}.",
    )
