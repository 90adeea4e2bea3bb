"""Which commit is canonical, and who says so. Refuses to take the policy on the word of what it judges."""

from collections.abc import Callable, Mapping

from gitmem.config import TRUST_HEAD, TRUST_SIGNED
from gitmem.errors import UsageError
from gitmem.model.finding import Notice
from gitmem.record import record
from gitmem.store import objects
from gitmem.store.repo import FOLDER, Repo

GitConfig = Mapping[str, tuple[str, ...]]
_USUAL = ("main", "master", "trunk")
_SHELL_SIGNS = frozenset(" \t!\"#$%&'()*;<=>?[\\]^`{|}~")
_ROOT = "gitmem.signersroot"
_POLICIES = "head, signed, or the name of a branch"


@record
class Trusted:
    """What may be read as knowledge.

    ``commit`` and ``tree`` are '' where there is none; ``head_tree`` is that of HEAD; ``ref`` is what was followed.
    """

    policy: str
    source: str
    commit: str = ""
    tree: str = ""
    head_commit: str = ""
    head_tree: str = ""
    warnings: tuple[Notice, ...] = ()
    notices: tuple[Notice, ...] = ()
    ref: str = ""

    @property
    def label(self) -> str:
        """What people call it in a sentence: main, or the signed line of main."""
        if self.policy != TRUST_SIGNED:
            return self.policy
        return (
            f"the signed line of {self.ref.removeprefix('refs/heads/').removeprefix('refs/remotes/') or 'the branch'}"
        )


@record
class Known:
    """Commit and knowledge tree of the refs that matter, '' where absent."""

    commit: str
    tree: str


@record
class Tip:
    """The newest commit of the branch whose signatures are followed."""

    name: str
    commit: str


@record
class Held:
    """The newest commit that signatures vouch for and its knowledge tree, '' where there is none."""

    commit: str
    tree: str
    warnings: tuple[Notice, ...] = ()


@record
class _Around:
    """What a decision rests on: settings, the refs that were looked up, and who can follow signatures."""

    repo: Repo
    config: GitConfig
    remote: str
    branch: str
    refs: dict[str, Known]
    follow: Callable[[Tip], Held]


def strictness(policy: str) -> int:
    """head < branch < signed."""
    return {TRUST_HEAD: 0, TRUST_SIGNED: 2}.get(policy, 1)


def remotes(config: GitConfig) -> list[str]:
    """The names of the remotes that have a URL, sorted."""
    keys = (key for key in config if key.startswith("remote.") and key.endswith(".url"))
    return sorted({key.removeprefix("remote.").removesuffix(".url") for key in keys})


def chosen_remote(config: GitConfig) -> str:
    """``gitmem.remote``, else upstream, else origin, else the only one; '' without a remote."""
    names = remotes(config)
    wanted = config.get("gitmem.remote", ("",))[-1]
    for name in (wanted, "upstream", "origin"):
        if name and name in names:
            return name
    return names[0] if names else ""


def decide(
    repo: Repo, config: GitConfig, flag: str, trust_of: Callable[[str], str], follow: Callable[[Tip], Held]
) -> Trusted:
    """The trusted commit. ``trust_of`` reads the top-level ``trust`` of a knowledge tree ('' when unset); ``follow``
    finds how far signatures hold.
    """
    remote = chosen_remote(config) if repo.root is not None else ""
    refs = _look_up(repo, remote)
    head = refs["HEAD"]
    branch = _default_branch(repo, remote, refs)
    base = _first(refs, f"refs/remotes/{remote}/{branch}", f"refs/remotes/{remote}/HEAD") if remote else head
    base_policy = trust_of(base.tree) if base.tree else ""
    policy, source = _stated(config, flag, base_policy, branch)
    around = _Around(repo, config, remote, branch, refs, follow)
    if policy != TRUST_SIGNED and not flag and _ROOT in config and "gitmem.trust" not in config:
        policy, source = _not_loosened(around, trust_of, (policy, source))
    judged = trust_of(head.tree) if head.tree and head.commit != base.commit and not flag else ""
    notices: tuple[Notice, ...] = ()
    if judged in ("", policy, base_policy):
        # Nothing that the branch itself has changed.
        pass
    elif strictness(judged) > strictness(policy) and is_policy(judged):
        policy, source = judged, "config.yaml at HEAD, which tightens it"
    else:
        notices = (_ignored(judged, policy),)
    return _trusted(around, (policy, source), notices)


def _not_loosened(around: _Around, trust_of: Callable[[str], str], stated: tuple[str, str]) -> tuple[str, str]:
    """Whoever has named a root lets only signers loosen the policy; what cannot be verified loosens nothing."""
    held = _followed(around)[1]
    if held.commit and trust_of(held.tree) != TRUST_SIGNED:
        return stated
    return TRUST_SIGNED, "config.yaml at the newest commit that signatures vouch for"


def _stated(config: GitConfig, flag: str, base_policy: str, branch: str) -> tuple[str, str]:
    """The policy, and who says so; ``branch`` is the default branch of the remote, '' without one."""
    given = config.get("gitmem.trust", ("",))[-1]
    if flag:
        return flag, "--trust"
    if given:
        return given, "git config gitmem.trust"
    if base_policy:
        return base_policy, "config.yaml at the default branch" if branch else "config.yaml at HEAD"
    return (branch, "default branch of the remote") if branch else (TRUST_HEAD, "default without a remote")


