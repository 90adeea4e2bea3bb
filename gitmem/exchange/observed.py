"""Works through reports where some name a document to be taken in. Refuses to know any other kind of report."""

from __future__ import annotations

from gitmem.answers import choosing, triaging
from gitmem.answers.choosing import ResolveCall, Resolved
from gitmem.answers.opening import Plan
from gitmem.answers.session import Session
from gitmem.answers.triaging import ProcessCall, Processed
from gitmem.answers.weighing import Desk, engram_of
from gitmem.exchange.document import DocumentCall, plan_document
from gitmem.model.observation import Observation
from gitmem.review.analyzers import Document, Leave


def process(session: Session, call: ProcessCall) -> Processed:
    return triaging.process(session, call, _take)


def resolve(session: Session, call: ResolveCall) -> Resolved:
    return choosing.resolve(session, call, _take)


def _take(at: Desk, wanted: Document, told: Observation) -> Plan | Leave:
    call = DocumentCall(
        file=wanted.path, content=wanted.content, title=wanted.title, kind=wanted.kind, allow_secret=at.allowed
    )
    found = plan_document(at.session, at.under, call, engram_of(told, title=wanted.title, kind=wanted.kind))
    if isinstance(found, Plan):
        return found
    return Leave(f"proposal {found.proposal.id} waits with this document")
