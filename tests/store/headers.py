"""Headers for tests of reading and editing: whole files in a line, and random ones whose lines have known owners."""

import random
from typing import NamedTuple

from tests.support import engram_id

ID = engram_id(7)


def file_of(*lines: str, body: str = "Body text.\n", end: str = "\n", mark: bool = False) -> bytes:
    """A file with an id, ``lines`` from line 3 on, and a body."""
    text = end.join(("---", f"id: {ID}", *lines, "---", "")) + body.replace("\n", end)
    return (b"\xef\xbb\xbf" if mark else b"") + text.encode()


class Block(NamedTuple):
    """Lines of a header and the key they belong to; comments and blank lines between keys belong to none."""

    owner: str
    text: str


WORDS = (
    "api",
    "src/ui/**",
    "a b",
    "x: y",
    "no",
    "1.10",
    "it's",
    'say "hi"',
    "#tag",
    "[x]",
    "ünï",
    "😀",
    "- dash",
    "c:",
)
COMMENTS = ("# plain", "# quote ' and \"", "# colon: here", "# - dash", "# ünï 😀")


def random_header(draw: random.Random) -> list[Block]:
    """A header that a person might have typed: styles, comments, blank lines and nesting at random."""
    blocks = [Block("id", f"id: {ID}{_beside(draw)}\n"), Block("title", _scalar(draw, "title"))]
    keys = ["summary", "context", "x-note", "größe"]
    lists = ["tags", "requires", "aliases", "x-list"]
    blocks += [Block(key, _scalar(draw, key)) for key in draw.sample(keys, draw.randint(0, 4))]
    blocks += [Block(key, _list(draw, key, "")) for key in draw.sample(lists, draw.randint(0, 4))]
    if draw.random() < 0.7:
        blocks.append(Block("scope", _scope(draw)))
    if draw.random() < 0.3:
        blocks.append(
            Block("claims", "claims:\n  - path: a.py\n    symbol: f  # beside\n  # below\n  - {path: b.py}\n")
        )
    blocks[1:] = draw.sample(blocks[1:], len(blocks) - 1)
    # Behind a block scalar, blank and indented lines would belong to it, also once what lies between is gone.
    has_block_scalar = any({"|", ">"} & set(block.text) for block in blocks)
    spaced: list[Block] = []
    for block in blocks:
        if draw.random() < 0.3:
            forms = (f"{draw.choice(COMMENTS)}\n", "\n", "  # indented\n")
            spaced.append(Block("", draw.choice(forms[:1] if has_block_scalar else forms)))
        spaced.append(block)
    if draw.random() < 0.3:
        spaced.append(Block("", "# the end\n"))
    return spaced


def word(draw: random.Random) -> str:
    return draw.choice(WORDS) + draw.choice(("", str(draw.randint(0, 99))))


def _beside(draw: random.Random) -> str:
    return draw.choice(("", "", f"   {draw.choice(COMMENTS)}"))


def _single(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _double(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _scalar(draw: random.Random, key: str) -> str:
    text = word(draw)
    forms = (
        f"{key}: plain {draw.randint(0, 9)}{_beside(draw)}\n",
        f"{key}: {_single(text)}{_beside(draw)}\n",
        f"{key}:   {_double(text)}{_beside(draw)}\n",
        f"{key}: | {draw.choice(COMMENTS)}\n  first\n    deeper --- x\n\n  # no comment\n",
        f"{key}: >-\n  folded\n  text\n",
        f"{key}: |+\n  kept\n\n",
        f"{key}: plain that\n  goes on{_beside(draw)}\n",
        f"{key}:\n  'on the next line'{_beside(draw)}\n",
        f"{key}:{_beside(draw)}\n",
        f"{key}: ~{_beside(draw)}\n",
    )
    # A title without a value is a fault of its own, but its file must be mended by an edit as well.
    return draw.choice(forms)


def _list(draw: random.Random, key: str, indent: str) -> str:
    words = [word(draw) for _ in range(draw.randint(1, 4))]
    dash = indent + draw.choice(("", "  ", "    "))
    items = "".join(
        f"{dash}- {draw.choice((_single, _double))(each)}{_beside(draw)}\n"
        + draw.choice(("", "", f"{dash}{draw.choice(COMMENTS)}\n"))
        for each in words[:-1]
    )
    quoted = [draw.choice((_single, _double))(each) for each in words]
    forms = (
        f"{indent}{key}:{_beside(draw)}\n{items}{dash}- {_double(words[-1])}{_beside(draw)}\n",
        f"{indent}{key}: [{', '.join(quoted)}]{_beside(draw)}\n",
        f"{indent}{key}: [\n{indent}    " + f", # one\n{indent}    ".join(quoted) + f"\n{indent}  ]{_beside(draw)}\n",
        f"{indent}{key}: [{' ,'.join(quoted)},]\n",
        f"{indent}{key}: []{_beside(draw)}\n",
        f"{indent}{key}: {quoted[0]}{_beside(draw)}\n",
        f"{indent}{key}:{_beside(draw)}\n",
    )
    return draw.choice(forms)


def _scope(draw: random.Random) -> str:
    parts = draw.sample(("paths", "except", "layers", "commands"), draw.randint(1, 4))
    if draw.random() < 0.3:
        inner = ", ".join(
            f"{part}: [{', '.join(_double(word(draw)) for _ in range(draw.randint(0, 3)))}]" for part in parts
        )
        return f"scope: {{{inner}}}{_beside(draw)}\n"
    return f"scope:{_beside(draw)}\n" + "".join(_list(draw, part, "  ") for part in parts)
