"""Worker processes that read source files, so that no file takes this process down. Refuses to read any here."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from queue import SimpleQueue
from threading import Lock, Thread

from gitmem.code import rows, terms
from gitmem.code.languages import ROWS
from gitmem.code.packs import Row
from gitmem.code.worker import ANSWERED, ASKED
from gitmem.errors import GitmemError
from gitmem.model.code import Facts
from gitmem.record import field, record, state

CRASHED = "its parser ended or did not come to an end"
_NUMBERS = {row.name: number for number, row in enumerate(ROWS)}
# The parser stops itself before; a query over a tree that is all errors does not.
_FILE_SECONDS = 20.0
# Below this a second process costs more than it saves.
_FILES_A_WORKER = 40
_WORKERS_MOST = 8
_READ_BYTES = 1 << 18


@record
class Asked:
    """A blob to be read in the language with this name."""

    key: bytes
    language: str
    content: bytes


class EndedError(Exception):
    """The process behind a worker is gone, or says nothing."""


@state
class Worker:
    """One process, started when it is first asked."""

    process: subprocess.Popen[bytes] | None = None
    held: bytes = b""

    def started(self) -> subprocess.Popen[bytes]:
        if self.process is None or self.process.poll() is not None:
            self.stop()
            # -P: a repository in the current folder may hold a package that is called gitmem.
            command = [sys.executable, "-P", "-m", "gitmem.code.worker"]
            pipe = subprocess.PIPE
            self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, bufsize=0)
        return self.process

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
        self.process, self.held = None, b""

    def __del__(self) -> None:
        self.stop()

    def reply(self) -> Row:
        facts, terms = ANSWERED.unpack(self._take(ANSWERED.size))
        return Row(self._take(facts), self._take(terms))

    def _take(self, size: int) -> bytes:
        parts, left = [self.held], size - len(self.held)
        while left > 0:
            part = self._more()
            parts.append(part)
            left -= len(part)
        data = b"".join(parts)
        self.held = data[size:]
        return data[:size]

    def _more(self) -> bytes:
        pipe = self.process.stdout if self.process else None
        if pipe is None:
            raise EndedError
        if sys.platform != "win32" and not select.select([pipe], [], [], _FILE_SECONDS)[0]:
            raise EndedError
        part = os.read(pipe.fileno(), _READ_BYTES)
        if not part:
            raise EndedError
        return part


@state
class Workers:
    """As many processes as there are cores, kept for the next time; ``close`` ends them."""

    workers: list[Worker] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)

    def read(self, asked: Sequence[Asked]) -> dict[bytes, Row]:
        """Facts and terms of each, by key; a file that ends its reader has the reason in its facts."""
        if not asked:
            return {}
        # The largest first, so that no process is left alone with one at the end.
        queue = deque(sorted(asked, key=lambda one: (-len(one.content), one.key)))
        with self.lock:
            count = max(1, min(os.cpu_count() or 1, _WORKERS_MOST, len(asked) // _FILES_A_WORKER))
            while len(self.workers) < count:
                self.workers.append(Worker())
            with ThreadPoolExecutor(count) as pool:
                parts = pool.map(lambda worker: list(_served(worker, queue)), self.workers[:count])
                return {key: row for part in parts for key, row in part}

    def close(self) -> None:
        for worker in self.workers:
            worker.stop()
        self.workers.clear()


def _served(worker: Worker, queue: deque[Asked]) -> Iterator[tuple[bytes, Row]]:
    """Takes from the queue until it is empty; a file that ends the process is told, the others get a new one."""
    while queue:
        process, sent = worker.started(), SimpleQueue[Asked | None]()
        feeder = Thread(target=_feed, args=(process, queue, sent), daemon=True)
        feeder.start()
        while (one := sent.get()) is not None:
            try:
                row = worker.reply()
            except EndedError:
                worker.stop()
                feeder.join()
                _probe(worker)
                yield one.key, _failed(one)
                queue.extendleft(left for left in iter(sent.get, None))
                break
            yield one.key, row
        feeder.join()


def _probe(worker: Worker) -> None:
    """Whether a reader that ended was ended by its file: another one has to read a text of nothing."""
    try:
        _write(worker.started(), ASKED.pack(_NUMBERS["python"], 0))
        worker.reply()
    except (EndedError, OSError):
        worker.stop()
        raise GitmemError(
            "the process that reads source files does not start",
            hint=f"see what this says: {sys.executable} -P -m gitmem.code.worker < {os.devnull}",
            code="no-reader",
        ) from None


def _feed(process: subprocess.Popen[bytes], queue: deque[Asked], sent: SimpleQueue[Asked | None]) -> None:
    """Writes as far ahead as the pipe takes it; the last word is None."""
    with suppress(IndexError, OSError, ValueError):
        while True:
            one = queue.popleft()
            sent.put(one)
            _write(process, ASKED.pack(_NUMBERS[one.language], len(one.content)) + one.content)
    sent.put(None)


def _write(process: subprocess.Popen[bytes], data: bytes) -> None:
    view = memoryview(data)
    while view and process.stdin is not None:
        view = view[process.stdin.write(view) or 0 :]


def _failed(one: Asked) -> Row:
    return Row(rows.encode(Facts(one.language, skipped=CRASHED)), terms.packed({}))
