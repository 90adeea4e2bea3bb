"""Hears which programs this process starts and which sockets it opens. Knows nothing of gitmem.

An audit hook cannot be removed from a process; this one rests until a test listens.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

OTHERS = ("socket.", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "urllib.")


class Ear:
    """``started`` are the words and the environment of each child, ``others`` what nobody should do."""

    def __init__(self) -> None:
        self.is_on = False
        self.started: list[tuple[list[str], dict[str, str]]] = []
        self.others: list[str] = []

    def hear(self, event: str, args: tuple[object, ...]) -> None:
        if not self.is_on:
            return
        if event == "subprocess.Popen":
            _, words, _, env = args
            assert isinstance(words, list)
            assert isinstance(env, dict)
            self.started.append((words, env))
        elif event.startswith(OTHERS):
            self.others.append(event)


EAR = Ear()
sys.addaudithook(EAR.hear)


@contextmanager
def listening() -> Iterator[Ear]:
    EAR.started, EAR.others, EAR.is_on = [], [], True
    try:
        yield EAR
    finally:
        EAR.is_on = False
