"""Fits an answer into a number of tokens, on whichever surface it is read. Refuses to cut a warning."""

import json
from collections.abc import Iterable, Iterator, Mapping

from gitmem.answers import documents
from gitmem.answers.documents import COUNTED, FULL, LINE, Chosen, Layout, Room
from gitmem.answers.receipt import request_tokens
from gitmem.model.claimed import HOLDS
from gitmem.model.compiled import Compiled, CompileRequest, Delivery, Document, DomainCount, Edge, Mark, Marks
from gitmem.model.finding import Notice
from gitmem.model.plain import canonical, plain
from gitmem.record import record, replace
from gitmem.rules import budget
from gitmem.rules.budget import Budget, Decision
from gitmem.text.tokens import estimate

# What surrounds the lists in a serialised answer: ids, hashes, receipt, the place it was read at, a notice or two.
FRAME_TOKENS = 1250
# Of that, what is still to come when the marks are fitted: the receipt and the place.
_RECEIPT_TOKENS = 780
_TEXT_TOKENS = 150
# The brackets and the comma of one row in a list.
_ROW_TOKENS = 4
_LONGEST = DomainCount("x" * 40, 999)


@record
class _Costs:
    """Tokens of each card in each of its forms, edges included."""

    chosen: Chosen
    inline: Mapping[int, int]
    full: Mapping[int, int]
    line: Mapping[int, int]

    def listed(self, forms: Mapping[int, str]) -> int:
        """What the lists take while nothing is inlined."""
        rest = [self.chosen.cards[n] for n, form in forms.items() if form == COUNTED]
        counted = sum(_tokens(plain(row)) for row in documents.by_domain(rest))
        return counted + sum(self.of(n, form) for n, form in forms.items())

    def of(self, number: int, form: str) -> int:
        return self.full[number] if form == FULL else self.line[number] if form == LINE else 0

    def to_inline(self, forms: Mapping[int, str]) -> dict[int, int]:
        """What it takes more to inline each."""
        return {n: max(0, self.inline[n] - self.of(n, form)) for n, form in forms.items()}


def fitted(chosen: Chosen, request: CompileRequest, room: Room, snapshot_id: str) -> Layout:
    """The base first, as if there were no tags, so that tags cannot change it; then what they add.

    Lists shrink until they fit or only count; what is left then inlines texts in the order of their claims.
    """
    costs = _costs(chosen, snapshot_id)
    base, beside = replace(chosen, expanded=()), replace(chosen, documents=(), templates=())
    fixed = FRAME_TOKENS + request_tokens(request) + _notices_tokens(room.named) + _deferral_tokens(base)
    first, left = _fit(base, costs, request, replace(room, max_tokens=room.max_tokens - fixed))
    taken = len(base.documents) + len(base.templates)
    left -= _notices_tokens(room.beside) + _deferral_tokens(chosen) - _deferral_tokens(base)
    left -= _notices_tokens(documents.expanded_more([_LONGEST] * 12)) if chosen.expanded else 0
    rest = replace(room, max_tokens=left, entries=max(0, room.entries - taken), listed=max(0, room.listed - taken))
    second, _ = _fit(beside, costs, request, rest)
    decisions = {**first.budget.decisions, **second.budget.decisions}
    return Layout(Budget(decisions, first.budget.used + second.budget.used), {**first.forms, **second.forms})


def _fit(chosen: Chosen, costs: _Costs, request: CompileRequest, room: Room) -> tuple[Layout, int]:
    """``room.max_tokens`` is what these lists may take; also what is left of it."""
    forms: dict[int, str] = {}
    left = room.max_tokens
    for entries, listed in _shrinking(room.entries, room.listed):
        forms = documents.listed_forms(chosen, entries, listed)
        left = room.max_tokens - costs.listed(forms)
        if left >= 0:
            break
    limits = documents.limits_of(request, room, left, costs.to_inline(forms))
    decided = budget.decide(documents.candidates(chosen), limits)
    return Layout(decided, forms), left - decided.used


