"""Makes a note that is to hold from now on a standing rule in waiting. Refuses to lose the note for it."""

from __future__ import annotations

from gitmem.answers.observe import ObserveCall, Observed
from gitmem.answers.session import Session
from gitmem.answers.standing_rules import Offer, StandingNote, offer
from gitmem.answers.triaging import act
from gitmem.errors import GitmemError
from gitmem.model.finding import Notice
from gitmem.record import replace
from gitmem.review.triage import ANALYSED


def offered(session: Session, call: ObserveCall, done: Observed) -> Observed:
    """What was kept, with the code of the rule; what cannot be proposed stays a note, and that is said."""
    note = StandingNote(
        note=call.note,
        abstract=call.abstract,
        paths=call.paths,
        hints=call.hints,
        evidence=(done.observation,),
        agent=call.agent,
        agent_session=call.agent_session,
        allow_secret=call.allow_secret if session.surface == "cli" else (),
    )
    try:
        found = offer(session, note)
    except GitmemError as err:
        notice = Notice("not-offered", f"it was kept as a note and is no rule: {err.message}", err.place, err.hint)
        return replace(done, warnings=(*done.warnings, notice))
    if found.proposal:
        # The proposal rests on it: no analyzer makes another one of it.
        act(session, ANALYSED, done.observation, proposals=[found.proposal])
    return _told(done, found)


def _told(done: Observed, found: Offer) -> Observed:
    return replace(
        done,
        conflicts=found.conflicts or None,
        code=found.code or None,
        expires=found.expires or None,
        asks=found.asks or None,
        proposal=found.proposal or None,
        warnings=tuple(dict.fromkeys((*done.warnings, *found.warnings))),
    )
