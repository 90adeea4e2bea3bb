"""Retrieval of what a team knows about its code: rules, agents' guides and notes on tasks. Refuses to fetch any.

How documents and questions are made of public files is said in `coding_documents`.
"""

from benchmarks.coding_documents import questions, sources
from benchmarks.report import Table
from benchmarks.setting import Setting
from benchmarks.sides import Floors, compared

NAME = "coding-knowledge"
_QUICK = 60


def measured(setting: Setting) -> Table:
    made = sources(setting.data[NAME])
    asked = questions(made)
    documents = [each.document for each in made]
    if setting.rounds == 1:
        asked = asked[:: max(1, len(asked) // _QUICK)]
    figures = compared(NAME, setting.home / NAME, (documents, asked), Floors())
    title = f"Retrieval: coding knowledge, {len(documents)} documents, {len(asked)} questions"
    return Table(NAME, title, f"python -m benchmarks {NAME} --data {NAME}=FOLDER", figures, is_grid=True)
