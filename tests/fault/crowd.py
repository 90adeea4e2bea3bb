"""Several processes that do something at once. Refuses to judge what comes of it."""

import os
import traceback
import warnings
from collections.abc import Callable, Iterable


def together(actions: Iterable[Callable[[], object]]) -> None:
    """Runs each action in a forked process of its own, and fails when one of them does."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        children = [_start(action) for action in actions]
    failed = [child for child in children if os.waitpid(child, 0)[1]]
    assert not failed, "see the captured stderr"


def _start(action: Callable[[], object]) -> int:
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        action()
        code = 0
    except Exception:  # noqa: BLE001  the edge of this process
        traceback.print_exc()
    finally:
        os._exit(code)
