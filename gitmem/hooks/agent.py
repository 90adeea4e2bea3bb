"""What happens at each event of an agent host: codes are carried out, rules told, turns noted. Refuses to stop a host,
to write the work tree but by a landing that a person asked for, and to tell what is not trusted.
"""

from __future__ import annotations

from gitmem.answers import codes
from gitmem.answers.hooked import COMPACT, END, PROMPT, START, STOP, TOOL, Hooked, Undecided
from gitmem.answers.journal import note
from gitmem.answers.reading import Reading, not_initialised, read
from gitmem.answers.reminding import Reminder, of_ids, reminders
from gitmem.answers.session import Session, decides
from gitmem.errors import GitmemError
from gitmem.hooks import limit
from gitmem.hooks.host import Heard, listen, start_of
from gitmem.lazy import load
from gitmem.model.confirmed import Confirmed
from gitmem.model.event import DELIVERY, Event
from gitmem.model.plain import Plain
from gitmem.record import record, replace
from gitmem.store.lock import held
from gitmem.store.sessions import FILES_MOST, LOCK, Memory, keep, recall

# At most so many tellings of standing rules in one session.
MOST = 5
_CLEAR, _COMPACTED, _STARTED, _RESUMED = "clear", "compact", "startup", "resume"
_WAIT_S = 0.3


@record
class HookCall:
    """``given`` is the JSON of the event; None: it is on standard input."""

    given: str | None = None


def user_prompt(session: Session, call: HookCall) -> Hooked:
    """Carries out the codes in a prompt, then tells the rules that its words bring up."""
    heard, here = _heard(session, call)
    answers = _decided(here, heard.prompt)
    done = Hooked(PROMPT, answers=answers)
    try:
        reading = read(here.place)
    except GitmemError:
        # What a person has decided is said, whatever became of the rest.
        if answers:
            return done
        raise
    try:
        return replace(_told(here, heard, reading), answers=answers)
    except (GitmemError, OSError):
        return done


def session_start(session: Session, call: HookCall) -> Hooked:
    """Tells again what the host has cut off when it summed up a session; one that was cleared begins anew.

    Where the code was read before, what is new in it is read beside.
    """
    heard, here = _heard(session, call)
    if heard.source in (_STARTED, _RESUMED):
        load("gitmem.hooks.refresh:refresh")(here)
    if heard.source not in (_CLEAR, _COMPACTED) or not heard.session:
        return Hooked(START)
    reading = _known(here)
    if heard.source == _CLEAR:
        keep(here.place.repo, heard.session, Memory())
        return Hooked(START)
    memory = recall(here.place.repo, heard.session)
    if not memory.is_cut and (memory.is_retold or not memory.told):
        return Hooked(START)
    found = _again(here, heard, reading, memory)
    keep(here.place.repo, heard.session, replace(memory, is_cut=False, is_retold=True))
    return replace(found, event=START)


def pre_compact(session: Session, call: HookCall) -> Hooked:
    """What the summary should keep; and a mark, so that it is told again in any case."""
    heard, here = _heard(session, call)
    if not heard.session:
        return Hooked(COMPACT)
    reading = _known(here)
    memory = recall(here.place.repo, heard.session)
    keep(here.place.repo, heard.session, replace(memory, is_cut=True, is_retold=False))
    return replace(_again(here, heard, reading, memory), event=COMPACT)


def post_tool(session: Session, call: HookCall) -> Hooked:
    """Remembers which files a tool has changed, for the note about the turn."""
    heard, here = _heard(session, call)
    if heard.session and heard.files:
        _known(here)
        with held(here.place.repo, LOCK, _WAIT_S):
            memory = recall(here.place.repo, heard.session)
            files = tuple(dict.fromkeys((*memory.files, *heard.files)))[:FILES_MOST]
            keep(here.place.repo, heard.session, replace(memory, files=files, is_retold=False))
    return Hooked(TOOL)


def stop(session: Session, call: HookCall) -> Hooked:
    return _noted(session, call, STOP)


def session_end(session: Session, call: HookCall) -> Hooked:
    return _noted(session, call, END)