def _shrinking(entries: int, listed: int) -> Iterator[tuple[int, int]]:
    """Ever shorter lists: full entries halve first, then lines; the last one only counts."""
    yield entries, listed
    while entries or listed:
        entries, listed = (entries // 2, listed) if entries else (0, listed // 2)
        yield entries, listed


def _costs(chosen: Chosen, snapshot_id: str) -> _Costs:
    edges: dict[str, int] = {}
    for edge in chosen.edges({card.id for card in chosen.cards.values()}):
        edges[edge.item] = edges.get(edge.item, 0) + _edge_tokens(edge)
    inline, full, line = {}, {}, {}
    for number, card in chosen.cards.items():
        deferred = _decided(number, Decision(Delivery.DEFERRED, "template"))
        beside = edges.get(card.id, 0)
        full[number] = beside + _document_tokens(documents.full(chosen, number, deferred, snapshot_id))
        line[number] = _document_tokens(documents.line(chosen, number, deferred))
        if number in chosen.bodies:
            shown = documents.full(chosen, number, _decided(number, Decision(Delivery.INLINE)), snapshot_id)
            inline[number] = beside + _document_tokens(shown)
        else:
            inline[number] = full[number]
    return _Costs(chosen, inline, full, line)


def _decided(number: int, decision: Decision) -> Budget:
    return Budget({number: decision}, 0)


def _deferral_tokens(chosen: Chosen) -> int:
    """What the warning about deferred texts takes when it names the longest slugs."""
    numbers = (*chosen.documents, *chosen.templates, *chosen.expanded)
    slugs = sorted((chosen.cards[n].slug for n in numbers), key=len, reverse=True)[: documents.NAMED]
    return _notices_tokens(documents.deferred_by_budget(slugs)) + _ROW_TOKENS


def _document_tokens(document: Document) -> int:
    """The larger of the two ways in which a reader gets it: as JSON, or as text beside a structure without texts."""
    bare = estimate(canonical(plain(replace(document, content=None))).decode("utf-8", "surrogatepass"))
    head = f"- {document.title} ({document.kind}, {document.slug}, {document.id}, {document.content_bytes} bytes, "
    shown = f"{head}{document.delivery}, {document.omit_reason})\n  {document.read or ''}\n\n{document.content or ''}"
    return max(_tokens(plain(document)), bare + estimate(shown)) + _ROW_TOKENS


def _edge_tokens(edge: Edge) -> int:
    return _tokens(plain(edge))


def _notices_tokens(notices: Iterable[Notice]) -> int:
    return sum(_notice_tokens(notice) for notice in notices)


def _notice_tokens(notice: Notice) -> int:
    bare = estimate(canonical(plain(notice)).decode("utf-8", "surrogatepass"))
    shown = f"warning: {notice.place}: {notice.message} [{notice.code}]\n  hint: {notice.hint}\n"
    return max(_tokens(plain(notice)), bare + estimate(shown)) + _ROW_TOKENS


def _tokens(row: object) -> int:
    return estimate(json.dumps(row, ensure_ascii=False, indent=2)) + _ROW_TOKENS


def with_marks(compiled: Compiled, marks: Marks, request: CompileRequest) -> Compiled:
    """As many marks as fit, those that warn first: a function of request and commit, whatever the machine has to say
    besides."""
    left = request.max_tokens - _whole(compiled) - _RECEIPT_TOKENS - request_tokens(request)
    kept: dict[str, Mark] = {}
    for id_, mark in sorted(marks.items(), key=lambda row: (_is_quiet(row[1]), row[0])):
        # Twice: a mark is a line of the text as well.
        left -= 2 * _tokens({id_: plain(mark)})
        if left < 0:
            break
        kept[id_] = mark
    return replace(compiled, marks=dict(sorted(kept.items())))


def _is_quiet(mark: Mark) -> bool:
    """Whether a mark only says that everything still holds."""
    rows = mark.get("claims")
    return "branch" not in mark and isinstance(rows, tuple) and all(row.state == HOLDS for row in rows)


def with_notices(compiled: Compiled, max_tokens: int) -> Compiled:
    """As many of its notices as fit; the rest is counted. They are no part of any hash."""
    left = max_tokens - _whole(replace(compiled, notices=()))
    kept: list[Notice] = []
    for notice in compiled.notices:
        left -= _notice_tokens(notice)
        if left < 0:
            break
        kept.append(notice)
    missing = len(compiled.notices) - len(kept)
    if missing:
        kept.append(Notice("more-notices", f"{missing} further notices; see: gitmem status"))
    return replace(compiled, notices=tuple(kept))


def _whole(compiled: Compiled) -> int:
    """Tokens of an answer as ``--json`` prints it, and what its text beside a structure may take more."""
    return _tokens(plain(compiled)) + _TEXT_TOKENS
