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
_POLICIES = "head, signed, or the name of a branch"


@record
class Trusted:
    """What may be read as knowledge.

    ``commit`` and ``tree`` are '' where there is none; ``head_tree`` is that of HEAD.
    """

    policy: str
    source: str
    commit: str = ""
    tree: str = ""
    head_commit: str = ""
    head_tree: str = ""
    warnings: tuple[Notice, ...] = ()
    notices: tuple[Notice, ...] = ()


@record
class Known:
    """Commit and knowledge tree of the refs that matter, '' where absent."""

    commit: str
    tree: str


def strictness(policy: str) -> int:
    """head < branch < signed."""
    return {TRUST_HEAD: 0, TRUST_SIGNED: 2}.get(policy, 1)


def chosen_remote(config: GitConfig) -> str:
    """``gitmem.remote``, else upstream, else origin, else the only one; '' without a remote."""
    names = sorted(
        {
            k.removeprefix("remote.").removesuffix(".url")
            for k in config
            if k.startswith("remote.") and k.endswith(".url")
        }
    )
    wanted = config.get("gitmem.remote", ("",))[-1]
    for name in (wanted, "upstream", "origin"):
        if name and name in names:
            return name
    return names[0] if names else ""


def decide(repo: Repo, config: GitConfig, flag: str, trust_of: Callable[[str], str]) -> Trusted:
    """The trusted commit. ``trust_of`` reads the top-level ``trust`` of a knowledge tree ('' when unset)."""
    remote = chosen_remote(config) if repo.root is not None else ""
    refs = _look_up(repo, remote)
    head = refs["HEAD"]
    branch = _default_branch(repo, remote, refs)
    base = _first(refs, f"refs/remotes/{remote}/{branch}", f"refs/remotes/{remote}/HEAD") if remote else head
    base_policy = trust_of(base.tree) if base.tree else ""
    policy, source = _stated(config, flag, base_policy, branch)
    judged = trust_of(head.tree) if head.tree and head.commit != base.commit and not flag else ""
    notices: tuple[Notice, ...] = ()
    if judged in ("", policy, base_policy):
        # Nothing that the branch itself has changed.
        pass
    elif strictness(judged) > strictness(policy) and is_policy(judged):
        policy, source = judged, "config.yaml at HEAD, which tightens it"
    else:
        notices = (_ignored(judged, policy),)
    return _trusted(repo, (policy, source, remote), refs, notices)


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


def _trusted(repo: Repo, chosen: tuple[str, str, str], refs: dict[str, Known], notices: tuple[Notice, ...]) -> Trusted:
    policy, source, remote = chosen
    head = refs["HEAD"]
    found = head
    warnings: tuple[Notice, ...] = ()
    if policy == TRUST_SIGNED:
        found, warnings = Known("", ""), (_unverifiable(),)
    elif not is_policy(policy):
        found, warnings = Known("", ""), (_no_policy(policy, source),)
    elif policy != TRUST_HEAD:
        refs = (
            refs
            | _known(repo, [f"refs/remotes/{remote}/{policy}"] if remote else [])
            | _known(repo, [f"refs/heads/{policy}"])
        )
        found = _first(refs, f"refs/remotes/{remote}/{policy}" if remote else "", f"refs/heads/{policy}")
        warnings = () if found.commit else (_missing(policy, remote),)
    return Trusted(policy, source, found.commit, found.tree, head.commit, head.tree, warnings, notices)


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


def _quoted(text: str) -> str:
    """As one word of a shell: a branch may be named so that a pasted hint would run something."""
    return "'" + text.replace("'", "'\\''") + "'" if set(text) & _SHELL_SIGNS else text


def _missing(branch: str, remote: str) -> Notice:
    spec = f"{branch}:refs/remotes/{remote}/{branch}"
    fetch = f"git fetch {_quoted(remote)} {_quoted(spec)}" if remote else f"git branch {_quoted(branch)}"
    return Notice(
        "trusted-ref-missing",
        f"the trusted branch {branch!r} is not in this clone, so nothing is canonical here",
        hint=f"fetch it: {fetch}",
    )


def _unverifiable() -> Notice:
    return Notice(
        "cannot-verify",
        "trust is 'signed', and this version of gitmem cannot check signatures yet, so nothing is canonical here",
        hint="preview with: gitmem compile --trust head",
    )


def _ignored(judged: str, policy: str) -> Notice:
    return Notice(
        "trust-loosened",
        f"config.yaml at HEAD says trust: {judged[:80]}, which does not tighten {policy}; it is ignored",
        place=f"{FOLDER}/config.yaml",
        hint="a policy is loosened by the trusted branch, or by: git config gitmem.trust",
    )
