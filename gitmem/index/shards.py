"""Rows of bytes by key, spread over parts so that one is found without the others. Refuses to know what they mean."""

import zlib
from collections.abc import Iterator, Mapping

_KEYS_A_SHARD = 256
_ODD = str.maketrans("\n\t\r", "   ")


def parts_of(rows: Mapping[str, bytes]) -> list[bytes]:
    """At least one part; a table of lines ``key TAB offset SPACE size``, an empty line, then the rows."""
    count = max(1, len(rows) // _KEYS_A_SHARD)
    shards: list[list[str]] = [[] for _ in range(count)]
    for key in rows:
        shards[number_of(key, count)].append(key)
    return [_part(sorted(keys), rows) for keys in shards]


def _part(keys: list[str], rows: Mapping[str, bytes]) -> bytes:
    lines, at = [], 0
    for key in keys:
        lines.append(_written(key) + b"\t%d %d\n" % (at, len(rows[key])))
        at += len(rows[key])
    return b"".join((b"\n", *lines, b"\n", *(rows[key] for key in keys)))


def number_of(key: str, count: int) -> int:
    return zlib.crc32(_written(key)) % count


def find(part: bytes, key: str) -> bytes:
    """The row, b'' for none."""
    end = part.find(b"\n\n")
    mark = b"\n" + _written(key) + b"\t"
    at = part.find(mark, 0, end + 1)
    if at < 0:
        return b""
    first = at + len(mark)
    offset, size = part[first : part.index(b"\n", first)].split(b" ")
    start = end + 2 + int(offset)
    return part[start : start + int(size)]


def keys(part: bytes) -> Iterator[str]:
    for line in part[1 : part.find(b"\n\n")].split(b"\n"):
        if line:
            yield line.partition(b"\t")[0].decode("utf-8", "surrogatepass")


def _written(key: str) -> bytes:
    return key.translate(_ODD).encode("utf-8", "surrogatepass")
