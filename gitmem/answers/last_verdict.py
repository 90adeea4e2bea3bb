"""The verdict that was given last, and whether it still holds. Refuses to judge a change anew."""

from collections.abc import Callable

from gitmem.answers import change, verdicts
from gitmem.answers.change import GIVEN
from gitmem.answers.reading import Reading, read
from gitmem.answers.session import Session
from gitmem.answers.verdicts import About, Kept
from gitmem.answers.verify import ALGORITHM, about_of, snapshot_of, still_valid
from gitmem.errors import GitmemError
from gitmem.model.finding import Notice
from gitmem.model.verified import FAIL, NOTHING, Last, Verified
from gitmem.record import replace
from gitmem.store import cache as caches
from gitmem.store import gitdiff

_NAMED = 3


def last(session: Session, *, is_pruned: bool) -> Verified:
    """With ``is_pruned`` every verdict that holds no more is removed, this one included once it was told."""
    cache = session.place.cache
    reading = read(session.place)
    why_not = _judge(session, reading)
    found = _found(session)
    pruned = sum(verdicts.drop(cache, each) for each in verdicts.every(cache) if why_not(each)) if is_pruned else None
    if found is None:
        hint = f"give one: {session.word('gitmem verify --staged', 'verify_done with staged')}"
        notice = Notice("no-verdict", "no verdict was given in this worktree, or it is kept no more", hint=hint)
        return Verified(NOTHING, pruned=pruned, warnings=(*reading.warnings, notice))
    why = why_not(found)
    about = Last(found.about.change.name, found.about.when, not why, why)
    return replace(found.verified, cached=True, last=about, pruned=pruned)


def pointer(session: Session) -> str:
    """The last verdict in one line, '' where none was given: for whoever lost sight of it."""
    found = _found(session)
    if found is None:
        return ""
    why = _judge(session, read(session.place))(found)
    verdict, about = found.verified, found.about
    said = f"last verdict ({about.change.name}, {about.when}): {verdict.verdict}"
    if verdict.verdict == FAIL:
        places = [f"{each.check} at {each.place}" for each in verdict.violations[:_NAMED]]
        more = f" and {verdict.total - len(places)} more" if verdict.total > len(places) else ""
        said = f"{said}: {', '.join(places)}{more}"
    return f"{said}; it holds no more: {why}" if why else said


def _found(session: Session) -> Kept | None:
    return verdicts.last(session.place.cache, caches.tag_of(session.place.repo))


def _judge(session: Session, reading: Reading) -> Callable[[Kept], str]:
    """Why a verdict holds no more, '' when it does; each change is looked at once."""
    known: dict[change.Change, About | None] = {}

    def why_not(kept: Kept) -> str:
        about = kept.about
        if about.algorithm != ALGORITHM:
            return "another version of gitmem gave it"
        if not still_valid(kept, session.now):
            return "a rule has begun or ceased to be valid since"
        if about.change.source == GIVEN:
            return _why_not_given(session, reading, about)
        if about.change not in known:
            known[about.change] = _now(session, reading, about.change)
        now = known[about.change]
        if now is None:
            return "the change cannot be read any more"
        return _difference(about, now.digest, now.snapshot_id)

    return why_not


def _now(session: Session, reading: Reading, wanted: change.Change) -> About | None:
    try:
        return about_of(reading, change.take(session, wanted))
    except GitmemError:
        return None


def _why_not_given(session: Session, reading: Reading, about: About) -> str:
    """The diff itself was not kept: it means the same while HEAD is the same."""
    if gitdiff.head(session.place.repo) != about.base:
        return "HEAD is another commit by now"
    return _difference(about, about.digest, snapshot_of(reading))


def _difference(about: About, digest: str, snapshot_id: str) -> str:
    if digest != about.digest:
        return "the change is another one by now"
    return "" if snapshot_id == about.snapshot_id else "the rules are others by now"
