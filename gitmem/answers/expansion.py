"""What the intent tags of a request add beside the rules of its files. Refuses tags that are not in the catalogue."""

from gitmem.errors import UsageError
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.model.compiled import CompileRequest
from gitmem.rules.match import Matched, is_live
from gitmem.text.words import share


def catalogue(knowledge: Knowledge) -> dict[str, str]:
    """Tag -> description from ``tags.yaml``: a map, or a map or list under ``tags:``."""
    tree = knowledge.facts.tags
    nested = tree.get("tags", tree)
    if isinstance(nested, list):
        return {tag: "" for tag in nested if isinstance(tag, str)}
    if not isinstance(nested, dict | type(tree)):
        return {}
    return {tag: text if isinstance(text, str) else "" for tag, text in nested.items()}


def expand(knowledge: Knowledge, request: CompileRequest, matched: Matched) -> dict[int, Card]:
    """Live cards that carry one of the tags and did not match already;

    () asks for none, None for those the plan names.
    """
    known = catalogue(knowledge)
    if request.tags is None:
        tags = [tag for tag in known if _names(request.plan, tag)]
    else:
        tags = list(request.tags)
        unknown = sorted(set(tags) - set(known))
        if unknown:
            hint = f"known: {', '.join(sorted(known)) or 'none; add them to .gitmem/tags.yaml'}"
            raise UsageError(f"not in the tag catalogue: {', '.join(unknown)}", hint=hint)
    found = {}
    for tag in tags:
        for number in knowledge.numbers(f"tag:{tag}"):
            card = knowledge.card(number)
            if number not in matched.cards and is_live(card, knowledge.facts.duplicates, request.as_of):
                found[number] = card
    return found


def _names(plan: str, tag: str) -> bool:
    """Whether every word of the tag is in the plan."""
    found, total = share(tag, plan)
    return 0 < total == found
