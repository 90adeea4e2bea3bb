"""The parts of a raw commit: what was signed, the signature, who and when. Refuses to judge a signature."""

import re

from gitmem.record import record

_HEADERS = {"sha1": b"gpgsig", "sha256": b"gpgsig-sha256"}
_SSH = b"-----BEGIN SSH SIGNATURE-----"
_PERSON = re.compile(rb"(.*?) ?<([^<>\n]*)> (\d{1,12}) ([+-]\d{4})")


@record
class Person:
    """``seconds`` since 1970, ``zone`` as ``+0100``."""

    name: bytes
    email: bytes
    seconds: int
    zone: str


@record
class Signed:
    """A commit taken apart: ``payload`` is the commit without any signature, ``signature`` b'' where it has none."""

    payload: bytes
    signature: bytes

    @property
    def is_ssh(self) -> bool:
        return self.signature.startswith(_SSH)

    def values(self, header: bytes) -> list[bytes]:
        """What the header lines of that name say, in order."""
        lines = self.payload.partition(b"\n\n")[0].split(b"\n")
        return [line[len(header) + 1 :] for line in lines if line.startswith(header + b" ")]

    def person(self, header: bytes) -> Person | None:
        """The author or the committer; None where Git would not take the line either."""
        found = [_PERSON.fullmatch(value) for value in self.values(header)]
        if len(found) != 1 or found[0] is None:
            return None
        name, email, seconds, zone = found[0].groups()
        return Person(name, email, int(seconds), zone.decode())

    @property
    def message(self) -> bytes:
        return self.payload.partition(b"\n\n")[2]


def split(raw: bytes, object_format: str) -> Signed:
    """Takes out the signatures of both object formats, as Git does before it checks; only that of the repository's
    own format counts. Two of that one are none: nobody signs twice, and readers could differ on which to take.
    """
    head, gap, message = raw.partition(b"\n\n")
    kept: list[bytes] = []
    signatures: dict[bytes, list[list[bytes]]] = {name: [] for name in _HEADERS.values()}
    current: list[bytes] | None = None
    for line in head.split(b"\n"):
        name, _, value = line.partition(b" ")
        if current is not None and line.startswith(b" "):
            current.append(value)
        elif name in signatures:
            current = [value]
            signatures[name].append(current)
        else:
            current = None
            kept.append(line)
    own = signatures[_HEADERS.get(object_format, b"gpgsig")]
    signature = b"\n".join(own[0]) + b"\n" if len(own) == 1 else b""
    return Signed(b"\n".join(kept) + gap + message, signature)