def _heard(session: Session, call: HookCall) -> tuple[Heard, Session]:
    """The event, and a session in the folder that it happened in. A host calls, and never an agent over MCP."""
    decides(session)
    heard = listen(call.given)
    return heard, Session(start_of(heard, session.start), session.now)


def _known(here: Session) -> Reading:
    """The knowledge here. A host calls in every repository that a person works in: where there is none, or where
    another tool has the folder, nothing is kept."""
    reading = read(here.place)
    if not _has_any(reading):
        why = not_initialised()
        raise GitmemError(why.message, hint=why.hint, code=why.code)
    return reading


def _has_any(reading: Reading) -> bool:
    return bool(reading.trusted.tree or reading.trusted.head_tree)


def _decided(here: Session, prompt: str) -> tuple[Confirmed | Undecided, ...]:
    """One answer for each code; words that only look like one are left alone where nobody was asked lately."""
    found = codes.mentions(prompt)
    if not found or not codes.is_recent(here):
        return ()
    limit.extend()
    return (*(_settled(here, each) for each in found[: codes.MOST]), *_left_over(found[codes.MOST :]))


def _left_over(mentions: list[codes.Mention]) -> tuple[Undecided, ...]:
    if not mentions:
        return ()
    message = f"{len(mentions)} more code(s) change nothing, from {mentions[0].code!r} on"
    return (Undecided("too-many-codes", message, f"at most {codes.MOST} in one prompt: say them in another"),)


def _settled(here: Session, mention: codes.Mention) -> Confirmed | Undecided:
    if not mention.word:
        return Undecided.of(codes.refusal(mention.code, codes.UNCLEAR))
    try:
        done: Confirmed = load("gitmem.answers.confirming:settle")(here, mention.word, mention.code)
    except GitmemError as err:
        return Undecided.of(err)
    return done


def _told(here: Session, heard: Heard, reading: Reading) -> Hooked:
    """What is told is put down first: without a place to remember it nothing is told, so that nothing is told twice."""
    if not heard.session or not heard.prompt or not _has_any(reading):
        return Hooked(PROMPT)
    repo = here.place.repo
    with held(repo, LOCK, _WAIT_S):
        memory = recall(repo, heard.session)
        again = _again(here, heard, reading, memory) if memory.is_cut else Hooked(PROMPT)
        new = reminders(reading, here.now, heard.prompt, memory.told, MOST - memory.count)
        told = {**memory.told, **{each.id: each.digest for each in new}}
        head = reading.trusted.head_commit
        keep(repo, heard.session, Memory(told, memory.count + len(new), head, memory.files))
    _record(here, heard, reading, new)
    return replace(again, event=PROMPT, commit=reading.commit, rules=(*again.rules, *new))


def _again(here: Session, heard: Heard, reading: Reading, memory: Memory) -> Hooked:
    """The rules of the session as they are now, and where the last verdict stands."""
    rules = tuple(of_ids(reading, here.now, memory.told))
    _record(here, heard, reading, rules)
    verdict: str = load("gitmem.answers.last_verdict:pointer")(here)
    return Hooked(PROMPT, rules=rules, commit=reading.commit, verdict=verdict)


def _record(here: Session, heard: Heard, reading: Reading, rules: tuple[Reminder, ...] | list[Reminder]) -> None:
    if rules:
        data: dict[str, Plain] = {"items": [each.id for each in rules], "commit": reading.commit, "surface": "hook"}
        note(here, Event(DELIVERY, data, session=heard.session))


def _noted(session: Session, call: HookCall, event: str) -> Hooked:
    """A note about what the turn has touched, where that is known."""
    heard, here = _heard(session, call)
    _known(here)
    repo = here.place.repo
    with held(repo, LOCK, _WAIT_S):
        memory = recall(repo, heard.session) if heard.session else Memory()
        if memory.files:
            keep(repo, heard.session, replace(memory, files=()))
    files = tuple(dict.fromkeys((*memory.files, *heard.files)))
    if not files:
        return Hooked(event)
    turn = load("gitmem.answers.turns:Turn")(heard.session, memory.head, files, heard.outcome)
    return Hooked(event, observation=load("gitmem.answers.turns:noted")(here, turn))
