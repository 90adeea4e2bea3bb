"""Clones of one repository that differ in everything that must not matter. Refuses to compare anything."""

import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.asking import rule
from tests.support import commit_all, engram_id, git, write_tree

LONG = "\u00dcberpr\u00fcfung der Eingaben \u2014 \u691c\u67fb \U0001f9ea e\u0301\n" * 40
FILES: Mapping[str, str | bytes] = {
    ".gitmem/config.yaml": "format: 1\nmax_inline_bytes: 3000\n",
    ".gitmem/layers.yaml": "src/**: core\nsrc/ui/**: ui\n",
    ".gitmem/tags.yaml": "auth: who may do what\nretry: how often\n",
    ".gitmem/ledger/2026/01-02/01J6XQK5P7R2V8Y3M4N6000001.yaml": "id: 1\n",
    ".gitmem/engrams/broken.md": "---\ntitle: [\n---\nbody\n",
    ".gitmem/engrams/twin-a.md": rule("twin-a", 40, "src/**", domain="")[".gitmem/engrams/twin-a.md"],
    ".gitmem/engrams/twin-b.md": rule("twin-b", 40, "src/**", domain="")[".gitmem/engrams/twin-b.md"],
    ".gitmem/engrams/api/crlf.md": rule("crlf", 41, "src/**", body="One.\nTwo.\n")[".gitmem/engrams/api/crlf.md"]
    .replace("\n", "\r\n")
    .encode(),
    **rule("exact", 1, "src/ui/form.ts", body=LONG, tags=["retry"]),
    **rule("for-ui", 2, scope={"layers": ["ui"], "except": ["src/ui/gen/**"]}, requires=["helper", "a-circle"]),
    **rule("helper", 3, domain="http", body=LONG * 3),
    **rule("a-circle", 4, requires=["b-circle", "nobody"]),
    **rule("b-circle", 5, requires=[engram_id(4)]),
    **rule("tagged", 6, tags=["auth", "retry"], priority=-2),
    **rule("layout", 7, "src/**", kind="template", body="class X: ...\n"),
    **rule("dated", 8, "src/**", valid={"from": "2026-01-01", "until": "2026-12-31"}),
    **{
        rel: text
        for n in range(10, 30)
        for rel, text in rule(f"r{n}", n, "src/**", domain=f"d{n % 3}", priority=n % 4).items()
    },
    "src/ui/form.ts": "export {}\n",
}


def origin_at(root: Path) -> Path:
    root.mkdir()
    git(root, "init", "--quiet", "--initial-branch=main")
    write_tree(root, FILES)
    (root / ".gitmem/engrams/link.md").symlink_to("api/crlf.md")
    commit_all(root, "first", date="2026-01-02T03:04:05+09:00")
    write_tree(root, rule("late", 31, "src/**"))
    commit_all(root, "second", date="1999-01-02T03:04:05Z")
    return root


def _clone(origin: Path, where: Path, *words: str) -> Path:
    git(origin.parent, "clone", "--quiet", *words, f"file://{origin}", str(where))
    return where


def _packed(origin: Path, where: Path) -> Path:
    git(_clone(origin, where), "gc", "--quiet", "--aggressive", "--prune=all")
    return where


def _loose(origin: Path, where: Path) -> Path:
    _clone(origin, where)
    (pack,) = where.glob(".git/objects/pack/*.pack")
    moved = where.parent / "moved.pack"
    pack.rename(moved)
    for path in where.glob(".git/objects/pack/*"):
        path.unlink()
    git(where, "unpack-objects", "-q", stdin=moved.read_bytes())
    moved.unlink()
    return where


def _worktree(origin: Path, where: Path) -> Path:
    git(origin, "worktree", "add", "--quiet", "--detach", str(where), "main")
    return where


def _sparse(origin: Path, where: Path) -> Path:
    git(_clone(origin, where), "sparse-checkout", "set", "--cone", "src")
    assert not (where / ".gitmem/engrams").exists()
    return where


def _sha256(origin: Path, where: Path) -> Path:
    """The same commits in a repository of the other object format."""
    where.mkdir()
    git(where, "init", "--quiet", "--initial-branch=main", "--object-format=sha256")
    exported = subprocess.run(["git", "fast-export", "--all"], cwd=origin, capture_output=True, check=True).stdout
    git(where, "fast-import", "--quiet", stdin=exported)
    git(where, "reset", "--quiet", "--hard")
    return where


KINDS: Mapping[str, Callable[[Path, Path], Path]] = {
    "full": lambda origin, where: _clone(origin, where),
    "shallow": lambda origin, where: _clone(origin, where, "--depth=1"),
    "crlf": lambda origin, where: _clone(origin, where, "--config", "core.autocrlf=true"),
    "lf": lambda origin, where: _clone(origin, where, "--config", "core.autocrlf=input"),
    "bare": lambda origin, where: _clone(origin, where, "--bare"),
    "packed": _packed,
    "loose": _loose,
    "worktree": _worktree,
    "sparse": _sparse,
    "sha256": _sha256,
}
SURROUNDINGS: tuple[Mapping[str, str], ...] = (
    {"PYTHONHASHSEED": "0", "LC_ALL": "C", "TZ": "UTC"},
    {"PYTHONHASHSEED": "1", "LC_ALL": "C.UTF-8", "TZ": "Asia/Kathmandu"},
    {"PYTHONHASHSEED": "42", "LC_ALL": "C", "TZ": "America/St_Johns", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    {"PYTHONHASHSEED": "random", "LC_ALL": "tr_TR.UTF-8", "LANGUAGE": "tr", "TZ": "Pacific/Chatham"},
    {"PYTHONHASHSEED": "7", "LC_ALL": "zh_CN.GBK", "PYTHONIOENCODING": "gbk", "TZ": "America/New_York"},
    {"PYTHONHASHSEED": "99", "LANG": "de_DE@euro", "LC_ALL": "", "TZ": "Europe/Berlin", "PYTHONOPTIMIZE": "1"},
    {"PYTHONHASHSEED": "1000", "LC_ALL": "POSIX", "TZ": "Africa/Monrovia", "COLUMNS": "20"},
    {"PYTHONHASHSEED": "4294967295", "LC_ALL": "C", "TZ": "Antarctica/Troll", "PYTHONDEVMODE": "0"},
    {"PYTHONHASHSEED": "random", "LC_ALL": "C.UTF-8", "TZ": "Asia/Tokyo", "GIT_PAGER": "cat", "NO_COLOR": ""},
    {"PYTHONHASHSEED": "random", "LC_ALL": "C", "TZ": ":invalid", "PYTHONIOENCODING": "latin-1"},
)
