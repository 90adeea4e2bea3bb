"""A process that reads source files: bytes in, facts and terms out. Refuses to know paths, Git or caches.

Started as ``python -m gitmem.code.worker``. A request is a head with the number of the language and the size, and the
bytes; a reply two sizes, the facts and the terms. It ends with its input, or when nobody asks for a while.
"""

import gc
import io
import select
import struct
import sys
from typing import BinaryIO

from gitmem.code import extract, rows, terms
from gitmem.code.languages import ROWS

if sys.platform != "win32":
    import resource

ASKED = struct.Struct(">II")
ANSWERED = struct.Struct(">II")
_IDLE_SECONDS = 120
_FILES_A_SWEEP = 300
_MOST_BYTES = 3 << 30


def main() -> None:
    _limit()
    # Each node is an object; a sweep over all of them now and then costs more than the reading.
    gc.disable()
    source = io.FileIO(sys.stdin.fileno(), closefd=False)
    count = 0
    while head := _head(source):
        number, size = ASKED.unpack(head)
        _answer(sys.stdout.buffer, number, _whole(source, size))
        count += 1
        if count % _FILES_A_SWEEP == 0:
            gc.collect()


def _answer(answer: BinaryIO, number: int, content: bytes) -> None:
    found = extract.facts_in(ROWS[number], content)
    facts, words = rows.encode(found), terms.encode(content, found)
    answer.write(ANSWERED.pack(len(facts), len(words)))
    answer.write(facts)
    answer.write(words)
    answer.flush()


def _head(source: io.FileIO) -> bytes:
    """The head of the next request, b'' when there is no other, or none for a while."""
    if sys.platform != "win32" and not select.select([source], [], [], _IDLE_SECONDS)[0]:
        return b""
    return _whole(source, ASKED.size)


def _whole(source: io.FileIO, size: int) -> bytes:
    """As many bytes, b'' when the input ends before."""
    parts, left = [], size
    while left:
        part = source.read(left)
        if not part:
            return b""
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def _limit() -> None:
    """Text that makes a parser eat memory ends this process and no other."""
    if sys.platform != "win32":
        resource.setrlimit(resource.RLIMIT_AS, (_MOST_BYTES, _MOST_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main()
