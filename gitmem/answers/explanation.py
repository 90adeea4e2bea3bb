"""What explains a compile beside its result. Refuses to be part of any hash."""

from gitmem.answers import assembly
from gitmem.answers.assembly import Outcome
from gitmem.index.knowledge import Knowledge
from gitmem.model.compiled import CompileRequest, Explanation
from gitmem.rules.match import why_not_live
from gitmem.rules.near import near_misses

# Each of them is held against every pattern that there is.
_FILES_MAX = 50


def explanation(knowledge: Knowledge, outcome: Outcome, request: CompileRequest) -> Explanation:
    matched = frozenset(card.id for card in outcome.matched.cards.values())
    files = tuple(sorted(set(request.target_files)))
    known = [card for card in knowledge.cards() if card.id]
    duplicates = knowledge.facts.duplicates
    cut = frozenset(n for n, d in outcome.laid.budget.decisions.items() if d.reason == "budget")
    dropped = {outcome.matched.cards[n].id for n in cut if n in outcome.matched.cards}
    return Explanation(
        near_misses=near_misses(
            known,
            dict.fromkeys(files[:_FILES_MAX], matched),
            lambda card: why_not_live(card, duplicates, request.as_of),
        ),
        layers=outcome.matched.layer_of,
        dropped=tuple(edge for edge in outcome.compiled.base.resolution_path if edge.item in dropped),
        budget=assembly.budget_row(outcome.laid, request, knowledge.settings),
    )
