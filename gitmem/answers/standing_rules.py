"""A standing rule in words: proposed at once, held against what there is, and offered to a person under a short code.

Refuses to let anything in: a person does, with the code or by approving the proposal.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from gitmem.answers import alike, codes
from gitmem.answers.collisions import collisions, everywhere
from gitmem.answers.composing import NewCall
from gitmem.answers.ground import Ground, ground
from gitmem.answers.journal import is_on
from gitmem.answers.needs import NoProposalError, named
from gitmem.answers.opening import Draft, draft, publish
from gitmem.answers.plans import plan_new
from gitmem.answers.reminding import about_the_same, standing, words_of
from gitmem.answers.session import Session
from gitmem.answers.terms import Terms, checked
from gitmem.errors import GitmemError, UsageError
from gitmem.model.event import STANDING, Event
from gitmem.model.finding import Notice
from gitmem.model.ids import canonical_id, slugify
from gitmem.model.ledger import Entry
from gitmem.model.observation import Conflict
from gitmem.model.proposal import PENDING
from gitmem.model.vocabulary import STANDING as TAG
from gitmem.record import record, replace
from gitmem.store.lock import held
from gitmem.text.words import cut

KIND = "guideline"
DOMAIN = "standing"
_TITLE_CHARS = 120
_SHOWN_CHARS = 500
_HINTS_MOST = 8
_NEAR_MOST = 5
_ABOUT = "is about the same words,"
_SENTENCE = r"(.+?[.!?])(?:\s|$)"
_OPENING = r"^(?:please,? )?(?:from (?:now|here) on|in (?:the )?future|as a rule)[,:]? (?:please,? )?"


@record
class StandingNote:
    """What is to hold from now on. ``abstract`` is its title where the first sentence is none; ``hints`` are words by
    which it is found, and become tags."""

    note: str
    abstract: str = ""
    paths: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    agent: str = ""
    agent_session: str = ""
    allow_secret: tuple[str, ...] = ()


@record
class Rule:
    title: str
    body: str
    paths: tuple[str, ...]


@record
class Offer:
    """``code`` is '' where none can be kept, and when the rule is there already: ``verdict`` duplicate, ``target``."""

    rule: Rule
    code: str
    expires: str
    conflicts: tuple[Conflict, ...]
    proposal: str
    patchset: str
    verdict: str
    target: str = ""
    warnings: tuple[Notice, ...] = ()

    @property
    def asks(self) -> str:
        """What whoever asked shows to the person, word for word."""
        if not self.code:
            return ""
        words = f"reply with: keep {self.code}"
        if self.conflicts:
            words += f" (beside the rules it collides with), replace {self.code} (in their place)"
        return f'{words}, or cancel {self.code}. A plain "yes" decides nothing; the code holds for 15 minutes'


def offer(session: Session, note: StandingNote) -> Offer:
    """Opens the proposal and a code for it; asked again for a rule that waits, another code for that one."""
    under = ground(session)
    call = _composed(note)
    said = Terms(
        rationale="Said by a person in a session, noted as a standing rule.",
        evidence=note.evidence,
        agent=note.agent,
        agent_session=note.agent_session,
        allow_secret=note.allow_secret,
    )
    terms = checked(session, said)
    made = drafted(session, under, call, terms)
    rule = Rule(call.title, call.body.strip(), call.path)
    found = Offer(rule, "", "", (), "", "", made.verdict, made.target or "", made.warnings)
    if made.verdict == alike.DUPLICATE:
        found = _again(session, found)
    else:
        opened = publish(session, made)
        found = replace(found, proposal=str(opened.proposal), patchset=opened.patchset)
    if not found.proposal:
        return found
    found = replace(found, warnings=(*found.warnings, *_unheard(session, call, found.proposal)))
    return _with_code(session, replace(found, conflicts=_conflicts(session, under, call)), terms)


def _unheard(session: Session, call: NewCall, place: str) -> tuple[Notice, ...]:
    """A rule without a scope comes by the words of its title and its tags, and some titles have none that tell."""
    if call.path or words_of(f"{call.title} {' '.join(tag for tag in call.tag if tag != TAG)}"):
        return ()
    message = "no word of its title says what the rule is about, so that no prompt brings it up"
    hint = f"note it with {session.word('--hint WORD, or --path GLOB', 'hints, or paths')}"
    return (Notice("no-telling-word", message, place, hint),)


def _composed(note: StandingNote) -> NewCall:
    body = note.note.strip()
    if not body:
        raise UsageError("a standing rule needs words", hint="give what shall hold from now on as the note")
    tags = [slug for hint in note.hints[:_HINTS_MOST] if (slug := slugify(hint))]
    title = cut(" ".join(note.abstract.split()) or _first_sentence(body), _TITLE_CHARS)
    return NewCall(KIND, title, note.paths, tag=tuple(dict.fromkeys((TAG, *tags))), domain=DOMAIN, body=f"{body}\n")


def _first_sentence(body: str) -> str:
    lines = [" ".join(line.lstrip("#-*> ").split()) for line in body.splitlines()]
    line = next((line for line in lines if any(map(str.isalnum, line))), "")
    match = re.match(_SENTENCE, line)
    return _without_opening(match[1] if match else line) or line


def _without_opening(sentence: str) -> str:
    said = re.sub(_OPENING, "", sentence.rstrip("."), flags=re.IGNORECASE)
    return said[:1].upper() + said[1:]


def beside_title(title: str, body: str) -> str:
    """What a rule says, in one line, where its title does not say all of it: a person reads what has become a rule."""
    line = " ".join(body.split())
    return "" if title in (line, _without_opening(line)) else cut(line, _SHOWN_CHARS)


def drafted(session: Session, under: Ground, call: NewCall, terms: Terms) -> Draft:
    """Under a name of its own where the first one is taken, also by what waits."""
    slug = slugify(call.title) or os.urandom(4).hex()
    knowledge = under.knowledge()
    if any(card.slug == slug for card in knowledge.under(f"slug:{slug}")):
        slug = _other(slug)
    for name in (slug, _other(slug)):
        plan = plan_new(under, replace(call, slug=name), session.place.author, session.now)
        made = draft(session, under, plan, terms)
        if made.verdict == alike.DUPLICATE or not _is_taken(made.entry, made.overlaps):
            break
    return made


def _other(slug: str) -> str:
    return f"{slug[:60].strip('-')}-{os.urandom(3).hex()}"


def _is_taken(entry: Entry, overlaps: Sequence[alike.Overlap]) -> bool:
    paths = {change.path.casefold() for change in entry.changes}
    return any(paths & set(each.items) for each in overlaps)


def _conflicts(session: Session, under: Ground, call: NewCall) -> tuple[Conflict, ...]:
    """What says the opposite, and the standing rules that are about the same and may."""
    wanted = everywhere(call.title, call.body, call.tag)
    found = collisions(session, under.reading, replace(wanted, paths=call.path) if call.path else wanted)
    known = {each.item for each in found}
    near = about_the_same(standing(under.knowledge(), session.now), call.title)
    rows = [Conflict(card.id, card.slug, f"{_ABOUT} {', '.join(words)}: {card.title}") for card, words in near]
    return (*found, *[row for row in rows if row.item not in known][:_NEAR_MOST])


def _again(session: Session, found: Offer) -> Offer:
    """What waits already is offered again; what is in force, or was declined, is not."""
    if any(each.code == "dismissed" for each in found.warnings) or not canonical_id(found.target):
        return found
    try:
        _, known = named(session, found.target)
    except NoProposalError:
        return found
    if known.status not in PENDING:
        return found
    return replace(found, proposal=known.proposal.id, patchset=known.proposal.patchset)


def _with_code(session: Session, found: Offer, terms: Terms) -> Offer:
    by_hand = f"gitmem proposals approve {found.proposal}@{found.patchset}"
    if not is_on(session):
        notice = Notice("no-code", "the journal is off, so that no code can be kept", found.proposal, by_hand)
        return replace(found, warnings=(*found.warnings, notice))
    said = Event(STANDING, session=terms.agent_session, agent=terms.agent)
    against = [each.item for each in found.conflicts]
    try:
        with held(session.place.repo, codes.LOCK):
            code, expires = codes.offer(session, found.proposal, found.patchset, against, said)
    except (OSError, GitmemError):
        notice = Notice("no-code", "the journal cannot be written, so that no code is kept", found.proposal, by_hand)
        return replace(found, warnings=(*found.warnings, notice))
    return replace(found, code=code, expires=expires)
