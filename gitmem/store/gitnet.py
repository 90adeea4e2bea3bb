"""Git's way to other repositories: fetch and push with the user's own credentials. Refuses to ask anybody anything.

Nothing here reads what was fetched. Names and values of refs go in, the remote's verdicts come out.
"""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from enum import StrEnum

from gitmem.errors import GitmemError
from gitmem.record import record
from gitmem.store import git
from gitmem.store.gitrefs import is_ref_name
from gitmem.store.repo import Repo

# What the user's own environment may say about the way; all else of Git's variables is dropped.
_USERS = frozenset({"GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_CONFIG_COUNT"})
_USERS_BEGIN = ("GIT_SSL_", "GIT_HTTP_", "GIT_PROXY_", "GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_")
# Programs that a URL itself names: no remote needs them.
_PROGRAMS = ("ext", "fd")
_QUIET_SSH = "ssh -o BatchMode=yes -o ConnectTimeout=20 -o ServerAliveInterval=20"
_SETTINGS = (
    *(f"protocol.{name}.allow=never" for name in _PROGRAMS),
    "credential.interactive=false",
    "submodule.recurse=false",
    "push.followTags=false",
    "advice.pushUpdateRejected=false",
)
_FETCH = (
    "--no-tags",
    "--no-recurse-submodules",
    "--no-auto-maintenance",
    "--no-write-fetch-head",
    "--no-write-commit-graph",
    "--no-show-forced-updates",
    "--no-prune-tags",
    "--refmap=",
    "--quiet",
)
_PUSH = ("--porcelain", "--no-verify", "--no-follow-tags", "--recurse-submodules=no", "--no-signed")
TIMEOUT_S = 300
_SAID_MAX = 200
_CHUNK = 100
_CREDENTIALS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*://)[^/@\s']+@")
_QUERY = re.compile(r"(://[^\s'?]+)\?[^\s']+")
# What a remote says when somebody else was faster.
_RACED = re.compile(r"failed to update ref|cannot lock ref|reference already exists|incorrect old value")
_WANTS_CREDENTIALS = re.compile(
    r"could not read (Username|Password)|terminal prompts disabled|Authentication failed|Permission denied"
    r"|Host key verification failed|requested URL returned error: 40[13]|[Aa]ccess denied|askpass"
)


class RemoteNameError(GitmemError):
    code = "bad-remote"


class Trouble(StrEnum):
    """Why nothing came through, for programs."""

    UNREACHABLE = "unreachable"
    CREDENTIALS = "needs-credentials"
    TIMEOUT = "timeout"


@record
class Failed:
    """``said`` is Git's own line, without credentials."""

    trouble: Trouble
    said: str


@record
class Remote:
    """A configured remote. ``timeout_s`` is for one exchange."""

    name: str
    timeout_s: int = TIMEOUT_S
    has_ssh_command: bool = False


@record
class Update:
    """What a ref of the remote shall become: ``new`` '' removes it; ``old`` is what it must be at now, '' for none."""

    ref: str
    old: str
    new: str


class Fate(StrEnum):
    """DONE: the remote has it. MOVED: it was at another value. REFUSED: the remote does not want it."""

    DONE = "done"
    MOVED = "moved"
    REFUSED = "refused"


@record
class Verdict:
    fate: Fate
    said: str = ""


Verdicts = Mapping[str, Verdict]


def remote_of(config: Mapping[str, tuple[str, ...]], name: str) -> Remote:
    """The configured remote of that name. A name or URL that Git could take for an option is refused."""
    urls = (*config.get(f"remote.{name}.url", ()), *config.get(f"remote.{name}.pushurl", ()))
    if name.startswith("-") or not is_ref_name(f"refs/remotes/{name}") or any(url.startswith("-") for url in urls):
        raise RemoteNameError(f"not a remote that can be asked: {name[:80]!r}", hint="see: git remote -v")
    if not urls:
        raise RemoteNameError(f"there is no remote {name!r} here", hint="see: git remote -v")
    given = config.get("gitmem.synctimeout", ("",))[-1]
    seconds = int(given) if given.isascii() and given.isdigit() and int(given) else TIMEOUT_S
    return Remote(name, seconds, "core.sshcommand" in config)


def fetch(repo: Repo, remote: Remote, specs: Sequence[str], *, prune: bool = False) -> Failed | None:
    """Fetches what ``specs`` name, and nothing that the configuration names. ``prune``: of their targets only."""
    pruning = "--prune" if prune else "--no-prune"
    done = _run(repo, remote, ("fetch", *_FETCH, pruning, "--end-of-options", remote.name, *specs))
    return _failed(done) if done.code else None


@record
class Advertised:
    """``refs`` by full name; ``head`` is the full name of the branch that its HEAD is, '' where it does not say."""

    refs: Mapping[str, str]
    head: str = ""


def advertised(repo: Repo, remote: Remote, *patterns: str) -> Advertised | Failed:
    """What the remote has to offer, HEAD and the refs that match."""
    done = _run(repo, remote, ("ls-remote", "--symref", "--end-of-options", remote.name, "HEAD", *patterns))
    if done.code:
        return _failed(done)
    rows = [line.split("\t", 1) for line in done.lines() if "\t" in line]
    heads = [value.removeprefix("ref: ") for value, name in rows if name == "HEAD" and value.startswith("ref: ")]
    refs = {name: value for value, name in rows if not value.startswith("ref: ")}
    return Advertised(refs, heads[0] if heads else "")


def push(repo: Repo, remote: Remote, updates: Sequence[Update]) -> Verdicts | Failed:
    """Each update on its own, under a lease on its old value: what is refused stands in nobody's way."""
    found: dict[str, Verdict] = {}
    for group in _groups(updates):
        verdicts = _push(repo, remote, group, _leases(group))
        if isinstance(verdicts, Failed):
            return verdicts if not found else {**found, **{u.ref: Verdict(Fate.MOVED, verdicts.said) for u in group}}
        found.update(verdicts)
    return found


