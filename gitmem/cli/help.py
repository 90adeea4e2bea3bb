"""The help pages, made from the operations table. Refuses text of its own beyond a headline."""

from gitmem.cli.parser import parser_of
from gitmem.operations import every, find

_HEAD = """gitmem: what a team and its agents know, kept in Git

usage: gitmem [-C DIR] COMMAND [ARGUMENTS] [--json]

commands:"""


def page(verb: str) -> str:
    """One verb's page, the actions of one noun, or the list of all verbs."""
    operation = find(verb) if verb else None
    if operation is not None:
        return parser_of(operation).format_help().rstrip()
    rows = [(row.verb, row.help) for row in every() if not verb or row.verb.startswith(f"{verb} ")]
    width = max(len(name) for name, _ in rows)
    listed = "\n".join(f"  {name.ljust(width)}  {text}" for name, text in rows)
    return f"{_HEAD}\n{listed}\n\ngitmem {verb or 'COMMAND'}{' ACTION' if verb else ''} --help tells more."
