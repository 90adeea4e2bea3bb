"""Definitions by line patterns, where no grammar loads. Refuses what a line does not show."""

from gitmem.code.languages import Language
from gitmem.model.code import Facts


def facts(row: Language, content: bytes) -> Facts:
    return Facts(row.name, "regex")
