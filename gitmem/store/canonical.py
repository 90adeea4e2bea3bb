"""Canonical bytes, and the body in them: what hashes and deliveries are made of. Refuses to judge what it reads."""

BOM = b"\xef\xbb\xbf"


def canonical(data: bytes) -> bytes:
    """UTF-8 without mark, LF for CRLF, exactly one LF at the end; a file of nothing but line ends is empty.

    Of several CR before a LF none is left: the canonical bytes of canonical bytes are the same.
    """
    bare = data.removeprefix(BOM)
    if b"\r" in bare:
        bare = b"\n".join(line.rstrip(b"\r") for line in bare.split(b"\n"))
    if not bare.endswith(b"\n") or bare.endswith(b"\n\n") or bare == b"\n":
        bare = bare.rstrip(b"\n")
        return bare + b"\n" if bare else b""
    return bare


def body_of(data: bytes) -> str:
    """The body of a file that was read as an engram before: what follows the second fence."""
    text = canonical(data).decode("utf-8", "replace")
    closing = text.find("\n---\n", 3)
    return text[closing + 5 :] if text.startswith("---\n") and closing >= 0 else text
