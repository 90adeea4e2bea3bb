"""Works through reports where some name a document to be taken in. Refuses to know any other kind of report."""

from __future__ import annotations

from gitmem.answers import choosing, triaging
from gitmem.answers.choosing import ResolveCall, Resolved
from gitmem.answers.opening import Proposed
from gitmem.answers.session import Session
from gitmem.answers.triaging import ProcessCall, Processed
from gitmem.exchange.document import DocumentCall, propose_document
from gitmem.model.observation import Observation
from gitmem.review.analyzers import Document


def process(session: Session, call: ProcessCall) -> Processed:
    return triaging.process(session, call, _take)


def resolve(session: Session, call: ResolveCall) -> Resolved:
    return choosing.resolve(session, call, _take)


def _take(session: Session, wanted: Document, told: Observation, rationale: str) -> Proposed:
    call = DocumentCall(
        file=wanted.path,
        content=wanted.content,
        title=wanted.title,
        kind=wanted.kind,
        rationale=rationale,
        evidence=(told.id,),
        agent=told.agent,
    )
    return propose_document(session, call)