def _trusted(around: _Around, chosen: tuple[str, str], notices: tuple[Notice, ...]) -> Trusted:
    policy, source = chosen
    head = around.refs["HEAD"]
    ref, found = "HEAD", Held(head.commit, head.tree)
    if policy == TRUST_SIGNED:
        ref, found = _followed(around)
    elif not is_policy(policy):
        ref, found = "", Held("", "", (_no_policy(policy, source),))
    elif policy != TRUST_HEAD:
        ref, found = _branch(around, policy)
    warnings = found.warnings
    return Trusted(policy, source, found.commit, found.tree, head.commit, head.tree, warnings, notices, ref)


def _branch(around: _Around, name: str) -> tuple[str, Held]:
    """The branch of the remote, else the local one."""
    of_remote = (f"refs/remotes/{around.remote}/{name}",) if around.remote else ()
    for ref in (*of_remote, f"refs/heads/{name}"):
        known = around.refs.get(ref) or _known(around.repo, [ref])[ref]
        if known.commit:
            return ref, Held(known.commit, known.tree)
    return "", Held("", "", (_missing(name, around.remote),))


def _followed(around: _Around) -> tuple[str, Held]:
    """``gitmem.signedBranch``, else the default branch of the remote, else HEAD: as far as its signatures hold."""
    name = around.config.get("gitmem.signedbranch", (around.branch,))[-1]
    if name and not is_policy(name):
        return "", Held("", "", (_no_policy(name, "git config gitmem.signedBranch"),))
    head = around.refs["HEAD"]
    ref, found = _branch(around, name) if name else ("HEAD", Held(head.commit, head.tree))
    return ref, around.follow(Tip(name or "HEAD", found.commit)) if found.commit else found


def _first(refs: dict[str, Known], *names: str) -> Known:
    return next((refs[name] for name in names if name in refs and refs[name].commit), Known("", ""))


def _look_up(repo: Repo, remote: str) -> dict[str, Known]:
    names = ["HEAD"]
    if remote:
        names += [f"refs/remotes/{remote}/{name}" for name in ("HEAD", *_USUAL)]
    return _known(repo, names)


def _known(repo: Repo, names: list[str]) -> dict[str, Known]:
    asked = [spec for name in names for spec in (f"{name}^{{commit}}", f"{name}:{FOLDER}")]
    found = objects.look_up(repo, asked)
    known = {}
    for at, name in enumerate(names):
        commit, tree = found[2 * at], found[2 * at + 1]
        known[name] = Known(commit[0] if commit else "", tree[0] if tree and tree[1] == "tree" else "")
    return known


def _default_branch(repo: Repo, remote: str, refs: dict[str, Known]) -> str:
    """The branch that the remote's HEAD names, else the first usual name that is here, else the first usual name."""
    if not remote:
        return ""
    named = (
        objects.symbolic_ref(repo, f"refs/remotes/{remote}/HEAD") if refs[f"refs/remotes/{remote}/HEAD"].commit else ""
    )
    if named:
        return named.removeprefix(f"refs/remotes/{remote}/")
    return next((name for name in _USUAL if refs[f"refs/remotes/{remote}/{name}"].commit), _local_default(repo))


def _local_default(repo: Repo) -> str:
    """A remote that was never fetched has no say yet: the branch at hand is the one that will be pushed."""
    here = objects.symbolic_ref(repo, "HEAD").removeprefix("refs/heads/")
    return _USUAL[0] if objects.has_refs(repo, "refs/remotes/") or not here else here


def default_branch(repo: Repo, config: GitConfig) -> str:
    """The default branch of the chosen remote, '' without a remote."""
    remote = chosen_remote(config) if repo.root is not None else ""
    return _default_branch(repo, remote, _look_up(repo, remote))


def check_policy(text: str) -> str:
    """Returns ``text`` when it can be a policy: head, signed or a branch name."""
    if not is_policy(text):
        raise UsageError(f"not a trust policy: {text!r}", hint=_POLICIES)
    return text


def is_policy(text: str) -> bool:
    """Whether ``text`` can name whom to trust; it becomes part of a ref's name and of a line that Git reads."""
    if not text or text.startswith(("-", "refs/")) or text.endswith((".lock", "/", ".")) or ".." in text:
        return False
    return not any(c in "~^:?*[\\@{" or ord(c) < 33 or c == "\x7f" for c in text)


def _no_policy(policy: str, source: str) -> Notice:
    message = f"trust is {policy[:80]!r} by {source}, which is no policy, so nothing is canonical here"
    return Notice("trust-unknown", message, hint=f"use {_POLICIES}")


def quoted(text: str) -> str:
    """As one word of a shell: a branch may be named so that a pasted hint would run something."""
    return "'" + text.replace("'", "'\\''") + "'" if set(text) & _SHELL_SIGNS else text


def _missing(branch: str, remote: str) -> Notice:
    spec = f"{branch}:refs/remotes/{remote}/{branch}"
    if remote:
        hint = f"fetch it: git fetch {quoted(remote)} {quoted(spec)}"
    else:
        # To make the branch here would make HEAD canonical without anybody having said so.
        hint = "name a branch that is here, or head: gitmem config set trust NAME, or: git config gitmem.trust NAME"
    return Notice(
        "trusted-ref-missing",
        f"the trusted branch {branch!r} is not in this clone, so nothing is canonical here",
        hint=hint,
    )


def _ignored(judged: str, policy: str) -> Notice:
    return Notice(
        "trust-loosened",
        f"config.yaml at HEAD says trust: {judged[:80]}, which does not tighten {policy}; it is ignored",
        place=f"{FOLDER}/config.yaml",
        hint="a policy is loosened by the trusted branch, or by: git config gitmem.trust",
    )