def push_branch(repo: Repo, remote: Remote, update: Update, to: str = "") -> Verdict | Failed:
    """One branch by itself, under a lease; ``to`` is another ref that takes it, as for review."""
    sent = Update(to or update.ref, update.old, update.new)
    verdicts = _push(repo, remote, (sent,), () if to else _leases((sent,)))
    return verdicts if isinstance(verdicts, Failed) else verdicts[sent.ref]


def _groups(updates: Sequence[Update]) -> list[Sequence[Update]]:
    """Removals apart: Git gives up a whole push when one of them is gone already."""
    kept, removed = [u for u in updates if u.new], [u for u in updates if not u.new]
    return [part[at : at + _CHUNK] for part in (kept, removed) for at in range(0, len(part), _CHUNK)]


def _leases(updates: Sequence[Update]) -> list[str]:
    return [f"--force-with-lease={u.ref}:{u.old}" for u in updates]


def _push(repo: Repo, remote: Remote, updates: Sequence[Update], leases: Sequence[str]) -> Verdicts | Failed:
    specs = [f"{u.new}:{u.ref}" for u in updates]
    args = ("push", *_PUSH, *leases, "--end-of-options", remote.name, *specs)
    done = _run(repo, remote, args)
    rows = [line.split("\t") for line in done.lines()]
    found = {row[1].partition(":")[2]: _verdict(row[0], row[2]) for row in rows if len(row) == 3}
    if done.code and not found:
        return _failed(done)
    if any("Gerrit" in line for line in done.err.splitlines()):
        found = {ref: Verdict(v.fate, f"{v.said}; prohibited by Gerrit") for ref, v in found.items()}
    return {u.ref: found.get(u.ref, Verdict(Fate.MOVED, "no answer")) for u in updates}


def _verdict(flag: str, summary: str) -> Verdict:
    if flag != "!":
        return Verdict(Fate.DONE)
    is_refused = summary.startswith(("[remote rejected]", "[remote failure]")) and not _RACED.search(summary)
    fate = Fate.REFUSED if is_refused else Fate.MOVED
    said = summary.partition("] ")[2].strip("()") or summary
    return Verdict(fate, said_of(said))


def said_of(text: str) -> str:
    """A line that another program said, without credentials and as long as a line may be."""
    return _QUERY.sub(r"\1", _CREDENTIALS.sub(r"\1", " ".join(text.split())))[:_SAID_MAX]


def _failed(done: git.Finished) -> Failed:
    lines = [line for line in done.err.splitlines() if line.strip()]
    said = next((line for line in lines if line.startswith(("fatal: ", "ssh: "))), lines[0] if lines else "no answer")
    if done.code == _TIMED_OUT:
        return Failed(Trouble.TIMEOUT, said_of(said))
    wants = next((line for line in lines if _WANTS_CREDENTIALS.search(line)), "")
    trouble = Trouble.CREDENTIALS if wants else Trouble.UNREACHABLE
    return Failed(trouble, said_of((wants or said).removeprefix("fatal: ")))


_TIMED_OUT = -1000


def _run(repo: Repo, remote: Remote, args: Sequence[str]) -> git.Finished:
    settings = [part for setting in _SETTINGS for part in ("-c", setting)]
    command = ["git", "-C", str(repo.where), *git.SAFE, *settings, *args]
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(remote),
            # Without a terminal of its own nobody can ask on it.
            start_new_session=True,
            creationflags=git.NO_WINDOW,
        )
    except OSError as err:
        raise git.GitError("the git program could not be started", hint="install Git 2.34 or newer") from err
    try:
        out, said = process.communicate(timeout=remote.timeout_s)
    except subprocess.TimeoutExpired:
        late = f"no end within {remote.timeout_s} seconds; a longer time: git config gitmem.syncTimeout SECONDS"
        return git.Finished(_TIMED_OUT, b"", late)
    finally:
        _end(process)
    return git.Finished(process.returncode, out, said.decode("utf-8", "replace"))


def _end(process: "subprocess.Popen[bytes]") -> None:
    """What still runs is ended with all that it started."""
    if process.poll() is None:
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


def environment(remote: Remote) -> dict[str, str]:
    """The user's way to the remote, and nobody who could be asked for a password."""
    env = git.environment()
    for name in ("GIT_ALLOW_PROTOCOL", "GIT_NO_LAZY_FETCH"):
        del env[name]
    env.update({k: v for k, v in os.environ.items() if k in _USERS or k.startswith(_USERS_BEGIN)})
    allowed = os.environ.get("GIT_ALLOW_PROTOCOL")
    if allowed is not None:
        env["GIT_ALLOW_PROTOCOL"] = ":".join(each for each in allowed.split(":") if each not in _PROGRAMS)
    env.update(GIT_ASKPASS="false", SSH_ASKPASS="false", SSH_ASKPASS_REQUIRE="force", GCM_INTERACTIVE="never")
    if not remote.has_ssh_command and "GIT_SSH_COMMAND" not in env and "GIT_SSH" not in env:
        env["GIT_SSH_COMMAND"] = _QUIET_SSH
    # By the environment and not by -c, which cannot name a remote that has an equals sign in its name.
    given = env.get("GIT_CONFIG_COUNT", "")
    count = int(given) if given.isascii() and given.isdigit() else 0
    env[f"GIT_CONFIG_KEY_{count}"], env[f"GIT_CONFIG_VALUE_{count}"] = f"remote.{remote.name}.mirror", "false"
    env["GIT_CONFIG_COUNT"] = str(count + 1)
    return env
