"""A compile that is on record, told again at its own knowledge. Refuses one that had no answer."""

from gitmem.answers.audit import asked_of, recorded
from gitmem.answers.compile import answer
from gitmem.answers.explain import without_texts
from gitmem.answers.notices import Look
from gitmem.answers.proof import parse, reading_of, request_of
from gitmem.answers.reading import Session
from gitmem.errors import GitmemError
from gitmem.model.compiled import Compiled


def compile_of(session: Session, wanted: str) -> Compiled:
    """Explained and without texts, as it was told when it was asked for."""
    newest = recorded(session, wanted)[-1]
    error = newest.data.get("error")
    if isinstance(error, dict):
        message = f"that compile had no answer: {error.get('message')} [{error.get('code')}]"
        raise GitmemError(message, hint=f"see: gitmem journal audit {newest.id}", code="compile-failed")
    given = parse(str(newest.data.get("receipt", "")))
    found = reading_of(session, given)
    if found is None:
        fetch = f"git fetch origin {given.commit}; " if given.commit else ""
        hint = f"{fetch}what was told is in: gitmem journal audit {wanted}"
        raise GitmemError("neither its commit nor its knowledge is here", hint=hint, code="cannot-verify")
    asked, _ = asked_of(newest.data, str(newest.data["receipt"]))
    return without_texts(answer(Look(session, found.reading), request_of(asked), is_explained=True).compiled)
