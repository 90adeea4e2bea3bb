"""How far the signatures of a branch are known to hold. Refuses to take a root that can move, or to look further.

What was verified is kept in the cache, so that a reader who finds the branch where it was starts no program.
"""

from gitmem.lazy import load
from gitmem.model.finding import Notice
from gitmem.record import record
from gitmem.store import cache as caches
from gitmem.store.cache import Cache
from gitmem.store.repo import Repo
from gitmem.store.trust import GitConfig, Held, Tip

# Counts up when the rules change.
_RULES = "1"
_FIELDS = 7
_OID_LENGTHS = (40, 64)


@record
class Kept:
    """How far the chain was found to hold for ``tip``; ``warning`` (message, hint) is empty where that is the tip."""

    tip: str
    commit: str
    tree: str
    warning: tuple[str, str] = ("", "")

    def held(self) -> Held:
        message, hint = self.warning
        return Held(self.commit, self.tree, (Notice("chain-broken", message, hint=hint),) if message else ())


def hold(repo: Repo, config: GitConfig, cache: Cache, tip: Tip) -> Held:
    """What may be read of the branch at ``tip``: nothing where the root is not known or the history is not here."""
    root = config.get("gitmem.signersroot", ("",))[-1].lower()
    if len(root) not in _OID_LENGTHS or root.strip("0123456789abcdef"):
        missing: Notice = load("gitmem.store.chain:root_missing")(repo, tip, root)
        return Held("", "", (missing,))
    kept = _kept(cache, root)
    if kept is not None and kept.tip == tip.commit:
        return kept.held()
    held: Held = load("gitmem.store.chain:follow")(repo, cache, (root, tip.commit), kept.commit if kept else root)
    return held


def _kept(cache: Cache, root: str) -> Kept | None:
    fields = (caches.load(cache, f"signed-{root}") or b"").decode().split("\n")
    if len(fields) != _FIELDS or fields[:2] != [_RULES, root]:
        return None
    tip, commit, tree, message, hint = fields[2:]
    return Kept(tip, commit, tree, (message, hint))


def keep(cache: Cache, root: str, kept: Kept) -> Held:
    lines = (_RULES, root, kept.tip, kept.commit, kept.tree, *kept.warning)
    caches.save(cache, f"signed-{root}", "\n".join(lines).encode())
    return kept.held()
