"""The time that a hook of an agent host may take: after that the process ends as if nothing had been asked.

Refuses to be on in a process that does anything else.
"""

import os
import threading

# The host waits for us with every prompt.
USUAL_S = 0.9
# A person has asked for something to land; whatever is cut off then is finished or taken back by the next landing.
LANDING_S = 10.0

_RUNNING: list[threading.Timer] = []


def arm() -> None:
    _begin(USUAL_S)


def extend() -> None:
    """More time, in a process that is limited."""
    if _RUNNING:
        _RUNNING.pop().cancel()
        _begin(LANDING_S)


def _begin(seconds: float) -> None:
    timer = threading.Timer(seconds, os._exit, (0,))
    timer.daemon = True
    timer.start()
    _RUNNING.append(timer)
