"""Which items a question admits: one set of filters and one way through them, for search and for lists.

Refuses to read files and clocks: what takes them is handed in as traits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from gitmem.errors import UsageError
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge, added_keys
from gitmem.memory.freshness import FRESH, STATES, state
from gitmem.model.moments import instant, is_after, is_before
from gitmem.model.vocabulary import KINDS, STATUSES, VERIFICATIONS, VISIBILITIES
from gitmem.record import record, replace

SKILL, PROPOSAL = "skill", "proposal"
ALL_KINDS = (*KINDS, SKILL, PROPOSAL)
SHOWN_STATUSES = ("draft", "active", "open")
_HIDDEN_VERIFICATION = "refuted"
_ASKED_FOR_BY_NAME = "restricted"


@record
class Filters:
    """Each field narrows; the values of one field are alternatives, but for tags, of which all must be there.

    ``created_after`` and ``created_before`` are dates or RFC 3339 times; a date bounds with its whole day.
    ``min_importance`` is 0 to 1. ``path`` is a repo-relative file that the item is about.
    """

    domain: str = ""
    kind: tuple[str, ...] = ()
    status: tuple[str, ...] = ()
    freshness: tuple[str, ...] = ()
    author: str = ""
    created_after: str = ""
    created_before: str = ""
    min_importance: float = 0.0
    tag: tuple[str, ...] = ()
    context_tag: tuple[str, ...] = ()
    verification: tuple[str, ...] = ()
    visibility: tuple[str, ...] = ()
    path: str = ""
    rules: bool = False

    @property
    def is_default(self) -> bool:
        return self == _NONE


_NONE = Filters()


def of(call: object) -> Filters:
    """Those that a request has among its fields, by their names."""
    return Filters(**{name: getattr(call, name) for name in Filters.__match_args__})


@record
class Traits:
    """What is known of an item beyond its card: effective importance, freshness, whether it is about the path."""

    importance: float
    freshness: str
    is_about_path: bool = True


def checked(filters: Filters) -> Filters:
    """The same with closed words in the spelling of the files; what no item could match is refused by name."""
    filters = replace(
        filters,
        kind=closed(filters.kind, ALL_KINDS, "kind"),
        status=closed(filters.status, (*STATUSES, "open"), "status"),
        freshness=closed(filters.freshness, STATES, "freshness"),
        verification=closed(filters.verification, VERIFICATIONS, "verification"),
        visibility=closed(filters.visibility, VISIBILITIES, "visibility"),
    )
    for name, text in (("created_after", filters.created_after), ("created_before", filters.created_before)):
        if text and instant(text.strip()) is None:
            raise UsageError(f"{name} is no date: {text[:40]!r}", hint="for example 2026-01-31 or 2026-01-31T10:00:00Z")
    if not 0 <= filters.min_importance <= 1:
        raise UsageError(f"min_importance goes from 0 to 1, not {filters.min_importance}", hint="for example 0.5")
    return replace(filters, domain=filters.domain.strip().strip("/"), author=filters.author.strip())


def closed(values: Iterable[str], known: tuple[str, ...], name: str) -> tuple[str, ...]:
    folded = tuple(value.strip().lower() for value in values)
    wrong = [value for value in folded if value not in known]
    if wrong:
        raise UsageError(f"unknown {name}: {', '.join(wrong)[:200]}", hint=f"one of: {', '.join(known)}")
    return folded


def age(filters: Filters, card: Card, importance: float, last_use: str, now: datetime) -> str:
    """How fresh an item is; where nobody asks for it nothing is worked out."""
    return state(card, importance, last_use, now) if filters.freshness else FRESH


def about(knowledge: Knowledge, path: str) -> frozenset[int]:
    """The numbers of the cards that are about a file: by their scope, by a claim, or because they mirror it."""
    ruled = {number for number, _ in knowledge.matching(path)} - knowledge.excluding(path)
    mirrored = {number for number in knowledge.numbers("sourced") if path in cited(knowledge.card(number))}
    return frozenset(ruled | set(knowledge.numbers(f"claim:{path}")) | mirrored)


def about_beside(knowledge: Knowledge, cards: Sequence[Card], path: str) -> frozenset[int]:
    """The places of those of ``cards``, which are in no tree, that are about a file."""
    own = tuple(cards)
    return about(replace(knowledge, base=None, removed=frozenset(), added=own, keys=added_keys(0, own)), path)


def cited(card: Card) -> tuple[str, ...]:
    """The files that an item names, rests on or mirrors; patterns of a scope are none."""
    return (*(path for path, *_ in card.claims), *card.source[:1])


def is_shown(card: Card) -> bool:
    """Whether an item is there for whoever sets no filter; one that is restricted only by its name."""
    return _is_readable(card) and card.status in SHOWN_STATUSES and card.verification != _HIDDEN_VERIFICATION


def _is_readable(card: Card) -> bool:
    return bool(card.ref) and card.visibility != _ASKED_FOR_BY_NAME


def admits(filters: Filters, card: Card, traits: Traits) -> bool:
    """Whether an item passes; what a filter names is shown even where it is hidden by default."""
    return (
        _admits_state(filters, card)
        and (not filters.kind or card.kind in filters.kind or not set(filters.kind).isdisjoint(card.kinds))
        and _is_within(filters.domain, card)
        and set(filters.tag) <= set(card.tags)
        and set(filters.context_tag) <= set(card.context_tags)
        and filters.author.casefold() in card.created_by.casefold()
        and _was_made_between(filters, card)
        and traits.importance >= filters.min_importance
        and (not filters.freshness or traits.freshness in filters.freshness)
        and (not filters.path or traits.is_about_path)
        and (card.has_scope or not filters.rules)
    )


def _admits_state(filters: Filters, card: Card) -> bool:
    if filters.visibility:
        if not card.ref or card.visibility not in filters.visibility:
            return False
    elif not _is_readable(card):
        return False
    wanted = filters.verification
    is_wanted = card.verification in wanted if wanted else card.verification != _HIDDEN_VERIFICATION
    return is_wanted and card.status in (filters.status or SHOWN_STATUSES)


def _is_within(domain: str, card: Card) -> bool:
    return not domain or f"{card.domain}/".startswith(f"{domain}/")


def _was_made_between(filters: Filters, card: Card) -> bool:
    if not filters.created_after and not filters.created_before:
        return True
    made: datetime | None = instant(card.created_at) if card.created_at else None
    if made is None:
        return False
    return not is_before(made, filters.created_after.strip()) and not is_after(made, filters.created_before.strip())
