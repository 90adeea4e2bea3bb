"""Prepares a repository for knowledge: writes the folder, commits nothing. Refuses a folder that is somebody else's."""

import json
import re
from pathlib import Path

from gitmem import config
from gitmem.answers.reading import check_ours
from gitmem.answers.session import Session, decides
from gitmem.config import TRUST_SIGNED
from gitmem.model.finding import Notice
from gitmem.record import record
from gitmem.store import codec, files, git, gitconfig, gitdriver, objects, ownkey, trust
from gitmem.store.layout import CONFIG
from gitmem.store.repo import FOLDER, NotARepositoryError, Repo, discover

# The ignore file of the cache folder comes first, so that nothing in it can ever be added by accident.
_CACHE_IGNORE = f"{FOLDER}/cache/.gitignore"
_IGNORE = """cache/
.gitmem-tmp-*
*~
*.swp
.#*
"""
_LAYERS = """# pattern: layer name; the most specific pattern wins
# src/ui/**: ui
"""
_TAGS = """# The closed catalogue of intent tags that compile can expand:
# auth: who may do what
"""


@record
class InitCall:
    standalone: bool = False
    trust: str = ""
    without_driver: bool = False


@record
class Started:
    """``written`` are repo-relative paths that were not there before, ``configured`` settings of this clone."""

    root: str
    trust: str
    written: tuple[str, ...]
    warnings: tuple[Notice, ...]
    configured: tuple[str, ...] = ()


def init(session: Session, call: InitCall) -> Started:
    decides(session)
    if call.trust:
        trust.check_policy(call.trust)
    repo = _repository(session, call)
    root = repo.knowledge_dir.parent
    check_ours(repo)
    standing = _standing_trust(root)
    policy = (call.trust if standing is None else standing) or _default_trust(repo)
    wanted = {
        _CACHE_IGNORE: "*\n",
        f"{FOLDER}/config.yaml": _config(policy),
        gitdriver.ATTRIBUTES_FILE: gitdriver.ATTRIBUTES,
        f"{FOLDER}/.gitignore": _IGNORE,
        f"{FOLDER}/layers.yaml": _LAYERS,
        f"{FOLDER}/tags.yaml": _TAGS,
    }
    # A sparse checkout may leave out what is there all the same.
    tracked = objects.look_up(repo, [f":{rel}" for rel in wanted])
    missing = [rel for rel, found in zip(wanted, tracked, strict=True) if found is None]
    written = [rel for rel in missing if _write_new(root, rel, wanted[rel])]
    configured, trouble = ((), ()) if call.without_driver else merge_driver(repo)
    shown = tuple(rel for rel in written if rel != _CACHE_IGNORE)
    ignored = _not_taken(call.trust, standing) if call.trust != policy else ()
    advice = () if ignored else _advice(repo, policy)
    return Started(str(root), policy, shown, (*ignored, *advice, *trouble), configured)


def merge_driver(repo: Repo) -> tuple[tuple[str, ...], tuple[Notice, ...]]:
    """The settings of the merge driver that were written; a clone whose settings cannot be written works without."""
    try:
        return gitdriver.install(repo, gitconfig.read_config(repo)), ()
    except git.GitError as err:
        message = f"the merge driver could not be set: {err.message}"
        return (), (Notice("merge-driver", message, str(repo.common_dir / "config"), "try again: gitmem doctor --fix"),)


def _repository(session: Session, call: InitCall) -> Repo:
    try:
        return discover(session.start)
    except NotARepositoryError as err:
        if not call.standalone or err.code != "not-a-repository":
            raise
    session.start.mkdir(parents=True, exist_ok=True)
    git.run(session.start, ("init", "--quiet", "--initial-branch=main"))
    return discover(session.start)


def _default_trust(repo: Repo) -> str:
    """With a remote: its default branch, so that what is pushed decides. Without: '' for head."""
    return trust.default_branch(repo, gitconfig.read_config(repo))


def _standing_trust(root: Path) -> str | None:
    """The policy of settings that are there already, '' where they name none; None where there are no settings."""
    data = files.read_file(root, f"{FOLDER}/{CONFIG}")
    return None if data is None else config.from_text(codec.decode_mapping(data, CONFIG)[0])[0].trust


def _not_taken(asked: str, standing: str | None) -> tuple[Notice, ...]:
    if not asked or standing is None:
        return ()
    rel = f"{FOLDER}/{CONFIG}"
    says = f"says trust: {standing}" if standing else "names none"
    message = f"{rel} is there already and {says}, so --trust {asked} was not taken"
    return (Notice("trust-kept", message, rel, f"gitmem config set trust {trust.quoted(asked)}, then commit it"),)


def _config(policy: str) -> str:
    lines = "# every key and its default: gitmem config show\nformat: 1\n"
    is_plain = re.fullmatch(r"[A-Za-z][\w./-]*", policy, re.ASCII) and policy.lower() != "null"
    return f"{lines}trust: {policy if is_plain else json.dumps(policy)}\n" if policy else lines


def _write_new(root: Path, rel: str, text: str) -> bool:
    if files.read_file(root, rel) is not None:
        return False
    files.write_file(root, rel, text.encode(), expected=None)
    return True


def _advice(repo: Repo, policy: str) -> list[Notice]:
    if policy == TRUST_SIGNED:
        message = f"nothing is served until {FOLDER}/allowed_signers names the keys that count, and each clone its root"
        line = ownkey.own_line(repo, gitconfig.read_config(repo)) or "EMAIL PUBLIC-KEY"
        steps = f"write this line for each signer: {line}; commit it; then: git config gitmem.signersRoot COMMIT"
        return [Notice("trust-signed", message, hint=steps)]
    if policy in ("", "head"):
        message = "whoever can commit here decides what is canonical, an agent with a shell too"
        return [
            Notice("trust-head", message, hint="with a remote, set trust to its main branch in .gitmem/config.yaml")
        ]
    return []
