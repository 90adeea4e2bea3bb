"""Plays terminal sessions: each line after ``$`` is run, what follows it is what it printed. Refuses to judge them.

python -m tests.cli.play      stores what every session prints now; look at the difference before you commit
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from tests import sandbox
from tests.support import FIXED_DATE, run_inproc

FOLDER = Path(__file__).parent / "transcripts"
SESSIONS = sorted(FOLDER.glob("*.txt"))
SHELL = frozenset("|<>&;$`*(")
ULID = re.compile(r"\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b", re.IGNORECASE)
HEX = re.compile(r"\b([0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{16}|[0-9a-f]{12}|[0-9a-f]{10})\b")
VERSION = re.compile("(v[0-9]+\u00b7)[0-9a-f]{6}")
TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z")


def played(session: str, root: Path) -> str:
    """The session as it prints now: comments and commands as they are, output with ids, times and places replaced."""
    ids: dict[str, str] = {}
    lines = []
    for line in session.splitlines():
        if line.startswith("$ "):
            lines += [line, *_printed(line[2:], root, ids)]
        elif line.startswith("#"):
            lines += [line, ""]
    return "\n".join(lines).rstrip() + "\n"


def _printed(command: str, root: Path, ids: dict[str, str]) -> list[str]:
    code, said = _run(_with_ids(command, ids), root)
    text = said.replace(str(root), "/repo")
    for found in ULID.findall(text):
        ids.setdefault(found.upper(), f"<id {len(ids) + 1}>")
    text = ULID.sub(lambda match: ids[match[0].upper()], text)
    text = TIME.sub("<time>", VERSION.sub(r"\1<version>", HEX.sub("<hex>", text)))
    # A line that begins like a comment or a command of the session, or has nothing in it, is set apart.
    shown = [f"  {line}".rstrip() or "  ." for line in text.rstrip().splitlines()]
    return [*shown, *([f"  [exit {code}]"] if code else []), ""]


def _with_ids(command: str, ids: dict[str, str]) -> str:
    for id_, name in ids.items():
        command = command.replace(name, id_)
    return command


def _run(command: str, root: Path) -> tuple[int, str]:
    if command.startswith("gitmem ") and not SHELL.intersection(command):
        done = run_inproc(root, *shlex.split(command)[1:])
        return done.code, done.out + done.err
    program = root.parent / "bin/gitmem"
    program.parent.mkdir(exist_ok=True)
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -P -m gitmem "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    dates = {"GIT_AUTHOR_DATE": FIXED_DATE, "GIT_COMMITTER_DATE": FIXED_DATE}
    env = {**os.environ, **dates, "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["sh", "-c", command], cwd=root, env=env, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def main() -> None:
    for path in SESSIONS:
        with tempfile.TemporaryDirectory() as folder:
            home, root = Path(folder) / "home", Path(folder) / "repo"
            home.mkdir()
            root.mkdir()
            (home / ".gitconfig").write_text(sandbox.GIT_CONFIG, encoding="utf-8")
            os.environ.update(sandbox.environment(home))
            path.write_text(played(path.read_text(encoding="utf-8"), root), encoding="utf-8")


if __name__ == "__main__":
    main()
