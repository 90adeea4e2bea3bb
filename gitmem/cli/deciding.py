"""Asks a person on a terminal before something is decided. Refuses to take silence for a yes."""

from __future__ import annotations

import sys

from gitmem.answers.approve import ApproveCall, along, approve
from gitmem.answers.closing import RejectCall, reject
from gitmem.answers.confirming import ConfirmCall
from gitmem.answers.modifying import proposed_text
from gitmem.answers.needs import full_id, named
from gitmem.answers.proposals import ListCall, list_proposals
from gitmem.answers.session import Session
from gitmem.answers.showing import DiffCall, ShowCall, diff, show
from gitmem.cli import output
from gitmem.cli.content import written_in_editor
from gitmem.errors import GitmemError, UsageError
from gitmem.record import replace
from gitmem.render import proposals as rendered

Asking = ApproveCall | ListCall | ConfirmCall
_CHOICES = "approve, reject, skip or quit? [a/r/s/q] "


class NotDecidedError(GitmemError):
    code = "not-decided"


def prepared(session: Session, call: Asking) -> Asking | None:
    """The request with what a person answered; None when all is done that was asked for."""
    if isinstance(call, ConfirmCall):
        _refuse_off_terminal(session)
        return call
    if isinstance(call, ListCall):
        if not on_terminal():
            return call
        review(session, call)
        return None
    if call.edit:
        call = replace(call, edit=False, text=edited_text(session, call.proposals))
    return replace(call, proposals=seen(session, _all(session, call), is_sure=call.yes))


def _refuse_off_terminal(session: Session) -> None:
    """A code is a person's word, and a program has none."""
    place = str(session.place.repo.where)
    if not on_terminal():
        raise UsageError(
            "a code is confirmed by a person on a terminal, or in a prompt",
            hint="without one: gitmem proposals approve ID@PATCHSET",
            place=place,
        )


def _all(session: Session, call: ApproveCall) -> tuple[str, ...]:
    """Those that were named, and on a terminal what would land along with them."""
    if call.yes or not on_terminal() or len(call.proposals) != 1 or not (call.bundle or call.with_needs):
        return call.proposals
    own = full_id(session, call.proposals[0].partition("@")[0])
    return call.proposals + tuple(each for each in along(session, call) if each != own)


def on_terminal() -> bool:
    return sys.stdin is not None and not sys.stdin.closed and sys.stdin.isatty() and sys.stdout.isatty()


def seen(session: Session, proposals: tuple[str, ...], *, is_sure: bool) -> tuple[str, ...]:
    """Each as ID@PATCHSET: on a terminal what will land is shown first, and a person says yes to that."""
    if not on_terminal() or is_sure:
        return proposals
    return tuple(_asked(session, text) for text in proposals)


def _asked(session: Session, text: str) -> str:
    id_, at, given = text.partition("@")
    _, standing = named(session, id_)
    proposal = standing.proposal
    if at and not proposal.tip.startswith(given.lower()):
        return text
    _look(session, proposal.id)
    if _answer(f"approve {proposal.id}@{proposal.patchset}? [y/N] ") not in ("y", "yes"):
        raise NotDecidedError("nothing was approved", hint="answer y to approve")
    return f"{proposal.id}@{proposal.patchset}"


def _look(session: Session, id_: str) -> None:
    output.line(rendered.shown(show(session, ShowCall(id_, diff=True))))
    output.line(rendered.effect(diff(session, DiffCall(id_))))


def _answer(question: str) -> str:
    sys.stderr.write(question)
    sys.stderr.flush()
    line = sys.stdin.readline()
    if not line:
        raise NotDecidedError("nothing was decided: there was no answer")
    return line.strip().lower()


def edited_text(session: Session, proposals: tuple[str, ...]) -> str:
    """What the one engram of a proposal shall be, after a person changed it in $EDITOR."""
    if not on_terminal():
        raise UsageError(
            "--edit opens an editor, and there is no terminal", hint="--text FILE, or --modify FIELD=VALUE"
        )
    if len(proposals) != 1:
        raise UsageError("--edit goes with one proposal")
    _, standing = named(session, proposals[0].partition("@")[0])
    return written_in_editor(proposed_text(session, standing))


def review(session: Session, call: ListCall) -> None:
    """Every proposal that waits, one after another; each answer is carried out before the next one is shown."""
    rows = list_proposals(session, call).proposals
    for number, row in enumerate(rows, 1):
        output.line(f"\n{number} of {len(rows)}")
        _look(session, row.id)
        try:
            if not _decided(session, f"{row.id}@{row.patchset}"):
                return
        except NotDecidedError:
            raise
        except GitmemError as err:
            output.failure(err, as_json=False)
    output.line("nothing else waits" if rows else "nothing waits")


def _decided(session: Session, text: str) -> bool:
    """Whether the person goes on."""
    answer = ""
    while answer not in ("a", "r", "s", "q"):
        answer = _answer(_CHOICES)[:1]
    if answer == "a":
        output.line(rendered.approved(approve(session, ApproveCall((text,)))))
    if answer == "r":
        reason = _answer("why? ")
        output.line(rendered.closed(reject(session, RejectCall((text.partition("@")[0],), reason))))
    return answer != "q"
