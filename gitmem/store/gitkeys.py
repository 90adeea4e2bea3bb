"""The one door to ``ssh-keygen``, and to Git where it signs. Refuses to ask anybody: no terminal, no dialog, no wait.

``ssh-keygen`` is looked for where the system looks for programs; no configuration of a repository names it here.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from gitmem.errors import GitmemError
from gitmem.store.git import Call, Finished, GitError, environment

_VERIFY_SECONDS = 60
_SIGN_SECONDS = 30
_NO_WINDOW = 0x08000000 if sys.platform == "win32" else 0
# By these a signing program finds somebody to ask.
_ASKERS = ("GPG_TTY", "SSH_ASKPASS", "DISPLAY", "WAYLAND_DISPLAY")


class CannotVerifyError(GitmemError):
    """Nothing is known of a signature: what would check it is missing or was stopped."""

    code = "cannot-verify"


def keygen(where: Path, args: Sequence[str], stdin: bytes) -> Finished:
    """Runs ``ssh-keygen`` in ``where``; a non-zero exit is a value here."""
    try:
        done = subprocess.run(
            ["ssh-keygen", *args],
            cwd=where,
            input=stdin,
            capture_output=True,
            env=environment(),
            timeout=_VERIFY_SECONDS,
            creationflags=_NO_WINDOW,
        )
    except (OSError, subprocess.TimeoutExpired) as err:
        raise CannotVerifyError(
            "signatures cannot be checked: ssh-keygen was not found or does not run",
            hint="install OpenSSH 8.9 or newer",
        ) from err
    if done.returncode < 0:
        raise CannotVerifyError("signatures cannot be checked: ssh-keygen was stopped", hint="try again")
    return Finished(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"))


def sign(where: Path, args: Sequence[str], call: Call) -> Finished:
    """Runs a Git command that signs, with the settings of the user, away from every terminal; half a minute at most."""
    settings = [part for setting in call.settings for part in ("-c", setting)]
    env = {name: value for name, value in environment(call).items() if name not in _ASKERS}
    env |= {"SSH_ASKPASS_REQUIRE": "never"}
    try:
        process = subprocess.Popen(
            ["git", "-C", str(where), *settings, *args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=env,
            start_new_session=True,
            creationflags=_NO_WINDOW,
        )
    except OSError as err:
        raise GitError("the git program was not found", hint="install Git 2.34 or newer") from err
    with process:
        try:
            out, said = process.communicate(call.stdin or b"", _SIGN_SECONDS)
        except subprocess.TimeoutExpired as err:
            _end(process)
            raise GitmemError(
                f"the commit could not be signed: the signing program did not end within {_SIGN_SECONDS} seconds",
                hint="it may be asking for a passphrase; give the key to an agent first: ssh-add",
                code="cannot-sign",
            ) from err
    return Finished(process.returncode, out, said.decode("utf-8", "replace"))


def _end(process: subprocess.Popen[bytes]) -> None:
    """The whole group: what Git started holds the pipes open."""
    with suppress(ProcessLookupError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
