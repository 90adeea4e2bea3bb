"""On what grounds something is proposed, and in whose name. Refuses an agent the name of a person."""

from __future__ import annotations

from datetime import datetime

from gitmem.answers.admission import RefusedError, refuse_secrets
from gitmem.answers.session import Session
from gitmem.errors import UsageError
from gitmem.model.ledger import Agent, Proposer
from gitmem.model.proposal import Changes
from gitmem.record import record, replace
from gitmem.store.author import clean
from gitmem.store.layout import RECORDS, Place, place_of
from gitmem.store.repo import FOLDER
from gitmem.text.unsafe import escape_hidden

_NAMELESS = "agent"
# What `proposals list --source` calls a person, and what the server calls a client that says nothing of itself.
_TAKEN = frozenset({"", "person", "unknown"})
_NAME_CHARS = 80
_SAID_CHARS = 20_000
_TITLE_CHARS = 200
_IDS_MOST, _ID_CHARS = 200, 200
# An agent has words for these kinds of file; whatever else governs knowledge is for a person to propose.
_WORDED = frozenset({Place.ENGRAM, Place.SYNAPSE})


@record
class Terms:
    """On what grounds, with whom, on top of what. ``agent`` is '' where a person proposes; ``by`` is who proposed what
    is only renewed, ``writer`` the clone of theirs and ``author`` who made the commit; ``allow_secret`` are
    fingerprints. ``without_dedup``: its texts are not compared with what there is. ``machine``: nobody proposes, and
    this is the date that every clone gives it."""

    rationale: str = ""
    evidence: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    bundle: str = ""
    supersedes: tuple[str, ...] = ()
    agent: str = ""
    model: str = ""
    agent_session: str = ""
    allow_secret: tuple[str, ...] = ()
    without_dedup: bool = False
    by: Proposer | None = None
    writer: str = ""
    author: str = ""
    machine: datetime | None = None


def checked(session: Session, terms: Terms) -> Terms:
    """Bounded, without characters that hide, and with the agent named: over MCP it is the client, on the command line
    what was said."""
    for name, values in (("evidence", terms.evidence), ("needs", terms.needs)):
        if len(values) > _IDS_MOST or any(len(value) > _ID_CHARS or not value.isprintable() for value in values):
            raise UsageError(f"{name} takes at most {_IDS_MOST} ids", hint="ids as gitmem prints them")
    refuse_secrets("rationale", terms.rationale.encode("utf-8", "replace"), terms.allow_secret)
    is_asked = session.surface != "cli"
    agent = terms.agent or (session.client if is_asked else "")
    return replace(
        terms,
        rationale=said(terms.rationale),
        agent=_named(agent) if agent or is_asked else "",
        model=_short(terms.model),
        agent_session=_short(terms.agent_session),
    )


def said(text: str) -> str:
    """Words that stay on record, without characters that hide."""
    if len(text) > _SAID_CHARS:
        message = f"this has {len(text)} characters, and at most {_SAID_CHARS} are kept"
        raise UsageError(message, hint="say it shorter")
    return escape_hidden(text.strip())


def spoken(what: str, text: str) -> str:
    """The same for words about a proposal, which everybody gets with the next sync: without secrets too."""
    refuse_secrets(what, text.encode("utf-8", "replace"), None)
    return said(text)


def one_line(title: str) -> str:
    return escape_hidden(" ".join(title.split()))[:_TITLE_CHARS]


def _named(agent: str) -> str:
    name = _short(agent)
    return _NAMELESS if name.casefold() in _TAKEN else name


def _short(text: str) -> str:
    return clean(text)[:_NAME_CHARS].strip()


def proposer(session: Session, terms: Terms) -> Proposer:
    """The person whom Git knows; an agent is named beside the person and never as one."""
    name, _, email = session.place.author.partition(" <")
    agent = terms.agent or (_named(session.client) if session.surface == "agent" else "")
    known = Agent(agent, terms.model, terms.agent_session) if agent else None
    return Proposer(name, email.rstrip(">"), known)


def refuse_unproposable(session: Session, changes: Changes, terms: Terms) -> None:
    """Stops what would write records or cache, a secret, and from an agent all but engrams and edges."""
    for rel, data in changes.items():
        place = place_of(rel)
        if place is Place.CACHE or rel.partition("/")[0] in RECORDS:
            hint = "the record of decisions is kept by gitmem; the cache is never committed"
            raise _not_proposable("a proposal does not write this file", hint, rel)
        if session.surface == "agent" and place not in _WORDED:
            raise _not_proposable("an agent does not propose this file", "a person does, from the work tree", rel)
        if data is not None:
            refuse_secrets(f"{FOLDER}/{rel}", data, terms.allow_secret)


def _not_proposable(message: str, hint: str, rel: str) -> RefusedError:
    return RefusedError(message, hint=hint, place=f"{FOLDER}/{rel}", code="not-proposable")
