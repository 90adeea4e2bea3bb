"""Puts gitmem's blocks into Git's hooks, takes them out, says what is there. Refuses to replace anybody's hook."""

from pathlib import Path

from gitmem.answers.session import Session, decides
from gitmem.answers.start import merge_driver
from gitmem.errors import GitmemError, UsageError
from gitmem.hooks import blocks, managers
from gitmem.hooks.scripts import SCRIPTS
from gitmem.model.finding import Notice
from gitmem.model.hooks import Hook, Hooks
from gitmem.record import record
from gitmem.store import disk, git, gitconfig, gitdriver
from gitmem.store.repo import Repo, discover

ACTIONS = ("list", "install", "uninstall")
_NEW_MODE = 0o755
_ANY_EXECUTE = 0o111


@record
class HooksCall:
    action: str = "list"
    without_driver: bool = False


def hooks(session: Session, call: HooksCall) -> Hooks:
    if call.action not in ACTIONS:
        raise UsageError(f"unknown action {call.action!r}", hint=f"one of: {', '.join(ACTIONS)}")
    if call.action != "list":
        decides(session)
    repo = discover(session.start)
    folder = folder_of(repo)
    present = managers.present(repo.root, folder)
    written: list[str] = []
    warnings: list[Notice] = []
    configured: tuple[str, ...] = ()
    unset: tuple[str, ...] = ()
    if call.action == "install":
        warnings += _install(folder, written)
        configured, trouble = ((), ()) if call.without_driver else merge_driver(repo)
        warnings += trouble
    elif call.action == "uninstall":
        _uninstall(folder, written)
        unset = gitdriver.uninstall(repo, gitconfig.read_config(repo))
    found = tuple(Hook(name, str(folder / name), _state(folder / name, script)) for name, script in SCRIPTS.items())
    return Hooks(str(folder), found, present, tuple(written), tuple(warnings), configured, unset)


def folder_of(repo: Repo) -> Path:
    """Where Git looks for hooks: ``core.hooksPath`` with its ``~`` expanded by Git, else the common folder.

    What ``git rev-parse --git-path hooks`` says, which cannot be asked: gitmem runs Git with its hooks switched off.
    """
    args = ("config", "--type=path", "--show-scope", "--get-all", "-z", "core.hooksPath")
    fields = git.attempt(repo.where, args).out.decode("utf-8", "surrogateescape").split("\0")
    values = [value for scope, value in zip(fields[::2], fields[1::2], strict=False) if scope != "command" and value]
    return repo.where / values[-1] if values else repo.common_dir / "hooks"


def _install(folder: Path, written: list[str]) -> list[Notice]:
    owner = managers.owner_of_folder(folder)
    if owner:
        message = f"{folder} is written anew by {owner}, so nothing was put there"
        return [Notice("hook-manager", message, str(folder), managers.present(None, folder)[0].advice)]
    with disk.naming(folder):
        folder.mkdir(parents=True, exist_ok=True)
    warnings = []
    for name, script in SCRIPTS.items():
        path = folder / name
        before = _content(path)
        refusal = _refusal(path, before)
        if refusal is not None:
            warnings.append(refusal)
        elif blocks.with_block(before, script) != before:
            _put(path, blocks.with_block(before, script))
            written.append(str(path))
        if refusal is None and path.stat().st_mode & _ANY_EXECUTE == 0:
            hint = f"it was so before; if it is meant to run: chmod +x {path.name}"
            warnings.append(Notice("hook-not-executable", "Git does not run it: it is not executable", str(path), hint))
    return warnings


def _refusal(path: Path, content: bytes | None) -> Notice | None:
    """Why a hook is left alone; nobody's file is moved, wrapped or replaced."""
    if path.is_symlink():
        return Notice("hook-is-link", "a link is left alone", str(path), "call from it: gitmem check --staged")
    if content is None:
        return None
    owner = managers.owner_of(content)
    if owner:
        return Notice("hook-manager", f"{owner} wrote this hook and would replace it", str(path), "see managers")
    if not blocks.is_shell(content):
        hint = "call from it: gitmem check --staged, and stop on exit code 1"
        return Notice("hook-not-shell", "the hook is no shell script and is left alone", str(path), hint)
    return None


def _uninstall(folder: Path, written: list[str]) -> None:
    for name in SCRIPTS:
        path = folder / name
        before = None if path.is_symlink() else _content(path)
        if before is None or not blocks.holds_block(before):
            continue
        after = blocks.without_block(before)
        if after is None:
            path.unlink()
        else:
            _put(path, after)
        written.append(str(path))


def _state(path: Path, script: str) -> str:
    content = _content(path)
    if content is None:
        return "absent"
    if not blocks.holds_block(content):
        return "other"
    return "installed" if blocks.is_current(content, script) else "outdated"


def _content(path: Path) -> bytes | None:
    with disk.naming(path):
        try:
            return path.read_bytes()
        except FileNotFoundError:
            return None


def _put(path: Path, content: bytes) -> None:
    """Whole or not at all; an existing file keeps its mode."""
    with disk.naming(path):
        mode = path.stat().st_mode & 0o7777 if path.exists() else _NEW_MODE
        if path.is_dir():
            raise GitmemError("a folder stands where a hook belongs", place=str(path), code="not-a-file")
        disk.put(path, content, mode)
        path.chmod(mode)
