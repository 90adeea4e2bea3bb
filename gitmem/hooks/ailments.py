"""What a doctor finds amiss in Git's hooks. Refuses to install hooks in a clone that has none of ours."""

from collections.abc import Iterator

from gitmem.answers.session import Session
from gitmem.hooks.install import HooksCall
from gitmem.hooks.install import hooks as asked
from gitmem.model.finding import Finding, Severity
from gitmem.model.hooks import Hooks

_OURS = ("installed", "outdated")


def hooks(session: Session) -> Iterator[Finding]:
    found = asked(session, HooksCall("list"))
    stale = [hook.name for hook in found.hooks if hook.state != "installed"]
    if _has_ours(found) and stale:
        message = f"hooks of an older gitmem, or a part of them: {', '.join(stale)}"
        yield Finding("hooks-outdated", Severity.WARNING, found.folder, 0, message, "gitmem hooks install")
    elif stale and not found.managers and session.place.repo.root is not None:
        message = "no hooks of gitmem: what is wrong in a commit is seen at the next check only"
        yield Finding("hooks-missing", Severity.WARNING, found.folder, 0, message, "gitmem hooks install")


def mend(session: Session) -> Iterator[str]:
    if _has_ours(asked(session, HooksCall("list"))):
        done = asked(session, HooksCall("install", without_driver=True))
        yield from (f"wrote {path}" for path in done.written)


def _has_ours(found: Hooks) -> bool:
    return any(hook.state in _OURS for hook in found.hooks)
