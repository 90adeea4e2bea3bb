"""Where a repository lies: its work tree, its Git directory, the directory that worktrees share.

Refuses to read knowledge.
"""

from pathlib import Path

from gitmem.errors import GitmemError
from gitmem.record import record
from gitmem.store import git

FOLDER = ".gitmem"
PROPOSALS = "refs/gitmem/proposals"
_REV_PARSE = ("rev-parse", "--path-format=absolute")
_ALWAYS = ("--is-bare-repository", "--absolute-git-dir", "--git-common-dir", "--show-object-format")
_IN_WORK_TREE = ("--show-prefix", "--show-toplevel")


@record
class Repo:
    """A repository as seen from one folder.

    ``root`` is None in a bare repository; ``prefix`` is POSIX, '' or ends in '/'.
    """

    root: Path | None
    git_dir: Path
    common_dir: Path
    object_format: str
    prefix: str = ""

    @property
    def where(self) -> Path:
        """The folder in which Git commands run."""
        return self.root or self.git_dir

    @property
    def private_dir(self) -> Path:
        """Locks, keys and the journal spool, shared by the worktrees."""
        return self.common_dir / "gitmem"

    @property
    def knowledge_dir(self) -> Path:
        if self.root is None:
            raise GitmemError(
                "a bare repository has no files to write",
                hint="work in a clone, or in a worktree made with: git worktree add",
                place=str(self.git_dir),
                code="no-work-tree",
            )
        return self.root / FOLDER


class NotARepositoryError(GitmemError):
    code = "not-a-repository"


def discover(start: Path) -> Repo:
    """The repository that ``start`` lies in, as Git itself finds it."""
    try:
        is_folder = start.is_dir()
    except OSError as err:
        raise NotARepositoryError(f"cannot look into the folder: {err.strerror}", place=str(start)) from err
    if not is_folder:
        raise NotARepositoryError("no such folder", place=str(start), hint="give a folder inside a Git repository")
    done = git.attempt(start, (*_REV_PARSE, *_ALWAYS, *_IN_WORK_TREE))
    lines = done.lines()
    if len(lines) < len(_ALWAYS):
        raise _refusal(start, done.err)
    if len(lines) > len(_ALWAYS) + len(_IN_WORK_TREE):
        lines = _one_by_one(start)
    bare, git_dir, common_dir, object_format = lines[:4]
    has_tree = done.code == 0 and len(lines) >= 6 and bare == "false"
    return Repo(
        root=Path(lines[5]) if has_tree else None,
        git_dir=Path(git_dir),
        common_dir=Path(common_dir),
        object_format=object_format,
        prefix=lines[4] if has_tree else "",
    )


def _one_by_one(start: Path) -> list[str]:
    """The same answers where a path holds line breaks."""
    found = (git.attempt(start, (*_REV_PARSE, option)) for option in (*_ALWAYS, *_IN_WORK_TREE))
    return [done.out.decode("utf-8", "surrogateescape").removesuffix("\n") for done in found if not done.code]


def _refusal(start: Path, said: str) -> GitmemError:
    if "dubious ownership" in said:
        return NotARepositoryError(
            "the repository belongs to another user, so Git does not open it",
            hint=f"if you trust it: {_advice(said) or f'git config --global --add safe.directory {start}'}",
            place=str(start),
            code="foreign-owner",
        )
    if "not a git repository" in said:
        return NotARepositoryError("not inside a Git repository", hint="run: git init", place=str(start))
    first = next((line for line in said.splitlines() if line.strip()), "git rev-parse failed")
    return NotARepositoryError(first.removeprefix("fatal: "), hint="git status there says more", place=str(start))


def _advice(said: str) -> str:
    """Git's own command, which names the folder as it must be written."""
    return next((line.strip() for line in said.splitlines() if "--add safe.directory" in line), "")
