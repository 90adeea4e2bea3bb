"""What an answer takes of a model's window in the form in which its surface hands it over. Refuses to shorten it."""

from __future__ import annotations

import json

from gitmem.answers.session import Session
from gitmem.model.plain import Plain, canonical, plain
from gitmem.text.tokens import estimate

# What only the text part of a tool's answer has; the structure stands beside it.
_BODY = "content"
_FRAME = 16


def tokens(session: Session, value: object) -> int:
    """Erring high: JSON with its indentation on the command line, text and structure over MCP."""
    found = plain(value)
    if session.surface == "cli":
        return estimate(json.dumps(found, ensure_ascii=False, indent=2))
    return _compact(found) + _compact(_without_bodies(found))


def of_answer(session: Session, value: object) -> int:
    """The same of a whole answer: on the command line with its line end, over MCP with the name of the repository."""
    frame = 1 if session.surface == "cli" else _FRAME + estimate(str(session.place.repo.where))
    return tokens(session, value) + frame


def _compact(value: Plain) -> int:
    return estimate(canonical(value).decode("utf-8", "surrogatepass"))


def _without_bodies(value: Plain) -> Plain:
    if isinstance(value, list):
        return [_without_bodies(each) for each in value]
    if isinstance(value, dict):
        return {name: _without_bodies(each) for name, each in value.items() if name != _BODY}
    return value
