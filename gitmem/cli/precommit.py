"""What the pre-commit framework says in its environment, as a command line. Refuses to stop Git for faults of ours."""

import contextlib
import io
import os
import sys

from gitmem.cli import output
from gitmem.cli.main import HOOK, run

_FOUND = 1


def main() -> int:
    """Exit code 1 for findings; whatever else goes wrong is said, and Git goes on."""
    os.environ[HOOK] = "1"
    if sys.argv[1:] == ["report"]:
        return report()
    if sys.argv[1:] == ["verify"]:
        return _ended(run(words_to_verify()), "verify the change")
    return _ended(run(words()), "check .gitmem")


def _ended(code: int, what: str) -> int:
    if code in (0, _FOUND):
        return code
    output.talk(f"gitmem could not {what} (exit code {code}); going on without")
    return 0


def report() -> int:
    """After the fact: says what is amiss, nothing when nothing is, and stops nothing."""
    is_whole = "PRE_COMMIT_IS_SQUASH_MERGE" in os.environ or "PRE_COMMIT_REWRITE_COMMAND" in os.environ
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        code = run(["check", "--range", f"{'ORIG_HEAD' if is_whole else 'HEAD^'}..HEAD", "--strict"])
    if code:
        output.talk(said.getvalue().rstrip("\n"))
    return 0


def words() -> list[str]:
    """Before a push what is pushed, else what is staged; a push to where nothing is yet is judged as a whole."""
    old, new = os.environ.get("PRE_COMMIT_FROM_REF", ""), os.environ.get("PRE_COMMIT_TO_REF", "")
    if old and new:
        return ["check", "--range", f"{old}..{new}"]
    return ["check"] if "PRE_COMMIT_REMOTE_NAME" in os.environ else ["check", "--staged"]


def words_to_verify() -> list[str]:
    """Of a range what it adds since the two sides parted, else what is staged, which before a push is nothing."""
    old, new = os.environ.get("PRE_COMMIT_FROM_REF", ""), os.environ.get("PRE_COMMIT_TO_REF", "")
    if old and new:
        return ["verify", "--range", f"{old}...{new}"]
    return ["verify", "--staged"]


if __name__ == "__main__":
    raise SystemExit(main())
