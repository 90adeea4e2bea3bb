"""What a new or changed engram must pass before its file is written. Refuses errors and secrets, passes warnings on."""

from collections.abc import Iterable

from gitmem.checks import texts
from gitmem.errors import GitmemError
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.index.parse import card_of
from gitmem.model.finding import Notice, Severity
from gitmem.store.objects import Entry
from gitmem.store.repo import FOLDER
from gitmem.text import secrets

# A finding that holds in the tree alone.
IN_TREE = "private-in-tree"


class RefusedError(GitmemError):
    code = "refused"


def admit(
    rel: str, data: bytes, allowed: Iterable[str] = (), *, is_private: bool = False
) -> tuple[Card, tuple[Notice, ...]]:
    """The card of the file and its warnings; ``allowed`` are fingerprints of findings that are no secrets.

    ``is_private``: the file goes where no commit can hold it, and it must say so itself.
    """
    place = f"{FOLDER}/{rel}"
    refuse_secrets(place, data, allowed)
    card = card_of(Entry(rel, "100644", "", len(data)), data)
    if is_private and card.id and card.visibility != "private":
        hint = "propose it instead: gitmem propose private ITEM"
        raise RefusedError(f"a private item stays private, not {card.visibility}", hint=hint, code="private")
    passed = {"secret", IN_TREE} if is_private else {"secret"}
    for finding in card.own_findings(f"{FOLDER}/"):
        if finding.severity is Severity.ERROR and finding.code not in passed:
            raise RefusedError(finding.message, hint=finding.hint, place=finding.place, code=finding.code)
    doubts = [finding for finding in card.own_findings(f"{FOLDER}/") if finding.severity is Severity.WARNING]
    doubts += [finding for finding in texts.findings(data, place) if finding.code != "secret"]
    return card, tuple(Notice(f.code, f.message, f.place, f.hint) for f in doubts)


def refuse_secrets(place: str, data: bytes, allowed: Iterable[str] | None) -> None:
    """Stops before anything is written; the message shows where, never what. ``allowed`` None: nothing can be."""
    passed = set(allowed or ())
    for secret in secrets.scan(data.decode("utf-8", "replace")):
        if secret.fingerprint not in passed:
            raise RefusedError(
                f"this looks like a secret ({secret.kind}): {secret.masked}",
                hint="take it out"
                + (f"; if it is none: --allow-secret {secret.fingerprint}" if allowed is not None else ""),
                place=f"{place}:{secret.line}",
                code="secret",
            )


def free_path(knowledge: Knowledge, rel: str, own_id: str = "") -> None:
    """Refuses a path that is taken, without regard to case, and a slug of another item in the same domain."""
    for card in knowledge.under(f"path:{rel.casefold()}"):
        if card.id != own_id or not own_id:
            raise RefusedError(
                f"the name is taken by {FOLDER}/{card.path} ({card.id or 'unreadable'})",
                hint="choose another with --slug or --domain, or edit that one",
                place=f"{FOLDER}/{card.path}",
                code="name-taken",
            )
